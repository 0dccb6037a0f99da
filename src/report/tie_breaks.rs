//! Tie-breaks in words.

use crate::stats::standings::TieBreak;
use crate::text::printable;
use crate::tournament::Scoreboard;

/// What a rule is called in a sentence.
pub(crate) fn tie_break_words(rule: TieBreak) -> &'static str {
    match rule {
        TieBreak::DirectEncounter => "the direct encounter",
        TieBreak::Wins => "games won",
        TieBreak::SonnebornBerger => "Sonneborn-Berger",
        TieBreak::BlackWins => "games won with Black",
        TieBreak::DoubleWins => "pairs won with both colours",
        TieBreak::Koya => "the Koya system",
        TieBreak::Buchholz => "Buchholz",
        TieBreak::BuchholzCut1 => "Buchholz without the worst opponent",
        TieBreak::BuchholzCut2 => "Buchholz without the two worst opponents",
        TieBreak::MedianBuchholz => "Buchholz without the best and the worst opponent",
        TieBreak::Progressive => "progressive points",
        TieBreak::RatingPerformance => "rating performance",
        TieBreak::FewerFaults => "fewer faults",
        TieBreak::Lot => "lot",
    }
}

/// A sentence for each two engines with equal points that a tie-break has separated: their games
/// have not.
pub(crate) fn tie_break_lines(board: &Scoreboard) -> Vec<String> {
    let table = board.standings();
    let name =
        |engine: u16| printable(&board.participants()[usize::from(engine)].name).into_owned();
    let decided = table.windows(2).filter_map(|two| {
        let rule = two[1].decided_by?;
        let value = |row: usize| {
            let mut values = two[row].tie_breaks();
            let value = values
                .find(|(own, _)| *own == rule)
                .and_then(|(_, value)| value);
            value.map_or_else(String::new, |value| format!("{value}"))
        };
        let [above, below] = [0, 1].map(|row| name(two[row].engine));
        let values = match rule {
            TieBreak::Lot => String::new(),
            _ => format!(" ({} to {})", value(0), value(1)),
        };
        Some(format!(
            "{above} stands above {below} by {}{values}: they have equal points.",
            tie_break_words(rule)
        ))
    });
    decided.collect()
}
