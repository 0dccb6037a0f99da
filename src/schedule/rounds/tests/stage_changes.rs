//! Stages that decisions change after they have begun, and who is placed where.

use super::stages::{named, placed, stage};
use super::*;
use crate::event::{GroupSeeding, StageEntrants, StageFormat};

/// Chooses what follows until everything of these rounds is played, the smaller number winning all its games.
fn play_until(season: &Rounds, history: &mut History, round: u16) {
    while history.last_round() < round
        && let Ok(Following::Chosen(chosen)) = season.next(history)
    {
        let known = history.pairs().count();
        history.choose(&chosen);
        let new: Vec<(PairId, PairSpec)> = history
            .pairs()
            .skip(known)
            .map(|(id, spec)| (id, *spec))
            .collect();
        let is_out = |spec: &PairSpec| {
            history
                .withdrawn
                .iter()
                .any(|engine| spec.concerns(*engine))
        };
        let new: Vec<_> = new.into_iter().filter(|(_, spec)| !is_out(spec)).collect();
        for (pair, spec) in new {
            for game in 0..spec.games {
                let [white, black] = spec.seats(game);
                let half_points = if white.engine < black.engine { 2 } else { 0 };
                history.played(GameId { pair, game }, white_scores(half_points));
            }
        }
    }
}

#[test]
fn what_is_taken_back_of_a_stage_is_paired_again_in_its_order() {
    for second in [StageFormat::League(1), swiss_stage(2)] {
        let season = rounds(RoundFormat::Stages(vec![
            stage(StageFormat::League(1), named(0..5), 1),
            stage(second, placed(0, &[1, 2, 3], None), 1),
        ]));
        let mut history = History::default();
        play_until(&season, &mut history, 5);
        let Ok(Following::Chosen(chosen)) = season.next(&history) else {
            panic!("the second stage is known");
        };
        assert_eq!((chosen.pairs.len(), chosen.byes.len()), (1, 1));
        history.choose(&chosen);
        // Engine 4 wins everything by rulings, and goes on instead of 2.
        let ids: Vec<(PairId, PairSpec)> = history.pairs().map(|(id, spec)| (id, *spec)).collect();
        for (pair, spec) in ids.iter().filter(|(_, spec)| spec.concerns(4)) {
            for game in 0..2 {
                let half_points = if spec.seats(game)[0].engine == 4 {
                    2
                } else {
                    0
                };
                let pair = *pair;
                history.played(GameId { pair, game }, white_scores(half_points));
            }
        }
        let back = season.superseded(history.clone()).unwrap();
        assert_eq!(back, BTreeSet::from([ids.last().unwrap().0]));
        history.unpair(back);
        assert_eq!((history.last_round(), history.byes().count()), (5, 5));
        play_until(&season, &mut history, u16::MAX);
        assert_eq!(season.next(&history), Ok(Following::Over));
        let groups = season.groups(&history);
        let last = groups.last().unwrap();
        assert_eq!(last.engines, [4, 0, 1]);
        let met = last.history.encounters().len() + last.history.byes().count();
        assert_eq!(met as u32, 2 * last.rules.rounds().unwrap());
    }
}

fn swiss_stage(count: u16) -> StageFormat {
    match swiss(8, count).format {
        RoundFormat::Swiss(rules) => StageFormat::Swiss(rules),
        _ => panic!("a Swiss"),
    }
}

#[test]
fn another_order_of_those_who_went_on_changes_no_stage_that_has_begun() {
    let season = rounds(RoundFormat::Stages(vec![
        stage(StageFormat::League(1), named(0..4), 1),
        stage(StageFormat::League(1), placed(0, &[1, 2, 3, 4], None), 1),
    ]));
    let mut history = History::default();
    play_until(&season, &mut history, 4);
    // The last of the first stage is its first by rulings.
    for (pair, spec) in history.clone().pairs().take(6) {
        for game in (0..2).filter(|_| spec.concerns(3)) {
            let half_points = if spec.seats(game)[0].engine == 3 {
                2
            } else {
                0
            };
            history.played(GameId { pair, game }, white_scores(half_points));
        }
    }
    assert_eq!(season.superseded(history.clone()), Ok(BTreeSet::new()));
    play_until(&season, &mut history, u16::MAX);
    let groups = season.groups(&history);
    assert_eq!(groups[1].engines, [0, 1, 2, 3]);
    let encounters = groups[1].history.encounters();
    let met: BTreeSet<[u16; 2]> = encounters
        .values()
        .map(|met| {
            let [one, other] = met.engines;
            [one.min(other), one.max(other)]
        })
        .collect();
    assert_eq!((met.len(), encounters.len()), (6, 6));
}

#[test]
fn who_goes_out_later_keeps_what_the_stage_before_gave_it() {
    let season = rounds(RoundFormat::Stages(vec![
        stage(StageFormat::League(1), named(0..4), 1),
        stage(StageFormat::League(1), placed(0, &[1, 2], None), 1),
    ]));
    let mut history = History::default();
    history.withdrawn = [3].into();
    play_until(&season, &mut history, 4);
    let groups = season.groups(&history);
    let before = groups[0].standings();
    assert_eq!(groups[1].engines, [0, 1]);
    history.withdrawn.insert(0);
    assert_eq!(season.superseded(history.clone()), Ok(BTreeSet::new()));
    let groups = season.groups(&history);
    assert_eq!(groups[0].standings(), before);
    assert_eq!(groups[0].history.withdrawn, [3].into());
    assert_eq!(groups[1].history.withdrawn, [0, 3].into());
    // Who comes back has games to play in the first stage.
    history.withdrawn = [0].into();
    assert_eq!(season.superseded(history), Err((4, 1)));
}

/// Plays a season in which the smaller number wins, to its end; and the place of every engine then.
pub(super) fn places_by_number(season: &Rounds, withdrawn: &[u16]) -> (History, Vec<(u16, usize)>) {
    let mut history = History::default();
    history.withdrawn.extend(withdrawn);
    while let Ok(Following::Chosen(chosen)) = season.next(&history) {
        history.choose(&chosen);
        for (pair, spec) in history.clone().pairs() {
            let is_out = withdrawn.iter().any(|engine| spec.concerns(*engine));
            for game in (0..2).filter(|_| !is_out) {
                let [white, black] = spec.seats(game);
                let half_points = if white.engine < black.engine { 2 } else { 0 };
                history.played(GameId { pair, game }, white_scores(half_points));
            }
        }
    }
    let places = season.places_of_stages(&history);
    let told = places.iter().map(|row| (row.engine, row.place)).collect();
    (history, told)
}

pub(super) fn league(entrants: StageEntrants, groups: u16) -> StageRules {
    stage(StageFormat::League(1), entrants, groups)
}

#[test]
fn a_stage_ranks_above_another_if_it_takes_its_winner() {
    let places = |stages: Vec<StageRules>| {
        let season = rounds(RoundFormat::Stages(stages));
        let (_, places) = places_by_number(&season, &[]);
        places
            .into_iter()
            .map(|(engine, _)| engine)
            .collect::<Vec<_>>()
    };
    // The first division stands first in the file.
    let divisions = vec![league(named(0..3), 1), league(named(3..6), 1)];
    assert_eq!(places(divisions), [0, 1, 2, 3, 4, 5]);
    let divisions = vec![league(named(3..6), 1), league(named(0..3), 1)];
    assert_eq!(places(divisions), [3, 4, 5, 0, 1, 2]);
    // A stage of the second and the third orders these two.
    let consolation = vec![league(named(0..4), 1), league(placed(0, &[3, 2], None), 1)];
    assert_eq!(places(consolation), [0, 1, 2, 3]);
    // A final of the first two stands before a game for the third place that follows it.
    let last = |places: &[u16]| league(placed(0, places, None), 1);
    let both = vec![league(named(0..5), 1), last(&[1, 2]), last(&[3, 4])];
    assert_eq!(places(both), [0, 1, 2, 3, 4]);
    // Who wins a qualifier goes up to those who were set.
    let mut upper = placed(0, &[1], None);
    upper.named = vec![1, 2];
    let qualifier = StageEntrants {
        named: vec![0, 3, 4],
        placed: Vec::new(),
    };
    let qualified = vec![league(qualifier, 1), league(upper, 1)];
    assert_eq!(places(qualified), [0, 1, 2, 3, 4]);
}

#[test]
fn the_best_by_their_part_are_counted_with_games_that_nobody_played() {
    // 7 is out. In its group 5 has two wins and a walkover in six games; in the other 1 has four wins in six.
    let mut first = league(named(0..8), 2);
    first.seeding = GroupSeeding::Blocks;
    let mut entrants = placed(0, &[1], None);
    entrants.placed.extend(placed(0, &[2], Some(1)).placed);
    let season = rounds(RoundFormat::Stages(vec![first, league(entrants, 1)]));
    let (history, _) = places_by_number(&season, &[7]);
    let groups = season.groups(&history);
    assert_eq!(groups[2].engines, [0, 4, 1]);
    for group in &groups[..2] {
        for row in group.table() {
            assert_eq!(row.games, 6, "six games each, played or not");
            assert!(row.half_points <= 12);
        }
    }
}
