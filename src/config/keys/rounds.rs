//! `[knockout]`, `[double-elimination]`, `[ladder]`, `[swiss]`, `[[stage]]`, `[[round]]` and `[standings]`.

use std::time::Duration;

use super::KeyKind::{self, Either, List, Text, Whole};
use super::{KeyTable, keys};
use crate::config::entry::Entry;
use crate::config::value::{KeyType, WrittenValue, words};
use crate::event::{ByePoints, EncounterTieBreak};
use crate::stats::standings::TieBreak;

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
    ByePoints { "win" => Win, "draw" => Draw, "nothing" => Nothing }
}

/// What decides a level encounter: one word, or several.
pub(in crate::config) struct EncounterTieBreaks(pub(in crate::config) Vec<EncounterTieBreak>);

impl<'a> KeyType<'a> for EncounterTieBreaks {
    const KIND: KeyKind = Either(&[EncounterTieBreak::KIND, Vec::<EncounterTieBreak>::KIND]);

    fn read(entry: &Entry<'a>, kind: &KeyKind, unit: &str) -> Option<EncounterTieBreaks> {
        let rules = match entry.is_string() {
            true => vec![EncounterTieBreak::read(entry, kind, unit)?],
            false => Vec::read(entry, kind, unit)?,
        };
        Some(EncounterTieBreaks(rules))
    }
}

pub(super) const DOUBLE_ELIMINATION: KeyTable = KeyTable {
    name: "double-elimination",
    header: "[double-elimination]",
    meaning: "The loser of two encounters is out.",
    keys: Knockout::TABLE.keys.split_at(SHARED).0,
};

pub(super) const LADDER: KeyTable = KeyTable {
    name: "ladder",
    header: "[ladder]",
    meaning: "The last two seeds meet; the winner meets the next above, and so on to the first.",
    keys: Knockout::TABLE.keys.split_at(SHARED).0,
};

/// The number of keys of a knockout that the others have as well; they are the first ones.
const SHARED: usize = 3;

keys! {
    /// The values of `[knockout]`, `[double-elimination]` and `[ladder]`.
    Knockout<'a>, "knockout", "[knockout]", "The loser of an encounter is out. If the number of engines is no power of two, the best seeds have no opponent in the first round.";

    seeds: Entry<'a> [or "the order of the file"] List(&Text), "",
        "All engines by name, the first seed first.",
        "seeds = [\"two\", \"New\"]",
        refused ["no engine of this name", "an engine twice, or not at all"];
    extra_pairs: u32 [= 4] Whole(0, 10_000), "pairs of games",
        "While an encounter is level, one more pair after the other is played, at most this number.",
        "extra_pairs = 8";
    tie_break: EncounterTieBreaks [= ["double-wins", "wins-with-black", "seed"]], "",
        "How an encounter that is level after all extra pairs is decided, in this order: more pairs won with both colours, more games won with Black, the better seed, a lot.",
        "tie_break = [\"double-wins\", \"lot\"]",
        refused ["a list that does not end in \"seed\" or \"lot\""];
    third_place: bool [= false], "",
        "Whether the losers of the semifinals meet.",
        "third_place = true";
}

keys! {
    /// The values of `[swiss]`.
    Swiss<'a>, "swiss", "[swiss]", "In each round engines with about the same points meet, by TCEC's system; no two meet again while that can be avoided.";

    rounds: u16 [required] Whole(1, 1000), "rounds",
        "How many rounds are played. More can be added later.",
        "rounds = 7";
    seeds: Entry<'a> [or "the order of the file"] List(&Text), "",
        "All engines by name, the first seed first.",
        "rounds = 7\nseeds = [\"two\", \"New\"]",
        refused ["no engine of this name", "an engine twice, or not at all"];
    groups: u16 [= 2] Whole(1, 500), "groups",
        "Groups of seeds: in the first round the first meets the second, the third the fourth, and so on. With 1 neighbours meet.",
        "rounds = 7\ngroups = 4",
        refused ["an odd number beyond 1"];
    forbidden: Vec<WrittenValue<'a, Vec<Entry<'a>>>> [or "none"], "",
        "Engines that do not meet, two names each: [[\"A\", \"B\"], [\"A\", \"C\"]].",
        "rounds = 7\nforbidden = []",
        refused ["no engine of this name", "not two names", "too many to pair the first round"];
    bye: ByePoints [= "win"], "",
        "The points of a round without an opponent: all of an encounter, half of them, or none.",
        "rounds = 7\nbye = \"draw\"";
}

keys! {
    /// The values of `[[stage]]`.
    Stage<'a>, "stage", "[[stage]]", "A former event that decides who takes part. The first of every stage are the first seeds, in the order of the file, then the second ones. Other engines of the file do not take part.";

    from: Entry<'a> [required], "",
        "The folder of the event, relative to this file. It must be played to its end.",
        "from = \"results/league-a\"\nplaces = [1, 2]",
        refused ["no final standings there", "an engine of theirs that has no [[engine]] here"];
    places: Entry<'a> [required] List(&Whole(1, 1000)), "",
        "The places whose engines take part.",
        "from = \"results/league-a\"\nplaces = [1, 2]",
        refused ["a place that is shared with one that is not named"];
}

keys! {
    /// The values of `[[round]]`.
    Round<'a>, "round", "[[round]]", "When a round begins; the first [[round]] is about round 1, and so on. Rounds without one follow at once. To change it during the event, run it again.";

    starts: WrittenValue<'a, String> [or "when the round before it allows"], "",
        "The round does not begin before this moment (date, time and zone).",
        "starts = \"2026-12-05T14:00:00+01:00\"",
        refused ["not a moment, or one without a zone", "no later than an earlier round", "in an event that is not played in rounds"];
    pause: Duration [= 0] Whole(0, 604_800), "seconds",
        "The round does not begin before this time after the last game.",
        "pause = 900";
}

keys! {
    /// The values of `[standings]`.
    Standings<'a>, "standings", "[standings]", "The order of engines with equal points (docs/formats.md).";

    tie_breaks: Vec<WrittenValue<'a, TieBreak>> [required], "",
        "The rules, one after the other.",
        "tie_breaks = [\"direct\", \"sonneborn-berger\"]",
        refused ["Buchholz or progressive points where nothing is played in rounds", "a rule twice, or one after \"lot\"", "in a knockout, a double elimination or a ladder"];
}
