//! `arbiter960 explain`, on games of the fake engine played by the real runner.

use arbiter960::internal::report::explain::EventFiles;
use arbiter960::internal::store::Reader;
use serde_json::Value;

use super::robust_support::{Run, fake_engine};
use super::support::{Event, assert_has, assert_lacks, ends, sparring, tool};

/// The fake engine, with these words, against the built-in one: two games from 518.
fn event(words: &[&str], more: &str) -> Event {
    let launch = format!("command = {:?}\nargs = {words:?}", fake_engine());
    let text = format!(
        "positions.numbers = [518]\ntimeouts.stall = 1\n{more}\n\
         [[engine]]\nname = \"Fake\"\n{launch}\ntime.nodes = 1000\n{}",
        sparring("Sound", "time.depth = 1")
    );
    Event::new("explained", &text)
}

/// The fake engine, with these words, against another of its kind: two games from 518.
fn between_fakes(words: &[&str], more: &str) -> Event {
    let fake = fake_engine();
    let text = format!(
        "positions.numbers = [518]\n{more}\n\
         [[engine]]\nname = \"Fake\"\ncommand = {fake:?}\nargs = {words:?}\n\
         [[engine]]\nname = \"Other\"\ncommand = {fake:?}\n"
    );
    Event::new("explained", &text)
}

/// Plays the event; its folder.
fn played(event: &Event) -> String {
    Run::start(event, &["--quiet"]).ends(0);
    event.results().to_str().unwrap().to_owned()
}

fn json(arguments: &[&str]) -> Value {
    let arguments = [&["explain"], arguments, &["--format", "json"]].concat();
    super::support::json(&tool(&arguments))
}

/// Measured times become `#`, digit for digit; the text around them stays in place. The time of a fault is
/// one `#`: it is written in the unit that fits.
fn without_times(text: &str) -> String {
    let hidden = |line: &str| match line.ends_with("after the last `go`") {
        true => "  # after the last `go`".to_owned(),
        false => line.to_owned(),
    };
    let text = text.lines().map(hidden).collect::<Vec<_>>().join("\n");
    let mut masked = String::new();
    for (index, part) in text.split_inclusive(char::is_whitespace).enumerate() {
        let word = part.trim_end();
        let number = word.trim_start_matches('-').parse::<f64>();
        let decimals = word
            .split_once('.')
            .map_or(0, |(_, decimals)| decimals.len());
        if index > 0 && number.is_ok() && decimals >= 3 {
            let hidden = word.replace(|letter: char| letter.is_ascii_digit(), "#");
            masked += &hidden.replace('-', " ");
            masked += &part[word.len()..];
        } else {
            masked += part;
        }
    }
    masked
}

#[test]
fn a_crash_is_explained_with_its_last_words() {
    // Neither of these engines reports how long it has thought.
    let event = between_fakes(
        &["search=fail"],
        "adjudication.max_moves = 6\ntime.nodes = 1000",
    );
    let folder = played(&event);
    let text = tool(&["explain", &folder, "1.1"]);
    assert!(!text.contains('\u{1b}'), "{text:?}");
    let too_wide = |line: &&str| line.chars().count() > 100 && !line.starts_with("  position");
    assert_eq!(text.lines().find(too_wide), None);
    // Who is ready first is left to chance.
    let lines = text.lines().filter(|line| !line.ends_with(" readyok"));
    let lines: Vec<&str> = lines.collect();
    insta::assert_snapshot!(without_times(&lines.join("\n")));
}

#[test]
fn the_evidence_of_a_crash_for_programs() {
    let event = event(&["search=fail", "at=3"], "adjudication.max_moves = 6");
    let folder = played(&event);
    let found = json(&[&folder, "1.1"]);
    assert_eq!(found["fault"]["kind"], "crash");
    assert_eq!(found["fault"]["exit"], "exited with status 3");
    let stderr = found["fault"]["stderr"].as_str().unwrap();
    assert!(stderr.ends_with("assertion failed: key == 0"), "{stderr}");
    let dialogue = found["dialogue"].as_array().unwrap();
    let last = dialogue.last().unwrap();
    assert_eq!(
        (&last["text"], &last["from_engine"]),
        (&"go nodes 1000".into(), &false.into())
    );
    assert_eq!(found["reproduction"]["go"], "go nodes 1000");
    let is_position = |line: &&Value| line["text"].as_str().unwrap().starts_with("position");
    let told = dialogue.iter().rfind(is_position);
    assert_eq!(found["reproduction"]["position"], told.unwrap()["text"]);
    let list = json(&[&folder]);
    let games = list["games"].as_array().unwrap();
    assert_eq!(games.len(), 2);
    let is_fault = |game: &Value| game["loser"] == "Fake" && game["fault"] == true;
    assert!(games.iter().all(is_fault));
}

#[test]
fn a_fault_is_replayed_and_shows_again() {
    for (deed, kind) in [
        ("fail", "crash"),
        ("say:a1a1", "illegal-move"),
        ("mute", "stall"),
    ] {
        let word = format!("search={deed}");
        let event = event(&[&word, "at=2"], "adjudication.max_moves = 6");
        let folder = played(&event);
        let found = json(&[&folder, "1.2", "--replay"]);
        assert_eq!(found["fault"]["kind"], kind);
        let replay = &found["replay"];
        assert_eq!(replay["same"], true, "{deed}: {replay:#}");
        assert_eq!([&replay["earlier"], &replay["earlier_same"]], [1, 1]);
        let text = tool(&["explain", &folder, "1.2", "--replay"]);
        assert!(text.contains("The same fault again: "), "{text}");
    }
}

#[test]
fn a_fault_that_does_not_show_again_is_said_so() {
    let event = event(&["search=fail", "once"], "adjudication.max_moves = 6");
    played(&event);
    let memory = event.folder().join("memory");
    let mut command = event.about(&["explain", "1.1", "--replay"]);
    let text = ends(0, command.env("LC_FAKE_MEMORY", memory));
    assert_has(&text, ["The fault did not show this time: "]);
}

/// The last lines to both engines equal the record's, with both clocks.
#[test]
fn what_was_asked_is_said_again_word_for_word() {
    let clock = "time = { control = \"2/3+0.25:1+0.5\", first_increment = false }";
    let event = between_fakes(&["search=fail", "at=4"], clock);
    let folder = played(&event);
    let files = EventFiles::new(Reader::open(folder.as_ref()).unwrap()).unwrap();
    let games = files.games("1.1", false).unwrap();
    let [source] = games.as_slice() else {
        panic!("{games:?}")
    };
    let told = source.dialogue.as_ref().unwrap().lines.iter();
    let told = told
        .filter(|line| !line.from_engine)
        .map(|line| line.text.as_str());
    let told = Vec::from_iter(told);
    let players = files.players(source).unwrap();
    let record = &source.game.record;
    assert_eq!(record.moves.len(), 6);
    // Six lines of each side are kept: three searches.
    for index in 1..=6 {
        let asked = record.request(&players, files.roster.variant.uci_dialect(), index);
        assert!(told.contains(&asked.go.as_str()), "{asked:?} {told:#?}");
        assert!(told.contains(&asked.position.as_str()), "{asked:?}");
        assert!(asked.go.contains("winc") && asked.allowed.is_some());
    }
}

#[test]
fn a_flag_fall_is_explained_with_the_clocks_evidence() {
    let rules = "adjudication.max_moves = 6\ntime.control = \"0.5+0.1\"";
    let event = between_fakes(&["search=mute", "at=2"], rules);
    let folder = played(&event);
    let found = json(&[&folder, "1.1"]);
    assert_eq!(found["fault"]["kind"], "flag-fall");
    let evidence = found["fault"]["evidence"].as_str().unwrap();
    assert!(!evidence.is_empty());
    let text = tool(&["explain", &folder, "1.1"]);
    let start: String = evidence.chars().take(30).collect();
    assert!(text.contains(&start), "{text}");
    let exit = "ran on, and was ended by the runner";
    assert_eq!(found["fault"]["exit"], exit);
}

#[test]
fn a_loss_on_the_board_shows_where_it_was_lost() {
    let event = event(&[], "");
    let folder = played(&event);
    let lost = json(&[&folder]);
    let games = lost["games"].as_array().unwrap();
    let mated = games.iter().find(|game| game["reason"] == "checkmate");
    let mated = mated.expect("random moves are mated");
    let round = mated["game"].as_str().unwrap();
    let found = json(&[&folder, round, "--replay"]);
    // The fake engine always says 0.00: the evaluations part when the other is a pawn up.
    let parted = &found["judgement"]["parted"];
    let [one, other] = [0, 1].map(|at| parted[at]["centipawns"].as_i64().unwrap());
    assert!(one.abs_diff(other) >= 100, "{parted:?}");
    assert_eq!(found["replay"]["same"], true, "{found:#}");
    assert_eq!(found["replay"]["earlier"], found["replay"]["earlier_same"]);
    let text = tool(&["explain", &folder, round]);
    assert!(text.contains("The engines began to disagree at "), "{text}");
    assert_eq!(event.ask(&["explain", "--voided"]), "No game was voided.\n");
}

/// The fake engine always says 0.00: the text has what its opponent saw, and the first line names the
/// move that led from a playable game to a lost one.
#[test]
fn who_never_saw_it_coming_is_told_what_its_opponent_saw() {
    let event = event(&[], "");
    let folder = played(&event);
    let lost = json(&[&folder]);
    let games = lost["games"].as_array().unwrap();
    let is_lost = |game: &&Value| game["loser"] == "Fake" && game["reason"] == "checkmate";
    let game = games.iter().find(is_lost).expect("Fake is mated");
    let round = game["game"].as_str().unwrap();
    let found = json(&[&folder, round]);
    let judgement = &found["judgement"];
    let (costly, drop) = (judgement["costly"].as_str().unwrap(), &judgement["drop"]);
    assert_ne!(drop[0]["side"], found["loser"], "{found:#}");
    let text = tool(&["explain", &folder, round]);
    let first = text.lines().next().unwrap();
    assert_has(first, [costly]);
    assert_has(&text, ["by Sound's view"]);
    let expected = |place: usize| {
        let expected = drop[place]["expected"].as_f64().unwrap();
        if found["loser"] == "white" {
            expected
        } else {
            1.0 - expected
        }
    };
    assert!(expected(0) > 0.15 && expected(1) < expected(0), "{drop:#}");
    assert_eq!(found["reproduction"]["move"], *costly);
}

#[test]
fn variations_that_cannot_be_true_are_counted_and_shown() {
    let event = event(&["wrong-pv"], "adjudication.max_moves = 4");
    let said = event.run_well(&["--quiet"]);
    let expected = "Fake: 8 of 8 PVs are wrong: 8 with an illegal move";
    assert!(said.contains(expected), "{said}");
    assert!(said.contains("the first in 1.1, ply 1: "), "{said}");
    assert_lacks(&said, ["\u{1b}", "\nSound: "]);
    assert!(event.ask(&["stats", "--moves"]).contains(expected));
    assert!(!event.ask(&["stats"]).contains("PVs are wrong"));
    let all = event.asked(&["stats", "--moves", "--format", "json"]);
    let flaws = &all["variations"][0]["engines"][0]["flaws"];
    assert_eq!(*flaws, serde_json::json!([8, 0, 0, 0]));
    let game = event.asked(&["explain", "1.1", "--format", "json"]);
    assert_eq!(game["variations"][0]["flaws"][0], 4);
}

#[test]
fn what_cannot_be_explained_is_refused() {
    let event = event(&[], "adjudication.max_moves = 2");
    played(&event);
    for game in ["7.1", "1.3"] {
        let said = event.ask_ends(2, &["explain", game]);
        assert_has(&said, [format!("there is no game {game}")]);
    }
    // A draw has nothing to replay.
    event.ask_ends(2, &["explain", "1.1", "--replay"]);
}
