//! Who pays, by real processes with busy loops beside them. Every engine is pinned to the processor on which the loops
//! run, so the load of the machine only adds to what is shown.
//!
//! `cargo test` plays two games of each row; `ARBITER960_STUDY=10` twenty.

use rusqlite::Connection;

use super::host_faults::{Hogs, evidence_is_there};
use super::robust_support::{BOUND, Run, assert_files_whole, fake_engine, games};
use super::study;
use super::support::Event;

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
    let fake = fake_engine();
    let pairs = study::cases(1);
    let event = Event::new(
        name,
        &format!(
            "event.pairs = {pairs}\npositions.numbers = [518]\n\
             adjudication.max_moves = 1\n{rest}\n\
             [[engine]]\nname = \"Fake\"\ncommand = {fake:?}\nargs = [\"pinned\", \"search={deed}\", \"at=1\"]\n\
             restart = true\ntime = {{ control = {control:?} }}\n\
             [[engine]]\nname = \"Sound\"\nbuiltin = \"sparring\"\ntime = {{ depth = 1 }}\n"
        ),
    );
    let mut run = Run::start(&event, &[]);
    run.end(BOUND);
    assert_eq!(run.survivors(), Vec::<String>::new(), "left running");
    let store = Connection::open(event.results().join("event.db")).unwrap();
    let count = |table| -> i64 {
        let sql = format!("SELECT count(*) FROM {table}");
        store.query_row(&sql, [], |row| row.get(0)).unwrap()
    };
    let mut finished = Vec::new();
    // `verify` wants a game.
    if count("games") > 0 {
        assert_files_whole(&event);
        finished = games(&event);
    }
    let sql = "SELECT verdict FROM faults WHERE sequence = ?1 AND nth = 1";
    let verdict = |sequence: usize| {
        let row = store.query_row(sql, [sequence as i64], |row| row.get(0));
        row.unwrap_or_default()
    };
    let finished = finished.into_iter().enumerate();
    Ends {
        finished: finished
            .map(|(nth, game)| (game.reason, verdict(nth + 1)))
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
    let void = play(name, deed, control, "adjudication.host_faults = \"void\"");
    assert_eq!(void.voided, all(), "{void:?}");
    let deduct = play(name, deed, control, "adjudication.host_faults = \"deduct\"");
    let is_played = |(reason, _): &(String, Option<String>)| reason == "length-adjudication";
    assert!(deduct.finished.iter().all(is_played), "{deduct:?}");
    assert_eq!((deduct.finished.len() as u64, deduct.voided), (all(), 0));
    let count = play(name, deed, control, "adjudication.host_faults = \"count\"");
    let by_the_host = (String::from("flag-fall"), Some("host".to_owned()));
    assert!(
        count.finished.iter().all(|end| *end == by_the_host),
        "{count:?}"
    );
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
    assert!(
        ends.finished.iter().all(|end| *end == by_itself),
        "{ends:?}"
    );
    assert_eq!(
        (ends.finished.len() as u64, ends.voided),
        (all(), 0),
        "{ends:?}"
    );
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
