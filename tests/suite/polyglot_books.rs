//! Polyglot books: lines that both games of a pair begin with.

use arbiter960::chess::UciDialect;
use arbiter960::internal::config::Tournament;

use super::config_files::Shelf;
use super::support::{Event, assert_has, sparring};

/// Keys of positions: the first three of the format's own test data, the others by python-chess.
const START: u64 = 0x463b_9618_1691_fc9c;
const AFTER_E4: u64 = 0x823c_9b50_fd11_4196;
const AFTER_E4_D5: u64 = 0x0756_b944_61c5_0fb0;
/// BQNNRKRB, and after the castling of its king with the rook next to it.
const START_3: u64 = 0xbb55_20b8_5bed_5033;

/// A book with these moves and weights.
pub fn book(entries: &[(u64, &str, u16)]) -> Vec<u8> {
    let mut entries = entries.to_vec();
    entries.sort_by_key(|(key, ..)| *key);
    let square = |text: &str| {
        let bytes = text.as_bytes();
        u16::from(bytes[1] - b'1') << 3 | u16::from(bytes[0] - b'a')
    };
    let bytes = entries.iter().flat_map(|(key, text, weight)| {
        let mv = square(&text[..2]) << 6 | square(&text[2..4]);
        let key = key.to_be_bytes().into_iter();
        let entry = key.chain(mv.to_be_bytes()).chain(weight.to_be_bytes());
        entry.chain([0; 4])
    });
    bytes.collect()
}

fn two_lines() -> Vec<u8> {
    book(&[
        (START, "e2e4", 3),
        (START, "d2d4", 1),
        (START, "a2a3", 0),
        (AFTER_E4, "d7d5", 1),
        (AFTER_E4_D5, "e4d5", 7),
    ])
}

fn event(variant: &str, positions: &str) -> String {
    format!(
        "[event]\nname = \"x\"\nseed = 5\nvariant = \"{variant}\"\n[positions]\nfile = \"book.bin\"\n\
         {positions}\n[time]\ndepth = 1\n[[engine]]\ncommand = \"one\"\n[[engine]]\ncommand = \"two\"\n"
    )
}

fn shelf(book: Vec<u8>) -> Shelf {
    Shelf::new().bytes("/events/book.bin", book)
}

fn lines(tournament: &Tournament) -> Vec<String> {
    let lines = tournament.openings.iter().map(|opening| {
        let mut position = opening.start.clone();
        let texts = opening.moves.iter().map(|played| {
            let text = position.uci(*played, UciDialect::Chess960).to_string();
            position.play(*played);
            text
        });
        texts.collect::<Vec<_>>().join(" ")
    });
    lines.collect()
}

#[test]
fn lines_are_drawn_by_weight_with_the_seed_and_end_in_different_positions() {
    let shelf = shelf(two_lines());
    let drawn = |positions| lines(&shelf.accept(&event("standard", positions)).0);
    let mut both = drawn("sample = 2\nplies = 2");
    both.sort();
    assert_eq!(both, ["d2d4", "e2e4 d7d5"]);
    assert_eq!(drawn("sample = 2"), drawn("sample = 2"));
    // Eight half-moves, or the book's end.
    let longest = drawn("sample = 2").iter().map(String::len).max();
    assert_eq!(longest, Some("e2e4 d7d5 e4d5".len()));
    assert_eq!(drawn("plies = 2").len(), 1, "one of the start");
    let refused = shelf.refuse(&event("standard", "sample = 3\nplies = 2"));
    assert_has(&refused, ["2 different positions were found in the book"]);
}

#[test]
fn the_best_line_needs_no_draw() {
    let shelf = shelf(two_lines());
    let text = event("standard", "choice = \"best\"");
    assert_eq!(lines(&shelf.accept(&text).0), ["e2e4 d7d5 e4d5"]);
    let refused = shelf.refuse(&event("standard", "choice = \"best\"\nsample = 1"));
    assert!(refused.contains("there is nothing to draw"), "{refused}");
}

#[test]
fn a_book_of_chess960_has_starts_and_castling_as_the_king_takes_its_rook() {
    let shelf = shelf(book(&[(START_3, "f1g1", 1), (START, "e2e4", 1)]));
    let (tournament, _) = shelf.accept(&event("chess960", ""));
    let number = |index| tournament.openings.number(index).unwrap().0;
    assert_eq!([0, 1].map(number), [3, 518], "the starts that the book has");
    assert_eq!(lines(&tournament), ["f1g1", "e2e4"]);
    let end = tournament.openings.get(0).game().position().to_string();
    assert!(end.ends_with("/BQNNRRKB b kq - 1 1"), "{end}");
    let (one, _) = shelf.accept(&event("chess960", "numbers = [518]"));
    assert_eq!(lines(&one), ["e2e4"]);
    for (positions, why) in [
        ("numbers = [0, 3]", "the book has no move for start 0"),
        (
            "exclude = [3, 518]",
            "no move for any start position of chess960",
        ),
    ] {
        assert_has(&shelf.refuse(&event("chess960", positions)), [why]);
    }
}

#[test]
fn what_is_wrong_with_a_book_is_named() {
    let refused = |bytes, text: &str, why| assert_has(&shelf(bytes).refuse(text), [why]);
    let standard = event("standard", "choice = \"best\"");
    let illegal = book(&[(START, "e2e4", 1), (AFTER_E4, "e7e4", 1)]);
    let why = "entry 2 of the book is e7e4, which is not legal in \
               rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    refused(illegal, &standard, why);
    let why = "it has 20 bytes, and the entries of a Polyglot book have 16";
    refused(two_lines()[..20].to_vec(), &standard, why);
    let unsorted = two_lines().into_iter().rev().collect();
    refused(unsorted, &standard, "in the order of its keys");
    let chess480 = event("chess480", "choice = \"best\"");
    refused(two_lines(), &chess480, "no castling of chess480");
    let other = "[positions]\nnumbers = [1]\nchoice = \"best\"";
    let other = event("chess960", "").replace("[positions]\nfile = \"book.bin\"", other);
    refused(two_lines(), &other, "`choice` belongs to a Polyglot book");
}

#[test]
fn both_games_of_a_pair_begin_with_the_line() {
    let rules = "event.variant = \"standard\"\npositions = { file = \"book.bin\", sample = 2, plies = 3 }\n\
                 time.depth = 1\nadjudication.max_moves = 3\n";
    let engines = ["a", "b"].map(|name| sparring(name, "")).concat();
    let event = Event::new("lines", &(rules.to_owned() + &engines));
    std::fs::write(event.folder().join("book.bin"), two_lines()).unwrap();
    event.run_well(&[]);
    event.verified();
    let games = super::robust_support::games(&event);
    assert_eq!(games.len(), 4);
    let begin = |line: &str| {
        games
            .iter()
            .filter(|game| game.moves.starts_with(line))
            .count()
    };
    assert_eq!(["e2e4 d7d5 e4d5 ", "d2d4 "].map(begin), [2, 2], "{games:?}");
    // It continues with the same lines, though they are drawn again.
    event.run_well(&[]);
}
