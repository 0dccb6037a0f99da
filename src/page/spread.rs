//! Estimates with their intervals, raw against shrunken scores, and what is known about the true effects.

use maud::{Markup, html};

use crate::analysis::EventStatistics;
use crate::report::statistics::PlayedStart;

use super::plot::{Plot, range};

/// The estimates from the smallest to the largest, with their intervals.
pub(super) fn caterpillar(played: &[PlayedStart<'_>]) -> Option<(Markup, String)> {
    let mut rows: Vec<([f64; 3], &PlayedStart<'_>)> = played
        .iter()
        .filter_map(|one| {
            let report = one.report;
            Some(([report.elo?, report.elo_lo?, report.elo_hi?], one))
        })
        .collect();
    if rows.len() < 2 {
        return None;
    }
    rows.sort_by(|a, b| a.0[0].total_cmp(&b.0[0]));
    let ends = rows.iter().flat_map(|(values, _)| *values);
    let plot = Plot::new(
        340.0,
        ("position, by estimate", [1.0, rows.len() as f64]),
        ("White's advantage, Elo", range(ends)),
    )
    .of_counts();
    let at = |place: usize| (place + 1) as f64;
    let bars = rows.iter().enumerate();
    let bars = bars.map(|(place, (values, _))| [at(place), values[1], values[2]]);
    let dots = rows.iter().enumerate();
    let dots = dots.map(|(place, (values, _))| [at(place), values[0]]);
    let standard = rows
        .iter()
        .position(|(_, one)| one.start.number == Some(518));
    let marks = html! {
        (plot.level("zero", 0.0))
        (plot.bars("bars", bars))
        (plot.dots("dots", dots))
        @if let Some(place) = standard {
            @let [elo, low, high] = rows[place].0;
            (plot.bars("bars mark", [[at(place), low, high]]))
            (plot.dots("dots mark", [[at(place), elo]]))
            (plot.words([at(place), high], "518"))
        }
    };
    let words = format!(
        "The {} estimates of White's advantage from the smallest to the largest, each with its 95 % interval{}. Where nearly all \
         intervals overlap, the order is mostly chance.",
        rows.len(),
        match standard {
            Some(place) => format!(
                "; number 518, the orthodox start, is {}",
                rows[place].1.estimate()
            ),
            None => String::new(),
        }
    );
    Some((plot.around("Estimates with intervals", &marks), words))
}

/// Raw scores against scores that are shrunken towards the mean.
pub(super) fn raw_and_shrunken(played: &[PlayedStart<'_>]) -> Option<(Markup, String)> {
    let points: Vec<[f64; 2]> = played
        .iter()
        .filter_map(|one| Some([100.0 * one.report.raw?, 100.0 * one.report.shrunk?]))
        .collect();
    let reliable = played.iter().filter_map(|one| one.report.reliability);
    let reliability = range(reliable);
    if points.len() < 2 {
        return None;
    }
    let all = range(points.iter().flatten().copied());
    let plot = Plot::new(
        300.0,
        ("White's raw score, %", all),
        ("shrunken score, %", all),
    );
    let marks = html! {
        (plot.line("zero", all.map(|end| [end, end])))
        (plot.dots("dots", points.iter().copied()))
    };
    let [least, most] = reliability.map(|share| format!("{:.0}", 100.0 * share));
    let kept = match least == most {
        true => least,
        false => format!("{least} to {most}"),
    };
    let words = format!(
        "Each position's raw score of complete pairs, and the same drawn towards the mean by what is chance in it. On the dashed line both \
         are equal. Of the difference from the mean {kept} % are kept: the rest is what luck makes with so few games."
    );
    Some((plot.around("Raw and shrunken scores", &marks), words))
}

/// A normal density with the mean and spread of the true advantages, and two with the ends of the interval of the
/// spread.
pub(super) fn true_effects(statistics: &EventStatistics) -> Option<(Markup, String)> {
    let report = &statistics.first_move;
    let spread = report.advantage.spread?;
    let [tau, low, high] = [spread.sd_elo, spread.sd_elo_lo, spread.sd_elo_hi];
    let mean = report.advantage.mean?.elo;
    let reach = (3.2 * high).max(10.0);
    let ends = [mean - reach, mean + reach];
    // With a spread near 0 the curve would be a needle that hides the others.
    let sds = [low, tau, high].map(|sd| sd.max(0.012 * reach));
    let density = |sd: f64, x: f64| (-0.5 * ((x - mean) / sd).powi(2)).exp();
    let plot = Plot::new(
        260.0,
        ("true advantage of a position, Elo", ends),
        ("relative frequency", [0.0, 1.0]),
    );
    let curve = |sd: f64| {
        (0..=160).map(move |step| {
            let x = ends[0] + f64::from(step) / 160.0 * (ends[1] - ends[0]);
            [x, density(sd, x)]
        })
    };
    let marks = html! {
        (plot.line("curve faint", curve(sds[0])))
        (plot.line("curve faint", curve(sds[2])))
        (plot.line("curve", curve(sds[1])))
        (plot.words([mean + tau.min(reach / 2.0), 0.62], &format!("τ = {tau:.0} Elo")))
    };
    let words = format!(
        "How White's true advantage varies over positions: standard deviation τ = {tau:.1} Elo, 95 % [{low:.1}, {high:.1}], drawn as normal \
         distributions around the mean of {mean:+.1} (thin lines: both ends of the interval; heights are relative). \
         An interval that reaches to 0 does not show that positions differ."
    );
    Some((plot.around("Distribution of true effects", &marks), words))
}
