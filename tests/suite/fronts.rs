//! The program instead of fastchess: its messages, its lines and files, its event file, and import.

use std::fs;
use std::process::Command;

use super::fronts_support::{cutechess, engines, exit, folder, front, stdout};
use super::support::{arbiter960, program, words};

#[test]
fn every_wrong_word_has_the_message_of_fastchess() {
    let folder = folder();
    let two = engines();
    let reading = |option: &str, value: &str, why: &str| {
        format!("Error while reading option \"{option}\" with value \"{value}\"\nReason: {why}")
    };
    let cases = [
        (
            "-engne",
            "Unrecognized option: -engne parsing failed.: Did you mean \"-engine\"?".to_owned(),
        ),
        (
            "-nonsense",
            "Unrecognized option: -nonsense parsing failed.".to_owned(),
        ),
        (
            "-concurrency",
            reading(
                "-concurrency",
                "-concurrency",
                "Option \"-concurrency\" expects exactly one value.",
            ),
        ),
        (
            "-recover yes",
            reading(
                "-recover",
                "yes",
                "Option \"-recover\" does not accept parameters.",
            ),
        ),
        (
            "-log level",
            reading(
                "-log",
                "level",
                "Option \"-log\" expects key=value pairs, got \"level\".",
            ),
        ),
        (
            "-sprt",
            reading(
                "-sprt",
                "-sprt",
                "Option \"-sprt\" expects key=value parameters.",
            ),
        ),
        (
            "-engine colour=red",
            reading(
                "-engine",
                "colour=red",
                "Unrecognized engine option \"colour\" with value \"red\".",
            ),
        ),
        ("-rounds x1", reading("-rounds", "x1", "stoi")),
        (
            "-openings file=none.epd",
            reading(
                "-openings",
                "file=none.epd",
                "Opening file does not exist: none.epd",
            ),
        ),
        (
            "-variant antichess",
            reading("-variant", "antichess", "Unknown variant."),
        ),
        (
            "-rounds 1",
            "Error: Need at least two engines to start!".to_owned(),
        ),
    ];
    for (line, message) in cases {
        let output = front(folder.path(), line).output().unwrap();
        let (said, code) = (stdout(&output), exit(&output));
        assert_eq!(code, 1, "{line}: {}", words(&output));
        let warnings = ["Warning: No opening", "Warning: Unknown opening"];
        let kept = said
            .lines()
            .filter(|line| !warnings.iter().any(|known| line.starts_with(known)));
        assert_eq!(kept.collect::<Vec<_>>().join("\n"), message, "{line}");
    }
    for (line, message) in [
        (
            "-variant fischerandom",
            "Error: Please specify a Chess960 opening book",
        ),
        (
            "-rounds 0 -openings file=book.epd",
            "Invalid number of players, rounds, or games per round",
        ),
        (
            "-games 3 -rounds 3",
            "Error: Exceeded -game limit! Must be less than 2",
        ),
        (
            "-sprt elo0=5 elo1=0 alpha=0.1 beta=0.1",
            "Error; SPRT: elo0 must be less than elo1!",
        ),
        (
            "-concurrency 5000",
            "Error: Concurrency exceeds number of CPUs. Use -force-concurrency to override.",
        ),
        (
            "-tb nowhere -openings file=book.epd",
            "Error: Failed to load Syzygy tablebases from the following directories: nowhere",
        ),
    ] {
        let output = front(folder.path(), &format!("{two} {line}"))
            .output()
            .unwrap();
        assert_eq!(
            (stdout(&output).trim_end(), exit(&output)),
            (message, 1),
            "{line}"
        );
    }
}

/// What its library of C++ reads, or passes on without a look.
#[test]
fn unusual_values_that_fastchess_plays_are_played() {
    let folder = folder();
    for words in [
        "-use-affinity -1",
        "-use-affinity -2-1,0",
        "-pgnout file=x.pgn match_line=(?=x)",
    ] {
        let line = format!(
            "{}-openings file=book.epd {words} --print-config",
            engines()
        );
        let output = front(folder.path(), &line).output().unwrap();
        assert_eq!(exit(&output), 0, "{words}: {}", stdout(&output));
    }
}

#[test]
fn the_version_begins_with_the_number_that_callers_compare_and_says_who_this_is() {
    let folder = folder();
    for word in ["-version", "--version", "-v"] {
        let output = front(folder.path(), word).output().unwrap();
        let said = stdout(&output);
        assert!(
            said.starts_with("fastchess-compatible 1.8.2 (arbiter960 "),
            "{said}"
        );
        assert_eq!((exit(&output), said.lines().count()), (0, 1));
    }
    // As OpenBench's client asks a program that is a link.
    let made = arbiter960()
        .arg("install-fronts")
        .arg(folder.path())
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", words(&made));
    let asked = Command::new(folder.path().join("fastchess-ob"))
        .arg("version")
        .output()
        .unwrap();
    assert_eq!(asked.status.code(), Some(1));
    let asked = Command::new(folder.path().join("fastchess-ob"))
        .arg("--version")
        .output()
        .unwrap();
    assert!(
        stdout(&asked).starts_with("fastchess-compatible 1.8.2"),
        "{}",
        words(&asked)
    );
}

#[test]
fn an_event_has_the_lines_and_files_that_callers_read() {
    let folder = folder();
    let line = format!(
        "{}-each option.Nothing=1 -openings file=book.epd format=epd order=sequential -rounds 2 \
         -repeat -recover -ratinginterval 1 -maxmoves 12 -pgnout file=out.pgn nodes=true append=false \
         -epdout file=out.epd -crc32 pgn=true -event Test",
        engines()
    );
    let output = front(folder.path(), &line).output().unwrap();
    let said = stdout(&output);
    assert_eq!(exit(&output), 0, "{}", words(&output));
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "Started game 1 of 4 (A vs B)");
    assert_eq!(lines[1], "Warning; A doesn't have option Nothing");
    assert_eq!(lines[2], "Warning; B doesn't have option Nothing");
    for game in 1..=4 {
        let names = if game % 2 == 1 { "A vs B" } else { "B vs A" };
        let finished = format!("Finished game {game} ({names}): ");
        assert!(said.contains(&finished), "{said}");
    }
    let results = said.matches("Results of A vs B (120 nodes - 60 nodes, NULL, 16MB, book.epd):\n");
    assert_eq!(results.count(), 2, "{said}");
    assert!(said.contains("Games: 4, Wins: "), "{said}");
    let end = lines
        .iter()
        .position(|line| *line == "Finished match")
        .unwrap();
    // Nobody reads beyond an empty line.
    assert!(lines[..end].iter().all(|line| !line.is_empty()), "{said}");
    let pgn = fs::read_to_string(folder.path().join("out.pgn")).unwrap();
    assert_eq!(pgn.matches("[Event \"Test\"]\n").count(), 4);
    assert_eq!(pgn.matches("[Round \"2\"]\n").count(), 2);
    assert!(
        pgn.contains("\n[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppp1ppp/4p3"),
        "{pgn}"
    );
    assert!(pgn.contains(", n="), "{pgn}");
    let mut crc = flate2::Crc::new();
    crc.update(pgn.as_bytes());
    let sum = format!("File out.pgn has CRC32: {:#x}\n", crc.sum());
    assert!(said.contains(&sum), "{sum} in {said}");
    assert_eq!(
        fs::read_to_string(folder.path().join("out.epd"))
            .unwrap()
            .lines()
            .count(),
        4
    );
    let saved = fs::read_to_string(folder.path().join("config.json")).unwrap();
    let saved: serde_json::Value = serde_json::from_str(&saved).unwrap();
    let stats = &saved["stats"]["A vs B"];
    let games: i64 = ["wins", "losses", "draws"]
        .iter()
        .map(|key| stats[key].as_i64().unwrap())
        .sum();
    assert_eq!(games, 4);
    // A complete event leaves no store.
    let names = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    assert!(
        !names
            .into_iter()
            .any(|name| name.to_string_lossy().ends_with(".arbiter960"))
    );
}

#[test]
fn the_event_file_that_is_printed_is_one() {
    let folder = folder();
    let line = format!(
        "{}-openings file=book.pgn format=pgn order=random plies=3 start=2 -srand 7 -rounds 4 -repeat \
         -sprt elo0=0 elo1=4 alpha=0.05 beta=0.05 --print-config",
        engines()
    );
    let output = front(folder.path(), &line).output().unwrap();
    assert_eq!(exit(&output), 0, "{}", words(&output));
    fs::write(folder.path().join("event.toml"), stdout(&output)).unwrap();
    let dry = arbiter960()
        .current_dir(folder.path())
        .args(["run", "event.toml", "--dry-run"])
        .output()
        .unwrap();
    assert!(dry.status.success(), "{}", words(&dry));
    assert!(
        stdout(&dry).contains("4 pairs, 8 games, seed 7"),
        "{}",
        words(&dry)
    );
}

#[test]
fn what_is_printed_of_a_file_and_of_a_line_is_an_event_file() {
    let folder = folder();
    let line = format!("{}-rounds 1 -maxmoves 3 -recover", engines());
    let played = front(folder.path(), &line).output().unwrap();
    assert!(played.status.success(), "{}", words(&played));
    let printed = |mut command: Command| {
        let output = command.arg("--print-config").output().unwrap();
        assert!(output.status.success(), "{}", words(&output));
        let text = stdout(&output);
        fs::write(folder.path().join("event.toml"), &text).unwrap();
        let mut dry = arbiter960();
        dry.current_dir(folder.path());
        let dry = dry
            .args(["run", "event.toml", "--dry-run"])
            .output()
            .unwrap();
        assert!(dry.status.success(), "{}", words(&dry));
        text
    };
    let line = format!("{}-rounds 3 -openings file=book.epd -wait 5", engines());
    let text = printed(front(folder.path(), &line));
    assert!(text.contains("\npause = 0.005\n"), "{text}");
    let text = printed(front(folder.path(), "-config file=config.json"));
    let mut import = arbiter960();
    import
        .current_dir(folder.path())
        .args(["import", "config.json"]);
    assert_eq!(stdout(&import.output().unwrap()), text);
    // cutechess-cli plays without a book and without limits: fastchess's checks are not its own.
    let engine = format!("-engine cmd={} arg=sparring", program().display());
    let line =
        format!("{engine} name=A {engine} name=B -each proto=uci tc=inf -variant fischerandom");
    printed(cutechess(folder.path(), &line));
}

#[test]
fn options_are_sent_in_the_order_of_the_line() {
    let folder = folder();
    let line = format!(
        "{} -each option.Zeta=1 option.Alpha=1 -rounds 1 -games 1 -maxmoves 2",
        engines()
    );
    let output = front(folder.path(), &line).output().unwrap();
    let said = stdout(&output);
    let first = said.find("doesn't have option Zeta").unwrap();
    let second = said.find("doesn't have option Alpha").unwrap();
    assert!(first < second, "{said}");
}
