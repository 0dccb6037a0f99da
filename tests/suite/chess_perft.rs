//! Perft against published and own numbers.

use arbiter960::chess::{CastlingRule, PerftCase, perft};

use super::data;

/// Checks every line of a suite up to a depth, and no count above a number of leaves.
fn check(name: &str, text: &str, rule: CastlingRule, deepest: u32, most_leaves: u64) {
    let mut cases = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let case = PerftCase::parse(line, rule);
        let case = case.unwrap_or_else(|error| panic!("{name}: {line}: {error}"));
        let mut counts = case.expected.clone();
        counts.retain(|&(depth, leaves)| depth <= deepest && leaves <= most_leaves);
        let count = |&(depth, _): &_| (depth, perft(&case.position, depth));
        let counted = Vec::from_iter(counts.iter().map(count));
        assert_eq!(counted, counts, "{name}: {line}");
        cases += 1;
    }
    assert!(cases > 0, "{name} is empty");
}

/// The same for a suite of our own.
fn check_file(file: &str, rule: CastlingRule, deepest: u32, most_leaves: u64) {
    check(file, &data(file), rule, deepest, most_leaves);
}

#[test]
fn the_960_start_positions() {
    check_file("perft/sp960-perft.epd", CastlingRule::Fischer, 3, u64::MAX);
}

#[test]
fn double_fischer_random_starts() {
    check_file("perft/dfrc-perft.epd", CastlingRule::Fischer, 4, 100_000);
}

#[test]
fn castling_edge_cases() {
    check_file("rules/castling-edge.epd", CastlingRule::Fischer, 4, 50_000);
}

#[test]
fn chess480_castling() {
    check_file(
        "chess480/chess480-perft.epd",
        CastlingRule::Chess480,
        3,
        u64::MAX,
    );
}

#[test]
fn positions_that_broke_other_programs() {
    let text = "\
1rk3r1/8/8/8/8/8/8/1RK1R3 w EBgb - 0 1 ;D1 23 ;D2 464 ;D3 10667 ;D4 231398 ;D5 5441322
2Rnb1kr/5ppp/8/q3p3/p3P3/4P3/6PP/1Q3BKR b Hh - 0 15 ;D1 27 ;D2 879 ;D3 24750 ;D4 802679
r1k1N2R/pp1pbr2/3p4/P7/8/2P2n2/1PBP4/RK6 b q - 4 28 ;D1 27 ;D2 820 ;D3 20074 ;D4 612061
r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 ;D1 48 ;D2 2039 ;D3 97862
8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 ;D1 14 ;D2 191 ;D3 2812 ;D4 43238 ;D5 674624";
    check("rivals", text, CastlingRule::Fischer, 5, 6_000_000);
}

#[test]
fn third_party_suites() {
    for name in ["fischer.epd", "standard.epd"] {
        let path = format!("{}/../shared/data/perft/{name}", env!("CARGO_MANIFEST_DIR"));
        match std::fs::read_to_string(&path) {
            Ok(text) => check(name, &text, CastlingRule::Fischer, 4, 1_000_000),
            Err(error) => eprintln!("skipped: {name} is not part of this package ({error})"),
        }
    }
}
