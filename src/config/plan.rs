//! The settings that decide the games of an event, read together because each depends on others; and values for keys
//! that the event file does not have, from the command line and from the record of an event that has begun.

use std::num::NonZeroUsize;

use super::engine::{self, ReadEngine, SharedSettings};
use super::event::EventKeys;
use super::files::Context;
use super::positions::{self, Positions, PositionsContext};
use super::problem::Problem;
use super::section::{DEFAULTS, EntryPlace, Section};
use super::stages::{self, ReadRound};
use super::stopping::{read_adaptive, read_sprt};
use super::time::{Time, TimeKeys};
use super::tournament::{AdaptiveSettings, SprtSettings, Tournament, limits_of_games};
use super::{event, participants, playoffs, rounds, season, time};
use crate::chess::start::Variant;
use crate::clock::{Limits, TimeLimit};
use crate::event::Disqualified;
use crate::event::identity::{EventIdentity, PublicDraw, TestedAgainst, combined_seed};
use crate::event::{OpeningRules, PositionDraw};
use crate::referee::{Compatibility, HostFaults};
use crate::schedule::{Format, Openings};
use crate::stats::sprt::TestUnit;
use crate::text::count;

/// Maximum number of engines of an event: round-robins grow with their square.
const MAX_ENGINES: usize = 1000;

/// The command line's values, which replace the event file's, and the defaults if neither has a value.
#[derive(Clone, Copy, Default)]
pub struct Overrides<'a> {
    /// `--seed`.
    pub seed: Option<u64>,
    /// `--concurrency`.
    pub concurrency: Option<NonZeroUsize>,
    /// What an event of this name has recorded, if it has begun.
    pub recorded: Option<&'a RecordedOf<'a>>,
    /// Asked what the engines refuse.
    pub trial: Option<&'a EngineTrial<'a>>,
    /// The seed of an event that has not begun, if none is given.
    pub drawn: Option<u64>,
    /// The event is rehearsed: former events may be rehearsals, too.
    pub rehearsal: bool,
    /// Whose way is followed where programs differ.
    pub compatibility: Compatibility,
}

/// What an event of a name has recorded.
type RecordedOf<'a> = dyn Fn(&str) -> Option<EventIdentity> + 'a;

/// An engine cannot play the event as its file asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedByEngine {
    /// Its name in the event file.
    pub(crate) engine: String,
    /// The option that it refuses, if it is one.
    pub(crate) option: Option<String>,
    pub(crate) words: String,
}

/// Starts the engines of an event, of whose file it is known whether it has errors.
pub(crate) type EngineTrial<'a> = dyn Fn(&Tournament, bool) -> Vec<RefusedByEngine> + 'a;

/// The settings that decide the games of an event.
pub(super) struct EventPlan<'a> {
    pub(super) event: EventKeys<'a>,
    pub(super) name: String,
    pub(super) recorded: Option<EventIdentity>,
    pub(super) seed: Seed,
    pub(super) positions: Positions,
    pub(super) engines: Vec<ReadEngine<'a>>,
    pub(super) limits_by_colour: Option<[Limits; 2]>,
    pub(super) rounds: Vec<ReadRound<'a>>,
    pub(super) format: Format,
    pub(super) sprt: Option<SprtSettings>,
    pub(super) adaptive: Option<AdaptiveSettings>,
    pub(super) draw: PositionDraw,
    pub(super) making: Option<OpeningRules>,
    pub(super) games: Option<u64>,
}

/// The seed, and what it was made of.
pub(super) struct Seed {
    pub(super) seed: u64,
    /// Whether it was drawn, because it is given nowhere.
    pub(super) is_drawn: bool,
    pub(super) public: Option<PublicDraw>,
}

impl Seed {
    fn new(event: &EventKeys<'_>, overrides: &Overrides<'_>, recorded: Option<u64>) -> Seed {
        let named = overrides.seed.or(event.seed.value);
        let public = event::public_draw(event, named);
        let announced = public.as_ref().and_then(|public| {
            let announced = public.announced.as_ref()?;
            Some(combined_seed(public.seed, announced))
        });
        let known = announced.or(named).or(recorded);
        Seed {
            seed: known.or(overrides.drawn).unwrap_or(0),
            is_drawn: known.is_none(),
            public,
        }
    }
}

impl<'a> EventPlan<'a> {
    pub(super) fn read(
        root: &mut Section<'a>,
        overrides: &Overrides<'_>,
        context: &Context<'a>,
    ) -> EventPlan<'a> {
        let event = event::read(root);
        let name = event.name.entry.as_ref().and_then(event::folder_name);
        let name = name.unwrap_or_default();
        let recorded = overrides.recorded.and_then(|recorded| recorded(&name));
        let known = recorded.as_ref();
        let seed = Seed::new(&event, overrides, known.map(|known| known.seed));
        let surroundings = PositionsContext {
            variant: event.known_variant(),
            seed: seed.seed,
            recorded_order: known.map(|known| known.order.is_some()),
            public: event.public_source.is_written(),
            pairs: event.pairs.value,
            context,
        };
        let example = "[positions] with all = true, or sample = 50";
        let table = root.required("positions", example);
        let table = table.and_then(|entry| entry.table());
        let (positions, drawn, making) = positions::read(table, &surroundings);
        let (engines, shared) = engines(root, &event, context);
        let mut engines = stages::select(root, engines, context);
        let read_rounds = stages::read_rounds(root.tables("round"), &shared.time);
        let in_rounds = in_rounds(root, (&event, &engines), &shared.time, positions.as_ref());
        participants::check_limits(&engines, &shared.time, &root.part("time").place());
        let format = participants::check(&event, &mut engines, in_rounds, root);
        let starts = positions.as_ref().map(|positions| positions.openings.len());
        let known_unit = known.and_then(|known| Some(known.sprt?.unit));
        let sprt = sprt(root, &event, starts, known_unit, (&engines, &format));
        let tested = sprt.is_some();
        let adaptive = adaptive(root, &event, tested, positions.as_ref(), &format, &engines);
        let games = games(&event, tested || adaptive.is_some(), &engines);
        let open_ended = tested || adaptive.is_some() || event.games.value.is_some();
        let compared = is_compared_on_every_start(sprt.as_ref(), &engines);
        let draw = rounds::check_draw(drawn.as_ref(), &event, &format, open_ended, compared);
        check_sides(shared.time.sides_at.as_ref(), &engines);
        event::check_turns(&event, draw, adaptive.is_some(), &root.place());
        let making = positions::made::check(making, &event, &engines, open_ended, draw);
        let unread = Openings::book(Variant::Chess960, Vec::new());
        EventPlan {
            event,
            name,
            recorded,
            seed,
            positions: positions.unwrap_or_else(|| Positions::new(unread, String::new())),
            engines,
            limits_by_colour: shared.time.by_colour(None),
            rounds: read_rounds,
            format,
            sprt,
            adaptive,
            draw,
            making,
            games,
        }
        .checked()
    }

    /// A search on the opponent's time keeps to no limit of nodes or depth, in a stage or a playoff either.
    fn checked(self) -> EventPlan<'a> {
        let is_counted = |limits: &Limits| limits.nodes.is_some() || limits.depth.is_some();
        if self.limits_of_games().iter().any(is_counted) {
            for engine in self.engines.iter().filter(|engine| engine.spec.ponder) {
                let title = "this engine thinks on its opponent's time, and games have a limit of nodes or depth";
                let help =
                    "ponder = false, or a clock in [time], [[round]], [[stage]] and [[playoff]]";
                engine.place.error(title, help);
            }
        }
        self
    }

    /// Whether results decide how many games are played, or who meets whom.
    pub(super) fn follows_results(&self) -> bool {
        self.sprt.is_some() || self.adaptive.is_some() || self.draw.is_in_rounds()
    }

    /// Default for a game that the host has spoilt.
    pub(super) fn usual_host_faults(&self) -> HostFaults {
        let mut own = self.engines.iter().map(|engine| &engine.spec.limits);
        let is_timed = |limits: &Limits| limits.time != TimeLimit::None;
        let of_games = self.limits_of_games();
        match &self.recorded {
            Some(recorded) => recorded.adjudication.host_faults,
            None if own.any(is_timed) || of_games.iter().any(is_timed) => HostFaults::Replay,
            None => HostFaults::Count,
        }
    }

    /// The limits of games that are not those of their engines.
    fn limits_of_games(&self) -> Vec<Limits> {
        let rounds = stages::limits_of(&self.rounds);
        limits_of_games(&self.format, (self.limits_by_colour.as_ref(), &rounds))
    }

    /// Default for the games of a disqualified engine.
    pub(super) fn usual_fate(&self) -> Disqualified {
        match &self.recorded {
            // With two engines no other engine is affected.
            _ if self.follows_results() || self.engines.len() < 3 => Disqualified::Keep,
            Some(recorded) => recorded.faults.disqualified,
            None => Disqualified::Half,
        }
    }

    pub(super) fn cycles(&self) -> u32 {
        match (&self.adaptive, self.making) {
            (Some(adaptive), _) => adaptive.terms.min_pairs,
            (None, Some(making)) if making.system.places() => 1,
            (None, _) => self.event.pairs.value,
        }
    }
}

/// The format of an event in which results decide who meets whom.
fn in_rounds<'a>(
    root: &mut Section<'a>,
    (event, engines): (&EventKeys<'a>, &[ReadEngine<'a>]),
    time: &Time<'_>,
    positions: Option<&Positions>,
) -> Option<Format> {
    let playoffs = playoffs::read(root.tables("playoff"), time, engines);
    let tables = (root.tables("stage"), &root.absent("knockout"));
    match season::read(tables, (event, engines), (time, &playoffs), positions) {
        Some(stages) => Some(Format::Stages(stages)),
        None => rounds::read(root, event, engines, playoffs),
    }
}

/// Whether games say something only beside others from the same start.
fn is_compared_on_every_start(sprt: Option<&SprtSettings>, engines: &[ReadEngine<'_>]) -> bool {
    sprt.is_some_and(|sprt| sprt.terms.against == TestedAgainst::Others)
        || engines.iter().any(|engine| engine.spec.copies > 1)
}

fn engines<'a>(
    root: &mut Section<'a>,
    event: &EventKeys<'_>,
    context: &Context<'_>,
) -> (Vec<ReadEngine<'a>>, SharedSettings<'a>) {
    let time = time::read(TimeKeys::read(root.part("time")));
    // What is shown of an engine, and what its start is tried with, are White's limits.
    let by_colour = time.by_colour(None).map(|[white, _]| white);
    let limits = by_colour.or_else(|| time.limits(None));
    let shared = SharedSettings { time, limits };
    let defaults = root.table(DEFAULTS);
    let tables = root.tables("engine");
    if let Some(first_too_many) = tables.get(MAX_ENGINES) {
        let engines = count(tables.len(), "engine");
        let title = format!("{engines} are more than the {MAX_ENGINES} that an event can have");
        first_too_many.error(title, "make several events of it");
    }
    let variant = event.known_variant();
    let tables = tables.into_iter().take(MAX_ENGINES);
    let read = |section: Section<'a>| {
        let section = section.with_defaults(defaults.as_ref());
        engine::read(section, &shared, variant, context)
    };
    let engines = tables.map(read).collect();
    if let Some(defaults) = defaults {
        defaults.finish();
    }
    (engines, shared)
}

/// Limits by colour are those of all engines.
fn check_sides(place: Option<&EntryPlace<'_>>, engines: &[ReadEngine<'_>]) {
    let Some(place) = place else { return };
    if let Some(engine) = engines.iter().find(|engine| engine.own_limits) {
        let name = &engine.spec.name;
        let title = format!("limits by colour are for all, and \"{name}\" has limits of its own");
        let help = "take [engine.time] out there, or `white` and `black` here";
        place.error(title, help);
    }
}

/// `games`, if nothing else decides their number.
fn games(event: &EventKeys<'_>, open_ended: bool, engines: &[ReadEngine<'_>]) -> Option<u64> {
    let games = event.games.value?;
    let place = event.games.place()?;
    if open_ended {
        let title = "`games` says nothing here: [sprt] and [adaptive] have max_pairs";
        return place.refuse(title, "take this line out");
    }
    let alone = engines.iter().any(|engine| engine.spec.copies > 1);
    let repeated = alone && engines.iter().all(|engine| engine.spec.repeats_itself());
    if games % 2 == 1 && !repeated {
        let title = "`games` is odd, and games come in pairs with the colours swapped";
        return place.refuse(title, format!("games = {}", games + 1));
    }
    Some(games)
}

/// `[sprt]`, with which `pairs` has no meaning.
fn sprt(
    root: &mut Section<'_>,
    event: &EventKeys<'_>,
    starts: Option<u32>,
    recorded_unit: Option<TestUnit>,
    (engines, format): (&[ReadEngine<'_>], &Format),
) -> Option<SprtSettings> {
    let section = root.table("sprt")?;
    event.pairs.fail_if(true, || {
        let title = "`pairs` says nothing here: with [sprt], cycles go on until it decides";
        Problem::warning(title).help("max_pairs in [sprt] is the limit")
    });
    if engines.iter().any(|engine| engine.spec.copies > 1) {
        let title = "an engine that plays itself is as strong as itself: there is nothing to test";
        section.error(title, "take [sprt] out");
    }
    let of_games = event.games_per_pair() == 1;
    let count = participants::count(engines);
    let usual = match recorded_unit {
        _ if of_games => TestUnit::Games,
        // The default at the time when the event was begun.
        Some(TestUnit::Pairs) => TestUnit::Pairs,
        _ => TestUnit::Starts,
    };
    Some(read_sprt(section, (count, format), starts, usual))
}

/// `[adaptive]`, with which `pairs` has no meaning, and which excludes `[sprt]`.
fn adaptive(
    root: &mut Section<'_>,
    event: &EventKeys<'_>,
    tested: bool,
    positions: Option<&Positions>,
    format: &Format,
    engines: &[ReadEngine<'_>],
) -> Option<AdaptiveSettings> {
    let section = root.table("adaptive")?;
    event.pairs.fail_if(true, || {
        let title = "`pairs` says nothing here: [adaptive] has min_pairs and max_pairs";
        Problem::warning(title).help("take this line out")
    });
    if tested {
        let help = "a test between engines needs positions that do not depend on its results";
        section.error("[adaptive] and [sprt] exclude each other", help);
    }
    read_adaptive(section, &positions?.openings, format, engines)
}
