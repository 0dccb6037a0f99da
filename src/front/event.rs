//! From the settings of a command line to the event file that says the same.

use std::path::{Path, PathBuf};

use super::settings::{BookFormat, Engine, Kind, Order, Settings, Variant};
use crate::config::{Disk, find_command};

/// The faults that fastchess calls a disconnection or a stall.
const BROKEN: &str =
    r#"["crash", "stall", "not-ready", "start-failure", "memory-limit", "process-limit"]"#;

/// How long a silent engine may search where no clock runs, seconds. fastchess waits without end.
const STALL: u32 = 3600;

/// The longest margin that an event file takes, milliseconds.
const LONGEST_MARGIN: i64 = 60_000;

/// What cannot be said in an event file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Untranslatable(pub(super) String);

/// An event file that is being written.
#[derive(Default)]
struct Text(String);

impl Text {
    fn header(&mut self, header: &str) {
        if !self.0.is_empty() {
            self.0.push('\n');
        }
        self.0 += &format!("{header}\n");
    }

    fn plain(&mut self, key: &str, value: impl std::fmt::Display) {
        self.0 += &format!("{key} = {value}\n");
    }

    fn text(&mut self, key: &str, value: &str) {
        self.plain(key, quoted(value));
    }
}

/// A string as TOML writes it.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

fn list(words: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let words: Vec<String> = words
        .into_iter()
        .map(|word| quoted(word.as_ref()))
        .collect();
    format!("[{}]", words.join(", "))
}

/// The event file; `name` is that of the event, and of the folder of its store.
///
/// # Errors
/// What cannot be said in one.
pub(super) fn file(
    settings: &Settings,
    engines: &[Engine],
    name: &str,
) -> Result<String, Untranslatable> {
    let mut out = Text::default();
    event(&mut out, settings, engines, name);
    positions(&mut out, settings);
    timeouts(&mut out, settings);
    adjudication(&mut out, settings);
    if settings.tb_adjudication.enabled {
        let words = "Error: endgame tables cannot be read by this version: take -tb out";
        return Err(Untranslatable(words.to_owned()));
    }
    if !settings.recover {
        out.header("[faults]");
        out.text("policy", "stop");
        out.plain("kinds", BROKEN);
    }
    sprt(&mut out, settings);
    for spec in engines {
        engine(&mut out, spec)?;
    }
    Ok(out.0)
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
    if !settings.sprt.enabled {
        out.plain("pairs", settings.rounds);
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
    out.plain("concurrency", settings.concurrency);
    if settings.affinity && settings.concurrency <= super::sanitize::processors() {
        out.plain("cpus_per_lane", 1);
    }
}

fn positions(out: &mut Text, settings: &Settings) {
    let opening = &settings.opening;
    out.header("[positions]");
    if opening.file.is_empty() || opening.format == BookFormat::None {
        out.plain("numbers", "[518]");
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
        Order::Random if settings.unwritten.cutechess => "cutechess",
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
    out.plain("stall", STALL);
}

fn adjudication(out: &mut Text, settings: &Settings) {
    out.header("[adjudication]");
    out.text("host_faults", "count");
    if settings.maxmoves.enabled {
        out.plain("max_moves", settings.maxmoves.move_count.max(1));
    }
    let (draw, resign) = (&settings.draw, &settings.resign);
    if draw.enabled || resign.enabled {
        let school = match settings.unwritten.cutechess {
            true => "cutechess",
            false => "fastchess",
        };
        out.text("school", school);
    }
    // From move 0 on is never, there.
    let never = settings.unwritten.cutechess && draw.move_number == 0;
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
    match settings.unwritten.cutechess {
        true => out.text("unit", "cutechess"),
        false if !settings.report_penta => out.text("unit", "games"),
        false => {}
    }
}

/// The table of an engine alone.
///
/// # Errors
/// As [`file`].
pub(super) fn engine_alone(spec: &Engine) -> Result<String, Untranslatable> {
    let mut out = Text::default();
    engine(&mut out, spec)?;
    Ok(out.0)
}

fn engine(out: &mut Text, engine: &Engine) -> Result<(), Untranslatable> {
    out.header("[[engine]]");
    out.text("name", &engine.name);
    out.text("command", &program(engine).to_string_lossy());
    let args = split_arguments(&engine.args);
    if !args.is_empty() {
        out.plain("args", list(args));
    }
    if !engine.dir.is_empty() {
        out.text("directory", &engine.dir);
    }
    out.text("refused_options", "warn");
    // Not "auto": a process that lives on after a fault of its own plays on.
    out.plain("restart", engine.restart);
    let tc = &engine.limit.tc;
    if tc.timemargin > 0 {
        out.plain("margin_ms", tc.timemargin.min(LONGEST_MARGIN));
    }
    let mut limits = Vec::new();
    if tc.time + tc.increment > 0 {
        limits.push(format!("control = {}", quoted(&control(engine))));
    } else if tc.fixed_time > 0 {
        limits.push(format!("movetime = {}", tc.fixed_time as f64 / 1000.0));
    }
    for (key, limit) in [("nodes", engine.limit.nodes), ("depth", engine.limit.plies)] {
        if limit > 0 {
            limits.push(format!("{key} = {limit}"));
        }
    }
    if !limits.is_empty() {
        out.plain("time", format!("{{ {} }}", limits.join(", ")));
    }
    let options = options(engine);
    if !options.is_empty() {
        let entry =
            |(name, value): &(String, String)| format!("{} = {}", quoted(name), quoted(value));
        let entries: Vec<String> = options.iter().map(entry).collect();
        out.plain("options", format!("{{ {} }}", entries.join(", ")));
    }
    Ok(())
}

/// The clock as an event file has it.
fn control(engine: &Engine) -> String {
    let tc = &engine.limit.tc;
    let seconds = |milliseconds: i64| (milliseconds as f64 / 1000.0).to_string();
    let mut text = seconds(tc.time);
    if tc.moves > 0 {
        text = format!("{}/{text}", tc.moves);
    }
    if tc.increment > 0 {
        text += &format!("+{}", seconds(tc.increment));
    }
    text
}

/// The options; the last value of each counts. What the event decides is left out.
fn options(engine: &Engine) -> Vec<(String, String)> {
    let mut options: Vec<(String, String)> = Vec::new();
    for (name, value) in &engine.options {
        let decided = name.eq_ignore_ascii_case("UCI_Chess960");
        let ponders = name.eq_ignore_ascii_case("Ponder") && value == "true";
        if decided || ponders {
            continue;
        }
        options.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        options.push((name.clone(), value.clone()));
    }
    options
}

/// The program: below its folder, on the search path, or in the working folder.
pub(super) fn program(engine: &Engine) -> PathBuf {
    let absolute = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
    let command = Path::new(&engine.cmd);
    if !engine.dir.is_empty() {
        return absolute(Path::new(&engine.dir).join(command));
    }
    if engine.cmd.contains('/') {
        return absolute(command.to_owned());
    }
    match find_command(&engine.cmd, &Disk) {
        Ok(path) => path,
        // In the working folder, or nowhere: then the check of the event says so.
        Err(_) => absolute(command.to_owned()),
    }
}

/// Arguments as a shell would split them: blanks, both kinds of quotes, backslashes.
pub(super) fn split_arguments(text: &str) -> Vec<String> {
    let mut arguments = Vec::new();
    let mut current: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(character);
                current.get_or_insert_default();
            }
            (None | Some('"'), '\\') => {
                let next = characters.next().unwrap_or('\\');
                current.get_or_insert_default().push(next);
            }
            (None, blank) if blank.is_whitespace() => arguments.extend(current.take()),
            _ => current.get_or_insert_default().push(character),
        }
    }
    arguments.extend(current);
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_split_as_by_a_shell() {
        let split = split_arguments(r#"bench  --name "a b" 'c "d"' e\ f """#);
        assert_eq!(split, ["bench", "--name", "a b", r#"c "d""#, "e f", ""]);
        assert!(split_arguments("").is_empty());
    }

    #[test]
    fn the_last_value_of_an_option_counts() {
        let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let engine = Engine {
            options: vec![
                option("Hash", "16"),
                option("UCI_Chess960", "true"),
                option("hash", "32"),
            ],
            ..Engine::default()
        };
        assert_eq!(options(&engine), [option("hash", "32")]);
    }
}
