//! The words that an option or a key of fastchess takes, and how they are taken in; the options that read their words
//! themselves.

use std::path::Path;

use super::saved;
use crate::front::common::command_line::{Given, KeyValue, alone, pairs, some_pairs};
use crate::front::common::event::processors;
use crate::front::common::settings::{CommandLine, EngineSettings, Settings, WordChoice};
use crate::front::common::values::{milliseconds, real, time_control, whole};

/// The result of the words that were read so far.
pub(super) struct FastchessReading {
    pub(super) line: CommandLine,
    /// The settings before `-config file=`.
    pub(super) before: Option<(Settings, Vec<EngineSettings>)>,
    pub(super) each: Option<Given>,
}

/// The words of an option or of a key, and what becomes of them.
#[derive(Clone, Copy)]
pub(super) enum Takes {
    /// None; the command line asks for this text.
    Asks(&'static str),
    /// None: this becomes true.
    Flag(fn(&mut Settings) -> &mut bool),
    /// `true` or `false`.
    Truth(fn(&mut Settings) -> &mut bool),
    /// One whole number.
    Int(fn(&mut Settings) -> &mut i32),
    /// The same; in fastchess, negative numbers wrap around to large ones.
    Wrapped(fn(&mut Settings) -> &mut u32),
    /// One whole number that is not negative.
    Score(fn(&mut Settings) -> &mut i32),
    /// One whole number that may be longer.
    Long(fn(&mut Settings) -> &mut u64),
    /// One decimal number.
    Real(fn(&mut Settings) -> &mut f64),
    /// One; the error is fastchess's reason.
    Word(fn(&mut Settings, &str) -> Result<(), String>),
    /// One of a few words.
    Choice(fn(&mut Settings) -> &mut dyn WordChoice),
    /// Any, one text.
    Words(fn(&mut Settings) -> &mut String),
    /// These keys with values; the function comes before them.
    Keys(&'static [OptionRow], fn(&mut Settings)),
    /// The option reads its words itself.
    Line(fn(&mut FastchessReading, &Given) -> Result<(), String>),
}

/// An option or a key.
pub(super) type OptionRow = (&'static str, Takes);

/// The message of fastchess about a key that it does not know, or about its value.
pub(super) fn unrecognized(option: &str, key: &str, value: &str) -> String {
    let option = match option.trim_start_matches('-') {
        "crc32" => "crc",
        option => option,
    };
    format!("Unrecognized {option} option \"{key}\" with value \"{value}\".")
}

/// Takes in one word of an option, or a value of a key.
///
/// # Errors
/// The reason, as fastchess words it; `None` where that is an unknown word.
pub(super) fn take_word(
    settings: &mut Settings,
    takes: Takes,
    word: &str,
) -> Result<(), Option<String>> {
    match takes {
        Takes::Truth(place) => *place(settings) = word.parse().map_err(|_| None)?,
        Takes::Int(place) => *place(settings) = whole(word)?,
        Takes::Wrapped(place) => *place(settings) = whole::<i32>(word)?.cast_unsigned(),
        Takes::Score(place) => match whole(word)? {
            ..0 => return Err(Some("Score cannot be negative.".to_owned())),
            score => *place(settings) = score,
        },
        // In fastchess, negative numbers wrap around to large ones.
        Takes::Long(place) if word.starts_with('-') => {
            *place(settings) = whole::<i64>(word)?.cast_unsigned()
        }
        Takes::Long(place) => *place(settings) = whole(word)?,
        Takes::Real(place) => *place(settings) = real(word)?,
        Takes::Word(set) => set(settings, word)?,
        Takes::Choice(place) => place(settings).set(word).ok_or(None)?,
        Takes::Words(place) => word.clone_into(place(settings)),
        Takes::Asks(_) | Takes::Flag(_) | Takes::Keys(..) | Takes::Line(_) => {}
    }
    Ok(())
}

/// `fastchess_20261122_193000.pgn`, if no name is given.
pub(super) fn dated(ending: &str) -> String {
    let now = jiff::Zoned::now().strftime("%Y%m%d_%H%M%S").to_string();
    format!("fastchess_{now}.{ending}")
}

/// Takes in these values of the keys of an option.
pub(super) fn take_keys(
    settings: &mut Settings,
    option: &str,
    keys: &[OptionRow],
    all: &[KeyValue],
) -> Result<(), String> {
    for (key, value) in all {
        let row = keys.iter().find(|(known, _)| known == key);
        let taken = row.map_or(Err(None), |(_, takes)| take_word(settings, *takes, value));
        let shown = match row {
            Some((_, Takes::Choice(_))) if option != "-output" => &format!("{option} {key}"),
            _ => option,
        };
        taken.map_err(|why| why.unwrap_or_else(|| unrecognized(shown, key, value)))?;
    }
    Ok(())
}

pub(super) fn engine(reading: &mut FastchessReading, given: &Given) -> Result<(), String> {
    let mut engine = EngineSettings::default();
    for (key, value) in some_pairs(given)? {
        set_key(&mut engine, &key, &value)?;
    }
    reading.line.engines.push(engine);
    Ok(())
}

/// Takes in a key of an engine.
pub(super) fn set_key(engine: &mut EngineSettings, key: &str, value: &str) -> Result<(), String> {
    if engine.set_common(key, value) {
        return Ok(());
    }
    let tc = &mut engine.limit.tc;
    match key {
        "tc" if value.contains("hg") => {
            return Err("Hourglass time control not supported.".to_owned());
        }
        // The margin and the time of a move that were given before are lost, as in fastchess.
        "tc" => *tc = time_control(value, real)?,
        "st" => tc.fixed_time = milliseconds(real(value)?),
        "timemargin" => {
            tc.timemargin = whole::<i64>(value)?;
            if tc.timemargin < 0 {
                return Err("The value for timemargin cannot be a negative number.".to_owned());
            }
        }
        // In fastchess, negative numbers wrap around to large ones.
        "nodes" => engine.limit.nodes = whole::<i64>(value)?.cast_unsigned(),
        "plies" | "depth" => engine.limit.plies = whole::<i64>(value)?.cast_unsigned(),
        "args" => value.clone_into(&mut engine.args),
        "restart" if matches!(value, "on" | "off") => engine.restart = value == "on",
        "restart" => {
            return Err(format!(
                "Invalid parameter (must be either \"on\" or \"off\"): {value}"
            ));
        }
        "proto" if value == "uci" => {}
        "proto" => return Err("Unsupported protocol.".to_owned()),
        _ => return Err(unrecognized("engine", key, value)),
    }
    Ok(())
}

pub(super) fn each(reading: &mut FastchessReading, given: &Given) -> Result<(), String> {
    let each = reading.each.get_or_insert(Given {
        name: given.name,
        words: Vec::new(),
    });
    each.words.extend_from_slice(&given.words);
    Ok(())
}

const PGN_KEYS: [OptionRow; 13] = [
    ("append", Takes::Truth(|all| &mut all.pgn.append_file)),
    ("nodes", Takes::Truth(|all| &mut all.pgn.track_nodes)),
    ("seldepth", Takes::Truth(|all| &mut all.pgn.track_seldepth)),
    ("nps", Takes::Truth(|all| &mut all.pgn.track_nps)),
    ("hashfull", Takes::Truth(|all| &mut all.pgn.track_hashfull)),
    ("tbhits", Takes::Truth(|all| &mut all.pgn.track_tbhits)),
    ("timeleft", Takes::Truth(|all| &mut all.pgn.track_timeleft)),
    ("latency", Takes::Truth(|all| &mut all.pgn.track_latency)),
    ("pv", Takes::Truth(|all| &mut all.pgn.track_pv)),
    ("min", Takes::Truth(|all| &mut all.pgn.min)),
    ("file", Takes::Words(|all| &mut all.pgn.file)),
    ("match_line", Takes::Word(kept_line)),
    ("notation", Takes::Choice(|all| &mut all.pgn.notation)),
];

pub(super) fn pgn_out(reading: &mut FastchessReading, given: &Given) -> Result<(), String> {
    let settings = &mut reading.line.settings;
    // The form of cutechess-cli, which weather-factory writes for both runners.
    if let [path] = given.words.as_slice()
        && !path.contains('=')
    {
        settings.pgn.file.clone_from(path);
        return Ok(());
    }
    settings.pgn.file = dated("pgn");
    take_keys(settings, given.name, &PGN_KEYS, &pairs(given)?)
}

fn kept_line(settings: &mut Settings, expression: &str) -> Result<(), String> {
    let kept = &mut settings.pgn.additional_lines_rgx;
    kept.push(expression.to_owned());
    Ok(())
}

/// One number, or nothing for 2; other words do not matter.
pub(super) fn repeat(reading: &mut FastchessReading, given: &Given) -> Result<(), String> {
    let is_number = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
    reading.line.settings.games = match given.words.as_slice() {
        [word] if is_number(word) => whole(word)?,
        _ => 2,
    };
    Ok(())
}

pub(super) fn affinity(reading: &mut FastchessReading, given: &Given) -> Result<(), String> {
    let settings = &mut reading.line.settings;
    settings.affinity = true;
    let list = given.words.first().into_iter();
    for part in list.flat_map(|word| word.split(',')) {
        // The first number may have a sign, as the second; there is no processor with a negative number.
        let bar = part.char_indices().skip(1).find(|(_, one)| *one == '-');
        let (first, last) = bar.map_or((part, part), |(at, _)| (&part[..at], &part[at + 1..]));
        let number = |text: &str| text.trim().parse::<i32>().ok();
        let ends = number(first).zip(number(last));
        let ends = ends.filter(|(first, last)| bar.is_none() || last > first);
        let (first, last) = ends.ok_or("Bad cpu list.")?;
        let all = (first.max(0)..=last.min(i32::from(u16::MAX))).map(u16::try_from);
        settings.unwritten.cpus.extend(all.flatten());
    }
    Ok(())
}

pub(super) fn debug(_: &mut FastchessReading, given: &Given) -> Result<(), String> {
    alone(given)?;
    let words = "The 'debug' option does not exist in fastchess. Use the 'log' option \
                 instead to write all engine input and output into a text file.";
    Err(words.to_owned())
}

/// Two engines and a book; the rest of an ordinary test.
pub(super) fn quick(reading: &mut FastchessReading, given: &Given) -> Result<(), String> {
    let (mut engines, mut book) = (Vec::new(), None);
    for (key, value) in some_pairs(given)? {
        match key.as_str() {
            "cmd" => engines.push(value),
            "book" => book = Some(value),
            _ => return Err(unrecognized("quick", &key, &value)),
        }
    }
    let [one, other] = engines.as_slice() else {
        return Err("Option \"-quick\" requires exactly two cmd entries.".to_owned());
    };
    let book = book.ok_or("Option \"-quick\" requires a book=FILE entry.")?;
    let numbers = if one == other { ["1", "2"] } else { ["", ""] };
    let lanes = (processors() - 2).max(1);
    let options = [
        format!("-engine\ncmd={one}\nname={one}{}\ntc=10+0.1", numbers[0]),
        format!(
            "-engine\ncmd={other}\nname={other}{}\ntc=10+0.1",
            numbers[1]
        ),
        format!("-openings\nfile={book}\norder=random"),
        format!("-games\n2\n-rounds\n25000\n-concurrency\n{lanes}\n-recover"),
        "-draw\nmovenumber=30\nmovecount=8\nscore=8\n-output\nformat=cutechess".to_owned(),
    ];
    let words: Vec<String> = options.join("\n").lines().map(str::to_owned).collect();
    reading.take_all(&words).map(drop)
}

pub(super) fn config(reading: &mut FastchessReading, given: &Given) -> Result<(), String> {
    let mut drops_stats = false;
    for (key, value) in &some_pairs(given)? {
        match (key.as_str(), value.as_str()) {
            ("file", file) => load(reading, file)?,
            ("outname", name) => name.clone_into(&mut reading.line.settings.config_name),
            ("discard", "true") => {
                let line = &mut reading.line;
                line.notes += "Discarding config file\n";
                line.discards = true;
                // Without a file there were no settings before.
                let empty = (Settings::new(line.settings.seed), Vec::new());
                (line.settings, line.engines) = reading.before.take().unwrap_or(empty);
                line.stats.clear();
                line.store = None;
            }
            ("stats", value) => drops_stats = value == "false",
            _ => return Err(unrecognized("config", key, value)),
        }
    }
    let line = &mut reading.line;
    if line.engines.len() > 2 {
        eprintln!("Warning: Stats will be dropped for more than 2 engines.");
    }
    if line.engines.len() > 2 || drops_stats {
        line.stats.clear();
    }
    if drops_stats {
        line.store = None;
    }
    Ok(())
}

fn load(reading: &mut FastchessReading, file: &str) -> Result<(), String> {
    reading.line.notes += &format!("Loading config file: {file}\n");
    let saved = saved::load(Path::new(file))?;
    let kept = CommandLine {
        discards: reading.line.discards,
        notes: std::mem::take(&mut reading.line.notes),
        ..saved
    };
    let before = std::mem::replace(&mut reading.line, kept);
    reading.before = Some((before.settings, before.engines));
    Ok(())
}
