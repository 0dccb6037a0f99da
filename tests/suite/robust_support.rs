//! Running the program against the fake engine, with nothing left to chance: every
//! process that descends from a run carries a mark, and no run outlasts its bound.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};

pub use super::support::BOUND;
use super::support::{Event, pause, wait_until};

/// The variable of the environment that carries the mark.
const MARK: &str = "LC_TEST_MARK";

/// Set where the test reads the run's stdout itself.
const PIPED: &str = "LC_TEST_PIPED";

/// The fake engine, which `cargo test` builds next to the program.
pub fn fake_engine() -> PathBuf {
    let program = Path::new(env!("CARGO_BIN_EXE_arbiter960"));
    let found = program.with_file_name("examples").join("fake-engine");
    assert!(found.is_file(), "{} is not built", found.display());
    found
}

/// Two strengths of the built-in engine, for events whose games are the same in every run.
pub const SIX_AND_NINE: &str = r#"
[[engine]]
name = "Six"
builtin = "sparring"
options = { Strength = 6 }
[[engine]]
name = "Nine"
builtin = "sparring"
options = { Strength = 9 }
"#;

/// An event of these two at depth 1, with this number of moves a game and these lines.
pub fn six_and_nine(name: &str, moves: u32, rest: &str) -> Event {
    let common = format!("time.depth = 1\nadjudication.max_moves = {moves}");
    Event::new(name, &format!("{rest}\n{common}\n{SIX_AND_NINE}"))
}

/// A run of the program as the leader of a new process group.
pub struct Run {
    pub child: Child,
    mark: String,
    begun: Instant,
    output: PathBuf,
}

impl Run {
    /// Starts the event; its words go to a file next to it.
    pub fn start(event: &Event, arguments: &[&str]) -> Run {
        Run::spawn(event.command(arguments), event)
    }

    /// Starts a command.
    pub fn spawn(mut command: Command, event: &Event) -> Run {
        static RUNS: AtomicU64 = AtomicU64::new(0);
        let number = RUNS.fetch_add(1, Ordering::Relaxed);
        let mark = format!("{}-{number}", std::process::id());
        let output = event.folder().join(format!("output-{number}"));
        let file = File::create(&output).unwrap();
        command
            .stdin(Stdio::null())
            .stderr(file.try_clone().unwrap());
        if !command.get_envs().any(|(name, _)| name == PIPED) {
            command.stdout(file);
        }
        command.env("LC_FAKE_MEMORY", event.folder().join("memory"));
        let child = command.env(MARK, &mark).process_group(0).spawn().unwrap();
        Run {
            child,
            mark,
            begun: Instant::now(),
            output,
        }
    }

    /// Waits for the end; a run that outlasts its bound is killed and the test fails.
    pub fn end(&mut self, bound: Duration) -> ExitStatus {
        let ended = ends_within(
            Pid::from_child(&self.child),
            bound.saturating_sub(self.begun.elapsed()),
        );
        if !ended {
            let left = self.survivors();
            let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
            panic!(
                "not over after {bound:?}; running: {left:?}; said: {}",
                self.words()
            );
        }
        self.child.wait().unwrap()
    }

    /// Waits for its end, which must have this code; what it has written.
    #[track_caller]
    pub fn ends(&mut self, code: i32) -> String {
        let status = self.end(BOUND);
        let words = self.words();
        assert_eq!(status.code(), Some(code), "{words}");
        words
    }

    /// What it has written.
    pub fn words(&self) -> String {
        String::from_utf8_lossy(&fs::read(&self.output).unwrap()).into_owned()
    }

    /// The same, and nothing of it may be left.
    #[track_caller]
    pub fn ends_alone(&mut self, code: i32) -> String {
        let words = self.ends(code);
        assert_eq!(self.survivors(), Vec::<String>::new(), "left running");
        words
    }

    /// How long ago it was started.
    pub fn age(&self) -> Duration {
        self.begun.elapsed()
    }

    /// The command lines of all processes that descend from this run.
    pub fn survivors(&self) -> Vec<String> {
        let line = |process: &Pid| command_line(*process);
        marked(&self.mark).iter().map(line).collect()
    }

    /// Whether the runner ends within this time.
    pub fn ends_within(&self, bound: Duration) -> bool {
        ends_within(Pid::from_child(&self.child), bound)
    }

    /// A process of this run whose arguments have this word.
    pub fn find(&self, word: &str) -> Option<Pid> {
        let has = |process: &Pid| {
            command_line(*process)
                .split(' ')
                .any(|part| part.ends_with(word))
        };
        marked(&self.mark).into_iter().find(has)
    }

    /// Waits until a process of this run has this word among its arguments.
    pub fn wait_for(&self, word: &str, bound: Duration) {
        self.wait(word, |found| found.is_some(), bound);
    }

    /// The same, for another process than this one.
    pub fn wait_for_another(&self, word: &str, old: Pid, bound: Duration) {
        self.wait(word, |found| found.is_some_and(|new| new != old), bound);
    }

    /// Waits until a process of this run with this word among its arguments has used
    /// this much of the processor.
    pub fn wait_for_work(&self, word: &str, work: Duration, bound: Duration) {
        self.wait(
            word,
            |found| found.is_some_and(|process| worked(process) >= work),
            bound,
        );
    }

    fn wait(&self, word: &str, is_there: impl Fn(Option<Pid>) -> bool, bound: Duration) {
        let deadline = Instant::now() + bound;
        while !is_there(self.find(word)) {
            assert!(
                Instant::now() < deadline,
                "no {word} after {bound:?}: {}",
                self.words()
            );
            pause(5);
        }
    }

    /// Waits until something is so, and fails with the words of this run if it never is.
    #[track_caller]
    pub fn until(&self, is_so: impl FnMut() -> bool) {
        wait_until(is_so, || self.words());
    }

    /// Waits until nothing that descends from this run is left.
    pub fn is_gone_within(&self, bound: Duration) -> bool {
        let deadline = Instant::now() + bound;
        loop {
            let Some(process) = marked(&self.mark).pop() else {
                return true;
            };
            if !ends_within(process, deadline.saturating_duration_since(Instant::now())) {
                return false;
            }
        }
    }
}

/// The same command with its stdout piped to the test.
pub fn piped(mut command: Command) -> Command {
    command.stdout(Stdio::piped()).env(PIPED, "");
    command
}

/// Starts the event with `--json`; the run, and the lines that it writes.
pub fn start_with_json(event: &Event) -> (Run, impl Iterator<Item = String> + Send + use<>) {
    start_with(event, &[])
}

fn start_with(event: &Event, more: &[&str]) -> (Run, impl Iterator<Item = String> + Send + use<>) {
    let mut command = event.command(&["--json"]);
    command.args(more);
    let mut run = Run::spawn(piped(command), event);
    let stdout = BufReader::new(run.child.stdout.take().unwrap());
    // The last line may be cut short by a kill.
    (run, stdout.lines().map_while(Result::ok))
}

/// The same, when it has reported its first game.
pub fn begun(event: &Event) -> (Run, impl Iterator<Item = String> + Send + use<>) {
    begun_with(event, &[])
}

/// The same with more arguments.
pub fn begun_with(
    event: &Event,
    more: &[&str],
) -> (Run, impl Iterator<Item = String> + Send + use<>) {
    let (run, mut lines) = start_with(event, more);
    assert!(lines.any(|line| round_of(&line).is_some()), "a game");
    (run, lines)
}

/// The round of the game that this line reports, if it does.
pub fn round_of(line: &str) -> Option<String> {
    let value: serde_json::Value = serde_json::from_str(line).ok()?;
    (value["type"] == "game").then(|| value["round"].as_str().unwrap().to_owned())
}

/// Waits for the end of a process, ours or not.
fn ends_within(process: Pid, bound: Duration) -> bool {
    let Ok(descriptor) = pidfd_open(process, PidfdFlags::empty()) else {
        return true;
    };
    let timeout = Timespec::try_from(bound).unwrap();
    let mut end = [PollFd::new(&descriptor, PollFlags::IN)];
    poll(&mut end, Some(&timeout)).unwrap() > 0
}

fn command_line(process: Pid) -> String {
    let path = format!("/proc/{}/cmdline", process.as_raw_nonzero());
    let bytes = fs::read(path).unwrap_or_default();
    String::from_utf8_lossy(&bytes).replace('\0', " ")
}

/// The time on a processor: the first number of `/proc/<pid>/schedstat`, nanoseconds.
fn worked(process: Pid) -> Duration {
    let path = format!("/proc/{}/schedstat", process.as_raw_nonzero());
    let text = fs::read_to_string(path).unwrap_or_default();
    let first = text
        .split(' ')
        .next()
        .and_then(|number| number.parse().ok());
    Duration::from_nanos(first.unwrap_or(0))
}

/// The processes with this mark in their environment; zombies have none.
fn marked(mark: &str) -> Vec<Pid> {
    let entry = format!("{MARK}={mark}");
    let carries = |process: &i32| {
        let environment = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        environment
            .split(|byte| *byte == 0)
            .any(|line| line == entry.as_bytes())
    };
    let entries = fs::read_dir("/proc").unwrap().map_while(Result::ok);
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter(carries).filter_map(Pid::from_raw).collect()
}

/// One game as `export --format csv` has it.
#[derive(Debug)]
pub struct Game {
    pub white: String,
    pub result: String,
    pub termination: String,
    pub reason: String,
    pub moves: String,
    pub round: String,
}

/// Every game of the store, in the order of finishing.
pub fn games(event: &Event) -> Vec<Game> {
    let text = event.ask(&["export", "--format", "csv"]);
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().unwrap().split(',').collect();
    let game = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let field =
            |name| fields[columns.iter().position(|column| *column == name).unwrap()].to_owned();
        Game {
            white: field("white"),
            result: field("result"),
            termination: field("termination"),
            reason: field("reason"),
            moves: field("moves"),
            round: field("round"),
        }
    };
    lines.map(game).collect()
}

/// How each of them ended.
pub fn reasons(event: &Event) -> Vec<String> {
    games(event).into_iter().map(|game| game.reason).collect()
}

/// The words of the fake engine as its lines of an event file. JSON's strings are TOML's.
pub fn fake(words: &[&str]) -> String {
    let words = serde_json::to_string(words).unwrap();
    format!("command = {:?}\nargs = {words}", fake_engine())
}

/// `One` and `Two`, fake engines with these words, as blocks of an event file.
pub fn two_fakes(words: &[&str]) -> String {
    let block = |name| format!("[[engine]]\nname = {name:?}\n{}\n", fake(words));
    ["One", "Two"].map(block).concat()
}

/// Moves, result and reason of every game of the store, by round; each is there once.
pub fn games_by_round(event: &Event) -> BTreeMap<String, [String; 3]> {
    let played = games(event);
    let count = played.len();
    let entry = |game: Game| (game.round, [game.moves, game.result, game.reason]);
    let all: BTreeMap<_, _> = played.into_iter().map(entry).collect();
    assert_eq!(all.len(), count, "a game is there twice");
    all
}

/// The PGN is legal, and what the store says, byte for byte.
pub fn assert_files_whole(event: &Event) {
    let pgn = event.results().join("games.pgn");
    super::support::tool(&["verify", pgn.to_str().unwrap()]);
    let exported = event.ask(&["export", "--format", "pgn"]);
    assert_eq!(exported, event.read("games.pgn"));
    assert!(event.parsed("standings.json").is_object());
}
