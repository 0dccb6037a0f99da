//! Moab chess: a king's evacuation in positions, moves, text and proofs, and events of it.

use arbiter960::chess::{
    CastlingRule, Color, FenDialect, FenError, Game, Position, PositionBuilder, UciDialect,
    Variant, perft,
};

use super::robust_support::fake_engine;
use super::slow_rules::{SlowBoard, SlowRule};
use super::support::{Event, assert_has, assert_lacks, script, sparring_engines, words};

fn moab(fen: &str) -> Position {
    Position::from_fen_with(fen, CastlingRule::Moab).unwrap()
}

/// The squares to which a king may go, sorted.
fn king_moves(fen: &str) -> String {
    let position = moab(fen);
    let king = position.king(position.side_to_move());
    let moves = position.legal_moves_from(king.bitboard());
    let mut targets: Vec<String> = moves.iter().map(|mv| mv.to().to_string()).collect();
    targets.sort();
    targets.join(" ")
}

#[test]
fn a_king_evacuates_to_empty_squares_that_are_not_attacked() {
    for (fen, targets) in [
        // Over other pieces, not onto them.
        ("4k3/8/8/8/8/8/PPPPPPPP/1NBQKB2 w M - 0 1", "a1 g1 h1"),
        // Without the right, one step at a time.
        ("4k3/8/8/8/8/8/PPPPPPPP/1NBQKB2 w - - 0 1", ""),
        // Not from check, and not into it; what the king crosses may be attacked.
        ("k3r3/8/8/8/8/8/PPPP1PPP/RNBQKB2 w M - 0 1", ""),
        ("k5r1/8/8/8/8/8/PPPPPP1P/RNBQKB2 w M - 0 1", "h1"),
        ("k7/8/8/8/8/8/PPPPPPPP/r3K3 w M - 0 1", ""),
        ("k7/8/8/8/8/8/1P1PPPPP/N2QKBNR w M - 0 1", "b1 c1"),
        ("1nb1k3/pppppppp/8/8/8/8/8/4K3 b m - 0 1", "a8 d8 f8 g8 h8"),
    ] {
        assert_eq!(king_moves(fen), targets, "{fen}");
    }
}

/// The engine ends at its first search of all, and is started again for the next start.
#[test]
fn an_engine_that_ends_once_has_its_say_in_the_next_start() {
    let place = tempfile::tempdir().unwrap();
    let program = place.path().join("once");
    let asked = place.path().join("asked");
    let asked = asked.display();
    let commands = format!(
        "while read -r line; do case $line in uci) echo option name UCI_Chess960 type check default false; echo uciok;; isready) echo readyok;; \
         'go movetime'*) [ -e {asked} ] || {{ : > {asked}; exit 3; }}; echo info depth 1 score cp 10; \
         echo bestmove 0000;; go*) echo info depth 1 score cp 10; \
         echo bestmove 0000;; quit) exit 0;; esac; done"
    );
    script(&program, &commands);
    let text = format!(
        "event.seed = 5\nevent.pairs = 3\npositions.opening = \"northam\"\n\
         positions.opening_time = 0.2\nadjudication.max_moves = 10\n{}\
         [[engine]]\nname = \"Once\"\ncommand = {program:?}\ntime.nodes = 10\n",
        sparring_engines(1)
    );
    let event = Event::new("made", &text);
    let said = words(&event.run(&["--quiet"]));
    assert_eq!(said.matches("Once: it ended").count(), 1, "{said}");
    let connection = event.store();
    let drawn = |number: u32| -> String {
        let sql = "SELECT coalesce(value ->> '$.drawn', '') FROM event WHERE key = ?1";
        let key = format!("opening_{number}");
        connection.query_row(sql, [key], |row| row.get(0)).unwrap()
    };
    assert_has(&drawn(1), ["Once: it ended"]);
    // On a busy machine somebody may have used up its time.
    for later in [2, 3].map(drawn) {
        assert_lacks(&later, ["it ended"]);
    }
}

#[test]
fn the_right_is_for_the_first_move_of_the_king() {
    let mut position = moab("r3k3/8/8/8/8/8/8/4K2R w Mm - 0 1");
    let evacuation = position.parse_san("Kc1").unwrap();
    assert_eq!(position.uci(evacuation, UciDialect::Standard), "e1c1");
    assert_eq!(position.uci(evacuation, UciDialect::Chess960), "e1c1");
    let key = position.key();
    position.play(evacuation);
    let fen = position.fen(FenDialect::XFen);
    assert_eq!(fen, "r3k3/8/8/8/8/8/8/2K4R b m - 1 1");
    // A rook's move leaves it, a king's step spends it.
    for (san, may) in [("Ra5", true), ("Kd7", false)] {
        let mut next = position.clone();
        next.play(next.parse_san(san).unwrap());
        assert_eq!(next.may_evacuate(Color::Black), may, "{san}");
    }
    assert_ne!(key, moab("r3k3/8/8/8/8/8/8/4K2R w m - 0 1").key());
    // Without the right the position is another one (FIDE 9.2.3).
    let mut game = Game::new(moab("r3k3/8/8/8/8/8/8/4K2R w Mm - 0 1"));
    for times in [1, 2] {
        for san in ["Kd1", "Ra7", "Ke1", "Ra8"] {
            game.play(game.position().parse_san(san).unwrap());
        }
        assert_eq!(game.repetitions(), times);
    }
    assert!(game.position().parse_san("Kg1").is_err());
}

#[test]
fn discovered_check_by_an_evacuation_has_its_mark() {
    // Over the other king, out of the line of the rook.
    let position = moab("8/8/8/8/8/8/8/R2K1k2 w M - 0 1");
    let moves = position.legal_moves_from(position.king(Color::White).bitboard());
    let mut marks: Vec<String> = moves
        .iter()
        .map(|&mv| position.san(mv).to_string())
        .collect();
    marks.retain(|san| san.ends_with(['+', '#']));
    marks.sort();
    assert_eq!(marks, ["Kc2+", "Kd2+", "Kh1+"]);
}

#[test]
fn other_readers_refuse_the_right_and_this_one_theirs() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w Mm - 0 1";
    let refused = |read: Result<Position, FenError>, why: &str| {
        assert_has(&read.unwrap_err().to_string(), [why]);
    };
    let why = "'M' is neither one of KQkq nor the file of a rook";
    refused(Position::from_fen(fen), why);
    let read = |rights: &str| {
        let fen = format!("4k3/8/8/8/8/8/8/R3K2R w {rights} - 0 1");
        Position::from_fen_with(&fen, CastlingRule::Moab)
    };
    for rights in ["KQ", "H", "e", "Mq"] {
        refused(read(rights), "is neither M nor m");
    }
    refused(read("MM"), "names a right that was given already");
    let away = Position::from_fen_with("4k3/8/8/8/8/8/4K3/8 w M - 0 1", CastlingRule::Moab);
    refused(away, "not on its first rank");
    for dialect in [FenDialect::XFen, FenDialect::Shredder] {
        assert_eq!(moab(fen).fen(dialect), fen);
    }
    assert_eq!(PositionBuilder::from(&moab(fen)).build(), Ok(moab(fen)));
}

#[test]
fn refusals_say_why() {
    let position = moab("k5r1/8/8/8/8/8/PPPPPP1P/R1BQKB2 w M - 0 1");
    let read = |text: &str| position.parse_uci(text, UciDialect::Standard);
    let refusal = |text: &str| read(text).unwrap_err().to_string();
    assert_eq!(refusal("e1g1"), "e1g1: the king would be in check");
    for text in ["e1a1", "e1c1", "e1h3"] {
        let expected = format!("{text}: the king on e1 cannot go to {}", &text[2..]);
        assert_eq!(refusal(text), expected);
    }
    assert!(position.parse_san("O-O").is_err());
}

/// A locked wall is dead, and with a king that may still go behind it nothing is claimed.
#[test]
fn nothing_is_proved_while_a_right_exists() {
    let wall = |rights: &str| {
        let fen = format!("4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4K3 w {rights} - 0 1");
        moab(&fen)
    };
    assert!(wall("-").is_dead());
    assert!(!wall("Mm").is_dead() && !wall("m").is_dead());
}

/// Counts by the slow rules: each of their moves is one of the rules core's, and is played by it.
fn slow_perft(position: &Position, depth: u32) -> u64 {
    let slow = SlowBoard::new(&position.fen(FenDialect::Shredder), SlowRule::Moab);
    let moves = slow.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let below = moves.iter().map(|text| {
        let mut next = position.clone();
        next.play(position.parse_uci(text, UciDialect::Chess960).unwrap());
        slow_perft(&next, depth - 1)
    });
    below.sum()
}

#[test]
fn perft_is_that_of_the_slow_rules() {
    for fen in [
        "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Mm - 0 1",
        "r3k2r/8/8/8/8/8/8/2R1K1B1 w Mm - 0 1",
        "3k4/P6r/8/8/8/8/p7/1Q2K3 w Mm - 0 1",
    ] {
        let position = moab(fen);
        assert_eq!(perft(&position, 3), slow_perft(&position, 3), "{fen}");
    }
    let start = Variant::Moab.read_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Mm - 0 1");
    let start = start.unwrap();
    // Nobody evacuates on a full rank; two moves of knights make room.
    assert_eq!(perft(&start, 2), 400);
    assert_eq!(perft(&start, 3), slow_perft(&start, 3));
}

#[test]
fn numbered_starts_are_played_and_evacuations_verified() {
    let text = format!(
        "event.variant = \"moab\"\npositions.sample = 4\nevent.seed = 5\ntime.nodes = 600\n\
         adjudication.max_moves = 60\n{}",
        sparring_engines(2)
    );
    let event = Event::new("moab", &text);
    event.run_well(&["--quiet"]);
    assert_has(
        &event.ask(&["verify", "--strict"]),
        ["findings 0 warnings 0"],
    );
    let pgn = event.read("games.pgn");
    assert_eq!(pgn.matches("[Variant \"Moab\"]").count(), 8);
    assert_eq!(pgn.matches(" w Mm - 0 1\"]").count(), 8);
}

#[test]
fn engines_without_the_variant_are_named_before_the_first_game() {
    let fake = fake_engine();
    let text = format!(
        "event.variant = \"moab\"\npositions.sample = 2\ntime.nodes = 10\n\
         [[engine]]\nname = \"Stranger\"\ncommand = {fake:?}\n\
         [[engine]]\nname = \"Own\"\nbuiltin = \"sparring\"\n"
    );
    let event = Event::new("stranger", &text);
    let said = event.ends(3, &["--quiet"]);
    assert_has(&said, ["Stranger", "it does not play moab"]);
    assert!(!event.results().join("games.pgn").exists());
}
