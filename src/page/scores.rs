//! The funnel of scores against games, and mirror twins.

use maud::{Markup, html};

use crate::analysis::EventStatistics;
use crate::chess::StartNumber;
use crate::chess::start::{self, Variant};
use crate::report::statistics::{PlayedStart, p_value};

use super::plot::{Plot, range};

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
        "Each position and its left-right mirror image, which differ by castling alone: {} pairs of twins. If positions differ, twins agree; \
         that they share nothing: {}. The area of a large dot says how many pairs are there.",
        pairs.len(),
        p_value(found.p_value)
    );
    Some((plot.around("Mirror twins", &marks), words))
}
