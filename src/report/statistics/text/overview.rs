//! What was counted, and what was not.

use crate::analysis::{CollectionSource, EventStatistics, SourceKind};
use crate::stats::ratings::report::LogisticReport;
use crate::stats::ratings::{RatingWarning, Unrated};
use crate::text::printable;

use super::numbers::{count, labelled, line, some_names};

/// Limits that are named; rating lists have hundreds.
const MOST_LIMITS: usize = 8;

fn limits(all: &[String]) -> String {
    match all.len().saturating_sub(MOST_LIMITS) {
        0 => all.join("; "),
        more => format!("{}; {more} more", all[..MOST_LIMITS].join("; ")),
    }
}

/// Engines, limits, counts, warnings.
pub(crate) fn overview(statistics: &EventStatistics) -> String {
    let mut text = String::new();
    for source in &statistics.sources {
        let kind = match source.kind {
            SourceKind::Store => "event",
            SourceKind::Pgn => "PGN",
        };
        let running = if source.running {
            ", being played now"
        } else {
            ""
        };
        let games = count(source.games, "game");
        text += &line(
            kind,
            &format!("{}: {games}{running}", printable(&source.path)),
        );
    }
    if !statistics.limits.is_empty() {
        text += &line("limits", &printable(&limits(&statistics.limits)));
    }
    text += &counted(statistics);
    text += &idle_use(statistics);
    for warning in warnings(statistics) {
        text += &line("warning", &warning);
    }
    text
}

/// The label of an adaptive event; empty for others.
pub(crate) fn adaptive(statistics: &EventStatistics) -> String {
    let Some(label) = &statistics.adaptive else {
        return String::new();
    };
    labelled!(
        "adaptive",
        "{label}: raw scores, and all that is computed from them without the model, are \
             biased; believe the model's estimates"
    )
}

fn counted(statistics: &EventStatistics) -> String {
    let games = &statistics.games;
    let pairs = &games.pairs;
    let mut text = labelled!(
        "counted",
        "{}: {} complete, {} incomplete, {} outside pairs",
        count(pairs.games as u64, "game"),
        count(pairs.complete_pairs as u64, "pair"),
        count(pairs.incomplete_pairs as u64, "pair"),
        count(pairs.single_games as u64, "game"),
    );
    text += &labelled!(
        "of these",
        "{} forfeits, {} adjudicated, {} identical to others",
        games.forfeits,
        games.adjudicated,
        games.coincidences
    );
    text + &labelled!(
        "left out",
        "{} replays, {} without a result, {} unreadable or illegal, {} voided",
        games.replays,
        games.unfinished,
        games.unreadable,
        games.voided
    )
}

/// Which engines thought on their opponents' time; empty if none did.
fn idle_use(statistics: &EventStatistics) -> String {
    let noticed = statistics.idle_use.iter().filter(|used| used.is_noticed());
    let words = noticed.map(|used| {
        format!(
            "{} used {:.1} % of its opponents' thinking time on a processor, {:.0} % in one game at \
             most",
            printable(&used.engine),
            used.percent,
            used.largest_percent
        )
    });
    let words: Vec<String> = words.collect();
    match words.is_empty() {
        true => String::new(),
        false => line("idle cpu", &words.join("; ")),
    }
}

/// What the reader must know in addition to the claims of the verdict.
pub(crate) fn warnings(statistics: &EventStatistics) -> Vec<String> {
    let adaptive = statistics.adaptive.iter();
    let biased = |label: &String| format!("adaptive: {label}; raw scores are biased");
    let mut warnings: Vec<String> = adaptive.map(biased).collect();
    warnings.extend(statistics.sources.iter().flat_map(of_source));
    for used in statistics.idle_use.iter().filter(|used| used.is_above()) {
        warnings.push(format!(
            "{} thought on its opponents' time: {:.1} s of a processor in {:.1} s of it, {:.0} % in \
             one game (allowed {} %); its opponents had less of the machine ([faults] idle_cpu = \
             \"fault\" or \"freeze\")",
            printable(&used.engine),
            used.cpu_seconds,
            used.watched_seconds,
            used.largest_percent,
            used.allowed_percent
        ));
    }
    for name in &statistics.told_apart {
        warnings.push(format!(
            "{} played with several programs or limits: each counts as an engine of its own (--pool: as one)",
            printable(name)
        ));
    }
    if let Some(ratings) = logistic(statistics).filter(|_| statistics.engines.len() > 2) {
        let words = |warning: &RatingWarning| rating_warning(*warning, statistics);
        warnings.extend(ratings.warnings.iter().map(words));
    }
    warnings
}

fn logistic(statistics: &EventStatistics) -> Option<&LogisticReport> {
    statistics.ratings.as_ref()?.ratings.logistic.as_ref()
}

/// What the reader must know of a file or an event's folder.
fn of_source(source: &CollectionSource) -> Vec<String> {
    let found = [
        source.repeated_from.as_ref().map(|first| {
            let games = count(source.repeated, "game");
            format!(
                "{games} already read from {}: counted once",
                printable(first)
            )
        }),
        (source.annulled > 0).then(|| {
            let games = count(source.annulled, "game");
            format!("{games} of disqualified engines are annulled and left out")
        }),
        (source.ruled > 0).then(|| {
            let games = count(source.ruled, "game");
            format!("{games} that the arbiter has ruled: in the table, not in these statistics")
        }),
        (source.rebuilt.as_ref()).map(|rebuilt| format!("its store was made anew {rebuilt}")),
        (source.revisions.len() > 1).then(|| revisions_warning(source)),
        source.first_unreadable.as_ref().map(|first| {
            let games = count(source.unreadable, "game");
            format!("{games} cannot be used: {first}")
        }),
    ];
    let path = printable(&source.path);
    let found = found.into_iter().flatten();
    found.map(|what| format!("{path}: {what}")).collect()
}

/// Reports that an event was changed while it was played.
fn revisions_warning(source: &CollectionSource) -> String {
    let revisions = source.revisions.len();
    let engines = match &source.replaced_engines[..] {
        [] => "the engines are the same builds in all of them".to_owned(),
        replaced => {
            let names: Vec<_> = replaced.iter().map(|name| printable(name)).collect();
            format!("the builds of {} are counted apart", names.join(", "))
        }
    };
    format!("played under {revisions} revisions of its event file; {engines}")
}

fn rating_warning(warning: RatingWarning, statistics: &EventStatistics) -> String {
    let words = match warning {
        RatingWarning::Disconnected => {
            "the engines fall into groups that never met: ratings of different groups cannot be compared"
        }
        RatingWarning::EnginesUnrated => {
            return format!(
                "no Elo for {}: every game won, or every game lost; the others' Elo leaves these games out",
                unrated(statistics)
            );
        }
        RatingWarning::WhiteAdvantageLeftOut => {
            "White's advantage is not determined by these games and was left out of the ratings"
        }
        RatingWarning::FewClusters => "few games: the ± are wide",
        RatingWarning::NoErrors => "too few games for errors of the ratings",
        RatingWarning::NoVariation => {
            "every game ended as expected: do not believe the ratings' errors of zero"
        }
    };
    words.to_owned()
}

/// The engines without a finite rating.
fn unrated(statistics: &EventStatistics) -> String {
    let found = logistic(statistics).into_iter();
    let unrated = found.flat_map(|found| statistics.engines.iter().zip(&found.unrated));
    let unrated = unrated.filter(|(_, why)| why.as_ref().is_some_and(Unrated::is_one_sided));
    let names: Vec<String> = unrated.map(|(engine, _)| engine.clone()).collect();
    some_names(&names)
}
