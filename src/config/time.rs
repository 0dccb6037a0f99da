//! `[time]` and `[engine.time]`: the limits of searches; `[timeouts]`: how long to wait when no chess clock runs.

use std::time::Duration;

use super::keys::KeyKind::{Number, Table, Whole};
use super::keys::{KeyTable, keys};
use super::problem::Problem;
use super::section::{Entry, EntryPlace, Section};
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
    /// What `white` and `black` say.
    sides: [Option<Box<Time<'a>>>; 2],
    /// Where the first of them is.
    pub(super) sides_at: Option<EntryPlace<'a>>,
}

impl<'a> Time<'a> {
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
            place.error(title, "take it out, or control = \"10+0.1\"");
        }
        Some(limits)
    }

    /// The limits of White and of Black, if `white` or `black` says them; a side that is not there has those of both.
    pub(super) fn by_colour(&self, inherited: Option<&Limits>) -> Option<[Limits; 2]> {
        let place = self.sides_at.as_ref()?;
        let both = self.limits(inherited);
        let side = |side: &Option<Box<Time<'_>>>| match side {
            Some(own) => Some(begun(own.limits(both.as_ref())?, [own, self])),
            None => both.clone().map(|limits| begun(limits, [self, self])),
        };
        let [white, black] = self.sides.each_ref().map(side);
        let (Some(white), Some(black)) = (white, black) else {
            let help = "write both `white` and `black`, or what both have beside them";
            return place.refuse("a side has no limit", help);
        };
        Some([white, black])
    }

    /// Whether the table changes a limit.
    pub(super) fn has_limits(&self) -> bool {
        self.limits.is_some() || self.scale.is_some()
    }
}

/// Limits with the first increment that the first of these tables says.
pub(super) fn begun(limits: Limits, tables: [&Time<'_>; 2]) -> Limits {
    let mut tables = tables.iter();
    let written = tables.find_map(|time| Some(time.first_increment.as_ref()?.0));
    let first_increment = written.filter(|_| limits.time.has_increment());
    Limits {
        first_increment: first_increment.unwrap_or_default(),
        ..limits
    }
}

/// The limits of White and Black that `time` of a round or of a playoff says, for all engines.
pub(super) fn of_games(keys: TimeKeys<'_>, shared: &Time<'_>) -> Option<[Limits; 2]> {
    let for_engines = || {
        let help = "it stands in [time], or below an [[engine]]";
        Problem::error("this is the same in all games of an engine").help(help)
    };
    keys.margin_ms.fail_if(true, for_engines);
    keys.nodes_jitter.fail_if(true, for_engines);
    let own = read(keys);
    let inherited = shared.limits(None);
    if own.sides_at.is_some() {
        return own.by_colour(inherited.as_ref());
    }
    let both = begun(own.limits(inherited.as_ref())?, [&own, shared]);
    Some([both.clone(), both])
}

fn scaled(time: &TimeLimit, factor: f64, place: &EntryPlace<'_>) -> Option<TimeLimit> {
    if *time == TimeLimit::None {
        return place.fail(nothing_to_scale());
    }
    time.scaled(factor).or_else(|| {
        let title = format!("`scale` leaves no time control of {time}");
        place.refuse(title, "scaled times are 1 microsecond to 31 years")
    })
}

fn nothing_to_scale() -> Problem {
    let help = "`scale` multiplies `control` or `movetime`; node limits are written out";
    Problem::error("`scale` has nothing to multiply").help(help)
}

/// The limits that the keys of a table name.
pub(super) fn read(keys: TimeKeys<'_>) -> Time<'_> {
    let title = "`control` and `movetime` exclude each other";
    let help = "take one of them out; `nodes` and `depth` can stand beside either";
    keys.movetime
        .error_if(keys.control.is_written(), title, help);
    let control = keys.control.entry.as_ref();
    let is_endless = control.and_then(Entry::text) == Some("inf");
    let counted = keys.nodes.is_written() || keys.depth.is_written();
    let title = "`control` is \"inf\", and nothing else ends a search";
    keys.control
        .error_if(is_endless && !counted, title, "add nodes or depth");
    let limited = keys.control.is_written() || keys.movetime.is_written() || counted;
    let sides_at = keys.white.place().or(keys.black.place());
    let sides = [keys.white.value, keys.black.value];
    let sides = sides.map(|side| Some(Box::new(read(TimeKeys::read(side?)))));
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
    let granted = |granted| {
        if granted {
            FirstIncrement::Granted
        } else {
            FirstIncrement::Withheld
        }
    };
    let first_increment = keys.first_increment.placed();
    Time {
        limits: limited.then_some(limits),
        margin: keys.margin_ms.value,
        nodes_jitter: keys.nodes_jitter.placed(),
        scale: keys.scale.placed(),
        first_increment: first_increment.map(|(first, place)| (granted(first), place)),
        sides,
        sides_at,
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
    let keys = TimeoutKeys::read(section);
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

keys! {
    /// The values of `[time] and [engine.time]`.
    TimeKeys<'a>, "time", "[time] and [engine.time]", "The limits of searches: for all engines, or below an [[engine]] for that one. At least one of `control`, `movetime`, `nodes` and `depth`.";

    /// The chess clock: "10+0.1"; minutes, "1:30+1"; periods, "40/5400+30:1800+30"; an hourglass, "*60"; "inf" with
    /// `nodes` or `depth`.
    control: Entry<'a> [or "none"], in "seconds, or minutes:seconds", "control = \"10+0.1\"",
        refused ["not a time control", "together with `movetime`"], also ["tc"];
    /// A fixed time for each move.
    movetime: Duration [or "none"] Number(0.001, 1e9), in "seconds", "movetime = 0.5", also ["st"];
    /// A limit of nodes for each move.
    nodes: u64 [or "none"] Whole(1, 1_000_000_000_000_000), in "nodes", "nodes = 10000";
    /// A limit of depth for each move.
    depth: u32 [or "none"] Whole(1, 1000), in "half-moves", "depth = 12", also ["plies"];
    /// Multiplies `control` or `movetime`.
    scale: f64 [or "1"] Number(0.0001, 10_000.0), "control = \"10+0.1\"\nscale = 0.5",
        refused ["with no time to multiply"];
    /// Whether a clock begins with its increment added, as FIDE has it.
    first_increment: bool [or "true"], "control = \"10+0.1\"\nfirst_increment = false",
        refused ["without an increment"];
    /// How far the limit of a move may differ from `nodes`, so that games differ.
    nodes_jitter: f64 [or "0, but 0.1 where an engine plays itself with `nodes`"] Number(0.0, 0.5), in "part of `nodes`",
        "nodes = 10000\nnodes_jitter = 0.1",
        refused ["without `nodes`"];
    /// How far an engine may exceed its clock without losing.
    margin_ms: Duration [or "0"] Number(0.0, 60_000.0), in "milliseconds",
        "control = \"10+0.1\"\nmargin_ms = 20";
    /// Limits of whoever has White, where they are not those of both.
    white: Section<'a> [or "as both"] Table("white"),
        "control = \"10+0.1\"\nwhite = { scale = 0.5 }",
        refused ["below an [[engine]]", "where an engine has limits of its own"];
    /// Limits of whoever has Black.
    black: Section<'a> [or "as both"] Table("black"),
        "white = { nodes = 2000 }\nblack = { nodes = 3000 }",
        refused ["below an [[engine]]", "where an engine has limits of its own"];
}

/// The number of keys that limits of one side have as well; they are the first ones.
const SIDE_KEYS: usize = 6;

pub(super) const WHITE: KeyTable = KeyTable {
    name: "white",
    header: "[time.white]",
    meaning: "The limits of whoever has White.",
    keys: TimeKeys::TABLE.keys.split_at(SIDE_KEYS).0,
};

pub(super) const BLACK: KeyTable = KeyTable {
    name: "black",
    header: "[time.black]",
    meaning: "The limits of whoever has Black.",
    keys: TimeKeys::TABLE.keys.split_at(SIDE_KEYS).0,
};

keys! {
    /// The values of `[timeouts]`.
    TimeoutKeys<'a>, "timeouts", "[timeouts]", "How long to wait where no chess clock runs.";

    /// From the start of the program to its first answer, `uciok`.
    start: Duration [= 10] Number(0.001, MAX_SECONDS as f64), in "seconds", "start = 30";
    /// For `readyok`.
    ready: Duration [= 10] Number(0.001, MAX_SECONDS as f64), in "seconds", "ready = 30";
    /// `isready` is sent around every search, and an engine without answer in this time loses.
    each_move: Duration [or "none"] Number(0.001, MAX_SECONDS as f64), in "seconds",
        "each_move = 60";
    /// For `readyok` after `ucinewgame`, when large tables are cleared.
    newgame: Duration [= 30] Number(0.001, MAX_SECONDS as f64), in "seconds", "newgame = 60";
    /// For a move without a clock (`nodes`, `depth`), since nodes or depth last grew.
    stall: Duration [= 60] Number(0.001, MAX_SECONDS as f64), in "seconds", "stall = 300";
    /// Multiplies every time of this table, written or not: an engine under a sanitizer, a debugger or an emulator is
    /// slow to answer.
    scale: f64 [= 1] Number(1.0, 1000.0), "scale = 20";
}
