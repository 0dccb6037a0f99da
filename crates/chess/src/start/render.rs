//! Positions for people and for files: EPD, and the board as a drawing.

/// How pieces are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardStyle {
    /// FEN letters: White's pieces are capitals, empty squares dots.
    Ascii,
    /// Chess symbols.
    Unicode,
}

/// The first four fields of a FEN: an EPD record without operations.
pub fn epd(fen: &str) -> String {
    fen.split(' ').take(4).collect::<Vec<&str>>().join(" ")
}

/// The board of a FEN as drawn from White's side, eight ranks and the file letters, each
/// line ended by a line feed.
pub fn board(fen: &str, style: BoardStyle) -> String {
    let placement = fen.split(' ').next().unwrap_or_default();
    let mut drawing = String::new();
    for (row, rank) in placement.split('/').zip((1..=8).rev()) {
        drawing.push_str(&rank.to_string());
        for square in row.chars().flat_map(squares) {
            drawing.push(' ');
            drawing.push(symbol(square, style));
        }
        drawing.push('\n');
    }
    drawing.push_str("  a b c d e f g h\n");
    drawing
}

/// What a character of the board field means: a piece, or a number of empty squares.
fn squares(character: char) -> impl Iterator<Item = char> {
    let (square, count) = match character.to_digit(10) {
        Some(empty) => ('.', empty as usize),
        None => (character, 1),
    };
    std::iter::repeat_n(square, count)
}

fn symbol(square: char, style: BoardStyle) -> char {
    const LETTERS: &str = "KQRBNPkqrbnp.";
    const SYMBOLS: &str = "♔♕♖♗♘♙♚♛♜♝♞♟·";
    let place = LETTERS.chars().position(|letter| letter == square);
    match (style, place) {
        (BoardStyle::Unicode, Some(place)) => SYMBOLS.chars().nth(place).unwrap_or(square),
        _ => square,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b HAha - 0 1";

    #[test]
    fn drawings() {
        let ascii = board(FEN, BoardStyle::Ascii);
        assert!(ascii.starts_with("8 r n b q k b n r\n7 p p p p p p p p\n6 . . . . . . . .\n"));
        assert!(
            ascii.ends_with("1 R N B Q K B N R\n  a b c d e f g h\n"),
            "{ascii}"
        );
        assert!(board(FEN, BoardStyle::Unicode).contains("4 · · · · ♙ · · ·\n"));
    }

    #[test]
    fn epd_leaves_the_counters_out() {
        assert!(epd(FEN).ends_with("b HAha -"));
    }
}
