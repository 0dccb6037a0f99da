//! `[knockout]`, `[double-elimination]`, `[ladder]`, `[swiss]`: the rules of formats in which results
//! decide who meets whom; and `draw` of `[positions]`, for these and for leagues.

use super::engine::Engine;
use super::entry::{Entry, Place};
use super::event::{Event, FormatWord};
use super::participants::engine_named;
use super::problem::Problem;
use super::section::Section;
use crate::event::{ByePoints, EliminationRules, EncounterTieBreak, PositionDraw, SwissRules};
use crate::schedule::Format;

/// The most pairs of an encounter.
const MOST_PAIRS: u32 = 10_000;

/// The table of every format that has one.
const TABLES: [(&str, FormatWord); 4] = [
    ("knockout", FormatWord::Knockout),
    ("double-elimination", FormatWord::DoubleElimination),
    ("ladder", FormatWord::Ladder),
    ("swiss", FormatWord::Swiss),
];

const TIE_BREAKS: [(&str, EncounterTieBreak); 4] = [
    ("double-wins", EncounterTieBreak::DoubleWins),
    ("wins-with-black", EncounterTieBreak::BlackWins),
    ("seed", EncounterTieBreak::Seed),
    ("lot", EncounterTieBreak::Lot),
];

const BYES: [(&str, ByePoints); 3] = [
    ("win", ByePoints::Win),
    ("draw", ByePoints::Draw),
    ("nothing", ByePoints::Nothing),
];

const DRAWS: [(&str, PositionDraw); 4] = [
    ("every", PositionDraw::Every),
    ("round", PositionDraw::Round),
    ("encounter", PositionDraw::Encounter),
    ("next", PositionDraw::Next),
];

/// The format with its rules; `None` for formats in which results decide nothing.
pub(super) fn read<'a>(
    root: &mut Section<'a>,
    event: &Event<'a>,
    engines: &[Engine<'_>],
) -> Option<Format> {
    let word = event.format.as_ref().map(|(word, _)| *word);
    let mut own = None;
    for (name, meant) in TABLES {
        let Some(section) = root.table(name) else {
            continue;
        };
        if word == Some(meant) {
            own = Some(section);
        } else {
            let title = format!("[{name}] has the rules of another format");
            let help = format!("format = \"{name}\" in [event], or take this table out");
            section.fail::<()>(Problem::error(title).help(help));
        }
    }
    let word = word?;
    let (_, place) = event.format.as_ref()?;
    let pairs = pairs(event);
    match word {
        FormatWord::Swiss => {
            let Some(section) = own else {
                let help = "for example: [swiss] with rounds = 7";
                return place.fail(Problem::missing("[swiss] is missing").help(help));
            };
            Some(Format::Swiss(swiss(section, engines, pairs)?))
        }
        FormatWord::Knockout => Some(Format::Knockout(tree(own, engines, pairs, true))),
        FormatWord::DoubleElimination => {
            Some(Format::DoubleElimination(tree(own, engines, pairs, false)))
        }
        FormatWord::Ladder => Some(Format::Ladder(tree(own, engines, pairs, false))),
        FormatWord::Match | FormatWord::RoundRobin | FormatWord::Gauntlet => None,
    }
}

/// Pairs of an encounter.
fn pairs(event: &Event<'_>) -> u32 {
    let Some((pairs, place)) = &event.pairs else {
        return 1;
    };
    if *pairs > MOST_PAIRS {
        let title = format!("an encounter has at most {MOST_PAIRS} pairs");
        place.fail::<()>(Problem::error(title).help("`pairs` are those of one encounter here"));
    }
    *pairs
}

fn tree(
    section: Option<Section<'_>>,
    engines: &[Engine<'_>],
    pairs: u32,
    has_third_place: bool,
) -> EliminationRules {
    let mut rules = EliminationRules {
        seeds: all(engines),
        pairs,
        extra_pairs: 4,
        tie_break: vec![
            EncounterTieBreak::DoubleWins,
            EncounterTieBreak::BlackWins,
            EncounterTieBreak::Seed,
        ],
        third_place: false,
    };
    let Some(mut section) = section else {
        return rules;
    };
    if let Some(entry) = section.optional("seeds") {
        rules.seeds = seeds(&entry, engines);
    }
    if let Some(entry) = section.optional("extra_pairs") {
        rules.extra_pairs = entry.integer(0..=MOST_PAIRS).unwrap_or(0);
    }
    if let Some(entry) = section.optional("tie_break") {
        rules.tie_break = tie_break(&entry);
    }
    if has_third_place && let Some(entry) = section.optional("third_place") {
        rules.third_place = entry.boolean().unwrap_or(false);
    }
    section.finish();
    rules
}

/// What decides a level encounter, one word or several; the last must decide always.
fn tie_break(entry: &Entry<'_>) -> Vec<EncounterTieBreak> {
    let words = match entry.is_string() {
        true => entry.choice(&TIE_BREAKS).into_iter().collect(),
        false => {
            let elements = entry.list().unwrap_or_default();
            elements
                .iter()
                .filter_map(|word| word.choice(&TIE_BREAKS))
                .collect::<Vec<_>>()
        }
    };
    let decides = matches!(
        words.last(),
        Some(EncounterTieBreak::Seed | EncounterTieBreak::Lot)
    );
    if !decides {
        let title = "the last tie-break must decide always";
        entry.fail::<()>(Problem::error(title).help("end with \"seed\" or \"lot\""));
    }
    words
}

/// The order of the file.
fn all(engines: &[Engine<'_>]) -> Vec<u16> {
    (0..).take(engines.len()).collect()
}

/// Every engine that takes part, the first seed first.
fn seeds(entry: &Entry<'_>, engines: &[Engine<'_>]) -> Vec<u16> {
    let elements = entry.list().unwrap_or_default();
    let mut seeds: Vec<u16> = Vec::new();
    for element in &elements {
        let Some(engine) = engine_named(element, engines) else {
            continue;
        };
        if seeds.contains(&engine) {
            let title = format!("\"{}\" has two seeds", name(engines, engine));
            element.fail::<()>(Problem::error(title).help("name every engine once"));
        } else {
            seeds.push(engine);
        }
    }
    let left = all(engines)
        .into_iter()
        .filter(|engine| !seeds.contains(engine));
    let left: Vec<&str> = left.map(|engine| name(engines, engine)).collect();
    if !left.is_empty() && seeds.len() == elements.len() {
        let title = "`seeds` must name every engine";
        entry.fail::<()>(Problem::error(title).help(format!("not named: {}", left.join(", "))));
    }
    seeds
}

fn name<'a>(engines: &'a [Engine<'_>], engine: u16) -> &'a str {
    engines
        .get(usize::from(engine))
        .map_or("?", |engine| &engine.spec.name)
}

fn swiss(mut section: Section<'_>, engines: &[Engine<'_>], pairs: u32) -> Option<SwissRules> {
    let rounds = section.required("rounds", "rounds = 7");
    let seeded = section.optional("seeds");
    let groups = section.optional("groups");
    let forbidden = section.optional("forbidden");
    let bye = section.optional("bye");
    section.finish();
    let rules = SwissRules {
        seeds: seeded.map_or_else(|| all(engines), |entry| seeds(&entry, engines)),
        pairs,
        rounds: rounds
            .as_ref()
            .and_then(|entry| entry.integer(1..=1000))
            .unwrap_or(1),
        groups: groups.and_then(|entry| even_groups(&entry)).unwrap_or(2),
        forbidden: match &forbidden {
            Some(entry) => forbidden_pairs(entry, engines),
            None => Vec::new(),
        },
        bye: bye
            .and_then(|entry| entry.choice(&BYES))
            .unwrap_or_default(),
    };
    let count = rules.seeds.len();
    if let Some(entry) =
        rounds.filter(|_| count > 1 && usize::from(rules.rounds) > count - 1 + count % 2)
    {
        let title = format!(
            "{} rounds are more than {count} engines have opponents",
            rules.rounds
        );
        let help = "engines will meet again; a round-robin of two cycles may be what is meant";
        entry.fail::<()>(Problem::warning(title).help(help));
    }
    if let Some(entry) = forbidden {
        check_pairable(&entry, &rules, engines);
    }
    Some(rules)
}

fn even_groups(entry: &Entry<'_>) -> Option<u16> {
    let groups: u16 = entry.integer(1..=500)?;
    if groups == 1 || groups.is_multiple_of(2) {
        return Some(groups);
    }
    let title = "each group of seeds meets another in the first round: their number is even";
    entry.fail(Problem::error(title).help("1, 2, 4, …; with 1 neighbours meet"))
}

fn forbidden_pairs(entry: &Entry<'_>, engines: &[Engine<'_>]) -> Vec<[u16; 2]> {
    let elements = entry.list().unwrap_or_default();
    elements
        .iter()
        .filter_map(|pair| forbidden_pair(pair, engines))
        .collect()
}

fn forbidden_pair(entry: &Entry<'_>, engines: &[Engine<'_>]) -> Option<[u16; 2]> {
    let names = entry.list()?;
    let named: Option<Vec<u16>> = names
        .iter()
        .map(|name| engine_named(name, engines))
        .collect();
    let &[one, other] = named?.as_slice() else {
        let help = "for example: forbidden = [[\"A\", \"B\"], [\"A\", \"C\"]]";
        return entry.fail(Problem::error("a forbidden pair has two names").help(help));
    };
    let pair = [one, other];
    if pair[0] == pair[1] {
        return entry.fail(Problem::error("no engine meets itself").help("name another one"));
    }
    Some(pair)
}

/// The first round is tried: later ones can only be harder, and are told when they come.
fn check_pairable(entry: &Entry<'_>, rules: &SwissRules, engines: &[Engine<'_>]) {
    if rules.seeds.len() < 2 {
        return;
    }
    if let Err(conflict) = crate::schedule::first_swiss_round(rules) {
        let pairs = conflict.conflict.iter();
        let pairs: Vec<String> = pairs
            .map(|[one, other]| format!("{} – {}", name(engines, *one), name(engines, *other)))
            .collect();
        let title = "too many pairs are forbidden: not even the first round can be paired";
        let help = format!("with any one of these allowed it can: {}", pairs.join(", "));
        entry.fail::<()>(Problem::error(title).help(help));
    }
}

/// The word of `draw`.
pub(super) fn draw(entry: &Entry<'_>) -> Option<PositionDraw> {
    entry.choice(&DRAWS)
}

/// Whether rounds or encounters have positions of their own.
pub(super) fn check_draw(
    draw: Option<&(PositionDraw, Place<'_>)>,
    event: &Event<'_>,
    format: &Format,
    open_ended: bool,
    self_play: bool,
) -> PositionDraw {
    let results_decide = !matches!(
        format,
        Format::Match | Format::RoundRobin | Format::Gauntlet { .. }
    );
    if let (Some((_, place)), true) = (event.format.as_ref(), results_decide && open_ended) {
        let title = "[sprt], [adaptive] and `games` belong to a match, a round-robin or a gauntlet";
        place.fail::<()>(Problem::error(title).help("take it out"));
    }
    let Some((draw, place)) = draw else {
        return if results_decide {
            PositionDraw::Round
        } else {
            PositionDraw::Every
        };
    };
    let refused = match (results_decide, *draw) {
        (true, PositionDraw::Next) => Some((
            "results decide who meets whom: the positions are drawn by round or encounter",
            "draw = \"round\" or \"encounter\"",
        )),
        (false, PositionDraw::Next) if self_play => Some((
            "an engine that plays itself plays on every position",
            "take this line out",
        )),
        (false, PositionDraw::Next) => None,
        (true, PositionDraw::Every) => Some((
            "the encounters of this format are not played on every position",
            "draw = \"round\" or \"encounter\"; `pairs` says how many an encounter has",
        )),
        (false, PositionDraw::Every) | (true, _) => None,
        _ if open_ended => Some((
            "with [sprt], [adaptive] or `games` every encounter is played on every position",
            "take this line out",
        )),
        _ if self_play => Some((
            "an engine that plays itself plays on every position",
            "take this line out",
        )),
        _ if matches!(format, Format::Gauntlet { .. }) => Some((
            "a gauntlet is played on every position",
            "take this line out",
        )),
        _ => None,
    };
    if let Some((title, help)) = refused {
        place.fail::<()>(Problem::error(title).help(help));
    }
    *draw
}
