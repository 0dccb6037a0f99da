//! The commands that an engine got before one of its moves, made again from the record.
//!
//! The same [`Player`] makes them as in the game, so the text is the same.

use std::time::Duration;

use crate::chess::{Game, UciDialect};
use crate::referee::player::{Player, Turn};
use crate::referee::{GameRecord, MoveRecord, PlayerSettings};

/// The commands that begin one search, without line ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// `position fen … moves …`
    pub position: String,
    /// `go …`
    pub go: String,
    /// The time that the search may take, the margin included; `None` without a clock.
    pub allowed: Option<Duration>,
}

impl GameRecord {
    /// The commands that the side to move got after `index` of the engines' moves; with all of them, those that it got
    /// when the game ended. Settings by [`Color::index`](crate::chess::Color::index); `dialect` as in the game. A node
    /// limit that was drawn is taken from the record, as far as there is a move.
    pub fn request(
        &self,
        players: &[PlayerSettings; 2],
        dialect: UciDialect,
        index: usize,
    ) -> Request {
        let mut game = Game::new(self.start.clone());
        let drawn = self.moves.get(index).and_then(|played| played.nodes_limit);
        let mut sides = [0, 1].map(|side| {
            let mut settings = players[side].clone();
            if drawn.is_some() {
                settings.limits.nodes = drawn;
                settings.node_draw = None;
            }
            Player::new(&settings, &self.start)
        });
        for (chess_move, played) in self.all_records().take(self.opening.len() + index) {
            let text = game.position().uci(chess_move, dialect).to_string();
            if let Some(charged) = played.map(MoveRecord::charged) {
                let mover = game.position().side_to_move();
                let [side, opponent] = mover.own_and_other(&mut sides);
                // It was in time: the game continued.
                let _in_time = side.clock.charge(charged, side.margin);
                opponent.clock.receive(&side.clock, charged);
            }
            sides.iter_mut().for_each(|side| side.append_move(&text));
            game.play(chess_move);
        }
        let plies = u32::try_from(game.moves().len()).unwrap_or(u32::MAX);
        let mover = game.position().side_to_move();
        let [side, opponent] = mover.own_and_other(&mut sides);
        side.ask(Turn {
            mover,
            opponent: &opponent.clock,
            plies,
            spent: Duration::ZERO,
        });
        let allowed = side.clock.allowed();
        let mut lines = side.outbox.text.lines().map(str::to_owned);
        let mut next = || lines.next().unwrap_or_default();
        Request {
            position: next(),
            go: next(),
            allowed: allowed.map(|allowed| allowed.saturating_add(side.margin)),
        }
    }
}
