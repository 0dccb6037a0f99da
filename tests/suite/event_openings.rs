//! Starts that the players make themselves: each system end to end, and whole again after a kill.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use super::event_real_engines::refereed;
use super::study::part;
use super::support::{Event, engine, sparring_engines, tool, words};

/// The systems with the variants whose starts they make, and what else `[positions]` and `[event]` need for
/// three starts.
const SYSTEMS: [(&str, &str, &str); 9] = [
    ("northam", "chess960", "event.pairs = 3"),
    ("northam-strict", "chess960", "event.pairs = 3"),
    ("northam-free", "chess960", "event.pairs = 3"),
    ("pre-chess", "shuffle", "event.pairs = 3"),
    ("pre-chess-960", "dfrc", "event.pairs = 3"),
    ("moab", "moab", "event.pairs = 3"),
    (
        "auction",
        "transcendental",
        "positions.numbers = [17, 48960, 8294399]",
    ),
    (
        "exchange",
        "transcendental",
        "positions.numbers = [17, 48960, 8294399]",
    ),
    (
        "auction-exchange",
        "transcendental",
        "positions.numbers = [17, 48960, 8294399]",
    ),
];

/// The names of positions in a plan are what the games begin with, also of a part of a book.
#[test]
fn a_plan_names_the_lines_of_a_book_that_are_played() {
    let lines: Vec<String> = (0..20)
        .map(|place| {
            let (file, rank) = (usize::from(b'a') + place % 7, 3 + place / 7);
            let king = char::from(file as u8);
            format!("{king}{rank}")
        })
        .map(|square| kings_and_a_rook(&square))
        .collect();
    let text = format!(
        "positions.file = \"book.epd\"\npositions.sample = 3\nevent.seed = 5\ntime.nodes = 10\n\
         adjudication.max_moves = 2\n{}",
        sparring_engines(2)
    );
    let event = Event::new("a part of a book", &text);
    std::fs::write(event.folder().join("book.epd"), lines.join("\n")).unwrap();
    let plan = event.run_well(&["--dry-run", "--all"]);
    event.run_well(&["--quiet"]);
    let games = event.read("games.pgn");
    let starts: std::collections::BTreeSet<&str> = games
        .lines()
        .filter_map(|line| line.strip_prefix("[FEN \"")?.strip_suffix("\"]"))
        .collect();
    assert_eq!(starts.len(), 3, "{games}");
    for start in starts {
        assert!(plan.contains(start), "{start} in {plan}");
    }
}

/// White's king in the corner, Black's there, and a rook on this square.
fn kings_and_a_rook(square: &str) -> String {
    let (file, rank) = square.split_at(1);
    let before = usize::from(file.as_bytes()[0] - b'a');
    let mut row = String::new();
    for (count, piece) in [(before, "R"), (7 - before, "")] {
        if count > 0 {
            row += &count.to_string();
        }
        row += piece;
    }
    let rows = (2..=7)
        .rev()
        .map(|number| match number.to_string() == rank {
            true => row.clone(),
            false => "8".to_owned(),
        });
    let rows: Vec<String> = rows.collect();
    format!("7k/{}/K7 w - - 0 1", rows.join("/"))
}

fn event(system: &str, variant: &str, positions: &str, engines: &str) -> Event {
    let text = format!(
        "event.variant = {variant:?}\n{positions}\nevent.seed = 3\npositions.opening = {system:?}\n\
         positions.opening_time = 0.1\ntime.nodes = 400\nadjudication.max_moves = 30\n{engines}"
    );
    Event::new(system, &text)
}

/// The games of an auction are three, of anything else three pairs.
fn games(system: &str) -> usize {
    if system.starts_with("auction") { 3 } else { 6 }
}

/// The values of a tag, in the order of the file.
fn tags(event: &Event, name: &str) -> Vec<String> {
    let pgn = event.read("games.pgn");
    let begin = format!("[{name} \"");
    let lines = pgn.lines().filter_map(|line| line.strip_prefix(&begin));
    lines
        .map(|line| line.trim_end_matches("\"]").to_owned())
        .collect()
}

/// All games were played, `verify` finds nothing, and python-chess agrees if it supports the variant.
fn is_well_played(event: &Event, system: &str) {
    is_well_played_by(event, system, games(system));
}

fn is_well_played_by(event: &Event, system: &str, games: usize) {
    assert_eq!(event.rounds().len(), games, "{system}");
    let file = event.results().join("games.pgn");
    let said = tool(&["verify", file.to_str().unwrap()]);
    assert!(said.contains("findings 0 warnings 0"), "{system}: {said}");
    // python-chess does not know Moab chess.
    if system == "moab" {
        return;
    }
    if let Some(judged) = refereed(event) {
        assert_eq!(judged, games, "{system}");
    }
}

/// The clocks begin without the time that the placing took, and the increment is as before.
#[test]
fn pieces_are_placed_on_the_clocks_of_the_games() {
    let engine = |name| format!("[[engine]]\nname = {name:?}\nbuiltin = \"sparring\"\n");
    let text = format!(
        "event.variant = \"shuffle\"\nevent.pairs = 1\npositions.opening = \"pre-chess\"\n\
         positions.opening_time = 2\npositions.opening_clock = true\ntime.control = \"20+0.01\"\n\
         adjudication.max_moves = 3\n{}{}",
        engine("A"),
        engine("B")
    );
    let event = Event::new("clocks", &text);
    event.run_well(&["--quiet"]);
    for color in ["White", "Black"] {
        let controls = tags(&event, &format!("{color}TimeControl"));
        assert_eq!(controls.len(), 2, "{controls:?}");
        assert_eq!(controls[0], controls[1], "both games lack the same");
        let (base, increment) = controls[0].split_once('+').unwrap();
        let base: f64 = base.parse().unwrap();
        assert!(
            (2.0..20.0).contains(&base) && increment == "0.01",
            "{controls:?}"
        );
    }
    is_well_played_by(&event, "pre-chess", 2);
}

#[test]
fn every_system_makes_a_start_for_each_pair() {
    for (system, variant, positions) in part(SYSTEMS, 4) {
        let event = event(system, variant, positions, &sparring_engines(2));
        let said = words(&event.run(&["--quiet"]));
        assert!(said.contains("opening 3 of 3: "), "{system}: {said}");
        is_well_played(&event, system);
        // Both games of a pair begin in the same place, and the store keeps it: nothing is made again.
        let starts = tags(&event, "FEN");
        if games(system) == 6 {
            let rounds = tags(&event, "Round");
            let of = |round: &str| rounds.iter().position(|other| other == round).unwrap();
            assert_eq!(starts[of("1.1")], starts[of("1.2")]);
        }
        let again = words(&event.run(&[]));
        assert!(
            again.contains("complete") && !again.contains("opening 1"),
            "{again}"
        );
        assert_eq!(tags(&event, "FEN"), starts);
    }
}

/// White and Black are a knight up alternately: both want that side, and half of the time and more is given.
#[test]
fn time_is_bid_and_given() {
    let engine = |name: &str, strength: u8, control: &str| {
        format!(
            "[[engine]]\nname = {name:?}\nbuiltin = \"sparring\"\noptions = {{ Strength = {strength} }}\n\
             time.control = {control:?}\n"
        )
    };
    let text = format!(
        "event.variant = \"transcendental\"\nevent.seed = 3\npositions.file = \"book.epd\"\n\
         positions.opening = \"auction-time\"\npositions.opening_time = 0.2\n\
         adjudication.max_moves = 8\n{}{}",
        engine("Nine", 9, "60+0.5"),
        engine("Six", 6, "40")
    );
    let event = Event::new("auction-time", &text);
    let book = "1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - -\n\
                rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w - -\n";
    std::fs::write(event.folder().join("book.epd"), book).unwrap();
    let said = words(&event.run(&["--quiet"]));
    assert!(said.contains("% of its time;"), "{said}");
    let file = event.results().join("games.pgn");
    let verified = tool(&["verify", file.to_str().unwrap()]);
    assert!(verified.contains("findings 0 warnings 0"), "{verified}");
    for game in 0..2 {
        let [white, black] =
            ["WhiteTimeControl", "BlackTimeControl"].map(|name| tags(&event, name));
        let (strong, weak) = match game {
            0 => (&white[game], &black[game]),
            _ => (&black[game], &white[game]),
        };
        assert!(["60+0.5", "40"].contains(&weak.as_str()), "{weak}");
        let base: f64 = strong.split('+').next().unwrap().parse().unwrap();
        let whole = if weak == "40" { 60.0 } else { 40.0 };
        assert!(base <= whole / 2.0 && base >= whole / 10.0, "{strong}");
        // The clock of the first move has no more than that.
        let fen = if game == 0 { "1nbqkbnr/" } else { "rnbqkbnr/" };
        assert!(tags(&event, "FEN")[game].starts_with(fen));
    }
    let pgn = event.read("games.pgn");
    let first_clock = pgn.split("[%clk ").nth(1).unwrap();
    let seconds = first_clock.split(']').next().unwrap().rsplit(':');
    let seconds: f64 = seconds
        .zip([1.0, 60.0, 3600.0])
        .map(|(part, size)| part.parse::<f64>().unwrap() * size)
        .sum();
    assert!(seconds <= 30.5, "{seconds}");
    // The store knows it as well.
    let results = event.results();
    let exported = tool(&["export", results.to_str().unwrap(), "--format", "pgn"]);
    assert_eq!(exported, pgn);
    let explained = tool(&["explain", results.to_str().unwrap(), "1.1"]);
    assert!(
        explained.contains(&tags(&event, "WhiteTimeControl")[0]),
        "{explained}"
    );
}

#[test]
fn real_engines_make_starts() {
    let names = ["stockfish", "ethereal-chess"];
    if names.iter().filter_map(|name| engine(name)).count() < names.len() {
        return;
    }
    let one = |name: &&str| {
        format!("[[engine]]\nname = {name:?}\ncommand = {name:?}\nmissed_limit = \"warn\"\n")
    };
    let engines: String = names.iter().map(one).collect();
    // No engine but the sparring engine plays Moab chess.
    let known = SYSTEMS.into_iter().filter(|(system, ..)| *system != "moab");
    for (system, variant, positions) in part(known, 3) {
        let event = event(system, variant, positions, &engines);
        event.run_well(&["--quiet"]);
        is_well_played(&event, system);
    }
}

/// Killed after the second start was made: the next run makes the third alone.
#[test]
fn a_start_is_made_once_whatever_kills_the_run() {
    let (system, variant, positions) = SYSTEMS[0];
    let event = event(system, variant, positions, &sparring_engines(2));
    let mut run = event
        .command(&["--quiet"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut made: Vec<String> = Vec::new();
    for line in BufReader::new(run.stderr.take().unwrap()).lines() {
        let line = line.unwrap();
        // Other lines say whose turns were drawn.
        if line.starts_with("opening ") && line.contains(" of 3: ") {
            made.push(line);
        }
        if made.len() == 2 {
            break;
        }
    }
    run.kill().unwrap();
    run.wait().unwrap();
    let said = words(&event.run(&["--quiet"]));
    assert!(
        !said.contains("opening 1 of 3") && !said.contains("opening 2 of 3"),
        "{said}"
    );
    is_well_played(&event, system);
    // The numbers printed before the kill were played.
    let numbers = tags(&event, "StartNumber");
    for line in &made {
        let number = line.rsplit(' ').next().unwrap();
        assert!(
            numbers.iter().any(|played| played == number),
            "{line}: {numbers:?}"
        );
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let two = sparring_engines(2);
    for (text, problem) in [
        (
            "event.variant = \"dfrc\"\npositions.opening = \"northam\"",
            "makes starts of chess960",
        ),
        (
            "positions.opening = \"northam\"\npositions.all = true",
            "the players place the pieces",
        ),
        (
            "positions.opening = \"northam\"\nevent.games = 4",
            "how many starts",
        ),
        (
            "positions.all = true\npositions.opening_time = 1.5",
            "in which players make a start",
        ),
        (
            "positions.sample = 2\nevent.variant = \"transcendental\"\nevent.pairs = 2\n\
             positions.opening = \"auction\"",
            "played in one pair",
        ),
        (
            "positions.sample = 2\nevent.variant = \"transcendental\"\n\
             positions.opening = \"auction-time\"",
            "who bids time needs a clock",
        ),
    ] {
        let event = Event::new("refused", &format!("{text}\ntime.nodes = 10\n{two}"));
        let output = event.run(&["--dry-run", "--all"]);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(words(&output).contains(problem), "{}", words(&output));
    }
    let three = sparring_engines(3);
    let text = format!("positions.opening = \"northam\"\ntime.nodes = 10\n{three}");
    let output = Event::new("three", &text).run(&["--dry-run", "--all"]);
    assert!(
        words(&output).contains("made by two players"),
        "{}",
        words(&output)
    );
    let text = format!("positions.opening = \"northam\"\ntime.nodes = 10\n{two}");
    let output = Event::new("shard", &text).run(&["--shard", "1/2", "--quiet"]);
    assert!(
        words(&output).contains("a shard cannot know them"),
        "{}",
        words(&output)
    );
}
