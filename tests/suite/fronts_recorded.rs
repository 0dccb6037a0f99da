//! Typical scripts of cutechess-cli, with what they print and the games they write: recorded after they were
//! found the same as with cutechess-cli 1.5.1 (5e84232b). `CUTECHESS`, if it names that program, has them
//! compared again.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::fronts_support::{assert_same, cutechess, exit, folder, games, sparring, stdout};

/// What a run prints, and its games without their times.
fn seen(folder: &Path, pgn: &str, mut command: Command) -> String {
    let output = command.output().unwrap();
    let code = exit(&output);
    let said = stdout(&output);
    let games = games(&fs::read_to_string(folder.join(pgn)).unwrap());
    format!("{said}exit code {code}\n{}", games.join("\n"))
}

/// A script by this program, compared with the other one if there is one.
fn recorded(words: &[&str], rest: &str) -> String {
    let engine = |words: &&str| sparring(&format!("tc=inf {words}"));
    let engines: String = words.iter().map(engine).collect();
    let line = format!("{engines}{rest} -pgnout PGN");
    let folder = folder();
    let ours = cutechess(folder.path(), &line.replace("PGN", "ours"));
    let text = seen(folder.path(), "ours", ours);
    if let Some(program) = std::env::var_os("CUTECHESS") {
        let mut theirs = Command::new(program);
        theirs.current_dir(folder.path());
        theirs.args(line.replace("PGN", "theirs").split_ascii_whitespace());
        let other = seen(folder.path(), "theirs", theirs);
        let [text, other] = [&text, &other].map(|text| text.lines().collect::<Vec<_>>());
        assert_same(&text, &other, &line);
    }
    text
}

const TWO: [&str; 2] = ["name=A nodes=100", "name=B nodes=40"];
const FOUR: [&str; 4] = [TWO[0], TWO[1], "name=C depth=1", "name=D nodes=70"];

#[test]
fn match_with_a_test() {
    insta::assert_snapshot!(recorded(
        &TWO,
        "-openings file=book.pgn order=random plies=4 -srand 42 -games 2 -rounds 3 -repeat -recover \
         -maxmoves 30 -ratinginterval 2 -resign movecount=3 score=400 \
         -sprt elo0=0 elo1=10 alpha=0.05 beta=0.05",
    ));
}

#[test]
fn round_robin_of_four() {
    insta::assert_snapshot!(recorded(
        &FOUR,
        "-openings file=book.pgn plies=5 -games 2 -repeat -recover -maxmoves 25 -outcomeinterval 6 \
         -draw movenumber=10 movecount=4 score=15",
    ));
}

#[test]
fn gauntlet_of_two_seeds() {
    insta::assert_snapshot!(recorded(
        &FOUR,
        "-tournament gauntlet -seeds 2 -openings file=book.pgn policy=round -rounds 2 -recover \
         -resign movecount=3 score=600 -maxmoves 20 -event Cup -site Here",
    ));
}

#[test]
fn pyramid_of_chess960() {
    insta::assert_snapshot!(recorded(
        &FOUR[..3],
        "-tournament pyramid -variant fischerandom -openings file=frc.epd format=epd order=random \
         -srand 7 -games 2 -noswap -reverse -recover -maxmoves 15 \
         -resign movecount=3 score=600",
    ));
}
