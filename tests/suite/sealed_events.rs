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
    let event = six_and_nine(name, 20, rest);
    // Games on one start differ, and are the same when they are played again.
    let text = fs::read_to_string(event.file()).unwrap();
    let limits = "time.nodes = 60\ntime.nodes_jitter = 0.3";
    fs::write(event.file(), text.replace("time.depth = 1", limits)).unwrap();
    event
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

/// The games of a PGN text, each as it stands there.
fn games_of(text: &str) -> Vec<String> {
    let starts: Vec<usize> = text.match_indices("[Event ").map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(start, end)| text[*start..end].to_owned())
        .collect()
}

/// The line of a tag.
fn tag(game: &str, name: &str) -> String {
    let line = game
        .lines()
        .find(|line| line.starts_with(&format!("[{name} ")));
    line.unwrap().to_owned()
}

/// Results sealed after the last game.
fn close(manifest: &Path, results: &[&Path]) -> (Output, PathBuf) {
    let closed = manifest.with_file_name("closed.json");
    let command = [
        Path::new("seal"),
        Path::new("--close"),
        manifest,
        Path::new("-o"),
        &closed,
    ];
    (tool(&[&command[..], results].concat()), closed)
}

/// The second game on the start of the first has the first's place: legal, and with the right tags.
fn replaced(text: &str) -> String {
    let games = games_of(text);
    let is_first = |game: &&String| tag(game, "Round").ends_with(".1\"]");
    let first: Vec<&String> = games.iter().filter(is_first).collect();
    let [old, other] = first
        .iter()
        .flat_map(|one| first.iter().map(move |other| [*one, *other]))
        .find(|[one, other]| one != other && tag(one, "FEN") == tag(other, "FEN"))
        .unwrap();
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
fn games_that_changed_after_the_end_are_named() {
    let (event, manifest) = played("closed");
    let pgn = event.results().join("games.pgn");
    let text = event.read("games.pgn");
    let short = event.folder().join("short.pgn");
    fs::write(&short, games_of(&text)[1..].concat()).unwrap();
    let (refused, closed) = close(&manifest, &[&short]);
    assert_eq!(refused.status.code(), Some(1), "{}", words(&refused));
    assert!(words(&refused).contains("1 game missing") && !closed.exists());
    let (sealed, closed) = close(&manifest, &[&event.results()]);
    assert!(sealed.status.success(), "{}", words(&sealed));
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
    let bare = text
        .lines()
        .filter(|line| !line.contains("Time ") && !line.contains("UTC"));
    fs::write(&forged, bare.collect::<Vec<_>>().join("\n")).unwrap();
    assert_green(&closed, &[&forged]);
    let whole: Value = serde_json::from_str(&fs::read_to_string(&closed).unwrap()).unwrap();
    let mut items = Vec::new();
    leaves(&whole, "", &mut items);
    for item in items.iter().filter(|item| *item != "/closed") {
        let mut other = whole.clone();
        let value = other.pointer_mut(item).unwrap();
        *value = altered(value);
        fs::write(&closed, other.to_string()).unwrap();
        let code = verify(&closed, &[&pgn]).status.code();
        assert!(matches!(code, Some(1 | 2)), "{item}: {code:?}");
    }
}

#[test]
fn games_that_the_engines_did_not_play_are_found_by_playing_them_again() {
    let (event, manifest) = played("again");
    let all = ["--replay", "16"].map(Path::new);
    let verdict = verify(
        &manifest,
        &[&[event.results().as_path()][..], &all].concat(),
    );
    let said = words(&verdict);
    assert!(verdict.status.success(), "{said}");
    assert!(said.contains("again: 16 games played again"), "{said}");
    let forged = event.folder().join("forged.pgn");
    fs::write(&forged, replaced(&event.read("games.pgn"))).unwrap();
    let named = "again: other moves or results when they are played again: ";
    assert_named(&manifest, &[&[forged.as_path()][..], &all].concat(), named);
    let one = ["--replay", "1"].map(Path::new);
    let verdict = verify(
        &manifest,
        &[&[event.results().as_path()][..], &one].concat(),
    );
    let said = words(&verdict);
    assert!(said.contains("again: 2 games played again"), "{said}");
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
