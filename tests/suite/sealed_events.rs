//! An event that was sealed before its first game: results are held against the manifest, and whatever was
//! altered is named.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::{Value, json};

use super::robust_support::six_and_nine;
use super::support::{Event, arbiter960, words};

/// Nothing that is recorded elsewhere says these.
const NOT_REPEATED: [&str; 2] = ["/sealed", "/program/version"];

fn event(name: &str) -> Event {
    let rest = "event.concurrency = 2\nevent.pairs = 2\npositions.numbers = [\"516-519\"]";
    six_and_nine(name, 20, rest)
}

fn tool(arguments: &[&Path]) -> Output {
    arbiter960().args(arguments).output().unwrap()
}

fn seal(event: &Event) -> PathBuf {
    let manifest = event.folder().join("seal.json");
    let (file, option) = (event.file(), Path::new("-o"));
    let sealed = tool(&[Path::new("seal"), &file, option, &manifest]);
    assert!(sealed.status.success(), "{}", words(&sealed));
    manifest
}

fn verify(manifest: &Path, results: &[&Path]) -> Output {
    let command = [Path::new("verify"), Path::new("--seal"), manifest];
    tool(&[&command[..], results].concat())
}

fn assert_green(manifest: &Path, results: &[&Path]) {
    let verdict = verify(manifest, results);
    assert!(verdict.status.success(), "{}", words(&verdict));
    assert!(
        words(&verdict).contains("games 16 findings 0"),
        "{}",
        words(&verdict)
    );
}

fn assert_named(manifest: &Path, results: &[&Path], what: &str) {
    let verdict = verify(manifest, results);
    assert_eq!(verdict.status.code(), Some(1), "{}", words(&verdict));
    assert!(
        words(&verdict).contains(what),
        "{what:?} is not in {}",
        words(&verdict)
    );
}

/// Sealed and played.
fn played(name: &str) -> (Event, PathBuf) {
    let event = event(name);
    let manifest = seal(&event);
    event.run_well(&["--quiet"]);
    (event, manifest)
}

/// The paths of all values of a document that are no tables.
fn leaves(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(table) => table.iter().for_each(|(key, value)| {
            let key = key.replace('~', "~0").replace('/', "~1");
            leaves(value, &format!("{path}/{key}"), found);
        }),
        Value::Array(list) => (0..).zip(list).for_each(|(place, value): (usize, _)| {
            leaves(value, &format!("{path}/{place}"), found)
        }),
        Value::Null => {}
        _ => found.push(path.to_owned()),
    }
}

fn altered(value: &Value) -> Value {
    match value {
        Value::Bool(is) => json!(!is),
        Value::Number(number) if number.is_u64() => json!(number.as_u64().unwrap() + 1),
        Value::Number(number) => json!(number.as_f64().unwrap() + 0.25),
        Value::String(text) => json!(format!("{text}0")),
        other => panic!("{other}"),
    }
}

#[test]
fn no_item_of_a_manifest_can_be_altered_unseen() {
    let (event, manifest) = played("items");
    let (folder, pgn) = (event.results(), event.results().join("games.pgn"));
    assert_green(&manifest, &[&folder]);
    assert_green(&manifest, &[&pgn]);
    let whole: Value = serde_json::from_str(&fs::read_to_string(&manifest).unwrap()).unwrap();
    let mut items = Vec::new();
    leaves(&whole, "", &mut items);
    assert!(items.len() > 30, "{items:?}");
    let forged = event.folder().join("forged.json");
    for item in items
        .iter()
        .filter(|item| !NOT_REPEATED.contains(&item.as_str()))
    {
        let mut other = whole.clone();
        let value = other.pointer_mut(item).unwrap();
        *value = altered(value);
        fs::write(&forged, other.to_string()).unwrap();
        let verdict = verify(&forged, &[&folder]);
        assert!(
            matches!(verdict.status.code(), Some(1 | 2)),
            "{item}: {}",
            words(&verdict)
        );
    }
}

#[test]
fn changed_files_and_other_builds_are_named() {
    let (event, manifest) = played("files");
    let folder = event.results();
    let text = fs::read_to_string(event.file()).unwrap();
    fs::write(event.file(), format!("# other\n{text}")).unwrap();
    assert_named(&manifest, &[&folder], "the file has changed");
    fs::write(
        event.file(),
        text.replace("event.seed = 0", "event.seed = 1"),
    )
    .unwrap();
    assert_named(&manifest, &[&folder], "seed: was 0, is now 1");
    fs::write(event.file(), text.replace("516-519", "517-520")).unwrap();
    assert_named(&manifest, &[&folder], "the plan is another");
    fs::write(event.file(), text.replace("Strength = 6", "Strength = 5")).unwrap();
    assert_named(&manifest, &[&folder], "Strength: was \"6\", is now \"5\"");
    fs::write(event.file(), &text).unwrap();
    assert_green(&manifest, &[&folder]);
    let sealed = fs::read_to_string(&manifest).unwrap();
    let program = serde_json::from_str::<Value>(&sealed).unwrap()["program"]["sha256"].clone();
    let program = program.as_str().unwrap().to_owned();
    let other = "0".repeat(64);
    fs::write(&manifest, sealed.replace(&program, &other)).unwrap();
    let named = format!("another build of arbiter960 has played: {program}");
    assert_named(&manifest, &[&folder], &named);
    fs::remove_file(event.file()).unwrap();
    let verdict = verify(&manifest, &[&folder]);
    assert_eq!(verdict.status.code(), Some(2), "{}", words(&verdict));
}

#[test]
fn an_event_that_was_played_with_another_engine_is_named() {
    let event = event("engines");
    let manifest = seal(&event);
    let text = fs::read_to_string(event.file()).unwrap();
    fs::write(event.file(), text.replace("Strength = 9", "Strength = 8")).unwrap();
    event.run_well(&["--quiet"]);
    fs::write(event.file(), text).unwrap();
    let folder = event.results();
    assert_named(&manifest, &[&folder], "Strength: was \"9\", is now \"8\"");
    let pgn = folder.join("games.pgn");
    assert_named(&manifest, &[&pgn], "without the option Strength=9");
}

#[test]
fn games_that_were_dropped_repeated_or_added_are_named() {
    let (event, manifest) = played("games");
    let text = event.read("games.pgn");
    let games: Vec<String> = text
        .split_inclusive("\n\n[Event")
        .map(str::to_owned)
        .collect();
    // Each begins where the one before it ends.
    let games: Vec<String> = (0..)
        .zip(&games)
        .map(|(place, game): (usize, _)| {
            let game = game.strip_suffix("[Event").unwrap_or(game);
            if place == 0 {
                game.to_owned()
            } else {
                format!("[Event{game}")
            }
        })
        .collect();
    assert_eq!(games.concat(), text);
    assert_eq!(games.len(), 16);
    let file = event.folder().join("altered.pgn");
    let named = |text: &str, what: &str| {
        fs::write(&file, text).unwrap();
        assert_named(&manifest, &[&file], what);
    };
    let tag = |game: &str, name: &str| {
        let line = game
            .lines()
            .find(|line| line.starts_with(&format!("[{name} ")))
            .unwrap();
        line.to_owned()
    };
    let round = |game: &str| tag(game, "Round").split('"').nth(1).unwrap().to_owned();
    let dropped = round(&games[3]);
    let rest = [&games[..3], &games[4..]].concat().concat();
    named(&rest, &format!("1 game missing: {dropped}"));
    let partly = [
        Path::new("verify"),
        Path::new("--partly"),
        Path::new("--seal"),
        &manifest,
        &file,
    ];
    let partly = tool(&partly);
    assert!(partly.status.success(), "{}", words(&partly));
    let repeated = format!("{text}\n{}", games[3]);
    named(&repeated, &format!("game {dropped} of games is here again"));
    assert_named(
        &manifest,
        &[&event.results(), &event.results().join("games.pgn")],
        "is here again",
    );
    let in_third = |old: &str, new: &str| text.replacen(&games[3], &games[3].replace(old, new), 1);
    named(
        &in_third("[Event \"games\"]", "[Event \"other\"]"),
        "other: not sealed, 1 game left out",
    );
    let pair = tag(&games[3], "Pair");
    let added = in_third(&pair, "[Pair \"99\"]");
    named(&added, "the plan has no game 99.");
    let other = games
        .iter()
        .find(|game| tag(game, "FEN") != tag(&games[3], "FEN"))
        .unwrap();
    let elsewhere = in_third(&pair, &tag(other, "Pair"));
    named(&elsewhere, "another start position than the plan");
    let control = tag(&games[3], "TimeControl");
    named(
        &in_third(&control, "[TimeControl \"depth=2\"]"),
        "limited by depth=2",
    );
    let (white, black) = (tag(&games[3], "White"), tag(&games[3], "Black"));
    let swapped = games[3]
        .replace(&white, "[Whit_")
        .replace(&black, &white.replace("White", "Black"));
    let swapped = swapped.replace("[Whit_", &black.replace("Black", "White"));
    named(&text.replacen(&games[3], &swapped, 1), "and the plan has");
    let result = tag(&games[3], "Result");
    let other = if result.contains("1-0") { "0-1" } else { "1-0" };
    named(
        &in_third(&result, &format!("[Result \"{other}\"]")),
        "altered.pgn:",
    );
}

#[test]
fn shards_are_verified_one_by_one_and_together() {
    let event = event("parts");
    let manifest = seal(&event);
    for shard in ["1/2", "2/2"] {
        event.run_well(&["--quiet", "--shard", shard]);
    }
    let part = |index: u8| {
        let own = event.results();
        own.with_file_name(format!("parts-shard-{index}-of-2"))
    };
    assert_green(&manifest, &[&part(1), &part(2)]);
    assert_named(&manifest, &[&part(1)], "8 games missing");
    assert_named(&manifest, &[&part(1), &part(1)], "is here again");
    let merged = tool(&[Path::new("merge"), &event.results(), &part(1), &part(2)]);
    assert!(merged.status.success(), "{}", words(&merged));
    assert_green(&manifest, &[&event.results()]);
}

#[test]
fn what_cannot_be_sealed_is_refused() {
    let event = event("refused");
    let manifest = seal(&event);
    let refused = |text: Option<&str>, what: &str| {
        if let Some(text) = text {
            fs::write(event.file(), text).unwrap();
        }
        let output = event.folder().join("other.json");
        let sealed = tool(&[Path::new("seal"), &event.file(), Path::new("-o"), &output]);
        assert_eq!(sealed.status.code(), Some(2), "{}", words(&sealed));
        assert!(words(&sealed).contains(what), "{what}: {}", words(&sealed));
        assert!(!output.exists());
    };
    let text = fs::read_to_string(event.file()).unwrap();
    refused(
        Some(&text.replace("event.seed = 0\n", "")),
        "seed = N in [event]",
    );
    let test =
        text.replace("event.pairs = 2\n", "") + "[sprt]\nelo0 = 0\nelo1 = 5\nmax_pairs = 9\n";
    refused(
        Some(&test),
        "which pairs it plays depends on results ([sprt])",
    );
    fs::write(event.file(), &text).unwrap();
    let before = fs::read(&manifest).unwrap();
    let again = tool(&[Path::new("seal"), &event.file(), Path::new("-o"), &manifest]);
    assert_eq!(again.status.code(), Some(2), "{}", words(&again));
    assert_eq!(fs::read(&manifest).unwrap(), before);
    let file = event.file();
    let twice = event.folder().join("twice.json");
    let twice = tool(&[Path::new("seal"), &file, &file, Path::new("-o"), &twice]);
    assert!(
        words(&twice).contains("two events are called refused"),
        "{}",
        words(&twice)
    );
}

/// The command of docs/experiment.md, whose folder has games of events that were not sealed, on a shard of each kind.
#[test]
fn games_of_events_that_were_not_sealed_are_one_line() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/experiment");
    let manifest = folder.join("seal.json");
    let file = |name: &str| folder.join(name);
    let [played, other] = ["stockfish-1.pgn.bz2", "tenfold-weiss-1.pgn.bz2"].map(file);
    let partly = Path::new("--partly");
    let verdict = verify(&manifest, &[&played, &other, partly]);
    let said = words(&verdict);
    assert!(verdict.status.success(), "{said}");
    assert!(said.contains("games 1920 findings 0"), "{said}");
    assert_eq!(said.matches("not sealed").count(), 1, "{said}");
    assert_named(&manifest, &[&other, partly], "no game of a sealed event");
}

/// docs/experiment.md says, word for word, all that `stats` allows on the games of each engine.
#[test]
fn every_claim_on_the_committed_games_stands_in_the_document() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let document = fs::read_to_string(root.join("docs/experiment.md")).unwrap();
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let document = one_line(&document);
    for engine in ["stockfish", "ethereal", "weiss"] {
        let mut command = arbiter960();
        command.args(["stats", "--fast", "--format", "json"]);
        command.args(
            (1..=13).map(|shard| root.join(format!("results/experiment/{engine}-{shard}.pgn.bz2"))),
        );
        let output = command.output().unwrap();
        let statistics: Value = serde_json::from_slice(&output.stdout).unwrap();
        let claims = statistics["verdict"]["claims"].as_array().unwrap();
        let claims = claims
            .iter()
            .filter(|claim| claim["allowed"] == true && claim["id"] != "next-step");
        let mut found = 0;
        for claim in claims {
            let claim = claim["words"].as_str().unwrap();
            assert!(document.contains(&one_line(claim)), "{engine}: {claim}");
            found += 1;
        }
        assert!(found >= 2, "{engine}: {}", words(&output));
    }
}
