//! Pairs by points, terminations, time and depth by move number; the course of the Elo estimate, and the path of the
//! sequential test.

use maud::{Markup, html};

use crate::referee::end_words;
use crate::stats::sprt::Decision;
use crate::text::{count as text_count, elo};

use super::facts::{CurvePoint, EventFacts};
use super::games::SearchSums;
use super::plot::{Data, Figure, Plot, bar_chart, field, range};

/// Complete pairs of two engines by the points of the first one.
pub(super) fn pairs_by_points(facts: &EventFacts, prefix: &str) -> Option<Markup> {
    let found = facts.statistics.encounter.as_ref()?;
    let counts = found.counts.pairs.0;
    let all: u64 = counts.iter().sum();
    if all == 0 {
        return None;
    }
    let names = ["0 (LL)", "½ (LD)", "1 (WL, DD)", "1½ (WD)", "2 (WW)"];
    let rows: Vec<(&str, u64)> = names.into_iter().zip(counts).collect();
    let figure = Figure {
        id: format!("{prefix}figure-pairs"),
        title: "Pairs by points",
        text: format!(
            "{} by the points of {} in both games. Pairs, not games, are what a match is judged by.",
            text_count(all, "complete pair"),
            found.engines[0]
        ),
        data: None,
    };
    Some(counted(
        figure,
        ["pairs.csv", "points,pairs"],
        &rows,
        str::to_owned,
    ))
}

/// The ways in which games ended, with their numbers.
pub(super) fn terminations(facts: &EventFacts, prefix: &str) -> Option<Markup> {
    if facts.reasons.is_empty() {
        return None;
    }
    let reasons = facts.reasons.iter();
    let mut rows: Vec<(&str, u64)> = reasons.map(|(word, count)| (&**word, *count)).collect();
    rows.sort_by_key(|(word, count)| (std::cmp::Reverse(*count), *word));
    let all: u64 = facts.reasons.values().sum();
    let figure = Figure {
        id: format!("{prefix}figure-terminations"),
        title: "How games ended",
        text: format!("The reasons for which {} ended.", text_count(all, "game")),
        data: None,
    };
    Some(counted(
        figure,
        ["terminations.csv", "reason,games"],
        &rows,
        end_words,
    ))
}

/// A figure around bars of these counts, with their shares of all, and with them as data.
fn counted(
    figure: Figure<'_>,
    [file, header]: [&str; 2],
    rows: &[(&str, u64)],
    shown: fn(&str) -> String,
) -> Markup {
    let all: u64 = rows.iter().map(|(_, count)| count).sum();
    let bar = |(name, count): &(&str, u64)| {
        let share = 100.0 * *count as f64 / all as f64;
        let text = format!("{count} ({share:.1} %)");
        (shown(name), *count as f64, text)
    };
    let bars: Vec<_> = rows.iter().map(bar).collect();
    let row = |(name, count): &(&str, u64)| vec![(*name).to_owned(), count.to_string()];
    let data = Some(Data::new(file, header, rows.iter().map(row)));
    let drawing = bar_chart(figure.title, &bars);
    Figure { data, ..figure }.around(&drawing)
}

/// Mean time and depth of each engine by its own move number.
pub(super) fn by_move(facts: &EventFacts, prefix: &str) -> Markup {
    let (time, depth) = (SearchSums::mean_seconds, SearchSums::mean_depth);
    html! {
        (curves(facts, prefix, "time", "Time by move number", "mean time, s", &time))
        (curves(facts, prefix, "depth", "Depth by move number", "mean depth, plies", &depth))
    }
}

/// An engine's curve, and its name.
type Curve<'a> = (&'a str, Vec<[f64; 2]>);

fn curves(
    facts: &EventFacts,
    prefix: &str,
    name: &str,
    title: &'static str,
    unit: &'static str,
    value: &dyn Fn(&SearchSums) -> Option<f64>,
) -> Markup {
    let participants = facts.roster.participants.iter();
    let engines: Vec<Curve<'_>> = participants
        .filter_map(|entry| {
            let timing = facts.timing.engines.get(&entry.seat)?;
            let moves = (1..).zip(&timing.by_move);
            let points = moves.filter_map(|(number, sums)| Some([f64::from(number), value(sums)?]));
            Some((entry.name.as_str(), points.collect()))
        })
        .filter(|(_, points): &Curve<'_>| points.len() > 1)
        .collect();
    let all = || engines.iter().flat_map(|(_, points)| points);
    if engines.is_empty() {
        return html! {};
    }
    let plot = Plot::new(
        280.0,
        ("the engine's own move", range(all().map(|point| point[0]))),
        (unit, range(all().map(|point| point[1]).chain([0.0]))),
    )
    .of_counts();
    let marks = html! {
        @for (place, (_, points)) in engines.iter().enumerate() {
            (plot.line(&format!("curve {}", series(place)), points.iter().copied()))
        }
    };
    let row = |(name, points): &Curve<'_>| -> Vec<Vec<String>> {
        let one = |[number, value]: &[f64; 2]| {
            vec![(*name).to_owned(), number.to_string(), field(Some(*value))]
        };
        points.iter().map(one).collect()
    };
    let [file, header] = [format!("{name}.csv"), format!("engine,move,{name}")];
    let figure = Figure {
        id: format!("{prefix}figure-{name}"),
        title,
        text: format!(
            "Mean of {}, by each engine's own move number.",
            text_count(facts.games.len(), "game")
        ),
        data: Some(Data::new(&file, &header, engines.iter().flat_map(row))),
    };
    let drawing = html! {
        (plot.around(title, &marks))
        ul.legend { @for (place, (name, _)) in engines.iter().enumerate() {
            li { svg.sample viewBox="0 0 30 10" aria-hidden="true" { path class=(format!("curve {}", series(place))) d="M1 5h28" {} } (name) }
        } }
    };
    figure.around(&drawing)
}

/// The style of a line: six colours, and a new dash pattern after every six.
fn series(place: usize) -> String {
    format!("e{} d{}", place % 6, place / 6 % 4)
}

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
    };
    let remark =
        "It is the mean over what was played; stats also has the advantage between equal engines.";
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
    figure.text += &format!(
        " {when} {value} [{low}, {high}] after {}. {remark}",
        text_count(last as u64, "pair")
    );
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
            "The log-likelihood ratio after every pair. The test ends at {low:.2} or {high:.2}. Now {:.2} on {}: {}.",
            test.status.llr,
            text_count(test.status.pairs, "pair"),
            match test.status.decision {
                Decision::Accepted => "H1 is accepted, the test has passed",
                Decision::Rejected => "H0 is accepted, the test has failed",
                Decision::Undecided => "undecided",
            }
        ),
        data: Some(course_data(facts)),
    };
    Some(figure.around(&plot.around("The sequential test", &marks)))
}
