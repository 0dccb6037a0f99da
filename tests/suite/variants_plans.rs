//! Where White and Black have independent arrays, a start and its partner are played together.

use std::collections::HashMap;

use super::support::{Event, assert_has, words};

const ENGINES: &str = "time.depth = 1\n\
    [[engine]]\nname = \"a\"\nbuiltin = \"sparring\"\n\
    [[engine]]\nname = \"b\"\nbuiltin = \"sparring\"\n";

/// The start numbers of a plan in its order, and what was warned of.
fn plan(text: &str) -> (Vec<u32>, String) {
    let event = Event::new("plan", &format!("{text}\n{ENGINES}"));
    let output = event.run(&["--dry-run", "--all"]);
    assert!(output.status.success(), "{}", words(&output));
    let number = |line: &str| {
        let rest = line.split_once(" position ")?.1;
        rest.split_once([':', ' '])?.0.parse().ok()
    };
    let plan = String::from_utf8(output.stdout).unwrap();
    let warnings = String::from_utf8(output.stderr).unwrap();
    (plan.lines().filter_map(number).collect(), warnings)
}

/// Every start follows its partner or is followed by it, or is its own.
fn assert_coupled(numbers: &[u32], arrays: u32) {
    let places: HashMap<u32, usize> = numbers.iter().copied().zip(0..).collect();
    for (place, number) in numbers.iter().enumerate() {
        let partner = number % arrays * arrays + number / arrays;
        let there = places.get(&partner);
        let there = there.unwrap_or_else(|| panic!("{number} is alone"));
        assert!(place.abs_diff(*there) <= 1, "{number} and {partner}");
    }
}

#[test]
fn a_sample_is_drawn_in_couples() {
    for (variant, arrays) in [("dfrc", 960), ("transcendental", 2880), ("moab", 2880)] {
        let text = format!("event.variant = {variant:?}\npositions.sample = 20");
        let (numbers, warnings) = plan(&text);
        assert_eq!(numbers.len(), 20);
        assert_coupled(&numbers, arrays);
        assert_eq!(warnings, "");
    }
    let (numbers, _) = plan("event.variant = \"chess960\"\npositions.sample = 7");
    assert_eq!(numbers.len(), 7);
}

#[test]
fn numbers_are_completed_aloud() {
    let dfrc = |numbers: &str| plan(&format!("event.variant = \"dfrc\"\n{numbers}"));
    let (numbers, warnings) = dfrc("positions.numbers = [\"3/5\", \"7/7\", \"900/1\", \"1/900\"]");
    assert_eq!(numbers.len(), 5);
    assert_coupled(&numbers, 960);
    assert_has(&warnings, ["1 more: every start comes with its partner"]);
    let (_, warnings) = dfrc("positions.numbers = [\"900/1\", \"1/900\"]");
    assert_eq!(warnings, "");
}

#[test]
fn what_is_excluded_stays_out() {
    // Nor does its partner come in its place.
    for (numbers, left_out, left) in [
        ("\"3/5\"", "\"5/3\"", 3 * 960 + 5),
        ("3, \"7/7\"", "3", 7 * 960 + 7),
    ] {
        let positions =
            format!("positions.numbers = [{numbers}]\npositions.exclude = [{left_out}]");
        assert_eq!(
            plan(&format!("event.variant = \"dfrc\"\n{positions}")).0,
            [left]
        );
    }
}

#[test]
fn chess480_chooses_the_variant_itself() {
    let text = "event.variant = \"chess480\"\npositions.numbers = [1]\ntime.depth = 1\n\
        [[engine]]\ncommand = \"sh\"\noptions = { UCI_Variant = \"chess\" }\n\
        [[engine]]\nbuiltin = \"sparring\"\n";
    let said = Event::new("chosen", text).ends(2, &["--dry-run", "--all"]);
    assert_has(&said, ["`UCI_Variant` follows from event.variant"]);
}

#[test]
fn a_book_of_chess480_has_its_kings_on_one_file() {
    let rules = "event.variant = \"chess480\"\npositions.file = \"book.epd\"";
    let event = Event::new("book", &format!("{rules}\n{ENGINES}"));
    let book = "rkr5/ppp5/8/8/8/8/PPP5/RKR5 w CAca - 0 1\n\
                1rkr4/ppp5/8/8/8/8/PPP5/RKR5 w CAdb - 0 1\n";
    std::fs::write(event.folder().join("book.epd"), book).unwrap();
    let said = event.ends(2, &["--dry-run", "--all"]);
    assert_has(&said, ["no castling of chess480", ":2"]);
}

#[test]
fn the_plan_shows_both_numbers_of_a_double_start() {
    let rules = "event.variant = \"dfrc\"\npositions.numbers = [\"3/5\", \"5/3\"]";
    let event = Event::new("plan", &format!("{rules}\n{ENGINES}"));
    let plan = event.run_well(&["--dry-run", "--all"]);
    assert_has(&plan, ["position 2885 (3/5):", "position 4803 (5/3):"]);
}
