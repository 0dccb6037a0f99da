//! Random command lines for fastchess, run by this program and by fastchess itself.
//!
//! With `FASTCHESS=/path/to/fastchess` the two are compared, with the number of command lines that `super::study` sets;
//! otherwise the test prints that it is skipped.

use std::path::Path;

use arbiter960::chess::random::Random;

use super::fronts_support::{
    assert_same, by, compared_seeds, exit, folder, front, games, read, stdout,
};

/// What a command line takes one of, of each line.
const CHOICES: &str = "\
-rounds 1|-rounds 2|-rounds 4
-games 2|-games 1|-repeat|-games 2 -reverse|-games 1 -noswap
|-report penta=false|-output format=cutechess
|-ratinginterval 1|-ratinginterval 2|-ratinginterval 0
-maxmoves 12|-maxmoves 25|
|-tournament gauntlet|-tournament gauntlet -seeds 2
|-draw movenumber=3 movecount=3 score=30|-draw movecount=2 score=0
|-resign movecount=2 score=300|-resign movecount=2 score=250 twosided=true
-recover|";

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
        let program = program.display();
        line += &format!("-engine cmd={program} args=sparring name={name} {limit} ");
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
    for options in CHOICES.lines() {
        line += &format!(" {}", pick(&Vec::from_iter(options.split('|'))));
    }
    if count == 2 {
        line += &pick(&["", "", " -sprt elo0=0 elo1=100 alpha=0.4 beta=0.4"]);
    }
    let tracked = "|nodes=true seldepth=true|min=true|notation=uci|notation=lan pv=true";
    format!(
        "{line} -srand {} -pgnout file=PGN {} -config outname=PGN.json",
        pick(&["1", "42", "18446744073709551615"]),
        pick(&Vec::from_iter(tracked.split('|')))
    )
}

/// The lines without quoted lines of engines, which contain times, and without the run's time.
fn comparable(text: &str) -> Vec<&str> {
    let left_out = ["Info; ", "Infos; ", "Total Time: "];
    let kept = |line: &&str| !left_out.iter().any(|head| line.starts_with(head));
    text.lines().filter(kept).collect()
}

#[test]
fn random_command_lines_have_the_same_output_as_with_fastchess() {
    let Some(fastchess) = std::env::var_os("FASTCHESS") else {
        println!("SKIPPED: FASTCHESS does not name the program to compare with");
        return;
    };
    let program = super::support::program();
    for seed in compared_seeds() {
        let folder = folder();
        let line = random_line(&mut Random::new(seed), program);
        let with = |name: &str| line.replace("PGN", name);
        let ours = front(folder.path(), &with("ours")).output().unwrap();
        let theirs = by(&fastchess, &folder, &with("theirs"));
        let [our_text, their_text] = [&ours, &theirs].map(stdout);
        let what = format!("seed {seed}: {line}");
        assert_same(&comparable(&our_text), &comparable(&their_text), &what);
        assert_eq!(exit(&ours), exit(&theirs), "seed {seed}: {line}");
        let [our_pgn, their_pgn] = ["ours", "theirs"].map(|name| games(&read(&folder, name)));
        assert_same(&our_pgn, &their_pgn, &what);
    }
}
