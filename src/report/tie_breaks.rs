//! Tie-breaks as sentences.

use crate::stats::standings::TieBreak;
use crate::text::printable;
use crate::tournament::Scoreboard;

/// A sentence for every two engines with equal points that a tie-break, not their games, has separated.
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
            rule.words()
        ))
    });
    decided.collect()
}
