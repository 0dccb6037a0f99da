//! Laws of results drawn at random, and the games they make.

use arbiter960_stats::games::{GameFlags, GameRow, GameScore, GameTable};
use arbiter960_stats::numeric::SplitMix;
use arbiter960_stats::numeric::distributions::{normal_cdf, normal_quantile};
use arbiter960_stats::ratings::models::davidson;

use super::design::Design;

/// How results follow strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResultLaw {
    /// Davidson's.
    Davidson,
    /// Ordered logit.
    OrderedLogit,
    /// Ordered probit, with the slope of the logit.
    OrderedProbit,
}

/// How positions' advantages are distributed: mean 0, variance 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AdvantageShape {
    /// Normal.
    Normal,
    /// Student's t with three degrees of freedom, over √3.
    HeavyTails,
    /// Exponential less its mean.
    Skewed,
    /// ±1 with a tenth of a normal.
    TwoGroups,
    /// 0, but for 5 % of the positions ±√20.
    Sparse,
}

/// Everything that results depend on. Advantages and strengths are logits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Truth {
    /// The law of a result.
    pub law: ResultLaw,
    /// The law of advantages.
    pub shape: AdvantageShape,
    /// Mean advantage.
    pub mean: f64,
    /// Standard deviation of advantages.
    pub spread: f64,
    /// Share of draws between equals.
    pub draws: f64,
    /// Standard deviation over positions of the draw parameter.
    pub draw_spread: f64,
    /// Positions that are played more are more drawish, by this much.
    pub draw_by_number: f64,
    /// Standard deviation of each engine's strength from position to position.
    pub interaction: f64,
    /// Standard deviation of what both games of a pair share for White.
    pub shared: f64,
    /// Strength of the first engine above the last.
    pub apart: f64,
}

/// Games, and what is true of them.
#[derive(Clone, Debug)]
pub(crate) struct SimulatedGames {
    /// The games.
    pub table: GameTable,
    /// White's mean score over these positions, each alike.
    pub white_these: f64,
    /// The same over all of which these are a sample.
    pub white_all: f64,
    /// The same over all if the engines were equally strong; `None` in self-play.
    pub white_equal: Option<f64>,
    /// The first engine's mean score against the second over these positions, each pair alike.
    pub first_these: f64,
    /// The same over all positions.
    pub first_all: f64,
    /// Whether the engines are equally strong on average.
    pub are_equal: bool,
    /// Whether these positions can be a sample of all: a few that carry everything must be among them,
    /// and pairs must not go where an engine is better.
    pub is_sample: bool,
    scores: Vec<(u32, f64)>,
}

/// What pairs share takes one of this number of equally likely values.
const SHARED: usize = 15;
/// Positions of the population from which its means are taken.
const POPULATION: u64 = 3000;

/// One position's own numbers.
struct TruePosition {
    advantage: f64,
    draws: f64,
    strengths: Vec<f64>,
}

impl Truth {
    /// Draws between none and 98.5 %, any shape, and with some chance each other complication.
    pub(crate) fn random(random: &mut SplitMix) -> Self {
        use AdvantageShape::{HeavyTails, Normal, Skewed, Sparse, TwoGroups};
        use ResultLaw::{Davidson, OrderedLogit, OrderedProbit};
        let shapes = [Normal, HeavyTails, Skewed, TwoGroups, Sparse];
        let mut sometimes = |chance: f64, most: f64| {
            let (is_there, size) = (random.uniform() < chance, random.uniform());
            if is_there { most * size } else { 0.0 }
        };
        let (spread, draw_spread) = (sometimes(0.6, 1.0), sometimes(0.4, 1.2));
        let draw_by_number = sometimes(0.3, 2.5);
        let (interaction, shared) = (sometimes(0.3, 0.5), sometimes(0.3, 0.8));
        let apart = sometimes(0.3, 1.5);
        Self {
            law: [Davidson, OrderedLogit, OrderedProbit][random.below(3)],
            shape: shapes[random.below(5)],
            mean: random.uniform() - 0.1,
            spread,
            draws: [0.0, 0.3, 0.5, 0.7, 0.88, 0.95, 0.985][random.below(7)],
            draw_spread,
            draw_by_number,
            interaction,
            shared,
            apart,
        }
    }

    /// Plays a design.
    pub(crate) fn play(&self, design: &Design, seed: u64) -> SimulatedGames {
        self.play_on(design, seed, seed)
    }

    /// Plays a design on positions that `starts` decides: an equal one has the same positions in other games.
    pub(crate) fn play_on(&self, design: &Design, starts: u64, seed: u64) -> SimulatedGames {
        let mut random = SplitMix::new(starts.wrapping_mul(2).wrapping_add(1));
        let starts = design.starts();
        let mut positions: Vec<TruePosition> = starts
            .iter()
            .map(|_| self.position(design, &mut random))
            .collect();
        let numbers = numbers(design);
        let mean_number = numbers.iter().sum::<f64>() / numbers.len() as f64;
        self.follow_numbers(design, &mut positions, &numbers);
        let mut random = SplitMix::new(!seed);
        let names = (0..design.engines).map(|engine| format!("Engine {engine}"));
        let mut table = GameTable::new(names.collect());
        let mut pair = 0;
        for block in &design.blocks {
            let Ok(place) = starts.binary_search(&block.start) else {
                continue;
            };
            for _ in 0..block.pairs {
                let shared = self.shared_value(random.below(SHARED));
                for (white, black) in [(block.first, block.second), (block.second, block.first)] {
                    let law = self.game(&positions[place], white, black, shared);
                    let row = GameRow {
                        white,
                        black,
                        start: block.start,
                        pair: Some(pair),
                        result: drawn(law, &mut random),
                        flags: GameFlags::default(),
                    };
                    // Engines and starts come from the design.
                    let _ = table.push(row);
                }
                pair += 1;
            }
        }
        let own = |(place, start): (usize, &u32)| {
            (*start, self.white_score(design, *start, &positions[place]))
        };
        let scores: Vec<(u32, f64)> = starts.iter().enumerate().map(own).collect();
        let white_these = scores.iter().map(|(_, s)| s).sum::<f64>() / scores.len() as f64;
        let [white_all, white_equal, first_all] = self.population(design, &numbers, mean_number);
        let first = numbers
            .iter()
            .zip(&positions)
            .map(|(n, position)| n * self.first_score(position));
        SimulatedGames {
            first_these: first.sum::<f64>() / numbers.iter().sum::<f64>(),
            table,
            white_these,
            white_all,
            white_equal: (!design.self_play && self.is_plain()).then_some(white_equal),
            first_all,
            are_equal: self.apart == 0.0 || design.self_play,
            is_sample: (self.shape != AdvantageShape::Sparse || starts.len() >= 100)
                && (self.apart == 0.0 || !design.by_goodness),
            scores,
        }
    }

    /// Whether the laws of draws that are compared include this one.
    fn is_plain(&self) -> bool {
        self.draw_spread == 0.0
            && self.draw_by_number == 0.0
            && self.shared == 0.0
            && self.interaction == 0.0
    }

    fn position(&self, design: &Design, random: &mut SplitMix) -> TruePosition {
        let advantage = self.mean + self.spread * self.shape.value(random);
        let draws = self.delta() + self.draw_spread * random.normal();
        let strengths = (0..design.engines).map(|engine| {
            let share = f64::from(engine) / f64::from(design.engines.max(2) - 1);
            let own = self.interaction * random.normal();
            if design.self_play {
                0.0
            } else {
                self.apart * (0.5 - share) + own
            }
        });
        TruePosition {
            advantage,
            draws,
            strengths: strengths.collect(),
        }
    }

    /// Starts that are played more may be better or more drawish.
    fn follow_numbers(&self, design: &Design, positions: &mut [TruePosition], numbers: &[f64]) {
        if design.by_goodness {
            let mut by_number: Vec<usize> = (0..numbers.len()).collect();
            by_number.sort_by(|a, b| numbers[*a].total_cmp(&numbers[*b]));
            let mut advantages: Vec<f64> = positions.iter().map(|p| p.advantage).collect();
            advantages.sort_by(f64::total_cmp);
            for (place, advantage) in by_number.into_iter().zip(advantages) {
                positions[place].advantage = advantage;
            }
        }
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        for (position, number) in positions.iter_mut().zip(numbers) {
            if *number > 1.5 * mean && !design.by_goodness {
                position.draws += self.draw_by_number;
            }
        }
    }

    /// White's mean score over the population, the same at equal strength, and the first's.
    fn population(&self, design: &Design, numbers: &[f64], mean_number: f64) -> [f64; 3] {
        let mut random = SplitMix::new(960);
        let starts = design.starts();
        let (mut sums, mut first_weight) = ([0.0; 3], 0.0);
        for turn in 0..POPULATION {
            let place = turn as usize % starts.len();
            let mut position = self.position(design, &mut random);
            if numbers[place] > 1.5 * mean_number && !design.by_goodness {
                position.draws += self.draw_by_number;
            }
            sums[0] += self.white_score(design, starts[place], &position);
            sums[2] += numbers[place] * self.first_score(&position);
            first_weight += numbers[place];
            position.strengths.fill(0.0);
            sums[1] += self.white_score(design, starts[place], &position);
        }
        let count = POPULATION as f64;
        [sums[0] / count, sums[1] / count, sums[2] / first_weight]
    }

    /// White's expected score over the blocks of a start.
    fn white_score(&self, design: &Design, start: u32, position: &TruePosition) -> f64 {
        let begin = design.blocks.partition_point(|block| block.start < start);
        let blocks = design.blocks[begin..].iter();
        let (mut sum, mut pairs) = (0.0, 0.0);
        for block in blocks.take_while(|block| block.start == start) {
            let weight = f64::from(block.pairs);
            let games = [(block.first, block.second), (block.second, block.first)];
            for (white, black) in games {
                sum += 0.5 * weight * self.expected(position, white, black);
            }
            pairs += weight;
        }
        sum / pairs
    }

    fn first_score(&self, position: &TruePosition) -> f64 {
        0.5 * (self.expected(position, 0, 1) + 1.0 - self.expected(position, 1, 0))
    }

    fn expected(&self, position: &TruePosition, white: u16, black: u16) -> f64 {
        let values = if self.shared > 0.0 { SHARED } else { 1 };
        let score = |k: usize| {
            let shared = if values > 1 {
                self.shared_value(k)
            } else {
                0.0
            };
            let [_, draw, win] = self.game(position, white, black, shared);
            win + 0.5 * draw
        };
        (0..values).map(score).sum::<f64>() / values as f64
    }

    fn shared_value(&self, k: usize) -> f64 {
        if self.shared > 0.0 {
            self.shared * normal_quantile((k as f64 + 0.5) / SHARED as f64)
        } else {
            0.0
        }
    }

    /// Probabilities of loss, draw and win.
    fn game(&self, position: &TruePosition, white: u16, black: u16, shared: f64) -> [f64; 3] {
        let strength = |engine: u16| position.strengths[usize::from(engine)];
        let x = strength(white) - strength(black) + position.advantage + shared;
        let ordered = |cdf: fn(f64) -> f64| {
            // The threshold at which as many games are drawn between equals.
            let draws = 1.0 / (1.0 + 2.0 * (-position.draws).exp());
            let threshold = ((1.0 + draws) / (1.0 - draws)).ln();
            let (win, loss) = (cdf(x - threshold), cdf(-x - threshold));
            [loss, 1.0 - win - loss, win]
        };
        match self.law {
            ResultLaw::Davidson => davidson(x, position.draws),
            ResultLaw::OrderedLogit => ordered(|x| 1.0 / (1.0 + (-x).exp())),
            ResultLaw::OrderedProbit => ordered(|x| normal_cdf(0.6 * x)),
        }
    }

    /// Davidson's parameter with this share of draws.
    fn delta(&self) -> f64 {
        let draws = self.draws.clamp(1e-9, 0.999);
        (2.0 * draws / (1.0 - draws)).ln()
    }
}

impl AdvantageShape {
    pub(super) fn value(self, random: &mut SplitMix) -> f64 {
        match self {
            AdvantageShape::Normal => random.normal(),
            AdvantageShape::HeavyTails => {
                let square: f64 = (0..3).map(|_| random.normal().powi(2)).sum();
                random.normal() / square.sqrt()
            }
            AdvantageShape::Skewed => -(1.0 - random.uniform()).ln() - 1.0,
            AdvantageShape::TwoGroups => {
                let side = if random.uniform() < 0.5 { -1.0 } else { 1.0 };
                side + 0.1 * random.normal()
            }
            AdvantageShape::Sparse if random.uniform() >= 0.05 => 0.0,
            AdvantageShape::Sparse if random.uniform() < 0.5 => -(20.0_f64.sqrt()),
            AdvantageShape::Sparse => 20.0_f64.sqrt(),
        }
    }
}

impl SimulatedGames {
    /// White's true score on a start.
    pub(crate) fn score_of(&self, start: u32) -> Option<f64> {
        let place = self.scores.binary_search_by_key(&start, |(own, _)| *own);
        Some(self.scores[place.ok()?].1)
    }

    /// Standard deviation of these positions' true scores.
    pub(crate) fn sd(&self) -> f64 {
        let count = self.scores.len() as f64;
        let squares = self
            .scores
            .iter()
            .map(|(_, s)| (s - self.white_these).powi(2));
        (squares.sum::<f64>() / (count - 1.0)).sqrt()
    }
}

/// Pairs of each start.
fn numbers(design: &Design) -> Vec<f64> {
    let blocks = design.blocks.chunk_by(|a, b| a.start == b.start);
    let sum = |group: &[super::design::Block]| group.iter().map(|b| f64::from(b.pairs)).sum();
    blocks.map(sum).collect()
}

/// A result with these probabilities of a loss, a draw and a win.
pub(crate) fn drawn([loss, draw, _]: [f64; 3], random: &mut SplitMix) -> GameScore {
    let u = random.uniform();
    GameScore::ALL[usize::from(u >= loss) + usize::from(u >= loss + draw)]
}
