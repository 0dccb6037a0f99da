//! The keys of `[sprt]` and `[adaptive]`: when results end an event.

use std::time::Duration;

use super::KeyKind::{Either, Number, Whole};
use super::keys;
use crate::config::entry::Entry;
use crate::config::tournament::AtDecision;
use crate::config::value::{KeyType, words};
use crate::event::identity::BoundaryWord;
use crate::stats::sprt::{Model, TestUnit};

/// Where a test ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::config) enum Bounds {
    Corrected,
    Wald,
}

words! {
    BoundaryWord { "mean" => Mean, "top" => Top }
    Model { "normalized" => Normalized, "logistic" => Logistic, "bayesian" => Bayesian }
    Bounds { "corrected" => Corrected, "wald" => Wald }
    TestUnit { "starts" => Starts, "pairs" => Pairs, "games" => Games, "cutechess" => Cutechess }
    AtDecision { "finish" => Finish, "void" => Void }
}

keys! {
    /// The values of `[sprt]`.
    Sprt<'a>, "sprt", "[sprt]", "A sequential probability ratio test between two engines: games are played until it decides (docs/statistics.md).";

    elo0: f64 [= 0] Number(-1000.0, 1000.0), "Elo of `model`",
        "H0: the first engine is no better than this.",
        "elo0 = 0";
    elo1: f64 [= 5] Number(-1000.0, 1000.0), "Elo of `model`",
        "H1: the first engine is at least this much better.",
        "elo1 = 5",
        refused ["not above `elo0`"];
    alpha: f64 [= 0.05] Number(1e-6, 0.4999), "probability",
        "The probability of accepting H1 where H0 is true.",
        "alpha = 0.05";
    beta: f64 [= 0.05] Number(1e-6, 0.4999), "probability",
        "The probability of accepting H0 where H1 is true.",
        "beta = 0.1";
    model: Model [= "normalized"], "",
        "The Elo of `elo0` and `elo1`: normalized by the spread of the results (the same effort at every draw rate), logistic (the usual Elo), or BayesElo.",
        "model = \"logistic\"";
    bounds: Bounds [= "corrected"], "",
        "Where the test ends: at Wald's bounds, as in fastchess and cutechess-cli; or at those bounds corrected for overshoot, which keeps the error rates and ends earlier.",
        "bounds = \"wald\"";
    unit: TestUnit [or "\"starts\""], "",
        "What is counted: pairs, those on one start position as one observation where it repeats; pairs or single games as if independent, which holds for just these starts; or single games by cutechess-cli's ratio.",
        "unit = \"games\"",
        refused ["\"pairs\" or \"starts\" with pair_games = 1"];
    running: AtDecision [= "finish"], "",
        "Whether games that run when the test is decided are finished or voided.",
        "running = \"void\"";
    max_pairs: u64 [= 100000] Whole(1, 1_000_000_000), "pairs of games",
        "The end without a decision.",
        "max_pairs = 20000";
    max_hours: Duration [or "no limit"] Number(0.001, 1e5), "hours",
        "The end of a run without a decision.",
        "max_hours = 12";
}

keys! {
    /// The values of `[adaptive]`.
    Adaptive<'a>, "adaptive", "[adaptive]", "After some pairs on every position, further pairs go to positions in doubt (docs/statistics.md).";

    boundary: Entry<'a> [required] Either(&[BoundaryWord::KIND, Whole(0, u32::MAX as i128)]), "",
        "The question: above the mean of all positions; among the `top` ones; or above one start, by its number.",
        "boundary = \"mean\"\nmax_pairs = 10000",
        refused ["a start that is not played", "\"top\" without `top`"];
    top: Entry<'a> [or "none"] Whole(1, u32::MAX as i128), "positions",
        "How many are the top.",
        "boundary = \"top\"\ntop = 48\nmax_pairs = 10000",
        refused ["without boundary = \"top\"", "not fewer than the event's positions"];
    threshold: f64 [= 0] Number(0.0, 0.4999), "probability",
        "A position gets no more pairs if its probability to be on the other side of the boundary is at most this.",
        "boundary = \"mean\"\nmax_pairs = 10000\nthreshold = 0.01";
    min_pairs: u32 [= 2] Whole(2, 1_000_000), "pairs of games",
        "Pairs per position before the first choice.",
        "boundary = \"mean\"\nmax_pairs = 100000\nmin_pairs = 4";
    batch: u32 [or "a quarter of the positions"] Whole(1, 10_000_000), "positions",
        "How many positions are chosen at once.",
        "boundary = \"mean\"\nmax_pairs = 10000\nbatch = 96";
    max_pairs: u64 [required] Whole(1, 1_000_000_000), "pairs of games",
        "The end of the event.",
        "boundary = \"mean\"\nmax_pairs = 10000",
        refused ["not more than the first pairs on all positions"];
}
