//! The terminal for Northam's placing, in which two players alternate.

use std::io::{BufRead, Write};

use anyhow::{Context, bail};

use crate::chess::start::{BackRank, Placement};
use crate::chess::{Color, PieceKind};

const HELP: &str = "\
Two players fill White's first rank in turn; Black begins.
  Qd    place the queen on d (K, Q, R, B, N)
  ah    move the piece on a to h: once for each player, or to repair an impasse
  undo  take the last turn back
  quit  give up
";

/// Lets two players make a start of Chess960; the prompts go to `prompts`.
pub(super) fn place(input: &mut dyn BufRead, prompts: &mut dyn Write) -> anyhow::Result<BackRank> {
    let mut placement = Placement::default();
    let mut earlier = Vec::new();
    prompts.write_all(HELP.as_bytes())?;
    loop {
        if let Some(rank) = placement.finished() {
            writeln!(prompts, "{rank}")?;
            return Ok(rank);
        }
        prompt(&placement, prompts)?;
        let mut line = String::new();
        let end_of_input = input.read_line(&mut line)? == 0;
        if end_of_input || line.trim() == "quit" {
            bail!("the placing was given up at {placement}");
        }
        if let Err(problem) = turn(&mut placement, &mut earlier, line.trim()) {
            writeln!(prompts, "{problem}")?;
        }
    }
}

/// `abcdefgh`, the rank below it, and what the player to turn can do.
fn prompt(placement: &Placement, prompts: &mut dyn Write) -> anyhow::Result<()> {
    let player = match placement.turn() {
        Color::White => "White",
        Color::Black => "Black",
    };
    let choice = if placement.is_impasse() {
        format!("an impasse: move one piece ({})", repairs(placement))
    } else {
        let hand = placement.in_hand().into_iter();
        let hand: Vec<String> = hand.map(|kind| kind.letter().to_string()).collect();
        let option = match placement.may_move(placement.turn()) {
            true => ", or move a piece",
            false => "",
        };
        format!("place {}{option}", hand.join(" "))
    };
    write!(prompts, "\nabcdefgh\n{placement}\n{player}: {choice} > ")?;
    prompts.flush()?;
    Ok(())
}

fn repairs(placement: &Placement) -> String {
    let file = |file: usize| char::from(b'a' + file as u8);
    let moves = placement.relocations().into_iter();
    let texts = moves.map(|(from, to)| format!("{}{}", file(from), file(to)));
    texts.collect::<Vec<String>>().join(" ")
}

/// Carries out one line of input; `earlier` is what was before each turn.
fn turn(placement: &mut Placement, earlier: &mut Vec<Placement>, line: &str) -> anyhow::Result<()> {
    let before = *placement;
    if line == "undo" {
        *placement = earlier.pop().context("there is no turn to take back")?;
        return Ok(());
    }
    let characters: Vec<char> = line.chars().collect();
    let [first, to] = characters[..] else {
        bail!("`{line}` is no turn\n{HELP}")
    };
    let Some(to) = file(to) else {
        bail!("`{to}` is no file: they are a to h")
    };
    let kind = PieceKind::from_letter(first.to_ascii_uppercase());
    // A small b is the file, a capital B the bishop.
    match (file(first), kind) {
        (Some(from), _) => placement.relocate(from, to)?,
        (None, Some(kind)) => placement.place(kind, to)?,
        (None, None) => bail!("`{first}` is neither a piece (K, Q, R, B, N) nor a file (a to h)"),
    }
    earlier.push(before);
    Ok(())
}

fn file(letter: char) -> Option<usize> {
    ('a'..='h').position(|file| file == letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(lines: &str) -> (anyhow::Result<BackRank>, String) {
        let mut prompts = Vec::new();
        let result = place(&mut lines.as_bytes(), &mut prompts);
        (result, String::from_utf8(prompts).unwrap())
    }

    #[test]
    fn players_make_the_orthodox_array() {
        let (rank, prompts) = played("Qa\nad\nNb\nBc\nNg\nBg\nBf\n");
        assert_eq!(rank.unwrap(), BackRank::standard());
        assert!(prompts.contains("a piece stands on g already"), "{prompts}");
    }

    #[test]
    fn an_impasse_is_shown_with_its_repairs() {
        let (rank, prompts) = played("Qa\nRc\nBd\nNf\nNh\nBe\ncb\nundo\nquit\n");
        let problem = rank.unwrap_err().to_string();
        assert_eq!(problem, "the placing was given up at Q.RB.N.N");
        assert!(
            prompts.contains("Q.RB.N.N\nWhite: an impasse: move one piece (ab"),
            "{prompts}"
        );
        assert!(
            prompts.contains("QR.B.N.N\nBlack: place B K R, or move a piece >"),
            "{prompts}"
        );
    }
}
