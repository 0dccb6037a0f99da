//! The course of the Elo estimate, and the path of the sequential test.

use maud::{Markup, html};

use crate::report::statistics::elo;
use crate::stats::sprt::Decision;

use super::facts::{CurvePoint, EventFacts};
use super::figure::{Data, Figure, field};
use super::plot::{Plot, range};

/// Elo differences beyond this are drawn at the edge.
const EDGE: f64 = 800.0;

/// The first engine's Elo after every pair, with its always-valid interval.
pub(super) fn narrowing(facts: &EventFacts, prefix: &str) -> Option<Markup> {
    let name = &facts.roster.participants.first()?.name;
    let figure = Figure {
        id: format!("{prefix}figure-elo"),
        title: "Elo as it narrowed",
        text: format!(
            "Elo of {name} after every pair, with the 95 % interval that may be looked at all the time."
        ),
        // The figure of the test offers the same data.
        data: facts.statistics.sprt.is_none().then(|| course_data(facts)),
        command: facts.command("stats", ""),
    };
    let remark = "The interval for one look at the end is narrower.";
    narrow(facts, figure, remark, |moment| moment.elo)
}

/// White's Elo after every pair, with its always-valid interval.
pub(super) fn white_narrowing(facts: &EventFacts, prefix: &str) -> Option<Markup> {
    let figure = Figure {
        id: format!("{prefix}figure-white"),
        title: "White's advantage as it narrowed",
        text: "White's Elo over pairs with the colours swapped, after every pair, with the 95 % interval that may \
               be looked at all the time."
            .to_owned(),
        data: Some(course_data(facts)),
        command: facts.command("stats", ""),
    };
    let remark = "It is the mean over what was played; the command below also has the advantage between equal engines.";
    narrow(facts, figure, remark, |moment| moment.white)
}

/// The figure around a value with its interval over the course of an event; its text gets the last value and this
/// remark.
fn narrow(
    facts: &EventFacts,
    mut figure: Figure<'_>,
    remark: &str,
    value: impl Fn(&CurvePoint) -> Option<[f64; 3]>,
) -> Option<Markup> {
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
    let when = match facts.statistics.running {
        true => "So far",
        false => "At the end",
    };
    let [value, low, high] = values.map(elo);
    figure.text += &format!(" {when} {value} [{low}, {high}] after {last} pairs. {remark}");
    Some(figure.around(&plot.around(figure.title, &marks)))
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
    let header = "pairs,elo,elo_lo,elo_hi,white_elo,white_elo_lo,white_elo_hi,llr";
    Data::new("course.csv", header, facts.course.iter().map(row))
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
                Decision::Accepted => "H1 is accepted, the test has passed",
                Decision::Rejected => "H0 is accepted, the test has failed",
                Decision::Undecided => "undecided",
            }
        ),
        data: Some(course_data(facts)),
        command: facts.command("stats", ""),
    };
    Some(figure.around(&plot.around("The sequential test", &marks)))
}
