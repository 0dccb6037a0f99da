//! The boards of all lanes, and what has changed on them since viewers were last sent it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use maud::{Markup, html};
use serde_json::{Value, json};

use super::board::GameBoard;
use crate::event::live::{Live, RunningGame, RunningGames, Update};
use crate::event::{GameId, Seat};

/// The names of a game and of its two players.
pub(super) type NameLookup<'a> = &'a dyn Fn(GameId, [Seat; 2]) -> (String, [String; 2]);

/// The boards of all lanes.
#[derive(Debug, Default)]
pub(super) struct Boards {
    heard: RunningGames,
    boards: BTreeMap<usize, GameBoard>,
    /// Games that have ended since boards were last sent, and whose boards already have the next game: the last such
    /// game of each lane. It is rare that a game ends and the next begins between two messages.
    ended: BTreeMap<usize, GameBoard>,
    /// Number of half-moves that were sent, by lane; a lane that is missing here is sent as a whole.
    told: BTreeMap<usize, usize>,
    /// Lanes in which a move was made, or a game began or ended.
    moved: BTreeSet<usize>,
    /// Lanes in which an engine has reported something.
    thinking: BTreeSet<usize>,
    /// Number of glimpses that were lost before they reached this.
    pub(super) lost: u64,
}

impl Boards {
    /// Takes in an update.
    pub(super) fn hear(&mut self, update: &Update, names: NameLookup<'_>) {
        if !self.heard.update(update) {
            return;
        }
        match update {
            Update::Now { games, lost } => {
                self.lost = *lost;
                for (lane, game) in games.iter() {
                    self.begin(lane, game, names);
                }
            }
            Update::Glimpse(glimpse) => {
                self.glimpse(glimpse.lane, glimpse.at, &glimpse.live, names)
            }
        }
    }

    fn glimpse(&mut self, lane: usize, at: Instant, live: &Live, names: NameLookup<'_>) {
        if let Live::Game(game) = live {
            return self.begin(lane, game, names);
        }
        let Some(board) = self.boards.get_mut(&lane) else {
            return;
        };
        match live {
            Live::Moved {
                chess_move,
                thinking,
                ..
            } => {
                if let Some(game) = self.heard.in_lane(lane) {
                    board.moved(game, *chess_move, thinking);
                    self.moved.insert(lane);
                }
            }
            Live::Thinking { side, thinking } => {
                board.thinks(*side, thinking);
                self.thinking.insert(lane);
            }
            Live::Over(outcome) => {
                board.end = Some((outcome.clone(), at));
                self.moved.insert(lane);
            }
            Live::Game(_) => {}
        }
    }

    fn begin(&mut self, lane: usize, game: &RunningGame, names: NameLookup<'_>) {
        let (name, players) = names(game.id, game.seats);
        let before = self
            .boards
            .insert(lane, GameBoard::new(game, name, players));
        let untold = self.moved.contains(&lane);
        let ended = before.filter(|before| before.end.is_some() && untold);
        self.ended.extend(ended.map(|ended| (lane, ended)));
        self.told.remove(&lane);
        self.moved.insert(lane);
    }

    /// All boards, for a viewer that has seen nothing yet.
    pub(super) fn all(&self, now: Instant) -> Value {
        let boards = self.boards.iter();
        boards
            .map(|(lane, board)| board.json(*lane, 0, now))
            .collect()
    }

    /// What has changed since the last call, for all viewers that were sent the state before.
    pub(super) fn changes(&mut self, now: Instant) -> Option<Value> {
        let ended = std::mem::take(&mut self.ended).into_iter();
        let mut changes: Vec<Value> = ended
            .map(|(lane, board)| board.json(lane, 0, now))
            .collect();
        for lane in std::mem::take(&mut self.moved) {
            self.thinking.remove(&lane);
            if let Some(board) = self.boards.get(&lane) {
                let known = self.told.insert(lane, board.plies());
                changes.push(board.json(lane, known.unwrap_or(0), now));
            }
        }
        for lane in std::mem::take(&mut self.thinking) {
            let board = self.boards.get(&lane);
            changes.extend(board.map(|board| board.thinking_json(lane)));
        }
        (!changes.is_empty()).then(|| json!(changes))
    }

    /// The boards without a script.
    pub(super) fn drawings(&self, now: Instant) -> Markup {
        html! { @for (lane, board) in &self.boards { (board.drawing(*lane, now)) } }
    }
}
