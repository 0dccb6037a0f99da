//! The games of the reference vectors of the multi-engine statistics.

use std::collections::{BTreeSet, HashMap};

use arbiter960::stats::games::{GameFlags, GameRow, GameScore, GameTable};

use super::match_vector_cases::{ReferenceVector, vectors_path};

/// The games of the case; engines in alphabetical order.
pub fn games_of(vector: &ReferenceVector) -> GameTable {
    let name = vector.inputs["csv"].as_str().expect("a csv file");
    let path = vectors_path().with_file_name("data").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    read_games(&text)
}

fn read_games(text: &str) -> GameTable {
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().expect("a header");
    let column = |name| header.iter().position(|own| *own == name).expect(name);
    let [round, pair, start, white, black, result] =
        ["round", "pair", "start_number", "white", "black", "result"].map(column);
    let rows: Vec<Vec<&str>> = lines.filter(|row| row.len() == header.len()).collect();
    let names = rows.iter().flat_map(|row| [row[white], row[black]]);
    let names: BTreeSet<&str> = names.collect();
    let engine = |name: &str| names.iter().position(|own| *own == name).unwrap() as u16;
    let mut table = GameTable::new(names.iter().map(|name| (*name).to_owned()).collect());
    let mut pairs = HashMap::new();
    for row in &rows {
        let next = pairs.len() as u32;
        let pair = *pairs.entry((row[round], row[pair])).or_insert(next);
        let row = GameRow {
            white: engine(row[white]),
            black: engine(row[black]),
            start: row[start].parse().expect("a start number"),
            pair: Some(pair),
            result: parse_result(row[result]),
            flags: GameFlags::default(),
        };
        table.push(row).expect("a valid game");
    }
    table
}

fn parse_result(text: &str) -> GameScore {
    match text {
        "1-0" => GameScore::Win,
        "0-1" => GameScore::Loss,
        "1/2-1/2" => GameScore::Draw,
        other => panic!("not a result: {other}"),
    }
}
