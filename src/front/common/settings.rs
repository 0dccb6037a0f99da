//! The settings of a command line of fastchess, in the form of its `config.json`: names, order of keys and numbers of
//! choices are the same as in that file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::counts::Stats;
use crate::chess::{FenDialect, UciDialect};
use crate::event::Series;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub(crate) struct Resign {
    pub(crate) move_count: i32,
    pub(crate) score: i32,
    pub(crate) twosided: bool,
    pub(crate) enabled: bool,
}

/// A draw by score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub(crate) struct DrawSettings {
    pub(crate) move_number: u32,
    pub(crate) move_count: i32,
    pub(crate) score: i32,
    pub(crate) enabled: bool,
}

/// A draw by length.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub(crate) struct MaxMoves {
    pub(crate) move_count: i32,
    pub(crate) enabled: bool,
}

/// Endgame tables.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Tables {
    pub(crate) syzygy_dirs: String,
    pub(crate) max_pieces: i32,
    pub(crate) ignore_50_move_rule: bool,
    pub(crate) enabled: bool,
    /// `BOTH`, `WIN_LOSS` or `DRAW`; not in the file.
    #[serde(skip)]
    pub(crate) results: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub(crate) struct BookSettings {
    pub(crate) file: String,
    pub(crate) format: BookFormat,
    pub(crate) order: Order,
    pub(crate) plies: i32,
    pub(crate) start: i32,
}

/// The PGN file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub(crate) struct Pgn {
    pub(crate) additional_lines_rgx: Vec<String>,
    pub(crate) event_name: String,
    pub(crate) site: String,
    pub(crate) file: String,
    pub(crate) notation: Notation,
    pub(crate) append_file: bool,
    pub(crate) track_nodes: bool,
    pub(crate) track_seldepth: bool,
    pub(crate) track_nps: bool,
    pub(crate) track_hashfull: bool,
    pub(crate) track_tbhits: bool,
    pub(crate) track_timeleft: bool,
    pub(crate) track_latency: bool,
    pub(crate) track_pv: bool,
    pub(crate) min: bool,
    pub(crate) crc: bool,
}

/// The file of final positions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub(crate) struct Epd {
    pub(crate) file: String,
    pub(crate) append_file: bool,
}

/// A sequential test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub(crate) struct TestSettings {
    pub(crate) alpha: f64,
    pub(crate) beta: f64,
    pub(crate) elo0: f64,
    pub(crate) elo1: f64,
    pub(crate) model: String,
    pub(crate) enabled: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub(crate) struct Log {
    pub(crate) file: String,
    pub(crate) level: Level,
    pub(crate) append_file: bool,
    pub(crate) compress: bool,
    pub(crate) realtime: bool,
    #[serde(default)]
    pub(crate) engine_coms: bool,
}

/// What limits an engine, in milliseconds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct EngineLimits {
    pub(crate) increment: i64,
    pub(crate) fixed_time: i64,
    pub(crate) time: i64,
    pub(crate) moves: i64,
    pub(crate) timemargin: i64,
    /// What a move takes is added to the other clock; only in cutechess-cli, and not in the file.
    #[serde(skip)]
    pub(crate) is_hourglass: bool,
}

impl EngineLimits {
    /// Whether there is a time for several moves.
    pub(crate) fn runs(&self) -> bool {
        (self.time, self.increment) != (0, 0)
    }
}

/// All limits of an engine.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Limit {
    pub(crate) tc: EngineLimits,
    pub(crate) nodes: u64,
    pub(crate) plies: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct EngineSettings {
    pub(crate) name: String,
    pub(crate) dir: String,
    pub(crate) cmd: String,
    pub(crate) args: String,
    pub(crate) restart: bool,
    pub(crate) options: Vec<(String, String)>,
    pub(crate) limit: Limit,
    pub(crate) variant: Variant,
    /// Whether it thinks on its opponent's time; not in the file.
    #[serde(skip)]
    pub(crate) ponders: bool,
    /// The file that its standard error is added to; empty for none, not in the file.
    #[serde(skip)]
    pub(crate) stderr: String,
    /// The lines that it is sent first, if it speaks XBoard's protocol; not in the file.
    #[serde(skip)]
    pub(crate) xboard: Option<Vec<String>>,
    /// Its own Polyglot book, the number of half-moves it is used for, and the seed for its choice; not in the file.
    #[serde(skip)]
    pub(crate) book: Option<(String, u64, u64)>,
    /// Whether it gives its scores as White sees them; not in the file.
    #[serde(skip)]
    pub(crate) sees_as_white: bool,
}

impl EngineSettings {
    /// Takes in a key that both runners have; whether it is one.
    pub(crate) fn set_common(&mut self, key: &str, value: &str) -> bool {
        match (key, key.strip_prefix("option.")) {
            ("name", _) => value.clone_into(&mut self.name),
            ("cmd", _) => value.clone_into(&mut self.cmd),
            ("dir", _) => value.clone_into(&mut self.dir),
            (_, Some(name)) => self.options.push((name.to_owned(), value.to_owned())),
            _ => return false,
        }
        true
    }
}

/// An event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub(crate) struct Settings {
    pub(crate) resign: Resign,
    pub(crate) draw: DrawSettings,
    pub(crate) maxmoves: MaxMoves,
    pub(crate) tb_adjudication: Tables,
    pub(crate) opening: BookSettings,
    pub(crate) pgn: Pgn,
    pub(crate) epd: Epd,
    pub(crate) sprt: TestSettings,
    pub(crate) config_name: String,
    pub(crate) output: Output,
    pub(crate) seed: u64,
    pub(crate) variant: Variant,
    #[serde(rename = "type")]
    pub(crate) kind: Kind,
    pub(crate) gauntlet_seeds: i32,
    pub(crate) ratinginterval: i32,
    pub(crate) scoreinterval: i32,
    pub(crate) wait: u32,
    pub(crate) autosaveinterval: i32,
    pub(crate) games: i64,
    pub(crate) rounds: i64,
    pub(crate) concurrency: i32,
    pub(crate) force_concurrency: bool,
    pub(crate) recover: bool,
    pub(crate) noswap: bool,
    pub(crate) reverse: bool,
    pub(crate) report_penta: bool,
    pub(crate) affinity: bool,
    pub(crate) check_mate_pvs: bool,
    pub(crate) show_latency: bool,
    pub(crate) log: Log,
    #[serde(skip)]
    pub(crate) unwritten: Unwritten,
}

impl Settings {
    /// The defaults of a command line; the seed is drawn.
    pub(crate) fn new(seed: u64) -> Settings {
        let mut settings = Settings {
            config_name: "config.json".to_owned(),
            seed,
            gauntlet_seeds: 1,
            ratinginterval: 10,
            scoreinterval: 1,
            autosaveinterval: 20,
            games: 2,
            rounds: 2,
            concurrency: 1,
            report_penta: true,
            ..Settings::default()
        };
        settings.resign.move_count = 1;
        settings.draw.move_count = 1;
        settings.maxmoves.move_count = 1;
        settings.opening.plies = -1;
        settings.opening.start = 1;
        settings.pgn.event_name = "Fastchess Tournament".to_owned();
        settings.pgn.site = "?".to_owned();
        settings.pgn.append_file = true;
        settings.epd.append_file = true;
        settings.sprt.model = "normalized".to_owned();
        settings.log.append_file = true;
        settings.log.realtime = true;
        settings
    }

    /// Number of the engines that meet all others in a gauntlet of this many.
    pub(crate) fn heroes(&self, engines: usize) -> usize {
        let seeds = usize::try_from(self.gauntlet_seeds).unwrap_or(0);
        seeds.clamp(1, engines.saturating_sub(1).max(1))
    }

    /// Whether the event follows the rules of cutechess-cli.
    pub(crate) fn is_cutechess(&self) -> bool {
        self.unwritten.cutechess.is_some()
    }
}

/// Settings that the file does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unwritten {
    /// The parts of a warning are printed on one line.
    pub(crate) test_env: bool,
    /// Any warning ends the run.
    pub(crate) strict: bool,
    /// Processors, if they are named.
    pub(crate) cpus: Vec<u16>,
    /// Time limits in milliseconds: `uciok`, `readyok` after `ucinewgame`, any other `readyok`.
    pub(crate) startup_ms: u64,
    pub(crate) ucinewgame_ms: u64,
    pub(crate) ping_ms: u64,
    /// Settings that only cutechess-cli has; with them the event follows its rules.
    pub(crate) cutechess: Option<Cutechess>,
    /// Warnings of cutechess-cli, and that a book of an engine is not read.
    pub(crate) warnings: Vec<String>,
}

impl Default for Unwritten {
    fn default() -> Unwritten {
        Unwritten {
            test_env: false,
            strict: false,
            cpus: Vec::new(),
            startup_ms: 10_000,
            ucinewgame_ms: 60_000,
            ping_ms: 60_000,
            cutechess: None,
            warnings: Vec::new(),
        }
    }
}

/// Settings of an event that only cutechess-cli has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cutechess {
    /// Games of two engines before the next two meet, and from which positions.
    pub(crate) series: Series,
    /// Number of such series for every two engines.
    pub(crate) meetings: u32,
    /// Who loses an encounter is out.
    pub(crate) knockout: bool,
    /// Number of games after which the reasons for their ends are printed; 0: at the end.
    pub(crate) outcomes: i32,
    /// The dialogue between runner and engines is printed.
    pub(crate) prints_dialogue: bool,
    /// The names that engines were given; empty if an engine gives its own.
    pub(crate) names: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct CommandLine {
    /// The event.
    pub(crate) settings: Settings,
    pub(crate) engines: Vec<EngineSettings>,
    /// Earlier results, from a `config.json` of fastchess: by the two names.
    pub(crate) stats: BTreeMap<String, Stats>,
    /// The store of the event of one of our own `config.json` files, and the results that are not in it.
    pub(crate) store: Option<String>,
    pub(crate) before: BTreeMap<String, Stats>,
    /// `-config discard=true`: what was played before does not count.
    pub(crate) discards: bool,
    /// Lines that are printed before anything else.
    pub(crate) notes: String,
}

impl CommandLine {
    /// Number of the earlier games.
    pub(crate) fn games_before(&self) -> u64 {
        self.stats.values().map(Stats::games).sum()
    }
}

// Choices of a command line: their words there, and the numbers as which `config.json` stores them.

/// What a word chooses.
pub(crate) trait WordChoice {
    /// Sets what this word says.
    fn set(&mut self, word: &str) -> Option<()>;
}

/// Enumerations that are serialized as the index of its variant; a word that is empty cannot be said.
macro_rules! numbered {
    ($($(#[$meta:meta])* $name:ident { $($(#[$inner:meta])* $variant:ident = $number:literal $word:literal),+ })+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(into = "u8", try_from = "u8")]
        pub(crate) enum $name { $($(#[$inner])* $variant = $number),+ }

        impl $name {
            /// Each in the place of its number.
            const WORDS: &[(&str, $name)] = &[$(($word, $name::$variant)),+];
        }

        impl WordChoice for $name {
            fn set(&mut self, word: &str) -> Option<()> {
                let mut said = Self::WORDS.iter().filter(|(known, _)| !known.is_empty());
                *self = said.find(|(known, _)| *known == word)?.1;
                Some(())
            }
        }

        impl From<$name> for u8 {
            fn from(value: $name) -> u8 { value as u8 }
        }

        impl TryFrom<u8> for $name {
            type Error = String;

            fn try_from(number: u8) -> Result<$name, String> {
                let found = Self::WORDS.get(usize::from(number)).map(|(_, choice)| *choice);
                found.ok_or_else(|| format!("{number} is no {}", stringify!($name)))
            }
        }
    )+};
}

numbered! {
    /// How moves are written.
    Notation { #[default] San = 0 "san", Lan = 1 "lan", Uci = 2 "uci" }
    /// The order of a book.
    Order { Random = 0 "random", #[default] Sequential = 1 "sequential" }
    /// The format of a book.
    BookFormat { Epd = 0 "epd", Pgn = 1 "pgn", #[default] None = 2 "" }
    /// The variant of chess.
    Variant { #[default] Standard = 0 "standard", Chess960 = 1 "fischerandom" }
    /// Who meets whom.
    Kind { #[default] RoundRobin = 0 "roundrobin", Gauntlet = 1 "gauntlet" }
    /// The runner whose lines are printed.
    Output { #[default] Fastchess = 0 "fastchess", Cutechess = 1 "cutechess", None = 2 "" }
    /// The lowest level that is written to the log.
    Level { All = 0 "", Trace = 1 "trace", Info = 2 "info", #[default] Warn = 3 "warn", Err = 4 "err", Fatal = 5 "fatal" }
}

impl Variant {
    /// How moves and positions are written; in Chess960 the castling rights name the files of the rooks.
    pub(crate) fn dialects(self) -> (UciDialect, FenDialect) {
        match self {
            Variant::Standard => (UciDialect::Standard, FenDialect::XFen),
            Variant::Chess960 => (UciDialect::Chess960, FenDialect::Shredder),
        }
    }
}
