//! One game, put together from glimpses.

use std::time::{Duration, Instant};

use crate::chess::Move;
use crate::clock::Stamp;
use crate::event::live::RunningGame;
use crate::event::{PlayedGame, UnixMillis};
use crate::referee::{GameRecord, MoveRecord, Outcome, Thinking, VoidReason};

/// A running game, with what is known of each of its moves. A move whose glimpse was lost has no clock and no
/// evaluation.
#[derive(Debug, Clone)]
pub(super) struct GameInPlay {
    game: PlayedGame,
    /// When the present turn began.
    since: Instant,
    /// The time that the moves took, where known.
    spent: Stamp,
}

impl GameInPlay {
    /// A game without earlier glimpses.
    pub(super) fn new(game: &RunningGame) -> GameInPlay {
        let book = game.moves.len().min(game.book);
        let record = GameRecord {
            start: game.start.clone(),
            opening: game.moves[..book].to_vec(),
            moves: Vec::new(),
            // It has no result, and is written without one.
            outcome: Outcome::Void(VoidReason::Interrupted),
            faults: Vec::new(),
            breaches: Default::default(),
            dialogue: None,
        };
        let played = PlayedGame {
            id: game.id,
            cycle: 0,
            number: game.number,
            seats: game.seats,
            started: UnixMillis::now(),
            ended: UnixMillis::now(),
            record,
        };
        let mut new = GameInPlay {
            game: played,
            since: game.since,
            spent: Stamp(0),
        };
        new.take_in(game);
        new
    }

    /// The known part of the game.
    pub(super) fn played(&self) -> &PlayedGame {
        &self.game
    }

    /// A glimpse with the whole game has come again. Returns whether it is the same game, not another one that was
    /// begun instead.
    pub(super) fn is_begun_by(&self, game: &RunningGame) -> bool {
        let record = &self.game.record;
        let known = record.all_moves();
        self.game.seats == game.seats
            && record.start == game.start
            && record.plies() <= game.moves.len()
            && known.zip(&game.moves).all(|(one, other)| one == *other)
    }

    /// Adds what a glimpse with the whole game has beyond what is known.
    pub(super) fn take_in(&mut self, game: &RunningGame) {
        let known = self.game.record.plies();
        let position = &game.position;
        for (ply, chess_move) in game.moves.iter().enumerate().skip(known) {
            // The clock of each side after its last move is its clock at the start of this turn.
            let back = game.moves.len() - ply;
            let clock = match back {
                1 => game.clocks[(!position.side_to_move()).index()],
                2 => game.clocks[position.side_to_move().index()],
                _ => None,
            };
            self.push(*chess_move, clock, Thinking::default(), Duration::ZERO);
        }
        self.since = game.since;
    }

    /// A move was made.
    pub(super) fn moved(
        &mut self,
        chess_move: Move,
        clocks: [Option<Duration>; 2],
        thinking: &Thinking,
        at: Instant,
    ) {
        let record = &self.game.record;
        let mover = match record.moves.len().is_multiple_of(2) {
            true => record.first_mover(),
            false => !record.first_mover(),
        };
        let clock = clocks[mover.index()];
        let spent = at.saturating_duration_since(self.since);
        self.push(chess_move, clock, thinking.clone(), spent);
        self.since = at;
    }

    fn push(
        &mut self,
        chess_move: Move,
        clock: Option<Duration>,
        thinking: Thinking,
        spent: Duration,
    ) {
        let sent = self.spent;
        self.spent = sent + spent;
        self.game.record.moves.push(MoveRecord {
            received: self.spent,
            clock,
            thinking,
            ..MoveRecord::new(chess_move, sent)
        });
    }
}
