//! The command line of cutechess-cli as a whole, translated into the settings that the rest of the front uses.

use super::engines::{self, CutechessEngine};
use super::rows::{CutechessReading, take_all};
use crate::adapter::FROM_BOOK;
use crate::event::{Series, SeriesOpening, SeriesOrder};
use crate::front::common::command_line::{Asked, CUTECHESS_HELP, CUTECHESS_VERSION};
use crate::front::common::settings::{CommandLine, Cutechess, Kind, Settings};

/// Reads the words after the program's name.
///
/// # Errors
/// The lines that cutechess-cli prints before it ends.
pub(in crate::front) fn read(words: &[String], seed: u64) -> Result<Asked, String> {
    for word in words {
        let text = match word.trim_start_matches('-') {
            "version" | "v" if word != "--v" => CUTECHESS_VERSION.to_owned(),
            "engines" => engines::names(),
            "help" => CUTECHESS_HELP.to_owned(),
            _ => continue,
        };
        if word.starts_with('-') {
            return Ok(Asked::Text(text));
        }
    }
    let mut reading = CutechessReading {
        settings: settings(seed),
        own: own_settings(),
        players: Vec::new(),
        each: Vec::new(),
        notes: String::new(),
    };
    if let Err(wrong) = take_all(&mut reading, words) {
        return Err(refused(&reading.settings, &wrong));
    }
    event(reading)
}

/// The lines about a line that is not played: the warnings about its options, then what is wrong.
fn refused(settings: &Settings, wrong: &[String]) -> String {
    let all = settings.unwritten.warnings.iter().chain(wrong);
    let all: Vec<String> = all.map(|text| warning(text)).collect();
    all.join("\n")
}

/// A critical message has its own word before it.
fn warning(text: &str) -> String {
    if text.starts_with("Critical: ") {
        text.to_owned()
    } else {
        format!("Warning: {text}")
    }
}

fn settings(seed: u64) -> Settings {
    // The random generator of cutechess-cli has 32 bits.
    let mut settings = Settings::new(seed & u64::from(u32::MAX));
    settings.force_concurrency = true;
    settings.report_penta = false;
    (settings.maxmoves.enabled, settings.maxmoves.move_count) = (true, 0);
    settings.ratinginterval = 0;
    settings.pgn.event_name = String::new();
    settings.pgn.site = String::new();
    settings
}

fn own_settings() -> Cutechess {
    Cutechess {
        series: Series {
            order: SeriesOrder::Circle,
            games: 1,
            opening: SeriesOpening::Games(1),
        },
        meetings: 1,
        knockout: false,
        outcomes: 0,
        prints_dialogue: false,
        names: Vec::new(),
    }
}

/// The event, after all options were read.
fn event(reading: CutechessReading) -> Result<Asked, String> {
    let CutechessReading {
        mut settings,
        mut own,
        mut players,
        each,
        notes,
    } = reading;
    let mut wrong = Vec::new();
    let refuses = |player: &mut CutechessEngine| engines::take(player, &each).err();
    wrong.extend(players.iter_mut().find_map(refuses));
    wrong.extend(players.iter().find_map(fault));
    if players.len() < 2 {
        wrong.push("At least two engines are needed".to_owned());
    }
    if !wrong.is_empty() {
        return Err(refused(&settings, &wrong));
    }
    settings.maxmoves.enabled &= settings.maxmoves.move_count > 0;
    settle(&mut settings, &mut own, players.len());
    if players.iter().any(|player| !player.book.is_empty()) {
        settings.pgn.additional_lines_rgx = vec![format!("^{FROM_BOOK}$")];
    }
    let scale = players.iter().map(|player| player.timeout_scale);
    let scale = scale.fold(1.0, f64::max);
    let scaled = |milliseconds: u64| (milliseconds as f64 * scale) as u64;
    let waits = &mut settings.unwritten;
    (waits.startup_ms, waits.ping_ms) = (scaled(waits.startup_ms), scaled(waits.ping_ms));
    let names = players.iter().map(|player| player.engine.name.clone());
    own.names = names.collect();
    waits.cutechess = Some(own);
    let seed = settings.seed;
    let players = players.into_iter();
    let engines = players.map(|player| player.into_engine(seed)).collect();
    let line = CommandLine {
        settings,
        engines,
        notes,
        ..CommandLine::default()
    };
    Ok(Asked::Event(Box::new(line)))
}

/// Makes pairs of the games and rounds of an event with this number of engines.
fn settle(settings: &mut Settings, own: &mut Cutechess, engines: usize) {
    let (games, rounds) = (own.series.games, own.meetings);
    let stays = match own.series.opening {
        SeriesOpening::Games(games) => games.is_multiple_of(2),
        SeriesOpening::Series | SeriesOpening::Round => true,
    };
    let is_knockout = own.knockout;
    if is_knockout {
        own.meetings = games.div_ceil(2);
    }
    // Two games of the same opening are a pair; a knockout has no others.
    let in_pairs = is_knockout || stays && games.is_multiple_of(2);
    settings.games = if in_pairs { 2 } else { 1 };
    let heroes = settings.heroes(engines);
    let meetings = match settings.kind {
        Kind::Gauntlet => heroes * (engines - heroes),
        Kind::RoundRobin => engines * (engines - 1) / 2,
    };
    let games = (meetings as i64).saturating_mul(i64::from(games));
    settings.rounds = games.saturating_mul(i64::from(rounds)) / settings.games;
}

/// What is wrong with an engine.
fn fault(player: &CutechessEngine) -> Option<String> {
    let tc = &player.engine.limit.tc;
    let words = match player {
        _ if !player.has_no_clock && tc.time == tc.fixed_time => "Invalid or missing time control",
        // The two nulls are the place in the source, which released builds of cutechess-cli do not print.
        _ if player.engine.cmd.is_empty() => {
            "Critical: missing chess engine command ((null):0, (null))"
        }
        _ if player.protocol.is_empty() => "Missing chess protocol",
        _ => return None,
    };
    Some(words.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Result<CommandLine, String> {
        let two = "-engine cmd=a proto=uci -engine cmd=b proto=uci -each tc=inf nodes=9 ";
        let words: Vec<String> = format!("{two}{text}")
            .split_ascii_whitespace()
            .map(str::to_owned)
            .collect();
        match read(&words, 1)? {
            Asked::Event(line) => Ok(*line),
            Asked::Text(text) => Err(text),
        }
    }

    #[test]
    fn games_and_rounds_become_pairs_where_an_opening_is_played_twice() {
        let dealt = |text: &str| {
            let settings = line(text).unwrap().settings;
            (settings.games, settings.rounds)
        };
        assert_eq!(dealt("-games 100 -repeat"), (2, 50));
        assert_eq!(dealt("-games 2 -rounds 50 -repeat"), (2, 50));
        assert_eq!(dealt("-rounds 7"), (1, 7));
        assert_eq!(dealt("-games 3 -repeat"), (1, 3));
        let third = "-engine cmd=c proto=uci -games 4 -repeat 4 -rounds 2";
        assert_eq!(dealt(third), (2, 12));
    }

    #[test]
    fn wrong_values_have_the_messages_of_cutechess() {
        let said = |text: &str| line(text).unwrap_err();
        assert_eq!(
            said("-concurrency 0"),
            "Warning: Invalid value for option \"-concurrency\": \"0\""
        );
        assert_eq!(
            said("-tournament tree"),
            "Warning: Invalid tournament type: tree"
        );
        assert_eq!(
            said("-draw movecount=8"),
            "Warning: Option \"-draw\" needs argument(s): \"movenumber\", \"score\"\n\
             Warning: Invalid value for option \"-draw\": \"movecount=8\""
        );
        // Options are checked in a fixed order, not in the order of the command line.
        assert_eq!(
            said("-wait -1 -concurrency 0"),
            "Warning: Invalid value for option \"-concurrency\": \"0\""
        );
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(
            read(&words("-engine cmd=a tc=1"), 1).unwrap_err(),
            "Warning: Missing chess protocol\nWarning: At least two engines are needed"
        );
        assert_eq!(
            read(&words("-engine cmd=a foo=1"), 1).unwrap_err(),
            "Warning: Invalid engine option: \"foo\"\n\
             Warning: Invalid value for option \"-engine\": \"cmd=a foo=1\""
        );
    }
}
