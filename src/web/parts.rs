//! What a page is made of: the event, its boards and coming games.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use super::boards::Boards;
use crate::analysis::Verdict;
use crate::config::Tournament;
use crate::event::PairId;
use crate::pgn::EngineTags;
use crate::report::verdict::{FirstLines, first_lines};
use crate::schedule::PairSpec;
use crate::sink::RoundGames;
use crate::tournament::{EventState, EventView};

/// Where the facts come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PageStage {
    /// This process plays the event.
    Playing,
    /// This process has played the event.
    Over,
    /// The event is read from the store; another process may play it.
    Stored,
}

/// What is known of an event: all that a page is made of.
#[derive(Debug)]
pub(super) struct ShownEvent {
    pub(super) folder: PathBuf,
    pub(super) view: EventView,
    pub(super) stage: PageStage,
    pub(super) boards: Boards,
    pub(super) coming: UpcomingPairs,
    /// The event as its file has it, if this process plays it.
    pub(super) tournament: Option<Arc<Tournament>>,
    pub(super) engines: Vec<EngineTags>,
    /// The commitment to the draw.
    pub(super) commitment: String,
    /// On what it is played.
    pub(super) machine: Option<String>,
    /// The drawings.
    pub(super) figures: String,
    /// What went wrong in this run.
    pub(super) warnings: Vec<String>,
    /// The first lines with all statistics; only when the event is over.
    pub(super) said: FirstLines,
    pub(super) round: RoundGames,
    /// The number of times that figures were drawn.
    pub(super) drawn: u64,
    /// The versions that viewers were last sent.
    pub(super) told: [u64; 2],
}

impl ShownEvent {
    /// The first lines. While games are played they contain only values that stay valid under repeated looks; else, those
    /// of the statistics, as `status` has them.
    pub(super) fn first_lines(&self) -> FirstLines {
        self.view.read(|event| {
            let has_statistics = event.is_over() || self.stage == PageStage::Stored;
            if has_statistics && !self.said.is_empty() {
                return self.said.clone();
            }
            first_lines(&Verdict::of_event(event, None))
        })
    }

    /// What went wrong in this run, and the games that wait before they are played again.
    pub(super) fn warnings(&self) -> Vec<String> {
        let waiting =
            |event: &EventState| event.waiting().iter().map(ToString::to_string).collect();
        let waiting: Vec<String> = self.view.read(waiting);
        self.warnings.iter().cloned().chain(waiting).collect()
    }
}

/// The pairs in the order in which they will begin.
#[derive(Debug, Default)]
pub(super) struct UpcomingPairs {
    pub(super) pairs: VecDeque<(PairId, PairSpec)>,
    /// How many have begun.
    pub(super) begun: u64,
}

impl UpcomingPairs {
    /// A list of these pairs.
    pub(super) fn new(pairs: Vec<(PairId, PairSpec)>) -> UpcomingPairs {
        let pairs = VecDeque::from(pairs);
        UpcomingPairs { pairs, begun: 0 }
    }

    /// A game of the pair has begun, or is over.
    pub(super) fn begins(&mut self, pair: PairId) {
        // Pairs begin in about this order, so this one is near the front.
        let place = self.pairs.iter().position(|(known, _)| *known == pair);
        if let Some(place) = place {
            self.pairs.remove(place);
            self.begun += 1;
        }
    }
}
