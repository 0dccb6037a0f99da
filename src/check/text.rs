//! A report for people.

use super::catalogue::{CATALOGUE, Definition, Level};
use super::report::{CheckReport, CheckResult, EngineReport};
use crate::text::{labelled, paragraph, printable, verbatim};

/// Where explanations begin.
const INDENT: usize = 13;

/// Every check with its level and explanation, a line each.
pub(crate) fn list() -> String {
    let mut text = String::new();
    for definition in CATALOGUE {
        let Definition {
            id, level, asks, ..
        } = definition;
        text += &labelled(&format!("{id}  {level:13}"), 21, asks);
    }
    text
}

/// One check; with the dialogue if it failed.
pub(crate) fn check(report: &CheckReport) -> String {
    let Definition {
        id, level, asks, ..
    } = report.definition();
    let (word, words) = match &report.verdict {
        CheckResult::Passed(measured) => ("passed", measured),
        CheckResult::Failed(reason) => ("FAILED", reason),
        CheckResult::Skipped(reason) => ("skipped", reason),
    };
    let mut text = labelled(&format!("{id} {word:7} {level:13}"), 27, asks);
    if !words.is_empty() {
        text += &labelled("", INDENT, &printable(words));
    }
    if matches!(report.verdict, CheckResult::Failed(_)) {
        for line in report.dialogue.lines() {
            text += &verbatim(&printable(&line), &format!("{:INDENT$}| ", ""));
        }
    }
    text
}

/// What came of all of them, and what decides.
pub(crate) fn summary(report: &EngineReport) -> String {
    let [required, recommended, informational] =
        [Level::Required, Level::Recommended, Level::Informational]
            .map(|level| report.failures(level));
    let sound = match (report.unstartable, required) {
        (true, _) => "not started",
        (_, 0) => "sound",
        _ => "not sound",
    };
    let (passed, skipped) = (report.passed(), report.skipped());
    let name = printable(&report.name);
    let words = format!(
        "{name}: {sound} (only required checks count): {passed} passed, {skipped} skipped; failed: \
         {required} required, {recommended} recommended, {informational} informational"
    );
    paragraph(&words, 0)
}
