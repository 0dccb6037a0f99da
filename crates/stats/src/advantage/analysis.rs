//! Both layers computed from a table of games.

use crate::games::{Cell, GameTable, Pairing};
use crate::ratings::{ModelFit, RatingInput, elo_of_score};

use super::draws::JointDraws;
use super::equal_strength::{EqualStrength, common_advantage};
use super::hierarchical::selection::NAMED_UP_TO;
use super::hierarchical::tempering::{TEMPER_FROM, dispersion};
use super::hierarchical::{AdvantagePosterior, HierarchicalOptions, PositionPosterior, Prior};
use super::model_free::exact::{benjamini_hochberg, exact_p_value};
use super::model_free::permutation::permutation_p_value;
use super::model_free::{Dispersion, Interaction, MirrorTwins, OneWay};
use super::report::{
    AdvantageReport, EngineByPosition, Equivalence, HierarchicalReport, PositionReport, ShapeReport,
};
use super::values::{PositionValues, engine_values, white_value_groups, white_values};
use super::verdict::verdicts;

/// Options of [`AdvantageReport::new`].
#[derive(Clone, Copy, Debug)]
pub struct AdvantageOptions {
    /// Probability of the intervals.
    pub level: f64,
    /// The position the others are compared with, if there is one.
    pub reference: Option<u32>,
    /// Divide the hierarchical model's counts by the pair dispersion, where it is known well
    /// enough.
    pub temper: bool,
    /// Let the draw parameter vary over positions (model M2).
    pub draw_propensity: bool,
    /// What is assumed of the advantages' distribution.
    pub prior: Prior,
    /// Exact p values of the positions' totals.
    pub exact: bool,
    /// How many joint draws of all advantages are kept.
    pub draws: usize,
    /// Elo within which a position is equivalent to the mean of all.
    pub equivalence: Option<f64>,
    /// Check the model-free analysis' F test with this many random permutations (0: do not;
    /// the time grows with pairs times permutations).
    pub permutations: usize,
    /// Seed of everything sampled.
    pub seed: u64,
}

impl Default for AdvantageOptions {
    fn default() -> Self {
        Self {
            level: 0.95,
            reference: Some(518),
            temper: true,
            draw_propensity: false,
            prior: Prior::default(),
            exact: false,
            draws: 0,
            equivalence: None,
            permutations: 0,
            seed: 960,
        }
    }
}

impl AdvantageReport {
    /// Analyses the games. `mirror_of` gives the start number of a position's
    /// left-right mirror, where there is one.
    pub fn new(
        table: &GameTable,
        options: &AdvantageOptions,
        mirror_of: impl Fn(u32) -> Option<u32>,
    ) -> Self {
        Self::of_input(&RatingInput::new(table), options, mirror_of)
    }

    /// As [`Self::new`], of games that are summarised already.
    pub fn of_input(
        input: &RatingInput,
        options: &AdvantageOptions,
        mirror_of: impl Fn(u32) -> Option<u32>,
    ) -> Self {
        let values = white_values(&input.pairing.pairs);
        let layer_a = OneWay::new(&values, options.level);
        let mirror = MirrorTwins::new(&values, mirror_of, options.level);
        let tau2 = layer_a.as_ref().and_then(|a| a.tau2_pm);
        let common = common_advantage(input);
        let games: f64 = input.colours.iter().map(Cell::games).sum();
        let draws: f64 = input.colours.iter().map(Cell::draws).sum();
        let mut report = Self {
            engines: input.engines.clone(),
            games: games as usize,
            draw_rate: (games > 0.0).then(|| draws / games),
            permutation_p: (options.permutations > 0)
                .then(|| white_value_groups(&input.pairing.pairs))
                .and_then(|g| permutation_p_value(&g, options.permutations, options.seed)),
            mirror_correlation: mirror.zip(tau2).and_then(|(m, tau2)| m.correlation(tau2)),
            mirror,
            dispersion: common
                .as_ref()
                .and_then(|fit| Dispersion::new(&input.cells, &input.pairing.pairs, fit)),
            hier: None,
            shape: None,
            draw_spread: None,
            equivalence: None,
            draws: JointDraws::default(),
            hier_reason: None,
            phi: None,
            phi_applied: 1.0,
            n_selected_s05: None,
            mean_white_score_equal_strength: None,
            mean_white_elo_equal_strength: None,
            bh_selected_q05: None,
            engine_by_position: first_engine(&input.engines, &input.pairing, options.level),
            interaction: Interaction::new(&input.engines, &input.pairing.pairs),
            equal_strength: EqualStrength::new(input, options.level),
            positions: layer_a_positions(&input.cells, &values, layer_a.as_ref()),
            layer_a,
        };
        if options.exact {
            report.add_exact_tests(&input.cells, common.as_ref());
        }
        report.add_hierarchical(input, options);
        report
    }

    fn add_exact_tests(&mut self, cells: &[Cell], common: Option<&ModelFit>) {
        let Some(common) = common else { return };
        let p_values: Vec<f64> = cells
            .chunk_by(|a, b| a.start == b.start)
            .map(|p| exact_p_value(p, common))
            .collect();
        let adjusted = benjamini_hochberg(&p_values);
        self.bh_selected_q05 = Some(adjusted.iter().filter(|q| **q <= 0.05).count());
        for (position, (p, q)) in self
            .positions
            .iter_mut()
            .zip(p_values.iter().zip(&adjusted))
        {
            (position.exact_p_two, position.bh_q) = (Some(*p), Some(*q));
        }
    }

    fn add_hierarchical(&mut self, input: &RatingInput, options: &AdvantageOptions) {
        match self.fit_hierarchical(input, options) {
            Ok(fit) => self.enter(input, &fit, options),
            Err(error) => self.hier_reason = Some(error.to_string()),
        }
    }

    /// Fits the hierarchical model, with tempered counts where that is wanted and the dispersion is known
    /// well enough.
    fn fit_hierarchical(
        &mut self,
        input: &RatingInput,
        options: &AdvantageOptions,
    ) -> Result<AdvantagePosterior, super::hierarchical::AdvantageError> {
        let engines = input.engines.len();
        let plain = HierarchicalOptions {
            level: options.level,
            reference: options.reference,
            draw_propensity: options.draw_propensity,
            prior: options.prior,
            seed: options.seed,
            draws: options.draws,
            equivalence: options.equivalence,
            ..HierarchicalOptions::default()
        };
        let layer_a = self.layer_a.as_ref();
        // One pair a position: nothing to estimate it from, so nothing is corrected.
        self.phi = layer_a.map(|_| 1.0);
        if let Some(msw) = layer_a.and_then(|a| a.msw) {
            self.phi = dispersion(input, &plain, msw)?;
        }
        let enough = layer_a.is_some_and(|a| a.df2 >= TEMPER_FROM);
        let applied = self
            .phi
            .filter(|phi| options.temper && enough && *phi > 0.0);
        self.phi_applied = applied.unwrap_or(1.0);
        let phi = self.phi_applied;
        AdvantagePosterior::new(engines, &input.cells, &HierarchicalOptions { phi, ..plain })
    }

    fn enter(&mut self, input: &RatingInput, fit: &AdvantagePosterior, options: &AdvantageOptions) {
        let scores = fit.positions.iter().map(|p| p.white_score);
        let mean = scores.sum::<f64>() / fit.positions.len() as f64;
        self.mean_white_score_equal_strength = Some(mean);
        self.mean_white_elo_equal_strength = Some(elo_of_score(mean));
        self.equal_strength = self.equal_strength.map(|estimate| estimate.around(mean));
        let selected = fit.positions.iter().filter(|p| p.s_value <= NAMED_UP_TO);
        self.n_selected_s05 = Some(selected.count());
        let drawn = self.draw_rate.is_some_and(|share| share > 0.0);
        self.hier = Some(HierarchicalReport::new(&input.engines, fit, drawn));
        self.shape = fit.shape.as_ref().map(ShapeReport::new);
        self.draw_spread = options.draw_propensity.then_some(fit.omega);
        self.equivalence = equivalence(fit, options);
        self.draws = JointDraws::of(fit);
        for (posterior, verdict) in fit.positions.iter().zip(verdicts(&fit.positions)) {
            let found = self
                .positions
                .binary_search_by_key(&posterior.start, |p| p.start);
            let Some(position) = found.ok().and_then(|i| self.positions.get_mut(i)) else {
                continue;
            };
            position.enter(posterior, fit);
            position.verdict = Some(verdict);
        }
    }
}

impl PositionReport {
    fn enter(
        &mut self,
        posterior: &super::hierarchical::PositionPosterior,
        fit: &AdvantagePosterior,
    ) {
        self.alpha = Some(posterior.alpha.value);
        self.sd = Some(posterior.alpha.se);
        (self.lo, self.hi) = (Some(posterior.interval.0), Some(posterior.interval.1));
        self.white_score = Some(posterior.white_score);
        self.elo = Some(posterior.elo);
        (self.elo_lo, self.elo_hi) = (
            Some(posterior.elo_interval.0),
            Some(posterior.elo_interval.1),
        );
        self.p_above_mean = Some(posterior.p_above_mean);
        self.lfsr = Some(posterior.lfsr);
        self.svalue = Some(posterior.s_value);
        self.p_above_reference = posterior.p_above_reference;
        self.s_above_reference = posterior.s_above_reference;
        self.expected_rank = Some(posterior.expected_rank);
        self.alpha_if_normal = posterior.if_normal.map(|(alpha, _)| alpha.value);
        self.p_equivalent = posterior.p_equivalent;
        self.svalue_if_normal = posterior.if_normal.map(|(_, s)| s);
        self.enter_own_intervals(posterior, fit);
    }

    /// An end without a bound, as where White won every game of the position, stays `None`.
    fn enter_own_intervals(
        &mut self,
        posterior: &super::hierarchical::PositionPosterior,
        fit: &AdvantagePosterior,
    ) {
        let Some(own) = posterior.own else { return };
        let bound = |end: f64| end.is_finite().then_some(end);
        let elo = |end: f64| bound(fit.elo(end));
        (self.own_lo, self.own_hi) = (bound(own.usual.0), bound(own.usual.1));
        (self.own_elo_lo, self.own_elo_hi) = (elo(own.usual.0), elo(own.usual.1));
        self.selected_elo_lo = own.selected.and_then(|(low, _)| elo(low));
        self.selected_elo_hi = own.selected.and_then(|(_, high)| elo(high));
    }
}

fn equivalence(fit: &AdvantagePosterior, options: &AdvantageOptions) -> Option<Equivalence> {
    let within = |p: &&PositionPosterior| p.p_equivalent.is_some_and(|p| p >= options.level);
    Some(Equivalence {
        margin_elo: options.equivalence?,
        positions: fit.positions.iter().filter(within).count(),
        p_all: fit.shape?.farthest.all_within?,
    })
}

/// The reference's analysis of the first engine's pair values. With more than two engines its
/// opponents' strength is in the noise; [`Interaction`] takes that out.
fn first_engine(engines: &[String], pairing: &Pairing, level: f64) -> Option<EngineByPosition> {
    Some(EngineByPosition {
        engine: engines.first()?.clone(),
        analysis: OneWay::new(&engine_values(&pairing.pairs, 0), level)?,
    })
}

/// One entry for each position with games, filled with counts and the model-free analysis.
fn layer_a_positions(
    cells: &[Cell],
    values: &[PositionValues],
    layer_a: Option<&OneWay>,
) -> Vec<PositionReport> {
    let one = |group: &[Cell]| {
        let start = group[0].start;
        let games = group
            .iter()
            .map(|cell| cell.results.iter().sum::<u32>())
            .sum();
        let mut position = PositionReport {
            start,
            games,
            ..PositionReport::default()
        };
        if let Ok(index) = values.binary_search_by_key(&start, |v| v.start) {
            let own = &values[index];
            position.pairs = own.pairs as u32;
            position.raw = Some(own.mean());
            let shrunken = layer_a.and_then(|a| a.shrink(own));
            position.shrunk_a = shrunken.map(|s| s.mean);
            position.shrunk_a_sd = shrunken.map(|s| s.sd);
            position.reliability = shrunken.map(|s| s.reliability);
        }
        position
    };
    cells.chunk_by(|a, b| a.start == b.start).map(one).collect()
}
