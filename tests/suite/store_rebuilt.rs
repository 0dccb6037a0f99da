//! A store that is gone is made again from `games.pgn`: every game that the file has whole, and
//! nothing else; and the event continues with what is missing.
//!
//! `super::study` says at how many places the file is cut short.

use std::fs;

use arbiter960::chess::random::Random;

use super::robust_support::{assert_files_whole, fake, games_by_round, six_and_nine};
use super::study;
use super::support::{Event, arbiter960, assert_has, ends, sparring, sparring_engines, table};

#[track_caller]
fn rebuild(code: i32, event: &Event, arguments: &[&str]) -> String {
    let mut command = arbiter960();
    command.arg("rebuild").arg(event.file()).arg("--results");
    command.arg(event.folder().join("results"));
    ends(code, command.args(arguments))
}

/// Loses the store; what else is in the folder stays.
fn lose(event: &Event) {
    fs::remove_file(event.results().join("event.db")).unwrap();
}

/// Whether a former `games.pgn` was kept.
fn kept(event: &Event) -> bool {
    event.results().join("games.pgn.old-1").exists()
}

fn cut_in_pgn(event: &Event, length: usize) -> Vec<u8> {
    let pgn = event.results().join("games.pgn");
    let text = fs::read(&pgn).unwrap();
    fs::write(&pgn, &text[..length]).unwrap();
    text
}

#[test]
fn a_whole_event_comes_back_and_says_so() {
    let event = six_and_nine("whole", 30, "positions.numbers = [\"0-5\"]");
    event.run_well(&["--quiet"]);
    let (games, pgn) = (games_by_round(&event), event.read("games.pgn"));
    let standings = event.read("standings.json");
    lose(&event);
    assert_has(&event.ends(4, &["--quiet"]), ["arbiter960 rebuild"]);
    let said = rebuild(0, &event, &[]);
    assert_has(&said, ["out of games.pgn: 12 games"]);
    assert_eq!(games_by_round(&event), games);
    event.run_well(&["--quiet"]);
    assert_files_whole(&event);
    assert_eq!(event.read("games.pgn"), pgn);
    assert_eq!(event.read("standings.json"), standings);
    assert!(!kept(&event) && !event.results().join("event.rebuilding").exists());
    let stats = event.ask(&["stats", "--details"]);
    assert_has(&stats, ["its store was made anew"]);
    assert_has(&event.read("report.html"), ["made anew from games.pgn"]);
    assert_eq!(event.asked(&["status", "--json"])["rebuilt"]["games"], 12);
    // What is there is not made again.
    let again = rebuild(4, &event, &[]);
    assert_has(&again, ["is the truth of this event"]);
}

#[test]
fn cut_short_anywhere_the_event_goes_on_with_what_is_missing() {
    let cuts = study::size(6);
    let rest = "event.concurrency = 2\npositions.numbers = [\"0-3\"]";
    let event = six_and_nine("cut", 12, rest);
    event.run_well(&["--quiet", "--no-report"]);
    let expected = games_by_round(&event);
    let mut random = Random::new(study::seed(0x70e4));
    let (mut whole, mut torn) = (0, 0);
    for _ in 0..cuts {
        lose(&event);
        let _first = fs::remove_file(event.results().join("games.pgn.old-1"));
        let text = event.read("games.pgn");
        let length = 1 + random.below(text.len() as u64) as usize;
        cut_in_pgn(&event, length);
        // A game is whole with its result, whatever follows it.
        let extents = extents(&text).into_iter();
        let games = extents.filter(|(_, end)| *end <= length).count();
        let said = rebuild(0, &event, &[]);
        let noun = if games == 1 { "game" } else { "games" };
        assert_has(&said, [format!("out of games.pgn: {games} {noun}")]);
        // Without a game the event has not begun, and nothing can be exported.
        if games > 0 {
            assert_eq!(games_by_round(&event).len(), games, "cut at {length}");
        }
        event.run_well(&["--quiet", "--no-report"]);
        assert_files_whole(&event);
        assert_eq!(games_by_round(&event), expected, "cut at {length}");
        whole += games;
        torn += usize::from(said.contains("not a whole game"));
    }
    assert!(torn > 0, "cuts that tear no game show nothing");
    eprintln!("{cuts} cuts: {whole} games taken over, {torn} torn, 0 lost, 0 doubled");
}

/// Where each game of a PGN file begins, and where its result ends.
fn extents(text: &str) -> Vec<(usize, usize)> {
    let starts: Vec<usize> = text.match_indices("[Event ").map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let end = |(start, end): (usize, usize)| (start, start + text[start..end].trim_end().len());
    starts.iter().copied().zip(ends).map(end).collect()
}

/// Changes that make a game another one: what, its first words that are replaced, by which, and words of the message.
const CHANGES: &str = r#"
the winner          | 1/2-1/2        | 1-0            | Round 1.1
the pair            | [Pair "1"]     | [Pair "2"]     | another start position
a pair that is not  | [Pair "1"]     | [Pair "77"]    | no such pair
no pair             | [Pair "1"]\n   |                | name no game
the players         | [White "       | [White "Not    | and the plan has
the limit           | [TimeControl " | [TimeControl "9 | limited by
the options         | Strength=      | Strength=1     | without the option Strength
the start           | [FEN "         | [FEN "8/       | Round 1.1
a move that is none | \n1. | \n1. Qh9 | Qh9
how it ended        | adjudication}  | consent}       | no end of a game
"#;

/// The text with the first of these words replaced.
fn changed(text: &str, from: &str, to: &str) -> String {
    assert_has(text, [from]);
    text.replacen(from, to, 1)
}

#[test]
fn what_does_not_fit_is_named_and_changes_nothing() {
    let event = six_and_nine("unfit", 10, "positions.numbers = [\"0-3\"]");
    event.run_well(&["--quiet", "--no-report"]);
    let (expected, pgn) = (games_by_round(&event), event.read("games.pgn"));
    let [first, second] = [extents(&pgn)[0], extents(&pgn)[1]];
    lose(&event);
    let file = event.results().join("games.pgn");
    for [what, from, to, said] in table(CHANGES) {
        let game = &pgn[first.0..second.0];
        let game = match &*what {
            "the winner" => game.replace(&from, &to),
            _ => changed(game, &from, &to),
        };
        let altered = game + &pgn[second.0..];
        assert_ne!(altered, pgn, "{what}");
        fs::write(&file, &altered).unwrap();
        let shown = rebuild(4, &event, &[]);
        assert_has(&shown, [&said, "game 1 of the file"]);
        assert!(!event.results().join("event.db").exists(), "{what}");
        assert_eq!(event.read("games.pgn"), altered, "{what}");
        eprintln!("refused as a game of the event: {what}");
    }
    // Twice the same game, and a text behind the last.
    fs::write(&file, format!("{pgn}{}", &pgn[..second.0])).unwrap();
    let shown = rebuild(4, &event, &[]);
    assert_has(&shown, ["stands in the file twice"]);
    // Without them, with the option for that; nothing is lost.
    let altered = changed(&pgn, "adjudication}", "consent}");
    fs::write(&file, &altered).unwrap();
    let said = rebuild(0, &event, &["--leave-out"]);
    assert_has(&said, ["7 games"]);
    event.run_well(&["--quiet"]);
    assert_files_whole(&event);
    assert_eq!(games_by_round(&event), expected);
    assert_eq!(event.read("games.pgn.old-1"), altered);
    let page = event.read("report.html");
    assert_has(&page, ["1 that did not fit were left out"]);
}

#[test]
fn what_cannot_be_made_says_why() {
    let event = six_and_nine("why", 4, "positions.numbers = [7]");
    assert_has(&rebuild(2, &event, &[]), ["there is no"]);
    event.run_well(&["--quiet"]);
    lose(&event);
    event.rewrite(|text| text.replace("event.seed = 0\n", ""));
    assert_has(&rebuild(2, &event, &[]), ["--seed N"]);
    rebuild(0, &event, &["--seed", "0"]);
    // A write-ahead log that was left belongs to the store that is gone.
    lose(&event);
    fs::write(event.results().join("event.db-wal"), "of another").unwrap();
    rebuild(0, &event, &["--seed", "0"]);
    assert!(event.results().join("event.db-wal.old-1").exists());
    assert_eq!(games_by_round(&event).len(), 2);
}

/// Loses the store of an event that was played to its end, and makes it again: nothing has changed.
pub fn assert_comes_back(event: &Event) {
    let (games, pgn) = (games_by_round(event), event.read("games.pgn"));
    lose(event);
    rebuild(0, event, &[]);
    assert_eq!(games_by_round(event), games);
    let said = event.ends(0, &["--quiet"]);
    assert_files_whole(event);
    assert_eq!(event.read("games.pgn"), pgn, "{said}");
}

#[test]
fn forfeits_come_back_with_their_words() {
    for search in ["say:e2e5", "exit", "very-late"] {
        let text = format!(
            "positions.numbers = [518, 0]\nadjudication.max_moves = 6\ntime.control = \"0.4+0.1\"\n\
             [[engine]]\nname = \"Fake {{[%eval 1]}} \\\"1-0\\\"\"\n{}\n{}",
            fake(&[&format!("search={search}"), "at=2"]),
            sparring("Sound", "")
        );
        let event = Event::new("forfeits", &text);
        event.run_well(&["--quiet"]);
        assert_comes_back(&event);
    }
}

#[test]
fn a_plan_that_grows_by_results_comes_back() {
    let engines = sparring_engines(5);
    let common = "adjudication.max_moves = 20\nevent.seed = 5";
    let swiss = format!(
        "event.format = \"swiss\"\n{common}\npositions.sample = 12\n[swiss]\nrounds = 3\n{engines}"
    );
    let cup = format!(
        "event.format = \"knockout\"\nevent.concurrency = 2\n{common}\npositions.sample = 12\n{engines}"
    );
    let adaptive = format!(
        "{common}\npositions.numbers = [\"0-4\"]\ntime.nodes = 40\n[adaptive]\nboundary = \"mean\"\n\
         batch = 2\nmax_pairs = 12\n[[engine]]\nname = \"Solo\"\nbuiltin = \"sparring\"\ncopies = 2\n"
    );
    for (name, text) in [("swiss", swiss), ("cup", cup), ("adaptive", adaptive)] {
        let event = Event::new(name, &text);
        event.run_well(&["--quiet"]);
        let schedule = fs::read_to_string(event.results().join("schedule.json")).ok();
        assert_comes_back(&event);
        let after = fs::read_to_string(event.results().join("schedule.json")).ok();
        assert_eq!(after, schedule, "{name}");
    }
}

#[test]
fn openings_and_arrays_of_other_variants_come_back() {
    let book = "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n[SetUp \"1\"]\n\n\
                1. e4 e5 2. Nf3 Nc6 *\n\n";
    let rest = "positions.file = \"book.pgn\"\nevent.variant = \"standard\"";
    let of_a_book = six_and_nine("book", 8, rest);
    fs::write(of_a_book.folder().join("book.pgn"), book).unwrap();
    let other = |variant: &str| {
        let rest = format!("positions.sample = 2\nevent.variant = {variant:?}");
        six_and_nine(variant, 8, &rest)
    };
    for event in [of_a_book, other("dfrc"), other("shuffle")] {
        event.run_well(&["--quiet"]);
        assert_comes_back(&event);
    }
}
