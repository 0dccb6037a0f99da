//! What came of a check, and of all of them; the causes of failures; the report for people and for programs.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use crate::chess::{Position, UciDialect};
use crate::text::{count, duration, labelled, paragraph, printable, verbatim};

use super::bench::{BoundedDialogue, CheckError, Checked, Direction};
use super::catalogue::{CATALOGUE, Definition, Level};
use super::searches::game_of;

crate::chess::worded! {
    /// Whether a check is passed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum CheckVerdict,
    /// Its word in JSON.
    word: &'static str {
        /// As it should be.
        Passed = "passed",
        /// Not so.
        Failed = "failed",
        /// Not so, and this computer was so busy that it may be the cause.
        Undecided = "undecided",
        /// Not asked: it does not concern this engine.
        Skipped = "skipped",
    }
}

/// One check of one engine.
#[derive(Clone, Debug)]
pub(crate) struct CheckReport {
    pub(crate) check: &'static Definition,
    pub(crate) verdict: CheckVerdict,
    /// What was measured, or why.
    pub(crate) words: String,
    pub(crate) took: Duration,
    pub(crate) dialogue: BoundedDialogue,
}

/// All checks of one engine, in their order.
#[derive(Clone, Debug, Default)]
pub(crate) struct EngineReport {
    /// The command line, exactly as given.
    pub(crate) command: Vec<String>,
    /// What it calls itself; empty if it never said.
    pub(crate) name: String,
    pub(crate) author: String,
    pub(crate) checks: Vec<CheckReport>,
    /// It could not be started, or ended before `uciok`.
    pub(crate) unstartable: bool,
}

impl EngineReport {
    /// The checks with this verdict.
    pub(crate) fn with(&self, verdict: CheckVerdict) -> impl Iterator<Item = &CheckReport> {
        let checks = self.checks.iter();
        checks.filter(move |check| check.verdict == verdict)
    }

    /// Number of failed checks of each level, in their order.
    pub(crate) fn failures(&self) -> [usize; 3] {
        Level::ALL.map(|level| {
            let failed = self.with(CheckVerdict::Failed);
            failed.filter(|failed| failed.check.level == level).count()
        })
    }

    /// Whether it passes all that is required.
    pub(crate) fn is_sound(&self) -> bool {
        self.failures()[0] == 0
    }
}

impl CheckError {
    /// The same without a verdict.
    pub(super) fn words(self) -> String {
        self.result(Duration::ZERO).1
    }

    /// The verdict and the words, where the machine kept engine and examiner so long from running.
    pub(super) fn result(self, waited: Duration) -> (CheckVerdict, String) {
        match self {
            CheckError::Late { words, by } if waited >= by => {
                let waited = duration(waited);
                let words = format!(
                    "{words}; this computer kept it waiting for {waited}, so load may have decided"
                );
                (CheckVerdict::Undecided, words)
            }
            CheckError::Skip(why) => (CheckVerdict::Skipped, why),
            CheckError::Late { words, .. }
            | CheckError::Wrong(words)
            | CheckError::Silent(words) => (CheckVerdict::Failed, words),
        }
    }
}

/// What came of a check during which the machine kept engine and examiner waiting for so long.
pub(super) fn result(outcome: Checked, waited: Duration) -> (CheckVerdict, String) {
    let passed = |words| (CheckVerdict::Passed, words);
    outcome.map_or_else(|trouble| trouble.result(waited), passed)
}

// Failed checks by what they have in common: an engine with one defect fails many of them.

/// Why some checks failed, as in `it ignores the moves of `position``, and these checks in their order.
type Cause<'a> = (String, Vec<&'a CheckReport>);

/// The failed checks of an engine by cause, those with the most checks first.
fn causes(report: &EngineReport) -> Vec<Cause<'_>> {
    let mut groups: BTreeMap<String, Vec<&CheckReport>> = BTreeMap::new();
    let mut single = Vec::new();
    for check in report.with(CheckVerdict::Failed) {
        match common(&check.words, &check.dialogue) {
            Some(words) => groups.entry(words).or_default().push(check),
            None => single.push((check.words.clone(), vec![check])),
        }
    }
    let mut causes: Vec<Cause<'_>> = groups.into_iter().chain(single).collect();
    causes.sort_by_key(|(_, checks)| std::cmp::Reverse(checks.len()));
    causes
}

fn ids(checks: &[&CheckReport]) -> Vec<&'static str> {
    checks.iter().map(|check| check.check.id).collect()
}

/// A cause that other checks may have as well.
fn common(reason: &str, dialogue: &BoundedDialogue) -> Option<String> {
    if let Some(rest) = reason.strip_prefix("it ended before ") {
        return rest.split_once("; ").map(|(_, how)| how.to_owned());
    }
    if reason.starts_with("no ") && reason.ends_with("it was killed") {
        return Some(reason.to_owned());
    }
    ignored(dialogue).map(str::to_owned)
}

/// Whether the last move of the dialogue was illegal because the engine ignores `position`, or its moves:
/// the move is legal in the position that such an engine would have.
fn ignored(dialogue: &BoundedDialogue) -> Option<&'static str> {
    let mut lines = dialogue.spoken.iter().rev();
    let said = lines.find(|line| {
        line.direction == Direction::FromEngine && line.text.starts_with("bestmove ")
    })?;
    let played = said.text.split_whitespace().nth(1)?;
    let asked = lines.find(|line| {
        let is_position = line.text.starts_with("position ");
        line.engine == said.engine && line.direction == Direction::ToEngine && is_position
    })?;
    let is_legal = |position: &Position| {
        let mut dialects = [UciDialect::Standard, UciDialect::Chess960].into_iter();
        dialects.any(|dialect| position.parse_uci(played, dialect).is_ok())
    };
    // A line that was cut short says nothing.
    let game = game_of(&asked.text)?;
    if is_legal(game.position()) {
        return None;
    }
    if !game.moves().is_empty() && is_legal(game.start()) {
        return Some("it ignores the moves of `position`");
    }
    is_legal(&Position::standard())
        .then_some("it ignores `position` and plays from the usual start")
}

// A report for people, and for programs.

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
    let (words, checks) = (printable(&cause.0), &cause.1);
    let ids = ids(checks).join(" ");
    let title = match checks.len() {
        1 => format!("{ids} failed: {words}"),
        several => format!("{several} checks failed for one reason: {words}: {ids}"),
    };
    let mut text = format!("\n{}", paragraph(&title, 0));
    let shown = if whole { checks.len() } else { 1 };
    for check in checks.iter().take(shown) {
        let lines = check.dialogue.lines();
        let lines = lines.map(|line| verbatim(&printable(&line), "  | "));
        let mut lines: Vec<String> = lines.collect();
        let usual = SHOWN_FIRST_LINES + SHOWN_LAST_LINES;
        if lines.len() > usual && !whole {
            let (id, left_out) = (check.check.id, lines.len() - usual);
            let gap = format!("  | … {}; --only {id} shows all\n", count(left_out, "line"));
            lines.splice(SHOWN_FIRST_LINES..lines.len() - SHOWN_LAST_LINES, [gap]);
        }
        text += &lines.concat();
    }
    text
}

/// One check in a line, with what was measured.
fn line(report: &CheckReport) -> String {
    let (check, words) = (report.check, &report.words);
    let word = match report.verdict {
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
        "causes": causes(report).iter().map(|(words, checks)| json!({
            "cause": words,
            "checks": ids(checks),
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
    value["verdict"] = json!(report.verdict.word());
    value["words"] = json!(report.words);
    value["seconds"] = json!(report.took.as_secs_f64());
    let with_dialogue = [CheckVerdict::Failed, CheckVerdict::Undecided];
    if with_dialogue.contains(&report.verdict) {
        value["dialogue"] = json!(report.dialogue.lines().collect::<Vec<_>>());
    }
    value
}
