use std::collections::{BTreeMap, BTreeSet};

mod playoffs;
mod stage_changes;
mod stage_terms;
mod stages;
mod third_place;

use super::*;
use crate::chess::random::Random;
use crate::event::{ByePoints, EncounterTieBreak, FirstWhite, GameId, PairId, Playoff};
use crate::schedule::PairSpec;
use crate::stats::counts::GameScore;

fn rounds(format: RoundFormat) -> Rounds {
    Rounds {
        openings: 40,
        ..Rounds::new(format, 7)
    }
}

fn tree(format: Elimination, engines: u16, third_place: bool) -> Rounds {
    rounds(RoundFormat::Elimination(
        format,
        EliminationRules {
            seeds: (0..engines).collect(),
            pairs: 2,
            round_pairs: Vec::new(),
            first_white: FirstWhite::Alternate,
            ends_when_decided: false,
            playoffs: vec![step(1, 2)],
            tie_break: vec![EncounterTieBreak::DoubleWins, EncounterTieBreak::Lot],
            third_place,
        },
    ))
}

/// So many pairs, so often.
fn step(pairs: u32, times: u32) -> Playoff {
    Playoff {
        pairs,
        times,
        limits: None,
        armageddon: None,
    }
}

fn swiss(engines: u16, count: u16) -> Rounds {
    rounds(RoundFormat::Swiss(SwissRules {
        seeds: (0..engines).collect(),
        pairs: 1,
        rounds: count,
        groups: 2,
        forbidden: Vec::new(),
        bye: ByePoints::Win,
    }))
}

fn white_scores(half_points: u8) -> [GameScore; 2] {
    let white = GameScore::from_half_points(half_points).unwrap();
    [white, white.reversed()]
}

/// The result of a game: a function of the players and the place, so that it does not depend on the order in which
/// games are played.
fn result(pair: &PairSpec, game: u8) -> [GameScore; 2] {
    let place = pair.place.unwrap();
    let numbers = [place.round, place.board, place.pair, u16::from(game)].map(u64::from);
    let [white, black] = pair.seats(game);
    let seed = numbers
        .iter()
        .fold(u64::from(white.engine), |seed, number| seed * 67 + number);
    let drawn = Random::new(seed * 67 + u64::from(black.engine)).below(4);
    white_scores([0, 2].get(drawn as usize).copied().unwrap_or(1))
}

/// Plays an event; which open pair is played next is drawn from `order`. The stored choices are read again each time
/// the next pairs are computed.
fn play(rounds: &Rounds, order: u64) -> History {
    let mut random = Random::new(order);
    let (mut history, mut texts, mut next) = (History::default(), Vec::new(), 0);
    let mut open: Vec<(PairId, PairSpec)> = Vec::new();
    loop {
        match rounds.next(&history).expect("nobody is forbidden") {
            Following::Chosen(chosen) => {
                let text = serde_json::to_string(&chosen).unwrap();
                let again: Chosen = serde_json::from_str(&text).unwrap();
                assert_eq!(again, chosen);
                texts.push(text);
                for pair in &chosen.pairs {
                    open.push((PairId(next), *pair));
                    next += 1;
                }
                history.choose(&chosen);
            }
            Following::Over => break,
            Following::Wait => assert!(!open.is_empty(), "nothing is open, and it waits"),
        }
        if !open.is_empty() {
            let (pair, spec) = open.swap_remove(random.below(open.len() as u64) as usize);
            for game in 0..spec.games {
                history.played(GameId { pair, game }, result(&spec, game));
            }
        }
    }
    while let Some((pair, spec)) = open.pop() {
        for game in 0..spec.games {
            history.played(GameId { pair, game }, result(&spec, game));
        }
    }
    history
}

/// A pair and the results of its games.
type Told = (PairId, PairSpec, [Option<[GameScore; 2]>; 2]);

/// Who met where, as which pair, on what, with what result.
fn told(history: &History) -> BTreeMap<Place, Told> {
    let pairs = history.pairs();
    pairs
        .map(|(id, spec)| (spec.place.unwrap(), (id, *spec, history.results(id))))
        .collect()
}

#[test]
fn the_order_in_which_games_end_changes_no_pairing_and_no_place() {
    for engines in 2..=13 {
        let formats = [
            tree(Elimination::Knockout, engines, true),
            tree(Elimination::Double, engines, false),
            tree(Elimination::Ladder, engines, false),
            swiss(engines, 5),
        ];
        for rounds in formats {
            let one = play(&rounds, 1);
            let other = play(&rounds, 2);
            assert_eq!(told(&one), told(&other), "{rounds:?}");
            let places = |history| rounds.progress(history).map(|tree| tree.standings());
            assert_eq!(places(&one), places(&other));
        }
    }
}

#[test]
fn a_tree_of_any_number_of_engines_comes_to_its_end() {
    for engines in (2..=20).chain([33, 64]) {
        for format in [
            Elimination::Knockout,
            Elimination::Double,
            Elimination::Ladder,
        ] {
            let rounds = tree(format, engines, true);
            let history = play(&rounds, 3);
            let progress = rounds.progress(&history).unwrap();
            assert!(progress.is_over() && progress.to_come().is_empty());
            // Before the first result those are to come that are played, but for a second final.
            let before = rounds.progress(&History::default()).unwrap();
            let to_come: Vec<_> = before
                .to_come()
                .into_iter()
                .map(|(place, _)| place)
                .collect();
            let played = history.encounters().into_keys();
            let is_certain =
                |(round, board): &(u16, u16)| progress.name(*round, *board) != Some("second final");
            assert_eq!(
                BTreeSet::from_iter(to_come),
                played.filter(is_certain).collect()
            );
            let standings = progress.standings();
            assert!(standings.iter().all(|standing| standing.is_final));
            assert_eq!(
                standings
                    .iter()
                    .filter(|standing| standing.place == 1)
                    .count(),
                1
            );
            assert_eq!(standings[1].place, 2);
            for encounter in history.encounters().values() {
                assert!((2..=4).contains(&encounter.pairs.len()));
                let [one, other] = encounter.half_points;
                let level = encounter.pairs.len() < 4;
                assert!(
                    one != other || !level,
                    "level, and no extra pair was chosen"
                );
            }
        }
    }
}

/// The event that is announced is the event that is played.
#[test]
fn the_games_before_any_result_are_those_that_are_played() {
    for engines in 2..=17 {
        for rounds in [
            tree(Elimination::Knockout, engines, engines % 2 == 0),
            tree(Elimination::Double, engines, false),
            tree(Elimination::Ladder, engines, false),
            swiss(engines, 3),
        ] {
            let games = 2 * play(&rounds, 4).pairs().count() as u64;
            let foreseen = rounds.games_before_results();
            assert!(foreseen.contains(&games), "{games}: {foreseen:?}");
        }
    }
}

#[test]
fn no_engine_is_twice_in_a_round_and_no_position_twice_in_an_encounter() {
    for engines in (2..=14).chain([31]) {
        let table = crate::schedule::pairings::league(&(0..engines).collect::<Vec<_>>());
        let league = rounds(RoundFormat::League { table, cycles: 2 });
        for rounds in [
            swiss(engines, 9),
            league,
            tree(Elimination::Knockout, engines, false),
        ] {
            let history = play(&rounds, 5);
            let mut seen: BTreeMap<u16, Vec<u16>> = BTreeMap::new();
            for encounter in history.encounters().values() {
                seen.entry(encounter.place.round)
                    .or_default()
                    .extend(encounter.engines);
                let mut openings = encounter.openings();
                openings.sort_unstable();
                openings.dedup();
                assert_eq!(openings.len(), encounter.pairs.len());
            }
            for bye in history.byes() {
                seen.entry(bye.round).or_default().push(bye.engine);
            }
            for (round, mut engines) in seen {
                let count = engines.len();
                engines.sort_unstable();
                engines.dedup();
                assert_eq!(engines.len(), count, "round {round}");
            }
        }
    }
}

#[test]
fn a_league_is_played_through_with_even_colours() {
    for engines in 2..=20_u16 {
        let table = crate::schedule::pairings::league(&(0..engines).collect::<Vec<_>>());
        let league = rounds(RoundFormat::League { table, cycles: 2 });
        let planned = league.planned_games(&History::default());
        let history = play(&league, 5);
        let mut met: BTreeMap<[u16; 2], [u32; 2]> = BTreeMap::new();
        for encounter in history.encounters().values() {
            let [first, second] = encounter.engines;
            let key = [first.min(second), first.max(second)];
            met.entry(key).or_default()[usize::from(first > second)] += 1;
        }
        assert_eq!(
            met.len(),
            usize::from(engines) * usize::from(engines - 1) / 2
        );
        // Each begins one of the two.
        assert!(met.values().all(|begun| *begun == [1, 1]));
        assert_eq!(planned, Some(2 * history.pairs().count() as u64));
        assert_eq!(league.planned_games(&history), planned);
    }
}

#[test]
fn a_withdrawn_engine_loses_its_last_encounter_and_is_paired_no_more() {
    let rounds = tree(Elimination::Knockout, 4, true);
    let mut history = History::default();
    let Ok(Following::Chosen(chosen)) = rounds.next(&history) else {
        panic!("the first round is known");
    };
    history.choose(&chosen);
    history.withdrawn = [0].into();
    // Seed 1 is out of the semifinal on board 1; the other continues as before.
    let progress = rounds.progress(&history).unwrap();
    let decided: Vec<_> = progress.decisions().collect();
    assert_eq!(decided, [((1, 1), 3, Some(0), EncounterDecision::Walkover)]);
    for (pair, spec) in history.clone().pairs() {
        if spec.place.unwrap().board == 2 {
            let white_wins = if spec.first.engine == 1 {
                [2, 0]
            } else {
                [0, 2]
            };
            for game in 0..2 {
                history.played(
                    GameId { pair, game },
                    white_scores(white_wins[usize::from(game)]),
                );
            }
        }
    }
    let Ok(Following::Chosen(chosen)) = rounds.next(&history) else {
        panic!("the final is known");
    };
    // The match for the third place needs two.
    let engines = |pair: &PairSpec| [pair.first.engine, pair.second.engine];
    let mut met: Vec<_> = chosen.pairs.iter().map(engines).collect();
    met.iter_mut().for_each(|pair| pair.sort_unstable());
    assert_eq!(met, [[1, 3], [1, 3]]);
    let mut swiss_history = History::default();
    swiss_history.withdrawn = [2].into();
    let Ok(Following::Chosen(chosen)) = swiss(5, 3).next(&swiss_history) else {
        panic!("the first round is known");
    };
    assert!(chosen.byes.is_empty() && chosen.pairs.iter().all(|pair| !pair.concerns(2)));
}

#[test]
fn who_waits_for_the_final_and_is_withdrawn_loses_the_final() {
    let rounds = tree(Elimination::Knockout, 4, false);
    let mut history = History::default();
    let Ok(Following::Chosen(chosen)) = rounds.next(&history) else {
        panic!("the first round is known");
    };
    history.choose(&chosen);
    let win = |history: &mut History, board: u16, winner: u16| {
        for (pair, spec) in history.clone().pairs() {
            if spec.place.unwrap().board == board {
                for game in 0..2 {
                    let white = spec.seats(game)[0].engine == winner;
                    history.played(
                        GameId { pair, game },
                        white_scores(if white { 2 } else { 0 }),
                    );
                }
            }
        }
    };
    win(&mut history, 1, 0);
    history.withdrawn = [0].into();
    let progress = rounds.progress(&history).unwrap();
    let decided: Vec<_> = progress.decisions().collect();
    // What it has won stays won: the one that it beat does not come back.
    assert_eq!(decided, [((1, 1), 0, Some(3), EncounterDecision::Points)]);
    win(&mut history, 2, 1);
    assert_eq!(rounds.next(&history), Ok(Following::Over));
    let places = rounds.progress(&history).unwrap().standings();
    let first: Vec<u16> = places.iter().take(2).map(|place| place.engine).collect();
    assert_eq!(first, [1, 0]);
}

#[test]
fn a_second_final_that_is_not_needed_any_more_is_taken_back_until_it_is_played() {
    let rounds = tree(Elimination::Double, 4, false);
    let mut history = History::default();
    let win = |history: &mut History, round: u16, winner: &dyn Fn([u16; 2]) -> u16| {
        for (pair, spec) in history.clone().pairs() {
            let engines = [spec.first.engine, spec.second.engine];
            for game in (0..2).filter(|_| spec.place.unwrap().round == round) {
                let white = spec.seats(game)[0].engine == winner(engines);
                let scores = white_scores(if white { 2 } else { 0 });
                history.played(GameId { pair, game }, scores);
            }
        }
    };
    // The engine with the smaller number wins, but in the first final.
    for round in 1..=5 {
        let Ok(Following::Chosen(chosen)) = rounds.next(&history) else {
            panic!("round {round} is known");
        };
        history.choose(&chosen);
        match round {
            1..=3 => win(&mut history, round, &|[one, other]| one.min(other)),
            4 => win(&mut history, round, &|[one, other]| one.max(other)),
            _ => {}
        }
    }
    assert_eq!(rounds.superseded(history.clone()), Ok([].into()));
    let is_second = |(_, spec): &(PairId, &PairSpec)| spec.place.unwrap().round == 5;
    let second: BTreeSet<PairId> = history
        .pairs()
        .filter(is_second)
        .map(|(id, _)| id)
        .collect();
    assert!(!second.is_empty());
    win(&mut history, 4, &|[one, other]| one.min(other));
    assert_eq!(rounds.superseded(history.clone()), Ok(second));
    win(&mut history, 5, &|[one, other]| one.min(other));
    assert_eq!(rounds.superseded(history), Err((5, 1)));
}
