//! `arbiter960 init`: a first event file, of the engines that are installed.

use std::collections::BTreeSet;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::ValueEnum;

use crate::check::{Candidate, greet};
use crate::cli::exit;
use crate::cli::play::drawn_seed;
use crate::config::{Disk, Files, Overrides, parse};
use crate::doctor::usual_lanes;
use crate::engine::guardian::Guardian;
use crate::platform::files::is_executable;
use crate::text::{count, paragraph, printable};

/// Write a first event file of the engines that are installed.
///
/// Looks for known engines on PATH and in /usr/games, and for every program in the folders of --folder.
/// Each is started, asked for its name and for one move, in two seconds; one that does not answer is named
/// and left out. Without an argument it asks what the event is for.
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

/// What an event is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Purpose {
    /// Is a new build better than the old one?
    Test,
    /// Which of two engines is stronger?
    Match,
    /// All engines meet: who wins?
    Championship,
    /// How much is White's first move worth?
    Experiment,
}

impl Purpose {
    const ALL: [(Purpose, &str, &str); 4] = [
        (
            Purpose::Test,
            "test",
            "is a new build better than the old one?",
        ),
        (Purpose::Match, "match", "which of two engines is stronger?"),
        (
            Purpose::Championship,
            "championship",
            "all engines meet: who wins?",
        ),
        (
            Purpose::Experiment,
            "experiment",
            "how much is White's first move worth?",
        ),
    ];

    fn name(self) -> &'static str {
        Purpose::ALL[self as usize].1
    }

    /// Lines of `[positions]`.
    fn positions(self) -> &'static str {
        match self {
            Purpose::Test | Purpose::Experiment => "all = true  # all 960 start positions\n",
            Purpose::Match => {
                "sample = 50  # so many of the 960, drawn by the seed; two games in each\n"
            }
            Purpose::Championship => {
                "sample = 4  # so many of the 960, drawn by the seed; two games in each\n"
            }
        }
    }

    /// The tables of what limits searches, and of what ends the event.
    fn limits(self) -> &'static str {
        match self {
            Purpose::Test => {
                "\n[time]\ncontrol = \"8+0.08\"  # seconds a game, and more for every move\n\n\
                          [sprt]  # stop when it is decided\nelo0 = 0  # not better\nelo1 = 5  # better\n"
            }
            Purpose::Match | Purpose::Championship => {
                "\n[time]\ncontrol = \"10+0.1\"  # seconds a game, and more for every move\n"
            }
            Purpose::Experiment => {
                "\n[time]\nnodes = 20000  # for every move: the same on every computer\n\
             nodes_jitter = 0.1  # ± 10 %, so that no two games are the same\n"
            }
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

fn seconds(text: &str) -> Result<Duration, String> {
    let number: Option<f64> = text.parse().ok();
    let good = number.filter(|number| (0.1..=600.0).contains(number));
    good.map(Duration::from_secs_f64)
        .ok_or_else(|| "a number of seconds from 0.1 to 600".to_owned())
}

/// Names of engines that are looked for; what follows a name, as in `stockfish-17`, may be anything that is not a
/// letter.
const KNOWN: [&str; 36] = [
    "alexandria",
    "arasan",
    "arasanx",
    "berserk",
    "caissa",
    "clover",
    "crafty",
    "demolito",
    "ethereal",
    "ethereal-chess",
    "fairy-stockfish",
    "fruit",
    "glaurung",
    "gnuchess",
    "halogen",
    "igel",
    "integral",
    "koivisto",
    "laser",
    "lc0",
    "minic",
    "obsidian",
    "plentychess",
    "reckless",
    "rodent",
    "rubichess",
    "seer",
    "sjaakii",
    "stockfish",
    "stormphrax",
    "texel",
    "toga2",
    "velvet",
    "viridithas",
    "weiss",
    "xiphos",
];

/// Arguments without which an engine does not speak UCI.
const ARGUMENTS: [(&str, &str); 1] = [("gnuchess", "--uci")];

/// An engine that answered.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Found {
    name: String,
    program: PathBuf,
    arguments: Vec<String>,
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
    let engines = examined(arguments, out)?;
    let text = event_file(purpose, &engines)?;
    // The written file must be a valid event file.
    parse(&text, &output, Overrides::default(), &Disk)?;
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

fn ask(out: &mut dyn Write) -> anyhow::Result<Purpose> {
    let names: Vec<&str> = Purpose::ALL.iter().map(|(_, name, _)| *name).collect();
    if !io::stdin().is_terminal() {
        bail!(
            "say what the event is for: `arbiter960 init {}`",
            names.join("|")
        );
    }
    writeln!(out, "What is the event for?")?;
    for (index, (_, name, question)) in Purpose::ALL.iter().enumerate() {
        writeln!(out, "  {}  {name:13} {question}", index + 1)?;
    }
    write!(out, "1 to {}: ", Purpose::ALL.len())?;
    out.flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    let answer = answer.trim();
    let chosen = Purpose::ALL
        .iter()
        .enumerate()
        .find(|(index, (_, name, _))| answer == *name || answer.parse() == Ok(index + 1));
    match chosen {
        Some((_, (purpose, ..))) => Ok(*purpose),
        None => bail!("{answer:?} is none of {}", names.join(", ")),
    }
}

/// Every engine that plays Chess960, with a line for each that was looked at.
fn examined(arguments: &InitArguments, out: &mut dyn Write) -> anyhow::Result<Vec<Found>> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let guardian = Guardian::start()?;
    let mut engines: Vec<Found> = Vec::new();
    for program in programs(&arguments.folder)? {
        let own = own_arguments(&program);
        let candidate = Candidate {
            program: program.clone(),
            arguments: own.clone(),
            options: Vec::new(),
        };
        let greeted = runtime.block_on(greet(candidate, arguments.timeout, guardian.clone()));
        let shown = program.display();
        let line = match greeted {
            Ok(greeting) if greeting.chess960 => {
                let name = distinct(&greeting.name, &program, &engines);
                let line = format!("found    {shown}: {}", printable(&name));
                engines.push(Found {
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
    writeln!(out, "{} found", count(engines.len() as u64, "engine"))?;
    Ok(engines)
}

/// Programs that may be engines, each once, in the order of their names.
fn programs(folders: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let known = Disk.search_path().into_iter().map(|place| (place, false));
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
    KNOWN.iter().any(|name| {
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
fn distinct(name: &str, program: &Path, others: &[Found]) -> String {
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

/// The event file, with a word on each setting.
fn event_file(purpose: Purpose, engines: &[Found]) -> anyhow::Result<String> {
    let name = purpose.name();
    let question = Purpose::ALL[purpose as usize].2;
    let seed = drawn_seed();
    let lanes = usual_lanes(1)?;
    let mut text = format!(
        "# {question}\n# Every key: arbiter960 schema, or docs/event-file.md.\n\n[event]\n\
         name = \"{name}\"  # the folder of the results: results/{name}/\n\
         seed = {seed}  # decides every random choice\n"
    );
    if purpose != Purpose::Experiment {
        text += "format = \"round-robin\"  # every two engines meet in every position\n";
    }
    text += &format!(
        "concurrency = {lanes}  # games at once: no more than there are cores\n\n[positions]\n"
    );
    text += purpose.positions();
    text += purpose.limits();
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
        if purpose == Purpose::Experiment {
            text += "copies = 2  # it plays itself\n";
        }
    }
    for missing in engines.len()..*wanted.start() {
        let strength = 6 - 2 * missing;
        text += &format!(
            "\n# No engine was found for this place: the built-in one, until you name yours by `command`.\n\
             [[engine]]\nname = \"Built-in {strength}\"\nbuiltin = \"sparring\"\n\
             options = {{ Strength = {strength} }}\n"
        );
        if purpose == Purpose::Experiment {
            text += "copies = 2  # it plays itself\n";
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_purpose_gives_an_event_that_can_be_played() {
        let program = std::env::current_exe().unwrap();
        let engine = |name: &str| Found {
            name: name.to_owned(),
            program: program.clone(),
            arguments: vec!["--uci \"x\"".to_owned()],
        };
        for number in 0..4 {
            let engines = ["One", "Two \"x\" \\", "Three"].map(engine);
            for (purpose, name, _) in Purpose::ALL {
                assert_eq!(purpose.name(), name);
                let text = event_file(purpose, &engines[..number]).unwrap();
                let path = Path::new("/nowhere/event.toml");
                let (event, _) = parse(&text, path, Overrides::default(), &Disk)
                    .unwrap_or_else(|errors| panic!("{errors}\n{text}"));
                assert_eq!(event.name, name);
                assert!(!event.plan().unwrap().is_empty());
            }
        }
    }

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
