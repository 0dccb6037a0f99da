//! `arbiter960 explain`, on games of the fake engine played by the real runner.

use arbiter960::internal::report::explain::EventFiles;
use arbiter960::internal::store::Reader;
use serde_json::Value;

use super::robust_support::{BOUND, Run, fake_engine};
use super::support::{Event, arbiter960, tool};

/// The fake engine, with these words, against the built-in one: two games from 518.
fn event(words: &[&str], more: &str) -> Event {
    let launch = format!("command = {:?}\nargs = {words:?}", fake_engine());
    let text = format!(
        "positions.numbers = [518]\ntimeouts.stall = 1\n{more}\n\
         [[engine]]\nname = \"Fake\"\n{launch}\ntime.nodes = 1000\n\
         [[engine]]\nname = \"Sound\"\nbuiltin = \"sparring\"\ntime.depth = 1\n"
    );
    Event::new("explained", &text)
}

/// Plays the event; its folder.
fn played(event: &Event) -> String {
    let mut run = Run::start(event, &["--quiet"]);
    let status = run.end(BOUND);
    assert_eq!(status.code(), Some(0), "{}", run.words());
    event.results().to_str().unwrap().to_owned()
}

fn json(arguments: &[&str]) -> Value {
    let arguments = [&["explain"], arguments, &["--format", "json"]].concat();
    serde_json::from_str(&tool(&arguments)).unwrap()
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
    let fake = fake_engine();
    // Neither of these engines reports how long it has thought.
    let text = format!(
        "positions.numbers = [518]\nadjudication.max_moves = 6\ntime.nodes = 1000\n\
         [[engine]]\nname = \"Fake\"\ncommand = {fake:?}\nargs = [\"search=fail\"]\n\
         [[engine]]\nname = \"Other\"\ncommand = {fake:?}\n"
    );
    let event = Event::new("explained", &text);
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
        (last["text"].as_str(), last["from_engine"].as_bool()),
        (Some("go nodes 1000"), Some(false))
    );
    assert_eq!(found["reproduction"]["go"], "go nodes 1000");
    let told = dialogue
        .iter()
        .rev()
        .find(|line| line["text"].as_str().unwrap().starts_with("position"));
    assert_eq!(found["reproduction"]["position"], told.unwrap()["text"]);
    let list = json(&[&folder]);
    let games = list["games"].as_array().unwrap();
    assert_eq!(games.len(), 2);
    assert!(
        games
            .iter()
            .all(|game| game["loser"] == "Fake" && game["fault"] == true)
    );
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
        assert_eq!(
            (&replay["earlier"], &replay["earlier_same"]),
            (&1.into(), &1.into())
        );
        let text = tool(&["explain", &folder, "1.2", "--replay"]);
        assert!(text.contains("The same fault again: "), "{text}");
    }
}

#[test]
fn a_fault_that_does_not_show_again_is_said_so() {
    let event = event(&["search=fail", "once"], "adjudication.max_moves = 6");
    let folder = played(&event);
    let memory = event.folder().join("memory");
    let mut command = arbiter960();
    command.args(["explain", &folder, "1.1", "--replay"]);
    let output = command.env("LC_FAKE_MEMORY", memory).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("The fault did not show this time: "),
        "{text}"
    );
}

/// The last lines to both engines equal the record's, with both clocks.
#[test]
fn what_was_asked_is_said_again_word_for_word() {
    let fake = fake_engine();
    let text = format!(
        "positions.numbers = [518]\ntime = {{ control = \"2/3+0.25:1+0.5\", first_increment = false }}\n\
         [[engine]]\nname = \"Fake\"\ncommand = {fake:?}\nargs = [\"search=fail\", \"at=4\"]\n\
         [[engine]]\nname = \"Other\"\ncommand = {fake:?}\n"
    );
    let event = Event::new("explained", &text);
    let folder = played(&event);
    let files = EventFiles::new(Reader::open(folder.as_ref()).unwrap()).unwrap();
    let games = files.games("1.1", false).unwrap();
    let [source] = games.as_slice() else {
        panic!("{games:?}")
    };
    let told = source.dialogue.as_ref().unwrap().lines.iter();
    let told: Vec<&str> = told
        .filter(|line| !line.from_engine)
        .map(|line| line.text.as_str())
        .collect();
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
    let fake = fake_engine();
    let text = format!(
        "positions.numbers = [518]\nadjudication.max_moves = 6\ntime.control = \"0.5+0.1\"\n\
         [[engine]]\nname = \"Fake\"\ncommand = {fake:?}\nargs = [\"search=mute\", \"at=2\"]\n\
         [[engine]]\nname = \"Other\"\ncommand = {fake:?}\n"
    );
    let event = Event::new("explained", &text);
    let folder = played(&event);
    let found = json(&[&folder, "1.1"]);
    assert_eq!(found["fault"]["kind"], "flag-fall");
    let evidence = found["fault"]["evidence"].as_str().unwrap();
    assert!(!evidence.is_empty());
    let text = tool(&["explain", &folder, "1.1"]);
    let start: String = evidence.chars().take(30).collect();
    assert!(text.contains(&start), "{text}");
    assert_eq!(
        found["fault"]["exit"],
        "ran on, and was ended by the runner"
    );
}

#[test]
fn a_loss_on_the_board_shows_where_it_was_lost() {
    let event = event(&[], "");
    let folder = played(&event);
    let lost = json(&[&folder]);
    let games = lost["games"].as_array().unwrap();
    let mated = games.iter().find(|game| game["reason"] == "checkmate");
    let round = mated.expect("random moves are mated")["game"]
        .as_str()
        .unwrap();
    let found = json(&[&folder, round, "--replay"]);
    // The fake engine always says 0.00: the evaluations part when the other is a pawn up.
    let parted = found["judgement"]["parted"].as_array().unwrap();
    let apart =
        parted[1]["centipawns"].as_i64().unwrap() - parted[0]["centipawns"].as_i64().unwrap();
    assert!(apart.abs() >= 100, "{parted:?}");
    assert_eq!(found["replay"]["same"], true, "{found:#}");
    assert_eq!(found["replay"]["earlier"], found["replay"]["earlier_same"]);
    let text = tool(&["explain", &folder, round]);
    assert!(text.contains("The engines began to disagree at "), "{text}");
    assert_eq!(
        tool(&["explain", &folder, "--voided"]),
        "No game was voided.\n"
    );
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
    assert!(
        first.contains(costly) && text.contains("by Sound's view"),
        "{text}"
    );
    let expected = |place: usize| match found["loser"] == "white" {
        true => drop[place]["expected"].as_f64().unwrap(),
        false => 1.0 - drop[place]["expected"].as_f64().unwrap(),
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
    assert!(
        !said.contains('\u{1b}') && !said.contains("\nSound: "),
        "{said}"
    );
    let folder = event.results();
    let folder = folder.to_str().unwrap();
    assert!(tool(&["stats", folder, "--moves"]).contains(expected));
    assert!(!tool(&["stats", folder]).contains("PVs are wrong"));
    let all = tool(&["stats", folder, "--moves", "--format", "json"]);
    let all: Value = serde_json::from_str(&all).unwrap();
    assert_eq!(
        all["variations"][0]["engines"][0]["flaws"],
        serde_json::json!([8, 0, 0, 0])
    );
    let game = json(&[folder, "1.1"]);
    assert_eq!(game["variations"][0]["flaws"][0], 4);
}

#[test]
fn what_cannot_be_explained_is_refused() {
    let event = event(&[], "adjudication.max_moves = 2");
    let folder = played(&event);
    for (game, words) in [
        ("7.1", "there is no game 7.1"),
        ("1.3", "there is no game 1.3"),
    ] {
        let output = arbiter960()
            .args(["explain", &folder, game])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(words), "{said}");
    }
    let output = arbiter960()
        .args(["explain", &folder, "1.1", "--replay"])
        .output()
        .unwrap();
    assert_eq!(
        output.status.code(),
        Some(2),
        "a draw has nothing to replay"
    );
}
