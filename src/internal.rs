//! The parts of the program that its own tests, benchmarks and fuzz targets use. Everything else
//! is private, so that the compiler finds what nobody uses.

pub mod platform {
    pub use crate::platform::capabilities::{Capability, has};
}

pub mod text {
    pub use crate::text::is_harmful;
}

pub mod sparring {
    pub use crate::sparring::{Strength, serve};
}

pub mod referee {
    pub use crate::referee::*;
}

pub mod event {
    pub use crate::event::{
        ArbiterAct, ArbiterDecision, Decisions, GameId, GameName, GameNames, Named, PairId, Place,
        PlayedGame, RoundTime, Seat, UnixMillis,
    };

    pub mod identity {
        pub use crate::event::identity::{EventIdentity, Restart};
    }
}

pub mod schedule {
    pub use crate::schedule::{Format, NoShard, Openings, PairSpec, Plan, PlanSettings, Shard};
}

pub mod config {
    pub use crate::config::{
        ConfigErrors, Confinement, FileKind, Files, Launch, MatchOptions, Overrides, Sandbox,
        Tournament, Warnings, load, match_event, parse, parse_match,
    };

    pub mod keys {
        pub use crate::config::keys::{Key, KeyKind, KeyTable, TABLES};
    }
}

pub mod store {
    pub use crate::store::{
        CUT_VARIATION, Description, EVENT_FILE, EngineEntry, Expectation, Inspection, Reader,
        ResultRow, SCHEMA, Store, StoreError, StoreNotice,
    };
}

pub mod tournament {
    pub use crate::tournament::{
        EventState, EventView, Participant, Rebuilt, Roster, Scoreboard, SprtWatch,
    };
}

pub mod sink {
    pub use crate::sink::{
        FileAtEnd, JsonSink, PgnSink, ProgressSink, RunOutputs, Sink, SinkError, Sinks,
        StandingsSink, standings_json, write_pgn,
    };
}

pub mod analysis {
    pub use crate::analysis::{Collection, Collector, EventStatistics, StatisticsOptions};
}

pub mod report {
    pub use crate::report::tables;

    pub mod event_file {
        pub use crate::report::event_file::{event_markdown, event_schema};
    }

    pub mod explain {
        pub use crate::report::explain::EventFiles;
    }
}

pub mod web {
    pub use crate::web::{LiveEvent, Server, WebSink};
}

pub mod engine {
    pub mod guardian {
        pub use crate::engine::guardian::guard;
    }

    pub mod launcher {
        pub use crate::engine::launcher::Enforced;
    }

    pub mod originals {
        pub use crate::engine::originals::Originals;
    }
}

pub mod run {
    pub use crate::run::{RunError, Session, capacity};

    pub mod live_updates {
        pub use crate::run::live_updates::{Delivery, LiveUpdates};
    }

    pub mod signals {
        pub use crate::run::signals::SignalWatch;
    }
}

pub mod cli {
    pub mod positions {
        pub use crate::cli::positions::{PositionsArguments, run_with};
    }
}
