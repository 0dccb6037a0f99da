//! Translates the settings of a command line into the equivalent event file.

use super::event_engine;
use super::event_text::{Text, list};
use super::settings::{BookFormat, Engine, Kind, Order, Settings, Variant};
use crate::event::{Series, SeriesOpening, SeriesOrder};

/// The faults that fastchess calls a disconnection or a stall.
const BROKEN: &str = r#"["crash", "stall", "not-ready", "start-failure", "memory-limit", "process-limit", "disk-limit"]"#;

/// The maxima that an event file takes: pairs, games of a series, games at once, moves of a game, moves and scores of
/// rules, Elo, milliseconds.
const MOST_PAIRS: u32 = 1_000_000_000;
const MOST_IN_SERIES: u32 = 1_000_000;
const MOST_CONCURRENCY: i32 = 1024;
const MOST_GAME_MOVES: i32 = 100_000;
const MOST_MOVES: i32 = 10_000;
const MOST_CENTIPAWNS: i32 = 100_000;
const MOST_ELO: f64 = 1000.0;
const LONGEST_WAIT: u64 = 1_000_000_000_000;

/// Maximum time that a silent engine may search without a clock, in seconds. fastchess waits without limit.
const STALL: u32 = 3600;

/// The event file; `name` is the name of the event and of the folder of its store.
pub(super) fn file(settings: &Settings, engines: &[Engine], name: &str) -> String {
    let mut out = Text::default();
    event(&mut out, settings, engines, name);
    positions(&mut out, settings);
    timeouts(&mut out, settings);
    adjudication(&mut out, settings);
    if !settings.recover {
        out.header("[faults]");
        out.text("policy", "stop");
        out.plain("kinds", BROKEN);
    }
    sprt(&mut out, settings, engines);
    if let Some(own) = &settings.unwritten.cutechess {
        series(&mut out, own.series);
    }
    for engine in engines {
        event_engine::write(&mut out, engine);
    }
    out.finish()
}

fn event(out: &mut Text, settings: &Settings, engines: &[Engine], name: &str) {
    out.header("[event]");
    out.text("name", name);
    if !settings.pgn.site.is_empty() {
        out.text("site", &settings.pgn.site);
    }
    // TOML's integers end at this value; a larger seed is passed separately from the file.
    if i64::try_from(settings.seed).is_ok() {
        out.plain("seed", settings.seed);
    }
    let variant = match settings.variant {
        Variant::Standard => "standard",
        Variant::Chess960 => "chess960",
    };
    out.text("variant", variant);
    match settings.kind {
        _ if engines.len() == 2 => {}
        Kind::RoundRobin => out.text("format", "round-robin"),
        Kind::Gauntlet => {
            out.text("format", "gauntlet");
            let seeds = usize::try_from(settings.gauntlet_seeds).unwrap_or(1);
            let heroes = &engines[..seeds.clamp(1, engines.len() - 1)];
            out.plain("heroes", list(heroes.iter().map(|hero| &hero.name)));
        }
    }
    let meetings = settings.unwritten.cutechess.as_ref();
    let meetings = meetings.map_or(settings.rounds, |own| i64::from(own.meetings));
    if !has_test(settings, engines) {
        out.plain("pairs", meetings.clamp(1, i64::from(MOST_PAIRS)));
    }
    if settings.games == 1 {
        out.plain("pair_games", 1);
    }
    let colours = match (settings.noswap, settings.reverse) {
        (false, false) => "white-black",
        (false, true) => "black-white",
        (true, false) => "white",
        (true, true) => "black",
    };
    out.text("colours", colours);
    let kept = &settings.pgn.additional_lines_rgx;
    if !kept.is_empty() {
        out.plain("keep_lines", list(kept));
    }
    out.plain(
        "concurrency",
        settings.concurrency.clamp(1, MOST_CONCURRENCY),
    );
    if settings.affinity
        && settings.unwritten.cpus.is_empty()
        && settings.concurrency <= super::sanitize::processors()
    {
        out.plain("cpus_per_lane", 1);
    }
    if settings.wait > 0 {
        out.plain("pause", f64::from(settings.wait) / 1000.0);
    }
}

fn positions(out: &mut Text, settings: &Settings) {
    let opening = &settings.opening;
    out.header("[positions]");
    if opening.file.is_empty() || opening.format == BookFormat::None {
        match settings.variant {
            Variant::Chess960 => out.plain("all", true),
            Variant::Standard => out.plain("numbers", "[518]"),
        }
        return out.text("draw", "next");
    }
    out.text("file", &opening.file);
    match opening.format {
        BookFormat::Pgn => {
            out.text("format", "pgn");
            // The whole line of the book: no book has longer games.
            let plies = u32::try_from(opening.plies).unwrap_or(1000);
            out.plain("plies", plies.min(1000));
        }
        _ => out.text("format", "epd"),
    }
    let order = match opening.order {
        Order::Random if settings.unwritten.cutechess.is_some() => "cutechess",
        Order::Random => "fastchess",
        Order::Sequential => "sequential",
    };
    out.text("order", order);
    if opening.start > 1 {
        out.plain("start", opening.start);
    }
    out.plain("limit", settings.rounds.min(i64::from(MOST_PAIRS)));
    out.text("draw", "next");
}

fn timeouts(out: &mut Text, settings: &Settings) {
    let seconds = |milliseconds: u64| milliseconds.clamp(1, LONGEST_WAIT) as f64 / 1000.0;
    out.header("[timeouts]");
    let waits = &settings.unwritten;
    out.plain("start", seconds(waits.startup_ms));
    out.plain("newgame", seconds(waits.ucinewgame_ms));
    out.plain("ready", seconds(waits.ping_ms));
    if settings.unwritten.cutechess.is_none() {
        out.plain("each_move", seconds(waits.ping_ms));
    }
    out.plain("stall", STALL);
}

fn adjudication(out: &mut Text, settings: &Settings) {
    out.header("[adjudication]");
    out.text("host_faults", "count");
    if settings.maxmoves.enabled {
        let moves = settings.maxmoves.move_count.clamp(1, MOST_GAME_MOVES);
        out.plain("max_moves", moves);
    }
    tablebases(out, settings);
    let (draw, resign) = (&settings.draw, &settings.resign);
    let is_long = settings.unwritten.cutechess.is_some() && settings.maxmoves.enabled;
    if draw.enabled || resign.enabled || is_long {
        let school = match settings.unwritten.cutechess.is_some() {
            true => "cutechess",
            false => "fastchess",
        };
        out.text("school", school);
    }
    // With cutechess-cli, a start at move 0 turns the rule off; and no game reaches numbers above the maximum.
    let never = settings.unwritten.cutechess.is_some() && draw.move_number == 0
        || draw.move_number > MOST_MOVES.unsigned_abs()
        || draw.move_count > MOST_MOVES;
    if draw.enabled && !never {
        let (number, moves) = (draw.move_number, draw.move_count.max(1));
        let score = draw.score.clamp(0, MOST_CENTIPAWNS);
        out.plain(
            "draw",
            format!("{{ from_move = {number}, moves = {moves}, centipawns = {score} }}"),
        );
    }
    if resign.enabled && resign.move_count <= MOST_MOVES {
        let moves = resign.move_count.max(1);
        let (score, both) = (resign.score.clamp(1, MOST_CENTIPAWNS), resign.twosided);
        out.plain(
            "resign",
            format!("{{ moves = {moves}, centipawns = {score}, both_engines = {both} }}"),
        );
    }
}

/// Endgame tables.
fn tablebases(out: &mut Text, settings: &Settings) {
    let tables = &settings.tb_adjudication;
    if !tables.enabled {
        return;
    }
    let folders = tables.syzygy_dirs.split([':', ';']);
    out.plain(
        "tablebases",
        list(folders.filter(|folder| !folder.is_empty())),
    );
    if settings.unwritten.cutechess.is_none() {
        out.plain("tablebase_zeroing", true);
    }
    if (3..=7).contains(&tables.max_pieces) {
        out.plain("tablebase_men", tables.max_pieces);
    }
    if tables.ignore_50_move_rule {
        out.plain("tablebase_fifty_moves", false);
    }
    match tables.results.as_deref() {
        Some("WIN_LOSS") => out.text("tablebase_results", "wins"),
        Some("DRAW") => out.text("tablebase_results", "draws"),
        _ => {}
    }
}

/// Games of two engines before the next two meet.
fn series(out: &mut Text, series: Series) {
    out.header("[series]");
    if series.order == SeriesOrder::Pyramid {
        out.text("order", "pyramid");
    }
    out.plain("games", series.games.min(MOST_IN_SERIES));
    match series.opening {
        SeriesOpening::Games(games) => out.plain("opening", games),
        SeriesOpening::Series => out.text("opening", "series"),
        SeriesOpening::Round => out.text("opening", "round"),
    }
}

/// Whether the event can run the test of the command line. If not, the front's lines determine when it is decided.
fn has_test(settings: &Settings, engines: &[Engine]) -> bool {
    let sprt = &settings.sprt;
    let errors = 1e-6..=0.4999;
    sprt.enabled
        && engines.len() == 2
        && sprt.elo0 < sprt.elo1
        && [sprt.elo0, sprt.elo1]
            .iter()
            .all(|elo| elo.abs() <= MOST_ELO)
        && [sprt.alpha, sprt.beta]
            .iter()
            .all(|rate| errors.contains(rate))
}

fn sprt(out: &mut Text, settings: &Settings, engines: &[Engine]) {
    let sprt = &settings.sprt;
    if !has_test(settings, engines) {
        return;
    }
    out.header("[sprt]");
    for (key, value) in [
        ("elo0", sprt.elo0),
        ("elo1", sprt.elo1),
        ("alpha", sprt.alpha),
        ("beta", sprt.beta),
    ] {
        out.plain(key, format!("{value:?}"));
    }
    out.text("model", &sprt.model);
    out.plain("max_pairs", settings.rounds.min(1_000_000_000));
    out.text("bounds", "wald");
    out.text("running", "void");
    match settings.unwritten.cutechess.is_some() {
        true => out.text("unit", "cutechess"),
        false if !settings.report_penta => out.text("unit", "games"),
        false => out.text("unit", "pairs"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::config::{Disk, Overrides, parse};
    use crate::event::SeriesOpening;
    use crate::front::settings::Cutechess;

    fn number() -> impl Strategy<Value = i32> {
        prop_oneof![
            Just(0),
            Just(1),
            Just(i32::MIN),
            Just(i32::MAX),
            -200_000..200_000,
            any::<i32>()
        ]
    }

    proptest! {
        /// The event of a command line can be played whatever numbers the line contains.
        #[test]
        fn no_number_is_refused(numbers in prop::collection::vec(number(), 24), is_cutechess: bool) {
            let mut numbers = numbers.into_iter();
            let mut next = || numbers.next().unwrap_or(1);
            let mut settings = Settings::new(1);
            (settings.draw.enabled, settings.resign.enabled, settings.maxmoves.enabled) = (true, true, true);
            settings.draw.move_number = next().cast_unsigned();
            (settings.draw.move_count, settings.draw.score) = (next(), next().max(0));
            (settings.resign.move_count, settings.resign.score) = (next(), next().max(0));
            settings.maxmoves.move_count = next();
            settings.tb_adjudication.max_pieces = next();
            settings.wait = next().cast_unsigned();
            settings.rounds = i64::from(next().max(1));
            settings.concurrency = next().max(1);
            settings.gauntlet_seeds = next();
            settings.sprt.enabled = next() > 0;
            (settings.sprt.elo0, settings.sprt.elo1) = (f64::from(next()), f64::from(next()));
            (settings.sprt.alpha, settings.sprt.beta) = (0.7, 0.1);
            settings.unwritten.startup_ms = u64::from(next().unsigned_abs()) * 5_000;
            if is_cutechess {
                settings.unwritten.cutechess = Some(Cutechess {
                    series: Series { order: SeriesOrder::Circle, games: next().unsigned_abs().max(1), opening: SeriesOpening::Games(1) },
                    meetings: next().unsigned_abs().max(1),
                    outcomes: 0,
                    format: String::new(),
                    prints_dialogue: false,
                    names: Vec::new(),
                });
                settings.games = 1;
            }
            let program = std::env::current_exe().unwrap();
            let mut engine = Engine { name: "A".to_owned(), cmd: program.display().to_string(), ..Engine::default() };
            engine.limit.tc.time = i64::from(next().max(0)) * 1000;
            engine.limit.tc.increment = i64::from(next().max(0));
            engine.limit.tc.moves = i64::from(next().max(0));
            engine.limit.tc.timemargin = i64::from(next().max(0));
            engine.limit.tc.fixed_time = i64::from(next().max(0));
            engine.limit.nodes = i64::from(next()).cast_unsigned();
            engine.limit.plies = i64::from(next()).cast_unsigned();
            let other = Engine { name: "B".to_owned(), ..engine.clone() };
            let text = file(&settings, &[engine, other], "x");
            let origin = std::env::temp_dir().join("event");
            let overrides = Overrides { seed: Some(1), ..Overrides::default() };
            if let Err(errors) = parse(&text, &origin, overrides, &Disk) {
                prop_assert!(false, "{errors}\n{text}");
            }
        }
    }
}
