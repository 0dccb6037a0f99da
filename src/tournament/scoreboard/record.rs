//! What the tables are made of: wins, draws and losses of a side, of an
//! encounter.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::event::Seat;
use crate::stats::counts::{GameScore, PairScore, Trinomial};
use crate::stats::elo::elo_from_score;
use crate::stats::standings::{Standing, TieBreak};
use crate::text::{CellValue, Column, ColumnUnit, columns, count, is_narrow};
use crate::tournament::evidence::GameEvidence;
use crate::tournament::roster::Participant;

use super::{CountedGame, Scoreboard};

/// The games between two participants, as the first of them sees them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EncounterRecord {
    /// With the white pieces.
    pub as_white: Trinomial,
    /// With the black pieces.
    pub as_black: Trinomial,
    /// Complete pairs by points: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
}

impl EncounterRecord {
    /// With either colour.
    pub fn total(&self) -> Trinomial {
        self.as_white.plus(self.as_black)
    }
}

/// `4.0 points from 6 games`; points of byes and walkovers are not points from games.
pub(crate) fn points_words(points: f64, games: u32, unplayed: f64) -> String {
    let games_words = count(u64::from(games), "game");
    match (games, unplayed > 0.0) {
        (_, false) => format!("{points:.1} points from {games_words}"),
        (0, true) => format!("{points:.1} points by bye or walkover"),
        (_, true) => format!(
            "{points:.1} points: {:.1} from {games_words}, {unplayed:.1} by bye or walkover",
            points - unplayed
        ),
    }
}

// A game into the counts: a first game waits for the second of its pair.

/// The first game of a pair, waiting for the second.
#[derive(Debug, Clone, Copy)]
pub(super) struct HalfPair {
    white: usize,
    /// White's; `None` if Black did not get the rest of the point.
    score: Option<GameScore>,
    evidence: Option<GameEvidence>,
}

impl Scoreboard {
    /// Counts a game whose engines are in the tables.
    pub(super) fn count(&mut self, game: CountedGame) {
        let [white, black] = game.seats.map(|seat| self.place(seat));
        let score = game.white();
        match score {
            Some(score) => {
                self.white.add(score);
                self.games.entry((white, black)).or_default().add(score);
            }
            None => {
                let records = self.uneven.entry((white, black)).or_default();
                let records = records.iter_mut().zip(game.scores);
                records.for_each(|(record, score)| record.add(score));
            }
        }
        if self.single_games {
            return;
        }
        let half = HalfPair {
            white,
            score,
            evidence: game.evidence,
        };
        match self.halves.remove(&game.id.pair) {
            Some(first) => self.complete(first, half, black),
            None => drop(self.halves.insert(game.id.pair, half)),
        }
    }

    /// A seat that the roster does not have joins it, so that no game is lost.
    fn place(&mut self, seat: Seat) -> usize {
        let mut known = self.participants.iter();
        let known = known.position(|entry| entry.seat == seat);
        known.unwrap_or_else(|| {
            let name = format!("engine {}.{}", seat.engine, seat.copy);
            self.participants.push(Participant { seat, name });
            self.participants.len() - 1
        })
    }

    fn complete(&mut self, first: HalfPair, second: HalfPair, second_black: usize) {
        self.complete_pairs += 1;
        let Some((first_score, second_score)) = first.score.zip(second.score) else {
            return;
        };
        let white = PairScore::new(first_score, second_score);
        // Without swapped colours it is no pair of an encounter.
        let swapped = first.white == second_black && first.white != second.white;
        let mut sides = [(first.white, first_score), (second.white, second_score)];
        sides.sort_by_key(|(place, _)| *place);
        let [(smaller, own), (larger, others)] = sides;
        let score = PairScore::new(own, others.reversed());
        if let Some((one, other)) = first.evidence.zip(second.evidence) {
            let of_first = (swapped && (smaller, larger) == (0, 1)).then_some(score);
            self.evidence.add([one, other], white, of_first);
        }
        if swapped {
            let cells = self.pairs.entry((smaller, larger)).or_default();
            cells[usize::from(score.half_points())] += 1;
        }
    }
}

// The columns of the standings, which every table of them is written from.

/// The rating of an engine by all games together: a number with an interval that says something, or a given one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rating {
    pub(crate) elo: f64,
    /// Both ends of its 95 % interval; none of a given rating.
    pub(crate) ends: Option<[f64; 2]>,
}

impl Rating {
    /// An estimate; none where the games do not determine it.
    pub(crate) fn estimated(elo: f64, [low, high]: [f64; 2]) -> Option<Rating> {
        let width = high - low;
        let is_known = elo.is_finite() && width > 0.0 && is_narrow(width);
        // Turns -0.0 into 0.0.
        let [elo, low, high] = [elo, low, high].map(|end| end + 0.0);
        is_known.then_some(Rating {
            elo,
            ends: Some([low, high]),
        })
    }

    pub(crate) fn error(&self) -> CellValue {
        match self.ends {
            Some([low, high]) => CellValue::Real((high - low) / 2.0),
            None => CellValue::Missing("fixed"),
        }
    }
}

/// The ratings of an event's engines that have one, by name.
pub(crate) type Ratings = BTreeMap<String, Rating>;

/// An engine in the standings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StandingRow<'a> {
    pub(crate) participant: &'a Participant,
    pub(crate) standing: &'a Standing,
    white: Trinomial,
    black: Trinomial,
    rating: Option<Rating>,
}

impl Scoreboard {
    /// The rows of the standings, with these ratings.
    pub(crate) fn rows<'a>(
        &'a self,
        standings: &'a [Standing],
        ratings: &Ratings,
    ) -> Vec<StandingRow<'a>> {
        let row = |standing: &'a Standing| {
            let place = usize::from(standing.engine);
            let participant = &self.participants[place];
            let [white, black] = self.by_color(place);
            StandingRow {
                participant,
                standing,
                white,
                black,
                rating: ratings.get(&participant.name).copied(),
            }
        };
        standings.iter().map(row).collect()
    }
}

columns! {
    StandingRow<'_> {
        RANK: "rank", "#", ColumnUnit::Count, |row| CellValue::Whole(row.standing.place as u64);
        NAME: "name", "engine", ColumnUnit::Name, |row| CellValue::Text(row.participant.name.clone());
        ENGINE: "engine", "", ColumnUnit::Count, |row| CellValue::Whole(row.participant.seat.engine.into());
        COPY: "copy", "", ColumnUnit::Count, |row| CellValue::Whole(row.participant.seat.copy.into());
        POINTS: "points", "points", ColumnUnit::Number(1), |row| CellValue::Real(row.standing.points());
        GAMES: "games", "games", ColumnUnit::Count, |row| CellValue::Whole(row.total().games());
        TOTAL: "total", "W-D-L", ColumnUnit::Count, |row| CellValue::Results(row.total().reversed().0);
        WHITE: "white", "White W-D-L", ColumnUnit::Count, |row| CellValue::Results(row.white.reversed().0);
        BLACK: "black", "Black W-D-L", ColumnUnit::Count, |row| CellValue::Results(row.black.reversed().0);
        ELO: "elo", "Elo", ColumnUnit::Elo(1), |row| CellValue::real(row.rating.map(|own| own.elo));
        ERROR: "elo_error", "±", ColumnUnit::Number(1), |row| row.rating.map_or(CellValue::Missing("-"), |own| own.error());
        ELO_LO: "elo_lo", "", ColumnUnit::Elo(1), |row| CellValue::real(row.end(0));
        ELO_HI: "elo_hi", "", ColumnUnit::Elo(1), |row| CellValue::real(row.end(1));
        PERFORMANCE: "performance", "", ColumnUnit::Elo(1), |row| CellValue::real(performance(row.total()));
        SB: "sonneborn_berger", "", ColumnUnit::Number(2), |row| CellValue::Real(row.standing.sonneborn_berger_points());
        DOUBLE_WINS: "double_wins", "", ColumnUnit::Count, |row| CellValue::Whole(row.standing.double_wins.into());
        UNPLAYED: "unplayed_points", "unplayed", ColumnUnit::Number(1), |row| CellValue::Real(row.standing.unplayed_points());
        TIE_BREAKS: "tie_breaks", "", ColumnUnit::Count, |row| CellValue::Json(tie_breaks(row.standing));
        DECIDED_BY: "decided_by", "", ColumnUnit::Text, |row| CellValue::Json(json!(row.standing.decided_by.map(TieBreak::name)));
    }
    FOR_PROGRAMS[17]: RANK POINTS UNPLAYED NAME ENGINE COPY TOTAL WHITE BLACK ELO ELO_LO ELO_HI PERFORMANCE SB DOUBLE_WINS
        TIE_BREAKS DECIDED_BY;
    IN_CROSSTABLE[3]: RANK NAME POINTS;
    ALWAYS[6]: RANK NAME POINTS GAMES TOTAL WHITE;
}

impl StandingRow<'_> {
    /// For people, without tie-breaks: unplayed points only where somebody has any, and Elo only where all who have
    /// played have one.
    pub(crate) fn for_people(rows: &[Self]) -> Vec<Column<Self>> {
        let unplayed = |row: &Self| row.standing.unplayed_points() > 0.0;
        let mut columns = Vec::from(Self::ALWAYS);
        if Self::are_rated(rows) {
            columns.extend([Self::ELO, Self::ERROR]);
        }
        columns.extend(rows.iter().any(unplayed).then_some(Self::UNPLAYED));
        columns
    }

    /// Whether all who have played have a rating.
    pub(crate) fn are_rated(rows: &[Self]) -> bool {
        let mut played = rows.iter().filter(|row| row.total().games() > 0);
        played.all(|row| row.rating.is_some())
    }

    /// Whether some engine stands above one with a higher rating: its opponents were weaker.
    pub(crate) fn disagree(rows: &[Self]) -> bool {
        let rated = rows.iter().filter_map(|row| Some(row.rating?.elo));
        Self::are_rated(rows) && !rated.is_sorted_by(|above, below| above >= below)
    }

    fn total(&self) -> Trinomial {
        self.white.plus(self.black)
    }

    fn end(&self, end: usize) -> Option<f64> {
        Some(self.rating?.ends?[end])
    }
}

/// The value of every tie-break, by its name.
fn tie_breaks(standing: &Standing) -> Value {
    let values = standing.tie_breaks();
    let named = values.map(|(rule, value)| (rule.name().to_owned(), json!(value)));
    named.collect()
}

/// The logistic Elo difference to all opponents met, counted as one opponent; `None` for a score of 0 or 1, or without
/// games.
fn performance(record: Trinomial) -> Option<f64> {
    let elo = record.score().map(elo_from_score);
    elo.filter(|elo| elo.is_finite())
}
