//! Starts that the players make themselves: each system end to end, and whole again after a kill.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use super::event_real_engines::refereed;
use super::study::part;
use super::support::{
    Event, assert_has, assert_lacks, engine, sparring, sparring_engines, table, tags, words,
};

/// The systems with the variants whose starts they make, and what else `[positions]` and `[event]` need for
/// three starts.
const SYSTEMS: [(&str, &str, &str); 9] = [
    ("northam", "chess960", PAIRS),
    ("northam-strict", "chess960", PAIRS),
    ("northam-free", "chess960", PAIRS),
    ("pre-chess", "shuffle", PAIRS),
    ("pre-chess-960", "dfrc", PAIRS),
    ("moab", "moab", PAIRS),
    ("auction", "transcendental", NUMBERS),
    ("exchange", "transcendental", NUMBERS),
    ("auction-exchange", "transcendental", NUMBERS),
];
const PAIRS: &str = "event.pairs = 3";
const NUMBERS: &str = "positions.numbers = [17, 48960, 8294399]";

/// The names of positions in a plan are what the games begin with, also of a part of a book.
#[test]
fn a_plan_names_the_lines_of_a_book_that_are_played() {
    let lines = Vec::from_iter((0..20).map(kings_and_a_rook));
    let text = format!(
        "positions.file = \"book.epd\"\npositions.sample = 3\nevent.seed = 5\ntime.nodes = 10\n\
         adjudication.max_moves = 2\n{}",
        sparring_engines(2)
    );
    let event = Event::new("a part of a book", &text);
    std::fs::write(event.folder().join("book.epd"), lines.join("\n")).unwrap();
    let plan = event.run_well(&["--dry-run", "--all"]);
    event.run_well(&["--quiet"]);
    let starts = BTreeSet::from_iter(tags(&event.read("games.pgn"), "FEN"));
    assert_eq!(starts.len(), 3, "{starts:?}");
    assert_has(&plan, starts);
}

/// White's king in the corner, Black's there, and a rook on the square of this number, of seven on each rank from the
/// third on.
fn kings_and_a_rook(number: usize) -> String {
    let (file, rank) = (number % 7, 3 + number / 7);
    let row = format!("{file}R{}", 7 - file).replace('0', "");
    let rows = (2..=7)
        .rev()
        .map(|other| if other == rank { &row } else { "8" });
    format!("7k/{}/K7 w - - 0 1", Vec::from_iter(rows).join("/"))
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

/// All games were played, `verify` finds nothing, and python-chess agrees if it supports the variant.
fn is_well_played(event: &Event, system: &str) {
    is_well_played_by(event, system, games(system));
}

fn is_well_played_by(event: &Event, system: &str, games: usize) {
    assert_eq!(event.rounds().len(), games, "{system}");
    event.verified();
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
    let text = format!(
        "event.variant = \"shuffle\"\nevent.pairs = 1\npositions.opening = \"pre-chess\"\n\
         positions.opening_time = 2\npositions.opening_clock = true\ntime.control = \"20+0.01\"\n\
         adjudication.max_moves = 3\n{}{}",
        sparring("A", ""),
        sparring("B", "")
    );
    let event = Event::new("clocks", &text);
    event.run_well(&["--quiet"]);
    for color in ["White", "Black"] {
        let controls = event.tags(&format!("{color}TimeControl"));
        assert_eq!(controls.len(), 2, "{controls:?}");
        assert_eq!(controls[0], controls[1], "both games lack the same");
        let (base, increment) = controls[0].split_once('+').unwrap();
        let base: f64 = base.parse().unwrap();
        assert!((2.0..20.0).contains(&base), "{controls:?}");
        assert_eq!(increment, "0.01");
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
        let starts = event.tags("FEN");
        if games(system) == 6 {
            let rounds = event.tags("Round");
            let of = |round: &str| rounds.iter().position(|other| other == round).unwrap();
            assert_eq!(starts[of("1.1")], starts[of("1.2")]);
        }
        let again = words(&event.run(&[]));
        assert_has(&again, ["complete"]);
        assert_lacks(&again, ["opening 1"]);
        assert_eq!(event.tags("FEN"), starts);
    }
}

/// White and Black are a knight up alternately: both want that side, and half of the time and more is given.
#[test]
fn time_is_bid_and_given() {
    let engine = |name: &str, strength: u8, control: &str| {
        let options = format!("options = {{ Strength = {strength} }}");
        sparring(name, &format!("{options}\ntime.control = {control:?}"))
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
    event.verified();
    for game in 0..2 {
        let names = ["WhiteTimeControl", "BlackTimeControl"];
        let [white, black] = names.map(|name| event.tags(name));
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
        assert!(event.tags("FEN")[game].starts_with(fen));
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
    assert_eq!(event.ask(&["export", "--format", "pgn"]), pgn);
    assert_has(
        &event.ask(&["explain", "1.1"]),
        [&event.tags("WhiteTimeControl")[0]],
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
    let mut command = event.command(&["--quiet"]);
    let mut run = command.stderr(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(run.stderr.take().unwrap()).lines();
    // Other lines say whose turns were drawn.
    let is_made = |line: &String| line.starts_with("opening ") && line.contains(" of 3: ");
    let made = Vec::from_iter(lines.map(Result::unwrap).filter(is_made).take(2));
    run.kill().unwrap();
    run.wait().unwrap();
    let said = words(&event.run(&["--quiet"]));
    assert_lacks(&said, ["opening 1 of 3", "opening 2 of 3"]);
    is_well_played(&event, system);
    // The numbers printed before the kill were played.
    let numbers = event.tags("StartNumber");
    for line in &made {
        let number = line.rsplit(' ').next().unwrap();
        assert!(numbers.contains(&number.to_owned()), "{line}: {numbers:?}");
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let two = sparring_engines(2);
    let transcendental = "positions.sample = 2\nevent.variant = 'transcendental'";
    for [text, problem] in table(
        r"event.variant = 'dfrc'\npositions.opening = 'northam' | makes starts of chess960
         positions.opening = 'northam'\npositions.all = true | the players place the pieces
         positions.opening = 'northam'\nevent.games = 4 | how many starts
         positions.all = true\npositions.opening_time = 1.5 | in which players make a start
         TRANSCENDENTAL\nevent.pairs = 2\npositions.opening = 'auction' | played in one pair
         TRANSCENDENTAL\npositions.opening = 'auction-time' | who bids time needs a clock",
    ) {
        let text = text.replace("TRANSCENDENTAL", transcendental);
        let event = Event::new("refused", &format!("{text}\ntime.nodes = 10\n{two}"));
        assert_has(&event.ends(2, &["--dry-run", "--all"]), [problem]);
    }
    let text = "positions.opening = \"northam\"\ntime.nodes = 10\n";
    let three = Event::new("three", &(text.to_owned() + &sparring_engines(3)));
    let said = words(&three.run(&["--dry-run", "--all"]));
    assert_has(&said, ["made by two players"]);
    let shard = Event::new("shard", &(text.to_owned() + &two));
    let said = words(&shard.run(&["--shard", "1/2", "--quiet"]));
    assert_has(&said, ["a shard cannot know them"]);
}
