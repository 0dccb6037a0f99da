//! All statistics of a collection of games, in one value.

use serde::Serialize;

use crate::stats::counts::Trinomial;
use crate::stats::duplicates::{DuplicateReport, StartDuplicates};
use crate::stats::elo::elo_from_score;
use crate::stats::games::{Cell, GameFlags, GameTable, SummaryCounts};
use crate::stats::match_statistics::DEFAULT_LEVEL;
use crate::stats::numeric::beside;
use crate::stats::ratings::RatingInput;
use crate::tournament::{Rating, Ratings};

use super::collection::{Collection, CollectionSource};
use super::encounter::{EncounterReport, SelectedReport, SequentialReport, selected};
use super::engines::{IdleUse, NodeUse};
use super::field::{FieldReport, RatingModel, StatisticsOptions, TieBreaks, USUAL_MARGIN};
use super::first_move::FirstMoveReport;

/// The version of the JSON; fields may be added without a new number.
const SCHEMA: u32 = 1;

/// All statistics. Field names are the same as in the reference vectors.
#[derive(Debug, Clone, Serialize)]
pub struct EventStatistics {
    /// The version of this layout.
    pub schema: u32,
    /// Where the games came from.
    pub sources: Vec<CollectionSource>,
    /// The engines.
    pub engines: Vec<String>,
    /// The limits of the games.
    pub limits: Vec<String>,
    /// Names under which several programs or limits played; each is a separate engine.
    pub told_apart: Vec<String>,
    /// Nodes searched against the limit, by engine, from a sample of an event's games.
    pub node_use: Vec<NodeUse>,
    /// Processor time that engines used while their opponents thought, by event and engine.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub idle_use: Vec<IdleUse>,
    /// The headlines without forfeits, and without those that the host caused.
    pub selections: Vec<SelectedReport>,
    /// One engine against itself: the score between its copies has no meaning.
    pub self_play: bool,
    /// An event among the sources is being played now.
    pub running: bool,
    /// Which positions got the pairs, in words, if in any event of the sources that depended on results.
    pub adaptive: Option<String>,
    /// Probability of all intervals.
    pub level: f64,
    /// Games counted and not counted.
    pub games: GameCounts,
    /// All games counted, from White's side: `[losses, draws, wins]`.
    pub white: Trinomial,
    /// Copies of games.
    pub duplicates: DuplicateReport,
    /// Complete pairs, and those whose two games have the same moves.
    #[serde(skip)]
    pub(crate) mirrored: [u64; 2],
    /// Two engines; in self-play the null check.
    #[serde(rename = "match")]
    pub encounter: Option<EncounterReport>,
    /// The event's SPRT.
    pub sprt: Option<SequentialReport>,
    /// Ratings; `None` in self-play and for one engine.
    pub ratings: Option<FieldReport>,
    /// The first-move advantage.
    pub first_move: FirstMoveReport,
    /// White's results at each start.
    pub starts: Vec<StartRecord>,
    /// Ratings were requested, even for two engines.
    #[serde(skip)]
    pub(crate) shows_ratings: bool,
    #[serde(skip)]
    pub(crate) counted: GameTable,
}

/// Games counted and not counted (requirement R1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct GameCounts {
    /// What is counted: games, complete and incomplete pairs, single games.
    #[serde(flatten)]
    pub pairs: SummaryCounts,
    /// Games that replay earlier ones; not counted.
    pub replays: usize,
    /// Games that coincide with earlier ones; counted.
    pub coincidences: usize,
    /// Games decided by time, an illegal move or a crash; counted.
    pub forfeits: usize,
    /// Forfeits that the host is to blame for; counted.
    pub host_faults: usize,
    /// Games ended by adjudication; counted.
    pub adjudicated: usize,
    /// Games without a result; not counted.
    pub unfinished: u64,
    /// Games that cannot be read or break the rules; not counted.
    pub unreadable: u64,
    /// Voided games in the logs; not counted.
    pub voided: u64,
    /// Games that were read twice, from two sources or one; counted once.
    pub repeated: u64,
}

/// White's results from one start.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StartRecord {
    /// The key inside the program.
    #[serde(skip)]
    pub start: u32,
    /// The start number, where it has one.
    pub number: Option<u32>,
    /// White's first rank; the position's name where it has no number.
    pub back_rank: String,
    /// Black won, drawn, White won.
    pub results: [u32; 3],
    /// Copies among its games, replays included.
    pub copies: Option<StartDuplicates>,
}

impl EventStatistics {
    /// Computes what the text shows, at the usual level.
    pub fn new(collection: &Collection) -> EventStatistics {
        Self::anchored(collection, &StatisticsOptions::default(), &[])
    }

    /// The same, with the numbers that only tables for programs show.
    pub fn with_everything(collection: &Collection) -> EventStatistics {
        let options = StatisticsOptions {
            everything: true,
            equivalence: Some(USUAL_MARGIN),
            ..StatisticsOptions::default()
        };
        Self::anchored(collection, &options, &[])
    }

    /// As [`Self::new`], with another rating model, with anchors, or with everything.
    ///
    /// # Errors
    /// The games have no engine of an anchor's name.
    pub fn with(
        collection: &Collection,
        options: &StatisticsOptions,
    ) -> Result<EventStatistics, String> {
        let anchors = options.anchored(collection)?;
        Ok(Self::anchored(collection, options, &anchors))
    }

    fn anchored(
        collection: &Collection,
        options: &StatisticsOptions,
        anchors: &[(u16, f64)],
    ) -> EventStatistics {
        let level = DEFAULT_LEVEL;
        let all = &collection.table;
        let counted = match collection.duplicates.replays {
            0 => all.clone(),
            _ => all.without(GameFlags::REPLAY),
        };
        let input = RatingInput::new(&counted);
        let several = counted.engines().len() > 1 && !collection.self_play;
        let tie_breaks = || TieBreaks::of_results(collection.tie_breaks.as_deref());
        let field = || FieldReport::new(&input, level, options, anchors, tie_breaks());
        // Two threads share the work: ratings on this one, the first move on the other.
        let first_move = || FirstMoveReport::new(collection, &input, level, options);
        let (ratings, first_move) = beside(|| several.then(field), first_move);
        let two = counted.engines().len() == 2;
        let with_games = collection.sources.iter().filter(|source| source.games > 0);
        let is_of_one = with_games.count() == 1;
        let test = collection.test.clone();
        let test = test.filter(|test| is_of_one && (two || test.heroes().is_some()));
        EventStatistics {
            schema: SCHEMA,
            engines: counted.engines().to_vec(),
            limits: collection.limits.clone(),
            told_apart: collection.told_apart.clone(),
            mirrored: collection.mirrored,
            node_use: collection.node_use.clone(),
            idle_use: collection.idle_use.clone(),
            selections: selected(&counted, collection.self_play, level),
            self_play: collection.self_play,
            running: collection.sources.iter().any(|source| source.running),
            adaptive: collection.sources.iter().find_map(|s| s.adaptive.clone()),
            level,
            games: game_counts(collection, &input),
            white: Trinomial(total(&input.colours)),
            duplicates: collection.duplicates.clone(),
            encounter: EncounterReport::new(all, &counted, &input, test.as_ref(), level),
            sprt: test.map(|test| SequentialReport::new(test, level)),
            ratings,
            first_move,
            starts: starts(collection, &input.cells),
            sources: collection.sources.clone(),
            shows_ratings: options.model != RatingModel::default() || !options.anchors.is_empty(),
            counted,
        }
    }

    /// The same for a run that has just ended, whose store is still locked.
    pub fn of_a_finished_run(mut self) -> EventStatistics {
        self.running = false;
        self.sources.iter_mut().for_each(|s| s.running = false);
        self
    }

    /// The rating of every engine that has one. With three engines or more it is the rating by all games together; with
    /// two, the difference to the other, by the test that ended the event if there was one.
    pub(crate) fn ratings_by_engine(&self) -> Ratings {
        if let Some(encounter) = &self.encounter {
            let stopped = self.sprt.as_ref().and_then(|test| test.estimate.as_ref());
            let stopped = stopped.map(|stopped| {
                let stage = &stopped.stagewise;
                [stage.elo, stage.lo, stage.hi]
            });
            let measured = encounter.statistics.as_ref().map(|values| {
                let ends = &values.profile;
                [elo_from_score(values.score), ends.elo_lo, ends.elo_hi]
            });
            let found = stopped.or(measured).filter(|_| !self.self_play);
            let both = found.map(|[elo, lo, hi]| [[elo, lo, hi], [-elo, -hi, -lo]]);
            let rated = self.engines.iter().zip(both.into_iter().flatten());
            let rating = |(name, [elo, low, high]): (&String, [f64; 3])| {
                Some((name.clone(), Rating::estimated(elo, [low, high])?))
            };
            return rated.filter_map(rating).collect();
        }
        let Some(field) = &self.ratings else {
            return Ratings::new();
        };
        let all = self.engines.iter().enumerate();
        let rated =
            all.filter_map(|(place, name)| Some((name.clone(), field.rating(place, name)?)));
        rated.collect()
    }

    /// Whether two engines played the same moves in both games of every pair.
    pub(crate) fn is_mirrored(&self) -> bool {
        let [pairs, mirrored] = self.mirrored;
        pairs > 1 && mirrored == pairs && self.engines.len() == 2 && !self.self_play
    }

    /// The number of a start, or its name.
    pub(crate) fn start_label(&self, start: u32) -> String {
        match self.start(start).map(|one| (one.number, &one.back_rank)) {
            Some((None, name)) => name.clone(),
            Some((Some(number), _)) => number.to_string(),
            None => start.to_string(),
        }
    }

    /// A start with games.
    pub fn start(&self, start: u32) -> Option<&StartRecord> {
        let place = self.starts.binary_search_by_key(&start, |one| one.start);
        self.starts.get(place.ok()?)
    }
}

fn game_counts(collection: &Collection, input: &RatingInput) -> GameCounts {
    let flagged = |flags| {
        let rows = collection.table.rows();
        rows.filter(|row| row.flags.intersects(flags)).count()
    };
    let sum = |count: fn(&CollectionSource) -> u64| collection.sources.iter().map(count).sum();
    GameCounts {
        pairs: input.pairing.counts(),
        replays: collection.duplicates.replays,
        coincidences: collection.duplicates.coincidences,
        forfeits: flagged(GameFlags::FORFEIT),
        host_faults: flagged(GameFlags::HOST_FAULT),
        adjudicated: flagged(GameFlags::ADJUDICATED),
        unfinished: sum(|source| source.unfinished),
        unreadable: sum(|source| source.unreadable),
        voided: sum(|source| source.voided),
        repeated: sum(|source| source.repeated),
    }
}

/// Black won, drawn, White won.
fn total(cells: &[Cell]) -> [u64; 3] {
    let mut results = [0; 3];
    for cell in cells {
        (0..3).for_each(|i| results[i] += u64::from(cell.results[i]));
    }
    results
}

fn starts(collection: &Collection, cells: &[Cell]) -> Vec<StartRecord> {
    let known = &collection.starts;
    let one = |group: &[Cell]| {
        let start = group[0].start;
        let back_rank = known.back_rank(start);
        StartRecord {
            start,
            number: known.number(start).map(|number| number.0),
            back_rank: back_rank.unwrap_or_else(|| known.label(start)),
            results: total(group).map(|games| games as u32),
            copies: collection.duplicates.of_start(start).copied(),
        }
    };
    cells.chunk_by(|a, b| a.start == b.start).map(one).collect()
}
