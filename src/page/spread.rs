//! Estimates with their intervals, raw against shrunken scores, what is known about the true effects, the funnel of
//! scores against games, and mirror twins.

use maud::{Markup, html};

use crate::analysis::EventStatistics;
use crate::chess::start::Variant;
use crate::chess::{StartNumber, start};
use crate::report::statistics::PlayedStart;
use crate::text::{count, p_value};

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
    let [tau, low, high] = report.spread_elo()?;
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

/// White's score against the number of games, with the limits of chance variation.
pub(super) fn funnel(
    statistics: &EventStatistics,
    played: &[PlayedStart<'_>],
) -> Option<(Markup, String)> {
    let points: Vec<[f64; 2]> = played
        .iter()
        .filter_map(|one| Some([f64::from(one.games()), 100.0 * one.score()?]))
        .collect();
    if points.len() < 2 {
        return None;
    }
    let white = &statistics.white;
    let games = white.games() as f64;
    let mean = (white.wins() as f64 + white.draws() as f64 / 2.0) / games;
    let squares = (white.wins() as f64 + white.draws() as f64 / 4.0) / games;
    let deviation = (squares - mean * mean).max(0.0).sqrt();
    let [fewest, most] = range(points.iter().map(|point| point[0]));
    let ends = [(fewest - 1.0).max(1.0), most + 1.0];
    let limit = |sign: f64| -> Vec<[f64; 2]> {
        let at = |step: u32| {
            let n = ends[0] + f64::from(step) / 60.0 * (ends[1] - ends[0]);
            let end = mean + sign * 1.96 * deviation / n.sqrt();
            [n, 100.0 * end.clamp(0.0, 1.0)]
        };
        (0..=60).map(at).collect()
    };
    let plot = Plot::new(300.0, ("games", ends), ("White's score, %", [0.0, 100.0])).of_counts();
    let outside = points.iter().filter(|point| {
        (point[1] / 100.0 - mean).abs() > 1.96 * deviation / point[0].sqrt() + 1e-12
    });
    let outside = outside.count();
    let marks = html! {
        (plot.area("band", &limit(-1.0), &limit(1.0)))
        (plot.level("zero", 100.0 * mean))
        (plot.counted_dots(&points))
    };
    let words = format!(
        "Each position's plain score against its number of games. If no position were special and all games independent, about 95 % of the {} would lie \
         in the band around the mean of {:.1} %; {outside} lie outside, {:.0} are expected to. The area of a large dot says how many positions are there.",
        points.len(),
        100.0 * mean,
        0.05 * points.len() as f64
    );
    Some((plot.around("Funnel of scores", &marks), words))
}

/// The score of each position against the score of its mirror image.
pub(super) fn twins(
    statistics: &EventStatistics,
    variant: Variant,
    played: &[PlayedStart<'_>],
) -> Option<(Markup, String)> {
    let found = statistics.first_move.advantage.mirror.as_ref()?;
    let score = |start: u32| {
        let place = played.binary_search_by_key(&start, |one| one.start.start);
        Some(100.0 * played[place.ok()?].report.raw?)
    };
    let pairs: Vec<[f64; 2]> = played
        .iter()
        .filter_map(|one| {
            let number = one.start.number?;
            let twin = start::mirror(variant, StartNumber(number)).ok()?.0;
            (number < twin).then_some(())?;
            Some([score(number)?, score(twin)?])
        })
        .collect();
    if pairs.len() < 2 {
        return None;
    }
    let all = range(pairs.iter().flatten().copied());
    let plot = Plot::new(
        300.0,
        ("White's score, %", all),
        ("score of its mirror twin, %", all),
    );
    let marks = html! {
        (plot.line("zero", all.map(|end| [end, end])))
        (plot.counted_dots(&pairs))
    };
    let words = format!(
        "Each position and its left-right mirror image, which differ by castling alone: {} of twins. If positions differ, twins agree; \
         that they share nothing: {}. The area of a large dot says how many pairs are there.",
        count(pairs.len(), "pair"),
        p_value(found.p_value)
    );
    Some((plot.around("Mirror twins", &marks), words))
}
