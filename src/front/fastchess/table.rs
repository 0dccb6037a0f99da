//! All engines by rating: the block for more than two engines.

use super::blocks::ResultBlocks;
use super::counts::EncounterCounts;
use super::rating::{FastchessRating, draw_ratio, pentanomial, points_ratio};
use crate::front::common::number::fixed;
use crate::front::common::settings::{Output, Stats};

/// The smallest width of names.
const NAME_WIDTH: usize = 25;

impl ResultBlocks {
    /// All engines by rating.
    pub(crate) fn table(&self, counts: &EncounterCounts) -> String {
        let with_pairs = self.format != Output::Cutechess;
        let names = self.engines.iter().map(|engine| engine.name.len());
        let width = names.max().unwrap_or(0).max(NAME_WIDTH);
        let mut rows: Vec<(&str, FastchessRating, Stats)> = Vec::new();
        for (engine, spec) in (0..).zip(&self.engines) {
            let stats = counts.of(engine);
            let rating = FastchessRating::new(&stats, with_pairs && self.in_pairs);
            rows.push((&spec.name, rating, stats));
        }
        // NaN comes last.
        let key = |rating: &FastchessRating| match rating.elo.is_nan() {
            true => f64::NEG_INFINITY,
            false => rating.elo,
        };
        rows.sort_by(|a, b| key(&b.1).total_cmp(&key(&a.1)));
        let pairs_head = match with_pairs {
            true => format!(" {:>20}", "Ptnml(0-2)"),
            false => String::new(),
        };
        let mut text = format!(
            "{:<4} {:<width$} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}{pairs_head}\n",
            "Rank", "Name", "Elo", "+/-", "nElo", "+/-", "Games", "Score", "Draw"
        );
        for (rank, (name, rating, stats)) in (1..).zip(rows) {
            let pairs = match with_pairs {
                true if self.in_pairs => format!(" {:>20}", pentanomial(&stats)),
                true => format!(" {:>20}", ""),
                false => String::new(),
            };
            let numbers = [rating.elo, rating.error, rating.nelo, rating.nelo_error];
            let numbers: Vec<String> = numbers
                .iter()
                .map(|number| format!("{:>10}", fixed(*number, 2)))
                .collect();
            text += &format!(
                "{rank:>4} {name:<width$} {} {:>10} {:>9}% {:>9}%{pairs}\n",
                numbers.join(" "),
                stats.games(),
                fixed(points_ratio(&stats), 1),
                fixed(draw_ratio(&stats, with_pairs && self.in_pairs), 1)
            );
        }
        text
    }
}
