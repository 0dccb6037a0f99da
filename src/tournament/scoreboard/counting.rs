//! A game into the counts: a first game waits for the second of its pair.

use crate::event::Seat;
use crate::stats::counts::{GameScore, PairScore};
use crate::tournament::roster::Participant;

use super::{Counted, Scoreboard};

/// The first game of a pair, waiting for the second.
#[derive(Debug, Clone, Copy)]
pub(super) struct HalfPair {
    white: usize,
    /// White's; `None` if Black did not get the rest of the point.
    score: Option<GameScore>,
}

impl Scoreboard {
    /// Counts a game whose engines are in the tables.
    pub(super) fn count(&mut self, game: Counted) {
        let Counted {
            id,
            seats,
            number,
            scores: [score, of_black],
        } = game;
        let [white, black] = seats.map(|seat| self.place(seat));
        let score = (of_black == score.reversed())
            .then_some(score)
            .ok_or([score, of_black]);
        self.numbers.extend(number);
        match score {
            Ok(score) => {
                self.white.add(score);
                self.games.entry((white, black)).or_default().add(score);
            }
            Err(scores) => {
                let records = self.uneven.entry((white, black)).or_default();
                records
                    .iter_mut()
                    .zip(scores)
                    .for_each(|(record, score)| record.add(score));
            }
        }
        if self.single_games {
            return;
        }
        let half = HalfPair {
            white,
            score: score.ok(),
        };
        match self.halves.remove(&id.pair) {
            Some(first) => self.complete(first, half, black),
            None => drop(self.halves.insert(id.pair, half)),
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
        self.white_pairs[usize::from(white.half_points())] += 1;
        // Without swapped colours it is no pair of an encounter.
        if first.white != second_black || first.white == second.white {
            return;
        }
        let (smaller, larger) = if first.white < second.white {
            ((first.white, first_score), (second.white, second_score))
        } else {
            ((second.white, second_score), (first.white, first_score))
        };
        let score = PairScore::new(smaller.1, larger.1.reversed());
        let cells = self.pairs.entry((smaller.0, larger.0)).or_default();
        cells[usize::from(score.half_points())] += 1;
    }
}
