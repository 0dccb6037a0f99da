//! The code of `docs/data.md`, run unchanged, and the Parquet files read by others.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::support::{Event, assert_has, engine, missing, words};

/// Two engines of unlike strength on a few starts.
const MATCH: &str = r#"
positions.sample = 8
event.concurrency = 2
time.nodes = 300
adjudication.max_moves = 60
[[engine]]
name = "Five"
builtin = "sparring"
options = { Strength = 5 }
[[engine]]
name = "Seven, or so"
builtin = "sparring"
options = { Strength = 7 }
"#;

/// Prints what a statement of DuckDB gives.
const DUCKDB: &str = "
import csv, sys
import duckdb
found = duckdb.connect().execute(sys.stdin.read())
out = csv.writer(sys.stdout)
out.writerow([column[0] for column in found.description])
out.writerows(found.fetchall())
";

/// A piece of code, and the words behind the three marks: its language, what runs it, what it reads.
struct Piece {
    about: Vec<String>,
    code: String,
}

impl Piece {
    fn is(&self, word: &str) -> bool {
        self.about.iter().any(|own| own == word)
    }

    /// The output of the command; if a program that it needs is missing, a message and `None`.
    fn run(&self, folder: &Path) -> Option<String> {
        if self.is("parquet") && !cfg!(feature = "parquet") {
            eprintln!("skipped: this program has no feature parquet");
            return None;
        }
        let mut command = match self.about[0].as_str() {
            "r" => self.r()?,
            "sql" => python(&["duckdb"], DUCKDB)?,
            _ if self.is("polars") => python(&["polars"], &self.code)?,
            _ => python(&["pandas", "pyarrow"], &self.code)?,
        };
        let code = super::support::pipe_of(self.code.as_bytes());
        let output = command.current_dir(folder).stdin(code).output().unwrap();
        let said = words(&output);
        if self.is("duckdb") && self.is("store") && said.contains("Failed to download extension") {
            eprintln!("skipped: DuckDB's extension sqlite cannot be fetched from here");
            return None;
        }
        assert!(output.status.success(), "{}\n{said}", self.code);
        Some(String::from_utf8(output.stdout).unwrap())
    }

    fn r(&self) -> Option<Command> {
        let program = engine("Rscript")?;
        for package in ["RSQLite", "nanoparquet"] {
            let asked = format!("quit(status = !requireNamespace('{package}', quietly = TRUE))");
            let mut there = Command::new(&program);
            if self.is(package) && !succeeds(there.args(["-e", &asked])) {
                eprintln!("skipped: R has no package {package}");
                return None;
            }
        }
        let mut command = Command::new(program);
        command.args(["-e", &self.code]);
        Some(command)
    }
}

/// Python with these packages.
pub(super) fn python(packages: &[&str], code: &str) -> Option<Command> {
    const ABSENT: &str =
        "import sys, importlib.util as u; print(*(p for p in sys.argv[1:] if not u.find_spec(p)))";
    // Looked for, not loaded: that takes seconds.
    let mut asked = Command::new("python3");
    let asked = asked.args(["-c", ABSENT]).args(packages).output();
    let absent = match asked {
        Ok(said) if said.status.success() => String::from_utf8(said.stdout).unwrap(),
        _ => packages.join(" "),
    };
    if !absent.trim().is_empty() {
        missing(&format!("python3 has no package {absent}"));
        return None;
    }
    let mut command = Command::new("python3");
    command.args(["-c", code]);
    Some(command)
}

fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// The pieces of code in the document.
fn pieces() -> Vec<Piece> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/data.md");
    let text = fs::read_to_string(file).unwrap();
    let parts = text.split("\n```").skip(1).step_by(2);
    let piece = |part: &str| {
        let (about, code) = part.split_once('\n').unwrap();
        let about = about.split_whitespace().map(str::to_owned).collect();
        let code = code.to_owned();
        Piece { about, code }
    };
    parts.map(piece).collect()
}

/// An event with its exports in the document's folder.
fn exported() -> Event {
    let event = Event::new("match", MATCH);
    event.run_well(&["--quiet", "--no-report"]);
    let data = event.folder().join("data");
    fs::create_dir(&data).unwrap();
    let csv = data.join("games.csv");
    event.ask(&["export", "--format", "csv", "-o", csv.to_str().unwrap()]);
    if cfg!(feature = "parquet") {
        event.ask(&[
            "export",
            "--format",
            "parquet",
            "-o",
            data.to_str().unwrap(),
        ]);
    }
    event
}

/// A printed table: the fields of each row by their columns. Engines' names may have commas.
type Rows = Vec<BTreeMap<String, String>>;

fn rows(text: &str) -> Rows {
    let mut lines = text.trim().lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let row = |line: &str| {
        let line = line.replace("\"", "").replace("Seven, or so", "Seven");
        let fields = line.split(',').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(fields.len(), names.len(), "{line}");
        let names = names.iter().map(|name| name.replace('"', ""));
        names.zip(fields).collect()
    };
    lines.map(row).collect()
}

fn number(row: &BTreeMap<String, String>, column: &str) -> f64 {
    row[column].parse().unwrap()
}

#[test]
fn the_code_of_the_document_makes_the_main_table_again() {
    let event = exported();
    let stats = event.asked(&["stats", "--format", "json"]);
    let positions = event.read("positions.csv");
    let starts = rows(&positions.lines().map(short).collect::<String>());
    let mut tables = [0, 0];
    for piece in pieces().iter().filter(|piece| piece.about[0] != "sh") {
        let Some(printed) = piece.run(event.folder()) else {
            continue;
        };
        for table in printed.replace('\r', "").split("\n\n") {
            if table.starts_with("engine") || table.starts_with("\"engine") {
                assert_engines(&rows(table), &stats);
                tables[0] += 1;
            } else if table.starts_with("number") {
                assert_starts(&rows(table), &starts);
                tables[1] += 1;
            } else {
                assert!(table.trim().is_empty() || rows(table).len() > 5, "{table}");
            }
        }
    }
    eprintln!("{tables:?} tables were made again");
    let required = std::env::var_os("ARBITER960_REQUIRE_EXTERNAL").is_some();
    let least = [if cfg!(feature = "parquet") { 2 } else { 1 }, 5];
    let enough = tables.iter().zip(least).all(|(made, least)| *made >= least);
    assert!(!required || enough, "{tables:?}");
}

/// Number, games and White's score of a line of `positions.csv`.
fn short(line: &str) -> String {
    let fields: Vec<&str> = line.split(',').collect();
    format!("{},{},{}\n", fields[0], fields[2], fields[7])
}

fn assert_starts(made: &Rows, known: &Rows) {
    assert_eq!(made.len(), 8);
    for (made, known) in made.iter().zip(known) {
        assert_eq!(made["number"], known["number"]);
        assert_eq!(number(made, "games"), number(known, "games"));
        let difference = number(made, "score") - number(known, "white_score");
        assert!(difference.abs() < 1e-9, "{made:?}, {known:?}");
    }
}

/// The first engine's games, points and Elo, and those of the other engine, which has the remaining points.
fn assert_engines(made: &Rows, stats: &Value) {
    let found = &stats["match"];
    let elo = found["elo"].as_f64().unwrap();
    let names = made.iter().map(|row| row["engine"].as_str());
    assert_eq!(names.collect::<Vec<_>>(), ["Five", "Seven"]);
    let [five, seven] = [&made[0], &made[1]];
    for (own, other) in [(five, seven), (seven, five)] {
        assert_eq!(number(own, "games"), 16.0);
        assert_eq!(own["wins"], other["losses"]);
    }
    for (row, elo) in [(five, elo), (seven, -elo)] {
        assert!((number(row, "elo") - elo).abs() < 1e-6, "{row:?}, {elo}");
    }
    let points = number(five, "wins") + number(five, "draws") / 2.0;
    assert_eq!(number(five, "points"), points);
    assert_eq!(number(five, "score"), points / 16.0);
}

/// Held against the store, column by column, and types.
#[cfg(feature = "parquet")]
const COMPARE: &str = r#"
import sqlite3, sys
import pyarrow.parquet as parquet
import pyarrow as arrow

results, data = sys.argv[1:]
store = sqlite3.connect(f"file:{results}/event.db?mode=ro", uri=True)
store.row_factory = sqlite3.Row

def equal(table, rows, shifted):
    assert table.num_rows == len(rows) > 0, (table.num_rows, len(rows))
    for own, known in zip(table.to_pylist(), rows):
        for name in known.keys():
            if name in own:
                value = known[name] + 1 if name in shifted else known[name]
                assert own[name] == value, (name, own[name], value)

moves = parquet.read_table(f"{data}/moves.parquet")
rows = store.execute("SELECT * FROM moves ORDER BY sequence, ply").fetchall()
assert moves.column_names == list(rows[0].keys()), moves.column_names
equal(moves, rows, ["pair", "game"])
assert moves.schema.field("nodes").type == arrow.int64()
assert moves.schema.field("sent_ns").type == arrow.int64()
assert moves.schema.field("engine_complete").type == arrow.bool_()
assert moves.schema.field("pondered").nullable and moves["move"].null_count == 0

games = parquet.read_table(f"{data}/games.parquet")
equal(games, store.execute("SELECT * FROM games ORDER BY sequence").fetchall(), ["pair", "game", "cycle"])
assert games.schema.field("started").type == arrow.timestamp("ms", tz="UTC")
first = store.execute("SELECT started_ms FROM games WHERE sequence = 1").fetchone()[0]
assert games["started"][0].value == first
assert games["number"].null_count == 0

for name in ["pairs", "positions"]:
    print(name, parquet.read_table(f"{data}/{name}.parquet").to_pylist())
"#;

#[cfg(feature = "parquet")]
#[test]
fn another_reader_finds_in_the_parquet_files_what_the_store_has() {
    let Some(mut reader) = python(&["pyarrow"], COMPARE) else {
        return;
    };
    let event = exported();
    let data = event.folder().join("data");
    let output = reader.arg(event.results()).arg(&data).output().unwrap();
    assert!(output.status.success(), "{}", words(&output));
    let printed = String::from_utf8(output.stdout).unwrap();
    let header = event.read("positions.csv");
    for column in header.lines().next().unwrap().split(',') {
        assert!(printed.contains(&format!("'{column}': ")), "no {column}");
    }
    assert!(printed.contains("'first_points': 1.0") || printed.contains("'first_points': 0.0"));
}

#[test]
fn parquet_needs_a_folder_and_a_program_that_has_it() {
    let event = exported();
    let words_of = |more: &[&str]| {
        let arguments = [&["export", "--format", "parquet"], more].concat();
        let output = event.about(&arguments).output().unwrap();
        assert!(!output.status.success());
        words(&output)
    };
    assert_has(&words_of(&[]), ["name it, as in -o data"]);
    if !cfg!(feature = "parquet") {
        let folder = event.folder().join("other");
        let said = words_of(&["-o", folder.to_str().unwrap()]);
        assert_has(&said, ["--features parquet"]);
    }
}
