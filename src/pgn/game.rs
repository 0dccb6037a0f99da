//! A game of a PGN file with what its comments say of it: what a store, a page and a seal take from the file.

use std::time::Duration;

use jiff::Timestamp;
use memchr::memchr;

use super::{GameResult, PgnError, RawGame, Step};
use crate::chess::{Color, Move, Position};
use crate::clock::{Limits, Stamp};
use crate::event::identity::EventEngine;
use crate::event::{GameId, PairId, Seat, UnixMillis};
use crate::referee::{DrawnBy, Fault, FaultKind, GameRecord, MoveRecord, Outcome, WonBy};
use crate::uci::{Bound, Score};

/// A game that has been played through by the rules.
pub(crate) struct PgnGame {
    pub(crate) start: Position,
    /// The first moves, which comments mark as those of a book.
    pub(crate) book: Vec<Move>,
    pub(crate) moves: Vec<MoveRecord>,
    pub(crate) plies: u32,
    /// Who would move next.
    pub(crate) to_move: Color,
    /// The result after the moves.
    pub(crate) result: Option<GameResult>,
    /// How it ended as it was played, with the description of a fault: by the board, or else by the last comment.
    pub(crate) ending: Result<(Outcome, String), String>,
}

impl PgnGame {
    /// Plays a game to its end.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub(crate) fn read(raw: &RawGame<'_>) -> Result<PgnGame, PgnError> {
        let mut replay = raw.replay()?;
        let start = replay.start().position.clone();
        let (mut book, mut moves) = (Vec::new(), Vec::<MoveRecord>::new());
        // The last move's first comment is about the move; the last comment of all is about the end.
        let (mut has_comment, mut last_words) = (true, String::new());
        while let Some(step) = replay.next_step() {
            match step? {
                Step::Move(played) => {
                    let sent = moves.last().map_or(Stamp(0), |last| last.received);
                    moves.push(MoveRecord::new(played, sent));
                    has_comment = false;
                }
                Step::Comment(text) if is_book_mark(text) && moves.len() == 1 => {
                    book.extend(moves.pop().map(|record| record.chess_move));
                    has_comment = true;
                }
                Step::Comment(text) if !has_comment => {
                    let mover = !replay.position().side_to_move();
                    let last = moves.last_mut().into_iter();
                    last.for_each(|last| add_comment(last, mover, text));
                    has_comment = true;
                }
                Step::Comment(text) => last_words = on_one_line(text),
                Step::NullMove => return Err(replay.null_move()),
                Step::Result(_) => {}
            }
        }
        // A ruling has a separate last comment.
        if raw.tag("Ruling").is_some() {
            last_words = on_one_line(raw.tag("PlayedEnding").unwrap_or_default().as_bytes());
        }
        let ending = match replay.game().ending() {
            Some(ending) => Ok((Outcome::from(ending), String::new())),
            None => named_outcome(&last_words),
        };
        Ok(PgnGame {
            start,
            book,
            moves,
            plies: replay.plies(),
            to_move: replay.position().side_to_move(),
            result: replay.result(),
            ending,
        })
    }

    /// The game as a store has it.
    ///
    /// # Errors
    /// Nothing says how it ended.
    pub(crate) fn into_record(self) -> Result<GameRecord, String> {
        let (outcome, detail) = self.ending?;
        let at = self.moves.last().map_or(Stamp(0), |last| last.received);
        let fault = deciding_fault(&outcome, self.to_move).map(|(side, kind)| Fault {
            side,
            kind,
            ply: self.plies,
            at,
            detail,
            stderr: None,
            evidence: None,
        });
        Ok(GameRecord {
            moves: self.moves,
            outcome,
            faults: fault.into_iter().collect(),
            ..GameRecord::unplayed(self.start, self.book)
        })
    }
}

/// Which game of the plan this is by its tags.
pub(crate) fn planned_id(raw: &RawGame<'_>) -> Option<GameId> {
    let pair: u64 = raw.tag("Pair")?.parse().ok()?;
    let round = raw.tag("Round")?;
    // In an event in rounds the games of an encounter are numbered across its pairs.
    let nth: u32 = round.rsplit('.').next()?.parse().ok()?;
    let game = u8::from(nth.checked_sub(1)? % 2 == 1);
    let pair = PairId(pair.checked_sub(1)?);
    Some(GameId { pair, game })
}

/// Compares the tags of a game with what is planned under its key: its start, and who plays with which limits and
/// options.
///
/// # Errors
/// What the game has, and what the plan has.
pub(crate) fn check_planned(
    raw: &RawGame<'_>,
    start: &Position,
    seats: [Seat; 2],
    engines: &[EventEngine],
    limits: &[Limits; 2],
) -> Result<(), String> {
    let found = raw.start().map_err(|error| error.to_string())?;
    if found.position != *start {
        return Err("another start position than the plan".to_owned());
    }
    for ((seat, side), bound) in seats.into_iter().zip(["White", "Black"]).zip(limits) {
        let engine = engines.get(usize::from(seat.engine));
        let engine = engine.ok_or("an engine that is not in the plan")?;
        let tag = |name: &str| raw.tag(&format!("{side}{name}"));
        let name = tag("").unwrap_or_default();
        if name != engine.name {
            let planned = &engine.name;
            return Err(format!("{name} as {side}, and the plan has {planned}"));
        }
        let planned = (seat.copy + 1).to_string();
        if let Some(copy) = tag("Copy").filter(|copy| *copy != planned) {
            return Err(format!("copy {copy} as {side}, and the plan has {planned}"));
        }
        let limits = raw.tag("TimeControl").or_else(|| tag("TimeControl"));
        let (limits, planned) = (limits.unwrap_or_default(), bound.to_string());
        if limits != planned {
            return Err(format!(
                "{side} limited by {limits}, and the plan has {planned}"
            ));
        }
        let options = tag("Options").unwrap_or_default();
        let given: Vec<&str> = options.split("; ").collect();
        let planned = engine.options.iter();
        let mut planned = planned.map(|(name, value)| format!("{name}={value}"));
        if let Some(option) = planned.find(|option| !given.contains(&option.as_str())) {
            return Err(format!("{side} without the option {option}"));
        }
    }
    Ok(())
}

/// The moment in a tag, as ISO 8601.
///
/// # Errors
/// There is none that can be read.
pub(crate) fn moment(raw: &RawGame<'_>, tag: &str) -> Result<UnixMillis, String> {
    let parsed = raw.tag(tag).and_then(|text| text.parse::<Timestamp>().ok());
    let moment = parsed.ok_or_else(|| format!("it has no tag {tag} that can be read"))?;
    Ok(UnixMillis(moment.as_millisecond()))
}

/// Whether a comment marks a move as one of a book.
pub(crate) fn is_book_mark(comment: &[u8]) -> bool {
    comment.trim_ascii().eq_ignore_ascii_case(b"book")
}

fn add_comment(record: &mut MoveRecord, mover: Color, comment: &[u8]) {
    let annotations = Annotations::parse(comment);
    record.clock = annotations.clock;
    let charged = annotations.charged.unwrap_or(Duration::ZERO);
    let elapsed = annotations.elapsed.unwrap_or(charged);
    record.received = record.sent + elapsed;
    record.taken = elapsed.saturating_sub(charged);
    let thinking = &mut record.thinking;
    thinking.depth = annotations.depth;
    // The file has White's view.
    thinking.score = annotations.evaluation.map(|score| score.of_white(mover));
    for word in on_one_line(comment).split(' ') {
        match word.split_once('=') {
            Some(("d", depths)) => {
                thinking.seldepth = depths
                    .split_once('/')
                    .and_then(|(_, most)| most.parse().ok());
            }
            Some(("n", nodes)) => thinking.nodes = nodes.parse().ok(),
            Some(("bound", "lower")) => thinking.bound = Some(Bound::Lower),
            Some(("bound", "upper")) => thinking.bound = Some(Bound::Upper),
            Some(("interrupted", away)) => record.interruptions.extend(read_time(away)),
            _ => {}
        }
    }
}

fn on_one_line(comment: &[u8]) -> String {
    let text = String::from_utf8_lossy(comment);
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// The outcome that a last comment names, and its description of a fault.
fn named_outcome(words: &str) -> Result<(Outcome, String), String> {
    let named = Outcome::all_finished().filter_map(|outcome| {
        let mut name = outcome.to_string();
        name.get_mut(..1)?.make_ascii_uppercase();
        let detail = match words.strip_prefix(&name)? {
            "" => "",
            rest => rest.strip_prefix("; ")?,
        };
        Some((outcome, detail.to_owned()))
    });
    // One outcome's name may begin another's.
    let named = named.min_by_key(|(_, detail)| detail.len());
    named.ok_or_else(|| format!("its last comment names no end of a game: `{words}`"))
}

/// Whose fault decided a game, if one did.
fn deciding_fault(outcome: &Outcome, to_move: Color) -> Option<(Color, FaultKind)> {
    match *outcome {
        Outcome::Won {
            by,
            how: WonBy::Forfeit(kind),
        } => Some((!by, kind)),
        // Only who is to move can lose by these.
        Outcome::Drawn(DrawnBy::ForfeitAgainstNoMate(kind)) => Some((to_move, kind)),
        _ => None,
    }
}

/// What a comment says about a move; every part may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Annotations {
    /// `[%eval]`: the score from White's point of view.
    pub evaluation: Option<Score>,
    /// `[%clk]`: what remained on the mover's clock.
    pub clock: Option<Duration>,
    /// `[%emt]`: the time of the move that was charged.
    pub charged: Option<Duration>,
    /// `[%elapsed]`: all of its time, where not all of it was charged.
    pub elapsed: Option<Duration>,
    /// The depth in plies: `d=18/24`, `d=45,`, `+0.31/18 0.5s`, `[%eval 0.31,18]`.
    pub depth: Option<u32>,
}

impl Annotations {
    /// Reads a comment's commands. Unreadable commands are ignored.
    pub fn parse(comment: &[u8]) -> Annotations {
        let mut found = Annotations::default();
        let mut rest = comment;
        while let Some(open) = memchr(b'[', rest) {
            rest = &rest[open + 1..];
            let Some(close) = memchr(b']', rest) else {
                break;
            };
            found.take_command(&rest[..close]);
        }
        found.depth = found.depth.or_else(|| depth_word(comment));
        found
    }

    fn take_command(&mut self, command: &[u8]) {
        let Ok(command) = std::str::from_utf8(command) else {
            return;
        };
        let Some((name, value)) = command.split_once(|c: char| c.is_ascii_whitespace()) else {
            return;
        };
        let value = value.trim();
        match name {
            "%eval" => {
                let (score, depth) = value.split_once(',').unwrap_or((value, ""));
                self.evaluation = read_score(score);
                self.depth = self.depth.or(depth.parse().ok());
            }
            "%clk" => self.clock = read_time(value),
            "%emt" => self.charged = read_time(value),
            "%elapsed" => self.elapsed = read_time(value),
            _ => {}
        }
    }
}

/// `0.31`, `-1.2`, `#3`, `#-3`.
fn read_score(text: &str) -> Option<Score> {
    if let Some(moves) = text.strip_prefix('#') {
        return moves.parse().ok().map(Score::Mate);
    }
    let pawns: f64 = text.parse().ok()?;
    let centipawns = (pawns * 100.0).round();
    (centipawns.abs() < 1e9).then_some(Score::Centipawns(centipawns as i32))
}

/// `h:mm:ss`, `mm:ss` or seconds, with decimals.
fn read_time(text: &str) -> Option<Duration> {
    let mut seconds = 0.0;
    for part in text.split(':') {
        let value: f64 = part.parse().ok()?;
        seconds = seconds * 60.0 + value;
    }
    Duration::try_from_secs_f64(seconds).ok()
}

fn depth_word(comment: &[u8]) -> Option<u32> {
    let words = comment.split(|byte| byte.is_ascii_whitespace() || *byte == b',');
    words.filter(|word| !word.is_empty()).find_map(depth_of)
}

/// The depth in `d=18/24`, or after the score in `+0.31/18`.
fn depth_of(word: &[u8]) -> Option<u32> {
    let digits = match word.strip_prefix(b"d=") {
        Some(rest) => rest,
        None if matches!(word.first(), Some(b'+' | b'-' | b'0'..=b'9')) => {
            &word[memchr(b'/', word)? + 1..]
        }
        None => return None,
    };
    let digits = digits.split(|byte| !byte.is_ascii_digit()).next()?;
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_comments() {
        let comment = b"[%eval -0.31] [%clk 0:01:09.8] [%emt 0:00:00.312] [%elapsed 0:00:00.4] d=18/24 n=123456";
        let expected = Annotations {
            evaluation: Some(Score::Centipawns(-31)),
            clock: Some(Duration::from_millis(69_800)),
            charged: Some(Duration::from_millis(312)),
            elapsed: Some(Duration::from_millis(400)),
            depth: Some(18),
        };
        assert_eq!(Annotations::parse(comment), expected);
    }

    #[test]
    fn comments_of_others() {
        assert_eq!(
            Annotations::parse(b"[%eval #-3,12]").evaluation,
            Some(Score::Mate(-3))
        );
        assert_eq!(Annotations::parse(b"[%eval #-3,12]").depth, Some(12));
        assert_eq!(Annotations::parse(b"-0.71/23 6.157s").depth, Some(23));
        assert_eq!(Annotations::parse(b"d=45, sd=65, mt=82942").depth, Some(45));
        assert_eq!(Annotations::parse(b"[%clk 9").clock, None);
        assert_eq!(
            Annotations::parse(b"[%eval nan] [%clk -1]"),
            Annotations::default()
        );
    }
}
