//! The `positions` command, as called from the command line.

use arbiter960::internal::cli::positions::{PositionsArguments, run_with};
use clap::Parser;

use super::support::{assert_has, json, table};

#[derive(Parser)]
struct Command {
    #[command(flatten)]
    arguments: PositionsArguments,
}

/// What the command prints, or its error. The words of a FEN may be an argument each.
fn positions(line: &str) -> Result<String, String> {
    typed(line, "")
}

fn typed(line: &str, input: &str) -> Result<String, String> {
    printed(
        &line.split_whitespace().collect::<Vec<_>>(),
        input.as_bytes(),
    )
    .map(|[out, _]| out)
}

/// What the command prints for programs, and what for people.
fn printed(line: &[&str], mut input: &[u8]) -> Result<[String; 2], String> {
    let line = ["positions"].iter().chain(line);
    let command = Command::try_parse_from(line).map_err(|error| error.to_string())?;
    let (mut prompts, mut out) = (Vec::new(), Vec::new());
    let run = run_with(&command.arguments, &mut input, &mut prompts, &mut out);
    run.map_err(|error| format!("{error:#}"))?;
    Ok([out, prompts].map(|text| String::from_utf8(text).expect("the command prints text")))
}

const STANDARD: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";

/// So many lines are printed.
#[track_caller]
fn assert_lines(count: usize, line: &str) {
    assert_eq!(positions(line).unwrap().lines().count(), count, "{line}");
}

#[test]
fn one_bare_line_for_each_position() {
    for line in ["518", "RNBQKBNR"] {
        assert_eq!(positions(line).as_deref(), Ok(STANDARD));
    }
    let numbers = positions("516-518 0 --format number");
    assert_eq!(numbers.as_deref(), Ok("516\n517\n518\n0\n"));
    assert_lines(960, "--all");
    assert_lines(18, "--all --filter home");
    assert_lines(360, "all --variant CORNER");
}

#[test]
fn every_format() {
    let format = |format| positions(&format!("0 --format {format}")).unwrap();
    let board = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w";
    assert_eq!(format("xfen"), format!("{board} KQkq - 0 1\n"));
    assert_eq!(format("shredder"), format!("{board} HFhf - 0 1\n"));
    assert_eq!(format("epd"), format!("{board} KQkq -\n"));
    assert_eq!(format("number"), "0\n");
    assert_eq!(format("backrank"), "BBQNNRKR\n");
    assert!(format("board").ends_with("1 B B Q N N R K R\n  a b c d e f g h\n\n"));
    let json = json(&format("json"));
    assert_eq!(json["number"], 0);
    assert_eq!(json["mirror"], 959);
    assert_eq!(json["shredder"], format!("{board} HFhf - 0 1"));
}

#[test]
fn any_legal_position_is_converted() {
    let fen = "rk5r/8/8/8/8/8/8/RK5R w KQkq - 3 17";
    let shredder = "rk5r/8/8/8/8/8/8/RK5R w HAha - 3 17\n";
    let one = |words: &[&str]| printed(words, b"").map(|[out, _]| out);
    let quoted = one(&[fen, "--format", "shredder"]);
    assert_eq!(quoted.as_deref(), Ok(shredder));
    let both = positions(&format!("{fen} 518 --format shredder")).unwrap();
    assert!(both.starts_with(shredder), "{both}");
    assert_eq!(both.lines().count(), 2, "{both}");
    let mirrored = one(&[fen, "--mirror"]);
    assert_eq!(
        mirrored.as_deref(),
        Ok("r5kr/8/8/8/8/8/8/R5KR w KQkq - 3 17\n")
    );
    let dfrc = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (fen, why) in [
        (fen, "is no start of chess960, so it has no number"),
        (dfrc, "but start 497280 of dfrc: --variant dfrc"),
    ] {
        assert_has(&one(&[fen, "--format", "number"]).unwrap_err(), [why]);
    }
    let number = one(&[dfrc, "--format", "backrank", "--variant", "dfrc"]);
    assert_eq!(number.as_deref(), Ok("RNBQKBNR/BBQNNRKR\n"));
}

#[test]
fn dice_samples_and_mirrors() {
    for dice in ["2 3 3 2 3", "2 3 3 4 2", "5 2 6 3 3 4 2"] {
        let number = positions(&format!("--format number --dice {dice}"));
        assert_eq!(number.as_deref(), Ok("518\n"));
    }
    for throws in ["3 3 3 3", "H T T H T T T T T T", "AS 10h"] {
        let number = positions(&format!("--format number --throws {throws}"));
        assert!(number.unwrap().trim().parse::<u32>().unwrap() < 960);
    }
    for (throws, why) in [("H 1", "cannot be mixed"), ("6 6 6", "one more")] {
        let error = positions(&format!("--throws {throws}")).unwrap_err();
        assert_has(&error, [why]);
    }
    let sample = |count| positions(&format!("--sample {count} --seed 7")).unwrap();
    assert_eq!(sample(50).lines().count(), 50);
    assert!(sample(50).starts_with(&sample(20)));
    let out_of_few = positions("3-5 4 --sample 3 --format number").unwrap();
    let mut numbers: Vec<&str> = out_of_few.lines().collect();
    numbers.sort_unstable();
    assert_eq!(numbers, ["3", "4", "5"]);
    let mirrored = positions("518 --mirror --format backrank");
    assert_eq!(mirrored.as_deref(), Ok("RNBKQBNR\n"));
}

#[test]
fn a_seed_that_was_drawn_is_printed_and_draws_the_same_again() {
    let [starts, said] = printed(&["--sample", "20"], b"").unwrap();
    let (_, seed) = said.trim().split_once("--seed ").expect("the seed");
    let (seed, _) = seed.split_once(' ').expect("words after it");
    let again = printed(&["--sample", "20", "--seed", seed], b"").unwrap();
    assert_eq!(again, [starts.clone(), String::new()]);
    assert_ne!(positions("--sample 20"), Ok(starts));
}

#[test]
fn a_draw_is_not_foretold() {
    let draw = |line| positions(&format!("{line} --format number"));
    let drawn = draw("--draw=40").unwrap();
    assert_eq!(drawn.lines().count(), 40);
    // Two draws of 40 out of 960 agree once in 10^75 times.
    assert_ne!(draw("--draw=40").unwrap(), drawn);
    assert_eq!(draw("7 --draw").as_deref(), Ok("7\n"));
    assert_lines(1, "--draw --variant dfrc --format number");
    assert!(draw("--draw --seed 7").is_err());
}

#[test]
fn numbers_as_clocks_show_them() {
    let shown = positions("0 1 518 959 --format dgt");
    assert_eq!(shown.as_deref(), Ok("960\n1\n518\n959\n"));
    let error = positions("0 --variant dfrc --format dgt").unwrap_err();
    assert_has(&error, ["chess960 alone"]);
}

#[test]
fn placing_by_turns() {
    let number = typed("--place --format number", "Qd\nNb\nBc\nNg\nBf\n");
    assert_eq!(number.as_deref(), Ok("518\n"));
    let error = typed("--place", "Qd\n").unwrap_err();
    assert_eq!(error, "the placing was given up at ...Q....");
}

#[test]
fn errors_say_what_to_write() {
    let errors = table(
        "
960                            | chess960 has no start number 960: they are 0-959
9-3                            | write the smaller number first
                               | which positions?
518 --all                      | cannot be used with
--sample 961                   | 961 different starts were asked for, but there are 960
--dice 2 3                     | 5 values required
--dice 2 3 3 2 3 --variant dfrc | not of dfrc
--variant chess961             | possible values: standard, chess960
518 --variant standard --mirror | mirror of a standard start
8/8/8/8/8/8/8/8 w - - 0 1      | is not a position
",
    );
    for [line, message] in errors {
        assert_has(&positions(&line).unwrap_err(), [message]);
    }
}
