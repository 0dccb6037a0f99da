//! `[knockout]`, `[double-elimination]`, `[ladder]`: the rules of trees; which format an event in rounds has; and `draw` of
//! `[positions]`, for these and for leagues.

use std::time::Duration;

use super::engine::ReadEngine;
use super::event::EventKeys;
use super::keys::KeyKind::{Either, List, Text, Whole};
use super::keys::{KeyKind, KeyTable, keys};
use super::participants::seeds;
use super::playoffs::ReadPlayoffs;
use super::problem::Problem;
use super::section::{Entry, EntryPlace, Section};
use super::swiss::{SwissKeys, swiss};
use super::time::TimeKeys;
use super::value::{KeyType, WrittenValue, words};
use crate::event::identity::FormatWord;
use crate::event::{EliminationRules, EncounterTieBreak, FirstWhite, Playoff, PositionDraw};
use crate::schedule::{Elimination, Format};
use crate::stats::standings::TieBreak;

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
            let title = format!("[{name}] has the rules of another format");
            let help = format!("format = \"{name}\" in [event], or take this table out");
            section.fail::<()>(Problem::error(title).help(help));
        }
    }
    let word = word?;
    let place = event.format.place()?;
    let tree = |kind, table: Option<Section<'a>>, root: &mut Section<'a>| {
        let section = table.unwrap_or_else(|| root.part("knockout"));
        let keys = KnockoutKeys::read(section);
        let seeds = seeds(keys.seeds.entry.as_ref(), engines);
        let rules = elimination(keys, pairs(event), &playoffs.steps);
        Some(Format::Elimination(
            kind,
            EliminationRules { seeds, ..rules },
        ))
    };
    match word {
        FormatWord::Swiss => {
            let Some(section) = table else {
                let help = "for example: [swiss] with rounds = 7";
                return place.fail(Problem::missing("[swiss] is missing").help(help));
            };
            Some(Format::Swiss(swiss(
                &SwissKeys::read(section),
                engines,
                engines.len(),
                pairs(event),
            )))
        }
        FormatWord::Stages => None,
        FormatWord::Knockout => tree(Elimination::Knockout, table, root),
        FormatWord::DoubleElimination => tree(Elimination::Double, table, root),
        FormatWord::Ladder => tree(Elimination::Ladder, table, root),
        FormatWord::Match | FormatWord::RoundRobin | FormatWord::Gauntlet => None,
    }
}

/// Pairs of an encounter.
fn pairs(event: &EventKeys<'_>) -> u32 {
    let pairs = event.pairs.value;
    event.pairs.fail_if(pairs > MAX_ENCOUNTER_PAIRS, || {
        let title = format!("an encounter has at most {MAX_ENCOUNTER_PAIRS} pairs");
        Problem::error(title).help("`pairs` are those of one encounter here")
    });
    pairs
}

/// The rules of a tree without its seeds.
pub(super) fn elimination(
    keys: KnockoutKeys<'_>,
    pairs: u32,
    playoffs: &[Playoff],
) -> EliminationRules {
    let tie_break = keys.tie_break.value.0;
    let last = tie_break.last();
    let decides = matches!(last, Some(EncounterTieBreak::Seed | EncounterTieBreak::Lot));
    // The last one must always give a decision.
    keys.tie_break.entry.filter(|_| !decides).map(|entry| {
        let title = "the last tie-break must decide always";
        entry.fail::<()>(Problem::error(title).help("end with \"seed\" or \"lot\""))
    });
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
        playoffs: extra_pairs
            .into_iter()
            .chain(playoffs.iter().cloned())
            .collect(),
        tie_break,
        third_place: keys.third_place.value,
    }
}

/// Reports playoffs where there are no trees.
fn check_for_trees(playoffs: &ReadPlayoffs<'_>, is_tree: bool) {
    for place in playoffs.places.iter().filter(|_| !is_tree) {
        let title = "[[playoff]] is about level encounters of a tree, and this event has none";
        let help = "format = \"knockout\", \"double-elimination\" or \"ladder\" is a tree";
        place.fail::<()>(Problem::error(title).help(help));
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
    event.format.fail_if(results_decide && open_ended, || {
        let title = "[sprt], [adaptive] and `games` belong to a match, a round-robin or a gauntlet";
        Problem::error(title).help("take it out")
    });
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
        _ if on_every => Some((
            "self-play is played on every position",
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
        // What follows is judged by the format, and not by what it does not take.
        return default;
    }
    *draw
}

words! {
    TieBreak = TieBreak::ALL;
}

words! {
    EncounterTieBreak {
        "double-wins" => DoubleWins,
        "wins-with-black" => BlackWins,
        "seed" => Seed,
        "lot" => Lot,
    }
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
    seeds: Entry<'a> [or "the order of the file"] List(&Text), "",
        "seeds = [\"two\", \"New\"]",
        refused ["no engine of this name", "an engine twice, or not at all"];
    /// Pairs of an encounter by round, the first round first; later rounds have `pairs`.
    round_pairs: Vec<u32> [or "`pairs` of [event] in all rounds"] List(&Whole(1, 10_000)), "pairs of games",
        "round_pairs = [1, 2, 3]";
    /// While an encounter is level, one more pair after the other is played, at most this number. Then come the steps of
    /// `[[playoff]]`.
    extra_pairs: u32 [= 4] Whole(0, 10_000), "pairs of games",
        "extra_pairs = 8";
    /// What decides an encounter that is level after all extra pairs and playoffs: more pairs won with both colours, more games
    /// won with Black, the better seed, a lot.
    tie_break: EncounterTieBreaks [= ["double-wins", "wins-with-black", "seed"]], "",
        "tie_break = [\"double-wins\", \"lot\"]",
        refused ["a list that does not end in \"seed\" or \"lot\""];
    /// Whether an encounter ends as soon as the pairs that are left cannot turn it.
    ends_when_decided: bool [= false], "",
        "ends_when_decided = true";
    /// Who has White in the first game of an encounter: the higher seed on every other board, in turn from round to round;
    /// or always the higher or the lower seed.
    first_white: FirstWhite [= "alternate"], "",
        "first_white = \"lower-seed\"";
    /// Whether the losers of the semifinals meet.
    third_place: bool [= false], "",
        "third_place = true";
}

keys! {
    /// The values of `[[qualifier]]`.
    QualifierKeys<'a>, "qualifier", "[[qualifier]]", "A former event that decides who takes part. The first of every such event are the first seeds, in the order of the file, then the second ones. Other engines of the file do not take part.";

    /// The folder of the event, which is played to its end.
    from: Entry<'a> [required], "",
        "from = \"results/league-a\"\nplaces = [1, 2]",
        refused ["no final standings there", "an engine of theirs that has no [[engine]] here"];
    /// The places whose engines take part.
    places: Entry<'a> [required] List(&Whole(1, 1000)), "",
        "from = \"results/league-a\"\nplaces = [1, 2]",
        refused ["a place that is shared with one that is not named"];
}

keys! {
    /// The values of `[[round]]`.
    RoundKeys<'a>, "round", "[[round]]", "When a round begins and how it is played; the first [[round]] is about round 1, and so on. Rounds without one follow at once. To change when it begins during the event, run it again.";

    /// The round does not begin before this moment (date, time and zone).
    starts: WrittenValue<'a, String> [or "when the round before it allows"], "",
        "starts = \"2026-12-05T14:00:00+01:00\"",
        refused ["not a moment, or one without a zone", "no later than an earlier round", "in an event that is not played in rounds"];
    /// The round does not begin before this time after the last game.
    pause: Duration [= 0] Whole(0, 604_800), "seconds",
        "pause = 900";
    /// The limits of all engines in this round, as in `[time]`.
    time: TimeKeys<'a> [or "[time]"], "",
        "time = { control = \"60+0.6\" }",
        refused ["`margin_ms` and `nodes_jitter`"];
}

keys! {
    /// The values of `[standings]`.
    StandingsKeys<'a>, "standings", "[standings]", "The order of engines with equal points (docs/formats.md).";

    /// The rules, one after the other.
    tie_breaks: Vec<WrittenValue<'a, TieBreak>> [required], "",
        "tie_breaks = [\"direct\", \"sonneborn-berger\"]",
        refused ["Buchholz or progressive points where nothing is played in rounds", "a rule twice, or one after \"lot\"", "in a knockout, a double elimination or a ladder"];
}
