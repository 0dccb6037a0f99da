//! Ends a game by score or by length, as the event file asks.
//!
//! There are four ways of counting, [`School`]. Each has its own file, because they differ in details: what starts a
//! count again, what counts of the book, which engine's score is checked first.
//!
//! | file | what |
//! |---|---|
//! | `scored` | a move as the rules see it |
//! | `own` | the way of this program |
//! | `fastchess` | the way of fastchess |
//! | `cutechess` | the way of cutechess-cli |
//! | `tcec` | the way of TCEC, as its fork of cutechess has it |

mod cutechess;
mod fastchess;
mod own;
mod scored;
mod tcec;

pub use scored::ScoredMove;

use crate::chess::{Color, Position};
use crate::referee::{Adjudication, DrawnBy, Outcome, School, WonBy};

/// What is counted of one game by the rules of `[adjudication]`.
#[derive(Debug, Clone)]
pub struct Adjudicator {
    limits: Adjudication,
    way: SchoolCounts,
}

/// The counters of each school.
#[derive(Debug, Clone)]
enum SchoolCounts {
    Own(own::OwnCounts),
    Fastchess(fastchess::FastchessCounts),
    Cutechess(cutechess::CutechessCounts),
    Tcec(tcec::TcecCounts),
}

impl Adjudicator {
    /// Nothing counted yet.
    pub fn new(rules: &Adjudication) -> Adjudicator {
        Adjudicator {
            limits: rules.clone(),
            way: match rules.school {
                School::Arbiter960 => SchoolCounts::Own(own::OwnCounts::default()),
                School::Fastchess => SchoolCounts::Fastchess(fastchess::FastchessCounts::default()),
                School::Cutechess => SchoolCounts::Cutechess(cutechess::CutechessCounts::default()),
                School::Tcec => SchoolCounts::Tcec(tcec::TcecCounts::default()),
            },
        }
    }

    /// The result of a game before an engine has moved: fastchess gives a draw where the rule wants no level moves.
    pub(in crate::referee) fn before_the_first_move<T>(
        rules: &Adjudication<T>,
        position: &Position,
    ) -> Option<Outcome> {
        let rule = rules.draw.filter(|_| rules.school == School::Fastchess)?;
        let complete = position.fullmove_number().saturating_sub(1);
        (rule.moves == 0 && complete >= rule.from_move).then(drawn)
    }

    /// Takes the next move by an engine. Returns the result if it ends the game. Book moves are not passed in, nor a
    /// move after which the board has ended the game.
    pub fn judge(&mut self, played: &ScoredMove) -> Option<Outcome> {
        match &mut self.way {
            SchoolCounts::Own(counts) => counts.judge(&self.limits, played),
            SchoolCounts::Fastchess(counts) => counts.judge(&self.limits, played),
            SchoolCounts::Cutechess(counts) => counts.judge(&self.limits, played),
            SchoolCounts::Tcec(counts) => counts.judge(&self.limits, played),
        }
    }

    /// Half-moves in a row that are level, and moves in a row in which each side saw itself lost; `None` where another
    /// school counts.
    pub(crate) fn counted(&self) -> Option<(u32, [u32; 2])> {
        match &self.way {
            SchoolCounts::Own(counts) => Some((counts.level, counts.lost)),
            _ => None,
        }
    }
}

fn won(by: Color) -> Outcome {
    Outcome::Won {
        by,
        how: WonBy::ScoreAdjudication,
    }
}

fn drawn() -> Outcome {
    Outcome::Drawn(DrawnBy::ScoreAdjudication)
}

/// A draw, if the game has reached the largest number of half-moves.
fn too_long(limits: &Adjudication, plies: u32) -> Option<Outcome> {
    let most = limits.max_moves.map(|most| most.saturating_mul(2));
    let reached = most.is_some_and(|most| plies >= most);
    reached.then_some(Outcome::Drawn(DrawnBy::LengthAdjudication))
}

/// One more, or none again.
fn count(counter: &mut u32, goes_on: bool) {
    *counter = if goes_on {
        counter.saturating_add(1)
    } else {
        0
    };
}

#[cfg(test)]
mod tests;
