//! The stable words in the columns, and their meanings.

use crate::chess::{CastlingRule, Color};
use crate::referee::{DrawnBy, FaultKind, Outcome, VoidReason, WonBy};
use crate::stats::counts::GameScore;
use rusqlite::Row;

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
