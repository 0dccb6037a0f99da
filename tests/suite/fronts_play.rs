//! What happens while the program plays instead of fastchess: a kill, a breakdown, warnings, tables.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, SystemTime};

use super::fronts_support::{
    after_three_kills, assert_same, engines, exit, folder, front, games, last_counts, stdout,
};
use super::support::words;
use super::tablebases::tables;

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
    let killed = |attempt| format!("killed-{attempt}.pgn");
    let (last, attempt) =
        after_three_kills(|attempt| front(folder.path(), &line(&killed(attempt))));
    assert_eq!(last_counts(&last).unwrap(), expected);
    let read = |name: &str| games(&fs::read_to_string(folder.path().join(name)).unwrap());
    assert_same(
        &read(&killed(attempt)),
        &read("whole.pgn"),
        "the games of both files",
    );
}

#[test]
fn a_crash_ends_the_run_unless_it_may_recover() {
    let folder = folder();
    let fake = super::robust_support::fake_engine();
    let program = super::support::program();
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

/// A command line with the fake engine of these words against the built-in one.
fn against(words: &str) -> String {
    let fake = super::robust_support::fake_engine();
    let program = super::support::program();
    format!(
        "-engine cmd={} name=odd args={words} -engine cmd={} args=sparring name=sound \
         -each nodes=40 -recover -maxmoves 4 -games 1 -rounds 1",
        fake.display(),
        program.display()
    )
}

#[test]
fn an_engine_that_is_not_ready_after_its_move_has_stalled() {
    let folder = folder();
    let line = format!("{} -ping-ms 200", against("start=no-readyok-after-move"));
    let output = front(folder.path(), &line).output().unwrap();
    let said = stdout(&output);
    let expected = "Warning; Engine odd is not responsive\n\
                    Finished game 1 (odd vs sound): 0-1 {White's connection stalls}\n";
    assert!(said.contains(expected), "{said}");
    assert_eq!(exit(&output), 0, "{}", words(&output));
}

#[test]
fn wrong_variations_are_named_before_the_result_and_end_a_strict_run() {
    let folder = folder();
    let line = against("lies");
    let said = stdout(&front(folder.path(), &line).output().unwrap());
    let first = "Warning; Illegal PV move - move a1a1 from odd\n\
                 Info; info depth 5 score mate -1 nodes 10 pv a1a1 zzzz e9e9\n\
                 Position; startpos\nMoves; \n";
    let (warning, result) = (said.find(first), said.find("Finished game 1"));
    assert!(warning.is_some() && warning < result, "{said}");
    assert!(said.contains("\nWarning; Illegal PV move - move h8h8 from odd\n"));
    let one_line = format!("{line} -testEnv");
    let said = stdout(&front(folder.path(), &one_line).output().unwrap());
    let joined = first.trim_end_matches('\n').replace('\n', " :: ");
    assert!(said.contains(&format!("{joined}\n")), "{said}");
    let strict = front(folder.path(), &format!("{line} -strict"))
        .output()
        .unwrap();
    assert_eq!(exit(&strict), 1, "{}", words(&strict));
    let said = stdout(&strict);
    let warned = said.find(first).expect(&said) + first.len();
    let rest = &said[warned..];
    assert!(rest.contains("Tournament was interrupted."), "{said}");
    assert!(!rest.contains("Finished game 2"), "{said}");
    assert_eq!(said.matches("Warning; ").count(), 1, "{said}");
}

#[test]
fn a_line_of_a_book_that_cannot_be_read_ends_the_run_when_it_is_dealt() {
    let folder = folder();
    let book = fs::read_to_string(folder.path().join("book.epd")).unwrap();
    let bad = book.replace("r1bqkbnr/pppp1ppp/2n5", "r1bqkbnr/pppp1ppp/\u{fc}n5");
    assert_ne!(bad, book);
    fs::write(folder.path().join("book.epd"), bad).unwrap();
    let line = format!(
        "{}-rounds 3 -repeat -maxmoves 4 -openings file=book.epd",
        engines()
    );
    let reason = "Failed to set position from opening book, invalid FEN or EPD: \
                  r1bqkbnr/pppp1ppp/\\xc3\\xbcn5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3\n";
    let expected = format!(
        "Started game 3 of 6 (A vs B)\n{reason}Error while creating match: {reason}\
         Tournament was interrupted."
    );
    // The second time from its store.
    for resumes in [false, true] {
        let line = match resumes {
            true => "-config file=config.json".to_owned(),
            false => line.clone(),
        };
        let output = front(folder.path(), &line).output().unwrap();
        let said = stdout(&output);
        assert!(said.contains(&expected), "{said}");
        assert_eq!(said.contains("Finished game 2 "), !resumes, "{said}");
        assert_eq!(exit(&output), 1, "{}", words(&output));
    }
    // It is not dealt.
    let line = format!("{line} order=sequential start=3 -srand 2");
    let output = front(folder.path(), &line).output().unwrap();
    assert_eq!(exit(&output), 0, "{}", words(&output));
}

#[test]
fn a_missing_engine_is_named_when_its_first_game_begins() {
    let folder = folder();
    let line = format!("{}-rounds 3 -reverse -pgnout file=g.pgn", engines());
    let line = format!("{line} -engine cmd=./none name=none -each tc=1+1");
    let output = front(folder.path(), &line).output().unwrap();
    let said = stdout(&output);
    let why = "Fatal; none engine startup failure: \"posix_spawn failed: No such file or directory\"\n\
               Tournament was interrupted.";
    assert!(said.contains(&format!("(none vs A)\n{why}")), "{said}");
    assert_eq!(exit(&output), 1, "{}", words(&output));
    assert!(folder.path().join("g.pgn").exists());
    assert!(folder.path().join("config.json").exists());
}

#[test]
fn a_wait_of_nothing_is_a_wait_without_limit() {
    let folder = folder();
    let waits = "-startup-ms 0 -ucinewgame-ms 0 -ping-ms 0";
    let line = format!("{}{waits} -rounds 1 -maxmoves 2", engines());
    let output = front(folder.path(), &line).output().unwrap();
    assert_eq!(exit(&output), 0, "{}", stdout(&output));
    assert!(stdout(&output).contains("Finished game 2"));
}

#[test]
fn tables_end_a_game_where_fastchess_asks_them() {
    let Some(tables) = tables() else { return };
    let folder = folder();
    let book = "8/8/8/8/8/8/1k6/3K2R1 w - - 0 1\n8/8/8/8/8/4k3/8/3K2R1 w - - 3 9\n";
    fs::write(folder.path().join("ends.epd"), book).unwrap();
    let line = format!(
        "{}-openings file=ends.epd format=epd -rounds 2 -games 1 -recover -maxmoves 3 -tb {}",
        engines(),
        tables.display()
    );
    let output = front(folder.path(), &line).output().unwrap();
    let said = stdout(&output);
    assert!(
        said.contains("1-0 {White wins by adjudication: SyzygyTB}"),
        "{said}"
    );
    // A move of the rook sets no counter back: nobody asks.
    let second = said
        .lines()
        .find(|line| line.starts_with("Finished game 2"));
    assert!(
        second.is_some_and(|line| !line.contains("SyzygyTB")),
        "{said}"
    );
    let draws = format!("{line} -tbadjudicate DRAW");
    let said = stdout(&front(folder.path(), &draws).output().unwrap());
    assert!(!said.contains("SyzygyTB"), "{said}");
}

#[test]
fn a_config_of_fastchess_goes_on_with_its_counts() {
    let folder = folder();
    let line = |rounds: u32| {
        format!(
            "{}-openings file=book.epd order=random -srand 11 -rounds {rounds} -repeat -recover -maxmoves 15 \
             -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05",
            engines()
        )
    };
    let whole = stdout(&front(folder.path(), &line(5)).output().unwrap());
    let begun = front(folder.path(), &line(2)).output().unwrap();
    assert!(begun.status.success(), "{}", words(&begun));
    let path = folder.path().join("config.json");
    let mut saved: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    saved["rounds"] = 5.into();
    // fastchess has no such key.
    saved.as_object_mut().unwrap().remove("arbiter960");
    fs::write(&path, saved.to_string()).unwrap();
    let rest = front(folder.path(), "-config file=config.json")
        .output()
        .unwrap();
    let said = stdout(&rest);
    assert_eq!(exit(&rest), 0, "{}", words(&rest));
    assert_eq!(last_counts(&said), last_counts(&whole), "{said}");
    assert_eq!(said.matches("Finished game ").count(), 6, "{said}");
    assert!(said.contains("Finished game 5 ("), "{said}");
    let ratio = |text: &str| {
        let mut lines = text.lines();
        lines
            .rfind(|line| line.starts_with("LLR: "))
            .map(str::to_owned)
    };
    assert_eq!(ratio(&said), ratio(&whole));
}

#[test]
fn lines_of_engines_that_are_asked_for_stand_in_the_comments() {
    let folder = folder();
    let line = format!(
        "{}-rounds 1 -maxmoves 4 -pgnout file=g.pgn match_line=^info.depth match_line=never match_line=^best",
        engines()
    );
    let output = front(folder.path(), &line).output().unwrap();
    assert_eq!(exit(&output), 0, "{}", stdout(&output));
    let pgn = fs::read_to_string(folder.path().join("g.pgn")).unwrap();
    let comments: Vec<&str> = pgn.split('{').skip(1).collect();
    assert!(comments.len() >= 8, "{pgn}");
    for comment in comments {
        let kept: Vec<&str> = comment
            .match_indices("line=\"")
            .map(|found| {
                let (at, words) = found;
                &comment[at + words.len()..at + words.len() + 5]
            })
            .collect();
        // Without a score there was no other line than the move.
        let expected: &[&str] = match comment.starts_with('/') {
            true => &["bestm"],
            false => &["info ", "bestm"],
        };
        assert_eq!(kept, expected, "{comment}");
    }

    // For an expression that cannot be read no line is kept.
    let wrong = format!(
        "{}-rounds 1 -maxmoves 4 -pgnout file=w.pgn match_line=^(info",
        engines()
    );
    let output = front(folder.path(), &wrong).output().unwrap();
    assert_eq!(exit(&output), 0, "{}", words(&output));
    let pgn = fs::read_to_string(folder.path().join("w.pgn")).unwrap();
    assert!(
        pgn.contains("[Result ") && !pgn.contains("line=\""),
        "{pgn}"
    );
}

#[test]
fn a_test_environment_has_its_stores_elsewhere_and_removes_abandoned_ones() {
    let folder = folder();
    let stores = folder.path().join("arbiter960/test-environment");
    let line = |seed: u32| {
        format!(
            "{}-testEnv -openings file=book.epd order=random -srand {seed} -rounds 400 -repeat \
             -recover -maxmoves 15 -pgnout file=pgn/g.pgn",
            engines()
        )
    };
    let names = |folder: &Path| {
        let entries = fs::read_dir(folder).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.collect::<Vec<_>>()
    };
    let kill_after_a_game = |line: &str| {
        let mut run = front(folder.path(), line)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(run.stdout.take().unwrap()).lines();
        let mut lines = lines.map(Result::unwrap);
        assert!(lines.any(|line| line.starts_with("Finished game")));
        run.kill().unwrap();
        run.wait().unwrap();
    };
    fs::create_dir(folder.path().join("pgn")).unwrap();
    kill_after_a_game(&line(1));
    assert_eq!(names(&folder.path().join("pgn")), ["g.pgn"]);
    let [first] = names(&stores).try_into().unwrap();

    // Its owner does not come back for eight days.
    let store = fs::File::options()
        .append(true)
        .open(stores.join(&first).join("event.db"))
        .unwrap();
    let then = SystemTime::now() - Duration::from_secs(8 * 24 * 3600);
    store.set_modified(then).unwrap();
    kill_after_a_game(&line(2));
    let [second] = names(&stores).try_into().unwrap();
    assert_ne!(first, second);
}

/// A lane can finish a game before it is stopped: the lines and the files end with the same game all the same.
#[test]
fn nothing_is_written_behind_the_game_that_decides_a_test() {
    for seed in 1..=8 {
        let folder = folder();
        let line = format!(
            "{}-openings file=book.epd order=random -srand {seed} -rounds 200 -repeat -concurrency 4 -force-concurrency -maxmoves 15 \
             -pgnout file=g.pgn -epdout file=g.epd -sprt elo0=0 elo1=100 alpha=0.4 beta=0.4",
            engines()
        );
        let output = front(folder.path(), &line).output().unwrap();
        let said = stdout(&output);
        let told = said.matches("Finished game ").count();
        let read = |name| fs::read_to_string(folder.path().join(name)).expect(&said);
        assert!(told < 400, "{said}");
        assert_eq!(read("g.pgn").matches("[Event ").count(), told, "{said}");
        assert_eq!(read("g.epd").lines().count(), told, "{said}");
    }
}
