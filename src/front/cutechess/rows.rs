//! Every option of cutechess-cli, once: its name, its words, and what it sets.

use std::path::Path;

use super::engines::{self, CutechessEngine};
use crate::event::{SeriesOpening, SeriesOrder};
use crate::front::common::command_line::{Given, INDEXING, OptionRefusal, numbers, split, values};
use crate::front::common::settings::{Cutechess, Kind, Order, Settings, WordChoice};

/// A command line while it is being read.
pub(super) struct CutechessReading {
    pub(super) settings: Settings,
    pub(super) own: Cutechess,
    pub(super) players: Vec<CutechessEngine>,
    /// The words of `-each`.
    pub(super) each: Vec<String>,
    pub(super) notes: String,
}

/// The words of an option, and what becomes of them.
#[derive(Clone, Copy)]
enum RowWords {
    /// None: this becomes true.
    Flag(fn(&mut Settings) -> &mut bool),
    /// A whole number, at least this.
    Whole(i32, fn(&mut CutechessReading) -> &mut i32),
    Natural(i32, fn(&mut CutechessReading) -> &mut u32),
    /// One text.
    Text(fn(&mut Settings) -> &mut String),
    /// One word.
    Word(fn(&mut CutechessReading, &str) -> Result<(), OptionRefusal>),
    /// Words, at least and at most so many.
    Words(
        usize,
        usize,
        fn(&mut CutechessReading, &Given) -> Result<(), OptionRefusal>,
    ),
}
use RowWords::{Flag, Natural, Text, Whole, Word, Words};

/// No maximum number of words.
const UNLIMITED: usize = usize::MAX;

/// In the order in which cutechess-cli takes them.
const ROWS: [(&str, RowWords); 31] = [
    ("-srand", Words(1, 1, seed)),
    ("-tournament", Word(tournament)),
    ("-engine", Words(1, UNLIMITED, engine)),
    ("-each", Words(1, UNLIMITED, each)),
    ("-variant", Word(variant)),
    (
        "-concurrency",
        Whole(1, |all| &mut all.settings.concurrency),
    ),
    ("-draw", Words(0, UNLIMITED, draw)),
    ("-resign", Words(0, UNLIMITED, resign)),
    (
        "-maxmoves",
        Whole(0, |all| &mut all.settings.maxmoves.move_count),
    ),
    ("-tb", Word(tablebases)),
    (
        "-tbpieces",
        Whole(3, |all| &mut all.settings.tb_adjudication.max_pieces),
    ),
    (
        "-tbignore50",
        Flag(|all| &mut all.tb_adjudication.ignore_50_move_rule),
    ),
    ("-event", Text(|all| &mut all.pgn.event_name)),
    ("-games", Natural(1, |all| &mut all.own.series.games)),
    ("-rounds", Words(1, 1, rounds)),
    ("-sprt", Words(0, UNLIMITED, sprt)),
    // With a negative interval nothing is ever printed.
    (
        "-ratinginterval",
        Whole(i32::MIN, |all| &mut all.settings.ratinginterval),
    ),
    (
        "-outcomeinterval",
        Whole(i32::MIN, |all| &mut all.own.outcomes),
    ),
    ("-resultformat", Word(|_, _| Ok(()))),
    ("-debug", Words(0, 1, debug)),
    ("-openings", Words(0, UNLIMITED, openings)),
    ("-bookmode", Words(0, UNLIMITED, book_mode)),
    ("-pgnout", Words(1, 3, pgn_out)),
    ("-epdout", Text(|all| &mut all.epd.file)),
    ("-repeat", Words(0, 1, repeat)),
    ("-noswap", Flag(|all| &mut all.noswap)),
    ("-reverse", Flag(|all| &mut all.reverse)),
    ("-recover", Flag(|all| &mut all.recover)),
    ("-site", Text(|all| &mut all.pgn.site)),
    ("-wait", Natural(0, |all| &mut all.settings.wait)),
    ("-seeds", Whole(0, |all| &mut all.settings.gauntlet_seeds)),
];

/// The warning for words that have no meaning.
fn invalid(given: &Given) -> String {
    let (name, words) = (given.name, given.words.join(" "));
    if words.is_empty() {
        return format!("Empty value for option \"{name}\"");
    }
    format!("Invalid value for option \"{name}\": \"{words}\"")
}

/// Whether a word is a value: a word that begins with a dash is an option, unless it is a number.
fn is_value(word: &str) -> bool {
    word.len() < 2 || !word.starts_with('-') || word.parse::<f64>().is_ok()
}

/// RowWords in all options of a command line, in the order of the rows.
///
/// # Errors
/// The lines that cutechess-cli prints.
pub(super) fn take_all(
    reading: &mut CutechessReading,
    words: &[String],
) -> Result<(), Vec<String>> {
    let (given, wrong) = split(words, ROWS.iter().map(|(name, _)| *name), is_value);
    for (at, option) in given.iter().enumerate() {
        let again = given[..at].iter().any(|other| other.name == option.name);
        if again && option.name != "-engine" {
            return Err(vec![format!(
                "Multiple instances of option \"{}\"",
                option.name
            )]);
        }
        check_count(option)?;
    }
    if let Some(wrong) = wrong {
        return Err(vec![format!("Unknown option: \"{wrong}\"")]);
    }
    for (name, takes) in ROWS {
        for option in given.iter().filter(|given| given.name == name) {
            take(reading, takes, option).map_err(|why| match why {
                Some(why) if name == "-tournament" => vec![why],
                why => why.into_iter().chain([invalid(option)]).collect(),
            })?;
        }
    }
    Ok(())
}

fn check_count(given: &Given) -> Result<(), Vec<String>> {
    let row = ROWS.iter().find(|(name, _)| *name == given.name);
    let (fewest, most) = match row.map(|(_, takes)| *takes) {
        None | Some(Flag(_)) => (0, 0),
        Some(Words(fewest, most, _)) => (fewest, most),
        Some(_) => (1, 1),
    };
    let (name, count) = (given.name, given.words.len());
    if count < fewest {
        let least = if most == fewest { "" } else { "at least " };
        return Err(vec![format!(
            "Option \"{name}\" needs {least}{fewest} argument(s)"
        )]);
    }
    if count > most {
        return Err(vec![format!("Too many arguments for option \"{name}\"")]);
    }
    Ok(())
}

fn take(
    reading: &mut CutechessReading,
    takes: RowWords,
    given: &Given,
) -> Result<(), OptionRefusal> {
    match takes {
        Flag(place) => *place(&mut reading.settings) = true,
        Whole(least, place) => *place(reading) = number(given, least)?,
        Natural(least, place) => *place(reading) = number(given, least)?.unsigned_abs(),
        Text(place) => *place(&mut reading.settings) = given.words.concat(),
        Word(set) => set(reading, &given.words.concat())?,
        Words(_, _, set) => set(reading, given)?,
    }
    Ok(())
}

/// The whole number of an option, at least `least`; of larger numbers the lower half counts, as in cutechess-cli.
fn number(given: &Given, least: i32) -> Result<i32, OptionRefusal> {
    let number = given.words.concat().trim().parse::<i64>();
    let number = number.map_err(|_| None)? as i32;
    (number >= least).then_some(number).ok_or(None)
}

/// The random generator of cutechess-cli has 32 bits.
fn seed(reading: &mut CutechessReading, given: &Given) -> Result<(), OptionRefusal> {
    let number = given.words.concat().trim().parse::<u64>();
    reading.settings.seed = number.map_err(|_| None)? & u64::from(u32::MAX);
    Ok(())
}

fn tournament(reading: &mut CutechessReading, word: &str) -> Result<(), OptionRefusal> {
    match word {
        "round-robin" => {}
        "gauntlet" => reading.settings.kind = Kind::Gauntlet,
        "pyramid" => reading.own.series.order = SeriesOrder::Pyramid,
        "knockout" => reading.own.knockout = true,
        _ => return Err(Some(format!("Invalid tournament type: {word}"))),
    }
    Ok(())
}

fn engine(reading: &mut CutechessReading, given: &Given) -> Result<(), OptionRefusal> {
    let mut player = CutechessEngine::default();
    engines::take(&mut player, &given.words)?;
    reading.players.push(player);
    Ok(())
}

fn each(reading: &mut CutechessReading, given: &Given) -> Result<(), OptionRefusal> {
    reading.each.clone_from(&given.words);
    Ok(())
}

fn variant(reading: &mut CutechessReading, word: &str) -> Result<(), OptionRefusal> {
    reading.settings.variant.set(word).ok_or(None)
}

fn draw(reading: &mut CutechessReading, given: &Given) -> Result<(), OptionRefusal> {
    let values = numbers(values(given, ["movenumber", "movecount", "score"])?)?;
    let [number, count, score]: [i32; 3] = values;
    let draw = &mut reading.settings.draw;
    draw.enabled = true;
    draw.move_number = number.max(0).unsigned_abs();
    (draw.move_count, draw.score) = (count, score);
    Ok(())
}

fn resign(reading: &mut CutechessReading, given: &Given) -> Result<(), OptionRefusal> {
    let [count, score, twosided] = values(given, ["movecount", "score", "twosided=false"])?;
    let [count, score] = numbers([count, score])?;
    let resign = &mut reading.settings.resign;
    (resign.enabled, resign.twosided) = (true, twosided == "true");
    (resign.move_count, resign.score) = (count, score);
    Ok(())
}

fn tablebases(reading: &mut CutechessReading, word: &str) -> Result<(), OptionRefusal> {
    if !Path::new(word).is_dir() && !word.contains([':', ';']) {
        return Err(Some("Could not load Syzygy tablebases".to_owned()));
    }
    let tables = &mut reading.settings.tb_adjudication;
    tables.enabled = true;
    word.clone_into(&mut tables.syzygy_dirs);
    Ok(())
}

fn rounds(reading: &mut CutechessReading, given: &Given) -> Result<(), OptionRefusal> {
    if reading.own.knockout {
        let words = "Tournament \"knockout\" does not support user-defined round multipliers";
        return Err(Some(words.to_owned()));
    }
    reading.own.meetings = number(given, 1)?.unsigned_abs();
    Ok(())
}

fn sprt(reading: &mut CutechessReading, given: &Given) -> Result<(), OptionRefusal> {
    let values = values(given, ["elo0", "elo1", "alpha", "beta"])?;
    let sprt = &mut reading.settings.sprt;
    [sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta] = numbers(values)?;
    sprt.enabled = true;
    "bayesian".clone_into(&mut sprt.model);
    Ok(())
}

/// cutechess-cli 1.5.1 takes a value, and tuners give none.
fn debug(reading: &mut CutechessReading, given: &Given) -> Result<(), OptionRefusal> {
    reading.own.prints_dialogue = true;
    let known = matches!(given.words.concat().as_str(), "" | "all");
    known.then_some(()).ok_or(None)
}

/// A book is always read as a whole.
fn book_mode(_: &mut CutechessReading, given: &Given) -> Result<(), OptionRefusal> {
    let known = matches!(given.words.concat().as_str(), "ram" | "disk");
    known.then_some(()).ok_or(None)
}

fn openings(reading: &mut CutechessReading, given: &Given) -> Result<(), OptionRefusal> {
    let keys = [
        "file",
        "format=pgn",
        "order=sequential",
        "plies=1024",
        "start=1",
        "policy=default",
    ];
    let [file, format, order, plies, start, policy] = values(given, keys)?;
    let opening = &mut reading.settings.opening;
    let known = opening.format.set(&format);
    known.ok_or_else(|| Some(format!("Invalid opening suite format: \"{format}\"")))?;
    let known = opening.order.set(&order);
    known.ok_or_else(|| Some(format!("Invalid opening selection order: \"{order}\"")))?;
    reading.own.series.opening = match policy.as_str() {
        "default" => SeriesOpening::Games(1),
        "encounter" => SeriesOpening::Series,
        "round" => SeriesOpening::Round,
        _ => return Err(Some(format!("Invalid opening shift policy: \"{policy}\""))),
    };
    [opening.plies, opening.start] = numbers([plies, start])?;
    if opening.plies.min(opening.start) < 1 {
        return Err(None);
    }
    if opening.order == Order::Random {
        reading.notes += &format!("{INDEXING}\n");
    }
    if !Path::new(&file).is_file() {
        return Err(Some(format!("Can't open opening suite {file}")));
    }
    opening.file = file;
    Ok(())
}

fn pgn_out(reading: &mut CutechessReading, given: &Given) -> Result<(), OptionRefusal> {
    let pgn = &mut reading.settings.pgn;
    pgn.file.clone_from(&given.words[0]);
    let modes = &given.words[1..];
    pgn.min = modes.iter().any(|mode| mode == "min");
    // Games without a result are never written, as after `fi`.
    let is_known = |mode: &String| matches!(mode.as_str(), "min" | "fi");
    modes.iter().all(is_known).then_some(()).ok_or(None)
}

/// The number of games from an opening. A number that does not fit causes only a warning.
fn repeat(reading: &mut CutechessReading, given: &Given) -> Result<(), OptionRefusal> {
    let repetitions = if given.words.is_empty() {
        2
    } else {
        number(given, 1)?.unsigned_abs()
    };
    let series = &mut reading.own.series;
    // `-openings` was read before; its other policies take no notice of the number.
    if let SeriesOpening::Games(repeated) = &mut series.opening {
        *repeated = repetitions;
    }
    let games = series.games;
    if !games.is_multiple_of(repetitions) {
        let words = format!("{repetitions} opening repetitions vs {games} games per encounter");
        reading.settings.unwritten.warnings.push(words);
    }
    Ok(())
}
