//! Which game a row is about: its key and who played, the same in all tables of games; and columns of JSON.

use rusqlite::Row;
use rusqlite::types::Type;
use serde::de::DeserializeOwned;

use crate::chess::{CastlingRule, Color, StartNumber};
use crate::event::{GameId, PairId, Seat};
use crate::referee::{DrawnBy, FaultKind, Outcome, VoidReason, WonBy};
use crate::stats::counts::GameScore;

/// Added to the column `pair` of a game for each decision of the arbiter to play it again: keys stay unique, and no row
/// is ever changed.
const REPLAY: u64 = 1 << 40;

/// The value of the column `pair` for a playing of a game.
pub(super) fn pair_column(id: GameId, playing: u32) -> i64 {
    (id.pair.0 + u64::from(playing) * REPLAY).cast_signed()
}

/// The pair and the playing, from the column `pair`.
pub(super) fn of_pair_column(column: i64) -> (PairId, u32) {
    let column = column.cast_unsigned();
    (PairId(column % REPLAY), (column / REPLAY) as u32)
}

/// Columns 0 to 8 of a row with a whole game or a result.
pub(super) struct RowKey {
    /// The place in the order of finishing or of voiding, from 1.
    pub order: u64,
    pub id: GameId,
    /// Which playing of the game; 0 unless the arbiter had it played again.
    pub playing: u32,
    pub cycle: u32,
    pub number: Option<StartNumber>,
    pub seats: [Seat; 2],
}

impl RowKey {
    pub(crate) fn read(row: &Row<'_>) -> rusqlite::Result<RowKey> {
        Ok(RowKey {
            order: row.get::<_, i64>(0)?.cast_unsigned(),
            id: game_id(row, 1)?,
            playing: of_pair_column(row.get(1)?).1,
            cycle: row.get(3)?,
            number: row.get::<_, Option<u32>>(4)?.map(StartNumber),
            seats: seats(row, 5)?,
        })
    }
}

/// The columns `pair` and `game`, from this one on.
pub(super) fn game_id(row: &Row<'_>, first: usize) -> rusqlite::Result<GameId> {
    Ok(GameId {
        pair: of_pair_column(row.get(first)?).0,
        game: row.get(first + 1)?,
    })
}

/// The columns `white_engine`, `white_copy`, `black_engine` and `black_copy`, from this one on.
pub(super) fn seats(row: &Row<'_>, first: usize) -> rusqlite::Result<[Seat; 2]> {
    let seat = |column| -> rusqlite::Result<Seat> {
        Ok(Seat {
            engine: row.get(column)?,
            copy: row.get(column + 1)?,
        })
    };
    Ok([seat(first)?, seat(first + 2)?])
}

/// The outcome of a finished game from White's score and the reason's word.
pub(crate) fn outcome(white: GameScore, reason: &str) -> Option<Outcome> {
    match white {
        GameScore::Win => won(Color::White, reason),
        GameScore::Draw => drawn(reason),
        GameScore::Loss => won(Color::Black, reason),
    }
}

/// White's score from the half points in a row.
pub(super) fn score(row: &Row<'_>, column: usize) -> rusqlite::Result<GameScore> {
    let score = GameScore::from_half_points(row.get(column)?);
    score.ok_or_else(|| unknown(column, "white_half_points"))
}

fn won(by: Color, reason: &str) -> Option<Outcome> {
    let on_board = WonBy::WITHOUT_FAULT
        .into_iter()
        .find(|how| Outcome::Won { by, how: *how }.reason() == reason);
    let how = on_board.or_else(|| fault_kind(reason).map(WonBy::Forfeit))?;
    Some(Outcome::Won { by, how })
}

fn drawn(reason: &str) -> Option<Outcome> {
    let usual = DrawnBy::WITHOUT_FAULT
        .into_iter()
        .find(|how| Outcome::Drawn(*how).reason() == reason);
    let how = usual.or_else(|| fault_kind(reason).map(DrawnBy::ForfeitAgainstNoMate))?;
    Some(Outcome::Drawn(how))
}

/// Why a game was voided, from the reason's word and its detail.
pub(crate) fn void_reason(word: &str, detail: Option<String>) -> Option<VoidReason> {
    let reasons = [
        VoidReason::Interrupted,
        VoidReason::FaultReplayed,
        VoidReason::HostFault(detail.unwrap_or_default()),
    ];
    let mut reasons = reasons.into_iter();
    reasons.find(|reason| Outcome::Void(reason.clone()).reason() == word)
}

/// The kind of fault with this word.
pub(crate) fn fault_kind(word: &str) -> Option<FaultKind> {
    FaultKind::ALL
        .into_iter()
        .find(|kind| kind.reason() == word)
}

/// A colour's word.
pub(crate) fn color_word(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// The colour with this word.
pub(crate) fn color(word: &str) -> Option<Color> {
    Color::ALL
        .into_iter()
        .find(|color| color_word(*color) == word)
}

/// A castling rule's word.
pub(crate) fn castling_word(rule: CastlingRule) -> &'static str {
    match rule {
        CastlingRule::Fischer => "fischer",
        CastlingRule::Chess480 => "chess480",
        CastlingRule::Moab => "moab",
    }
}

/// The castling rule with this word.
pub(crate) fn castling(word: &str) -> Option<CastlingRule> {
    let rules = [
        CastlingRule::Fischer,
        CastlingRule::Chess480,
        CastlingRule::Moab,
    ];
    rules.into_iter().find(|rule| castling_word(*rule) == word)
}

/// The error about an unknown word in this column.
pub(super) fn unknown(column: usize, name: &str) -> rusqlite::Error {
    rusqlite::Error::InvalidColumnType(column, name.to_owned(), rusqlite::types::Type::Text)
}

/// A value that a column has as JSON.
pub(super) fn json<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    let parsed = serde_json::from_str(row.get_ref(column)?.as_str()?);
    parsed.map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(column, Type::Text, Box::new(error))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outcome_comes_back_from_its_words() {
        for outcome_before in Outcome::all_finished() {
            let points = outcome_before.white_score().unwrap();
            let back = outcome(points, outcome_before.reason());
            assert_eq!(back, Some(outcome_before));
        }
    }

    #[test]
    fn unknown_words_mean_nothing() {
        assert_eq!(outcome(GameScore::Draw, "boredom"), None);
        assert_eq!(outcome(GameScore::Draw, "checkmate"), None);
    }
}
