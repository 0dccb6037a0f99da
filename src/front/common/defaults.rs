//! The defaults of a command line.

use super::settings::{
    BookSettings, DrawSettings, Epd, Log, MaxMoves, Notation, Pgn, Resign, Settings, TestSettings,
    Unwritten,
};

impl Settings {
    /// The defaults; the seed is drawn.
    pub(crate) fn new(seed: u64) -> Settings {
        Settings {
            resign: Resign {
                move_count: 1,
                ..Resign::default()
            },
            draw: DrawSettings {
                move_count: 1,
                ..DrawSettings::default()
            },
            maxmoves: MaxMoves {
                move_count: 1,
                enabled: false,
            },
            opening: BookSettings {
                plies: -1,
                start: 1,
                ..BookSettings::default()
            },
            epd: Epd {
                file: String::new(),
                append_file: true,
            },
            sprt: TestSettings {
                model: "normalized".to_owned(),
                ..TestSettings::default()
            },
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
            log: Log {
                append_file: true,
                realtime: true,
                ..Log::default()
            },
            ..Settings::default()
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
