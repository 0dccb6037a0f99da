//! What an engine says of the search that runs.

use crate::referee::Thinking;
use crate::uci::{InfoKind, InfoLine};

/// The last `info` with a score, and the last totals after it, unread until somebody
/// asks: a line costs a copy, not a parse.
#[derive(Debug, Default)]
pub struct Remarks {
    principal: String,
    totals: String,
}

impl Remarks {
    /// A new search.
    pub fn clear(&mut self) {
        self.principal.clear();
        self.totals.clear();
    }

    /// Keeps a line; whether it said anything of the search as a whole.
    pub fn note(&mut self, info: InfoLine<'_>) -> bool {
        let kept = match info.kind() {
            InfoKind::Principal => {
                self.totals.clear();
                &mut self.principal
            }
            InfoKind::Totals => &mut self.totals,
            InfoKind::Secondary | InfoKind::Other => return false,
        };
        kept.clear();
        kept.push_str(info.text());
        true
    }

    /// What the engine said.
    pub fn thinking(&self) -> Thinking {
        let mut report = InfoLine::new(&self.principal).parse();
        report.update_totals(&InfoLine::new(&self.totals).parse());
        Thinking {
            score: report.score,
            bound: report.bound,
            wdl: report.wdl,
            depth: report.depth,
            seldepth: report.seldepth,
            nodes: report.nodes,
            nps: report.nps,
            hashfull: report.hashfull,
            tbhits: report.tbhits,
            time_ms: report.time_ms,
            pv: report.pv.to_owned(),
        }
    }
}
