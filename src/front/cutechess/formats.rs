//! `-resultformat`: the columns of the table that is printed for more than two engines.

use super::rating::qt;
use super::tally::{EngineTally, points_per_game};
use crate::stats::counts::Trinomial;

/// The format if none is given.
pub(super) const DEFAULT: &str = "default";

/// Formats by name, a line each.
const FORMATS: &str = "\
concise Rank,Name,Elo,Error,Games
default Rank,Name,Elo,Error,Games,Score,DScore
draws Rank,Name,Elo,Error,Games,W,L,D,Points,Score,DScore,DStale,DMater,DRepet,DMoves,DAdj,DAgree,OtherD
minimal Rank,Name
ordo Rank,Name,Elo,Points,Games,Score
per-color Rank,Name,Elo,Error,Games,W,L,D,Points,wW,wL,wD,wPoints,bW,bL,bD,bPoints
short Rank,Name,Elo,Games
small Rank,Name,Games,Points
term Rank,Name,Elo,Error,Games,Score,Time,Illegal,Discon,Stall,WrClaim
wide Rank,Name,Elo,Error,Games,W,L,D,Points,Score,DScore
wide2 Rank,Name,Elo,Error,Games,W,L,D,Points,Score,DScore,wScore,bScore
wide3 Rank,Name,TC,Elo,Error,Games,WLDStats,DrawStats,Terminations
with-points Rank,Name,Elo,Error,Games,Points,Score,DScore";

/// Words that expand to several fields, a line each.
const GROUPS: &str = "\
DrawStats DScore,DStale,DMater,DRepet,DMoves,DAdj,DAgree,OtherD
Terminations Time,Illegal,Discon,Stall,WrClaim
WLDStats W,L,D,Points,Score,wW,wL,wD,wPoints,wScore,bW,bL,bD,bPoints,bScore";

/// Names, and the fields that they stand for.
fn named(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    table.lines().filter_map(|line| line.split_once(' '))
}

/// A field: its word, its head, the width of its column, and the text of a row.
type FormatField = (&'static str, &'static str, usize, fn(&Row<'_>) -> String);

/// The data of a row of the table.
pub(super) struct Row<'a> {
    pub(super) rank: i64,
    pub(super) name: &'a str,
    pub(super) clock: String,
    pub(super) tally: &'a EngineTally,
}

const FIELDS: [FormatField; 22] = [
    ("Rank", "Rank", 4, |row| row.rank.to_string()),
    ("Name", "Name", 25, |row| row.name.to_owned()),
    ("Elo", "Elo", 7, |row| qt(row.tally.rating().elo(), 0)),
    ("Error", "+/-", 7, |row| qt(row.tally.rating().error(), 0)),
    ("Games", "Games", 7, |row| {
        row.tally.all().games().to_string()
    }),
    ("W", "Wins", 7, |row| wins(&row.tally.all())),
    ("L", "Losses", 7, |row| losses(&row.tally.all())),
    ("D", "Draws", 7, |row| draws(&row.tally.all())),
    ("Points", "Points", 8, |row| points(&row.tally.all())),
    ("Score", "Score", 7, |row| score(&row.tally.all())),
    ("DScore", "Draw", 7, |row| drawn(&row.tally.all())),
    ("wScore", "White", 7, |row| score(&row.tally.results[0])),
    ("bScore", "Black", 7, |row| score(&row.tally.results[1])),
    ("wDScore", "WDraw", 7, |row| drawn(&row.tally.results[0])),
    ("bDScore", "BDraw", 7, |row| drawn(&row.tally.results[1])),
    ("wW", "WWins", 7, |row| wins(&row.tally.results[0])),
    ("wL", "WLoss.", 7, |row| losses(&row.tally.results[0])),
    ("wD", "WDraws", 7, |row| draws(&row.tally.results[0])),
    ("bW", "BWins", 7, |row| wins(&row.tally.results[1])),
    ("bL", "BLoss.", 7, |row| losses(&row.tally.results[1])),
    ("bD", "BDraws", 7, |row| draws(&row.tally.results[1])),
    ("TC", "TC", 14, |row| row.clock.clone()),
];

/// Fields with the number of games that ended in one way. The last four are always 0: engines cannot claim a result, and
/// others are for other variants and for agreed results.
const ENDS: [&str; 16] = [
    "Time", "Illegal", "Discon", "Stall", "RegulL", "RegulW", "OtherW", "DStale", "DMater",
    "DRepet", "DMoves", "DAdj", "WrClaim", "DCount", "DAgree", "OtherD",
];

fn wins(results: &Trinomial) -> String {
    results.0[2].to_string()
}

fn draws(results: &Trinomial) -> String {
    results.0[1].to_string()
}

fn losses(results: &Trinomial) -> String {
    results.0[0].to_string()
}

fn points(results: &Trinomial) -> String {
    qt(results.0[2] as f64 + results.0[1] as f64 / 2.0, 1)
}

fn score(results: &Trinomial) -> String {
    qt(points_per_game(results) * 100.0, 1) + "%"
}

fn drawn(results: &Trinomial) -> String {
    qt(results.0[1] as f64 / results.games() as f64 * 100.0, 1) + "%"
}

/// The fields of a format, which is given by its name or as a list of fields.
fn fields(format: &str) -> Vec<String> {
    let known = named(FORMATS).find(|(name, _)| *name == format);
    let mut format = known.map_or(format, |(_, fields)| fields).to_owned();
    for (group, fields) in named(GROUPS) {
        format = format.replace(group, fields);
    }
    let fields = format.split(',').filter(|field| !field.is_empty());
    fields.map(|field| field.replace(' ', "")).collect()
}

/// A line of the table, for a row or for the head.
fn line(format: &str, row: Option<&Row<'_>>) -> String {
    let mut line = String::new();
    for field in fields(format) {
        if let Some((word, head, width, cell)) = FIELDS.iter().find(|(word, ..)| *word == field) {
            let text = row.map_or_else(|| (*head).to_owned(), cell);
            line += &match *word {
                "Name" => format!("{text:<width$} "),
                _ => format!("{text:>width$} "),
            };
        } else if ENDS.contains(&field.as_str()) {
            let text = row.map_or_else(|| field.clone(), |row| row.tally.ended(&field));
            line += &format!("{text:>7} ");
        }
    }
    line + "\n"
}

/// The head of the table.
pub(super) fn head(format: &str) -> String {
    line(format, None)
}

/// A row of the table.
pub(super) fn row(format: &str, row: &Row<'_>) -> String {
    line(format, Some(row))
}

/// What `-resultformat help` prints.
pub(super) fn help() -> String {
    let list = |table| -> String {
        let lines = named(table);
        lines
            .map(|(name, fields)| format!("{name} \n   {fields}\n"))
            .collect()
    };
    let mut tokens: Vec<&str> = FIELDS.iter().map(|(word, ..)| *word).chain(ENDS).collect();
    tokens.sort_unstable();
    format!(
        "Formats:\n{}\nFields:\n   {}\n\nFields that stand for several:\n{}",
        list(FORMATS),
        tokens.join(" "),
        list(GROUPS)
    )
}
