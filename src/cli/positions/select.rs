//! The positions that the command line selects.

use std::io::{BufRead, Write};

use anyhow::{Context, Result, bail, ensure};

use super::PositionsArguments;
use crate::chess::start::{
    self, BackRank, Placement, StartNumber, StartRange, Variant, parse_number,
};
use crate::chess::{Color, PieceKind, Position};
use crate::cli::play::drawn_seed;
use crate::cli::seal::unguessable_seed;

/// The positions that one argument names.
pub(super) enum Selected {
    Starts(Vec<StartNumber>),
    Position(Box<Position>),
}

/// The selection of the command line, in its order; all errors in it are found here.
pub(super) fn select(
    arguments: &PositionsArguments,
    input: &mut dyn BufRead,
    prompts: &mut dyn Write,
) -> Result<Vec<Selected>> {
    let variant = arguments.variant;
    let (dice, throws) = (&arguments.dice, &arguments.throws);
    if arguments.place || !dice.is_empty() || !throws.is_empty() {
        let is_numbered = matches!(variant, Variant::Chess960 | Variant::Chess480);
        let number = if arguments.place {
            ensure!(is_numbered, "--place makes starts of chess960 and chess480");
            parse_number(variant, &place(input, prompts)?.to_string())?
        } else {
            ensure!(
                is_numbered,
                "dice make starts of chess960 and chess480, not of {variant}"
            );
            if dice.is_empty() {
                thrown(throws)?
            } else {
                start::dice(dice)?
            }
        };
        return Ok(vec![Selected::Starts(vec![number])]);
    }
    let drawn = arguments.sample.is_some() || arguments.draw.is_some();
    let everything = arguments.all || (arguments.positions.is_empty() && drawn);
    let mut selection = if everything {
        vec![Selected::Starts(variant.numbers().collect())]
    } else {
        named(arguments)?
    };
    for selected in &mut selection {
        filter(selected, arguments)?;
    }
    sample(selection, arguments, prompts)
}

/// The start of these rolls, tosses or cards.
fn thrown(words: &[String]) -> Result<StartNumber> {
    let throw = |word: &String| {
        one_throw(word)
            .with_context(|| format!("`{word}` is no roll, toss or card: 1 to 6, H or T, AS to KC"))
    };
    let throws: Vec<(u8, u8)> = words.iter().map(throw).collect::<Result<_, _>>()?;
    let (values, sides): (Vec<u8>, Vec<u8>) = throws.into_iter().unzip();
    let is_mixed = sides.windows(2).any(|two| two[0] != two[1]);
    ensure!(!is_mixed, "rolls, tosses and cards cannot be mixed");
    Ok(start::thrown(&values, sides[0])?)
}

/// Its value from 1, and how many there are.
fn one_throw(word: &str) -> Option<(u8, u8)> {
    let word = word.to_ascii_uppercase();
    let of = |list: &str, one: &str| {
        let place = list.split(' ').position(|known| known == one)?;
        u8::try_from(place + 1).ok()
    };
    if let Some(roll) = of("1 2 3 4 5 6", &word) {
        return Some((roll, 6));
    }
    if let Some(toss) = of("H T", &word) {
        return Some((toss, 2));
    }
    let (rank, suit) = word.split_at_checked(word.len().checked_sub(1)?)?;
    let rank = of("A 2 3 4 5 6 7 8 9 10 J Q K", rank)?;
    let suit = of("S H D C", suit)?;
    Some((13 * (suit - 1) + rank, 52))
}

/// The positions that the arguments name, in their order.
fn named(arguments: &PositionsArguments) -> Result<Vec<Selected>> {
    if arguments.positions.is_empty() {
        bail!(
            "which positions? Name numbers, back ranks or FENs, or give --all, --sample, --draw, --dice, --throws or --place"
        );
    }
    let texts = with_fens_joined(&arguments.positions).into_iter();
    let selected = texts.map(|text| one_argument(arguments.variant, &text));
    selected.collect()
}

/// The arguments, with the fields of a FEN that was not put in quotes joined again.
fn with_fens_joined(arguments: &[String]) -> Vec<String> {
    let mut joined = Vec::new();
    let mut rest = arguments;
    while !rest.is_empty() {
        let (text, others) = rest.split_at(fields_of_fen(rest).max(1));
        joined.push(text.join(" "));
        rest = others;
    }
    joined
}

/// How many arguments at the front are the fields of one FEN: six, or four without counters; 0 if there is no FEN.
fn fields_of_fen(arguments: &[String]) -> usize {
    let is_counter = |text: &String| text.bytes().all(|byte| byte.is_ascii_digit());
    match arguments {
        [board, side, _, _, counters @ ..]
            if board.matches('/').count() == 7 && (side == "w" || side == "b") =>
        {
            let both = counters.len() >= 2 && counters[..2].iter().all(is_counter);
            if both { 6 } else { 4 }
        }
        _ => 0,
    }
}

fn one_argument(variant: Variant, text: &str) -> Result<Selected> {
    // white/black has one slash, a board seven.
    if text.matches('/').count() < 2 && !text.contains(' ') {
        let range = StartRange::parse(variant, text)?;
        return Ok(Selected::Starts(range.numbers().collect()));
    }
    let position = variant
        .read_fen(text)
        .with_context(|| format!("`{text}` is not a position"))?;
    Ok(Selected::Position(Box::new(position)))
}

fn filter(selected: &mut Selected, arguments: &PositionsArguments) -> Result<()> {
    if arguments.filter.is_empty() {
        return Ok(());
    }
    let Selected::Starts(numbers) = selected else {
        bail!("--filter chooses among numbered starts, not FENs");
    };
    // Only numbers of the variant were selected, and those every filter can judge.
    let accepts = |number: &StartNumber| {
        let mut filters = arguments.filter.iter();
        filters.all(|filter| filter.accepts(arguments.variant, *number) == Ok(true))
    };
    numbers.retain(accepts);
    Ok(())
}

fn sample(
    selection: Vec<Selected>,
    arguments: &PositionsArguments,
    prompts: &mut dyn Write,
) -> Result<Vec<Selected>> {
    let is_repeatable = arguments.sample.is_some();
    let (count, seed) = match (arguments.sample, arguments.draw) {
        (Some(count), _) => (count, arguments.seed.unwrap_or_else(drawn_seed)),
        (None, Some(count)) => (count, unguessable_seed()?),
        (None, None) => return Ok(selection),
    };
    let mut population = Vec::new();
    for selected in selection {
        match selected {
            Selected::Starts(numbers) => population.extend(numbers),
            Selected::Position(_) => bail!("starts are drawn from numbered ones, not from FENs"),
        }
    }
    // Overlapping ranges must not draw a start twice.
    population.sort_unstable();
    population.dedup();
    let drawn = start::sample_of(&population, count, seed)?;
    if is_repeatable && arguments.seed.is_none() {
        let again = format!("--seed {seed} draws the same again");
        writeln!(prompts, "no seed is given: {seed} was drawn; {again}")?;
    }
    Ok(vec![Selected::Starts(drawn)])
}

// The terminal for Northam's placing, in which two players alternate.

const HELP: &str = "\
Two players fill White's first rank in turn; Black begins.
  Qd    place the queen on d (K, Q, R, B, N)
  ah    move the piece on a to h: once for each player, or to repair an impasse
  undo  take the last turn back
  quit  give up
";

/// Lets two players make a start of Chess960; the prompts go to `prompts`.
fn place(input: &mut dyn BufRead, prompts: &mut dyn Write) -> Result<BackRank> {
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
fn prompt(placement: &Placement, prompts: &mut dyn Write) -> Result<()> {
    let player = match placement.turn() {
        Color::White => "White",
        Color::Black => "Black",
    };
    let choice = if placement.is_impasse() {
        format!("an impasse: move one piece ({})", repairs(placement))
    } else {
        let hand = placement.in_hand().into_iter();
        let hand: Vec<String> = hand.map(|kind| kind.letter().to_string()).collect();
        let option = if placement.may_move(placement.turn()) {
            ", or move a piece"
        } else {
            ""
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
fn turn(placement: &mut Placement, earlier: &mut Vec<Placement>, line: &str) -> Result<()> {
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

    fn played(lines: &str) -> (Result<BackRank>, String) {
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
