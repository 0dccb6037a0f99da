//! A position's value: tables, and the captures that they leave out.
//!
//! What a table stores for a position may take account of captures or not: whatever compresses
//! better. Captures in passing are in no table. So captures are played out first, and the better one
//! counts; where every legal move is one, the table is not asked.

use super::index::TableBoard;
use super::material::Material;
use super::table::{EndgameTable, Metric, TablePart};
use super::{Damage, Syzygy};
use crate::chess::{CastlingSide, Color, Move, PieceKind, Position};
use crate::tablebase::{Dtz, Wdl};

/// Who wins, with the counter of the fifty moves at zero.
pub(super) fn wdl(tables: &Syzygy, position: &Position) -> Option<Wdl> {
    Some(best(tables, position, false)?.wdl)
}

/// How far the next capture, pawn move or mate is.
pub(super) fn dtz(tables: &Syzygy, position: &Position) -> Option<Dtz> {
    let best = best(tables, position, true)?;
    if best.wdl == Wdl::Draw {
        return None;
    }
    if best.by_following {
        return Some(best.wdl.before_zeroing());
    }
    let stored = stored_dtz(tables, position, best.wdl)?;
    stored.or_else(|| after_one_move(tables, position, best.wdl))
}

struct Best {
    wdl: Wdl,
    /// A move that was played out gets it.
    by_following: bool,
}

/// Captures, and where wanted pawn moves, are played out before the table is asked.
fn best(tables: &Syzygy, position: &Position, with_pawns: bool) -> Option<Best> {
    if !is_in_reach(tables, position) {
        return None;
    }
    let found = |wdl, by_following| Some(Best { wdl, by_following });
    let moves = position.legal_moves();
    if moves.is_empty() {
        let is_mate = position.in_check();
        return found(if is_mate { Wdl::Loss } else { Wdl::Draw }, false);
    }
    let follows = |mv: &&Move| {
        let pawn = position.by_kind(PieceKind::Pawn).contains(mv.from());
        position.is_capture(**mv) || pawn && with_pawns
    };
    let (mut highest, mut count) = (None, 0);
    for &mv in moves.iter().filter(follows) {
        count += 1;
        let value = -wdl(tables, &position.after(mv))?;
        highest = highest.max(Some(value));
        if value == Wdl::Win {
            break;
        }
    }
    match highest {
        Some(Wdl::Win) => return found(Wdl::Win, true),
        Some(wdl) if count == moves.len() => return found(wdl, true),
        _ => {}
    }
    let stored = stored_wdl(tables, position)?;
    match highest {
        // Where both are lost, the table's way is as long or longer.
        Some(wdl) if wdl >= stored => found(wdl, wdl > Wdl::Draw),
        _ => found(stored, false),
    }
}

/// Whether a table can say anything: not too many men, nobody may castle or evacuate.
fn is_in_reach(tables: &Syzygy, position: &Position) -> bool {
    let sides = [CastlingSide::KingSide, CastlingSide::QueenSide];
    let may_castle = Color::ALL.into_iter().any(|color| {
        let rook = |side| position.castling_rook(color, side);
        sides.into_iter().any(|side| rook(side).is_some()) || position.may_evacuate(color)
    });
    position.occupied().len() <= tables.men && !may_castle
}

fn stored_wdl(tables: &Syzygy, position: &Position) -> Option<Wdl> {
    let material = Material::from_position(position);
    if material.men() == 2 {
        return Some(Wdl::Draw);
    }
    let (ending, swapped, table) = tables.table(material, Metric::Wdl)?;
    let value = asked(position, ending, swapped, table)
        .and_then(|(board, part)| table.wdl(part, part.groups.place(&board)));
    answer(tables, ending, Metric::Wdl, value)
}

/// `Some(None)` where distances are stored with the other side to move.
fn stored_dtz(tables: &Syzygy, position: &Position, wdl: Wdl) -> Option<Option<Dtz>> {
    let (ending, swapped, table) = tables.table(Material::from_position(position), Metric::Dtz)?;
    let value = asked(position, ending, swapped, table).and_then(|(board, part)| {
        let either = ending.is_symmetric() && ending.pawns() == [0, 0];
        if part.side_to_move() != board.side && !either {
            return Ok(None);
        }
        table.dtz(part, part.groups.place(&board), wdl).map(Some)
    });
    answer(tables, ending, Metric::Dtz, value)
}

/// The part of a table that has a position, and the position as that part sees it.
fn asked<'a>(
    position: &Position,
    ending: Material,
    swapped: bool,
    table: &'a EndgameTable,
) -> Result<(TableBoard, &'a TablePart), Damage> {
    let turned = swapped || ending.is_symmetric() && position.side_to_move() == Color::Black;
    let board = TableBoard::new(position, ending, turned);
    let part = table.part(board.file, board.side).ok_or(Damage::Content)?;
    Ok((board, part))
}

fn answer<T>(
    tables: &Syzygy,
    ending: Material,
    metric: Metric,
    value: Result<T, Damage>,
) -> Option<T> {
    value
        .inspect_err(|damage| tables.refused(ending, metric, damage))
        .ok()
}

/// The distance by those after each move. Captures and pawn moves have been looked at: they are
/// no way to the best.
fn after_one_move(tables: &Syzygy, position: &Position, wdl: Wdl) -> Option<Dtz> {
    let mut nearest = None;
    for &mv in &position.legal_moves() {
        let next = position.after(mv);
        let zeroing = next.halfmove_clock() == 0;
        let distance = if zeroing {
            Dtz(-self::wdl(tables, &next)?.before_zeroing().0)
        } else if next.in_check() && !next.has_legal_move() {
            Dtz(1)
        } else if self::wdl(tables, &next)? == Wdl::Draw {
            continue;
        } else {
            let behind = -dtz(tables, &next)?.0;
            Dtz(behind + behind.signum())
        };
        let same_way = (distance.0 > 0) == (wdl > Wdl::Draw) && distance.0 != 0;
        if same_way {
            nearest = nearest.into_iter().chain([distance]).min();
        }
    }
    nearest.or(Some(Dtz(-1)))
}
