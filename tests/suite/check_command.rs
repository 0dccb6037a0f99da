//! `arbiter960 check`: every fault is found by the check for it.
//!
//! The engines are the built-in one, and the built-in one with one fault: its input or its output is changed on the way
//! (`tests/fake_engine/spoiler.rs`).

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use arbiter960::internal::platform::Capability;
use serde_json::Value;

use super::platforms::can;
use super::robust_support::{Run, fake_engine};
use super::study::part;
use super::support::{
    Event, arbiter960, assert_has, engine, list, script, table, tool, tool_ends, words,
};

/// Examines an engine; exit code and report.
fn check(options: &[&str], engine: &[&str]) -> (Option<i32>, Value) {
    let mut command = arbiter960();
    command.args(["check", "--format", "json"]).args(options);
    let output = command.args(engine).output().unwrap();
    let report = serde_json::from_slice(&output.stdout);
    let report = report.unwrap_or_else(|error| panic!("{error}: {}", words(&output)));
    (output.status.code(), report)
}

/// Numbers of the checks with this verdict.
fn with_verdict(report: &Value, verdict: &str) -> Vec<String> {
    let checks = report["checks"].as_array().unwrap().iter();
    let chosen = checks.filter(|check| check["verdict"] == verdict);
    chosen
        .map(|check| check["id"].as_str().unwrap().to_owned())
        .collect()
}

fn sparring() -> [&'static str; 2] {
    [env!("CARGO_BIN_EXE_arbiter960"), "sparring"]
}

/// The checks that compare a time: a late answer is found as well where this computer may have made it late.
const TIMED: [&str; 4] = ["C402", "C403", "C405", "C503"];

/// The check fails with these words, and it was the only one that was made; its level decides
/// the exit code.
fn assert_found(fault: &str, id: &str, reason: &str) {
    let program = fake_engine();
    let words = format!("spoil={fault}");
    let engine = [program.to_str().unwrap(), &words];
    let (code, report) = check(&["--timeout", "3", "--only", id], &engine);
    let checks = report["checks"].as_array().unwrap();
    assert_eq!(checks.len(), 1, "{fault}: {report:#}");
    let made = &checks[0];
    assert_eq!(made["id"], id, "{fault}: {report:#}");
    let open = TIMED.contains(&id) && made["verdict"] == "undecided";
    assert!(open || made["verdict"] == "failed", "{fault}: {report:#}");
    let said = made["words"].as_str().unwrap();
    assert!(open || said.contains(reason), "{fault}: {said}");
    assert!(!made["dialogue"].as_array().unwrap().is_empty(), "{fault}");
    let expected = i32::from(made["level"] == "required" && !open);
    assert_eq!(code, Some(expected), "{fault}: {report:#}");
}

fn assert_all_found(faults: &str) {
    for [fault, id, reason] in table(faults) {
        assert_found(&fault, &id, &reason);
    }
}

#[test]
fn faults_of_introduction_and_options_are_found() {
    assert_all_found(
        r#"no-author | C102 | no `id author`
         banner | C103 | Welcome
         banner-first | C104 | A mighty engine
         deaf-to-carriage-returns | C106 | no uciok
         deaf-to-blanks | C107 | no bestmove
         no-maximum | C201 | "Hash", of type spin, has no max
         default-too-large | C202 | 9999 outside of 1 to 4096
         deaf-after-an-option | C203 | no readyok
         exits-on-unknown-option | C204 | exited with status 1"#,
    );
}

#[test]
fn faults_of_readiness_are_found() {
    assert_all_found(
        "deaf-after-position | C301 | no readyok
         not-ready-thinking | C302 | no readyok
         one-game-only | C303 | exited with status 1
         exits-on-unknown-command | C304 | exited with status 1
         exits-on-long-lines | C306 | exited with status 1",
    );
}

#[test]
fn disobedience_to_limits_is_found() {
    assert_all_found(
        "exits-on-depth | C401 | exited with status 1
         deeper | C412 | depth 3 for `go depth 1`
         slower | C402 | answered after
         other-clock | C403 | no bestmove within 3 s
         last-move-for-ever | C405 | of 500 ms
         more-nodes | C406 | it searched",
    );
}

#[test]
fn faults_of_stopping_are_found() {
    assert_all_found(
        "impatient | C501 | came before `stop`
         ignores-stop | C502 | no bestmove
         slow-to-stop | C503 | answered after
         answers-twice | C504 | bestmove
         answers-idle-stop | C505 | was not asked for
         impatient | C506 | came before `stop`
         ponders | C507 | came before `ponderhit`
         ponders | C508 | came before `ponderhit`",
    );
}

#[test]
fn false_reports_are_found() {
    assert_all_found(
        "malformed | C601 | `depth x1`
         falling-nodes | C602 | nodes was 1000000
         score-of-white | C603 | a queen behind
         illegal-pv | C604 | a1a1
         other-pv | C605 | its PV begins with h2h3
         wrong-mate | C606 | it says mate -1, and it is mate 1
         muses | C608 | only the beginning of a line counts",
    );
}

#[test]
fn wrong_rules_are_found() {
    assert_all_found(
        "illegal-move | C701 | bestmove e2e5
         one-move-only | C708 | bestmove
         capital-promotion | C704 | bestmove
         only-queens | C705 | bestmove
         no-castling | C707 | does not castle
         exits-on-long-lines | C708 | exited with status 1
         stale-move | C710 | `bestmove a1a1` where there is no move
         stale-move | C711 | `bestmove a1a1` where there is no move",
    );
}

#[test]
fn wrong_castling_is_found() {
    assert_all_found(
        "no-chess960 | C801 | no option UCI_Chess960
         no-castling | C803 | does not castle
         no-castling | C804 | does not castle
         no-castling | C805 | does not castle
         no-castling | C806 | does not castle
         takes-the-kings-step | C806 | bestmove
         one-move-only | C807 | bestmove
         no-castling | C809 | does not castle
         deaf-to-x-fen | C810 | does not castle",
    );
}

#[test]
fn engines_that_do_not_end_well_are_found() {
    assert_all_found(
        "ignores-quit | C901 | no end after `quit`
         ignores-quit-thinking | C902 | no end after `quit`
         bad-status | C903 | exited with status 3
         ignores-end | C904 | no end after the end of its input
         ignores-end-thinking | C905 | no end after the end of its input",
    );
}

#[test]
fn the_built_in_engine_passes_all_that_is_required() {
    let (code, report) = check(&[], &sparring());
    assert_eq!(code, Some(0), "{report:#}");
    assert_eq!(report["sound"], true);
    assert!(with_verdict(&report, "skipped").is_empty());
    let made = report["checks"].as_array().unwrap().len();
    assert_eq!(made, listed().len());
    // What it does not know and does not do.
    let failed = with_verdict(&report, "failed");
    assert!(failed.contains(&"C407".to_owned()), "{failed:?}");
}

#[test]
fn a_hung_engine_is_killed_with_its_children_and_the_next_check_is_made() {
    if !can(Capability::EndsDescendants) {
        return;
    }
    let options = ["--only", "C401,C402", "--timeout", "1"];
    let engine = ["spoil=stops", "daemon-child", "child", "ignore-term"];
    let said = checked_alone(&options, &engine);
    assert_has(
        &said,
        [
            "C401 FAILED",
            "no bestmove within 1 s; it was killed",
            "C402 passed",
        ],
    );
}

/// Examines the fake engine, which fails and leaves nobody behind; what is said.
fn checked_alone(options: &[&str], engine: &[&str]) -> String {
    let mut command = arbiter960();
    command.arg("check").args(options);
    command.arg(fake_engine()).args(engine);
    let event = Event::new("check", "");
    let mut run = Run::spawn(command, &event);
    let said = run.ends(1);
    assert_eq!(run.survivors(), Vec::<String>::new());
    said
}

#[test]
fn a_process_that_is_left_behind_is_found_and_ended() {
    if !can(Capability::EndsDescendants) {
        return;
    }
    let said = checked_alone(&["--only", "C906"], &["spoil=none", "child"]);
    assert_has(&said, ["1 processes that it started live on"]);
}

#[test]
fn an_engine_without_chess960_fails_once_or_is_not_asked() {
    let program = fake_engine();
    let engine = [program.to_str().unwrap(), "spoil=no-chess960"];
    let some = "C101,C801,C803,C807,C812";
    let (code, report) = check(&["--only", some], &engine);
    assert_eq!(code, Some(1));
    assert_eq!(with_verdict(&report, "failed"), ["C801"]);
    assert_eq!(with_verdict(&report, "skipped"), ["C803", "C807", "C812"]);
    let (code, report) = check(&["--standard", "--only", some], &engine);
    assert_eq!(code, Some(0));
    assert_eq!(with_verdict(&report, "passed"), ["C101"]);
    assert_eq!(report["checks"].as_array().unwrap().len(), 1);
}

#[test]
fn the_exit_code_tells_the_engine_from_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, mode: u32| {
        let path = folder.path().join(name);
        fs::write(&path, "\u{7f}ELF, but no program").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let code = |arguments: &[&str]| {
        let output = arbiter960().arg("check").args(arguments).output().unwrap();
        output.status.code()
    };
    let fake = fake_engine();
    let fake = fake.to_str().unwrap();
    assert_eq!(code(&["no-such-engine-anywhere"]), Some(2));
    assert_eq!(code(&[&file("plain", 0o644)]), Some(2));
    assert_eq!(code(&["--only", "C999", fake]), Some(2));
    assert_eq!(code(&["--timeout", "0", fake]), Some(2));
    assert_eq!(code(&[]), Some(2));
    assert_eq!(code(&[&file("broken", 0o755)]), Some(3));
    assert_eq!(code(&[fake, "spoil=exits"]), Some(3));
    assert_eq!(code(&["--timeout", "1", fake, "spoil=mute"]), Some(1));
    // A check that is not required does not decide.
    assert_eq!(code(&["--only", "C103", fake, "spoil=banner"]), Some(0));
}

/// The numbers that `--list` shows.
fn listed() -> Vec<String> {
    let text = tool(&["check", "--list"]);
    let number = |line: &str| line.split(' ').next().unwrap().to_owned();
    // The rest of a text that is too long for one line is below it.
    let first = text.lines().filter(|line| !line.starts_with(' '));
    first.map(number).collect()
}

#[test]
fn a_report_keeps_to_a_hundred_columns() {
    let fake = fake_engine();
    let mut command = arbiter960();
    command
        .args(["check", "--only", "C104,C306,C601"])
        .arg(fake);
    let output = command.arg("spoil=banner-first").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("C104 FAILED"), "{text}");
    assert!(text.contains("(only required checks count)"), "{text}");
    let long = text.lines().find(|line| line.chars().count() > 100);
    assert_eq!(long, None);
}

#[test]
fn every_check_is_listed_once_and_documented() {
    let listed = listed();
    let unique: BTreeSet<&String> = listed.iter().collect();
    assert_eq!(unique.len(), listed.len());
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/engines.md");
    let page = fs::read_to_string(page).unwrap();
    for id in &listed {
        let row = format!("| {id} |");
        assert!(page.contains(&row), "docs/engines.md has no row for {id}");
    }
}

#[test]
fn an_engine_of_xboards_protocol_is_examined() {
    let Some(phalanx) = super::support::engine("phalanx") else {
        return;
    };
    let phalanx = phalanx.to_str().unwrap();
    let only = ["--standard", "--only", "C101"];
    let spoken = [&only[..], &["--protocol", "xboard"]].concat();
    assert_eq!(check(&spoken, &[phalanx]).0, Some(0));
}

#[test]
fn stockfish_is_sound() {
    if engine("stockfish").is_none() {
        return;
    }
    let some = part(listed(), 25).join(",");
    let (code, report) = check(&["--only", &some], &["stockfish"]);
    assert_eq!(code, Some(0), "{report:#}");
    assert_eq!(report["failed"]["required"], 0);
}

/// One defect is one cause, whatever number of checks it fails; the verdict comes first.
#[test]
fn checks_that_fail_for_one_reason_are_one_cause() {
    let place = tempfile::tempdir().unwrap();
    let program = place.path().join("engine");
    script(
        &program,
        "while read -r line; do case $line in uci) echo id name Echo; echo id author nobody; \
         echo option name UCI_Chess960 type check default false; echo uciok;; isready) echo readyok;; \
         go*) echo info depth 1 score cp 10; echo bestmove a2a4;; quit) exit 0;; esac; done",
    );
    let engine = [program.to_str().unwrap()];
    let only = ["--only", "C402,C403,C409"];
    let (code, report) = check(&only, &engine);
    assert_eq!(code, Some(1), "{report:#}");
    let cause = &report["causes"][0];
    assert_eq!(cause["cause"], "it ignores the moves of `position`");
    assert!(list(&cause["checks"]).len() >= 2, "{report:#}");
    let said = tool_ends(1, &[&["check"], &only[..], &engine].concat());
    assert!(said.lines().nth(1).unwrap().contains("not sound"), "{said}");
    assert_has(
        &said,
        ["checks failed for one reason: it ignores the moves"],
    );
}

/// Tells its chances where it is asked for them, ends with a bound, and knows the first move of each side.
const TELLER: &str = r#"while read -r line; do case "$line" in
  uci) echo 'id name Teller, the first'; echo 'option name UCI_Chess960 type check default false'
       echo 'option name UCI_ShowWDL type check default false'; echo uciok ;;
  'setoption name UCI_ShowWDL value true') chances=' wdl 600 300 100' ;;
  isready) echo readyok ;;
  position*' b '*) move=e7e5 ;;
  position*) move=e2e4 ;;
  go*) echo "info depth 1 score cp 31$chances nodes ${line##* } pv $move"
       echo 'info depth 2 score cp 90 lowerbound nodes 9'; echo "bestmove $move" ;;
  quit) exit ;;
esac; done
"#;

#[test]
fn an_engine_evaluates_positions_as_white_sees_them() {
    let folder = tempfile::tempdir().unwrap();
    let engine = folder.path().join("engine");
    script(&engine, TELLER);
    let engine = engine.to_str().unwrap();
    let black = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let asked = |position: &str, more: &[&str]| {
        let mut command = arbiter960();
        command.args(["positions", "518", position, "--evaluate", engine]);
        command.args(more).output().unwrap()
    };
    let rows = asked(black, &["--nodes", "70"]);
    assert_eq!(rows.status.code(), Some(0), "{}", words(&rows));
    let row = |position: &str| {
        format!(
            "{position} KQkq - ce 31; acn 70; c0 \"Teller, the first\"; c1 \"wdl 600 300 100\";\n"
        )
    };
    let expected = row("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w")
        + &row("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b");
    assert_eq!(String::from_utf8_lossy(&rows.stdout), expected);
    // What is kept is not evaluated again: nobody answers `go` with other nodes in its file.
    let kept = folder.path().join("kept.epd");
    let kept = kept.to_str().unwrap();
    let whites = ["--nodes", "70", "--output", kept, "--between", "0.5..0.7"];
    for _ in 0..2 {
        let chosen = asked(black, &whites);
        let text = String::from_utf8_lossy(&chosen.stdout).into_owned();
        assert_eq!(text.lines().count(), 1, "{text}");
        assert_has(&text, [" w KQkq"]);
        assert_eq!(std::fs::read_to_string(kept).unwrap().lines().count(), 2);
    }
    let others = asked(black, &["--nodes", "71", "--output", kept]);
    assert!(words(&others).contains("another engine or other nodes"));
    // e2e4 is not a move here: the lines before are printed, the fault is named.
    let end = "7k/8/8/8/8/8/8/K7 w - - 0 1";
    let stopped = asked(end, &["--nodes", "70"]);
    let said = words(&stopped);
    assert_eq!(stopped.status.code(), Some(2), "{said}");
    assert_has(&said, ["ce 31", end, "bestmove e2e4"]);
    let without = asked(end, &[]);
    assert!(words(&without).contains("--nodes"), "{}", words(&without));
}
