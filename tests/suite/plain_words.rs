//! The words of the program as people read them: the help of every command, a small event from its
//! plan to its statistics, and the message about an event file that has changed. A change of words shows
//! as a difference of snapshots (`INSTA_UPDATE=always cargo test --test suite plain_words` takes it over).

use std::path::Path;
use std::process::Command;

use super::layers::all_sources;
use super::support::{arbiter960, missing};

const EVENT: &str = r#"
[event]
name = "small"
seed = 1
[positions]
numbers = [518, 0, 959]
[time]
depth = 2
[adjudication]
max_moves = 60
[[engine]]
name = "Nine"
builtin = "sparring"
options = { Strength = 9 }
[[engine]]
name = "Two"
builtin = "sparring"
options = { Strength = 2 }
"#;

/// The commands that a `--help` lists under its headings, except `help`.
fn listed(help: &str) -> Vec<String> {
    let lists = help.split("\nOptions:").next().unwrap();
    let names = lists.lines().filter_map(|line| line.strip_prefix("  "));
    let names = names.filter(|line| line.starts_with(|first: char| first.is_ascii_lowercase()));
    let names = names.filter_map(|line| line.split_whitespace().next());
    let names = names.filter(|name| *name != "help");
    names.map(str::to_owned).collect()
}

/// The output of a command, with its exit code if that is not 0.
fn said(mut command: Command) -> String {
    let output = command.env_remove("COLUMNS").output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    let code = match output.status.code() {
        Some(0) => String::new(),
        Some(code) => format!("(exit code {code})\n"),
        None => "(ended by a signal)\n".to_owned(),
    };
    // On a slow machine the program prints its progress.
    let is_progress = |line: &&str| line.starts_with("checking the stored games against");
    let err = err.lines().filter(|line| !is_progress(line));
    let err: String = err.map(|line| format!("{line}\n")).collect();
    format!("{err}{out}{code}")
}

fn command(folder: &Path, words: &str) -> Command {
    let mut command = arbiter960();
    command.current_dir(folder).args(words.split(' '));
    command
}

/// The commands of a build with all features: what is handed out, and what CI tests.
#[test]
fn the_help_of_every_command() {
    if !cfg!(all(feature = "nats", feature = "parquet")) {
        return missing("the help of a build without the features nats and parquet lacks commands");
    }
    let folder = Path::new(".");
    let help = said(command(folder, "--help"));
    let mut left = listed(&help);
    assert!(left.iter().any(|name| name == "run"), "{help}");
    insta::assert_snapshot!("help", help);
    while let Some(name) = left.pop() {
        let text = said(command(folder, &format!("{name} --help")));
        let own = listed(&text).into_iter();
        left.extend(own.map(|sub| format!("{name} {sub}")));
        insta::assert_snapshot!(format!("help {name}").replace(' ', "_"), text);
    }
}

#[test]
fn an_event_from_its_plan_to_its_statistics() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    std::fs::write(place.join("small.toml"), EVENT).unwrap();
    let mut text = String::new();
    for words in [
        "run small.toml --dry-run",
        "run small.toml --quiet",
        "run small.toml",
        "status results/small",
        "stats results/small",
        "explain results/small",
        "run small.toml --pgn-comments none",
        "status results/none",
    ] {
        let shown = said(command(place, words));
        // How long the games took is not the same twice.
        text += &format!("$ arbiter960 {words}\n{shown}\n");
    }
    insta::assert_snapshot!("an_event", text);
}

#[test]
fn what_is_said_of_an_event_file_that_has_changed() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    let event = place.join("small.toml");
    std::fs::write(&event, EVENT).unwrap();
    said(command(place, "run small.toml --quiet --no-report"));
    let more = "[[engine]]\nname = \"Latecomer\"\nbuiltin = \"sparring\"\n";
    let changes = [
        EVENT.replace("depth = 2", "depth = 3"),
        EVENT.replace("\"Two\"", "\"Three\""),
        EVENT.replace("seed = 1", "seed = 2\nformat = \"round-robin\"") + more,
        EVENT.to_owned() + "[sprt]\nelo0 = 0\nelo1 = 5\n",
    ];
    let mut text = String::new();
    for changed in changes {
        std::fs::write(&event, changed).unwrap();
        text += &said(command(place, "run small.toml --quiet"));
        text += "\n";
    }
    insta::assert_snapshot!("a_changed_event_file", text);
}

/// Nouns that a number stands before, and units of time.
const COUNTED: &str = "games pairs engines moves nodes positions lines threads processors cores times rounds openings \
                       starts lanes decisions attempts problems shards ms ns min";

/// Whether a line of code writes a number before one of these. A whole after `of` and the end of a range after `to` are
/// no counts, nor are constants, several, rates, and the lines for programs, which have a word before each number.
fn counts_by_hand(line: &str) -> bool {
    line.match_indices("} ").any(|(end, _)| {
        let (before, number) = line[..end].rsplit_once('{').unwrap_or_default();
        let rest = line[end + 2..].trim_start_matches("more ");
        let word = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap();
        let is_other = |text: &str| rest[word.len()..].starts_with(text);
        COUNTED.split_whitespace().any(|counted| counted == word)
            && !["of ", "to ", "these "]
                .iter()
                .any(|word| before.ends_with(word))
            && ![" {", "/"].map(is_other).contains(&true)
            && number != "several"
            && !number.starts_with(|c: char| c.is_ascii_uppercase())
    })
}

/// `text::instant` writes a moment for people; these read moments, or write those of files and protocols.
const MOMENTS: &str = "/report/trf.rs /text/numbers.rs /front/ /pgn/ /event/mod.rs /config/stages.rs /seal/manifest.rs";

#[test]
fn moments_have_one_form() {
    let sources = all_sources(&["src"]).into_iter();
    let others = sources.filter(|file| {
        let name = file.display().to_string();
        let text = std::fs::read_to_string(file).unwrap();
        let writes = ["strftime", "jiff::", "to_the_second()"];
        let is_own = MOMENTS.split(' ').any(|own| name.contains(own));
        !is_own && writes.iter().any(|word| text.contains(word))
    });
    let others: Vec<_> = others.map(|file| file.display().to_string()).collect();
    let is_one = others.len() == 1 && others[0].ends_with("tournament/rulings.rs");
    assert!(is_one, "{others:?}");
}

/// `text::count` writes `1 game` and `2 games`, `text::duration` a time: nobody does by hand.
#[test]
fn numbers_and_times_have_one_form() {
    let mut found = Vec::new();
    for file in all_sources(&["src"]) {
        let text = std::fs::read_to_string(&file).unwrap();
        let program = text.split("#[cfg(test)]").next().unwrap();
        let name = file.display().to_string();
        // Other programs' words, and those of protocols.
        let mut others = "/front/ /adapter/ /sparring/ tests.rs /text/numbers.rs".split(' ');
        if !others.any(|other| name.contains(other)) {
            let is_code = |line: &&str| !line.trim_start().starts_with("//");
            let lines = program.lines().filter(is_code);
            let lines = lines.filter(|line| counts_by_hand(line));
            found.extend(lines.map(|line| format!("{name}: {}", line.trim())));
        }
    }
    assert_eq!(found, Vec::<String>::new());
    assert!(counts_by_hand("{left} games left") && counts_by_hand("after {:.1} ms"));
}
