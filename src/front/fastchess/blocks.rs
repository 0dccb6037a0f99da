//! The blocks of results, in both formats of fastchess.

use super::counts::EncounterCounts;
use super::limits::{option, time};
use super::rating::{FastchessRating, draw_ratio, pentanomial, points_ratio};
use crate::front::common::number::fixed;
use crate::front::common::settings::{EngineSettings, Output, Settings, Stats};
use crate::stats::sprt::{Hypotheses, Model};
use crate::uci::Ready;

/// Dashes around a block.
const RULE: &str = "--------------------------------------------------\n";

/// The smallest width of names.
const NAME_WIDTH: usize = 25;

/// The texts of the result blocks.
#[derive(Debug, Clone)]
pub(crate) struct ResultBlocks {
    pub(crate) engines: Vec<EngineSettings>,
    /// Threads and hash of each engine, `1t` and `16MB`.
    threads: Vec<String>,
    hash: Vec<String>,
    pub(crate) format: Output,
    pub(crate) in_pairs: bool,
    /// The book's name without its folders.
    book: String,
    test: Option<Hypotheses>,
}

impl ResultBlocks {
    /// The blocks of an event; `ready` is what the engines reported about themselves, if they were started.
    pub(crate) fn new(
        settings: &Settings,
        engines: &[EngineSettings],
        ready: &[Ready],
    ) -> ResultBlocks {
        let said = |name: &str, unit: &str| {
            let text = |index| option(ready.get(index), name, unit);
            (0..engines.len()).map(text).collect()
        };
        let book = &settings.opening.file;
        let name = book.rsplit(['/', '\\']).next().unwrap_or(book);
        ResultBlocks {
            engines: engines.to_vec(),
            threads: said("Threads", "t"),
            hash: said("Hash", "MB"),
            format: settings.output,
            in_pairs: settings.report_penta,
            book: name.to_owned(),
            test: hypotheses(settings),
        }
    }

    /// The block with the results of two engines, or of all.
    pub(crate) fn interval(&self, counts: &EncounterCounts, [first, second]: [u16; 2]) -> String {
        let stats = counts.between(first, second);
        let is_cutechess = self.format == Output::Cutechess;
        let table = match self.engines.len() {
            2 if is_cutechess => elo_difference(&stats),
            2 => self.head_to_head(&stats, [first, second]),
            _ => self.table(counts),
        };
        let test = self.test.map(|test| self.test_line(&test, &stats));
        let test = test.unwrap_or_default();
        match is_cutechess {
            true => table + &test,
            false => format!("{RULE}{table}{test}{RULE}"),
        }
    }

    /// `Score of A vs B: 1 - 0 - 0  [1.000] 1`, in the output format that has this line.
    pub(crate) fn score(&self, counts: &EncounterCounts, [first, second]: [u16; 2]) -> String {
        if self.format != Output::Cutechess {
            return String::new();
        }
        let stats = counts.between(first, second);
        let [first, second] = [first, second].map(|engine| &self.engines[usize::from(engine)].name);
        format!(
            "Score of {first} vs {second}: {} - {} - {}  [{}] {}\n",
            stats.wins,
            stats.losses,
            stats.draws,
            fixed(FastchessRating::new(&stats, false).score, 3),
            stats.games()
        )
    }

    /// The verdict of the test; `None` while the test is undecided.
    pub(crate) fn verdict(&self, counts: &EncounterCounts) -> Option<String> {
        let test = self.test?;
        let llr = self.llr(&test, &counts.between(0, 1));
        let [lower, upper] = test.bounds();
        let accepted = match llr {
            _ if llr >= upper => "H1",
            _ if llr <= lower => "H0",
            _ => return None,
        };
        Some(match self.format {
            Output::Cutechess => "Tournament finished".to_owned(),
            _ => format!(
                "SPRT ({}) completed - {accepted} was accepted",
                bounds(&test)
            ),
        })
    }

    fn llr(&self, test: &Hypotheses, stats: &Stats) -> f64 {
        match self.in_pairs {
            true => {
                let counts = crate::stats::counts::PairCounts {
                    pairs: stats.pair_counts(),
                    games: stats.game_counts(),
                };
                test.llr(&counts)
            }
            false => test.llr_of_games(&stats.game_counts()),
        }
    }

    fn test_line(&self, test: &Hypotheses, stats: &Stats) -> String {
        let llr = self.llr(test, stats);
        let [lower, upper] = test.bounds();
        let [shown, low, high] = [llr, lower, upper].map(|value| fixed(value, 2));
        if self.format == Output::Cutechess {
            let verdict = match llr {
                _ if llr >= upper => " - H1 was accepted",
                _ if llr < lower => " - H0 was accepted",
                _ => "",
            };
            let fraction = if llr < 0.0 { llr / lower } else { llr / upper };
            let percent = fixed(fraction * 100.0, 1);
            return format!(
                "SPRT: llr {shown} ({percent}%), lbound {low}, ubound {high}{verdict}\n"
            );
        }
        let fraction = if llr >= 0.0 {
            llr / upper
        } else {
            -llr / lower
        };
        let percent = fixed(fraction * 100.0, 1);
        let tested = bounds(test);
        format!("LLR: {shown} ({percent}%) ({low}, {high}) {tested}\n")
    }

    /// All engines by rating.
    fn table(&self, counts: &EncounterCounts) -> String {
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
        let pairs_column = |text: &str| match with_pairs {
            true => format!(" {text:>20}"),
            false => String::new(),
        };
        let pairs_head = pairs_column("Ptnml(0-2)");
        let mut text = format!(
            "{:<4} {:<width$} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}{pairs_head}\n",
            "Rank", "Name", "Elo", "+/-", "nElo", "+/-", "Games", "Score", "Draw"
        );
        for (rank, (name, rating, stats)) in (1..).zip(rows) {
            let pairs = match self.in_pairs {
                true => pairs_column(&pentanomial(&stats)),
                false => pairs_column(""),
            };
            let numbers = [rating.elo, rating.error, rating.nelo, rating.nelo_error];
            let numbers = numbers.map(|number| format!("{:>10}", fixed(number, 2)));
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

    fn head_to_head(&self, stats: &Stats, engines: [u16; 2]) -> String {
        let places = engines.map(usize::from);
        let [first, second] = places.map(|place| &self.engines[place]);
        let both = |texts: [String; 2]| match texts[0] == texts[1] {
            true => texts[0].clone(),
            false => texts.join(" - "),
        };
        let time = both([time(&first.limit), time(&second.limit)]);
        let threads = both(places.map(|place| self.threads[place].clone()));
        let hash = both(places.map(|place| self.hash[place].clone()));
        let book = match self.book.as_str() {
            "" => String::new(),
            book => format!(", {book}"),
        };
        let rating = FastchessRating::new(stats, self.in_pairs);
        let numbers = [rating.elo, rating.error, rating.nelo, rating.nelo_error];
        let [elo, error, nelo, nelo_error] = numbers.map(|number| fixed(number, 2));
        let shares = [
            rating.los,
            draw_ratio(stats, self.in_pairs),
            points_ratio(stats),
        ];
        let [los, draws, points_share] = shares.map(|share| fixed(share, 2));
        let ratio = |numerator: i64, denominator: i64| numerator as f64 / denominator as f64;
        let pairs_ratio = match self.in_pairs {
            true => {
                let won = stats.penta_WW + stats.penta_WD;
                let lost = stats.penta_LD + stats.penta_LL;
                format!(", PairsRatio: {}", fixed(ratio(won, lost), 2))
            }
            false => String::new(),
        };
        let mut text = format!(
            "Results of {} vs {} ({time}, {threads}, {hash}{book}):\n\
             Elo: {elo} +/- {error}, nElo: {nelo} +/- {nelo_error}\n\
             LOS: {los} %, DrawRatio: {draws} %{pairs_ratio}\n\
             Games: {}, Wins: {}, Losses: {}, Draws: {}, Points: {} ({points_share} %)\n",
            first.name,
            second.name,
            stats.games(),
            stats.wins,
            stats.losses,
            stats.draws,
            fixed(stats.points(), 1)
        );
        if self.in_pairs {
            let ratio = ratio(stats.penta_WL, stats.penta_DD);
            text += &format!(
                "Ptnml(0-2): {}, WL/DD Ratio: {}\n",
                pentanomial(stats),
                fixed(ratio, 2)
            );
        }
        text
    }
}

fn elo_difference(stats: &Stats) -> String {
    let rating = FastchessRating::new(stats, false);
    let ratio = draw_ratio(stats, false);
    let [elo, error, los, draws] =
        [rating.elo, rating.error, rating.los, ratio].map(|value| fixed(value, 2));
    format!("Elo difference: {elo} +/- {error}, LOS: {los} %, DrawRatio: {draws} %\n")
}

/// The test of a checked command line.
fn hypotheses(settings: &Settings) -> Option<Hypotheses> {
    let sprt = &settings.sprt;
    let model = match sprt.model.as_str() {
        "logistic" => Model::Logistic,
        "bayesian" => Model::Bayesian,
        _ => Model::Normalized,
    };
    let test = Hypotheses::new(model, sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta).ok();
    test.filter(|_| sprt.enabled)
}

fn bounds(test: &Hypotheses) -> String {
    format!("[{}, {}]", fixed(test.elo0(), 2), fixed(test.elo1(), 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(format: Output) -> ResultBlocks {
        let mut settings = Settings::new(0);
        settings.output = format;
        settings.report_penta = format == Output::Fastchess;
        settings.opening.file = "books/book.epd".to_owned();
        settings.sprt.enabled = true;
        settings.sprt.elo1 = 2.0;
        settings.sprt.alpha = 0.05;
        settings.sprt.beta = 0.05;
        let engine = |name: &str| {
            let mut engine = EngineSettings {
                name: name.to_owned(),
                ..EngineSettings::default()
            };
            engine.limit.tc.time = 10_000;
            engine.limit.tc.increment = 100;
            engine
        };
        ResultBlocks::new(&settings, &[engine("A"), engine("B")], &[])
    }

    fn counts() -> EncounterCounts {
        let mut counts = EncounterCounts::default();
        let stats = crate::front::fastchess::rating::example();
        counts.insert([0, 1], stats);
        counts
    }

    #[test]
    fn a_block_of_fastchess() {
        let text = blocks(Output::Fastchess).interval(&counts(), [0, 1]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[1],
            "Results of A vs B (10+0.1, NULL, NULL, book.epd):"
        );
        assert_eq!(lines[2], "Elo: -9.20 +/- 20.93, nElo: -11.50 +/- 26.11");
        assert_eq!(
            lines[3],
            "LOS: 19.41 %, DrawRatio: 42.35 %, PairsRatio: 0.88"
        );
        let games = "Games: 680, Wins: 248, Losses: 266, Draws: 166, Points: 331.0 (48.68 %)";
        assert_eq!(lines[4], games);
        assert_eq!(
            lines[5],
            "Ptnml(0-2): [43, 61, 144, 55, 37], WL/DD Ratio: 4.76"
        );
        assert!(
            lines[6].ends_with("(-2.94, 2.94) [0.00, 2.00]"),
            "{}",
            lines[6]
        );
        assert_eq!(lines.len(), 8);
    }

    #[test]
    fn the_lines_of_the_other_format() {
        let blocks = blocks(Output::Cutechess);
        let score = "Score of A vs B: 248 - 266 - 166  [0.487] 680\n";
        assert_eq!(blocks.score(&counts(), [0, 1]), score);
        let text = blocks.interval(&counts(), [0, 1]);
        assert!(text.starts_with("Elo difference: -9.20 +/- "), "{text}");
        assert!(text.contains("\nSPRT: llr -"), "{text}");
        assert!(!text.contains("---"));
    }
}
