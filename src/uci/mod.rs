//! The Universal Chess Interface, pure: bytes to lines to messages, commands, options.
//!
//! | file | what |
//! |---|---|
//! | `line` | [`LineBuffer`]: bytes from a pipe to lines, bounded, borrowed |
//! | `token` | words of a line, and the text between keywords |
//! | `message` | [`Message`]: one line from an engine |
//! | `info` | [`InfoLine`]: a search report, classified cheaply, read on demand |
//! | `declaration` | [`OptionDeclaration`]: what an engine says of an option |
//! | `options` | [`OptionSet`]: all of them; checks names and values |
//! | `nearest` | [`nearest_name`]: what a misspelt name was meant to be |
//! | `command` | [`Command`], [`GoLimits`]: what is sent to an engine |
//! | `chess480` | Chess480 for engines that read variants from a file |
//! | `harmless` | [`printable`]: what an engine says, for people's eyes |
//! | `handshake` | [`Handshake`]: from `uci` to `readyok` for one engine |
//!
//! The protocol is Stefan Meyer-Kahlen's "Description of the universal chess interface",
//! April 2006. Engines are read more tolerantly than it asks, because real ones need it;
//! what is sent to them follows it to the letter.

mod chess480;
mod command;
mod declaration;
mod handshake;
mod harmless;
mod info;
mod line;
mod message;
mod nearest;
mod options;
mod token;

pub use chess480::{VARIANT_OPTION, VARIANTS_FILE_OPTION, chess480_variant, chess480_variants};
pub use command::{Command, GoLimits};
pub use declaration::{OptionDeclaration, OptionKind};
pub use handshake::{EngineIdentity, Handshake, HandshakeError, Phase, Progress, Ready, Wishes};
pub use harmless::{is_harmful, printable, printable_lines};
pub use info::{Bound, InfoKind, InfoLine, Score, SearchReport};
pub use line::{Line, LineBuffer, MAX_LINE};
pub use message::{IdField, Message};
pub use nearest::nearest_name;
pub use options::{OptionError, OptionSet};
