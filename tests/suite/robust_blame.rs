//! Who pays, by real processes with busy loops beside them. Every engine is pinned to the processor on which the loops
//! run, so the load of the machine only adds to what is shown.
//!
//! `cargo test` plays two games of each row; `ARBITER960_STUDY=10` twenty.

use super::host_faults::{Hogs, evidence_is_there};
use super::robust_support::{BOUND, Run, assert_files_whole, fake, reasons};
use super::study;
use super::support::{Event, sparring};

/// How the games of one row end.
#[derive(Debug, PartialEq, Eq)]
struct Ends {
    /// Reason of every finished game, and verdict of its fault.
    finished: Vec<(String, Option<String>)>,
    /// Number of games that the host voided.
    voided: u64,
    words: String,
}

/// Plays so many games in which the engine does this at its first move, on this clock.
fn play(name: &str, deed: &str, control: &str, rest: &str) -> Ends {
    let text = format!(
        "event.pairs = {}\npositions.numbers = [518]\nadjudication.max_moves = 1\n{rest}\n\
         [[engine]]\nname = \"Fake\"\n{}\nrestart = true\ntime.control = {control:?}\n{}",
        study::cases(1),
        fake(&["pinned", &format!("search={deed}"), "at=1"]),
        sparring("Sound", "time.depth = 1")
    );
    let event = Event::new(name, &text);
    let mut run = Run::start(&event, &[]);
    run.end(BOUND);
    assert_eq!(run.survivors(), Vec::<String>::new(), "left running");
    let count = |table| event.number(&format!("SELECT count(*) FROM {table}"));
    let mut finished = Vec::new();
    // `verify` wants a game.
    if count("games") > 0 {
        assert_files_whole(&event);
        finished = reasons(&event);
    }
    let sql = "SELECT verdict FROM faults WHERE sequence = ?1 AND nth = 1";
    let verdict = |sequence: i64| {
        let row = event.store().query_row(sql, [sequence], |row| row.get(0));
        row.unwrap_or_default()
    };
    let finished = (1..).zip(finished);
    Ends {
        finished: finished
            .map(|(nth, reason)| (reason, verdict(nth)))
            .collect(),
        voided: count("voided").unsigned_abs(),
        words: run.words(),
    }
}

/// How many games each row has.
fn all() -> u64 {
    2 * u64::from(study::cases(1))
}

fn assert_the_hosts_fault(name: &str, deed: &str, control: &str, hogs: u32) {
    if !evidence_is_there() {
        return;
    }
    let _hogs = Hogs::start(hogs);
    let [void, deduct, count] = ["void", "deduct", "count"].map(|rule| {
        let rest = format!("adjudication.host_faults = \"{rule}\"");
        play(name, deed, control, &rest)
    });
    assert_eq!(void.voided, all(), "{void:?}");
    let is_played = |(reason, _): &(String, Option<String>)| reason == "length-adjudication";
    assert!(deduct.finished.iter().all(is_played), "{deduct:?}");
    assert_eq!((deduct.finished.len() as u64, deduct.voided), (all(), 0));
    let by_the_host = (String::from("flag-fall"), Some("host".to_owned()));
    let is_the_hosts = count.finished.iter().all(|end| *end == by_the_host);
    assert!(is_the_hosts, "{count:?}");
    eprintln!(
        "{name}: {0} of {0} the host's fault, in each of three modes",
        all()
    );
}

#[test]
fn an_engine_that_was_given_less_than_its_time_does_not_pay() {
    assert_the_hosts_fault("starved", "toil-ms:400", "0.8", 3);
}

#[test]
fn nor_one_that_was_hardly_run_at_all() {
    assert_the_hosts_fault("hardly run", "toil-ms:300", "0.5", 20);
}

fn assert_the_engines_fault(name: &str, deed: &str, detail: &str, hogs: u32, rest: &str) -> Ends {
    let hogs = (hogs > 0).then(|| Hogs::start(hogs));
    let ends = play(name, deed, "1+0.05", rest);
    drop(hogs);
    let by_itself = (String::from("flag-fall"), Some("engine".to_owned()));
    let is_its_own = ends.finished.iter().all(|end| *end == by_itself);
    assert!(is_its_own, "{ends:?}");
    let counts = (ends.finished.len() as u64, ends.voided);
    assert_eq!(counts, (all(), 0), "{ends:?}");
    eprintln!("{name}: {0} of {0} the engine's fault ({detail})", all());
    ends
}

#[test]
fn one_that_moves_only_when_it_is_asked_again_pays_however_busy_the_machine_is() {
    if !evidence_is_there() {
        return;
    }
    let rest = "adjudication.host_faults = \"replay\"";
    assert_the_engines_fault("withholds, busy", "withhold", "10 loops", 10, rest);
    assert_the_engines_fault("withholds, quiet", "withhold", "quiet", 0, rest);
    assert_the_engines_fault("half a line", "half-line", "10 loops", 10, rest);
}

/// With `strikes = 1` a stall would disqualify it.
#[test]
fn one_that_does_not_read_and_is_late_has_lost_on_time_and_nothing_more() {
    if !evidence_is_there() {
        return;
    }
    let rest = "adjudication.host_faults = \"replay\"\nfaults.strikes = 1";
    for hogs in [0, 10] {
        let ends = assert_the_engines_fault("oversleeps", "oversleep:1350", "late", hogs, rest);
        assert!(!ends.words.contains("disqualified"), "{}", ends.words);
    }
}
