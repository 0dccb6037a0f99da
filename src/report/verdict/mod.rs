//! The verdict in words and as JSON: the same first lines wherever an event is shown. This module decides nothing.
//!
//! | file | what |
//! |---|---|
//! | this one | the first lines, JSON, why a claim is not allowed, and who won |
//! | `sentences` | a sentence for each claim |

use serde_json::{Value, json};

use crate::analysis::{
    Basis, DecidedBy, DecidingEncounter, EventKind, FEWEST_FOR_MEAN, FEWEST_FOR_SPREAD, Hint,
    Refusal, Statement, Unnamed, Verdict, Winner,
};
use crate::event::EncounterTieBreak;
use crate::schedule::EncounterDecision;
use crate::stats::standings::TieBreak;
use crate::text::{count, or_dash, paragraph, printable_lines, probability, short_name};
use crate::tournament::points_words;

mod sentences;

/// Maximum number of engines with a fault that are named.
const MAX_FAULTY: usize = 6;

/// Sentences, each with its claim's id.
pub(crate) type FirstLines = Vec<(String, String)>;

/// The first lines of every surface; without the next step.
pub(crate) fn first_lines(verdict: &Verdict) -> FirstLines {
    let mut lines = Vec::new();
    let mut faults = Vec::new();
    let is_tournament = matches!(verdict.kind, EventKind::Swiss | EventKind::Tree);
    for claim in verdict.first() {
        match &claim.said {
            Statement::FaultOf {
                engine,
                faults: own,
            } => faults.push((engine.as_deref(), *own)),
            Statement::NextStep { .. } => {}
            // Whoever runs a tournament has not asked for it.
            Statement::Stronger(_) if claim.refused.is_some() && is_tournament => {}
            _ => lines.push((sentences::id(&claim.said), sentences::sentence(claim))),
        }
    }
    if !faults.is_empty() {
        let all: u64 = faults.iter().map(|(_, games)| games).sum();
        let named = faults.iter().take(MAX_FAULTY);
        let named =
            named.filter_map(|(engine, games)| Some(format!("{} {games}", short_name((*engine)?))));
        let named: Vec<String> = named.collect();
        let more = match faults.len() > MAX_FAULTY {
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
        Statement::GamesRepeat { .. } | Statement::SameMoves { .. } => {
            "by moves and start position"
        }
        Statement::Score { .. } | Statement::NotUsable { .. } | Statement::NextStep { .. } => "",
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

/// Why the games do not allow a claim, as the end of a sentence.
fn reason(refusal: &Refusal) -> String {
    match refusal {
        Refusal::NotOver { .. } => "the event is not over".to_owned(),
        Refusal::Level => "points and tie-breaks are level".to_owned(),
        Refusal::Undecided => "the test has not decided".to_owned(),
        Refusal::HoldsZero => "the interval has 0 in it".to_owned(),
        Refusal::HoldsZeroWithoutCopies => {
            "without the games that repeat others the interval has 0 in it".to_owned()
        }
        Refusal::Copies => unnamed(Unnamed::Copies),
        Refusal::Unrated { engines } => format!(
            "{} never lost a point to the others, so there is no finite rating",
            names(engines)
        ),
        Refusal::NeverMet => "some engines have not met, not even by way of others".to_owned(),
        Refusal::NotSeparated => "the games do not separate them".to_owned(),
        Refusal::TooFewGames => "too few games".to_owned(),
        Refusal::Unnamed { gate } => unnamed(*gate),
        Refusal::NoneSeparated { smallest } => format!(
            "no position is told from the average (smallest s-value {}, 0.05 is needed)",
            or_dash(*smallest, probability)
        ),
    }
}

/// Why no position is named.
pub(crate) fn unnamed(why: Unnamed) -> String {
    match why {
        Unnamed::NotReplicated => {
            "fewer than half of the positions were played in two pairs, so chance cannot be told from them"
        }
        Unnamed::Copies => "more than a tenth of the games repeat others",
        Unnamed::FewGames => return format!("there are fewer than {FEWEST_FOR_MEAN} pairs of games"),
        Unnamed::Alike => "all results are alike",
        Unnamed::FewPositions => return format!("there are fewer than {FEWEST_FOR_SPREAD} positions"),
        Unnamed::NoTest => "the games do not allow a test whether positions differ",
        Unnamed::NotShown => "chance alone explains the results",
    }
    .to_owned()
}

/// Maximum number of names in one sentence; others are counted.
const MAX_NAMES: usize = 5;

/// `A, B and C`; of many the first ones, and the number of others.
fn names(all: &[String]) -> String {
    let named: Vec<String> = all
        .iter()
        .take(MAX_NAMES)
        .map(|one| short_name(one))
        .collect();
    let more = all.len().saturating_sub(MAX_NAMES);
    match (named.as_slice(), more) {
        ([], _) => String::new(),
        ([one], 0) => one.clone(),
        ([before @ .., last], 0) => format!("{} and {last}", before.join(", ")),
        (named, more) => format!("{} and {more} more", named.join(", ")),
    }
}

fn winner_words(winner: &Winner, refused: Option<&Refusal>) -> String {
    let engines = names(&winner.engines);
    let Some(points) = winner.points else {
        return match (refused, &winner.encounter) {
            (Some(_), _) => format!("Not over: still in {engines}."),
            (None, None) => format!("{engines} won."),
            (None, Some(encounter)) => format!(
                "{engines} won: {}{}.",
                encounter_words(encounter),
                decided(winner.decided_by)
            ),
        };
    };
    let played = points_words(points, winner.games, winner.unplayed_points);
    let next = match (&winner.second, winner.decided_by) {
        (None, _) => String::new(),
        (Some((second, _)), Some(DecidedBy::TieBreak(rule))) => {
            let (behind, verb) = (
                names(second),
                if second.len() == 1 { "has" } else { "have" },
            );
            match rule {
                TieBreak::Lot => format!(", by lot ahead of {behind}, who {verb} as many"),
                rule => format!(
                    ", ahead of {behind}, who {verb} as many, by {}",
                    rule.words()
                ),
            }
        }
        (Some((second, points)), _) => match second.as_slice() {
            [second] => format!("; {} is second with {points:.1}", short_name(second)),
            level => format!("; {} share the second place with {points:.1}", names(level)),
        },
    };
    match refused {
        None => format!("{engines} won with {played}{next}."),
        Some(Refusal::Level) => format!("{engines} share the first place with {played}."),
        Some(refusal) => {
            let missing = match refusal {
                Refusal::NotOver {
                    missing: Some(missing),
                } => {
                    format!(" {} missing.", count(*missing, "game"))
                }
                _ => String::new(),
            };
            let verb = if winner.engines.len() == 1 {
                "leads"
            } else {
                "lead"
            };
            format!("Not over: {engines} {verb} with {played}{next}.{missing}")
        }
    }
}

/// `the final against B, 3.0 to 3.0 after 2 extra games`
fn encounter_words(encounter: &DecidingEncounter) -> String {
    let [own, other] = encounter.points;
    let extra = match encounter.extra_games {
        0 => String::new(),
        games => format!(" after {}", count(u64::from(games), "extra game")),
    };
    format!(
        "the {} against {}, {own:.1} to {other:.1}{extra}",
        encounter.name.unwrap_or("last encounter"),
        short_name(&encounter.against)
    )
}

fn decided(by: Option<DecidedBy>) -> String {
    match by {
        Some(DecidedBy::Encounter(decision)) => match decision_words(decision) {
            Some(words) => format!(", decided by {words}"),
            None => String::new(),
        },
        _ => String::new(),
    }
}

/// The rule that decided an encounter, in words; nothing if points did.
pub(crate) fn decision_words(decision: EncounterDecision) -> Option<&'static str> {
    Some(match decision {
        EncounterDecision::Points | EncounterDecision::NotNeeded => return None,
        EncounterDecision::TieBreak(EncounterTieBreak::DoubleWins) => "pairs won with both colours",
        EncounterDecision::TieBreak(EncounterTieBreak::BlackWins) => "games won with Black",
        EncounterDecision::TieBreak(EncounterTieBreak::Seed) => "the higher seed",
        EncounterDecision::TieBreak(EncounterTieBreak::Lot) => "lot",
        EncounterDecision::Walkover => "walkover",
        EncounterDecision::Bye => "a bye",
    })
}
