//! What an engine said of its search, as JSON.

use serde::Serialize;

use crate::referee::Thinking;
use crate::uci::{Bound, Score};

/// The members by their names in `docs/store.md`; the score from the mover's point of view. Written directly: an export
/// has a million moves, and needs no tree of values for each.
#[derive(Serialize)]
pub(crate) struct ThinkingFields<'a> {
    centipawns: Option<i32>,
    mate: Option<i32>,
    bound: Option<&'static str>,
    wdl: Option<[u16; 3]>,
    depth: Option<u32>,
    seldepth: Option<u32>,
    nodes: Option<u64>,
    nps: Option<u64>,
    hashfull: Option<u32>,
    tbhits: Option<u64>,
    time_ms: Option<u64>,
    pv: &'a str,
}

impl<'a> From<&'a Thinking> for ThinkingFields<'a> {
    fn from(thinking: &'a Thinking) -> Self {
        let (centipawns, mate) = Score::columns(thinking.score);
        ThinkingFields {
            centipawns,
            mate,
            bound: thinking.bound.map(Bound::word),
            wdl: thinking.wdl,
            depth: thinking.depth,
            seldepth: thinking.seldepth,
            nodes: thinking.nodes,
            nps: thinking.nps,
            hashfull: thinking.hashfull,
            tbhits: thinking.tbhits,
            time_ms: thinking.time_ms,
            pv: &thinking.pv,
        }
    }
}
