//! What is said before and after an event is played.

use std::io::{self, Write};
use std::path::Path;

use crate::chess::Color;
use crate::chess::start::{self, StartNumber, Variant};
use crate::cli::roster::{roster, scoreboard};
use crate::config::Tournament;
use crate::event::GameId;
use crate::report::explain::wrapped;
use crate::report::statistics::{self, Collector, EventStatistics};
use crate::report::tables;
use crate::report::variations::{Variations, variation_lines};
use crate::sink::printable;
use crate::store::Reader;

/// Games whose variations are looked at when a run ends: some seconds' worth.
const LINTED: u64 = 1000;

/// Prints every pair of the plan: `--dry-run`.
///
/// # Errors
/// The output cannot be written, or there is no plan.
pub fn plan(tournament: &Tournament, out: &mut dyn Write) -> anyhow::Result<()> {
    let plan = tournament.plan()?;
    let name = printable(&tournament.name);
    let (pairs, games) = (plan.len(), plan.games());
    writeln!(
        out,
        "{name}: {pairs} pairs, {games} games, seed {}",
        tournament.seed
    )?;
    for (pair, spec) in plan.iter() {
        let position = match tournament.openings.number(spec.opening) {
            Some(number) => start_number(tournament.variant, number),
            None => format!("line {}", spec.opening + 1),
        };
        let named = |seat| printable(&tournament.participant_name(seat)).into_owned();
        write!(
            out,
            "pair {} cycle {} position {position}:",
            pair.0 + 1,
            spec.cycle + 1
        )?;
        for game in 0..spec.games {
            let seats = spec.seats(game);
            let round = GameId { pair, game }.round();
            let [white, black] = Color::ALL.map(|color| named(seats[color.index()]));
            write!(
                out,
                "{} {round} {white} - {black}",
                if game == 0 { "" } else { "," }
            )?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// A start's number; where White's array and Black's are numbered apart, both of theirs too.
fn start_number(variant: Variant, number: StartNumber) -> String {
    match start::white_and_black(variant, number) {
        Some((white, black)) => format!("{number} ({white}/{black})"),
        _ => number.to_string(),
    }
}

/// Prints the results of an event and names its files.
///
/// # Errors
/// The store cannot be read, or the output cannot be written.
pub fn write(folder: &Path, complete: bool, out: &mut dyn Write) -> anyhow::Result<()> {
    let reader = Reader::open(folder)?;
    let roster = roster(&reader)?;
    let board = scoreboard(&reader, &roster)?;
    tables::summary(&roster, &board, out)?;
    let mut collector = Collector::new(false);
    collector.add_store(&reader)?;
    let statistics = EventStatistics::new(&collector.finish());
    writeln!(out, "\n{}", statistics::conclusion(&statistics).trim_end())?;
    let finished = reader.counts()?.finished;
    let variations = Variations::of_event(&reader, &roster, LINTED)?;
    for line in variation_lines(&variations, finished) {
        write!(out, "{}", wrapped(&line, 0))?;
    }
    if complete {
        writeln!(out, "\nThe event is complete: nothing was left to play.")?;
    }
    files(folder, out)?;
    Ok(())
}

fn files(folder: &Path, out: &mut dyn Write) -> io::Result<()> {
    let folder = folder.display();
    writeln!(
        out,
        "\n{folder}/games.pgn        every game, with clocks and evaluations"
    )?;
    writeln!(
        out,
        "{folder}/standings.json   standings and crosstable, for programs"
    )?;
    writeln!(
        out,
        "{folder}/positions.csv    a row for every start number"
    )?;
    writeln!(
        out,
        "{folder}/event.db         the store: all of it, in SQLite"
    )
}
