//! What differs between the stages of an event and the groups of a stage.

use super::stage_changes::{league, places_by_number};
use super::stages::{named, placed};
use super::*;
use crate::event::{PairTerms, StageFormat};

#[test]
fn groups_of_a_stage_share_positions_and_no_lot() {
    let season = rounds(RoundFormat::Stages(vec![league(named(0..8), 2)]));
    let [one, two] = [0, 1].map(|group| season.group((0, group), &[0, 1]));
    assert_eq!(one.seed, two.seed);
    assert_ne!(one.lots_seed, two.lots_seed);
}

#[test]
fn limits_of_a_round_hold_in_a_stage_with_limits() {
    let both = |text: &str| {
        let limits: Limits = text.parse().unwrap();
        Some([limits.clone(), limits])
    };
    let mut second = league(placed(0, &[1, 2], None), 1);
    second.limits = both("60+1");
    let mut season = rounds(RoundFormat::Stages(vec![league(named(0..4), 1), second]));
    season.round_limits = vec![None, both("10+1"), None, both("20+1")];
    let of_group = |group: &StageGroup| group.rules.round_limits.clone();
    let (history, _) = places_by_number(&season, &[]);
    let groups = season.groups(&history);
    assert_eq!(of_group(&groups[0]), [None, both("10+1"), None]);
    assert_eq!(of_group(&groups[1]), [both("20+1")]);
    let at = |season: &Rounds, round| {
        let (board, pair) = (1, 1);
        let terms = PairTerms {
            place: Place { round, board, pair },
            black_percent: None,
        };
        let rounds = Some(season.clone());
        let by_colour = None;
        GameLimits { by_colour, rounds }.of(Some(terms))
    };
    assert_eq!(
        [1, 2, 4].map(|round| at(&season, round)),
        [None, both("10+1"), both("20+1")]
    );
    season.round_limits.pop();
    assert_eq!(at(&season, 4), both("60+1"));
}

#[test]
fn the_places_of_a_tree_are_known_before_it_is_played() {
    let of = |kind, third| match tree(kind, 0, third).format {
        RoundFormat::Elimination(_, rules) => rules,
        _ => panic!("a tree"),
    };
    let cup = |third| StageFormat::Knockout(of(Elimination::Knockout, third));
    let places = |format: &StageFormat, count| places_in(format, count).unwrap();
    assert_eq!(places(&cup(false), 8), [1, 2, 3, 3, 5, 5, 5, 5]);
    assert_eq!(places(&cup(true), 6), [1, 2, 3, 4, 5, 5]);
    assert_eq!(places(&cup(false), 3), [1, 2, 3]);
    let double = StageFormat::DoubleElimination(of(Elimination::Double, false));
    assert_eq!(places(&double, 4), [1, 2, 3, 4]);
    let ladder = StageFormat::Ladder(of(Elimination::Ladder, false));
    assert_eq!(places(&ladder, 4), [1, 2, 3, 4]);
    assert_eq!(places_in(&StageFormat::League(1), 4), None);
}
