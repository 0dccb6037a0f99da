//! Statistics of 1,013,760 games (960 start positions, 12 engines, 8 pairs an
//! encounter and position), and of two engines: from the store and from PGN; and of 100,000
//! openings in a pair each. The command `stats` itself is measured, then its parts.
//!
//! The store is made in the system's folder for temporary files. Each figure
//! is the best of three.
//!
//!     cargo bench --bench million                       # everything
//!     cargo bench --bench million -- command            # the command alone
//!     cargo bench --bench million -- list               # 20,000 games of 3,000 players, a million of 30,000
//!     cargo bench --bench million -- write FOLDER       # the event, its PGN, the openings, to be kept

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use arbiter960::chess::FenDialect;
use arbiter960::chess::start::{self, StartNumber, Variant};
use arbiter960::internal::analysis::{Collection, Collector, EventStatistics};
use arbiter960::internal::event::UnixMillis;
use arbiter960::internal::event::identity::EventIdentity;
use arbiter960::internal::store::{Description, EngineEntry, Reader, Store};
use arbiter960::stats::advantage::{AdvantageOptions, AdvantageReport};
use arbiter960::stats::numeric::SplitMix;
use arbiter960::stats::ratings::{RatingInput, RatingTable, table::RatingOptions};
use rusqlite::functions::FunctionFlags;
use rusqlite::types::ValueRef;
use serde_json::json;
use twox_hash::xxhash3_64::Hasher;

const ENGINES: u16 = 12;
const POSITIONS: u32 = 960;

/// One game of the synthetic event.
struct Synthetic {
    pair: u64,
    game: u8,
    number: u32,
    white: u16,
    black: u16,
    half_points: u8,
}

/// Davidson-like results: strengths 40 Elo apart, advantages of 25 ± 15 Elo.
fn games(engines: u16, pairs: u32) -> Vec<Synthetic> {
    let mut random = SplitMix::new(960);
    let advantages: Vec<f64> = (0..POSITIONS)
        .map(|_| 25.0 + 15.0 * random.normal())
        .collect();
    let mut games = Vec::new();
    let mut pair = 0;
    for _ in 0..pairs {
        for number in 0..POSITIONS {
            for a in 0..engines {
                for b in 0..a {
                    for (game, (white, black)) in [(0, (a, b)), (1, (b, a))] {
                        let elo = 40.0 * (f64::from(black) - f64::from(white))
                            + advantages[number as usize];
                        let score = 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
                        let draw = 1.2 * score.min(1.0 - score);
                        let u = random.uniform();
                        let half_points = match u {
                            u if u < score - 0.5 * draw => 2,
                            u if u < score + 0.5 * draw => 1,
                            _ => 0,
                        };
                        games.push(Synthetic {
                            pair,
                            game,
                            number,
                            white,
                            black,
                            half_points,
                        });
                    }
                    pair += 1;
                }
            }
        }
    }
    games
}

fn name(engine: u16) -> String {
    format!("Engine {}", engine + 1)
}

/// A store with these results, written past the program's own writer, which
/// would make every game durable.
fn write_store(folder: &Path, games: &[Synthetic], engines: u16) {
    let store = Store::open(folder, Box::new(|_| {})).expect("a new event");
    let spec = |engine| {
        json!({"name": name(engine), "launch": {"sparring": name(engine)}, "fen": "shredder",
        "limits": "10+0.1", "options": {}, "nodes_jitter": null, "margin_us": 0,
        "restart": "auto", "copies": 1, "files": []})
    };
    let identity = json!({
        "version": 2, "variant": "chess960", "format": "round-robin", "heroes": [], "pairs": 1,
        "games_per_pair": 2,
        "positions": "0-959", "files": [], "sprt": null, "seed": 0,
        "engines": (0..engines).map(spec).collect::<Vec<_>>(),
        "adjudication": {"draw": null, "resign": null, "max_moves": null, "flag_fall": "loss"},
    });
    let identity: EventIdentity = serde_json::from_value(identity).expect("an identity");
    let entry = |engine| EngineEntry {
        engine,
        name: name(engine),
        command: name(engine),
        id_name: None,
        author: None,
        sha256: None,
        options: Vec::new(),
        time_control: "10+0.1".to_owned(),
    };
    let facts = [
        ("name", "million"),
        ("site", "?"),
        ("variant", "chess960"),
        ("planned_games", ""),
        ("planned_encounters", ""),
    ];
    let description = Description {
        identity: Some((UnixMillis(0), identity)),
        facts: facts.map(|(key, value)| (key.into(), value.into())).into(),
        engines: (0..engines).map(entry).collect(),
    };
    store.describe(description).expect("a whole disk");
    store.close().expect("a whole disk");
    let mut connection = rusqlite::Connection::open(folder.join("event.db")).expect("the store");
    connection
        .create_scalar_function("checksum_of", -1, FunctionFlags::SQLITE_UTF8, |context| {
            Ok(checksum((0..context.len()).map(|i| context.get_raw(i))))
        })
        .expect("a function");
    let transaction = connection.transaction().expect("a transaction");
    {
        let sql =
            "INSERT INTO games (pair, game, revision, cycle, number, white_engine, white_copy,
                       black_engine, black_copy, white_half_points, plies, reason, termination,
                       started_ms, ended_ms, moves_hash, checksum)
                   VALUES (?1, ?2, 1, 0, ?3, ?4, 0, ?5, 0, ?6, 80, ?7, 'normal', 0, 0, ?8, 0)";
        let mut statement = transaction.prepare(sql).expect("the schema");
        for (index, game) in games.iter().enumerate() {
            let reason = if game.half_points == 1 {
                "threefold-repetition"
            } else {
                "checkmate"
            };
            let hash = (index as i64).wrapping_mul(0x5851_F42D_4C95_7F2D);
            let row = rusqlite::params![
                game.pair as i64,
                game.game,
                game.number,
                game.white,
                game.black,
                game.half_points,
                reason,
                hash
            ];
            statement.execute(row).expect("a row");
        }
    }
    let columns = "sequence, pair, game, revision, cycle, number, white_engine, white_copy, \
                   black_engine, black_copy, white_half_points, plies, reason, termination, \
                   fault_side, fault_kind, started_ms, ended_ms, moves_hash";
    let sql = format!("UPDATE games SET checksum = checksum_of('games', {columns})");
    transaction.execute(&sql, []).expect("the schema");
    transaction.commit().expect("a whole disk");
}

/// A row's checksum as `docs/store.md` defines it.
fn checksum<'a>(values: impl Iterator<Item = ValueRef<'a>>) -> i64 {
    let mut bytes = Vec::new();
    for value in values {
        let (kind, content, length) = match value {
            ValueRef::Null => (0_u8, 0, 0),
            ValueRef::Integer(number) => (1, number.cast_unsigned(), 0),
            ValueRef::Real(number) => (2, number.to_bits(), 0),
            ValueRef::Text(text) | ValueRef::Blob(text) => (3, Hasher::oneshot(text), text.len()),
        };
        bytes.push(kind);
        bytes.extend(content.to_le_bytes());
        bytes.extend((length as u64).to_le_bytes());
    }
    Hasher::oneshot(&bytes).cast_signed()
}

/// With the start in `FEN`, or with names, round and result alone.
fn write_pgn(games: &[Synthetic], with_fen: bool) -> String {
    let fens: Vec<String> = (0..POSITIONS)
        .map(|number| {
            let position = start::position(Variant::Chess960, StartNumber(number));
            position.expect("a start").fen(FenDialect::XFen)
        })
        .collect();
    let mut text = String::with_capacity(games.len() * 260);
    for game in games {
        let result = ["0-1", "1/2-1/2", "1-0"][usize::from(game.half_points)];
        let (pair, half) = (game.pair + 1, game.game + 1);
        let (white, black) = (name(game.white), name(game.black));
        write!(
            text,
            "[Round \"{pair}.{half}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n"
        )
        .expect("memory");
        if with_fen {
            let fen = &fens[game.number as usize];
            write!(
                text,
                "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n"
            )
            .expect("memory");
        }
        write!(text, "\n1. e4 e5 {result}\n\n").expect("memory");
    }
    text
}

/// Processor time of all threads so far, in seconds.
fn processor_time() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

/// Prints wall-clock and processor time: on a busy machine only the second says much.
fn time<T>(what: &str, task: impl Fn() -> T) -> T {
    let (mut wall, mut processor) = (f64::INFINITY, f64::INFINITY);
    let mut result = None;
    for _ in 0..3 {
        let (begun, before) = (Instant::now(), processor_time());
        result = Some(black_box(task()));
        wall = wall.min(begun.elapsed().as_secs_f64());
        processor = processor.min(processor_time() - before);
    }
    println!("{what:<58}{wall:>8.3} s {processor:>8.3} s CPU");
    result.expect("three rounds")
}

fn sections(collection: &Collection) {
    let input = time("  games summarised", || RatingInput::new(&collection.table));
    time("  logistic ratings with clustered errors", || rate(&input));
    time("  first move", || {
        AdvantageReport::of_input(&input, &AdvantageOptions::default(), |_| None)
    });
    time("  everything", || EventStatistics::new(collection));
}

fn collect_pgn(pgn: &str) -> Collection {
    let mut collector = Collector::new(false);
    collector
        .add_pgn("million.pgn", pgn.as_bytes(), false)
        .expect("games");
    collector.finish()
}

fn rate(input: &RatingInput) -> RatingTable {
    RatingTable::new(input, &RatingOptions::default()).expect("ratings")
}

/// Wall-clock and processor time, best of three, and peak memory of `stats` on this path.
fn time_command(what: &str, arguments: &[&str], path: &Path) {
    let (mut wall, mut processor, mut peak) = (f64::INFINITY, f64::INFINITY, 0);
    for _ in 0..3 {
        let begun = Instant::now();
        let mut command = Command::new(env!("CARGO_BIN_EXE_arbiter960"));
        command.arg("stats").args(arguments).arg(path);
        let mut child = command.stdout(Stdio::null()).spawn().expect("the program");
        let mut used = 0.0;
        let status = loop {
            peak = peak.max(peak_kilobytes(child.id()).unwrap_or(0));
            used = processor_seconds(child.id()).unwrap_or(used);
            if let Some(status) = child.try_wait().expect("a child") {
                break status;
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        assert!(status.success(), "{status}");
        wall = wall.min(begun.elapsed().as_secs_f64());
        processor = processor.min(used);
    }
    println!(
        "{what:<58}{wall:>8.3} s {processor:>8.2} s CPU {:>8} MB",
        peak / 1024
    );
}

/// The most memory a process has had so far.
fn peak_kilobytes(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Processor time of a process so far, to a hundredth of a second.
fn processor_seconds(process: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields: Vec<&str> = status.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |place: usize| fields.get(place)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

/// 100,000 openings, each in a pair of two engines: double Chess960 has enough of them.
fn openings(file: &Path) {
    let mut random = SplitMix::new(100);
    let mut text = String::new();
    for pair in 0..100_000_u32 {
        let position = start::position(Variant::Dfrc, StartNumber(9 * pair));
        let fen = position.expect("a start").fen(FenDialect::XFen);
        for (white, black) in [(1, 2), (2, 1)] {
            let result = ["1-0", "1/2-1/2", "0-1"][random.below(3)];
            write!(
                text,
                "[Round \"{pair}.{white}\"]\n[White \"{}\"]\n[Black \"{}\"]\n[Result \"{result}\"]\n\
                 [Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{result}\n\n",
                name(white),
                name(black)
            )
            .expect("memory");
        }
    }
    std::fs::write(file, text).expect("a whole disk");
}

fn time_openings(file: &Path) {
    println!("\n200,000 games of 2 engines from 100,000 openings");
    time_command("command, text", &["--fast"], file);
    time_command("command, JSON", &["--fast", "--format", "json"], file);
}

fn collect_store(folder: &Path) -> Collection {
    let mut collector = Collector::new(false);
    collector
        .add_store(&Reader::open(folder).expect("the store"))
        .expect("the results");
    collector.finish()
}

/// The files that the command reads.
struct Files {
    event: PathBuf,
    pgn: PathBuf,
    openings: PathBuf,
}

impl Files {
    fn write(folder: &Path, games: &[Synthetic], engines: u16) -> Files {
        let files = Files {
            event: folder.join("event"),
            pgn: folder.join("games.pgn"),
            openings: folder.join("openings.pgn"),
        };
        std::fs::create_dir_all(&files.event).expect("a folder");
        write_store(&files.event, games, engines);
        std::fs::write(&files.pgn, write_pgn(games, true)).expect("a whole disk");
        openings(&files.openings);
        files
    }

    fn time_commands(&self) {
        time_command("command, from the store", &[], &self.event);
        time_command("command, from PGN", &[], &self.pgn);
        time_command("command, from PGN by tags alone", &["--fast"], &self.pgn);
        let json = ["--format", "json"];
        time_command("command, from the store, JSON", &json, &self.event);
    }
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    if let Some(place) = words.iter().position(|word| word == "write") {
        let folder = words.get(place + 1).expect("a folder to write into");
        Files::write(Path::new(folder), &games(ENGINES, 8), ENGINES);
        return;
    }
    if words.iter().any(|word| word == "list") {
        return time_lists();
    }
    let command_alone = words.iter().any(|word| word == "command");
    for (engines, pairs) in [(ENGINES, 8), (2, 8)] {
        let games = games(engines, pairs);
        let folder = tempfile::tempdir().expect("a temporary folder");
        let files = Files::write(folder.path(), &games, engines);
        if engines == ENGINES {
            time_openings(&files.openings);
        }
        println!(
            "\n{} games of {engines} engines from {POSITIONS} positions",
            games.len()
        );
        files.time_commands();
        if !command_alone {
            time_parts(&files, &games);
        }
    }
}

/// Rating lists: every player meets players of any strength, twice.
fn time_lists() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (players, pairs) in [(3_000, 10_000), (30_000, 500_000)] {
        let mut random = SplitMix::new(players as u64);
        let strengths: Vec<f64> = (0..players).map(|_| 100.0 * random.normal()).collect();
        let mut text = String::new();
        for pair in 1..=pairs {
            let one = random.below(players);
            let other = (one + 1 + random.below(players - 1)) % players;
            for (half, [white, black]) in [[one, other], [other, one]].into_iter().enumerate() {
                let elo = 20.0 + strengths[white] - strengths[black];
                let score = 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
                let draw = 1.4 * score * (1.0 - score);
                let result = match random.uniform() {
                    drawn if drawn < draw => "1/2-1/2",
                    won if won < score + 0.5 * draw => "1-0",
                    _ => "0-1",
                };
                write!(
                    text,
                    "[Round \"{pair}.{half}\"]\n[White \"P{white}\"]\n[Black \"P{black}\"]\n\
                     [Result \"{result}\"]\n\n1. e4 e5 {result}\n\n"
                )
                .expect("memory");
            }
        }
        let file = folder.path().join("list.pgn");
        std::fs::write(&file, text).expect("a whole disk");
        println!("\n{} games of {players} players", 2 * pairs);
        time_command("command, from PGN by tags alone", &["--fast"], &file);
    }
}

/// What the command does, part by part.
fn time_parts(files: &Files, games: &[Synthetic]) {
    let collection = time("results read from the store, copies judged", || {
        collect_store(&files.event)
    });
    time("ratings, errors and the first move, from the store", || {
        let input = RatingInput::new(&collect_store(&files.event).table);
        let options = AdvantageOptions::default();
        let first_move = AdvantageReport::of_input(&input, &options, |_| None);
        (rate(&input), first_move)
    });
    sections(&collection);
    for with_fen in [false, true] {
        let pgn = write_pgn(games, with_fen);
        println!("{} MB of PGN", pgn.len() / 1_000_000);
        time("results read from PGN, tags alone", || collect_pgn(&pgn));
        time("ratings from PGN", || {
            rate(&RatingInput::new(&collect_pgn(&pgn).table))
        });
    }
}
