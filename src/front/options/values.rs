//! What each option sets.

use std::path::Path;

use crate::front::engine_keys::{KeyValue, unrecognized};
use crate::front::grammar::Given;
use crate::front::number::{real, whole};
use crate::front::settings::{BookFormat, Kind, Level, Notation, Order, Settings, Variant};

use super::truth;

/// The number of rounds that no run comes to.
const ENDLESS: i64 = 1_000_000_000;

/// Options with one word or none, each of which is one setting.
pub(super) fn single(settings: &mut Settings, name: &str, given: &Given) -> Result<(), String> {
    match name {
        "-tbignore50" => {
            given.alone()?;
            settings.tb_adjudication.ignore_50_move_rule = true;
        }
        "-force-concurrency" => settings.force_concurrency = given.alone().map(|()| true)?,
        "-noswap" => settings.noswap = given.alone().map(|()| true)?,
        "-reverse" => settings.reverse = given.alone().map(|()| true)?,
        "-recover" => settings.recover = given.alone().map(|()| true)?,
        "-check-mate-pvs" => settings.check_mate_pvs = given.alone().map(|()| true)?,
        "-show-latency" => settings.show_latency = given.alone().map(|()| true)?,
        "-testEnv" => settings.unwritten.test_env = given.alone().map(|()| true)?,
        "-strict" => settings.unwritten.strict = given.alone().map(|()| true)?,
        _ => return one_word(settings, name, given.single()?),
    }
    Ok(())
}

pub(super) fn one_word(settings: &mut Settings, name: &str, value: &str) -> Result<(), String> {
    match name {
        "-maxmoves" => {
            settings.maxmoves.move_count = whole(value)?;
            settings.maxmoves.enabled = true;
        }
        "-tb" => {
            settings.tb_adjudication.syzygy_dirs = value.to_owned();
            settings.tb_adjudication.enabled = true;
        }
        "-tbpieces" => settings.tb_adjudication.max_pieces = whole(value)?,
        "-tbadjudicate" => match value {
            "WIN_LOSS" | "DRAW" | "BOTH" => {
                settings.tb_adjudication.results = Some(value.to_owned());
            }
            _ => return Err(format!("Invalid tb adjudication type: {value}")),
        },
        "-autosaveinterval" => settings.autosaveinterval = whole(value)?,
        "-concurrency" => settings.concurrency = whole(value)?,
        "-games" => settings.games = i64::from(whole::<i32>(value)?),
        // In fastchess, negative numbers wrap around to large ones.
        "-rounds" => {
            let rounds = i64::from(whole::<i32>(value)?);
            settings.rounds = if rounds < 0 { ENDLESS } else { rounds };
        }
        "-wait" => settings.wait = whole::<i32>(value)?.cast_unsigned(),
        "-ratinginterval" => settings.ratinginterval = whole(value)?,
        "-scoreinterval" => settings.scoreinterval = whole(value)?,
        "-srand" => {
            settings.seed = whole(value)?;
        }
        "-seeds" => settings.gauntlet_seeds = whole(value)?,
        "-variant" => {
            settings.variant = match value {
                "fischerandom" => Variant::Chess960,
                "standard" => settings.variant,
                _ => return Err("Unknown variant.".to_owned()),
            };
        }
        "-tournament" => {
            settings.kind = match value {
                "gauntlet" => Kind::Gauntlet,
                "roundrobin" => Kind::RoundRobin,
                _ => {
                    let words =
                        "Unsupported tournament format. Only supports roundrobin and gauntlet.";
                    return Err(words.to_owned());
                }
            };
        }
        "-startup-ms" => settings.unwritten.startup_ms = whole(value)?,
        "-ucinewgame-ms" => settings.unwritten.ucinewgame_ms = whole(value)?,
        "-ping-ms" => settings.unwritten.ping_ms = whole(value)?,
        _ => {}
    }
    Ok(())
}

/// `fastchess_20261122_193000.pgn`, if no name is given.
pub(super) fn dated(ending: &str) -> String {
    let now = jiff::Zoned::now().strftime("%Y%m%d_%H%M%S").to_string();
    format!("fastchess_{now}.{ending}")
}

pub(super) fn pgn_out(settings: &mut Settings, given: &Given) -> Result<(), String> {
    let pgn = &mut settings.pgn;
    // The form of cutechess-cli, which weather-factory writes for both runners.
    if let [path] = given.words.as_slice()
        && !path.contains('=')
    {
        pgn.file = path.clone();
        return Ok(());
    }
    pgn.file = dated("pgn");
    for (key, value) in given.pairs()? {
        let flag = truth(&value);
        let tracked = match key.as_str() {
            "append" => &mut pgn.append_file,
            "nodes" => &mut pgn.track_nodes,
            "seldepth" => &mut pgn.track_seldepth,
            "nps" => &mut pgn.track_nps,
            "hashfull" => &mut pgn.track_hashfull,
            "tbhits" => &mut pgn.track_tbhits,
            "timeleft" => &mut pgn.track_timeleft,
            "latency" => &mut pgn.track_latency,
            "pv" => &mut pgn.track_pv,
            "min" => &mut pgn.min,
            "file" => {
                pgn.file = value;
                continue;
            }
            "match_line" => {
                pgn.additional_lines_rgx.push(value);
                continue;
            }
            "notation" => {
                pgn.notation = match value.as_str() {
                    "san" => Notation::San,
                    "lan" => Notation::Lan,
                    "uci" => Notation::Uci,
                    _ => return Err(unrecognized("pgnout notation", &key, &value)),
                };
                continue;
            }
            _ => return Err(unrecognized("pgnout", &key, &value)),
        };
        *tracked = flag.ok_or_else(|| unrecognized("pgnout", &key, &value))?;
    }
    Ok(())
}

pub(super) fn epd_out(settings: &mut Settings, pairs: &[KeyValue]) -> Result<(), String> {
    settings.epd.file = dated("epd");
    for (key, value) in pairs {
        match (key.as_str(), truth(value)) {
            ("file", _) => settings.epd.file = value.clone(),
            ("append", Some(value)) => settings.epd.append_file = value,
            _ => return Err(unrecognized("epdout", key, value)),
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

pub(super) fn openings(settings: &mut Settings, pairs: &[KeyValue]) -> Result<(), String> {
    let opening = &mut settings.opening;
    for (key, value) in pairs {
        match (key.as_str(), value.as_str()) {
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
    }
    Ok(())
}

pub(super) fn sprt(settings: &mut Settings, pairs: &[KeyValue]) -> Result<(), String> {
    settings.sprt.enabled = true;
    if settings.rounds == 0 {
        settings.rounds = 500_000;
    }
    let sprt = &mut settings.sprt;
    for (key, value) in pairs {
        match key.as_str() {
            "elo0" => sprt.elo0 = real(value)?,
            "elo1" => sprt.elo1 = real(value)?,
            "alpha" => sprt.alpha = real(value)?,
            "beta" => sprt.beta = real(value)?,
            "model" => sprt.model = value.clone(),
            _ => return Err(unrecognized("sprt", key, value)),
        }
    }
    Ok(())
}

/// A score that is not negative.
pub(super) fn score(value: &str) -> Result<i32, String> {
    let score: i32 = whole(value)?;
    match score >= 0 {
        true => Ok(score),
        false => Err("Score cannot be negative.".to_owned()),
    }
}

pub(super) fn draw(settings: &mut Settings, pairs: &[KeyValue]) -> Result<(), String> {
    settings.draw.enabled = true;
    for (key, value) in pairs {
        match key.as_str() {
            "movenumber" => settings.draw.move_number = whole::<i32>(value)?.cast_unsigned(),
            "movecount" => settings.draw.move_count = whole(value)?,
            "score" => settings.draw.score = score(value)?,
            _ => return Err(unrecognized("draw", key, value)),
        }
    }
    Ok(())
}

pub(super) fn resign(settings: &mut Settings, pairs: &[KeyValue]) -> Result<(), String> {
    settings.resign.enabled = true;
    for (key, value) in pairs {
        match (key.as_str(), truth(value)) {
            ("movecount", _) => settings.resign.move_count = whole(value)?,
            ("twosided", Some(value)) => settings.resign.twosided = value,
            ("score", _) => settings.resign.score = score(value)?,
            _ => return Err(unrecognized("resign", key, value)),
        }
    }
    Ok(())
}

pub(super) fn log(settings: &mut Settings, pairs: &[KeyValue]) -> Result<(), String> {
    let log = &mut settings.log;
    for (key, value) in pairs {
        match (key.as_str(), value.as_str(), truth(value)) {
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
    }
    Ok(())
}

/// `3,5,7-11`.
pub(super) fn cpu_list(text: &str) -> Option<Vec<u16>> {
    let mut cpus = Vec::new();
    for part in text.split(',') {
        // The first number may have a sign, as the second.
        let bar = part.char_indices().skip(1).find(|(_, one)| *one == '-');
        let (first, last) =
            bar.map_or((part, None), |(at, _)| (&part[..at], Some(&part[at + 1..])));
        let first: i32 = first.trim().parse().ok()?;
        let last = last.map_or(Some(first), |last| {
            last.trim().parse().ok().filter(|last| *last > first)
        });
        // There is no processor with a negative number.
        let all = (first.max(0)..=last?.min(i32::from(u16::MAX))).map(u16::try_from);
        cpus.extend(all.filter_map(Result::ok));
    }
    Some(cpus)
}
