//! What the tests of the fronts share: books, engines that play the same moves, and what is compared.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use tempfile::TempDir;

use super::study;
use super::support::{arbiter960, program, words};

const BOOK: &str = "\
rnbqkbnr/pppp1ppp/4p3/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2
r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3
rnbqkb1r/pppppppp/5n2/8/2P5/8/PP1PPPPP/RNBQKBNR w KQkq - hmvc 1; fmvn 2;
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2
";

const GAMES: &str = "\
[Event \"a\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n
[Event \"b\"]\n[Result \"*\"]\n\n1. d4 d5 2. c4 e6 3. Nc3 *\n
[Event \"c\"]\n[Result \"*\"]\n\n1. c4 c5 2. Nf3 Nf6 *\n";

const CHESS960: &str = "\
bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1
nrbbqknr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKNR w HBhb - 0 1
rkrnqnbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNQNBB w CAca - 0 1
";

/// A folder with books.
pub fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("book.epd", BOOK),
        ("book.pgn", GAMES),
        ("frc.epd", CHESS960),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// The front with these words, in a folder; the store goes there, too.
pub fn front(folder: &Path, words: &str) -> Command {
    instead_of("fastchess", folder, words)
}

/// The same instead of cutechess-cli.
pub fn cutechess(folder: &Path, words: &str) -> Command {
    instead_of("cutechess", folder, words)
}

fn instead_of(other: &str, folder: &Path, words: &str) -> Command {
    let mut command = arbiter960();
    command.arg(other).args(words.split_ascii_whitespace());
    command.current_dir(folder).env("XDG_STATE_HOME", folder);
    command.env_remove("ARBITER960_STORE");
    command
}

/// What a command prints that ends with this code.
#[track_caller]
pub fn said(code: i32, mut command: Command) -> String {
    let output = command.output().unwrap();
    assert_eq!(exit(&output), code, "{}", words(&output));
    stdout(&output)
}

/// What another program does with these words in the folder.
pub fn by(program: &OsStr, folder: &TempDir, words: &str) -> Output {
    let mut command = Command::new(program);
    command.args(words.split_ascii_whitespace());
    command.current_dir(folder).output().unwrap()
}

/// A file of the folder.
pub fn read(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap()
}

/// Two engines that play the same moves whenever they are asked the same.
pub fn engines() -> String {
    let program = program().display();
    let engine =
        |name, nodes| format!("-engine cmd={program} args=sparring name={name} nodes={nodes} ");
    engine("A", 120) + &engine("B", 60)
}

/// The built-in engine for cutechess-cli, with these words.
pub fn sparring(words: &str) -> String {
    let program = program().display();
    format!("-engine cmd={program} arg=sparring proto=uci {words} ")
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn exit(output: &Output) -> i32 {
    output.status.code().unwrap()
}

/// The results that count, whenever they were printed.
pub fn last_counts(text: &str) -> Option<String> {
    let games = text.lines().rfind(|line| line.starts_with("Games: "))?;
    let pairs = text.lines().rfind(|line| line.starts_with("Ptnml"))?;
    Some(format!("{games} {pairs}"))
}

/// Tags and moves of the games of a PGN file, sorted: what depends neither on the clock nor on a table
/// of names of openings.
pub fn games(pgn: &str) -> Vec<String> {
    const LEFT_OUT: &str = "Date GameDuration GameStartTime GameEndTime ECO Opening Variation";
    let is_left_out = |line: &str| {
        let tag = line.strip_prefix('[');
        tag.is_some_and(|tag| {
            LEFT_OUT
                .split(' ')
                .any(|left_out| tag.starts_with(left_out))
        })
    };
    let text: Vec<&str> = pgn.lines().filter(|line| !is_left_out(line)).collect();
    let text = without_times(&text.join(" "));
    let games = text.split("[Event ").map(|game| game.trim().to_owned());
    let mut games: Vec<String> = games.collect();
    games.sort();
    games
}

/// Fails with the first line that differs.
pub fn assert_same(ours: &[impl AsRef<str>], theirs: &[impl AsRef<str>], what: &str) {
    for (ours, theirs) in ours.iter().zip(theirs) {
        assert_eq!(ours.as_ref(), theirs.as_ref(), "{what}");
    }
    assert_eq!(ours.len(), theirs.len(), "{what}");
}

/// The text without the times of its comments, `0.012s`, and without nodes: fastchess takes them from the last line
/// with a score, while the last report of the engine is stored here.
pub fn without_times(text: &str) -> String {
    let words = text.split_ascii_whitespace().map(|word| {
        let alone = word.trim_start_matches('{');
        let number = alone.trim_end_matches([',', '}']).strip_suffix('s');
        let is_time = number.is_some_and(|number| number.parse::<f64>().is_ok());
        if word.starts_with("n=") {
            return "n=";
        }
        match is_time {
            true => alone.trim_start_matches(|one: char| one.is_ascii_digit() || one == '.'),
            false => word,
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// What the last run prints of a command that is killed three times, each time after five games, and the
/// number of the attempt: on a busy machine a run may end before it is killed, and then all is done
/// again under another name.
pub fn after_three_kills(command: impl Fn(u32) -> Command) -> (String, u32) {
    for attempt in 0..20 {
        let mut kills = 0;
        let text = loop {
            let mut run = command(attempt).stdout(Stdio::piped()).spawn().unwrap();
            let (text, is_to_be_killed) = listened(&mut run, kills < 3);
            if is_to_be_killed {
                run.kill().unwrap();
                kills += 1;
            }
            if run.wait().unwrap().success() {
                break text;
            }
        };
        if kills == 3 && text.contains("Finished game") {
            return (text, attempt);
        }
    }
    panic!("no run lasted until it was killed");
}

/// What a run prints, to its end or, if it is to be killed, until five games are over.
fn listened(run: &mut Child, kill: bool) -> (String, bool) {
    let mut out = BufReader::new(run.stdout.take().unwrap());
    let (mut text, mut finished) = (String::new(), 0);
    while out.read_line(&mut text).unwrap() > 0 {
        let last = text.lines().next_back().unwrap_or_default();
        finished += usize::from(last.starts_with("Finished game"));
        if kill && finished == 5 {
            return (text, true);
        }
    }
    (text, false)
}

/// The seeds of the command lines that are compared with another program's.
pub fn compared_seeds() -> impl Iterator<Item = u64> {
    let first = study::seed(960);
    (0..study::size(4)).map(move |line| first.wrapping_add(line))
}
