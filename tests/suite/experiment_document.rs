//! docs/experiment.md: its commands, on a small copy of the experiment, and its claims, on the committed games.

use std::fs::{self};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::support::{arbiter960, assert_has, ends, missing, on_one_line, program, script};
use super::verdicts::claims_of_page;

const ENGINES: [&str; 3] = ["stockfish", "ethereal", "weiss"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn committed(name: &str) -> PathBuf {
    root().join("results/experiment").join(name)
}

fn document() -> String {
    fs::read_to_string(root().join("docs/experiment.md")).unwrap()
}

/// The blocks of commands.
fn blocks() -> Vec<String> {
    let document = document();
    let blocks = document.split("```sh\n").skip(1);
    let blocks = blocks.map(|block| block.split("```").next().unwrap());
    blocks.map(str::to_owned).collect()
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
        let mut python = Command::new("python3");
        let python = python.args(["-c", "import numpy, scipy"]).output();
        if !python.is_ok_and(|output| output.status.success()) {
            missing("Python with numpy and scipy is missing");
            return None;
        }
    }
    let path = std::env::var("PATH").unwrap();
    let own = program().parent().unwrap().display();
    let mut bash = Command::new("bash");
    bash.args(["-euo", "pipefail", "-c", commands]);
    bash.env("PATH", format!("{own}:.:{path}"));
    Some(ends(0, bash.current_dir(folder)))
}

/// The folder of the experiment, small.
fn copy(folder: &Path) -> PathBuf {
    let own = folder.join("results/experiment");
    fs::create_dir_all(&own).unwrap();
    fs::create_dir(folder.join("configs")).unwrap();
    let tenth = root().join("configs/experiment-tenth.toml");
    let own_file = |engine: &str| committed(&format!("{engine}.toml"));
    let copies = ENGINES.map(|engine| (own_file(engine), own.join(format!("{engine}.toml"))));
    for (from, to) in copies
        .into_iter()
        .chain([(tenth, folder.join("configs/experiment-tenth.toml"))])
    {
        fs::write(to, small(&fs::read_to_string(from).unwrap())).unwrap();
    }
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
    let bare = "516,1\n517,2\n518,4\n519,3\n";
    let people = ["RNBBQKNR", "RNBQKBNR", "RNBQKNRB"].map(|setup| format!("{setup},30,40,20\n"));
    let people = format!("setup,white,draw,black\n{}", people.concat());
    fs::write(own.join("BARE.csv"), bare).unwrap();
    fs::write(own.join("LIST.csv"), format!("id,eval\n{bare}")).unwrap();
    fs::write(own.join("LICHESS.csv"), people).unwrap();
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
    for engine in ENGINES {
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
    for engine in ENGINES {
        let games = |kind: &str| own.join(format!("{kind}{engine}-1.pgn.bz2"));
        fs::copy(games(""), games("tenfold-")).unwrap();
    }
    run(&own, &spiked);
    run(&own, &answer.replacen("LIST.csv:0:1", "BARE.csv:0:1", 1));
    // Commands within sentences.
    let document = document();
    let within = document.split('`').skip(1).step_by(2);
    let text = format!("exec {} sparring", program().display());
    script(&folder.join("engine"), &text);
    let is_command = |code: &&str| code.starts_with("arbiter960 ") && code.split(' ').count() > 2;
    for command in within.filter(is_command) {
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
        command.args(["verify", "--partly", "--seal"]);
        command.arg(committed("seal.json"));
        command.args(files.iter().map(|name| committed(name)));
        command
    };
    let said = ends(
        0,
        &mut verify(&["stockfish-1.pgn.bz2", "tenfold-weiss-1.pgn.bz2"]),
    );
    assert!(said.contains("games 1920 findings 0"), "{said}");
    assert_eq!(said.matches("not sealed").count(), 1, "{said}");
    let said = ends(1, &mut verify(&["tenfold-weiss-1.pgn.bz2"]));
    assert_has(&said, ["no game of a sealed event"]);
}

/// The report of all three events says in its first lines what the document says, word for word, of all together and
/// of each: all that the games allow.
#[test]
fn every_claim_on_the_committed_games_stands_in_the_document() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let mut events = Vec::new();
    for engine in ENGINES {
        let parts = (1..=13).map(|shard| committed(&format!("{engine}-{shard}.pgn.bz2")));
        let games: Vec<u8> = parts.flat_map(|part| fs::read(part).unwrap()).collect();
        events.push(at(&format!("{engine}.pgn.bz2")));
        fs::write(events.last().unwrap(), games).unwrap();
    }
    let report = at("report.html");
    let mut command = arbiter960();
    ends(0, command.args(["report", "-o", &report]).args(&events));
    let claims = |report: &Path| claims_of_page(&fs::read_to_string(report).unwrap());
    let made = claims(report.as_ref());
    assert_eq!(made, claims(&committed("report.html")));
    let document = on_one_line(&document());
    let count = |id: &str| made.iter().filter(|(own, _)| own == id).count();
    let counts = ["first-move", "starts-by-event", "maps-agree"].map(count);
    assert_eq!(counts, [4, 1, 1]);
    for (id, claim) in &made {
        assert!(document.contains(&on_one_line(claim)), "{id}: {claim}");
    }
    // The abstract is the report's.
    let at = |claim: &str| document.find(&on_one_line(claim)).unwrap();
    let plan = document.find("## 1. The question").unwrap();
    let mut first = made.iter().take(5);
    assert!(first.all(|(_, claim)| at(claim) < plan), "{made:?}");
}
