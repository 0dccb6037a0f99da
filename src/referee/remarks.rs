//! What an engine reports about the search that runs.

use crate::chess::{Color, Move, Position};
use crate::referee::Thinking;
use crate::uci::{InfoKind, InfoLine};

/// A search that has ended, with all its scores.
#[derive(Debug, Clone)]
pub(crate) struct EndedSearch {
    /// Whose it was.
    pub(crate) side: Color,
    /// Where the game began.
    pub(crate) start: Position,
    /// The moves before it, the book's first.
    pub(crate) moves: Vec<Move>,
    /// Every `info` with a score, without that word.
    pub(crate) lines: Vec<String>,
    /// Whether any `info` was said.
    pub(crate) said_more: bool,
    /// The move that was answered, in the engine's words.
    pub(crate) answer: String,
    /// Whether it is one.
    pub(crate) is_legal: bool,
}

/// The last `info` with a score, and the last bound and totals after it. They are parsed only on request: a line costs
/// a copy, not a parse.
///
/// A bound is not a score, because the search that it comes from has not ended. It is used only where an engine gave
/// nothing else.
#[derive(Debug, Default)]
pub struct Remarks {
    score: String,
    bound: String,
    totals: String,
}

impl Remarks {
    /// A new search.
    pub fn clear(&mut self) {
        self.score.clear();
        self.bound.clear();
        self.totals.clear();
    }

    /// Whether nothing was said since the search began.
    pub fn is_empty(&self) -> bool {
        [&self.score, &self.bound, &self.totals]
            .into_iter()
            .all(String::is_empty)
    }

    /// Keeps a line. Returns whether it was about the search as a whole.
    pub fn note(&mut self, info: InfoLine<'_>) -> bool {
        let kept = match info.kind() {
            InfoKind::Principal => {
                self.bound.clear();
                self.totals.clear();
                &mut self.score
            }
            InfoKind::Bound => {
                self.totals.clear();
                &mut self.bound
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
        let bound = InfoLine::new(&self.bound).parse();
        let mut report = if self.score.is_empty() {
            bound
        } else {
            InfoLine::new(&self.score).parse()
        };
        report.update_totals(&bound);
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
