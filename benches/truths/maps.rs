//! Events beside each other, as `compare` puts them: two engines at two limits.

use arbiter960::stats::elo::elo_from_score;
use arbiter960::stats::maps::AdvantageMap;
use arbiter960::stats::maps::components::{Component, MapFactors, VarianceComponents};
use arbiter960::stats::maps::correlation::MapCorrelation;
use arbiter960::stats::maps::difference::MapDifference;
use arbiter960::stats::maps::pooling::{pooled, trend};
use arbiter960::stats::numeric::distributions::two_sided_factor;
use arbiter960::stats::numeric::quadrature::GaussHermite;
use arbiter960::stats::numeric::random::SplitMix;
use arbiter960::stats::ratings::RatingInput;

use crate::population_elo;
use crate::simulated_truths::{Design, Played, TRUTHS};
use crate::tally::{self, Tally};

const STARTS: u32 = 120;
const PAIRS: u32 = 6;

/// Standard deviations, logits: of a start in all maps, with an engine, at a limit, in one map
/// alone; of the maps' means.
const SPREADS: [f64; 4] = [0.5, 0.35, 0.3, 0.25];
const MEANS: f64 = 0.15;

/// Engine and limit of the four maps.
const FACTORS: [(usize, usize); 4] = [(0, 0), (0, 1), (1, 0), (1, 1)];

/// The table, with so many comparisons of four maps.
pub(crate) fn table(events: u64, wanted: &str) -> String {
    let mut tallies = Vec::new();
    for (truth, label) in TRUTHS
        .into_iter()
        .filter(|(_, label)| label.contains(wanted))
    {
        let design = Design::two_engines(truth, STARTS, PAIRS, 1.0);
        let mut tally = Tally::default();
        let first = 1_000_000 * truth as u64 + 1;
        for seed in first..first + events {
            one(&design, seed, &mut tally);
        }
        tallies.push((label, tally));
    }
    format!(
        "### Four maps: two engines at two limits, {STARTS} starts, {PAIRS} pairs\n\n{}",
        tally::table(&tallies)
    )
}

/// What is drawn for the starts.
struct World {
    parts: [Vec<f64>; 9],
    means: [f64; 4],
}

impl World {
    fn new(design: &Design, seed: u64) -> Self {
        let mut generator = SplitMix::new(!seed);
        // Standardised, of the truth's law: common, two engines, two limits, four maps.
        let standard = Design { mu: 0.0, ..*design };
        let mut part = || {
            (0..STARTS)
                .map(|_| standard.advantage(&mut generator))
                .collect()
        };
        let parts = std::array::from_fn(|_| part());
        Self {
            parts,
            means: std::array::from_fn(|_| MEANS * generator.normal()),
        }
    }

    fn alpha(&self, design: &Design, map: usize, start: usize) -> f64 {
        let (engine, limit) = FACTORS[map];
        let of = |part: usize| self.parts[part][start];
        design.mu
            + self.means[map]
            + SPREADS[0] * of(0)
            + SPREADS[1] * of(1 + engine)
            + SPREADS[2] * of(3 + limit)
            + SPREADS[3] * of(5 + map)
    }
}

fn map_of(played: &Played) -> AdvantageMap {
    AdvantageMap::new("map", &RatingInput::new(&played.table), 0.95).expect("a map")
}

fn one(design: &Design, seed: u64, tally: &mut Tally) {
    let world = World::new(design, seed);
    let played: Vec<Played> = (0..4)
        .map(|map| {
            let games = seed.wrapping_mul(16) + map as u64;
            design.play_on(games, |start, _| world.alpha(design, map, start as usize))
        })
        .collect();
    let maps: Vec<AdvantageMap> = played.iter().map(map_of).collect();
    components(design, &played, &maps, &world, tally);
    two_maps(design, &played, &maps, seed, tally);
    means(design, &maps, tally);
}

/// Elo a logit at the mean, by which standard deviations become Elo.
fn slope(design: &Design) -> f64 {
    let rule = GaussHermite::new(15);
    let elo = |alpha: f64| elo_from_score(design.white_score(alpha, &rule));
    (elo(design.mu + 0.3) - elo(design.mu - 0.3)) / 0.6
}

fn components(
    design: &Design,
    played: &[Played],
    maps: &[AdvantageMap],
    world: &World,
    tally: &mut Tally,
) {
    let [engines, limits] =
        [|f: (usize, usize)| f.0, |f: (usize, usize)| f.1].map(|part| FACTORS.map(part));
    let factors = MapFactors::of_labels(&engines, &limits);
    let found = VarianceComponents::new(maps, &factors, 0.95).expect("four maps");
    let scale = slope(design);
    let mut holds = |name: &'static str, component: Option<Component>, spread: f64| {
        let component = component.expect("two by two");
        let truth = scale * spread;
        tally.add(name, component.lo <= truth && truth <= component.hi);
    };
    holds("component: in all maps 95", Some(found.start), SPREADS[0]);
    holds(
        "component: with an engine 95",
        found.start_by_engine,
        SPREADS[1],
    );
    holds("component: at a limit 95", found.start_by_limit, SPREADS[2]);
    holds(
        "component: in one map alone 95",
        Some(found.start_by_map),
        SPREADS[3],
    );
    let named: Vec<bool> = found
        .common
        .iter()
        .filter(|c| c.svalue <= 0.05)
        .map(|c| c.elo * world.parts[0][c.start as usize] <= 0.0)
        .collect();
    let wrong = named.iter().filter(|wrong| **wrong).count();
    tally.add_share(
        "start in all maps: wrong signs among s <= 0.05 (5 if normal)",
        wrong as f64 / named.len().max(1) as f64,
    );
    let factor = two_sided_factor(0.95);
    let joint: Vec<bool> = found
        .joint
        .iter()
        .map(|j| (j.elo - played[j.map].elo[j.start as usize]).abs() <= factor * j.sd)
        .collect();
    tally.add_mean("start in a map, from all maps: interval 95", &joint);
}

fn two_maps(
    design: &Design,
    played: &[Played],
    maps: &[AdvantageMap],
    seed: u64,
    tally: &mut Tally,
) {
    let square = |i: usize| SPREADS[i] * SPREADS[i];
    let truth = (square(0) + square(1)) / (0..4).map(square).sum::<f64>();
    let found = MapCorrelation::new(&maps[0], &maps[1], 0.95).expect("starts in common");
    tally.add(
        "correlation of two maps 95",
        found.lo <= truth && truth <= found.hi,
    );
    let difference = MapDifference::new(&maps[0], &maps[1], 0.95).expect("starts in common");
    let here = played[1]
        .elo
        .iter()
        .zip(&played[0].elo)
        .map(|(b, a)| b - a)
        .sum::<f64>()
        / f64::from(STARTS);
    tally.add(
        "difference of two means: these starts 95",
        (difference.elo - here).abs() <= difference.elo_error_these,
    );
    // The same advantages played again, and others that have nothing in common with them.
    let again = design.play_on(!seed, |start, _| played[0].alphas[start as usize]);
    let again = map_of(&again);
    let parallel = MapDifference::new(&maps[0], &again, 0.95).expect("starts in common");
    if let Some(error) = parallel.elo_error_all
        && !crate::has_interaction(design.truth)
    {
        tally.add("parallel: p of equal maps <= 5", parallel.p_parallel < 0.05);
        tally.add(
            "difference of two equal means: all starts 95",
            parallel.elo.abs() <= error,
        );
    }
    let other = Design {
        tau: 0.6,
        ..*design
    }
    .play(seed.wrapping_mul(31));
    let unrelated = MapCorrelation::new(&maps[0], &map_of(&other), 0.95).expect("starts in common");
    tally.add(
        "unrelated: p of unrelated maps <= 5",
        unrelated.p_unrelated < 0.05,
    );
    tally.add(
        "correlation of unrelated maps: interval holds 0 95",
        unrelated.lo <= 0.0 && 0.0 <= unrelated.hi,
    );
}

/// The maps' means: pooled, their spread, and a trend that is none.
fn means(design: &Design, maps: &[AdvantageMap], tally: &mut Tally) {
    let total = SPREADS.iter().map(|s| s * s).sum::<f64>().sqrt();
    let centre = population_elo(&Design {
        tau: total,
        ..*design
    });
    let factor = two_sided_factor(0.95);
    let values: Vec<(f64, f64)> = maps
        .iter()
        .map(|map| {
            let error = map.mean.elo_error_these.expect("repeated pairs");
            (map.mean.elo, (error / factor).powi(2))
        })
        .collect();
    let found = pooled(&values, 0.95).expect("four maps");
    tally.add(
        "means pooled 95",
        (found.mean - centre).abs() <= found.error,
    );
    let spread = MEANS * slope(design);
    tally.add(
        "spread of the means 95",
        found.spread_lo <= spread && spread <= found.spread_hi,
    );
    let points: Vec<(f64, f64, f64)> = values
        .iter()
        .zip(0..)
        .map(|((y, v), i)| (f64::from(i), *y, *v))
        .collect();
    let line = trend(&points, 0.95).expect("four limits");
    tally.add(
        "trend of the means 95",
        line.slope.abs() <= line.error.expect("scatter"),
    );
}
