//! How near a mate seems to be, for the order in which positions are looked at.
//!
//! Nothing here decides anything: a wrong guess costs time only.

use super::pattern::distance;
use super::reach::around;
use crate::board::Board;
use crate::{Bitboard, Color, PieceKind, Rank, Square};

/// How many guesses there are.
pub(super) const GUESSES: usize = 3;

/// How far a mate seems to be by each guess; less is better.
pub(super) fn promises(board: &Board, winner: Color) -> [usize; GUESSES] {
    let (own, theirs) = (board.king(winner), board.king(!winner));
    let occupied = board.occupied() ^ theirs.bitboard();
    let free = around(theirs) & !board.color(!winner);
    let flights = free
        .into_iter()
        .filter(|&square| !board.is_attacked(square, winner, occupied))
        .count();
    let apart = distance(own, theirs).saturating_sub(2);
    let heavy = !board.straight_sliders(winner).is_empty();
    let promotion = if heavy { 0 } else { promotion(board, winner) };
    let pawns = board.kind(PieceKind::Pawn).len() as usize;
    let pieces = board.color(winner) & !(board.kind(PieceKind::Pawn) | board.kind(PieceKind::King));
    let near = pieces
        .into_iter()
        .map(|piece| distance(piece, theirs))
        .min();
    let quiet = board.side_to_move != winner && board.checkers().is_empty();
    let near = near.unwrap_or(7);
    let quiet = usize::from(quiet);
    let edge = distance_from_edges(theirs);
    let corner = corner_distance(board, winner, theirs);
    [
        3 * flights + 2 * (apart + edge + promotion.min(8)) + pawns + near + 3 * quiet,
        3 * flights + 3 * corner + 2 * apart + near + 3 * quiet + promotion,
        4 * promotion + board.color(!winner).len() as usize + 2 * apart + flights,
    ]
}

/// Steps to a corner in which the winner's pieces can mate: bishops alone only on their colour.
fn corner_distance(board: &Board, winner: Color, king: Square) -> usize {
    let bishops = board.pieces(winner, PieceKind::Bishop);
    let others = board.color(winner) & !(bishops | board.kind(PieceKind::King));
    let corners = Bitboard(0x8100_0000_0000_0081);
    let colours = [Bitboard::DARK, Bitboard::LIGHT];
    let alike = colours
        .into_iter()
        .find(|&colour| others.is_empty() && (bishops & !colour).is_empty());
    let corners = (corners & alike.unwrap_or(Bitboard::ALL)).into_iter();
    corners
        .map(|corner| distance(corner, king))
        .min()
        .unwrap_or(0)
}

/// Moves until a pawn is promoted, with some more for each pawn in its way.
pub(super) fn promotion(board: &Board, color: Color) -> usize {
    let goal = Rank::back(!color).index();
    let cost = |pawn: Square| {
        let steps = pawn.rank().index().abs_diff(goal);
        let file = Bitboard::file(pawn.file());
        let ahead = file
            & match color {
                Color::White => Bitboard(!0 << pawn.index() << 1),
                Color::Black => Bitboard((1 << pawn.index()) - 1),
            };
        let pawns = ahead & board.kind(PieceKind::Pawn);
        let pieces = ahead & board.occupied() & !pawns;
        steps + 4 * pawns.len() as usize + pieces.len() as usize
    };
    let pawns = board.pieces(color, PieceKind::Pawn).into_iter();
    pawns.map(cost).min().unwrap_or(0)
}

fn distance_from_edges(square: Square) -> usize {
    let inwards = |index: usize| index.min(7 - index);
    inwards(square.file().index()) + inwards(square.rank().index())
}
