//! Text to position, field by field.

use super::{FenError, refused};
use crate::board::Board;
use crate::{Bitboard, CastlingRule, Color, File, Piece, PieceKind, Position, Rank, Square};

const MAX_HALFMOVE_CLOCK: u32 = 9_999;
const MAX_MOVE_NUMBER: u32 = 99_999;

/// Reads a FEN in any dialect.
pub(crate) fn read(text: &str, rule: CastlingRule) -> Result<Position, FenError> {
    read_with(text, rule, false)
}

/// Reads a FEN; of a `composed` position, which may have more pieces than pawns can become.
pub(crate) fn read_with(
    text: &str,
    rule: CastlingRule,
    composed: bool,
) -> Result<Position, FenError> {
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    let (&[pieces, side, castling, en_passant], counters) = match fields.split_first_chunk::<4>() {
        Some((first, rest)) if rest.is_empty() || rest.len() == 2 => (first, rest),
        _ => {
            return refused(format!(
                "a FEN has six fields (pieces, side to move, castling, en passant, half-move clock, move \
                 number) or the first four of them, here are {}",
                fields.len()
            ));
        }
    };
    let mut board = Board::empty(rule);
    read_placement(pieces, column_of(text, pieces), &mut board)?;
    board.side_to_move = read_side(side)?;
    super::check_men(&board, composed)?;
    board.castling_rooks = read_castling(castling, &board)?;
    super::check_checks(&board)?;
    board.en_passant = read_en_passant(en_passant, &board)?;
    let (clock, number) = match counters {
        &[clock, number] => (
            read_number("half-move clock", clock, [0, MAX_HALFMOVE_CLOCK])?,
            // Some programs count from 0; that is read as the first move.
            read_number("move number", number, [1, MAX_MOVE_NUMBER])?.max(1),
        ),
        _ => (0, 1),
    };
    Ok(Position::new(board, clock, number))
}

/// The column, from 1, at which a field that is a part of the text begins.
fn column_of(text: &str, field: &str) -> usize {
    let bytes = field.as_ptr() as usize - text.as_ptr() as usize;
    1 + text[..bytes].chars().count()
}

fn read_placement(field: &str, first_column: usize, board: &mut Board) -> Result<(), FenError> {
    let ranks = field.split('/').count();
    if ranks != 8 {
        // A strange character is the better explanation where there is one.
        check_characters(field, first_column)?;
        return refused(format!(
            "the board has eight ranks separated by '/', here are {ranks}"
        ));
    }
    let mut column = first_column;
    for (text, &rank) in field.split('/').zip(Rank::ALL.iter().rev()) {
        read_rank(text, rank, column, board)?;
        column += text.chars().count() + 1;
    }
    Ok(())
}

fn check_characters(field: &str, first_column: usize) -> Result<(), FenError> {
    let strange = |&(_, c): &(usize, char)| {
        !matches!(c, '/' | '1'..='8') && Piece::from_fen_letter(c).is_none()
    };
    match field.chars().enumerate().find(strange) {
        Some((index, found)) => refused(format!(
            "column {}: {found:?} is neither a piece (PNBRQK, pnbrqk) nor a digit 1–8",
            first_column + index
        )),
        None => Ok(()),
    }
}

fn read_rank(
    text: &str,
    rank: Rank,
    first_column: usize,
    board: &mut Board,
) -> Result<(), FenError> {
    check_characters(text, first_column)?;
    let mut files = 0;
    let mut after_digit = false;
    for (index, character) in text.chars().enumerate() {
        if let Some(empty) = character.to_digit(10) {
            if after_digit {
                return refused(format!(
                    "column {}: two numbers of empty squares side by side; write their sum",
                    first_column + index
                ));
            }
            files += empty as usize;
        } else {
            let place = (File::ALL.get(files), Piece::from_fen_letter(character));
            if let (Some(&file), Some(piece)) = place {
                board.put(piece, Square::new(file, rank));
            }
            files += 1;
        }
        after_digit = character.is_ascii_digit();
    }
    if files == 8 {
        return Ok(());
    }
    refused(format!(
        "rank {rank} describes {files} squares instead of eight"
    ))
}

fn read_side(field: &str) -> Result<Color, FenError> {
    match field {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => refused(format!("the side to move is 'w' or 'b', not {field:?}")),
    }
}

fn read_castling(field: &str, board: &Board) -> Result<Bitboard, FenError> {
    let mut rooks = Bitboard::EMPTY;
    if field == "-" {
        return Ok(rooks);
    }
    for letter in field.chars() {
        let rook = match board.rule {
            CastlingRule::Moab => evacuating_king(letter, field, board)?,
            _ => castling_rook(letter, field, board)?,
        };
        if rooks.contains(rook) {
            return refused(format!(
                "castling field {field:?}: {letter:?} names a right that was given already"
            ));
        }
        rooks |= rook.bitboard();
    }
    check_sides(field, rooks, board)?;
    Ok(rooks)
}

/// One right on each side of the king at the most.
fn check_sides(field: &str, rooks: Bitboard, board: &Board) -> Result<(), FenError> {
    for color in Color::ALL {
        let king = board.king(color);
        let (on_h_side, on_a_side): (Vec<_>, Vec<_>) = (rooks & board.color(color))
            .into_iter()
            .partition(|rook| rook.file() > king.file());
        if on_h_side.len() > 1 || on_a_side.len() > 1 {
            return refused(format!(
                "castling field {field:?}: {color} can have the right with only one rook on each side of the king"
            ));
        }
    }
    Ok(())
}

/// The king whose right to evacuate a letter means: `M` White's, `m` Black's.
fn evacuating_king(letter: char, field: &str, board: &Board) -> Result<Square, FenError> {
    let color = match letter {
        'M' => Color::White,
        'm' => Color::Black,
        _ => {
            return refused(format!(
                "castling field {field:?}: {letter:?} is neither M nor m, and nobody castles in Moab chess"
            ));
        }
    };
    king_at_home(letter, color, board)
}

/// The square of a king that has the right of this letter.
fn king_at_home(letter: char, color: Color, board: &Board) -> Result<Square, FenError> {
    let king = board.king(color);
    if king.rank() == Rank::back(color) {
        return Ok(king);
    }
    refused(format!(
        "castling right {letter:?}, but the {color} king stands on {king}, not on its first rank"
    ))
}

/// The rook that one letter of the castling field means.
fn castling_rook(letter: char, field: &str, board: &Board) -> Result<Square, FenError> {
    let color = Color::of_case(letter);
    let king = board.king(color).file();
    let back_rank = Bitboard::rank(Rank::back(color));
    let rooks = board.pieces(color, PieceKind::Rook) & back_rank;
    let lower = letter.to_ascii_lowercase();
    let file = File::from_letter(lower);
    if file.is_none() && !matches!(lower, 'k' | 'q') {
        return refused(format!(
            "castling field {field:?}: {letter:?} is neither one of KQkq nor the file of a rook (A–H, a–h)"
        ));
    }
    king_at_home(letter, color, board)?;
    let no_rook = |place: String| {
        FenError(format!(
            "castling right {letter:?}, but {color} has no rook {place}"
        ))
    };
    let first_rank = "on its first rank between";
    match file {
        Some(file) => {
            let square = Square::new(file, Rank::back(color));
            let there = Some(square).filter(|&at| rooks.contains(at));
            there.ok_or_else(|| no_rook(format!("on {square}")))
        }
        None if lower == 'k' => {
            let outermost = rooks.last().filter(|rook| rook.file() > king);
            let place = || format!("{first_rank} the king's {king}-file and the h-file");
            outermost.ok_or_else(|| no_rook(place()))
        }
        None => {
            let outermost = rooks.first().filter(|rook| rook.file() < king);
            let place = || format!("{first_rank} the a-file and the king's {king}-file");
            outermost.ok_or_else(|| no_rook(place()))
        }
    }
}

fn read_en_passant(field: &str, board: &Board) -> Result<Bitboard, FenError> {
    if field == "-" {
        return Ok(Bitboard::EMPTY);
    }
    let Ok(square) = field.parse() else {
        return refused(format!(
            "the en passant field is '-' or a square, not {field:?}"
        ));
    };
    super::check_en_passant(board, square)?;
    Ok(square.bitboard())
}

/// Digits only: the standard parser would take a sign too.
fn read_number(name: &str, field: &str, [least, most]: [u32; 2]) -> Result<u32, FenError> {
    let number = field.parse().ok().filter(|&number: &u32| number <= most);
    let number = number.filter(|_| field.bytes().all(|byte| byte.is_ascii_digit()));
    number.ok_or_else(|| {
        FenError(format!(
            "the {name} is a number from {least} to {most}, not {field:?}"
        ))
    })
}
