//! The claims about an event, made once from its state and its statistics. The parts that print them decide nothing:
//! text, page and JSON have these claims, in this order.
//!
//! | file | what |
//! |---|---|
//! | `claim` | a claim: its id, its numbers, why the games do not allow it, its sentence |
//! | `winner` | the score of two engines; who has won by the event's own rules |
//! | `strength` | who is stronger; what a sequential test says |
//! | `starts` | White's first move and the start positions |
//! | `trouble` | faults, this computer, limits, repeated games |

mod claim;
mod starts;
mod strength;
mod trouble;
mod winner;

use serde::Serialize;

use crate::event::identity::FormatWord;
use crate::tournament::EventState;

use super::{ComparisonReport, EventStatistics};

pub(crate) use claim::{Claim, model_word, tested};
pub(crate) use trouble::Hint;
pub(crate) use winner::decision_words;

/// The question that an event answers: it decides the order of the claims, and which are first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum EventKind {
    /// Two engines and a sequential test.
    Test,
    /// Two engines.
    Match,
    /// One engine against itself: what is the first move worth?
    SelfPlay,
    /// Everybody meets everybody.
    League,
    /// Some engines meet all others.
    Gauntlet,
    /// Engines with about the same points meet.
    Swiss,
    /// Knockout, double elimination, ladder.
    Tree,
    /// Games of unknown origin, or of several events.
    Games,
}

impl EventKind {
    /// For a stored event.
    fn of_event(state: &EventState) -> EventKind {
        use FormatWord::{
            DoubleElimination, Gauntlet, Knockout, Ladder, Match, RoundRobin, Stages, Swiss,
        };
        let roster = state.roster();
        let two = roster.participants.len() == 2;
        match roster.format {
            _ if roster.is_self_play() => EventKind::SelfPlay,
            _ if two && state.test().is_some() => EventKind::Test,
            Some(Knockout | DoubleElimination | Ladder | Stages) => EventKind::Tree,
            Some(Swiss) => EventKind::Swiss,
            _ if two => EventKind::Match,
            Some(Gauntlet) => EventKind::Gauntlet,
            Some(Match | RoundRobin) => EventKind::League,
            None => EventKind::Games,
        }
    }

    /// For games without an event.
    fn of_games(statistics: &EventStatistics) -> EventKind {
        match statistics.engines.len() {
            _ if statistics.self_play => EventKind::SelfPlay,
            2 => EventKind::Match,
            _ => EventKind::Games,
        }
    }

    /// Whether the question is about White's first move.
    pub(crate) fn asks_starts(self) -> bool {
        self == EventKind::SelfPlay
    }

    /// Whether its rules name a winner.
    pub(crate) fn has_winner(self) -> bool {
        matches!(self, EventKind::League | EventKind::Swiss | EventKind::Tree)
    }

    /// Whether the first question is the order of the standings.
    pub(crate) fn is_contest(self) -> bool {
        self.has_winner() || self == EventKind::Gauntlet
    }
}

/// All claims that the games of an event allow, and those that they do not, the most important first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Verdict {
    pub kind: EventKind,
    /// Whether no more games will be played.
    #[serde(rename = "final")]
    pub is_final: bool,
    pub claims: Vec<Claim>,
    /// What to do next.
    #[serde(skip)]
    pub next: Option<Hint>,
}

/// The input for claims.
struct ClaimInput<'a> {
    kind: EventKind,
    state: Option<&'a EventState>,
    /// Statistics of all games; used for strength and positions only at the end.
    statistics: Option<&'a EventStatistics>,
    is_final: bool,
}

impl ClaimInput<'_> {
    /// The statistics, if an interval that is valid for one look at the end may be shown.
    fn at_the_end(&self) -> Option<&EventStatistics> {
        let statistics = self.statistics?;
        let chooses = statistics.adaptive.is_some() && !statistics.running;
        (self.is_final || chooses).then_some(statistics)
    }
}

impl Verdict {
    /// For an event; while it is played its statistics are not used.
    pub(crate) fn of_event(state: &EventState, statistics: Option<&EventStatistics>) -> Verdict {
        Verdict::new(&ClaimInput {
            kind: EventKind::of_event(state),
            state: Some(state),
            statistics,
            is_final: state.is_over(),
        })
    }

    /// For games without an event, or of several events.
    pub(crate) fn of_games(statistics: &EventStatistics) -> Verdict {
        Verdict::new(&ClaimInput {
            kind: EventKind::of_games(statistics),
            state: None,
            statistics: Some(statistics),
            is_final: !statistics.running,
        })
    }

    /// Of several events of self-play, with what each of them, named, says of start positions by itself, and whether
    /// their maps agree.
    pub(crate) fn beside(
        mut self,
        each: &[(&str, &Verdict)],
        maps: Option<&ComparisonReport>,
    ) -> Verdict {
        if self.kind.asks_starts() {
            self.claims.extend(starts::by_event(each));
            let claim = maps.and_then(|maps| starts::agreement(maps, each));
            self.claims.extend(claim);
        }
        self
    }

    fn new(known: &ClaimInput<'_>) -> Verdict {
        let mut claims = winner::score(known);
        claims.extend(winner::winner(known));
        claims.extend(strength::sequential(known));
        claims.extend(strength::stronger(known));
        claims.extend(starts::starts(known));
        let open = known.is_final && claims.iter().any(|claim| claim.needs_games(known.kind));
        let (troubles, next) = trouble::trouble(known, open);
        claims.extend(troubles);
        Verdict {
            kind: known.kind,
            is_final: known.is_final,
            claims,
            next,
        }
    }

    /// The claims that are printed first wherever the event is shown. Claims on start positions are among them only if
    /// the question is about these, or if one may be named.
    pub(crate) fn first(&self) -> impl Iterator<Item = &Claim> {
        let asks_starts = self.kind.asks_starts();
        self.claims.iter().filter(move |claim| match claim.id {
            "first-move" | "starts-differ" => asks_starts,
            "start-stands-out" => asks_starts || claim.allowed,
            _ => true,
        })
    }
}
