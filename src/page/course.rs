//! The course of the Elo estimate, and the path of the sequential test.

use maud::{Markup, html};

use crate::report::statistics::elo;

use super::facts::{CurvePoint, EventFacts};
use super::figure::{Data, Figure, csv, field};
use super::plot::{Plot, range};

/// Elo differences beyond this are drawn at the edge.
const EDGE: f64 = 800.0;

/// The first engine's Elo after every pair, with its always-valid interval.
pub(super) fn narrowing(facts: &EventFacts, prefix: &str) -> Option<Markup> {
    let (drawing, last, values) = narrow(facts, "Elo as it narrowed", |moment| moment.elo)?;
    let [value, low, high] = values.map(elo);
    let name = &facts.roster.participants[0].name;
    let figure = Figure {
        id: format!("{prefix}figure-elo"),
        title: "Elo as it narrowed",
        text: format!(
            "Elo of {name} after every pair, with the 95 % interval that may be looked at all the time. {} {value} [{low}, {high}] \
             after {last} pairs. The interval for one look at the end is narrower.",
            when(facts)
        ),
        // The figure of the test offers the same data.
        data: facts.statistics.sprt.is_none().then(|| course_data(facts)),
        command: facts.command("stats", ""),
    };
    Some(figure.around(&drawing))
}

/// White's Elo after every pair, with its always-valid interval.
pub(super) fn white_narrowing(facts: &EventFacts, prefix: &str) -> Option<Markup> {
    let title = "White's advantage as it narrowed";
    let (drawing, last, values) = narrow(facts, title, |moment| moment.white)?;
    let [value, low, high] = values.map(elo);
    let figure = Figure {
        id: format!("{prefix}figure-white"),
        title,
        text: format!(
            "White's Elo over pairs with the colours swapped, after every pair, with the 95 % interval that may be looked at all the time. \
             {} {value} [{low}, {high}] after {last} pairs. It is the mean over what was played; \
             the command below also has the advantage between equal engines.",
            when(facts)
        ),
        data: Some(course_data(facts)),
        command: facts.command("stats", ""),
    };
    Some(figure.around(&drawing))
}

fn when(facts: &EventFacts) -> &'static str {
    match facts.statistics.running {
        true => "So far",
        false => "At the end",
    }
}

/// A value with its interval over the course of an event: the drawing, the pairs and the last value.
fn narrow(
    facts: &EventFacts,
    title: &str,
    value: impl Fn(&CurvePoint) -> Option<[f64; 3]>,
) -> Option<(Markup, f64, [f64; 3])> {
    let moments = facts.course.iter();
    let points: Vec<(f64, [f64; 3])> = moments
        .filter_map(|moment| Some((moment.pairs as f64, value(moment)?)))
        .collect();
    let (last, values) = *points.last()?;
    // If every interval covers everything, the figure would show nothing.
    if points.len() < 2 || values.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let narrow = points.iter().skip(points.len() / 10);
    let y = range(narrow.flat_map(|(_, values)| values.map(|value| value.clamp(-EDGE, EDGE))));
    let plot = Plot::new(300.0, ("complete pairs", [0.0, last]), ("Elo", y)).of_counts();
    let line = |which: usize| -> Vec<[f64; 2]> {
        let point = |(pairs, values): &(f64, [f64; 3])| [*pairs, values[which]];
        points.iter().map(point).collect()
    };
    let marks = html! {
        (plot.area("band", &line(1), &line(2)))
        (plot.level("zero", 0.0))
        (plot.line("curve", line(0)))
    };
    Some((plot.around(title, &marks), last, values))
}

fn course_data(facts: &EventFacts) -> Data {
    let row = |moment: &CurvePoint| {
        let mut row = vec![moment.pairs.to_string()];
        for values in [moment.elo, moment.white] {
            row.extend((0..3).map(|which| field(values.map(|values| values[which]))));
        }
        row.push(field(moment.ratio));
        row
    };
    Data {
        name: "course.csv".to_owned(),
        csv: csv(
            "pairs,elo,elo_lo,elo_hi,white_elo,white_elo_lo,white_elo_hi,llr",
            facts.course.iter().map(row),
        ),
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
    let bounds = test.status.corrected_bounds;
    let ends = points.iter().map(|point| point[1]).chain(bounds);
    let plot = Plot::new(280.0, ("complete pairs", [0.0, last]), ("LLR", range(ends))).of_counts();
    let marks = html! {
        @for bound in bounds { (plot.level("bound", bound)) }
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
            "The log-likelihood ratio after every pair. The test ends at {low:.2} or {high:.2}. Now {:.2} on {} pairs: {}.",
            test.status.llr,
            test.status.pairs,
            match test.status.decision {
                crate::stats::sprt::Decision::Accepted => "H1 is accepted, the test has passed",
                crate::stats::sprt::Decision::Rejected => "H0 is accepted, the test has failed",
                crate::stats::sprt::Decision::Undecided => "undecided",
            }
        ),
        data: Some(course_data(facts)),
        command: facts.command("stats", ""),
    };
    Some(figure.around(&plot.around("The sequential test", &marks)))
}
