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
    let more = (faults.len() > MAX_FAULTY).then(|| "…".to_owned());
    let named: Vec<String> = named.chain(more).collect();
    let colon = if named.is_empty() { "" } else { ": " };
    let (faults, named) = (count(all, "fault"), named.join(", "));
    format!("{faults} by time, illegal move, crash or silence{colon}{named}.")
}

/// The next step, as a command about this folder or file.
pub(crate) fn next_line(verdict: &Verdict, folder: &str) -> Option<String> {
    let words = match verdict.next? {
        Hint::Play => "the same `run` or `match` plays what is missing.",
        Hint::More => "more games may decide it (`pairs` of an event, `--games` of `match`).",
        Hint::Explain => "arbiter960 explain FOLDER   (why games with a fault were lost)",
        Hint::Doctor => "arbiter960 doctor   (which time control this computer can play)",
        Hint::Details => "arbiter960 stats FOLDER --details   (every number)",
    };
    Some(format!("Next: {}", words.replace("FOLDER", folder)))
}

/// The first lines for a terminal, with the next step.
pub(crate) fn first_text(verdict: &Verdict, folder: &str) -> String {
    let lines = first_lines(verdict).into_iter().map(|(_, line)| line);
    let lines = lines.chain(next_line(verdict, folder));
    let lines = lines.map(|line| paragraph(&printable_lines(&line), 0));
    lines.collect()
}
