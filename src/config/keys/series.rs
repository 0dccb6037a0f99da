//! The keys of `[series]`.

use super::Kind::{Either, Whole, Word};
use super::{Key, KeyTable};

pub(super) const SERIES: KeyTable = KeyTable {
    name: "series",
    header: "series",
    meaning: "Two engines play so many games one after the other before the next two meet, as with cutechess-cli. `pairs` says how often every two meet so, `colours` who has White; with -reverse the colours of each meeting are turned once more.",
    keys: &[
        Key {
            name: "order",
            kind: Word(&["circle", "pyramid"]),
            unit: "",
            default: "\"circle\"",
            meaning: "Who meets whom after whom in a round-robin: in rounds, the first engine at its place and the others moving round it; or the second the first, the third those two, and so on. In a gauntlet each hero meets everybody else, and no hero.",
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
            meaning: "How many games are played from a position; with more than two engines each series begins with the next one in any case. Or all of a series, or of a round.",
            example: "games = 4\nopening = \"round\"",
            errors: &[],
        },
    ],
};
