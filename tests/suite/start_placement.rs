//! Northam's placing, through every rank that two players can reach by placing.

use std::collections::HashMap;

use arbiter960::chess::start::{Placement, Setup, Variant};

/// Everything reachable from `placement` by placing, by the rank's text.
fn explore(placement: Placement, seen: &mut HashMap<String, bool>) {
    let impasse = placement.is_impasse();
    if seen.insert(placement.to_string(), impasse).is_some() {
        return;
    }
    let is_stuck = impasse && placement.relocations().is_empty();
    assert!(!is_stuck, "{placement} cannot be repaired");
    let placements = placement.placements();
    let over = impasse || placement.finished().is_some();
    assert_eq!(placements.is_empty(), over, "{placement}");
    for (kind, file) in placements {
        let mut next = placement;
        next.place(kind, file).expect("a listed one is accepted");
        explore(next, seen);
    }
}

#[test]
fn every_impasse_has_a_repair_and_every_other_rank_a_next_turn() {
    let mut seen = HashMap::new();
    explore(Placement::default(), &mut seen);
    let impasses = seen.values().filter(|&&impasse| impasse).count();
    assert_eq!((seen.len(), impasses), (98_201, 21_605));
    assert_eq!(seen.get("Q.RB.N.N"), Some(&true));
}

#[test]
fn each_start_is_reached_by_placing_its_pieces_from_left_to_right() {
    for number in Variant::Chess960.numbers() {
        let rank = Setup::new(Variant::Chess960, number).unwrap().white;
        let mut placement = Placement::default();
        for (file, &kind) in rank.kinds().iter().enumerate() {
            if placement.finished().is_none() {
                placement.place(kind, file).unwrap();
            }
        }
        assert_eq!(placement.finished(), Some(rank));
    }
}
