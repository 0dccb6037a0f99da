//! The plan: the same for ever, and fair.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use arbiter960::chess::start::{StartNumber, Variant};
use arbiter960::internal::event::{PairId, Seat};
use arbiter960::internal::schedule::{Format, Openings, PairSpec, Plan, PlanSettings};
use proptest::prelude::*;

use super::study;

fn seats(count: u16) -> Vec<Seat> {
    (0..count).map(|engine| Seat { engine, copy: 0 }).collect()
}

fn chess960(numbers: impl IntoIterator<Item = u32>) -> Arc<Openings> {
    let numbers = numbers.into_iter().map(StartNumber);
    Arc::new(Openings::numbered(Variant::Chess960, numbers).expect("start numbers"))
}

fn settings(engines: u16, openings: Arc<Openings>, cycles: u32, seed: u64) -> PlanSettings {
    PlanSettings {
        round_limits: Vec::new(),
        participants: seats(engines),
        format: Format::RoundRobin,
        openings,
        cycles,
        max_pairs: None,
        seed,
        games_per_pair: 2,
        in_turn: None,
        series: None,
    }
}

fn plan(engines: u16, openings: Arc<Openings>, cycles: u32, seed: u64) -> Plan {
    Plan::new(settings(engines, openings, cycles, seed)).expect("engines and positions")
}

/// `cycle:opening first-second` of every pair.
fn written(plan: &Plan) -> Vec<String> {
    let text = |pair: PairSpec| {
        let (first, second) = (pair.first.engine, pair.second.engine);
        format!("{}:{} {first}-{second}", pair.cycle, pair.opening)
    };
    plan.iter().map(|(_, pair)| text(pair)).collect()
}

#[test]
fn a_match_of_two_cycles_is_the_same_for_ever() {
    let plan = plan(2, chess960(0..6), 2, 1);
    let golden = "0:4 0-1, 0:2 1-0, 0:5 0-1, 0:0 1-0, 0:1 0-1, 0:3 1-0, \
                  1:3 0-1, 1:0 1-0, 1:5 0-1, 1:4 1-0, 1:1 0-1, 1:2 1-0";
    assert_eq!(written(&plan).join(", "), golden);
}

#[test]
fn a_round_robin_is_the_same_for_ever() {
    let plan = plan(4, chess960([518, 7, 99]), 1, 960);
    let golden = "0:2 0-3, 0:2 1-2, 0:2 3-2, 0:2 0-1, 0:2 1-3, 0:2 2-0, \
                  0:1 2-1, 0:1 2-3, 0:1 1-0, 0:1 3-1, 0:1 0-2, 0:1 3-0, \
                  0:0 3-2, 0:0 0-1, 0:0 1-3, 0:0 2-0, 0:0 0-3, 0:0 1-2";
    assert_eq!(written(&plan).join(", "), golden);
}

#[test]
fn partners_stand_next_to_each_other() {
    // All 16 starts of four arrays, of which 12 have a partner.
    let numbers = (0..16).map(|number| StartNumber(number / 4 * 960 + number % 4));
    let openings = Arc::new(Openings::numbered(Variant::Dfrc, numbers).unwrap());
    let plan = plan(2, Arc::clone(&openings), 3, 5);
    let order = plan.iter().map(|(_, pair)| (pair.cycle, pair.opening));
    let order: Vec<(u32, u32)> = order.collect();
    for (place, &(cycle, opening)) in order.iter().enumerate() {
        if let Some(partner) = openings.partner(opening) {
            let beside = [place.wrapping_sub(1), place + 1];
            let is_partner = |place| order.get(place) == Some(&(cycle, partner));
            let found = beside.into_iter().any(is_partner);
            assert!(found, "{opening} and {partner} in cycle {cycle}");
        }
    }
    let first_cycle: Vec<u32> = order[..16].iter().map(|&(_, opening)| opening).collect();
    let golden = [10, 5, 3, 12, 1, 4, 7, 13, 15, 2, 8, 6, 9, 0, 14, 11];
    assert_eq!(first_cycle, golden);
}

#[test]
fn a_plan_goes_on_beyond_its_end_and_stops_at_its_limit() {
    let mut settings = settings(2, chess960(0..960), u32::MAX, 3);
    settings.max_pairs = Some(100_000);
    let plan = Plan::new(settings).unwrap();
    assert_eq!(plan.len(), 100_000);
    let last = plan.pair(PairId(99_999)).unwrap();
    assert_eq!(last.cycle, 104);
    let first = plan.iter().next().map(|(_, pair)| pair);
    assert_eq!(plan.pair(PairId(0)), first);
}

#[test]
fn a_gauntlet_meets_every_challenger_on_every_position() {
    let mut settings = settings(5, chess960(0..8), 1, 4);
    settings.format = Format::Gauntlet { heroes: vec![2] };
    let plan = Plan::new(settings).unwrap();
    assert_eq!(plan.len(), 4 * 8);
    let challenger = |pair: PairSpec| pair.first.engine + pair.second.engine - 2;
    let met = plan
        .iter()
        .map(|(_, pair)| (pair.opening, challenger(pair)));
    assert_eq!(met.collect::<HashSet<_>>().len(), 4 * 8);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: study::cases(64),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Every two meet on every position in every cycle, position by position; in every
    /// encounter both begin equally often, and so does every engine on the whole.
    #[test]
    fn every_plan_is_complete_and_balanced(
        engines in 2_u16..9,
        openings in 1_u32..30,
        cycles in 1_u32..4,
        seed: u64,
    ) {
        let plan = plan(engines, chess960(0..openings), cycles, seed);
        let encounters = u64::from(engines) * u64::from(engines - 1) / 2;
        prop_assert_eq!(plan.len(), encounters * u64::from(openings) * u64::from(cycles));
        let mut met = HashSet::new();
        let mut begun: HashMap<(u32, u16, u16), i64> = HashMap::new();
        for (id, pair) in plan.iter() {
            let position = id.0 / encounters;
            prop_assert_eq!(u64::from(pair.cycle), position / u64::from(openings));
            prop_assert_eq!(pair.opening, plan.pair(PairId(position * encounters)).unwrap().opening);
            let (first, second) = (pair.first.engine, pair.second.engine);
            let (low, high) = (first.min(second), first.max(second));
            prop_assert!(met.insert((pair.cycle, pair.opening, low, high)));
            let sign = if first == low { 1 } else { -1 };
            *begun.entry((pair.cycle, low, high)).or_default() += sign;
        }
        prop_assert!(begun.values().all(|difference| difference.abs() <= 1));
    }

    /// On a single position nobody begins more than one pair more than it ends.
    #[test]
    fn colours_are_balanced_on_every_position(engines in 2_u16..12, seed: u64) {
        let plan = plan(engines, chess960(0..5), 1, seed);
        let mut begun: HashMap<(u32, u16), i64> = HashMap::new();
        for (_, pair) in plan.iter() {
            *begun.entry((pair.opening, pair.first.engine)).or_default() += 1;
            *begun.entry((pair.opening, pair.second.engine)).or_default() -= 1;
        }
        prop_assert!(begun.values().all(|difference| difference.abs() <= 1));
    }

    /// Every cycle is a permutation, and not the same one.
    #[test]
    fn cycles_are_different_permutations(seed: u64) {
        let plan = plan(2, chess960(0..100), 2, seed);
        let order = |cycle: u64| -> Vec<u32> {
            (0..100).map(|pair| plan.pair(PairId(cycle * 100 + pair)).unwrap().opening).collect()
        };
        let (first, second) = (order(0), order(1));
        prop_assert_ne!(&first, &second);
        prop_assert_eq!(first.iter().collect::<HashSet<_>>().len(), 100);
        prop_assert_eq!(second.iter().collect::<HashSet<_>>().len(), 100);
    }
}

#[test]
fn visits_are_appended_with_their_own_cycles_and_change_nothing_before() {
    let openings = chess960([0, 1, 518]);
    let mut longer = plan(3, openings.clone(), 2, 7);
    let before = written(&longer);
    longer.append(&longer.visiting(&[2, 2, 0]));
    longer.append(&longer.visiting(&[2]));
    let after = written(&longer);
    assert_eq!(after[..before.len()], before);
    // Three encounters a visit.
    assert_eq!(after.len(), before.len() + 4 * 3);
    let appended = [18, 21, 24, 27].map(|pair| longer.pair(PairId(pair)).unwrap());
    let appended = appended.map(|pair| (pair.cycle, pair.opening));
    assert_eq!(appended, [(2, 2), (3, 2), (2, 0), (4, 2)]);
    assert_eq!(longer.visits(), [3, 2, 5]);
    for visit in after[18..].chunks(3) {
        let encounters: HashSet<&str> = visit.iter().map(|pair| &pair[4..]).collect();
        assert_eq!(encounters.len(), 3, "{visit:?}");
    }
    let limited = PlanSettings {
        max_pairs: Some(20),
        ..settings(3, openings, 2, 7)
    };
    let mut limited = Plan::new(limited).expect("a plan");
    limited.append(&limited.visiting(&[1, 1]));
    assert_eq!(limited.len(), 20);
}
