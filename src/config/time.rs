//! `[time]` and `[engine.time]`: the limits of searches; `[timeouts]`: how long to wait when no chess clock runs.

use std::time::Duration;

use super::entry::{Entry, EntryPlace};
use super::keys::time as keys;
use super::problem::Problem;
use super::section::Section;
use crate::clock::{FirstIncrement, Limits, MAX_SECONDS, TimeControl, TimeLimit};
use crate::referee::Timeouts;

/// What `[time]` or `[engine.time]` says.
#[derive(Default)]
pub(super) struct Time<'a> {
    /// `None` if the table has no limit.
    limits: Option<Limits>,
    pub(super) margin: Option<Duration>,
    pub(super) nodes_jitter: Option<(f64, EntryPlace<'a>)>,
    scale: Option<(f64, EntryPlace<'a>)>,
    first_increment: Option<(FirstIncrement, EntryPlace<'a>)>,
}

impl Time<'_> {
    /// The limits of this table, or those it inherits, after its `scale`; `None` without limits.
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

    /// Whether the clocks of this table begin with an increment, if the table has that key.
    pub(super) fn first_increment(&self) -> Option<FirstIncrement> {
        self.first_increment.as_ref().map(|(first, _)| *first)
    }
}

fn scaled(time: &TimeLimit, factor: f64, place: &EntryPlace<'_>) -> Option<TimeLimit> {
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

/// The limits that the keys of a table name.
pub(super) fn read(keys: keys::Time<'_>) -> Time<'_> {
    keys.movetime.fail_if(keys.control.is_written(), || {
        let help = "take one of them out; `nodes` and `depth` can stand beside either";
        let title = "`control` and `movetime` exclude each other";
        Problem::error(title).help(help)
    });
    let endless = |control: &Entry<'_>| control.is_string() && control.string() == Some("inf");
    let is_endless = keys.control.entry.as_ref().is_some_and(endless);
    let counted = keys.nodes.is_written() || keys.depth.is_written();
    keys.control.fail_if(is_endless && !counted, || {
        let title = "`control` is \"inf\", and nothing else ends a search";
        Problem::error(title).help("add nodes or depth")
    });
    let limited = keys.control.is_written() || keys.movetime.is_written() || counted;
    let time = match (keys.control.entry, keys.movetime.value) {
        (Some(control), _) if !is_endless => time_control(&control).map(TimeLimit::Clock),
        (_, time) => time.map(TimeLimit::MoveTime),
    };
    let limits = Limits {
        time: time.unwrap_or_default(),
        nodes: keys.nodes.value,
        depth: keys.depth.value,
        first_increment: FirstIncrement::default(),
    };
    let first_increment = keys.first_increment.placed();
    let granted = |granted| match granted {
        true => FirstIncrement::Granted,
        false => FirstIncrement::Withheld,
    };
    Time {
        limits: limited.then_some(limits),
        margin: keys.margin_ms.value,
        nodes_jitter: keys.nodes_jitter.placed(),
        scale: keys.scale.placed(),
        first_increment: first_increment.map(|(first, place)| (granted(first), place)),
    }
}

fn time_control(entry: &Entry<'_>) -> Option<TimeControl> {
    let error = match entry.string()?.parse::<TimeControl>() {
        Ok(control) => return Some(control),
        Err(error) => error,
    };
    let help = "seconds and increment, as in \"10+0.1\"; minutes as in \"1:30+1\"; \
                periods as in \"40/5400+30:1800+30\"; an hourglass as in \"*60\"";
    let title = format!("`control` is not a time control: {}", error.problem);
    entry.fail_from(error.at, Problem::error(title).help(help))
}

/// `[timeouts]`.
pub(super) fn read_timeouts(section: Section<'_>) -> Timeouts {
    let keys = keys::Timeouts::read(section);
    let longest = Duration::from_secs(MAX_SECONDS);
    let scaled = |time: Duration| time.mul_f64(keys.scale.value).min(longest);
    Timeouts {
        start: scaled(keys.start.value),
        ready: scaled(keys.ready.value),
        new_game: scaled(keys.newgame.value),
        stall: scaled(keys.stall.value),
        each_move: keys.each_move.value.map(scaled),
    }
}
