//! docs/experiment.md: its commands, on a small copy of the experiment, and its claims, on the committed games.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::support::{arbiter960, missing, program, tool, words};
use super::verdicts::claims_of_page;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn committed(name: &str) -> PathBuf {
    root().join("results/experiment").join(name)
}

fn document() -> String {
    fs::read_to_string(root().join("docs/experiment.md")).unwrap()
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The blocks of commands.
fn blocks() -> Vec<String> {
    let document = document();
    let blocks = document.split("```sh\n").skip(1);
    blocks
        .map(|block| block.split("```").next().unwrap().to_owned())
        .collect()
}

/// Four starts, two pairs, few nodes, and the built-in engine in the place of each.
fn small(text: &str) -> String {
    let lines = text.lines().map(|line| match line.split(' ').next() {
        Some("all") => "numbers = [\"516-519\"]",
        Some("pairs") => "pairs = 2",
        Some("nodes") => "nodes = 30",
        Some("command") => "builtin = \"sparring\"",
        Some("options") => "options = { Hash = 4 }",
        _ => line,
    });
    lines.map(|line| format!("{line}\n")).collect()
}

/// Runs commands of the document in this folder; `None` where Python or what it needs is missing.
fn run(folder: &Path, commands: &str) -> Option<String> {
    if commands.contains(".py") {
        let python = Command::new("python3")
            .args(["-c", "import numpy, scipy"])
            .output();
        if !python.is_ok_and(|output| output.status.success()) {
            missing("Python with numpy and scipy is missing");
            return None;
        }
    }
    let path = std::env::var("PATH").unwrap();
    let own = program().parent().unwrap().display();
    let mut bash = Command::new("bash");
    bash.args(["-euo", "pipefail", "-c", commands])
        .current_dir(folder);
    bash.env("PATH", format!("{own}:.:{path}"));
    let output = bash.output().unwrap();
    assert!(output.status.success(), "{commands}\n{}", words(&output));
    Some(words(&output))
}

/// The folder of the experiment, small.
fn copy(folder: &Path) -> PathBuf {
    let own = folder.join("results/experiment");
    fs::create_dir_all(&own).unwrap();
    fs::create_dir(folder.join("configs")).unwrap();
    for engine in ["stockfish", "ethereal", "weiss"] {
        let name = format!("{engine}.toml");
        let text = fs::read_to_string(committed(&name)).unwrap();
        fs::write(own.join(name), small(&text)).unwrap();
    }
    let tenth = fs::read_to_string(root().join("configs/experiment-tenth.toml")).unwrap();
    fs::write(folder.join("configs/experiment-tenth.toml"), small(&tenth)).unwrap();
    for name in [
        "analysis.py",
        "after.py",
        "spike.py",
        "evaluations.csv",
        "tenfold-weiss-1.pgn.bz2",
    ] {
        fs::copy(committed(name), own.join(name)).unwrap();
    }
    let spike = fs::read_to_string(own.join("spike.py")).unwrap();
    let spike = spike.replace("96, 26, 1000, 400", "16, 2, 40, 10");
    let spike = spike.replace("command = \"stockfish\"", "builtin = \"sparring\"");
    fs::write(own.join("spike.py"), spike.replace(", Threads = 1", "")).unwrap();
    fs::write(own.join("BARE.csv"), "516,1\n517,2\n518,4\n519,3\n").unwrap();
    fs::write(
        own.join("LIST.csv"),
        "id,eval\n516,1\n517,2\n518,4\n519,3\n",
    )
    .unwrap();
    let people = ["RNBBQKNR", "RNBQKBNR", "RNBQKNRB"].map(|setup| format!("{setup},30,40,20\n"));
    fs::write(
        own.join("LICHESS.csv"),
        format!("setup,white,draw,black\n{}", people.concat()),
    )
    .unwrap();
    own
}

#[test]
fn every_command_of_the_document_runs() {
    let folder = tempfile::tempdir().unwrap();
    let (folder, own) = (folder.path(), copy(folder.path()));
    let [plan, spiked, answer] = blocks().try_into().expect("three blocks of commands");
    let plan = plan.replace("PLAYER", &program().display().to_string());
    let plan = plan.replace("1/13", "1/2").replace("of-13", "of-2");
    let (seal, rest) = plan.split_once('\n').unwrap();
    let (shard, rest) = rest.split_once("arbiter960 verify").unwrap();
    let (verify, analysis) = rest.split_once('\n').unwrap();
    run(folder, seal);
    // Both shards of every engine, as the two lines say for the first of one.
    for engine in ["stockfish", "ethereal", "weiss"] {
        let first = shard.replace("stockfish", engine);
        let second = first.replace("1/2", "2/2").replace("shard-1", "shard-2");
        let second = second.replace(&format!("{engine}-1.pgn"), &format!("{engine}-2.pgn"));
        run(folder, &format!("{first}\n{second}"));
    }
    let said = run(folder, &format!("arbiter960 verify{verify}")).unwrap();
    assert!(said.contains("games 48 findings 0"), "{said}");
    assert_eq!(said.matches("not sealed").count(), 1, "{said}");
    // It has the starts of another event.
    fs::remove_file(own.join("tenfold-weiss-1.pgn.bz2")).unwrap();
    run(folder, analysis);
    for engine in ["stockfish", "ethereal", "weiss"] {
        let games = |kind: &str| own.join(format!("{kind}{engine}-1.pgn.bz2"));
        fs::copy(games(""), games("tenfold-")).unwrap();
    }
    run(&own, &spiked);
    run(&own, &answer.replacen("LIST.csv:0:1", "BARE.csv:0:1", 1));
    // Commands within sentences.
    let document = document();
    let within = document.split('`').skip(1).step_by(2);
    let engine = folder.join("engine");
    fs::write(
        &engine,
        format!("#!/bin/sh\nexec {} sparring\n", program().display()),
    )
    .unwrap();
    fs::set_permissions(&engine, Permissions::from_mode(0o755)).unwrap();
    for command in
        within.filter(|code| code.starts_with("arbiter960 ") && code.split(' ').count() > 2)
    {
        let command = command
            .replace("--all", "518")
            .replace("--nodes N", "--nodes 50");
        run(folder, &command.replace("ENGINE", "./engine"));
    }
}

/// The folder has games of events that were not sealed, too: a line for each event, not for each game.
#[test]
fn games_of_events_that_were_not_sealed_are_one_line() {
    let verify = |files: &[&str]| {
        let mut command = arbiter960();
        command
            .args(["verify", "--partly", "--seal"])
            .arg(committed("seal.json"));
        command
            .args(files.iter().map(|name| committed(name)))
            .output()
            .unwrap()
    };
    let verdict = verify(&["stockfish-1.pgn.bz2", "tenfold-weiss-1.pgn.bz2"]);
    let said = words(&verdict);
    assert!(verdict.status.success(), "{said}");
    assert!(said.contains("games 1920 findings 0"), "{said}");
    assert_eq!(said.matches("not sealed").count(), 1, "{said}");
    let verdict = verify(&["tenfold-weiss-1.pgn.bz2"]);
    assert_eq!(verdict.status.code(), Some(1), "{}", words(&verdict));
    assert!(words(&verdict).contains("no game of a sealed event"));
}

/// The report of all three events says in its first lines what the document says, word for word, of all together and
/// of each: all that the games allow.
#[test]
fn every_claim_on_the_committed_games_stands_in_the_document() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let mut events = Vec::new();
    for engine in ["stockfish", "ethereal", "weiss"] {
        let parts = (1..=13).map(|shard| committed(&format!("{engine}-{shard}.pgn.bz2")));
        let games: Vec<u8> = parts.flat_map(|part| fs::read(part).unwrap()).collect();
        events.push(at(&format!("{engine}.pgn.bz2")));
        fs::write(events.last().unwrap(), games).unwrap();
    }
    let report = at("report.html");
    let events = events.iter().map(String::as_str);
    tool(
        &["report", "-o", &report]
            .into_iter()
            .chain(events)
            .collect::<Vec<_>>(),
    );
    let made = claims_of_page(&fs::read_to_string(&report).unwrap());
    assert_eq!(
        made,
        claims_of_page(&fs::read_to_string(committed("report.html")).unwrap())
    );
    let (document, count) = (on_one_line(&document()), |id: &str| {
        made.iter().filter(|(own, _)| own == id).count()
    });
    assert_eq!(
        [
            count("first-move"),
            count("starts-by-event"),
            count("maps-agree")
        ],
        [4, 1, 1]
    );
    for (id, claim) in &made {
        assert!(document.contains(&on_one_line(claim)), "{id}: {claim}");
    }
    // The abstract is the report's.
    let first: Vec<&str> = made
        .iter()
        .take(5)
        .map(|(_, claim)| claim.as_str())
        .collect();
    let at = |claim: &str| document.find(&on_one_line(claim)).unwrap();
    let plan = document.find("## 1. The question").unwrap();
    assert!(first.iter().all(|claim| at(claim) < plan), "{first:?}");
}
