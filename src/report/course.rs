//! How an event is played, as lines for people: limits by colour and by round, its stages, and how level encounters are
//! played off.

use std::time::Duration;

use crate::clock::{Limits, both_limits as both};
use crate::config::Tournament;
use crate::event::{
    ArmageddonWhite, EliminationRules, GroupSeeding, Playoff, StageFormat, StagePlaces, StageRules,
};
use crate::schedule::Format;
use crate::text::{count, duration, printable};

/// A line for each thing that is not the same in all games; none for an event in which all is the same.
pub(crate) fn course_lines(tournament: &Tournament) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(limits) = &tournament.limits_by_colour {
        lines.push(format!("limits: {}", both(limits)));
    }
    for (round, limits) in (1..).zip(&tournament.round_limits) {
        let limits = limits.as_ref();
        lines.extend(limits.map(|limits| format!("round {round}: {}", both(limits))));
    }
    let is_in_stages = matches!(tournament.format, Format::Stages(_));
    let swapped = tournament.swapped_games.words();
    lines.extend(swapped.filter(|_| !is_in_stages).map(str::to_owned));
    match &tournament.format {
        Format::Elimination(_, rules) => lines.extend(tree_lines(tournament, rules)),
        Format::Stages(stages) => {
            let rounds = tournament.rounds();
            let rounds = rounds.map(|rounds| rounds.rounds_by_stage());
            let rounds = rounds.unwrap_or_default();
            for (stage, rounds) in stages.iter().zip(rounds) {
                let words = stage_words(tournament, stages, stage);
                let rounds = match (rounds.start, rounds.end - 1) {
                    (first, last) if first == last => format!("round {first}"),
                    (first, last) => format!("rounds {first} to {last}"),
                };
                lines.push(format!("{rounds}, {}: {words}", printable(&stage.name)));
                if let Some(rules) = stage.format.tree() {
                    let own = tree_lines(tournament, rules).into_iter();
                    lines.extend(own.map(|line| format!("  {line}")));
                }
            }
        }
        _ => {}
    }
    lines
}

/// How a stage is played, and by whom.
fn stage_words(tournament: &Tournament, stages: &[StageRules], stage: &StageRules) -> String {
    let of_pairs = |pairs: u32| format!("{} an encounter", count(pairs, "pair"));
    let (format, pairs) = match &stage.format {
        StageFormat::League(cycles) => ("round-robin", of_pairs(*cycles)),
        StageFormat::Swiss(rules) => ("Swiss", of_pairs(rules.pairs)),
        StageFormat::Knockout(rules) => ("knockout", of_pairs(rules.pairs)),
        StageFormat::DoubleElimination(rules) => ("double elimination", of_pairs(rules.pairs)),
        StageFormat::Ladder(rules) => ("ladder", of_pairs(rules.pairs)),
    };
    let groups = match (stage.groups, stage.seeding) {
        (1, _) => String::new(),
        (groups, GroupSeeding::Lot) => format!(" in {groups} groups by lot"),
        (groups, _) => format!(" in {groups} groups by seed"),
    };
    let entrants = &stage.entrants;
    let name =
        |engine: &u16| printable(&tournament.engines[usize::from(*engine)].name).into_owned();
    let mut who: Vec<String> = entrants.named.iter().map(name).collect();
    if who.len() == tournament.engines.len() {
        who = vec!["all engines".to_owned()];
    }
    let placed = entrants.placed.iter();
    who.extend(placed.map(|places| places_words(stages, places)));
    let carried = "games of the stage before count".to_owned();
    let own_end = stage.adjudication.as_ref().map(|own| {
        if own.has_any() {
            "draws and wins by score and length of its own".to_owned()
        } else {
            "no draws and wins by score and length".to_owned()
        }
    });
    let terms = [
        Some(format!("{format}{groups}")),
        Some(pairs),
        stage.limits.as_ref().map(both),
        stage.carries_points.then_some(carried),
        own_end,
        stage.swapped_games.words().map(str::to_owned),
    ];
    let terms: Vec<String> = terms.into_iter().flatten().collect();
    format!("{}; {}", terms.join(", "), who.join(", "))
}

/// `places 1 and 2 of Leagues`.
fn places_words(stages: &[StageRules], places: &StagePlaces) -> String {
    let source = &stages[usize::from(places.stage)];
    let numbers: Vec<String> = places.places.iter().map(u16::to_string).collect();
    let (noun, numbers) = match numbers.as_slice() {
        [one] => ("place", one.clone()),
        [first @ .., last] => ("places", format!("{} and {last}", first.join(", "))),
        [] => ("places", String::new()),
    };
    let each = (source.groups > 1).then_some("each group of ");
    let each = each.unwrap_or_default();
    let best = places.best.map(|best| format!("the best {best} of "));
    let (best, name) = (best.unwrap_or_default(), printable(&source.name));
    format!("{best}{noun} {numbers} of {each}{name}")
}

/// Pairs by round, and what is played while an encounter is level.
fn tree_lines(tournament: &Tournament, rules: &EliminationRules) -> Vec<String> {
    let pairs: Vec<String> = rules.round_pairs.iter().map(u32::to_string).collect();
    let rounds = (!pairs.is_empty())
        .then(|| format!("pairs by round: {}, then {}", pairs.join(", "), rules.pairs));
    let steps = rules.playoffs.iter();
    let steps: Vec<String> = steps.map(|step| step_words(tournament, step)).collect();
    let level = (!steps.is_empty()).then(|| format!("while level: {}", steps.join("; then ")));
    rounds.into_iter().chain(level).collect()
}

fn step_words(tournament: &Tournament, step: &Playoff) -> String {
    let limits = step.limits.as_ref();
    let at = |limits: &[Limits; 2]| format!(" at {}", both(limits));
    let Some(white) = &step.armageddon else {
        let times = match step.times {
            1 => String::new(),
            times => format!(", at most {}", count(times, "time")),
        };
        let limits = limits.map(at).unwrap_or_default();
        return format!("{}{limits}{times}", count(step.pairs, "pair"));
    };
    let who = match white {
        ArmageddonWhite::HigherSeed => "the higher seed has White".to_owned(),
        ArmageddonWhite::LowerSeed => "the lower seed has White".to_owned(),
        ArmageddonWhite::Lot => "a lot decides who has White".to_owned(),
        ArmageddonWhite::Bid { bids, wait_seconds } => {
            let engines = tournament.engines.iter().zip(bids);
            let named = engines.map(|(engine, bid)| (printable(&engine.name), bid));
            let known = named.clone();
            let known = known.filter_map(|(name, bid)| Some(format!("{name} {} %", (*bid)?)));
            let known: Vec<String> = known.collect();
            let others = named.filter(|(_, bid)| bid.is_none()).map(|(name, _)| name);
            let mut others = others.collect::<Vec<_>>().join(", ");
            if known.is_empty() {
                others = "all".to_owned();
            }
            let time = duration(Duration::from_secs((*wait_seconds).into()));
            let others = (!others.is_empty()).then(|| format!("{others} by command within {time}"));
            let known = (!known.is_empty()).then(|| known.join(", "));
            let bids_told: Vec<String> = known.into_iter().chain(others).collect();
            let bids = bids_told.join("; ");
            format!("the lower bid has Black and that part of White's time ({bids})")
        }
    };
    let limits = match white {
        ArmageddonWhite::Bid { .. } => limits.map(|[white, _]| format!(" at {white}")),
        _ => limits.map(at),
    };
    let limits = limits.unwrap_or_default();
    format!("an armageddon game{limits}, in which a draw counts for Black; {who}")
}
