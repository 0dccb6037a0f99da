//! Converts a game of `games.pgn` back to what the store had of it.
//!
//! The players and the start position come from the plan; moves, clocks and evaluations from the file; the end from the
//! board, or else from the file's comment. Nothing is guessed: a game is taken only if the text made of the result
//! equals, byte for byte, the text that was read.

use std::time::Duration;

use jiff::Timestamp;

use crate::chess::{Color, Ending, Move};
use crate::clock::Stamp;
use crate::event::{GameId, PairId, PlayedGame, UnixMillis};
use crate::pgn::{
    Annotations, Comments, EventTags, GameResult, RawGame, Replay, RulingTags, Step, ending_words,
    write_game_with,
};
use crate::referee::{
    Breaches, DrawnBy, Fault, FaultKind, GameRecord, MoveRecord, Outcome, Uneven, WonBy,
};
use crate::schedule::{Opening, PairSpec};
use crate::uci::{Bound, Score};

/// Which game of the plan this is by its tags.
pub(crate) fn key(raw: &RawGame<'_>) -> Option<GameId> {
    let pair: u64 = raw.tag("Pair")?.parse().ok()?;
    let round = raw.tag("Round")?;
    // In an event in rounds the games of an encounter are numbered across its pairs.
    let nth: u32 = round.rsplit('.').next()?.parse().ok()?;
    let game = u8::from(nth.checked_sub(1)? % 2 == 1);
    let pair = PairId(pair.checked_sub(1)?);
    Some(GameId { pair, game })
}

/// A game as played, and the arbiter's later rulings on it, in words.
pub(crate) struct RecoveredGame {
    pub(crate) game: PlayedGame,
    pub(crate) ruling: Option<String>,
}

/// The game as the store had it, if it is the one that the plan has under this key. A ruling of the arbiter is removed:
/// the result is the game as played.
///
/// # Errors
/// What is wrong with it, for people.
pub(crate) fn recovered(
    raw: &RawGame<'_>,
    id: GameId,
    spec: PairSpec,
    opening: Opening,
    tags: &EventTags,
) -> Result<RecoveredGame, String> {
    let game = PlayedGame {
        id,
        cycle: spec.cycle,
        number: opening.number,
        seats: spec.seats(id.game),
        started: moment(raw, "GameStartTime")?,
        ended: moment(raw, "GameEndTime")?,
        record: record(raw, opening)?,
    };
    // The text of a ruling says what was ruled, but not under which name.
    let mut different = None;
    for (shown, ruling) in as_ruled(raw, &game)? {
        let mut text = String::new();
        write_game_with(
            &mut text,
            tags,
            &shown,
            ruling.as_ref(),
            Comments::default(),
        );
        different = difference(raw.text(), text.as_bytes());
        if different.is_none() {
            let ruling = ruling.map(|ruling| {
                let (now, played) = (shown.record.outcome.result(), ruling.played_result);
                format!("{now} instead of {played} ({})", ruling.words)
            });
            return Ok(RecoveredGame { game, ruling });
        }
    }
    match different {
        None => Err("it has a ruling without a result".to_owned()),
        Some((place, [found, expected])) => Err(format!(
            "line {}: `{found}`; the event file, the plan and the moves make `{expected}` of it",
            raw.line() + place
        )),
    }
}

/// The game as the file should have it: as played, or with a ruling, which may have been a forfeit.
fn as_ruled(
    raw: &RawGame<'_>,
    game: &PlayedGame,
) -> Result<Vec<(PlayedGame, Option<RulingTags>)>, String> {
    let Some(words) = raw.tag("Ruling") else {
        return Ok(vec![(game.clone(), None)]);
    };
    let result = raw.tag("Result").unwrap_or_default();
    let uneven = raw.tag("RuledResult").and_then(|text| Uneven::parse(&text));
    let white = GameResult::parse(result.as_bytes()).and_then(GameResult::white_score);
    let outcomes = match (uneven, white) {
        (Some(uneven), _) => vec![Outcome::Uneven(uneven)],
        (None, Some(white)) => [false, true]
            .map(|forfeit| Outcome::by_the_arbiter(white, forfeit))
            .into(),
        (None, None) => return Err("the arbiter's ruling gave it no result".to_owned()),
    };
    let ruled = |outcome| {
        let mut shown = game.clone();
        shown.record.outcome = outcome;
        let ruling = RulingTags {
            words: words.clone().into_owned(),
            played_result: game.record.outcome.result(),
            played_termination: game.record.outcome.termination().to_string(),
            played_ending: ending_words(&game.record),
        };
        (shown, Some(ruling))
    };
    Ok(outcomes.into_iter().map(ruled).collect())
}

fn moment(raw: &RawGame<'_>, tag: &str) -> Result<UnixMillis, String> {
    let parsed = raw.tag(tag).and_then(|text| text.parse::<Timestamp>().ok());
    let moment = parsed.ok_or_else(|| format!("it has no tag {tag} that can be read"))?;
    Ok(UnixMillis(moment.as_millisecond()))
}

/// The first line in which two texts differ, counted from 0, as both have it; ends of lines at the
/// end do not count.
fn difference(found: &[u8], expected: &[u8]) -> Option<(u64, [String; 2])> {
    let lines = |text: &[u8]| -> Vec<Vec<u8>> {
        let lines = text.trim_ascii_end().split(|byte| *byte == b'\n');
        lines.map(<[u8]>::to_vec).collect()
    };
    let (found, expected) = (lines(found), lines(expected));
    let nothing = Vec::new();
    (0..found.len().max(expected.len())).find_map(|place| {
        let both = [&found, &expected].map(|lines| lines.get(place).unwrap_or(&nothing));
        let words = both.map(|line| String::from_utf8_lossy(line).into_owned());
        (both[0] != both[1]).then_some((place as u64, words))
    })
}

fn record(raw: &RawGame<'_>, opening: Opening) -> Result<GameRecord, String> {
    let mut replay = raw.replay().map_err(|error| error.to_string())?;
    if replay.start().position != opening.start {
        return Err("it has another start position than the plan".to_owned());
    }
    let mut told = told_moves(&mut replay, opening.moves.len())?;
    if replay.result().is_none() {
        return Err("it has no result".to_owned());
    }
    // A ruling has a separate last comment.
    if raw.tag("Ruling").is_some() {
        told.words = on_one_line(raw.tag("PlayedEnding").unwrap_or_default().as_bytes());
    }
    let (outcome, detail) = told_outcome(replay.game().ending(), &told.words)?;
    let at = told.moves.last().map_or(Stamp(0), |last| last.received);
    let to_move = replay.position().side_to_move();
    Ok(GameRecord {
        start: opening.start,
        opening: told.book,
        faults: fault(&outcome, to_move, replay.plies(), at, detail)
            .into_iter()
            .collect(),
        moves: told.moves,
        outcome,
        breaches: [Breaches::default(); 2],
        dialogue: None,
    })
}

/// The moves of a game with what their comments say of them.
#[derive(Default)]
pub(crate) struct ToldMoves {
    pub(crate) book: Vec<Move>,
    pub(crate) moves: Vec<MoveRecord>,
    /// The last comment that is not a move's, on one line; it may say how the game ended.
    pub(crate) words: String,
}

/// Plays a game to its end; `book` is the number of its moves that come from a book.
///
/// # Errors
/// What is wrong with it, for people.
pub(crate) fn told_moves(replay: &mut Replay<'_>, book_moves: usize) -> Result<ToldMoves, String> {
    let mut told = ToldMoves::default();
    // The last move's first comment is about the move; the last comment of all is about the end.
    let mut is_told = true;
    while let Some(step) = replay.next_step() {
        match step.map_err(|error| error.to_string())? {
            Step::Move(played) if told.book.len() < book_moves => told.book.push(played),
            Step::Move(played) => {
                let sent = told.moves.last().map_or(Stamp(0), |last| last.received);
                told.moves.push(MoveRecord::new(played, sent));
                is_told = false;
            }
            Step::Comment(text) if !is_told => {
                let mover = !replay.position().side_to_move();
                let last = told.moves.last_mut().into_iter();
                last.for_each(|last| tell(last, mover, text));
                is_told = true;
            }
            Step::Comment(text) => told.words = on_one_line(text),
            Step::NullMove => return Err("it has a null move".to_owned()),
            Step::Result(_) => {}
        }
    }
    Ok(told)
}

/// Takes over what a comment says of a move.
fn tell(record: &mut MoveRecord, mover: Color, comment: &[u8]) {
    let told = Annotations::of(comment);
    record.clock = told.clock;
    let charged = told.charged.unwrap_or(Duration::ZERO);
    let elapsed = told.elapsed.unwrap_or(charged);
    record.received = record.sent + elapsed;
    record.taken = elapsed.saturating_sub(charged);
    let thinking = &mut record.thinking;
    thinking.depth = told.depth;
    // The file has White's view.
    thinking.score = told.evaluation.map(|score| match (mover, score) {
        (Color::White, score) => score,
        (Color::Black, Score::Centipawns(pawns)) => Score::Centipawns(pawns.saturating_neg()),
        (Color::Black, Score::Mate(moves)) => Score::Mate(moves.saturating_neg()),
    });
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
            _ => {}
        }
    }
}

fn on_one_line(comment: &[u8]) -> String {
    let text = String::from_utf8_lossy(comment);
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// The end, and the description of a fault: from the board, or else from the last comment.
///
/// # Errors
/// The comment names none.
pub(crate) fn told_outcome(
    board: Option<Ending>,
    words: &str,
) -> Result<(Outcome, String), String> {
    if let Some(ending) = board {
        return Ok((Outcome::from(ending), String::new()));
    }
    let named = Outcome::all_finished().filter_map(|outcome| {
        let mut name = outcome.to_string();
        name.get_mut(..1)?.make_ascii_uppercase();
        let rest = words.strip_prefix(&name)?;
        let detail = match rest {
            "" => "",
            rest => rest.strip_prefix(": ")?,
        };
        Some((outcome, detail.to_owned()))
    });
    // One outcome's name may begin another's.
    let named = named.min_by_key(|(_, detail)| detail.len());
    named.ok_or_else(|| format!("its last comment names no end of a game: `{words}`"))
}

/// The fault that decided the game, if one did. Its text includes what was seen of the host.
fn fault(outcome: &Outcome, to_move: Color, ply: u32, at: Stamp, detail: String) -> Option<Fault> {
    let (side, kind): (Color, FaultKind) = match *outcome {
        Outcome::Won {
            by,
            how: WonBy::Forfeit(kind),
        } => (!by, kind),
        // Only who is to move can lose by these.
        Outcome::Drawn(DrawnBy::ForfeitAgainstNoMate(kind)) => (to_move, kind),
        _ => return None,
    };
    Some(Fault {
        side,
        kind,
        ply,
        at,
        detail,
        stderr: None,
        evidence: None,
    })
}
