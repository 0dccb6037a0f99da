//! What must not change when an event is resumed.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::positions::ranges;
use super::tournament::{EloModel, EngineSpec, Launch, NamedFile, Restart, Tournament};
use crate::chess::start::StartNumber;
use crate::chess::{FenDialect, UciDialect};
use crate::referee::{Adjudication, FaultRules, FlagFallRule};
use crate::schedule::{Format, Openings};

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
    /// The event as far as its games depend on it: positions, pairs, engines with the
    /// SHA-256 of every file behind them, time, adjudication, what faults cost, the
    /// hypotheses of an SPRT, seed. Not concurrency, timeouts, logging, or how long an SPRT may go on. Equal
    /// events have equal values; where two differ, the path to the difference names it.
    ///
    /// # Errors
    /// A program or a file that belongs to the event cannot be read.
    pub fn identity(&self) -> Result<Value, IdentityError> {
        let engines: Result<Vec<Value>, IdentityError> = self.engines.iter().map(engine).collect();
        let files: Result<Vec<Value>, IdentityError> = self.files.iter().map(file).collect();
        let mut identity = json!({
            "variant": self.variant.name(),
            "format": self.format.to_string(),
            "heroes": self.heroes(),
            "pairs": if self.sprt.is_some() { Value::Null } else { json!(self.cycles) },
            "positions": positions(&self.openings),
            "engines": engines?,
            "files": files?,
            "adjudication": adjudication(&self.adjudication),
            "sprt": self.sprt.map(|sprt| json!({
                "elo0": sprt.elo0,
                "elo1": sprt.elo1,
                "alpha": sprt.alpha,
                "beta": sprt.beta,
                "model": match sprt.model {
                    EloModel::Normalized => "normalized",
                    EloModel::Logistic => "logistic",
                    EloModel::Bayesian => "bayesian",
                },
            })),
            "seed": self.seed,
        });
        // Not where they are as usual: events of earlier versions had no such rules.
        if self.faults != FaultRules::default() {
            identity["faults"] = json!(self.faults);
        }
        Ok(identity)
    }

    fn heroes(&self) -> Vec<&str> {
        let Format::Gauntlet { heroes } = &self.format else {
            return Vec::new();
        };
        heroes
            .iter()
            .map(|&hero| self.engines[usize::from(hero)].name.as_str())
            .collect()
    }
}

/// The start numbers; of a book, how many positions and a hash over all of them.
fn positions(openings: &Openings) -> Value {
    if openings.is_numbered() {
        let numbers: Option<Vec<StartNumber>> = (0..openings.len())
            .map(|index| openings.number(index))
            .collect();
        return json!(ranges(&numbers.unwrap_or_default()));
    }
    let mut hash = Sha256::new();
    for opening in openings.iter() {
        hash.update(opening.start.fen(FenDialect::Shredder));
        let mut position = opening.start.clone();
        for &book_move in &opening.moves {
            hash.update(format!(
                " {}",
                position.uci(book_move, UciDialect::Chess960)
            ));
            position.play(book_move);
        }
        hash.update("\n");
    }
    json!({ "count": openings.len(), "sha256": hex(hash) })
}

fn engine(spec: &EngineSpec) -> Result<Value, IdentityError> {
    let options: serde_json::Map<String, Value> = spec
        .options
        .iter()
        .map(|(name, value)| (name.clone(), json!(value)))
        .collect();
    Ok(json!({
        "name": spec.name,
        "launch": launch(&spec.launch)?,
        "options": options,
        "fen": match spec.fen {
            FenDialect::Shredder => "shredder",
            FenDialect::XFen => "xfen",
        },
        "limits": spec.limits.to_string(),
        "margin_us": spec.margin.as_micros() as u64,
        "nodes_jitter": spec.nodes_jitter,
        "restart": match spec.restart {
            Restart::Auto => "auto",
            Restart::Always => "always",
            Restart::Never => "never",
        },
        "copies": spec.copies,
    }))
}

/// A program is what it was called and what it contains; where it lies may change.
fn launch(launch: &Launch) -> Result<Value, IdentityError> {
    Ok(match launch {
        Launch::Sparring => json!({ "sparring": env!("CARGO_PKG_VERSION") }),
        Launch::Program {
            command,
            path,
            args,
            env,
            ..
        } => json!({
            "command": command,
            "sha256": sha256(path)?,
            "args": args,
            "env": env.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>(),
        }),
    })
}

fn file(file: &NamedFile) -> Result<Value, IdentityError> {
    Ok(json!({ "name": file.name, "sha256": sha256(&file.path)? }))
}

fn adjudication(rules: &Adjudication) -> Value {
    json!({
        "draw": rules.draw.map(|rule| json!({
            "from_move": rule.from_move,
            "moves": rule.moves,
            "centipawns": rule.centipawns,
        })),
        "resign": rules.resign.map(|rule| json!({
            "moves": rule.moves,
            "centipawns": rule.centipawns,
            "both_engines": rule.both_engines,
        })),
        "max_moves": rules.max_moves,
        "flag_fall": match rules.flag_fall {
            FlagFallRule::Loss => "loss",
            FlagFallRule::Fide => "fide",
        },
    })
}

/// The SHA-256 of a file, which may be larger than memory.
fn sha256(path: &Path) -> Result<String, IdentityError> {
    let digest = || {
        let mut file = File::open(path)?;
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

fn hex(hash: Sha256) -> String {
    hash.finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
