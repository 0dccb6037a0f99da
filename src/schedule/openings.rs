//! The positions of an event, and which belong together.

use std::sync::Arc;

use crate::chess::start::{StartError, StartNumber, Variant};
use crate::chess::{Game, Move, Position, UciDialect, start};
use crate::clock::GivenTime;
use crate::uci::chess480_variant;

/// Where a game begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    pub start: Position,
    /// Moves of a book, which no engine plays.
    pub moves: Vec<Move>,
    /// The number of the start position, where it has one.
    pub number: Option<StartNumber>,
}

impl Opening {
    /// An opening from any position.
    ///
    /// # Errors
    /// The game is over there, or the variant or the protocol has no way to say its castling.
    pub fn new(variant: Variant, start: Position, moves: Vec<Move>) -> Result<Opening, String> {
        let fits = variant.check_castling(&start);
        fits.map_err(|error| error.to_string())?;
        if variant == Variant::Chess480 && chess480_variant(&start).is_none() {
            let words = "castling from here is no castling of chess480: a king that may castle stands on one \
                         of the files b to g, and two on the same file";
            return Err(words.to_owned());
        }
        let number = start::number_of(variant, &start);
        let opening = Opening {
            start,
            moves,
            number,
        };
        match opening.game().ending() {
            Some(ending) => Err(format!("the game is over in this position: {ending}")),
            None => Ok(opening),
        }
    }

    /// The same, without the move that would end the game and those behind it.
    ///
    /// # Errors
    /// As [`Opening::new`].
    pub(crate) fn cut_at_the_end(
        variant: Variant,
        start: Position,
        mut moves: Vec<Move>,
    ) -> Result<Opening, String> {
        let mut game = Game::new(start.clone());
        let mut lasts = |played: &Move| {
            game.play(*played);
            game.ending().is_none()
        };
        let kept = moves.iter().take_while(|played| lasts(played)).count();
        moves.truncate(kept);
        Opening::new(variant, start, moves)
    }

    /// A numbered start of a variant.
    ///
    /// # Errors
    /// The variant has no such number.
    pub fn numbered(variant: Variant, number: StartNumber) -> Result<Opening, StartError> {
        Ok(Opening {
            start: start::position(variant, number)?,
            moves: Vec::new(),
            number: Some(number),
        })
    }

    /// The moves of the book as UCI text, castling as king takes rook.
    pub fn move_texts(&self) -> Vec<String> {
        let moves = self.moves.iter().copied();
        self.start.uci_line(moves, UciDialect::Chess960)
    }

    /// The start with the book's moves made: where the engines begin.
    pub fn game(&self) -> Game {
        Game::with_moves(self.start.clone(), self.moves.iter().copied())
    }
}

/// All positions of an event, in a fixed order; the plan uses another order in every cycle. Numbered starts are made on
/// request, so that all 8,294,400 of transcendental chess cost 32 MiB.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Openings {
    variant: Variant,
    source: OpeningSource,
    /// The order in which they are played; `None`: drawn with the seed.
    listed: Option<Arc<[u32]>>,
    /// Where the players have the other colours than in the plan, and what White and Black give of their time; empty if
    /// the starts are not made by the players.
    made: Arc<[(bool, [GivenTime; 2])]>,
}

/// A start that the players made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MadeOpening {
    /// The start.
    pub opening: Opening,
    /// Whether they have the other colours than in the plan.
    pub reversed: bool,
    /// What White and Black give of their time.
    pub time_given: [GivenTime; 2],
}

impl MadeOpening {
    /// A start that is played with the colours of the plan.
    pub(crate) fn new(opening: Opening) -> MadeOpening {
        MadeOpening {
            opening,
            reversed: false,
            time_given: Default::default(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum OpeningSource {
    /// Start numbers, ascending.
    Numbered(Vec<StartNumber>),
    /// A book in its own order; and the starts without moves by number.
    Book {
        openings: Vec<Opening>,
        bare: Vec<(StartNumber, u32)>,
    },
}

impl Openings {
    /// Numbered starts; each counts once, and the order in which they come is of no
    /// consequence.
    ///
    /// # Errors
    /// The first number that the variant does not have.
    pub fn numbered(
        variant: Variant,
        numbers: impl IntoIterator<Item = StartNumber>,
    ) -> Result<Openings, StartError> {
        let mut numbers: Vec<StartNumber> = numbers.into_iter().collect();
        numbers.sort_unstable();
        numbers.dedup();
        if let Some(&missing) = numbers.iter().find(|&&number| !variant.has(number)) {
            start::position(variant, missing)?;
        }
        Ok(Openings::of(variant, OpeningSource::Numbered(numbers)))
    }

    /// The openings of a book, in the book's order.
    pub fn book(variant: Variant, openings: Vec<Opening>) -> Openings {
        let bare = (0..).zip(&openings).filter(|(_, one)| one.moves.is_empty());
        let bare = bare.filter_map(|(index, opening)| Some((opening.number?, index)));
        let mut bare: Vec<(StartNumber, u32)> = bare.collect();
        bare.sort_unstable();
        Openings::of(variant, OpeningSource::Book { openings, bare })
    }

    fn of(variant: Variant, source: OpeningSource) -> Openings {
        Openings {
            variant,
            source,
            listed: None,
            made: Arc::default(),
        }
    }

    /// Starts that the players make, one for each pair in the order of the plan.
    pub(crate) fn made(variant: Variant, made: Vec<MadeOpening>) -> Openings {
        let order = (0..made.len() as u32).collect();
        let terms = made.iter().map(|made| (made.reversed, made.time_given));
        let terms = terms.collect();
        let openings = made.into_iter().map(|made| made.opening).collect();
        Openings {
            made: terms,
            ..Openings::book(variant, openings).played_in(order)
        }
    }

    /// What White and Black give of their time on this opening.
    pub(crate) fn time_given(&self, index: u32) -> [GivenTime; 2] {
        self.terms(index).1
    }

    fn terms(&self, index: u32) -> (bool, [GivenTime; 2]) {
        self.made.get(index as usize).copied().unwrap_or_default()
    }

    /// Whether the players of this opening have the other colours than in the plan.
    pub(crate) fn is_reversed(&self, index: u32) -> bool {
        self.terms(index).0
    }

    /// The same, played in the order of this list of all of them, in every cycle.
    pub(crate) fn played_in(self, order: Vec<u32>) -> Openings {
        debug_assert_eq!(order.len(), self.len() as usize, "every position once");
        Openings {
            listed: Some(order.into()),
            ..self
        }
    }

    /// The order in which they are played, if it is not drawn with the seed.
    pub(crate) fn listed(&self) -> Option<&Arc<[u32]>> {
        self.listed.as_ref()
    }

    /// The variant they are starts of.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// How many there are.
    pub fn len(&self) -> u32 {
        let length = match &self.source {
            OpeningSource::Numbered(numbers) => numbers.len(),
            OpeningSource::Book { openings, .. } => openings.len(),
        };
        u32::try_from(length).unwrap_or(u32::MAX)
    }

    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether these are numbered starts, each once, and not a book.
    pub fn is_numbered(&self) -> bool {
        matches!(&self.source, OpeningSource::Numbered(_))
    }

    /// Whether these are all numbered starts of the variant, and nothing else.
    pub fn are_all(&self) -> bool {
        self.is_numbered() && self.len() == self.variant.count()
    }

    /// One opening.
    ///
    /// # Panics
    /// If `index` is not below [`Openings::len`].
    pub fn get(&self, index: u32) -> Opening {
        match &self.source {
            OpeningSource::Numbered(numbers) => {
                Opening::numbered(self.variant, numbers[index as usize])
                    .expect("the numbers were checked when they came")
            }
            OpeningSource::Book { openings, .. } => openings[index as usize].clone(),
        }
    }

    /// The start number of an opening, where it has one.
    ///
    /// # Panics
    /// If `index` is not below [`Openings::len`].
    pub fn number(&self, index: u32) -> Option<StartNumber> {
        match &self.source {
            OpeningSource::Numbered(numbers) => Some(numbers[index as usize]),
            OpeningSource::Book { openings, .. } => openings[index as usize].number,
        }
    }

    /// The opening with White's and Black's arrays exchanged, if it is a different one and also in the event; only
    /// where the arrays are independent (DFRC, transcendental).
    pub fn partner(&self, index: u32) -> Option<u32> {
        let (white, black) = start::white_and_black(self.variant, self.number(index)?)?;
        // `start::partner` knows this too, but takes the arrays apart to find out; a plan
        // asks for every position.
        let arrays = self.variant.count().isqrt();
        let found = self.with_number(StartNumber(black * arrays + white))?;
        (found != index).then_some(found)
    }

    /// The opening that consists of this start alone.
    fn with_number(&self, number: StartNumber) -> Option<u32> {
        match &self.source {
            OpeningSource::Numbered(_) if self.are_all() => {
                Some(number.0 - self.variant.first_number().0)
            }
            OpeningSource::Numbered(numbers) => {
                numbers.binary_search(&number).ok().map(|at| at as u32)
            }
            OpeningSource::Book { bare, .. } => {
                let place = bare.binary_search_by_key(&number, |(number, _)| *number);
                Some(bare[place.ok()?].1)
            }
        }
    }

    /// All of them.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Opening> + '_ {
        (0..self.len()).map(|index| self.get(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;

    #[test]
    fn numbers_count_once_and_in_any_order() {
        let starts = |numbers: &[u32]| {
            let numbers = numbers.iter().copied().map(StartNumber);
            Openings::numbered(Variant::Chess960, numbers)
        };
        assert_eq!(starts(&[518, 0, 518]), starts(&[0, 518]));
        assert!(starts(&[960]).is_err());
        assert_eq!(
            starts(&[0, 518]).unwrap().get(1).start,
            Position::standard()
        );
    }

    #[test]
    fn all_are_all() {
        let variant = Variant::Chess960;
        let all = Openings::numbered(variant, variant.numbers()).unwrap();
        assert!(all.are_all());
        let fewer = Openings::numbered(variant, variant.numbers().skip(1)).unwrap();
        assert!(!fewer.are_all());
    }

    #[test]
    fn partners_exchange_white_and_black() {
        let numbers = [3, 960 * 3, 961, 5].map(StartNumber);
        let openings = Openings::numbered(Variant::Dfrc, numbers).unwrap();
        // In ascending order: 0/3, 0/5, 1/1, 3/0.
        let partners: Vec<_> = (0..4).map(|index| openings.partner(index)).collect();
        assert_eq!(partners, [Some(3), None, None, Some(0)]);
    }

    #[test]
    fn partners_are_those_of_the_variant() {
        for variant in [Variant::Dfrc, Variant::Transcendental, Variant::Chess960] {
            let numbers = variant.numbers().step_by(9_973);
            let partners = numbers
                .clone()
                .map(|number| start::partner(variant, number).unwrap());
            let openings = Openings::numbered(variant, numbers.chain(partners)).unwrap();
            for index in 0..openings.len() {
                let number = openings.number(index).unwrap();
                let partner = Some(start::partner(variant, number).unwrap());
                let found = openings
                    .partner(index)
                    .and_then(|other| openings.number(other));
                assert_eq!(
                    found,
                    partner.filter(|&partner| partner != number),
                    "{number}"
                );
            }
        }
    }

    #[test]
    fn a_book_knows_its_partners_too() {
        let numbers = [960 * 3, 7, 3].map(StartNumber);
        let openings = numbers.map(|number| Opening::numbered(Variant::Dfrc, number).unwrap());
        let book = Openings::book(Variant::Dfrc, openings.to_vec());
        assert_eq!(book.partner(0), Some(2));
        assert_eq!(book.partner(1), None);
    }
}
