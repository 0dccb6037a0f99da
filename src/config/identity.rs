//! What must not change when an event is resumed.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::positions::ranges;
use super::tournament::{
    AdaptiveSettings, Boundary, EloModel, EngineSpec, Launch, NamedFile, Restart, Tournament,
};
use crate::chess::start::StartNumber;
use crate::chess::{FenDialect, UciDialect};
use crate::referee::{Adjudication, FaultRules, FlagFallRule, HostFaults};
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
    /// hypotheses of an SPRT, the rule of an adaptive event, seed. Not concurrency, timeouts,
    /// logging, or how long an SPRT or an adaptive event may go on. Equal
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
            "pairs": match self.sprt.is_some() || self.adaptive.is_some() {
                true => Value::Null,
                false => json!(self.cycles),
            },
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
        if let Some(settings) = &self.adaptive {
            identity["adaptive"] = adaptive(settings);
        }
        Ok(identity)
    }

    /// Where the pairs go, in words, if that depends on results.
    pub fn adaptive_label(&self) -> Option<String> {
        let settings = self.adaptive.as_ref().map(adaptive);
        adaptive_label(&json!({ "adaptive": settings }))
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

/// All that decides where pairs go; not how long the event may go on.
fn adaptive(settings: &AdaptiveSettings) -> Value {
    json!({
        "boundary": match settings.boundary {
            Boundary::Mean => json!("mean"),
            Boundary::Top(_) => json!("top"),
            Boundary::Start(number) => json!(number.0),
        },
        "top": match settings.boundary {
            Boundary::Top(wanted) => json!(wanted),
            _ => Value::Null,
        },
        "threshold": settings.threshold,
        "min_pairs": settings.min_pairs,
        "batch": settings.batch,
    })
}

/// Where the pairs of an adaptive event went, in words, from its identity as it is stored;
/// `None` for an event that plays every position equally often.
pub fn adaptive_label(identity: &Value) -> Option<String> {
    let settings = identity.get("adaptive").filter(|value| value.is_object())?;
    let question = match (&settings["boundary"], &settings["top"]) {
        (Value::Number(start), _) => format!("above start {start}"),
        (_, Value::Number(top)) => format!("among the {top} best for White"),
        _ => "above the mean of all".to_owned(),
    };
    let first = settings["min_pairs"].as_u64().unwrap_or_default();
    Some(format!(
        "after {first} pairs on each position, pairs went where it was in doubt whether it is {question}"
    ))
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

/// `host_faults` is left out where it is what it always was, so that an event of an
/// earlier version goes on.
fn adjudication(rules: &Adjudication) -> Value {
    let mut value = json!({
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
    });
    match rules.host_faults {
        HostFaults::Count => {}
        HostFaults::Void => value["host_faults"] = json!("void"),
        HostFaults::Replay => value["host_faults"] = json!("replay"),
    }
    value
}

/// The SHA-256 of a file, which may be larger than memory.
///
/// # Errors
/// It cannot be read.
pub fn sha256(path: &Path) -> Result<String, IdentityError> {
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
