//! `arbiter960 init`: a first event file, of the engines that are installed.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::ValueEnum;

use crate::cli::exit;
use crate::cli::mistakes::seconds;
use crate::cli::play::drawn_seed;
use crate::config::{Overrides, RealFiles, parse};
use crate::doctor::usual_lanes;
use crate::engine::guardian::Guardian;
use crate::engine::probe::{UnfitEngine, probe};
use crate::engine::start::VariantSetup;
use crate::engine::surroundings::Surroundings;
use crate::platform::runtime;
use crate::text::{paragraph, printable};

mod engines;

use engines::{FoundEngine, examined};

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
pub(crate) fn run(arguments: &InitArguments, out: &mut dyn Write) -> anyhow::Result<u8> {
    let purpose = match arguments.purpose {
        Some(purpose) => purpose,
        None => ask(out)?,
    };
    let output = arguments.output.clone();
    let output = output.unwrap_or_else(|| PathBuf::from(format!("{}.toml", purpose.name())));
    if output.exists() {
        bail!(
            "{} is there already: name another file by --output",
            output.display()
        );
    }
    let mut engines = examined(&arguments.folder, arguments.timeout, out)?;
    let mut text = event_file(purpose, &engines)?;
    while let Err(unfit) = tried(&text, &output)? {
        for UnfitEngine { name, error } in unfit {
            let line = format!("left out {}: {error}", printable(&name));
            write!(out, "{}", paragraph(&line, 0))?;
            engines.retain(|engine| engine.name != name);
        }
        text = event_file(purpose, &engines)?;
    }
    std::fs::write(&output, &text)
        .with_context(|| format!("{} cannot be written", output.display()))?;
    let file = output.display();
    write!(
        out,
        "\n{}",
        paragraph(&format!("Wrote {file}: look at it, then"), 0)
    )?;
    writeln!(
        out,
        "  arbiter960 run {file} --dry-run\n  arbiter960 run {file}"
    )?;
    Ok(exit::DONE)
}

/// Starts the engines of the file, which must be a valid one, and tries the limits that it gives them.
fn tried(text: &str, file: &Path) -> anyhow::Result<Result<(), Vec<UnfitEngine>>> {
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

fn ask(out: &mut dyn Write) -> anyhow::Result<Purpose> {
    let names = Purpose::ALL.map(Purpose::name);
    if !io::stdin().is_terminal() {
        bail!(
            "say what the event is for: `arbiter960 init {}`",
            names.join("|")
        );
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
fn event_file(purpose: Purpose, engines: &[FoundEngine]) -> anyhow::Result<String> {
    let seed = format!("seed = {}", drawn_seed());
    let lanes = format!("concurrency = {}", usual_lanes(1)?);
    let template = purpose.template().replacen("seed = 0", &seed, 1);
    let mut text = template.replacen("concurrency = 1", &lanes, 1);
    let copies = match purpose {
        Purpose::Experiment => "copies = 2  # it plays itself\n",
        _ => "",
    };
    let wanted = purpose.engines();
    for (index, engine) in engines.iter().take(*wanted.end()).enumerate() {
        if purpose == Purpose::Test {
            text += match index {
                0 => "\n# The new build, which is to be better:",
                _ => "\n# The old build:",
            };
        }
        let quoted = |text: &str| serde_json::to_string(text);
        let program = engine
            .program
            .to_str()
            .context("the path of an engine is no UTF-8")?;
        text += &format!(
            "\n[[engine]]\nname = {}\ncommand = {}\n",
            quoted(&engine.name)?,
            quoted(program)?
        );
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_purpose_gives_an_event_that_can_be_played() {
        let program = std::env::current_exe().unwrap();
        let engine = |name: &str| FoundEngine {
            name: name.to_owned(),
            program: program.clone(),
            arguments: vec!["--uci \"x\"".to_owned()],
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
