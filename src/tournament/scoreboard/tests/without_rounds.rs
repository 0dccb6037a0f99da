//! Points in an event that is not played in rounds.

use super::*;

/// An encounter of four games of each two engines in an event that is not played in rounds, in any order; the arbiter
/// withdraws engines and rules on games.
#[test]
fn points_are_the_sum_of_games_and_walkovers_where_there_are_no_rounds() {
    let mut random = Random::new(12);
    let participant = |engine| Participant {
        seat: Seat { engine, copy: 0 },
        name: engine.to_string(),
    };
    let scores = [GameScore::Loss, GameScore::Draw, GameScore::Win];
    let mut uneven = 0;
    for engines in 2_u16..=6 {
        let all: Vec<Participant> = (0..engines).map(participant).collect();
        let pairs = (0..engines).flat_map(|one| (one + 1..engines).map(move |other| [one, other]));
        let pairs: Vec<[u16; 2]> = pairs.collect();
        for rule in [Disqualified::Keep, Disqualified::Half, Disqualified::Annul] {
            for _ in 0..20 {
                let rules = FaultRules {
                    disqualified: rule,
                    ..FaultRules::default()
                };
                let planned: BTreeMap<[u16; 2], u64> =
                    pairs.iter().map(|pair| (*pair, 4)).collect();
                let out = (0..engines).filter(|_| random.below(4) == 0).collect();
                let faults = FaultCounts::new(rules, Some(planned.clone())).withdrawing(out);
                let mut board = Scoreboard::new(&all).judged_by(faults);
                let mut played = Vec::new();
                for (pair, met) in (0..).map(PairId).zip(&pairs) {
                    for game in 0..4 {
                        if random.below(3) == 0 {
                            continue;
                        }
                        let mut seats = met.map(|engine| Seat { engine, copy: 0 });
                        if game % 2 == 1 {
                            seats.reverse();
                        }
                        let white = scores[random.below(3) as usize];
                        let result = match random.below(4) {
                            0 => [Uneven::BothLose, Uneven::WhiteHalf, Uneven::BlackHalf]
                                .map(Outcome::Uneven)[random.below(3) as usize]
                                .scores()
                                .unwrap(),
                            _ => [white, white.reversed()],
                        };
                        uneven += u32::from(result[1] != result[0].reversed());
                        board.add_counted(counted(GameId { pair, game }, seats, result));
                        played.push((seats, result));
                    }
                }
                let mut sums = vec![0_u64; usize::from(engines)];
                for (seats, result) in played {
                    if !board.fault_counts().annuls(seats) {
                        for (seat, score) in seats.into_iter().zip(result) {
                            sums[usize::from(seat.engine)] += u64::from(score.half_points());
                        }
                    }
                }
                for (winner, _, games) in board.fault_counts().walkovers() {
                    sums[usize::from(winner)] += 2 * games;
                }
                for row in board.standings() {
                    assert_eq!(u64::from(row.half_points), sums[usize::from(row.engine)]);
                }
                let of_games: f64 = (0..all.len())
                    .flat_map(|one| board.by_color(one))
                    .map(|record| record.points())
                    .sum();
                let cross: f64 = (0..all.len())
                    .flat_map(|one| (0..all.len()).map(move |other| (one, other)))
                    .map(|(one, other)| board.encounter(one, other).total().points())
                    .sum();
                assert_eq!(of_games, cross);
            }
        }
    }
    assert!(uneven > 100, "{uneven}");
}
