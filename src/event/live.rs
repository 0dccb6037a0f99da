//! LiveUpdates: what passes in the games that run. They are not stored, and any of them may be lost.
//!
//! **Invariant: a listener that missed an update gets the whole game again** before the next
//! one, by [`GameChange::Game`] or by [`LiveUpdate::Now`], so that no board stays wrong.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{GameId, PlayedGame, Seat, UnixMillis};
use crate::chess::start::StartNumber;
use crate::chess::{Color, Move, Position};
use crate::clock::Stamp;
use crate::referee::{GameRecord, MoveRecord, Outcome, Thinking, VoidReason};

/// Something that passed in the game of a lane.
#[derive(Debug, Clone, PartialEq)]
pub struct LaneUpdate {
    /// The lane, from 0.
    pub lane: usize,
    pub game: GameId,
    /// When, by the clock of this process.
    pub at: Instant,
    /// What.
    pub change: GameChange,
}

/// What passed.
#[derive(Debug, Clone, PartialEq)]
pub enum GameChange {
    /// The whole game so far: it has begun, or updates of it were not sent.
    Game(Box<RunningGame>),
    /// A move was made.
    Moved {
        /// Half-moves on the board after it.
        ply: usize,
        chess_move: Move,
        /// What is on both clocks after it; `None` where no clock runs.
        clocks: [Option<Duration>; 2],
        /// What the engine said of its search.
        thinking: Box<Thinking>,
    },
    /// An engine searches, and has said this so far.
    Thinking {
        /// Who.
        side: Color,
        /// What.
        thinking: Box<Thinking>,
    },
    /// The game is over, or void. It may have been heard of as a fact before.
    Over(Outcome),
}

/// A running game, with all that is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct RunningGame {
    /// The key.
    pub id: GameId,
    /// White and Black, by [`Color::index`].
    pub seats: [Seat; 2],
    /// The start number, where there is one.
    pub number: Option<StartNumber>,
    /// When it began.
    pub started: UnixMillis,
    /// The start position, before the book's moves.
    pub start: Position,
    /// The position on the board.
    pub position: Position,
    /// The moves of the book.
    pub opening: Vec<Move>,
    /// The engines' moves, with what was said and charged.
    pub moves: Vec<MoveRecord>,
    /// What was on both clocks when the present turn began; `None` where no clock runs.
    pub clocks: [Option<Duration>; 2],
    /// Since when the clock of the side to move runs.
    pub since: Instant,
    /// What both said last, of this search or of the one before.
    pub thinking: [Thinking; 2],
}

impl RunningGame {
    /// What is on a clock at this moment; zero once the flag has fallen.
    pub fn clock(&self, side: Color, now: Instant) -> Option<Duration> {
        let spent = if self.position.side_to_move() == side {
            now.saturating_duration_since(self.since)
        } else {
            Duration::ZERO
        };
        self.clocks[side.index()].map(|clock| clock.saturating_sub(spent))
    }

    /// All moves, the book's first.
    pub fn all_moves(&self) -> impl Iterator<Item = Move> {
        let own = self.moves.iter().map(|played| played.chess_move);
        self.opening.iter().copied().chain(own)
    }

    /// Half-moves on the board, the book's included.
    pub fn plies(&self) -> usize {
        self.opening.len() + self.moves.len()
    }

    /// The game so far, in the form of one that is stored; it has no result.
    pub(crate) fn so_far(&self) -> PlayedGame {
        PlayedGame {
            id: self.id,
            cycle: 0,
            number: self.number,
            seats: self.seats,
            started: self.started,
            ended: self.started,
            record: GameRecord {
                start: self.start.clone(),
                opening: self.opening.clone(),
                moves: self.moves.clone(),
                outcome: Outcome::Void(VoidReason::Interrupted),
                faults: Vec::new(),
                breaches: Default::default(),
                dialogue: None,
            },
        }
    }
}

/// The games that run, by lane, as far as updates tell.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunningGames(BTreeMap<usize, RunningGame>);

impl RunningGames {
    /// The games in the order of their lanes.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &RunningGame)> {
        self.0.iter().map(|(lane, game)| (*lane, game))
    }

    /// The game of a lane.
    pub fn in_lane(&self, lane: usize) -> Option<&RunningGame> {
        self.0.get(&lane)
    }

    /// Takes in an update; whether it says anything of what is known. One that follows a move
    /// that was lost says nothing: the whole game is sent again.
    pub fn hear(&mut self, lane_update: &LaneUpdate) -> bool {
        if let GameChange::Game(game) = &lane_update.change {
            self.0.insert(lane_update.lane, (**game).clone());
            return true;
        }
        let known = self.0.get_mut(&lane_update.lane);
        let Some(game) = known.filter(|game| game.id == lane_update.game) else {
            return false;
        };
        match &lane_update.change {
            GameChange::Moved {
                ply,
                chess_move,
                clocks,
                thinking,
            } => {
                if *ply != game.plies() + 1 || !game.position.is_legal(*chess_move) {
                    return false;
                }
                let mover = game.position.side_to_move().index();
                let sent = game.moves.last().map_or(Stamp(0), |last| last.received);
                game.moves.push(MoveRecord {
                    received: sent + lane_update.at.saturating_duration_since(game.since),
                    clock: clocks[mover],
                    thinking: (**thinking).clone(),
                    ..MoveRecord::new(*chess_move, sent)
                });
                game.position.play(*chess_move);
                game.clocks = *clocks;
                game.thinking[mover] = (**thinking).clone();
                game.since = lane_update.at;
            }
            GameChange::Thinking { side, thinking } => {
                game.thinking[side.index()] = (**thinking).clone();
            }
            GameChange::Over(_) => drop(self.0.remove(&lane_update.lane)),
            GameChange::Game(_) => {}
        }
        true
    }
}

/// What a listener to updates receives.
#[derive(Debug, Clone, PartialEq)]
pub enum LiveUpdate {
    /// All games that run, in place of what it knew: it has just begun to listen, or was not
    /// told of everything.
    Now {
        games: Arc<RunningGames>,
        /// How many updates were lost so far on their way to this listener.
        lost: u64,
    },
    /// Something passed.
    Lane(Arc<LaneUpdate>),
}

impl RunningGames {
    /// Takes in what a listener received.
    pub fn update(&mut self, update: &LiveUpdate) -> bool {
        match update {
            LiveUpdate::Now { games, .. } => {
                *self = RunningGames::clone(games);
                true
            }
            LiveUpdate::Lane(lane_update) => self.hear(lane_update),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::UciDialect;
    use crate::event::PairId;
    use crate::referee::{DrawnBy, Outcome};

    const ID: GameId = GameId {
        pair: PairId(16),
        game: 0,
    };

    fn lane_update(at: Instant, change: GameChange) -> LaneUpdate {
        LaneUpdate {
            lane: 1,
            game: ID,
            at,
            change,
        }
    }

    fn game(since: Instant) -> GameChange {
        let seat = |engine| Seat { engine, copy: 0 };
        GameChange::Game(Box::new(RunningGame {
            id: ID,
            seats: [seat(0), seat(1)],
            number: None,
            started: UnixMillis(0),
            start: Position::standard(),
            position: Position::standard(),
            opening: Vec::new(),
            moves: Vec::new(),
            clocks: [Some(Duration::from_secs(60)); 2],
            since,
            thinking: Default::default(),
        }))
    }

    fn moved(games: &RunningGames, ply: usize, text: &str) -> GameChange {
        let position = &games.in_lane(1).unwrap().position;
        GameChange::Moved {
            ply,
            chess_move: position.parse_uci(text, UciDialect::Chess960).unwrap(),
            clocks: [59, 61].map(|left| Some(Duration::from_secs(left))),
            thinking: Box::default(),
        }
    }

    #[test]
    fn a_board_follows_its_updates_and_the_right_clock_runs() {
        let begun = Instant::now();
        let later = |seconds| begun + Duration::from_secs(seconds);
        let mut games = RunningGames::default();
        assert!(games.hear(&lane_update(begun, game(begun))));
        let first = lane_update(later(1), moved(&games, 1, "e2e4"));
        assert!(games.hear(&first));
        // Told twice, it says nothing.
        assert!(!games.hear(&first));
        let running = games.in_lane(1).unwrap();
        assert_eq!(running.moves.len(), 1);
        let clocks = Color::ALL.map(|side| running.clock(side, later(11)));
        assert_eq!(clocks, [59, 51].map(|left| Some(Duration::from_secs(left))));
        let never = running.clock(Color::Black, later(100));
        assert_eq!(never, Some(Duration::ZERO));
        let over = GameChange::Over(Outcome::Drawn(DrawnBy::Stalemate));
        assert!(games.hear(&lane_update(later(2), over)));
        assert!(games.iter().next().is_none());
    }

    #[test]
    fn a_move_after_one_that_was_lost_leaves_the_board_as_it_was_until_it_is_told_again() {
        let begun = Instant::now();
        let mut games = RunningGames::default();
        assert!(games.hear(&lane_update(begun, game(begun))));
        let known = games.clone();
        let third = lane_update(begun, moved(&games, 3, "g1f3"));
        assert!(!games.hear(&third));
        assert_eq!(games, known);
        let of_another = LaneUpdate {
            game: GameId { game: 1, ..ID },
            ..lane_update(begun, moved(&games, 1, "g1f3"))
        };
        assert!(!games.hear(&of_another));
        let now = LiveUpdate::Now {
            games: Arc::default(),
            lost: 2,
        };
        assert!(games.update(&now));
        assert!(games.iter().next().is_none());
    }
}
