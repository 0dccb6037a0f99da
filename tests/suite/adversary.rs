//! The differential adversary: engines whose dialogue is changed in ways that do not matter for most programs that read
//! it: that of engines which are installed, and the recorded ones of `tests/data/dialogues`. No engine may lose by that
//! here, unless fastchess or cutechess-cli punish the same.
//!
//! `FASTCHESS` and `CUTECHESS` name the programs; `super::study` sets the number of dialogues and the first seed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use arbiter960::chess::random::Random;

use super::fronts_support::{compared_seeds, folder, front};
use super::support::{missing, program};

/// Real engines that need no arguments; those that are installed play, with the built-in one.
const ENGINES: [&str; 7] = [
    "stockfish",
    "ethereal-chess",
    "fairy-stockfish",
    "glaurung",
    "sjaakii",
    "toga2",
    "fruit",
];

fn data(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(file)
}

/// The commands of two engines that are installed.
fn installed(random: &mut Random) -> [String; 2] {
    let installed = ENGINES
        .iter()
        .map(|engine| Path::new("/usr/games").join(engine));
    let installed: Vec<PathBuf> = installed.filter(|path| path.is_file()).collect();
    [(); 2].map(|()| {
        let place = random.below(installed.len() as u64 + 1) as usize;
        installed.get(place).map_or_else(
            || format!("{} sparring", program().display()),
            |engine| engine.display().to_string(),
        )
    })
}

/// The commands of both sides of a recorded dialogue.
fn recorded(random: &mut Random) -> [String; 2] {
    let files = fs::read_dir(data("dialogues")).unwrap();
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    let file = &files[random.below(files.len() as u64) as usize];
    let script = data("dialogue.py");
    ["a", "b"].map(|side| {
        format!(
            "python3 {} speak {} {side}",
            script.display(),
            file.display()
        )
    })
}

/// A program of a name that runs an engine behind the adversary.
fn adversary(folder: &Path, name: &str, engine: &str, random: &mut Random) -> PathBuf {
    let seed = random.below(1 << 32);
    let text = format!(
        "#!/bin/sh\nexec python3 {} {seed} {engine}\n",
        data("adversary.py").display()
    );
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// How the games of a PGN file ended that an engine lost for what it did.
fn punishments(folder: &Path, file: &str) -> Vec<String> {
    let text = fs::read_to_string(folder.join(file)).unwrap_or_default();
    let endings = text
        .lines()
        .filter_map(|line| line.strip_prefix("[Termination \""));
    let endings = endings.map(|line| line.trim_end_matches("\"]").to_owned());
    endings
        .filter(|ending| !["normal", "adjudication"].contains(&ending.as_str()))
        .collect()
}

fn rival(variable: &str, folder: &Path, words: &str, file: &str) -> Option<Vec<String>> {
    let rival = std::env::var_os(variable)?;
    let mut command = Command::new(rival);
    command
        .current_dir(folder)
        .args(words.split_ascii_whitespace());
    command.output().unwrap();
    Some(punishments(folder, file))
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
        let (engines, book) = match random.below(2) {
            0 => (
                installed(&mut random),
                "-openings file=book.epd format=epd order=sequential ",
            ),
            _ => (recorded(&mut random), ""),
        };
        let one = adversary(folder, "one", &engines[0], &mut random);
        let other = adversary(folder, "other", &engines[1], &mut random);
        let words = |more: &str, file: &str| {
            let engine = |path: &Path, name: &str| {
                format!("-engine cmd={} name={name} {more} ", path.display())
            };
            let engines = engine(&one, "A") + &engine(&other, "B");
            format!("{engines} -rounds 1 -games 2 -repeat -maxmoves 15 -recover {book}-pgnout ")
                + file
        };
        // With clocks that nothing of this uses up, or without.
        let clock = ["", " tc=120+2"][(seed % 2) as usize];
        let line = words(&format!("depth=4{clock}"), "file=ours.pgn");
        let ours = front(folder, &line).output().unwrap();
        let said = String::from_utf8_lossy(&ours.stdout).into_owned();
        let games = fs::read_to_string(folder.join("ours.pgn")).unwrap_or_default();
        assert_eq!(games.matches("[Result ").count(), 2, "seed {seed}: {said}");
        let punished = punishments(folder, "ours.pgn");
        if punished.is_empty() {
            continue;
        }
        let fastchess = words(&format!("depth=4{clock}"), "file=fastchess.pgn");
        let cutechess = match clock.is_empty() {
            true => words("depth=4 tc=inf proto=uci", "cutechess.pgn"),
            false => words(&format!("depth=4{clock} proto=uci"), "cutechess.pgn"),
        };
        let theirs = [
            rival("FASTCHESS", folder, &fastchess, "fastchess.pgn"),
            rival("CUTECHESS", folder, &cutechess, "cutechess.pgn"),
        ];
        let others_punish = theirs.iter().flatten().any(|theirs| !theirs.is_empty());
        assert!(
            others_punish,
            "seed {seed}: only arbiter960 punishes: {punished:?}\n{said}\n{games}"
        );
    }
}
