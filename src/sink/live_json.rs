//! Glimpses (updates of running games) as JSON: the lines of `--json --live`.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::chess::{Color, FenDialect, UciDialect};
use crate::event::live::{Glimpse, Live, RunningGame, RunningGames, Update};
use crate::tournament::Roster;

/// Follows the running games, and makes a line of each update that has any content.
#[derive(Debug, Default)]
pub(super) struct LiveLines {
    games: RunningGames,
}

impl LiveLines {
    /// The line of an update.
    pub(super) fn line(&mut self, roster: &Roster, update: &Update) -> Option<Value> {
        // The end of a game is read before the update removes the game, a move after the update.
        let over = match update {
            Update::Glimpse(glimpse) => self.over(roster, glimpse),
            Update::Now { .. } => None,
        };
        if !self.games.update(update) {
            return None;
        }
        let now = Instant::now();
        match update {
            Update::Now { lost, .. } => {
                let game = |(lane, game)| board(roster, lane, game, now);
                let games: Vec<Value> = self.games.iter().map(game).collect();
                Some(json!({ "type": "boards", "lost": lost, "games": games }))
            }
            Update::Glimpse(glimpse) => over.or_else(|| self.glimpse(roster, glimpse, now)),
        }
    }

    fn over(&self, roster: &Roster, glimpse: &Glimpse) -> Option<Value> {
        let Live::Over(outcome) = &glimpse.live else {
            return None;
        };
        let mut value = place(roster, "over", glimpse);
        value["result"] = json!(outcome.result());
        value["reason"] = json!(outcome.reason());
        Some(value)
    }

    fn glimpse(&self, roster: &Roster, glimpse: &Glimpse, now: Instant) -> Option<Value> {
        let game = self.games.in_lane(glimpse.lane)?;
        match &glimpse.live {
            Live::Game(_) => {
                let mut value = board(roster, glimpse.lane, game, now);
                value["type"] = json!("board");
                Some(value)
            }
            Live::Moved {
                ply,
                clocks,
                thinking,
                ..
            } => {
                let mut value = place(roster, "move", glimpse);
                value["ply"] = json!(ply);
                let side = !game.position.side_to_move();
                value["side"] = json!(side.to_string());
                value["move"] = json!(last_move(game));
                value["clock_ms"] = json!(clocks[side.index()].map(milliseconds));
                value["thinking"] = json!(thinking);
                Some(value)
            }
            Live::Thinking { side, thinking } => {
                let mut value = place(roster, "thinking", glimpse);
                value["side"] = json!(side.to_string());
                value["thinking"] = json!(thinking);
                Some(value)
            }
            Live::Over(_) => None,
        }
    }
}

fn place(roster: &Roster, kind: &str, glimpse: &Glimpse) -> Value {
    json!({ "type": kind, "lane": glimpse.lane, "round": roster.games.name(glimpse.game) })
}

/// The present state of a game.
fn board(roster: &Roster, lane: usize, game: &RunningGame, now: Instant) -> Value {
    let [white, black] = Color::ALL.map(|side| side.index());
    let clocks = game.clocks.map(|clock| clock.map(milliseconds));
    json!({
        "lane": lane,
        "round": roster.games.name(game.id),
        "pair": game.id.pair.0,
        "game": game.id.game,
        "number": game.number.map(|number| number.0),
        "white": roster.name(game.seats[white]),
        "black": roster.name(game.seats[black]),
        "fen": game.start.fen(FenDialect::XFen),
        "moves": moves(game).join(" "),
        "white_clock_ms": clocks[white],
        "black_clock_ms": clocks[black],
        "elapsed_ms": milliseconds(now.saturating_duration_since(game.since)),
        "white_thinking": game.thinking[white],
        "black_thinking": game.thinking[black],
    })
}

/// UCI text, castling as king takes own rook.
pub(super) fn moves(game: &RunningGame) -> Vec<String> {
    let moves = game.moves.iter().copied();
    game.start.uci_line(moves, UciDialect::Chess960)
}

/// The last of them.
pub(super) fn last_move(game: &RunningGame) -> Option<String> {
    moves(game).pop()
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
