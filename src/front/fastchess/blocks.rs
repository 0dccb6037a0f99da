//! The blocks of results, in both formats of fastchess.

use crate::front::common::counts::{EncounterCounts, Stats};
use crate::front::common::settings::{EngineSettings, Limit, Output, Settings};
use crate::front::common::values::{ScoreRating, clock, fixed};
use crate::stats::sprt::{Hypotheses, Model};
use crate::uci::{OptionKind, Ready};

/// Dashes around a block.
const SEPARATOR: &str = "--------------------------------------------------\n";

/// The smallest width of names.
const MIN_NAME_WIDTH: usize = 25;

/// The texts of the result blocks.
pub(in crate::front) struct ResultBlocks {
    names: Vec<String>,
    /// Limits, threads and hash of each engine: `10+0.1`, `1t`, `16MB`.
    limits: [Vec<String>; 3],
    format: Output,
    in_pairs: bool,
    /// The book's name without its folders.
    book: String,
    test: Option<Hypotheses>,
}

impl ResultBlocks {
    /// The blocks of an event; `ready` is what the engines reported about themselves, if they were started.
    pub(in crate::front) fn new(
        settings: &Settings,
        engines: &[EngineSettings],
        ready: &[Ready],
    ) -> ResultBlocks {
        let said = |name: &str, unit: &str| {
            let text = |index| option(ready.get(index), name, unit);
            (0..engines.len()).map(text).collect()
        };
        let times = engines.iter().map(|engine| time(&engine.limit));
        let book = &settings.opening.file;
        let name = book.rsplit(['/', '\\']).next().unwrap_or(book);
        ResultBlocks {
            names: engines.iter().map(|engine| engine.name.clone()).collect(),
            limits: [times.collect(), said("Threads", "t"), said("Hash", "MB")],
            format: settings.output,
            in_pairs: settings.report_penta,
            book: name.to_owned(),
            test: hypotheses(settings),
        }
    }

    fn is_cutechess(&self) -> bool {
        self.format == Output::Cutechess
    }

    /// The block with the results of two engines, or of all.
    pub(super) fn interval(&self, counts: &EncounterCounts, engines: [u16; 2]) -> String {
        let stats = counts.between(engines);
        let table = match self.names.len() {
            2 if self.is_cutechess() => elo_difference(&stats),
            2 => self.head_to_head(&stats),
            _ => self.table(counts),
        };
        let test = self.test.map(|test| self.test_line(&test, &stats));
        let test = test.unwrap_or_default();
        if self.is_cutechess() {
            return table + &test;
        }
        format!("{SEPARATOR}{table}{test}{SEPARATOR}")
    }

    /// `Score of A vs B: 1 - 0 - 0  [1.000] 1`, in the output format that has this line.
    pub(super) fn score(&self, counts: &EncounterCounts, engines: [u16; 2]) -> String {
        if !self.is_cutechess() {
            return String::new();
        }
        let stats = counts.between(engines);
        let [wins, losses, draws, ..] = stats.0;
        let [first, second] = engines.map(|engine| &self.names[usize::from(engine)]);
        let score = fixed(ScoreRating::of_games(&stats.counts().games).score, 3);
        let games = stats.games();
        format!("Score of {first} vs {second}: {wins} - {losses} - {draws}  [{score}] {games}\n")
    }

    /// The verdict of the test; `None` while the test is undecided.
    pub(super) fn verdict(&self, counts: &EncounterCounts) -> Option<String> {
        let test = self.test?;
        let accepted = accepted(&test, self.llr(&test, &counts.between([0, 1])))?;
        if self.is_cutechess() {
            return Some("Tournament finished".to_owned());
        }
        let bounds = bounds(&test);
        Some(format!(
            "SPRT ({bounds}) completed - {accepted} was accepted"
        ))
    }

    fn llr(&self, test: &Hypotheses, stats: &Stats) -> f64 {
        if self.in_pairs {
            test.llr(&stats.counts())
        } else {
            test.llr_of_games(&stats.counts().games)
        }
    }

    fn test_line(&self, test: &Hypotheses, stats: &Stats) -> String {
        let llr = self.llr(test, stats);
        let [lower, upper] = test.bounds();
        let [shown, low, high] = [llr, lower, upper].map(|value| fixed(value, 2));
        let sign = if self.is_cutechess() { 1.0 } else { -1.0 };
        let fraction = if llr < 0.0 {
            sign * llr / lower
        } else {
            llr / upper
        };
        let percent = fixed(fraction * 100.0, 1);
        if !self.is_cutechess() {
            return format!(
                "LLR: {shown} ({percent}%) ({low}, {high}) {}\n",
                bounds(test)
            );
        }
        let verdict = accepted(test, llr).map(|accepted| format!(" - {accepted} was accepted"));
        let verdict = verdict.unwrap_or_default();
        format!("SPRT: llr {shown} ({percent}%), lbound {low}, ubound {high}{verdict}\n")
    }

    /// All engines by rating.
    fn table(&self, counts: &EncounterCounts) -> String {
        let with_pairs = !self.is_cutechess();
        let longest = self.names.iter().map(String::len).max();
        let width = longest.unwrap_or(0).max(MIN_NAME_WIDTH);
        let column = |text: &str| {
            if with_pairs {
                format!(" {text:>20}")
            } else {
                String::new()
            }
        };
        let rows = (0..).zip(&self.names).map(|(engine, name)| {
            let stats = counts.against_all(engine);
            (name, self.rating(&stats), stats)
        });
        let mut rows: Vec<(&String, ScoreRating, Stats)> = rows.collect();
        // NaN comes last.
        let key = |rating: &ScoreRating| rating.elo.max(f64::NEG_INFINITY);
        rows.sort_by(|a, b| key(&b.1).total_cmp(&key(&a.1)));
        let heads = ["Elo", "+/-", "nElo", "+/-", "Games", "Score", "Draw"];
        let heads = heads.map(|head| format!("{head:>10}")).join(" ");
        let pairs = column("Ptnml(0-2)");
        let mut text = format!("{:<4} {:<width$} {heads}{pairs}\n", "Rank", "Name");
        for (rank, (name, rating, stats)) in (1..).zip(rows) {
            let numbers = [rating.elo, rating.error, rating.nelo, rating.nelo_error];
            let numbers = numbers.map(|number| format!("{:>10}", fixed(number, 2)));
            let numbers = numbers.join(" ");
            let shares = [points_ratio(&stats), self.draw_ratio(&stats)];
            let [points, draws] = shares.map(|share| fixed(share, 1));
            let pairs = format!("{:?}", stats.counts().pairs.0);
            let pairs = column(if self.in_pairs { &pairs } else { "" });
            let games = stats.games();
            text += &format!(
                "{rank:>4} {name:<width$} {numbers} {games:>10} {points:>9}% {draws:>9}%{pairs}\n"
            );
        }
        text
    }

    fn rating(&self, stats: &Stats) -> ScoreRating {
        let counts = stats.counts();
        if self.in_pairs && !self.is_cutechess() {
            ScoreRating::of_pairs(&counts.pairs)
        } else {
            ScoreRating::of_games(&counts.games)
        }
    }

    /// Drawn pairs, or games, per cent.
    fn draw_ratio(&self, stats: &Stats) -> f64 {
        let [won, lost, even, drawn] = stats.pairs();
        if self.in_pairs && !self.is_cutechess() {
            (even + drawn) / (won + lost + even + drawn) * 100.0
        } else {
            draws_per_cent(stats)
        }
    }

    fn head_to_head(&self, stats: &Stats) -> String {
        let [time, threads, hash] = self.limits.each_ref().map(|texts| match texts.as_slice() {
            [one, other] if one != other => format!("{one} - {other}"),
            texts => texts[0].clone(),
        });
        let comma = if self.book.is_empty() { "" } else { ", " };
        let rating = self.rating(stats);
        let numbers = [rating.elo, rating.error, rating.nelo, rating.nelo_error];
        let [elo, error, nelo, nelo_error] = numbers.map(|number| fixed(number, 2));
        let shares = [rating.los, self.draw_ratio(stats), points_ratio(stats)];
        let [los, draw_ratio, points_share] = shares.map(|share| fixed(share, 2));
        let [won, lost, even, drawn] = stats.pairs();
        let [pairs_ratio, middle_ratio] = [won / lost, even / drawn].map(|ratio| fixed(ratio, 2));
        let pairs_ratio = if self.in_pairs {
            format!(", PairsRatio: {pairs_ratio}")
        } else {
            String::new()
        };
        let ([wins, losses, draws, ..], games) = (stats.0, stats.games());
        let mut text = format!(
            "Results of {} vs {} ({time}, {threads}, {hash}{comma}{}):\n\
             Elo: {elo} +/- {error}, nElo: {nelo} +/- {nelo_error}\n\
             LOS: {los} %, DrawRatio: {draw_ratio} %{pairs_ratio}\n\
             Games: {games}, Wins: {wins}, Losses: {losses}, Draws: {draws}, Points: {} ({points_share} %)\n",
            self.names[0],
            self.names[1],
            self.book,
            fixed(stats.points(), 1)
        );
        if self.in_pairs {
            let pairs = stats.counts().pairs.0;
            text += &format!("Ptnml(0-2): {pairs:?}, WL/DD Ratio: {middle_ratio}\n");
        }
        text
    }
}

fn elo_difference(stats: &Stats) -> String {
    let rating = ScoreRating::of_games(&stats.counts().games);
    let numbers = [rating.elo, rating.error, rating.los, draws_per_cent(stats)];
    let [elo, error, los, draws] = numbers.map(|value| fixed(value, 2));
    format!("Elo difference: {elo} +/- {error}, LOS: {los} %, DrawRatio: {draws} %\n")
}

fn draws_per_cent(stats: &Stats) -> f64 {
    100.0 * stats.0[2] as f64 / stats.games() as f64
}

/// Points, per cent of the games.
fn points_ratio(stats: &Stats) -> f64 {
    stats.points() / stats.games() as f64 * 100.0
}

/// `10+0.1`, `0.1/move`, `8 plies`, `5000 nodes`.
fn time(limit: &Limit) -> String {
    let none = match limit.plies {
        0 => format!("{} nodes", limit.nodes),
        plies => format!("{plies} plies"),
    };
    clock(&limit.tc, 2, &none)
}

/// The value of an option as set or declared, and its unit.
fn option(ready: Option<&Ready>, name: &str, unit: &str) -> String {
    let declared = ready.and_then(|ready| {
        let option = ready.identity.options.get(name)?;
        let mut sent = ready.sent.iter().rev();
        let sent = sent.find(|(sent, _)| *sent == option.name);
        let value = sent.and_then(|(_, value)| value.clone());
        Some(value.unwrap_or_else(|| match &option.kind {
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Check { default } => default.to_string(),
            OptionKind::Combo { default, .. } | OptionKind::String { default } => default.clone(),
            OptionKind::Button => "false".to_owned(),
        }))
    });
    declared.map_or_else(|| "NULL".to_owned(), |value| format!("{value}{unit}"))
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

/// The hypothesis that this ratio accepts.
fn accepted(test: &Hypotheses, llr: f64) -> Option<&'static str> {
    let [lower, upper] = test.bounds();
    match llr {
        _ if llr >= upper => Some("H1"),
        _ if llr <= lower => Some("H0"),
        _ => None,
    }
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
        counts
            .results
            .insert([0, 1], Stats([248, 266, 166, 37, 55, 119, 25, 61, 43]));
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
