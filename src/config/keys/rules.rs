//! `[adjudication]`, `[faults]`, `[sprt]` and `[adaptive]`.

use super::Kind::{Boolean, Either, List, Number, Table, Text, Whole, Word};
use super::{Key, KeyTable};

pub(super) const ADJUDICATION: KeyTable = KeyTable {
    name: "adjudication",
    header: "[adjudication]",
    meaning: "When the referee ends a game that the board has not ended.",
    keys: &[
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
            meaning: "What a loss on time is against an opponent that cannot mate: a loss, or a draw by FIDE article 6.9.",
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
            kind: List(&Text),
            unit: "",
            default: "none",
            meaning: "Folders with Syzygy tables. Not available yet: the key is refused.",
            example: "",
            errors: &["always: the feature does not exist yet"],
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
            kind: Whole(1, 10_000),
            unit: "full move of the game",
            default: "1",
            meaning: "The first full move that counts.",
            example: "moves = 8\ncentipawns = 10\nfrom_move = 40",
            errors: &[],
        },
        count(
            "moves",
            10_000,
            "full moves in a row",
            "How long.",
            "centipawns = 10\nmoves = 8",
        ),
        count(
            "centipawns",
            100_000,
            "centipawns",
            "The largest score that counts.",
            "moves = 8\ncentipawns = 10",
        ),
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
            meaning: "Whether the winner must say so too.",
            example: "moves = 4\ncentipawns = 600\nboth_engines = false",
            errors: &[],
        },
    ],
};

pub(super) const FAULTS: KeyTable = KeyTable {
    name: "faults",
    header: "[faults]",
    meaning: "What a fault of an engine (a crash, an illegal move, a loss on time …) costs it (docs/explain.md).",
    keys: &[
        Key {
            name: "policy",
            kind: Word(&["loss", "replay"]),
            unit: "",
            default: "\"loss\"",
            meaning: "The game is lost, or played again with a new process.",
            example: "policy = \"replay\"",
            errors: &[],
        },
        Key {
            name: "replays",
            kind: Whole(1, 100),
            unit: "times",
            default: "1",
            meaning: "How often one game is played again before the fault loses it.",
            example: "policy = \"replay\"\nreplays = 2",
            errors: &["without policy = \"replay\""],
        },
        Key {
            name: "kinds",
            kind: List(&Word(&[
                "flag-fall",
                "illegal-move",
                "crash",
                "stall",
                "not-ready",
                "start-failure",
                "memory-limit",
                "process-limit",
                "idle-cpu",
            ])),
            unit: "",
            default: "all but flag-fall, and idle-cpu with idle_cpu = \"fault\" alone",
            meaning: "The kinds of fault that these rules are for.",
            example: "policy = \"replay\"\nkinds = [\"crash\", \"stall\"]",
            errors: &["none"],
        },
        Key {
            name: "strikes",
            kind: Whole(1, 1_000_000),
            unit: "faults",
            default: "never",
            meaning: "An engine is disqualified after this number of faults.",
            example: "strikes = 3",
            errors: &[],
        },
        Key {
            name: "disqualified",
            kind: Word(&["keep", "annul", "half"]),
            unit: "",
            default: "\"keep\"",
            meaning: "What the games of a disqualified engine are worth: as they were; nothing; or nothing unless it has played half of them (FIDE article 5.4).",
            example: "strikes = 3\ndisqualified = \"annul\"",
            errors: &[
                "without `strikes`",
                "\"annul\" and \"half\" with [sprt] or [adaptive]",
            ],
        },
        Key {
            name: "voids",
            kind: Whole(1, 1_000_000),
            unit: "games",
            default: "50",
            meaning: "So many games are void for the sake of one engine: its flag fell by the host's fault, or its program was changed by nobody knows whom. After that it loses them.",
            example: "voids = 10",
            errors: &[],
        },
        Key {
            name: "idle_cpu",
            kind: Word(&["warn", "fault", "freeze"]),
            unit: "",
            default: "\"warn\"",
            meaning: "What becomes of an engine that uses the processors while its opponent thinks: that is said; or it loses the game; or all its processes are stopped while it is not to move (docs/reliability.md).",
            example: "idle_cpu = \"freeze\"",
            errors: &[],
        },
        Key {
            name: "idle_cpu_percent",
            kind: Whole(1, 100_000),
            unit: "per cent of one processor",
            default: "20",
            meaning: "The largest share of its opponent's thinking time that it may use; and 0.1 s in a game.",
            example: "idle_cpu_percent = 5",
            errors: &[],
        },
    ],
};

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
