//! `[[round]]`: when the rounds of an event begin.

use super::entry::Entry;
use super::keys::rounds::Round;
use super::problem::Problem;
use super::section::Section;
use crate::event::{RoundTime, UnixMillis};

/// The times of the rounds, the first round first.
pub(super) fn read(sections: Vec<Section<'_>>, in_rounds: bool) -> Vec<RoundTime> {
    let mut times: Vec<RoundTime> = Vec::new();
    // The last round with its own time: its number, and the time.
    let mut before: Option<(usize, UnixMillis)> = None;
    for (round, section) in (1..).zip(sections) {
        if !in_rounds {
            let title = "[[round]] is about an event in rounds, and this one is not";
            let help = "a Swiss, a knockout, a double elimination, a ladder, or draw = \"round\" in [positions]";
            section.fail::<()>(Problem::error(title).help(help));
        }
        let keys = Round::read(section);
        let starts = keys.starts.value;
        let starts =
            starts.and_then(|starts| Some((moment(&starts.entry, &starts.value)?, starts)));
        if let (Some((starts, written)), Some((earlier, known))) = (&starts, before)
            && *starts <= known
        {
            let title = format!("round {round} would begin no later than round {earlier}");
            let help = "the rounds stand in their order, each with a later time";
            written.entry.fail::<()>(Problem::error(title).help(help));
        }
        let starts = starts.map(|(starts, _)| starts);
        before = starts.map(|starts| (round, starts)).or(before);
        times.push(RoundTime {
            starts,
            pause: keys.pause.value,
        });
    }
    times
}

fn moment(entry: &Entry<'_>, text: &str) -> Option<UnixMillis> {
    if let Ok(moment) = text.parse::<jiff::Timestamp>() {
        return Some(UnixMillis(moment.as_millisecond()));
    }
    let help = "date, time and zone: starts = \"2026-12-05T14:00:00+01:00\"";
    entry.fail(Problem::error(format!("{text:?} is no moment")).help(help))
}
