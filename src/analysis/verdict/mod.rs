//! What may be said of an event, made once from its state and its statistics. Whoever renders it decides
//! nothing: text, page and JSON have these claims, in this order.
//!
//! | file | what |
//! |---|---|
//! | `claim` | a claim: its id, its numbers, why the games do not allow it |
//! | `winner` | who has won by the event's own rules |
//! | `strength` | who is stronger; what a sequential test says |
//! | `starts` | White's first move and the start positions |
//! | `trouble` | faults, this computer, limits, repeated games |

mod claim;
mod starts;
mod strength;
mod trouble;
mod winner;

use serde::Serialize;

use super::EventStatistics;
use crate::event::identity::FormatWord;
use crate::tournament::EventState;

pub(crate) use claim::{
    Basis, Claim, DecidedBy, Encounter, HostTooBusy, Refusal, Said, SequentialTest, Step, Stronger,
    Winner,
};

/// What is asked of an event: it decides the order of the claims, and what stands first.
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
    /// Games by strangers, or of several events.
    Games,
}

impl EventKind {
    /// Of a stored event.
    fn of(state: &EventState) -> EventKind {
        let roster = state.roster();
        let two = roster.participants.len() == 2;
        match roster.format {
            _ if roster.is_self_play() => EventKind::SelfPlay,
            _ if state.test().is_some() => EventKind::Test,
            Some(FormatWord::Knockout | FormatWord::DoubleElimination | FormatWord::Ladder) => {
                EventKind::Tree
            }
            Some(FormatWord::Swiss) => EventKind::Swiss,
            _ if two => EventKind::Match,
            Some(FormatWord::Gauntlet) => EventKind::Gauntlet,
            Some(FormatWord::Match | FormatWord::RoundRobin) => EventKind::League,
            None => EventKind::Games,
        }
    }

    /// Of games without an event.
    fn of_games(statistics: &EventStatistics) -> EventKind {
        match statistics.engines.len() {
            _ if statistics.self_play => EventKind::SelfPlay,
            2 => EventKind::Match,
            _ => EventKind::Games,
        }
    }

    /// Whether White's first move is what is asked.
    pub(crate) fn asks_starts(self) -> bool {
        self == EventKind::SelfPlay
    }

    /// Whether the order of the standings is what is asked first.
    pub(crate) fn is_contest(self) -> bool {
        matches!(
            self,
            EventKind::League | EventKind::Swiss | EventKind::Tree | EventKind::Gauntlet
        )
    }
}

/// All that may be said of an event, and what may not, the first lines first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Verdict {
    /// What is asked.
    pub kind: EventKind,
    /// Whether nothing more is to be played.
    #[serde(rename = "final")]
    pub is_final: bool,
    /// The claims.
    pub claims: Vec<Claim>,
}

/// What claims are made of.
struct Known<'a> {
    kind: EventKind,
    state: Option<&'a EventState>,
    /// Statistics of all games; used for strength and positions at the end alone.
    statistics: Option<&'a EventStatistics>,
    is_final: bool,
}

impl Known<'_> {
    /// The statistics, where an interval for one look at the end may be shown.
    fn at_the_end(&self) -> Option<&EventStatistics> {
        let statistics = self.statistics?;
        let chooses = statistics.adaptive.is_some() && !statistics.running;
        (self.is_final || chooses).then_some(statistics)
    }
}

impl Verdict {
    /// Of an event; while it is played nothing of its statistics is looked at.
    pub(crate) fn of_event(state: &EventState, statistics: Option<&EventStatistics>) -> Verdict {
        Verdict::new(&Known {
            kind: EventKind::of(state),
            state: Some(state),
            statistics,
            is_final: state.is_over(),
        })
    }

    /// Of games that are no event, or of several events.
    pub(crate) fn of_games(statistics: &EventStatistics) -> Verdict {
        Verdict::new(&Known {
            kind: EventKind::of_games(statistics),
            state: None,
            statistics: Some(statistics),
            is_final: !statistics.running,
        })
    }

    fn new(known: &Known<'_>) -> Verdict {
        let mut claims: Vec<Claim> = winner::winner(known).into_iter().collect();
        claims.extend(strength::sequential(known));
        claims.extend(strength::stronger(known));
        claims.extend(starts::starts(known));
        claims.extend(trouble::trouble(known));
        Verdict {
            kind: known.kind,
            is_final: known.is_final,
            claims,
        }
    }

    /// The claims that stand first wherever the event is shown: of start positions only where they are what is
    /// asked, or where one may be named.
    pub(crate) fn first(&self) -> impl Iterator<Item = &Claim> {
        let asks_starts = self.kind.asks_starts();
        self.claims.iter().filter(move |claim| match &claim.said {
            Said::FirstMove(_) | Said::StartsDiffer(_) => asks_starts,
            Said::StartStandsOut(_) => asks_starts || claim.refused.is_none(),
            _ => true,
        })
    }

    /// What to do next.
    pub(crate) fn next_step(&self) -> Option<Step> {
        self.claims.iter().find_map(|claim| match &claim.said {
            Said::NextStep(next) => Some(next.step),
            _ => None,
        })
    }
}
