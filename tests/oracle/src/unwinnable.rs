//! The complete search for a mate, on a file of positions whose answers are known: that of
//! M. Ambrona's Chess Unwinnability Analyzer, `tests/test-vector.txt` of its repository.
//!
//! Each line is two characters (`W` or `-`: White can mate or not; `B` or `-`: Black) and a FEN.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use arbiter960_chess::{Color, Move, Position, Winnability};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position as _};

/// The results for the sides of all positions.
#[derive(Default)]
struct Tally {
    winnable: u32,
    unwinnable: u32,
    undecided: u32,
    /// Proved at once, without a search, among the unwinnable ones.
    quick: u32,
    /// Positions that neither side can win, and those that are found to be that.
    dead: u32,
    dead_found: u32,
    /// Lines that are no positions of a game: more pieces than pawns can have become.
    composed: u32,
    positions: u64,
    most: u32,
    slowest: Duration,
}

/// Decides every side of every line within `most` positions, and prints the figures.
pub(crate) fn decide(file: &Path, most: u32) -> anyhow::Result<()> {
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let mut tally = Tally::default();
    let begun = Instant::now();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        decide_line(line, most, &mut tally).with_context(|| line.to_owned())?;
    }
    let seconds = begun.elapsed().as_secs_f64();
    let Tally {
        winnable,
        unwinnable,
        undecided,
        quick,
        dead,
        dead_found,
        composed,
        positions,
        most: largest,
        slowest,
    } = tally;
    let sides = winnable + unwinnable + undecided;
    println!("{sides} sides: {winnable} winnable, {unwinnable} unwinnable ({quick} by quick proofs), {undecided} undecided; no wrong answer");
    println!("{composed} lines have more pieces than pawns can have become");
    println!("{dead} dead positions, {dead_found} found");
    println!("{positions} positions looked at, {largest} for one side, {seconds:.1} s, {slowest:.1?} for one side");
    Ok(())
}

fn decide_line(line: &str, most: u32, tally: &mut Tally) -> anyhow::Result<()> {
    let (expected, fen) = line.split_once(' ').context("no FEN")?;
    let fen = with_counters(fen);
    tally.composed += u32::from(Position::from_fen(&fen).is_err());
    let position = Position::from_composed_fen(&fen)?;
    let expected: Vec<bool> = expected.chars().map(|letter| letter != '-').collect();
    ensure!(expected.len() == 2, "two characters say who can win");
    let mut unwinnable = 0;
    for color in Color::ALL {
        let can = expected[color.index()];
        let quick = position.cannot_win(color);
        tally.quick += u32::from(quick);
        ensure!(!(quick && can), "{color} can mate, and a quick proof says that it cannot");
        let begun = Instant::now();
        let (answer, looked_at) = position.count_winnability(color, most);
        tally.slowest = tally.slowest.max(begun.elapsed());
        tally.positions += u64::from(looked_at);
        tally.most = tally.most.max(looked_at);
        match answer {
            Winnability::Winnable(moves) => {
                check_mate(&position, &fen, &moves, color)?;
                ensure!(can, "{color} is said to have no mate, and there is one");
                tally.winnable += 1;
            }
            Winnability::Unwinnable => {
                ensure!(!can, "{color} can mate, and a search says that it cannot");
                tally.unwinnable += 1;
                unwinnable += 1;
            }
            Winnability::Undecided => {
                println!("undecided after {looked_at}: {line} ({color})");
                tally.undecided += 1;
            }
        }
    }
    if expected == [false, false] {
        tally.dead += 1;
        tally.dead_found += u32::from(unwinnable == 2);
    }
    Ok(())
}

/// The counters that some lines leave out.
fn with_counters(fen: &str) -> String {
    let missing = ["-", "-", "0", "1"];
    let mut fields: Vec<&str> = fen.split_whitespace().collect();
    let have = fields.len().saturating_sub(2).min(missing.len());
    fields.extend(&missing[have..]);
    fields.join(" ")
}

/// Plays the moves by shakmaty's rules: they must be legal, and end with mate.
fn check_mate(start: &Position, fen: &str, moves: &[Move], winner: Color) -> anyhow::Result<()> {
    let read: Result<Chess, _> = Fen::from_ascii(fen.as_bytes())?.into_position(CastlingMode::Chess960);
    // How a composed position came about does not matter.
    let mut theirs = read
        .or_else(|error| error.ignore_too_much_material())
        .or_else(|error| error.ignore_impossible_check())?;
    let mut ours = start.clone();
    for &mv in moves {
        let text = ours.uci(mv, arbiter960_chess::UciDialect::Chess960).to_string();
        let parsed = text.parse::<UciMove>()?.to_move(&theirs);
        theirs = theirs.play(parsed?)?;
        ours.play(mv);
    }
    if !theirs.is_checkmate() || theirs.turn().is_white() == (winner == Color::White) {
        bail!("the line to mate does not mate");
    }
    Ok(())
}
