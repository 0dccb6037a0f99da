//! The options that set more than one thing, or choose from words.

use std::path::Path;

use crate::front::common::command_line::Given;
use crate::front::common::engine_keys::unrecognized;
use crate::front::common::number::{real, whole};
use crate::front::common::settings::{
    BookFormat, Kind, Level, Notation, Order, Output, Settings, Variant,
};

use super::{FastchessReading, truth};

/// The number of rounds that no run comes to.
const ENDLESS: i64 = 1_000_000_000;

/// In fastchess, negative numbers wrap around to large ones.
pub(super) fn rounds(settings: &mut Settings, word: &str) -> Result<(), String> {
    let rounds = i64::from(whole::<i32>(word)?);
    settings.rounds = if rounds < 0 { ENDLESS } else { rounds };
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
    if let Some(word) = given.words.first() {
        let list = cpu_list(word).ok_or("Bad cpu list.")?;
        settings.unwritten.cpus.extend(list);
    }
    Ok(())
}

pub(super) fn variant(settings: &mut Settings, word: &str) -> Result<(), String> {
    settings.variant = match word {
        "fischerandom" => Variant::Chess960,
        "standard" => settings.variant,
        _ => return Err("Unknown variant.".to_owned()),
    };
    Ok(())
}

pub(super) fn tournament(settings: &mut Settings, word: &str) -> Result<(), String> {
    settings.kind = match word {
        "gauntlet" => Kind::Gauntlet,
        "roundrobin" => Kind::RoundRobin,
        _ => {
            let words = "Unsupported tournament format. Only supports roundrobin and gauntlet.";
            return Err(words.to_owned());
        }
    };
    Ok(())
}

pub(super) fn tablebase_results(settings: &mut Settings, word: &str) -> Result<(), String> {
    if !["WIN_LOSS", "DRAW", "BOTH"].contains(&word) {
        return Err(format!("Invalid tb adjudication type: {word}"));
    }
    settings.tb_adjudication.results = Some(word.to_owned());
    Ok(())
}

pub(super) fn output(settings: &mut Settings, key: &str, value: &str) -> Result<(), String> {
    settings.output = match (key, value) {
        ("format", "cutechess") => Output::Cutechess,
        ("format", "fastchess") => Output::Fastchess,
        _ => return Err(unrecognized("output", key, value)),
    };
    Ok(())
}

/// `fastchess_20261122_193000.pgn`, if no name is given.
fn dated(ending: &str) -> String {
    let now = jiff::Zoned::now().strftime("%Y%m%d_%H%M%S").to_string();
    format!("fastchess_{now}.{ending}")
}

pub(super) fn pgn_out(reading: &mut FastchessReading, given: &Given) -> Result<(), String> {
    let pgn = &mut reading.line.settings.pgn;
    // The form of cutechess-cli, which weather-factory writes for both runners.
    if let [path] = given.words.as_slice()
        && !path.contains('=')
    {
        pgn.file = path.clone();
        return Ok(());
    }
    pgn.file = dated("pgn");
    for (key, value) in given.pairs()? {
        match (key.as_str(), truth(&value)) {
            ("append", Some(value)) => pgn.append_file = value,
            ("nodes", Some(value)) => pgn.track_nodes = value,
            ("seldepth", Some(value)) => pgn.track_seldepth = value,
            ("nps", Some(value)) => pgn.track_nps = value,
            ("hashfull", Some(value)) => pgn.track_hashfull = value,
            ("tbhits", Some(value)) => pgn.track_tbhits = value,
            ("timeleft", Some(value)) => pgn.track_timeleft = value,
            ("latency", Some(value)) => pgn.track_latency = value,
            ("pv", Some(value)) => pgn.track_pv = value,
            ("min", Some(value)) => pgn.min = value,
            ("file", _) => pgn.file = value,
            ("match_line", _) => pgn.additional_lines_rgx.push(value),
            ("notation", _) => {
                pgn.notation = match value.as_str() {
                    "san" => Notation::San,
                    "lan" => Notation::Lan,
                    "uci" => Notation::Uci,
                    _ => return Err(unrecognized("pgnout notation", &key, &value)),
                };
            }
            _ => return Err(unrecognized("pgnout", &key, &value)),
        }
    }
    Ok(())
}

pub(super) fn epd_out(reading: &mut FastchessReading, given: &Given) -> Result<(), String> {
    let epd = &mut reading.line.settings.epd;
    epd.file = dated("epd");
    for (key, value) in given.pairs()? {
        match (key.as_str(), truth(&value)) {
            ("file", _) => epd.file = value,
            ("append", Some(value)) => epd.append_file = value,
            _ => return Err(unrecognized("epdout", &key, &value)),
        }
    }
    Ok(())
}

/// The format of a book, from its name.
pub(super) fn format_of(file: &str) -> Option<BookFormat> {
    match file {
        _ if file.ends_with(".epd") => Some(BookFormat::Epd),
        _ if file.ends_with(".pgn") => Some(BookFormat::Pgn),
        _ => None,
    }
}

pub(super) fn openings(settings: &mut Settings, key: &str, value: &str) -> Result<(), String> {
    let opening = &mut settings.opening;
    match (key, value) {
        ("file", file) => {
            opening.file = file.to_owned();
            opening.format = format_of(file).unwrap_or(opening.format);
            if !Path::new(file).exists() {
                return Err(format!("Opening file does not exist: {file}"));
            }
        }
        ("format", "epd") => opening.format = BookFormat::Epd,
        ("format", "pgn") => opening.format = BookFormat::Pgn,
        ("format", _) => return Err(unrecognized("openings format", key, value)),
        ("order", "sequential") => opening.order = Order::Sequential,
        ("order", "random") => opening.order = Order::Random,
        ("order", _) => return Err(unrecognized("openings order", key, value)),
        ("plies", value) => opening.plies = whole(value)?,
        ("start", value) => {
            opening.start = whole(value)?;
            if opening.start < 1 {
                return Err("Starting offset must be at least 1!".to_owned());
            }
        }
        ("policy", "round") => {}
        ("policy", _) => return Err("Unsupported opening book policy.".to_owned()),
        _ => return Err(unrecognized("openings", key, value)),
    }
    Ok(())
}

pub(super) fn sprt(settings: &mut Settings, key: &str, value: &str) -> Result<(), String> {
    settings.sprt.enabled = true;
    if settings.rounds == 0 {
        settings.rounds = 500_000;
    }
    let sprt = &mut settings.sprt;
    match key {
        "elo0" => sprt.elo0 = real(value)?,
        "elo1" => sprt.elo1 = real(value)?,
        "alpha" => sprt.alpha = real(value)?,
        "beta" => sprt.beta = real(value)?,
        "model" => sprt.model = value.to_owned(),
        _ => return Err(unrecognized("sprt", key, value)),
    }
    Ok(())
}

/// A score that is not negative.
fn score(value: &str) -> Result<i32, String> {
    let score: i32 = whole(value)?;
    match score >= 0 {
        true => Ok(score),
        false => Err("Score cannot be negative.".to_owned()),
    }
}

pub(super) fn draw(settings: &mut Settings, key: &str, value: &str) -> Result<(), String> {
    settings.draw.enabled = true;
    match key {
        "movenumber" => settings.draw.move_number = whole::<i32>(value)?.cast_unsigned(),
        "movecount" => settings.draw.move_count = whole(value)?,
        "score" => settings.draw.score = score(value)?,
        _ => return Err(unrecognized("draw", key, value)),
    }
    Ok(())
}

pub(super) fn resign(settings: &mut Settings, key: &str, value: &str) -> Result<(), String> {
    settings.resign.enabled = true;
    match (key, truth(value)) {
        ("movecount", _) => settings.resign.move_count = whole(value)?,
        ("twosided", Some(value)) => settings.resign.twosided = value,
        ("score", _) => settings.resign.score = score(value)?,
        _ => return Err(unrecognized("resign", key, value)),
    }
    Ok(())
}

pub(super) fn log(settings: &mut Settings, key: &str, value: &str) -> Result<(), String> {
    let log = &mut settings.log;
    match (key, value, truth(value)) {
        ("file", file, _) => log.file = file.to_owned(),
        ("level", level, _) => {
            log.level = match level {
                "trace" => Level::Trace,
                "info" => Level::Info,
                "warn" => Level::Warn,
                "err" => Level::Err,
                "fatal" => Level::Fatal,
                _ => return Err(unrecognized("log level", key, value)),
            };
        }
        ("append", _, Some(value)) => log.append_file = value,
        ("compress", _, Some(value)) => log.compress = value,
        ("realtime", _, Some(value)) => log.realtime = value,
        ("engine", _, Some(value)) => log.engine_coms = value,
        _ => return Err(unrecognized("log", key, value)),
    }
    Ok(())
}

/// `3,5,7-11`.
fn cpu_list(text: &str) -> Option<Vec<u16>> {
    let mut cpus = Vec::new();
    for part in text.split(',') {
        // The first number may have a sign, as the second.
        let bar = part.char_indices().skip(1).find(|(_, one)| *one == '-');
        let number = |text: &str| text.trim().parse::<i32>().ok();
        let (first, last) = match bar {
            Some((at, _)) => {
                let first = number(&part[..at])?;
                (first, number(&part[at + 1..]).filter(|last| *last > first)?)
            }
            None => (number(part)?, number(part)?),
        };
        // There is no processor with a negative number.
        let all = (first.max(0)..=last.min(i32::from(u16::MAX))).map(u16::try_from);
        cpus.extend(all.filter_map(Result::ok));
    }
    Some(cpus)
}
