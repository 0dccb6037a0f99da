//! What is seen in files of all origins, and the files themselves where they are at hand.

use std::fs::File;
use std::path::{Path, PathBuf};

use arbiter960::pgn::{PgnReader, RawGame};
use arbiter960::verify::{Options, Summary, verify};

/// The one game of a text.
fn with_game<T>(text: &[u8], look: impl FnOnce(&RawGame<'_>) -> T) -> T {
    let mut reader = PgnReader::new(text);
    let seen = look(&reader.next_game().expect("a game").expect("readable"));
    assert!(reader.next_game().is_none());
    seen
}

/// Half-moves of the one game of a text, all of which must be legal.
fn plies(text: &str) -> u32 {
    with_game(text.as_bytes(), |game| {
        let mut replay = game.replay().expect("a start position");
        replay.finish().expect("legal moves");
        replay.plies()
    })
}

#[test]
fn castling_in_every_spelling() {
    let fen = "[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"]\n\n";
    let short = ["O-O O-O-O", "0-0 0-0-0", "e1g1 e8c8", "e1h1 e8a8"];
    for moves in short.into_iter().chain(["O-O! 0-0-0?!", "1.O-O O-O-O+ *"]) {
        assert_eq!(plies(&format!("{fen}{moves}")), 2, "{moves}");
    }
}

#[test]
fn moves_in_other_notations() {
    assert_eq!(plies("e2e4 g8f6 e4e5 d7d5 e5d6 *"), 5);
    assert_eq!(plies("1.e2-e4 Ng8f6 2. e5 d5 3. exd6 e.p. cxd6 *"), 6);
    for promotion in ["a7a8q", "a8Q"] {
        let fen = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
        assert_eq!(plies(&format!("[FEN \"{fen}\"]\n\n1. {promotion}")), 1);
    }
}

#[test]
fn castling_fields_that_mix_styles() {
    let start = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w";
    for field in ["KQkq", "HFhf", "KFkf", "HQhq"] {
        let text = format!("[FEN \"{start} {field} - 0 1\"]\n\n1. f4 f5 2. Bxf5");
        let error = with_game(text.as_bytes(), |game| {
            let mut replay = game.replay().expect("a start position");
            replay.finish().expect_err("no such capture")
        });
        assert_eq!((error.place.line, error.place.ply), (3, 3), "{field}");
    }
}

#[test]
fn the_last_of_two_fens_counts_with_a_warning() {
    let text = b"[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n[FEN \"k7/8/8/8/8/8/8/K7 w - - 0 1\"]\n\n*";
    let warnings = with_game(text, |game| {
        assert!(game.start().is_ok());
        game.warnings()
    });
    assert_eq!(warnings.len(), 1);
    assert_eq!(warnings[0].line, 2);
}

#[test]
fn latin_1_bytes_do_not_stop_anything() {
    let text = b"[White \"M\xfcller\"]\n\n1. e4 {sch\xf6n} e5 *";
    with_game(text, |game| {
        assert_eq!(game.tag("White").as_deref(), Some("Müller"));
        assert!(game.replay().expect("a start").finish().is_ok());
    });
}

#[test]
fn a_bad_game_is_set_aside_and_the_next_is_read() {
    let text = "[Event \"a\"]\n\n1. e4\ne4 *\n\n[Event \"b\"]\n\n1. d4 *\n";
    let mut reader = PgnReader::new(text.as_bytes());
    let mut outcomes = Vec::new();
    while let Some(game) = reader.next_game() {
        let mut replay = game.expect("a game").replay().expect("a start");
        outcomes.push(replay.finish().map_err(|error| error.to_string()));
    }
    let error = "line 4, game 1, ply 2: e4: no legal move of a pawn to e4 fits";
    assert_eq!(outcomes, [Err(error.to_owned()), Ok(())]);
}

/// A folder of the data that are read where they lie and never become part of the package.
fn third_party(folder: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    Some(path.join(folder)).filter(|path| path.is_dir())
}

#[test]
fn tournament_files_by_others_are_true() {
    let Some(folder) = third_party("pgn") else {
        eprintln!("skipped: no folder ../shared/data/pgn");
        return;
    };
    let mut total = Summary::default();
    for entry in folder.read_dir().expect("a folder").flatten() {
        let file = File::open(entry.path()).expect("a readable file");
        let report = |finding: arbiter960::verify::Finding| {
            panic!("{}: {}: {}", entry.path().display(), finding.place, finding)
        };
        total += verify(file, Options::default(), report).expect("a readable file");
    }
    assert!(total.games >= 222 && total.moves > 20_000, "{total:?}");
}
