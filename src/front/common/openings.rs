//! Names of openings, by position. The table comes from lichess-org/chess-openings (CC0), the source of fastchess's own
//! table; see the head of `openings.tsv`.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::chess::{FenDialect, Position};
use crate::referee::GameRecord;

const TABLE: &str = include_str!("openings.tsv");

/// A named opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NamedOpening {
    /// Its code in the Encyclopaedia of Chess Openings.
    pub(crate) eco: &'static str,
    /// Its name; a colon separates it from the name of the variation.
    pub(crate) name: &'static str,
}

impl NamedOpening {
    /// The name, and the name of the variation, if it has one.
    pub(crate) fn parts(self) -> (&'static str, &'static str) {
        self.name.split_once(": ").unwrap_or((self.name, ""))
    }
}

/// The last named position of a game of standard chess.
pub(crate) fn of_game(record: &GameRecord) -> Option<NamedOpening> {
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
    let rows = TABLE.lines().filter(|line| !line.starts_with('#'));
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
            let (name, variation) = opening.parts();
            assert!(
                !name.is_empty() && opening.eco.len() == 3,
                "{name}: {variation}"
            );
        }
        assert_eq!(named(&Position::standard()), None);
    }
}
