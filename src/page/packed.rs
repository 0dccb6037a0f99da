//! The games of a page for its board: JSON, compressed with gzip, as text in base 64. The page's script unpacks them with
//! the browser's `DecompressionStream`.
//!
//! Every game has `round`, `number`, `players` (places in `names`), `result`, `end`, `fen`, `book` (half-moves of the
//! book) and
//!
//! | key | what |
//! |---|---|
//! | `moves` | separated by blanks: the square that is left, of castling also the rook's and the one where the king lands, then SAN: `g1Nf3`, `e1h1g1O-O` |
//! | `evaluations` | White's view in centipawns, a mate in n as ±(32,000 − n) |
//! | `depths` | in plies |
//! | `times` | in tenths of a second: what is left on the clock (`clock`), else what was used |
//!
//! The lists begin after the book; `null` is unknown, and each number is less the same engine's last, which is short.
//!
//! And from the same moves: time, depth and latency by engine.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use crate::chess::{Color, FenDialect, Move, Position, Square, StartNumber};
use crate::event::{GameId, Seat};
use crate::referee::{GameRecord, MoveRecord};
use crate::text::printable;
use crate::tournament::Roster;
use crate::uci::Score;

/// Larger than every evaluation in centipawns; a mate in n is this value less n.
const MATE: i64 = 32_000;

/// One game, as the page lists it.
#[derive(Debug, Clone)]
pub(super) struct ListedGame {
    /// The order of finishing, or the place in the file, from 1.
    pub sequence: u64,
    pub id: GameId,
    /// The name of the game on the page: `17.2`, or its place in the file if the file gives no name.
    pub round: String,
    /// The start's key in the statistics.
    pub start: Option<u32>,
    pub number: Option<StartNumber>,
    /// White and Black, by [`Color::index`].
    pub seats: [Seat; 2],
    /// The result as people write it.
    pub result: &'static str,
    /// The side that lost it to the other.
    pub loser: Option<Color>,
    /// A word for the end.
    pub reason: Cow<'static, str>,
    /// The end in full.
    pub ending: String,
    /// Half-moves, the book's included.
    pub plies: u32,
    /// Whose fault was seen in it.
    pub fault: Option<Color>,
}

/// Games that are being packed for a page.
#[derive(Default)]
pub(super) struct Packer(Vec<Value>);

/// The moves of a game.
pub(super) struct PlayedMoves<'a> {
    pub(super) start: &'a Position,
    pub(super) book: &'a [Move],
    /// The engines' moves.
    pub(super) moves: &'a [MoveRecord],
    /// Whether the times of the moves are known.
    pub(super) is_timed: bool,
}

impl<'a> PlayedMoves<'a> {
    /// The moves of a stored game.
    pub(super) fn new(record: &'a GameRecord) -> PlayedMoves<'a> {
        PlayedMoves {
            start: &record.start,
            book: &record.opening,
            moves: &record.moves,
            is_timed: true,
        }
    }

    /// The texts of all moves, and the side that made each.
    fn texts(&self) -> (Vec<String>, Vec<Color>) {
        let mut position = self.start.clone();
        let played = self.moves.iter().map(|record| record.chess_move);
        let texts = self.book.iter().copied().chain(played).map(|chess_move| {
            let (from, san) = (chess_move.from(), position.san(chess_move));
            let text = match position.is_castling(chess_move) {
                Some(_) => {
                    let (rook, rule) = (chess_move.to(), position.castling_rule());
                    let lands = rule.king_landing(from.file(), rook.file());
                    format!("{from}{rook}{}{san}", Square::new(lands, rook.rank()))
                }
                None => format!("{from}{san}"),
            };
            let side = position.side_to_move();
            position.play(chess_move);
            (text, side)
        });
        texts.unzip()
    }
}

impl Packer {
    pub(super) fn add(&mut self, game: &ListedGame, players: [usize; 2], played: &PlayedMoves<'_>) {
        let (texts, sides) = played.texts();
        let records = || played.moves.iter().zip(&sides[played.book.len()..]);
        let has_clock = played.moves.iter().any(|record| record.clock.is_some());
        let evaluation = |(record, side): (&MoveRecord, &Color)| {
            Some(centipawns(record.thinking.score?.bounded().of_white(*side)))
        };
        let time = |record: &MoveRecord| match has_clock {
            true => record.clock,
            false => played.is_timed.then(|| record.charged()),
        };
        let tenths = |record: &MoveRecord| i64::try_from(time(record)?.as_millis() / 100).ok();
        self.0.push(json!({
            "round": game.round,
            "number": game.number.map(|number| number.0),
            "players": players,
            "result": game.result,
            "end": printable(&game.ending),
            "fen": played.start.fen(FenDialect::XFen),
            "book": played.book.len(),
            "clock": has_clock,
            "moves": texts.join(" "),
            "evaluations": differences(records().map(evaluation)),
            "depths": differences(records().map(|(record, _)| record.thinking.depth.map(i64::from))),
            "times": differences(records().map(|(record, _)| tenths(record))),
        }));
    }

    /// Everything as text.
    pub(super) fn finish(self, roster: &Roster) -> String {
        let names = roster.participants.iter();
        let names: Vec<_> = names.map(|entry| printable(&entry.name)).collect();
        let text = json!({ "names": names, "games": self.0 }).to_string();
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        let packed = encoder
            .write_all(text.as_bytes())
            .and_then(|()| encoder.finish());
        STANDARD.encode(packed.expect("a vector takes every byte"))
    }
}

/// Each number less the one before it of the same engine: they move in turns.
fn differences(numbers: impl Iterator<Item = Option<i64>>) -> Vec<Option<i64>> {
    let mut last = [0, 0];
    let numbers = numbers.enumerate().map(|(index, number)| {
        let number = number?;
        Some(number - std::mem::replace(&mut last[index % 2], number))
    });
    numbers.collect()
}

fn centipawns(score: Score) -> i64 {
    match score {
        Score::Centipawns(value) => value.into(),
        Score::Mate(moves @ 1..) => MATE - i64::from(moves),
        Score::Mate(moves) => -MATE - i64::from(moves),
    }
}

/// The last move number of an engine that is counted; later moves are left out.
const LAST_MOVE: usize = 80;

/// Sums over the searches for one move number.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SearchSums {
    with_time: u32,
    seconds: f64,
    with_depth: u32,
    depth: f64,
}

impl SearchSums {
    fn add(&mut self, seconds: Option<f64>, depth: Option<u32>) {
        if let Some(seconds) = seconds {
            self.with_time += 1;
            self.seconds += seconds;
        }
        if let Some(depth) = depth {
            self.with_depth += 1;
            self.depth += f64::from(depth);
        }
    }

    /// The mean time, if any time is known.
    pub(super) fn mean_seconds(&self) -> Option<f64> {
        (self.with_time > 0).then(|| self.seconds / f64::from(self.with_time))
    }

    /// The mean depth, if any depth is known.
    pub(super) fn mean_depth(&self) -> Option<f64> {
        (self.with_depth > 0).then(|| self.depth / f64::from(self.with_depth))
    }
}

/// What is known about an engine's searches.
#[derive(Debug, Clone, Default)]
pub(super) struct EngineTiming {
    /// By the engine's own move number, starting with its first move.
    pub by_move: Vec<SearchSums>,
    /// The longest, in seconds, where times are known.
    pub longest: Option<f64>,
    /// The shortest time left on its clock after a move, in seconds.
    pub least_left: Option<f64>,
}

/// All engines, and the host.
#[derive(Debug, Clone, Default)]
pub(super) struct Timing {
    pub engines: BTreeMap<Seat, EngineTiming>,
    /// The runner's own waits for a processor before it read a move, in microseconds.
    wakeups: Vec<u32>,
    pub suspended: Duration,
}

impl Timing {
    /// Takes in the moves of a game between these seats, White's first.
    pub(super) fn add(&mut self, game: &PlayedMoves<'_>, seats: [Seat; 2]) {
        let mut mover = game.start.side_to_move();
        if !game.book.len().is_multiple_of(2) {
            mover = !mover;
        }
        for (index, played) in game.moves.iter().enumerate() {
            let engine = self.engines.entry(seats[mover.index()]).or_default();
            let seconds = game.is_timed.then(|| played.charged().as_secs_f64());
            if seconds > engine.longest {
                engine.longest = seconds;
            }
            if let Some(left) = played.clock {
                let least = engine.least_left.unwrap_or(f64::INFINITY);
                engine.least_left = Some(least.min(left.as_secs_f64()));
            }
            let own = index / 2;
            if own < LAST_MOVE {
                if engine.by_move.len() <= own {
                    engine.by_move.resize(own + 1, SearchSums::default());
                }
                engine.by_move[own].add(seconds, played.thinking.depth);
            }
            if let Some(host) = &played.host {
                self.suspended += host.suspended;
                let waited = host.wakeup.map(|waited| waited.as_micros());
                self.wakeups
                    .extend(waited.map(|micros| u32::try_from(micros).unwrap_or(u32::MAX)));
            }
            mover = !mover;
        }
    }

    /// Number of watched moves, and the runner's wait in microseconds: median, 99 % and longest.
    pub(super) fn latency(&self) -> Option<(usize, [u32; 3])> {
        let mut sorted = self.wakeups.clone();
        sorted.sort_unstable();
        let last = sorted.len().checked_sub(1)?;
        let at = |share: f64| sorted[(share * last as f64).round() as usize];
        Some((sorted.len(), [at(0.5), at(0.99), at(1.0)]))
    }
}
