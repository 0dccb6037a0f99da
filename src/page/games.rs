//! The games of a page for its viewer: JSON, compressed with gzip, as text in base 64; and of a running game the same as
//! it grows. The page's script unpacks them with the browser's `DecompressionStream`.
//!
//! Every game has `round`, `number`, `players`, `result`, `end`, `fen`, `book` (half-moves of the book) and
//!
//! | key | what |
//! |---|---|
//! | `moves` | separated by blanks: the square that is left, of castling also the rook's and the one where the king lands, then SAN: `g1Nf3`, `e1h1g1O-O` |
//! | `evaluations` | White's view in centipawns, a mate in n as ±(32,000 − n) |
//! | `depths` | in plies |
//! | `times` | in tenths of a second: what is left on the clock (`clock`), else what was used |
//! | `speeds` | thousands of nodes a second |
//! | `nodes`, `tbhits` | of the search; only where few games are carried |
//! | `lines` | what the engine expected, in the form of `moves`; only where few games are carried |
//!
//! The lists begin after the book; `null` is unknown.
//!
//! And from the same moves: time, depth and latency by engine.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Write;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use crate::chess::{Color, FenDialect, Move, Position, Square, StartNumber};
use crate::event::{GameId, Seat};
use crate::referee::{GameRecord, MoveRecord, Thinking};
use crate::text::printable;
use crate::tournament::Roster;
use crate::uci::Score;

/// Larger than every evaluation in centipawns; a mate in n is this value less n.
const MATE: i64 = 32_000;

/// Half-moves of a line, and the half-moves of the games of a page above which it carries no lines.
const LINE: usize = 10;
const MAX_PLIES_WITH_LINES: u64 = 40_000;

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
pub(super) struct Packer {
    /// Each key with the values of all games, which compresses better than game after game.
    columns: BTreeMap<String, Vec<Value>>,
    has_lines: bool,
    timing: Timing,
}

/// The moves of a game.
pub(crate) struct PlayedMoves<'a> {
    pub(crate) start: &'a Position,
    pub(crate) book: &'a [Move],
    /// The engines' moves.
    pub(crate) moves: &'a [MoveRecord],
    /// Whether the times of the moves are known.
    pub(crate) is_timed: bool,
    pub(crate) has_clock: bool,
}

impl<'a> PlayedMoves<'a> {
    /// The moves of a stored game.
    pub(crate) fn new(record: &'a GameRecord) -> PlayedMoves<'a> {
        PlayedMoves {
            start: &record.start,
            book: &record.opening,
            moves: &record.moves,
            is_timed: true,
            has_clock: record.moves.iter().any(|played| played.clock.is_some()),
        }
    }

    /// The game without its moves and its end.
    pub(crate) fn json(&self, round: &str, number: Option<StartNumber>, names: [&str; 2]) -> Value {
        json!({
            "round": round,
            "number": number.map(|number| number.0),
            "players": names.map(printable),
            "fen": self.start.fen(FenDialect::XFen),
            "book": self.book.len(),
            "clock": self.has_clock,
        })
    }

    /// Adds the moves from this half-move on, and what is known of each.
    pub(crate) fn add_to(&self, game: &mut Value, from: usize, has_lines: bool) {
        let mut position = self.start.clone();
        let (mut moves, mut evaluations, mut lines) = (Vec::new(), Vec::new(), Vec::new());
        let played = self.moves.iter().map(|record| record.chess_move);
        for (ply, chess_move) in self.book.iter().copied().chain(played).enumerate() {
            if ply >= from {
                moves.push(coded(&position, chess_move));
                if let Some(own) = ply.checked_sub(self.book.len()) {
                    let thinking = &self.moves[own].thinking;
                    evaluations.push(evaluation(thinking, position.side_to_move()));
                    lines.extend(has_lines.then(|| line(&position, thinking)));
                }
            }
            position.play(chess_move);
        }
        let own = &self.moves[from.saturating_sub(self.book.len())..];
        let time = |record: &MoveRecord| {
            let used = || self.is_timed.then(|| record.charged());
            let time = if self.has_clock { record.clock } else { used() };
            Some(time?.as_millis() / 100)
        };
        let speed = |record: &MoveRecord| Some(record.thinking.nps? / 1000);
        let depths: Vec<_> = own.iter().map(|record| record.thinking.depth).collect();
        game["moves"] = json!(moves.join(" "));
        game["evaluations"] = json!(evaluations);
        game["depths"] = json!(depths);
        game["times"] = own.iter().map(|record| json!(time(record))).collect();
        game["speeds"] = own.iter().map(|record| json!(speed(record))).collect();
        if has_lines {
            let thinking = || own.iter().map(|record| &record.thinking);
            game["lines"] = json!(lines);
            game["nodes"] = thinking().map(|said| json!(said.nodes)).collect();
            game["tbhits"] = thinking().map(|said| json!(said.tbhits)).collect();
        }
    }
}

/// A move with its squares.
fn coded(position: &Position, chess_move: Move) -> String {
    let (from, san) = (chess_move.from(), position.san(chess_move));
    match position.is_castling(chess_move) {
        Some(_) => {
            let (rook, rule) = (chess_move.to(), position.castling_rule());
            let lands = rule.king_landing(from.file(), rook.file());
            format!("{from}{rook}{}{san}", Square::new(lands, rook.rank()))
        }
        None => format!("{from}{san}"),
    }
}

/// The line that an engine expects from a position, up to its first illegal move.
pub(crate) fn line(position: &Position, thinking: &Thinking) -> String {
    let mut position = position.clone();
    let mut moves = Vec::new();
    for word in thinking.pv.split_whitespace().take(LINE) {
        let Ok(chess_move) = position.parse_uci_loosely(word) else {
            break;
        };
        moves.push(coded(&position, chess_move));
        position.play(chess_move);
    }
    moves.join(" ")
}

/// White's view of a score.
pub(crate) fn evaluation(thinking: &Thinking, side: Color) -> Option<i64> {
    Some(centipawns(thinking.score?.bounded().of_white(side)))
}

impl Packer {
    /// For these games.
    pub(super) fn new<'a>(games: impl Iterator<Item = &'a ListedGame>) -> Packer {
        let plies: u64 = games.map(|game| u64::from(game.plies)).sum();
        Packer {
            columns: BTreeMap::new(),
            has_lines: plies <= MAX_PLIES_WITH_LINES,
            timing: Timing::default(),
        }
    }

    pub(super) fn add(&mut self, game: &ListedGame, roster: &Roster, played: &PlayedMoves<'_>) {
        self.timing.add(played, game.seats);
        let names = game.seats.map(|seat| roster.name(seat));
        let names = names.each_ref().map(|name| &**name);
        let mut value = played.json(&game.round, game.number, names);
        value["result"] = json!(game.result);
        value["end"] = json!(printable(&game.ending));
        played.add_to(&mut value, 0, self.has_lines);
        let Value::Object(value) = value else { return };
        for (key, value) in value {
            self.columns.entry(key).or_default().push(value);
        }
    }

    /// Everything as text, and what is known of the searches.
    pub(super) fn finish(self) -> (String, Timing) {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        let written = encoder.write_all(json!(self.columns).to_string().as_bytes());
        let packed = written.and_then(|()| encoder.finish());
        let text = STANDARD.encode(packed.expect("a vector takes every byte"));
        (text, self.timing)
    }
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

/// A mean over the searches for one move number.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SearchMean {
    count: u32,
    sum: f64,
}

impl SearchMean {
    fn add(&mut self, value: Option<f64>) {
        self.count += u32::from(value.is_some());
        self.sum += value.unwrap_or(0.0);
    }

    pub(super) fn value(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / f64::from(self.count))
    }
}

/// What is known about an engine's searches.
#[derive(Debug, Clone, Default)]
pub(super) struct EngineTiming {
    /// Seconds and depth by the engine's own move number, starting with its first move.
    pub by_move: Vec<[SearchMean; 2]>,
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
}

impl Timing {
    /// Takes in the moves of a game between these seats, White's first.
    fn add(&mut self, game: &PlayedMoves<'_>, seats: [Seat; 2]) {
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
                    engine.by_move.resize(own + 1, Default::default());
                }
                let depth = played.thinking.depth.map(f64::from);
                for (mean, value) in engine.by_move[own].iter_mut().zip([seconds, depth]) {
                    mean.add(value);
                }
            }
            let waited = played.host.as_ref().and_then(|host| host.wakeup);
            let waited = waited.map(|waited| u32::try_from(waited.as_micros()));
            self.wakeups
                .extend(waited.map(|micros| micros.unwrap_or(u32::MAX)));
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
