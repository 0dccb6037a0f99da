//! How an adaptive event continues, once all that was planned is played.
//!
//! **Invariant: a choice depends on complete batches alone.** The pairs of a batch end in any
//! order. The next batch is chosen when the last of them is settled, from the results in the
//! order of the plan.

use std::sync::Arc;

use crate::config::{AdaptiveSettings, Tournament};
use crate::event::PairId;
use crate::event::identity::Boundary;
use crate::run::continuation::{Continuation, Next, PlannedSoFar};
use crate::run::error::RunError;
use crate::schedule::{Chosen, PairSpec, Plan};
use crate::stats::advantage::{AdvantageOptions, AdvantageReport};
use crate::stats::games::{GameFlags, GameRow, GameTable};
use crate::stats::planning::{BoundaryRule, Candidate, doubts_of_best};
use crate::stats::ratings::RatingInput;
use crate::store::Reader;

/// The doubt of a position of which nothing is known.
const UNKNOWN: f64 = 0.5;

/// The rule of an adaptive event.
#[derive(Debug)]
pub(crate) struct Adaptive {
    tournament: Arc<Tournament>,
    settings: AdaptiveSettings,
}

impl Continuation for Adaptive {
    fn key(&self) -> &'static str {
        "adaptive_batch_"
    }

    fn is_spent(&self, plan: &Plan) -> bool {
        plan.len() >= self.settings.max_pairs
    }

    fn next(&mut self, so_far: &PlannedSoFar<'_>) -> Result<Next, RunError> {
        if !so_far.open.is_empty() {
            return Ok(Next::Wait);
        }
        let openings = self.choose(so_far.plan, &so_far.store.reader()?)?;
        let mut pairs = so_far.plan.visiting(&openings);
        let is_out = |pair: &PairSpec| so_far.withdrawn.iter().any(|&engine| pair.concerns(engine));
        pairs.retain(|pair| !is_out(pair));
        // Every position is beyond doubt, or nobody is left who could meet.
        Ok(if pairs.is_empty() {
            Next::Over
        } else {
            Next::Chosen(Chosen {
                pairs,
                ..Chosen::default()
            })
        })
    }
}

impl Adaptive {
    /// `None` if the event is not adaptive.
    pub(crate) fn new(tournament: &Arc<Tournament>) -> Option<Adaptive> {
        let settings = tournament.adaptive?;
        let tournament = Arc::clone(tournament);
        Some(Adaptive {
            tournament,
            settings,
        })
    }

    /// The openings of the next batch; none when every position is beyond doubt.
    fn choose(&self, plan: &Plan, reader: &Reader) -> Result<Vec<u32>, RunError> {
        let doubts = self.doubts(&self.report(plan, reader)?);
        let visits = plan.visits();
        let order = plan.order(0);
        let candidate = |&opening: &u32| Candidate {
            doubt: doubts[opening as usize],
            pairs: u64::from(visits[opening as usize]),
        };
        let candidates: Vec<Candidate> = order.iter().map(candidate).collect();
        let reference = self.reference();
        let rule = BoundaryRule {
            minimum: u64::from(self.settings.terms.min_pairs),
            threshold: self.settings.terms.threshold,
            batch: self.settings.terms.batch as usize,
            reference: order.iter().position(|&opening| Some(opening) == reference),
        };
        let chosen = rule.next_batch(&candidates).into_iter();
        Ok(chosen.map(|place| order[place]).collect())
    }

    /// The opening that all others are compared with.
    fn reference(&self) -> Option<u32> {
        let Boundary::Start(start) = self.settings.terms.boundary else {
            return None;
        };
        let openings = &self.tournament.openings;
        (0..openings.len()).find(|&index| openings.number(index) == Some(start))
    }

    /// The first-move advantages by the games of the plan; starts are openings.
    fn report(&self, plan: &Plan, reader: &Reader) -> Result<AdvantageReport, RunError> {
        let table = self.table(plan, reader)?;
        let input = RatingInput::new(&table);
        let options = AdvantageOptions {
            reference: self.reference(),
            self_play: self.tournament.self_play(),
            ..AdvantageOptions::default()
        };
        Ok(AdvantageReport::of_input(&input, &options, |_| None))
    }

    /// The games in the order of the plan, whatever the order in which they ended.
    fn table(&self, plan: &Plan, reader: &Reader) -> Result<GameTable, RunError> {
        let participants = self.tournament.participants();
        let names = participants.iter();
        let names = names.map(|&seat| self.tournament.participant_name(seat));
        let mut table = GameTable::new(names.collect());
        let place = |seat| participants.iter().position(|other| *other == seat);
        let place = |seat| place(seat).map_or(u16::MAX, |place| place as u16);
        let mut results: Vec<_> = reader.evidence().collect::<Result<_, _>>()?;
        results.retain(|result| result.id.pair < PairId(plan.len()));
        results.sort_unstable_by_key(|result| result.id);
        for result in results {
            let spec = plan.pair(result.id.pair);
            let Some((spec, white_score)) = spec.zip(result.outcome.white_score()) else {
                continue;
            };
            let [white, black] = result.seats.map(place);
            let row = GameRow {
                white,
                black,
                start: spec.opening,
                pair: u32::try_from(result.id.pair.0).ok(),
                result: white_score,
                flags: GameFlags::default(),
            };
            table.push(row).map_err(std::io::Error::other)?;
        }
        Ok(table)
    }

    /// The probability of each opening to lie on the other side of the boundary than it
    /// seems. What the model does not tell is in doubt.
    fn doubts(&self, report: &AdvantageReport) -> Vec<f64> {
        let positions = &report.positions;
        let of_positions: Vec<Option<f64>> = match self.settings.terms.boundary {
            Boundary::Mean => positions.iter().map(|p| p.lfsr).collect(),
            Boundary::Start(_) => {
                let doubt = |above: f64| above.min(1.0 - above);
                let doubts = positions.iter().map(|p| p.p_above_reference.map(doubt));
                doubts.collect()
            }
            Boundary::Top(wanted) => {
                let laws = positions.iter().map(|p| Some([p.shrunk?, p.shrunk_sd?]));
                let laws: Option<Vec<[f64; 2]>> = laws.collect();
                let doubts = laws.and_then(|laws| doubts_of_best(&laws, wanted as usize).ok());
                doubts.map_or_else(Vec::new, |doubts| doubts.into_iter().map(Some).collect())
            }
        };
        let mut doubts = vec![UNKNOWN; self.tournament.openings.len() as usize];
        for (position, doubt) in positions.iter().zip(of_positions) {
            if let Some(doubt) = doubt.filter(|doubt| doubt.is_finite()) {
                doubts[position.start as usize] = doubt;
            }
        }
        doubts
    }
}
