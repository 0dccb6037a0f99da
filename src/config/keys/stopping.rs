//! The keys of `[sprt]` and `[adaptive]`: how long an event goes on by its results.

use super::Kind::{Either, Number, Whole, Word};
use super::{Key, KeyTable};

pub(super) const SPRT: KeyTable = KeyTable {
    name: "sprt",
    header: "[sprt]",
    meaning: "A sequential probability ratio test between two engines: games are played until it has decided between two hypotheses (docs/statistics.md).",
    keys: &[
        Key {
            name: "elo0",
            kind: Number(-1000.0, 1000.0),
            unit: "Elo of `model`",
            default: "0",
            meaning: "H0: the first engine is no better than this.",
            example: "elo0 = 0",
            errors: &[],
        },
        Key {
            name: "elo1",
            kind: Number(-1000.0, 1000.0),
            unit: "Elo of `model`",
            default: "5",
            meaning: "H1: the first engine is at least this much better.",
            example: "elo1 = 5",
            errors: &["not above `elo0`"],
        },
        error_rate(
            "alpha",
            "The probability of accepting H1 where H0 is true.",
            "alpha = 0.05",
        ),
        error_rate(
            "beta",
            "The probability of accepting H0 where H1 is true.",
            "beta = 0.1",
        ),
        Key {
            name: "model",
            kind: Word(&["normalized", "logistic", "bayesian"]),
            unit: "",
            default: "\"normalized\"",
            meaning: "In which Elo `elo0` and `elo1` are: normalized by the spread of the results (the same effort at every draw rate), logistic (the usual Elo), or BayesElo.",
            example: "model = \"logistic\"",
            errors: &[],
        },
        Key {
            name: "bounds",
            kind: Word(&["corrected", "wald"]),
            unit: "",
            default: "\"corrected\"",
            meaning: "Where the test ends: at Wald's bounds, as fastchess and cutechess-cli end it; or at those bounds moved inwards by what the ratio overshoots them, which keeps the error rates as well and is decided earlier.",
            example: "bounds = \"wald\"",
            errors: &[],
        },
        Key {
            name: "unit",
            kind: Word(&["starts", "pairs", "games", "cutechess"]),
            unit: "",
            default: "\"starts\"",
            meaning: "What is counted: the results of pairs, those on one start position as one observation where it was played more than once; or of pairs or single games as if they were independent; or of single games by the ratio of cutechess-cli. Only with \"starts\" do the error rates hold where start positions repeat.",
            example: "unit = \"games\"",
            errors: &["\"pairs\" or \"starts\" with pair_games = 1"],
        },
        Key {
            name: "running",
            kind: Word(&["finish", "void"]),
            unit: "",
            default: "\"finish\"",
            meaning: "What becomes of the games that run when the test is decided.",
            example: "running = \"void\"",
            errors: &[],
        },
        Key {
            name: "max_pairs",
            kind: Whole(1, 1_000_000_000),
            unit: "pairs of games",
            default: "100000",
            meaning: "The end without a decision.",
            example: "max_pairs = 20000",
            errors: &[],
        },
        Key {
            name: "max_hours",
            kind: Number(0.001, 1e5),
            unit: "hours",
            default: "no limit",
            meaning: "The end of a run without a decision.",
            example: "max_hours = 12",
            errors: &[],
        },
    ],
};

pub(super) const ADAPTIVE: KeyTable = KeyTable {
    name: "adaptive",
    header: "[adaptive]",
    meaning: "After some pairs on every position, further pairs go where it is in doubt on which side of a boundary the position lies (docs/statistics.md).",
    keys: &[
        Key {
            name: "boundary",
            kind: Either(&[Word(&["mean", "top"]), Whole(0, u32::MAX as i128)]),
            unit: "",
            default: "",
            meaning: "The question: above the mean of all positions; among the `top` ones; or above one start, by its number.",
            example: "boundary = \"mean\"\nmax_pairs = 10000",
            errors: &["a start that is not played", "\"top\" without `top`"],
        },
        Key {
            name: "top",
            kind: Whole(1, u32::MAX as i128),
            unit: "positions",
            default: "none",
            meaning: "How many are the top.",
            example: "boundary = \"top\"\ntop = 48\nmax_pairs = 10000",
            errors: &[
                "without boundary = \"top\"",
                "not fewer than the event's positions",
            ],
        },
        Key {
            name: "threshold",
            kind: Number(0.0, 0.4999),
            unit: "probability",
            default: "0",
            meaning: "A position whose probability to lie on the other side is not above this gets no more pairs.",
            example: "boundary = \"mean\"\nmax_pairs = 10000\nthreshold = 0.01",
            errors: &[],
        },
        Key {
            name: "min_pairs",
            kind: Whole(2, 1_000_000),
            unit: "pairs of games",
            default: "2",
            meaning: "Pairs per position before the first choice.",
            example: "boundary = \"mean\"\nmax_pairs = 100000\nmin_pairs = 4",
            errors: &[],
        },
        Key {
            name: "batch",
            kind: Whole(1, 10_000_000),
            unit: "positions",
            default: "a quarter of the positions",
            meaning: "How many positions are chosen at once.",
            example: "boundary = \"mean\"\nmax_pairs = 10000\nbatch = 96",
            errors: &[],
        },
        Key {
            name: "max_pairs",
            kind: Whole(1, 1_000_000_000),
            unit: "pairs of games",
            default: "",
            meaning: "The end of the event.",
            example: "boundary = \"mean\"\nmax_pairs = 10000",
            errors: &["not more than the first pairs on all positions"],
        },
    ],
};

const fn error_rate(name: &'static str, meaning: &'static str, example: &'static str) -> Key {
    Key {
        name,
        kind: Number(1e-6, 0.4999),
        unit: "probability",
        default: "0.05",
        meaning,
        example,
        errors: &[],
    }
}
