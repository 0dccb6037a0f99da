//! The program in the place of fastchess: its messages, its lines and files, resume after a kill, and
//! random command lines beside fastchess itself.
//!
//! `FASTCHESS=/path/to/fastchess` has the two compared, with `ARBITER960_COMPARED_LINES` command lines
//! (4 if it is silent) from the seed `ARBITER960_COMPARED_SEED` on; without it that test says that it skips.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use arbiter960::chess::random::Random;
use tempfile::TempDir;

use super::support::{arbiter960, words};

const BOOK: &str = "\
rnbqkbnr/pppp1ppp/4p3/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2
r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3
rnbqkb1r/pppppppp/5n2/8/2P5/8/PP1PPPPP/RNBQKBNR w KQkq - hmvc 1; fmvn 2;
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2
";

const GAMES: &str = "\
[Event \"a\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n
[Event \"b\"]\n[Result \"*\"]\n\n1. d4 d5 2. c4 e6 3. Nc3 *\n
[Event \"c\"]\n[Result \"*\"]\n\n1. c4 c5 2. Nf3 Nf6 *\n";

const CHESS960: &str = "\
bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1
nrbbqknr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKNR w HBhb - 0 1
rkrnqnbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNQNBB w CAca - 0 1
";

/// A folder with books.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("book.epd", BOOK),
        ("book.pgn", GAMES),
        ("frc.epd", CHESS960),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// The front with these words, in a folder; the store goes there, too.
fn front(folder: &Path, words: &str) -> Command {
    let mut command = arbiter960();
    command.current_dir(folder).arg("fastchess");
    command
        .env("XDG_STATE_HOME", folder)
        .env_remove("ARBITER960_STORE");
    command.args(words.split_ascii_whitespace());
    command
}

/// Two engines that play the same moves whenever they are asked the same.
fn engines() -> String {
    let program = assert_cmd::cargo::cargo_bin("arbiter960");
    let engine = |name: &str, nodes: u32| {
        format!(
            "-engine cmd={} args=sparring name={name} nodes={nodes} ",
            program.display()
        )
    };
    engine("A", 120) + &engine("B", 60)
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn exit(output: &Output) -> i32 {
    output.status.code().unwrap()
}

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
        (
            "-rounds 1x",
            reading("-rounds", "1x", "Invalid numeric value: \"1x\""),
        ),
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

/// The results that count, whenever they were printed.
fn last_counts(text: &str) -> Option<String> {
    let games = text.lines().rfind(|line| line.starts_with("Games: "))?;
    let pairs = text.lines().rfind(|line| line.starts_with("Ptnml"))?;
    Some(format!("{games} {pairs}"))
}

/// Tags and moves of the games of a PGN file, sorted: what depends neither on the clock nor on a table
/// of names of openings.
fn games(pgn: &str) -> Vec<String> {
    let left_out = [
        "[Date",
        "[GameDuration",
        "[GameStartTime",
        "[GameEndTime",
        "[ECO",
        "[Opening",
    ];
    let kept = |line: &&str| !left_out.iter().any(|tag| line.starts_with(tag));
    let text: Vec<&str> = pgn.lines().filter(kept).collect();
    let text = without_times(&text.join(" "));
    let mut games: Vec<String> = text
        .split("[Event ")
        .map(|game| game.trim().to_owned())
        .collect();
    games.sort();
    games
}

/// Fails with the first line that differs.
fn assert_same(ours: &[impl AsRef<str>], theirs: &[impl AsRef<str>], what: &str) {
    for (ours, theirs) in ours.iter().zip(theirs) {
        assert_eq!(ours.as_ref(), theirs.as_ref(), "{what}");
    }
    assert_eq!(ours.len(), theirs.len(), "{what}");
}

/// The text without the times of its comments, `0.012s`, and without nodes: fastchess takes them from
/// the last line with a score, and here the last that the engine said is kept.
fn without_times(text: &str) -> String {
    let words = text.split_ascii_whitespace().map(|word| {
        let number = word.trim_end_matches([',', '}']).strip_suffix('s');
        let is_time = number.is_some_and(|number| number.parse::<f64>().is_ok());
        if word.starts_with("n=") {
            return "n=";
        }
        match is_time {
            true => word.trim_start_matches(|one: char| one.is_ascii_digit() || one == '.'),
            false => word,
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn the_same_line_goes_on_after_a_kill_and_ends_as_if_nothing_had_happened() {
    let folder = folder();
    let line = |pgn: &str| {
        format!(
            "{}-openings file=book.epd order=random -srand 3 -rounds 12 -repeat -recover -maxmoves 15 \
             -ratinginterval 1 -concurrency 2 -force-concurrency -pgnout file={pgn}",
            engines()
        )
    };
    let undisturbed = front(folder.path(), &line("whole.pgn")).output().unwrap();
    let expected = last_counts(&stdout(&undisturbed)).unwrap();
    let mut kills = 0;
    let last = loop {
        let mut command = front(folder.path(), &line("killed.pgn"));
        let mut run = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut out = BufReader::new(run.stdout.take().unwrap());
        let mut text = String::new();
        let mut finished = 0;
        while out.read_line(&mut text).unwrap() > 0 {
            let last = text.lines().next_back().unwrap_or_default();
            finished += usize::from(last.starts_with("Finished game"));
            if finished == 5 && kills < 3 {
                run.kill().unwrap();
                kills += 1;
                break;
            }
        }
        if run.wait().unwrap().success() {
            break text;
        }
    };
    assert_eq!(kills, 3);
    assert_eq!(last_counts(&last).unwrap(), expected);
    let read = |name: &str| games(&fs::read_to_string(folder.path().join(name)).unwrap());
    assert_same(
        &read("killed.pgn"),
        &read("whole.pgn"),
        "the games of both files",
    );
}

#[test]
fn a_crash_ends_the_run_unless_it_may_recover() {
    let folder = folder();
    let fake = super::robust_support::fake_engine();
    let program = assert_cmd::cargo::cargo_bin("arbiter960");
    let line = format!(
        "-engine cmd={} name=crasher args=search=exit -engine cmd={} args=sparring name=healthy \
         -each nodes=40 -rounds 2 -repeat -maxmoves 10",
        fake.display(),
        program.display()
    );
    let recovered = front(folder.path(), &format!("{line} -recover"))
        .output()
        .unwrap();
    let said = stdout(&recovered);
    assert_eq!(exit(&recovered), 0, "{}", words(&recovered));
    for expected in [
        "White disconnects}",
        "Black disconnects}",
        "Finished game 4",
        "\n  Crashed: 4\n",
    ] {
        assert!(said.contains(expected), "{expected} in {said}");
    }
    let stopped = front(folder.path(), &line).output().unwrap();
    let said = stdout(&stopped);
    assert_eq!(exit(&stopped), 1, "{}", words(&stopped));
    let sentence = "Game 1 stalled / disconnected and no recover option set for engine, stopping tournament.\n\
                    Finished game 1 (crasher vs healthy): 0-1 {White disconnects}\n";
    assert!(said.contains(sentence), "{said}");
    assert!(
        said.contains("To resume the tournament, run: ") && !said.contains("Finished game 2"),
        "{said}"
    );
}

#[test]
fn cutechess_lines_between_two_engines() {
    let folder = folder();
    let program = assert_cmd::cargo::cargo_bin("arbiter960");
    let engine = |name: &str, nodes: u32| {
        let program = program.display();
        format!("-engine cmd={program} arg=sparring name={name} nodes={nodes} ")
    };
    let line = format!(
        "{}{}-each proto=uci -openings file=book.epd format=epd order=random -srand 5 -rounds 2 -games 2 \
         -repeat -recover -maxmoves 12 -pgnout out.pgn min -draw movenumber=40 movecount=4 score=10",
        engine("A", 120),
        engine("B", 60)
    );
    let mut command = arbiter960();
    command.current_dir(folder.path()).arg("cutechess");
    command.env("XDG_STATE_HOME", folder.path());
    let output = command
        .args(line.split_ascii_whitespace())
        .output()
        .unwrap();
    let said = stdout(&output);
    assert_eq!(exit(&output), 0, "{}", words(&output));
    let begins = "Indexing opening suite...\nStarted game 1 of 4 (A vs B)\n";
    assert!(said.starts_with(begins), "{said}");
    for (game, names) in [(1, "A vs B"), (2, "B vs A"), (3, "A vs B"), (4, "B vs A")] {
        let finished = said.find(&format!("Finished game {game} ({names}): "));
        let score = said[finished.unwrap()..].lines().nth(1).unwrap();
        assert!(score.starts_with("Score of A vs B: "), "{score}");
        assert!(score.ends_with(&format!("] {game}")), "{score}");
    }
    for expected in [
        "...      A playing White: ",
        "...      White vs Black: ",
        "Elo difference: ",
        "Player: B\n   \"",
    ] {
        assert!(said.contains(expected), "{expected} in {said}");
    }
    assert!(said.ends_with("Finished match\n"), "{said}");
    let pgn = fs::read_to_string(folder.path().join("out.pgn")).unwrap();
    assert_eq!(pgn.matches("[Event \"My Tournament\"]\n").count(), 4);
    let wrong = arbiter960()
        .args(["cutechess", "-games", "x"])
        .output()
        .unwrap();
    assert_eq!(exit(&wrong), 1);
    let warning = "Warning: Invalid value for option \"-games\": \"x\"\n";
    assert_eq!(String::from_utf8_lossy(&wrong.stderr), warning);
}

#[test]
fn what_is_imported_is_an_event_file() {
    let folder = folder();
    let line = format!("{}-rounds 1 -maxmoves 3 -recover", engines());
    let played = front(folder.path(), &line).output().unwrap();
    assert!(played.status.success(), "{}", words(&played));
    fs::write(
        folder.path().join("engines.json"),
        r#"[{"name": "one", "command": "true", "protocol": "uci", "ponder": true},
            {"name": "old", "command": "true", "protocol": "xboard"}]"#,
    )
    .unwrap();
    let import = |line: &str| {
        let mut command = arbiter960();
        command.current_dir(folder.path()).arg("import");
        let output = command
            .args(line.split_ascii_whitespace())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", words(&output));
        stdout(&output)
    };
    let line = import(&format!(
        "fastchess {}-rounds 3 -openings file=book.epd -wait 5 -crc32 pgn=true",
        engines()
    ));
    assert!(line.contains("# -wait has no counterpart"), "{line}");
    assert!(line.contains("# -crc32 has no"), "{line}");
    for (name, text) in [("line", line), ("json", import("config.json"))] {
        let file = format!("{name}.toml");
        fs::write(folder.path().join(&file), text).unwrap();
        let mut dry = arbiter960();
        dry.current_dir(folder.path())
            .args(["run", &file, "--dry-run"]);
        let dry = dry.output().unwrap();
        assert!(dry.status.success(), "{name}: {}", words(&dry));
    }
    let engines = import("engines.json");
    assert!(engines.contains("[[engine]]\nname = \"one\""), "{engines}");
    assert!(engines.contains("# \"old\" is left out"), "{engines}");
}

/// A random command line of fastchess, without its output files.
fn random_line(random: &mut Random, program: &Path) -> String {
    let mut pick =
        |choices: &[&str]| choices[random.below(choices.len() as u64) as usize].to_owned();
    let mut line = String::new();
    let count = pick(&["2", "2", "2", "3"]).parse::<usize>().unwrap();
    for name in ["A", "B", "C"].iter().take(count) {
        let limit = pick(&[
            "nodes=40",
            "nodes=70",
            "depth=1",
            "nodes=100",
            "tc=inf depth=2",
        ]);
        line += &format!(
            "-engine cmd={} args=sparring name={name} {limit} ",
            program.display()
        );
    }
    let book = [
        "-openings file=book.epd format=epd order=random start=2",
        "-openings file=book.epd order=sequential start=9",
        "-openings file=book.pgn order=random plies=3",
        "-openings file=book.pgn format=pgn order=sequential",
        "-variant fischerandom -openings file=frc.epd order=random",
        "",
    ];
    line += &pick(&book);
    for options in [
        &["-rounds 1", "-rounds 2", "-rounds 4"][..],
        &[
            "-games 2",
            "-games 1",
            "-repeat",
            "-games 2 -reverse",
            "-games 1 -noswap",
        ],
        &["", "-report penta=false", "-output format=cutechess"],
        &[
            "",
            "-ratinginterval 1",
            "-ratinginterval 2",
            "-ratinginterval 0",
        ],
        &["-maxmoves 12", "-maxmoves 25", ""],
        &["", "-tournament gauntlet", "-tournament gauntlet -seeds 2"],
        &[
            "",
            "-draw movenumber=3 movecount=3 score=30",
            "-draw movecount=2 score=0",
        ],
        &[
            "",
            "-resign movecount=2 score=300",
            "-resign movecount=2 score=250 twosided=true",
        ],
        &["-recover", ""],
    ] {
        line += &format!(" {}", pick(options));
    }
    if count == 2 {
        line += &pick(&["", "", " -sprt elo0=0 elo1=100 alpha=0.4 beta=0.4"]);
    }
    let tracked = [
        "",
        "nodes=true seldepth=true",
        "min=true",
        "notation=uci",
        "notation=lan pv=true",
    ];
    format!(
        "{line} -srand {} -pgnout file=PGN {} -config outname=PGN.json",
        pick(&["1", "42", "18446744073709551615"]),
        pick(&tracked)
    )
}

/// The lines without what is said of principal variations and of time.
fn comparable(text: &str) -> Vec<&str> {
    let left_out = [
        "Warning; Bestmove does not match",
        "Warning; No info line available",
        "Info; ",
        "Position; ",
        "Moves; ",
        "Total Time: ",
    ];
    let kept = |line: &&str| !left_out.iter().any(|head| line.starts_with(head));
    text.lines().filter(kept).collect()
}

#[test]
fn random_command_lines_have_the_same_output_as_with_fastchess() {
    let Some(fastchess) = std::env::var_os("FASTCHESS") else {
        println!("SKIPPED: FASTCHESS does not name the program to compare with");
        return;
    };
    let number = |name: &str, usual: u64| {
        let given = std::env::var(name).ok();
        given.and_then(|text| text.parse().ok()).unwrap_or(usual)
    };
    let program = assert_cmd::cargo::cargo_bin("arbiter960");
    let first = number("ARBITER960_COMPARED_SEED", 960);
    for seed in first..first + number("ARBITER960_COMPARED_LINES", 4) {
        let folder = folder();
        let line = random_line(&mut Random::new(seed), &program);
        let with = |name: &str| line.replace("PGN", name);
        let ours = front(folder.path(), &with("ours")).output().unwrap();
        let theirs = Command::new(&fastchess)
            .current_dir(folder.path())
            .args(with("theirs").split_ascii_whitespace())
            .output()
            .unwrap();
        let [our_text, their_text] = [&ours, &theirs].map(stdout);
        let what = format!("seed {seed}: {line}");
        assert_same(&comparable(&our_text), &comparable(&their_text), &what);
        assert_eq!(exit(&ours), exit(&theirs), "seed {seed}: {line}");
        let read = |name: &str| games(&fs::read_to_string(folder.path().join(name)).unwrap());
        assert_same(&read("ours"), &read("theirs"), &what);
    }
}
