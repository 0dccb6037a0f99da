//! Every option of fastchess and every key of an option, once: its name, the words that it takes, and what it sets; and
//! how words are taken in. Those of options that read their words themselves are in `own_words`.

use std::path::Path;

use super::own_words;
use crate::front::common::command_line::{Given, HELP, KeyValue, VERSION};
use crate::front::common::settings::{
    BookFormat, CommandLine, EngineSettings, Kind, Level, Order, Output, Settings, Variant,
};
use crate::front::common::values::{real, whole};
use Takes::{Asks, Choice, Flag, Int, Keys, Line, Long, Real, Score, Truth, Word, Words, Wrapped};

pub(super) const OPTIONS: [OptionRow; 52] = [
    ("-engine", Line(own_words::engine)),
    ("-each", Line(own_words::each)),
    ("-pgnout", Line(own_words::pgn_out)),
    (
        "-epdout",
        Keys(&EPD_KEYS, |all| all.epd.file = dated("epd")),
    ),
    ("-openings", Keys(&BOOK_KEYS, |_| {})),
    ("-sprt", Keys(&TEST_KEYS, begin_test)),
    ("-draw", Keys(&DRAW_KEYS, |all| all.draw.enabled = true)),
    (
        "-resign",
        Keys(&RESIGN_KEYS, |all| all.resign.enabled = true),
    ),
    ("-maxmoves", Word(max_moves)),
    ("-tb", Word(tablebases)),
    ("-tbpieces", Int(|all| &mut all.tb_adjudication.max_pieces)),
    (
        "-tbignore50",
        Flag(|all| &mut all.tb_adjudication.ignore_50_move_rule),
    ),
    ("-tbadjudicate", Word(tablebase_results)),
    ("-autosaveinterval", Int(|all| &mut all.autosaveinterval)),
    ("-log", Keys(&LOG_KEYS, |_| {})),
    ("-config", Line(own_words::config)),
    ("-report", Keys(&REPORT_KEYS, |_| {})),
    ("-output", Keys(&OUTPUT_KEYS, |_| {})),
    ("-concurrency", Int(|all| &mut all.concurrency)),
    ("-crc32", Keys(&CHECKSUM_KEYS, |_| {})),
    ("-force-concurrency", Flag(|all| &mut all.force_concurrency)),
    ("-event", Words(|all| &mut all.pgn.event_name)),
    ("-site", Words(|all| &mut all.pgn.site)),
    ("-games", Word(games)),
    ("-rounds", Word(rounds)),
    ("-wait", Wrapped(|all| &mut all.wait)),
    ("-noswap", Flag(|all| &mut all.noswap)),
    ("-reverse", Flag(|all| &mut all.reverse)),
    ("-ratinginterval", Int(|all| &mut all.ratinginterval)),
    ("-scoreinterval", Int(|all| &mut all.scoreinterval)),
    ("-srand", Long(|all| &mut all.seed)),
    ("-seeds", Int(|all| &mut all.gauntlet_seeds)),
    ("-version", Asks(VERSION)),
    ("--version", Asks(VERSION)),
    ("-v", Asks(VERSION)),
    ("--v", Asks(VERSION)),
    ("-help", Asks(HELP)),
    ("--help", Asks(HELP)),
    ("-recover", Flag(|all| &mut all.recover)),
    ("-repeat", Line(own_words::repeat)),
    ("-variant", Word(variant)),
    ("-tournament", Word(tournament)),
    ("-quick", Line(own_words::quick)),
    ("-use-affinity", Line(own_words::affinity)),
    ("-check-mate-pvs", Flag(|all| &mut all.check_mate_pvs)),
    ("-show-latency", Flag(|all| &mut all.show_latency)),
    ("-debug", Line(own_words::debug)),
    ("-testEnv", Flag(|all| &mut all.unwritten.test_env)),
    ("-strict", Flag(|all| &mut all.unwritten.strict)),
    ("-startup-ms", Long(|all| &mut all.unwritten.startup_ms)),
    (
        "-ucinewgame-ms",
        Long(|all| &mut all.unwritten.ucinewgame_ms),
    ),
    ("-ping-ms", Long(|all| &mut all.unwritten.ping_ms)),
];

const EPD_KEYS: [OptionRow; 2] = [
    ("file", Words(|all| &mut all.epd.file)),
    ("append", Truth(|all| &mut all.epd.append_file)),
];

const BOOK_KEYS: [OptionRow; 6] = [
    ("file", Word(book)),
    (
        "format",
        Choice(|all, word| BookFormat::set(&mut all.opening.format, word)),
    ),
    (
        "order",
        Choice(|all, word| Order::set(&mut all.opening.order, word)),
    ),
    ("plies", Int(|all| &mut all.opening.plies)),
    ("start", Word(book_start)),
    ("policy", Word(book_policy)),
];

const TEST_KEYS: [OptionRow; 5] = [
    ("elo0", Real(|all| &mut all.sprt.elo0)),
    ("elo1", Real(|all| &mut all.sprt.elo1)),
    ("alpha", Real(|all| &mut all.sprt.alpha)),
    ("beta", Real(|all| &mut all.sprt.beta)),
    ("model", Words(|all| &mut all.sprt.model)),
];

const DRAW_KEYS: [OptionRow; 3] = [
    ("movenumber", Wrapped(|all| &mut all.draw.move_number)),
    ("movecount", Int(|all| &mut all.draw.move_count)),
    ("score", Score(|all| &mut all.draw.score)),
];

const RESIGN_KEYS: [OptionRow; 3] = [
    ("movecount", Int(|all| &mut all.resign.move_count)),
    ("score", Score(|all| &mut all.resign.score)),
    ("twosided", Truth(|all| &mut all.resign.twosided)),
];

const LOG_KEYS: [OptionRow; 6] = [
    ("file", Words(|all| &mut all.log.file)),
    (
        "level",
        Choice(|all, word| Level::set(&mut all.log.level, word)),
    ),
    ("append", Truth(|all| &mut all.log.append_file)),
    ("compress", Truth(|all| &mut all.log.compress)),
    ("realtime", Truth(|all| &mut all.log.realtime)),
    ("engine", Truth(|all| &mut all.log.engine_coms)),
];

const REPORT_KEYS: [OptionRow; 1] = [("penta", Truth(|all| &mut all.report_penta))];

const CHECKSUM_KEYS: [OptionRow; 1] = [("pgn", Truth(|all| &mut all.pgn.crc))];

const OUTPUT_KEYS: [OptionRow; 1] = [(
    "format",
    Choice(|all, word| Output::set(&mut all.output, word)),
)];

fn begin_test(settings: &mut Settings) {
    settings.sprt.enabled = true;
    if settings.rounds == 0 {
        settings.rounds = 500_000;
    }
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

fn tablebase_results(settings: &mut Settings, word: &str) -> Result<(), String> {
    if !["WIN_LOSS", "DRAW", "BOTH"].contains(&word) {
        return Err(format!("Invalid tb adjudication type: {word}"));
    }
    settings.tb_adjudication.results = Some(word.to_owned());
    Ok(())
}

/// The number of rounds that no run comes to: in fastchess, negative numbers wrap around to large ones.
const ENDLESS_ROUNDS: i64 = 1_000_000_000;

fn rounds(settings: &mut Settings, word: &str) -> Result<(), String> {
    let rounds = i64::from(whole::<i32>(word)?);
    settings.rounds = if rounds < 0 { ENDLESS_ROUNDS } else { rounds };
    Ok(())
}

fn games(settings: &mut Settings, word: &str) -> Result<(), String> {
    settings.games = whole::<i32>(word)?.into();
    Ok(())
}

fn variant(settings: &mut Settings, word: &str) -> Result<(), String> {
    match word {
        "fischerandom" => settings.variant = Variant::Chess960,
        "standard" => {}
        _ => return Err("Unknown variant.".to_owned()),
    }
    Ok(())
}

fn tournament(settings: &mut Settings, word: &str) -> Result<(), String> {
    let words = "Unsupported tournament format. Only supports roundrobin and gauntlet.";
    Kind::set(&mut settings.kind, word).ok_or(words.to_owned())
}

fn book(settings: &mut Settings, file: &str) -> Result<(), String> {
    let opening = &mut settings.opening;
    file.clone_into(&mut opening.file);
    if file.ends_with(".epd") {
        opening.format = BookFormat::Epd;
    } else if file.ends_with(".pgn") {
        opening.format = BookFormat::Pgn;
    }
    if !Path::new(file).exists() {
        return Err(format!("Opening file does not exist: {file}"));
    }
    Ok(())
}

fn book_start(settings: &mut Settings, word: &str) -> Result<(), String> {
    settings.opening.start = whole(word)?;
    if settings.opening.start < 1 {
        return Err("Starting offset must be at least 1!".to_owned());
    }
    Ok(())
}

fn book_policy(_: &mut Settings, word: &str) -> Result<(), String> {
    if word != "round" {
        return Err("Unsupported opening book policy.".to_owned());
    }
    Ok(())
}

// How words are taken in.

/// The result of the words that were read so far.
pub(super) struct FastchessReading {
    pub(super) line: CommandLine,
    /// The settings before `-config file=`.
    pub(super) before: Option<(Settings, Vec<EngineSettings>)>,
    pub(super) each: Option<Given>,
}

/// Takes in a value; the error is fastchess's reason.
type Sets = fn(&mut Settings, &str) -> Result<(), String>;

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
    /// One.
    Word(Sets),
    /// One of a few words.
    Choice(fn(&mut Settings, &str) -> Option<()>),
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
        Takes::Choice(set) => return set(settings, word).ok_or(None),
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
