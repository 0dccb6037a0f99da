//! Syzygy tables: every value as python-chess reads it, damage seen, and games that end by them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use arbiter960::chess::{Color, FenDialect, Piece, PieceKind, Position, PositionBuilder, Square};
use arbiter960::tablebase::{SolvedOutcome, Syzygy, Tablebase, Wdl};

use super::random::Random;
use super::support::{
    Event, arbiter960, assert_has, assert_lacks, ends, missing, on_one_line, pipe_of, tool, words,
};

/// The tables of 3 and 4 men: where `ARBITER960_SYZYGY` says, or where `.ci/run` puts them.
pub fn tables() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let named = std::env::var_os("ARBITER960_SYZYGY").map(PathBuf::from);
    let places =
        ["target/tablebases/regular", "../shared/data/syzygy"].map(|place| root.join(place));
    let mut places = named.into_iter().chain(places);
    let found = places.find(|folder| folder.join("KQvK.rtbw").is_file());
    if found.is_none() {
        missing("no Syzygy tables: ARBITER960_SYZYGY names no folder with KQvK.rtbw");
    }
    found
}

fn opened() -> Option<Syzygy> {
    Some(Syzygy::open(&[tables()?], None).unwrap())
}

fn empty() -> PositionBuilder {
    let clear = |builder: PositionBuilder, square| builder.clear(square);
    Square::all().fold(PositionBuilder::default(), clear)
}

fn with_men(men: [(Color, PieceKind, Square); 4]) -> PositionBuilder {
    let put = |builder: PositionBuilder, (color, kind, square)| {
        builder.put(Piece { color, kind }, square)
    };
    men.into_iter().fold(empty(), put)
}

/// A legal position of three or four men, drawn.
fn drawn(random: &mut Random) -> Option<Position> {
    let square = |random: &mut Random| Square::all().nth(random.below(64)).unwrap();
    let mut builder = empty();
    let mut taken = Vec::new();
    let men = 3 + random.below(4).min(1);
    for man in 0..men {
        let color = Color::ALL[if man < 2 { man } else { random.below(2) }];
        let kind = match man {
            0 | 1 => PieceKind::King,
            _ => PieceKind::ALL[random.below(5)],
        };
        let place = square(random);
        if taken.contains(&place) {
            return None;
        }
        taken.push(place);
        builder = builder.put(Piece { color, kind }, place);
    }
    builder = builder.side_to_move(Color::ALL[random.below(2)]);
    builder.build().ok()
}

/// The same, where a pawn may be taken in passing.
fn drawn_in_passing(random: &mut Random) -> Option<Position> {
    let file = random.below(7);
    let right = random.below(2);
    let [white, black] = [file + right, file + 1 - right];
    let at = |file, rank| Square::all().nth(8 * rank + file).unwrap();
    let [one, other] = [(); 2].map(|()| at(random.below(8), random.below(8)));
    let builder = with_men([
        (Color::White, PieceKind::Pawn, at(white, 4)),
        (Color::Black, PieceKind::Pawn, at(black, 4)),
        (Color::White, PieceKind::King, one),
        (Color::Black, PieceKind::King, other),
    ]);
    let position = builder.en_passant(at(black, 5)).build().ok()?;
    (position.occupied().len() == 4 && position.en_passant().is_some()).then_some(position)
}

/// Reads FENs, and prints what the tables say of each: `wdl dtz`.
const ORACLE: &str = r#"
import chess, chess.syzygy, sys
with chess.syzygy.open_tablebase(sys.argv[1]) as tables:
    for line in sys.stdin:
        board = chess.Board(line)
        print(tables.probe_wdl(board), tables.probe_dtz(board))
"#;

#[test]
fn values_are_those_that_python_chess_reads() {
    let Some(folder) = tables() else { return };
    let tables = Syzygy::open(std::slice::from_ref(&folder), None).unwrap();
    let mut random = Random(11);
    let mut some = |count, draw: fn(&mut Random) -> Option<Position>| {
        let drawn = std::iter::from_fn(|| Some(draw(&mut random)));
        drawn.flatten().take(count).collect::<Vec<Position>>()
    };
    let positions = [some(6_000, drawn), some(500, drawn_in_passing)].concat();
    let fens = positions
        .iter()
        .map(|position| position.fen(FenDialect::XFen) + "\n");
    let fens: String = fens.collect();
    let mut oracle = Command::new("python3");
    oracle.args(["-c", ORACLE]).arg(&folder);
    let Ok(output) = oracle.stdin(pipe_of(fens.as_bytes())).output() else {
        return missing("python3 is not installed");
    };
    if !output.status.success() && words(&output).contains("No module named 'chess'") {
        return missing("python3 has no package chess");
    }
    assert!(output.status.success(), "{}", words(&output));
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said.lines().count(), positions.len());
    let (mut won, mut passing) = (0, 0);
    for (position, theirs) in positions.iter().zip(said.lines()) {
        let wdl = tables.wdl(position).expect("a table") as i32;
        let dtz = tables.dtz(position).map_or(0, |distance| distance.0);
        let ours = format!("{wdl} {dtz}");
        assert_eq!(ours, theirs, "{}", position.fen(FenDialect::XFen));
        won += usize::from(ours.starts_with('2'));
        passing += usize::from(position.en_passant().is_some());
    }
    assert!(won > 1_500, "{won} won");
    assert_eq!(passing, 500);
    assert_eq!(tables.troubles(), [""; 0]);
}

#[test]
fn who_may_castle_and_who_has_too_many_men_is_in_no_table() {
    let Some(tables) = opened() else { return };
    assert_eq!(tables.men(), 4);
    assert_eq!(tables.missing(4), [""; 0]);
    assert_eq!(tables.missing(5).len(), 220);
    for (fen, known) in [
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", None),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", Some(Wdl::Win)),
        ("4k3/8/8/8/8/8/8/4K2R b - - 0 1", Some(Wdl::Loss)),
        ("4k2r/8/8/8/8/8/8/4K2R b - - 0 1", Some(Wdl::Win)),
        ("4k3/pp6/8/8/8/8/8/4K2R w - - 0 1", None),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", Some(Wdl::Draw)),
        ("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", Some(Wdl::Draw)),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Some(Wdl::Loss)),
    ] {
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(tables.wdl(&position), known, "{fen}");
    }
}

/// Knight and bishop need more than thirty moves from here.
#[test]
fn a_win_must_come_before_the_fifty_moves_are_over() {
    let Some(tables) = opened() else { return };
    let at = |clock: u32| {
        let fen = format!("8/8/8/8/3k4/8/8/KBN5 w - - {clock} 80");
        let position = Position::from_fen(&fen).unwrap();
        let distance = tables.dtz(&position).unwrap().0;
        assert!((40..=66).contains(&distance), "{distance}");
        (distance as u32, tables.verdict(&position, true))
    };
    let distance = at(0).0;
    let won = Some(SolvedOutcome::Won(Color::White));
    assert_eq!(at(99 - distance).1, won);
    assert_eq!(at(100 - distance).1, None);
    assert_eq!(at(101 - distance).1, Some(SolvedOutcome::Drawn));
}

#[test]
fn a_damaged_table_says_nothing_and_is_named() {
    let Some(source) = tables() else { return };
    let folder = tempfile::tempdir().unwrap();
    for entry in source.read_dir().unwrap().flatten() {
        fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
    }
    let open = || Syzygy::open(&[folder.path().to_owned()], None);
    let file = folder.path().join("KRvKN.rtbw");
    let sound = fs::read(&file).unwrap();
    let written = |bytes: &[u8]| {
        let _ = fs::remove_file(&file);
        fs::write(&file, bytes).unwrap();
    };
    written(&sound[..sound.len() - 64 - 7]);
    assert!(open().unwrap_err().to_string().contains("cut short"));
    written(b"hello");
    assert!(open().unwrap_err().to_string().contains("no table"));
    let empty = tempfile::tempdir().unwrap();
    let none = Syzygy::open(&[empty.path().to_owned()], None).unwrap_err();
    assert_has(&none.to_string(), ["no Syzygy table"]);

    // Cut off in the middle of the blocks, at a length that a table can have.
    written(&sound[..sound.len() - 64 * (sound.len() / 128)]);
    let tables = open().unwrap();
    let mut random = Random(3);
    let asked = (0..500).filter_map(|_| {
        let [a, b, c, d] = [0; 4].map(|_| Square::all().nth(random.below(64)).unwrap());
        let builder = with_men([
            (Color::White, PieceKind::King, a),
            (Color::Black, PieceKind::King, b),
            (Color::White, PieceKind::Rook, c),
            (Color::Black, PieceKind::Knight, d),
        ]);
        let builder = builder.side_to_move(Color::ALL[random.below(2)]);
        let position = builder.build().ok()?;
        (position.occupied().len() == 4).then_some(position)
    });
    let unknown = asked.filter(|position| tables.wdl(position).is_none());
    assert!(unknown.count() > 20);
    assert_eq!(tables.troubles().len(), 1, "{:?}", tables.troubles());

    // Any byte may be wrong: an answer may be wrong then, but there is an end.
    for _ in 0..400 {
        let mut bytes = sound.clone();
        for _ in 0..3 {
            let place = 4 + random.below(bytes.len().min(1_000) - 4);
            bytes[place] = random.below(256) as u8;
        }
        written(&bytes);
        let Ok(tables) = open() else { continue };
        for fen in [
            "8/8/8/3k4/6n1/8/8/K6R w - - 0 1",
            "8/8/4k3/1n6/2R5/3K4/8/8 b - - 0 1",
        ] {
            let _any = tables.wdl(&Position::from_fen(fen).unwrap());
        }
    }
}

/// An event of two games from each of these positions.
fn event(name: &str, fens: &[&str], engines: &str, rest: &str) -> Event {
    let rules = "positions.file = \"book.epd\"\nevent.variant = \"standard\"";
    let event = Event::new(name, &format!("{rules}\n{rest}\n{engines}"));
    fs::write(event.folder().join("book.epd"), fens.join("\n") + "\n").unwrap();
    event
}

const SPARRING: &str = "time.depth = 1\n\
    [[engine]]\nname = \"A\"\nbuiltin = \"sparring\"\n\
    [[engine]]\nname = \"B\"\nbuiltin = \"sparring\"\noptions = { Strength = 2 }\n";

#[test]
fn games_end_by_the_tables_and_are_true_by_them() {
    let Some(folder) = tables() else { return };
    let fens = [
        // Five men: the tables speak when one has gone.
        "8/8/4k3/3p4/3P4/4K3/4P3/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        "8/2k5/8/8/8/2K5/2P5/8 w - - 0 1",
    ];
    let adjudication =
        format!("adjudication.host_faults = \"count\"\nadjudication.tablebases = {folder:?}");
    let event = event("tables", &fens, SPARRING, &adjudication);
    event.run_well(&["--quiet"]);
    let pgn = event.read("games.pgn");
    assert_has(&pgn, ["[Termination \"adjudication\"]"]);
    assert_has(&on_one_line(&pgn), ["by tablebase adjudication"]);

    let file = event.results().join("games.pgn");
    let folder = folder.to_str().unwrap();
    let verified = |code, pgn: &str, more: &[&str]| {
        let path = event.folder().join("other.pgn");
        fs::write(&path, pgn).unwrap();
        let mut verify = arbiter960();
        verify.args(["verify", "--tablebase", folder]).args(more);
        ends(code, verify.arg(path))
    };
    tool(&["verify", "--tablebase", folder, file.to_str().unwrap()]);
    let won = "[Result \"1-0\"]\n[SetUp \"1\"]\n[FEN \"8/8/8/8/8/8/k6Q/6K1 b - - 0 1\"]\n";
    let moves = "\n1... Ka1 1-0\n";
    verified(0, &format!("{won}{moves}"), &[]);
    let drawn = format!("{won}{moves}").replace("1-0", "1/2-1/2");
    let warning = "warning: the result is 1/2-1/2, but by the tablebases the last position is a win for white";
    assert_has(&verified(0, &drawn, &[]), [warning]);
    verified(1, &drawn, &["--strict"]);
    let adjudicated = format!("[Termination \"adjudication\"]\n{drawn}");
    assert_lacks(&verified(1, &adjudicated, &[]), ["warning:"]);
    let on_time = adjudicated.replace("adjudication", "time forfeit");
    verified(0, &on_time, &[]);
}

#[test]
fn with_draws_alone_a_win_has_to_be_shown() {
    let Some(folder) = tables() else { return };
    let fens = [
        "8/8/8/8/3k4/8/8/KR6 w - - 0 1",
        "8/8/8/8/3k4/8/8/KB6 b - - 0 1",
    ];
    let rest = format!(
        "adjudication.tablebases = [{folder:?}]\nadjudication.tablebase_results = \"draws\"\n\
         adjudication.tablebase_men = 3\nadjudication.max_moves = 3\nadjudication.host_faults = \"count\""
    );
    let event = event("draws", &fens[..1], SPARRING, &rest);
    event.run_well(&["--quiet"]);
    let pgn = event.read("games.pgn");
    assert_lacks(&pgn, ["tablebase"]);
    assert_has(&pgn, ["length adjudication"]);
}

#[test]
fn what_is_missing_is_named_before_the_first_game() {
    let Some(source) = tables() else { return };
    let folder = tempfile::tempdir().unwrap();
    for name in ["KQvK.rtbw", "KQvK.rtbz", "KRvK.rtbw"] {
        fs::copy(source.join(name), folder.path().join(name)).unwrap();
    }
    let path = folder.path();
    let fens = ["4k3/8/8/8/8/8/8/R3K3 w - - 0 1"];
    let rest = format!("adjudication.tablebases = {path:?}\nadjudication.host_faults = \"count\"");
    let event = event("incomplete", &fens, SPARRING, &rest);
    let said = event.ends(0, &["--dry-run", "--all"]);
    let missing = "of the tables of 3 to 3 men these are missing: KRvK.rtbz, KBvK.rtbw,";
    assert_has(&said, [missing]);
}
