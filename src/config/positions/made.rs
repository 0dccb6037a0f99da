//! `opening`: starts that the two players of a pair make themselves.

use std::ops::RangeInclusive;

use super::{Positions, PositionsContext};
use crate::chess::start::Variant;
use crate::config::engine::Engine;
use crate::config::entry::Place;
use crate::config::event::Event;
use crate::config::participants;
use crate::config::problem::Problem;
use crate::config::section::Section;
use crate::event::{MOST_GIVEN, OpeningRules, OpeningSystem, PositionDraw};
use crate::schedule::{MadeOpening, Opening, Openings};

/// Seconds of a player for the making of one start.
const TIMES: RangeInclusive<f64> = 0.01..=86_400.0;
/// The same, if nothing is said.
const USUAL_TIME: f64 = 5.0;

/// The systems by their names, and the variants whose starts they make.
const SYSTEMS: [(&str, OpeningSystem, Variant); 9] = [
    ("northam", OpeningSystem::Northam, Variant::Chess960),
    (
        "northam-strict",
        OpeningSystem::NorthamStrict,
        Variant::Chess960,
    ),
    ("pre-chess", OpeningSystem::PreChess, Variant::Shuffle),
    ("pre-chess-960", OpeningSystem::PreChess960, Variant::Dfrc),
    ("auction", OpeningSystem::Auction, Variant::Transcendental),
    (
        "auction-time",
        OpeningSystem::AuctionTime,
        Variant::Transcendental,
    ),
    ("exchange", OpeningSystem::Exchange, Variant::Transcendental),
    (
        "auction-exchange",
        OpeningSystem::AuctionExchange,
        Variant::Transcendental,
    ),
    ("moab", OpeningSystem::Moab, Variant::Moab),
];

/// How starts are made, and where that stands.
pub(in crate::config) type Making<'a> = Option<(OpeningRules, Place<'a>)>;

/// What `opening` and `opening_time` say.
pub(super) fn rules<'a>(section: &mut Section<'a>, variant: Option<Variant>) -> Making<'a> {
    let system = section.optional("opening");
    let time = section.optional("opening_time");
    let Some(system) = system else {
        if let Some(time) = time {
            let title = "`opening_time` is the time in which players make a start";
            time.fail::<()>(Problem::error(title).help("opening = \"northam\""));
        }
        return None;
    };
    let words = SYSTEMS.map(|(name, system, _)| (name, system));
    let chosen = system.choice(&words)?;
    let seconds = match &time {
        Some(time) => time.number(TIMES)?,
        None => USUAL_TIME,
    };
    let needed = SYSTEMS.iter().find(|(_, system, _)| *system == chosen);
    if let (Some((name, _, needed)), Some(variant)) = (needed, variant)
        && variant != *needed
    {
        let title = format!("opening = \"{name}\" makes starts of {needed}, not of {variant}");
        let help = format!("variant = \"{needed}\" in [event]");
        return system.fail(Problem::error(title).help(help));
    }
    let rules = OpeningRules {
        system: chosen,
        time_ms: (seconds * 1000.0) as u64,
    };
    Some((rules, system.place))
}

/// Starts of which every piece is placed by the players: as many as there are pairs.
pub(super) fn placed(
    mut section: Section<'_>,
    rules: OpeningRules,
    surroundings: &PositionsContext<'_>,
) -> Option<Positions> {
    const OTHERS: [&str; 11] = [
        "all", "numbers", "sample", "file", "choice", "exclude", "plies", "order", "start",
        "limit", "format",
    ];
    for key in OTHERS {
        if let Some(entry) = section.optional(key) {
            let title = format!("`{key}` says nothing here: the players place the pieces");
            entry.fail::<()>(Problem::error(title).help("take it out"));
        }
    }
    section.finish();
    let variant = surroundings.variant?;
    // Nobody plays from these: they stand for the starts until those are made.
    let first = Opening::numbered(variant, variant.first_number()).ok()?;
    let openings = vec![MadeOpening::of(first); surroundings.pairs as usize];
    let count = openings.len();
    Some(Positions {
        openings: Openings::made(variant, openings),
        label: format!(
            "{count} starts of {variant}, made by the players ({})",
            rules.system
        ),
        book: None,
    })
}

/// The other positions, of which every pair makes its own start.
pub(super) fn bases(positions: Positions, rules: OpeningRules) -> Positions {
    let order = (0..positions.openings.len()).collect();
    let label = format!("{}, with {} by the players", positions.label, rules.system);
    Positions {
        openings: positions.openings.played_in(order),
        label,
        ..positions
    }
}

/// Whether every start has two players, and only they play from it.
pub(in crate::config) fn check(
    making: Making<'_>,
    event: &Event<'_>,
    engines: &[Engine<'_>],
    open_ended: bool,
    draw: PositionDraw,
) -> Option<OpeningRules> {
    let (rules, place) = making?;
    let players = participants::count(engines);
    let gives = |engine: &Engine<'_>| engine.spec.limits.after_giving(MOST_GIVEN).is_some();
    let refused = [
        (
            players != 2,
            "a start is made by two players, and this event has another number of them",
        ),
        (
            open_ended,
            "[sprt], [adaptive] and `games` do not say how many starts are to be made",
        ),
        (
            draw != PositionDraw::Every,
            "every pair has its own start: `draw` says nothing here",
        ),
        (
            !rules.system.places() && event.pairs.is_some(),
            "every position is played in one pair: `pairs` says nothing here",
        ),
        (
            rules.system.is_auction() && event.pair_games.is_some(),
            "an auction is for the colours of one game: `pair_games` says nothing here",
        ),
        (
            rules.system == OpeningSystem::AuctionTime && !engines.iter().all(gives),
            "who bids time needs a clock, or a time for each move",
        ),
    ];
    for (_, title) in refused.iter().filter(|(refused, _)| *refused) {
        place.fail::<()>(Problem::error(*title).help("take one of them out"));
    }
    Some(rules)
}
