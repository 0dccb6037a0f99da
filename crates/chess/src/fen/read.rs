//! Text to position, field by field.

use super::error::{CastlingRookPlace, FenError};
use crate::board::Board;
use crate::{
    Bitboard, CastlingRule, CastlingSide, Color, File, Piece, PieceKind, Position, Rank, Square,
};

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
            return Err(FenError::FieldCount(fields.len()));
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
        &[clock, number] => (read_clock(clock)?, read_move_number(number)?),
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
        return Err(FenError::RankCount(ranks));
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
        Some((index, found)) => Err(FenError::UnknownPiece(found, first_column + index)),
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
                return Err(FenError::AdjacentDigits(first_column + index));
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
        Ok(())
    } else {
        Err(FenError::RankLength(rank, files))
    }
}

fn read_side(field: &str) -> Result<Color, FenError> {
    match field {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(FenError::SideToMove(field.to_owned())),
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
            return Err(FenError::RepeatedCastling(letter, field.to_owned()));
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
        let on_h_side = (rooks & board.color(color))
            .into_iter()
            .filter(|&rook| CastlingSide::towards(king, rook) == CastlingSide::KingSide)
            .count();
        let on_a_side = (rooks & board.color(color)).len() as usize - on_h_side;
        if on_h_side > 1 || on_a_side > 1 {
            return Err(FenError::TwoCastlingRooks(color, field.to_owned()));
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
            return Err(FenError::UnknownEvacuation(letter, field.to_owned()));
        }
    };
    let king = board.king(color);
    if king.rank() == Rank::back(color) {
        return Ok(king);
    }
    Err(FenError::CastlingKing {
        found: letter,
        color,
        king,
    })
}

/// The rook that one letter of the castling field means.
fn castling_rook(letter: char, field: &str, board: &Board) -> Result<Square, FenError> {
    let color = if letter.is_ascii_uppercase() {
        Color::White
    } else {
        Color::Black
    };
    let king = board.king(color);
    let at_home = |place: CastlingRookPlace, rook: Option<Square>| {
        if king.rank() != Rank::back(color) {
            return Err(FenError::CastlingKing {
                found: letter,
                color,
                king,
            });
        }
        rook.ok_or(FenError::CastlingRook {
            found: letter,
            color,
            place,
        })
    };
    let back_rank = Bitboard::rank(Rank::back(color));
    let rooks = board.pieces(color, PieceKind::Rook) & back_rank;
    match letter.to_ascii_lowercase() {
        'k' => {
            let outermost = rooks.last().filter(|rook| rook.file() > king.file());
            at_home(CastlingRookPlace::HSideOf(king.file()), outermost)
        }
        'q' => {
            let outermost = rooks.first().filter(|rook| rook.file() < king.file());
            at_home(CastlingRookPlace::ASideOf(king.file()), outermost)
        }
        lower => {
            let unknown = || FenError::UnknownCastling(letter, field.to_owned());
            let file = File::from_letter(lower).ok_or_else(unknown)?;
            let square = Square::new(file, Rank::back(color));
            at_home(
                CastlingRookPlace::On(square),
                Some(square).filter(|&at| rooks.contains(at)),
            )
        }
    }
}

fn read_en_passant(field: &str, board: &Board) -> Result<Bitboard, FenError> {
    if field == "-" {
        return Ok(Bitboard::EMPTY);
    }
    let square = field
        .parse()
        .map_err(|_| FenError::EnPassantField(field.to_owned()))?;
    super::check_en_passant(board, square)?;
    Ok(square.bitboard())
}

fn read_clock(field: &str) -> Result<u32, FenError> {
    number(field)
        .filter(|&clock| clock <= MAX_HALFMOVE_CLOCK)
        .ok_or_else(|| FenError::HalfmoveClock(field.to_owned()))
}

/// Some programs count from 0; that is read as the first move.
fn read_move_number(field: &str) -> Result<u32, FenError> {
    number(field)
        .filter(|&number| number <= MAX_MOVE_NUMBER)
        .map(|number| number.max(1))
        .ok_or_else(|| FenError::MoveNumber(field.to_owned()))
}

/// Digits only: the standard parser would take a sign too.
fn number(field: &str) -> Option<u32> {
    field
        .bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| field.parse().ok())
        .flatten()
}
