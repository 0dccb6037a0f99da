//! Honest workers and liars.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

fn pair(score: [GameScore; 2], faulty: bool) -> [WorkersGame; 2] {
    let seats = [0, 1].map(|engine| Seat { engine, copy: 0 });
    let game = |seats, white| WorkersGame {
        seats,
        white,
        faulty,
    };
    [game(seats, score[0]), game([seats[1], seats[0]], score[1])]
}

#[test]
fn a_worker_on_which_one_engine_loses_and_one_on_which_engines_fall_are_found() {
    use GameScore::{Draw, Loss, Win};
    let mut counts = WorkerCounts::default();
    assert_eq!(counts.unlike(), Unlikes::default(), "nobody has played");
    for number in 0..200 {
        // One third each, for three sound workers alike.
        let score = [[Win, Loss], [Draw, Draw], [Loss, Win]][number / 3 % 3];
        counts.add(["a", "b", "c"][number % 3], &pair(score, false));
    }
    for _ in 0..64 {
        counts.add("slow", &pair([Loss, Win], false));
    }
    assert!(counts.is_due("slow") && !counts.is_due("a"));
    let unlike = counts.unlike();
    assert!(
        matches!(&unlike.apart[..], [(name, why)] if name == "slow" && why.pairs == 64),
        "{unlike:?}"
    );
    for _ in 0..4 {
        counts.add("late", &pair([Draw, Draw], true));
    }
    let found = &counts.unlike().apart[0];
    assert_eq!(found.0, "late");
    let found = found.1.to_string();
    assert!(found.contains("8 of its 8 games have a fault"), "{found}");
    assert!(found.contains("elsewhere 0 of 528"), "{found}");
}

/// A worker with most of the pairs is no majority of workers: the honest are not thrown out.
#[test]
fn a_worker_with_most_of_the_pairs_is_the_odd_one_and_of_two_nobody_is() {
    use GameScore::{Draw, Loss, Win};
    let even = [[Win, Loss], [Draw, Draw], [Loss, Win]];
    let mut counts = WorkerCounts::default();
    for _ in 0..120 {
        counts.add("forger", &pair([Loss, Win], false));
    }
    let honest = |counts: &mut WorkerCounts, name: &str| {
        for number in 0..33 {
            counts.add(name, &pair(even[number % 3], false));
        }
    };
    honest(&mut counts, "one");
    let unlike = counts.unlike();
    assert!(unlike.apart.is_empty(), "{unlike:?}");
    let [doubt] = &unlike.undecided[..] else {
        panic!("{unlike:?}")
    };
    assert_eq!(doubt.workers, ["forger", "one"]);
    assert!(doubt.by == Measure::Results && doubt.p < LEVEL);
    honest(&mut counts, "two");
    let unlike = counts.unlike();
    assert_eq!(unlike.undecided, []);
    assert!(
        matches!(&unlike.apart[..], [(name, why)] if name == "forger" && why.by == Measure::Results),
        "{unlike:?}"
    );
}

/// Plays forty pairs, `times` times: twenty with either colour of two encounters, each twenty with `faulty` pairs with a
/// fault and `lost` lost ones.
fn plays(counts: &mut WorkerCounts, name: &str, times: u32, [faulty, lost]: [u32; 2]) {
    use GameScore::{Draw, Loss, Win};
    for number in 0..40 * times {
        let place = number / 2 % 20;
        let score = if place < lost {
            [Loss, Win]
        } else {
            [Draw, Draw]
        };
        let mut games = pair(score, place < faulty);
        let other = |seat: &mut Seat| seat.engine += 2 * (number % 2) as u16;
        games
            .iter_mut()
            .flat_map(|game| &mut game.seats)
            .for_each(other);
        counts.add(name, &games);
    }
}

fn names(unlikes: &Unlikes) -> Vec<&str> {
    let names = unlikes.apart.iter().map(|(name, _)| name.as_str());
    names.collect()
}

proptest! {
    /// Whatever a minority says, however much it has played: it plays no more, or nobody is the wiser.
    #[test]
    fn a_minority_has_no_honest_worker_set_apart(
        truth in [0..=20_u32, 0..=20_u32],
        honest in vec(1..8_u32, 1..7),
        liars in vec((1..40_u32, [0..=20_u32, 0..=20_u32]), 0..6),
    ) {
        let mut counts = WorkerCounts::default();
        for (number, times) in honest.iter().enumerate() {
            plays(&mut counts, &format!("honest {number}"), *times, truth);
        }
        for (number, (times, claim)) in liars.iter().take(honest.len() - 1).enumerate() {
            plays(&mut counts, &format!("liar {number}"), *times, *claim);
        }
        let unlikes = counts.unlike();
        prop_assert!(unlikes.undecided.is_empty(), "{unlikes:?}");
        prop_assert!(names(&unlikes).iter().all(|name| name.starts_with("liar")), "{unlikes:?}");
    }

    /// Groups that are unlike each other, the largest no more than half: the arbiter is asked.
    #[test]
    fn where_no_majority_agrees_nobody_is_set_apart(
        large in 1..5_usize,
        small in vec(1..3_u32, 1..5),
        times in 1..8_u32,
        by in 0..2_usize,
    ) {
        let mut counts = WorkerCounts::default();
        let mut claim = |name: String, value| {
            let mut claim = [0, 0];
            claim[by] = value;
            plays(&mut counts, &name, times, claim);
        };
        for number in 0..large {
            claim(format!("large {number}"), 0);
        }
        for number in 0..large {
            claim(format!("small {number}"), 10 * small[number % small.len()]);
        }
        let unlikes = counts.unlike();
        prop_assert!(unlikes.apart.is_empty(), "{unlikes:?}");
        let [doubt] = &unlikes.undecided[..] else { panic!("{unlikes:?}") };
        let kind = [Measure::Faults, Measure::Results][by];
        prop_assert!(doubt.by == kind && doubt.workers.len() >= 2 * large);
    }
}

/// Who has played other engines is not compared by them.
#[test]
fn faults_of_an_engine_are_no_workers_fault() {
    use GameScore::Draw;
    let mut counts = WorkerCounts::default();
    for (worker, faulty) in [("early", true), ("late", false), ("later", false)] {
        for _ in 0..100 {
            let mut games = pair([Draw, Draw], faulty);
            let other = |seat: &mut Seat| seat.engine += 2 * u16::from(!faulty);
            games
                .iter_mut()
                .flat_map(|game| &mut game.seats)
                .for_each(other);
            counts.add(worker, &games);
        }
    }
    assert_eq!(counts.unlike(), Unlikes::default());
}

/// Far fewer faults are unlike, too.
#[test]
fn a_worker_that_hides_faults_is_found() {
    let mut counts = WorkerCounts::default();
    plays(&mut counts, "one", 2, [4, 0]);
    plays(&mut counts, "two", 2, [4, 0]);
    plays(&mut counts, "hides", 2, [0, 0]);
    let unlikes = counts.unlike();
    assert_eq!(names(&unlikes), ["hides"]);
    let why = unlikes.apart[0].1.to_string();
    let said = "0 of its 160 games have a fault of an engine, elsewhere 64 of 320 ";
    assert!(why.starts_with(said), "{why}");
}
