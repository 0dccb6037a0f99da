//! A game into the counts: a first game waits for the second of its pair.

use crate::event::Seat;
use crate::stats::counts::{GameScore, PairScore};
use crate::tournament::roster::Participant;

use super::{CountedGame, Scoreboard};
use crate::tournament::evidence::GameEvidence;

/// The first game of a pair, waiting for the second.
#[derive(Debug, Clone, Copy)]
pub(super) struct HalfPair {
    white: usize,
    /// White's; `None` if Black did not get the rest of the point.
    score: Option<GameScore>,
    evidence: Option<GameEvidence>,
}

impl Scoreboard {
    /// Counts a game whose engines are in the tables.
    pub(super) fn count(&mut self, game: CountedGame) {
        let [white, black] = game.seats.map(|seat| self.place(seat));
        let score = game.white();
        match score {
            Some(score) => {
                self.white.add(score);
                self.games.entry((white, black)).or_default().add(score);
            }
            None => {
                let records = self.uneven.entry((white, black)).or_default();
                let records = records.iter_mut().zip(game.scores);
                records.for_each(|(record, score)| record.add(score));
            }
        }
        if self.single_games {
            return;
        }
        let half = HalfPair {
            white,
            score,
            evidence: game.evidence,
        };
        match self.halves.remove(&game.id.pair) {
            Some(first) => self.complete(first, half, black),
            None => drop(self.halves.insert(game.id.pair, half)),
        }
    }

    /// A seat that the roster does not have joins it, so that no game is lost.
    fn place(&mut self, seat: Seat) -> usize {
        let known = self
            .participants
            .iter()
            .position(|entry| entry.seat == seat);
        known.unwrap_or_else(|| {
            let name = format!("engine {}.{}", seat.engine, seat.copy);
            self.participants.push(Participant { seat, name });
            self.participants.len() - 1
        })
    }

    fn complete(&mut self, first: HalfPair, second: HalfPair, second_black: usize) {
        self.complete_pairs += 1;
        let Some((first_score, second_score)) = first.score.zip(second.score) else {
            return;
        };
        let white = PairScore::new(first_score, second_score);
        // Without swapped colours it is no pair of an encounter.
        let swapped = first.white == second_black && first.white != second.white;
        let (smaller, larger) = if first.white < second.white {
            ((first.white, first_score), (second.white, second_score))
        } else {
            ((second.white, second_score), (first.white, first_score))
        };
        let score = PairScore::new(smaller.1, larger.1.reversed());
        if let Some((one, other)) = first.evidence.zip(second.evidence) {
            let of_first = swapped && (smaller.0, larger.0) == (0, 1);
            self.evidence
                .add([one, other], white, of_first.then_some(score));
        }
        if swapped {
            let cells = self.pairs.entry((smaller.0, larger.0)).or_default();
            cells[usize::from(score.half_points())] += 1;
        }
    }
}
