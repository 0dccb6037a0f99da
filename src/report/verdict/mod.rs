//! The verdict in words and as JSON: the same first lines wherever an event is shown. This module decides nothing.
//!
//! | file | what |
//! |---|---|
//! | `sentences` | a sentence for each claim |
//! | `winner` | who won |
//! | `refusals` | why a claim is not allowed |

mod refusals;
mod sentences;
mod winner;

use serde_json::{Value, json};

use crate::analysis::{Basis, Hint, Statement, Verdict};
use crate::report::statistics::name;
use crate::text::{count, paragraph, printable_lines};

pub(crate) use refusals::unnamed;
pub(crate) use winner::decision_words;

/// Maximum number of engines with a fault that are named.
const FAULTY: usize = 6;

/// Sentences, each with its claim's id.
pub(crate) type FirstLines = Vec<(String, String)>;

/// The first lines of every surface; without the next step.
pub(crate) fn first_lines(verdict: &Verdict) -> FirstLines {
    let mut lines = Vec::new();
    let mut faults = Vec::new();
    for claim in verdict.first() {
        match &claim.said {
            Statement::FaultOf {
                engine,
                faults: own,
            } => faults.push((engine.as_deref(), *own)),
            Statement::NextStep { .. } => {}
            _ => lines.push((sentences::id(&claim.said), sentences::sentence(claim))),
        }
    }
    if !faults.is_empty() {
        let all: u64 = faults.iter().map(|(_, games)| games).sum();
        let named = faults.iter().take(FAULTY);
        let named =
            named.filter_map(|(engine, games)| Some(format!("{} {games}", name((*engine)?))));
        let named: Vec<String> = named.collect();
        let more = match faults.len() > FAULTY {
            true => ", …",
            false => "",
        };
        let whose = match named.is_empty() {
            true => String::new(),
            false => format!(": {}{more}", named.join(", ")),
        };
        let words = format!(
            "{} by time, illegal move, crash or silence{whose}.",
            count(all, "fault")
        );
        lines.push(("fault-of".to_owned(), words));
    }
    lines
}

/// The next step, as a command about this folder or file.
pub(crate) fn next_line(verdict: &Verdict, folder: &str) -> Option<String> {
    let (command, why) = match verdict.next_step()? {
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

/// The verdict for programs: every claim with its id, its numbers, whether the games allow it, the condition
/// under which it holds, and its sentence.
pub(crate) fn verdict_json(verdict: &Verdict) -> Value {
    let claims = verdict.claims.iter().map(|claim| {
        let mut value = serde_json::to_value(claim).unwrap_or_default();
        value["allowed"] = json!(claim.refused.is_none());
        value["if"] = json!(condition(&claim.said));
        value["words"] = json!(sentences::sentence(claim));
        value
    });
    json!({
        "kind": verdict.kind,
        "final": verdict.is_final,
        "claims": claims.collect::<Vec<_>>(),
    })
}

/// Under which condition a claim holds, for programs and for `docs/claims.md`.
fn condition(said: &Statement) -> &'static str {
    match said {
        Statement::Winner(_) => "by the event's own rules; it does not say who is stronger",
        Statement::Sprt(_) => {
            "pairs are independent: with few start positions, each played often, it holds for these positions alone"
        }
        Statement::Stronger(found) => of_basis(found.basis),
        Statement::FirstMove(found) => of_basis(found.basis),
        Statement::StartsDiffer { .. } => {
            "for these engines at these limits; positions were played about equally often"
        }
        Statement::StartStandsOut { .. } => {
            "for these engines at these limits; of those named at most 1 in 20 lies within 5 Elo of the average"
        }
        Statement::FaultOf { .. } | Statement::HostTooBusy(_) => {
            "as the runner saw it; its evidence is stored with each game"
        }
        Statement::LimitIgnored { .. } => {
            "by the nodes that the engine itself reports, in a sample of its games"
        }
        Statement::GamesRepeat { .. } => "by moves and start position",
        Statement::NotUsable { .. } | Statement::NextStep { .. } => "",
    }
}

fn of_basis(basis: Basis) -> &'static str {
    match basis {
        Basis::AlwaysValid => {
            "however often it is looked at; for these start positions, engines and limits"
        }
        Basis::Pairs | Basis::Games => {
            "looked at once, when all games are played; for these start positions, engines and limits"
        }
        Basis::Positions => {
            "looked at once, when all games are played; for start positions like these, these engines and limits"
        }
        Basis::Places => "looked at once, when all games are played; for these engines and limits",
    }
}
