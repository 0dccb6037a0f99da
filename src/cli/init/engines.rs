//! Engines that are installed: looked for, started, asked for their names.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;

use crate::check::{CheckedEngine, greet};
use crate::config::{Files, RealFiles};
use crate::engine::guardian::Guardian;
use crate::platform::files::is_executable;
use crate::platform::runtime;
use crate::text::{count, paragraph, printable};

/// Names of engines that are looked for; what follows a name, as in `stockfish-17`, may be anything that is not a
/// letter.
const KNOWN: &str = "alexandria arasan arasanx berserk caissa clover crafty demolito ethereal ethereal-chess \
    fairy-stockfish fruit glaurung gnuchess halogen igel integral koivisto laser lc0 minic \
    obsidian plentychess reckless rodent rubichess seer sjaakii stockfish stormphrax texel \
    toga2 velvet viridithas weiss xiphos";

/// Arguments without which an engine does not speak UCI.
const ARGUMENTS: [(&str, &str); 1] = [("gnuchess", "--uci")];

/// An engine that answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FoundEngine {
    pub(super) name: String,
    pub(super) program: PathBuf,
    pub(super) arguments: Vec<String>,
}

/// Every engine that plays Chess960, with a line for each that was looked at.
pub(super) fn examined(
    folders: &[PathBuf],
    timeout: Duration,
    out: &mut dyn Write,
) -> anyhow::Result<Vec<FoundEngine>> {
    let runtime = runtime()?;
    let guardian = Guardian::start()?;
    let mut engines: Vec<FoundEngine> = Vec::new();
    for program in programs(folders)? {
        let own = own_arguments(&program);
        let candidate = CheckedEngine {
            program: program.clone(),
            arguments: own.clone(),
            options: Vec::new(),
        };
        let greeted = runtime.block_on(greet(candidate, timeout, guardian.clone()));
        let shown = program.display();
        let line = match greeted {
            Ok(greeting) if greeting.chess960 => {
                let name = distinct(&greeting.name, &program, &engines);
                let line = format!("found    {shown}: {}", printable(&name));
                engines.push(FoundEngine {
                    name,
                    program,
                    arguments: own,
                });
                line
            }
            Ok(_) => format!("left out {shown}: it does not play Chess960 (no UCI_Chess960)"),
            Err(why) => format!("left out {shown}: {}", printable(&why)),
        };
        write!(out, "{}", paragraph(&line, 0))?;
        out.flush()?;
    }
    guardian.dismiss();
    writeln!(out, "{} found", count(engines.len(), "engine"))?;
    Ok(engines)
}

/// Programs that may be engines, each once, in the order of their names.
fn programs(folders: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let known = RealFiles
        .search_path()
        .into_iter()
        .map(|place| (place, false));
    let named = folders.iter().map(|place| (place.clone(), true));
    for (place, is_named) in known.chain(named) {
        let entries = match std::fs::read_dir(&place) {
            Ok(entries) => entries,
            Err(error) if is_named => {
                return Err(error).with_context(|| format!("cannot read {}", place.display()));
            }
            Err(_) => continue,
        };
        for entry in entries.flatten() {
            let path = entry.path();
            let file = entry.file_name();
            let is_wanted = is_named || file.to_str().is_some_and(is_known);
            if is_wanted && is_program(&path) {
                // One program is often reached by several links.
                let original = path.canonicalize().unwrap_or_else(|_| path.clone());
                if seen.insert(original) {
                    found.insert(std::path::absolute(&path)?);
                }
            }
        }
    }
    Ok(found.into_iter().collect())
}

fn is_program(path: &Path) -> bool {
    path.is_file() && is_executable(path)
}

fn is_known(file: &str) -> bool {
    let file = file.to_lowercase();
    KNOWN.split_whitespace().any(|name| {
        let rest = file.strip_prefix(name);
        rest.is_some_and(|rest| {
            rest.trim_start_matches(['-', '_'])
                .chars()
                .all(|c| !c.is_alphabetic())
        })
    })
}

fn own_arguments(program: &Path) -> Vec<String> {
    let file = program
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    let needed = ARGUMENTS.iter().filter(|(name, _)| file.starts_with(name));
    needed.map(|(_, argument)| (*argument).to_owned()).collect()
}

/// Its own name, or its file's if it has no name or another engine has the same.
fn distinct(name: &str, program: &Path, others: &[FoundEngine]) -> String {
    let file = program
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or("engine");
    let is_free = |name: &str| others.iter().all(|other| other.name != name);
    let numbered = (2..).map(|number: u32| format!("{file} {number}"));
    let wanted = [name.trim().to_owned(), file.to_owned()].into_iter();
    let mut names = wanted.filter(|name| !name.is_empty()).chain(numbered);
    names.find(|name| is_free(name)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_engines_are_known_by_name_and_version() {
        for name in [
            "stockfish",
            "stockfish-17.1",
            "Stockfish_16",
            "toga2",
            "lc0",
        ] {
            assert!(is_known(name), "{name}");
        }
        for name in ["stockfisher", "ls", "fruity", "arasan-setup"] {
            assert!(!is_known(name), "{name}");
        }
    }
}
