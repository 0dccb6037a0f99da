//! The rules of the clock at every boundary, in virtual time.

use std::time::Duration;

use arbiter960::clock::{Clock, FirstIncrement, Stamp, TimeLimit};

const NONE: Duration = Duration::ZERO;

fn us(microseconds: u64) -> Duration {
    Duration::from_micros(microseconds)
}

fn clock(text: &str) -> Clock {
    let limit = TimeLimit::Clock(text.parse().expect("a time control"));
    Clock::new(&limit, FirstIncrement::Granted)
}

/// Control, margin in ms, move times in µs; then what is on the clock in µs after the last
/// move, or by how many µs the last move was late.
type Case = (&'static str, u64, &'static [u64], Result<u64, u64>);

const BOUNDARIES: [Case; 17] = [
    ("1", 0, &[999_999], Ok(1)),
    ("1", 0, &[1_000_000], Ok(0)),
    ("1", 0, &[1_000_001], Err(1)),
    ("1", 0, &[1_000_000, 0], Ok(0)),
    ("1", 0, &[1_000_000, 1], Err(1)),
    ("1", 50, &[1_050_000], Ok(0)),
    ("1", 50, &[1_050_001], Err(50_001)),
    // what was used of the margin is forgiven, and the whole margin is available again
    ("1+0.1", 50, &[1_150_000], Ok(100_000)),
    ("1+0.1", 50, &[1_150_000, 150_000], Ok(100_000)),
    ("1+0.1", 50, &[1_150_000, 150_001], Err(50_001)),
    // increments alone
    ("0+0.1", 0, &[100_000, 100_000], Ok(100_000)),
    ("0+0.1", 0, &[100_001], Err(1)),
    // the last move of a period: time is added after the check, never before it
    ("2/1:5", 0, &[400_000, 600_000], Ok(5_000_000)),
    ("2/1:5", 0, &[400_000, 600_001], Err(1)),
    ("2/1+0.1:5+0.3", 0, &[100_000, 1_100_000], Ok(5_300_000)),
    // a last period with moves repeats itself
    ("1/1", 0, &[250_000, 1_000_000, 1_750_000], Ok(1_000_000)),
    ("1/1", 0, &[250_000, 1_000_000, 1_750_001], Err(1)),
];

/// The same where the first move has its increment only when it has been made.
const WITHHELD: [Case; 10] = [
    // only the base for the first move, and the increment for the second
    ("1+0.1", 0, &[1_000_000], Ok(100_000)),
    ("1+0.1", 0, &[1_000_001], Err(1)),
    ("1+0.1", 0, &[1_000_000, 100_000], Ok(100_000)),
    ("1+0.1", 0, &[1_000_000, 100_001], Err(1)),
    ("1+0.1", 50, &[1_050_000], Ok(100_000)),
    ("1+0.1", 50, &[1_050_001], Err(50_001)),
    // an increment alone leaves nothing for the first move but its margin
    ("0+0.1", 0, &[1], Err(1)),
    ("0+0.1", 1, &[1_000, 100_000], Ok(100_000)),
    // the move that ends a period earns the increment of that period
    ("2/1+0.1:5+0.3", 0, &[100_000, 1_000_000], Ok(5_100_000)),
    ("2/1+0.1:5+0.3", 0, &[100_000, 1_000_001], Err(1)),
];

/// Control, factor, move times in µs; then as above.
type Scaled = (&'static str, f64, &'static [u64], Result<u64, u64>);

const SCALED: [Scaled; 8] = [
    ("1+0.1", 0.5, &[550_000], Ok(50_000)),
    ("1+0.1", 0.5, &[550_001], Err(1)),
    ("2/1+0.1:5", 2.0, &[200_000, 2_200_000], Ok(10_000_000)),
    ("2/1+0.1:5", 2.0, &[200_000, 2_200_001], Err(1)),
    // rounded to microseconds: 0.333333 and 0.033333 seconds
    ("1+0.1", 1.0 / 3.0, &[366_666], Ok(33_333)),
    ("1+0.1", 1.0 / 3.0, &[366_667], Err(1)),
    // base and increment are rounded each for itself: 0.5 microseconds become 1
    ("0.000001+0.000003", 0.5, &[3], Ok(2)),
    ("0.000001+0.000003", 0.5, &[4], Err(1)),
];

/// What is on the clock after the last of these moves, or by how much it was late.
fn play(mut clock: Clock, margin: Duration, moves: &[u64]) -> Result<u64, u64> {
    let (last, earlier) = moves.split_last().unwrap();
    for time in earlier {
        clock.charge(us(*time), margin).unwrap();
    }
    let microseconds = |time: Duration| u64::try_from(time.as_micros()).unwrap();
    match clock.charge(us(*last), margin) {
        Ok(()) => Ok(microseconds(clock.remaining().unwrap())),
        Err(late) => Err(microseconds(late)),
    }
}

#[test]
fn boundaries() {
    let granted = BOUNDARIES.map(|case| (case, FirstIncrement::Granted));
    let withheld = WITHHELD.map(|case| (case, FirstIncrement::Withheld));
    for ((control, margin, moves, expected), first) in granted.into_iter().chain(withheld) {
        let limit = TimeLimit::Clock(control.parse().unwrap());
        let clock = Clock::new(&limit, first);
        let outcome = play(clock, Duration::from_millis(margin), moves);
        assert_eq!(outcome, expected, "{control} {first:?} {margin} {moves:?}");
    }
}

#[test]
fn boundaries_of_scaled_controls() {
    for (control, factor, moves, expected) in SCALED {
        let limit = TimeLimit::Clock(control.parse().unwrap()).scaled(factor);
        let clock = Clock::new(&limit.unwrap(), FirstIncrement::Granted);
        let outcome = play(clock, NONE, moves);
        assert_eq!(outcome, expected, "{control} {factor} {moves:?}");
    }
}

#[test]
fn deadline_and_charge_agree_to_the_nanosecond() {
    let started = Stamp(123_456_789);
    for (control, margin) in [("1", 0), ("0.000001", 0), ("10+0.1", 50)] {
        let margin = Duration::from_millis(margin);
        let deadline = clock(control).deadline(started, margin).unwrap();
        let at = |stamp: Stamp| clock(control).charge(stamp.saturating_since(started), margin);
        assert!(at(deadline).is_ok(), "{control}");
        assert!(at(deadline + Duration::from_nanos(1)).is_err(), "{control}");
    }
}

#[test]
fn periods_count_down() {
    let mut clock = clock("3/60:2/30:10");
    let mut counts = vec![clock.moves_to_go()];
    for _ in 1..=6 {
        clock.charge(NONE, NONE).unwrap();
        counts.push(clock.moves_to_go());
    }
    let expected = [Some(3), Some(2), Some(1), Some(2), Some(1), None, None];
    assert_eq!(counts, expected);
    assert_eq!(clock.remaining(), Some(Duration::from_secs(100)));
}

#[test]
fn the_first_increment_may_be_withheld() {
    let limit = TimeLimit::Clock("2/1+0.1:5+0.3".parse().unwrap());
    let mut clock = Clock::new(&limit, FirstIncrement::Withheld);
    let remaining = |clock: &Clock| clock.remaining().unwrap().as_millis();
    assert_eq!(remaining(&clock), 1000);
    clock.charge(us(500_000), NONE).unwrap();
    assert_eq!(remaining(&clock), 600);
    clock.charge(us(600_000), NONE).unwrap();
    assert_eq!(remaining(&clock), 5100);
}

#[test]
fn a_time_for_each_move() {
    let mut clock = Clock::new(&TimeLimit::MoveTime(us(500_000)), FirstIncrement::Granted);
    let margin = us(10_000);
    for _ in 0..2 {
        clock.charge(us(510_000), margin).unwrap();
        assert_eq!(clock.allowed(), Some(us(500_000)));
    }
    let late = clock.charge(us(510_001), margin).unwrap_err();
    assert_eq!(late, us(10_001));
    assert_eq!(clock.remaining(), None);
}

#[test]
fn without_a_limit_of_time_no_flag_falls() {
    let mut clock = Clock::new(&TimeLimit::None, FirstIncrement::Granted);
    assert_eq!(clock.deadline(Stamp(0), NONE), None);
    assert!(clock.charge(Duration::MAX, NONE).is_ok());
}

#[test]
fn a_fallen_flag_leaves_the_clock_as_it_was() {
    let mut clock = clock("1/1:60");
    assert!(clock.charge(us(2_000_000), NONE).is_err());
    assert_eq!(clock.remaining(), Some(us(1_000_000)));
    assert_eq!(clock.moves_to_go(), Some(1));
}

#[test]
fn an_hourglass_runs_into_the_other_one() {
    let mut glasses = ["*2"; 2].map(clock);
    let [white, black] = &mut glasses;
    white.charge(us(500_000), NONE).unwrap();
    black.receive(white, us(500_000));
    assert_eq!(white.remaining(), Some(us(1_500_000)));
    assert_eq!(black.remaining(), Some(us(2_500_000)));
    // Against another clock nothing is added.
    let mut other = clock("2");
    other.receive(black, us(500_000));
    black.receive(&other, us(500_000));
    assert_eq!(other.remaining(), Some(us(2_000_000)));
    assert_eq!(black.remaining(), Some(us(2_500_000)));
}
