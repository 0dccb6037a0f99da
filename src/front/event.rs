//! From the settings of a command line to the event file that says the same.

use super::event_engine;
use super::event_text::{Text, list};
use super::settings::{BookFormat, Engine, Kind, Order, Settings, Variant};
use crate::event::{Series, SeriesOpening, SeriesOrder};

/// The faults that fastchess calls a disconnection or a stall.
const BROKEN: &str =
    r#"["crash", "stall", "not-ready", "start-failure", "memory-limit", "process-limit"]"#;

/// How long a silent engine may search where no clock runs, seconds. fastchess waits without end.
const STALL: u32 = 3600;

/// The event file; `name` is that of the event, and of the folder of its store.
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
    sprt(&mut out, settings);
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
    // TOML's whole numbers end there; a greater one is handed over beside the file.
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
    if !settings.sprt.enabled {
        out.plain("pairs", meetings);
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
    out.plain("concurrency", settings.concurrency);
    if settings.affinity && settings.concurrency <= super::sanitize::processors() {
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
            // All of them: no book has longer games.
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
    out.plain("limit", settings.rounds);
    out.text("draw", "next");
}

fn timeouts(out: &mut Text, settings: &Settings) {
    let seconds = |milliseconds: u64| (milliseconds.max(1)) as f64 / 1000.0;
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
        out.plain("max_moves", settings.maxmoves.move_count.max(1));
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
    // From move 0 on is never, there.
    let never = settings.unwritten.cutechess.is_some() && draw.move_number == 0;
    if draw.enabled && !never {
        let (number, moves, score) = (draw.move_number, draw.move_count.max(1), draw.score);
        out.plain(
            "draw",
            format!("{{ from_move = {number}, moves = {moves}, centipawns = {score} }}"),
        );
    }
    if resign.enabled {
        let moves = resign.move_count.max(1);
        let (score, both) = (resign.score.max(1), resign.twosided);
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
    out.plain("games", series.games);
    match series.opening {
        SeriesOpening::Games(games) => out.plain("opening", games),
        SeriesOpening::Series => out.text("opening", "series"),
        SeriesOpening::Round => out.text("opening", "round"),
    }
}

fn sprt(out: &mut Text, settings: &Settings) {
    let sprt = &settings.sprt;
    if !sprt.enabled {
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
    out.plain("max_pairs", settings.rounds);
    out.text("bounds", "wald");
    out.text("running", "void");
    match settings.unwritten.cutechess.is_some() {
        true => out.text("unit", "cutechess"),
        false if !settings.report_penta => out.text("unit", "games"),
        false => out.text("unit", "pairs"),
    }
}
