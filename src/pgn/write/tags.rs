//! The tag section.

use std::borrow::Cow;

use super::comments::PgnDialect;
use super::words::{date_time, push_date, push_iso, push_time};
use super::{EngineTags, EventTags, GameEnd};
use crate::chess::start::Variant;
use crate::chess::{Color, FenDialect, Position};
use crate::clock::{GivenTime, Limits};
use crate::event::PlayedGame;
use crate::referee::{FaultKind, GameRecord, Outcome, WonBy};
use crate::text::{is_harmful, push_number};

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
    let result = if over {
        game.record.outcome.pgn_result()
    } else {
        "*"
    };
    write_roster(out, event, game, result);
    write_start(out, event, game, dialect);
    tag(out, "Pair", |out| push_number(out, game.id.pair.0 + 1));
    tag(out, "PlyCount", |out| {
        push_number(out, game.record.plies() as u64)
    });
    let termination = if over {
        game.record.outcome.termination().to_string()
    } else {
        "unterminated".to_owned()
    };
    text_tag(out, "Termination", &termination);
    let resumed: Vec<String> = game
        .record
        .interruptions()
        .map(|(due, _)| due.to_string())
        .collect();
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
                tag(out, name, |out| push_number(out, percent.into()));
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
    tag(out, "Pair", |out| push_number(out, game.id.pair.0 + 1));
    tag(out, "PlyCount", |out| push_number(out, 0));
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
    tag(out, "Date", |out| match date_time(game.started) {
        Some(moment) => push_date(out, moment),
        None => out.push_str("????.??.??"),
    });
    tag(out, "Round", |out| {
        out.push_str(event.games.name(game.id).as_str());
    });
    for color in Color::ALL {
        let name = engine(event, game, color).map_or(UNKNOWN, |engine| &engine.name);
        roster(out, by_color(color, ["White", "Black"]), name);
    }
    tag(out, "Result", |out| out.push_str(result));
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
        tag(out, "StartNumber", |out| push_number(out, number.0.into()));
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
    let [white, black] = game.seats;
    if white.engine == black.engine {
        let copy = u64::from(game.seat(color).copy) + 1;
        tag(out, by_color(color, ["WhiteCopy", "BlackCopy"]), |out| {
            push_number(out, copy)
        });
    }
    let Some(engine) = engine(event, game, color) else {
        return;
    };
    if let Some(version) = &engine.version {
        text_tag(
            out,
            by_color(color, ["WhiteVersion", "BlackVersion"]),
            version,
        );
    }
    if !engine.options.is_empty() {
        tag(
            out,
            by_color(color, ["WhiteOptions", "BlackOptions"]),
            |out| {
                for (place, (name, value)) in engine.options.iter().enumerate() {
                    if place > 0 {
                        out.push_str("; ");
                    }
                    push_escaped(out, name);
                    out.push('=');
                    push_escaped(out, value);
                }
            },
        );
    }
}

fn write_times(out: &mut String, game: &PlayedGame, over: bool) {
    if let Some(moment) = date_time(game.started) {
        tag(out, "UTCDate", |out| push_date(out, moment));
        tag(out, "UTCTime", |out| push_time(out, moment));
        tag(out, "GameStartTime", |out| push_iso(out, moment));
    }
    if let Some(moment) = date_time(game.ended).filter(|_| over) {
        tag(out, "GameEndTime", |out| push_iso(out, moment));
    }
}

fn engine<'a>(event: &'a EventTags, game: &PlayedGame, color: Color) -> Option<&'a EngineTags> {
    event.engines.get(usize::from(game.seat(color).engine))
}

fn by_color<T: Copy>(color: Color, values: [T; 2]) -> T {
    values[color.index()]
}

/// A tag of the roster: `?` if the value is not known or has no visible characters.
fn roster(out: &mut String, name: &str, value: &str) {
    let unknown = value.chars().all(is_harmful);
    text_tag(out, name, if unknown { UNKNOWN } else { value });
}

fn text_tag(out: &mut String, name: &str, value: &str) {
    tag(out, name, |out| push_escaped(out, value));
}

/// Appends a tag whose value `write` appends.
fn tag(out: &mut String, name: &str, write: impl FnOnce(&mut String)) {
    out.push('[');
    out.push_str(name);
    out.push_str(" \"");
    write(out);
    out.push_str("\"]\n");
}

/// Appends a value with quotes and backslashes escaped (specification, 7), and without control characters, which a tag
/// cannot contain, and other invisible characters.
fn push_escaped(out: &mut String, value: &str) {
    for character in value.chars().filter(|character| !is_harmful(*character)) {
        if matches!(character, '"' | '\\') {
            out.push('\\');
        }
        out.push(character);
    }
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
