//! Random command lines for cutechess-cli, run by this program and by cutechess-cli itself.
//!
//! With `CUTECHESS=/path/to/cutechess-cli` the two are compared, with the number of command lines that `super::study`
//! sets; otherwise the test prints that it is skipped.

use std::fs;
use std::process::Output;

use arbiter960::chess::random::Random;

use super::fronts_support::{
    assert_same, by, compared_seeds, cutechess, exit, folder, games, read, sparring, stdout,
};

/// A book whose lines have EPD's counters or none: cutechess-cli does not read those of FEN.
const BOOK: &str = "\
rnbqkbnr/pppp1ppp/4p3/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - hmvc 0; fmvn 2;
r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -
rnbqkb1r/pppppppp/5n2/8/2P5/8/PP1PPPPP/RNBQKBNR w KQkq - hmvc 1; fmvn 2;
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -
";

/// What a command line takes one of.
const CHOICES: [&[&str]; 17] = [
    &["", "-rounds 1", "-rounds 2", "-rounds 3"],
    &["", "-games 1", "-games 2", "-games 3", "-games 4"],
    &["", "-repeat", "-repeat", "-repeat 3", "-repeat 4"],
    &["", "", "-noswap"],
    &["", "", "-reverse"],
    &["", "-ratinginterval 1", "-ratinginterval 3"],
    &["", "-outcomeinterval 2", "-outcomeinterval 5"],
    &["", "-tournament gauntlet -seeds 2", "-tournament gauntlet"],
    &["-maxmoves 12", "-maxmoves 25", "-maxmoves 40"],
    &["", "-draw movenumber=3 movecount=3 score=30"],
    &["", "-draw movenumber=10 movecount=2 score=8"],
    &["", "-resign movecount=2 score=300"],
    &["", "-resign movecount=2 score=250 twosided=true"],
    &["", "-recover"],
    &["", "-event Cup -site Here"],
    &["-srand 1", "-srand 42", "-srand 4294967295"],
    &["-pgnout PGN", "-pgnout PGN min", "-pgnout PGN fi"],
];

const OPENINGS: [&str; 6] = [
    "-openings file=counters.epd format=epd order=random start=2",
    "-openings file=counters.epd format=epd order=sequential start=3",
    "-openings file=book.pgn order=random plies=3",
    "-openings file=book.pgn format=pgn",
    "-variant fischerandom -openings file=frc.epd format=epd order=random",
    "",
];

/// A random command line of cutechess-cli.
fn random_line(random: &mut Random) -> String {
    let mut pick =
        |choices: &[&str]| choices[random.below(choices.len() as u64) as usize].to_owned();
    let mut line = String::new();
    let count = pick(&["2", "2", "3", "4", "5"]).parse::<usize>().unwrap();
    for name in ["A", "B", "C", "D", "E"].iter().take(count) {
        let limits = "tc=inf nodes=40|tc=inf depth=1|tc=inf nodes=100|tc=60+1 depth=2";
        let limit = pick(&Vec::from_iter(limits.split('|')));
        let name = pick(&[&format!("name={name}"), &format!("name={name}"), ""]);
        line += &sparring(&format!("{name} {limit}"));
    }
    let openings = pick(&OPENINGS);
    line += &openings;
    if !openings.is_empty() {
        line += &pick(&["", " policy=default", " policy=encounter", " policy=round"]);
    }
    let mut told = Vec::new();
    for choices in CHOICES {
        let choice = pick(choices);
        // An option may occur once.
        let option = choice.split(' ').next().unwrap_or_default().to_owned();
        if !told.contains(&option) {
            line += &format!(" {choice}");
            told.push(option);
        }
    }
    if count == 2 {
        line += &pick(&["", "", " -sprt elo0=0 elo1=100 alpha=0.4 beta=0.4"]);
    }
    if !line.contains("-tournament") {
        line += &pick(&["", " -tournament round-robin", " -tournament pyramid"]);
    }
    line + " -epdout PGN.epd"
}

/// The text to its first end: a test that the last game decides makes cutechess-cli print its end twice.
fn first_end(text: &str) -> &str {
    let end = "\nFinished match\n";
    text.find(end).map_or(text, |at| &text[..at + end.len()])
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn random_command_lines_have_the_same_output_as_with_cutechess() {
    let Some(theirs) = std::env::var_os("CUTECHESS") else {
        println!("SKIPPED: CUTECHESS does not name the program to compare with");
        return;
    };
    for seed in compared_seeds() {
        let folder = folder();
        fs::write(folder.path().join("counters.epd"), BOOK).unwrap();
        let line = random_line(&mut Random::new(seed));
        let with = |name: &str| line.replace("PGN", name);
        let ours = cutechess(folder.path(), &with("ours")).output().unwrap();
        let theirs = by(&theirs, &folder, &with("theirs"));
        let what = format!("seed {seed}: {line}");
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let [our_lines, their_lines] =
            [&ours, &theirs].map(|output| lines(first_end(&stdout(output))));
        assert_same(&our_lines, &their_lines, &what);
        assert_same(&lines(&stderr(&ours)), &lines(&stderr(&theirs)), &what);
        assert_eq!(exit(&ours), exit(&theirs), "{what}");
        let [our_pgn, their_pgn] = ["ours", "theirs"].map(|name| games(&read(&folder, name)));
        assert_same(&our_pgn, &their_pgn, &what);
        let positions = ["ours.epd", "theirs.epd"].map(|name| lines(&read(&folder, name)));
        assert_same(&positions[0], &positions[1], &what);
    }
}

/// Wrong command lines and their messages; exit code 1.
const WRONG: [&str; 38] = [
    "",
    "-games",
    "-games x",
    "-games 0",
    "-foo",
    "-recover 1",
    "-pgnout a b c d",
    "-games 1 -games 2",
    "-engine",
    "-each",
    "-engine cmd=a nodes=9 tc=inf",
    "TWO -each nodes=9",
    "TWO -each tc=inf -rounds -3",
    "TWO -each tc=inf -openings file=none.pgn",
    "TWO -each tc=inf -openings file=book.epd format=xx",
    "TWO -each tc=inf -openings file=book.epd order=xx",
    "TWO -each tc=inf -openings file=book.epd policy=xx",
    "TWO -each tc=inf -openings foo=1",
    "TWO -each tc=inf -openings",
    "TWO -each tc=inf -draw movecount=3",
    "TWO -each tc=inf -draw movecount=3 movenumber=x score=1",
    "TWO -each tc=inf -sprt elo0=1",
    "TWO -each tc=inf -tournament x",
    "TWO -each tc=inf -variant x",
    "TWO -each tc=inf -concurrency 0 -srand 1",
    "TWO -each tc=inf -wait -1 -repeat x",
    "TWO -each tc=inf -tbpieces 2",
    "TWO -each tc=inf -tb none",
    "TWO -each tc=inf -debug x",
    "TWO -each tc=inf -pgnout x y",
    "TWO -each foo=1",
    "-engine conf=foo",
    "-engine proto=xx",
    "-engine cmd=a tc=hg",
    "-engine cmd=a st=0",
    "-engine cmd=a timemargin=-1 nodes=0",
    "-engine cmd=a depth=x",
    "-engine cmd=a tscale=200",
];

#[test]
fn wrong_command_lines_have_the_same_messages_as_with_cutechess() {
    let Some(theirs) = std::env::var_os("CUTECHESS") else {
        println!("SKIPPED: CUTECHESS does not name the program to compare with");
        return;
    };
    let two = "-engine cmd=a proto=uci -engine cmd=b proto=uci";
    for wrong in WRONG {
        let folder = folder();
        let line = wrong.replace("TWO", two);
        let ours = cutechess(folder.path(), &line).output().unwrap();
        let theirs = by(&theirs, &folder, &line);
        assert_eq!(stderr(&ours), stderr(&theirs), "{line}");
        assert_eq!(stdout(&ours), stdout(&theirs), "{line}");
        assert_eq!((exit(&ours), exit(&theirs)), (1, 1), "{line}");
    }
}
