//! `[knockout]`, `[double-elimination]`, `[ladder]`: the rules of trees; `[swiss]`; which format an event in rounds has;
//! and `draw` of `[positions]`, for these and for leagues.

use super::engine::ReadEngine;
use super::event::EventKeys;
use super::keys::KeyKind::{Either, List, Text, Whole};
use super::keys::{KeyKind, KeyTable, keys};
use super::participants::{engine_named, name, seeds};
use super::playoffs::ReadPlayoffs;
use super::problem::Problem;
use super::section::{Entry, EntryPlace, Section};
use super::value::{KeyType, WrittenValue, words};
use crate::event::identity::FormatWord;
use crate::event::{
    ByePoints, EliminationRules, EncounterTieBreak, FirstWhite, Playoff, PositionDraw, SwissRules,
};
use crate::schedule::{Elimination, Format};
use crate::text::count;

/// The most pairs of an encounter.
pub(crate) const MAX_ENCOUNTER_PAIRS: u32 = 10_000;

/// The table of every format that has one.
const TABLES: [(&str, FormatWord); 4] = [
    ("knockout", FormatWord::Knockout),
    ("double-elimination", FormatWord::DoubleElimination),
    ("ladder", FormatWord::Ladder),
    ("swiss", FormatWord::Swiss),
];

/// The format with its rules; `None` for formats in which results decide nothing.
pub(super) fn read<'a>(
    root: &mut Section<'a>,
    event: &EventKeys<'_>,
    engines: &[ReadEngine<'_>],
    playoffs: ReadPlayoffs<'_>,
) -> Option<Format> {
    let word = event.format.value;
    let is_tree = matches!(
        word,
        Some(FormatWord::Knockout | FormatWord::DoubleElimination | FormatWord::Ladder)
    );
    check_for_trees(&playoffs, is_tree);
    let mut table = None;
    for (name, meant) in TABLES {
        let Some(section) = root.table(name) else {
            continue;
        };
        if word == Some(meant) {
            table = Some(section);
        } else {
            let help = format!("format = \"{name}\" in [event], or take this table out");
            section.error(format!("[{name}] has the rules of another format"), help);
        }
    }
    let word = word?;
    let place = event.format.place()?;
    let tree = |kind, table: Option<Section<'a>>, root: &mut Section<'a>| {
        let section = table.unwrap_or_else(|| root.part("knockout"));
        let keys = KnockoutKeys::read(section);
        let seeds = seeds(keys.seeds.entry.as_ref(), engines);
        let rules = elimination(keys, pairs(event), playoffs.steps(None));
        let rules = EliminationRules { seeds, ..rules };
        Some(Format::Elimination(kind, rules))
    };
    match word {
        FormatWord::Swiss => {
            let meant = || root.misspells("swiss").then(|| root.absent("swiss"));
            let Some(section) = table.or_else(meant) else {
                let help = "for example: [swiss] with rounds = 7";
                return place.fail(Problem::missing("[swiss] is missing").help(help));
            };
            let keys = SwissKeys::read(section);
            let rules = swiss(&keys, engines, engines.len(), pairs(event));
            Some(Format::Swiss(rules))
        }
        FormatWord::Knockout => tree(Elimination::Knockout, table, root),
        FormatWord::DoubleElimination => tree(Elimination::Double, table, root),
        FormatWord::Ladder => tree(Elimination::Ladder, table, root),
        FormatWord::Match | FormatWord::RoundRobin | FormatWord::Gauntlet | FormatWord::Stages => {
            None
        }
    }
}

/// Pairs of an encounter.
fn pairs(event: &EventKeys<'_>) -> u32 {
    let pairs = event.pairs.value;
    event.pairs.error_if(
        pairs > MAX_ENCOUNTER_PAIRS,
        format!("an encounter has at most {MAX_ENCOUNTER_PAIRS} pairs"),
        "`pairs` are those of one encounter here",
    );
    pairs
}

/// The rules of a tree without its seeds.
pub(super) fn elimination(
    keys: KnockoutKeys<'_>,
    pairs: u32,
    playoffs: Vec<Playoff>,
) -> EliminationRules {
    let tie_break = keys.tie_break.value.0.clone();
    let last = tie_break.last();
    let decides = matches!(last, Some(EncounterTieBreak::Seed | EncounterTieBreak::Lot));
    let title = "the last tie-break must decide always";
    keys.tie_break
        .error_if(!decides, title, "end with \"seed\" or \"lot\"");
    let extra_pairs = (keys.extra_pairs.value > 0).then_some(Playoff {
        pairs: 1,
        times: keys.extra_pairs.value,
        limits: None,
        armageddon: None,
    });
    EliminationRules {
        seeds: Vec::new(),
        pairs,
        round_pairs: keys.round_pairs.value.unwrap_or_default(),
        first_white: keys.first_white.value,
        ends_when_decided: keys.ends_when_decided.value,
        playoffs: extra_pairs.into_iter().chain(playoffs).collect(),
        tie_break,
        third_place: keys.third_place.value,
    }
}

/// Reports playoffs where there are no trees.
fn check_for_trees(playoffs: &ReadPlayoffs<'_>, is_tree: bool) {
    for place in playoffs.places.iter().filter(|_| !is_tree) {
        let title = "[[playoff]] is about level encounters of a tree, and this event has none";
        let help = "format = \"knockout\", \"double-elimination\" or \"ladder\" is a tree";
        place.error(title, help);
    }
}

/// Whether each round or encounter has separate positions. `on_every`: only all encounters on every position make sense.
pub(super) fn check_draw(
    draw: Option<&(PositionDraw, EntryPlace<'_>)>,
    event: &EventKeys<'_>,
    format: &Format,
    open_ended: bool,
    on_every: bool,
) -> PositionDraw {
    let results_decide = !matches!(
        format,
        Format::Match | Format::RoundRobin | Format::Gauntlet { .. }
    );
    let title = "[sprt], [adaptive] and `games` belong to a match, a round-robin or a gauntlet";
    event
        .format
        .error_if(results_decide && open_ended, title, "take it out");
    let default = if results_decide {
        PositionDraw::Round
    } else {
        PositionDraw::Every
    };
    let Some((draw, place)) = draw else {
        return default;
    };
    let refused = match (results_decide, *draw) {
        (true, PositionDraw::Next) => Some((
            "results decide who meets whom: the positions are drawn by round or encounter",
            "draw = \"round\" or \"encounter\"",
        )),
        (false, PositionDraw::Next) if on_every => Some((
            "self-play, and a test against others, are played on every position",
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
        _ if on_every || matches!(format, Format::Gauntlet { .. }) => Some((
            "self-play and a gauntlet are played on every position",
            "take this line out",
        )),
        _ => None,
    };
    if let Some((title, help)) = refused {
        place.error(title, help);
        // What follows is judged by the format, and not by what it does not take.
        return default;
    }
    *draw
}

words! {
    EncounterTieBreak {
        "double-wins" => DoubleWins,
        "wins-with-black" => BlackWins,
        "seed" => Seed,
        "lot" => Lot,
    }
    ByePoints { "win" => Win, "draw" => Draw, "nothing" => Nothing }
    FirstWhite { "alternate" => Alternate, "higher-seed" => HigherSeed, "lower-seed" => LowerSeed }
}

/// What decides a level encounter: one word, or several.
pub(in crate::config) struct EncounterTieBreaks(pub(in crate::config) Vec<EncounterTieBreak>);

impl<'a> KeyType<'a> for EncounterTieBreaks {
    const KIND: KeyKind = Either(&[EncounterTieBreak::KIND, Vec::<EncounterTieBreak>::KIND]);

    fn read(entry: &Entry<'a>, kind: &KeyKind, unit: &str) -> Option<EncounterTieBreaks> {
        let rules = if entry.is_string() {
            vec![EncounterTieBreak::read(entry, kind, unit)?]
        } else {
            Vec::read(entry, kind, unit)?
        };
        Some(EncounterTieBreaks(rules))
    }
}

pub(super) const DOUBLE_ELIMINATION: KeyTable = KeyTable {
    name: "double-elimination",
    header: "[double-elimination]",
    meaning: "The loser of two encounters is out.",
    keys: KnockoutKeys::TABLE.keys.split_at(SHARED_KEYS).0,
};

pub(super) const LADDER: KeyTable = KeyTable {
    name: "ladder",
    header: "[ladder]",
    meaning: "The last two seeds meet; the winner meets the next above, and so on to the first.",
    keys: KnockoutKeys::TABLE.keys.split_at(SHARED_KEYS).0,
};

/// The number of keys of a knockout that the others have as well; they are the first ones.
const SHARED_KEYS: usize = 6;

keys! {
    /// The values of `[knockout]`, `[double-elimination]` and `[ladder]`.
    KnockoutKeys<'a>, "knockout", "[knockout]", "The loser of an encounter is out. If the number of engines is no power of two, the best seeds have no opponent in the first round.";

    /// All engines by name, the first seed first.
    seeds: Entry<'a> [or "the order of the file"] List(&Text), "seeds = [\"two\", \"New\"]",
        refused ["no engine of this name", "an engine twice, or not at all"];
    /// Pairs of an encounter by round, the first round first; later rounds have `pairs`.
    round_pairs: Vec<u32> [or "`pairs` of [event] in all rounds"] List(&Whole(1, 10_000)), in "pairs of games",
        "round_pairs = [1, 2, 3]";
    /// While an encounter is level, at most so many more pairs are played, one by one; then the steps of `[[playoff]]`.
    extra_pairs: u32 [= 4] Whole(0, 10_000), in "pairs of games", "extra_pairs = 8";
    /// What decides an encounter that is level after all extra pairs and playoffs: more pairs won with both colours, more games
    /// won with Black, the better seed, a lot.
    tie_break: EncounterTieBreaks [= ["double-wins", "wins-with-black", "seed"]],
        "tie_break = [\"double-wins\", \"lot\"]",
        refused ["a list that does not end in \"seed\" or \"lot\""];
    /// Whether an encounter ends as soon as the pairs that are left cannot turn it.
    ends_when_decided: bool [= false], "ends_when_decided = true";
    /// Who has White first in an encounter: the higher seed on every other board, in turn by round; or always the higher or
    /// the lower seed.
    first_white: FirstWhite [= "alternate"], "first_white = \"lower-seed\"";
    /// Whether the losers of the semifinals meet.
    third_place: bool [= false], "third_place = true";
}

// `[swiss]`.

/// The rules of a Swiss of so many engines.
pub(super) fn swiss(
    keys: &SwissKeys<'_>,
    engines: &[ReadEngine<'_>],
    entered: usize,
    pairs: u32,
) -> SwissRules {
    let groups = keys.groups.value;
    let title = "each group of seeds meets another in the first round: their number is even";
    let help = "1, 2, 4, …; with 1 neighbours meet";
    keys.groups
        .error_if(groups != 1 && !groups.is_multiple_of(2), title, help);
    let forbidden = keys.forbidden.value.iter().flatten();
    let rules = SwissRules {
        seeds: seeds(keys.seeds.entry.as_ref(), engines),
        pairs,
        rounds: keys.rounds.value.unwrap_or(1),
        groups,
        forbidden: forbidden
            .filter_map(|pair| forbidden_pair(pair, engines))
            .collect(),
        bye: keys.bye.value,
    };
    let many = entered > 1 && usize::from(rules.rounds) > entered - 1 + entered % 2;
    keys.rounds.fail_if(many, || {
        let (rounds, engines) = (count(rules.rounds, "round"), count(entered, "engine"));
        let title = format!("{rounds} are more than {engines} have opponents");
        let help = "engines will meet again; a round-robin of two cycles may be what is meant";
        Problem::warning(title).help(help)
    });
    if let Some(entry) = &keys.forbidden.entry {
        check_pairable(entry, &rules, engines);
    }
    rules
}

fn forbidden_pair(
    pair: &WrittenValue<'_, Vec<Entry<'_>>>,
    engines: &[ReadEngine<'_>],
) -> Option<[u16; 2]> {
    let names = pair.value.iter();
    let named: Option<Vec<u16>> = names.map(|name| engine_named(name, engines)).collect();
    let &[one, other] = named?.as_slice() else {
        let help = "for example: forbidden = [[\"A\", \"B\"], [\"A\", \"C\"]]";
        return pair.entry.refuse("a forbidden pair has two names", help);
    };
    if one == other {
        let help = "name another one";
        return pair.entry.refuse("no engine meets itself", help);
    }
    Some([one, other])
}

/// Tries to pair the first round. Later rounds can only be harder; their failures are reported when they come.
fn check_pairable(entry: &Entry<'_>, rules: &SwissRules, engines: &[ReadEngine<'_>]) {
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
        entry.error(title, help);
    }
}

keys! {
    /// The values of `[swiss]`.
    SwissKeys<'a>, "swiss", "[swiss]", "In each round engines with about the same points meet, by TCEC's system; no two meet again while that can be avoided.";

    /// How many rounds are played. More can be added later.
    rounds: u16 [required] Whole(1, 1000), in "rounds", "rounds = 7";
    /// All engines by name, the first seed first.
    seeds: Entry<'a> [or "the order of the file"] List(&Text),
        "rounds = 7\nseeds = [\"two\", \"New\"]",
        refused ["no engine of this name", "an engine twice, or not at all"];
    /// In the first round the first group of seeds meets the second, and so on. With 1 neighbours meet.
    groups: u16 [= 2] Whole(1, 500), in "groups", "rounds = 7\ngroups = 4",
        refused ["an odd number beyond 1"];
    /// Engines that do not meet, two names each: [["A", "B"], ["A", "C"]].
    forbidden: Vec<WrittenValue<'a, Vec<Entry<'a>>>> [or "none"], "rounds = 7\nforbidden = []",
        refused ["no engine of this name", "not two names", "too many to pair the first round"];
    /// The points of a round without an opponent: all of an encounter, half of them, or none.
    bye: ByePoints [= "win"], "rounds = 7\nbye = \"draw\"";
}
