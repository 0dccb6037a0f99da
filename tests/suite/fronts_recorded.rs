//! Typical scripts, with what they print and the games they write: recorded after they were found the same
//! as with fastchess 1.8.2 (74deac23) and cutechess-cli 1.5.1 (5e84232b). `FASTCHESS` and `CUTECHESS`, if they
//! name these programs, have them compared again.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::fronts_support::{assert_same, cutechess, exit, folder, front, games, stdout};

/// An engine that plays the same moves whenever it is asked the same.
fn engine(words: &str) -> String {
    let program = assert_cmd::cargo::cargo_bin("arbiter960");
    format!("-engine cmd={} {words} ", program.display())
}

/// What a run prints but for its time, and its games but for theirs.
fn seen(folder: &Path, pgn: &str, mut command: Command) -> String {
    let output = command.output().unwrap();
    let code = exit(&output);
    let said = stdout(&output);
    let lines = said
        .lines()
        .filter(|line| !line.starts_with("Total Time: "));
    let lines: Vec<&str> = lines.collect();
    let games = games(&fs::read_to_string(folder.join(pgn)).unwrap());
    format!(
        "{}\nexit code {code}\n{}",
        lines.join("\n"),
        games.join("\n")
    )
}

/// The run by this program, compared with that of the other one if there is one.
fn recorded(line: &str, ours: fn(&Path, &str) -> Command, theirs: Option<OsString>) -> String {
    let folder = folder();
    let text = seen(
        folder.path(),
        "ours",
        ours(folder.path(), &line.replace("PGN", "ours")),
    );
    if let Some(program) = theirs {
        let mut command = Command::new(program);
        command.current_dir(folder.path());
        command.args(line.replace("PGN", "theirs").split_ascii_whitespace());
        let other = seen(folder.path(), "theirs", command);
        let [text, other] = [&text, &other].map(|text| text.lines().collect::<Vec<_>>());
        assert_same(&text, &other, line);
    }
    text
}

fn as_cutechess(words: &[&str], rest: &str) -> String {
    let engines: String = words
        .iter()
        .map(|words| engine(&format!("arg=sparring proto=uci tc=inf {words}")))
        .collect();
    recorded(
        &format!("{engines}{rest} -pgnout PGN"),
        cutechess,
        std::env::var_os("CUTECHESS"),
    )
}

fn as_fastchess(words: &[&str], rest: &str) -> String {
    let engines: String = words
        .iter()
        .map(|words| engine(&format!("args=sparring tc=inf {words}")))
        .collect();
    recorded(
        &format!("{engines}{rest} -pgnout file=PGN -config outname=PGN.json"),
        front,
        std::env::var_os("FASTCHESS"),
    )
}

const TWO: [&str; 2] = ["name=A nodes=100", "name=B nodes=40"];
const FOUR: [&str; 4] = [
    "name=A nodes=100",
    "name=B nodes=40",
    "name=C depth=1",
    "name=D nodes=70",
];

#[test]
fn cutechess_match_with_a_test() {
    insta::assert_snapshot!(as_cutechess(
        &TWO,
        "-openings file=book.pgn order=random plies=4 -srand 42 -games 2 -rounds 3 -repeat -recover \
         -maxmoves 30 -ratinginterval 2 -resign movecount=3 score=400 \
         -sprt elo0=0 elo1=10 alpha=0.05 beta=0.05",
    ));
}

#[test]
fn cutechess_round_robin_of_four() {
    insta::assert_snapshot!(as_cutechess(
        &FOUR,
        "-openings file=book.pgn plies=5 -games 2 -repeat -recover -maxmoves 25 -outcomeinterval 6 \
         -draw movenumber=10 movecount=4 score=15",
    ));
}

#[test]
fn cutechess_gauntlet_with_a_table_of_its_own() {
    insta::assert_snapshot!(as_cutechess(
        &FOUR,
        "-tournament gauntlet -seeds 2 -openings file=book.pgn policy=round -rounds 2 -recover \
         -maxmoves 20 -resultformat wide2 -event Cup -site Here",
    ));
}

#[test]
fn cutechess_pyramid_of_chess960() {
    insta::assert_snapshot!(as_cutechess(
        &FOUR[..3],
        "-tournament pyramid -variant fischerandom -openings file=frc.epd format=epd order=random \
         -srand 7 -games 2 -noswap -reverse -recover -maxmoves 15",
    ));
}

#[test]
fn fastchess_match_with_a_test() {
    insta::assert_snapshot!(as_fastchess(
        &TWO,
        "-openings file=book.epd order=random -srand 42 -rounds 3 -repeat -recover -maxmoves 30 \
         -ratinginterval 1 -resign movecount=3 score=400 -sprt elo0=0 elo1=10 alpha=0.05 beta=0.05",
    ));
}

#[test]
fn fastchess_round_robin_of_three() {
    insta::assert_snapshot!(as_fastchess(
        &FOUR[..3],
        "-openings file=book.pgn order=sequential plies=4 -rounds 2 -games 2 -recover -maxmoves 25 \
         -draw movenumber=10 movecount=4 score=15",
    ));
}

#[test]
fn fastchess_gauntlet_in_the_other_format() {
    insta::assert_snapshot!(as_fastchess(
        &FOUR[..3],
        "-tournament gauntlet -variant fischerandom -openings file=frc.epd order=random -srand 7 \
         -rounds 2 -games 1 -recover -maxmoves 15 -output format=cutechess",
    ));
}
