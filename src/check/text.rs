//! A report for people, and for programs.

use serde_json::{Value, json};

use super::catalogue::CATALOGUE;
use super::causes::{Cause, causes};
use super::report::{CheckReport, CheckVerdict, EngineReport};
use crate::text::{count, labelled, paragraph, printable, verbatim};

/// Where explanations begin.
const INDENT: usize = 13;

/// Every check with its level and explanation, a line each.
pub(crate) fn list() -> String {
    let mut text = String::new();
    for check in CATALOGUE.iter() {
        let heading = format!("{}  {:13}", check.id, check.level.word());
        text += &labelled(&heading, 21, check.asks);
    }
    text
}

/// Lines of a dialogue that are shown of a cause: its beginning and its end.
const SHOWN_FIRST_LINES: usize = 3;
const SHOWN_LAST_LINES: usize = 9;

/// The verdict, what failed by cause with a dialogue of each, then every check in a line. `whole` shows
/// dialogues of every check in full.
pub(crate) fn report(report: &EngineReport, whole: bool) -> String {
    let mut text = paragraph(&verdict(report), 0);
    for cause in causes(report) {
        text += &of_cause(&cause, whole);
    }
    for check in report.with(CheckVerdict::Undecided) {
        let id = check.check.id;
        let words = format!("Not decided, and not counted: {id}; repeat it with --only {id}");
        text += &format!("\n{}", paragraph(&words, 0));
    }
    text.push('\n');
    for check in &report.checks {
        text += &line(check);
    }
    text
}

fn of_cause(cause: &Cause<'_>, whole: bool) -> String {
    let words = printable(&cause.words);
    let ids = cause.ids().join(" ");
    let title = match cause.checks.len() {
        1 => format!("{ids} failed: {words}"),
        several => format!("{several} checks failed for one reason: {words}: {ids}"),
    };
    let mut text = format!("\n{}", paragraph(&title, 0));
    let shown = if whole { cause.checks.len() } else { 1 };
    for check in cause.checks.iter().take(shown) {
        let lines: Vec<String> = check.dialogue.lines().collect();
        let left_out = lines
            .len()
            .saturating_sub(SHOWN_FIRST_LINES + SHOWN_LAST_LINES);
        for (index, line) in lines.iter().enumerate() {
            let is_shown =
                whole || index < SHOWN_FIRST_LINES || index >= SHOWN_FIRST_LINES + left_out;
            if is_shown {
                text += &verbatim(&printable(line), "  | ");
            } else if index == SHOWN_FIRST_LINES {
                let id = check.check.id;
                text += &format!("  | … {}; --only {id} shows all\n", count(left_out, "line"));
            }
        }
    }
    text
}

/// One check in a line, with what was measured.
fn line(report: &CheckReport) -> String {
    let (check, words) = (report.check, &report.result.words);
    let word = match report.result.verdict {
        CheckVerdict::Failed => "FAILED",
        CheckVerdict::Undecided => "open",
        other => other.word(),
    };
    let heading = format!("{} {word:7} {:13}", check.id, check.level.word());
    let mut text = labelled(&heading, 27, check.asks);
    if !words.is_empty() {
        text += &labelled("", INDENT, &printable(words));
    }
    text
}

/// Sound or not, and how many checks say so.
fn verdict(report: &EngineReport) -> String {
    let [required, recommended, informational] = report.failures();
    let sound = match (report.unstartable, required) {
        (true, _) => "not started",
        (_, 0) => "sound",
        _ => "not sound",
    };
    let count = |verdict| report.with(verdict).count();
    let (passed, skipped) = (count(CheckVerdict::Passed), count(CheckVerdict::Skipped));
    let name = match report.name.as_str() {
        "" => report.command.first().map_or("", String::as_str),
        name => name,
    };
    let undecided = match count(CheckVerdict::Undecided) {
        0 => String::new(),
        open => format!(", {open} not decided (this computer is busy)"),
    };
    format!(
        "{}: {sound} (only required checks count): {passed} passed, {skipped} skipped{undecided}; failed: \
         {required} required, {recommended} recommended, {informational} informational",
        printable(name)
    )
}

/// Version of the JSON.
const SCHEMA: u32 = 1;

/// The report for programs.
pub(crate) fn json(report: &EngineReport) -> Value {
    let checks: Vec<Value> = report.checks.iter().map(check_json).collect();
    let [required, recommended, informational] = report.failures();
    json!({
        "schema": SCHEMA,
        "command": report.command,
        "name": report.name,
        "author": report.author,
        "started": !report.unstartable,
        "sound": report.is_sound(),
        "passed": report.with(CheckVerdict::Passed).count(),
        "skipped": report.with(CheckVerdict::Skipped).count(),
        "undecided": report.with(CheckVerdict::Undecided).count(),
        "causes": causes(report).iter().map(|cause| json!({
            "cause": cause.words,
            "checks": cause.ids(),
        })).collect::<Vec<_>>(),
        "failed": {
            "required": required,
            "recommended": recommended,
            "informational": informational,
        },
        "checks": checks,
    })
}

/// All checks for programs.
pub(crate) fn list_json() -> Value {
    json!({ "schema": SCHEMA, "checks": &*CATALOGUE })
}

fn check_json(report: &CheckReport) -> Value {
    let mut value = json!(report.check);
    value["verdict"] = json!(report.result.verdict.word());
    value["words"] = json!(report.result.words);
    value["seconds"] = json!(report.took.as_secs_f64());
    if matches!(
        report.result.verdict,
        CheckVerdict::Failed | CheckVerdict::Undecided
    ) {
        value["dialogue"] = json!(report.dialogue.lines().collect::<Vec<_>>());
    }
    value
}
