//! Games as text: what the files of both runners have in common, and names of openings by position. Their table comes from
//! lichess-org/chess-openings (CC0), the source of fastchess's own; see the head of `openings.tsv`.

use std::collections::HashMap;
use std::sync::OnceLock;
use std::time::Duration;

use super::reason;
use super::settings::Pgn;
use super::values::{hours, moment};
use crate::chess::{Color, FenDialect, Move, Position};
use crate::event::PlayedGame;
use crate::referee::{FaultKind, GameRecord, MoveRecord, Termination};

/// Maximum number of characters of a line of moves.
const MAX_LINE_LENGTH: usize = 80;

/// Name and value of a tag.
pub(crate) type Tag = (&'static str, String);

/// How the games of a run are written to files.
pub(crate) trait WrittenGames: Send + Sync {
    /// The PGN of a game.
    fn text(&self, game: &PlayedGame) -> String;

    /// The line of EPD of its last position.
    fn final_position(&self, game: &PlayedGame) -> String;

    /// Whether the checksum of the file is printed after each game.
    fn tells_checksum(&self) -> bool {
        false
    }

    /// Number of games of a pair, if games are written in the order of their numbers.
    fn in_order(&self) -> Option<u64> {
        None
    }
}

/// The seven tags of every game, in the order of the standard; `names` are those of White and Black.
pub(crate) fn roster(game: &PlayedGame, pgn: &Pgn, round: u64, names: [&str; 2]) -> [Tag; 7] {
    [
        ("Event", pgn.event_name.clone()),
        ("Site", pgn.site.clone()),
        ("Date", moment(game.started, "%Y.%m.%d")),
        ("Round", round.to_string()),
        ("White", names[0].to_owned()),
        ("Black", names[1].to_owned()),
        ("Result", game.record.outcome.result().to_owned()),
    ]
}

/// The tags with duration, begin and end, the moments in this format.
pub(crate) fn times(game: &PlayedGame, format: &str) -> [Tag; 3] {
    let took = Duration::from_millis((game.ended.0 - game.started.0).max(0).cast_unsigned());
    [
        ("GameDuration", hours(took)),
        ("GameStartTime", moment(game.started, format)),
        ("GameEndTime", moment(game.ended, format)),
    ]
}

/// The tags with the clocks of White and Black.
pub(crate) fn clock_tags(is_same: bool, [white, black]: [String; 2]) -> Vec<Tag> {
    if is_same {
        return vec![("TimeControl", white)];
    }
    vec![("WhiteTimeControl", white), ("BlackTimeControl", black)]
}

/// A whole game.
pub(crate) fn written(tags: &[Tag], moves: &str) -> String {
    let tag = |(name, value): &Tag| format!("[{name} \"{value}\"]\n");
    let tags: String = tags.iter().map(tag).collect();
    format!("{tags}\n{moves}\n\n")
}

/// The value of the tag `Termination`; `normal` if nothing unusual ended the game.
pub(crate) fn termination(game: &PlayedGame, normal: &'static str) -> &'static str {
    match game.record.outcome.termination() {
        _ if reason::fault(game) == Some(FaultKind::IllegalMove) => "illegal move",
        Termination::Normal => normal,
        Termination::Adjudication => "adjudication",
        Termination::TimeForfeit => "time forfeit",
        Termination::Unterminated => "unterminated",
        _ => "abandoned",
    }
}

/// The moves, each with the number before it where one belongs, and the result. `first` is the number of the first move;
/// `text` gets the position, the move, what is known about it, and whether it is the last.
pub(crate) fn moves(
    record: &GameRecord,
    first: u32,
    text: impl Fn(&Position, Move, Option<&MoveRecord>, bool) -> String,
) -> Vec<String> {
    let mut position = record.start.clone();
    let mut words = Vec::new();
    for (ply, (played, thought)) in (1..).zip(record.all_records()) {
        let number = first + (position.fullmove_number() - record.start.fullmove_number());
        let number = match (position.side_to_move(), ply) {
            (Color::White, _) => format!("{number}. "),
            (Color::Black, 1) => format!("{number}... "),
            (Color::Black, _) => String::new(),
        };
        let text = text(&position, played, thought, ply == record.plies());
        words.push(format!("{number}{text}"));
        position.play(played);
    }
    words.push(record.outcome.result().to_owned());
    words
}

/// The words in lines.
pub(crate) fn wrapped(words: &[String]) -> String {
    let mut out = String::new();
    let mut line = 0;
    for word in words {
        if line > 0 && line + word.len() >= MAX_LINE_LENGTH {
            out.push('\n');
            line = 0;
        }
        if line > 0 {
            out.push(' ');
            line += 1;
        }
        out += word;
        line += word.len();
    }
    out
}

const OPENINGS_TABLE: &str = include_str!("openings.tsv");

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NamedOpening {
    /// Its code in the Encyclopaedia of Chess Openings.
    pub(crate) eco: &'static str,
    /// Its name; a colon separates it from the name of the variation.
    pub(crate) name: &'static str,
}

/// The last named position of a game of standard chess.
pub(crate) fn opening_of(record: &GameRecord) -> Option<NamedOpening> {
    record.board().positions().iter().rev().find_map(named)
}

/// The opening of a position, by the first four fields of its FEN.
fn named(position: &Position) -> Option<NamedOpening> {
    static BY_POSITION: OnceLock<HashMap<&str, NamedOpening>> = OnceLock::new();
    let by_position = BY_POSITION.get_or_init(|| rows().collect());
    let fen = position.fen(FenDialect::XFen);
    let end = fen.match_indices(' ').nth(3).map(|(at, _)| at)?;
    by_position.get(&fen[..end]).copied()
}

fn rows() -> impl Iterator<Item = (&'static str, NamedOpening)> {
    let rows = OPENINGS_TABLE.lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|row| {
        let mut fields = row.split('\t');
        let (eco, name) = (fields.next()?, fields.next()?);
        Some((fields.next()?, NamedOpening { eco, name }))
    })
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn every_row_is_a_position_that_is_found() {
        assert!(rows().count() > 3000);
        for (fen, opening) in rows() {
            let position = Position::from_fen(&format!("{fen} 0 1")).unwrap();
            assert_eq!(named(&position), Some(opening), "{fen}");
            let is_whole = !opening.name.is_empty() && opening.eco.len() == 3;
            assert!(is_whole, "{opening:?}");
        }
        assert_eq!(named(&Position::standard()), None);
    }
}
