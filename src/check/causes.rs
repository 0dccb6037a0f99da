//! Failed checks by what they have in common: an engine with one defect fails many of them.

use std::collections::BTreeMap;

use super::dialogue::{BoundedDialogue, Direction};
use super::report::{CheckReport, CheckVerdict, EngineReport};
use super::script::game_of;
use crate::chess::{Position, UciDialect};

/// Why some checks failed.
#[derive(Debug)]
pub(super) struct Cause<'a> {
    /// `it ignores the moves of `position``.
    pub words: String,
    /// The checks, in their order.
    pub checks: Vec<&'a CheckReport>,
}

impl Cause<'_> {
    /// Their numbers.
    pub(super) fn ids(&self) -> Vec<&'static str> {
        self.checks.iter().map(|check| check.check.id).collect()
    }
}

/// The failed checks of an engine by cause, those with the most checks first.
pub(super) fn causes(report: &EngineReport) -> Vec<Cause<'_>> {
    let mut groups: BTreeMap<String, Vec<&CheckReport>> = BTreeMap::new();
    let mut single = Vec::new();
    for check in report.with(CheckVerdict::Failed) {
        let reason = &check.result.words;
        match common(reason, &check.dialogue) {
            Some(words) => groups.entry(words).or_default().push(check),
            None => single.push((reason, check)),
        }
    }
    let groups = groups.into_iter();
    let mut causes: Vec<Cause<'_>> = groups
        .map(|(words, checks)| Cause { words, checks })
        .chain(single.into_iter().map(|(reason, check)| Cause {
            words: reason.clone(),
            checks: vec![check],
        }))
        .collect();
    causes.sort_by_key(|cause| std::cmp::Reverse(cause.checks.len()));
    causes
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
    let mut lines = dialogue.spoken().rev();
    let said = lines.find(|line| {
        line.direction == Direction::FromEngine && line.text.starts_with("bestmove ")
    })?;
    let played = said.text.split_whitespace().nth(1)?;
    let asked = lines.find(|line| {
        let is_position = line.text.starts_with("position ");
        line.engine == said.engine && line.direction == Direction::ToEngine && is_position
    })?;
    let dialects = [UciDialect::Standard, UciDialect::Chess960];
    let is_legal = |position: &Position| {
        dialects
            .iter()
            .any(|dialect| position.parse_uci(played, *dialect).is_ok())
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
