//! The defaults of a command line.

use super::settings::{
    BookFormat, BookSettings, DrawSettings, Epd, Kind, Level, Log, MaxMoves, Notation, Order,
    Output, Pgn, Resign, Settings, Tables, TestSettings, Unwritten, Variant,
};

impl Settings {
    /// The defaults; the seed is drawn.
    pub(crate) fn new(seed: u64) -> Settings {
        Settings {
            resign: Resign {
                move_count: 1,
                score: 0,
                twosided: false,
                enabled: false,
            },
            draw: DrawSettings {
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
            opening: BookSettings {
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
            sprt: TestSettings {
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
