//! Whether a command line that is typed again continues its event or begins a new one, and how it is stopped.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use super::fronts_support::{
    cutechess, engines, exit, folder, front, read, said, sparring, stdout,
};
use super::support::{assert_has, program, words};

/// What the program prints until a line begins so; the program runs on.
pub fn until(run: &mut Child, beginning: &str) -> String {
    let mut out = BufReader::new(run.stdout.as_mut().unwrap());
    let mut text = String::new();
    loop {
        let begin = text.len();
        let read = out.read_line(&mut text).unwrap();
        assert!(read > 0, "no line begins with {beginning}: {text}");
        if text[begin..].starts_with(beginning) {
            return text;
        }
    }
}

pub fn started(mut command: Command) -> Child {
    command.stdout(Stdio::piped()).spawn().unwrap()
}

pub fn killed(mut run: Child) {
    run.kill().unwrap();
    run.wait().unwrap();
}

/// Plays until a game is over, and is ended by this signal; the exit code, if there is one.
fn ended_after_a_game(command: Command, signal: Signal) -> Option<i32> {
    let mut run = started(command);
    until(&mut run, "Finished game");
    kill_process(Pid::from_child(&run), signal).unwrap();
    // The rest is read, so that the program does not wait for its reader.
    std::io::copy(run.stdout.as_mut().unwrap(), &mut std::io::sink()).unwrap();
    run.wait().unwrap().code()
}

/// Plays until the first game begins, and is killed; all that was printed.
fn beginning(command: Command) -> String {
    let mut run = started(command);
    let text = until(&mut run, "Started game");
    killed(run);
    text
}

fn long(rest: &str) -> String {
    engines() + "-rounds 4000 -repeat -recover -maxmoves 15 " + rest
}

/// Reads the first line that begins so, closes the pipe, and waits for the end.
fn unread_after(mut run: Child, beginning: &str) -> Option<i32> {
    until(&mut run, beginning);
    drop(run.stdout.take());
    run.wait().unwrap().code()
}

fn is_new(text: &str) -> bool {
    text.contains("Started game 1 of") && !text.contains("Resuming")
}

#[test]
fn a_closed_output_ends_a_run_of_fastchess_and_the_same_line_goes_on() {
    let folder = folder();
    let line = long("-pgnout file=p.pgn -ratinginterval 0");
    let run = started(front(folder.path(), &line));
    assert_eq!(unread_after(run, "Finished game"), Some(141));
    let again = beginning(front(folder.path(), &line));
    assert!(again.contains("Resuming from "), "{again}");
}

#[test]
fn a_closed_output_does_not_end_a_run_of_cutechess() {
    let folder = folder();
    let line = sparring("name=A")
        + &sparring("name=B")
        + "-each tc=inf depth=1 -maxmoves 5 -rounds 6 -pgnout p.pgn";
    let run = started(cutechess(folder.path(), &line));
    assert_eq!(unread_after(run, "Started game"), Some(0));
    let pgn = read(&folder, "p.pgn");
    assert_eq!(pgn.matches("[Event ").count(), 6, "{pgn}");
}

#[test]
fn a_line_begins_anew_unless_its_run_was_killed() {
    let folder = folder();
    let line = long("-openings file=book.epd -srand 1 -pgnout file=g.pgn");
    let run = || front(folder.path(), &line);
    ended_after_a_game(run(), Signal::KILL);
    let mut again = started(run());
    let text = until(&mut again, "Finished game 1 (");
    killed(again);
    assert!(
        text.lines().any(|line| line.starts_with("Resuming from ")),
        "{text}"
    );
    assert_eq!(ended_after_a_game(run(), Signal::INT), Some(1));
    assert!(is_new(&beginning(run())), "after SIGINT");
    assert_eq!(ended_after_a_game(run(), Signal::TERM), Some(143));
    assert!(is_new(&beginning(run())), "after SIGTERM");
    ended_after_a_game(run(), Signal::KILL);
    fs::remove_file(folder.path().join("g.pgn")).unwrap();
    assert!(is_new(&beginning(run())), "without its PGN");
    let line = long("-pgnout file=h.pgn");
    for line in [
        format!("-config discard=true {line}"),
        format!("{line} append=false"),
    ] {
        ended_after_a_game(front(folder.path(), &line), Signal::KILL);
        assert!(is_new(&beginning(front(folder.path(), &line))), "{line}");
    }
}

/// Two engines of `engines.json`, which are scripts that start the built-in one.
fn configured(folder: &Path, moves: u32) {
    let script = folder.join("wrap.sh");
    if !script.exists() {
        let text = format!("exec {} sparring", program().display());
        super::support::script(&script, &text);
    }
    let entry = |name: &str, hash: u32| {
        serde_json::json!({"name": name, "command": script, "protocol": "uci",
            "initStrings": ["uci", format!("setoption name Hash value {hash}")]})
    };
    let entries = serde_json::json!([entry("engine1", moves), entry("engine2", 1)]);
    fs::write(folder.join("engines.json"), entries.to_string()).unwrap();
}

#[test]
fn what_a_tuner_changed_begins_a_new_test_and_is_never_refused() {
    let folder = folder();
    configured(folder.path(), 7);
    let line = "-engine conf=engine1 tc=inf nodes=60 -engine conf=engine2 tc=inf nodes=60 -games 2 -repeat \
                -rounds 3000 -recover -maxmoves 15 -pgnout out.pgn";
    let run = || cutechess(folder.path(), line);
    ended_after_a_game(run(), Signal::KILL);
    assert!(beginning(run()).contains("Resuming from "));
    configured(folder.path(), 9);
    assert!(is_new(&beginning(run())), "other options");
    ended_after_a_game(run(), Signal::KILL);
    let script = folder.path().join("wrap.sh");
    let text = fs::read_to_string(&script).unwrap() + "# built anew\n";
    fs::write(&script, text).unwrap();
    assert!(is_new(&beginning(run())), "another build");
    assert_eq!(ended_after_a_game(run(), Signal::INT), Some(0));
    assert!(is_new(&beginning(run())), "after SIGINT");
}

#[test]
fn a_config_goes_on_with_any_further_words() {
    // None of them is fulfilled by what is played before the signal is obeyed.
    for further in [
        "",
        "-recover",
        "-rounds 2500",
        "-each nodes=70",
        "-sprt elo0=0 elo1=1 alpha=0.01 beta=0.01",
    ] {
        let folder = folder();
        let line = long("-openings file=book.epd -srand 1").replace("4000", "3000");
        let ended = ended_after_a_game(front(folder.path(), &line), Signal::INT);
        assert_eq!(ended, Some(1));
        let line = format!("-config file=config.json {further}");
        let text = beginning(front(folder.path(), &line));
        let number = text.split("Started game ").nth(1).unwrap();
        let number: u32 = number.split(' ').next().unwrap().parse().unwrap();
        assert!(number > 1, "{further}: {text}");
    }
}

#[test]
fn an_interrupt_is_obeyed_at_any_moment_also_where_it_was_ignored() {
    let folder = folder();
    let ignoring = |front: &str, line: &str| {
        let mut command = Command::new("sh");
        let program = program().display();
        let script = format!("trap '' INT; exec {program} {front} {line}");
        command.args(["-c", &script]).current_dir(folder.path());
        command.env("XDG_STATE_HOME", folder.path());
        command
    };
    let fast = long("-srand 1");
    let slow = fast
        .replace(" args=sparring", " arg=sparring proto=uci tc=inf")
        .replace("-repeat", "-repeat -games 2");
    for (front, line, code) in [("fastchess", &fast, 1), ("cutechess", &slow, 0)] {
        let ended = ended_after_a_game(ignoring(front, line), Signal::INT);
        assert_eq!(ended, Some(code), "{front}");
    }
    // The plan is not made before the first game.
    let endless = fast.replace("4000", "100000000");
    let mut run = started(front(folder.path(), &endless));
    until(&mut run, "Started game 1 of 200000000");
    kill_process(Pid::from_child(&run), Signal::INT).unwrap();
    let mut rest = String::new();
    std::io::Read::read_to_string(run.stdout.as_mut().unwrap(), &mut rest).unwrap();
    assert_eq!(run.wait().unwrap().code(), Some(1), "{rest}");
    assert!(rest.contains("Tournament was interrupted"), "{rest}");
}

#[test]
fn there_is_always_a_place_for_the_store() {
    let folder = folder();
    let line = long("-srand 1 -pgnout file=g.pgn");
    let mut first = started(front(folder.path(), &line));
    until(&mut first, "Finished game");
    let second = beginning(front(folder.path(), &line));
    assert!(second.contains("Started game 1 of"), "{second}");
    killed(first);
    let mut nowhere = front(folder.path(), &long("-srand 2").replace("4000", "1"));
    for variable in ["HOME", "XDG_STATE_HOME", "TMPDIR"] {
        nowhere.env(variable, "/proc/none");
    }
    let output = nowhere.output().unwrap();
    let end = (exit(&output), output.stderr.len());
    assert_eq!(end, (0, 0), "{}", words(&output));
    assert!(stdout(&output).contains("Finished game 2"));
}

#[test]
fn a_hash_table_beyond_the_memory_is_the_engines_affair() {
    let folder = folder();
    let line = long("-srand 2 -each option.Hash=999999999").replace("4000", "1");
    assert_has(&said(0, front(folder.path(), &line)), ["Finished game 2"]);
}
