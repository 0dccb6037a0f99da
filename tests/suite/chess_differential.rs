//! The rules core against others, over random games from random Chess960 and DFRC starts.
//!
//! `super::study` sets the number of positions that are compared.

use std::collections::BTreeSet;

use arbiter960::chess::{CastlingRule, FenDialect, Position, UciDialect};

use super::random::random_game;
use super::slow_rules::{SlowBoard, SlowRule};
use super::study;

const LONGEST_GAME: usize = 160;

/// How many positions to compare; one in this number where the other side is slow.
fn positions_to_compare(one_in: usize) -> usize {
    let count = usize::try_from(study::size(10_000)).unwrap();
    count.div_ceil(one_in)
}

/// Shows positions of random games to `compare`.
fn over_random_games(rule: CastlingRule, count: usize, mut compare: impl FnMut(&Position)) {
    let mut compared = 0;
    let mut seed = study::seed(960);
    while compared < count {
        let last = compared + LONGEST_GAME;
        random_game(seed, rule, |position| {
            compare(position);
            compared += 1;
            compared < count.min(last)
        });
        seed = seed.wrapping_add(1);
    }
}

fn own_moves(position: &Position) -> Vec<String> {
    let moves = position.legal_moves();
    let text = |&mv: &_| position.uci(mv, UciDialect::Chess960).to_string();
    let mut moves: Vec<String> = moves.iter().map(text).collect();
    moves.sort();
    moves
}

#[test]
fn the_same_moves_and_fen_as_cozy_chess() {
    over_random_games(CastlingRule::Fischer, positions_to_compare(1), |position| {
        let fen = position.fen(FenDialect::Shredder);
        let other = cozy_chess::Board::from_fen(&fen, true).unwrap();
        assert_eq!(format!("{other:#}"), fen);
        let mut moves = Vec::new();
        other.generate_moves(|set| {
            moves.extend(set.into_iter().map(|mv| mv.to_string()));
            false
        });
        moves.sort();
        assert_eq!(own_moves(position), moves, "{fen}");
        assert_eq!(position.in_check(), !other.checkers().is_empty(), "{fen}");
        assert_eq!(position.has_legal_move(), !moves.is_empty(), "{fen}");
    });
}

/// Cozy-chess plays along here, so that the two boards part for good if one move goes wrong.
#[test]
fn the_same_boards_as_cozy_chess_along_a_game() {
    let mut other: Option<cozy_chess::Board> = None;
    over_random_games(CastlingRule::Fischer, positions_to_compare(2), |position| {
        let fen = position.fen(FenDialect::Shredder);
        let follows = other.iter().any(|board| {
            let mut reached = false;
            board.generate_moves(|set| {
                reached |= set.into_iter().any(|mv| {
                    let mut next = board.clone();
                    next.play_unchecked(mv);
                    without_en_passant(&format!("{next:#}")) == without_en_passant(&fen)
                });
                reached
            });
            reached
        });
        let is_start = fen.ends_with(" 0 1") && fen.contains(" w ");
        assert!(follows || is_start, "cozy-chess does not reach {fen}");
        other = Some(cozy_chess::Board::from_fen(&fen, true).unwrap());
    });
}

/// Cozy-chess writes the square after every double step next to an enemy pawn.
fn without_en_passant(fen: &str) -> Vec<&str> {
    let mut fields = Vec::from_iter(fen.split(' '));
    fields.remove(3);
    fields
}

#[test]
fn the_same_moves_as_the_slow_rules() {
    for (rule, slow_rule) in [
        (CastlingRule::Fischer, SlowRule::Chess960),
        (CastlingRule::Chess480, SlowRule::Chess480),
        (CastlingRule::Moab, SlowRule::Moab),
    ] {
        over_random_games(rule, positions_to_compare(4), |position| {
            let fen = position.fen(FenDialect::Shredder);
            let slow = SlowBoard::new(&fen, slow_rule);
            assert_eq!(own_moves(position), slow.legal_moves(), "{fen}");
        });
    }
}

#[test]
fn every_move_is_read_as_it_is_written() {
    for rule in [CastlingRule::Fischer, CastlingRule::Moab] {
        over_random_games(rule, positions_to_compare(10), |position| {
            let moves = position.legal_moves();
            for &mv in &moves {
                assert_eq!(position.parse_san(&position.san(mv)), Ok(mv));
                for dialect in [UciDialect::Standard, UciDialect::Chess960] {
                    let text = position.uci(mv, dialect);
                    let read = position.parse_uci(&text, dialect);
                    assert_eq!(read, Ok(mv), "{text} in {position:?}");
                }
            }
            let texts = moves.iter().map(|&mv| position.san(mv).to_string());
            assert_eq!(BTreeSet::from_iter(texts).len(), moves.len());
            let fen = position.fen(FenDialect::XFen);
            assert_eq!(Position::from_fen_with(&fen, rule).as_ref(), Ok(position));
        });
    }
}

#[test]
fn all_squares_with_all_squares_are_judged_as_the_list_says() {
    use arbiter960::chess::{Move, PieceKind, Square};
    over_random_games(
        CastlingRule::Fischer,
        positions_to_compare(200),
        |position| {
            let legal = position.legal_moves();
            let all = || Square::all();
            for (from, to) in all().flat_map(|from| all().map(move |to| (from, to))) {
                let queening = Move::promoting(from, to, PieceKind::Queen);
                for mv in [Move::new(from, to), queening] {
                    assert_eq!(position.is_legal(mv), legal.contains(&mv), "{mv:?}");
                }
            }
        },
    );
}
