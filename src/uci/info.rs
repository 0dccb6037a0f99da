//! A search report: classified cheaply when it arrives, read only when somebody needs it; and the lines that are kept.

use std::sync::Arc;

use regex_lite::Regex;
use serde::{Serialize, Serializer};

use super::line::Tokens;
use super::score::{Bound, Score};

/// What a line of `info` is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InfoKind {
    /// A score of the first line of play.
    Principal,
    /// A bound on that score: a search that failed high or low and continues.
    Bound,
    /// A score of another line (`multipv` 2 and more).
    Secondary,
    /// No score, but a number of nodes: some engines end a search with one.
    Totals,
    /// A message, a current move: nothing to keep.
    Other,
}

/// One `info` line, not read yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InfoLine<'a> {
    text: &'a str,
}

/// What an engine reported about its search before `bestmove`, for the first line of several (`multipv 1`). Taken from
/// the last `info` with an exact score, or from one with a bound if no exact score came; nodes, time, speed, fill and
/// hits also from later lines. Absurd numbers are saturated. In JSON its members have the names of
/// `docs/store.md`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Thinking {
    /// The score from the mover's point of view.
    #[serde(flatten, serialize_with = "score_columns")]
    pub score: Option<Score>,
    /// Set if the score is only a bound.
    pub bound: Option<Bound>,
    /// Win, draw, loss in per mille, mover's point of view.
    pub wdl: Option<[u16; 3]>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Selective depth in plies.
    pub seldepth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// How full the hash table is, per mille.
    pub hashfull: Option<u32>,
    /// Tablebase hits.
    pub tbhits: Option<u64>,
    /// The engine's own time, milliseconds.
    pub time_ms: Option<u64>,
    /// The principal variation as the engine wrote it.
    pub pv: String,
}

/// The members `centipawns` and `mate`: one of them, or neither without a score.
fn score_columns<S: Serializer>(score: &Option<Score>, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Columns {
        centipawns: Option<i32>,
        mate: Option<i32>,
    }
    let (centipawns, mate) = Score::columns(*score);
    Columns { centipawns, mate }.serialize(serializer)
}

impl<'a> InfoLine<'a> {
    /// Wraps the text that follows the word `info`.
    pub fn new(text: &'a str) -> Self {
        InfoLine { text }
    }

    /// The text that follows the word `info`.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Whether the word `score` is anywhere in it, also behind its moves; not in a message.
    pub fn has_score(&self) -> bool {
        let mut words = Tokens::new(self.text);
        words.peek() != Some("string") && words.any(|word| word == "score")
    }

    /// Whether it is of the first line of play, or of the only one.
    pub fn is_first(&self) -> bool {
        let mut tokens = Tokens::new(self.text);
        let mut is_first = true;
        while let Some(word) = tokens.next() {
            match word {
                "multipv" => is_first = number(&mut tokens).is_none_or(|rank| rank == 1),
                "string" => break,
                _ => {}
            }
        }
        is_first
    }

    /// What the line is good for, by one walk over the words before its moves.
    pub fn kind(&self) -> InfoKind {
        let mut tokens = Tokens::new(self.text);
        let (mut score, mut totals, mut first, mut exact) = (false, false, true, true);
        while let Some(word) = tokens.next() {
            match word {
                "score" => score = true,
                "multipv" => first = tokens.next().is_none_or(|rank| rank == "1"),
                "nodes" => totals = true,
                "lowerbound" | "upperbound" => exact = false,
                "string" | "pv" | "currline" | "refutation" => break,
                _ => {}
            }
        }
        match (score, first, totals) {
            (true, true, _) if exact => InfoKind::Principal,
            (true, true, _) => InfoKind::Bound,
            (true, false, _) => InfoKind::Secondary,
            (false, _, true) => InfoKind::Totals,
            (false, _, false) => InfoKind::Other,
        }
    }

    /// Reads every field.
    ///
    /// ```
    /// use arbiter960::uci::{InfoLine, Score};
    /// let report = InfoLine::new("depth 9 score cp 31 nodes 4077 pv e2e4 e7e5").parse();
    /// assert_eq!(report.score, Some(Score::Centipawns(31)));
    /// assert_eq!(report.pv, "e2e4 e7e5");
    /// ```
    pub fn parse(&self) -> Thinking {
        let mut report = Thinking::default();
        let mut tokens = Tokens::new(self.text);
        while let Some(word) = tokens.next() {
            if word == "string" {
                break;
            }
            report.read_field(word, &mut tokens);
        }
        report
    }
}

impl Thinking {
    /// Takes over the totals (nodes, time, speed, fill, hits) of a later line, as engines
    /// send it after their last score.
    pub fn update_totals(&mut self, later: &Thinking) {
        self.time_ms = later.time_ms.or(self.time_ms);
        self.nodes = later.nodes.or(self.nodes);
        self.nps = later.nps.or(self.nps);
        self.hashfull = later.hashfull.or(self.hashfull);
        self.tbhits = later.tbhits.or(self.tbhits);
    }

    fn read_field(&mut self, word: &str, tokens: &mut Tokens<'_>) {
        match word {
            "depth" => self.depth = number(tokens).map(to_u32),
            "seldepth" => self.seldepth = number(tokens).map(to_u32),
            "time" => self.time_ms = number(tokens).map(to_u64),
            "nodes" => self.nodes = number(tokens).map(to_u64),
            "nps" => self.nps = number(tokens).map(to_u64),
            "hashfull" => self.hashfull = number(tokens).map(to_u32),
            "tbhits" => self.tbhits = number(tokens).map(to_u64),
            "cp" | "mate" => {
                let score = match word {
                    "cp" => Score::Centipawns,
                    _ => Score::Mate,
                };
                self.score = number(tokens).map(to_i32).map(score).or(self.score);
            }
            "lowerbound" => self.bound = Some(Bound::Lower),
            "upperbound" => self.bound = Some(Bound::Upper),
            "wdl" => self.wdl = win_draw_loss(tokens),
            "pv" => self.pv = tokens.take_until(is_field).to_owned(),
            _ => {}
        }
    }
}

/// The next word as a number, saturated; not taken if it is none.
fn number(tokens: &mut Tokens<'_>) -> Option<i64> {
    let value = saturating_integer(tokens.peek()?)?;
    tokens.next();
    Some(value)
}

/// Digits with an optional sign, saturated at the ends of `i64`.
pub(super) fn saturating_integer(word: &str) -> Option<i64> {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let limit = if word.starts_with('-') {
        i64::MIN
    } else {
        i64::MAX
    };
    Some(word.parse().unwrap_or(limit))
}

fn to_u64(value: i64) -> u64 {
    value.max(0).unsigned_abs()
}

fn to_u32(value: i64) -> u32 {
    u32::try_from(value.max(0)).unwrap_or(u32::MAX)
}

fn to_i32(value: i64) -> i32 {
    i32::try_from(value).unwrap_or(if value < 0 { i32::MIN } else { i32::MAX })
}

fn win_draw_loss(tokens: &mut Tokens<'_>) -> Option<[u16; 3]> {
    let mut permille = [0; 3];
    for value in &mut permille {
        *value = u16::try_from(number(tokens)?.max(0)).unwrap_or(u16::MAX);
    }
    Some(permille)
}

/// Whether a word ends a line of play: most engines end a report with it, some do not.
fn is_field(word: &str) -> bool {
    // A move has a digit here and no field has: that settles nearly every word.
    if word.as_bytes().get(1).is_some_and(u8::is_ascii_digit) {
        return false;
    }
    FIELDS.split(' ').any(|field| field == word)
}

/// The fields of a report.
const FIELDS: &str = "score nodes time nps depth seldepth pv hashfull tbhits multipv wdl string cpuload \
    currmove currmovenumber currline refutation";

// Lines of engines that the event file asks to keep with the moves.

/// Which lines are kept: of each search, for each of these expressions, the last line that it matches.
#[derive(Debug, Clone, Default)]
pub struct KeptLines(Arc<[Regex]>);

impl KeptLines {
    /// The lines that these expressions match anywhere.
    pub fn new(expressions: Vec<Regex>) -> KeptLines {
        KeptLines(expressions.into())
    }

    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl PartialEq for KeptLines {
    fn eq(&self, other: &KeptLines) -> bool {
        let others = other.0.iter().map(Regex::as_str);
        self.0.iter().map(Regex::as_str).eq(others)
    }
}

/// What was found of them in the search that runs, in the order of the expressions.
#[derive(Debug, Default)]
pub(crate) struct FoundLines(Vec<String>);

impl FoundLines {
    /// A new search.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Looks at a line of the search.
    pub(crate) fn note(&mut self, line: &str, wanted: &KeptLines) {
        self.0.resize_with(wanted.0.len(), String::new);
        for (found, expression) in self.0.iter_mut().zip(&*wanted.0) {
            if expression.is_match(line) {
                found.clear();
                found.push_str(line);
            }
        }
    }

    /// The lines, of the expressions that have one.
    pub(crate) fn take(&mut self) -> Vec<String> {
        let mut lines = std::mem::take(&mut self.0);
        lines.retain(|line| !line.is_empty());
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_stockfish() {
        let line = "depth 17 seldepth 21 multipv 1 score cp -4 upperbound wdl 9 981 10 nodes 170258 nps \
                    565641 hashfull 67 tbhits 0 time 301 pv c2c4 c7c5";
        let report = InfoLine::new(line).parse();
        let expected = Thinking {
            depth: Some(17),
            seldepth: Some(21),
            time_ms: Some(301),
            nodes: Some(170_258),
            nps: Some(565_641),
            hashfull: Some(67),
            tbhits: Some(0),
            score: Some(Score::Centipawns(-4)),
            bound: Some(Bound::Upper),
            wdl: Some([9, 981, 10]),
            pv: "c2c4 c7c5".to_owned(),
        };
        assert_eq!(report, expected);
        assert_eq!(InfoLine::new(line).kind(), InfoKind::Bound);
    }

    #[test]
    fn kinds() {
        let cases = [
            ("multipv 2 depth 3 score cp 1 pv e2e4", InfoKind::Secondary),
            ("depth 3 score mate 1", InfoKind::Principal),
            ("score cp 12 lowerbound depth 3 pv e2e4", InfoKind::Bound),
            ("multipv 2 score cp 12 upperbound", InfoKind::Secondary),
            (
                "nodes 33785 nps 98212 time 344 hashfull 1",
                InfoKind::Totals,
            ),
            ("depth 9", InfoKind::Other),
            ("currmove e2e4 currmovenumber 1", InfoKind::Other),
            ("string score cp 90", InfoKind::Other),
            ("", InfoKind::Other),
        ];
        for (line, kind) in cases {
            assert_eq!(InfoLine::new(line).kind(), kind, "{line:?}");
        }
    }

    #[test]
    fn fields_behind_the_moves_and_absurd_numbers() {
        let line = "score mate -99999999999999999999 pv e2e4  e7e5 nodes 99999999999999999999 depth -3 nps x";
        let report = InfoLine::new(line).parse();
        assert_eq!(report.score, Some(Score::Mate(i32::MIN)));
        assert_eq!(report.pv, "e2e4  e7e5");
        assert_eq!(report.nodes, Some(i64::MAX as u64));
        assert_eq!((report.depth, report.nps), (Some(0), None));
    }

    #[test]
    fn totals_of_a_later_line() {
        let mut report =
            InfoLine::new("depth 10 score cp 15 time 273 nodes 427686 pv g1f3").parse();
        report.update_totals(&InfoLine::new("time 301 nodes 470000 nps 0 cpuload 563").parse());
        assert_eq!(
            (report.time_ms, report.nodes, report.nps),
            (Some(301), Some(470_000), Some(0))
        );
        assert_eq!((report.depth, report.pv.as_str()), (Some(10), "g1f3"));
    }

    #[test]
    fn the_last_line_of_each_expression_is_kept() {
        let expressions = ["^info string", "depth [0-9]+", "never"];
        let expressions = expressions.map(|text| Regex::new(text).expect("an expression"));
        let wanted = KeptLines::new(expressions.into());
        let mut found = FoundLines::default();
        for line in [
            "info depth 1",
            "info string a",
            "info depth 2",
            "bestmove e2e4",
        ] {
            found.note(line, &wanted);
        }
        assert_eq!(found.take(), ["info string a", "info depth 2"]);
        assert!(found.take().is_empty());
    }
}
