//! An event that was sealed before its first game: results are held against the manifest, and whatever was
//! altered is named.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::robust_support::six_and_nine;
use super::support::{Event, arbiter960, assert_has, ends, json, words};

/// Nothing that is recorded elsewhere says these.
const NOT_REPEATED: [&str; 2] = ["/sealed", "/program/version"];

fn event(name: &str) -> Event {
    let rest = "event.concurrency = 2\nevent.pairs = 2\npositions.numbers = [\"516-519\"]";
    let event = six_and_nine(name, 20, rest);
    // Games on one start differ, and are the same when they are played again.
    let limits = "time.nodes = 60\ntime.nodes_jitter = 0.3";
    event.rewrite(|text| text.replace("time.depth = 1", limits));
    event
}

fn command(words: &[&str], paths: &[&Path]) -> Command {
    let mut command = arbiter960();
    command.args(words).args(paths);
    command
}

fn seal(event: &Event) -> PathBuf {
    let manifest = event.folder().join("seal.json");
    ends(
        0,
        &mut command(&["seal", "-o"], &[&manifest, &event.file()]),
    );
    manifest
}

fn verify(manifest: &Path, results: &[&Path]) -> Command {
    command(&["verify", "--seal"], &[&[manifest], results].concat())
}

#[track_caller]
fn assert_green(manifest: &Path, results: &[&Path]) {
    assert_has(
        &ends(0, &mut verify(manifest, results)),
        ["games 16 findings 0"],
    );
}

#[track_caller]
fn assert_named(manifest: &Path, results: &[&Path], what: &str) {
    assert_has(&ends(1, &mut verify(manifest, results)), [what]);
}

/// Alters each item of the manifest in this file, which are more than `least`, but these, and looks at these results:
/// each time something is found.
fn assert_all_count(manifest: &Path, least: usize, but: &[&str], results: &Path) {
    let whole = json(&fs::read_to_string(manifest).unwrap());
    let mut items = Vec::new();
    leaves(&whole, "", &mut items);
    assert!(items.len() > least, "{items:?}");
    items.retain(|item| !but.contains(&item.as_str()));
    let forged = manifest.with_file_name("forged.json");
    for item in items {
        let mut other = whole.clone();
        let value = other.pointer_mut(&item).unwrap();
        *value = altered(value);
        fs::write(&forged, other.to_string()).unwrap();
        let verdict = verify(&forged, &[results]).output().unwrap();
        let is_seen = matches!(verdict.status.code(), Some(1 | 2));
        assert!(is_seen, "{item}: {}", words(&verdict));
    }
}

/// Sealed and played.
fn played(name: &str) -> (Event, PathBuf) {
    let event = event(name);
    let manifest = seal(&event);
    event.run_well(&["--quiet"]);
    (event, manifest)
}

/// The games of a PGN text, each as it stands there.
fn games_of(text: &str) -> Vec<String> {
    let starts: Vec<usize> = text.match_indices("[Event ").map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let games = starts.iter().zip(ends);
    games
        .map(|(start, end)| text[*start..end].to_owned())
        .collect()
}

/// The line of a tag.
fn tag(game: &str, name: &str) -> String {
    let begin = format!("[{name} ");
    let line = game.lines().find(|line| line.starts_with(&begin));
    line.unwrap().to_owned()
}

/// Results sealed after the last game.
fn close(code: i32, manifest: &Path, results: &Path) -> (String, PathBuf) {
    let closed = manifest.with_file_name("closed.json");
    let mut close = command(&["seal", "--close"], &[manifest, results]);
    (ends(code, close.arg("-o").arg(&closed)), closed)
}

/// The second game on the start of the first has the first's place: legal, and with the right tags.
fn replaced(text: &str) -> String {
    let games = games_of(text);
    let is_first = |game: &&String| tag(game, "Round").ends_with(".1\"]");
    let first: Vec<&String> = games.iter().filter(is_first).collect();
    let mut pairs = first
        .iter()
        .flat_map(|one| first.iter().map(move |other| [*one, *other]));
    let is_rival =
        |[one, other]: &[&String; 2]| one != other && tag(one, "FEN") == tag(other, "FEN");
    let [old, other] = pairs.find(is_rival).unwrap();
    let mut new = other.clone();
    for name in ["Pair", "Round"] {
        new = new.replace(&tag(other, name), &tag(old, name));
    }
    text.replacen(old, &new, 1)
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
    assert_all_count(&manifest, 30, &NOT_REPEATED, &folder);
}

#[test]
fn games_that_changed_after_the_end_are_named() {
    let (event, manifest) = played("closed");
    let pgn = event.results().join("games.pgn");
    let text = event.read("games.pgn");
    let short = event.folder().join("short.pgn");
    fs::write(&short, games_of(&text)[1..].concat()).unwrap();
    let (refused, closed) = close(1, &manifest, &short);
    assert_has(&refused, ["1 game missing"]);
    assert!(!closed.exists());
    let (_, closed) = close(0, &manifest, &event.results());
    assert_green(&closed, &[&event.results()]);
    assert_green(&closed, &[&pgn]);
    let version = tag(&text, "WhiteVersion");
    let changed = [
        replaced(&text),
        text.replacen(&version, "[WhiteVersion \"Stockfish 16\"]", 1),
    ];
    let forged = event.folder().join("forged.pgn");
    for changed in changed {
        assert_ne!(changed, text);
        fs::write(&forged, changed).unwrap();
        assert_green(&manifest, &[&forged]);
        assert_named(&closed, &[&forged], "closed: not as it was closed");
    }
    // Times and comments of a copy may be gone.
    let is_time = |line: &&str| line.contains("Time ") || line.contains("UTC");
    let bare = text.lines().filter(|line| !is_time(line));
    fs::write(&forged, bare.collect::<Vec<_>>().join("\n")).unwrap();
    assert_green(&closed, &[&forged]);
    assert_all_count(&closed, 5, &["/closed"], &pgn);
}

#[test]
fn games_that_the_engines_did_not_play_are_found_by_playing_them_again() {
    let (event, manifest) = played("again");
    let again = |results: &Path, games: &str, code| {
        ends(
            code,
            verify(&manifest, &[results]).args(["--replay", games]),
        )
    };
    let said = again(&event.results(), "16", 0);
    assert_has(&said, ["again: 16 games played again"]);
    let forged = event.folder().join("forged.pgn");
    fs::write(&forged, replaced(&event.read("games.pgn"))).unwrap();
    let named = "again: other moves or results when they are played again: ";
    assert_has(&again(&forged, "16", 1), [named]);
    let said = again(&event.results(), "1", 0);
    assert_has(&said, ["again: 2 games played again"]);
}

#[test]
fn changed_files_and_other_builds_are_named() {
    let (event, manifest) = played("files");
    let folder = event.results();
    let text = fs::read_to_string(event.file()).unwrap();
    fs::write(event.file(), format!("# other\n{text}")).unwrap();
    assert_named(&manifest, &[&folder], "the file has changed");
    for (from, to, named) in [
        ("event.seed = 0", "event.seed = 1", "seed: was 0, is now 1"),
        ("516-519", "517-520", "the plan is another"),
        (
            "Strength = 6",
            "Strength = 5",
            "Strength: was \"6\", is now \"5\"",
        ),
    ] {
        fs::write(event.file(), text.replace(from, to)).unwrap();
        assert_named(&manifest, &[&folder], named);
    }
    fs::write(event.file(), &text).unwrap();
    assert_green(&manifest, &[&folder]);
    let sealed = fs::read_to_string(&manifest).unwrap();
    let program = json(&sealed)["program"]["sha256"]
        .as_str()
        .unwrap()
        .to_owned();
    let other = "0".repeat(64);
    fs::write(&manifest, sealed.replace(&program, &other)).unwrap();
    let named = format!("another build of arbiter960 has played: {program}");
    assert_named(&manifest, &[&folder], &named);
    fs::remove_file(event.file()).unwrap();
    ends(2, &mut verify(&manifest, &[&folder]));
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
    let games = games_of(&text);
    assert_eq!(games.concat(), text);
    assert_eq!(games.len(), 16);
    let file = event.folder().join("altered.pgn");
    let named = |text: &str, what: &str| {
        fs::write(&file, text).unwrap();
        assert_named(&manifest, &[&file], what);
    };
    let round = |game: &str| tag(game, "Round").split('"').nth(1).unwrap().to_owned();
    let dropped = round(&games[3]);
    let rest = [&games[..3], &games[4..]].concat().concat();
    named(&rest, &format!("1 game missing: {dropped}"));
    ends(0, verify(&manifest, &[&file]).arg("--partly"));
    let repeated = format!("{text}\n{}", games[3]);
    named(&repeated, &format!("game {dropped} of games is here again"));
    let both: [&Path; 2] = [&event.results(), &event.results().join("games.pgn")];
    assert_named(&manifest, &both, "is here again");
    let in_third = |old: &str, new: &str| text.replacen(&games[3], &games[3].replace(old, new), 1);
    let other = in_third("[Event \"games\"]", "[Event \"other\"]");
    named(&other, "other: not sealed, 1 game left out");
    let pair = tag(&games[3], "Pair");
    let added = in_third(&pair, "[Pair \"99\"]");
    named(&added, "the plan has no game 99.");
    let is_elsewhere = |game: &&String| tag(game, "FEN") != tag(&games[3], "FEN");
    let other = games.iter().find(is_elsewhere).unwrap();
    let elsewhere = in_third(&pair, &tag(other, "Pair"));
    named(&elsewhere, "another start position than the plan");
    let control = tag(&games[3], "TimeControl");
    let limited = in_third(&control, "[TimeControl \"depth=2\"]");
    named(&limited, "limited by depth=2");
    let (white, black) = (tag(&games[3], "White"), tag(&games[3], "Black"));
    let swapped = games[3].replace(&white, "[Whit_");
    let swapped = swapped.replace(&black, &white.replace("White", "Black"));
    let swapped = swapped.replace("[Whit_", &black.replace("Black", "White"));
    named(&text.replacen(&games[3], &swapped, 1), "and the plan has");
    let result = tag(&games[3], "Result");
    let other = if result.contains("1-0") { "0-1" } else { "1-0" };
    let other = in_third(&result, &format!("[Result \"{other}\"]"));
    named(&other, "altered.pgn:");
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
    let folders: [&Path; 3] = [&event.results(), &part(1), &part(2)];
    ends(0, &mut command(&["merge"], &folders));
    assert_green(&manifest, &[&event.results()]);
}

#[test]
fn what_cannot_be_sealed_is_refused() {
    let event = event("refused");
    let manifest = seal(&event);
    let refused = |text: &str, what: &str| {
        fs::write(event.file(), text).unwrap();
        let output = event.folder().join("other.json");
        let mut seal = command(&["seal", "-o"], &[&output, &event.file()]);
        assert_has(&ends(2, &mut seal), [what]);
        assert!(!output.exists());
    };
    let text = fs::read_to_string(event.file()).unwrap();
    let seedless = text.replace("event.seed = 0\n", "");
    refused(&seedless, "seed = N in [event]");
    let sprt = "[sprt]\nelo0 = 0\nelo1 = 5\nmax_pairs = 9\n";
    let test = text.replace("event.pairs = 2\n", "") + sprt;
    refused(&test, "which pairs it plays depends on results ([sprt])");
    fs::write(event.file(), &text).unwrap();
    let before = fs::read(&manifest).unwrap();
    let file = event.file();
    ends(2, &mut command(&["seal", "-o"], &[&manifest, &file]));
    assert_eq!(fs::read(&manifest).unwrap(), before);
    let twice = event.folder().join("twice.json");
    let twice = command(&["seal", "-o"], &[&twice, &file, &file]).output();
    assert_has(&words(&twice.unwrap()), ["two events are called refused"]);
}
