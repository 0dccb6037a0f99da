//! The program instead of cutechess-cli.

use std::fs;
use std::path::Path;
use std::process::Output;

use super::fronts_support::{
    after_three_kills, cutechess, exit, folder, read, said, sparring, stdout, without_times,
};
use super::support::{assert_has, assert_lacks, program, table, words};

#[test]
fn cutechess_lines_between_two_engines() {
    let folder = folder();
    let line = sparring("name=A tc=inf nodes=120")
        + &sparring("name=B tc=inf nodes=60")
        + "-openings file=book.epd format=epd order=random -srand 5 -rounds 2 -games 2 -repeat -recover \
           -maxmoves 12 -pgnout out.pgn min -draw movenumber=40 movecount=4 score=10";
    let said = said(0, cutechess(folder.path(), &line));
    let begins = "Indexing opening suite...\nStarted game 1 of 4 (A vs B)\n";
    assert!(said.starts_with(begins), "{said}");
    for (game, names) in [(1, "A vs B"), (2, "B vs A"), (3, "A vs B"), (4, "B vs A")] {
        let finished = said.find(&format!("Finished game {game} ({names}): "));
        let score = said[finished.unwrap()..].lines().nth(1).unwrap();
        assert!(score.starts_with("Score of A vs B: "), "{score}");
        assert!(score.ends_with(&format!("] {game}")), "{score}");
    }
    let table = [
        "...      A playing White: ",
        "...      White vs Black: ",
        "Elo difference: ",
    ];
    assert_has(&said, table);
    assert_has(&said, ["Player: B\n   \""]);
    assert!(said.ends_with("Finished match\n"), "{said}");
    let pgn = read(&folder, "out.pgn");
    assert_eq!(pgn.matches("[Event \"?\"]\n").count(), 4);
    let wrong = cutechess(folder.path(), "-games x").output().unwrap();
    assert_eq!(exit(&wrong), 1);
    let warning = "Warning: Invalid value for option \"-games\": \"x\"\n";
    assert_eq!(String::from_utf8_lossy(&wrong.stderr), warning);
}

#[test]
fn a_knockout_is_played_to_its_winner() {
    let folder = folder();
    // Equal engines would play hundreds of games until one has won a pair.
    let engines = [("A", 3), ("B", 6), ("C", 9)]
        .map(|(name, strength)| sparring(&format!("name={name} option.Strength={strength}")));
    let line = format!(
        "{}-each tc=inf nodes=20 -tournament knockout -games 2 -openings file=book.epd format=epd \
         order=random -srand 5 -maxmoves 12 -resign movecount=1 score=1 -recover -pgnout out.pgn",
        engines.concat()
    );
    let said = said(0, cutechess(folder.path(), &line));
    let begins = "Indexing opening suite...\nStarted game 1 of 4 (";
    assert!(said.starts_with(begins), "{said}");
    assert!(said.contains("Finished game 4 ("), "{said}");
    assert!(said.ends_with("Finished match\n"), "{said}");
    let rounds = format!("{line} -rounds 2");
    let refused = cutechess(folder.path(), &rounds).output().unwrap();
    let warnings = "Warning: Tournament \"knockout\" does not support user-defined round multipliers\n\
                    Warning: Invalid value for option \"-rounds\": \"2\"\n";
    assert_eq!(String::from_utf8_lossy(&refused.stderr), warnings);
}

/// Without `format` a book is a PGN file: where it has no game, cutechess-cli plays from the start position.
#[test]
fn a_book_without_a_game_is_played_without_it() {
    let folder = folder();
    fs::write(folder.path().join("empty.pgn"), "").unwrap();
    let two = sparring("name=A") + &sparring("name=B");
    for book in ["book.epd", "empty.pgn"] {
        let rest = format!("-each tc=inf nodes=20 -games 2 -openings file={book} -maxmoves 4");
        let output = cutechess(folder.path(), &(two.clone() + &rest))
            .output()
            .unwrap();
        assert_eq!(exit(&output), 0, "{}", words(&output));
        assert_eq!(stdout(&output).matches("Finished game").count(), 2);
        assert!(output.stderr.is_empty(), "{}", words(&output));
    }
}

#[test]
fn a_line_of_a_book_that_cannot_be_read_is_played_from_the_usual_start() {
    for (line, named) in [
        ("8/8 w - -", "8/8 w - - 0 1"),
        ("no position", "no position"),
        // A castling right without a rook.
        (
            "4k3/8/8/8/8/8/8/4K2R w KQ -",
            "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1",
        ),
    ] {
        let folder = folder();
        let sound = "rnbqkbnr/pppp1ppp/4p3/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2";
        let book = format!("{line}\n{sound}\n");
        fs::write(folder.path().join("bad.epd"), book).unwrap();
        let rest = "-openings file=bad.epd format=epd -rounds 2 -games 2 -repeat -pgnout games.pgn";
        let output = played(folder.path(), "tc=hg5 depth=1", rest);
        let warnings = format!(
            "Warning: Invalid FEN string: {named}\n\
             Warning: The opening suite is incompatible with the current chess variant\n"
        );
        assert_eq!(String::from_utf8_lossy(&output.stderr), warnings);
        let pgn = read(&folder, "games.pgn");
        assert_eq!(pgn.matches("[FEN ").count(), 2, "{pgn}");
        assert_eq!(pgn.matches("[TimeControl \"hg5\"]").count(), 4, "{pgn}");
    }
}

/// What cutechess-cli says of an engine that forfeits its game against a bare king, and against a rook.
#[test]
fn a_forfeit_against_a_bare_king_is_a_draw() {
    let fake = super::robust_support::fake_engine();
    // One that is mute does not answer isready either.
    for [king, habit, limit, reason] in table(
        "4k3 | search=say:a1a1 | tc=20 | 1/2-1/2 { makes an illegal move: a1a1}
         3rk3 | search=say:a1a1 | tc=20 | 0-1 {White makes an illegal move: a1a1}
         4k3 | search=mute | tc=0.5 | 1/2-1/2 {Draw by timeout}
         3rk3 | search=mute | tc=0.5 | 0-1 {White loses on time}",
    ) {
        let folder = folder();
        let book = format!("{king}/8/8/8/8/8/PPPPPPPP/RNBQKBNR w - -\n");
        fs::write(folder.path().join("ending.epd"), book).unwrap();
        let line = format!(
            "-engine cmd={} proto=uci name=odd arg={habit} {limit} {}\
             -recover -games 1 -openings file=ending.epd format=epd",
            fake.display(),
            sparring("name=sound tc=20")
        );
        let output = cutechess(folder.path(), &line).output().unwrap();
        let expected = format!("Finished game 1 (odd vs sound): {reason}\n");
        assert!(stdout(&output).contains(&expected), "{}", words(&output));
    }
}

/// A line of four engines, which plays 24 games.
fn four_engines(pgn: &str) -> String {
    let engines = ["A nodes=100", "B nodes=40", "C depth=1", "D nodes=70"];
    let engines = engines
        .map(|words| sparring(&format!("name={words}")))
        .concat();
    format!(
        "{engines}-each proto=uci tc=inf -openings file=book.epd format=epd order=random -srand 3 \
         -games 2 -rounds 2 -repeat -recover -maxmoves 15 -concurrency 2 -pgnout {pgn}"
    )
}

/// Table, outcomes and the end.
fn end(text: &str) -> String {
    text[text.find("Rank Name").unwrap()..].to_owned()
}

#[test]
fn four_engines_go_on_after_a_kill_and_end_as_if_nothing_had_happened() {
    let folder = folder();
    let undisturbed = said(0, cutechess(folder.path(), &four_engines("whole.pgn")));
    let killed = |attempt| format!("killed-{attempt}.pgn");
    let (last, attempt) =
        after_three_kills(|attempt| cutechess(folder.path(), &four_engines(&killed(attempt))));
    assert_eq!(end(&last), end(&undisturbed));
    // In the order of the games' numbers, without what depends on the clock.
    let read = |name: &str| {
        let pgn = read(&folder, name);
        let kept = |line: &&str| !line.starts_with("[Game") && !line.starts_with("[Date");
        let text: Vec<&str> = pgn.lines().filter(kept).collect();
        without_times(&text.join(" "))
    };
    assert_eq!(read(&killed(attempt)), read("whole.pgn"));
    assert_eq!(read("whole.pgn").matches("[Event ").count(), 24);
}

/// What the front prints of a match between two engines with these words each and these for both.
fn played(folder: &Path, each: &str, rest: &str) -> Output {
    let engine = |name| sparring(&format!("name={name} {each}"));
    let line = engine("A") + &engine("B") + "-maxmoves 4 " + rest;
    let mut command = cutechess(folder, &line);
    command.env("XDG_CONFIG_HOME", folder.join("config"));
    command.output().unwrap()
}

#[test]
fn what_cutechess_plays_is_played() {
    let folder = folder();
    for [each, rest] in table(
        "tc=0/60+1 |
         tc=0/0:5+0.05 timemargin=100000 |
         tc=inf/8+x |
         tc=5 whitepov trust debug | -resign movecount=3 score=500000 -bookmode disk
         tc=inf nodes=5000000000000000 | -draw movenumber=20000 movecount=20000 score=200000
         tc=60 option.Hash=99999999 | -sprt elo0=100 elo1=0 alpha=0.05 beta=0.05",
    ) {
        let output = played(folder.path(), &format!("{each} depth=1"), &rest);
        assert_eq!(exit(&output), 0, "{each} {rest}: {}", words(&output));
        assert_has(&stdout(&output), ["Finished game 1 (A vs B)"]);
        let warnings = String::from_utf8_lossy(&output.stderr).into_owned();
        let mut warnings = warnings.lines();
        assert!(warnings.all(|line| line.contains("Invalid value for option Hash")));
    }
    let output = played(folder.path(), "tc=0/0", "");
    assert_eq!(exit(&output), 1);
    assert_has(&words(&output), ["Warning: Invalid time control: \"0/0\""]);
}

#[test]
fn an_engine_without_any_limit_ends_its_searches_itself() {
    let folder = folder();
    let fake = super::robust_support::fake_engine();
    let engine = format!("-engine cmd={} proto=uci tc=inf ", fake.display());
    let line = engine.repeat(2) + "-maxmoves 3 -debug";
    let output = cutechess(folder.path(), &line).output().unwrap();
    assert_has(&stdout(&output), ["Finished game 1 (", "go infinite"]);
}

#[test]
fn engines_are_configured_in_the_folder_of_the_user_and_their_errors_go_to_files() {
    let folder = folder();
    let settings = folder.path().join("config/cutechess");
    fs::create_dir_all(&settings).unwrap();
    let script = folder.path().join("loud.sh");
    let text = format!("echo loud >&2\nexec {} sparring", program().display());
    super::support::script(&script, &text);
    let entries = serde_json::json!([{"name": "known", "command": script, "protocol": "uci"}]);
    fs::write(settings.join("engines.json"), entries.to_string()).unwrap();
    let line = "-engine tc=5+0.1 depth=1 conf=known name=A stderr=a.txt -engine conf=known tc=5 depth=1 -maxmoves 4";
    let mut command = cutechess(folder.path(), line);
    command.env("XDG_CONFIG_HOME", folder.path().join("config"));
    assert_has(&said(0, command), ["Finished game 1 (A vs known)"]);
    let errors = read(&folder, "a.txt");
    let is_loud = !errors.is_empty() && errors.lines().all(|line| line == "loud");
    assert!(is_loud, "{errors}");
}

#[test]
fn games_have_the_names_of_their_openings() {
    let folder = folder();
    let rest = "-openings file=book.pgn format=pgn plies=5 -pgnout names.pgn";
    let output = played(folder.path(), "tc=inf depth=1", rest);
    assert_eq!(exit(&output), 0, "{}", words(&output));
    let pgn = read(&folder, "names.pgn");
    // What the engines make of these five plies has a name, and no name has a colon.
    let opening = pgn.lines().find(|line| line.starts_with("[Opening "));
    assert!(opening.is_some_and(|line| !line.contains(':')), "{pgn}");
    assert_has(&pgn, ["[ECO \"C"]);
}

#[test]
fn engines_of_the_other_protocol_play() {
    // GNU Chess overlooks a line that comes together with another.
    for name in ["phalanx", "gnuchess"] {
        if let Some(engine) = super::support::engine(name) {
            plays_by_the_other_protocol(&engine);
        }
    }
}

fn plays_by_the_other_protocol(engine: &Path) {
    let folder = folder();
    let line = format!(
        "-engine name=G cmd={} proto=xboard initstr=random {}\
         -each tc=20+0.5 depth=2 -maxmoves 6 -rounds 1 -games 2 -repeat -pgnout other.pgn \
         -openings file=book.epd format=epd",
        engine.display(),
        sparring("name=S")
    );
    let said = said(0, cutechess(folder.path(), &line));
    assert_lacks(&said, ["illegal", "disconnects", "stalls", "on time"]);
    assert!(said.contains("Finished game 2 (S vs G)"), "{said}");
    let pgn = read(&folder, "other.pgn");
    assert_eq!(pgn.matches("[Event ").count(), 2, "{pgn}");
}

#[test]
fn an_engine_with_a_book_is_asked_where_that_ends() {
    let folder = folder();
    // 1. e4, under the key of the start position.
    let key = 0x463b_9618_1691_fc9c_u64.to_be_bytes();
    let entry = [&key[..], &[0b0000_0011, 0b0001_1100, 0, 1], &[0; 4]].concat();
    fs::write(folder.path().join("own.bin"), entry).unwrap();
    let each = "tc=inf depth=1 book=own.bin bookdepth=3";
    let output = played(folder.path(), each, "-pgnout own.pgn");
    assert_eq!(exit(&output), 0, "{}", words(&output));
    let pgn = read(&folder, "own.pgn");
    let opening = pgn.lines().find(|line| line.starts_with("1. "));
    let opening = opening.unwrap_or_default();
    assert!(opening.starts_with("1. e4 {book} "), "{pgn}");
    assert_eq!(opening.matches("{book}").count(), 1, "{pgn}");
}
