//! What must not change when an event is resumed, from its checked file.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::files::{FileKind, Files, RealFiles};
use super::positions::ranges;
use super::tournament::{EngineSpec, Launch, NamedFile, Tournament};
use crate::chess::FenDialect;
use crate::chess::start::StartNumber;
use crate::event::identity::{
    EventEngine, EventIdentity, FileIdentity, FormatWord, IDENTITY_VERSION, LaunchIdentity,
    PositionsIdentity,
};
use crate::platform::files::{MADE_UP, open_plain};
use crate::schedule::{Elimination, Format, Openings};

/// A file that was there when the event file was checked could not be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}: {error}", path.display())]
pub struct IdentityError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    #[source]
    pub error: io::Error,
}

impl Tournament {
    /// The event as far as its games depend on it, with the SHA-256 of every file that its engines depend on.
    ///
    /// # Errors
    /// A program or a file that belongs to the event cannot be read.
    pub fn identity(&self) -> Result<EventIdentity, IdentityError> {
        let place = |path: &PathBuf| self.files.iter().position(|file| file.path == *path);
        let engine = |spec: &EngineSpec| -> Result<_, IdentityError> {
            Ok(EventEngine {
                launch: launch(&spec.launch)?,
                files: spec.files.iter().filter_map(place).collect(),
                ..without_contents(spec)
            })
        };
        let engines = self.engines.iter().map(engine);
        let engines = engines.collect::<Result<_, _>>()?;
        let files = self.files.iter().map(file).collect::<Result<_, _>>()?;
        Ok(self.identity_with(engines, files))
    }

    /// The same where programs and files may be missing: they are taken to be those of `stored`.
    pub(crate) fn identity_like(&self, stored: &EventIdentity) -> EventIdentity {
        let engine = |(place, spec): (usize, &EngineSpec)| {
            let known = stored.engines.get(place);
            EventEngine {
                launch: known.map_or_else(own_engine, |known| known.launch.clone()),
                files: known.map_or_else(Vec::new, |known| known.files.clone()),
                ..without_contents(spec)
            }
        };
        let engines = self.engines.iter().enumerate().map(engine).collect();
        self.identity_with(engines, stored.files.clone())
    }

    fn identity_with(&self, engines: Vec<EventEngine>, files: Vec<FileIdentity>) -> EventIdentity {
        let (elimination, swiss, stages) = match self.format.clone() {
            Format::Elimination(_, rules) => (Some(rules), None, Vec::new()),
            Format::Swiss(rules) => (None, Some(rules), Vec::new()),
            Format::Stages(stages) => (None, None, stages),
            _ => (None, None, Vec::new()),
        };
        let is_open = self.sprt.is_some() || self.adaptive.is_some() || self.games.is_some();
        EventIdentity {
            version: IDENTITY_VERSION,
            variant: self.variant,
            format: match &self.format {
                Format::Match => FormatWord::Match,
                Format::RoundRobin => FormatWord::RoundRobin,
                Format::Gauntlet { .. } => FormatWord::Gauntlet,
                Format::Elimination(Elimination::Knockout, _) => FormatWord::Knockout,
                Format::Elimination(Elimination::Double, _) => FormatWord::DoubleElimination,
                Format::Elimination(Elimination::Ladder, _) => FormatWord::Ladder,
                Format::Swiss(_) => FormatWord::Swiss,
                Format::Stages(_) => FormatWord::Stages,
            },
            elimination,
            swiss,
            stages,
            draw: self.draw,
            colours: self.colours,
            series: self.series,
            heroes: self.heroes(),
            pairs: (!is_open).then_some(self.cycles),
            games_per_pair: self.games_per_pair(),
            positions: positions(&self.openings),
            order: order(&self.openings),
            opening: self.making,
            engines,
            limits_by_colour: self.limits_by_colour.clone(),
            round_limits: self.round_limits.clone(),
            files,
            adjudication: self.adjudication.clone(),
            faults: self.faults.clone(),
            sprt: self.sprt.map(|sprt| sprt.terms),
            adaptive: self.adaptive.map(|adaptive| adaptive.terms),
            standings: self.tie_breaks.clone(),
            public_draw: self.public_draw.clone(),
            no_replacements: !self.replacements,
            interrupted: self.interrupted,
            seed: self.seed,
        }
    }

    fn heroes(&self) -> Vec<String> {
        let Format::Gauntlet { heroes } = &self.format else {
            return Vec::new();
        };
        let name = |hero: &u16| self.engines[usize::from(*hero)].name.clone();
        heroes.iter().map(name).collect()
    }
}

/// The start numbers; of a book, how many positions and a hash over all of them.
fn positions(openings: &Openings) -> PositionsIdentity {
    if openings.is_numbered() {
        let numbers = (0..openings.len()).map(|index| openings.number(index));
        let numbers: Option<Vec<StartNumber>> = numbers.collect();
        return PositionsIdentity::Numbers(ranges(&numbers.unwrap_or_default()));
    }
    let mut hash = Sha256::new();
    for opening in openings.iter() {
        hash.update(opening.start.fen(FenDialect::Shredder));
        for text in opening.move_texts() {
            hash.update(format!(" {text}"));
        }
        hash.update("\n");
    }
    PositionsIdentity::Book {
        count: openings.len(),
        sha256: hex(hash),
    }
}

/// The order in which the positions are played, if it is not drawn: start numbers, or places in
/// the book from 1.
fn order(openings: &Openings) -> Option<String> {
    let number = |index: &u32| {
        if openings.is_numbered() {
            openings.number(*index)
        } else {
            Some(StartNumber(index + 1))
        }
    };
    let numbers: Vec<StartNumber> = openings.listed()?.iter().filter_map(number).collect();
    Some(ranges(&numbers))
}

/// An engine as the event file has it, whatever its program and its files are.
fn without_contents(spec: &EngineSpec) -> EventEngine {
    EventEngine {
        name: spec.name.clone(),
        launch: own_engine(),
        options: spec.options.iter().cloned().collect(),
        fen: spec.fen,
        limits: spec.limits.clone(),
        margin_us: spec.margin.as_micros() as u64,
        nodes_jitter: spec.nodes_jitter,
        restart: spec.restart,
        copies: spec.copies,
        ponder: spec.ponder,
        files: Vec::new(),
    }
}

/// The engine inside this program.
fn own_engine() -> LaunchIdentity {
    LaunchIdentity::Sparring {
        sparring: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

/// A program is identified by its name and its content; its path may change.
fn launch(launch: &Launch) -> Result<LaunchIdentity, IdentityError> {
    Ok(match launch {
        Launch::Sparring => own_engine(),
        Launch::Program {
            command,
            path,
            args,
            env,
            protocol,
            ..
        } => LaunchIdentity::Program {
            command: command.clone(),
            sha256: sha256(path)?,
            protocol: *protocol,
            args: args.clone(),
            env: Vec::from_iter(env.iter().map(|(name, value)| format!("{name}={value}"))),
        },
    })
}

fn file(file: &NamedFile) -> Result<FileIdentity, IdentityError> {
    Ok(FileIdentity {
        name: file.name.clone(),
        sha256: (!file.volatile).then(|| sha256(&file.path)).transpose()?,
    })
}

/// The SHA-256 of a file up to its present length; the file may be larger than memory.
///
/// # Errors
/// It cannot be read, or is not a plain file.
pub(crate) fn sha256(path: &Path) -> Result<String, IdentityError> {
    let digest = || {
        let file = open_plain(path)?;
        let length = file.metadata()?.len();
        let mut file = file.take(length);
        let mut hash = Sha256::new();
        let mut buffer = vec![0; 1 << 16];
        loop {
            match file.read(&mut buffer)? {
                0 => return Ok(hex(hash)),
                count => hash.update(&buffer[..count]),
            }
        }
    };
    digest().map_err(|error| IdentityError {
        path: path.to_owned(),
        error,
    })
}

/// A hash in hexadecimal digits.
pub(crate) fn hex(hash: Sha256) -> String {
    let bytes = hash.finalize();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The files that `files`, the options, arguments and variables of an engine name now.
pub(crate) fn named_files(spec: &EngineSpec) -> Vec<NamedFile> {
    let named = [&spec.listed_files[..], &spec.volatile_files[..]];
    files_of_engine(&spec.launch, &spec.options, named, &RealFiles)
}

/// The same while the event file is read. Folders do not count: tablebases are large, and do not change. Volatile are
/// those of the second list, and what the kernel shows as a file.
pub(super) fn files_of_engine(
    launch: &Launch,
    options: &[(String, String)],
    [listed, volatile]: [&[String]; 2],
    files: &dyn Files,
) -> Vec<NamedFile> {
    let Launch::Program {
        path: program,
        args,
        directory,
        env,
        ..
    } = launch
    else {
        return Vec::new();
    };
    let values = options.iter().chain(env).map(|(_, value)| value);
    // An argument may have the name after an equals sign.
    let parts = values.chain(args).flat_map(|text| {
        let after = text.split_once('=').map(|(_, after)| after);
        [Some(text.as_str()), after]
    });
    let named = listed.iter().map(String::as_str).chain(parts.flatten());
    let mut found: Vec<NamedFile> = Vec::new();
    for name in named {
        let path = directory.join(name);
        let is_file = matches!(files.kind(&path), FileKind::Plain | FileKind::Program);
        let is_known = found.iter().any(|known| known.path == path);
        if name.is_empty() || !is_file || is_known || path == *program {
            continue;
        }
        let is_made_up = MADE_UP.iter().any(|made| path.starts_with(made));
        found.push(NamedFile {
            name: name.to_owned(),
            volatile: is_made_up || volatile.iter().any(|listed| listed == name),
            path,
        });
    }
    found
}
