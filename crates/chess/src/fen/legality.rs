//! What no game can lead to. Each refusal has a name in [`FenError`].

use super::error::FenError;
use crate::board::Board;
use crate::{Bitboard, Color, Piece, PieceKind, Rank, Square};

/// Kings, pawns on edges, too many pieces. Composed positions may have pieces that no pawn can
/// have become, but at most ten queens and pawns and three rooks: so their moves fit into a list.
pub(super) fn check_men(board: &Board, composed: bool) -> Result<(), FenError> {
    for color in Color::ALL {
        let found = board.pieces(color, PieceKind::King).len();
        if found != 1 {
            return Err(FenError::KingCount { color, found });
        }
        let edges = Bitboard::rank(Rank::ALL[0]) | Bitboard::rank(Rank::ALL[7]);
        if let Some(square) = (board.pieces(color, PieceKind::Pawn) & edges).first() {
            return Err(FenError::PawnOnEdge { color, square });
        }
        check_numbers(board, color, composed)?;
    }
    Ok(())
}

/// Every piece beyond a queen and two of each other kind was a pawn once. Bishops are counted without regard to the
/// colour of their squares, because shuffle chess begins with any two.
fn check_numbers(board: &Board, color: Color, composed: bool) -> Result<(), FenError> {
    let count = |kind| board.pieces(color, kind).len();
    let (pieces, pawns) = (board.color(color).len(), count(PieceKind::Pawn));
    if pawns > 8 {
        return Err(FenError::TooManyPawns {
            color,
            found: pawns,
        });
    }
    if pieces > 16 {
        return Err(FenError::TooManyPieces {
            color,
            found: pieces,
        });
    }
    let promoted: u32 = [
        (PieceKind::Knight, 2),
        (PieceKind::Bishop, 2),
        (PieceKind::Rook, 2),
        (PieceKind::Queen, 1),
    ]
    .map(|(kind, original)| count(kind).saturating_sub(original))
    .iter()
    .sum();
    let missing = 8 - pawns;
    let (queens, rooks) = (count(PieceKind::Queen), count(PieceKind::Rook));
    let few = queens + pawns <= 10 && rooks <= 3;
    if promoted > missing && !(composed && few) {
        return Err(FenError::TooManyPromoted {
            color,
            promoted,
            missing,
        });
    }
    Ok(())
}

/// Checks that no last move explains.
pub(super) fn check_checks(board: &Board) -> Result<(), FenError> {
    let (us, them) = (board.side_to_move, !board.side_to_move);
    let given = board.attackers(board.king(them), us, board.occupied());
    if let Some(checker) = given.first() {
        return Err(FenError::OpponentInCheck {
            color: them,
            checker,
        });
    }
    let checkers = board.checkers();
    if checkers.len() > 2 {
        return Err(FenError::TooManyCheckers {
            color: us,
            found: checkers.len(),
        });
    }
    match (checkers.first(), checkers.last()) {
        (Some(first), Some(second))
            if first != second && !may_check_together(board, first, second) =>
        {
            Err(FenError::ImpossibleDoubleCheck {
                color: us,
                first,
                second,
            })
        }
        _ => Ok(()),
    }
}

/// Of two checks by one move one at least is uncovered, so it is a slider's.
///
/// Two sliders that check along one line from both sides of the king cannot arise either, but
/// widely used perft suites hold such positions, so they are read.
fn may_check_together(board: &Board, first: Square, second: Square) -> bool {
    let them = !board.side_to_move;
    let sliders = board.diagonal_sliders(them) | board.straight_sliders(them);
    sliders.contains(first) || sliders.contains(second)
}

/// A square behind a pawn that can have made a double step just now.
pub(super) fn check_en_passant(board: &Board, square: Square) -> Result<(), FenError> {
    let (us, them) = (board.side_to_move, !board.side_to_move);
    let rank = Rank::ALL[5].seen_by(us);
    if square.rank() != rank {
        return Err(FenError::EnPassantRank {
            square,
            color: us,
            rank,
        });
    }
    let pawn = Square::new(square.file(), Rank::ALL[4].seen_by(us));
    let home = Square::new(square.file(), Rank::ALL[6].seen_by(us));
    if !board.pieces(them, PieceKind::Pawn).contains(pawn) {
        return Err(FenError::EnPassantPawn {
            square,
            color: them,
            pawn,
        });
    }
    for occupied in [square, home] {
        if let Some(piece) = board.piece_at(occupied) {
            return Err(FenError::EnPassantBlocked {
                square,
                occupied,
                piece,
            });
        }
    }
    let mut before = *board;
    before.clear(pawn);
    before.put(
        Piece {
            color: them,
            kind: PieceKind::Pawn,
        },
        home,
    );
    if before.checkers().is_empty() {
        Ok(())
    } else {
        Err(FenError::EnPassantCheck { square, color: us })
    }
}
