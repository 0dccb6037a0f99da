//! Elo as it narrowed, and the path of the sequential test.

use maud::{Markup, html};

use super::facts::EventFacts;
use super::figure::{Data, Figure, csv, field};
use super::plot::{Plot, range};

/// Elo differences beyond this are drawn at the edge.
const EDGE: f64 = 800.0;

/// The first engine's Elo after every pair, with its always-valid interval.
pub(super) fn narrowing(facts: &EventFacts, prefix: &str) -> Option<Markup> {
    let moments = facts.course.iter();
    let points: Vec<(f64, [f64; 3])> = moments
        .filter_map(|moment| Some((moment.pairs as f64, moment.elo?)))
        .collect();
    let (last, [elo, low, high]) = *points.last()?;
    if points.len() < 2 {
        return None;
    }
    let narrow = points.iter().skip(points.len() / 10);
    let y = range(narrow.flat_map(|(_, values)| values.map(|value| value.clamp(-EDGE, EDGE))));
    let plot = Plot::new(300.0, ("complete pairs", [0.0, last]), ("Elo", y));
    let line = |which: usize| -> Vec<[f64; 2]> {
        let point = |(pairs, values): &(f64, [f64; 3])| [*pairs, values[which]];
        points.iter().map(point).collect()
    };
    let marks = html! {
        (plot.area("band", &line(1), &line(2)))
        (plot.level("zero", 0.0))
        (plot.line("curve", line(0)))
    };
    let name = &facts.roster.participants[0].name;
    let figure = Figure {
        id: format!("{prefix}figure-elo"),
        title: "Elo as it narrowed",
        text: format!(
            "Elo of {name} after every pair, with the 95 % interval that may be looked at all the time. At the end {elo:+.1} [{low:+.1}, {high:+.1}] \
             after {last} pairs. The interval for one look at the end is narrower: it is in the first answers above."
        ),
        data: Some(course_data(facts)),
        command: facts.command("stats", ""),
    };
    Some(figure.around(&plot.around("Elo as it narrowed", &marks)))
}

fn course_data(facts: &EventFacts) -> Data {
    let row = |moment: &super::facts::CurvePoint| {
        let elo = |which: usize| field(moment.elo.map(|values| values[which]));
        vec![
            moment.pairs.to_string(),
            elo(0),
            elo(1),
            elo(2),
            field(moment.ratio),
        ]
    };
    Data {
        name: "course.csv".to_owned(),
        csv: csv("pairs,elo,elo_lo,elo_hi,llr", facts.course.iter().map(row)),
    }
}

/// The log-likelihood ratio after every pair, between its bounds.
pub(super) fn test_path(facts: &EventFacts, prefix: &str) -> Option<Markup> {
    let test = facts.statistics.sprt.as_ref()?;
    let moments = facts.course.iter();
    let points: Vec<[f64; 2]> = moments
        .filter_map(|moment| Some([moment.pairs as f64, moment.ratio?]))
        .collect();
    let last = points.last()?[0];
    let (bounds, corrected) = (test.status.bounds, test.status.corrected_bounds);
    let ends = points.iter().map(|point| point[1]).chain(bounds);
    let plot = Plot::new(280.0, ("complete pairs", [0.0, last]), ("LLR", range(ends)));
    let marks = html! {
        @for bound in bounds { (plot.level("bound", bound)) }
        @for bound in corrected { (plot.level("bound faint", bound)) }
        (plot.level("zero", 0.0))
        (plot.line("curve", points.iter().copied()))
        (plot.words([0.0, bounds[1]], "H1 accepted"))
        (plot.words([0.0, bounds[0]], "H0 accepted"))
    };
    let [low, high] = bounds;
    let figure = Figure {
        id: format!("{prefix}figure-sprt"),
        title: "The sequential test",
        text: format!(
            "The log-likelihood ratio after every pair, with Wald's bounds {low:.2} and {high:.2} and, thin, the bounds in force after Siegmund's \
             correction. Now {:.2} on {} pairs: {}.",
            test.status.llr,
            test.status.pairs,
            match test.status.decision {
                crate::stats::sprt::Decision::Accepted => "H1 is accepted, the test has passed",
                crate::stats::sprt::Decision::Rejected => "H0 is accepted, the test has failed",
                crate::stats::sprt::Decision::Undecided => "undecided",
            }
        ),
        data: None,
        command: facts.command("stats", ""),
    };
    Some(figure.around(&plot.around("The sequential test", &marks)))
}
