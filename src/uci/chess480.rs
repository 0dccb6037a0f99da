//! Chess480 for engines that read variants from a file, as Fairy-Stockfish does.
//!
//! Such a file fixes the files on which a castling king lands. In Chess480 they depend on where
//! the king begins, so there is a variant for each of its files, b to g, and the runner chooses
//! one for every game. Castling is sent as in Chess960: king takes own rook.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::chess::{CastlingRule, CastlingSide, Color, File, Position};

/// The option that takes the path of a file with variants.
pub const VARIANTS_FILE_OPTION: &str = "VariantPath";

/// The option that chooses a variant.
pub const VARIANT_OPTION: &str = "UCI_Variant";

/// The text of the file: a section for every file on which the king may begin.
///
/// The rook goes to the square next to the king, on the side from which the king came: the engine
/// does so by itself, and it is also the rule of Chess480.
pub fn chess480_variants() -> String {
    let mut text = "# Chess480: the king castles two squares towards the rook\n".to_owned();
    for king in king_files() {
        let landing = |rook: File| CastlingRule::Chess480.king_landing(king, rook).letter();
        let [a, h] = [File::ALL[0], File::ALL[7]].map(landing);
        let name = variant_name(king);
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "\n[{name}:chess]\ncastlingKingsideFile = {h}\ncastlingQueensideFile = {a}\n"
        );
    }
    text
}

/// The variant in [`chess480_variants`] for a game from this position; `None` if no variant fits,
/// because the kings that may castle are on different files, or on a or h.
pub fn chess480_variant(start: &Position) -> Option<String> {
    let castles = |color: &Color| {
        let sides = [CastlingSide::KingSide, CastlingSide::QueenSide];
        let mut rooks = sides
            .map(|side| start.castling_rook(*color, side))
            .into_iter();
        rooks.any(|rook| rook.is_some())
    };
    let file = |color: Color| start.king(color).file().index();
    let files: BTreeSet<usize> = Color::ALL.into_iter().filter(castles).map(file).collect();
    let mut files = files.into_iter();
    match (files.next(), files.next()) {
        // Nobody castles: every variant is the same chess.
        (None, _) => king_files().next().map(variant_name),
        (Some(only), None) => king_files()
            .find(|king| king.index() == only)
            .map(variant_name),
        _ => None,
    }
}

/// The files on which a king between two rooks can be.
fn king_files() -> impl Iterator<Item = File> {
    File::ALL.into_iter().skip(1).take(6)
}

fn variant_name(king: File) -> String {
    format!("chess480{}", king.letter())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_for_every_file_of_the_king() {
        let text = chess480_variants();
        let landings: Vec<&str> = text
            .lines()
            .filter_map(|line| line.split(" = ").nth(1))
            .collect();
        // King's side and queen's side for b to g; b and g change places with the corner.
        assert_eq!(landings.concat(), "daeafbgchdhe");
        assert_eq!(text.matches(":chess]").count(), 6);
    }

    #[test]
    fn the_variant_is_that_of_the_kings_that_may_castle() {
        let variant = |fen: &str| {
            chess480_variant(&Position::from_fen_with(fen, CastlingRule::Chess480).unwrap())
        };
        assert_eq!(
            variant("1rkr4/8/8/8/8/8/8/1RKR4 w BDbd - 0 1").unwrap(),
            "chess480c"
        );
        assert_eq!(
            variant("6k1/8/8/8/8/8/8/1RKR4 b BD - 0 1").unwrap(),
            "chess480c"
        );
        assert!(variant("6k1/8/8/8/8/8/8/1RKR4 w - - 0 1").is_some());
        assert_eq!(variant("3rk3/8/8/8/8/8/8/1RKR4 w Dd - 0 1"), None);
        assert_eq!(variant("6k1/8/8/8/8/8/8/K2R4 w D - 0 1"), None);
    }
}
