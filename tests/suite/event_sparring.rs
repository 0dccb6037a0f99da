//! Whole events with the built-in engine: real chess over real pipes.

use std::collections::BTreeSet;

use super::robust_support::{assert_files_whole, games_by_round, six_and_nine};
use super::support::{Event, assert_has, sparring};

const THREE: &str = r#"
event.concurrency = 2
positions.numbers = [0, 518, 959]
time.depth = 1
[[engine]]
name = "One"
builtin = "sparring"
options = { Strength = 1 }
[[engine]]
name = "Five"
builtin = "sparring"
options = { Strength = 5 }
[[engine]]
name = "Ten"
builtin = "sparring"
"#;

#[test]
fn an_event_is_played_once_and_then_complete() {
    let event = Event::new("three", THREE);
    event.run_well(&[]);
    event.assert_rounds(9);
    let pgn = event.read("games.pgn");
    let again = event.run_well(&[]);
    assert!(again.contains("complete"), "{again}");
    assert_eq!(event.read("games.pgn"), pgn);
}

/// Games are cut short, so hardly one is decided: the ratio would go on for thousands of pairs.
#[test]
fn a_test_ends_when_its_difference_is_known() {
    let rest = "event.concurrency = 2\npositions.sample = 500\nsprt.elo0 = 0\nsprt.elo1 = 3\nsprt.within = 60\n\
                sprt.max_pairs = 500";
    let event = six_and_nine("known", 4, rest);
    let said = event.run_well(&["--quiet"]);
    assert_has(&said, ["Known to ± 60 Elo, however often it is looked at"]);
    let standings = event.parsed("standings.json");
    let pairs = standings["sprt"]["pairs"].as_u64().unwrap();
    assert!((20..400).contains(&pairs), "{standings}");
    assert_eq!(standings["final"], true);
    assert_eq!(standings["sprt"]["decision"], "undecided");
    assert!(event.run_well(&[]).contains("complete"));
}

/// New and Old never meet: their pairs with the same opponents from the same starts are compared.
#[test]
fn a_test_against_others_compares_what_two_engines_score() {
    let engine = |(name, strength): (&str, u32)| {
        sparring(name, &format!("options = {{ Strength = {strength} }}"))
    };
    let engines = [("Five", 5), ("New", 10), ("Six", 6), ("Old", 1)].map(engine);
    let rest = "event.concurrency = 2\nevent.format = \"gauntlet\"\nevent.heroes = [\"Old\", \"New\"]\ntime.depth = 1\n\
                positions.sample = 300\nsprt.elo1 = 200\nsprt.max_pairs = 1200\nsprt.against = \"others\"\n";
    let event = Event::new("others", &format!("{rest}{}", engines.concat()));
    let said = event.run_well(&["--quiet"]);
    let verdict =
        "New is better than Old against the same 2 opponents: SPRT of 0 to 200 nElo passed after";
    assert!(said.contains(verdict), "{said}");
    let standings = event.parsed("standings.json");
    let test = &standings["sprt"];
    assert_eq!(test["against_others"], serde_json::json!(["New", "Old"]));
    let stats = event.asked(&["stats", "--format", "json"]);
    for key in ["llr", "pairs", "decision", "corrected_bounds"] {
        assert_eq!(test[key], stats["sprt"][key], "{key}");
    }
    let details = event.ask(&["stats", "--details"]);
    assert!(details.contains("New less Old, pair by pair"), "{details}");
    let [white, black] = ["White", "Black"].map(|side| event.tags(side));
    let games = |name: &str| {
        white
            .iter()
            .chain(&black)
            .filter(|own| *own == name)
            .count()
    };
    let (all, heroes) = (white.len(), ["New", "Old"].map(games));
    assert_eq!(heroes[0] + heroes[1], all, "one of the two in every game");
    assert!(heroes[0].abs_diff(heroes[1]) <= 6, "{heroes:?}");
    let pairs = test["pairs"].as_u64().unwrap() as usize;
    assert!(pairs >= 10 && 4 * pairs <= all, "{pairs} of {all}");
}

#[test]
fn every_encounter_meets_on_every_position_with_both_colours() {
    let event = Event::new("fair", THREE);
    event.run_well(&["--quiet"]);
    let [white, black, number] = ["White", "Black", "StartNumber"].map(|name| event.tags(name));
    let games = white.into_iter().zip(black).zip(number);
    let games = BTreeSet::from_iter(games.map(|((white, black), number)| [white, black, number]));
    let names = ["One", "Five", "Ten"];
    for white in names {
        for black in names.into_iter().filter(|black| *black != white) {
            for number in ["0", "518", "959"] {
                let game = [white, black, number].map(str::to_owned);
                assert!(games.contains(&game), "{game:?} was not played");
            }
        }
    }
}

#[test]
fn the_games_are_legal_and_equal_to_the_store() {
    let event = Event::new("legal", THREE);
    event.run_well(&["--quiet"]);
    assert_files_whole(&event);
}

#[test]
fn a_fixed_limit_gives_the_same_games_again() {
    let moves = |name: &str| {
        let event = Event::new(name, THREE);
        event.run_well(&["--quiet", "--concurrency", "1"]);
        games_by_round(&event)
    };
    assert_eq!(moves("first"), moves("second"));
}

#[test]
fn a_plan_is_printed_without_an_engine_and_is_the_same_for_ever() {
    let event = Event::new("plan", THREE);
    let plan = event.run_well(&["--dry-run", "--all"]);
    assert_eq!(plan, event.run_well(&["--dry-run", "--all"]));
    assert_ne!(plan, event.run_well(&["--dry-run", "--all", "--seed", "1"]));
    assert!(!event.results().exists());
    insta::assert_snapshot!(plan);
}

#[test]
fn a_changed_event_is_refused_and_shown_unless_accepted() {
    let event = Event::new("changed", THREE);
    event.run_well(&["--quiet"]);
    event.rewrite(|text| text.replace("depth = 1", "depth = 2"));
    assert_has(&event.ends(2, &["--quiet"]), ["depth", "--accept-changes"]);
    event.run_well(&["--quiet", "--accept-changes"]);
    event.run_well(&["--quiet"]);
}

#[test]
fn a_change_that_makes_another_plan_is_refused_even_with_consent() {
    let event = Event::new("planned", THREE);
    event.run_well(&["--quiet"]);
    let refused = event.ends(2, &["--quiet", "--accept-changes", "--seed", "7"]);
    assert_has(&refused, ["other games would be played"]);
    event.rewrite(|text| format!("event.pairs = 2\n{text}"));
    event.run_well(&["--quiet", "--accept-changes"]);
    assert_eq!(event.rounds().len(), 36);
}

#[test]
fn fresh_moves_the_old_event_aside() {
    let event = Event::new("again", THREE);
    event.run_well(&["--quiet"]);
    event.run_well(&["--quiet", "--fresh"]);
    let folders = std::fs::read_dir(event.results().parent().unwrap());
    assert_eq!(folders.unwrap().count(), 2);
    assert_eq!(event.rounds().len(), 18);
}

/// Engines that answer at once are read by a lane that does not sleep: that, too, is logged.
#[test]
fn every_answer_of_engines_that_answer_at_once_is_logged() {
    let text =
        "positions.numbers = [518]\ntime.nodes = 5\n".to_owned() + &sparring("Swift", "copies = 2");
    let event = Event::new("logged", &text);
    event.run_well(&["--quiet", "--log-engines"]);
    let mut said = (0, 0);
    for entry in std::fs::read_dir(event.results().join("log/engines")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "uci") {
            let text = std::fs::read_to_string(path).unwrap();
            said.0 += text.lines().filter(|line| line.contains(" > go ")).count();
            said.1 += text.matches("bestmove ").count();
        }
    }
    assert!(
        said.0 > 20 && said.0 == said.1,
        "{said:?} `go` and `bestmove`"
    );
}
