//! Every option of fastchess and every key of an option, once: its name, the words that it takes, and what it sets.
//! Those of options that read their words themselves are in `own_words`.

use std::path::Path;

use super::own_words::Takes::{
    Asks, Choice, Flag, Int, Keys, Line, Long, Real, Score, Truth, Word, Words, Wrapped,
};
use super::own_words::{self, OptionRow, dated};
use crate::front::common::command_line::{HELP, VERSION};
use crate::front::common::settings::{BookFormat, Settings, Variant, WordChoice};
use crate::front::common::values::whole;

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
    ("format", Choice(|all| &mut all.opening.format)),
    ("order", Choice(|all| &mut all.opening.order)),
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
    ("level", Choice(|all| &mut all.log.level)),
    ("append", Truth(|all| &mut all.log.append_file)),
    ("compress", Truth(|all| &mut all.log.compress)),
    ("realtime", Truth(|all| &mut all.log.realtime)),
    ("engine", Truth(|all| &mut all.log.engine_coms)),
];

const REPORT_KEYS: [OptionRow; 1] = [("penta", Truth(|all| &mut all.report_penta))];

const CHECKSUM_KEYS: [OptionRow; 1] = [("pgn", Truth(|all| &mut all.pgn.crc))];

const OUTPUT_KEYS: [OptionRow; 1] = [("format", Choice(|all| &mut all.output))];

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
    settings.kind.set(word).ok_or(words.to_owned())
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
