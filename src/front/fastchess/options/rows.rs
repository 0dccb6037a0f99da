//! Every option of fastchess, once: its name, the words that it takes, and what it sets.

use crate::front::common::command_line::{Asked, DONE, Given};
use crate::front::common::engine_keys::{self, unrecognized};
use crate::front::common::number::whole;
use crate::front::common::settings::{EngineSettings, Settings};
use crate::front::common::text::{self, HELP};

use super::values::{
    affinity, draw, epd_out, log, openings, output, pgn_out, repeat, resign, rounds, sprt,
    tablebase_results, tournament, variant,
};
use super::{FastchessReading, truth};

/// The words of an option, and what becomes of them.
#[derive(Clone, Copy)]
enum Takes {
    /// None; the command line asks for this text.
    Asks(fn() -> String),
    /// None: this becomes true.
    Flag(fn(&mut Settings) -> &mut bool),
    /// One whole number.
    Int(fn(&mut Settings) -> &mut i32),
    /// One whole number that may be longer.
    Long(fn(&mut Settings) -> &mut u64),
    /// One.
    Word(fn(&mut Settings, &str) -> Result<(), String>),
    /// Any, one text.
    Words(fn(&mut Settings) -> &mut String),
    /// Keys with values, at least one; for each of them.
    Pairs(fn(&mut Settings, &str, &str) -> Result<(), String>),
    /// The option reads its words itself.
    Line(fn(&mut FastchessReading, &Given) -> Result<(), String>),
}
use Takes::{Asks, Flag, Int, Line, Long, Pairs, Word, Words};

const ROWS: [(&str, Takes); 52] = [
    ("-engine", Line(engine)),
    ("-each", Line(|reading, given| reading.each(given))),
    ("-pgnout", Line(pgn_out)),
    ("-epdout", Line(epd_out)),
    ("-openings", Pairs(openings)),
    ("-sprt", Pairs(sprt)),
    ("-draw", Pairs(draw)),
    ("-resign", Pairs(resign)),
    ("-maxmoves", Word(max_moves)),
    ("-tb", Word(tablebases)),
    ("-tbpieces", Int(|all| &mut all.tb_adjudication.max_pieces)),
    (
        "-tbignore50",
        Flag(|all| &mut all.tb_adjudication.ignore_50_move_rule),
    ),
    ("-tbadjudicate", Word(tablebase_results)),
    ("-autosaveinterval", Int(|all| &mut all.autosaveinterval)),
    ("-log", Pairs(log)),
    ("-config", Line(|reading, given| reading.config(given))),
    ("-report", Pairs(report)),
    ("-output", Pairs(output)),
    ("-concurrency", Int(|all| &mut all.concurrency)),
    ("-crc32", Pairs(crc)),
    ("-force-concurrency", Flag(|all| &mut all.force_concurrency)),
    ("-event", Words(|all| &mut all.pgn.event_name)),
    ("-site", Words(|all| &mut all.pgn.site)),
    ("-games", Word(games)),
    ("-rounds", Word(rounds)),
    ("-wait", Word(wait)),
    ("-noswap", Flag(|all| &mut all.noswap)),
    ("-reverse", Flag(|all| &mut all.reverse)),
    ("-ratinginterval", Int(|all| &mut all.ratinginterval)),
    ("-scoreinterval", Int(|all| &mut all.scoreinterval)),
    ("-srand", Long(|all| &mut all.seed)),
    ("-seeds", Int(|all| &mut all.gauntlet_seeds)),
    ("-version", Asks(version)),
    ("--version", Asks(version)),
    ("-v", Asks(version)),
    ("--v", Asks(version)),
    ("-help", Asks(|| HELP.to_owned())),
    ("--help", Asks(|| HELP.to_owned())),
    ("-recover", Flag(|all| &mut all.recover)),
    ("-repeat", Line(repeat)),
    ("-variant", Word(variant)),
    ("-tournament", Word(tournament)),
    ("-quick", Line(|reading, given| reading.quick(given))),
    ("-use-affinity", Line(affinity)),
    ("-check-mate-pvs", Flag(|all| &mut all.check_mate_pvs)),
    ("-show-latency", Flag(|all| &mut all.show_latency)),
    ("-debug", Line(debug)),
    ("-testEnv", Flag(|all| &mut all.unwritten.test_env)),
    ("-strict", Flag(|all| &mut all.unwritten.strict)),
    ("-startup-ms", Long(|all| &mut all.unwritten.startup_ms)),
    (
        "-ucinewgame-ms",
        Long(|all| &mut all.unwritten.ucinewgame_ms),
    ),
    ("-ping-ms", Long(|all| &mut all.unwritten.ping_ms)),
];

/// The names of all options.
pub(super) fn names() -> impl Iterator<Item = &'static str> + Clone {
    ROWS.iter().map(|(name, _)| *name)
}

/// Takes in an option; returns what the line asks for other than an event.
///
/// # Errors
/// The reason, as fastchess words it.
pub(super) fn take(reading: &mut FastchessReading, given: &Given) -> Result<Option<Asked>, String> {
    let Some((_, takes)) = ROWS.iter().find(|(name, _)| *name == given.name) else {
        return Ok(None);
    };
    let settings = &mut reading.line.settings;
    match takes {
        Asks(text) => {
            given.alone()?;
            return Ok(Some(Asked::Text(text(), DONE)));
        }
        Flag(place) => {
            given.alone()?;
            *place(settings) = true;
        }
        Int(place) => *place(settings) = whole(given.single()?)?,
        Long(place) => *place(settings) = whole(given.single()?)?,
        Word(set) => set(settings, given.single()?)?,
        Words(place) => *place(settings) = given.words.concat(),
        Pairs(set) => {
            for (key, value) in given.some_pairs()? {
                set(settings, &key, &value)?;
            }
        }
        Line(take) => take(reading, given)?,
    }
    Ok(None)
}

fn version() -> String {
    format!("{}\n", text::version())
}

fn engine(reading: &mut FastchessReading, given: &Given) -> Result<(), String> {
    let mut engine = EngineSettings::default();
    for (key, value) in given.some_pairs()? {
        engine_keys::set(&mut engine, &key, &value)?;
    }
    reading.line.engines.push(engine);
    Ok(())
}

fn debug(_: &mut FastchessReading, given: &Given) -> Result<(), String> {
    given.alone()?;
    let words = "The 'debug' option does not exist in fastchess. Use the 'log' option \
                 instead to write all engine input and output into a text file.";
    Err(words.to_owned())
}

fn max_moves(settings: &mut Settings, word: &str) -> Result<(), String> {
    settings.maxmoves.enabled = true;
    settings.maxmoves.move_count = whole(word)?;
    Ok(())
}

fn tablebases(settings: &mut Settings, word: &str) -> Result<(), String> {
    settings.tb_adjudication.enabled = true;
    word.clone_into(&mut settings.tb_adjudication.syzygy_dirs);
    Ok(())
}

fn games(settings: &mut Settings, word: &str) -> Result<(), String> {
    settings.games = i64::from(whole::<i32>(word)?);
    Ok(())
}

fn wait(settings: &mut Settings, word: &str) -> Result<(), String> {
    settings.wait = whole::<i32>(word)?.cast_unsigned();
    Ok(())
}

fn report(settings: &mut Settings, key: &str, value: &str) -> Result<(), String> {
    settings.report_penta = flag(["report", "penta"], key, value)?;
    Ok(())
}

fn crc(settings: &mut Settings, key: &str, value: &str) -> Result<(), String> {
    settings.pgn.crc = flag(["crc", "pgn"], key, value)?;
    Ok(())
}

/// The value of an option with one key, which is true or false.
fn flag([option, known]: [&str; 2], key: &str, value: &str) -> Result<bool, String> {
    let flag = truth(value).filter(|_| key == known);
    flag.ok_or_else(|| unrecognized(option, key, value))
}
