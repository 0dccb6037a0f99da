//! Who won, in words.

use super::refusals::names;
use crate::analysis::{DecidedBy, DecidingEncounter, Refusal, Winner};
use crate::event::EncounterTieBreak;
use crate::report::statistics::name;
use crate::schedule::EncounterDecision;
use crate::stats::standings::TieBreak;
use crate::text::count;
use crate::tournament::points_words;

pub(super) fn winner_words(winner: &Winner, refused: Option<&Refusal>) -> String {
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
            [second] => format!("; {} is second with {points:.1}", name(second)),
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
        name(&encounter.against)
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
