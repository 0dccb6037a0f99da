//! What a command line of fastchess amounts to, in the shape of its `config.json`: the names, the
//! order of the keys and the numbers of the choices are those of that file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use choices::numbered;

/// Choices that the file has as numbers.
mod choices {
    /// An enumeration that is written as the place of its variant.
    macro_rules! numbered {
        ($(#[$meta:meta])* $name:ident { $($(#[$inner:meta])* $variant:ident = $number:literal),+ $(,)? }) => {
            $(#[$meta])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
            #[serde(into = "u8", try_from = "u8")]
            pub(in crate::front) enum $name { $($(#[$inner])* $variant = $number),+ }

            impl From<$name> for u8 {
                fn from(value: $name) -> u8 { value as u8 }
            }

            impl TryFrom<u8> for $name {
                type Error = String;

                fn try_from(number: u8) -> Result<$name, String> {
                    match number {
                        $($number => Ok($name::$variant),)+
                        _ => Err(format!("{number} is no {}", stringify!($name))),
                    }
                }
            }
        };
    }
    pub(super) use numbered;
}

numbered! {
    /// How moves are written.
    Notation { San = 0, Lan = 1, Uci = 2 }
}
numbered! {
    /// The order of a book.
    Order { Random = 0, Sequential = 1 }
}
numbered! {
    /// What a book is.
    BookFormat { Epd = 0, Pgn = 1, None = 2 }
}
numbered! {
    /// The variant of chess.
    Variant { Standard = 0, Chess960 = 1 }
}
numbered! {
    /// Who meets whom.
    Kind { RoundRobin = 0, Gauntlet = 1 }
}
numbered! {
    /// Whose lines are printed.
    Output { Fastchess = 0, Cutechess = 1, None = 2 }
}
numbered! {
    /// From where on the log is written.
    Level { All = 0, Trace = 1, Info = 2, Warn = 3, Err = 4, Fatal = 5 }
}

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
pub(super) struct Draw {
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
pub(super) struct Opening {
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
pub(super) struct Sprt {
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
pub(super) struct Clock {
    pub(super) increment: i64,
    pub(super) fixed_time: i64,
    pub(super) time: i64,
    pub(super) moves: i64,
    pub(super) timemargin: i64,
}

/// All limits of an engine.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Limit {
    pub(super) tc: Clock,
    pub(super) nodes: u64,
    pub(super) plies: u64,
}

/// An engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Engine {
    pub(super) name: String,
    pub(super) dir: String,
    pub(super) cmd: String,
    pub(super) args: String,
    pub(super) restart: bool,
    pub(super) options: Vec<(String, String)>,
    pub(super) limit: Limit,
    pub(super) variant: Variant,
}

/// Results of an engine against another, as the file has them.
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
    pub(super) draw: Draw,
    pub(super) maxmoves: MaxMoves,
    pub(super) tb_adjudication: Tables,
    pub(super) opening: Opening,
    pub(super) pgn: Pgn,
    pub(super) epd: Epd,
    pub(super) sprt: Sprt,
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
    /// Parts of a warning stand on one line.
    pub(super) test_env: bool,
    /// Any warning ends the run.
    pub(super) strict: bool,
    /// Processors, if they are named.
    pub(super) cpus: Vec<u16>,
    /// Waits, milliseconds: `uciok`, `readyok` after `ucinewgame`, any other `readyok`.
    pub(super) startup_ms: u64,
    pub(super) ucinewgame_ms: u64,
    pub(super) ping_ms: u64,
    /// Whether the rules are those of cutechess-cli.
    pub(super) cutechess: bool,
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
            cutechess: false,
        }
    }
}

/// All that a command line says.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CommandLine {
    /// The event.
    pub(super) settings: Settings,
    /// Its engines.
    pub(super) engines: Vec<Engine>,
    /// What was played before, from a `config.json` of fastchess: by the two names.
    pub(super) stats: BTreeMap<String, Stats>,
    /// The store in which the event of a `config.json` of ours was kept.
    pub(super) store: Option<String>,
    /// The lines that were printed while the words were read.
    pub(super) printed: Vec<String>,
}

impl Settings {
    /// What holds where the command line is silent; the seed is drawn.
    pub(super) fn new(seed: u64) -> Settings {
        Settings {
            resign: Resign {
                move_count: 1,
                score: 0,
                twosided: false,
                enabled: false,
            },
            draw: Draw {
                move_number: 0,
                move_count: 1,
                score: 0,
                enabled: false,
            },
            maxmoves: MaxMoves {
                move_count: 1,
                enabled: false,
            },
            tb_adjudication: Tables::default(),
            opening: Opening {
                file: String::new(),
                format: BookFormat::None,
                order: Order::Sequential,
                plies: -1,
                start: 1,
            },
            pgn: Pgn::default(),
            epd: Epd {
                file: String::new(),
                append_file: true,
            },
            sprt: Sprt {
                alpha: 0.0,
                beta: 0.0,
                elo0: 0.0,
                elo1: 0.0,
                model: "normalized".to_owned(),
                enabled: false,
            },
            config_name: "config.json".to_owned(),
            output: Output::Fastchess,
            seed,
            variant: Variant::Standard,
            kind: Kind::RoundRobin,
            gauntlet_seeds: 1,
            ratinginterval: 10,
            scoreinterval: 1,
            wait: 0,
            autosaveinterval: 20,
            games: 2,
            rounds: 2,
            concurrency: 1,
            force_concurrency: false,
            recover: false,
            noswap: false,
            reverse: false,
            report_penta: true,
            affinity: false,
            check_mate_pvs: false,
            show_latency: false,
            log: Log {
                file: String::new(),
                level: Level::Warn,
                append_file: true,
                compress: false,
                realtime: true,
                engine_coms: false,
            },
            unwritten: Unwritten::default(),
        }
    }
}

impl Default for Pgn {
    fn default() -> Pgn {
        Pgn {
            additional_lines_rgx: Vec::new(),
            event_name: "Fastchess Tournament".to_owned(),
            site: "?".to_owned(),
            file: String::new(),
            notation: Notation::San,
            append_file: true,
            track_nodes: false,
            track_seldepth: false,
            track_nps: false,
            track_hashfull: false,
            track_tbhits: false,
            track_timeleft: false,
            track_latency: false,
            track_pv: false,
            min: false,
            crc: false,
        }
    }
}

impl Default for Engine {
    fn default() -> Engine {
        Engine {
            name: String::new(),
            dir: String::new(),
            cmd: String::new(),
            args: String::new(),
            restart: false,
            options: Vec::new(),
            limit: Limit::default(),
            variant: Variant::Standard,
        }
    }
}
