//! Translates the settings of a command line into the equivalent event.

use regex_lite::Regex;

use super::event_engine;
use super::settings::{BookFormat, EngineSettings, Kind, Order, Settings, Variant};
use crate::config::{EventTable, MAX_ENCOUNTER_PAIRS, MadeEvent, key_range};
use crate::event::{Series, SeriesOpening, SeriesOrder};

/// The faults that fastchess calls a disconnection or a stall.
const BROKEN_KINDS: &str =
    "crash stall not-ready start-failure memory-limit process-limit disk-limit";

/// The pairs that a level encounter of a knockout is longer at most; cutechess-cli plays without end.
const MAX_EXTRA_PAIRS: u32 = 100;

/// Maximum time that a silent engine may search without a clock, in seconds. fastchess waits without limit.
const STALL_SECONDS: u32 = 3600;

/// Number of processors of this machine.
pub(crate) fn processors() -> i32 {
    let count = std::thread::available_parallelism();
    count.map_or(1, |count| i32::try_from(count.get()).unwrap_or(i32::MAX))
}

/// The event; `name` is its name and that of the folder of its store.
pub(crate) fn event(settings: &Settings, engines: &[EngineSettings], name: &str) -> MadeEvent {
    let mut out = EventTable::default();
    out.table("event", games(settings, engines, name));
    out.table("positions", positions(settings, engines));
    out.table("timeouts", timeouts(settings));
    out.table("adjudication", adjudication(settings));
    if !settings.recover {
        let mut faults = EventTable::default();
        faults.text("policy", "stop");
        faults.list("kinds", BROKEN_KINDS.split(' '));
        out.table("faults", faults);
    }
    if has_test(settings, engines) {
        out.table("sprt", sprt(settings));
    }
    match &settings.unwritten.cutechess {
        Some(_) if is_knockout(settings, engines) => {
            let mut knockout = EventTable::named("knockout");
            knockout.whole("extra_pairs", MAX_EXTRA_PAIRS);
            out.table("knockout", knockout);
        }
        Some(own) => out.table("series", series(own.series)),
        None => {}
    }
    out.tables("engine", engines.iter().map(event_engine::table));
    MadeEvent::of_tables(out)
}

fn games(settings: &Settings, engines: &[EngineSettings], name: &str) -> EventTable {
    let mut out = EventTable::named("event");
    out.text("name", name);
    out.text_if(!settings.pgn.site.is_empty(), "site", &settings.pgn.site);
    // TOML's integers end at this value; a larger seed is passed separately from the file.
    out.whole_if(i64::try_from(settings.seed).is_ok(), "seed", settings.seed);
    let variant = match settings.variant {
        Variant::Standard => "standard",
        Variant::Chess960 => "chess960",
    };
    out.text("variant", variant);
    match settings.kind {
        _ if is_knockout(settings, engines) => out.text("format", "knockout"),
        _ if engines.len() == 2 => {}
        Kind::RoundRobin => out.text("format", "round-robin"),
        Kind::Gauntlet => {
            out.text("format", "gauntlet");
            let heroes = &engines[..settings.heroes(engines.len())];
            out.list("heroes", heroes.iter().map(|hero| &hero.name));
        }
    }
    let meetings = settings.unwritten.cutechess.as_ref();
    let meetings = meetings.map_or(settings.rounds, |own| i64::from(own.meetings));
    let is_knockout = is_knockout(settings, engines);
    let most = i64::from(MAX_ENCOUNTER_PAIRS);
    let pairs = meetings.min(if is_knockout { most } else { i64::MAX });
    out.whole_if(!has_test(settings, engines), "pairs", pairs);
    let is_alone = settings.games == 1 && !is_knockout;
    out.whole_if(is_alone, "pair_games", 1);
    let colours = match (settings.noswap, settings.reverse) {
        (false, false) => "white-black",
        (false, true) => "black-white",
        (true, false) => "white",
        (true, true) => "black",
    };
    // The encounters of a knockout begin with the colours of the draw.
    out.text_if(!is_knockout, "colours", colours);
    let kept = settings.pgn.additional_lines_rgx.iter();
    // The other program's expressions may look ahead and back. Where ours cannot, no line is kept for it.
    let kept: Vec<&String> = kept.filter(|line| Regex::new(line).is_ok()).collect();
    if !kept.is_empty() {
        out.list("keep_lines", kept);
    }
    out.whole("concurrency", settings.concurrency);
    if settings.affinity
        && settings.unwritten.cpus.is_empty()
        && settings.concurrency <= processors()
    {
        out.whole("cpus_per_lane", 1);
    }
    if settings.wait > 0 {
        out.number("pause", f64::from(settings.wait) / 1000.0);
    }
    out
}

fn positions(settings: &Settings, engines: &[EngineSettings]) -> EventTable {
    let opening = &settings.opening;
    let is_knockout = is_knockout(settings, engines);
    let mut out = EventTable::named("positions");
    out.text("draw", if is_knockout { "encounter" } else { "next" });
    if opening.file.is_empty() || opening.format == BookFormat::None {
        match settings.variant {
            Variant::Chess960 => out.flag("all", true),
            Variant::Standard => out.list("numbers", ["518"]),
        }
        return out;
    }
    out.text("file", &opening.file);
    match opening.format {
        BookFormat::Pgn => {
            out.text("format", "pgn");
            // The whole line of the book: no book has longer games.
            let plies = u32::try_from(opening.plies).unwrap_or(u32::MAX);
            out.whole("plies", plies);
        }
        _ => out.text("format", "epd"),
    }
    let order = match opening.order {
        Order::Random => rival(settings),
        Order::Sequential => "sequential",
    };
    out.text("order", order);
    out.whole_if(opening.start > 1, "start", opening.start);
    out.whole("limit", settings.rounds);
    out
}

fn timeouts(settings: &Settings) -> EventTable {
    // fastchess waits without limit where the limit is 0.
    let seconds = |milliseconds: u64| match milliseconds {
        0 => f64::INFINITY,
        some => some as f64 / 1000.0,
    };
    let mut out = EventTable::named("timeouts");
    let waits = &settings.unwritten;
    out.number("start", seconds(waits.startup_ms));
    out.number("newgame", seconds(waits.ucinewgame_ms));
    out.number("ready", seconds(waits.ping_ms));
    if !settings.is_cutechess() {
        out.number("each_move", seconds(waits.ping_ms));
    }
    out.whole("stall", STALL_SECONDS);
    out
}

fn adjudication(settings: &Settings) -> EventTable {
    let mut out = EventTable::named("adjudication");
    out.text("host_faults", "count");
    let max_moves = &settings.maxmoves;
    out.whole_if(max_moves.enabled, "max_moves", max_moves.move_count);
    tablebases(&mut out, settings);
    let (draw, resign) = (&settings.draw, &settings.resign);
    let is_long = settings.is_cutechess() && settings.maxmoves.enabled;
    if draw.enabled || resign.enabled || is_long {
        out.text("school", rival(settings));
    }
    // With cutechess-cli, a start at move 0 turns the rule off; and no game reaches numbers above the maximum.
    let is_reached = |rule, key, number: f64| -> bool { number <= *key_range(rule, key).end() };
    let ends_nothing = settings.is_cutechess() && draw.move_number == 0;
    if draw.enabled
        && !ends_nothing
        && is_reached("draw", "from_move", draw.move_number.into())
        && is_reached("draw", "moves", draw.move_count.into())
    {
        let mut rule = EventTable::named("draw");
        rule.whole("from_move", draw.move_number);
        rule.whole("moves", draw.move_count);
        rule.whole("centipawns", draw.score);
        out.table("draw", rule);
    }
    if resign.enabled && is_reached("resign", "moves", resign.move_count.into()) {
        let mut rule = EventTable::named("resign");
        rule.whole("moves", resign.move_count);
        rule.whole("centipawns", resign.score);
        rule.flag("both_engines", resign.twosided);
        out.table("resign", rule);
    }
    out
}

/// Whose rules the event follows.
fn rival(settings: &Settings) -> &'static str {
    if settings.is_cutechess() {
        "cutechess"
    } else {
        "fastchess"
    }
}

/// Endgame tables.
fn tablebases(out: &mut EventTable, settings: &Settings) {
    let tables = &settings.tb_adjudication;
    if !tables.enabled {
        return;
    }
    let folders = tables.syzygy_dirs.split([':', ';']);
    out.list("tablebases", folders.filter(|folder| !folder.is_empty()));
    if !settings.is_cutechess() {
        out.flag("tablebase_zeroing", true);
    }
    let men = key_range("adjudication", "tablebase_men");
    let is_known = men.contains(&tables.max_pieces.into());
    out.whole_if(is_known, "tablebase_men", tables.max_pieces);
    if tables.ignore_50_move_rule {
        out.flag("tablebase_fifty_moves", false);
    }
    match tables.results.as_deref() {
        Some("WIN_LOSS") => out.text("tablebase_results", "wins"),
        Some("DRAW") => out.text("tablebase_results", "draws"),
        _ => {}
    }
}

/// Games of two engines before the next two meet.
fn series(series: Series) -> EventTable {
    let mut out = EventTable::named("series");
    out.text_if(series.order == SeriesOrder::Pyramid, "order", "pyramid");
    out.whole("games", series.games);
    match series.opening {
        SeriesOpening::Games(games) => out.whole("opening", games),
        SeriesOpening::Series => out.text("opening", "series"),
        SeriesOpening::Round => out.text("opening", "round"),
    }
    out
}

/// Whether results decide who meets whom.
fn is_knockout(settings: &Settings, engines: &[EngineSettings]) -> bool {
    let own = settings.unwritten.cutechess.as_ref();
    engines.len() > 1 && own.is_some_and(|own| own.knockout)
}

/// Whether the event can run the test of the command line. If not, the front's lines determine when it is decided.
fn has_test(settings: &Settings, engines: &[EngineSettings]) -> bool {
    let sprt = &settings.sprt;
    let is_possible = |(key, value): &(&str, f64)| key_range("sprt", key).contains(value);
    let in_range = test_numbers(settings).iter().all(is_possible);
    let is_match = engines.len() == 2 && !is_knockout(settings, engines);
    sprt.enabled && is_match && sprt.elo0 < sprt.elo1 && in_range
}

fn test_numbers(settings: &Settings) -> [(&'static str, f64); 4] {
    let sprt = &settings.sprt;
    [
        ("elo0", sprt.elo0),
        ("elo1", sprt.elo1),
        ("alpha", sprt.alpha),
        ("beta", sprt.beta),
    ]
}

fn sprt(settings: &Settings) -> EventTable {
    let mut out = EventTable::named("sprt");
    for (key, value) in test_numbers(settings) {
        out.number(key, value);
    }
    out.text("model", &settings.sprt.model);
    out.whole("max_pairs", settings.rounds);
    out.text("bounds", "wald");
    out.text("running", "void");
    let unit = match (settings.is_cutechess(), settings.report_penta) {
        (true, _) => "cutechess",
        (false, true) => "pairs",
        (false, false) => "games",
    };
    out.text("unit", unit);
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::config::{Overrides, RealFiles, parse_match};
    use crate::event::SeriesOpening;
    use crate::front::common::settings::Cutechess;

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
        fn no_number_is_refused(numbers in prop::collection::vec(number(), 25), is_cutechess: bool) {
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
                    knockout: next() > 0,
                    outcomes: 0,
                    prints_dialogue: false,
                    names: Vec::new(),
                });
                settings.games = 1;
            }
            let program = std::env::current_exe().unwrap();
            let mut engine = EngineSettings { name: "A".to_owned(), cmd: program.display().to_string(), ..EngineSettings::default() };
            engine.limit.tc.time = i64::from(next().max(0)) * 1000;
            engine.limit.tc.increment = i64::from(next().max(0));
            engine.limit.tc.moves = i64::from(next().max(0));
            engine.limit.tc.timemargin = i64::from(next().max(0));
            engine.limit.tc.fixed_time = i64::from(next().max(0));
            engine.limit.nodes = i64::from(next()).cast_unsigned();
            engine.limit.plies = i64::from(next()).cast_unsigned();
            let other = EngineSettings { name: "B".to_owned(), ..engine.clone() };
            let event = event(&settings, &[engine, other], "x");
            let origin = std::env::temp_dir().join("event");
            let overrides = Overrides { seed: Some(1), ..Overrides::default() };
            if let Err(errors) = parse_match(&event, &origin, overrides, &RealFiles) {
                prop_assert!(false, "{errors}\n{}", event.to_toml());
            }
        }
    }
}
