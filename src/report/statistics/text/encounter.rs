//! Two engines.

use crate::analysis::{
    EncounterReport, EventStatistics, GameSelection, SelectionReport, Statement, Verdict,
};
use crate::stats::elo::elo_from_score;
use crate::stats::match_statistics::MatchStatistics;
use crate::stats::normalized::NormalizedElo;
use crate::stats::ratios::PositionBias;

use super::numbers::{count, elo, interval, labelled, line, name, or_dash, paragraph, percent};

/// Minimum number of pairs for the normal approximation to be shown as a probability.
const FEWEST: f64 = 20.0;
/// Where nElo's error is more than this multiple of what it would be with a known variance, a few pairs make up that
/// variance: 399 of 400 games won.
const MOST_NOISE: f64 = 5.0;
/// White's edge in score beyond which its size is not known: 800 Elo.
const MOST_BIAS: f64 = 0.495;

/// The section on a match of two engines.
pub(crate) fn encounter(statistics: &EventStatistics) -> Option<String> {
    let report = statistics.encounter.as_ref()?;
    let mut text = format!("{}\n", title(report));
    let Some(values) = &report.statistics else {
        return Some(text + &paragraph("no games"));
    };
    text += &line("score", &score(report.trinomial.0, ""));
    if report.has_pairs() {
        text += &line("pairs", &pairs(report));
    }
    text += &headline(statistics, report, values);
    text += &spread(report, values);
    text += &ratios(report, values);
    for selection in &report.selections {
        text += &line(selection_label(selection.selection), &selected(selection));
    }
    Some(text)
}

fn title(report: &EncounterReport) -> String {
    let [first, second] = &report.engines;
    format!("{} against {}", name(first), name(second))
}

/// The score of a side: its games lost, drawn and won.
pub(super) fn score([losses, draws, wins]: [u64; 3], played: &str) -> String {
    let (games, points) = (losses + draws + wins, wins as f64 + 0.5 * draws as f64);
    format!(
        "{points:.1} of {games} ({}){played}: {wins} won, {draws} drawn, {losses} lost",
        percent(points / games.max(1) as f64)
    )
}

fn pairs(report: &EncounterReport) -> String {
    let [ll, ld, middle, dw, ww] = report.counts.pairs.0;
    let (win_loss, draws) = (report.middle.win_loss, report.middle.two_draws);
    format!("LL {ll}, LD {ld}, WL + DD {middle} ({win_loss} + {draws}), WD {dw}, WW {ww}")
}

/// The few numbers of two engines below the first lines; Elo is in the first lines.
pub(crate) fn two_engines(statistics: &EventStatistics, verdict: &Verdict) -> String {
    let found = statistics.encounter.as_ref();
    let Some((report, values)) = found.and_then(|own| Some((own, own.statistics.as_ref()?))) else {
        return String::new();
    };
    let mut text = format!("{}\n", title(report));
    text += &line("score", &score(report.trinomial.0, ""));
    for claim in &verdict.claims {
        if let Statement::Sprt(test) = &claim.said {
            let [low, high] = test.bounds;
            let llr = format!("{:.2}, fails at {low:.2}, passes at {high:.2}", test.llr);
            text += &line("LLR", &llr);
        }
    }
    if report.has_pairs() {
        text += &line("pairs 0 to 2", &pairs(report));
    }
    if values.n >= FEWEST {
        // As the interval: clustered by position where positions repeat.
        let los = report.by_position.and_then(|found| found.los);
        let los = percent(los.unwrap_or(values.fishtest.los));
        let nelo = nelo(values).unwrap_or_else(|| "-".to_owned());
        text += &line("nElo, LOS", &format!("{nelo}, {los}"));
    }
    text
}

/// The lines with intervals, the most trustworthy first.
fn headline(
    statistics: &EventStatistics,
    report: &EncounterReport,
    values: &MatchStatistics,
) -> String {
    let watched = line("always valid", &always_valid(values));
    let planned = |label: &str| line(label, &profile(report, values));
    let decided = statistics.sprt.as_ref().filter(|test| test.is_decided());
    if decided.is_some() {
        // The plain interval comes below the test's own, and is labelled as naive.
        return line(
            "Elo",
            "see the SPRT above, whose estimate knows of the stopping rule",
        ) + &planned("naive interval");
    }
    if statistics.running || statistics.sprt.is_some() {
        return watched + &planned("if it ended now");
    }
    if report.by_position.is_none() {
        return planned("Elo") + &watched;
    }
    // Where positions repeat, the error by position comes first; the pairs' error is for just these positions.
    line("Elo", &clustered(report)) + &planned("these positions") + &watched
}

/// With the error by position.
fn clustered(report: &EncounterReport) -> String {
    let Some(found) = &report.by_position else {
        return String::new();
    };
    let error = or_dash(found.elo_error, |error| format!("{error:.1}"));
    format!(
        "{} ± {error}   95 %, clustered by {} ({:.0} degrees of freedom)",
        elo(found.elo),
        count(found.clusters as u64, "position"),
        found.freedom.floor()
    )
}

fn profile(report: &EncounterReport, values: &MatchStatistics) -> String {
    let unit = if report.has_pairs() {
        "pairs"
    } else {
        "single games"
    };
    format!(
        "{}  {}   95 %, profile likelihood of the {unit}",
        elo(elo_from_score(values.score)),
        interval(values.profile.elo_lo, values.profile.elo_hi)
    )
}

fn always_valid(values: &MatchStatistics) -> String {
    match values.anytime.elo() {
        [lo, hi] if lo.is_finite() || hi.is_finite() => {
            format!("{}   95 % however often it is looked at", interval(lo, hi))
        }
        _ => "too few games for an interval".to_owned(),
    }
}

/// Normalised Elo, if the results show the noise that it is measured in.
fn nelo(values: &MatchStatistics) -> Option<String> {
    let known = |nelo: &NormalizedElo| nelo.error_full <= MOST_NOISE * nelo.error_fixed_sigma;
    let nelo = values.nelo.filter(known)?;
    Some(format!("{} ± {:.1}", elo(nelo.nelo), nelo.error))
}

fn spread(report: &EncounterReport, values: &MatchStatistics) -> String {
    if values.n < 2.0 {
        // These need a spread, which a single observation does not have.
        return String::new();
    }
    let fishtest = &values.fishtest;
    let mut text = labelled!(
        "Fishtest's Elo",
        "{} ± {:.1}   normal approximation",
        elo(fishtest.elo),
        fishtest.elo_error
    );
    let unit = if report.has_pairs() { "pair" } else { "game" };
    if values.n < FEWEST {
        // Readers would believe an approximation that looks certain more than an interval that does not.
        let few = count(values.n as u64, unit);
        return text + &line("LOS", &format!("not known: {few}, {FEWEST} are needed"));
    }
    if let Some(nelo) = nelo(values) {
        text += &line("nElo", &nelo);
    }
    // From the error that comes first.
    let los = match &report.by_position {
        Some(found) => found.los,
        None => Some(values.fishtest.los),
    };
    let los = format!(
        "{} that {} is stronger",
        or_dash(los, percent),
        name(&report.engines[0])
    );
    text + &line("LOS", &los)
}

fn ratios(report: &EncounterReport, values: &MatchStatistics) -> String {
    let mut text = String::new();
    if let Some(ratios) = &values.ratios {
        let two = |value: f64| format!("{value:.2}");
        let ends = ratios.pairs_ratio_lo.zip(ratios.pairs_ratio_hi);
        let ends = ends.map_or_else(String::new, |(lo, hi)| format!("  [{lo:.2}, {hi:.2}]"));
        let ratio = match ratios.pairs_ratio {
            Some(ratio) => format!("{}{ends}   pairs won by pairs lost", two(ratio)),
            None => "no pair was decided".to_owned(),
        };
        text += &line("pair ratio", &ratio);
        let games = or_dash(report.draw_ratio, percent);
        let level = percent(ratios.draw_ratio_penta);
        text += &line(
            "draws",
            &format!("{games} of the games; {level} of the pairs were level"),
        );
    }
    // Without a decided game there is no variance whose parts could be compared; of few pairs, or where the position
    // decided all games, the bias is not known.
    let decided = report.counts.games.wins() + report.counts.games.losses() > 0;
    let known = |bias: &PositionBias| decided && values.n >= FEWEST && bias.rms_bias < MOST_BIAS;
    if let Some(bias) = report.position_bias.filter(known) {
        text += &labelled!(
            "positions",
            "RMS bias {:.0} Elo; design effect {:.2}, below 1 pairing pays",
            bias.rms_bias_elo.abs(),
            bias.ratio
        );
    }
    text
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
    let Some(((value, lo), hi)) = selection.elo.zip(selection.elo_lo).zip(selection.elo_hi) else {
        return "no games are left".to_owned();
    };
    let pairs = count(selection.pairs, "pair");
    format!(
        "{}  {}   {pairs}, {}",
        elo(value),
        interval(lo, hi),
        count(selection.games, "game")
    )
}

/// In self-play the score between the copies shows whether anything is wrong.
pub(crate) fn null_check(statistics: &EventStatistics) -> Option<String> {
    let report = statistics.encounter.as_ref()?;
    let values = report.statistics.as_ref()?;
    let [first, second] = &report.engines;
    let text = format!(
        "{} against {}: Elo {}  {}   sanity check: holds 0 in 95 of 100 events",
        name(first),
        name(second),
        elo(elo_from_score(values.score)),
        interval(values.profile.elo_lo, values.profile.elo_hi)
    );
    Some(line("copies", &text))
}
