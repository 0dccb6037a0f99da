//! The value of each option of cutechess-cli.

use std::path::Path;

use super::engines::{self, CutechessEngine};
use super::qt;
use crate::event::{SeriesOpening, SeriesOrder};
use crate::front::common::command_line::Given;
use crate::front::common::settings::{BookFormat, Cutechess, Kind, Order, Settings, Variant};
use crate::front::common::text::INDEXING;

/// A command line while it is being read.
pub(super) struct CutechessReading<'a> {
    pub(super) settings: Settings,
    pub(super) own: Cutechess,
    pub(super) players: Vec<CutechessEngine>,
    /// The words of `-each`.
    pub(super) each: Vec<String>,
    /// `-resultformat help`.
    pub(super) asks_for_formats: bool,
    /// Prints a line at once, before an error in another option.
    pub(super) say: &'a mut dyn FnMut(&str),
}

/// Text printed before the line that names the option with its value; often empty.
type Wrong = Vec<String>;

/// The whole number of an option, at least `least`.
fn number<T: TryFrom<i32>>(option: &Given, least: i32) -> Result<T, Wrong> {
    let value = qt::signed(&option.words.join(" ")).filter(|value| *value >= least);
    let fitting = value.and_then(|value| T::try_from(value).ok());
    fitting.ok_or_else(Wrong::new)
}

/// The whole number of an option that takes none below 0.
fn natural(option: &Given) -> Result<u32, Wrong> {
    qt::unsigned(&option.words.join(" ")).ok_or_else(Wrong::new)
}

fn one(text: String) -> Wrong {
    vec![text]
}

/// Takes in an option.
///
/// # Errors
/// The warnings that cutechess-cli prints before it names the option.
pub(super) fn take(reading: &mut CutechessReading, option: &Given) -> Result<(), Wrong> {
    let word = option.words.join(" ");
    let CutechessReading { settings, own, .. } = reading;
    // With a negative interval nothing is ever printed.
    let interval = || number::<i32>(option, 0).unwrap_or(0);
    match option.name {
        "-engine" => {
            let mut player = CutechessEngine::default();
            engines::take(&mut player, &option.words).map_err(one)?;
            reading.players.push(player);
        }
        "-each" => reading.each.clone_from(&option.words),
        "-tournament" => tournament(settings, own, &word)?,
        "-games" => own.series.games = number(option, 1)?,
        "-rounds" if own.knockout => {
            let words = "Tournament \"knockout\" does not support user-defined round multipliers";
            return Err(one(words.to_owned()));
        }
        "-rounds" => own.meetings = number(option, 1)?,
        "-repeat" => repeat(settings, own, option)?,
        "-seeds" => settings.gauntlet_seeds = i32::try_from(natural(option)?).unwrap_or(i32::MAX),
        "-openings" => openings(reading, option)?,
        "-resultformat" if word == "help" => reading.asks_for_formats = true,
        "-resultformat" => {
            let text: String = word.chars().take(256).collect();
            text.trim().clone_into(&mut own.format);
        }
        "-ratinginterval" => settings.ratinginterval = interval(),
        "-outcomeinterval" => own.outcomes = u64::from(interval().unsigned_abs()),
        // cutechess-cli 1.5.1 takes a value, and tuners give none.
        "-debug" if !matches!(word.as_str(), "" | "all") => return Err(Wrong::new()),
        "-debug" => own.prints_dialogue = true,
        "-wait" => settings.wait = number::<i32>(option, 0)?.cast_unsigned(),
        // A book is always read as a whole.
        "-bookmode" if !matches!(word.as_str(), "ram" | "disk") => return Err(Wrong::new()),
        "-bookmode" => {}
        _ => rules(settings, option, &word)?,
    }
    Ok(())
}

fn tournament(settings: &mut Settings, own: &mut Cutechess, word: &str) -> Result<(), Wrong> {
    settings.kind = Kind::RoundRobin;
    match word {
        "round-robin" => {}
        "gauntlet" => settings.kind = Kind::Gauntlet,
        "pyramid" => own.series.order = SeriesOrder::Pyramid,
        "knockout" => own.knockout = true,
        _ => return Err(one(format!("Invalid tournament type: {word}"))),
    }
    Ok(())
}

/// The number of games from an opening. A number that does not fit causes only a warning.
fn repeat(settings: &mut Settings, own: &mut Cutechess, option: &Given) -> Result<(), Wrong> {
    let repetitions: u32 = match option.words.is_empty() {
        true => 2,
        false => number(option, 1)?,
    };
    let games = own.series.games;
    // `-openings` was read before; its other policies take no notice of the number.
    if let SeriesOpening::Games(repeated) = &mut own.series.opening {
        *repeated = repetitions;
    }
    if !games.is_multiple_of(repetitions) {
        let words = format!("{repetitions} opening repetitions vs {games} games per encounter");
        settings.unwritten.warnings.push(words);
    }
    Ok(())
}

/// Options for games and files.
fn rules(settings: &mut Settings, option: &Given, word: &str) -> Result<(), Wrong> {
    let tables = &mut settings.tb_adjudication;
    match option.name {
        "-srand" => settings.seed = u64::from(natural(option)?),
        "-variant" => {
            settings.variant = match word {
                "standard" => Variant::Standard,
                "fischerandom" => Variant::Chess960,
                _ => return Err(Wrong::new()),
            };
        }
        "-concurrency" => settings.concurrency = number(option, 1)?,
        "-draw" => draw(settings, option)?,
        "-resign" => resign(settings, option)?,
        "-maxmoves" => {
            settings.maxmoves.move_count = number(option, 0)?;
            settings.maxmoves.enabled = settings.maxmoves.move_count > 0;
        }
        "-tb" if !Path::new(word).is_dir() && !word.contains([':', ';']) => {
            return Err(one("Could not load Syzygy tablebases".to_owned()));
        }
        "-tb" => {
            tables.enabled = true;
            tables.syzygy_dirs = word.to_owned();
        }
        "-tbpieces" => tables.max_pieces = number(option, 3)?,
        "-tbignore50" => tables.ignore_50_move_rule = true,
        "-event" => settings.pgn.event_name = word.to_owned(),
        "-site" => settings.pgn.site = word.to_owned(),
        "-sprt" => sprt(settings, option)?,
        "-pgnout" => pgn_out(settings, option)?,
        "-epdout" => settings.epd.file = word.to_owned(),
        "-noswap" => settings.noswap = true,
        "-reverse" => settings.reverse = true,
        "-recover" => settings.recover = true,
        _ => {}
    }
    Ok(())
}

fn draw(settings: &mut Settings, option: &Given) -> Result<(), Wrong> {
    let values = option.values(["movenumber", "movecount", "score"]);
    let values = values.map_err(one)?;
    let [number, count, score] = values.map(|value| value.trim().parse::<i32>().ok());
    let (Some(number), Some(count), Some(score)) = (number, count, score) else {
        return Err(Wrong::new());
    };
    settings.draw.enabled = true;
    settings.draw.move_number = number.max(0).cast_unsigned();
    settings.draw.move_count = count;
    settings.draw.score = score;
    Ok(())
}

fn resign(settings: &mut Settings, option: &Given) -> Result<(), Wrong> {
    let values = option.values(["movecount", "score", "twosided=false"]);
    let [count, score, twosided] = values.map_err(one)?;
    let (Ok(count), Ok(score)) = (count.trim().parse(), score.trim().parse()) else {
        return Err(Wrong::new());
    };
    settings.resign.enabled = true;
    settings.resign.move_count = count;
    settings.resign.score = score;
    settings.resign.twosided = twosided == "true";
    Ok(())
}

fn sprt(settings: &mut Settings, option: &Given) -> Result<(), Wrong> {
    let values = option.values(["elo0", "elo1", "alpha", "beta"]);
    let values = values.map_err(one)?.map(|value| qt::real(&value));
    let [Some(elo0), Some(elo1), Some(alpha), Some(beta)] = values else {
        return Err(Wrong::new());
    };
    settings.sprt.enabled = true;
    settings.sprt.model = "bayesian".to_owned();
    (settings.sprt.elo0, settings.sprt.elo1) = (elo0, elo1);
    (settings.sprt.alpha, settings.sprt.beta) = (alpha, beta);
    Ok(())
}

fn openings(reading: &mut CutechessReading, option: &Given) -> Result<(), Wrong> {
    let keys = [
        "file",
        "format=pgn",
        "order=sequential",
        "plies=1024",
        "start=1",
        "policy=default",
    ];
    let [file, format, order, plies, start, policy] = option.values(keys).map_err(one)?;
    let opening = &mut reading.settings.opening;
    opening.format = match format.as_str() {
        "epd" => BookFormat::Epd,
        "pgn" => BookFormat::Pgn,
        _ => return Err(one(format!("Invalid opening suite format: \"{format}\""))),
    };
    opening.order = match order.as_str() {
        "sequential" => Order::Sequential,
        "random" => Order::Random,
        _ => return Err(one(format!("Invalid opening selection order: \"{order}\""))),
    };
    reading.own.series.opening = match policy.as_str() {
        "default" => SeriesOpening::Games(1),
        "encounter" => SeriesOpening::Series,
        "round" => SeriesOpening::Round,
        _ => return Err(one(format!("Invalid opening shift policy: \"{policy}\""))),
    };
    let positive = |text: &str| text.trim().parse::<i32>().ok().filter(|number| *number > 0);
    let (Some(plies), Some(start)) = (positive(&plies), positive(&start)) else {
        return Err(Wrong::new());
    };
    if opening.order == Order::Random {
        (reading.say)(INDEXING);
    }
    if !Path::new(&file).is_file() {
        return Err(one(format!("Can't open opening suite {file}")));
    }
    (opening.plies, opening.start, opening.file) = (plies, start, file);
    Ok(())
}

fn pgn_out(settings: &mut Settings, option: &Given) -> Result<(), Wrong> {
    let Some((file, modes)) = option.words.split_first() else {
        return Err(Wrong::new());
    };
    for mode in modes {
        match mode.as_str() {
            "min" => settings.pgn.min = true,
            // Games without a result are never written.
            "fi" => {}
            _ => return Err(Wrong::new()),
        }
    }
    settings.pgn.file.clone_from(file);
    Ok(())
}
