//! `[sprt]`: a test that decides when to stop.

use std::time::Duration;

use super::engine::ReadEngine;
use super::keys::KeyKind::{Either, Number, Whole};
use super::keys::keys;
use super::participants;
use super::problem::Problem;
use super::section::{Entry, EntryPlace, Section};
use super::tournament::{AdaptiveSettings, AtDecision, SprtSettings};
use super::value::{KeyType, WordValue, words};
use crate::chess::start::StartNumber;
use crate::event::identity::{AdaptiveTerms, Boundary, SprtTerms, TestedAgainst};
use crate::schedule::{Format, Openings};
use crate::stats::planning::allocation::default_batch;
use crate::stats::sprt::{Hypotheses, Model, TestUnit};
use crate::stats::start_pairs::FEWEST_STARTS;

/// Fewer start positions may leave a test undecided.
const FEW_STARTS: u32 = 100;

/// The settings, for an event with this number of participants and start positions; `usual` is the default for what the
/// test counts.
pub(super) fn read_sprt(
    section: Section<'_>,
    (participants, format): (usize, &Format),
    starts: Option<u32>,
    usual: TestUnit,
) -> SprtSettings {
    let place = section.place();
    let keys = SprtKeys::read(section);
    check_opponents(&keys, participants, format, &place);
    let (elo0, elo1) = (keys.elo0.value, keys.elo1.value);
    if elo1 <= elo0 {
        let problem = Problem::error(format!("`elo1` must be above `elo0`, which is {elo0}"));
        match &keys.elo1.entry {
            Some(entry) => entry.fail::<()>(problem),
            None => place.fail(problem.help("elo1 is 5 where the file is silent")),
        };
    }
    // Pairs of one game cannot be counted as pairs.
    let is_pairs = matches!(keys.unit.value, Some(TestUnit::Pairs | TestUnit::Starts));
    let title = "with pair_games = 1 there are no pairs to count";
    let help = "unit = \"games\"";
    keys.unit
        .error_if(usual == TestUnit::Games && is_pairs, title, help);
    let settings = SprtSettings {
        terms: SprtTerms {
            elo0,
            elo1,
            alpha: keys.alpha.value,
            beta: keys.beta.value,
            model: keys.model.value,
            wald: keys.bounds.value == Bounds::Wald,
            decides_at: (keys.bounds.value == Bounds::Truncated).then_some(keys.max_pairs.value),
            within: keys.within.value,
            unit: keys.unit.value.unwrap_or(usual),
            against: keys.against.value,
        },
        max_pairs: keys.max_pairs.value,
        max_time: keys.max_hours.value,
        running: keys.running.value,
    };
    if let Some(problem) = truncation_problem(&settings.terms) {
        keys.bounds.fail_if(true, || problem);
    }
    let of_games = matches!(settings.terms.unit, TestUnit::Games | TestUnit::Cutechess);
    let title = "how far a difference is known follows from pairs, and this test counts games";
    keys.within
        .error_if(of_games, title, "take this line out, or unit = \"starts\"");
    if let Some(problem) = starts.and_then(|starts| repeated_starts(&settings, starts)) {
        place.fail::<()>(problem);
    }
    settings
}

/// Checks that the format has the games which the test compares.
fn check_opponents(keys: &SprtKeys<'_>, players: usize, format: &Format, place: &EntryPlace<'_>) {
    let others = keys.against.value == TestedAgainst::Others;
    if players > 2 && !others {
        let help = "take [sprt] out, or all engines but two; or against = \"others\"";
        place.error("an SPRT is between two engines", help);
    }
    let two = matches!(format, Format::Gauntlet { heroes } if heroes.len() == 2);
    let title = "a test against others compares the two heroes of a gauntlet";
    let help = "in [event]: format = \"gauntlet\", heroes = [\"New\", \"Old\"]";
    keys.against.error_if(others && !two, title, help);
    let is_plain = keys.model.value == Model::Normalized
        && keys.bounds.value != Bounds::Truncated
        && keys.within.value.is_none()
        && !matches!(keys.unit.value, Some(TestUnit::Games | TestUnit::Cutechess));
    let title = "a test against others is of normalised Elo and pairs, without another end";
    let help = "take `model`, `within`, `unit` and bounds = \"truncated\" out of [sprt]";
    keys.against.error_if(others && !is_plain, title, help);
}

/// Why a test cannot decide at a given pair.
fn truncation_problem(terms: &SprtTerms) -> Option<Problem> {
    let pairs = terms.decides_at?;
    if !matches!(terms.unit, TestUnit::Pairs | TestUnit::Starts) {
        let title = "a test that decides at `max_pairs` counts pairs";
        return Some(Problem::error(title).help("unit = \"starts\""));
    }
    let test =
        Hypotheses::new(terms.model, terms.elo0, terms.elo1, terms.alpha, terms.beta).ok()?;
    let why = test.truncated_at(pairs).err()?;
    let help = match test.model() {
        Model::Normalized => format!("max_pairs = {}", test.fewest_pairs()),
        _ => "model = \"normalized\"".to_owned(),
    };
    Some(Problem::error(why.to_string()).help(help))
}

/// Warns about a test in which start positions repeat.
fn repeated_starts(settings: &SprtSettings, starts: u32) -> Option<Problem> {
    if u64::from(starts) >= settings.max_pairs {
        return None;
    }
    let (positions, these) = match starts {
        1 => ("start position".to_owned(), "it"),
        _ => (format!("{starts} start positions"), "these"),
    };
    let more = "more starts: `all = true` or a larger `sample` in [positions], or a book";
    if starts < FEWEST_STARTS as u32 {
        let title = format!(
            "this test says who is stronger from its {positions}, and nothing beyond {these}"
        );
        return Some(Problem::warning(title).help(more));
    }
    if settings.terms.unit != TestUnit::Starts {
        let title = format!(
            "this test counts every result on its {positions} as a new one: the error rates hold for \
             {these} alone, not for starts like {these}"
        );
        return Some(Problem::warning(title).help("unit = \"starts\""));
    }
    let title = format!(
        "this test may not end before `max_pairs`: pairs repeat on its {positions}, and those on one \
         start count as one observation"
    );
    (starts < FEW_STARTS).then(|| Problem::warning(title).help(more))
}

/// The settings, for an event with these positions and engines; `None` after an error
/// that leaves nothing to check.
pub(super) fn read_adaptive(
    section: Section<'_>,
    openings: &Openings,
    format: &Format,
    engines: &[ReadEngine<'_>],
) -> Option<AdaptiveSettings> {
    check_event(&section.place(), openings, engines);
    let keys = AdaptiveKeys::read(section);
    let written = keys.boundary.entry;
    let boundary = written.and_then(|entry| boundary(&entry, keys.top.entry, openings));
    let min_pairs = keys.min_pairs.value;
    let encounters = encounters(format, participants::count(engines));
    let first = u64::from(min_pairs) * u64::from(openings.len()) * encounters;
    let max_pairs = keys.max_pairs.value;
    let too_few = max_pairs.is_some_and(|pairs| pairs <= first);
    let title = format!("the first pairs on all positions are {first} already");
    let help = "`max_pairs` counts them too; give it more, or take [adaptive] out";
    keys.max_pairs.error_if(too_few, title, help);
    let usual = default_batch(openings.len() as usize) as u32;
    Some(AdaptiveSettings {
        terms: AdaptiveTerms {
            boundary: boundary?,
            threshold: keys.threshold.value,
            min_pairs,
            batch: keys.batch.value.unwrap_or(usual),
        },
        max_pairs: max_pairs?,
    })
}

/// What an adaptive event needs of the rest of the file.
fn check_event(place: &EntryPlace<'_>, openings: &Openings, engines: &[ReadEngine<'_>]) {
    if openings.variant().pairs_with_partner() {
        let title = "[adaptive] needs starts that are the same for both sides";
        let help = "where they differ, a start and its partner only say something together";
        place.error(title, help);
    }
    if openings.len() == 1 {
        let title = "with one position there is nothing to choose from";
        place.error(title, "take [adaptive] out");
    }
    let limited = engines.iter().all(|engine| engine.limited);
    if !engines.is_empty() && limited && engines.iter().all(|e| e.spec.repeats_itself()) {
        let title = "with this limit further pairs on a position repeat the first";
        let help = "nodes with nodes_jitter = 0.1, or a clock, make games that differ";
        place.error(title, help);
    }
}

/// `"mean"`, `"top"` with how many, or the number of a start of the event.
fn boundary(entry: &Entry<'_>, top: Option<Entry<'_>>, openings: &Openings) -> Option<Boundary> {
    if !entry.is_string() {
        refuse_top(top);
        return start(entry, openings);
    }
    match (entry.choice(BoundaryWord::WORDS)?, top) {
        (BoundaryWord::Top, Some(top)) => {
            let most = openings.len().saturating_sub(1).max(1);
            Some(Boundary::Top(top.integer(1..=most)?))
        }
        (BoundaryWord::Top, None) => {
            let help = "for example: top = 48";
            entry.fail(Problem::missing("`top` says how many").help(help))
        }
        (BoundaryWord::Mean, top) => {
            refuse_top(top);
            Some(Boundary::Mean)
        }
    }
}

fn refuse_top(top: Option<Entry<'_>>) {
    if let Some(top) = top {
        top.error("`top` belongs to another boundary", "boundary = \"top\"");
    }
}

fn start(entry: &Entry<'_>, openings: &Openings) -> Option<Boundary> {
    let number = StartNumber(entry.integer(0..=u32::MAX)?);
    if (0..openings.len()).any(|index| openings.number(index) == Some(number)) {
        return Some(Boundary::Start(number));
    }
    let title = format!("start {number} is not one of the event's positions");
    let help = "boundary is \"mean\", \"top\", or the number of a start that is played";
    entry.refuse(title, help)
}

/// The pairs of a cycle on each position.
fn encounters(format: &Format, participants: usize) -> u64 {
    let all = participants as u64;
    match format {
        Format::Match => 1,
        Format::RoundRobin => all * all.saturating_sub(1) / 2,
        Format::Gauntlet { heroes } => {
            let heroes = heroes.len() as u64;
            heroes * all.saturating_sub(heroes)
        }
        // Refused with [adaptive].
        Format::Elimination(..) | Format::Swiss(_) | Format::Stages(_) => 0,
    }
}

words! {
    /// What positions are told apart by, where it is no start number.
    pub(in crate::config) enum BoundaryWord { "mean" => Mean, "top" => Top }
    /// Where a test ends.
    pub(in crate::config) enum Bounds { "corrected" => Corrected, "wald" => Wald, "truncated" => Truncated }
}

words! {
    Model { "normalized" => Normalized, "logistic" => Logistic, "bayesian" => Bayesian }
    TestUnit { "starts" => Starts, "pairs" => Pairs, "games" => Games, "cutechess" => Cutechess }
    TestedAgainst { "each-other" => EachOther, "others" => Others }
    AtDecision { "finish" => Finish, "void" => Void }
}

keys! {
    /// The values of `[sprt]`.
    SprtKeys<'a>, "sprt", "[sprt]", "A sequential probability ratio test between two engines: games are played until it decides (docs/statistics.md).";

    /// H0: the first engine is no better than this.
    elo0: f64 [= 0] Number(-1000.0, 1000.0), in "Elo of `model`", "elo0 = 0";
    /// H1: the first engine is at least this much better.
    elo1: f64 [= 5] Number(-1000.0, 1000.0), in "Elo of `model`", "elo1 = 5",
        refused ["not above `elo0`"];
    /// The probability of accepting H1 where H0 is true.
    alpha: f64 [= 0.05] Number(1e-6, 0.4999), in "probability", "alpha = 0.05";
    /// The probability of accepting H0 where H1 is true.
    beta: f64 [= 0.05] Number(1e-6, 0.4999), in "probability", "beta = 0.1";
    /// The Elo of `elo0` and `elo1`: normalized by the spread of the results, logistic (the usual Elo), or BayesElo.
    model: Model [= "normalized"], "model = \"logistic\"";
    /// Where the test ends: at Wald's bounds, as in other runners; at those corrected for overshoot, which ends earlier;
    /// or at wider ones, and at `max_pairs` by the ratio, so that it always decides.
    bounds: Bounds [= "corrected"], "bounds = \"wald\"",
        refused ["\"truncated\" with another model than normalized, with single games, or with too few `max_pairs`"];
    /// What is counted: pairs, those on one start as one observation; pairs or games as if independent, which holds
    /// for just these starts; or games by cutechess-cli's ratio.
    unit: TestUnit [or "\"starts\""], "unit = \"games\"",
        refused ["\"pairs\" or \"starts\" with pair_games = 1"];
    /// Whom the two engines meet: each other; or, as the heroes of a gauntlet, the same others on the same starts.
    against: TestedAgainst [= "each-other"], "against = \"each-other\"",
        refused ["\"others\" without two heroes, with draw = \"next\", another `model`, single games, `within` or \"truncated\""];
    /// Whether games that run when the test is decided are finished or voided.
    running: AtDecision [= "finish"], "running = \"void\"";
    /// The test also ends when the difference is known to ± this, by the interval that may be watched all the time.
    within: f64 [or "no such end"] Number(0.1, 1000.0), in "Elo", "within = 5",
        refused ["where single games are counted"];
    /// The end without a decision; with bounds = "truncated" the end with one.
    max_pairs: u64 [= 100000] Whole(1, 1_000_000_000), in "pairs of games", "max_pairs = 20000";
    /// The end of a run without a decision.
    max_hours: Duration [or "no limit"] Number(0.001, 1e5), in "hours", "max_hours = 12";
}

keys! {
    /// The values of `[adaptive]`.
    AdaptiveKeys<'a>, "adaptive", "[adaptive]", "After some pairs on every position, further pairs go to positions in doubt (docs/statistics.md).";

    /// The question: above the mean of all positions; among the `top` ones; or above one start, by its number.
    boundary: Entry<'a> [required] Either(&[BoundaryWord::KIND, Whole(0, u32::MAX as i128)]),
        "boundary = \"mean\"\nmax_pairs = 10000",
        refused ["a start that is not played", "\"top\" without `top`"];
    /// How many are the top.
    top: Entry<'a> [or "none"] Whole(1, u32::MAX as i128), in "positions",
        "boundary = \"top\"\ntop = 48\nmax_pairs = 10000",
        refused ["without boundary = \"top\"", "not fewer than the event's positions"];
    /// A position gets no more pairs if its probability to be on the other side of the boundary is at most this.
    threshold: f64 [= 0] Number(0.0, 0.4999), in "probability",
        "boundary = \"mean\"\nmax_pairs = 10000\nthreshold = 0.01";
    /// Pairs per position before the first choice.
    min_pairs: u32 [= 2] Whole(2, 1_000_000), in "pairs of games",
        "boundary = \"mean\"\nmax_pairs = 100000\nmin_pairs = 4";
    /// How many positions are chosen at once.
    batch: u32 [or "a quarter of the positions"] Whole(1, 10_000_000), in "positions",
        "boundary = \"mean\"\nmax_pairs = 10000\nbatch = 96";
    /// The end of the event.
    max_pairs: u64 [required] Whole(1, 1_000_000_000), in "pairs of games",
        "boundary = \"mean\"\nmax_pairs = 10000",
        refused ["not more than the first pairs on all positions"];
}
