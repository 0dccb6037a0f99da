use super::*;

fn search(moves: &[&str], lines: &[&str], answer: &str) -> EndedSearch {
    let start = Position::standard();
    let mut position = start.clone();
    let mut played = Vec::new();
    for text in moves {
        let chess_move = position.parse_uci(text, UciDialect::Standard).unwrap();
        position.play(chess_move);
        played.push(chess_move);
    }
    let legal = position.parse_uci(answer, UciDialect::Standard).is_ok();
    EndedSearch {
        side: position.side_to_move(),
        start,
        moves: played,
        lines: lines.iter().map(|line| (*line).to_owned()).collect(),
        said_more: true,
        answer: answer.to_owned(),
        is_legal: legal,
    }
}

fn checker(separator: &'static str) -> WarningFormat {
    WarningFormat {
        dialect: UciDialect::Standard,
        fen: FenDialect::XFen,
        checks_mates: true,
        separator,
    }
}

fn first_words(moves: &[&str], line: &str, answer: &str) -> String {
    let text = checker("\n").about(&search(moves, &[line], answer), "E");
    text.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn a_warning_has_four_lines_or_one() {
    let ended = search(
        &["e2e4"],
        &[
            "depth 1 score cp 5 pv e7e5 e4e5",
            "depth 2 score cp 5 pv e7e5",
        ],
        "e7e5",
    );
    assert_eq!(
        checker("\n").about(&ended, "E"),
        "Warning; Illegal PV move - move e4e5 from E\nInfo; info depth 1 score cp 5 pv e7e5 \
         e4e5\nPosition; startpos\nMoves; e2e4\n"
    );
    let one = checker(" :: ").about(&ended, "E");
    assert_eq!((one.lines().count(), one.matches(" :: ").count()), (1, 3));
}

#[test]
fn every_kind_of_wrong_line_has_its_words() {
    let to_mate = ["f2f3", "e7e5", "g2g4"];
    let mates = |line: &str| first_words(&to_mate, line, "d8h4");
    assert_eq!(
        mates("score cp 9 pv d8h4 a2a3"),
        "Warning; PV continues after checkmate - move a2a3 from E"
    );
    assert_eq!(
        mates("score mate 2 pv d8h4"),
        "Warning; Incomplete mating PV - from E"
    );
    assert_eq!(mates("score mate 1 pv d8h4"), "");
    let quiet = |line: &str| first_words(&[], line, "e2e4");
    assert_eq!(
        quiet("score mate 1 pv e2e4 e7e5"),
        "Warning; Too long mating PV - from E"
    );
    assert_eq!(
        quiet("score mate 1 pv e2e4"),
        "Warning; Mating PV does not end with checkmate - from E"
    );
    assert_eq!(
        quiet("score cp 1 pv d2d4"),
        "Warning; Bestmove does not match beginning of last PV - move e2e4 from E"
    );
    assert_eq!(quiet("score cp 1 lowerbound pv d2d4"), "");
    assert_eq!(quiet("multipv 2 score cp 1 pv d2d4"), "");
    let back = ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"];
    assert_eq!(
        first_words(&back, "score cp 0 pv f6g8 e2e4", "f6g8"),
        "Warning; PV continues after threefold repetition - move e2e4 from E"
    );
}

#[test]
fn two_engines_that_both_see_a_win_are_named() {
    let before = search(&[], &["score mate 4 pv e2e4"], "e2e4");
    let after = search(&["e2e4"], &["score mate 3 pv e7e5"], "e7e5");
    let said = checker("\n").both_mate([&before, &after], ["A", "B"]);
    let first = said.as_deref().and_then(|text| text.lines().next());
    let words = "Warning; Sign mismatch in mate scores 4 and 3 from A (White) and B (Black)";
    assert_eq!(first, Some(words));
    assert!(said.unwrap().ends_with("\nMoves; e2e4 e7e5\n"));
    let losing = search(&["e2e4"], &["score mate -3 pv e7e5"], "e7e5");
    assert_eq!(
        checker("\n").both_mate([&before, &losing], ["A", "B"]),
        None
    );
}

#[test]
fn scores_that_cannot_be_read_have_the_words_of_fastchess() {
    let said = |line: &str| unreadable(line).unwrap_or_default();
    assert_eq!(said("depth 3 score cp -12 pv e2e4"), "");
    assert_eq!(said("pv e2e4 score cp 1"), "Element 'score' not found");
    let no_value = "Element 'score' has no type or value";
    assert_eq!(said("depth 3 score cp"), no_value);
    assert_eq!(
        said("score wdl 3"),
        "Unexpected score type: info score wdl 3"
    );
    assert_eq!(said("score cp x"), "Invalid score value: x");
}
