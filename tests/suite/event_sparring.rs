//! Whole events with the built-in engine: real chess over real pipes.

use std::collections::BTreeSet;

use serde_json::Value;

use super::robust_support::six_and_nine;
use super::support::{Event, all_rounds, tool, words};

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
    let mut rounds = event.rounds();
    rounds.sort();
    assert_eq!(rounds, all_rounds(9));
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
    assert!(
        said.contains("Known to ± 60 Elo, however often it is looked at"),
        "{said}"
    );
    let standings: Value = serde_json::from_str(&event.read("standings.json")).unwrap();
    let pairs = standings["sprt"]["pairs"].as_u64().unwrap();
    assert!(
        (20..400).contains(&pairs) && standings["final"] == true,
        "{standings}"
    );
    assert_eq!(standings["sprt"]["decision"], "undecided");
    assert!(event.run_well(&[]).contains("complete"));
}

/// New and Old never meet: their pairs with the same opponents from the same starts are compared.
#[test]
fn a_test_against_others_compares_what_two_engines_score() {
    let engine = |(name, strength): (&str, u32)| {
        format!(
            "[[engine]]\nname = \"{name}\"\nbuiltin = \"sparring\"\noptions = {{ Strength = {strength} }}\n"
        )
    };
    let engines = [("Five", 5), ("New", 10), ("Six", 6), ("Old", 1)].map(engine);
    let rest = "event.concurrency = 2\nevent.format = \"gauntlet\"\nevent.heroes = [\"Old\", \"New\"]\ntime.depth = 1\n\
                positions.sample = 300\nsprt.elo1 = 200\nsprt.max_pairs = 1200\nsprt.against = \"others\"\n";
    let event = Event::new("others", &format!("{rest}{}", engines.concat()));
    let said = event.run_well(&["--quiet"]);
    let verdict =
        "New is better than Old against the same 2 opponents: SPRT of 0 to 200 nElo passed after";
    assert!(said.contains(verdict), "{said}");
    let standings: Value = serde_json::from_str(&event.read("standings.json")).unwrap();
    let test = &standings["sprt"];
    assert_eq!(test["against_others"], serde_json::json!(["New", "Old"]));
    let folder = event.results().display().to_string();
    let stats: Value =
        serde_json::from_str(&tool(&["stats", "--format", "json", &folder])).unwrap();
    for key in ["llr", "pairs", "decision", "corrected_bounds"] {
        assert_eq!(test[key], stats["sprt"][key], "{key}");
    }
    let details = tool(&["stats", "--details", &folder]);
    assert!(details.contains("New less Old, pair by pair"), "{details}");
    let games = event.read("games.pgn");
    let hero = |side: &str, name: &str| games.matches(&format!("[{side} \"{name}\"]")).count();
    let all = games.matches("[Event ").count();
    let heroes = ["New", "Old"].map(|name| hero("White", name) + hero("Black", name));
    assert_eq!(
        heroes.iter().sum::<usize>(),
        all,
        "one of the two in every game"
    );
    assert!(heroes[0].abs_diff(heroes[1]) <= 6, "{heroes:?}");
    let pairs = test["pairs"].as_u64().unwrap() as usize;
    assert!(pairs >= 10 && 4 * pairs <= all, "{pairs} of {all}");
}

#[test]
fn every_encounter_meets_on_every_position_with_both_colours() {
    let event = Event::new("fair", THREE);
    event.run_well(&["--quiet"]);
    let pgn = event.read("games.pgn");
    let tag = |game: &str, name: &str| -> String {
        let start = game.find(&format!("[{name} \"")).expect("the tag") + name.len() + 3;
        game[start..].split('"').next().unwrap().to_owned()
    };
    let games: BTreeSet<_> = pgn
        .split("[Event ")
        .skip(1)
        .map(|game| {
            [
                tag(game, "White"),
                tag(game, "Black"),
                tag(game, "StartNumber"),
            ]
        })
        .collect();
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
    let pgn = event.results().join("games.pgn");
    tool(&["verify", pgn.to_str().unwrap()]);
    let exported = tool(&[
        "export",
        event.results().to_str().unwrap(),
        "--format",
        "pgn",
    ]);
    assert_eq!(exported, event.read("games.pgn"));
}

#[test]
fn a_fixed_limit_gives_the_same_games_again() {
    let moves = |name: &str| {
        let event = Event::new(name, THREE);
        event.run_well(&["--quiet", "--concurrency", "1"]);
        let path = event.results();
        let rows = tool(&["export", path.to_str().unwrap(), "--format", "csv"]);
        let column = rows
            .lines()
            .next()
            .unwrap()
            .split(',')
            .position(|name| name == "moves");
        let column = column.expect("a column of moves");
        rows.lines()
            .map(|row| row.split(',').nth(column).unwrap().to_owned())
            .collect::<Vec<_>>()
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
    let deeper = format!(
        "event.name = \"changed\"\n{}",
        THREE.replace("depth = 1", "depth = 2")
    );
    std::fs::write(event.file(), deeper).unwrap();
    let refused = event.run(&["--quiet"]);
    assert_eq!(refused.status.code(), Some(2), "{}", words(&refused));
    let shown = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        shown.contains("depth") && shown.contains("--accept-changes"),
        "{shown}"
    );
    event.run_well(&["--quiet", "--accept-changes"]);
    event.run_well(&["--quiet"]);
}

#[test]
fn a_change_that_makes_another_plan_is_refused_even_with_consent() {
    let event = Event::new("planned", THREE);
    event.run_well(&["--quiet"]);
    let refused = event.run(&["--quiet", "--accept-changes", "--seed", "7"]);
    assert_eq!(refused.status.code(), Some(2), "{}", words(&refused));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("other games would be played"));
    let longer = format!("event.name = \"planned\"\nevent.pairs = 2\n{THREE}");
    std::fs::write(event.file(), longer).unwrap();
    event.run_well(&["--quiet", "--accept-changes"]);
    assert_eq!(event.rounds().len(), 36);
}

#[test]
fn fresh_moves_the_old_event_aside() {
    let event = Event::new("again", THREE);
    event.run_well(&["--quiet"]);
    event.run_well(&["--quiet", "--fresh"]);
    let folders = std::fs::read_dir(event.results().parent().unwrap())
        .unwrap()
        .count();
    assert_eq!(folders, 2);
    assert_eq!(event.rounds().len(), 18);
}

/// Engines that answer at once are read by a lane that does not sleep: that, too, is logged.
#[test]
fn every_answer_of_engines_that_answer_at_once_is_logged() {
    let event = Event::new(
        "logged",
        "positions.numbers = [518]\ntime.nodes = 5\n[[engine]]\nname = \"Swift\"\nbuiltin = \"sparring\"\ncopies = 2\n",
    );
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
