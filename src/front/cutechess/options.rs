//! The options of cutechess-cli, as the settings that the rest of the front knows.

use std::collections::BTreeMap;
use std::path::Path;

use super::engines::{self, Player};
use super::words::{Given, split};
use crate::front::settings::{BookFormat, CommandLine, Kind, Order, Settings, Variant};

/// What a command line asks for.
#[derive(Debug)]
pub(crate) enum Asked {
    /// An event.
    Event(Box<CommandLine>),
    /// Who this is.
    Version,
    /// What there is.
    Help,
}

/// What the options say of openings and games.
#[derive(Debug, Clone, Copy)]
struct Plan {
    games: i64,
    rounds: i64,
    repeat: i64,
}

/// Reads the words behind the program's name.
///
/// # Errors
/// The text of the warning with which cutechess-cli ends.
pub(crate) fn read(words: &[String], seed: u64) -> Result<Asked, String> {
    match words.first().map(String::as_str) {
        None | Some("-help" | "--help") => return Ok(Asked::Help),
        Some("-version" | "--version" | "-v") => return Ok(Asked::Version),
        _ => {}
    }
    let given = split(words)?;
    // Its generator has 32 bits.
    let mut settings = Settings::new(seed & u64::from(u32::MAX));
    settings.unwritten.cutechess = true;
    settings.force_concurrency = true;
    settings.report_penta = false;
    settings.ratinginterval = i32::MAX;
    settings.pgn.event_name = "My Tournament".to_owned();
    let mut plan = Plan {
        games: 1,
        rounds: 1,
        repeat: 1,
    };
    let mut players: Vec<Player> = Vec::new();
    for option in &given {
        match option.name {
            "-engine" => {
                let mut player = Player::default();
                engines::take(&mut player, &option.words)?;
                players.push(player);
            }
            "-each" => {}
            _ => one(&mut settings, &mut plan, option)?,
        }
    }
    let each = given.iter().filter(|option| option.name == "-each");
    for words in each.map(|option| &option.words) {
        for player in &mut players {
            engines::take(player, words)?;
        }
    }
    check(&players)?;
    deal(&mut settings, plan)?;
    for words in players.iter().flat_map(|player| &player.ignored) {
        if !settings.unwritten.ignored.contains(words) {
            settings.unwritten.ignored.push(words);
        }
    }
    Ok(Asked::Event(Box::new(CommandLine {
        settings,
        engines: players.into_iter().map(|player| player.engine).collect(),
        stats: BTreeMap::new(),
        store: None,
        before: BTreeMap::new(),
        printed: Vec::new(),
    })))
}

fn check(players: &[Player]) -> Result<(), String> {
    for player in players {
        let limit = &player.engine.limit;
        let tc = &limit.tc;
        let is_limited =
            tc.time + tc.increment + tc.fixed_time > 0 || limit.nodes + limit.plies > 0;
        if !is_limited {
            return Err("Invalid or missing time control".to_owned());
        }
        if player.engine.cmd.is_empty() {
            return Err("missing chess engine command".to_owned());
        }
        if player.protocol.is_empty() {
            return Err("Missing chess protocol".to_owned());
        }
    }
    match players.len() {
        0 | 1 => Err("At least two engines are needed".to_owned()),
        2 => Ok(()),
        _ => Err(
            "arbiter960 plays two engines in the place of cutechess-cli: more take an event file, \
                  or the command line of fastchess"
                .to_owned(),
        ),
    }
}

/// Rounds of games: of an opening that is played twice, or once.
fn deal(settings: &mut Settings, plan: Plan) -> Result<(), String> {
    let total = plan.games.saturating_mul(plan.rounds);
    (settings.games, settings.rounds) = match plan.repeat {
        1 => (1, total),
        2 if total % 2 == 0 => (2, total / 2),
        _ => {
            let words = "arbiter960 plays every opening once, or twice (-repeat) with an even number of games";
            return Err(words.to_owned());
        }
    };
    Ok(())
}

/// A whole number that is not below the least.
fn number(option: &Given, least: i64) -> Result<i64, String> {
    let value = option
        .words
        .first()
        .and_then(|word| word.parse::<i64>().ok());
    value
        .filter(|value| *value >= least)
        .ok_or_else(|| option.invalid())
}

fn small(option: &Given, least: i64) -> Result<i32, String> {
    i32::try_from(number(option, least)?).map_err(|_| option.invalid())
}

fn one(settings: &mut Settings, plan: &mut Plan, option: &Given) -> Result<(), String> {
    let word = option.words.first().map(String::as_str).unwrap_or_default();
    match option.name {
        "-srand" => {
            settings.seed =
                u64::from(u32::try_from(number(option, 0)?).map_err(|_| option.invalid())?);
        }
        "-tournament" => {
            settings.kind = match word {
                "round-robin" => Kind::RoundRobin,
                "gauntlet" => Kind::Gauntlet,
                "knockout" | "pyramid" => {
                    return Err(format!(
                        "arbiter960 has no \"{word}\" in the place of cutechess-cli"
                    ));
                }
                _ => return Err(format!("Invalid tournament type: {word}")),
            };
        }
        "-variant" => {
            settings.variant = match word {
                "standard" => Variant::Standard,
                "fischerandom" => Variant::Chess960,
                _ => return Err(option.invalid()),
            };
        }
        "-concurrency" => settings.concurrency = small(option, 1)?,
        "-draw" => {
            let keys = [("movenumber", None), ("movecount", None), ("score", None)];
            let values = option.pairs(keys)?;
            let [number, count, score] = values.map(|value| value.parse::<i32>().ok());
            let (Some(number), Some(count), Some(score)) = (number, count, score) else {
                return Err(option.invalid());
            };
            settings.draw.enabled = true;
            settings.draw.move_number = number.max(0).cast_unsigned();
            settings.draw.move_count = count;
            settings.draw.score = score;
        }
        "-resign" => {
            let keys = [
                ("movecount", None),
                ("score", None),
                ("twosided", Some("false")),
            ];
            let [count, score, twosided] = option.pairs(keys)?;
            let (Ok(count), Ok(score)) = (count.parse(), score.parse()) else {
                return Err(option.invalid());
            };
            settings.resign.enabled = true;
            settings.resign.move_count = count;
            settings.resign.score = score;
            settings.resign.twosided = twosided == "true";
        }
        "-maxmoves" => {
            settings.maxmoves.move_count = small(option, 0)?;
            settings.maxmoves.enabled = settings.maxmoves.move_count > 0;
        }
        "-tb" => {
            settings.tb_adjudication.enabled = true;
            settings.tb_adjudication.syzygy_dirs = word.to_owned();
        }
        "-tbpieces" => settings.tb_adjudication.max_pieces = small(option, 3)?,
        "-tbignore50" => settings.tb_adjudication.ignore_50_move_rule = true,
        "-event" => settings.pgn.event_name = word.to_owned(),
        "-site" => settings.pgn.site = word.to_owned(),
        "-games" => plan.games = number(option, 1)?,
        "-rounds" => plan.rounds = number(option, 1)?,
        "-repeat" => {
            plan.repeat = if option.words.is_empty() {
                2
            } else {
                number(option, 1)?
            }
        }
        "-sprt" => sprt(settings, option)?,
        "-ratinginterval" => {
            settings.ratinginterval = match small(option, 0)? {
                0 => i32::MAX,
                interval => interval,
            };
        }
        "-openings" => openings(settings, option)?,
        "-pgnout" => pgn_out(settings, option)?,
        "-epdout" => settings.epd.file = word.to_owned(),
        "-noswap" => settings.noswap = true,
        "-reverse" => settings.reverse = true,
        "-recover" => settings.recover = true,
        "-debug" | "-bookmode" | "-wait" | "-seeds" | "-outcomeinterval" | "-resultformat" => {
            without_effect(settings, option, word)?;
        }
        _ => {}
    }
    Ok(())
}

/// Takes an option that changes nothing here.
fn without_effect(settings: &mut Settings, option: &Given, word: &str) -> Result<(), String> {
    match option.name {
        "-debug" if !matches!(word, "" | "all") => return Err(option.invalid()),
        "-bookmode" if !matches!(word, "ram" | "disk") => return Err(option.invalid()),
        "-wait" | "-seeds" | "-outcomeinterval" => drop(number(option, 0)?),
        _ => {}
    }
    settings.unwritten.ignored.push(match option.name {
        "-debug" => "-debug has no effect: what engines say is not printed",
        "-bookmode" => "-bookmode has no effect: a book is always read at once",
        "-wait" => "-wait has no effect: the next game begins at once",
        "-seeds" => "-seeds has no effect between two engines",
        "-outcomeinterval" => "-outcomeinterval has no effect: outcomes are printed at the end",
        _ => "-resultformat has no effect: results are printed as cutechess-cli does by itself",
    });
    Ok(())
}

fn sprt(settings: &mut Settings, option: &Given) -> Result<(), String> {
    let keys = [
        ("elo0", None),
        ("elo1", None),
        ("alpha", None),
        ("beta", None),
    ];
    let values = option.pairs(keys)?.map(|value| value.parse::<f64>().ok());
    let [Some(elo0), Some(elo1), Some(alpha), Some(beta)] = values else {
        return Err(option.invalid());
    };
    settings.sprt.enabled = true;
    settings.sprt.model = "bayesian".to_owned();
    (settings.sprt.elo0, settings.sprt.elo1) = (elo0, elo1);
    (settings.sprt.alpha, settings.sprt.beta) = (alpha, beta);
    Ok(())
}

fn openings(settings: &mut Settings, option: &Given) -> Result<(), String> {
    let keys = [
        ("file", None),
        ("format", Some("pgn")),
        ("order", Some("sequential")),
        ("plies", Some("1024")),
        ("start", Some("1")),
        ("policy", Some("default")),
    ];
    let [file, format, order, plies, start, policy] = option.pairs(keys)?;
    let opening = &mut settings.opening;
    opening.format = match format.as_str() {
        "epd" => BookFormat::Epd,
        "pgn" => BookFormat::Pgn,
        _ => return Err(format!("Invalid opening suite format: \"{format}\"")),
    };
    opening.order = match order.as_str() {
        "sequential" => Order::Sequential,
        "random" => Order::Random,
        _ => return Err(format!("Invalid opening selection order: \"{order}\"")),
    };
    if !["default", "encounter", "round"].contains(&policy.as_str()) {
        return Err(format!("Invalid opening shift policy: \"{policy}\""));
    }
    let positive = |text: &str| text.parse::<i32>().ok().filter(|number| *number > 0);
    let (Some(plies), Some(start)) = (positive(&plies), positive(&start)) else {
        return Err(option.invalid());
    };
    if !Path::new(&file).is_file() {
        return Err(format!("Can't open opening suite {file}"));
    }
    (opening.plies, opening.start, opening.file) = (plies, start, file);
    Ok(())
}

fn pgn_out(settings: &mut Settings, option: &Given) -> Result<(), String> {
    let Some((file, modes)) = option.words.split_first() else {
        return Err(option.invalid());
    };
    for mode in modes {
        match mode.as_str() {
            "min" => settings.pgn.min = true,
            "fi" => {}
            _ => return Err(option.invalid()),
        }
    }
    settings.pgn.file = file.clone();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Result<CommandLine, String> {
        let two = "-engine cmd=a proto=uci -engine cmd=b proto=uci -each nodes=9 ";
        let words: Vec<String> = format!("{two}{text}")
            .split(' ')
            .map(str::to_owned)
            .collect();
        match read(&words, 1)? {
            Asked::Event(line) => Ok(*line),
            _ => Err("no event".to_owned()),
        }
    }

    #[test]
    fn games_and_rounds_become_pairs() {
        let dealt = |text: &str| {
            let settings = line(text).unwrap().settings;
            (settings.games, settings.rounds)
        };
        assert_eq!(dealt("-games 100 -repeat"), (2, 50));
        assert_eq!(dealt("-games 2 -rounds 50 -repeat"), (2, 50));
        assert_eq!(dealt("-rounds 7"), (1, 7));
        assert!(line("-games 3 -repeat").is_err());
    }

    #[test]
    fn wrong_values_have_the_messages_of_cutechess() {
        let said = |text: &str| line(text).unwrap_err();
        assert_eq!(
            said("-concurrency 0"),
            "Invalid value for option \"-concurrency\": \"0\""
        );
        assert_eq!(said("-tournament tree"), "Invalid tournament type: tree");
        assert_eq!(
            said("-draw movecount=8 score=10"),
            "Option \"-draw\" needs argument(s): \"movenumber\""
        );
        let words: Vec<String> = "-engine cmd=a tc=1".split(' ').map(str::to_owned).collect();
        assert_eq!(read(&words, 1).unwrap_err(), "Missing chess protocol");
    }
}
