//! `opening`: starts that the two players of a pair make themselves.

use super::{Positions, PositionsContext};
use crate::chess::start::Variant;
use crate::clock::{GivenTime, TimeLimit};
use crate::config::engine::ReadEngine;
use crate::config::event::EventKeys;
use crate::config::keys::positions::PositionKeys;
use crate::config::participants;
use crate::config::section::EntryPlace;
use crate::event::{MAX_GIVEN_PERCENT, OpeningRules, OpeningSystem, PositionDraw};
use crate::schedule::{MadeOpening, Opening, Openings};
use crate::text::count;

/// How starts are made, and the place of that setting in the file.
pub(in crate::config) type Making<'a> = Option<(OpeningRules, EntryPlace<'a>)>;

/// The values of `opening` and `opening_time`.
pub(super) fn rules<'a>(keys: &PositionKeys<'a>, variant: Option<Variant>) -> Making<'a> {
    let title = "`opening_time` is the time in which players make a start";
    keys.opening_time
        .error_if(!keys.opening.is_written(), title, "opening = \"northam\"");
    let title = "`opening_clock` is about the time in which players make a start";
    keys.opening_clock
        .error_if(!keys.opening.is_written(), title, "opening = \"pre-chess\"");
    let system = keys.opening.value?;
    let entry = keys.opening.entry.as_ref()?;
    let needed = system.variant();
    if let Some(variant) = variant
        && variant != needed
    {
        let name = entry.string().unwrap_or_default();
        let title = format!("opening = \"{name}\" makes starts of {needed}, not of {variant}");
        return entry.refuse(title, format!("variant = \"{needed}\" in [event]"));
    }
    let rules = OpeningRules {
        system,
        time_ms: (keys.opening_time.value * 1000.0) as u64,
        on_clock: keys.opening_clock.value,
    };
    Some((rules, entry.place.clone()))
}

/// Starts of which every piece is placed by the players: as many as there are pairs.
pub(super) fn placed(
    keys: &PositionKeys<'_>,
    rules: OpeningRules,
    surroundings: &PositionsContext<'_>,
) -> Option<Positions> {
    let others = [
        &keys.all.entry,
        &keys.numbers.entry,
        &keys.sample.entry,
        &keys.file.entry,
        &keys.choice.entry,
        &keys.exclude.entry,
        &keys.plies.entry,
        &keys.order.entry,
        &keys.start.entry,
        &keys.limit.entry,
        &keys.format.entry,
    ];
    for entry in others.into_iter().flatten() {
        let key = entry.key;
        let title = format!("`{key}` says nothing here: the players place the pieces");
        entry.error(title, "take it out");
    }
    let variant = surroundings.variant?;
    // A placeholder until the starts are made; no game begins from it.
    let first = Opening::numbered(variant, variant.first_number()).ok()?;
    let openings = vec![MadeOpening::new(first); surroundings.pairs as usize];
    let (starts, system) = (count(openings.len(), "start"), rules.system.words());
    let label = format!("{starts} of {variant}, made by the players ({system})");
    Some(Positions::new(Openings::made(variant, openings), label))
}

/// The other positions, of which every pair makes its own start.
pub(super) fn bases(positions: Positions, rules: OpeningRules) -> Positions {
    let order = (0..positions.openings.len()).collect();
    let system = rules.system.words();
    let label = format!("{}, with {system} by the players", positions.label);
    Positions {
        openings: positions.openings.played_in(order),
        label,
        ..positions
    }
}

/// Whether every start has two players, and only they play from it.
pub(in crate::config) fn check(
    making: Making<'_>,
    event: &EventKeys<'_>,
    engines: &[ReadEngine<'_>],
    open_ended: bool,
    draw: PositionDraw,
) -> Option<OpeningRules> {
    let (rules, place) = making?;
    let players = participants::count(engines);
    let most = GivenTime::Percent(MAX_GIVEN_PERCENT);
    let gives = |engine: &ReadEngine<'_>| engine.spec.limits.after_giving(most).is_some();
    let has_clock =
        |engine: &ReadEngine<'_>| matches!(engine.spec.limits.time, TimeLimit::Clock(_));
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
            !rules.system.places() && event.pairs.is_written(),
            "every position is played in one pair: `pairs` says nothing here",
        ),
        (
            rules.system.is_auction() && event.pair_games.is_written(),
            "an auction is for the colours of one game: `pair_games` says nothing here",
        ),
        (
            rules.system == OpeningSystem::AuctionTime && !engines.iter().all(gives),
            "who bids time needs a clock, or a time for each move",
        ),
        (
            rules.on_clock && !(rules.system.places() && engines.iter().all(has_clock)),
            "`opening_clock` is for engines with a clock that place pieces",
        ),
    ];
    for (_, title) in refused.iter().filter(|(refused, _)| *refused) {
        place.error(*title, "take one of them out");
    }
    Some(rules)
}
