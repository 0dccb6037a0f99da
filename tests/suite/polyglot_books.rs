//! Polyglot books: lines that both games of a pair begin with.

use arbiter960::chess::UciDialect;
use arbiter960::internal::config::Tournament;

use super::config_files::Shelf;
use super::support::{Event, words};

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
        key.chain(mv.to_be_bytes())
            .chain(weight.to_be_bytes())
            .chain([0; 4])
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
    let longest = drawn("sample = 2").iter().map(String::len).max();
    assert_eq!(
        longest,
        Some("e2e4 d7d5 e4d5".len()),
        "eight half-moves, or the book's end"
    );
    assert_eq!(drawn("plies = 2").len(), 1, "one of the start");
    let refused = shelf.refuse(&event("standard", "sample = 3\nplies = 2"));
    assert!(
        refused.contains("2 different positions were found in the book"),
        "{refused}"
    );
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
    let numbers: Vec<_> = (0..2)
        .map(|index| tournament.openings.number(index).unwrap().0)
        .collect();
    assert_eq!(numbers, [3, 518], "the starts that the book has");
    assert_eq!(lines(&tournament), ["f1g1", "e2e4"]);
    let end = tournament.openings.get(0).game().position().to_string();
    assert!(end.ends_with("/BQNNRRKB b kq - 1 1"), "{end}");
    let (one, _) = shelf.accept(&event("chess960", "numbers = [518]"));
    assert_eq!(lines(&one), ["e2e4"]);
    let refused = shelf.refuse(&event("chess960", "numbers = [0, 3]"));
    assert!(
        refused.contains("the book has no move for start 0"),
        "{refused}"
    );
    let refused = shelf.refuse(&event("chess960", "exclude = [3, 518]"));
    assert!(
        refused.contains("no move for any start position of chess960"),
        "{refused}"
    );
}

#[test]
fn what_is_wrong_with_a_book_is_named() {
    let refused = |bytes, text: &str| shelf(bytes).refuse(text);
    let standard = event("standard", "choice = \"best\"");
    let illegal = refused(
        book(&[(START, "e2e4", 1), (AFTER_E4, "e7e4", 1)]),
        &standard,
    );
    let expected = "entry 2 of the book is e7e4, which is not legal in \
                    rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert!(illegal.contains(expected), "{illegal}");
    let cut = refused(two_lines()[..20].to_vec(), &standard);
    assert!(
        cut.contains("it has 20 bytes, and the entries of a Polyglot book have 16"),
        "{cut}"
    );
    let mut unsorted = two_lines();
    unsorted.reverse();
    let unsorted = refused(unsorted, &standard);
    assert!(unsorted.contains("in the order of its keys"), "{unsorted}");
    let other = refused(two_lines(), &event("chess480", "choice = \"best\""));
    assert!(other.contains("no castling of chess480"), "{other}");
    let other = "[positions]\nnumbers = [1]\nchoice = \"best\"";
    let other = event("chess960", "").replace("[positions]\nfile = \"book.bin\"", other);
    let other = refused(two_lines(), &other);
    assert!(
        other.contains("`choice` belongs to a Polyglot book"),
        "{other}"
    );
}

#[test]
fn both_games_of_a_pair_begin_with_the_line() {
    let event = Event::new(
        "lines",
        "event.variant = \"standard\"\npositions = { file = \"book.bin\", sample = 2, plies = 3 }\n\
         time.depth = 1\nadjudication.max_moves = 3\n\
         [[engine]]\nname = \"a\"\nbuiltin = \"sparring\"\n[[engine]]\nname = \"b\"\nbuiltin = \"sparring\"\n",
    );
    std::fs::write(event.folder().join("book.bin"), two_lines()).unwrap();
    let output = event.run(&[]);
    assert!(output.status.success(), "{}", words(&output));
    let exported = super::support::tool(&[
        "verify",
        event.results().join("games.pgn").to_str().unwrap(),
    ]);
    assert!(!exported.is_empty());
    let games = super::robust_support::games(&event);
    assert_eq!(games.len(), 4);
    let with = |line: &str| {
        games
            .iter()
            .filter(|game| game.moves.starts_with(line))
            .count()
    };
    assert_eq!(
        (with("e2e4 d7d5 e4d5 "), with("d2d4 ")),
        (2, 2),
        "{games:?}"
    );
    // It continues with the same lines, though they are drawn again.
    event.run_well(&[]);
}
