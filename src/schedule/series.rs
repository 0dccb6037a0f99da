//! Events in which two engines play a series of games before the next two meet: the pairs of
//! cutechess-cli, by number.

use super::pairings::{Format, PairSpec, PlanError, SeatPair, SecondGame, heroes_and_others};
use crate::event::{Colours, GameId, Seat, Series, SeriesOpening, SeriesOrder};

/// The encounters of one turn, in each the engine that is named first before the other; the heroes of a gauntlet meet
/// each other, too.
pub(super) fn encounters_in_turn(
    format: &Format,
    participants: &[Seat],
) -> Result<Vec<SeatPair>, PlanError> {
    if participants.len() < 2 {
        return Err(PlanError::TooFewParticipants(participants.len()));
    }
    let meets = |first: &Seat| match format {
        Format::Gauntlet { heroes } => heroes.contains(&first.engine),
        _ => true,
    };
    let places = 0..participants.len();
    let pairs = places.flat_map(|first| {
        let others = participants[first + 1..].iter();
        others.map(move |second| [participants[first], *second])
    });
    Ok(pairs.filter(|[first, _]| meets(first)).collect())
}

/// The pair with this number on this opening, with this many games.
pub(super) fn pair_in_turn(
    number: u64,
    encounters: &[SeatPair],
    (opening, cycle): (u32, u32),
    (colours, games): (Colours, u8),
) -> PairSpec {
    let mut seats = encounters[(number % encounters.len() as u64) as usize];
    // With one game a pair the colours change from pair to pair.
    let alternates = games == 1 && number % 2 == 1;
    let is_reversed = match colours {
        Colours::Black => true,
        Colours::BlackWhite => !alternates,
        Colours::White => false,
        Colours::Balanced | Colours::WhiteBlack => alternates,
    };
    seats.rotate_left(usize::from(is_reversed));
    PairSpec {
        second_game: second_game(colours),
        ..PairSpec::new(seats, opening, cycle, games)
    }
}

fn second_game(colours: Colours) -> SecondGame {
    match colours {
        Colours::White | Colours::Black => SecondGame::SameColours,
        _ => SecondGame::Swapped,
    }
}

/// The meetings of one cycle, in order, and how they are played.
#[derive(Debug)]
pub(super) struct SeriesTable {
    rules: Series,
    colours: Colours,
    games_per_pair: u8,
    two_engines: bool,
    /// Each meeting with the number of its round, from 0.
    meetings: Vec<(u64, SeatPair)>,
    rounds: u64,
}

impl SeriesTable {
    /// The table of these participants.
    ///
    /// # Errors
    /// There is no hero, or nobody except heroes.
    pub(super) fn new(
        rules: Series,
        (colours, games_per_pair): (Colours, u8),
        format: &Format,
        participants: &[Seat],
    ) -> Result<SeriesTable, PlanError> {
        let by_rounds: Vec<Vec<SeatPair>> = match (format, rules.order) {
            (Format::Gauntlet { heroes }, _) => vec![gauntlet(heroes, participants)],
            (_, SeriesOrder::Circle) => circle(participants),
            (_, SeriesOrder::Pyramid) => pyramid(participants),
        };
        let rounds = by_rounds.len() as u64;
        let numbered = (0..).zip(by_rounds);
        let meetings =
            numbered.flat_map(|(round, all)| all.into_iter().map(move |two| (round, two)));
        let meetings: Vec<(u64, SeatPair)> = meetings.collect();
        if meetings.is_empty() {
            return Err(PlanError::OneSidedGauntlet);
        }
        Ok(SeriesTable {
            rules,
            colours,
            games_per_pair,
            two_engines: participants.len() == 2,
            meetings,
            rounds,
        })
    }

    /// Pairs of a cycle.
    pub(super) fn pairs(&self) -> u64 {
        let games = self.meetings.len() as u64 * u64::from(self.rules.games);
        games / u64::from(self.games_per_pair)
    }

    /// The cycle of a game, its meeting in it, and its number in their series; all from 0.
    fn place(&self, game: u64) -> (u64, usize, u64) {
        let games = u64::from(self.rules.games);
        let (series, game) = (game / games, game % games);
        let meetings = self.meetings.len() as u64;
        (series / meetings, (series % meetings) as usize, game)
    }

    /// The round of a game, from 1.
    pub(super) fn round_of(&self, game: GameId) -> u64 {
        self.round(self.first_game(game.pair.0) + u64::from(game.game))
    }

    fn first_game(&self, pair: u64) -> u64 {
        pair * u64::from(self.games_per_pair)
    }

    /// The round of the game with this number, from 1.
    fn round(&self, number: u64) -> u64 {
        let (cycle, meeting, _) = self.place(number);
        cycle * self.rounds + self.meetings[meeting].0 + 1
    }

    /// The pair with this number, where the positions are played in this order.
    pub(super) fn pair(&self, number: u64, order: &[u32]) -> PairSpec {
        let first_game = self.first_game(number);
        let (cycle, meeting, game) = self.place(first_game);
        let mut seats = self.meetings[meeting].1;
        seats.rotate_left((self.turns(cycle, game) % 2) as usize);
        let openings = order.len() as u64;
        let opening = order[(self.opening(number) % openings) as usize];
        let cycle = u32::try_from(number / openings.min(self.pairs()).max(1)).unwrap_or(u32::MAX);
        PairSpec {
            second_game: second_game(self.colours),
            ..PairSpec::new(seats, opening, cycle, self.games_per_pair)
        }
    }

    /// How often the colours of two engines were exchanged before this game of theirs.
    fn turns(&self, cycle: u64, game: u64) -> u64 {
        let is_reversed = matches!(self.colours, Colours::Black | Colours::BlackWhite);
        let meetings = match (is_reversed, self.two_engines) {
            (false, _) => 0,
            (true, true) => 1,
            // They are exchanged whenever two engines meet again.
            (true, false) => cycle + 1,
        };
        match second_game(self.colours) {
            SecondGame::SameColours => meetings,
            _ => meetings + cycle * u64::from(self.rules.games) + game,
        }
    }

    /// Which position a pair takes, from 0, as if there were no end of them.
    fn opening(&self, pair: u64) -> u64 {
        let games = u64::from(self.rules.games);
        let first = self.first_game(pair);
        match (self.rules.opening, self.two_engines) {
            (SeriesOpening::Round, _) => self.round(first) - 1,
            (SeriesOpening::Series, true) => 0,
            (SeriesOpening::Series, false) => first / games,
            (SeriesOpening::Games(same), true) => first / u64::from(same),
            (SeriesOpening::Games(same), false) => {
                let same = u64::from(same);
                first / games * games.div_ceil(same) + first % games / same
            }
        }
    }
}

/// Each hero, one after the other, against everybody who is none.
fn gauntlet(heroes: &[u16], participants: &[Seat]) -> Vec<SeatPair> {
    let (heroes, others) = heroes_and_others(heroes, participants);
    let meetings = |hero| others.iter().map(move |other| [hero, *other]);
    heroes.into_iter().flat_map(meetings).collect()
}

/// The rounds of the circle method: the upper row from left to right against the lower one; from round to round all but
/// the first move one place, clockwise. With an odd number one place stays empty.
fn circle(participants: &[Seat]) -> Vec<Vec<SeatPair>> {
    let places = participants.len().next_multiple_of(2);
    let half = places / 2;
    let round = |round: usize| {
        let engine = |place: usize| match place {
            0 => 0,
            // They have moved on `round` times, among the places behind the first.
            _ => (place - 1 + (places - 1) - round % (places - 1)) % (places - 1) + 1,
        };
        let pairs = (0..half).map(|place| [engine(place), engine(places - 1 - place)]);
        let present = pairs.filter(|pair| pair.iter().all(|place| *place < participants.len()));
        let seats = present.map(|pair| pair.map(|place| participants[place]));
        seats.collect()
    };
    (0..places - 1).map(round).collect()
}

/// The rounds of a pyramid: everybody meets those before it.
fn pyramid(participants: &[Seat]) -> Vec<Vec<SeatPair>> {
    let places = 1..participants.len();
    let rounds = places.map(|place| {
        let before = participants[..place].iter();
        before.map(|other| [participants[place], *other]).collect()
    });
    rounds.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats(count: u16) -> Vec<Seat> {
        (0..count).map(|engine| Seat { engine, copy: 0 }).collect()
    }

    fn engines(encounters: &[SeatPair]) -> Vec<[u16; 2]> {
        let pair = |[first, second]: &SeatPair| [first.engine, second.engine];
        encounters.iter().map(pair).collect()
    }

    #[test]
    fn everybody_meets_those_named_after_it() {
        let all = encounters_in_turn(&Format::RoundRobin, &seats(3)).unwrap();
        assert_eq!(engines(&all), [[0, 1], [0, 2], [1, 2]]);
        let heroes = Format::Gauntlet { heroes: vec![0, 1] };
        let some = encounters_in_turn(&heroes, &seats(4)).unwrap();
        assert_eq!(engines(&some), [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3]]);
    }

    #[test]
    fn colours_change_within_pairs_or_from_pair_to_pair_or_never() {
        let two = encounters_in_turn(&Format::Match, &seats(2)).unwrap();
        let whites = |colours, games: u8| {
            let spec = |number| pair_in_turn(number, &two, (0, 0), (colours, games));
            let pairs = 0..u64::from(4 / games);
            let games = pairs
                .flat_map(|number| (0..games).map(move |game| spec(number).seats(game)[0].engine));
            games.collect::<Vec<_>>()
        };
        for games in [1, 2] {
            assert_eq!(whites(Colours::WhiteBlack, games), [0, 1, 0, 1]);
            assert_eq!(whites(Colours::BlackWhite, games), [1, 0, 1, 0]);
            assert_eq!(whites(Colours::White, games), [0, 0, 0, 0]);
            assert_eq!(whites(Colours::Black, games), [1, 1, 1, 1]);
        }
    }

    fn table(format: &Format, order: SeriesOrder, count: u16) -> SeriesTable {
        let rules = Series {
            order,
            games: 2,
            opening: SeriesOpening::Games(1),
        };
        let seats: Vec<Seat> = (0..count).map(|engine| Seat { engine, copy: 0 }).collect();
        SeriesTable::new(rules, (Colours::WhiteBlack, 1), format, &seats).unwrap()
    }

    fn meetings(table: &SeriesTable) -> Vec<(u64, [u16; 2])> {
        let meetings = table.meetings.iter();
        meetings
            .map(|(round, both)| (*round, both.map(|seat| seat.engine)))
            .collect()
    }

    #[test]
    fn meetings_come_in_the_order_of_cutechess() {
        let circle = |count| meetings(&table(&Format::RoundRobin, SeriesOrder::Circle, count));
        assert_eq!(circle(2), [(0, [0, 1])]);
        assert_eq!(circle(3), [(0, [1, 2]), (1, [0, 2]), (2, [0, 1])]);
        let four = [
            (0, [0, 3]),
            (0, [1, 2]),
            (1, [0, 2]),
            (1, [3, 1]),
            (2, [0, 1]),
            (2, [2, 3]),
        ];
        assert_eq!(circle(4), four);
        let pyramid = table(&Format::RoundRobin, SeriesOrder::Pyramid, 3);
        assert_eq!(meetings(&pyramid), [(0, [1, 0]), (1, [2, 0]), (1, [2, 1])]);
        let heroes = Format::Gauntlet { heroes: vec![0, 1] };
        let gauntlet = table(&heroes, SeriesOrder::Circle, 3);
        assert_eq!(meetings(&gauntlet), [(0, [0, 2]), (0, [1, 2])]);
    }

    #[test]
    fn positions_come_by_games_series_or_rounds() {
        let taken = |opening, count| {
            let mut table = table(&Format::RoundRobin, SeriesOrder::Circle, count);
            table.rules = Series {
                games: 3,
                opening,
                ..table.rules
            };
            (0..9).map(|pair| table.opening(pair)).collect::<Vec<_>>()
        };
        let two_of_three = SeriesOpening::Games(2);
        assert_eq!(taken(two_of_three, 3), [0, 0, 1, 2, 2, 3, 4, 4, 5]);
        assert_eq!(taken(two_of_three, 2), [0, 0, 1, 1, 2, 2, 3, 3, 4]);
        assert_eq!(taken(SeriesOpening::Series, 3), [0, 0, 0, 1, 1, 1, 2, 2, 2]);
        assert_eq!(taken(SeriesOpening::Series, 2), [0; 9]);
        assert_eq!(taken(SeriesOpening::Round, 4), [0, 0, 0, 0, 0, 0, 1, 1, 1]);
    }

    #[test]
    fn colours_go_on_from_one_meeting_to_the_next() {
        let whites = |colours, count| {
            let mut table = table(&Format::RoundRobin, SeriesOrder::Circle, count);
            table.colours = colours;
            table.rules.games = 1;
            let cycles = 0..3;
            let pairs = cycles.map(|cycle| table.pair(cycle * table.pairs(), &[0]));
            pairs.map(|pair| pair.first.engine).collect::<Vec<_>>()
        };
        assert_eq!(whites(Colours::WhiteBlack, 4), [0, 3, 0]);
        assert_eq!(whites(Colours::BlackWhite, 4), [3, 3, 3]);
        assert_eq!(whites(Colours::White, 4), [0, 0, 0]);
        assert_eq!(whites(Colours::Black, 4), [3, 0, 3]);
        assert_eq!(whites(Colours::BlackWhite, 2), [1, 0, 1]);
    }
}
