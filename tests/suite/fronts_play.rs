//! What happens while the program plays instead of fastchess: a kill, a breakdown, warnings, tables.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::fronts_resume::{killed, started, until};
use super::fronts_support::{
    after_three_kills, assert_same, engines, folder, front, games, last_counts, read, said, stdout,
};
use super::robust_support::fake_engine;
use super::support::{assert_has, assert_lacks, json, program};
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
    let undisturbed = said(0, front(folder.path(), &line("whole.pgn")));
    let expected = last_counts(&undisturbed).unwrap();
    let killed = |attempt| format!("killed-{attempt}.pgn");
    let (last, attempt) =
        after_three_kills(|attempt| front(folder.path(), &line(&killed(attempt))));
    assert_eq!(last_counts(&last).unwrap(), expected);
    let read = |name: &str| games(&read(&folder, name));
    assert_same(&read(&killed(attempt)), &read("whole.pgn"), "both files");
}

#[test]
fn a_crash_ends_the_run_unless_it_may_recover() {
    let folder = folder();
    let line = duel("name=crasher args=search=exit", "healthy") + "-rounds 2 -repeat -maxmoves 10";
    let recovered = said(0, front(folder.path(), &format!("{line} -recover")));
    let both = ["White disconnects}", "Black disconnects}"];
    assert_has(&recovered, both);
    assert_has(&recovered, ["Finished game 4", "\n  Crashed: 4\n"]);
    let said = said(1, front(folder.path(), &line));
    let sentence = "Game 1 stalled / disconnected and no recover option set for engine, stopping tournament.\n\
                    Finished game 1 (crasher vs healthy): 0-1 {White disconnects}\n";
    assert!(said.contains(sentence), "{said}");
    assert_has(&said, ["To resume the tournament, run: "]);
    assert_lacks(&said, ["Finished game 2"]);
}

/// The fake engine with these words against the built-in one of this name.
fn duel(words: &str, sound: &str) -> String {
    let fake = fake_engine();
    let [fake, program] = [&fake, program()].map(Path::display);
    format!(
        "-engine cmd={fake} {words} -engine cmd={program} args=sparring name={sound} -each nodes=40 "
    )
}

/// A command line of one game with the fake engine of these words.
fn against(words: &str) -> String {
    let engines = duel(&format!("name=odd args={words}"), "sound");
    engines + "-recover -maxmoves 4 -games 1 -rounds 1"
}

#[test]
fn an_engine_that_is_not_ready_after_its_move_has_stalled() {
    let folder = folder();
    let line = format!("{} -ping-ms 200", against("start=no-readyok-after-move"));
    let said = said(0, front(folder.path(), &line));
    let expected = "Warning; Engine odd is not responsive\n\
                    Finished game 1 (odd vs sound): 0-1 {White's connection stalls}\n";
    assert!(said.contains(expected), "{said}");
}

#[test]
fn wrong_variations_are_named_before_the_result_and_end_a_strict_run() {
    let folder = folder();
    let line = against("lies");
    let printed = |more: &str| {
        let output = front(folder.path(), &(line.clone() + more)).output();
        stdout(&output.unwrap())
    };
    let said = printed("");
    let first = "Warning; Illegal PV move - move a1a1 from odd\n\
                 Info; info depth 5 score mate -1 nodes 10 pv a1a1 zzzz e9e9\n\
                 Position; startpos\nMoves; \n";
    let (warning, result) = (said.find(first), said.find("Finished game 1"));
    assert!(warning.is_some() && warning < result, "{said}");
    assert!(said.contains("\nWarning; Illegal PV move - move h8h8 from odd\n"));
    let said = printed(" -testEnv");
    let joined = first.trim_end_matches('\n').replace('\n', " :: ");
    assert!(said.contains(&format!("{joined}\n")), "{said}");
    let said = super::fronts_support::said(1, front(folder.path(), &format!("{line} -strict")));
    let warned = said.find(first).expect(&said) + first.len();
    let rest = &said[warned..];
    assert!(rest.contains("Tournament was interrupted."), "{said}");
    assert!(!rest.contains("Finished game 2"), "{said}");
    assert_eq!(said.matches("Warning; ").count(), 1, "{said}");
}

#[test]
fn a_line_of_a_book_that_cannot_be_read_ends_the_run_when_it_is_dealt() {
    let folder = folder();
    let book = read(&folder, "book.epd");
    let bad = book.replace("r1bqkbnr/pppp1ppp/2n5", "r1bqkbnr/pppp1ppp/\u{fc}n5");
    assert_ne!(bad, book);
    fs::write(folder.path().join("book.epd"), bad).unwrap();
    let line = engines() + "-rounds 3 -repeat -maxmoves 4 -openings file=book.epd";
    let reason = "Failed to set position from opening book, invalid FEN or EPD: \
                  r1bqkbnr/pppp1ppp/\\xc3\\xbcn5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3\n";
    let expected = format!(
        "Started game 3 of 6 (A vs B)\n{reason}Error while creating match: {reason}\
         Tournament was interrupted."
    );
    // The second time from its store.
    for (line, resumes) in [(&*line, false), ("-config file=config.json", true)] {
        let said = said(1, front(folder.path(), line));
        assert!(said.contains(&expected), "{said}");
        assert_eq!(said.contains("Finished game 2 "), !resumes, "{said}");
    }
    // It is not dealt.
    let line = format!("{line} order=sequential start=3 -srand 2");
    said(0, front(folder.path(), &line));
}

#[test]
fn a_missing_engine_is_named_when_its_first_game_begins() {
    let folder = folder();
    let line = format!("{}-rounds 3 -reverse -pgnout file=g.pgn", engines());
    let line = format!("{line} -engine cmd=./none name=none -each tc=1+1");
    let said = said(1, front(folder.path(), &line));
    let why = "Fatal; none engine startup failure: \"posix_spawn failed: No such file or directory\"\n\
               Tournament was interrupted.";
    assert!(said.contains(&format!("(none vs A)\n{why}")), "{said}");
    assert!(folder.path().join("g.pgn").exists());
    assert!(folder.path().join("config.json").exists());
}

#[test]
fn a_wait_of_nothing_is_a_wait_without_limit() {
    let folder = folder();
    let waits = "-startup-ms 0 -ucinewgame-ms 0 -ping-ms 0";
    let line = format!("{}{waits} -rounds 1 -maxmoves 2", engines());
    assert_has(&said(0, front(folder.path(), &line)), ["Finished game 2"]);
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
    assert_has(&said, ["1-0 {White wins by adjudication: SyzygyTB}"]);
    // A move of the rook sets no counter back: nobody asks.
    let mut lines = said.lines();
    let second = lines.find(|line| line.starts_with("Finished game 2"));
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
    said(0, front(folder.path(), &line(2)));
    let mut saved = json(&read(&folder, "config.json"));
    saved["rounds"] = 5.into();
    // fastchess has no such key.
    saved.as_object_mut().unwrap().remove("arbiter960");
    fs::write(folder.path().join("config.json"), saved.to_string()).unwrap();
    let said = said(0, front(folder.path(), "-config file=config.json"));
    assert_eq!(last_counts(&said), last_counts(&whole), "{said}");
    assert_eq!(said.matches("Finished game ").count(), 6, "{said}");
    assert!(said.contains("Finished game 5 ("), "{said}");
    let ratio = |text: &str| {
        let line = text.lines().rfind(|line| line.starts_with("LLR: "));
        line.map(str::to_owned)
    };
    assert_eq!(ratio(&said), ratio(&whole));
}

#[test]
fn lines_of_engines_that_are_asked_for_stand_in_the_comments() {
    let folder = folder();
    let pgn_of = |rest: &str| {
        let line = format!(
            "{}-rounds 1 -maxmoves 4 -pgnout file=g.pgn append=false {rest}",
            engines()
        );
        said(0, front(folder.path(), &line));
        read(&folder, "g.pgn")
    };
    let pgn = pgn_of("match_line=^info.depth match_line=never match_line=^best");
    let comments: Vec<&str> = pgn.split('{').skip(1).collect();
    assert!(comments.len() >= 8, "{pgn}");
    for comment in comments {
        let kept = Vec::from_iter(comment.split("line=\"").skip(1).map(|kept| &kept[..5]));
        // Without a score there was no other line than the move.
        let expected: &[&str] = match comment.starts_with('/') {
            true => &["bestm"],
            false => &["info ", "bestm"],
        };
        assert_eq!(kept, expected, "{comment}");
    }

    // For an expression that cannot be read no line is kept.
    let pgn = pgn_of("match_line=^(info");
    assert_has(&pgn, ["[Result "]);
    assert_lacks(&pgn, ["line=\""]);
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
        Vec::from_iter(entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()))
    };
    let kill_after_a_game = |line: &str| {
        let mut run = started(front(folder.path(), line));
        until(&mut run, "Finished game");
        killed(run);
    };
    fs::create_dir(folder.path().join("pgn")).unwrap();
    kill_after_a_game(&line(1));
    assert_eq!(names(&folder.path().join("pgn")), ["g.pgn"]);
    let [first] = names(&stores).try_into().unwrap();

    // Its owner does not come back for eight days.
    let mut options = fs::File::options();
    let store = options
        .append(true)
        .open(stores.join(&first).join("event.db"));
    let then = SystemTime::now() - Duration::from_secs(8 * 24 * 3600);
    store.unwrap().set_modified(then).unwrap();
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
        assert!(told < 400, "{said}");
        let pgn = read(&folder, "g.pgn");
        assert_eq!(pgn.matches("[Event ").count(), told, "{said}");
        assert_eq!(read(&folder, "g.epd").lines().count(), told, "{said}");
    }
}
