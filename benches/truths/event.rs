//! The games of an event as a PGN file, and what `stats` says of it.

use std::fmt::Write as _;

use arbiter960::chess::FenDialect;
use arbiter960::chess::start::{self, StartNumber, Variant};
use arbiter960::internal::analysis::{Collector, EventStatistics, StatisticsOptions};
use serde_json::Value;

use crate::simulated_truths::Played;

/// The JSON of `stats --fast --format json`.
pub(crate) fn analysed(played: &Played) -> Value {
    let mut collector = Collector::new(false);
    collector
        .add_pgn("event.pgn", pgn(played).as_bytes(), false)
        .expect("games");
    let options = StatisticsOptions {
        everything: true,
        equivalence: Some(20.0),
        // Exact tests of the few positions; many take long.
        permutations: if played.alphas.len() <= 96 { 199 } else { 0 },
        ..StatisticsOptions::default()
    };
    let statistics = EventStatistics::with(&collector.finish(), &options).expect("no anchors");
    serde_json::to_value(&statistics).expect("JSON")
}

fn pgn(played: &Played) -> String {
    let table = &played.table;
    let fens: Vec<String> = (0..played.alphas.len() as u32)
        .map(|number| {
            let position = start::position(Variant::Chess960, StartNumber(number));
            position.expect("a start").fen(FenDialect::XFen)
        })
        .collect();
    let mut text = String::new();
    for (index, row) in table.rows().enumerate() {
        let name = |engine: u16| &table.engines()[usize::from(engine)];
        let result = ["0-1", "1/2-1/2", "1-0"][usize::from(row.result.half_points())];
        let fen = &fens[row.start as usize];
        write!(
            text,
            "[Round \"{}.{}\"]\n[White \"{}\"]\n[Black \"{}\"]\n[Result \"{result}\"]\n\
             [Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{result}\n\n",
            index / 2 + 1,
            index % 2 + 1,
            name(row.white),
            name(row.black)
        )
        .expect("memory");
    }
    text
}
