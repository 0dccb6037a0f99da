//! A move: is it legal, is it in time, and what follows.

use std::fmt::Write as _;

use crate::chess::{Color, Game, Move, UciDialect};
use crate::clock::Stamp;
use crate::referee::player::Player;
use crate::referee::{FaultKind, MoveRecord, Outcome};

use super::{Phase, Referee};

impl Referee {
    pub(super) fn best_move(&mut self, side: Color, text: &str, at: Stamp) {
        let Phase::Thinking { sent, deadline } = self.phase else {
            return;
        };
        let parsed = self.game.position().parse_uci(text, self.settings.dialect);
        match parsed {
            Ok(chess_move) => {
                self.players[side.index()].answer(text);
                self.accept(side, chess_move, [sent, deadline], at);
            }
            // The last answer said twice, the second time after the next `go`: no
            // answer to this search.
            Err(_) if self.players[side.index()].echoes(text) => {
                self.players[side.index()].breaches.unasked_bestmoves += 1;
            }
            Err(error) => {
                let detail = format!("bestmove {}: {error}", quoted(text));
                self.fault(side, FaultKind::IllegalMove, detail, at);
            }
        }
    }

    fn accept(&mut self, side: Color, chess_move: Move, [sent, deadline]: [Stamp; 2], at: Stamp) {
        let player = &mut self.players[side.index()];
        if player
            .clock
            .charge(at.saturating_since(sent), player.margin)
            .is_err()
        {
            return self.out_of_time(sent, deadline, at);
        }
        let thinking = player.thinking();
        let score = thinking.score;
        self.moves.push(MoveRecord {
            chess_move,
            sent,
            received: at,
            clock: player.clock.remaining(),
            nodes_limit: player.nodes_limit,
            thinking,
            host: None,
        });
        let number = self.game.position().fullmove_number();
        let dialect = self.settings.dialect;
        play(
            &mut self.game,
            &mut self.players,
            chess_move,
            dialect,
            &mut self.text,
        );
        self.outcome = self
            .game
            .ending()
            .map(Outcome::from)
            .or_else(|| self.adjudicator.judge(side, score, number));
        if self.outcome.is_none() {
            self.next_turn(at);
        }
    }

    fn next_turn(&mut self, at: Stamp) {
        let mover = self.side_to_move();
        if self.players[mover.index()].closed {
            self.crash(mover, at);
        } else {
            self.ask();
        }
    }
}

/// Plays a move on the board and in the text that both engines will be sent.
pub(super) fn play(
    game: &mut Game,
    players: &mut [Player; 2],
    chess_move: Move,
    dialect: UciDialect,
    text: &mut String,
) {
    text.clear();
    // Writing to a String cannot fail.
    let _ = write!(text, "{}", game.position().uci(chess_move, dialect));
    players
        .iter_mut()
        .for_each(|player| player.append_move(text));
    game.play(chess_move);
}

/// What an engine said, short and without control characters.
fn quoted(text: &str) -> String {
    let shown: String = text.chars().take(40).collect();
    format!("{shown:?}")
}
