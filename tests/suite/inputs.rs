//! Files as they are found: compressed, with every line end, and too large.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use super::support::{arbiter960, assert_has, sparring, words};

const GAMES: &str = "[Event \"a\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n\
    [Event \"b\"]\n[White \"B\"]\n[Black \"A\"]\n[Result \"0-1\"]\n\n1. d4 d5 0-1\n\n";

fn packed(text: &str) -> Vec<(&'static str, Vec<u8>)> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bzip2.write_all(text.as_bytes()).unwrap();
    vec![
        ("gz", gzip.finish().unwrap()),
        ("bz2", bzip2.finish().unwrap()),
        #[cfg(feature = "zstd")]
        ("zst", zstd::encode_all(text.as_bytes(), 1).unwrap()),
    ]
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut command = arbiter960();
    command.args(arguments).stdin(Stdio::piped());
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // Who refuses its input closes it.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// What a command prints that ends with this code, or says if it is not 0.
#[track_caller]
fn ends(code: i32, arguments: &[&str], input: &[u8]) -> String {
    let output = run(arguments, input);
    assert_eq!(output.status.code(), Some(code), "{}", words(&output));
    let bytes = if code == 0 {
        output.stdout
    } else {
        output.stderr
    };
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn the_folder_of_an_event_stands_for_its_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    assert_has(&ends(2, &["verify", path], b""), ["games.pgn: "]);
    write(folder.path(), "games.pgn", GAMES.as_bytes());
    let said = ends(0, &["verify", path], b"");
    assert!(said.starts_with("games 2 "), "{said}");
}

#[test]
fn compressed_games_are_read_by_name_and_from_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    for (ending, bytes) in packed(GAMES) {
        let path = write(folder.path(), &format!("x.pgn.{ending}"), &bytes);
        let path = path.to_str().unwrap();
        for (file, input) in [(path, &b""[..]), ("-", &bytes)] {
            let line = ends(0, &["verify", file], input);
            assert!(line.starts_with("games 2 moves 4 findings 0"), "{line}");
            assert_has(&ends(0, &["stats", file], input), ["2.0 of 2 ("]);
        }
    }
}

#[test]
fn what_is_cut_off_or_not_read_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    for (ending, bytes) in packed(&GAMES.repeat(100)) {
        let (name, cut) = (format!("cut.pgn.{ending}"), &bytes[..bytes.len() - 6]);
        let path = write(folder.path(), &name, cut);
        for command in ["verify", "stats"] {
            ends(2, &[command, path.to_str().unwrap()], b"");
        }
    }
    let zip = write(folder.path(), "x.pgn", b"PK\x03\x04 and so on");
    for command in ["verify", "stats"] {
        assert_has(&ends(2, &[command, zip.to_str().unwrap()], b""), ["zip"]);
    }
}

/// The plan of an event with this book, or what is wrong with it.
fn plan(code: i32, book: &str, bytes: &[u8]) -> String {
    plan_of(code, "chess960", book, bytes)
}

fn plan_of(code: i32, variant: &str, book: &str, bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), book, bytes);
    let event = format!(
        "[event]\nname = \"x\"\nseed = 1\nvariant = {variant:?}\n[positions]\nfile = {book:?}\n[time]\nnodes = 1\n\
         {}{}",
        sparring("A", ""),
        sparring("B", "")
    );
    let event = write(folder.path(), "event.toml", event.as_bytes());
    ends(code, &["run", event.to_str().unwrap(), "--dry-run"], b"")
}

const BOOK: &str = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1\n\
    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";

#[test]
fn books_are_read_with_every_line_end_and_compressed() {
    let games = "[Variant \"Chess960\"]\n[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1\"]\n\n1. f4 *\n";
    for (name, text) in [("b.epd", BOOK), ("b.pgn", games)] {
        let plain = plan(0, name, text.as_bytes());
        for (ending, bytes) in packed(text) {
            let packed = plan(0, &format!("{name}.{ending}"), &bytes);
            assert_eq!(packed, plain, "{name}.{ending}");
        }
    }
    let plain = plan(0, "b.epd", BOOK.as_bytes());
    for line_end in ["\r", "\r\n"] {
        let other = BOOK.replace('\n', line_end);
        assert_eq!(plan(0, "b.epd", other.as_bytes()), plain, "{line_end:?}");
    }
    assert_has(&plan(2, "b.epd.zip", b"PK\x03\x04"), ["zip"]);
}

#[test]
fn findings_do_not_reach_the_terminal_as_they_are() {
    for games in [
        "[Variant \"\u{1b}[31mX\"]\n\n*\n",
        "1. e4 1-0 \u{1b}[31m\0\n",
        "1. e4 \u{1b}[31m\n",
        "[StartVariant \"\u{9b}31m\"]\n\n*\n",
    ] {
        let output = run(&["verify", "-"], games.as_bytes());
        let line = String::from_utf8_lossy(&output.stdout);
        let hidden = |character: char| character.is_control() && character != '\n';
        assert!(!line.contains(hidden), "{line:?}");
        assert_eq!(output.status.code(), Some(1), "{line}");
    }
}

#[test]
fn a_suite_that_compares_nothing_has_not_passed() {
    let folder = tempfile::tempdir().unwrap();
    let line = b"4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15\n";
    let path = write(folder.path(), "p.epd", line);
    let path = path.to_str().unwrap();
    let suite = |code, depth| ends(code, &["perft", "--suite", path, "--depth", depth], b"");
    suite(0, "1");
    assert_has(&suite(2, "2"), ["nothing was compared"]);
}

#[test]
fn perft_of_start_numbers_and_of_castling_that_a_variant_has() {
    let inner = "1k5r/8/8/8/8/8/8/1K5R w Kk - 0 1";
    for (start, depth, nodes) in [("518", "3", 8902), ("RNBQKBNR", "2", 400), (inner, "1", 18)] {
        assert_eq!(ends(0, &["perft", start, depth], b""), format!("{nodes}\n"));
    }
    ends(2, &["perft", "960", "2"], b"");
    ends(2, &["perft", "--variant", "shuffle", inner, "1"], b"");
    ends(2, &["positions", "--variant", "shuffle", inner], b"");
}

#[test]
fn very_many_errors_end_soon() {
    let folder = tempfile::tempdir().unwrap();
    let keys: String = (0..200_000).map(|n| format!("k{n} = 1\n")).collect();
    let event = format!("[event]\nname = \"x\"\n{keys}");
    let path = write(folder.path(), "e.toml", event.as_bytes());
    let all = ends(2, &["run", path.to_str().unwrap()], b"");
    assert!(all.len() < 100_000, "{} bytes", all.len());
    assert_has(&all, ["not shown: "]);
}

#[test]
fn an_event_has_at_most_a_thousand_engines() {
    let folder = tempfile::tempdir().unwrap();
    let engines = (0..20_000).map(|n| sparring(&format!("E{n}"), ""));
    let event =
        "[event]\nname = \"x\"\nseed = 1\n[positions]\nnumbers = [518]\n[time]\nnodes = 1\n";
    let event = event.to_owned() + &engines.collect::<String>();
    let path = write(folder.path(), "e.toml", event.as_bytes());
    let refused = ends(2, &["run", path.to_str().unwrap(), "--dry-run"], b"");
    assert_has(&refused, ["20000 engines are more than the 1000"]);
}

#[test]
fn castling_that_the_variant_does_not_have_is_refused_in_books() {
    let book = BOOK.lines().nth(1).unwrap().as_bytes();
    for (variant, code) in [("transcendental", 2), ("corner", 2), ("shuffle", 0)] {
        plan_of(code, variant, "b.epd", book);
    }
}
