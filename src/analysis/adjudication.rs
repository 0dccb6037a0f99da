//! What rules of adjudication would have done to games that were played without these rules.
//!
//! A rule reads the moves of each game with the stored scores, as the referee would have passed them, up to its first
//! verdict. If the game continued and ended on the board, the board shows whether the verdict was right.

use std::time::Duration;

use serde::Serialize;

use crate::chess::Game;
use crate::event::{GameId, GameName};
use crate::referee::{
    Adjudication, Adjudicator, DrawRule, DrawnBy, GameRecord, Outcome, ResignRule, School,
    ScoredMove, Termination, WonBy,
};
use crate::stats::interval::share_at_most;
use crate::store::{Reader, StoreError};
use crate::tournament::Roster;

/// The probability that the share of wrong verdicts is at most the stated bound.
const CERTAINTY: f64 = 0.95;

/// A rule, and its name.
#[derive(Debug, Clone)]
pub(crate) struct NamedRule {
    pub(crate) name: String,
    pub(crate) rules: Adjudication,
}

/// The games of an event, and the outcome of each rule.
#[derive(Debug, Serialize, Default)]
pub(crate) struct AdjudicationReport {
    pub(crate) schema: u32,
    /// Finished games that count.
    pub(crate) games: u32,
    /// Those of them that ended on the board, or by tables: in these a verdict is either right or wrong.
    pub(crate) decided: u32,
    pub(crate) plies: u64,
    /// Half-moves without a score, which no rule counts.
    pub(crate) plies_without_score: u64,
    /// Time that the engines thought, seconds.
    pub(crate) seconds: f64,
    /// In the order in which they were asked for.
    pub(crate) rules: Vec<RuleReport>,
}

/// What one rule would have done.
#[derive(Debug, Serialize, Default)]
pub(crate) struct RuleReport {
    pub(crate) name: String,
    /// The way of counting.
    pub(crate) school: School,
    /// A draw by score.
    pub(crate) draw: Option<DrawRule>,
    /// A win by score.
    pub(crate) resign: Option<ResignRule>,
    /// A draw by length, full moves.
    pub(crate) max_moves: Option<u32>,
    /// Games that it would have ended: drawn by score, won by score, drawn by length.
    pub(crate) drawn: u32,
    /// See `drawn`.
    pub(crate) won: u32,
    /// See `drawn`.
    pub(crate) too_long: u32,
    /// Half-moves by engines that would not have been played.
    pub(crate) plies_saved: u64,
    /// The time that the engines thought about them, seconds.
    pub(crate) seconds_saved: f64,
    /// Verdicts confirmed by the end on the board.
    pub(crate) right: u32,
    /// Verdicts contradicted by the end on the board, in the order of finishing.
    pub(crate) wrong: Vec<AdjudicationDifference>,
    /// Verdicts on games that did not end on the board: with the same result as the game.
    pub(crate) undecided_agreeing: u32,
    /// And with another result, in the order of finishing.
    pub(crate) undecided_differing: Vec<AdjudicationDifference>,
    /// Upper bound of the share of wrong verdicts, with a probability of 95 % (Clopper and Pearson); `None` if no game
    /// with a verdict ended on the board.
    pub(crate) wrong_at_most: Option<f64>,
}

/// A verdict that differs from the game.
#[derive(Debug, Serialize)]
pub(crate) struct AdjudicationDifference {
    /// As in the PGN tag `Round`.
    pub(crate) game: GameName,
    /// Half-moves on the board when the rule would have ended it, the book's included.
    pub(crate) ply: usize,
    /// The result by the rule.
    pub(crate) result: &'static str,
    /// The game's own: its result, how it ended, and after how many half-moves.
    pub(crate) played: &'static str,
    /// See `played`.
    pub(crate) reason: &'static str,
    /// See `played`.
    pub(crate) plies: usize,
}

impl AdjudicationReport {
    /// Every rule over the games of an event that count.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) fn new(reader: &Reader, rules: &[NamedRule]) -> Result<Self, StoreError> {
        let roster = Roster::read(reader)?;
        let mut report = AdjudicationReport {
            schema: 1,
            rules: rules.iter().map(RuleReport::empty).collect(),
            ..AdjudicationReport::default()
        };
        for game in reader.games() {
            let game = game?.game;
            report.take(&roster, game.id, &game.record, rules);
        }
        for rule in &mut report.rules {
            let wrong = rule.wrong.len() as u64;
            rule.wrong_at_most = share_at_most(wrong, wrong + u64::from(rule.right), CERTAINTY);
        }
        Ok(report)
    }

    fn take(&mut self, roster: &Roster, id: GameId, record: &GameRecord, rules: &[NamedRule]) {
        let moves = scored_moves(record);
        self.games += 1;
        self.decided += u32::from(is_decided(&record.outcome));
        self.plies += record.moves.len() as u64;
        let silent = |played: &&ScoredMove| played.score.is_none();
        self.plies_without_score += moves.iter().filter(silent).count() as u64;
        self.seconds += thought(record, 0).as_secs_f64();
        for (rule, report) in rules.iter().zip(&mut self.rules) {
            if let Some((after, verdict)) = verdict_on(&rule.rules, &moves) {
                report.take(roster.games.name(id), record, after, &verdict);
            }
        }
    }
}

impl RuleReport {
    fn empty(rule: &NamedRule) -> RuleReport {
        RuleReport {
            name: rule.name.clone(),
            school: rule.rules.school,
            draw: rule.rules.draw,
            resign: rule.rules.resign,
            max_moves: rule.rules.max_moves,
            ..RuleReport::default()
        }
    }

    /// Games that it would have ended.
    pub(crate) fn judged(&self) -> u32 {
        self.drawn + self.won + self.too_long
    }

    /// Counts a verdict after this number of moves by engines.
    fn take(&mut self, game: GameName, record: &GameRecord, after: usize, verdict: &Outcome) {
        match verdict {
            Outcome::Drawn(DrawnBy::LengthAdjudication) => self.too_long += 1,
            Outcome::Drawn(_) => self.drawn += 1,
            _ => self.won += 1,
        }
        self.plies_saved += (record.moves.len() - after) as u64;
        self.seconds_saved += thought(record, after).as_secs_f64();
        let agrees = verdict.result() == record.outcome.result();
        let difference = AdjudicationDifference {
            game,
            ply: record.opening.len() + after,
            result: verdict.result(),
            played: record.outcome.result(),
            reason: record.outcome.reason(),
            plies: record.plies(),
        };
        match (is_decided(&record.outcome), agrees) {
            (true, true) => self.right += 1,
            (true, false) => self.wrong.push(difference),
            (false, true) => self.undecided_agreeing += 1,
            (false, false) => self.undecided_differing.push(difference),
        }
    }
}

/// The moves by engines as a rule receives them: all except a move that has ended the game on the board.
fn scored_moves(record: &GameRecord) -> Vec<ScoredMove> {
    let mut game = Game::with_moves(record.start.clone(), record.opening.iter().copied());
    let scored = record.moves.iter().map_while(|played| {
        game.play(played.chess_move);
        let is_over = game.ending().is_some();
        (!is_over).then(|| ScoredMove::last(&game, &played.thinking))
    });
    scored.collect()
}

/// The number of moves after which a rule ends the game, and how.
fn verdict_on(rules: &Adjudication, moves: &[ScoredMove]) -> Option<(usize, Outcome)> {
    let mut adjudicator = Adjudicator::new(rules);
    let mut moves = moves.iter().zip(1..);
    moves.find_map(|(played, after)| Some((after, adjudicator.judge(played)?)))
}

/// The time of the moves from this one on.
fn thought(record: &GameRecord, from: usize) -> Duration {
    let moves = record.moves.iter().skip(from);
    moves.map(|played| played.elapsed()).sum()
}

/// Whether the board decided the result, not scores, a fault or an arbiter.
fn is_decided(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Won { how, .. } => matches!(how, WonBy::Checkmate | WonBy::TablebaseAdjudication),
        Outcome::Drawn(DrawnBy::TablebaseAdjudication) => true,
        Outcome::Drawn(_) => outcome.termination() == Termination::Normal,
        Outcome::Uneven(_) | Outcome::Void(_) => false,
    }
}
