//! `[time]` and `[engine.time]`: what bounds the searches; `[timeouts]`: how long to wait
//! where no chess clock runs.

use std::time::Duration;

use super::entry::{Entry, Place};
use super::problem::Problem;
use super::section::Section;
use crate::clock::{FirstIncrement, Limits, TimeControl, TimeLimit};
use crate::referee::Timeouts;

/// Nodes that no search reaches, and that a `go` command can still say.
const MAX_NODES: u64 = 1_000_000_000_000_000;

/// What `[time]` or `[engine.time]` says.
#[derive(Default)]
pub(super) struct Time<'a> {
    /// `None` if the table has no limit.
    limits: Option<Limits>,
    pub(super) margin: Option<Duration>,
    pub(super) nodes_jitter: Option<(f64, Place<'a>)>,
    scale: Option<(f64, Place<'a>)>,
    first_increment: Option<(FirstIncrement, Place<'a>)>,
}

impl Time<'_> {
    /// The limits of this table, or those it inherits, after its `scale`; `None` if there are
    /// none.
    pub(super) fn limits(&self, inherited: Option<&Limits>) -> Option<Limits> {
        let Some(limits) = self.limits.as_ref().or(inherited) else {
            if let Some((_, place)) = &self.scale {
                place.fail::<()>(nothing_to_scale());
            }
            return None;
        };
        let mut limits = limits.clone();
        if let Some((factor, place)) = &self.scale {
            limits.time = scaled(&limits.time, *factor, place).unwrap_or_default();
        }
        if let Some((_, place)) = &self.first_increment
            && !limits.time.has_increment()
        {
            let title = "`first_increment` says nothing here: no clock with an increment";
            place.fail::<()>(Problem::error(title).help("take it out, or control = \"10+0.1\""));
        }
        Some(limits)
    }

    /// Whether the clocks of this table begin with an increment, if it says so.
    pub(super) fn first_increment(&self) -> Option<FirstIncrement> {
        self.first_increment.as_ref().map(|(first, _)| *first)
    }
}

fn scaled(time: &TimeLimit, factor: f64, place: &Place<'_>) -> Option<TimeLimit> {
    if *time == TimeLimit::None {
        return place.fail(nothing_to_scale());
    }
    time.scaled(factor).or_else(|| {
        let title = format!("`scale` leaves no time control of {time}");
        place.fail(Problem::error(title).help("scaled times are 1 microsecond to 31 years"))
    })
}

fn nothing_to_scale() -> Problem {
    let help = "`scale` multiplies `control` or `movetime`; node limits are written out";
    Problem::error("`scale` has nothing to multiply").help(help)
}

pub(super) fn read<'a>(mut section: Section<'a>) -> Time<'a> {
    let control = section.optional("control");
    let move_time = section.optional("movetime");
    if let (Some(_), Some(second)) = (&control, &move_time) {
        let help = "take one of them out; `nodes` and `depth` can stand beside either";
        let title = "`control` and `movetime` exclude each other";
        second.fail::<()>(Problem::error(title).help(help));
    }
    let endless = |control: &Entry<'_>| control.is_string() && control.string() == Some("inf");
    let no_clock = control.as_ref().filter(|control| endless(control)).cloned();
    let control = control.filter(|control| !endless(control));
    let limited = control.is_some() || move_time.is_some();
    let time = match (control, move_time) {
        (Some(control), _) => time_control(&control).map(TimeLimit::Clock),
        (None, Some(time)) => time.seconds().map(TimeLimit::MoveTime),
        (None, None) => None,
    };
    let nodes = section.optional("nodes");
    let depth = section.optional("depth");
    if let (Some(control), None, None) = (&no_clock, &nodes, &depth) {
        let title = "`control` is \"inf\", and nothing else ends a search";
        control.fail::<()>(Problem::error(title).help("add nodes or depth"));
    }
    let limited = limited || nodes.is_some() || depth.is_some() || no_clock.is_some();
    let limits = Limits {
        time: time.unwrap_or_default(),
        nodes: nodes.and_then(|entry| entry.integer(1..=MAX_NODES)),
        depth: depth.and_then(|entry| entry.integer(1..=1000)),
        first_increment: FirstIncrement::default(),
    };
    let scale = section.optional("scale");
    let jitter = section.optional("nodes_jitter");
    let time = Time {
        limits: limited.then_some(limits),
        margin: margin(&mut section),
        nodes_jitter: jitter.and_then(|entry| Some((entry.number(0.0..=0.5)?, entry.place))),
        scale: scale.and_then(|entry| Some((entry.number(0.0001..=10_000.0)?, entry.place))),
        first_increment: first_increment(&mut section),
    };
    section.finish();
    time
}

fn first_increment<'a>(section: &mut Section<'a>) -> Option<(FirstIncrement, Place<'a>)> {
    let entry = section.optional("first_increment")?;
    let first = match entry.boolean()? {
        true => FirstIncrement::Granted,
        false => FirstIncrement::Withheld,
    };
    Some((first, entry.place))
}

/// `margin_ms`, of `[time]` or of an engine.
pub(super) fn margin(section: &mut Section<'_>) -> Option<Duration> {
    let milliseconds = section.optional("margin_ms")?.number(0.0..=60_000.0)?;
    Some(Duration::from_micros((milliseconds * 1e3).round() as u64))
}

fn time_control(entry: &Entry<'_>) -> Option<TimeControl> {
    let error = match entry.string()?.parse::<TimeControl>() {
        Ok(control) => return Some(control),
        Err(error) => error,
    };
    let help = "seconds and increment, as in \"10+0.1\"; minutes as in \"1:30+1\"; \
                periods as in \"40/5400+30:1800+30\"";
    let title = format!("`control` is not a time control: {}", error.problem);
    entry.fail_from(error.at, Problem::error(title).help(help))
}

/// `[timeouts]`.
pub(super) fn read_timeouts(section: Option<Section<'_>>) -> Timeouts {
    let mut timeouts = Timeouts::default();
    let Some(mut section) = section else {
        return timeouts;
    };
    for (key, timeout) in [
        ("start", &mut timeouts.start),
        ("ready", &mut timeouts.ready),
        ("newgame", &mut timeouts.new_game),
        ("stall", &mut timeouts.stall),
    ] {
        let written = section.optional(key).and_then(|entry| entry.seconds());
        *timeout = written.unwrap_or(*timeout);
    }
    timeouts.each_move = section
        .optional("each_move")
        .and_then(|entry| entry.seconds());
    section.finish();
    timeouts
}
