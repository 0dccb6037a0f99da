//! The differential adversary: engines whose dialogue is changed in ways that do not matter for most programs that read
//! it: that of engines which are installed, and the recorded ones of `tests/data/dialogues`. No engine may lose by that
//! here which neither fastchess nor cutechess-cli lets lose by it.
//!
//! `FASTCHESS` and `CUTECHESS` name the programs; `super::study` sets the number of dialogues and the first seed.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use arbiter960::chess::random::Random;
use rustix::process::{Pid, Signal, kill_process_group};

use super::fronts_support::{compared_seeds, folder, front};
use super::study;
use super::support::{missing, program, script};

/// Real engines with their arguments; those that are installed play, with the built-in one. Phalanx, which knows no
/// limit of depth, is recorded only, as a translator of its protocol makes it speak.
const ENGINES: &str =
    "stockfish|ethereal-chess|fairy-stockfish|glaurung|sjaakii|toga2|gnuchess --uci";

fn data(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(file)
}

/// The commands of two engines that are installed.
fn installed(random: &mut Random) -> [String; 2] {
    let is_there = |engine: &&str| {
        let program = engine.split(' ').next().unwrap();
        Path::new("/usr/games").join(program).is_file()
    };
    let installed = ENGINES.split('|').filter(is_there);
    let mut installed = Vec::from_iter(installed.map(|engine| format!("/usr/games/{engine}")));
    installed.push(format!("{} sparring", program().display()));
    [(); 2].map(|()| installed[random.below(installed.len() as u64) as usize].clone())
}

/// The commands of both sides of a recorded dialogue.
fn recorded(random: &mut Random) -> [String; 2] {
    let files = fs::read_dir(data("dialogues")).unwrap();
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    let file = &files[random.below(files.len() as u64) as usize];
    let (script, file) = (data("dialogue.py"), file.display());
    ["a", "b"].map(|side| format!("python3 {} speak {file} {side}", script.display()))
}

/// A program of a name that runs an engine behind the adversary.
fn adversary(folder: &Path, name: &str, engine: &str, random: &mut Random) -> PathBuf {
    let seed = random.below(1 << 32);
    let (path, program) = (folder.join(name), data("adversary.py"));
    script(
        &path,
        &format!("exec python3 {} {seed} {engine}", program.display()),
    );
    path
}

/// The engines that have lost games of a PGN file for what they did.
fn punished(folder: &Path, file: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(folder.join(file)).unwrap_or_default();
    let losers = text.split("[Event ").skip(1).flat_map(losers);
    losers.collect()
}

fn losers(game: &str) -> Vec<String> {
    let tag = |name: &str| {
        let start = format!("[{name} \"");
        let line = game.lines().find_map(|line| line.strip_prefix(&start));
        line.map(|line| line.trim_end_matches("\"]").to_owned())
    };
    let harmless = ["normal", "adjudication"];
    let is_harmless = |ending: &String| harmless.contains(&ending.as_str());
    if tag("Termination").as_ref().is_none_or(is_harmless) {
        return Vec::new();
    }
    let losers: &[&str] = match tag("Result").as_deref() {
        Some("1-0") => &["Black"],
        Some("0-1") => &["White"],
        _ => &["White", "Black"],
    };
    losers.iter().filter_map(|side| tag(side)).collect()
}

fn rival(variable: &str, folder: &Path, words: &str, file: &str) -> Option<BTreeSet<String>> {
    let rival = std::env::var_os(variable)?;
    // One that hangs has said what it has written.
    let mut command = Command::new("timeout");
    command
        .arg("300")
        .arg(rival)
        .args(words.split_ascii_whitespace());
    let command = command.current_dir(folder).process_group(0);
    let command = command.stdin(Stdio::null()).stdout(Stdio::null());
    let mut running = command.stderr(Stdio::null()).spawn().unwrap();
    let group = Pid::from_child(&running);
    running.wait().unwrap();
    // Engines that it has left behind; none is the usual case.
    let _none = kill_process_group(group, Signal::KILL);
    Some(punished(folder, file))
}

#[test]
fn nobody_is_punished_for_a_changed_dialogue_that_others_forgive() {
    if Command::new("python3").arg("--version").output().is_err() {
        return missing("python3 is not installed");
    }
    for seed in compared_seeds() {
        let folder = folder();
        let folder = folder.path();
        let mut random = Random::new(seed);
        let book = "-openings file=book.epd format=epd order=sequential ";
        let (engines, book) = match random.below(2) {
            0 => (installed(&mut random), book),
            _ => (recorded(&mut random), ""),
        };
        let one = adversary(folder, "one", &engines[0], &mut random);
        let other = adversary(folder, "other", &engines[1], &mut random);
        let words = |more: &str, file: &str| {
            let [one, other] = [&one, &other].map(|engine| engine.display());
            format!(
                "-engine cmd={one} name=A {more} -engine cmd={other} name=B {more} -rounds 1 -games 2 -repeat \
                 -maxmoves 15 -recover {book}-pgnout {file}"
            )
        };
        // With clocks that nothing of this uses up, or without.
        let clock = ["", " tc=120+2"][(seed % 2) as usize];
        let line = words(&format!("depth=4{clock}"), "file=ours.pgn");
        let played = front(folder, &line).output().unwrap();
        let said = String::from_utf8_lossy(&played.stdout).into_owned();
        let games = fs::read_to_string(folder.join("ours.pgn")).unwrap_or_default();
        assert_eq!(games.matches("[Result ").count(), 2, "seed {seed}: {said}");
        let ours = punished(folder, "ours.pgn");
        // In its large form it also tells what the others punish.
        if ours.is_empty() && !study::is_large() {
            continue;
        }
        let fastchess = words(&format!("depth=4{clock}"), "file=fastchess.pgn");
        let cutechess = if clock.is_empty() { " tc=inf" } else { clock };
        let cutechess = words(&format!("depth=4{cutechess} proto=uci"), "cutechess.pgn");
        let rivals = [
            rival("FASTCHESS", folder, &fastchess, "fastchess.pgn"),
            rival("CUTECHESS", folder, &cutechess, "cutechess.pgn"),
        ];
        let theirs: BTreeSet<String> = rivals.iter().flatten().flatten().cloned().collect();
        eprintln!("seed {seed}: {ours:?} punished here, {rivals:?} by the others: {engines:?}");
        let only_here = format!("seed {seed}: only arbiter960 punishes {ours:?}\n{said}\n{games}");
        assert!(ours.is_subset(&theirs), "{only_here}");
    }
}
