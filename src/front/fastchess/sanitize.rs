//! Checks and corrections after all options were read.

use std::collections::HashMap;
use std::path::Path;

use crate::front::common::event::processors;
use crate::front::common::event_engine::is_unlimited;
use crate::front::common::settings::{
    BookFormat, CommandLine, EngineSettings, Output, Settings, Variant,
};

/// Checks and completes what a command line says; its notes take the lines that are printed during the checks.
/// cutechess-cli has checked its own while it was read, and plays without limits and without a book.
///
/// # Errors
/// The text that is printed.
pub(in crate::front) fn line(line: &mut CommandLine) -> Result<(), String> {
    if line.settings.is_cutechess() {
        return named_engines(&mut line.engines);
    }
    settings(&mut line.settings, &mut line.notes)?;
    if line.engines.len() < 2 {
        return Err("Error: Need at least two engines to start!".to_owned());
    }
    if line.settings.rounds == 0 || line.settings.games == 0 {
        return Err("Invalid number of players, rounds, or games per round".to_owned());
    }
    line.engines.iter().try_for_each(limits)?;
    named_engines(&mut line.engines)
}

fn settings(settings: &mut Settings, notes: &mut String) -> Result<(), String> {
    if settings.games > 2 {
        std::mem::swap(&mut settings.games, &mut settings.rounds);
        if settings.games > 2 {
            return Err("Error: Exceeded -game limit! Must be less than 2".to_owned());
        }
    }
    if settings.output == Output::Cutechess || settings.games != 2 {
        settings.report_penta = false;
    }
    for interval in [&mut settings.ratinginterval, &mut settings.scoreinterval] {
        if *interval == 0 {
            *interval = i32::MAX;
        }
    }
    concurrency(settings, notes)?;
    sprt(settings, notes)?;
    if settings.variant == Variant::Chess960 && settings.opening.file.is_empty() {
        return Err("Error: Please specify a Chess960 opening book".to_owned());
    }
    if settings.opening.file.is_empty() {
        *notes += "Warning: No opening book specified! Consider using one, otherwise all games will be \
                   played from the starting position.\n";
    }
    if settings.opening.format == BookFormat::None {
        *notes += "Warning: Unknown opening format, 2. All games will be played from the starting position.\n";
    }
    Ok(())
}

fn concurrency(settings: &mut Settings, notes: &mut String) -> Result<(), String> {
    let processors = processors();
    if settings.concurrency <= 0 {
        settings.concurrency = processors - settings.concurrency.abs();
        *notes += &format!(
            "Info: Adjusted concurrency to {} based on number of available hardware threads.\n",
            settings.concurrency
        );
    }
    if settings.concurrency > processors && !settings.force_concurrency {
        let words =
            "Error: Concurrency exceeds number of CPUs. Use -force-concurrency to override.";
        return Err(words.to_owned());
    }
    Ok(())
}

fn sprt(settings: &mut Settings, notes: &mut String) -> Result<(), String> {
    let sprt = &settings.sprt;
    if !sprt.enabled {
        return Ok(());
    }
    let inside = |value: f64| value > 0.0 && value < 1.0;
    let wrong = match sprt {
        _ if sprt.elo0 >= sprt.elo1 => Some("elo0 must be less than elo1!"),
        _ if !inside(sprt.alpha) => Some("alpha must be a decimal number between 0 and 1!"),
        _ if !inside(sprt.beta) => Some("beta must be a decimal number between 0 and 1!"),
        _ if sprt.alpha + sprt.beta >= 1.0 => Some("sum of alpha and beta must be less than 1!"),
        _ if !["normalized", "bayesian", "logistic"].contains(&sprt.model.as_str()) => {
            Some("invalid SPRT model!")
        }
        _ => None,
    };
    if let Some(wrong) = wrong {
        return Err(format!("Error; SPRT: {wrong}"));
    }
    if sprt.model == "bayesian" && settings.report_penta {
        *notes += "Warning; Bayesian SPRT model not available with pentanomial statistics. Disabling \
                   pentanomial reports...\n";
        settings.report_penta = false;
    }
    Ok(())
}

/// Checks the engines except their limits, and gives each a unique name.
fn named_engines(engines: &mut [EngineSettings]) -> Result<(), String> {
    engines.iter_mut().try_for_each(engine)?;
    let mut seen: HashMap<String, u32> = HashMap::new();
    for engine in engines {
        let count = seen.entry(engine.name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            engine.name = format!("{}_{count}", engine.name);
        }
    }
    Ok(())
}

fn limits(engine: &EngineSettings) -> Result<(), String> {
    if is_unlimited(engine) {
        return Err("Error; no TimeControl specified!".to_owned());
    }
    if engine.limit.tc.runs() && engine.limit.tc.fixed_time != 0 {
        return Err("Error; cannot use tc and st together!".to_owned());
    }
    Ok(())
}

fn engine(engine: &mut EngineSettings) -> Result<(), String> {
    let path = Path::new(&engine.dir).join(&engine.cmd);
    if (!engine.dir.is_empty() || path.is_absolute()) && !path.is_file() {
        return Err(format!("Engine binary does not exist: {}", path.display()));
    }
    if engine.name.is_empty() {
        let stem = Path::new(&engine.cmd).file_stem();
        engine.name = stem
            .map(|stem| stem.to_string_lossy().into_owned())
            .unwrap_or_default();
    }
    if engine.name.is_empty() {
        Err("Error; please specify a name for each engine!".to_owned())
    } else {
        Ok(())
    }
}
