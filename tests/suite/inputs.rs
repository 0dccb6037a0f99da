//! Files as they are found: compressed, with every line end, and too large.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use super::support::{arbiter960, words};

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
    let mut child = arbiter960()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Who refuses its input closes it.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_folder_of_an_event_stands_for_its_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let none = run(&["verify", path], b"");
    assert_eq!(none.status.code(), Some(2));
    assert!(
        text(&none.stderr).contains("games.pgn: "),
        "{}",
        words(&none)
    );
    write(folder.path(), "games.pgn", GAMES.as_bytes());
    let output = run(&["verify", path], b"");
    assert_eq!(output.status.code(), Some(0), "{}", words(&output));
    assert!(
        text(&output.stdout).starts_with("games 2 "),
        "{}",
        words(&output)
    );
}

#[test]
fn compressed_games_are_read_by_name_and_from_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    for (ending, bytes) in packed(GAMES) {
        let path = write(folder.path(), &format!("x.pgn.{ending}"), &bytes);
        let path = path.to_str().unwrap();
        for (arguments, input) in [(["verify", path], &b""[..]), (["verify", "-"], &bytes)] {
            let output = run(&arguments, input);
            assert_eq!(output.status.code(), Some(0), "{}", words(&output));
            let line = text(&output.stdout);
            assert!(line.starts_with("games 2 moves 4 findings 0"), "{line}");
        }
        for (arguments, input) in [(["stats", path], &b""[..]), (["stats", "-"], &bytes)] {
            let output = run(&arguments, input);
            assert_eq!(output.status.code(), Some(0), "{}", words(&output));
            assert!(
                text(&output.stdout).contains("2.0 of 2 ("),
                "{}",
                words(&output)
            );
        }
    }
}

#[test]
fn what_is_cut_off_or_not_read_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    for (ending, bytes) in packed(&GAMES.repeat(100)) {
        let path = write(
            folder.path(),
            &format!("cut.pgn.{ending}"),
            &bytes[..bytes.len() - 6],
        );
        for command in ["verify", "stats"] {
            let output = run(&[command, path.to_str().unwrap()], b"");
            assert_eq!(output.status.code(), Some(2), "{}", words(&output));
        }
    }
    let zip = write(folder.path(), "x.pgn", b"PK\x03\x04 and so on");
    for command in ["verify", "stats"] {
        let output = run(&[command, zip.to_str().unwrap()], b"");
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains("zip"), "{}", words(&output));
    }
}

/// The plan of an event with this book, or what is wrong with it.
fn plan(book: &str, bytes: &[u8]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), book, bytes);
    let event = format!(
        "[event]\nname = \"x\"\nseed = 1\n[positions]\nfile = {book:?}\n[time]\nnodes = 1\n\
         [[engine]]\nname = \"A\"\nbuiltin = \"sparring\"\n[[engine]]\nname = \"B\"\nbuiltin = \"sparring\"\n"
    );
    let event = write(folder.path(), "event.toml", event.as_bytes());
    run(&["run", event.to_str().unwrap(), "--dry-run"], b"")
}

const BOOK: &str = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1\n\
    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";

#[test]
fn books_are_read_with_every_line_end_and_compressed() {
    let plain = plan("b.epd", BOOK.as_bytes());
    assert_eq!(plain.status.code(), Some(0), "{}", words(&plain));
    let same = |name: &str, bytes: &[u8]| {
        let output = plan(name, bytes);
        assert_eq!(
            text(&output.stdout),
            text(&plain.stdout),
            "{name}: {}",
            words(&output)
        );
    };
    same("b.epd", BOOK.replace('\n', "\r").as_bytes());
    same("b.epd", BOOK.replace('\n', "\r\n").as_bytes());
    for (ending, bytes) in packed(BOOK) {
        same(&format!("b.epd.{ending}"), &bytes);
    }
    let games = "[Variant \"Chess960\"]\n[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1\"]\n\n1. f4 *\n";
    let plain = plan("b.pgn", games.as_bytes());
    assert_eq!(plain.status.code(), Some(0), "{}", words(&plain));
    for (ending, bytes) in packed(games) {
        let output = plan(&format!("b.pgn.{ending}"), &bytes);
        assert_eq!(
            text(&output.stdout),
            text(&plain.stdout),
            "{}",
            words(&output)
        );
    }
    let output = plan("b.epd.zip", b"PK\x03\x04");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("zip"), "{}", words(&output));
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
        let line = text(&output.stdout);
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
    let suite = |depth| {
        run(
            &["perft", "--suite", path.to_str().unwrap(), "--depth", depth],
            b"",
        )
    };
    assert_eq!(suite("1").status.code(), Some(0), "{}", words(&suite("1")));
    let nothing = suite("2");
    assert_eq!(nothing.status.code(), Some(2), "{}", words(&nothing));
    assert!(text(&nothing.stderr).contains("nothing was compared"));
}

#[test]
fn perft_of_start_numbers_and_of_castling_that_a_variant_has() {
    let perft = |arguments: &[&str]| {
        let output = run(&[&["perft"], arguments].concat(), b"");
        (output.status.code(), text(&output.stdout))
    };
    assert_eq!(perft(&["518", "3"]), (Some(0), "8902\n".to_owned()));
    assert_eq!(perft(&["RNBQKBNR", "2"]), (Some(0), "400\n".to_owned()));
    assert_eq!(perft(&["960", "2"]).0, Some(2));
    let inner = "1k5r/8/8/8/8/8/8/1K5R w Kk - 0 1";
    assert_eq!(perft(&[inner, "1"]), (Some(0), "18\n".to_owned()));
    assert_eq!(perft(&["--variant", "shuffle", inner, "1"]).0, Some(2));
    let positions = run(&["positions", "--variant", "shuffle", inner], b"");
    assert_eq!(positions.status.code(), Some(2), "{}", words(&positions));
}

#[test]
fn very_many_errors_end_soon() {
    let folder = tempfile::tempdir().unwrap();
    let keys: String = (0..200_000).map(|n| format!("k{n} = 1\n")).collect();
    let path = write(
        folder.path(),
        "e.toml",
        format!("[event]\nname = \"x\"\n{keys}").as_bytes(),
    );
    let output = run(&["run", path.to_str().unwrap()], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        output.stderr.len() < 100_000,
        "{} bytes",
        output.stderr.len()
    );
    let all = text(&output.stderr);
    assert!(all.contains("not shown: "), "{all}");
}

#[test]
fn an_event_has_at_most_a_thousand_engines() {
    let folder = tempfile::tempdir().unwrap();
    let engine = |n| format!("[[engine]]\nname = \"E{n}\"\nbuiltin = \"sparring\"\n");
    let engines: String = (0..20_000).map(engine).collect();
    let event =
        "[event]\nname = \"x\"\nseed = 1\n[positions]\nnumbers = [518]\n[time]\nnodes = 1\n";
    let path = write(
        folder.path(),
        "e.toml",
        format!("{event}{engines}").as_bytes(),
    );
    let output = run(&["run", path.to_str().unwrap(), "--dry-run"], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("20000 engines are more than the 1000"));
}

#[test]
fn castling_that_the_variant_does_not_have_is_refused_in_books() {
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        "b.epd",
        BOOK.lines().nth(1).unwrap().as_bytes(),
    );
    for (variant, code) in [("transcendental", 2), ("corner", 2), ("shuffle", 0)] {
        let event = format!(
            "[event]\nname = \"x\"\nvariant = {variant:?}\n[positions]\nfile = \"b.epd\"\n[time]\nnodes = 1\n\
             [[engine]]\nname = \"A\"\nbuiltin = \"sparring\"\n[[engine]]\nname = \"B\"\nbuiltin = \"sparring\"\n"
        );
        let path = write(folder.path(), "e.toml", event.as_bytes());
        let output = run(&["run", path.to_str().unwrap(), "--dry-run"], b"");
        assert_eq!(
            output.status.code(),
            Some(code),
            "{variant}: {}",
            words(&output)
        );
    }
}
