//! Options that are taken and change nothing here: they are named when a run begins.

use super::settings::{Level, Settings};

/// What was asked for in vain, a sentence each, for the standard error. The words that callers count are not
/// in them.
pub(super) fn without_effect(settings: &Settings) -> Vec<&str> {
    let (front, log) = (&settings.unwritten, &settings.log);
    let is_shown = !log.file.is_empty() && u8::from(log.level) <= u8::from(Level::Info);
    let said = [
        (
            !log.file.is_empty() && log.compress,
            "compress of -log has no effect: a log that is cut off by a kill stays readable so",
        ),
        (
            !log.file.is_empty() && !log.realtime,
            "realtime=false of -log has no effect: a thread of its own writes the log at all times",
        ),
        (
            settings.show_latency && !is_shown,
            "-show-latency has no effect without -log file=F level=info: it is written there only",
        ),
        (
            !front.cpus.is_empty(),
            "the list of -use-affinity has no effect: every slot gets one processor",
        ),
    ];
    let meant = said.into_iter().filter(|(is_asked, _)| *is_asked);
    let mut words: Vec<&str> = meant.map(|(_, words)| words).collect();
    words.extend(front.ignored.iter().map(String::as_str));
    words
}
