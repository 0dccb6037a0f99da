//! From `uci` to `readyok` for one engine: lines in, commands out, no clock.
//!
//! ```text
//! uci ──▶ Identifying ──uciok──▶ check the wishes, setoption …, isready ──▶ Preparing ──readyok──▶ Ready
//! ```
//!
//! Nothing is sent before every wish has been checked against what the engine declares, and
//! all that is wrong is reported together: `settings`.

mod settings;

use super::command::set_option;
use super::declaration::{OptionDeclaration, OptionKind};
use super::message::Message;
use super::options::{OptionError, OptionSet};

/// More options than any engine has, and longer ones, in bytes of their lines: a hostile one
/// must not fill the memory.
const MAX_OPTIONS: usize = 4096;
const MAX_OPTION_BYTES: usize = 1 << 20;

/// What the user and the event want of an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// Names and values from the event file; an empty value presses a button.
    pub options: Vec<(String, String)>,
    /// The event needs `UCI_Chess960`.
    pub chess960: bool,
    /// An engine that does not declare it plays all the same.
    pub chess960_undeclared: bool,
    /// It is to think on its opponent's time.
    pub ponder: bool,
    /// The event needs a variant from this file, an absolute path; which one is chosen for
    /// every game.
    pub variants_file: Option<String>,
    /// The event needs this value of `UCI_Variant`.
    pub variant: Option<&'static str>,
    /// Options that the engine refuses are left out.
    pub leaves_out_refused: bool,
}

/// What an engine says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineIdentity {
    /// `id name`; empty if it gave none. Control characters are removed.
    pub name: String,
    /// `id author`; empty if it gave none. Control characters are removed.
    pub author: String,
    /// The options it declares.
    pub options: OptionSet,
}

/// Why an engine cannot take part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HandshakeError {
    /// The event needs Chess960 and the engine does not declare `UCI_Chess960`.
    #[error("it does not play Chess960 (no option UCI_Chess960)")]
    NoChess960,
    /// The event's variant has to be explained in a file.
    #[error("it cannot be taught the variant (no option {0})")]
    NoVariantsFile(&'static str),
    /// The event's variant has to be known by its name.
    #[error("it does not play {0} (no option UCI_Variant with the value \"{0}\")")]
    NoVariant(&'static str),
    /// It does not say that it can think on its opponent's time (UCI protocol: `option Ponder`).
    #[error(
        "it does not think on its opponent's time (no option Ponder): give it `ponder = false`"
    )]
    NoPonder,
    /// An option that it does not have, or a value that the option cannot have.
    #[error(transparent)]
    Option(#[from] OptionError),
}

/// Which answer is awaited; the caller sets a deadline for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// `uciok`
    Identifying,
    /// `readyok`
    Preparing,
    /// nothing more
    Ready,
}

/// What a line led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HandshakeStep {
    /// Nothing: go on reading.
    Waiting,
    /// The options were written to `out` with `isready`; a new deadline may start.
    Configured,
    /// The engine is ready to play.
    Ready(Box<Ready>),
}

/// The end of a handshake.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ready {
    /// Who the engine is.
    pub identity: EngineIdentity,
    /// Every option that was set, in the order it was sent.
    pub sent: Vec<(String, Option<String>)>,
    /// What is odd but does no harm.
    pub warnings: Vec<String>,
}

/// The start of one engine.
///
/// ```
/// use arbiter960::uci::{Handshake, HandshakeStep, Wishes};
/// let mut commands = String::new();
/// let mut handshake = Handshake::new(Wishes { chess960: true, ..Wishes::default() });
/// handshake.start(&mut commands);
/// for line in ["id name A", "option name UCI_Chess960 type check default false", "uciok"] {
///     handshake.line(line, &mut commands).unwrap();
/// }
/// assert_eq!(commands, "uci\nsetoption name UCI_Chess960 value true\nisready\n");
/// assert!(matches!(handshake.line("readyok", &mut commands), Ok(HandshakeStep::Ready(_))));
/// ```
#[derive(Clone, Debug)]
pub struct Handshake {
    wishes: Wishes,
    phase: Phase,
    /// What is known so far.
    ready: Ready,
    /// Bytes of the declarations that were taken.
    declared: usize,
}

impl Handshake {
    /// A handshake that has not begun.
    pub fn new(wishes: Wishes) -> Self {
        Handshake {
            wishes,
            phase: Phase::Identifying,
            ready: Ready::default(),
            declared: 0,
        }
    }

    /// Writes `uci`.
    pub fn start(&self, out: &mut String) {
        out.push_str("uci\n");
    }

    /// Which answer is awaited.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Takes a line of the engine and writes what is to be sent next to `out`.
    ///
    /// # Errors
    /// Everything that is wrong with the wishes, at `uciok`; then nothing is sent.
    pub fn line(
        &mut self,
        line: &str,
        out: &mut String,
    ) -> Result<HandshakeStep, Vec<HandshakeError>> {
        match (self.phase, Message::parse(line)) {
            (Phase::Identifying, Message::Name(name)) => {
                self.ready.identity.name = without_controls(name)
            }
            (Phase::Identifying, Message::Author(author)) => {
                self.ready.identity.author = without_controls(author);
            }
            (Phase::Identifying, Message::Option(option)) => self.declare(option, line.len()),
            (Phase::Identifying, Message::UciOk) => return self.configure(out),
            (Phase::Preparing, Message::ReadyOk) => return Ok(self.finish()),
            _ => {}
        }
        Ok(HandshakeStep::Waiting)
    }

    fn declare(&mut self, option: OptionDeclaration, bytes: usize) {
        self.declared = self.declared.saturating_add(bytes);
        if self.ready.identity.options.len() < MAX_OPTIONS && self.declared <= MAX_OPTION_BYTES {
            self.ready.identity.options.insert(option);
        }
    }

    fn configure(&mut self, out: &mut String) -> Result<HandshakeStep, Vec<HandshakeError>> {
        let options = self.ready.identity.options.iter();
        self.ready.warnings = options.filter_map(oddity).collect();
        self.ready.sent = self.settings()?;
        for (name, value) in &self.ready.sent {
            set_option(name, value.as_deref(), out);
        }
        out.push_str("isready\n");
        self.phase = Phase::Preparing;
        Ok(HandshakeStep::Configured)
    }

    fn finish(&mut self) -> HandshakeStep {
        self.phase = Phase::Ready;
        HandshakeStep::Ready(Box::new(std::mem::take(&mut self.ready)))
    }
}

fn without_controls(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}

/// What is odd about an option, if anything.
fn oddity(option: &OptionDeclaration) -> Option<String> {
    let OptionKind::Spin { default, min, max } = option.kind else {
        return None;
    };
    let name = &option.name;
    let text = format!("option \"{name}\": its default {default} lies outside of {min} to {max}");
    (!(min..=max).contains(&default)).then_some(text)
}
