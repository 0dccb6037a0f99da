//! `[knockout]`, `[double-elimination]`, `[ladder]`, `[swiss]`, `[[stage]]`, `[[round]]` and `[standings]`.

use super::Kind::{Boolean, Either, List, Text, Whole, Word};
use super::{Key, KeyTable, Kind};

const SEEDS: Key = Key {
    name: "seeds",
    kind: List(&Text),
    unit: "",
    default: "the order of the file",
    meaning: "All engines by name, the first seed first.",
    example: "seeds = [\"two\", \"New\"]",
    errors: &["no engine of this name", "an engine twice, or not at all"],
};

const EXTRA_PAIRS: Key = Key {
    name: "extra_pairs",
    kind: Whole(0, 10_000),
    unit: "pairs of games",
    default: "4",
    meaning: "While an encounter is level, one more pair after the other is played, at most this number.",
    example: "extra_pairs = 8",
    errors: &[],
};

const ENCOUNTER_RULES: Kind = Word(&["double-wins", "wins-with-black", "seed", "lot"]);

const TIE_BREAK: Key = Key {
    name: "tie_break",
    kind: Either(&[ENCOUNTER_RULES, List(&ENCOUNTER_RULES)]),
    unit: "",
    default: "[\"double-wins\", \"wins-with-black\", \"seed\"]",
    meaning: "How an encounter that is level after all extra pairs is decided, in this order: more pairs won with both colours, more games won with Black, the better seed, a lot.",
    example: "tie_break = [\"double-wins\", \"lot\"]",
    errors: &["a list that does not end in \"seed\" or \"lot\""],
};

pub(super) const KNOCKOUT: KeyTable = KeyTable {
    name: "knockout",
    header: "[knockout]",
    meaning: "The loser of an encounter is out. If the number of engines is no power of two, the best seeds have no opponent in the first round.",
    keys: &[
        SEEDS,
        EXTRA_PAIRS,
        TIE_BREAK,
        Key {
            name: "third_place",
            kind: Boolean,
            unit: "",
            default: "false",
            meaning: "Whether the losers of the semifinals meet.",
            example: "third_place = true",
            errors: &[],
        },
    ],
};

pub(super) const DOUBLE_ELIMINATION: KeyTable = KeyTable {
    name: "double-elimination",
    header: "[double-elimination]",
    meaning: "The loser of two encounters is out.",
    keys: &[SEEDS, EXTRA_PAIRS, TIE_BREAK],
};

pub(super) const LADDER: KeyTable = KeyTable {
    name: "ladder",
    header: "[ladder]",
    meaning: "The last two seeds meet; the winner meets the next above, and so on to the first.",
    keys: &[SEEDS, EXTRA_PAIRS, TIE_BREAK],
};

pub(super) const SWISS: KeyTable = KeyTable {
    name: "swiss",
    header: "[swiss]",
    meaning: "In each round engines with about the same points meet, by TCEC's system; no two meet again while that can be avoided.",
    keys: &[
        Key {
            name: "rounds",
            kind: Whole(1, 1000),
            unit: "rounds",
            default: "",
            meaning: "How many rounds are played. More can be added later.",
            example: "rounds = 7",
            errors: &[],
        },
        Key {
            example: "rounds = 7\nseeds = [\"two\", \"New\"]",
            ..SEEDS
        },
        Key {
            name: "groups",
            kind: Whole(1, 500),
            unit: "groups",
            default: "2",
            meaning: "Groups of seeds: in the first round the first meets the second, the third the fourth, and so on. With 1 neighbours meet.",
            example: "rounds = 7\ngroups = 4",
            errors: &["an odd number beyond 1"],
        },
        Key {
            name: "forbidden",
            kind: List(&List(&Text)),
            unit: "",
            default: "none",
            meaning: "Engines that do not meet, two names each: [[\"A\", \"B\"], [\"A\", \"C\"]].",
            example: "rounds = 7\nforbidden = []",
            errors: &[
                "no engine of this name",
                "not two names",
                "too many to pair the first round",
            ],
        },
        Key {
            name: "bye",
            kind: Word(&["win", "draw", "nothing"]),
            unit: "",
            default: "\"win\"",
            meaning: "The points of a round without an opponent: all of an encounter, half of them, or none.",
            example: "rounds = 7\nbye = \"draw\"",
            errors: &[],
        },
    ],
};

pub(super) const STAGE: KeyTable = KeyTable {
    name: "stage",
    header: "[[stage]]",
    meaning: "A former event that decides who takes part. The first of every stage are the first seeds, in the order of the file, then the second ones. Other engines of the file do not take part.",
    keys: &[
        Key {
            name: "from",
            kind: Text,
            unit: "",
            default: "",
            meaning: "The folder of the event, relative to this file. It must be played to its end.",
            example: "from = \"results/league-a\"\nplaces = [1, 2]",
            errors: &[
                "no final standings there",
                "an engine of theirs that has no [[engine]] here",
            ],
        },
        Key {
            name: "places",
            kind: List(&Whole(1, 1000)),
            unit: "",
            default: "",
            meaning: "The places whose engines take part.",
            example: "from = \"results/league-a\"\nplaces = [1, 2]",
            errors: &["a place that is shared with one that is not named"],
        },
    ],
};

pub(super) const ROUND: KeyTable = KeyTable {
    name: "round",
    header: "[[round]]",
    meaning: "When a round begins; the first [[round]] is about round 1, and so on. Rounds without one follow at once. To change it during the event, run it again.",
    keys: &[
        Key {
            name: "starts",
            kind: Text,
            unit: "",
            default: "when the round before it allows",
            meaning: "The round does not begin before this moment (date, time and zone).",
            example: "starts = \"2026-12-05T14:00:00+01:00\"",
            errors: &[
                "not a moment, or one without a zone",
                "no later than an earlier round",
                "in an event that is not played in rounds",
            ],
        },
        Key {
            name: "pause",
            kind: Whole(0, 604_800),
            unit: "seconds",
            default: "0",
            meaning: "The round does not begin before this time after the last game.",
            example: "pause = 900",
            errors: &[],
        },
    ],
};

pub(super) const STANDINGS: KeyTable = KeyTable {
    name: "standings",
    header: "[standings]",
    meaning: "The order of engines with equal points (docs/formats.md).",
    keys: &[Key {
        name: "tie_breaks",
        kind: List(&Word(&[
            "direct",
            "wins",
            "sonneborn-berger",
            "wins-with-black",
            "double-wins",
            "koya",
            "buchholz",
            "buchholz-cut-1",
            "buchholz-cut-2",
            "median-buchholz",
            "progressive",
            "rating-performance",
            "fewer-faults",
            "lot",
        ])),
        unit: "",
        default: "",
        meaning: "The rules, one after the other.",
        example: "tie_breaks = [\"direct\", \"sonneborn-berger\"]",
        errors: &[
            "Buchholz or progressive points where nothing is played in rounds",
            "a rule twice, or one after \"lot\"",
            "in a knockout, a double elimination or a ladder",
        ],
    }],
};
