//! Options that are taken and change nothing here: they are named when a run begins.

use super::settings::Settings;

/// What was asked for in vain, a sentence each, for the standard error. The words that callers count are not
/// in them.
pub(super) fn without_effect(settings: &Settings) -> Vec<&str> {
    let front = &settings.unwritten;
    let said = [
        (
            settings.wait > 0,
            "-wait has no effect: the next game of a slot begins at once",
        ),
        (
            !settings.log.file.is_empty(),
            "-log has no effect: ARBITER960_STORE=DIR keeps the event with a log of its own",
        ),
        (
            settings.show_latency,
            "-show-latency has no effect: -pgnout latency=true writes it into the PGN",
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
