//! What rounds without a game are worth, in every tie-break.

use super::*;

impl Played {
    /// Every number of a rule, by engine.
    fn values(&self, rule: TieBreak) -> Vec<f64> {
        let mut table = self.board().standings();
        table.sort_by_key(|row| row.engine);
        let of_rule = |row: &crate::stats::standings::Standing| {
            let value = row.tie_breaks().find(|(known, _)| *known == rule);
            value.unwrap().1.unwrap()
        };
        table.iter().map(of_rule).collect()
    }
}

/// Six engines, all games drawn but those that engine 4 loses, if it does; the last is withdrawn in
/// round 2 before it meets engine 4.
fn all_drawn(rounds: u16, the_fifth_loses: bool) -> Played {
    let mut played = Played::new(swiss(6, rounds, ByePoints::Win), 6);
    while played.choose() {
        let history = &played.contest.history;
        if history.last_round() == 2 && played.book.is_empty() {
            let encounters = history.encounters();
            let of_last = encounters
                .iter()
                .find(|(at, met)| at.0 == 2 && met.side(5).is_some());
            assert!(of_last.unwrap().1.side(4).is_some());
            assert!(played.decide(ArbiterAct::Withdraw { engine: 5 }));
        }
        while let Some((id, spec)) = played.open.first() {
            let score = match spec.seats(id.game).map(|seat| seat.engine) {
                [4, _] if the_fifth_loses => GameScore::Loss,
                [_, 4] if the_fifth_loses => GameScore::Win,
                _ => GameScore::Draw,
            };
            played.play(0, score);
        }
    }
    played
}

#[test]
fn a_walkover_is_a_round_of_every_tie_break() {
    let played = all_drawn(4, false);
    let table = played.board().standings();
    let half_points = |engine: u16| {
        let row = table.iter().find(|row| row.engine == engine);
        row.unwrap().half_points
    };
    assert_eq!([1, 2, 4].map(half_points), [10; 3]);
    // Engine 4 has met 1, and two others; the round that nobody played counts its own five points.
    assert_eq!(played.values(TieBreak::Buchholz)[4], 18.0);
    // 1, 3, 4 and 5 points after each round.
    assert_eq!(played.values(TieBreak::Progressive)[4], 13.0);
    // Its Buchholz is no less than that of those who had a bye.
    assert_eq!(played.values(TieBreak::Buchholz)[1], 18.0);
}

#[test]
fn who_won_without_a_move_has_no_bye_before_all_others() {
    // Engine 4 is the last from the fourth round on; the byes of rounds 3 to 6 are for the four others.
    let played = all_drawn(6, true);
    let mut byes: Vec<u16> = played
        .contest
        .history
        .byes()
        .map(|bye| bye.engine)
        .collect();
    byes.sort_unstable();
    assert_eq!(byes, [0, 1, 2, 3]);
}

#[test]
fn a_walkover_and_a_bye_are_told_apart() {
    let mut played = Played::new(swiss(6, 7, ByePoints::Win), 6);
    let seat = |engine| Seat { engine, copy: 0 };
    for (round, opponent) in (1..).zip([Some(1), Some(5), Some(0), Some(1), Some(2), Some(3), None])
    {
        let met = opponent.map(|opponent| PairSpec {
            cycle: 0,
            opening: 0,
            first: seat(4),
            second: seat(opponent),
            games: 2,
            place: Some(Place {
                round,
                board: 1,
                pair: 1,
            }),
            black_percent: None,
            second_game: SecondGame::Swapped,
        });
        let bye = Bye { round, engine: 4 };
        played.contest.history.choose(&Chosen {
            pairs: met.into_iter().collect(),
            byes: opponent.is_none().then_some(bye).into_iter().collect(),
            begins: None,
        });
        if let Some(spec) = met.filter(|spec| !spec.concerns(5)) {
            let pair = PairId(u64::from(round) - 1);
            for game in [0, 1] {
                let id = GameId { pair, game };
                let game = (spec.seats(game), GameScore::Draw);
                played.games.insert(id, game);
            }
        }
    }
    assert!(played.decide(ArbiterAct::Withdraw { engine: 5 }));
    // 1, 3, 4, 5, 6, 7 and 9 points after each round.
    assert_eq!(played.values(TieBreak::Progressive)[4], 35.0);
}

/// The points of four engines that draw all their games, four an encounter; the last is withdrawn
/// after it has met these.
fn points_without_the_last(met: &[u16]) -> Vec<f64> {
    let participant = |engine| Participant {
        seat: Seat { engine, copy: 0 },
        name: engine.to_string(),
    };
    let all: Vec<Participant> = (0..4).map(participant).collect();
    let encounters = [[0, 1], [0, 2], [1, 2], [0, 3], [1, 3], [2, 3]];
    let rules = FaultRules {
        disqualified: Disqualified::Half,
        ..FaultRules::default()
    };
    let planned = encounters.map(|pair| (pair, 4)).into_iter().collect();
    let out = FaultCounts::new(rules, Some(planned)).withdrawing([3].into());
    let mut board = Scoreboard::new(&all).judged_by(out);
    for (pair, [one, other]) in (0..).map(PairId).zip(encounters) {
        for game in (0..4).filter(|_| other != 3 || met.contains(&one)) {
            let seats = [one, other].map(|engine| Seat { engine, copy: 0 });
            board.add_counted(shared(GameId { pair, game }, seats, GameScore::Draw));
        }
    }
    let mut table = board.standings();
    table.sort_by_key(|row| row.engine);
    table.iter().map(|row| row.points()).collect()
}

#[test]
fn who_has_not_met_a_withdrawn_engine_is_not_punished_for_it() {
    // Two thirds of its games were played: they count, and engine 1 wins the four that were not.
    assert_eq!(points_without_the_last(&[0, 2]), [6.0, 8.0, 6.0, 4.0]);
    // A third: they count for nobody.
    assert_eq!(points_without_the_last(&[0]), [4.0, 4.0, 4.0, 0.0]);
}
