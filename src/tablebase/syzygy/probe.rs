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
    Some(best(tables, position, Followed::Captures)?.wdl)
}

/// How far the next capture, pawn move or mate is.
pub(super) fn dtz(tables: &Syzygy, position: &Position) -> Option<Dtz> {
    let best = best(tables, position, Followed::CapturesAndPawns)?;
    if best.wdl == Wdl::Draw {
        return None;
    }
    if best.by_following {
        return Some(best.wdl.before_zeroing());
    }
    match stored_dtz(tables, position, best.wdl)? {
        Stored::Value(dtz) => Some(dtz),
        Stored::OtherSide => after_one_move(tables, position, best.wdl),
    }
}

/// Which moves are played out before the table is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Followed {
    Captures,
    CapturesAndPawns,
}

struct Best {
    wdl: Wdl,
    /// A move that was played out gets it.
    by_following: bool,
}

fn best(tables: &Syzygy, position: &Position, followed: Followed) -> Option<Best> {
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
        position.is_capture(**mv) || pawn && followed == Followed::CapturesAndPawns
    };
    let (mut highest, mut count) = (None, 0);
    for &mv in moves.iter().filter(follows) {
        count += 1;
        let value = -best(tables, &position.after(mv), Followed::Captures)?.wdl;
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

enum Stored {
    Value(Dtz),
    /// Distances are stored with the other side to move.
    OtherSide,
}

fn stored_dtz(tables: &Syzygy, position: &Position, wdl: Wdl) -> Option<Stored> {
    let (ending, swapped, table) = tables.table(Material::from_position(position), Metric::Dtz)?;
    let value = asked(position, ending, swapped, table).and_then(|(board, part)| {
        let either = ending.is_symmetric() && ending.pawns() == [0, 0];
        if part.side_to_move() != board.side && !either {
            return Ok(Stored::OtherSide);
        }
        Ok(Stored::Value(table.dtz(
            part,
            part.groups.place(&board),
            wdl,
        )?))
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
    let mut nearest: Option<Dtz> = None;
    for &mv in &position.legal_moves() {
        let next = position.after(mv);
        let zeroing = next.halfmove_clock() == 0;
        let distance = if zeroing {
            Dtz(-best(tables, &next, Followed::Captures)?
                .wdl
                .before_zeroing()
                .0)
        } else if next.in_check() && !next.has_legal_move() {
            Dtz(1)
        } else if best(tables, &next, Followed::Captures)?.wdl == Wdl::Draw {
            continue;
        } else {
            let behind = -dtz(tables, &next)?.0;
            Dtz(behind + behind.signum())
        };
        let same_way = (distance.0 > 0) == (wdl > Wdl::Draw) && distance.0 != 0;
        if same_way {
            nearest = Some(nearest.map_or(distance, |nearest| nearest.min(distance)));
        }
    }
    nearest.or(Some(Dtz(-1)))
}
