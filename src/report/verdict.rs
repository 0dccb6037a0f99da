//! The verdict as text: the same first lines wherever an event is shown. This module decides nothing.

use crate::analysis::{Claim, EventKind, Hint, Verdict};
use crate::text::{count, paragraph, printable_lines, short_name};

/// Maximum number of engines with a fault that are named.
const MAX_FAULTY: usize = 6;

/// Sentences, each with its claim's id.
pub(crate) type FirstLines = Vec<(&'static str, String)>;

/// The first lines of every surface; without the next step.
pub(crate) fn first_lines(verdict: &Verdict) -> FirstLines {
    let mut lines = Vec::new();
    let mut faults = Vec::new();
    let is_tournament = matches!(verdict.kind, EventKind::Swiss | EventKind::Tree);
    for claim in verdict.first() {
        match claim.id {
            "fault-of" => faults.push(claim),
            "next-step" => {}
            // Whoever runs a tournament has not asked for it.
            "stronger" if claim.refused.is_some() && is_tournament => {}
            id => lines.push((id, claim.words.clone())),
        }
    }
    if !faults.is_empty() {
        lines.push(("fault-of", faults_of_all(&faults)));
    }
    lines
}

/// The faults of all engines in one line.
fn faults_of_all(faults: &[&Claim]) -> String {
    let games = |claim: &Claim| claim.numbers["faults"].as_u64().unwrap_or(0);
    let all: u64 = faults.iter().map(|claim| games(claim)).sum();
    let named = faults.iter().take(MAX_FAULTY).filter_map(|claim| {
        let engine = claim.numbers["engine"].as_str()?;
        Some(format!("{} {}", short_name(engine), games(claim)))
    });
    let named: Vec<String> = named.collect();
    let more = if faults.len() > MAX_FAULTY {
        ", …"
    } else {
        ""
    };
    let whose = match named.as_slice() {
        [] => String::new(),
        named => format!(": {}{more}", named.join(", ")),
    };
    format!(
        "{} by time, illegal move, crash or silence{whose}.",
        count(all, "fault")
    )
}

/// The next step, as a command about this folder or file.
pub(crate) fn next_line(verdict: &Verdict, folder: &str) -> Option<String> {
    let (command, why) = match verdict.next? {
        Hint::Play => {
            return Some("Next: the same `run` or `match` plays what is missing.".to_owned());
        }
        Hint::More => {
            let words =
                "Next: more games may decide it (`pairs` of an event, `--games` of `match`).";
            return Some(words.to_owned());
        }
        Hint::Explain => (
            format!("arbiter960 explain {folder}"),
            "why games with a fault were lost",
        ),
        Hint::Doctor => (
            "arbiter960 doctor".to_owned(),
            "which time control this computer can play",
        ),
        Hint::Details => (
            format!("arbiter960 stats {folder} --details"),
            "every number",
        ),
    };
    Some(format!("Next: {command}   ({why})"))
}

/// The first lines for a terminal, with the next step.
pub(crate) fn first_text(verdict: &Verdict, folder: &str) -> String {
    let lines = first_lines(verdict).into_iter().map(|(_, line)| line);
    let lines = lines.chain(next_line(verdict, folder));
    lines
        .map(|line| paragraph(&printable_lines(&line), 0))
        .collect()
}
