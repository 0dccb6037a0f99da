//! The settings of a command line of fastchess, in the form of its `config.json`: names, order of keys and numbers of
//! choices are the same as in that file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::event::Series;

pub(in crate::front) use super::choices::{
    BookFormat, Kind, Level, Notation, Order, Output, Variant,
};

/// Resignation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::front) struct Resign {
    pub(in crate::front) move_count: i32,
    pub(in crate::front) score: i32,
    pub(in crate::front) twosided: bool,
    pub(in crate::front) enabled: bool,
}

/// A draw by score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::front) struct DrawSettings {
    pub(in crate::front) move_number: u32,
    pub(in crate::front) move_count: i32,
    pub(in crate::front) score: i32,
    pub(in crate::front) enabled: bool,
}

/// A draw by length.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::front) struct MaxMoves {
    pub(in crate::front) move_count: i32,
    pub(in crate::front) enabled: bool,
}

/// Endgame tables.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(in crate::front) struct Tables {
    pub(in crate::front) syzygy_dirs: String,
    pub(in crate::front) max_pieces: i32,
    pub(in crate::front) ignore_50_move_rule: bool,
    pub(in crate::front) enabled: bool,
    /// `BOTH`, `WIN_LOSS` or `DRAW`; not in the file.
    #[serde(skip)]
    pub(in crate::front) results: Option<String>,
}

/// The book.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::front) struct BookSettings {
    pub(in crate::front) file: String,
    pub(in crate::front) format: BookFormat,
    pub(in crate::front) order: Order,
    pub(in crate::front) plies: i32,
    pub(in crate::front) start: i32,
}

/// The PGN file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::front) struct Pgn {
    pub(in crate::front) additional_lines_rgx: Vec<String>,
    pub(in crate::front) event_name: String,
    pub(in crate::front) site: String,
    pub(in crate::front) file: String,
    pub(in crate::front) notation: Notation,
    pub(in crate::front) append_file: bool,
    pub(in crate::front) track_nodes: bool,
    pub(in crate::front) track_seldepth: bool,
    pub(in crate::front) track_nps: bool,
    pub(in crate::front) track_hashfull: bool,
    pub(in crate::front) track_tbhits: bool,
    pub(in crate::front) track_timeleft: bool,
    pub(in crate::front) track_latency: bool,
    pub(in crate::front) track_pv: bool,
    pub(in crate::front) min: bool,
    pub(in crate::front) crc: bool,
}

/// The file of final positions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::front) struct Epd {
    pub(in crate::front) file: String,
    pub(in crate::front) append_file: bool,
}

/// A sequential test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::front) struct TestSettings {
    pub(in crate::front) alpha: f64,
    pub(in crate::front) beta: f64,
    pub(in crate::front) elo0: f64,
    pub(in crate::front) elo1: f64,
    pub(in crate::front) model: String,
    pub(in crate::front) enabled: bool,
}

/// The log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::front) struct Log {
    pub(in crate::front) file: String,
    pub(in crate::front) level: Level,
    pub(in crate::front) append_file: bool,
    pub(in crate::front) compress: bool,
    pub(in crate::front) realtime: bool,
    #[serde(default)]
    pub(in crate::front) engine_coms: bool,
}

/// What limits an engine, in milliseconds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(in crate::front) struct EngineLimits {
    pub(in crate::front) increment: i64,
    pub(in crate::front) fixed_time: i64,
    pub(in crate::front) time: i64,
    pub(in crate::front) moves: i64,
    pub(in crate::front) timemargin: i64,
    /// What a move takes is added to the other clock; only in cutechess-cli, and not in the file.
    #[serde(skip)]
    pub(in crate::front) is_hourglass: bool,
}

impl EngineLimits {
    /// Whether there is a time for several moves.
    pub(in crate::front) fn runs(&self) -> bool {
        (self.time, self.increment) != (0, 0)
    }
}

/// All limits of an engine.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(in crate::front) struct Limit {
    pub(in crate::front) tc: EngineLimits,
    pub(in crate::front) nodes: u64,
    pub(in crate::front) plies: u64,
}

/// An engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::front) struct EngineSettings {
    pub(in crate::front) name: String,
    pub(in crate::front) dir: String,
    pub(in crate::front) cmd: String,
    pub(in crate::front) args: String,
    pub(in crate::front) restart: bool,
    pub(in crate::front) options: Vec<(String, String)>,
    pub(in crate::front) limit: Limit,
    pub(in crate::front) variant: Variant,
    /// Whether it thinks on its opponent's time; not in the file.
    #[serde(skip)]
    pub(in crate::front) ponders: bool,
    /// The file that its standard error is added to; empty for none, not in the file.
    #[serde(skip)]
    pub(in crate::front) stderr: String,
    /// The lines that it is sent first, if it speaks XBoard's protocol; not in the file.
    #[serde(skip)]
    pub(in crate::front) xboard: Option<Vec<String>>,
    /// Its own Polyglot book, the number of half-moves it is used for, and the seed for its choice; not in the file.
    #[serde(skip)]
    pub(in crate::front) book: Option<(String, u64, u64)>,
    /// Whether it gives its scores as White sees them; not in the file.
    #[serde(skip)]
    pub(in crate::front) sees_as_white: bool,
}

/// Results of an engine against another, in the form of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[allow(non_snake_case)]
pub(in crate::front) struct Stats {
    pub(in crate::front) wins: i64,
    pub(in crate::front) losses: i64,
    pub(in crate::front) draws: i64,
    pub(in crate::front) penta_WW: i64,
    pub(in crate::front) penta_WD: i64,
    pub(in crate::front) penta_WL: i64,
    pub(in crate::front) penta_DD: i64,
    pub(in crate::front) penta_LD: i64,
    pub(in crate::front) penta_LL: i64,
}

/// An event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::front) struct Settings {
    pub(in crate::front) resign: Resign,
    pub(in crate::front) draw: DrawSettings,
    pub(in crate::front) maxmoves: MaxMoves,
    pub(in crate::front) tb_adjudication: Tables,
    pub(in crate::front) opening: BookSettings,
    pub(in crate::front) pgn: Pgn,
    pub(in crate::front) epd: Epd,
    pub(in crate::front) sprt: TestSettings,
    pub(in crate::front) config_name: String,
    pub(in crate::front) output: Output,
    pub(in crate::front) seed: u64,
    pub(in crate::front) variant: Variant,
    #[serde(rename = "type")]
    pub(in crate::front) kind: Kind,
    pub(in crate::front) gauntlet_seeds: i32,
    pub(in crate::front) ratinginterval: i32,
    pub(in crate::front) scoreinterval: i32,
    pub(in crate::front) wait: u32,
    pub(in crate::front) autosaveinterval: i32,
    pub(in crate::front) games: i64,
    pub(in crate::front) rounds: i64,
    pub(in crate::front) concurrency: i32,
    pub(in crate::front) force_concurrency: bool,
    pub(in crate::front) recover: bool,
    pub(in crate::front) noswap: bool,
    pub(in crate::front) reverse: bool,
    pub(in crate::front) report_penta: bool,
    pub(in crate::front) affinity: bool,
    pub(in crate::front) check_mate_pvs: bool,
    pub(in crate::front) show_latency: bool,
    pub(in crate::front) log: Log,
    #[serde(skip)]
    pub(in crate::front) unwritten: Unwritten,
}

/// Settings that the file does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::front) struct Unwritten {
    /// The parts of a warning are printed on one line.
    pub(in crate::front) test_env: bool,
    /// Any warning ends the run.
    pub(in crate::front) strict: bool,
    /// Processors, if they are named.
    pub(in crate::front) cpus: Vec<u16>,
    /// Time limits in milliseconds: `uciok`, `readyok` after `ucinewgame`, any other `readyok`.
    pub(in crate::front) startup_ms: u64,
    pub(in crate::front) ucinewgame_ms: u64,
    pub(in crate::front) ping_ms: u64,
    /// Settings that only cutechess-cli has; with them the event follows its rules.
    pub(in crate::front) cutechess: Option<Cutechess>,
    /// Warnings of cutechess-cli, and that a book of an engine is not read.
    pub(in crate::front) warnings: Vec<String>,
}

/// Settings of an event that only cutechess-cli has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::front) struct Cutechess {
    /// Games of two engines before the next two meet, and from which positions.
    pub(in crate::front) series: Series,
    /// Number of such series for every two engines.
    pub(in crate::front) meetings: u32,
    /// Who loses an encounter is out.
    pub(in crate::front) knockout: bool,
    /// Number of games after which the reasons for their ends are printed; 0: at the end.
    pub(in crate::front) outcomes: u64,
    /// The columns of the table.
    pub(in crate::front) format: String,
    /// The dialogue between runner and engines is printed.
    pub(in crate::front) prints_dialogue: bool,
    /// The names that engines were given; empty if an engine gives its own.
    pub(in crate::front) names: Vec<String>,
}

/// The whole command line.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::front) struct CommandLine {
    /// The event.
    pub(in crate::front) settings: Settings,
    /// Its engines.
    pub(in crate::front) engines: Vec<EngineSettings>,
    /// Earlier results, from a `config.json` of fastchess: by the two names.
    pub(in crate::front) stats: BTreeMap<String, Stats>,
    /// The store of the event of one of our own `config.json` files, and the results that are not in it.
    pub(in crate::front) store: Option<String>,
    pub(in crate::front) before: BTreeMap<String, Stats>,
    /// `-config discard=true`: what was played before does not count.
    pub(in crate::front) discards: bool,
}

impl CommandLine {
    /// An event that begins.
    pub(in crate::front) fn new(settings: Settings, engines: Vec<EngineSettings>) -> CommandLine {
        CommandLine {
            settings,
            engines,
            stats: BTreeMap::new(),
            store: None,
            before: BTreeMap::new(),
            discards: false,
        }
    }

    /// Number of the earlier games.
    pub(in crate::front) fn games_before(&self) -> i64 {
        let games = self.stats.values().map(|stats| stats.games());
        games.sum::<i64>().max(0)
    }
}
