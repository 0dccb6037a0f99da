//! What rules of adjudication would have done, in words.

use crate::analysis::{AdjudicationDifference, AdjudicationReport, RuleReport};
use crate::referee::end_words;
use crate::referee::{DrawRule, ResignRule};
use crate::text::{Table, count, duration_of_seconds, paragraph, printable};

/// Maximum number of wrong verdicts of a rule listed; JSON has all.
const MAX_LISTED: usize = 20;

/// Maximum length of a name in the table.
const MAX_NAME_LENGTH: usize = 16;

/// All of it as text.
pub(crate) fn adjudication_text(report: &AdjudicationReport) -> String {
    let mut text = paragraph(&about_games(report), 0);
    text += "\n";
    text += &table(report);
    for (rule, label) in report.rules.iter().zip(labels(report)) {
        text += "\n";
        text += &paragraph(&in_words(rule, &label), 0);
        text += &listed("judged wrongly", &rule.wrong);
        text += &listed(
            "another result, but not by the board",
            &rule.undecided_differing,
        );
    }
    text
}

fn about_games(report: &AdjudicationReport) -> String {
    let mut sentence = format!(
        "{} with {} by engines; {} ended on the board, where a verdict is right or wrong.",
        count(report.games, "game"),
        count(report.plies, "half-move"),
        report.decided
    );
    if report.plies_without_score > 0 {
        let without = report.plies_without_score;
        sentence += &format!(
            " No rule counts the {} without a score.",
            count(without, "half-move")
        );
    }
    sentence
}

/// The label of each rule in the table: its name, or its number.
fn labels(report: &AdjudicationReport) -> Vec<String> {
    let rules = report.rules.iter().zip(1..);
    rules
        .map(|(rule, number)| match rule.name.chars().count() {
            0..=MAX_NAME_LENGTH => printable(&rule.name).into_owned(),
            _ => format!("rule {number}"),
        })
        .collect()
}

fn table(report: &AdjudicationReport) -> String {
    let header = [
        "rule",
        "school",
        "drawn",
        "won",
        "length",
        "plies saved",
        "time saved",
        "right",
        "wrong",
        "unknown",
    ];
    let mut table = Table::new(&header, &[0, 1]);
    for (rule, label) in report.rules.iter().zip(labels(report)) {
        let unknown = rule.undecided_agreeing as usize + rule.undecided_differing.len();
        table.rows.push(vec![
            label,
            rule.school.word().to_owned(),
            rule.drawn.to_string(),
            rule.won.to_string(),
            rule.too_long.to_string(),
            with_share(rule.plies_saved, report.plies),
            duration_of_seconds(rule.seconds_saved),
            rule.right.to_string(),
            rule.wrong.len().to_string(),
            unknown.to_string(),
        ]);
    }
    table.text()
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
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let rules = match parts.is_empty() {
        true => "no rule".to_owned(),
        false => parts.join("; "),
    };
    let mut sentence = format!("{label}: {rules}.");
    if rule.judged() == 0 {
        sentence += " It would have ended no game.";
    }
    if let Some(most) = rule.wrong_at_most {
        sentence += &format!(
            " {} of {} wrong: with 95 % certainty at most {:.1} % of its verdicts are.",
            rule.wrong.len(),
            count(rule.right as u64 + rule.wrong.len() as u64, "verdict"),
            100.0 * most
        );
    }
    sentence
}

fn draw_words(rule: DrawRule) -> String {
    format!(
        "draw from move {}, {} within ±{}",
        rule.from_move,
        count(rule.moves, "move"),
        rule.centipawns
    )
}

fn resign_words(rule: ResignRule) -> String {
    format!(
        "win after {} at −{}{}",
        count(rule.moves, "move"),
        rule.centipawns,
        if rule.both_engines {
            " by both engines"
        } else {
            " by the loser alone"
        }
    )
}

fn listed(title: &str, judgements: &[AdjudicationDifference]) -> String {
    if judgements.is_empty() {
        return String::new();
    }
    let mut text = format!("  {title}:\n");
    for judgement in judgements.iter().take(MAX_LISTED) {
        text += &format!(
            "    {}: {} after half-move {}; the game went on to {} by {} after {}\n",
            printable(judgement.game.as_str()),
            judgement.result,
            judgement.ply,
            judgement.played,
            end_words(judgement.reason),
            judgement.plies
        );
    }
    if judgements.len() > MAX_LISTED {
        let more = judgements.len() - MAX_LISTED;
        text += &format!("    and {more} more; --json has all\n");
    }
    text
}
