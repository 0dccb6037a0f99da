//! What several tests need: the program, events, engines that may be missing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use tempfile::TempDir;

/// The program under test. What is started from now on has the signals that a terminal gives it.
pub fn program() -> &'static Path {
    static ONCE: Once = Once::new();
    ONCE.call_once(ignore_no_signal);
    Path::new(env!("CARGO_BIN_EXE_arbiter960"))
}

/// Tests started by `nohup` or in the background of a script ignore signals, and the programs that they start inherit
/// that. A handler is not inherited: here it does nothing, and in those programs the signal ends the program.
fn ignore_no_signal() {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .unwrap();
    let mask = u64::from_str_radix(mask.trim(), 16).unwrap();
    for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] {
        if mask & (1 << (signal - 1)) != 0 {
            signal_hook::flag::register(signal, Arc::default()).unwrap();
        }
    }
}

/// The time that this thread uses of a processor for it: what else the machine does is not in it.
pub fn processor_time(work: impl FnOnce()) -> Duration {
    let now = || Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap();
    let before = now();
    work();
    now() - before
}

/// A run of it.
pub fn arbiter960() -> Command {
    let mut command = Command::new(program());
    // The events of other tests are not looked at.
    command.env("ARBITER960_LOCKS", "");
    command
}

/// An engine from the distribution. Without it the test prints that and does
/// nothing, unless `ARBITER960_REQUIRE_EXTERNAL` makes that a failure.
pub fn engine(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    let found = folders
        .map(|folder| folder.join(name))
        .find(|file| file.is_file());
    if found.is_none() {
        missing(&format!("{name} is not installed"));
    }
    found
}

/// Blocks of an event file for this number of sparring engines, no two of which play alike.
pub fn sparring_engines(count: usize) -> String {
    let engine = |number: usize| {
        format!(
            "[[engine]]\nname = \"E{number}\"\nbuiltin = \"sparring\"\n\
             options = {{ Strength = {} }}\ntime.nodes = {}\n",
            1 + number % 9,
            20 + 30 * number
        )
    };
    (1..=count).map(engine).collect()
}

/// Between two looks at what a test waits for: a loop that never rests takes a processor from what it waits for.
pub fn pause(milliseconds: u64) {
    std::thread::sleep(Duration::from_millis(milliseconds));
}

/// What is not there by then is waited for in vain; no claim is made of how long anything takes.
pub const BOUND: Duration = Duration::from_secs(900);

/// Looks until there is something; `known` is what the test can tell where it never comes.
#[track_caller]
pub fn wait_for<T>(mut look: impl FnMut() -> Option<T>, known: impl FnOnce() -> String) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < BOUND, "in vain: {}", known());
        pause(5);
    }
}

/// The same, until this is so.
#[track_caller]
pub fn wait_until(mut is_so: impl FnMut() -> bool, known: impl FnOnce() -> String) {
    wait_for(|| is_so().then_some(()), known);
}

/// Says that a test cannot run here; a failure where everything must be there.
pub fn missing(what: &str) {
    let required = std::env::var_os("ARBITER960_REQUIRE_EXTERNAL").is_some();
    assert!(!required, "{what}, and ARBITER960_REQUIRE_EXTERNAL is set");
    eprintln!("skipped: {what}");
}

/// A folder with one event file and its results.
pub struct Event {
    folder: TempDir,
    name: String,
}

impl Event {
    /// Writes the event file; `text` is everything but `event.name`.
    pub fn new(name: &str, text: &str) -> Event {
        let folder = tempfile::tempdir().unwrap();
        let mut keys = format!("event.name = {name:?}\n");
        // The same plan in every run of the tests, and the same games on a machine that is busy.
        if !text.contains("event.seed") {
            keys += "event.seed = 0\n";
        }
        if !text.contains("host_faults") && !text.contains("[adjudication]") {
            keys += "adjudication.host_faults = \"count\"\n";
        }
        let text = keys + text;
        fs::write(folder.path().join("event.toml"), text).unwrap();
        Event {
            folder,
            name: name.to_owned(),
        }
    }

    /// The folder in which everything lies.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The event file.
    pub fn file(&self) -> PathBuf {
        self.folder.path().join("event.toml")
    }

    /// The event's own folder below the results.
    pub fn results(&self) -> PathBuf {
        self.folder.path().join("results").join(&self.name)
    }

    /// `arbiter960 run` for this event, with more arguments.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = arbiter960();
        command.arg("run").arg(self.file()).arg("--results");
        command
            .arg(self.folder.path().join("results"))
            .args(arguments);
        command
    }

    /// Runs it to its end.
    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs it to its end, which must be a good one; its stdout.
    pub fn run_well(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{}", words(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    /// A file of results.
    pub fn read(&self, file: &str) -> String {
        fs::read_to_string(self.results().join(file)).unwrap()
    }

    /// The `Round` of every game in `games.pgn`, in its order.
    pub fn rounds(&self) -> Vec<String> {
        self.tags("Round")
    }
}

/// Exit status, stdout and stderr, for a message.
pub fn words(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!(
        "{}\n{}\n{}",
        output.status,
        text(&output.stdout),
        text(&output.stderr)
    )
}

/// A file with these bytes, to be read from its beginning.
pub fn pipe_of(bytes: &[u8]) -> std::process::Stdio {
    let mut file = tempfile::tempfile().unwrap();
    std::io::Write::write_all(&mut file, bytes).unwrap();
    std::io::Seek::rewind(&mut file).unwrap();
    file.into()
}

/// Whether a line of `--json` is as docs/events.schema.json has it: a kind that it names, no field
/// that it does not name, none missing, each of a type that it allows.
pub fn assert_described(line: &serde_json::Value) {
    let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/events.schema.json");
    let schema: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(schema).unwrap()).unwrap();
    let kinds = schema["oneOf"].as_array().unwrap();
    let kind = kinds
        .iter()
        .find(|kind| kind["properties"]["type"]["const"] == line["type"]);
    let kind = kind.unwrap_or_else(|| panic!("the schema has no {line}"));
    assert_object(line, kind, &schema["definitions"]);
}

fn assert_object(object: &serde_json::Value, kind: &serde_json::Value, all: &serde_json::Value) {
    for key in kind["required"].as_array().unwrap() {
        assert!(
            object.get(key.as_str().unwrap()).is_some(),
            "{key} is missing: {object}"
        );
    }
    for (key, value) in object.as_object().unwrap() {
        let rule = kind["properties"].get(key);
        assert_value(
            value,
            rule.unwrap_or_else(|| panic!("{key} is unknown: {object}")),
            all,
        );
    }
}

fn assert_value(value: &serde_json::Value, rule: &serde_json::Value, all: &serde_json::Value) {
    if let Some(name) = rule["$ref"].as_str() {
        let name = name.rsplit('/').next().unwrap();
        return assert_object(value, &all[name], all);
    }
    if let Some(one) = rule.get("const") {
        return assert_eq!(value, one);
    }
    if let Some(words) = rule["enum"].as_array() {
        return assert!(words.contains(value), "{value}: {rule}");
    }
    let kind = match value {
        serde_json::Value::Null => "null",
        serde_json::Value::Bool(_) => "boolean",
        serde_json::Value::Number(number) if number.is_f64() => "number",
        serde_json::Value::Number(_) => "integer",
        serde_json::Value::String(_) => "string",
        serde_json::Value::Array(_) => "array",
        serde_json::Value::Object(_) => "object",
    };
    let allowed = &rule["type"];
    let is_allowed = match allowed {
        serde_json::Value::Array(kinds) => kinds.iter().any(|one| one == kind),
        one => one == kind,
    };
    assert!(is_allowed, "{value}: {rule}");
    if let (Some(elements), Some(rule)) = (value.as_array(), rule.get("items")) {
        elements
            .iter()
            .for_each(|element| assert_value(element, rule, all));
    }
}

/// Runs the program on an event's folder or file and gives its stdout.
pub fn tool(arguments: &[&str]) -> String {
    let output = arbiter960().args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", words(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// The rounds of this number of complete pairs, sorted.
pub fn all_rounds(pairs: usize) -> Vec<String> {
    let mut rounds: Vec<String> = (1..=pairs)
        .flat_map(|pair| [format!("{pair}.1"), format!("{pair}.2")])
        .collect();
    rounds.sort();
    rounds
}

/// Runs a command, which must end with this code: the status, stdout and stderr.
#[track_caller]
pub fn ends(code: i32, command: &mut Command) -> String {
    let output = command.output().unwrap();
    let said = words(&output);
    assert_eq!(output.status.code(), Some(code), "{command:?}: {said}");
    said
}

/// The same for this program with these arguments.
#[track_caller]
pub fn tool_ends(code: i32, arguments: &[&str]) -> String {
    ends(code, arbiter960().args(arguments))
}

/// Every part is in the text.
#[track_caller]
pub fn assert_has<T: AsRef<str>>(text: &str, parts: impl IntoIterator<Item = T>) {
    for part in parts {
        let part = part.as_ref();
        assert!(text.contains(part), "no {part:?}: {text}");
    }
}

/// No part is in the text.
#[track_caller]
pub fn assert_lacks<T: AsRef<str>>(text: &str, parts: impl IntoIterator<Item = T>) {
    for part in parts {
        let part = part.as_ref();
        assert!(!text.contains(part), "{part:?}: {text}");
    }
}

/// A text of JSON.
#[track_caller]
pub fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The text with single blanks in the place of blanks and ends of lines.
pub fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The rows of a table: a line each, their columns parted by `|`; `\n` in a column begins a new line.
pub fn table<const N: usize>(text: &str) -> Vec<[String; N]> {
    let column = |column: &str| column.trim().replace("\\n", "\n");
    let row = |line: &str| {
        let columns: Vec<String> = line.split('|').map(column).collect();
        let columns = columns.try_into();
        columns.unwrap_or_else(|_| panic!("not of {N} columns: {line}"))
    };
    text.trim().lines().map(row).collect()
}

/// A program that is a script of the shell.
pub fn script(path: &Path, text: &str) {
    fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(path, executable).unwrap();
}

/// The block of an event file for a built-in engine with these keys.
pub fn sparring(name: &str, keys: &str) -> String {
    format!("[[engine]]\nname = {name:?}\nbuiltin = \"sparring\"\n{keys}\n")
}

/// The values of a tag of a PGN text, in its order.
pub fn tags(pgn: &str, name: &str) -> Vec<String> {
    let begin = format!("[{name} \"");
    let values = pgn.lines().filter_map(|line| line.strip_prefix(&begin));
    let values = values.map(|value| value.strip_suffix("\"]").unwrap().to_owned());
    values.collect()
}

impl Event {
    /// A command about the event: its first word, the folder of results, the other words.
    pub fn about(&self, arguments: &[&str]) -> Command {
        let mut command = arbiter960();
        command.arg(arguments[0]).arg(self.results());
        command.args(&arguments[1..]);
        command
    }

    /// What it says, if it ends well.
    #[track_caller]
    pub fn ask(&self, arguments: &[&str]) -> String {
        let output = self.about(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", words(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    /// The same of a command that ends with this code: the status, stdout and stderr.
    #[track_caller]
    pub fn ask_ends(&self, code: i32, arguments: &[&str]) -> String {
        ends(code, &mut self.about(arguments))
    }

    /// The JSON that a command says of the event.
    #[track_caller]
    pub fn asked(&self, arguments: &[&str]) -> serde_json::Value {
        json(&self.ask(arguments))
    }

    /// A file of results that is JSON.
    #[track_caller]
    pub fn parsed(&self, file: &str) -> serde_json::Value {
        json(&self.read(file))
    }

    /// Runs it; the run must end with this code: the status, stdout and stderr.
    #[track_caller]
    pub fn ends(&self, code: i32, arguments: &[&str]) -> String {
        ends(code, &mut self.command(arguments))
    }

    /// The values of a tag of its games.
    pub fn tags(&self, name: &str) -> Vec<String> {
        tags(&self.read("games.pgn"), name)
    }

    /// Changes the event file.
    pub fn rewrite(&self, change: impl FnOnce(String) -> String) {
        let text = fs::read_to_string(self.file()).unwrap();
        fs::write(self.file(), change(text)).unwrap();
    }

    /// Its store.
    pub fn store(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.results().join("event.db")).unwrap()
    }

    /// The number that a query of its store gives.
    #[track_caller]
    pub fn number(&self, sql: &str) -> i64 {
        self.store().query_row(sql, [], |row| row.get(0)).unwrap()
    }

    /// `verify` finds nothing in its games.
    #[track_caller]
    pub fn verified(&self) {
        let pgn = self.results().join("games.pgn");
        let said = tool(&["verify", pgn.to_str().unwrap()]);
        assert!(said.contains("findings 0 warnings 0"), "{said}");
    }

    /// Makes its store again from its files.
    #[track_caller]
    pub fn rebuilt(&self) -> String {
        fs::remove_file(self.results().join("event.db")).unwrap();
        let mut rebuild = arbiter960();
        rebuild.arg("rebuild").arg(self.file()).arg("--results");
        ends(0, rebuild.arg(self.folder.path().join("results")))
    }

    /// The games of so many pairs are there, each once.
    #[track_caller]
    pub fn assert_rounds(&self, pairs: usize) {
        let mut rounds = self.rounds();
        rounds.sort();
        assert_eq!(rounds, all_rounds(pairs));
    }
}

/// The elements of a list of JSON.
#[track_caller]
pub fn list(value: &serde_json::Value) -> &[serde_json::Value] {
    value
        .as_array()
        .unwrap_or_else(|| panic!("no list: {value}"))
}

/// This member of each element of a list of JSON.
#[track_caller]
pub fn members(value: &serde_json::Value, name: &str) -> Vec<serde_json::Value> {
    list(value).iter().map(|one| one[name].clone()).collect()
}
