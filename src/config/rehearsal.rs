//! The rehearsal of an event: the engine inside this program plays instead of each engine, in a hundredth of the time,
//! and the event has a different name.

use std::time::Duration;

use super::tournament::{EngineSpec, Launch, SprtSettings, Tournament};
use crate::clock::{Limits, TimeLimit};
use crate::event::RoundTime;
use crate::platform::orders::Confinement;
use crate::referee::IdlePolicy;
use crate::sparring::Strength;

/// The part of its time that an event has in a rehearsal.
const TIME_SHARE: f64 = 0.01;

/// How far every engine may exceed its clock: flags that fall because a hundredth of the time is too short would show
/// nothing about the event.
const REHEARSAL_MARGIN: Duration = Duration::from_secs(1);

/// Deeper searches of the engine inside take longer than an event's own.
const MAX_DEPTH: u32 = 3;

/// The shortest time for a move, where a hundredth of it is nothing.
const MIN_MOVE_TIME: Duration = Duration::from_millis(1);

/// The name of the rehearsal of an event of this name.
pub(crate) fn rehearsal_name(event: &str) -> String {
    format!("{event} (rehearsal)")
}

impl Tournament {
    /// The rehearsal of this event. It keeps the event's plan, rules and files of results; rounds begin at once, and
    /// nothing that is to be announced is waited for.
    pub(crate) fn rehearsal(self) -> Tournament {
        let of_engines: Vec<_> = self.engines.iter().flat_map(|one| &one.files).collect();
        let mut files = self.files.clone();
        files.retain(|file| !of_engines.contains(&&file.path));
        let count = self.engines.len();
        let engines = (0..).zip(&self.engines);
        let engines = engines.map(|(place, engine)| stand_in(engine, strength(place, count)));
        let at_once = |round: &RoundTime| RoundTime {
            starts: None,
            pause: round.pause.mul_f64(TIME_SHARE),
        };
        let rounds = self.round_limits.iter();
        let mut tournament = Tournament {
            name: rehearsal_name(&self.name),
            engines: engines.collect(),
            files,
            public_draw: None,
            round_times: self.round_times.iter().map(at_once).collect(),
            round_limits: rounds.map(|limits| limits.as_ref().map(of_both)).collect(),
            sprt: self.sprt.map(|sprt| SprtSettings {
                max_time: sprt.max_time.map(|time| time.mul_f64(TIME_SHARE)),
                ..sprt
            }),
            limits_by_colour: self.limits_by_colour.as_ref().map(of_both),
            ..self
        };
        // No bid is waited for.
        let (limits, bids) = tournament.format.times_mut();
        let limits = limits.into_iter();
        limits.for_each(|limits| *limits = of_both(limits));
        bids.into_iter().for_each(|seconds| *seconds = 0);
        // The engine inside this program plays here; its use of processors in its opponents' time is not a fault of the
        // event's engines.
        tournament.faults.idle_cpu.policy = IdlePolicy::Warn;
        tournament
    }
}

/// From 9 for the first engine down to 1 for the last, so that results differ.
fn strength(place: usize, count: usize) -> Strength {
    let others = count.saturating_sub(1).max(1);
    let level = 9 - place.min(others) * 8 / others;
    let level = u8::try_from(level).ok();
    level.and_then(Strength::new).unwrap_or_default()
}

fn stand_in(engine: &EngineSpec, strength: Strength) -> EngineSpec {
    EngineSpec {
        launch: Launch::Sparring,
        options: vec![("Strength".to_owned(), strength.level().to_string())],
        limits: shortened(&engine.limits),
        margin: engine.margin + REHEARSAL_MARGIN,
        may_miss_its_limit: true,
        confinement: Confinement::default(),
        files: Vec::new(),
        listed_files: Vec::new(),
        volatile_files: Vec::new(),
        ..engine.clone()
    }
}

fn shortened(limits: &Limits) -> Limits {
    let timed = limits.time != TimeLimit::None;
    Limits {
        time: match limits.time.scaled(TIME_SHARE) {
            None if timed => TimeLimit::MoveTime(MIN_MOVE_TIME),
            scaled => scaled.unwrap_or_default(),
        },
        nodes: limits.nodes.map(|nodes| (nodes / 100).max(1)),
        depth: limits.depth.map(|depth| depth.min(MAX_DEPTH)),
        ..limits.clone()
    }
}

fn of_both(limits: &[Limits; 2]) -> [Limits; 2] {
    limits.each_ref().map(shortened)
}
