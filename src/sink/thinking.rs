//! What an engine said of its search, as JSON.

use serde_json::{Value, json};

use crate::referee::Thinking;
use crate::uci::{Bound, Score};

/// The members by their names in `docs/store.md`; the score from the mover's point of view.
pub(crate) fn thinking_json(thinking: &Thinking) -> Value {
    let (centipawns, mate) = match thinking.score {
        Some(Score::Centipawns(centipawns)) => (Some(centipawns), None),
        Some(Score::Mate(moves)) => (None, Some(moves)),
        None => (None, None),
    };
    json!({
        "centipawns": centipawns,
        "mate": mate,
        "bound": thinking.bound.map(|bound| match bound {
            Bound::Lower => "lower",
            Bound::Upper => "upper",
        }),
        "wdl": thinking.wdl,
        "depth": thinking.depth,
        "seldepth": thinking.seldepth,
        "nodes": thinking.nodes,
        "nps": thinking.nps,
        "hashfull": thinking.hashfull,
        "tbhits": thinking.tbhits,
        "time_ms": thinking.time_ms,
        "pv": thinking.pv,
    })
}
