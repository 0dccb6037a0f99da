//! PGN as people really write it: line ends, tokens, tags and games on any lines.

use arbiter960::pgn::{PgnReader, book_openings};
use arbiter960::verify::{Finding, Options, verify};

use super::support::processor_time;

/// Games, half-moves, and what is found.
fn read(text: &str) -> (u64, u64, Vec<String>) {
    let mut found = Vec::new();
    let tell = |finding: Finding| found.push(format!("{}: {finding}", finding.place));
    let summary = verify(text.as_bytes(), Options::default(), tell).expect("a text can be read");
    (summary.games, summary.moves, found)
}

/// Games and half-moves of a text in which nothing is wrong.
fn clean(text: &str) -> (u64, u64) {
    let (games, moves, found) = read(text);
    assert_eq!(found, [""; 0], "{text}");
    (games, moves)
}

#[test]
fn lines_that_end_with_a_carriage_return_alone() {
    let text = "[Event \"a\"]\r\r1. e4 e5 ; c\r2. Nf3 *\r\r[Event \"b\"]\r\r1. d4 *\r";
    assert_eq!(clean(text), (2, 4));
    let many = "[Event \"a\"]\n[White \"b\"]\n\n1. e4 e5 ; c\n% d\n2. Nf3 *\n\n".repeat(2000);
    assert_eq!(clean(&many), (2000, 6000));
    assert_eq!(clean(&many.replace('\n', "\r")), (2000, 6000));
    assert_eq!(clean(&many.replace('\n', "\r\n")), (2000, 6000));
}

#[test]
fn tokens_that_end_themselves() {
    assert_eq!(clean("1. e4 e5 2. Nf3*\n"), (1, 3));
    assert_eq!(clean("1.e4 e5.2.Nf3 Nc6.*\n"), (1, 4));
    assert_eq!(clean("1e4 e5 2Nf3*\n"), (1, 3));
    assert_eq!(clean("1. e4 d5 2. e5 f5 3. exf6 e.p. *\n"), (1, 5));
    assert_eq!(clean("1. e4 d5 2. e5 f5 3. exf6e.p.*\n"), (1, 5));
}

#[test]
fn tags_over_several_lines() {
    let text = "[Event\n\"a\"\n]\n[White \"Dr.\nB\"]\n\n1. e4 *\n\n[Event\n  \"c\"]\n\n1. d4 *\n";
    assert_eq!(clean(text), (2, 2));
    let mut reader = PgnReader::new(text.as_bytes());
    let game = reader.next_game().expect("a game").expect("a good one");
    assert_eq!(game.tag("White").as_deref(), Some("Dr. B"));
}

#[test]
fn games_on_the_lines_of_others() {
    assert_eq!(clean("1. e4 e5 1-0 [Event \"b\"]\n\n1. d4 *\n"), (2, 3));
    let on_one_line = "1. e4 e5 1-0 1. d4 d5 2. c4 1/2-1/2 1. c4 *\n";
    assert_eq!(clean(on_one_line), (3, 6));
    assert_eq!(clean("e4 e5 Nf3 1-0\nd4 d5 0-1\nNf3 *\n"), (3, 6));
    assert_eq!(clean("e4 e5 1-0 {a}\n\nd4 d5 0-1 ; b\nc4 *\n"), (3, 5));
    // The same move after a result, in a game with tags, is no game.
    let (games, _, found) = read("[White \"a\"]\n\n1. e4 e5 1-0\nd4 d5\n");
    assert_eq!((games, found.len()), (1, 1));
}

#[test]
fn null_moves_and_sloppy_moves_are_matters_of_style() {
    let (games, moves, found) = read("1. Pe4 -- 2. d4 e5 3. d4:e5 Z0 4. nf3 *\n");
    assert_eq!((games, moves), (1, 7));
    let style = |ply: u32, text: &str| format!("line 1, game 1, ply {ply}: warning: {text}");
    let expected = [
        style(1, "Pe4 is read as e4"),
        style(2, "--: a null move passes the turn"),
        style(5, "d4:e5 is read as dxe5"),
        style(6, "Z0: a null move passes the turn"),
        style(7, "nf3 is read as Nf3"),
    ];
    assert_eq!(found, expected);
    let (.., castling) = read("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. o-o O-O *\n");
    assert_eq!(castling.len(), 1);
    let (.., wrong) = read("1. e4 f6 2. Qh5+ -- *\n");
    assert!(wrong[0].ends_with("--: a null move in check"), "{wrong:?}");
    // Two pawns could be meant.
    let (.., wrong) = read("1. e4 d5 2. c4 e6 3. d *\n");
    assert!(wrong[0].contains("unreadable move"), "{wrong:?}");
}

#[test]
fn no_book_passes_the_turn() {
    let mut openings = book_openings("1. e4 -- 2. d4 *\n".as_bytes(), Some(4), false);
    let error = openings.next().expect("a game").expect_err("a null move");
    assert_eq!((error.place.line, error.place.ply), (1, 2));
    let mut before = book_openings("1. e4 -- 2. d4 *\n".as_bytes(), Some(1), false);
    assert!(before.next().expect("a game").is_ok());
}

#[test]
fn a_game_that_is_too_long_has_its_own_line_and_number() {
    let long = "x".repeat(17_000_000);
    let text = format!("[Event \"a\"]\n\n1. e4 {{{long}}} e5 *\n\n[Event \"b\"]\n\n1. d5 *\n");
    let (games, _, found) = read(&text);
    assert_eq!(games, 2);
    let second = "line 7, game 2, ply 1: illegal move";
    assert_eq!(
        found[0],
        "line 1, game 1, ply 0: a game of more than 16 MiB"
    );
    assert!(found[1].starts_with(second), "{found:?}");
}

/// Judging forty thousand tags took seconds, and four times as long with each doubling.
#[test]
fn many_tags_and_many_oddities_take_linear_time() {
    let taken = processor_time(|| {
        let tags: String = (0..100_000).map(|n| format!("[T{n} \"x\"]\n")).collect();
        assert_eq!(clean(&format!("{tags}\n1. e4 *\n")), (1, 1));
        let variations = "[Variation \"chess960\"]\n".repeat(100_000);
        let (.., found) = read(&format!("{variations}\n1. e4 *\n"));
        assert_eq!(found.len(), 100_000);
        let broken = "[T x]\n".repeat(100_000);
        let (.., found) = read(&format!("[A \"b\"]\n{broken}\n1. e4 *\n"));
        assert_eq!(found.len(), 100_000);
        let nulls = "-- ".repeat(200_000);
        let (.., found) = read(&format!("[A \"b\"]\n\n{nulls}*\n"));
        assert_eq!(found.len(), 200_000);
    });
    assert!(taken.as_secs() < 60, "{taken:?}");
}
