//! Events in which every pair takes the next position, no matter which engines play it: `draw = "next"`.

use super::pair::PairSpec;
use super::pairings::{Format, PlanError, SeatPair};
use crate::event::{Colours, Seat};

/// The encounters of one turn, in each the engine that is named first before the other; the heroes of a gauntlet meet
/// each other, too.
pub(super) fn encounters(
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
pub(super) fn pair(
    number: u64,
    encounters: &[SeatPair],
    (opening, cycle): (u32, u32),
    (colours, games): (Colours, u8),
) -> PairSpec {
    let [first, second] = encounters[(number % encounters.len() as u64) as usize];
    // With one game a pair the colours change from pair to pair.
    let alternates = games == 1 && number % 2 == 1;
    let is_reversed = match colours {
        Colours::Black => true,
        Colours::BlackWhite => !alternates,
        Colours::White => false,
        Colours::Balanced | Colours::WhiteBlack => alternates,
    };
    let [first, second] = match is_reversed {
        true => [second, first],
        false => [first, second],
    };
    PairSpec {
        cycle,
        opening,
        first,
        second,
        games,
        place: None,
        keeps_colours: matches!(colours, Colours::White | Colours::Black),
    }
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
        let all = encounters(&Format::RoundRobin, &seats(3)).unwrap();
        assert_eq!(engines(&all), [[0, 1], [0, 2], [1, 2]]);
        let heroes = Format::Gauntlet { heroes: vec![0, 1] };
        let some = encounters(&heroes, &seats(4)).unwrap();
        assert_eq!(engines(&some), [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3]]);
    }

    #[test]
    fn colours_change_within_pairs_or_from_pair_to_pair_or_never() {
        let two = encounters(&Format::Match, &seats(2)).unwrap();
        let whites = |colours, games: u8| {
            let spec = |number| pair(number, &two, (0, 0), (colours, games));
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
}
