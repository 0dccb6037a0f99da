//! The keys of `[series]`.

use super::Kind::{Either, Whole, Word};
use super::{Key, KeyTable};

pub(super) const SERIES: KeyTable = KeyTable {
    name: "series",
    header: "series",
    meaning: "Two engines play this number of games in a row before the next two meet, as with cutechess-cli. `pairs`: how often every two meet; `colours`: who has White; -reverse swaps the colours of each meeting once more.",
    keys: &[
        Key {
            name: "order",
            kind: Word(&["circle", "pyramid"]),
            unit: "",
            default: "\"circle\"",
            meaning: "The order of meetings in a round-robin. \"circle\": in rounds, the first engine fixed and the others moving round it. \"pyramid\": the second meets the first, the third those two, and so on. In a gauntlet each hero meets all but heroes.",
            example: "games = 2\norder = \"pyramid\"",
            errors: &[],
        },
        Key {
            name: "games",
            kind: Whole(1, 1_000_000),
            unit: "games",
            default: "",
            meaning: "Games of two engines before the next two meet.",
            example: "games = 4",
            errors: &[
                "an odd number where a pair has two games",
                "without draw = \"next\" in [positions]",
            ],
        },
        Key {
            name: "opening",
            kind: Either(&[Whole(1, 1_000_000), Word(&["series", "round"])]),
            unit: "games",
            default: "1",
            meaning: "How many games are played from a position, or all of a series, or of a round. With more than two engines each series begins with the next position.",
            example: "games = 4\nopening = \"round\"",
            errors: &[],
        },
    ],
};
