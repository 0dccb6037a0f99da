//! `arbiter960 init`: a first event file, of the engines that are installed.

use std::collections::BTreeSet;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use crate::check::{CheckedEngine, greet};
use crate::cli::exit;
use crate::cli::mistakes::seconds;
use crate::cli::play::drawn_seed;
use crate::config::{Files, Overrides, RealFiles, parse};
use crate::doctor::usual_lanes;
use crate::engine::guardian::Guardian;
use crate::engine::probe::{UnfitEngine, probe};
use crate::engine::start::VariantSetup;
use crate::engine::surroundings::Surroundings;
use crate::platform::files::is_executable;
use crate::platform::runtime;
use crate::text::{count, paragraph, printable};

/// Write a first event file of the engines that are installed.
///
/// Looks for known engines on PATH and in /usr/games, and for every program in the folders of --folder.
/// Each is started, asked for its name and for one move, in two seconds; one that does not answer is named
/// and left out, as is one that does not search what the file gives it. Without an argument it asks what the event is for.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  arbiter960 init
  arbiter960 init championship --folder ~/engines
  arbiter960 init test --output new-against-old.toml
  arbiter960 run championship.toml --dry-run")]
pub(crate) struct InitArguments {
    /// What the event is for
    #[arg(value_enum, value_name = "PURPOSE")]
    purpose: Option<Purpose>,

    /// Examine every program in this folder too; repeatable
    #[arg(long, value_name = "DIR")]
    folder: Vec<PathBuf>,

    /// The file to write; by default PURPOSE.toml
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// How long an engine may take to answer, seconds
    #[arg(long, value_name = "S", default_value = "2", value_parser = seconds)]
    timeout: Duration,
}

crate::chess::worded! {
    /// What an event is for.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
    enum Purpose,
    question: &'static str {
        /// Is a new build better than the old one?
        Test = "is a new build better than the old one?",
        /// Which of two engines is stronger?
        Match = "which of two engines is stronger?",
        /// All engines meet: who wins?
        Championship = "all engines meet: who wins?",
        /// How much is White's first move worth?
        Experiment = "how much is White's first move worth?",
    }
}

impl Purpose {
    fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// The event file without its engines.
    fn template(self) -> &'static str {
        match self {
            Purpose::Test => include_str!("init/test.toml"),
            Purpose::Match => include_str!("init/match.toml"),
            Purpose::Championship => include_str!("init/championship.toml"),
            Purpose::Experiment => include_str!("init/experiment.toml"),
        }
    }

    /// How many engines the event is for.
    fn engines(self) -> std::ops::RangeInclusive<usize> {
        match self {
            Purpose::Test | Purpose::Match => 2..=2,
            Purpose::Championship => 2..=usize::MAX,
            Purpose::Experiment => 1..=1,
        }
    }
}

/// Runs the command.
///
/// # Errors
/// The purpose is missing and nobody can be asked; the file exists; it cannot be written.
pub(crate) fn run(arguments: &InitArguments, out: &mut dyn Write) -> Result<u8> {
    let purpose = arguments.purpose.map_or_else(|| ask(out), Ok)?;
    let usual = || PathBuf::from(format!("{}.toml", purpose.name()));
    let output = arguments.output.clone().unwrap_or_else(usual);
    if output.exists() {
        let file = output.display();
        bail!("{file} is there already: name another file by --output");
    }
    let mut engines = examined(&arguments.folder, arguments.timeout, out)?;
    let mut text = event_file(purpose, &engines)?;
    while let Err(unfit) = tried(&text, &output)? {
        for UnfitEngine { name, error } in unfit {
            let line = format!("left out {}: {error}", printable(&name));
            write!(out, "{}", paragraph(&line, 0))?;
            engines.retain(|(engine, _)| *engine != name);
        }
        text = event_file(purpose, &engines)?;
    }
    std::fs::write(&output, &text)
        .with_context(|| format!("{} cannot be written", output.display()))?;
    let file = output.display();
    let wrote = paragraph(&format!("Wrote {file}: look at it, then"), 0);
    let run = format!("  arbiter960 run {file}");
    writeln!(out, "\n{wrote}{run} --dry-run\n{run}")?;
    Ok(exit::DONE)
}

/// Starts the engines of the file, which must be a valid one, and tries the limits that it gives them.
fn tried(text: &str, file: &Path) -> Result<Result<(), Vec<UnfitEngine>>> {
    let (event, _) = parse(text, file, Overrides::default(), &RealFiles)?;
    let rules = VariantSetup {
        chess960: event.variant.sends_uci_chess960(),
        ..VariantSetup::default()
    };
    let guardian = Guardian::start()?;
    let around = Surroundings::new(guardian.clone());
    let runtime = runtime()?;
    let probed = runtime.block_on(probe(&event, &rules, &around, |_| true));
    guardian.dismiss();
    Ok(probed.map(drop))
}

fn ask(out: &mut dyn Write) -> Result<Purpose> {
    let names = Purpose::ALL.map(Purpose::name);
    if !io::stdin().is_terminal() {
        let names = names.join("|");
        bail!("say what the event is for: `arbiter960 init {names}`");
    }
    writeln!(out, "What is the event for?")?;
    for (number, purpose) in (1..).zip(Purpose::ALL) {
        let (name, question) = (purpose.name(), purpose.question());
        writeln!(out, "  {number}  {name:13} {question}")?;
    }
    write!(out, "1 to {}: ", Purpose::ALL.len())?;
    out.flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    let answer = answer.trim();
    let mut all = (1..).zip(Purpose::ALL);
    let chosen = all.find(|(number, one)| answer == one.name() || answer.parse() == Ok(*number));
    match chosen {
        Some((_, purpose)) => Ok(purpose),
        None => bail!("{answer:?} is none of {}", names.join(", ")),
    }
}

/// The event file, with a word on each setting.
fn event_file(purpose: Purpose, engines: &[FoundEngine]) -> Result<String> {
    let seed = format!("seed = {}", drawn_seed());
    let lanes = format!("concurrency = {}", usual_lanes(1)?);
    let template = purpose.template().replacen("seed = 0", &seed, 1);
    let mut text = template.replacen("concurrency = 1", &lanes, 1);
    let copies = match purpose {
        Purpose::Experiment => "copies = 2  # it plays itself\n",
        _ => "",
    };
    let wanted = purpose.engines();
    for (index, (name, engine)) in engines.iter().take(*wanted.end()).enumerate() {
        if purpose == Purpose::Test {
            text += match index {
                0 => "\n# The new build, which is to be better:",
                _ => "\n# The old build:",
            };
        }
        let quoted = |text: &str| serde_json::to_string(text);
        let program = engine.program.to_str();
        let program = quoted(program.context("the path of an engine is no UTF-8")?)?;
        let name = quoted(name)?;
        text += &format!("\n[[engine]]\nname = {name}\ncommand = {program}\n");
        if !engine.arguments.is_empty() {
            text += &format!("args = {}\n", serde_json::to_string(&engine.arguments)?);
        }
        text += copies;
    }
    for missing in engines.len()..*wanted.start() {
        let strength = 6 - 2 * missing;
        text += &format!(
            "\n# No engine was found for this place: the built-in one, until you name yours by `command`.\n\
             [[engine]]\nname = \"Built-in {strength}\"\nbuiltin = \"sparring\"\n\
             options = {{ Strength = {strength} }}\n"
        );
        text += copies;
    }
    Ok(text)
}

// Engines that are installed: looked for, started, asked for their names.

/// Names of engines that are looked for; what follows a name, as in `stockfish-17`, may be anything that is not a
/// letter.
const KNOWN: &str = "alexandria arasan arasanx berserk caissa clover crafty demolito ethereal ethereal-chess \
    fairy-stockfish fruit glaurung gnuchess halogen igel integral koivisto laser lc0 minic \
    obsidian plentychess reckless rodent rubichess seer sjaakii stockfish stormphrax texel \
    toga2 velvet viridithas weiss xiphos";

/// An engine that answered, and its name.
type FoundEngine = (String, CheckedEngine);

/// Every engine that plays Chess960, with a line for each that was looked at.
fn examined(folders: &[PathBuf], limit: Duration, out: &mut dyn Write) -> Result<Vec<FoundEngine>> {
    let runtime = runtime()?;
    let guardian = Guardian::start()?;
    let mut engines: Vec<FoundEngine> = Vec::new();
    for program in programs(folders)? {
        let candidate = CheckedEngine {
            arguments: own_arguments(&program),
            program,
            options: Vec::new(),
        };
        let greeted = runtime.block_on(greet(candidate.clone(), limit, guardian.clone()));
        let shown = candidate.program.display();
        let line = match greeted {
            Ok(name) => {
                let name = distinct(&name, &candidate.program, &engines);
                let line = format!("found    {shown}: {}", printable(&name));
                engines.push((name, candidate));
                line
            }
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
fn programs(folders: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let known = RealFiles.search_path().into_iter();
    let known = known.map(|place| (place, false));
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
            if is_wanted && path.is_file() && is_executable(&path) {
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

fn is_known(file: &str) -> bool {
    let file = file.to_lowercase();
    let names = KNOWN.split_whitespace();
    let mut rests = names.filter_map(|name| file.strip_prefix(name));
    rests.any(|rest| !rest.chars().any(char::is_alphabetic))
}

fn file_of(program: &Path) -> Option<&str> {
    program.file_name()?.to_str()
}

/// Arguments without which an engine does not speak UCI.
fn own_arguments(program: &Path) -> Vec<String> {
    let is_gnu_chess = file_of(program).is_some_and(|file| file.starts_with("gnuchess"));
    vec!["--uci".to_owned(); usize::from(is_gnu_chess)]
}

/// Its own name, or its file's if it has no name or another engine has the same.
fn distinct(name: &str, program: &Path, others: &[FoundEngine]) -> String {
    let file = file_of(program).unwrap_or("engine");
    let is_free = |name: &str| others.iter().all(|(other, _)| other != name);
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

    #[test]
    fn every_purpose_gives_an_event_that_can_be_played() {
        let program = std::env::current_exe().unwrap();
        let engine = |name: &str| {
            let candidate = CheckedEngine {
                program: program.clone(),
                arguments: vec!["--uci \"x\"".to_owned()],
                options: Vec::new(),
            };
            (name.to_owned(), candidate)
        };
        for number in 0..4 {
            let engines = ["One", "Two \"x\" \\", "Three"].map(engine);
            for purpose in Purpose::ALL {
                let name = purpose.name();
                let text = event_file(purpose, &engines[..number]).unwrap();
                let path = Path::new("/nowhere/event.toml");
                let (event, _) = parse(&text, path, Overrides::default(), &RealFiles)
                    .unwrap_or_else(|errors| panic!("{errors}\n{text}"));
                assert_eq!(event.name, name);
                assert!(!event.plan().unwrap().is_empty());
            }
        }
    }
}
