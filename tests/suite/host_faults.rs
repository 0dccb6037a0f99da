//! Whose fault it is that a flag falls, through the real runner and the system's own scheduler.
//!
//! What an engine does is chosen so that the load of the machine cannot change the verdict: one
//! that needs a part of its clock as processor time is late only if it waited for longer than it
//! is late; one that needs twice its clock is late by more than it waited; one that sleeps is late by a second, and
//! was kept by nobody. It does so at its first move, before the load can have used up its clock, and in games
//! of one move, in which no other flag is likely to fall.

use std::io::{BufRead, BufReader};
use std::num::NonZeroUsize;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use arbiter960::internal::run::capacity;

use arbiter960::internal::platform::Capability;

use super::config_files::Shelf;
use super::platforms::can;
use super::robust_support::{BOUND, Run, assert_files_whole, fake, fake_engine, games, reasons};
use super::support::{
    Event, arbiter960, assert_has, assert_lacks, ends, missing, on_one_line, script,
};

const PAIRS: usize = 2;

/// So many that an engine which shares a processor with them has less than a twentieth of it.
const MANY: u32 = 20;

/// The block of the built-in engine.
const SOUND: &str = "[[engine]]\nname = \"Sound\"\nbuiltin = \"sparring\"\ntime.depth = 1\n";

/// Processes that keep the processor busy on which pinned engines run.
pub(super) struct Hogs {
    processes: Vec<Child>,
    /// Others are not to be kept busy by several tests at once.
    _alone: MutexGuard<'static, ()>,
}

impl Hogs {
    pub(super) fn start(count: u32) -> Hogs {
        let hog = || {
            let mut command = Command::new(fake_engine());
            command.args(["pinned", "hog"]).stdin(Stdio::null());
            let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
            // On a machine with much to do it is there long after it was started.
            let mut word = String::new();
            let stdout = child.stdout.take().unwrap();
            BufReader::new(stdout).read_line(&mut word).unwrap();
            assert_eq!(word, "busy\n");
            child
        };
        static ALONE: Mutex<()> = Mutex::new(());
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        Hogs {
            processes: (0..count).map(|_| hog()).collect(),
            _alone: alone,
        }
    }
}

impl Drop for Hogs {
    fn drop(&mut self) {
        for hog in &mut self.processes {
            hog.kill().unwrap();
            hog.wait().unwrap();
        }
    }
}

/// Whether the kernel reports how long threads wait; without it there is no evidence.
pub fn kernel_counts() -> bool {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    if text
        .trim()
        .rsplit(' ')
        .next()
        .is_some_and(|turns| !["", "0"].contains(&turns))
    {
        return true;
    }
    missing("the kernel does not count how long threads wait (schedstat)");
    false
}

/// Whether this system and its kernel tell who waited.
pub(super) fn evidence_is_there() -> bool {
    can(Capability::WaitEvidence) && kernel_counts()
}

/// Two pairs of the fake engine, which does what these words say at its first move, against the built-in one.
fn event(name: &str, words: &str, control: &str, rest: &str) -> Event {
    let words: Vec<&str> = words.split_whitespace().chain(["at=1"]).collect();
    let text = format!(
        "event.pairs = {PAIRS}\npositions.numbers = [518]\nadjudication.max_moves = 1\n{rest}\n\
         [[engine]]\nname = \"Fake\"\n{}\ntime.control = {control:?}\n{SOUND}",
        fake(&words)
    );
    Event::new(name, &text)
}

/// Plays the event to its end; the exit code and the runner's words.
fn play(event: &Event) -> (Option<i32>, String) {
    let mut run = Run::start(event, &[]);
    let status = run.end(BOUND);
    assert_eq!(run.survivors(), Vec::<String>::new(), "left running");
    (status.code(), run.words())
}

/// Verdict, standing and whether the move came, of the first fault of the event.
fn fault(event: &Event) -> (String, String, bool) {
    let sql = "SELECT verdict, standing, answered FROM faults ORDER BY sequence LIMIT 1";
    let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    event.store().query_row(sql, [], row).unwrap()
}

/// Makes such events until one shows what is asked for: on a machine that is busy besides, the evidence of one may
/// decide nothing.
pub(super) fn one_that<T>(make: impl Fn() -> T, shows: impl Fn(&T) -> bool) -> T {
    let mut made = (0..20).map(|_| make());
    made.find(shows).expect("one that shows it")
}

/// The same as [`lost_on_time`], and it can be told by whom.
fn decided(name: &str, words: &str, control: &str) -> (Event, String) {
    let lost = || lost_on_time(name, words, control);
    one_that(lost, |(event, _)| fault(event).0 != "undecided")
}

/// Plays four games of which the first is lost on time.
fn lost_on_time(name: &str, words: &str, control: &str) -> (Event, String) {
    let event = event(name, words, control, "");
    let words = Run::start(&event, &[]).ends_alone(0);
    assert_eq!(games(&event)[0].reason, "flag-fall");
    assert_files_whole(&event);
    (event, words)
}

#[test]
fn an_engine_that_sleeps_past_its_flag_is_to_blame() {
    if !evidence_is_there() {
        return;
    }
    let (event, words) = decided("sleeps", "search=very-late once", "1+0.1");
    let (verdict, standing, _) = fault(&event);
    assert_eq!((&*verdict, &*standing), ("engine", "asleep"));
    let said = "Loss on time: 1 game: 1 by the engine's fault, 0 by this machine's, 0 undecided.";
    assert_has(&words, [said]);
    let pgn = event.read("games.pgn").replace('\n', " ");
    assert_has(&pgn, ["the engine's fault:"]);
    assert_has(
        &event.read("log/run.log"),
        ["a flag fell: the engine's fault"],
    );
    // The evidence behind the verdict.
    let explained = event.ask(&["explain", "1.1"]).replace("\n  ", " ");
    let seen = [
        "it used ",
        " of processors, waited ",
        "and was asleep at the end",
    ];
    assert_has(&explained, seen);
    assert_lacks(&event.ask(&["explain"]), ["flag-fall"]);
}

#[test]
fn an_engine_that_thinks_for_too_long_is_not_excused_however_busy_the_machine_is() {
    if !evidence_is_there() {
        return;
    }
    let event = event("thinks", "search=toil:200 once", "0.5", "");
    let words = Run::start(&event, &[]).ends_alone(0);
    assert_eq!(games(&event)[0].reason, "flag-fall", "{words}");
    assert_ne!(fault(&event).0, "host", "{words}");
}

#[test]
fn an_engine_that_looks_at_the_clock_on_the_wall_pays_for_the_time_it_got() {
    if !evidence_is_there() {
        return;
    }
    // It shares its processor with two others, so it has had a third of its 0.6 s when its clock has run out, and
    // needs 0.3 s more.
    let _hogs = Hogs::start(2);
    let lost = || lost_on_time("wall", "pinned search=until-late once", "0.6");
    one_that(lost, |(event, _)| fault(event).0 == "host");
}

#[test]
fn a_helper_that_wants_to_wait_is_no_excuse() {
    if !evidence_is_there() {
        return;
    }
    // It shares one processor with two that never rest, and the thread that answers sleeps.
    let _hogs = Hogs::start(2);
    let words = "pinned nice-helper search=very-late once";
    let (event, words) = lost_on_time("helper", words, "0.5");
    assert_ne!(fault(&event).0, "host", "{words}");
}

#[test]
fn an_engine_that_is_stopped_by_a_signal_is_nobodys_fault_that_can_be_shown() {
    if !evidence_is_there() {
        return;
    }
    let (event, _) = lost_on_time("stopped", "search=stopped once", "0.5");
    let expected = ("undecided".to_owned(), "stopped".to_owned(), false);
    assert_eq!(fault(&event), expected);
}

/// It needs 30 ms of a processor on a clock of 0.2 s, once, and shares the processor with the hogs, so that it takes twice
/// its clock at least.
const STARVED: &str = "pinned search=toil-ms:30 once";

const SHORT: &str = "0.2";

#[test]
fn an_engine_that_is_not_run_is_the_hosts_fault_and_loses_all_the_same() {
    if !evidence_is_there() {
        return;
    }
    let _hogs = Hogs::start(MANY);
    let (event, words) = decided("starved", STARVED, SHORT);
    let (verdict, _, answered) = fault(&event);
    assert_eq!((&*verdict, answered), ("host", true), "{words}");
    // On a machine that is also busy, flags of other games may fall too; none by the engine's fault.
    let lost = event.number("SELECT count(*) FROM faults");
    let games = if lost == 1 { "game" } else { "games" };
    let said = format!("Loss on time: {lost} {games}: 0 by the engine's fault, ");
    let whole = if lost == 1 {
        "1 by this machine's, 0 undecided."
    } else {
        ""
    };
    assert_has(&words, [said + whole]);
    // The games count because the event has it so: this setting helps.
    let advice = "`host_faults = \"replay\"` has such games played again.";
    assert_has(&on_one_line(&words), [advice]);
    assert_eq!(event.number("SELECT count(*) FROM voided"), 0);
    // Its every move was watched, for its clock was short from the start.
    let unwatched = "SELECT count(*) FROM moves WHERE clock_ns IS NOT NULL AND watched_ns IS NULL";
    assert_eq!(event.number(unwatched), 0);
    // A move made at once need not have waited at all; what decided the game is in the fault.
    let seen = "SELECT count(*) FROM moves WHERE clock_ns IS NOT NULL
                AND (engine_wait_ns IS NULL OR lane_wait_ns IS NULL)";
    assert_eq!(event.number(seen), 0);
    // What the host has cost is a sum; the runner's own waits are part of it.
    let cost = "engine_wait_ns + lane_wait_ns + pending_ns + suspended_ns";
    let waited =
        format!("SELECT count(*) FROM faults WHERE verdict = 'host' AND {cost} >= late_ns");
    assert!(event.number(&waited) >= 1);
}

#[test]
fn the_same_is_void_if_the_event_has_it_so_and_played_again_by_the_same_command() {
    if !evidence_is_there() {
        return;
    }
    let hogs = Hogs::start(MANY);
    let rest = "adjudication.host_faults = \"void\"";
    let played = || {
        let event = event("void", STARVED, SHORT, rest);
        let (code, words) = play(&event);
        (event, code, words)
    };
    let (event, _, words) = one_that(played, |(_, code, _)| *code == Some(5));
    let voided = event.number("SELECT count(*) FROM voided");
    let was = ["game was", "games were"][usize::from(voided != 1)];
    assert_has(&words, [format!("{voided} {was} not counted")]);
    let named = "SELECT count(*) FROM voided WHERE reason = 'host-fault'
                 AND detail LIKE '%lost on time: the host''s fault%'";
    assert!(voided >= 1);
    assert_eq!(event.number(named), voided);
    assert_eq!(event.number("SELECT count(*) FROM games") + voided, 4);
    drop(hogs);
    // A machine that is busy besides may spoil some again: those are played by the next command.
    let mut again = (0..20).map(|_| play(&event));
    let (code, words) = again.find(|(code, _)| *code != Some(5)).expect("an end");
    assert_eq!(code, Some(0), "{words}");
    assert_complete(&event);
}

#[test]
fn the_same_is_played_again_in_the_same_run_if_the_event_has_it_so() {
    if !evidence_is_there() {
        return;
    }
    let _hogs = Hogs::start(MANY);
    let rest = "adjudication.host_faults = \"replay\"";
    let played = || {
        let event = event("replay", STARVED, SHORT, rest);
        let words = Run::start(&event, &[]).ends_alone(0);
        (event, words)
    };
    let voided = |event: &Event| event.number("SELECT count(*) FROM voided");
    let (event, words) = one_that(played, |(event, _)| voided(event) >= 1);
    // It is in force already.
    assert!(!words.contains("host_faults"), "{words}");
    assert_complete(&event);
}

#[test]
fn the_same_is_not_charged_if_the_event_has_it_so() {
    if !evidence_is_there() {
        return;
    }
    let _hogs = Hogs::start(MANY);
    let rest = "adjudication.host_faults = \"deduct\"";
    let event = event("deduct", STARVED, SHORT, rest);
    let words = Run::start(&event, &[]).ends_alone(0);
    let by_the_host = "SELECT (SELECT count(*) FROM faults WHERE verdict = 'host')
                           + (SELECT count(*) FROM voided)";
    assert_eq!(event.number(by_the_host), 0, "{words}");
    // It has used up its 0.2 s by the clock on the wall, as in the tests above, and not by its own.
    let move_of_toil = "received_ns - sent_ns > 200000000 AND received_ns - sent_ns - taken_ns";
    let sql =
        format!("SELECT count(*) FROM moves WHERE {move_of_toil} BETWEEN 25000000 AND 200000000");
    assert!(event.number(&sql) >= 1, "{words}");
    let clocks = "SELECT count(*) FROM (
                      SELECT clock_ns - lag(clock_ns, 1, 200000000)
                                 OVER (PARTITION BY sequence ORDER BY ply)
                             + (received_ns - sent_ns - coalesce(taken_ns, 0)) / 1000 * 1000 AS more
                      FROM moves WHERE clock_ns IS NOT NULL)
                  WHERE more != 0";
    assert_eq!(event.number(clocks), 0, "a clock loses what is charged");
    let pgn = event.read("games.pgn");
    let told = |line: &str| line.contains("[%emt ") && line.contains("[%elapsed ");
    assert!(pgn.replace('\n', " ").split('{').any(told), "{pgn}");
    assert_complete(&event);
}

#[test]
fn who_keeps_its_own_processor_busy_is_charged_for_it() {
    if !evidence_is_there() {
        return;
    }
    let rest = "adjudication.host_faults = \"deduct\"";
    let words = "pinned own-hogs search=toil:60 once";
    let played = || {
        let event = event("own hogs are charged", words, "0.5", rest);
        Run::start(&event, &[]).ends_alone(0);
        assert_eq!(event.number("SELECT count(*) FROM voided"), 0);
        let by_the_host = "SELECT count(*) FROM faults WHERE verdict = 'host'";
        assert_eq!(event.number(by_the_host), 0);
        event
    };
    // Where others take its processor, too, it is not charged for them, and may not lose.
    let own = "SELECT count(*) FROM faults WHERE own_ns > 0 AND coalesce(taken_ns, 0) = 0";
    one_that(played, |event| {
        games(event)[0].reason == "flag-fall" && event.number(own) == 1
    });
}

/// What is said while two engines make a start, of which the first does this at its first evaluation.
fn make_a_start(name: &str, words: &str) -> (Event, String) {
    let words: Vec<&str> = words.split_whitespace().chain(["at=1"]).collect();
    let text = format!(
        "event.variant = \"transcendental\"\npositions.numbers = [17]\n\
         positions.opening = \"auction\"\npositions.opening_time = 1\n\
         adjudication.max_moves = 1\ntime.depth = 1\n[[engine]]\nname = \"Fake\"\n{}\n{SOUND}",
        fake(&words)
    );
    let event = Event::new(name, &text);
    let words = Run::start(&event, &[]).ends_alone(0);
    (event, words)
}

/// Printed where it has no say any more. The other engine may have none either, on a machine with much to do.
const USED_UP: &str = "Fake: its time was used up; what it had to choose was drawn";

#[test]
fn what_the_host_takes_while_a_start_is_made_is_not_charged() {
    if !evidence_is_there() {
        return;
    }
    let _hogs = Hogs::start(MANY);
    // More than a second with so many others, and it has used a sixteenth of that.
    let (_, said) = make_a_start("starved start", "pinned search=toil-ms:60 once");
    assert_has(&said, ["opening 1 of 2: Fake: "]);
    assert_lacks(&said, [USED_UP]);
}

#[test]
fn who_uses_up_the_time_in_which_a_start_is_made_has_the_rest_drawn_and_that_is_said() {
    let (_, said) = make_a_start("slow start", "search=toil-ms:1500 once");
    // On a busy machine without evidence its answer comes too late to be waited for.
    let drawn = "; what it had to choose was drawn";
    let late = |line: &str| line.contains("Fake: no answer within") && line.ends_with(drawn);
    let is_told = |line: &str| line.contains(USED_UP) || late(line);
    assert!(said.lines().any(is_told), "{said}");
}

#[test]
fn who_ends_while_a_start_is_made_is_started_again_for_the_next() {
    let (event, said) = make_a_start("ended at a start", "search=exit once");
    let why = |opening: u8| format!("opening {opening}: Fake: it ended (");
    assert_has(&said, [&why(1), "opening 2 of 2: "]);
    assert_lacks(&said, [why(2)]);
    // What was drawn, and why, is stored with the start.
    let sql = "SELECT count(*) FROM event WHERE value LIKE '%\"drawn\":[%Fake: it ended (%'";
    assert_eq!(event.number(sql), 1);
    // Both engines play their games.
    assert_eq!(reasons(&event), ["length-adjudication"; 2]);
}

/// Every game of the plan once, and none lost by the host's fault. On a machine that is also busy, flags may fall of
/// which nobody can show whose fault it was: these games count.
fn assert_complete(event: &Event) {
    event.assert_rounds(PAIRS);
    let by_host = "SELECT count(*) FROM faults WHERE verdict = 'host'";
    assert_eq!(event.number(by_host), 0);
    assert_files_whole(event);
}

#[test]
fn who_keeps_its_own_processor_busy_is_not_excused() {
    if !evidence_is_there() {
        return;
    }
    // They are no longer children of the engine, and in separate sessions.
    let rest = "adjudication.host_faults = \"void\"";
    let words = "pinned own-hogs search=toil:60 once";
    let event = event("own hogs", words, "0.5", rest);
    Run::start(&event, &[]).ends_alone(0);
    assert_eq!(event.number("SELECT count(*) FROM voided"), 0);
    assert_eq!(games(&event)[0].reason, "flag-fall");
    assert_ne!(fault(&event).0, "host");
    // What they have used is asked for where the thread that answered is known to have waited.
    let unasked =
        "SELECT count(*) FROM faults WHERE answerer_wait_ns > 0 AND coalesce(own_ns, 0) = 0";
    assert_eq!(event.number(unasked), 0);
}

#[test]
fn an_engine_without_a_clock_is_given_back_what_the_host_took() {
    if !evidence_is_there() {
        return;
    }
    let _hogs = Hogs::start(MANY);
    let bound = "timeouts = { start = 1, stall = 1 }";
    // Each takes 60 ms of a processor that it shares with twenty others, of the eleven seconds that an engine is given to start.
    for words in ["slow-start=60", "search=toil:15"] {
        let played = || {
            let text = format!(
                "positions.numbers = [518]\nadjudication.max_moves = 4\n{bound}\n\
                 [[engine]]\nname = \"Fake\"\n{}\ntime.nodes = 400\n{SOUND}",
                fake(&["pinned", words])
            );
            let event = Event::new(words.split('=').next().unwrap(), &text);
            Run::start(&event, &[]).ends_alone(0);
            assert_eq!(event.number("SELECT count(*) FROM faults"), 0, "{words}");
            event
        };
        // A runner that is itself kept from running gives the whole time anew.
        let log = |event: &Event| event.read("log/run.log");
        one_that(played, |event| log(event).contains("kept from running"));
    }
}

/// Its 600 ms of a processor that it shares with twenty others take longer than the ten seconds that an engine has.
#[test]
fn an_examined_engine_is_given_back_what_the_host_took() {
    if !evidence_is_there() {
        return;
    }
    let _hogs = Hogs::start(MANY);
    let mut check = arbiter960();
    check.args(["check", "--only", "C101"]).arg(fake_engine());
    ends(0, check.args(["pinned", "slow-start=600"]));
}

#[test]
fn an_engine_that_does_not_start_says_what_it_was_given_of_the_hosts_time() {
    if !evidence_is_there() {
        return;
    }
    let _hogs = Hogs::start(2);
    let text = format!(
        "positions.numbers = [518]\ntime.depth = 1\ntimeouts.start = 0.3\n\
         [[engine]]\nname = \"Fake\"\n{}\n{SOUND}",
        fake(&["pinned", "slow-start=60000"])
    );
    let event = Event::new("never", &text);
    let said = Run::start(&event, &[]).ends_alone(3);
    let words = "s besides, for which the host kept it from running";
    assert_has(&said, ["no uciok within 300 ms and ", words]);
}

/// Two pairs with a copy of the fake engine in the event's folder.
fn own_program(name: &str, words: &str, rest: &str) -> Event {
    let words: Vec<&str> = words.split_whitespace().collect();
    let words = serde_json::to_string(&words).unwrap();
    let text = format!(
        "event.pairs = {PAIRS}\npositions.numbers = [518]\nadjudication.max_moves = 4\n\
         time.depth = 1\nevent.concurrency = 1\n{rest}\n{SOUND}\
         [[engine]]\nname = \"Fake\"\ncommand = \"./own-engine\"\nrestart = true\nargs = {words}\n"
    );
    let event = Event::new(name, &text);
    std::fs::copy(fake_engine(), event.folder().join("own-engine")).unwrap();
    event
}

#[test]
fn an_engine_that_deletes_its_own_program_and_ends_loses_by_its_crashes_alone() {
    if !can(Capability::WaitEvidence) {
        return;
    }
    let event = own_program("deletes", "search=unlink-and-abort at=1", "");
    Run::start(&event, &[]).ends_alone(0);
    assert_eq!(reasons(&event), ["crash"; 4]);
    assert_eq!(event.number("SELECT count(*) FROM voided"), 0);
    assert_files_whole(&event);
}

/// An engine, given the moment and the deed.
const SELF_HARM: &str = "moment=$1 net=$3
harm() {
  case $deed in
    delete) rm -f \"$0\" ;;
    write-over) printf '#!/bin/sh\\nexit 1\\n' >\"$0\" ;;
    replace) printf '#!/bin/sh\\nexit 1\\n' >own-new; chmod 755 own-new; mv own-new \"$0\" ;;
    net) rm -f \"$net\" ;;
  esac
}
deed=$2 game=trial
test -e \"$net\" || exit 1
while read -r word rest; do case $word in
  uci) echo 'option name UCI_Chess960 type check default false'; echo uciok ;;
  isready) echo readyok ;;
  ucinewgame) game=game ;;
  go) test $moment = $game && harm; echo bestmove $move ;;
  position) case $rest in *' moves '*) move=e7e5 ;; *) move=e2e4 ;; esac ;;
  quit) test $moment = quit && test $game = game && harm; exit 0 ;;
esac; done
";

/// In its trial, in a game, between two games: what an engine does to its own program is of no use to it, and
/// nobody else pays.
#[test]
fn an_engine_is_what_it_was_whatever_it_does_to_its_program() {
    if !can(Capability::WaitEvidence) {
        return;
    }
    for moment in ["trial", "game", "quit"] {
        for deed in ["delete", "write-over", "replace", "net"] {
            let event = own_program("harm", &format!("{moment} {deed} own.net"), "");
            event.rewrite(|text| text.replace("max_moves = 4", "max_moves = 1"));
            std::fs::write(event.folder().join("own.net"), "net").unwrap();
            script(&event.folder().join("own-engine"), SELF_HARM);
            let (code, words) = play(&event);
            let case = format!("{moment} {deed}: {words}");
            let expected = match (moment, deed) {
                ("trial", _) => Some(3),
                // The host's: nobody can tell who it was.
                (_, "net") => Some(5),
                _ => Some(0),
            };
            assert_eq!(code, expected, "{case}");
            match code {
                Some(3) => assert!(words.contains("\"Fake\""), "{case}"),
                Some(5) => {
                    assert!(words.contains("own.net is gone"), "{case}");
                    let mut reasons = reasons(&event).into_iter();
                    assert!(
                        reasons.all(|reason| reason == "length-adjudication"),
                        "{case}"
                    );
                }
                _ => assert_eq!(reasons(&event), ["length-adjudication"; 4], "{case}"),
            }
        }
    }
}

#[test]
fn voids_for_one_engines_sake_end_in_a_loss() {
    if !can(Capability::WaitEvidence) {
        return;
    }
    let event = own_program("sake", "search=unlink at=1", "faults.voids = 2");
    // No copy of the program can be kept.
    std::fs::create_dir_all(event.results()).unwrap();
    std::fs::write(event.results().join("builds"), "").unwrap();
    let words = Run::start(&event, &[]).ends_alone(0);
    let mut reasons = reasons(&event);
    reasons.sort();
    assert_eq!(reasons[..1], ["length-adjudication"]);
    assert_eq!(reasons[1..], ["start-failure"; 3]);
    assert_eq!(event.number("SELECT count(*) FROM voided"), 2);
    let said = [
        "2 games were not counted",
        "Nothing more is excused for Fake",
    ];
    assert_has(&words, said);
}

#[test]
fn odds_are_in_the_plan_in_the_pgn_and_part_of_the_identity() {
    if !can(Capability::WaitEvidence) {
        return;
    }
    let text = |scale: &str| {
        format!(
            "positions.numbers = [518]\nadjudication.max_moves = 2\n\
             time = {{ control = \"20+0.2\", first_increment = false }}\n\
             [[engine]]\nname = \"Whole\"\nbuiltin = \"sparring\"\noptions = {{ Strength = 1 }}\n\
             [[engine]]\nname = \"Part\"\nbuiltin = \"sparring\"\noptions = {{ Strength = 1 }}\n\
             time = {{ scale = {scale}, first_increment = true }}\n"
        )
    };
    let event = Event::new("odds", &text("0.5"));
    let plan = event.run_well(&["--dry-run", "--all"]);
    let odds = "\nengine Whole: 20+0.2, first_increment=false\nengine Part: 10+0.1\npair 1";
    assert_has(&plan, [odds]);
    event.run_well(&["--quiet"]);
    let pgn = event.read("games.pgn");
    for color in ["White", "Black"] {
        let limits = ["20+0.2, first_increment=false", "10+0.1"];
        assert_has(
            &pgn,
            limits.map(|limit| format!("[{color}TimeControl \"{limit}\"]")),
        );
    }
    event.rewrite(|_| format!("event.name = \"odds\"\n{}", text("0.25")));
    let refused = event.ends(2, &[]);
    assert_has(&refused, ["limits: was \"10+0.1\", is now \"5+0.05\""]);
}

#[test]
fn more_threads_on_a_clock_than_processors_are_warned_about() {
    if !can(Capability::WaitEvidence) {
        return;
    }
    let warning = |time: &str, threads: &str| {
        let text = format!(
            "[event]\nname = \"x\"\nconcurrency = 2\n[positions]\nall = true\n[time]\n{time}\n\
             [[engine]]\ncommand = \"one\"\noptions = {{ {threads} }}\n\
             [[engine]]\ncommand = \"two\"\n"
        );
        capacity::warning(&Shelf::new().accept(&text).0, NonZeroUsize::new(4).unwrap())
    };
    assert_eq!(warning("control = \"1\"", "threads = 2"), None);
    let too_many = warning("control = \"1\"", "Threads = 3").expect("2 lanes of 3 threads");
    assert_has(&too_many, ["want 6 processors, and there are 4"]);
    // Nobody is on a clock.
    assert_eq!(warning("nodes = 5", "Threads = 64"), None);
}

#[test]
fn who_thinks_on_the_opponents_time_wants_a_processor_of_its_own() {
    if !can(Capability::WaitEvidence) {
        return;
    }
    let warning = |event: &str, one: &str, two: &str| {
        let text = format!(
            "[event]\nname = \"x\"\n{event}\n[positions]\nall = true\n[time]\ncontrol = \"1\"\n\
             [[engine]]\ncommand = \"one\"\n{one}\n[[engine]]\ncommand = \"two\"\n{two}\n"
        );
        capacity::warning(&Shelf::new().accept(&text).0, NonZeroUsize::new(4).unwrap())
    };
    let ponders = "ponder = true";
    assert_eq!(warning("concurrency = 2", ponders, ponders), None);
    assert_eq!(warning("concurrency = 4", "", ""), None);
    for (one, two) in [(ponders, ponders), ("", ponders), (ponders, "")] {
        let words = warning("concurrency = 3", one, two).expect("3 games of two that think");
        let six = "want 6 processors, and there are 4";
        assert_has(&words, [six, "thinks on its opponent's time"]);
    }
    let one = "ponder = true\noptions = { Threads = 3 }";
    let words = warning("", one, "options = { Threads = 2 }").expect("3 and 2 threads");
    assert_has(&words, ["want 5 processors, and there are 4"]);
    let words = warning("cpus_per_lane = 1", ponders, "").expect("one processor for both");
    assert_has(&words, ["want 2 processors, and cpus_per_lane = 1"]);
}
