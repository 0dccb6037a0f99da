//! The Universal Chess Interface, pure: bytes to lines to messages, commands, options.
//!
//! | file | what |
//! |---|---|
//! | `line` | [`LineBuffer`]: bytes from a pipe to lines, bounded, borrowed; words of a line, and the text between keywords |
//! | `message` | [`Message`]: one line from an engine |
//! | `info` | [`InfoLine`]: a search report, classified cheaply, read on demand; [`KeptLines`]: lines that are kept with the moves |
//! | `score` | [`Score`]: an evaluation, and its writer |
//! | `declaration` | [`OptionDeclaration`]: what an engine says of an option |
//! | `options` | [`OptionSet`]: all of them; checks names and values |
//! | `command` | [`set_option`], [`GoLimits`]: what is sent to an engine; Chess480 for engines that read variants from a file |
//! | `handshake` | [`Handshake`]: from `uci` to `readyok` for one engine |
//!
//! The protocol is Stefan Meyer-Kahlen's "Description of the universal chess interface",
//! April 2006. Engines are read more tolerantly than it asks, because real ones need it;
//! what is sent to them follows it to the letter.

mod command;
mod declaration;
mod handshake;
mod info;
mod line;
mod message;
mod options;
mod score;

pub use command::{
    GoLimits, VARIANT_OPTION, VARIANTS_FILE_OPTION, chess480_variant, chess480_variants,
    position_command, set_option,
};
pub use declaration::{NoOption, OptionDeclaration, OptionKind};
pub use handshake::{
    EngineIdentity, Handshake, HandshakeError, HandshakeStep, Phase, Ready, Wishes,
};
pub(crate) use info::FoundLines;
pub use info::{InfoKind, InfoLine, KeptLines, Thinking};
pub use line::{Line, LineBuffer, MAX_LINE};
pub use message::Message;
pub(crate) use message::RESIGNS;
pub use options::{OptionError, OptionSet};
pub(crate) use score::ScoreStyle;
pub use score::{Bound, Score};
