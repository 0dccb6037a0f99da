//! The start position and the rules of a game.

use std::borrow::Cow;

use super::RawGame;
use crate::chess::start::{self, Variant};
use crate::chess::{CastlingRule, Position};

/// What the tags say about the start of a game.
#[derive(Debug, Clone)]
pub struct GameStart {
    /// The start position.
    pub position: Position,
    /// The variant of the tag `Variant`; `None` without the tag. "Transcendental" with castling rights is double
    /// Fischer random, by the name of the correspondence server FICGS.
    pub variant: Option<Variant>,
    /// The variant of the tag `StartVariant`, which defines how starts are numbered.
    pub start_variant: Option<Variant>,
}

/// Why the start cannot be determined: a variant with other pieces, another board or another aim, no legal position, or
/// only a start number that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{words}")]
pub struct StartTagError {
    /// The tag that is wrong.
    pub tag: &'static str,
    /// What is wrong with it.
    pub words: String,
}

impl GameStart {
    /// Reads the tags of a game.
    pub(super) fn from_tags(game: &RawGame<'_>) -> Result<GameStart, StartTagError> {
        let known = |name: Cow<'_, str>| {
            let unknown = || wrong("Variant", format!("variant \"{name}\" is not played here"));
            named_variant(&name).ok_or_else(unknown)
        };
        let variant = game.tag("Variant").map(known).transpose()?;
        let start_variant = game.tag("StartVariant");
        let start_variant = start_variant.and_then(|name| named_variant(&name));
        let variant = match variant {
            Some(Variant::Transcendental) if start_variant.is_none() && may_castle(game) => {
                Some(Variant::Dfrc)
            }
            variant => variant,
        };
        let numbering = start_variant.or(variant).unwrap_or(Variant::Chess960);
        let position = match (game.tag("FEN"), game.tag("StartNumber")) {
            (Some(fen), _) => {
                Position::from_fen_with(fen.trim(), castling_rule(variant, start_variant))
                    .map_err(|error| wrong("FEN", format!("FEN: {error}")))?
            }
            (None, Some(number)) => numbered_position(numbering, &number)?,
            (None, None) if variant == Some(Variant::Moab) => {
                numbered_position(Variant::Moab, "518/518")?
            }
            (None, None) => Position::standard(),
        };
        Ok(GameStart {
            position,
            variant,
            start_variant,
        })
    }

    /// The variant that defines the start numbers of this game: `StartVariant`, otherwise `Variant`, otherwise
    /// Chess960.
    pub fn numbering(&self) -> Variant {
        let named = self.start_variant.or(self.variant);
        let numbered = named.filter(|&variant| variant != Variant::Standard);
        numbered.unwrap_or(Variant::Chess960)
    }
}

/// Whether the tag `FEN` has castling rights.
fn may_castle(game: &RawGame<'_>) -> bool {
    let fen = game.tag("FEN").unwrap_or_default();
    let rights = fen.split_whitespace().nth(2);
    rights.is_some_and(|rights| rights != "-")
}

/// The castling rule. Chess480 castles in its own way, kings evacuate in Moab chess; all other variants castle as
/// Chess960, which includes orthodox castling.
fn castling_rule(variant: Option<Variant>, start_variant: Option<Variant>) -> CastlingRule {
    let named = [variant, start_variant].into_iter().flatten();
    let mut rules = named.map(Variant::castling_rule);
    let other = rules.find(|rule| *rule != CastlingRule::Fischer);
    other.unwrap_or(CastlingRule::Fischer)
}

fn numbered_position(variant: Variant, number: &str) -> Result<Position, StartTagError> {
    let found = start::parse_number(variant, number.trim());
    let position = found.and_then(|found| start::position(variant, found));
    position.map_err(|_| {
        let words = format!("start number \"{number}\" does not exist");
        wrong("StartNumber", words)
    })
}

fn wrong(tag: &'static str, words: String) -> StartTagError {
    StartTagError { tag, words }
}

/// The variant with this name in PGN files; case, blanks, hyphens, underscores and apostrophes are ignored. `None` for games with
/// other rules.
pub(super) fn named_variant(name: &str) -> Option<Variant> {
    let plain = |character: &char| !matches!(character, ' ' | '-' | '_' | '\'' | '’');
    let name: String = name.chars().filter(plain).collect();
    let name = name.to_ascii_lowercase();
    Some(match name.as_str() {
        "" | "?" | "standard" | "normal" | "chess" | "orthodox" | "classical" | "regular"
        | "fromposition" | "nocastle" | "nocastling" => Variant::Standard,
        "chess960" | "960" | "fischerandom" | "fischerrandom" | "fischerandomchess"
        | "fischerrandomchess" | "fischer" | "frc" | "freestyle" | "freestylechess" | "frchess"
        | "chess9lx" | "9lx" => Variant::Chess960,
        "dfrc"
        | "chess960dfrc"
        | "doublefischerandom"
        | "doublefischerrandom"
        | "doublefischerrandomchess" => Variant::Dfrc,
        "chess480" | "480" => Variant::Chess480,
        "shuffle" | "shufflechess" | "wild" | "wildchess" => Variant::Shuffle,
        "transcendental" | "transcendentalchess" => Variant::Transcendental,
        "corner" | "cornerchess" | "kingscorner" | "kingscornerchess" => Variant::Corner,
        "chess256" | "256" | "randompawns" | "randompawnschess" => Variant::Chess256,
        "moab" | "moabchess" | "moabrandom" | "moabrandomchess" => Variant::Moab,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Color;
    use crate::pgn::PgnReader;

    fn start(tags: &str) -> Result<GameStart, StartTagError> {
        let mut reader = PgnReader::new(tags.as_bytes());
        reader
            .next_game()
            .expect("a game")
            .expect("a good one")
            .start()
    }

    #[test]
    fn every_spelling_of_chess960() {
        for name in [
            "Chess960",
            "chess 960",
            "Fischerandom",
            "Fischer Random",
            "FRC",
            "Freestyle",
            "Chess-960",
        ] {
            assert_eq!(named_variant(name), Some(Variant::Chess960), "{name}");
        }
        assert_eq!(named_variant("Atomic"), None);
        for (name, variant) in [
            ("FR Chess", Variant::Chess960),
            ("Wild Chess", Variant::Shuffle),
            ("King's Corner chess", Variant::Corner),
            ("Random pawns chess", Variant::Chess256),
        ] {
            assert_eq!(named_variant(name), Some(variant), "{name}");
        }
    }

    #[test]
    fn a_tag_in_single_quotes_is_a_tag() {
        let tags = "[Variant 'Fischerandom']\n[FEN '4k3/8/8/8/8/8/8/R3K3 w A - 0 1']";
        let start = start(tags).expect("a legal position");
        assert_eq!(start.variant, Some(Variant::Chess960));
        assert_ne!(start.position, Position::standard());
    }

    #[test]
    fn the_last_fen_counts() {
        let fen =
            "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w A - 0 1\"]";
        let start = start(fen).expect("a legal position");
        assert_eq!(
            start.position,
            Position::from_fen("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1").unwrap()
        );
    }

    #[test]
    fn a_start_number_alone_is_enough() {
        let start =
            start("[Variant \"chess 960\"]\n[StartNumber \"518\"]").expect("a legal position");
        assert_eq!(start.position, Position::standard());
        assert_eq!(start.numbering(), Variant::Chess960);
    }

    #[test]
    fn chess480_castles_in_its_own_way() {
        let rule = |tags: &str| {
            start(tags)
                .expect("a legal position")
                .position
                .castling_rule()
        };
        let fen = "[FEN \"4k3/8/8/8/8/8/8/R3K3 w A - 0 1\"]";
        assert_eq!(
            rule(&format!("[Variant \"Chess480\"]\n{fen}")),
            CastlingRule::Chess480
        );
        assert_eq!(rule(fen), CastlingRule::Fischer);
    }

    #[test]
    fn moab_chess_evacuates_whatever_the_tags_say_of_its_start() {
        for tags in [
            "[Variant \"Moab\"]",
            "[StartVariant \"moab\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w M - 0 1\"]",
            "[Variant \"Moab Random Chess\"]\n[StartNumber \"2879/0\"]",
        ] {
            let position = start(tags).expect("a legal position").position;
            assert!(position.may_evacuate(Color::White), "{tags}");
        }
        let castling = "[Variant \"Moab\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]";
        assert_eq!(start(castling).expect_err("no castling").tag, "FEN");
    }

    #[test]
    fn what_is_wrong_is_named() {
        let wrong = |tags| start(tags).expect_err("wrong").tag;
        assert_eq!(wrong("[Variant \"Crazyhouse\"]"), "Variant");
        assert_eq!(wrong("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]"), "FEN");
        assert_eq!(wrong("[StartNumber \"960\"]"), "StartNumber");
    }
}
