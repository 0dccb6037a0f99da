//! The `match` command's options as an event file, so that there is one way to read both.

use serde::Serialize;

use super::match_engine::{MatchEngine, MatchTime};

/// What `match` was asked for. Where an event file has a default, an option may be absent.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MatchOptions {
    /// The event's name; by default the engines' names.
    pub name: Option<String>,
    /// `--engine`, in order.
    pub engines: Vec<MatchEngine>,
    /// `--tc`, `--movetime`, `--nodes`, `--depth` for all engines.
    pub time: MatchTime,
    /// `--positions`: `all`, `sample:50`, numbers and ranges such as `518,0-99`, or a file.
    pub positions: String,
    /// `--variant`.
    pub variant: Option<String>,
    /// `--pairs`.
    pub pairs: Option<u32>,
    /// `--sprt`: `elo0` and `elo1`.
    pub sprt: Option<(f64, f64)>,
    /// `--concurrency`.
    pub concurrency: Option<usize>,
    /// `--seed`.
    pub seed: Option<u64>,
}

/// The event file.
#[derive(Serialize)]
struct EventFile {
    event: EventTable,
    positions: PositionsTable,
    #[serde(skip_serializing_if = "MatchTime::is_empty")]
    time: MatchTime,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<SprtTable>,
    engine: Vec<MatchEngine>,
}

#[derive(Serialize)]
struct EventTable {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    concurrency: Option<usize>,
}

/// Exactly one of the kinds of positions.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum PositionsTable {
    All(bool),
    Sample(u64),
    Numbers(Vec<String>),
    File(String),
}

#[derive(Serialize)]
struct SprtTable {
    elo0: f64,
    elo1: f64,
}

/// The event file that these options amount to. It is as good as they are: reading it
/// reports what is wrong.
pub fn match_file(options: &MatchOptions) -> String {
    let engines = with_names(&options.engines);
    let file = EventFile {
        event: EventTable {
            name: options.name.clone().unwrap_or_else(|| event_name(&engines)),
            seed: options.seed,
            variant: options.variant.clone(),
            pairs: options.pairs,
            concurrency: options.concurrency,
        },
        positions: positions(&options.positions),
        time: options.time.clone(),
        sprt: options.sprt.map(|(elo0, elo1)| SprtTable { elo0, elo1 }),
        engine: engines,
    };
    toml::to_string(&file).expect("tables of strings and numbers are TOML")
}

/// Gives every engine a name; equal names get a number behind them.
fn with_names(engines: &[MatchEngine]) -> Vec<MatchEngine> {
    let mut names: Vec<String> = Vec::new();
    for engine in engines {
        let name = engine.called();
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let free = std::iter::once(name.clone())
            .chain(numbered)
            .find(|candidate| !names.contains(candidate));
        names.extend(free);
    }
    let named = engines.iter().zip(names);
    named
        .map(|(engine, name)| MatchEngine {
            name: Some(name),
            ..engine.clone()
        })
        .collect()
}

/// The engines' names as that of a folder.
fn event_name(engines: &[MatchEngine]) -> String {
    let names: Vec<String> = engines.iter().take(4).map(MatchEngine::called).collect();
    let name = names.join(" vs ").replace(['/', '\\'], "-");
    name.chars().take(60).collect::<String>().trim().to_owned()
}

fn positions(text: &str) -> PositionsTable {
    let numbers = |character: char| character.is_ascii_digit() || "-,/ ".contains(character);
    let sample = text
        .strip_prefix("sample:")
        .and_then(|count| count.parse().ok());
    match sample {
        Some(count) => PositionsTable::Sample(count),
        None if text == "all" => PositionsTable::All(true),
        None if text.chars().all(numbers) => {
            let parts = text.split(',').map(|part| part.trim().to_owned());
            PositionsTable::Numbers(parts.collect())
        }
        None => PositionsTable::File(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_get_a_number() {
        let engine = MatchEngine::from_words(&["./x/sf"]).unwrap();
        let engines = with_names(&[engine.clone(), engine.clone(), engine]);
        let names: Vec<String> = engines.iter().map(MatchEngine::called).collect();
        assert_eq!(names, ["sf", "sf-2", "sf-3"]);
    }
}
