//! What rules of adjudication would have done, in words.

use crate::analysis::{AdjudicationDifference, AdjudicationReport, RuleReport};
use crate::referee::{DrawRule, ResignRule, end_words};
use crate::text::{
    CellValue, ColumnUnit, Table, columns, count, duration_of_seconds, paragraph, printable,
};

/// Maximum number of wrong verdicts of a rule listed; JSON has all.
const MAX_LISTED: usize = 20;

/// Maximum length of a name in the table.
const MAX_NAME_LENGTH: usize = 16;

/// All of it as text.
pub(crate) fn adjudication_text(report: &AdjudicationReport) -> String {
    let rules = (1..).zip(&report.rules);
    let rules: Vec<_> = rules
        .map(|(number, rule)| NumberedRule {
            number,
            rule,
            report,
        })
        .collect();
    let table = Table::from_columns(&NumberedRule::FOR_PEOPLE, &rules).text();
    let mut text = format!("{}\n{table}", paragraph(&about_games(report), 0));
    for NumberedRule { number, rule, .. } in rules {
        text += "\n";
        text += &paragraph(&in_words(rule, &label(number, rule)), 0);
        text += &listed("judged wrongly", &rule.wrong);
        let differing = &rule.undecided_differing;
        text += &listed("another result, but not by the board", differing);
    }
    text
}

fn about_games(report: &AdjudicationReport) -> String {
    let games = count(report.games, "game");
    let plies = count(report.plies, "half-move");
    let mut sentence = format!(
        "{games} with {plies} by engines; {} ended on the board, where a verdict is right or wrong.",
        report.decided
    );
    if report.plies_without_score > 0 {
        let without = count(report.plies_without_score, "half-move");
        sentence += &format!(" No rule counts the {without} without a score.");
    }
    sentence
}

/// A rule with its number.
struct NumberedRule<'a> {
    number: usize,
    rule: &'a RuleReport,
    report: &'a AdjudicationReport,
}

columns! {
    NumberedRule<'_> {
        LABEL: "", "rule", ColumnUnit::Text, |row| CellValue::Text(label(row.number, row.rule));
        SCHOOL: "", "school", ColumnUnit::Text, |row| CellValue::Text(row.rule.school.word().to_owned());
        DRAWN: "", "drawn", ColumnUnit::Count, |row| CellValue::Whole(row.rule.drawn.into());
        WON: "", "won", ColumnUnit::Count, |row| CellValue::Whole(row.rule.won.into());
        LENGTH: "", "length", ColumnUnit::Count, |row| CellValue::Whole(row.rule.too_long.into());
        PLIES: "", "plies saved", ColumnUnit::Count, |row| CellValue::Text(with_share(row.rule.plies_saved, row.report.plies));
        TIME: "", "time saved", ColumnUnit::Count, |row| CellValue::Text(duration_of_seconds(row.rule.seconds_saved));
        RIGHT: "", "right", ColumnUnit::Count, |row| CellValue::Whole(row.rule.right.into());
        WRONG: "", "wrong", ColumnUnit::Count, |row| CellValue::Whole(row.rule.wrong.len() as u64);
        UNKNOWN: "", "unknown", ColumnUnit::Count, |row| CellValue::Whole(u64::from(row.rule.undecided_agreeing) + row.rule.undecided_differing.len() as u64);
    }
    FOR_PEOPLE[10]: LABEL SCHOOL DRAWN WON LENGTH PLIES TIME RIGHT WRONG UNKNOWN;
}

/// Its name, or its number.
fn label(number: usize, rule: &RuleReport) -> String {
    match rule.name.chars().count() {
        0..=MAX_NAME_LENGTH => printable(&rule.name).into_owned(),
        _ => format!("rule {number}"),
    }
}

fn with_share(part: u64, whole: u64) -> String {
    match whole {
        0 => part.to_string(),
        _ => format!("{part} ({:.1} %)", 100.0 * part as f64 / whole as f64),
    }
}

/// The rule itself, and the reliability of its verdicts.
fn in_words(rule: &RuleReport, label: &str) -> String {
    let parts = [
        rule.draw.map(draw_words),
        rule.resign.map(resign_words),
        rule.max_moves
            .map(|most| format!("drawn after {}", count(most, "move"))),
    ];
    let mut parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        parts.push("no rule".to_owned());
    }
    let mut sentence = format!("{label}: {}.", parts.join("; "));
    if rule.judged() == 0 {
        sentence += " It would have ended no game.";
    }
    if let Some(most) = rule.wrong_at_most {
        let (wrong, percent) = (rule.wrong.len(), 100.0 * most);
        let verdicts = count(rule.right as u64 + wrong as u64, "verdict");
        sentence += &format!(
            " {wrong} of {verdicts} wrong: with 95 % certainty at most {percent:.1} % of its verdicts are."
        );
    }
    sentence
}

fn draw_words(rule: DrawRule) -> String {
    let (from, moves) = (rule.from_move, count(rule.moves, "move"));
    format!("draw from move {from}, {moves} within ±{}", rule.centipawns)
}

fn resign_words(rule: ResignRule) -> String {
    let (moves, centipawns) = (count(rule.moves, "move"), rule.centipawns);
    let who = if rule.both_engines {
        "by both engines"
    } else {
        "by the loser alone"
    };
    format!("win after {moves} at −{centipawns} {who}")
}

fn listed(title: &str, judgements: &[AdjudicationDifference]) -> String {
    if judgements.is_empty() {
        return String::new();
    }
    let mut text = format!("  {title}:\n");
    for judgement in judgements.iter().take(MAX_LISTED) {
        let (game, ply) = (printable(judgement.game.as_str()), judgement.ply);
        let (result, played) = (judgement.result, judgement.played);
        let (end, plies) = (end_words(judgement.reason), judgement.plies);
        let went_on = format!("the game went on to {played} by {end} after {plies}");
        text += &format!("    {game}: {result} after half-move {ply}; {went_on}\n");
    }
    if judgements.len() > MAX_LISTED {
        let more = judgements.len() - MAX_LISTED;
        text += &format!("    and {more} more; --json has all\n");
    }
    text
}
