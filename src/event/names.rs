//! How people name a game: written here and read here, nowhere else.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Serialize;

use super::rules::{PairTerms, Place};
use super::{GameId, PairId};

/// The name of a game, as the PGN tag `Round` has it: pair and game (`17.2`); in an event in rounds, round,
/// board and the game of that encounter (`3.1.2`).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct GameName(String);

impl GameName {
    /// The name of a game whose pair has this place, if the event is played in rounds.
    pub fn new(id: GameId, place: Option<Place>) -> GameName {
        GameName(match place {
            None => id.to_string(),
            Some(Place { round, board, pair }) => {
                let nth = u32::from(pair.saturating_sub(1)) * 2 + u32::from(id.game) + 1;
                format!("{round}.{board}.{nth}")
            }
        })
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for GameName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl From<GameName> for String {
    fn from(name: GameName) -> String {
        name.0
    }
}

/// What a text names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    /// One game.
    Game(GameId),
    /// All games of a pair.
    Pair(PairId),
}

/// The names of an event's games, with the places of its pairs by their numbers; none in an event that is
/// not played in rounds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GameNames {
    terms: Vec<Option<PairTerms>>,
    /// Pairs that are not played: others have met in their places, and have their names.
    pub(crate) unpaired: BTreeSet<PairId>,
    /// Bids by command for armageddon games, as the arbiter's book has them.
    pub(crate) bids: BTreeMap<((u16, u16), u16), u8>,
}

impl GameNames {
    /// The next pairs have these places and terms.
    pub fn extend(&mut self, terms: impl IntoIterator<Item = Option<PairTerms>>) {
        self.terms.extend(terms);
    }

    /// What an engine has bid by command for its colour in this pair, which is an armageddon game then.
    pub(crate) fn bid(&self, pair: PairId, engine: u16) -> Option<u8> {
        let terms = self.terms(pair)?;
        terms.black_percent?;
        let encounter = (terms.place.round, terms.place.board);
        self.bids.get(&(encounter, engine)).copied()
    }

    /// The name of a game.
    pub fn name(&self, id: GameId) -> GameName {
        GameName::new(id, self.place(id.pair))
    }

    /// The place of a pair.
    pub fn place(&self, pair: PairId) -> Option<Place> {
        Some(self.terms(pair)?.place)
    }

    /// The same with what else its limits depend on.
    pub(crate) fn terms(&self, pair: PairId) -> Option<PairTerms> {
        let index = usize::try_from(pair.0).ok()?;
        *self.terms.get(index)?
    }

    /// Whether bids have decided who has which colour in an encounter.
    pub(crate) fn are_bids_open(&self, round: u16, board: u16) -> bool {
        let mut all = (0..).map(PairId).zip(&self.terms);
        all.any(|(pair, terms)| {
            let is_it = |terms: &PairTerms| {
                let place = (terms.place.round, terms.place.board);
                terms.black_percent.is_some() && place == (round, board)
            };
            !self.unpaired.contains(&pair) && terms.as_ref().is_some_and(is_it)
        })
    }

    /// Whether the event is played in rounds; `false` while no pair has a place in a round.
    pub fn is_in_rounds(&self) -> bool {
        self.terms.iter().any(Option::is_some)
    }

    /// What a text names: `3.1.2` (round, board, game), `17.2` (pair, game) or `17` (a pair); `None` for any
    /// other text, and for a round and board that are not drawn.
    pub fn find(&self, text: &str) -> Option<Named> {
        let numbers: Option<Vec<u64>> = text.split('.').map(|part| part.parse().ok()).collect();
        let pair = |number: u64| number.checked_sub(1).map(PairId);
        match numbers?.as_slice() {
            [number] => pair(*number).map(Named::Pair),
            [number, nth @ 1..=2] => {
                let (pair, game) = (pair(*number)?, *nth as u8 - 1);
                Some(Named::Game(GameId { pair, game }))
            }
            [round, board, nth] if *nth > 0 => {
                let wanted = |terms: &Option<PairTerms>| {
                    terms.is_some_and(|PairTerms { place, .. }| {
                        let of_encounter = (u64::from(place.round), u64::from(place.board));
                        let first = u64::from(place.pair.saturating_sub(1)) * 2 + 1;
                        of_encounter == (*round, *board) && (first..first + 2).contains(nth)
                    })
                };
                let all = (0..).map(PairId).zip(&self.terms);
                let mut named = all.filter(|(_, terms)| wanted(terms)).map(|(pair, _)| pair);
                let pair = named.find(|pair| !self.unpaired.contains(pair))?;
                let game = ((nth - 1) % 2) as u8;
                Some(Named::Game(GameId { pair, game }))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(pair: u64, game: u8) -> GameId {
        let pair = PairId(pair);
        GameId { pair, game }
    }

    #[test]
    fn every_name_is_read_back_by_round_and_by_pair() {
        let place = |round, board, pair| {
            Some(PairTerms {
                place: Place { round, board, pair },
                black_percent: None,
            })
        };
        let mut names = GameNames::default();
        names.extend([
            place(1, 1, 1),
            place(1, 2, 1),
            place(1, 1, 2),
            place(2, 1, 1),
        ]);
        for pair in 0..4 {
            for game in 0..2 {
                let own = id(pair, game);
                assert_eq!(names.find(names.name(own).as_str()), Some(Named::Game(own)));
                assert_eq!(names.find(&own.to_string()), Some(Named::Game(own)));
            }
            let number = (pair + 1).to_string();
            assert_eq!(names.find(&number), Some(Named::Pair(PairId(pair))));
        }
        assert_eq!(names.name(id(2, 1)).as_str(), "1.1.4");
        for unknown in [
            "", "0", "0.1", "17.3", "1.1.0", "3.1.1", "1.1.1.1", "-1", "1.x",
        ] {
            assert_eq!(names.find(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn without_rounds_a_game_is_named_by_its_pair() {
        let names = GameNames::default();
        assert_eq!(names.name(id(16, 1)).as_str(), "17.2");
        assert_eq!(names.find("17.2"), Some(Named::Game(id(16, 1))));
        assert_eq!(names.find("1.1.1"), None);
    }
}
