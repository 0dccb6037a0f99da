//! The settings of a command line of fastchess, in the form of its `config.json`: names, order of keys and numbers of
//! choices are the same as in that file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::event::Series;

pub(super) use super::choices::{BookFormat, Kind, Level, Notation, Order, Output, Variant};

/// Resignation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Resign {
    pub(super) move_count: i32,
    pub(super) score: i32,
    pub(super) twosided: bool,
    pub(super) enabled: bool,
}

/// A draw by score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct DrawSettings {
    pub(super) move_number: u32,
    pub(super) move_count: i32,
    pub(super) score: i32,
    pub(super) enabled: bool,
}

/// A draw by length.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MaxMoves {
    pub(super) move_count: i32,
    pub(super) enabled: bool,
}

/// Endgame tables.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Tables {
    pub(super) syzygy_dirs: String,
    pub(super) max_pieces: i32,
    pub(super) ignore_50_move_rule: bool,
    pub(super) enabled: bool,
    /// `BOTH`, `WIN_LOSS` or `DRAW`; not in the file.
    #[serde(skip)]
    pub(super) results: Option<String>,
}

/// The book.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct BookSettings {
    pub(super) file: String,
    pub(super) format: BookFormat,
    pub(super) order: Order,
    pub(super) plies: i32,
    pub(super) start: i32,
}

/// The PGN file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Pgn {
    pub(super) additional_lines_rgx: Vec<String>,
    pub(super) event_name: String,
    pub(super) site: String,
    pub(super) file: String,
    pub(super) notation: Notation,
    pub(super) append_file: bool,
    pub(super) track_nodes: bool,
    pub(super) track_seldepth: bool,
    pub(super) track_nps: bool,
    pub(super) track_hashfull: bool,
    pub(super) track_tbhits: bool,
    pub(super) track_timeleft: bool,
    pub(super) track_latency: bool,
    pub(super) track_pv: bool,
    pub(super) min: bool,
    pub(super) crc: bool,
}

/// The file of final positions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Epd {
    pub(super) file: String,
    pub(super) append_file: bool,
}

/// A sequential test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct TestSettings {
    pub(super) alpha: f64,
    pub(super) beta: f64,
    pub(super) elo0: f64,
    pub(super) elo1: f64,
    pub(super) model: String,
    pub(super) enabled: bool,
}

/// The log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Log {
    pub(super) file: String,
    pub(super) level: Level,
    pub(super) append_file: bool,
    pub(super) compress: bool,
    pub(super) realtime: bool,
    #[serde(default)]
    pub(super) engine_coms: bool,
}

/// What limits an engine, in milliseconds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct EngineLimits {
    pub(super) increment: i64,
    pub(super) fixed_time: i64,
    pub(super) time: i64,
    pub(super) moves: i64,
    pub(super) timemargin: i64,
    /// What a move takes is added to the other clock; only in cutechess-cli, and not in the file.
    #[serde(skip)]
    pub(super) is_hourglass: bool,
}

impl EngineLimits {
    /// Whether there is a time for several moves.
    pub(super) fn runs(&self) -> bool {
        (self.time, self.increment) != (0, 0)
    }
}

/// All limits of an engine.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Limit {
    pub(super) tc: EngineLimits,
    pub(super) nodes: u64,
    pub(super) plies: u64,
}

/// An engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct EngineSettings {
    pub(super) name: String,
    pub(super) dir: String,
    pub(super) cmd: String,
    pub(super) args: String,
    pub(super) restart: bool,
    pub(super) options: Vec<(String, String)>,
    pub(super) limit: Limit,
    pub(super) variant: Variant,
    /// Whether it thinks on its opponent's time; not in the file.
    #[serde(skip)]
    pub(super) ponders: bool,
    /// The file that its standard error is added to; empty for none, not in the file.
    #[serde(skip)]
    pub(super) stderr: String,
    /// The lines that it is sent first, if it speaks XBoard's protocol; not in the file.
    #[serde(skip)]
    pub(super) xboard: Option<Vec<String>>,
    /// Its own Polyglot book, the number of half-moves it is used for, and the seed for its choice; not in the file.
    #[serde(skip)]
    pub(super) book: Option<(String, u64, u64)>,
    /// Whether it gives its scores as White sees them; not in the file.
    #[serde(skip)]
    pub(super) sees_as_white: bool,
}

/// Results of an engine against another, in the form of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[allow(non_snake_case)]
pub(super) struct Stats {
    pub(super) wins: i64,
    pub(super) losses: i64,
    pub(super) draws: i64,
    pub(super) penta_WW: i64,
    pub(super) penta_WD: i64,
    pub(super) penta_WL: i64,
    pub(super) penta_DD: i64,
    pub(super) penta_LD: i64,
    pub(super) penta_LL: i64,
}

/// An event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Settings {
    pub(super) resign: Resign,
    pub(super) draw: DrawSettings,
    pub(super) maxmoves: MaxMoves,
    pub(super) tb_adjudication: Tables,
    pub(super) opening: BookSettings,
    pub(super) pgn: Pgn,
    pub(super) epd: Epd,
    pub(super) sprt: TestSettings,
    pub(super) config_name: String,
    pub(super) output: Output,
    pub(super) seed: u64,
    pub(super) variant: Variant,
    #[serde(rename = "type")]
    pub(super) kind: Kind,
    pub(super) gauntlet_seeds: i32,
    pub(super) ratinginterval: i32,
    pub(super) scoreinterval: i32,
    pub(super) wait: u32,
    pub(super) autosaveinterval: i32,
    pub(super) games: i64,
    pub(super) rounds: i64,
    pub(super) concurrency: i32,
    pub(super) force_concurrency: bool,
    pub(super) recover: bool,
    pub(super) noswap: bool,
    pub(super) reverse: bool,
    pub(super) report_penta: bool,
    pub(super) affinity: bool,
    pub(super) check_mate_pvs: bool,
    pub(super) show_latency: bool,
    pub(super) log: Log,
    #[serde(skip)]
    pub(super) unwritten: Unwritten,
}

/// Settings that the file does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unwritten {
    /// The parts of a warning are printed on one line.
    pub(super) test_env: bool,
    /// Any warning ends the run.
    pub(super) strict: bool,
    /// Processors, if they are named.
    pub(super) cpus: Vec<u16>,
    /// Time limits in milliseconds: `uciok`, `readyok` after `ucinewgame`, any other `readyok`.
    pub(super) startup_ms: u64,
    pub(super) ucinewgame_ms: u64,
    pub(super) ping_ms: u64,
    /// Settings that only cutechess-cli has; with them the event follows its rules.
    pub(super) cutechess: Option<Cutechess>,
    /// Warnings of cutechess-cli, and that a book of an engine is not read.
    pub(super) warnings: Vec<String>,
}

/// Settings of an event that only cutechess-cli has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cutechess {
    /// Games of two engines before the next two meet, and from which positions.
    pub(super) series: Series,
    /// Number of such series for every two engines.
    pub(super) meetings: u32,
    /// Who loses an encounter is out.
    pub(super) knockout: bool,
    /// Number of games after which the reasons for their ends are printed; 0: at the end.
    pub(super) outcomes: u64,
    /// The columns of the table.
    pub(super) format: String,
    /// The dialogue between runner and engines is printed.
    pub(super) prints_dialogue: bool,
    /// The names that engines were given; empty if an engine gives its own.
    pub(super) names: Vec<String>,
}

/// The whole command line.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CommandLine {
    /// The event.
    pub(super) settings: Settings,
    /// Its engines.
    pub(super) engines: Vec<EngineSettings>,
    /// Earlier results, from a `config.json` of fastchess: by the two names.
    pub(super) stats: BTreeMap<String, Stats>,
    /// The store of the event of one of our own `config.json` files, and the results that are not in it.
    pub(super) store: Option<String>,
    pub(super) before: BTreeMap<String, Stats>,
    /// `-config discard=true`: what was played before does not count.
    pub(super) discards: bool,
}

impl CommandLine {
    /// Number of the earlier games.
    pub(super) fn games_before(&self) -> i64 {
        let games = self.stats.values().map(|stats| stats.games());
        games.sum::<i64>().max(0)
    }
}
