//! A figure: its caption in words and its data, around axes and marks in SVG with
//! coordinates that a person can read in the source.

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::text::csv_row;

/// Size of a drawing in pixels, and its margins: left, right, top, bottom.
const WIDTH: f64 = 720.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 44.0;

/// A drawing with two axes.
pub(super) struct Plot {
    pub height: f64,
    x: [f64; 2],
    y: [f64; 2],
    x_label: &'static str,
    y_label: &'static str,
    /// Minimum step between two numbers of the horizontal axis.
    least_step: f64,
}

impl Plot {
    /// Axes that contain these values and some space around them.
    pub(super) fn new(
        height: f64,
        (x_label, x): (&'static str, [f64; 2]),
        (y_label, y): (&'static str, [f64; 2]),
    ) -> Plot {
        Plot {
            height,
            x: widened(x),
            y: widened(y),
            x_label,
            y_label,
            least_step: 0.0,
        }
    }

    /// For a horizontal axis of counts: it has only whole numbers.
    pub(super) fn of_counts(self) -> Plot {
        Plot {
            least_step: 1.0,
            ..self
        }
    }

    /// The horizontal coordinate of a value.
    pub(super) fn x(&self, value: f64) -> f64 {
        let [low, high] = self.x;
        LEFT + (value.clamp(low, high) - low) / (high - low) * (WIDTH - LEFT - RIGHT)
    }

    /// The vertical coordinate of a value.
    pub(super) fn y(&self, value: f64) -> f64 {
        let [low, high] = self.y;
        let share = (value.clamp(low, high) - low) / (high - low);
        self.height - BOTTOM - share * (self.height - TOP - BOTTOM)
    }

    /// The drawing: axes, and the marks on them.
    pub(super) fn around(&self, name: &str, marks: &Markup) -> Markup {
        let (bottom, right) = (self.height - BOTTOM, WIDTH - RIGHT);
        html! {
            svg viewBox=(format!("0 0 {WIDTH} {}", self.height)) role="img" aria-label=(name) {
                g.axis {
                    @for tick in ticks(self.y, 5, 0.0) {
                        @let y = short(self.y(tick));
                        line.grid x1=(LEFT) x2=(right) y1=(y) y2=(y) {}
                        text.end x=(LEFT - 6.0) y=(short(self.y(tick) + 4.0)) { (label(tick)) }
                    }
                    @for tick in ticks(self.x, 8, self.least_step) {
                        @let x = short(self.x(tick));
                        line.grid x1=(x) x2=(x) y1=(TOP) y2=(bottom) {}
                        text.middle x=(x) y=(bottom + 16.0) { (label(tick)) }
                    }
                    text.middle x=(short((LEFT + right) / 2.0)) y=(self.height - 6.0) { (self.x_label) }
                    // Above the numbers, whose width varies.
                    text x="2" y="18" { (self.y_label) }
                }
                (marks)
            }
        }
    }

    /// A line through these points.
    pub(super) fn line(&self, class: &str, points: impl IntoIterator<Item = [f64; 2]>) -> Markup {
        let mut path = String::new();
        for [x, y] in points {
            let letter = if path.is_empty() { 'M' } else { 'L' };
            path += &format!("{letter}{} {}", short(self.x(x)), short(self.y(y)));
        }
        html! { path class=(class) d=(path) {} }
    }

    /// Dots at these points. If many points share few places, the area of a dot shows their number.
    pub(super) fn counted_dots(&self, points: &[[f64; 2]]) -> Markup {
        let mut places = BTreeMap::<[String; 2], usize>::new();
        for [x, y] in points {
            let place = [self.x(*x), self.y(*y)].map(short);
            *places.entry(place).or_default() += 1;
        }
        if places.len() * 4 > points.len() {
            return self.dots("dots", points.iter().copied());
        }
        let most = places.values().max().copied().unwrap_or(1) as f64;
        let radius = |count: usize| short(2.0 + 14.0 * (count as f64 / most).sqrt());
        html! {
            g.counted { @for ([x, y], count) in &places {
                circle cx=(x) cy=(y) r=(radius(*count)) { title { (count) } }
            } }
        }
    }

    /// A dot at each of these points, all in one path.
    pub(super) fn dots(&self, class: &str, points: impl IntoIterator<Item = [f64; 2]>) -> Markup {
        let dot = |[x, y]: [f64; 2]| format!("M{} {}h0", short(self.x(x)), short(self.y(y)));
        let path: String = points.into_iter().map(dot).collect();
        html! { path class=(class) d=(path) {} }
    }

    /// A vertical line at each of these: place, low, high.
    pub(super) fn bars(&self, class: &str, bars: impl IntoIterator<Item = [f64; 3]>) -> Markup {
        let bar = |[x, low, high]: [f64; 3]| {
            let (low, high) = (short(self.y(low)), short(self.y(high)));
            format!("M{} {low}V{high}", short(self.x(x)))
        };
        let path: String = bars.into_iter().map(bar).collect();
        html! { path class=(class) d=(path) {} }
    }

    /// The area between two lines over the same places.
    pub(super) fn area(&self, class: &str, low: &[[f64; 2]], high: &[[f64; 2]]) -> Markup {
        self.line(class, low.iter().chain(high.iter().rev()).copied())
    }

    /// A horizontal line at this height.
    pub(super) fn level(&self, class: &str, y: f64) -> Markup {
        self.line(class, self.x.map(|x| [x, y]))
    }

    /// A label next to a point.
    pub(super) fn words(&self, [x, y]: [f64; 2], words: &str) -> Markup {
        let near_end = self.x(x) > 0.8 * WIDTH;
        let (class, aside) = if near_end { ("end", -6.0) } else { ("", 6.0) };
        html! {
            text class=(class) x=(short(self.x(x) + aside)) y=(short(self.y(y) - 6.0)) { (words) }
        }
    }
}

/// Horizontal bars with their labels: word, value, and the value in words.
pub(super) fn bar_chart(name: &str, rows: &[(String, f64, String)]) -> Markup {
    let most = rows.iter().map(|row| row.1).fold(0.0, f64::max).max(1e-9);
    let height = 26.0 * rows.len() as f64 + 6.0;
    html! {
        svg.bar-chart viewBox=(format!("0 0 {WIDTH} {height}")) role="img" aria-label=(name) {
            @for (place, (word, value, words)) in rows.iter().enumerate() {
                @let y = 26.0 * place as f64 + 4.0;
                @let width = value / most * 310.0;
                text.end x="210" y=(y + 14.0) { (word) }
                rect.bar x="218" y=(y) width=(short(width)) height="18" {}
                text x=(short(226.0 + width)) y=(y + 14.0) { (words) }
            }
        }
    }
}

/// The smallest and the largest of finite values.
pub(super) fn range(values: impl IntoIterator<Item = f64>) -> [f64; 2] {
    let finite = values.into_iter().filter(|value| value.is_finite());
    let ends = finite.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
        [low.min(value), high.max(value)]
    });
    if ends[0] > ends[1] { [0.0, 1.0] } else { ends }
}

fn widened([low, high]: [f64; 2]) -> [f64; 2] {
    let space = match high - low {
        width if width > 0.0 => 0.03 * width,
        _ => 0.5_f64.max(0.05 * low.abs()),
    };
    [low - space, high + space]
}

/// About `about` round values inside the axis, at least `least_step` apart.
fn ticks([low, high]: [f64; 2], about: u32, least_step: f64) -> Vec<f64> {
    let rough = ((high - low) / f64::from(about)).max(least_step);
    let power = 10_f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    let step = steps.into_iter().find(|step| *step >= rough * 0.999);
    let step = step.unwrap_or(rough);
    let first = (low / step).ceil();
    let count = ((high / step).floor() - first).max(0.0) as u32;
    (0..=count).map(|n| (first + f64::from(n)) * step).collect()
}

/// A round value without superfluous digits.
fn label(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text {
        "-0" | "" => "0".to_owned(),
        _ => text.replacen('-', "−", 1),
    }
}

/// A coordinate, rounded to a tenth of a pixel.
pub(super) fn short(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// A table of data that the page offers for download.
pub(super) struct Data {
    /// The file's name.
    pub name: String,
    /// Comma-separated values with a header.
    pub csv: String,
}

impl Data {
    /// Rows of fields with a header; fields are quoted if they must be.
    pub(super) fn new(
        name: &str,
        header: &str,
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> Data {
        let (name, mut csv) = (name.to_owned(), format!("{header}\n"));
        for row in rows {
            csv_row(&mut csv, row);
            csv.push('\n');
        }
        Data { name, csv }
    }
}

/// The parts of a figure in addition to its drawing.
pub(super) struct Figure<'a> {
    /// Its anchor.
    pub id: String,
    pub title: &'a str,
    /// A description of the drawing, also for readers who cannot see it.
    pub text: String,
    pub data: Option<Data>,
}

impl Figure<'_> {
    /// The figure around its drawing.
    pub(super) fn around(&self, drawing: &Markup) -> Markup {
        html! {
            figure.block id=(self.id) {
                figcaption {
                    h4 { (self.title) @if let Some(data) = &self.data { " " (download(data)) } }
                    p { (self.text) }
                }
                (drawing)
            }
        }
    }
}

/// A link that saves the data; it needs no script.
pub(super) fn download(data: &Data) -> Markup {
    html! { a.data download=(data.name) href=(address(&data.csv)) { (data.name) } }
}

/// The text as a data address.
fn address(text: &str) -> String {
    let mut address = String::with_capacity(text.len() + text.len() / 8);
    address.push_str("data:text/csv;charset=utf-8,");
    for byte in text.bytes() {
        let plain = byte.is_ascii_alphanumeric() || b",.-_/:;[]()=+*".contains(&byte);
        match plain {
            true => address.push(char::from(byte)),
            false => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address
}

/// A number for a table of data; empty if it is not defined.
pub(super) fn field(value: Option<f64>) -> String {
    let value = value.filter(|value| value.is_finite());
    value.map_or_else(String::new, |value| format!("{value:.4}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let labels = |ends, about| {
            ticks(ends, about, 0.0)
                .into_iter()
                .map(label)
                .collect::<Vec<_>>()
        };
        assert_eq!(labels([-12.0, 31.0], 5), ["−10", "0", "10", "20", "30"]);
        assert_eq!(labels([0.48, 0.531], 5), ["0.48", "0.5", "0.52"]);
    }

    #[test]
    fn things_that_are_counted_have_whole_numbers() {
        assert_eq!(ticks([0.9, 4.1], 8, 1.0), [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(ticks([0.0, 960.0], 8, 1.0).len(), 5);
    }

    #[test]
    fn values_beyond_the_axes_stay_on_the_drawing() {
        let plot = Plot::new(200.0, ("x", [0.0, 1.0]), ("y", [0.0, 1.0]));
        assert_eq!(plot.x(9.0), WIDTH - RIGHT);
        assert_eq!(plot.y(f64::INFINITY), TOP);
    }

    #[test]
    fn an_address_holds_nothing_that_ends_it() {
        let address = address("a,b\n\"<script>\" #% ü");
        assert_eq!(
            address,
            "data:text/csv;charset=utf-8,a,b%0A%22%3Cscript%3E%22%20%23%25%20%C3%BC"
        );
    }

    #[test]
    fn fields_with_commas_are_quoted() {
        let data = Data::new("a.csv", "a,b", [vec!["x, y".to_owned(), "z".to_owned()]]);
        assert_eq!(data.csv, "a,b\n\"x, y\",z\n");
    }
}
