//! Whose fault it is that a flag falls, through the real runner and the system's own scheduler.
//!
//! What an engine does is chosen so that the load of the machine cannot change the verdict: one
//! that needs a part of its clock as processor time is late only if it waited for longer than it
//! is late; one that needs twice its clock is late by more than it waited; one that sleeps is late by a second, and
//! was kept by nobody. It does so at its first move, before the load can have used up its clock, and in games
//! of one move, in which no other flag is likely to fall.

use std::io::{BufRead, BufReader};
use std::num::NonZeroUsize;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use arbiter960::internal::run::capacity;
use rusqlite::Connection;

use arbiter960::internal::platform::Capability;

use super::config_files::Shelf;
use super::platforms::can;
use super::robust_support::{BOUND, Run, assert_files_whole, fake_engine, games};
use super::support::{Event, all_rounds, arbiter960, missing, tool, words};

const PAIRS: usize = 2;

/// So many that an engine which shares a processor with them has less than a twentieth of it.
const MANY: u32 = 20;

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
    let counts = text
        .trim()
        .rsplit(' ')
        .next()
        .is_some_and(|turns| turns != "0");
    if !text.is_empty() && counts {
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
    let (words, fake) = (serde_json::to_string(&words).unwrap(), fake_engine());
    Event::new(
        name,
        &format!(
            "event.pairs = {PAIRS}\npositions.numbers = [518]\nadjudication.max_moves = 1\n{rest}\n\
             [[engine]]\nname = \"Fake\"\ncommand = {fake:?}\nargs = {words}\n\
             time = {{ control = {control:?} }}\n\
             [[engine]]\nname = \"Sound\"\nbuiltin = \"sparring\"\ntime = {{ depth = 1 }}\n"
        ),
    )
}

/// Plays the event to its end; the exit code and the runner's words.
fn play(event: &Event) -> (Option<i32>, String) {
    let mut run = Run::start(event, &[]);
    let status = run.end(BOUND);
    assert_eq!(run.survivors(), Vec::<String>::new(), "left running");
    (status.code(), run.words())
}

fn store(event: &Event) -> Connection {
    Connection::open(event.results().join("event.db")).unwrap()
}

/// Verdict, standing and whether the move came, of the first fault of the event.
fn fault(event: &Event) -> (String, String, bool) {
    let sql = "SELECT verdict, standing, answered FROM faults ORDER BY sequence LIMIT 1";
    let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    store(event).query_row(sql, [], row).unwrap()
}

fn count(event: &Event, sql: &str) -> u64 {
    let count: i64 = store(event).query_row(sql, [], |row| row.get(0)).unwrap();
    count.try_into().unwrap()
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
    let (code, words) = play(&event);
    assert_eq!(code, Some(0), "{words}");
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
    assert!(words.contains(said), "{words}");
    let pgn = event.read("games.pgn").replace('\n', " ");
    assert!(pgn.contains("the engine's fault:"), "{pgn}");
    let log = event.read("log/run.log");
    assert!(log.contains("a flag fell: the engine's fault"), "{log}");
    // The evidence behind the verdict.
    let results = event.results().display().to_string();
    let explained = tool(&["explain", &results, "1.1"]).replace("\n  ", " ");
    for seen in [
        "it used ",
        " of processors, waited ",
        "and was asleep at the end",
    ] {
        assert!(explained.contains(seen), "{seen}: {explained}");
    }
    let listed = tool(&["explain", &results]);
    assert!(!listed.contains("flag-fall"), "{listed}");
}

#[test]
fn an_engine_that_thinks_for_too_long_is_not_excused_however_busy_the_machine_is() {
    if !evidence_is_there() {
        return;
    }
    let event = event("thinks", "search=toil:200 once", "0.5", "");
    let (code, words) = play(&event);
    assert_eq!(code, Some(0), "{words}");
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
    let lost = count(&event, "SELECT count(*) FROM faults");
    let games = if lost == 1 { "game" } else { "games" };
    let said = format!("Loss on time: {lost} {games}: 0 by the engine's fault, ");
    assert!(words.contains(&said), "{words}");
    if lost == 1 {
        let said = format!("{said}1 by this machine's, 0 undecided.");
        assert!(words.contains(&said), "{words}");
    }
    // The games count because the event has it so: this setting helps.
    let printed = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let advice = "`host_faults = \"replay\"` has such games played again.";
    assert!(printed.contains(advice), "{words}");
    assert_eq!(count(&event, "SELECT count(*) FROM voided"), 0);
    // Its every move was watched, for its clock was short from the start.
    let unwatched = "SELECT count(*) FROM moves WHERE clock_ns IS NOT NULL AND watched_ns IS NULL";
    assert_eq!(count(&event, unwatched), 0);
    // A move made at once need not have waited at all; what decided the game is in the fault.
    let seen = "SELECT count(*) FROM moves WHERE clock_ns IS NOT NULL
                AND (engine_wait_ns IS NULL OR lane_wait_ns IS NULL)";
    assert_eq!(count(&event, seen), 0);
    // What the host has cost is a sum; the runner's own waits are part of it.
    let cost = "engine_wait_ns + lane_wait_ns + pending_ns + suspended_ns";
    let waited =
        format!("SELECT count(*) FROM faults WHERE verdict = 'host' AND {cost} >= late_ns");
    assert!(count(&event, &waited) >= 1);
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
    let voided = count(&event, "SELECT count(*) FROM voided");
    let was = if voided == 1 {
        "game was"
    } else {
        "games were"
    };
    let said = format!("{voided} {was} not counted");
    assert!(words.contains(&said), "{words}");
    let named = "SELECT count(*) FROM voided WHERE reason = 'host-fault'
                 AND detail LIKE '%lost on time: the host''s fault%'";
    assert!(voided >= 1);
    assert_eq!(count(&event, named), voided);
    assert_eq!(count(&event, "SELECT count(*) FROM games") + voided, 4);
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
        let (code, words) = play(&event);
        assert_eq!(code, Some(0), "{words}");
        (event, words)
    };
    let voided = |event: &Event| count(event, "SELECT count(*) FROM voided");
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
    let (code, words) = play(&event);
    assert_eq!(code, Some(0), "{words}");
    let by_the_host = "SELECT (SELECT count(*) FROM faults WHERE verdict = 'host')
                           + (SELECT count(*) FROM voided)";
    assert_eq!(count(&event, by_the_host), 0, "{words}");
    // It has used up its 0.2 s by the clock on the wall, as in the tests above, and not by its own.
    let move_of_toil = "received_ns - sent_ns > 200000000 AND received_ns - sent_ns - taken_ns";
    let sql =
        format!("SELECT count(*) FROM moves WHERE {move_of_toil} BETWEEN 25000000 AND 200000000");
    assert!(count(&event, &sql) >= 1, "{words}");
    let clocks = "SELECT count(*) FROM (
                      SELECT clock_ns - lag(clock_ns, 1, 200000000)
                                 OVER (PARTITION BY sequence ORDER BY ply)
                             + (received_ns - sent_ns - coalesce(taken_ns, 0)) / 1000 * 1000 AS more
                      FROM moves WHERE clock_ns IS NOT NULL)
                  WHERE more != 0";
    assert_eq!(count(&event, clocks), 0, "a clock loses what is charged");
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
        let (code, words) = play(&event);
        assert_eq!(code, Some(0), "{words}");
        assert_eq!(count(&event, "SELECT count(*) FROM voided"), 0);
        let by_the_host = "SELECT count(*) FROM faults WHERE verdict = 'host'";
        assert_eq!(count(&event, by_the_host), 0);
        event
    };
    // Where others take its processor, too, it is not charged for them, and may not lose.
    let own = "SELECT count(*) FROM faults WHERE own_ns > 0 AND coalesce(taken_ns, 0) = 0";
    one_that(played, |event| {
        games(event)[0].reason == "flag-fall" && count(event, own) == 1
    });
}

/// What is said while two engines make a start, of which the first does this at its first evaluation.
fn make_a_start(name: &str, words: &str) -> (Event, String) {
    let words: Vec<&str> = words.split_whitespace().chain(["at=1"]).collect();
    let (words, fake) = (serde_json::to_string(&words).unwrap(), fake_engine());
    let event = Event::new(
        name,
        &format!(
            "event.variant = \"transcendental\"\npositions.numbers = [17]\n\
             positions.opening = \"auction\"\npositions.opening_time = 1\n\
             adjudication.max_moves = 1\ntime.depth = 1\n\
             [[engine]]\nname = \"Fake\"\ncommand = {fake:?}\nargs = {words}\n\
             [[engine]]\nname = \"Sound\"\nbuiltin = \"sparring\"\n"
        ),
    );
    let (code, words) = play(&event);
    assert_eq!(code, Some(0), "{words}");
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
    assert!(said.contains("opening 1 of 2: Fake: "), "{said}");
    assert!(!said.contains(USED_UP), "{said}");
}

#[test]
fn who_uses_up_the_time_in_which_a_start_is_made_has_the_rest_drawn_and_that_is_said() {
    let (_, said) = make_a_start("slow start", "search=toil-ms:1500 once");
    // On a busy machine without evidence its answer comes too late to be waited for.
    let (late, drawn) = (
        "Fake: no answer within",
        "; what it had to choose was drawn",
    );
    let is_told =
        |line: &str| line.contains(USED_UP) || line.contains(late) && line.ends_with(drawn);
    assert!(said.lines().any(is_told), "{said}");
}

#[test]
fn who_ends_while_a_start_is_made_is_started_again_for_the_next() {
    let (event, said) = make_a_start("ended at a start", "search=exit once");
    let why = |opening: u8| format!("opening {opening}: Fake: it ended (");
    assert!(said.contains(&why(1)), "{said}");
    assert!(said.contains("opening 2 of 2: "), "{said}");
    assert!(!said.contains(&why(2)), "{said}");
    // What was drawn, and why, is stored with the start.
    let sql = "SELECT count(*) FROM event WHERE value LIKE '%\"drawn\":[%Fake: it ended (%'";
    assert_eq!(count(&event, sql), 1);
    // Both engines play their games.
    assert!(
        reasons(&event)
            .iter()
            .all(|reason| reason == "length-adjudication")
    );
}

/// Every game of the plan once, and none lost by the host's fault. On a machine that is also busy, flags may fall of
/// which nobody can show whose fault it was: these games count.
fn assert_complete(event: &Event) {
    let mut rounds: Vec<String> = event.rounds();
    rounds.sort();
    assert_eq!(rounds, all_rounds(PAIRS));
    let by_host = "SELECT count(*) FROM faults WHERE verdict = 'host'";
    assert_eq!(count(event, by_host), 0);
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
    let (code, words) = play(&event);
    assert_eq!(code, Some(0), "{words}");
    assert_eq!(count(&event, "SELECT count(*) FROM voided"), 0);
    assert_eq!(games(&event)[0].reason, "flag-fall");
    assert_ne!(fault(&event).0, "host");
    // What they have used is asked for where the thread that answered is known to have waited.
    let unasked =
        "SELECT count(*) FROM faults WHERE answerer_wait_ns > 0 AND coalesce(own_ns, 0) = 0";
    assert_eq!(count(&event, unasked), 0);
}

#[test]
fn an_engine_without_a_clock_is_given_back_what_the_host_took() {
    if !evidence_is_there() {
        return;
    }
    let _hogs = Hogs::start(MANY);
    let (fake, bound) = (fake_engine(), "timeouts = { start = 1, stall = 1 }");
    // Each takes 60 ms of a processor that it shares with twenty others, of the eleven seconds that an engine is given to start.
    for words in ["slow-start=60", "search=toil:15"] {
        let played = || {
            let event = Event::new(
                words.split('=').next().unwrap(),
                &format!(
                    "positions.numbers = [518]\nadjudication.max_moves = 4\n{bound}\n\
                     [[engine]]\nname = \"Fake\"\ncommand = {fake:?}\n\
                     args = [\"pinned\", {words:?}]\ntime.nodes = 400\n\
                     [[engine]]\nname = \"Sound\"\nbuiltin = \"sparring\"\ntime.depth = 1\n"
                ),
            );
            let (code, said) = play(&event);
            assert_eq!(code, Some(0), "{words}: {said}");
            assert_eq!(count(&event, "SELECT count(*) FROM faults"), 0, "{words}");
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
    let output = check.args(["pinned", "slow-start=600"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", words(&output));
}

#[test]
fn an_engine_that_does_not_start_says_what_it_was_given_of_the_hosts_time() {
    if !evidence_is_there() {
        return;
    }
    let _hogs = Hogs::start(2);
    let event = Event::new(
        "never",
        &format!(
            "positions.numbers = [518]\ntime.depth = 1\ntimeouts.start = 0.3\n\
             [[engine]]\nname = \"Fake\"\ncommand = {:?}\nargs = [\"pinned\", \"slow-start=60000\"]\n\
             [[engine]]\nname = \"Sound\"\nbuiltin = \"sparring\"\n",
            fake_engine()
        ),
    );
    let (code, said) = play(&event);
    assert_eq!(code, Some(3), "{said}");
    let words = "s besides, for which the host kept it from running";
    assert!(
        said.contains("no uciok within 300 ms and ") && said.contains(words),
        "{said}"
    );
}

/// Two pairs with a copy of the fake engine in the event's folder.
fn own_program(name: &str, words: &str, rest: &str) -> Event {
    let words: Vec<&str> = words.split_whitespace().collect();
    let words = serde_json::to_string(&words).unwrap();
    let event = Event::new(
        name,
        &format!(
            "event.pairs = {PAIRS}\npositions.numbers = [518]\nadjudication.max_moves = 4\n\
             time.depth = 1\nevent.concurrency = 1\n{rest}\n\
             [[engine]]\nname = \"Sound\"\nbuiltin = \"sparring\"\n\
             [[engine]]\nname = \"Fake\"\ncommand = \"./own-engine\"\nrestart = true\nargs = {words}\n"
        ),
    );
    std::fs::copy(fake_engine(), event.folder().join("own-engine")).unwrap();
    event
}

fn reasons(event: &Event) -> Vec<String> {
    let mut reasons: Vec<String> = games(event).into_iter().map(|game| game.reason).collect();
    reasons.sort();
    reasons
}

#[test]
fn an_engine_that_deletes_its_own_program_and_ends_loses_by_its_crashes_alone() {
    if !can(Capability::WaitEvidence) {
        return;
    }
    let event = own_program("deletes", "search=unlink-and-abort at=1", "");
    let (code, words) = play(&event);
    assert_eq!(code, Some(0), "{words}");
    assert_eq!(reasons(&event), ["crash"; 4]);
    assert_eq!(count(&event, "SELECT count(*) FROM voided"), 0);
    assert_files_whole(&event);
}

/// An engine, given the moment and the deed.
const SELF_HARM: &str = "#!/bin/sh
moment=$1 net=$3
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
            let text = std::fs::read_to_string(event.file()).unwrap();
            let text = text.replace("max_moves = 4", "max_moves = 1");
            std::fs::write(event.file(), text).unwrap();
            std::fs::write(event.folder().join("own.net"), "net").unwrap();
            let program = event.folder().join("own-engine");
            std::fs::write(&program, SELF_HARM).unwrap();
            std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
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
                Some(5) => assert!(words.contains("own.net is gone"), "{case}"),
                _ => assert_eq!(reasons(&event), ["length-adjudication"; 4], "{case}"),
            }
            if code == Some(5) {
                let mut games = games(&event).into_iter();
                assert!(
                    games.all(|game| game.reason == "length-adjudication"),
                    "{case}"
                );
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
    let (code, words) = play(&event);
    assert_eq!(code, Some(0), "{words}");
    let played = [
        "length-adjudication",
        "start-failure",
        "start-failure",
        "start-failure",
    ];
    assert_eq!(reasons(&event), played);
    assert_eq!(count(&event, "SELECT count(*) FROM voided"), 2);
    for said in [
        "2 games were not counted",
        "Nothing more is excused for Fake",
    ] {
        assert!(words.contains(said), "{words}");
    }
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
    assert!(plan.contains(odds), "{plan}");
    event.run_well(&["--quiet"]);
    let pgn = event.read("games.pgn");
    for color in ["White", "Black"] {
        let tag = format!("[{color}TimeControl \"20+0.2, first_increment=false\"]");
        assert!(pgn.contains(&tag), "{pgn}");
        assert!(
            pgn.contains(&format!("[{color}TimeControl \"10+0.1\"]")),
            "{pgn}"
        );
    }
    let changed = format!("event.name = \"odds\"\n{}", text("0.25"));
    std::fs::write(event.file(), changed).unwrap();
    let refused = event.run(&[]);
    let words = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{words}");
    assert!(
        words.contains("limits: was \"10+0.1\", is now \"5+0.05\""),
        "{words}"
    );
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
    assert!(
        too_many.contains("want 6 processors, and there are 4"),
        "{too_many}"
    );
    assert_eq!(
        warning("nodes = 5", "Threads = 64"),
        None,
        "nobody is on a clock"
    );
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
        assert!(
            words.contains("want 6 processors, and there are 4"),
            "{words}"
        );
        assert!(words.contains("thinks on its opponent's time"), "{words}");
    }
    let one = "ponder = true\noptions = { Threads = 3 }";
    let words = warning("", one, "options = { Threads = 2 }").expect("3 and 2 threads");
    assert!(
        words.contains("want 5 processors, and there are 4"),
        "{words}"
    );
    let words = warning("cpus_per_lane = 1", ponders, "").expect("one processor for both");
    assert!(
        words.contains("want 2 processors, and cpus_per_lane = 1"),
        "{words}"
    );
}
