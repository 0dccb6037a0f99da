//! A game into the counts: a first game waits for the second of its pair.

use crate::event::Seat;
use crate::stats::counts::{GameScore, PairScore};
use crate::tournament::roster::Participant;

use super::{Counted, Scoreboard};

/// The first game of a pair, waiting for the second.
#[derive(Debug, Clone, Copy)]
pub(super) struct HalfPair {
    white: usize,
    /// White's.
    score: GameScore,
}

impl Scoreboard {
    /// Counts a game whose engines are in the tables.
    pub(super) fn count(&mut self, game: Counted) {
        let Counted {
            id,
            seats,
            number,
            score,
        } = game;
        let [white, black] = seats.map(|seat| self.place(seat));
        self.white.add(score);
        self.games.entry((white, black)).or_default().add(score);
        self.numbers.extend(number);
        if self.single_games {
            return;
        }
        let half = HalfPair { white, score };
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
        let white = PairScore::new(first.score, second.score);
        self.white_pairs[usize::from(white.half_points())] += 1;
        // Without swapped colours it is no pair of an encounter.
        if first.white != second_black || first.white == second.white {
            return;
        }
        let (smaller, larger) = if first.white < second.white {
            (first, second)
        } else {
            (second, first)
        };
        let score = PairScore::new(smaller.score, larger.score.reversed());
        let cells = self.pairs.entry((smaller.white, larger.white)).or_default();
        cells[usize::from(score.half_points())] += 1;
    }
}
