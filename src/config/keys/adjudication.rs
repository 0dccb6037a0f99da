//! The keys of `[adjudication]` and of the tables in it.

use super::Kind::{Boolean, Either, List, Table, Text, Whole, Word};
use super::{Key, KeyTable};

pub(super) const ADJUDICATION: KeyTable = KeyTable {
    name: "adjudication",
    header: "[adjudication]",
    meaning: "When the referee ends a game that the board has not ended (docs/adjudication.md).",
    keys: &[
        Key {
            name: "preset",
            kind: Word(&["tcec", "fishtest", "ccrl", "none"]),
            unit: "",
            default: "none",
            meaning: "A known set of `school`, `draw` and `resign`: TCEC's draw rule (tcec, 35 5 15, no win by score); Fishtest's (fastchess, draw 34 8 20, resign 3 600 by one engine); for rating lists such as CCRL, which publish no numbers (cutechess, draw 40 10 10, resign 5 1000 by both); no rule by score. A `draw` or `resign` next to it replaces its own.",
            example: "preset = \"fishtest\"",
            errors: &["together with `school`", "\"none\" with `draw` or `resign`"],
        },
        Key {
            name: "school",
            kind: Word(&["arbiter960", "fastchess", "cutechess", "tcec"]),
            unit: "",
            default: "\"arbiter960\"",
            meaning: "The way of counting: what restarts a count, and when the number of moves is tested.",
            example: "school = \"cutechess\"\ndraw = { from_move = 40, moves = 8, centipawns = 10 }",
            errors: &[],
        },
        Key {
            name: "draw",
            kind: Table("draw"),
            unit: "",
            default: "none",
            meaning: "A draw by score.",
            example: "draw = { from_move = 40, moves = 8, centipawns = 10 }",
            errors: &[],
        },
        Key {
            name: "resign",
            kind: Table("resign"),
            unit: "",
            default: "none",
            meaning: "A win by score.",
            example: "resign = { moves = 4, centipawns = 600 }",
            errors: &[],
        },
        Key {
            name: "max_moves",
            kind: Whole(1, 100_000),
            unit: "moves of both sides",
            default: "no limit",
            meaning: "The game is drawn after this number of full moves; moves of the book do not count.",
            example: "max_moves = 200",
            errors: &[],
        },
        Key {
            name: "flag_fall",
            kind: Word(&["loss", "fide"]),
            unit: "",
            default: "\"loss\"",
            meaning: "The result of a loss on time against an opponent that cannot mate: a loss, or a draw by FIDE article 6.9.",
            example: "flag_fall = \"fide\"",
            errors: &[],
        },
        Key {
            name: "host_faults",
            kind: Word(&["count", "void", "replay"]),
            unit: "",
            default: "\"replay\"",
            meaning: "What happens to a game lost on time because this machine kept the engine waiting: it counts as a loss; it is void; or it is void and played again in the same run.",
            example: "host_faults = \"count\"",
            errors: &[],
        },
        Key {
            name: "tablebases",
            kind: Either(&[Text, List(&Text)]),
            unit: "",
            default: "none",
            meaning: "Folders with Syzygy tables (KQvK.rtbw, KQvK.rtbz), relative to the event file: a game ends when they know its result (docs/tablebases.md).",
            example: "tablebases = [\"tables\"]",
            errors: &["a folder without tables", "a damaged file"],
        },
        Key {
            name: "tablebase_results",
            kind: Word(&["all", "wins", "draws"]),
            unit: "",
            default: "\"all\"",
            meaning: "Which verdicts of `tablebases` end a game.",
            example: "tablebases = [\"tables\"]\ntablebase_results = \"draws\"",
            errors: &["without `tablebases`"],
        },
        Key {
            name: "tablebase_men",
            kind: Whole(3, 7),
            unit: "men on the board, the kings among them",
            default: "those of the largest table",
            meaning: "`tablebases` are asked from this number of men on.",
            example: "tablebases = [\"tables\"]\ntablebase_men = 4",
            errors: &["without `tablebases`"],
        },
        Key {
            name: "tablebase_fifty_moves",
            kind: Boolean,
            unit: "",
            default: "true",
            meaning: "Whether a win must come within fifty moves without capture and pawn move, counted from the last one. With false a win that takes longer counts.",
            example: "tablebases = [\"tables\"]\ntablebase_fifty_moves = false",
            errors: &["without `tablebases`"],
        },
        Key {
            name: "tablebase_zeroing",
            kind: Boolean,
            unit: "",
            default: "false",
            meaning: "Whether `tablebases` are asked only when the counter of the fifty moves is 0, as in the start position; as fastchess does.",
            example: "tablebases = [\"tables\"]\ntablebase_zeroing = true",
            errors: &["without `tablebases`"],
        },
    ],
};

pub(super) const DRAW: KeyTable = KeyTable {
    name: "draw",
    header: "adjudication.draw",
    meaning: "The game is drawn when the scores of both engines stayed within ± `centipawns` for `moves` full moves in a row.",
    keys: &[
        Key {
            name: "from_move",
            kind: Whole(0, 10_000),
            unit: "full move of the game",
            default: "1",
            meaning: "The first full move that counts; with another `school` than \"arbiter960\" all moves count, and this number must have been played before a draw.",
            example: "moves = 8\ncentipawns = 10\nfrom_move = 40",
            errors: &["0 with `school` \"cutechess\" or \"tcec\""],
        },
        count(
            "moves",
            10_000,
            "full moves in a row",
            "How long.",
            "centipawns = 10\nmoves = 8",
        ),
        Key {
            name: "centipawns",
            kind: Whole(0, 100_000),
            unit: "centipawns",
            default: "",
            meaning: "The largest score that counts, on either side of 0.",
            example: "moves = 8\ncentipawns = 10",
            errors: &[],
        },
    ],
};

pub(super) const RESIGN: KeyTable = KeyTable {
    name: "resign",
    header: "adjudication.resign",
    meaning: "The game is lost by an engine whose scores were at or below −`centipawns` for `moves` of its moves in a row.",
    keys: &[
        count(
            "moves",
            10_000,
            "moves in a row",
            "How long.",
            "centipawns = 600\nmoves = 4",
        ),
        count(
            "centipawns",
            100_000,
            "centipawns",
            "The smallest score that counts.",
            "moves = 4\ncentipawns = 600",
        ),
        Key {
            name: "both_engines",
            kind: Boolean,
            unit: "",
            default: "true",
            meaning: "Whether the winner's scores must agree.",
            example: "moves = 4\ncentipawns = 600\nboth_engines = false",
            errors: &["false with `school` \"tcec\""],
        },
    ],
};

const fn count(
    name: &'static str,
    most: i128,
    unit: &'static str,
    meaning: &'static str,
    example: &'static str,
) -> Key {
    Key {
        name,
        kind: Whole(1, most),
        unit,
        default: "",
        meaning,
        example,
        errors: &[],
    }
}
