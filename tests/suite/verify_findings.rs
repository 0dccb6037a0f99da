//! Each kind of finding, with its line and ply; and what is none.

use arbiter960::verify::{Options, verify};

/// What is found, as `line ply: text`.
fn findings(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let summary = verify(text.as_bytes(), Options::default(), |finding| {
        let place = finding.place;
        found.push(format!("{} {}: {}", place.line, place.ply, finding));
        eprintln!("refused in a PGN: {}", finding);
    });
    summary.expect("a text can be read");
    found
}

const MATE: &str = "1. f3 e5 2. g4 Qh4#";
const UNFINISHED: &str = "1. e4 e5";
const RESIGNED: &str = "1. e4 e5 {White wins by resignation}";
const THREEFOLD: &str = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8";
const STALEMATE: &str = "[FEN \"7k/8/5KQ1/8/8/8/8/8 b - - 0 1\"]";

/// Nobody can ever pass.
const WALL: &str = "[Termination \"normal\"]\n\
    [FEN \"4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4K3 w - - 0 1\"]";

/// A game with these tags, moves and result.
fn game(tags: &str, moves: &str, result: &str) -> String {
    format!("[Event \"e\"]\n[Result \"{result}\"]\n{tags}\n\n{moves} {result}\n")
}

#[test]
fn what_is_right() {
    for (tags, moves, result) in [
        ("[Termination \"normal\"]\n[PlyCount \"4\"]", MATE, "0-1"),
        ("", MATE, "*"),
        ("[Termination \"normal\"]", UNFINISHED, "*"),
        ("[Termination \"time forfeit\"]", UNFINISHED, "1-0"),
        ("[Termination \"adjudication\"]", UNFINISHED, "1/2-1/2"),
        ("", UNFINISHED, "1-0"),
        ("[Termination \"Normal\"]", UNFINISHED, "1-0"),
        ("[Termination \"normal\"]", RESIGNED, "1-0"),
        ("[Termination \"normal\"]", THREEFOLD, "1/2-1/2"),
        (WALL, "", "1/2-1/2"),
        ("[Termination \"adjudication\"]", THREEFOLD, "1/2-1/2"),
        ("[Termination \"time forfeit\"]", THREEFOLD, "1-0"),
        (
            "[Variant \"Standard\"]\n[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1\"]",
            "1. f4",
            "*",
        ),
        (
            "[Variant \"chess 960\"]\n[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1\"]\n[StartNumber \"0\"]",
            "1. f4",
            "*",
        ),
    ] {
        assert_eq!(
            findings(&game(tags, moves, result)),
            [""; 0],
            "{tags} {moves} {result}"
        );
    }
}

#[test]
fn a_game_with_tags_only_is_judged_by_its_tags() {
    let tags = "[Event \"a\"]\n[Result \"1-0\"]\n[Termination \"normal\"]\n[PlyCount \"80\"]\n\n";
    assert_eq!(findings(&tags.repeat(3)), [""; 0]);
}

#[test]
fn results_against_the_board() {
    let normal = "[Termination \"normal\"]";
    let found = |tags: &str, moves: &str, result: &str| findings(&game(tags, moves, result));
    assert_eq!(
        found("", MATE, "1-0"),
        ["5 4: result 1-0, but the final position is checkmate (Black mates)"]
    );
    assert_eq!(
        found(normal, UNFINISHED, "1/2-1/2"),
        ["5 2: result 1/2-1/2 with Termination \"normal\" in an unfinished position"]
    );
    assert_eq!(
        found(normal, THREEFOLD, "0-1"),
        ["5 8: result 0-1, but the final position is a draw by threefold repetition"]
    );
    let dead = "[FEN \"8/8/8/8/8/3k4/4p3/4K3 w - - 0 1\"]";
    assert_eq!(found(dead, "1. Kf2 e1=Q+ 2. Kxe1", "1-0").len(), 1);
}

#[test]
fn terminations_against_the_board() {
    for termination in [
        "adjudication",
        "time forfeit",
        "rules infraction",
        "abandoned",
        "unterminated",
    ] {
        let text = game(&format!("[Termination \"{termination}\"]"), MATE, "0-1");
        let expected = format!(
            "3 4: Termination \"{termination}\", but the final position is checkmate (Black mates)"
        );
        assert_eq!(findings(&text), [expected]);
    }
    let stalemate = format!("{STALEMATE}\n[Termination \"time forfeit\"]");
    assert_eq!(
        findings(&game(&stalemate, "", "1/2-1/2")),
        ["4 0: Termination \"time forfeit\", but the final position is a draw by stalemate"]
    );
}

#[test]
fn results_and_counts_that_contradict_each_other() {
    assert_eq!(
        findings("[Result \"1-0\"]\n[PlyCount \"3\"]\n\n1. e4 e5 0-1"),
        [
            "2 2: PlyCount \"3\", but there are 2 half-moves",
            "1 2: Result \"1-0\", but the moves end with 0-1"
        ]
    );
    assert_eq!(
        findings("[Result \"2-0\"]\n\n1. e4 *"),
        ["1 1: Result \"2-0\" is not a result"]
    );
}

#[test]
fn starts_that_are_not_what_they_claim() {
    let start = |rights: &str, tags: &str| {
        let fen = format!("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w {rights} - 0 1");
        findings(&format!(
            "[Variant \"Chess960\"]\n[FEN \"{fen}\"]\n{tags}\n\n*"
        ))
    };
    let rights = "2 0: castling rights Qkq, but chess960 start 0 has KQkq";
    assert_eq!(start("Qkq", ""), [rights]);
    assert_eq!(start("Qkq", "[StartNumber \"0\"]"), [rights]);
    assert_eq!(
        start("KQkq", "[StartNumber \"1\"]"),
        ["3 0: StartNumber 1, but the FEN is chess960 start 0"]
    );
    assert_eq!(
        start("KQkq", "[StartNumber \"960\"]"),
        ["3 0: StartNumber \"960\" is not a start of chess960"]
    );
    assert_eq!(
        start("KQkq", "[StartVariant \"chess961\"]"),
        ["3 0: StartVariant \"chess961\" is not a variant"]
    );
    let no_rook = start("KQkqA", "");
    assert!(no_rook[0].starts_with("2 0: FEN: "), "{no_rook:?}");
}

#[test]
fn games_that_cannot_be_played() {
    let found = |moves: &str| findings(&game("", moves, "*"));
    assert!(found("1. e4\ne5 2. Ke3")[0].starts_with("6 3: illegal move: "));
    assert!(found("1. e4 hello")[0].starts_with("5 2: unreadable move: "));
    assert_eq!(
        found("1. e4 (1. d4"),
        ["5 1: a variation that is never closed"]
    );
    assert_eq!(found("1. e4 )"), ["5 1: `)` without a variation"]);
    assert_eq!(found("1. e4 {oh"), ["5 1: a comment that is never closed"]);
    assert_eq!(found("1. e4 * e5"), ["5 2: e5 after the result"]);
}

#[test]
fn oddities_are_warnings() {
    let text = "[Variation \"chess960\"]\n[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1\"]\n\n*";
    let summary = verify(text.as_bytes(), Options::default(), drop).expect("a text can be read");
    assert_eq!((summary.findings, summary.warnings), (0, 1));
}

#[test]
fn rights_left_out_and_starts_left_out_are_odd_only() {
    let fen = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w - - 0 1";
    let text = format!("[Variant \"Chess960\"]\n[FEN \"{fen}\"]\n\n1. f4 *\n");
    assert_eq!(
        findings(&text),
        ["2 0: warning: castling rights -, but chess960 start 0 has KQkq"]
    );
    assert_eq!(
        findings("[Variant \"Chess960\"]\n\n1. e4 *\n"),
        ["1 0: warning: chess960 without FEN or StartNumber: it is replayed from 518"]
    );
    let foreign =
        "[StartVariant \"corner\"]\n[FEN \"4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1\"]\n\n1. Kd1 *\n";
    assert_eq!(
        findings(foreign),
        ["2 0: there is no castling in corner: the castling field must be -"]
    );
}

#[test]
fn forfeits_won_by_who_cannot_mate() {
    let lone_king = "[FEN \"4k3/8/8/8/8/8/4q3/7K b - - 0 1\"]";
    let won = |termination: &str, more: &str| {
        let tags = format!("[Termination \"{termination}\"]\n{lone_king}{more}");
        findings(&game(&tags, "1... Kd7", "1-0"))
    };
    let what = "white cannot mate by any series of legal moves: a draw (FIDE 6.9)";
    for termination in ["time forfeit", "Time forfeit", "rules infraction"] {
        let line = format!("3 1: Termination \"{termination}\", but {what}");
        assert_eq!(won(termination, ""), [line]);
    }
    let rule = "\n[FlagFall \"loss\"]";
    let warning = format!("3 1: warning: Termination \"time forfeit\", but {what}");
    assert_eq!(won("time forfeit", rule), [warning]);
    assert_eq!(won("abandoned", ""), [""; 0]);
}

#[test]
fn play_after_the_end() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8\n".repeat(4);
    assert_eq!(
        findings(&format!("{shuffle}f3 e5 g4 Qh4# 0-1\n")),
        ["5 16: played on after the game was over: a draw by fivefold repetition"]
    );
    let dead = "[FEN \"8/8/8/8/8/3k4/4p3/4K3 w - - 0 1\"]";
    assert_eq!(
        findings(&game(dead, "1. Kf2 e1=Q+ 2. Kxe1\nKe3 3. Kd1", "1/2-1/2")),
        ["6 3: played on after the game was over: dead: neither side can mate"]
    );
    let slow = "[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 149 90\"]";
    assert_eq!(
        findings(&game(slow, "90. Ra2 Kd7 91. Ra3", "*")),
        ["5 1: played on after the game was over: a draw by seventy-five moves"]
    );
    assert_eq!(
        findings(&game(WALL, "Kd2 Kd7 Kd1", "1/2-1/2")),
        ["6 0: warning: played on after the game was over: dead: neither side can mate"]
    );
    let won = WALL.replace("normal", "adjudication");
    let found = findings(&game(&won, "", "1-0"));
    assert!(
        found[0].contains("dead: neither side can mate"),
        "{found:?}"
    );
}

/// What is found with `--strict`, as `line ply: text`.
fn strict(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let options = Options {
        strict: true,
        ..Options::default()
    };
    let summary = verify(text.as_bytes(), options, |finding| {
        let place = finding.place;
        found.push(format!("{} {}: {}", place.line, place.ply, finding));
    });
    assert_eq!(summary.expect("readable").findings, found.len() as u64);
    found
}

#[test]
fn what_only_strict_readers_mind() {
    let fen = "[FEN \"4k3/8/8/8/8/8/8/R3K3 b - - 0 7\"]";
    assert_eq!(
        strict(&format!("{fen}\n\n7... Kd7 8. Ra2 *\n")),
        ["1 0: a FEN without the tag SetUp \"1\""]
    );
    assert_eq!(
        strict(&format!("[SetUp \"1\"]\n{fen}\n\n7... Kd7 8. Ra2 *\n")),
        [""; 0]
    );
    assert_eq!(
        strict("[SetUp \"1\"]\n\n1. e4 *\n"),
        ["1 0: SetUp \"1\", but there is no FEN"]
    );
    assert_eq!(
        strict("1. e4 e5 2. Qh5 Nc6\n4. Bc4 3. Nf6 (3... g6 7. Qf3+) 4... Qd1 *\n"),
        [
            "2 4: move number 4., but the next move is 3.",
            "2 6: move number 4..., but the next move is 4.",
        ]
    );
    assert_eq!(
        strict("1. f3+ e5 2. g4 Qh4 *\n"),
        [
            "1 1: f3+ is written f3: the mark of check or mate is wrong",
            "1 4: Qh4 is written Qh4#: the mark of check or mate is wrong",
        ]
    );
    assert_eq!(strict("1. Pe4 *\n"), ["1 1: Pe4 is read as e4"]);
}

#[test]
fn transcendental_with_castling_is_double_fischer_random() {
    let tags = "[Variant \"Transcendental\"]\n\
        [FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]";
    let found = findings(&game(tags, "1. e4 e5 2. Nf3 d6 3. Bc4 a6 4. O-O", "*"));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].contains("read as double Fischer random"),
        "{found:?}"
    );
    let tags = tags.replace("KQkq", "-");
    assert_eq!(findings(&game(&tags, "1. e4 e5", "*")), [""; 0]);
}
