//! A sequential test that is fed with games as they finish.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::event::identity::{EventIdentity, TestedAgainst};
use crate::event::{GameId, PairId, PlayedGame, Seat};
use crate::stats::counts::{GameScore, PairScore};
use crate::stats::sprt::{DEFAULT_BATCH, Decision, Hypotheses, Sprt, TestUnit};
use crate::store::ResultRow;
use crate::text::{count, decimal, short_name};

/// A test, and the games whose partners are missing: it takes whole pairs
/// only, so that nothing is ever half counted.
#[derive(Debug, Clone)]
pub struct SprtWatch {
    sprt: Sprt,
    /// The two engines that are compared, with their names, if they meet others and not each other.
    heroes: Option<[(u16, String); 2]>,
    halves: HashMap<PairId, GameScore>,
    /// Pairs of either against an opponent from a start, until the other has had its own.
    unmatched: HashMap<(Seat, u64), [Vec<PairScore>; 2]>,
    /// The games that can follow, whether it is decided or not; `None`: as many as it needs.
    most: Option<u64>,
    /// It also ends when the difference is known to ± this, Elo.
    within: Option<f64>,
    /// It is.
    is_known: bool,
}

/// The interval that says how well the difference is known.
const LEVEL: f64 = 0.95;
/// Pairs between two looks at it, as a part of all pairs: a look costs more than a pair.
const LOOKS: u64 = 64;

impl SprtWatch {
    /// A test whose hypotheses are about the first engine of the event.
    pub fn new(sprt: Sprt) -> SprtWatch {
        SprtWatch {
            sprt,
            heroes: None,
            halves: HashMap::new(),
            unmatched: HashMap::new(),
            most: None,
            within: None,
            is_known: false,
        }
    }

    /// The same test without a game.
    pub(crate) fn anew(&self) -> SprtWatch {
        SprtWatch {
            within: self.within,
            heroes: self.heroes.clone(),
            ..SprtWatch::new(self.sprt.anew())
        }
    }

    /// Takes a stored game; one that the arbiter gave to a side does not count.
    pub(crate) fn add_result(&mut self, result: &ResultRow) {
        let white = result.outcome.white_score();
        if let Some(white) = white.filter(|_| result.outcome.is_evidence()) {
            self.result(result.id, result.seats, white, result.start);
        }
    }

    /// The test of an event; `None` if its numbers make none.
    pub(crate) fn of_event(identity: &EventIdentity) -> Option<SprtWatch> {
        let terms = identity.sprt.as_ref()?;
        let (elo0, elo1) = (terms.elo0, terms.elo1);
        let hypotheses = Hypotheses::new(terms.model, elo0, elo1, terms.alpha, terms.beta).ok()?;
        let hypotheses = match terms.decides_at {
            Some(pairs) => hypotheses.truncated_at(pairs).ok()?,
            None => hypotheses,
        };
        let of_pairs = matches!(terms.unit, TestUnit::Pairs | TestUnit::Starts);
        let test = Sprt::new(hypotheses, DEFAULT_BATCH, of_pairs && !terms.wald);
        Some(SprtWatch {
            within: terms.within,
            heroes: match terms.against {
                TestedAgainst::EachOther => None,
                TestedAgainst::Others => Some(heroes(identity)?),
            },
            ..SprtWatch::new(test.counting(terms.unit))
        })
    }

    /// The indices of the engines that the hypotheses are about.
    pub(crate) fn compared(&self) -> [usize; 2] {
        let heroes = self.heroes.as_ref();
        heroes.map_or([0, 1], |both| {
            both.each_ref().map(|(engine, _)| usize::from(*engine))
        })
    }

    /// Their names, if they meet others and not each other.
    pub(crate) fn heroes(&self) -> Option<[&str; 2]> {
        let heroes = self.heroes.as_ref()?;
        Some(heroes.each_ref().map(|(_, name)| name.as_str()))
    }

    /// Which of the two engines has White, and which Black.
    fn places(&self, seats: [Seat; 2]) -> [Option<usize>; 2] {
        let engines = self.compared();
        seats.map(|seat| {
            engines
                .iter()
                .position(|own| *own == usize::from(seat.engine))
        })
    }

    /// The games of so many pairs, or of pairs of each, as far as they can follow.
    fn games(&self, pairs: f64) -> f64 {
        let of_one = if self.heroes.is_some() { 4.0 } else { 2.0 };
        let most = self.most.map_or(f64::INFINITY, |most| most as f64);
        most.min(of_one * pairs.ceil())
    }

    /// Takes a game that has just finished; a voided one does not count.
    pub fn add_game(&mut self, game: &PlayedGame) {
        if let Some(white) = game.record.outcome.white_score() {
            self.result(game.id, game.seats, white, game.start_key());
        }
    }

    /// Takes a result from the start position with this key; whether the test has ended.
    pub fn result(&mut self, id: GameId, seats: [Seat; 2], white: GameScore, start: u64) -> bool {
        let score = match self.places(seats) {
            [Some(0), _] | [Some(1), None] => white,
            [None, None] => return self.is_ended(),
            _ => white.reversed(),
        };
        if !self.has_pairs() {
            self.sprt.update_game(score);
        } else if let Some(first) = self.halves.remove(&id.pair) {
            self.pair(seats, start, PairScore::new(first, score));
            if !self.is_known && self.is_within() {
                self.is_known = true;
                self.sprt.close();
            }
        } else {
            self.halves.insert(id.pair, score);
        }
        self.is_ended()
    }

    /// Takes a pair of an engine; where it is compared on the same opponents, with one of the other's.
    fn pair(&mut self, seats: [Seat; 2], start: u64, pair: PairScore) {
        if self.heroes.is_none() {
            self.sprt.update_on(start, pair);
            return;
        }
        let (own, opponent) = match self.places(seats) {
            [Some(own), None] => (own, seats[1]),
            [None, Some(own)] => (own, seats[0]),
            _ => return,
        };
        let unmatched = self.unmatched.entry((opponent, start)).or_default();
        match unmatched[1 - own].pop() {
            None => unmatched[own].push(pair),
            Some(other) => {
                let mut pairs = [pair, other];
                pairs.rotate_left(own);
                self.sprt.update_difference(start, pairs);
            }
        }
    }

    /// Whether the difference is known as well as it was asked for, at one of the looks.
    fn is_within(&self) -> bool {
        let pairs = self.sprt.status().pairs;
        let is_look = pairs.is_multiple_of((pairs / LOOKS).next_power_of_two());
        let Some(within) = self.within.filter(|_| is_look && !self.is_decided()) else {
            return false;
        };
        let interval = self.sprt.sample().always_valid(LEVEL);
        let interval = interval.map(|interval| interval.elo());
        interval.is_some_and(|[low, high]| high - low <= 2.0 * within)
    }

    /// How far the difference was to be known, once it is.
    pub(crate) fn known_within(&self) -> Option<f64> {
        self.within.filter(|_| self.is_known)
    }

    /// Whether nothing more is to be played: it is decided, or the difference is known.
    pub(crate) fn is_ended(&self) -> bool {
        self.is_decided() || self.is_known
    }

    /// Whether a decision has been taken.
    pub fn is_decided(&self) -> bool {
        self.verdict() != Decision::Undecided
    }

    /// Whether pairs are its unit, not single games.
    pub(crate) fn has_pairs(&self) -> bool {
        matches!(self.sprt.unit(), TestUnit::Pairs | TestUnit::Starts)
    }

    /// The test.
    pub fn sprt(&self) -> &Sprt {
        &self.sprt
    }

    /// The event has no more games than these.
    pub(super) fn leave(&mut self, games: Option<u64>) {
        self.most = games;
    }

    /// How many pairs are still to be expected; `None` before the first look and after the last game.
    pub(crate) fn expected_pairs_left(&self) -> Option<f64> {
        let expected = self.sprt.expected_pairs_left();
        expected.filter(|_| self.most != Some(0) && !self.is_known)
    }

    /// The same in games.
    pub fn expected_games_left(&self) -> Option<f64> {
        let pairs = self.expected_pairs_left()?;
        Some(self.games(pairs))
    }

    /// What the test has said.
    pub fn verdict(&self) -> Decision {
        self.sprt.status().decision
    }

    /// Pairs still to play that are not exceeded with 10, 50 and 90 %, over what chance does and
    /// what is not known of the difference.
    pub(crate) fn pairs_left_range(&self) -> Option<[f64; 3]> {
        let range = self.sprt.pairs_left_range();
        range.filter(|_| self.most != Some(0) && !self.is_known)
    }

    /// The same in games.
    pub(crate) fn games_left_range(&self) -> Option<[f64; 3]> {
        let pairs = self.pairs_left_range()?;
        Some(pairs.map(|pairs| self.games(pairs)))
    }

    /// The state of the test, with the names of the statistics' JSON.
    pub fn json(&self) -> Value {
        let status = self.sprt.status();
        json!({
            "pairs": status.pairs,
            "llr": status.llr,
            "bounds": status.bounds,
            "corrected_bounds": status.corrected_bounds,
            "decision": status.decision,
            "unit": self.sprt.unit(),
            "against_others": self.heroes(),
            "within": self.within,
            "starts": self.sprt.starts(),
            "design_effect": self.sprt.sample().design_effect(),
            "late_games": self.sprt.late_counts().games.games(),
            "expected_games_left": self.expected_games_left(),
            "games_left_range": self.games_left_range(),
        })
    }

    /// With the bounds at which it ends: `LLR 1.23 [-2.71, 2.70], 240 to 1310 games left (80 %)`, and what is tested if
    /// that is not each other: `New - Old against others: LLR 1.23 …`
    pub fn text(&self) -> String {
        let status = self.sprt.status();
        let [lower, upper] = status.corrected_bounds;
        let mut text = format!("LLR {} [{lower:.2}, {upper:.2}]", decimal(status.llr, 2));
        if let Some([new, old]) = self.heroes().map(|both| both.map(short_name)) {
            text = format!("{new} - {old} against others: {text}");
        }
        match (status.decision, self.games_left_range()) {
            (Decision::Accepted, _) => text += ", passed",
            (Decision::Rejected, _) => text += ", failed",
            (Decision::Undecided, _) if self.is_known => text += ", difference known",
            (Decision::Undecided, Some([low, _, high])) if low == high => {
                text += &format!(", about {} left", count(low.round() as u64, "game"));
            }
            (Decision::Undecided, Some([low, _, high])) => {
                text += &format!(", {low:.0} to {high:.0} games left (80 %)");
            }
            (Decision::Undecided, None) => {}
        }
        text
    }
}

/// The two that meet all others.
fn heroes(identity: &EventIdentity) -> Option<[(u16, String); 2]> {
    let engines = (0..).zip(&identity.engines);
    let heroes = engines.filter(|(_, engine)| identity.heroes.contains(&engine.name));
    let heroes = heroes.map(|(engine, own)| (engine, own.name.clone()));
    heroes.collect::<Vec<_>>().try_into().ok()
}
