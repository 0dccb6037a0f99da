//! From `uci` to `readyok` for one engine: lines in, commands out, no clock.
//!
//! ```text
//! uci ──▶ Identifying ──uciok──▶ check the wishes, setoption …, isready ──▶ Preparing ──readyok──▶ Ready
//! ```
//!
//! Nothing is sent before every wish has been checked against what the engine declares, and
//! all that is wrong is reported together.

use super::chess480::{VARIANT_OPTION, VARIANTS_FILE_OPTION};
use super::command::Command;
use super::declaration::{OptionDeclaration, OptionKind};
use super::message::{IdField, Message};
use super::options::{OptionError, OptionSet};

/// More options than any engine has: a hostile one must not fill the memory.
const MAX_OPTIONS: usize = 4096;

/// What the runner sets where the engine declares it and the user is silent.
const DEFAULTS: [(&str, &str); 3] = [("Threads", "1"), ("Ponder", "false"), ("OwnBook", "false")];

/// Options whose place in the order matters: the number of threads comes before the hash, so
/// that the table is allocated once. `UCI_Variant` comes last, since a file that another
/// option names may define the variant.
const FIRST: [&str; 2] = ["Threads", "Hash"];

/// What the user and the event want of an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// Names and values from the event file; an empty value presses a button.
    pub options: Vec<(String, String)>,
    /// The event needs `UCI_Chess960`.
    pub chess960: bool,
    /// The event needs a variant from this file, an absolute path; which one is chosen for
    /// every game.
    pub variants_file: Option<String>,
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
pub enum Progress {
    /// Nothing: go on reading.
    Waiting,
    /// The options were written to `out` with `isready`; a new deadline may start.
    Configured,
    /// The engine is ready to play.
    Ready(Box<Ready>),
}

/// The end of a handshake.
#[derive(Clone, Debug, PartialEq, Eq)]
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
/// use arbiter960::uci::{Handshake, Progress, Wishes};
/// let mut commands = String::new();
/// let mut handshake = Handshake::new(Wishes { chess960: true, ..Wishes::default() });
/// handshake.start(&mut commands);
/// for line in ["id name A", "option name UCI_Chess960 type check default false", "uciok"] {
///     handshake.line(line, &mut commands).unwrap();
/// }
/// assert_eq!(commands, "uci\nsetoption name UCI_Chess960 value true\nisready\n");
/// assert!(matches!(handshake.line("readyok", &mut commands), Ok(Progress::Ready(_))));
/// ```
#[derive(Clone, Debug)]
pub struct Handshake {
    wishes: Wishes,
    phase: Phase,
    identity: EngineIdentity,
    sent: Vec<(String, Option<String>)>,
    warnings: Vec<String>,
}

impl Handshake {
    /// A handshake that has not begun.
    pub fn new(wishes: Wishes) -> Self {
        Handshake {
            wishes,
            phase: Phase::Identifying,
            identity: EngineIdentity::default(),
            sent: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Writes `uci`.
    pub fn start(&self, out: &mut String) {
        Command::Uci.write_to(out);
    }

    /// Which answer is awaited.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Takes a line of the engine and writes what is to be sent next to `out`.
    ///
    /// # Errors
    /// Everything that is wrong with the wishes, at `uciok`; then nothing is sent.
    pub fn line(&mut self, line: &str, out: &mut String) -> Result<Progress, Vec<HandshakeError>> {
        match (self.phase, Message::parse(line)) {
            (Phase::Identifying, Message::Id { field, value }) => self.identify(field, value),
            (Phase::Identifying, Message::Option(option)) => self.declare(option),
            (Phase::Identifying, Message::UciOk) => return self.configure(out),
            (Phase::Preparing, Message::ReadyOk) => return Ok(self.finish()),
            _ => {}
        }
        Ok(Progress::Waiting)
    }

    fn identify(&mut self, field: IdField, value: &str) {
        let text = value.chars().filter(|c| !c.is_control()).collect();
        match field {
            IdField::Name => self.identity.name = text,
            IdField::Author => self.identity.author = text,
        }
    }

    fn declare(&mut self, option: OptionDeclaration) {
        if let OptionKind::Spin { default, min, max } = option.kind
            && !(min..=max).contains(&default)
        {
            let name = &option.name;
            self.warnings.push(format!(
                "option \"{name}\": its default {default} lies outside of {min} to {max}"
            ));
        }
        if self.identity.options.len() < MAX_OPTIONS {
            self.identity.options.insert(option);
        }
    }

    fn configure(&mut self, out: &mut String) -> Result<Progress, Vec<HandshakeError>> {
        self.sent = self.settings()?;
        for (name, value) in &self.sent {
            Command::SetOption {
                name,
                value: value.as_deref(),
            }
            .write_to(out);
        }
        Command::IsReady.write_to(out);
        self.phase = Phase::Preparing;
        Ok(Progress::Configured)
    }

    fn finish(&mut self) -> Progress {
        self.phase = Phase::Ready;
        Progress::Ready(Box::new(Ready {
            identity: std::mem::take(&mut self.identity),
            sent: std::mem::take(&mut self.sent),
            warnings: std::mem::take(&mut self.warnings),
        }))
    }

    /// All options to set, in their order.
    fn settings(&mut self) -> Result<Vec<(String, Option<String>)>, Vec<HandshakeError>> {
        let mut problems = Vec::new();
        let mut settings = Vec::new();
        for (name, value) in self.ordered_wishes() {
            match self.setting(&name, &value) {
                Ok(setting) => settings.push(setting),
                Err(problem) => problems.push(HandshakeError::Option(problem)),
            }
        }
        match self.variants_file() {
            Ok(setting) => settings.extend(setting),
            Err(problem) => problems.push(problem),
        }
        let options = &self.identity.options;
        let chess960 = options
            .get("UCI_Chess960")
            .map(|option| option.name.clone());
        match chess960 {
            Some(name) => settings.push((name, Some(self.wishes.chess960.to_string()))),
            None if self.wishes.chess960 => problems.push(HandshakeError::NoChess960),
            None => {}
        }
        if problems.is_empty() {
            Ok(settings)
        } else {
            Err(problems)
        }
    }

    /// The file of variants, for an engine that can read it and choose from it.
    fn variants_file(&self) -> Result<Option<(String, Option<String>)>, HandshakeError> {
        let Some(file) = &self.wishes.variants_file else {
            return Ok(None);
        };
        let options = &self.identity.options;
        match (
            options.get(VARIANTS_FILE_OPTION),
            options.get(VARIANT_OPTION),
        ) {
            (Some(option), Some(_)) => Ok(Some((option.name.clone(), Some(file.clone())))),
            (None, _) => Err(HandshakeError::NoVariantsFile(VARIANTS_FILE_OPTION)),
            (_, None) => Err(HandshakeError::NoVariantsFile(VARIANT_OPTION)),
        }
    }

    /// A variant that a file defines is unknown until the engine has read that file.
    fn setting(
        &mut self,
        name: &str,
        value: &str,
    ) -> Result<(String, Option<String>), OptionError> {
        match self.identity.options.canonical(name, value) {
            Err(OptionError::NotAChoice { name, value, .. })
                if is(&name, VARIANT_OPTION) && self.wished(VARIANTS_FILE_OPTION) =>
            {
                self.warnings.push(format!(
                    "option \"{name}\": \"{value}\" is not declared; VariantPath may define it"
                ));
                Ok((name, Some(value)))
            }
            other => other,
        }
    }

    /// The runner's defaults and the user's wishes, without `UCI_Chess960`, which the event
    /// decides.
    fn ordered_wishes(&mut self) -> Vec<(String, String)> {
        let own = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        let silent = |(name, _): &(&str, &str)| !self.wished(name) && self.declares(name);
        let defaults = DEFAULTS
            .into_iter()
            .chain(self.plain_chess())
            .filter(silent)
            .map(own);
        let mut wishes: Vec<_> = defaults
            .chain(self.wishes.options.iter().cloned())
            .collect();
        let given = wishes.len();
        wishes.retain(|(name, _)| !is(name, "UCI_Chess960"));
        if wishes.len() < given {
            let variant = if self.wishes.chess960 {
                "true"
            } else {
                "false"
            };
            self.warnings.push(format!(
                "option \"UCI_Chess960\": the event's variant sets it to {variant}; the given value is ignored"
            ));
        }
        wishes.sort_by_key(|(name, _)| place(name));
        wishes
    }

    /// An engine of many variants whose default is not chess must be told to play it.
    fn plain_chess(&self) -> Option<(&'static str, &'static str)> {
        if self.wishes.variants_file.is_some() {
            return None;
        }
        let option = self.identity.options.get(VARIANT_OPTION)?;
        let OptionKind::Combo { default, values } = &option.kind else {
            return None;
        };
        let chess960: &[&str] = &["chess", "fischerandom", "chess960", "normal", "standard"];
        let names = if self.wishes.chess960 {
            chess960
        } else {
            &["chess", "normal", "standard"]
        };
        let offered = |name: &&&str| values.iter().any(|value| is(value, name));
        if is(default, "chess") {
            return None;
        }
        names
            .iter()
            .find(offered)
            .map(|name| (VARIANT_OPTION, *name))
    }

    fn wished(&self, name: &str) -> bool {
        self.wishes.options.iter().any(|(wish, _)| is(wish, name))
    }

    fn declares(&self, name: &str) -> bool {
        self.identity.options.get(name).is_some()
    }
}

fn is(name: &str, other: &str) -> bool {
    name.trim().eq_ignore_ascii_case(other)
}

fn place(name: &str) -> usize {
    let first = FIRST.iter().position(|other| is(name, other));
    first.unwrap_or(FIRST.len() + usize::from(is(name, VARIANT_OPTION)))
}
