//! What was counted and what was not, and the event's sequential test.

use crate::analysis::{
    CollectionSource, EventStatistics, SequentialReport, SourceKind, model_word, tested,
};
use crate::stats::ratings::RatingWarning;
use crate::stats::sprt::{Decision, TestUnit};
use crate::stats::start_pairs::FEWEST_STARTS;
use crate::text::{
    Document, count, decimal, duration_of_seconds, estimate, interval, percent, printable,
};

use super::encounter::{late, los_not_known};
use super::engines::{first_of, unrated_words};

/// Limits that are named; rating lists have hundreds.
const MAX_LIMITS: usize = 8;

/// Engines, limits, counts, warnings.
pub(super) fn overview(statistics: &EventStatistics, document: &mut Document) {
    for source in &statistics.sources {
        let kind = match source.kind {
            SourceKind::Store => "event",
            SourceKind::Pgn => "PGN",
        };
        let running = source.running.then_some(", being played now");
        let running = running.unwrap_or_default();
        let games = count(source.games, "game");
        document.line(kind, format!("{}: {games}{running}", source.path));
    }
    if !statistics.limits.is_empty() {
        document.line("limits", first_of(&statistics.limits, MAX_LIMITS, "; "));
    }
    counted(statistics, document);
    let used = statistics.idle_use.iter();
    let noticed = used.filter(|used| used.percent >= 1.0 || used.is_above());
    for used in noticed {
        let words = format!(
            "{} used {:.1} % of its opponents' thinking time on a processor, {:.0} % in one game at most",
            used.engine, used.percent, used.largest_percent
        );
        document.line("idle cpu", words);
    }
    for warning in warnings(statistics, true) {
        document.line("warning", warning);
    }
}

/// The label of an adaptive event; nothing for others.
pub(super) fn adaptive(statistics: &EventStatistics, document: &mut Document) {
    if let Some(label) = &statistics.adaptive {
        let words = format!(
            "{label}: raw scores, and all that is computed from them without the model, are biased; \
             believe the model's estimates"
        );
        document.line("adaptive", words);
    }
}

fn counted(statistics: &EventStatistics, document: &mut Document) {
    let games = &statistics.games;
    let pairs = &games.pairs;
    let [all, single] = [pairs.games, pairs.single_games].map(|games| count(games, "game"));
    let both = [pairs.complete_pairs, pairs.incomplete_pairs].map(|pairs| count(pairs, "pair"));
    let [complete, incomplete] = both;
    let words =
        format!("{all}: {complete} complete, {incomplete} incomplete, {single} outside pairs");
    document.line("counted", words);
    let forfeits = count(games.forfeits, "forfeit");
    let (adjudicated, same) = (games.adjudicated, games.coincidences);
    let words = format!("{forfeits}, {adjudicated} adjudicated, {same} identical to others");
    document.line("of these", words);
    let words = format!(
        "{} replays, {} without a result, {} unreadable or illegal, {} voided",
        games.replays, games.unfinished, games.unreadable, games.voided
    );
    document.line("left out", words);
}

/// The section on the event's SPRT.
pub(super) fn sequential(statistics: &EventStatistics, document: &mut Document) {
    let Some(test) = &statistics.sprt else {
        return;
    };
    let hypotheses = &test.hypotheses;
    let (elo0, elo1) = (hypotheses.elo0(), hypotheses.elo1());
    let model = model_word(hypotheses.model());
    document.title(format!("SPRT of [{elo0}, {elo1}] {model}"));
    document.line("state", state(test));
    if let Some(heroes) = test.test.heroes() {
        let [new, old] = heroes.map(|name| printable(name));
        let words = "pair by pair against the same opponents on the same starts";
        document.line("difference", format!("{new} less {old}, {words}"));
    }
    let counted = |pairs: u64, games: u64| tested(&test.test, pairs, games);
    let [low, high] = test.status.corrected_bounds;
    let after = counted(test.status.pairs, test.test.sprt().counts().games.games());
    let ratio = decimal(test.status.llr, 2);
    let mut ratio = format!("{ratio}  [{low:.2}, {high:.2}]   after {after}");
    if test.status.bounds != test.status.corrected_bounds {
        let [lower, upper] = test.status.bounds;
        ratio += &format!("; Wald's bounds [{lower:.2}, {upper:.2}] less the expected excess");
    }
    document.line("LLR", ratio);
    if test.unit == TestUnit::Starts && test.status.pairs > test.starts as u64 {
        let (starts, effect) = (test.starts, test.design_effect);
        let words = if starts >= FEWEST_STARTS {
            format!("pairs on one count as one observation: design effect {effect:.2}")
        } else {
            "too few to be compared: it is about just these".to_owned()
        };
        document.line("start positions", format!("{starts}, {words}"));
    }
    if let Some(found) = &test.estimate {
        let stage = &found.stagewise;
        let shown = estimate(stage.elo, stage.lo, stage.hi);
        let words = format!("{shown}   95 %, stage-wise: knows of the stopping rule");
        document.line("Elo", words);
        let few = || los_not_known(test.status.pairs, "pair");
        document.line("LOS", stage.los.map_or_else(few, percent));
        let ends = interval(found.if_planned.elo_lo, found.if_planned.elo_hi);
        let words = ends + "   biased: it ignores the stopping rule";
        document.line("naive interval", words);
    }
    if let Some(late) = late(test) {
        document.line("late", late);
    }
}

fn state(test: &SequentialReport) -> String {
    match (test.status.decision, test.pairs_left_range) {
        (Decision::Accepted, _) => "passed: H1 is accepted".to_owned(),
        (Decision::Rejected, _) => "failed: H0 is accepted".to_owned(),
        (Decision::Undecided, Some(range)) => {
            let [low, middle, high] = range.map(f64::ceil);
            let range = format!("about {middle:.0}, with 80 % probability {low:.0} to {high:.0}");
            format!("undecided; pairs to come: {range}")
        }
        (Decision::Undecided, None) => "undecided".to_owned(),
    }
}

/// What the reader must know in addition to the claims of the verdict; of ratings only where they are shown.
pub(crate) fn warnings(statistics: &EventStatistics, is_rated: bool) -> Vec<String> {
    let adaptive = statistics.adaptive.iter();
    let biased = |label: &String| format!("adaptive: {label}; raw scores are biased");
    let mut warnings: Vec<String> = adaptive.map(biased).collect();
    warnings.extend(statistics.sources.iter().flat_map(of_source));
    for used in statistics.idle_use.iter().filter(|used| used.is_above()) {
        let (engine, allowed) = (printable(&used.engine), used.allowed_percent);
        let [cpu, watched] = [used.cpu_seconds, used.watched_seconds].map(duration_of_seconds);
        warnings.push(format!(
            "{engine} thought on its opponents' time: {cpu} of a processor in {watched} of it, {:.0} % in \
             one game (allowed {allowed} %); its opponents had less of the machine ([faults] idle_cpu = \
             \"fault\" or \"freeze\")",
            used.largest_percent
        ));
    }
    for name in &statistics.told_apart {
        warnings.push(format!(
            "{} played with several programs or limits: each counts as an engine of its own (--pool: as one)",
            printable(name)
        ));
    }
    if is_rated && statistics.engines.len() > 2 {
        warnings.extend(unrated_words(statistics));
        let ratings = statistics.ratings.iter();
        let found = ratings.flat_map(|field| &field.ratings.logistic);
        let words = found.flat_map(|found| &found.warnings);
        warnings.extend(words.filter_map(rating_warning).map(str::to_owned));
    }
    warnings
}

/// What the reader must know of a file or an event's folder.
fn of_source(source: &CollectionSource) -> Vec<String> {
    let left_out = [source.repeated, source.annulled, source.ruled];
    let [repeated, annulled, ruled] = left_out.map(|games| count(games, "game"));
    let unreadable = count(source.unreadable, "game");
    let from = source.repeated_from.as_ref().map(|first| printable(first));
    let found = [
        from.map(|first| format!("{repeated} already read from {first}: counted once")),
        (source.annulled > 0)
            .then(|| format!("{annulled} of disqualified engines are annulled and left out")),
        (source.ruled > 0).then(|| {
            format!("{ruled} that the arbiter has ruled: in the table, not in these statistics")
        }),
        (source.rebuilt.as_ref()).map(|rebuilt| format!("its store was made anew {rebuilt}")),
        (source.revisions.len() > 1).then(|| revisions_warning(source)),
        (source.first_unreadable.as_ref())
            .map(|first| format!("{unreadable} cannot be used: {first}")),
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

fn rating_warning(warning: &RatingWarning) -> Option<&'static str> {
    Some(match warning {
        // Each engine without a rating is named, with the reason.
        RatingWarning::Disconnected | RatingWarning::EnginesUnrated | RatingWarning::NoErrors => {
            return None;
        }
        RatingWarning::WhiteAdvantageLeftOut => {
            "White's advantage is not determined by these games and was left out of the ratings"
        }
        RatingWarning::FewClusters => "few games: the ± are wide",
        RatingWarning::NoVariation => {
            "every game ended as expected: do not believe the ratings' errors of zero"
        }
    })
}
