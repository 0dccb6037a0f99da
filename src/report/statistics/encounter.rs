//! Two engines.

use serde_json::Value;

use crate::analysis::{
    EncounterReport, EventStatistics, GameSelection, SelectionReport, SequentialReport, Verdict,
    tested,
};
use crate::stats::elo::{NormalizedElo, elo_from_score};
use crate::stats::match_statistics::{FEWEST_FOR_SUPERIORITY, MatchStatistics};
use crate::text::{
    Document, count, decimal, elo, estimate, interval, or_dash, percent, short_name,
};

/// Where nElo's error is more than this multiple of what it would be with a known variance, a few pairs make up that
/// variance: 399 of 400 games won.
const MAX_NELO_NOISE: f64 = 5.0;

/// The section on a match of two engines.
pub(super) fn encounter(statistics: &EventStatistics, document: &mut Document) {
    let Some(report) = &statistics.encounter else {
        return;
    };
    document.title(title(report));
    let Some(values) = &report.statistics else {
        return document.paragraph("no games");
    };
    document.line("score", score(report.trinomial.0, ""));
    if report.has_pairs() {
        document.line("pairs", pairs(report));
    }
    intervals(statistics, report, values, document);
    if values.n >= 2.0 && !has_stopped(statistics) {
        strength(report, values, document);
    }
    let games = or_dash(report.draw_ratio, percent);
    document.line("draws", format!("{games} of the games"));
    for selection in &report.selections {
        document.line(selection_label(selection.selection), selected(selection));
    }
}

fn title(report: &EncounterReport) -> String {
    let [first, second] = &report.engines;
    format!("{} against {}", short_name(first), short_name(second))
}

/// The score of a side: its games lost, drawn and won.
pub(super) fn score([losses, draws, wins]: [u64; 3], played: &str) -> String {
    let (games, points) = (losses + draws + wins, wins as f64 + 0.5 * draws as f64);
    let share = percent(points / games.max(1) as f64);
    format!("{points:.1} of {games} ({share}){played}: {wins} won, {draws} drawn, {losses} lost")
}

fn pairs(report: &EncounterReport) -> String {
    let [ll, ld, middle, dw, ww] = report.counts.pairs.0;
    let (win_loss, draws) = (report.middle.win_loss, report.middle.two_draws);
    format!("LL {ll}, LD {ld}, WL + DD {middle} ({win_loss} + {draws}), WD {dw}, WW {ww}")
}

/// The few numbers of two engines below the first lines; Elo is in the first lines.
pub(crate) fn two_engines(statistics: &EventStatistics, verdict: &Verdict) -> Document {
    let mut document = Document::default();
    let found = statistics.encounter.as_ref();
    let Some((report, values)) = found.and_then(|own| Some((own, own.statistics.as_ref()?))) else {
        return document;
    };
    document.title(title(report));
    document.line("score", score(report.trinomial.0, ""));
    for claim in verdict.claims.iter().filter(|claim| claim.id == "sprt") {
        let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
        let [low, high] = [0, 1].map(|end| number(&claim.numbers["bounds"][end]));
        let llr = decimal(number(&claim.numbers["llr"]), 2);
        let words = format!("{llr}, fails at {low:.2}, passes at {high:.2}");
        document.line("LLR", words);
    }
    if report.has_pairs() {
        document.line("pairs 0 to 2", pairs(report));
    }
    if values.n >= FEWEST_FOR_SUPERIORITY && !has_stopped(statistics) {
        strength(report, values, &mut document);
    }
    if let Some(late) = statistics.sprt.as_ref().and_then(late) {
        document.line("late", late);
    }
    document
}

/// Whether a test of pairs was decided: what does not know of the stop is biased, and only the test's own numbers hold.
fn has_stopped(statistics: &EventStatistics) -> bool {
    let test = statistics.sprt.as_ref();
    test.is_some_and(|test| test.estimate.is_some())
}

/// The games that ended after the decision.
pub(super) fn late(test: &SequentialReport) -> Option<String> {
    let engines = 1 + u64::from(test.test.heroes().is_some());
    let late = tested(&test.test, test.late_pairs / engines, test.late_games);
    (test.late_games > 0).then(|| format!("{late} finished after the decision, not counted in it"))
}

/// The lines with intervals, the most trustworthy first.
fn intervals(
    statistics: &EventStatistics,
    report: &EncounterReport,
    values: &MatchStatistics,
    document: &mut Document,
) {
    let decided = statistics.sprt.as_ref().filter(|test| test.is_decided());
    if decided.is_some() {
        let words = "see the SPRT above, whose estimate knows of the stopping rule";
        return document.line("Elo", words);
    }
    if statistics.running || statistics.sprt.is_some() {
        document.line("always valid", always_valid(values));
        return document.line("if it ended now", profile(report, values));
    }
    // Where positions repeat, the error by position comes first; the pairs' error is for just these positions.
    if let Some(found) = &report.by_position {
        let error = or_dash(found.elo_error, |error| format!("{error:.1}"));
        let (elo, clusters) = (elo(found.elo), count(found.clusters, "position"));
        let freedom = format!("{:.0} degrees of freedom", found.freedom.floor());
        let clustered = format!("{elo} ± {error}   95 %, clustered by {clusters} ({freedom})");
        document.line("Elo", clustered);
        document.line("these positions", profile(report, values));
    } else {
        document.line("Elo", profile(report, values));
    }
    document.line("always valid", always_valid(values));
}

fn profile(report: &EncounterReport, values: &MatchStatistics) -> String {
    let unit = if report.has_pairs() {
        "pairs"
    } else {
        "single games"
    };
    let found = by_profile(values);
    format!("{found}   95 %, profile likelihood of the {unit}")
}

fn by_profile(values: &MatchStatistics) -> String {
    let [low, high] = [values.profile.elo_lo, values.profile.elo_hi];
    estimate(elo_from_score(values.score), low, high)
}

fn always_valid(values: &MatchStatistics) -> String {
    match values.anytime.elo() {
        [low, high] if low.is_finite() || high.is_finite() => {
            interval(low, high) + "   95 % however often it is looked at"
        }
        _ => "too few games for an interval".to_owned(),
    }
}

/// nElo and LOS: readers would believe an approximation of few pairs that looks certain more than an interval that does
/// not, so then there is none.
fn strength(report: &EncounterReport, values: &MatchStatistics, document: &mut Document) {
    if values.n < FEWEST_FOR_SUPERIORITY {
        let unit = if report.has_pairs() { "pair" } else { "game" };
        return document.line("LOS", los_not_known(values.n as u64, unit));
    }
    let known = |nelo: &NormalizedElo| nelo.error_full <= MAX_NELO_NOISE * nelo.error_fixed_sigma;
    if let Some(nelo) = values.nelo.filter(known) {
        document.line("nElo", format!("{} ± {:.1}", elo(nelo.nelo), nelo.error));
    }
    // As the interval: clustered by position where positions repeat.
    let los = match &report.by_position {
        Some(found) => found.los,
        None => Some(values.fishtest.los),
    };
    let (los, first) = (or_dash(los, percent), short_name(&report.engines[0]));
    document.line("LOS", format!("{los} that {first} is stronger"));
}

/// Why a probability is not shown.
pub(super) fn los_not_known(number: u64, unit: &str) -> String {
    let few = count(number, unit);
    format!("not known: {few}, {FEWEST_FOR_SUPERIORITY} are needed")
}

pub(super) fn selection_label(selection: GameSelection) -> &'static str {
    match selection {
        GameSelection::WithoutForfeits => "without forfeits",
        GameSelection::WithoutHostFaults => "no host faults",
        GameSelection::WithReplays => "with replays",
        GameSelection::WithoutCopies => "without copies",
    }
}

fn selected(selection: &SelectionReport) -> String {
    let ends = selection.elo_lo.zip(selection.elo_hi);
    let Some((value, (low, high))) = selection.elo.zip(ends) else {
        return "no games are left".to_owned();
    };
    let [pairs, games] =
        [(selection.pairs, "pair"), (selection.games, "game")].map(|(n, noun)| count(n, noun));
    format!("{}   {pairs}, {games}", estimate(value, low, high))
}

/// In self-play the score between the copies shows whether anything is wrong.
pub(super) fn null_check(statistics: &EventStatistics, document: &mut Document) {
    let report = statistics.encounter.as_ref();
    if let Some((report, values)) = report.and_then(|own| Some((own, own.statistics.as_ref()?))) {
        let (title, found) = (title(report), by_profile(values));
        let check = "sanity check: holds 0 in 95 of 100 events";
        document.line("copies", format!("{title}: Elo {found}   {check}"));
    }
}
