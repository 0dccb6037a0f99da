//! Start number and castling rights against the FEN.

use super::{Finding, FindingKind, tag_finding};
use crate::chess::start::{self, StartNumber, Variant};
use crate::chess::{FenDialect, Position};
use crate::pgn::{GameStart, RawGame};

/// Checks what the tags say about the start.
pub(super) fn check(game: &RawGame<'_>, start: &GameStart, found: &mut Vec<Finding>) {
    if let (Some(name), None) = (game.tag("StartVariant"), start.start_variant) {
        let kind = FindingKind::UnknownStartVariant(name.into_owned());
        found.push(tag_finding(game, "StartVariant", 0, kind));
        return;
    }
    if is_another_name(game, start) {
        let kind = FindingKind::CastlingTranscendental;
        found.push(tag_finding(game, "Variant", 0, kind));
    }
    if let Some(kind) = foreign_rights(start) {
        found.push(tag_finding(game, "FEN", 0, kind));
        return;
    }
    if game.tag("FEN").is_none() {
        found.extend(no_start(game, start).map(|kind| tag_finding(game, "Variant", 0, kind)));
        return;
    }
    match game.tag("StartNumber") {
        Some(number) => {
            if let Some(kind) = compare(start, &number) {
                let tag = culprit(&kind);
                found.push(tag_finding(game, tag, 0, kind));
            }
        }
        None => {
            let rights = claimed_variant(start).and_then(|variant| rights_of_start(start, variant));
            found.extend(rights.map(|kind| tag_finding(game, "FEN", 0, kind)));
        }
    }
}

/// Whether double Fischer random is called transcendental chess.
fn is_another_name(game: &RawGame<'_>, start: &GameStart) -> bool {
    let name = game.tag("Variant");
    let begins = |name: &str| name.to_ascii_lowercase().starts_with("transcendental");
    start.variant == Some(Variant::Dfrc) && name.is_some_and(|name| begins(&name))
}

/// Castling rights that the variant does not have. Chess960 under the name of standard chess is common, and not an
/// error: the castling rights then show which is meant.
fn foreign_rights(start: &GameStart) -> Option<FindingKind> {
    let claimed = start.start_variant.or(start.variant)?;
    if claimed == Variant::Standard {
        return None;
    }
    let rights = claimed.check_castling(&start.position);
    rights.err().map(FindingKind::ForeignRights)
}

/// A variant that may begin anywhere, without information on the start.
fn no_start(game: &RawGame<'_>, start: &GameStart) -> Option<FindingKind> {
    let variant = claimed_variant(start)?;
    let has_moves = game.movetext().iter().any(u8::is_ascii_alphabetic);
    (game.tag("StartNumber").is_none() && has_moves).then_some(FindingKind::NoStart(variant))
}

fn culprit(kind: &FindingKind) -> &'static str {
    match kind {
        FindingKind::CastlingRights { .. } => "FEN",
        _ => "StartNumber",
    }
}

/// The variant named by the game, if it has castling rights for kings on the squares of that variant's starts.
fn claimed_variant(start: &GameStart) -> Option<Variant> {
    let claimed = start.start_variant.or(start.variant)?;
    let has_rights = claimed.sends_uci_chess960() || claimed == Variant::Moab;
    has_rights.then_some(claimed)
}

/// Compares the start with the one of the number.
fn compare(start: &GameStart, number: &str) -> Option<FindingKind> {
    let variant = start.numbering();
    let parsed = start::parse_number(variant, number);
    let numbered = parsed.and_then(|claimed| Ok((claimed, start::position(variant, claimed)?)));
    let Ok((claimed, expected)) = numbered else {
        return Some(FindingKind::NoSuchNumber {
            number: number.to_owned(),
            variant,
        });
    };
    let difference = StartDifference::between(&expected, &start.position)?;
    Some(match difference {
        StartDifference::Rights { expected, found } => FindingKind::CastlingRights {
            number: claimed,
            variant,
            expected,
            found,
        },
        StartDifference::Board => {
            let actual = start::number_of(variant, &start.position);
            FindingKind::OtherStart {
                claimed,
                variant,
                actual,
            }
        }
    })
}

/// A position that is one of the variant's starts except for the castling rights.
fn rights_of_start(start: &GameStart, variant: Variant) -> Option<FindingKind> {
    let (number, expected) = start_on_this_board(variant, &start.position)?;
    match StartDifference::between(&expected, &start.position)? {
        StartDifference::Rights { expected, found } => Some(FindingKind::CastlingRights {
            number,
            variant,
            expected,
            found,
        }),
        StartDifference::Board => None,
    }
}

/// The start with the same pieces on the same squares.
fn start_on_this_board(variant: Variant, position: &Position) -> Option<(StartNumber, Position)> {
    let fen = position.fen(FenDialect::XFen);
    let board = fen.split(' ').next()?;
    let rights = match variant {
        Variant::Moab => "Mm",
        _ => "KQkq",
    };
    let all_rights = format!("{board} w {rights} - 0 1");
    let with_rights = Position::from_fen_with(&all_rights, variant.castling_rule()).ok()?;
    let number = start::number_of(variant, &with_rights)?;
    Some((number, with_rights))
}

/// How a position differs from a start; the counters do not matter.
enum StartDifference {
    Board,
    Rights { expected: String, found: String },
}

impl StartDifference {
    fn between(expected: &Position, found: &Position) -> Option<StartDifference> {
        let [expected, found] = [expected, found].map(|position| position.fen(FenDialect::XFen));
        let fields = |fen: &str| {
            fen.split(' ')
                .map(str::to_owned)
                .take(4)
                .collect::<Vec<_>>()
        };
        let (expected, found) = (fields(&expected), fields(&found));
        let same = |field: usize| expected.get(field) == found.get(field);
        match (same(0) && same(1) && same(3), same(2)) {
            (true, true) => None,
            (true, false) => Some(StartDifference::Rights {
                expected: expected[2].clone(),
                found: found[2].clone(),
            }),
            (false, _) => Some(StartDifference::Board),
        }
    }
}
