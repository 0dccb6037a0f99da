//! Comments in the format that the viewers of the Top Chess Engine Championship read: every key, in their order,
//! with commas.
//!
//! | key | what |
//! |---|---|
//! | `d`, `sd` | depth and selective depth |
//! | `mt`, `tl` | the time of the move, and what is left on the clock: milliseconds |
//! | `s`, `n` | nodes a second, nodes |
//! | `pv` | the principal variation in SAN, up to its first illegal move |
//! | `tb` | tablebase hits |
//! | `h`, `ph` | how full the hash table is; ponder hits, always 0: per cent |
//! | `wv` | the score from White's view: pawns, `M12`, `-M12` |
//! | `R50` | full moves until the rule of fifty moves |
//! | `Rd`, `Rr` | counters of the rules that adjudicate draws and wins: −11, "not counting", as records lack them |
//! | `mb` | White's pieces less Black's: pawns, knights, bishops, rooks, queens |
//!
//! Values that an engine does not report are 0. Source: the parser of the TCEC's own page (`parse_pgn` in
//! `js/game.js` of github.com/TCEC-Chess/tcecgui) and the games in its tests.

use std::fmt::Write as _;

use crate::chess::{Color, PieceKind, Position};
use crate::referee::{MoveRecord, Thinking};
use crate::uci::{Score, ScoreStyle};

/// The comment on a move that led from one position to the next.
pub(super) fn comment(record: &MoveRecord, before: &Position, after: &Position) -> String {
    let thinking = &record.thinking;
    let milliseconds = |time: std::time::Duration| time.as_millis();
    let spent = milliseconds(record.charged());
    let left = record.clock.map_or(0, milliseconds);
    let hash = thinking.hashfull.unwrap_or(0);
    // Writing to a String cannot fail.
    let mut text = String::with_capacity(160);
    let _ = write!(
        text,
        "{{d={}, sd={}, mt={spent}, tl={left}, s={}, n={}, pv={}, tb={}, h={}.{}, ph=0.0, wv={}, R50={}, Rd=-11, Rr=-11, mb={},}}",
        thinking.depth.unwrap_or(0),
        thinking.seldepth.unwrap_or(0),
        thinking.nps.unwrap_or(0),
        thinking.nodes.unwrap_or(0),
        variation(thinking, before),
        thinking.tbhits.unwrap_or(0),
        hash / 10,
        hash % 10,
        score(thinking.score, before.side_to_move()),
        50_u32.saturating_sub(after.halfmove_clock().div_ceil(2)),
        balance(after),
    );
    text
}

/// The comment on a move of the book.
pub(super) fn book(after: &Position) -> String {
    format!("{{book, mb={},}}", balance(after))
}

fn score(score: Option<Score>, mover: Color) -> String {
    let score = score.unwrap_or(Score::Centipawns(0));
    score.of_white(mover).text(ScoreStyle::Tcec)
}

fn variation(thinking: &Thinking, before: &Position) -> String {
    let mut position = before.clone();
    let mut text = String::new();
    for word in thinking.pv.split_whitespace() {
        let Ok(played) = position.parse_uci_loosely(word) else {
            break;
        };
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&position.san(played));
        position.play(played);
    }
    text
}

fn balance(position: &Position) -> String {
    let kinds = [
        PieceKind::Pawn,
        PieceKind::Knight,
        PieceKind::Bishop,
        PieceKind::Rook,
        PieceKind::Queen,
    ];
    let mut text = String::new();
    for kind in kinds {
        let [white, black] = Color::ALL.map(|color| i64::from(position.pieces(color, kind).len()));
        let _ = write!(text, "{:+}", white - black);
    }
    text
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::chess::UciDialect;
    use crate::clock::Stamp;

    #[test]
    fn every_key_is_there_in_the_order_of_the_championship() {
        let before = Position::from_fen("4k3/8/8/3p4/8/8/4P3/4K2R b K - 4 20").unwrap();
        let played = before.parse_uci("d5d4", UciDialect::Chess960).unwrap();
        let mut after = before.clone();
        after.play(played);
        let record = MoveRecord {
            received: Stamp(312_000_000),
            clock: Some(Duration::from_millis(9_800)),
            thinking: Thinking {
                score: Some(Score::Centipawns(31)),
                depth: Some(18),
                seldepth: Some(24),
                nodes: Some(123_456),
                nps: Some(400_000),
                hashfull: Some(57),
                pv: "d5d4 e1h1 nonsense".to_owned(),
                ..Thinking::default()
            },
            ..MoveRecord::new(played, Stamp(0))
        };
        assert_eq!(
            comment(&record, &before, &after),
            "{d=18, sd=24, mt=312, tl=9800, s=400000, n=123456, pv=d4 O-O, tb=0, h=5.7, ph=0.0, wv=-0.31, \
             R50=50, Rd=-11, Rr=-11, mb=+0+0+0+1+0,}"
        );
        assert_eq!(score(Some(Score::Mate(-3)), Color::Black), "M3");
        assert_eq!(score(Some(Score::Mate(3)), Color::Black), "-M3");
        assert_eq!(book(&after), "{book, mb=+0+0+0+1+0,}");
    }
}
