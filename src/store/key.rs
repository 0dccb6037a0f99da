//! Which game a row is about: its key and who played, the same in all tables of games; and columns of JSON.

use rusqlite::Row;
use rusqlite::types::Type;
use serde::de::DeserializeOwned;

use crate::chess::{CastlingRule, Color};
use crate::event::{GameId, PairId, Seat};
use crate::referee::{FaultKind, Outcome, VoidReason};
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
    let mut all = Outcome::all_finished();
    all.find(|outcome| outcome.white_score() == Some(white) && outcome.reason() == reason)
}

/// White's score from the half points in a row.
pub(super) fn score(row: &Row<'_>, column: usize) -> rusqlite::Result<GameScore> {
    let score = GameScore::from_half_points(row.get(column)?);
    score.ok_or_else(|| unknown(column, "white_half_points"))
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

/// A side and the kind of its fault, by their words in the columns from this one on.
pub(super) fn fault(row: &Row<'_>, first: usize) -> rusqlite::Result<Option<(Color, FaultKind)>> {
    let [side, kind] = [row.get_ref(first)?, row.get_ref(first + 1)?];
    let (Some(side), Some(kind)) = (side.as_str_or_null()?, kind.as_str_or_null()?) else {
        return Ok(None);
    };
    let side = Color::ALL
        .into_iter()
        .find(|color| color.to_string() == side);
    let kind = FaultKind::ALL
        .into_iter()
        .find(|known| known.reason() == kind);
    Ok(side.zip(kind))
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
    use CastlingRule::{Chess480, Fischer, Moab};
    let mut rules = [Fischer, Chess480, Moab].into_iter();
    rules.find(|rule| castling_word(*rule) == word)
}

/// The error about an unknown word in this column.
pub(super) fn unknown(column: usize, name: &str) -> rusqlite::Error {
    rusqlite::Error::InvalidColumnType(column, name.to_owned(), Type::Text)
}

/// A value that a column has as JSON.
pub(super) fn json<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    let parsed = serde_json::from_str(row.get_ref(column)?.as_str()?);
    parsed.map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(column, Type::Text, Box::new(error))
    })
}

/// A number that is never negative.
pub(super) fn unsigned(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    row.get::<_, i64>(column).map(i64::cast_unsigned)
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
