//! `[[round]]`: when the rounds of an event begin.

use std::time::Duration;

use super::problem::Problem;
use super::section::Section;
use crate::event::{RoundTime, UnixMillis};

/// The times of the rounds, the first round first.
pub(super) fn read(sections: Vec<Section<'_>>, in_rounds: bool) -> Vec<RoundTime> {
    let mut times: Vec<RoundTime> = Vec::new();
    // The last round with a time of its own: its number, and the time.
    let mut before: Option<(usize, UnixMillis)> = None;
    for (round, mut section) in (1..).zip(sections) {
        if !in_rounds {
            let title = "[[round]] is about an event in rounds, and this one is not";
            let help = "a Swiss, a knockout, a double elimination, a ladder, or draw = \"round\" in [positions]";
            section.fail::<()>(Problem::error(title).help(help));
        }
        let starts = section.optional("starts");
        let pause = section.optional("pause");
        let mut time = RoundTime {
            starts: None,
            pause: pause
                .and_then(|entry| entry.integer(0..=604_800))
                .map(Duration::from_secs)
                .unwrap_or_default(),
        };
        if let Some(entry) = starts
            && let Some(text) = entry.string()
        {
            match text.parse::<jiff::Timestamp>() {
                Ok(moment) => time.starts = Some(UnixMillis(moment.as_millisecond())),
                Err(_) => {
                    let title = format!("{text:?} is no moment");
                    let help = "date, time and zone: starts = \"2026-12-05T14:00:00+01:00\"";
                    entry.fail::<()>(Problem::error(title).help(help));
                }
            }
            if let (Some(starts), Some((earlier, known))) = (time.starts, before)
                && starts <= known
            {
                let title = format!("round {round} would begin no later than round {earlier}");
                let help = "the rounds stand in their order, each with a later time";
                entry.fail::<()>(Problem::error(title).help(help));
            }
            before = time.starts.map(|starts| (round, starts)).or(before);
        }
        section.finish();
        times.push(time);
    }
    times
}
