//! Known positions, and random ones against an exhaustive look at all that can follow.

use super::relaxed::never_mates_closed;
use super::search::PositionStore;
use super::*;
use crate::board::Board;
use crate::generate::legal_moves;
use crate::position::forget_useless_en_passant;
use crate::random::Random;
use crate::{File, Piece, Rank, Square};

fn cannot_win(fen: &str) -> (bool, bool) {
    let position = Position::from_fen(fen).unwrap();
    (
        position.cannot_win(Color::White),
        position.cannot_win(Color::Black),
    )
}

#[test]
fn material() {
    for (fen, white, black) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", true, true),
        ("3qk3/8/8/8/8/8/8/4K3 w - - 0 1", true, false),
        ("3rk3/8/8/8/8/8/8/3NK3 w - - 0 1", false, false),
        ("3rk3/8/8/8/8/8/8/3BK3 w - - 0 1", true, false),
        ("2b1k3/8/8/8/8/8/8/3BK3 w - - 0 1", true, true),
        ("3bk3/8/8/8/8/8/8/3BK3 w - - 0 1", false, false),
        ("4k3/7p/8/8/8/8/8/3BK3 w - - 0 1", false, false),
        ("4k3/8/8/8/8/8/8/2NNK3 w - - 0 1", false, true),
    ] {
        assert_eq!(cannot_win(fen), (white, black), "{fen}");
    }
}

#[test]
fn walls() {
    let wall = "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4K3 w - - 0 1";
    assert_eq!(cannot_win(wall), (true, true));
    // With the king behind the wall, or with a gap, pawns fall.
    let behind = "4k3/2K5/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/8 w - - 0 1";
    assert_eq!(cannot_win(behind), (false, false));
    let gap = "4k3/8/1p1p1p2/pPpPpP2/P1P1P3/8/8/4K3 w - - 0 1";
    assert_eq!(cannot_win(gap), (false, false));
}

#[test]
fn forced_lines() {
    // The king must take the queen, and a lone king is left on either side.
    let forced = "k7/8/8/8/8/8/1q6/K7 w - - 0 1";
    assert_eq!(cannot_win(forced), (true, true));
    let mated = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
    assert_eq!(cannot_win(mated), (false, true));
}

#[test]
fn a_store_gives_back_what_was_put_into_it() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w Kq d6 0 1",
        "8/2Q3n1/b2k4/8/8/4K3/p4r2/8 b - - 0 1",
    ] {
        let position = Position::from_fen(fen).unwrap();
        let board = *position.board();
        let mut store = PositionStore::new(&board);
        assert_eq!(store.board(0), board, "{fen}");
        let mv = position.legal_moves()[0];
        assert_eq!(store.add(&board, 0, mv), None);
        let next = board.after(mv);
        assert_eq!(store.add(&next, 0, mv), Some(1));
        assert_eq!(store.board(1), next);
        assert_eq!(store.line(1), [mv]);
    }
}

#[test]
fn closed_positions() {
    for fen in [
        // The white king has two squares. To take the pawn on a5 the black king must step to b5,
        // and takes the last move from it.
        "8/8/p3b3/P1p3k1/2p5/KpP5/1P6/8 w - - 0 1",
        // A bishop behind its own pawns, and a king that cannot come to them without stalemate.
        "k1b5/1p1p4/1P1P4/8/3B4/8/8/6K1 w - - 0 1",
    ] {
        let position = Position::from_fen(fen).unwrap();
        for color in Color::ALL {
            assert!(
                !is_proved_unable_to_mate(position.board(), color),
                "{fen}: proved without a search"
            );
            assert_eq!(
                position.winnability(color, 1_000),
                Winnability::Unwinnable,
                "{fen}"
            );
        }
    }
}

#[test]
fn mates_with_much_help() {
    for (fen, winner) in [
        // Only in the corner, with both of White's bishops in the way of the king.
        (
            "8/4k3/8/1p1p1p1p/1P1P1PbP/2B5/3B4/4K3 w - - 0 1",
            Color::Black,
        ),
        ("8/p7/8/8/1k6/8/P7/K7 w - - 0 1", Color::White),
        ("8/5k2/8/8/8/8/1b6/KN6 w - - 0 1", Color::White),
    ] {
        let position = Position::from_fen(fen).unwrap();
        let Winnability::Winnable(moves) = position.winnability(winner, 100_000) else {
            panic!("no mate found: {fen}");
        };
        let mut end = position;
        for mv in moves {
            assert!(end.is_legal(mv), "{fen}: {mv}");
            end.play(mv);
        }
        assert!(end.in_check() && !end.has_legal_move() && end.side_to_move() == !winner);
    }
}

/// Pairs of pawns that block each other, kings, and a bishop or none.
fn random_wall(random: &mut Random) -> Option<Position> {
    let mut board = Board::empty(crate::CastlingRule::Fischer);
    let mut put = |color, kind, square: Square| {
        if board.piece_at(square).is_none() {
            board.put(Piece { color, kind }, square);
        }
    };
    let mut below = |bound: usize| random.below(bound as u64) as usize;
    for (file, square) in (0..8).zip(File::ALL) {
        if below(9) > 0 {
            let rank = 2 + (file + below(2)) % 3;
            put(
                Color::White,
                PieceKind::Pawn,
                Square::new(square, Rank::ALL[rank]),
            );
            put(
                Color::Black,
                PieceKind::Pawn,
                Square::new(square, Rank::ALL[rank + 1]),
            );
        }
    }
    let mut anywhere = || Square::new(File::ALL[below(8)], Rank::ALL[below(8)]);
    put(Color::White, PieceKind::King, anywhere());
    put(Color::Black, PieceKind::King, anywhere());
    if anywhere().is_dark() {
        put(Color::White, PieceKind::Bishop, anywhere());
    }
    let fen = Position::new(board, 0, 1).fen(crate::FenDialect::XFen);
    Position::from_fen(&fen).ok()
}

/// Whether a mate by a side can follow; `None` if more than `most` positions can.
fn mate_can_follow(start: &Board, winner: Color, most: u32) -> Option<bool> {
    let mut store = PositionStore::new(start);
    let (mut next, mut found) = (0, 1);
    while next < found {
        let board = store.board(next);
        let moves = legal_moves(&board, Bitboard::ALL);
        if moves.is_empty() && board.side_to_move != winner && !board.checkers().is_empty() {
            return Some(true);
        }
        for &mv in &moves {
            let mut after = board.after(mv);
            forget_useless_en_passant(&mut after);
            found += u32::from(store.add(&after, next, mv).is_some());
        }
        if found > most {
            return None;
        }
        next += 1;
    }
    Some(false)
}

#[test]
fn no_mate_follows_where_a_closed_position_is_said_to_have_none() {
    let mut random = Random::new(11);
    let (mut explored, mut beyond_squares) = (0, 0);
    for _ in 0..8_000 {
        let Some(position) = random_wall(&mut random) else {
            continue;
        };
        let board = position.board();
        for winner in Color::ALL {
            if !never_mates_closed(board, winner, 2_000) {
                continue;
            }
            let Some(mate) = mate_can_follow(board, winner, 10_000) else {
                continue;
            };
            let fen = position.fen(crate::FenDialect::XFen);
            assert!(!mate, "{winner} mates in {fen}");
            explored += 1;
            beyond_squares += u32::from(!is_proved_unable_to_mate(board, winner));
        }
    }
    assert!(
        explored > 50 && beyond_squares > 0,
        "{explored} explored, {beyond_squares} only so"
    );
}
