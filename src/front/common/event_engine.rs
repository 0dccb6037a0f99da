//! An engine of a command line as a table of an event file.

use std::path::{Path, PathBuf};

use super::settings::EngineSettings;
use crate::adapter;
use crate::clock::MAX_SECONDS;
use crate::config::{EventTable, RealFiles, find_command, split_arguments};

/// A shell script that starts a program, `$0`, and appends its standard error to a file, `$1`.
const INTO_A_FILE: &str = r#"exec 2>>"$1"; shift; exec "$0" "$@""#;

/// The table of an engine.
pub(crate) fn table(engine: &EngineSettings) -> EventTable {
    let mut out = EventTable::named("engine");
    out.text("name", &engine.name);
    let (command, args) = command(engine);
    out.text("command", &command);
    if !args.is_empty() {
        out.list("args", args);
    }
    out.text_if(!engine.dir.is_empty(), "directory", &engine.dir);
    out.text_if(has_protocol(engine), "protocol", "xboard");
    out.text("refused_options", "warn");
    // Not "auto": a process that survives its fault keeps playing.
    out.flag("restart", engine.restart);
    if ponders(engine) {
        out.flag("ponder", true);
    }
    let tc = &engine.limit.tc;
    out.whole_if(tc.timemargin > 0, "margin_ms", tc.timemargin);
    let mut limits = EventTable::named("time");
    if tc.runs() {
        limits.text("control", &control(engine));
    } else if tc.fixed_time != 0 {
        limits.number("movetime", tc.fixed_time as f64 / 1000.0);
    }
    let (nodes, plies) = (engine.limit.nodes, engine.limit.plies);
    limits.whole_if(nodes > 0, "nodes", nodes);
    limits.whole_if(plies > 0, "depth", plies);
    // Only the engine ends its search.
    limits.whole_if(is_unlimited(engine), "depth", u64::MAX);
    out.table("time", limits);
    let given = options(engine);
    if !given.is_empty() {
        let mut options = EventTable::default();
        for (name, value) in &given {
            options.text(name, value);
        }
        out.table("options", options);
    }
    out
}

/// The program to start, and its arguments: the engine, or a program that starts the engine.
fn command(engine: &EngineSettings) -> (String, Vec<String>) {
    let mut command = program(engine).to_string_lossy().into_owned();
    let mut args = split_arguments(&engine.args);
    let own = std::env::current_exe().unwrap_or_default();
    let own = own.to_string_lossy();
    let mut stand_before = |words: Vec<String>| {
        let behind = std::mem::replace(&mut command, own.clone().into_owned());
        args.splice(0..0, words.into_iter().chain(["--".to_owned(), behind]));
    };
    if let Some(init) = engine.xboard.as_ref().filter(|_| !has_protocol(engine)) {
        let init = init.iter().map(|line| format!("--init={line}"));
        let translator = std::iter::once(adapter::XBOARD.to_owned());
        stand_before(translator.chain(init).collect());
    }
    if engine.sees_as_white {
        stand_before(vec![adapter::WHITE_VIEW.to_owned()]);
    }
    if let Some((file, plies, seed)) = &engine.book {
        let words = [
            adapter::OWN_BOOK,
            file,
            &plies.to_string(),
            &seed.to_string(),
        ];
        stand_before(words.map(str::to_owned).into());
    }
    if !engine.stderr.is_empty() {
        let before = ["-c", INTO_A_FILE, &command, &engine.stderr].map(str::to_owned);
        args.splice(0..0, before);
        "/bin/sh".clone_into(&mut command);
    }
    (command, args)
}

/// Whether the event file's key says that it speaks XBoard's protocol; else the translator is the command, if it gets lines
/// first, or if something precedes it.
fn has_protocol(engine: &EngineSettings) -> bool {
    engine.book.is_none()
        && !engine.sees_as_white
        && engine.xboard.as_ref().is_some_and(Vec::is_empty)
}

/// Whether the engine has no limit at all, which an event file cannot express.
pub(crate) fn is_unlimited(engine: &EngineSettings) -> bool {
    let tc = &engine.limit.tc;
    !tc.runs() && tc.fixed_time == 0 && (engine.limit.nodes, engine.limit.plies) == (0, 0)
}

/// Whether it thinks on its opponent's time. With a limit of nodes or plies an event file has no such search, and without any limit
/// there is no time to save.
fn ponders(engine: &EngineSettings) -> bool {
    engine.ponders && (engine.limit.nodes, engine.limit.plies) == (0, 0) && !is_unlimited(engine)
}

/// The clock in the form of an event file.
fn control(engine: &EngineSettings) -> String {
    let tc = &engine.limit.tc;
    let longest = MAX_SECONDS as i64 * 1000;
    let seconds = |milliseconds: i64| (milliseconds.min(longest) as f64 / 1000.0).to_string();
    // Who has less than no time loses with the first move, as with the shortest time.
    let least = i64::from(tc.time < 0 || tc.increment <= 0);
    let mut text = seconds(tc.time.max(least));
    if tc.moves > 0 {
        text = format!("{}/{text}", tc.moves);
    }
    if tc.increment > 0 {
        text += &format!("+{}", seconds(tc.increment));
    }
    if tc.is_hourglass {
        format!("*{text}")
    } else {
        text
    }
}

/// The options; the last value of each is used. Options that the event sets are left out.
fn options(engine: &EngineSettings) -> Vec<(String, String)> {
    let mut options: Vec<(String, String)> = Vec::new();
    for (name, value) in &engine.options {
        let is_usual = value == "false" && !ponders(engine);
        if name.eq_ignore_ascii_case("UCI_Chess960")
            || name.eq_ignore_ascii_case("Ponder") && !is_usual
        {
            continue;
        }
        options.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        options.push((name.clone(), value.clone()));
    }
    options
}

/// The program: in its folder, on the search path, or in the working folder.
pub(crate) fn program(engine: &EngineSettings) -> PathBuf {
    if engine.dir.is_empty()
        && !engine.cmd.contains('/')
        && let Ok(path) = find_command(&engine.cmd, &RealFiles)
    {
        return path;
    }
    // If it is missing, the check of the event reports it.
    let path = Path::new(&engine.dir).join(&engine.cmd);
    std::path::absolute(&path).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_ponders_where_it_has_a_time_alone() {
        let mut engine = EngineSettings {
            ponders: true,
            options: vec![("Ponder".to_owned(), "false".to_owned())],
            ..EngineSettings::default()
        };
        assert!(!ponders(&engine));
        engine.limit.tc.time = 1000;
        assert!(ponders(&engine));
        assert!(options(&engine).is_empty());
        engine.limit.nodes = u64::MAX;
        engine.limit.plies = u64::MAX;
        assert!(!ponders(&engine) && !is_unlimited(&engine));
    }

    #[test]
    fn the_last_value_of_an_option_counts() {
        let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let engine = EngineSettings {
            options: vec![
                option("Hash", "16"),
                option("UCI_Chess960", "true"),
                option("hash", "32"),
            ],
            ..EngineSettings::default()
        };
        assert_eq!(options(&engine), [option("hash", "32")]);
    }
}
