//! The program instead of fastchess: its messages, its lines and files, its event file, and import.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::fronts_support::{cutechess, engines, exit, folder, front, stdout};
use super::support::{arbiter960, assert_has, ends, json, program, table, words};

#[test]
fn every_wrong_word_has_the_message_of_fastchess() {
    let folder = folder();
    for [line, value, why] in table(
        r#"-engne | | Unrecognized option: -engne parsing failed.: Did you mean "-engine"?
         -nonsense | | Unrecognized option: -nonsense parsing failed.
         -concurrency | -concurrency | Option "-concurrency" expects exactly one value.
         -recover yes | yes | Option "-recover" does not accept parameters.
         -log level | level | Option "-log" expects key=value pairs, got "level".
         -sprt | -sprt | Option "-sprt" expects key=value parameters.
         -engine colour=red | colour=red | Unrecognized engine option "colour" with value "red".
         -rounds x1 | x1 | stoi
         -openings file=none.epd | file=none.epd | Opening file does not exist: none.epd
         -variant antichess | antichess | Unknown variant.
         -rounds 1 | | Error: Need at least two engines to start!"#,
    ) {
        let output = front(folder.path(), &line).output().unwrap();
        assert_eq!(exit(&output), 1, "{line}: {}", words(&output));
        let said = stdout(&output);
        let warnings = ["Warning: No opening", "Warning: Unknown opening"];
        let is_kept = |line: &&str| !warnings.iter().any(|known| line.starts_with(known));
        let kept = Vec::from_iter(said.lines().filter(is_kept)).join("\n");
        let option = line.split(' ').next().unwrap();
        let reading = format!(
            "Error while reading option \"{option}\" with value \"{value}\"\nReason: {why}"
        );
        assert_eq!(kept, if value.is_empty() { why } else { reading }, "{line}");
    }
    let two = engines();
    for [line, message] in table(
        "-variant fischerandom | Error: Please specify a Chess960 opening book
         -rounds 0 -openings file=book.epd | Invalid number of players, rounds, or games per round
         -games 3 -rounds 3 | Error: Exceeded -game limit! Must be less than 2
         -sprt elo0=5 elo1=0 alpha=0.1 beta=0.1 | Error; SPRT: elo0 must be less than elo1!
         -concurrency 5000 | Error: Concurrency exceeds number of CPUs. Use -force-concurrency to override.
         -tb nowhere -openings file=book.epd | \
         Error: Failed to load Syzygy tablebases from the following directories: nowhere",
    ) {
        let line = format!("{two} {line}");
        let output = front(folder.path(), &line).output().unwrap();
        assert_eq!((stdout(&output).trim_end(), exit(&output)), (&*message, 1), "{line}");
    }
}

/// The event file that a command amounts to.
fn printed(mut command: Command) -> String {
    let output = command.arg("--print-config").output().unwrap();
    assert!(output.status.success(), "{}", words(&output));
    stdout(&output)
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
        let line = format!("{}-openings file=book.epd {words}", engines());
        printed(front(folder.path(), &line));
    }
}

#[test]
fn the_version_begins_with_the_number_that_callers_compare_and_says_who_this_is() {
    let folder = folder();
    for word in ["-version", "--version", "-v"] {
        let output = front(folder.path(), word).output().unwrap();
        let said = stdout(&output);
        let begins = "fastchess-compatible 1.8.2 (arbiter960 ";
        assert!(said.starts_with(begins), "{said}");
        assert_eq!((exit(&output), said.lines().count()), (0, 1));
    }
    // As OpenBench's client asks a program that is a link.
    ends(0, arbiter960().arg("install-fronts").arg(folder.path()));
    let link = folder.path().join("fastchess-ob");
    ends(1, Command::new(&link).arg("version"));
    let asked = Command::new(link).arg("--version").output().unwrap();
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
    // Nobody reads beyond an empty line.
    let (before, _) = said.split_once("\nFinished match\n").unwrap();
    assert!(!before.contains("\n\n"), "{said}");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let pgn = read("out.pgn");
    assert_eq!(pgn.matches("[Event \"Test\"]\n").count(), 4);
    assert_eq!(pgn.matches("[Round \"2\"]\n").count(), 2);
    assert_has(&pgn, ["\n[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppp1ppp/4p3"]);
    assert!(pgn.contains(", n="), "{pgn}");
    let mut crc = flate2::Crc::new();
    crc.update(pgn.as_bytes());
    let sum = format!("File out.pgn has CRC32: {:#x}\n", crc.sum());
    assert!(said.contains(&sum), "{sum} in {said}");
    assert_eq!(read("out.epd").lines().count(), 4);
    let stats = &json(&read("config.json"))["stats"]["A vs B"];
    let games = ["wins", "losses", "draws"].map(|key| stats[key].as_i64().unwrap());
    assert_eq!(games.iter().sum::<i64>(), 4);
    // A complete event leaves no store.
    let mut files = fs::read_dir(folder.path()).unwrap().flatten();
    assert!(!files.any(|file| file.file_name().to_string_lossy().ends_with(".arbiter960")));
}

/// What a run of an event file in a folder would play.
fn planned(folder: &Path, text: &str) -> String {
    fs::write(folder.join("event.toml"), text).unwrap();
    let mut dry = arbiter960();
    dry.args(["run", "event.toml", "--dry-run"]);
    ends(0, dry.current_dir(folder))
}

#[test]
fn the_event_file_that_is_printed_is_one() {
    let folder = folder();
    let line = format!(
        "{}-openings file=book.pgn format=pgn order=random plies=3 start=2 -srand 7 -rounds 4 -repeat \
         -sprt elo0=0 elo1=4 alpha=0.05 beta=0.05",
        engines()
    );
    let text = printed(front(folder.path(), &line));
    assert_has(&planned(folder.path(), &text), ["4 pairs, 8 games, seed 7"]);
}

#[test]
fn what_is_printed_of_a_file_and_of_a_line_is_an_event_file() {
    let folder = folder();
    let line = format!("{}-rounds 1 -maxmoves 3 -recover", engines());
    ends(0, &mut front(folder.path(), &line));
    let printed = |command: Command| {
        let text = printed(command);
        planned(folder.path(), &text);
        text
    };
    let line = format!("{}-rounds 3 -openings file=book.epd -wait 5", engines());
    let text = printed(front(folder.path(), &line));
    assert!(text.contains("\npause = 0.005\n"), "{text}");
    let text = printed(front(folder.path(), "-config file=config.json"));
    let mut import = arbiter960();
    import.args(["import", "config.json"]).current_dir(&folder);
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
    let place = |name: &str| said.find(&format!("doesn't have option {name}")).unwrap();
    assert!(place("Zeta") < place("Alpha"), "{said}");
}
