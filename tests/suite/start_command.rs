//! The `positions` command, as called from the command line.

use arbiter960::internal::cli::positions::{PositionsArguments, run_with};
use clap::Parser;

#[derive(Parser)]
struct Command {
    #[command(flatten)]
    arguments: PositionsArguments,
}

/// What the command prints, or its error.
fn positions(line: &[&str]) -> Result<String, String> {
    typed(line, "")
}

fn typed(line: &[&str], input: &str) -> Result<String, String> {
    printed(line, input).map(|[out, _]| out)
}

/// What the command prints for programs, and what for people.
fn printed(line: &[&str], input: &str) -> Result<[String; 2], String> {
    let line = ["positions"].iter().chain(line);
    let command = Command::try_parse_from(line).map_err(|error| error.to_string())?;
    let (mut prompts, mut out) = (Vec::new(), Vec::new());
    run_with(
        &command.arguments,
        &mut input.as_bytes(),
        &mut prompts,
        &mut out,
    )
    .map_err(|error| format!("{error:#}"))?;
    Ok([out, prompts].map(|text| String::from_utf8(text).expect("the command prints text")))
}

const STANDARD: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";

#[test]
fn one_bare_line_for_each_position() {
    assert_eq!(positions(&["518"]).as_deref(), Ok(STANDARD));
    assert_eq!(positions(&["RNBQKBNR"]).as_deref(), Ok(STANDARD));
    assert_eq!(
        positions(&["516-518", "0", "--format", "number"]).as_deref(),
        Ok("516\n517\n518\n0\n")
    );
    assert_eq!(positions(&["--all"]).unwrap().lines().count(), 960);
    assert_eq!(
        positions(&["--all", "--filter", "home"])
            .unwrap()
            .lines()
            .count(),
        18
    );
    assert_eq!(
        positions(&["all", "--variant", "CORNER"])
            .unwrap()
            .lines()
            .count(),
        360
    );
}

#[test]
fn every_format() {
    let format = |format| positions(&["0", "--format", format]).unwrap();
    let board = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w";
    assert_eq!(format("xfen"), format!("{board} KQkq - 0 1\n"));
    assert_eq!(format("shredder"), format!("{board} HFhf - 0 1\n"));
    assert_eq!(format("epd"), format!("{board} KQkq -\n"));
    assert_eq!(format("number"), "0\n");
    assert_eq!(format("backrank"), "BBQNNRKR\n");
    assert!(format("board").ends_with("1 B B Q N N R K R\n  a b c d e f g h\n\n"));
    let json: serde_json::Value = serde_json::from_str(&format("json")).unwrap();
    assert_eq!(json["number"], 0);
    assert_eq!(json["mirror"], 959);
    assert_eq!(json["shredder"], format!("{board} HFhf - 0 1"));
}

#[test]
fn any_legal_position_is_converted() {
    let fen = "rk5r/8/8/8/8/8/8/RK5R w KQkq - 3 17";
    let shredder = positions(&[fen, "--format", "shredder"]);
    assert_eq!(
        shredder.as_deref(),
        Ok("rk5r/8/8/8/8/8/8/RK5R w HAha - 3 17\n")
    );
    let unquoted: Vec<&str> = fen
        .split(' ')
        .chain(["518", "--format", "shredder"])
        .collect();
    let both = positions(&unquoted).unwrap();
    assert!(
        both.starts_with(&shredder.unwrap()) && both.lines().count() == 2,
        "{both}"
    );
    let mirrored = positions(&[fen, "--mirror"]);
    assert_eq!(
        mirrored.as_deref(),
        Ok("r5kr/8/8/8/8/8/8/R5KR w KQkq - 3 17\n")
    );
    let error = positions(&[fen, "--format", "number"]).unwrap_err();
    assert!(
        error.contains("is no start of chess960, so it has no number"),
        "{error}"
    );
    let dfrc = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let error = positions(&[dfrc, "--format", "number"]).unwrap_err();
    assert!(
        error.contains("but start 497280 of dfrc: --variant dfrc"),
        "{error}"
    );
    let number = positions(&[dfrc, "--format", "backrank", "--variant", "dfrc"]);
    assert_eq!(number.as_deref(), Ok("RNBQKBNR/BBQNNRKR\n"));
}

#[test]
fn dice_samples_and_mirrors() {
    for dice in [
        &["2", "3", "3", "2", "3"][..],
        &["2", "3", "3", "4", "2"],
        &["5", "2", "6", "3", "3", "4", "2"],
    ] {
        let line = [&["--format", "number", "--dice"], dice].concat();
        assert_eq!(positions(&line).as_deref(), Ok("518\n"));
    }
    for throws in [
        &["3", "3", "3", "3"][..],
        &["H", "T", "T", "H", "T", "T", "T", "T", "T", "T"],
        &["AS", "10h"],
    ] {
        let line = [&["--format", "number", "--throws"], throws].concat();
        let number = positions(&line).unwrap().trim().parse::<u32>().unwrap();
        assert!(number < 960);
    }
    assert!(
        positions(&["--throws", "H", "1"])
            .unwrap_err()
            .contains("cannot be mixed")
    );
    assert!(
        positions(&["--throws", "6", "6", "6"])
            .unwrap_err()
            .contains("one more")
    );
    let sample = |count| positions(&["--sample", count, "--seed", "7"]).unwrap();
    assert_eq!(sample("50").lines().count(), 50);
    assert!(sample("50").starts_with(&sample("20")));
    let out_of_few = positions(&["3-5", "4", "--sample", "3", "--format", "number"]).unwrap();
    let mut numbers: Vec<&str> = out_of_few.lines().collect();
    numbers.sort_unstable();
    assert_eq!(numbers, ["3", "4", "5"]);
    assert_eq!(
        positions(&["518", "--mirror", "--format", "backrank"]).as_deref(),
        Ok("RNBKQBNR\n")
    );
}

#[test]
fn a_seed_that_was_drawn_is_printed_and_draws_the_same_again() {
    let [starts, said] = printed(&["--sample", "20"], "").unwrap();
    let (_, seed) = said.trim().split_once("--seed ").expect("the seed");
    let (seed, _) = seed.split_once(' ').expect("words after it");
    let again = printed(&["--sample", "20", "--seed", seed], "").unwrap();
    assert_eq!(again, [starts.clone(), String::new()]);
    assert_ne!(positions(&["--sample", "20"]), Ok(starts));
}

#[test]
fn a_draw_is_not_foretold() {
    let draw = |line: &[&str]| positions(&[line, &["--format", "number"]].concat());
    let drawn = draw(&["--draw=40"]).unwrap();
    assert_eq!(drawn.lines().count(), 40);
    // Two draws of 40 out of 960 agree once in 10^75 times.
    assert_ne!(draw(&["--draw=40"]).unwrap(), drawn);
    assert_eq!(draw(&["7", "--draw"]).as_deref(), Ok("7\n"));
    assert_eq!(
        draw(&["--draw", "--variant", "dfrc"])
            .unwrap()
            .lines()
            .count(),
        1
    );
    assert!(draw(&["--draw", "--seed", "7"]).is_err());
}

#[test]
fn numbers_as_clocks_show_them() {
    let shown = |line: &[&str]| positions(&[line, &["--format", "dgt"]].concat());
    assert_eq!(
        shown(&["0", "1", "518", "959"]).as_deref(),
        Ok("960\n1\n518\n959\n")
    );
    let error = shown(&["0", "--variant", "dfrc"]).unwrap_err();
    assert!(error.contains("chess960 alone"), "{error}");
}

#[test]
fn placing_by_turns() {
    let number = typed(&["--place", "--format", "number"], "Qd\nNb\nBc\nNg\nBf\n");
    assert_eq!(number.as_deref(), Ok("518\n"));
    let error = typed(&["--place"], "Qd\n").unwrap_err();
    assert_eq!(error, "the placing was given up at ...Q....");
}

#[test]
fn errors_say_what_to_write() {
    for (line, message) in [
        (
            &["960"][..],
            "chess960 has no start number 960: they are 0-959",
        ),
        (&["9-3"], "write the smaller number first"),
        (&[], "which positions?"),
        (&["518", "--all"], "cannot be used with"),
        (
            &["--sample", "961"],
            "961 different starts were asked for, but there are 960",
        ),
        (&["--dice", "2", "3"], "5 values required"),
        (
            &["--dice", "2", "3", "3", "2", "3", "--variant", "dfrc"],
            "not of dfrc",
        ),
        (
            &["--variant", "chess961"],
            "possible values: standard, chess960",
        ),
        (
            &["518", "--variant", "standard", "--mirror"],
            "mirror of a standard start",
        ),
        (&["8/8/8/8/8/8/8/8 w - - 0 1"], "is not a position"),
    ] {
        let error = positions(line).unwrap_err();
        assert!(error.contains(message), "{line:?}: {error}");
    }
}
