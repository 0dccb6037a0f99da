//! The tag section.

use std::borrow::Cow;

use super::comments::PgnDialect;
use super::{EngineTags, EventTags, GameEnd, iso};
use crate::chess::start::Variant;
use crate::chess::{Color, FenDialect, Position};
use crate::clock::{GivenTime, Limits};
use crate::event::PlayedGame;
use crate::referee::{FaultKind, GameRecord, Outcome, Termination, WonBy};
use crate::text::is_harmful;

/// What White and Black have bid by command for an armageddon game, in percent of White's time.
pub(crate) const BIDS: [&str; 2] = ["WhiteBid", "BlackBid"];

/// The name of an engine that is not in the event's list.
const UNKNOWN: &str = "?";

/// Appends the tags: the seven of the roster in their order, then the others.
pub(super) fn write(
    out: &mut String,
    event: &EventTags,
    game: &PlayedGame,
    end: GameEnd<'_>,
    dialect: PgnDialect,
) {
    let over = matches!(end, GameEnd::Over(_));
    let outcome = Some(&game.record.outcome).filter(|_| over);
    let result = outcome.map_or("*", Outcome::pgn_result);
    write_roster(out, event, game, result);
    write_start(out, event, game, dialect);
    text_tag(out, "Pair", &(game.id.pair.0 + 1).to_string());
    text_tag(out, "PlyCount", &game.record.plies().to_string());
    let termination = outcome.map_or(Termination::Unterminated, Outcome::termination);
    text_tag(out, "Termination", &termination.to_string());
    let resumed = game.record.interruptions();
    let resumed: Vec<String> = resumed.map(|(due, _)| due.to_string()).collect();
    if !resumed.is_empty() {
        text_tag(out, "Resumed", &resumed.join(" "));
    }
    if let GameEnd::Over(Some(ruling)) = end {
        text_tag(out, "Ruling", &ruling.words);
        write_ruled_result(out, &game.record);
        text_tag(out, "PlayedResult", ruling.played_result);
        text_tag(out, "PlayedTermination", &ruling.played_termination);
        text_tag(out, "PlayedEnding", &ruling.played_ending);
    }
    if over && forfeit_against_no_mate(&game.record) {
        text_tag(out, "FlagFall", "loss");
    }
    write_time_controls(out, event, game);
    if event.limits.is_armageddon(event.games.place(game.id.pair)) {
        text_tag(out, "Armageddon", "a draw counts for Black");
        for (seat, name) in game.seats.iter().zip(BIDS) {
            if let Some(percent) = event.games.bid(game.id.pair, seat.engine) {
                text_tag(out, name, &percent.to_string());
            }
        }
    }
    for color in Color::ALL {
        write_engine(out, event, game, color);
    }
    write_times(out, game, over);
}

/// Appends the tags of a game that was decided and not played: it has no start, no clocks and no times.
pub(super) fn write_unplayed(out: &mut String, event: &EventTags, game: &PlayedGame, ruling: &str) {
    write_roster(out, event, game, game.record.outcome.pgn_result());
    text_tag(out, "Pair", &(game.id.pair.0 + 1).to_string());
    text_tag(out, "PlyCount", "0");
    let termination = game.record.outcome.termination();
    text_tag(out, "Termination", &termination.to_string());
    text_tag(out, "Ruling", ruling);
    write_ruled_result(out, &game.record);
}

/// The ruled result, where PGN has no token for it.
fn write_ruled_result(out: &mut String, record: &GameRecord) {
    if let Outcome::Uneven(_) = record.outcome {
        text_tag(out, "RuledResult", record.outcome.result());
    }
}

/// Whether a forfeit counts as lost although the winner cannot mate, by the event's rule `flag_fall = "loss"`: the tags
/// tell readers of the game.
fn forfeit_against_no_mate(record: &GameRecord) -> bool {
    let Outcome::Won {
        by,
        how: WonBy::Forfeit(FaultKind::FlagFall | FaultKind::IllegalMove),
    } = record.outcome
    else {
        return false;
    };
    record.board().position().cannot_win(by)
}

fn write_roster(out: &mut String, event: &EventTags, game: &PlayedGame, result: &str) {
    roster(out, "Event", &event.event);
    roster(out, "Site", &event.site);
    let date = iso(game.started).as_deref().map(date);
    text_tag(out, "Date", date.as_deref().unwrap_or("????.??.??"));
    text_tag(out, "Round", event.games.name(game.id).as_str());
    for color in Color::ALL {
        let name = engine(event, game, color).map_or(UNKNOWN, |engine| &engine.name);
        roster(out, ["White", "Black"][color.index()], name);
    }
    text_tag(out, "Result", result);
}

/// Writes variant and start position. Orthodox chess from its usual start needs neither.
fn write_start(out: &mut String, event: &EventTags, game: &PlayedGame, dialect: PgnDialect) {
    let start = &game.record.start;
    if event.variant == Variant::Standard && *start == Position::standard() {
        return;
    }
    match event.variant {
        Variant::Chess960 | Variant::Dfrc => {
            let usual = match dialect {
                PgnDialect::Standard => "Chess960",
                PgnDialect::Tcec => "fischerandom",
            };
            text_tag(
                out,
                "Variant",
                event.variant_tag.as_deref().unwrap_or(usual),
            );
        }
        variant => {
            if let Some(name) = variant.pgn_tag() {
                text_tag(out, "Variant", name);
            }
        }
    }
    text_tag(out, "SetUp", "1");
    text_tag(out, "FEN", &start.fen(FenDialect::XFen));
    if let Some(number) = game.number {
        text_tag(out, "StartNumber", &number.0.to_string());
    }
    text_tag(out, "StartVariant", event.variant.name());
}

/// One `TimeControl` if both sides have the same, otherwise one for each.
fn write_time_controls(out: &mut String, event: &EventTags, game: &PlayedGame) {
    let given = event.time_given.get(&game.id.pair.0);
    let given = given.copied().unwrap_or_default();
    let others = event.limits.of(event.games.terms(game.id.pair));
    let control = |color: Color| {
        if let Some(limits) = &others {
            return Cow::Owned(limits[color.index()].to_string());
        }
        let control = engine(event, game, color).map_or(UNKNOWN, |e| &e.time_control);
        after_giving(control, given[color.index()])
    };
    let [white, black] = Color::ALL.map(control);
    if white == black {
        text_tag(out, "TimeControl", &white);
    } else {
        text_tag(out, "WhiteTimeControl", &white);
        text_tag(out, "BlackTimeControl", &black);
    }
}

/// Limits without the time that was given.
fn after_giving(control: &str, given: GivenTime) -> Cow<'_, str> {
    let limits = control.parse::<Limits>().ok();
    let left = limits.and_then(|limits| limits.after_giving(given));
    match left {
        Some(limits) => Cow::Owned(limits.to_string()),
        None => Cow::Borrowed(control),
    }
}

/// Version, options and, if an engine plays itself, the number of the copy, from 1.
fn write_engine(out: &mut String, event: &EventTags, game: &PlayedGame, color: Color) {
    let side = ["White", "Black"][color.index()];
    let mut tag = |name: &str, value: &str| text_tag(out, &format!("{side}{name}"), value);
    let [white, black] = game.seats;
    if white.engine == black.engine {
        let copy = game.seat(color).copy + 1;
        tag("Copy", &copy.to_string());
    }
    let Some(engine) = engine(event, game, color) else {
        return;
    };
    if let Some(version) = &engine.version {
        tag("Version", version);
    }
    if !engine.options.is_empty() {
        let options = engine.options.iter();
        let options = options.map(|(name, value)| format!("{name}={value}"));
        tag("Options", &options.collect::<Vec<_>>().join("; "));
    }
}

fn write_times(out: &mut String, game: &PlayedGame, over: bool) {
    if let Some(moment) = iso(game.started) {
        let time = moment.split(['T', '.']).nth(1).unwrap_or_default();
        text_tag(out, "UTCDate", &date(&moment));
        text_tag(out, "UTCTime", time);
        text_tag(out, "GameStartTime", &moment);
    }
    if let Some(moment) = iso(game.ended).filter(|_| over) {
        text_tag(out, "GameEndTime", &moment);
    }
}

/// The date of a moment as PGN has it: `2026.11.20`.
fn date(moment: &str) -> String {
    let date = moment.split('T').next().unwrap_or_default();
    date.replace('-', ".")
}

fn engine<'a>(event: &'a EventTags, game: &PlayedGame, color: Color) -> Option<&'a EngineTags> {
    event.engines.get(usize::from(game.seat(color).engine))
}

/// A tag of the roster: `?` if the value is not known or has no visible characters.
fn roster(out: &mut String, name: &str, value: &str) {
    let unknown = value.chars().all(is_harmful);
    text_tag(out, name, if unknown { UNKNOWN } else { value });
}

/// Appends a tag, its value with quotes and backslashes escaped (specification, 7), and without control characters,
/// which a tag cannot contain, and other invisible characters.
fn text_tag(out: &mut String, name: &str, value: &str) {
    out.push('[');
    out.push_str(name);
    out.push_str(" \"");
    for character in value.chars().filter(|character| !is_harmful(*character)) {
        if matches!(character, '"' | '\\') {
            out.push('\\');
        }
        out.push(character);
    }
    out.push_str("\"]\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_escaped() {
        let mut out = String::new();
        text_tag(&mut out, "White", "a \"b\" c:\\d\n\u{7f}\u{202e}é");
        assert_eq!(out, "[White \"a \\\"b\\\" c:\\\\dé\"]\n");
    }

    #[test]
    fn an_unknown_name_is_a_question_mark() {
        let mut out = String::new();
        roster(&mut out, "Site", "");
        assert_eq!(out, "[Site \"?\"]\n");
    }
}
