//! The record that is written before the first game.

use std::fmt::Display;
use std::path::{Component, Path, PathBuf};
use std::{fs, io};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::chess::FenDialect;
use crate::config::{ConfigErrors, Overrides, Tournament, hex, load, sha256};
use crate::event::Seat;
use crate::event::identity::EventIdentity;
use crate::run::RunError;
use crate::schedule::{Plan, PlanError};

/// The version of the records that this program writes.
pub(super) const VERSION: u32 = 1;

/// Events fixed before their first game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    /// From 1.
    #[serde(rename = "arbiter960 seal")]
    pub(crate) version: u32,
    /// When, as ISO 8601 in UTC.
    pub(crate) sealed: String,
    /// Who is to play them.
    pub(crate) program: SealedProgram,
    /// In the order in which they were named; no two with one name.
    pub(crate) events: Vec<SealedEvent>,
}

/// The build of arbiter960 that is to play.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SealedProgram {
    /// What `--version` says, without the name; empty for another program than the one that seals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) version: Option<String>,
    /// The SHA-256 of its file, hexadecimal.
    pub(crate) sha256: String,
}

/// One event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SealedEvent {
    /// The name, which is also in its games.
    pub(crate) name: String,
    /// The event file, seen from the folder of the manifest.
    pub(crate) file: PathBuf,
    /// The SHA-256 of the event file, hexadecimal.
    pub(crate) sha256: String,
    /// The commitment of `arbiter960 draw`.
    pub(crate) commitment: String,
    /// How many pairs the plan has.
    pub(crate) pairs: u64,
    /// How many games the plan has.
    pub(crate) games: u64,
    /// The hash of all pairs: see `docs/sealed-events.md`.
    pub(crate) plan_sha256: String,
    /// Everything that its games depend on: seed, positions, engines with their programs, nets, options and limits,
    /// book, adjudication.
    pub(crate) identity: EventIdentity,
}

/// Why an event cannot be sealed, or why a manifest cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SealError {
    /// The event file is wrong.
    #[error(transparent)]
    Config(#[from] ConfigErrors),
    /// A file cannot be read, or is not what it should be.
    #[error("{0}")]
    File(String),
    /// The plan cannot be made.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// Games cannot be played again.
    #[error(transparent)]
    Run(#[from] Box<RunError>),
}

/// Fixes events, for a manifest that will lie in `folder`.
///
/// # Errors
/// An event cannot be sealed, or a file that belongs to it cannot be read.
pub(crate) fn seal(
    files: &[PathBuf],
    folder: &Path,
    program: SealedProgram,
) -> Result<Manifest, SealError> {
    let mut events: Vec<SealedEvent> = Vec::new();
    for file in files {
        let event = seal_event(file, folder)?;
        if events.iter().any(|other| other.name == event.name) {
            return Err(SealError::File(format!(
                "two events are called {}: their games could not be told apart",
                event.name
            )));
        }
        events.push(event);
    }
    Ok(Manifest {
        version: VERSION,
        sealed: now(),
        program,
        events,
    })
}

fn seal_event(path: &Path, folder: &Path) -> Result<SealedEvent, SealError> {
    let (tournament, _) = load(path, Overrides::default())?;
    if tournament.seed_drawn {
        let words = "the seed must stand in the event file: seed = N in [event]";
        return Err(wrong(path, words));
    }
    if let Some(what) = open_ended(&tournament) {
        return Err(wrong(
            path,
            format!(
                "which pairs it plays depends on results ({what}): before its first game there is no plan to \
                 seal; `arbiter960 draw` commits to its seed"
            ),
        ));
    }
    let identity = tournament.identity();
    let identity = identity.map_err(|error| unreadable(&error.path, error.error))?;
    let (plan, plan_sha256) = planned(&tournament, &identity)?;
    Ok(SealedEvent {
        file: seen_from(folder, path).map_err(|error| unreadable(path, error))?,
        sha256: file_sha256(path)?,
        commitment: identity.commitment(&tournament.name),
        pairs: plan.len(),
        games: plan.games(),
        plan_sha256,
        name: tournament.name,
        identity,
    })
}

/// The setting that makes the pairs of an event depend on its results, if there is one.
pub(super) fn open_ended(tournament: &Tournament) -> Option<&'static str> {
    let reasons = [
        (tournament.sprt.is_some(), "[sprt]"),
        (tournament.adaptive.is_some(), "[adaptive]"),
        (tournament.rounds().is_some(), "rounds"),
        (tournament.making.is_some(), "starts that the players make"),
    ];
    reasons
        .into_iter()
        .find(|(is, _)| *is)
        .map(|(_, what)| what)
}

/// The SHA-256 of a file.
pub(super) fn file_sha256(path: &Path) -> Result<String, SealError> {
    sha256(path).map_err(|error| unreadable(path, error.error))
}

/// The present time, as ISO 8601 in UTC.
pub(super) fn now() -> String {
    let now = jiff::Timestamp::now();
    now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

pub(super) fn unreadable(path: &Path, error: io::Error) -> SealError {
    SealError::File(format!("cannot read {}: {error}", path.display()))
}

/// What is wrong with a file.
pub(super) fn wrong(path: &Path, what: impl Display) -> SealError {
    SealError::File(format!("{}: {what}", path.display()))
}

/// A file's path relative to a folder, so that both may be moved together.
pub(super) fn seen_from(folder: &Path, file: &Path) -> io::Result<PathBuf> {
    let (folder, file) = (fs::canonicalize(folder)?, fs::canonicalize(file)?);
    let (folder, file): (Vec<Component>, Vec<Component>) =
        (folder.components().collect(), file.components().collect());
    let common = folder.iter().zip(&file).take_while(|(a, b)| a == b).count();
    let up = folder.iter().skip(common).map(|_| Component::ParentDir);
    Ok(up.chain(file.into_iter().skip(common)).collect())
}

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    /// It cannot be read, or is of a later version.
    pub(crate) fn read(path: &Path) -> Result<Manifest, SealError> {
        let text = fs::read_to_string(path).map_err(|error| unreadable(path, error))?;
        read_json(path, &text, "arbiter960 seal")
    }
}

/// A record whose version stands under this word.
pub(super) fn read_json<T: DeserializeOwned>(
    path: &Path,
    text: &str,
    word: &str,
) -> Result<T, SealError> {
    let value: serde_json::Value =
        serde_json::from_str(text).map_err(|error| wrong(path, error))?;
    let version = value[word].as_u64();
    let version = version.ok_or_else(|| wrong(path, "it is not what `arbiter960 seal` writes"))?;
    if version > u64::from(VERSION) {
        let words =
            format!("it has version {version} and this arbiter960 knows versions up to {VERSION}");
        return Err(wrong(path, words));
    }
    serde_json::from_value(value).map_err(|error| wrong(path, error))
}

// A hash of every pair of a plan.

/// The plan of an event, and the SHA-256 of a text. The text has a line for each engine (its limits and the part by
/// which its node limit varies), one for limits by colour, and for each pair: its number, the start in Shredder-FEN, the moves of the book, and
/// who has White and Black in each game, as `engine.copy` counted from 0.
///
/// # Errors
/// The plan cannot be made.
pub(super) fn planned(
    tournament: &Tournament,
    identity: &EventIdentity,
) -> Result<(Plan, String), PlanError> {
    let plan = tournament.plan()?;
    let mut hash = Sha256::new();
    hash.update("arbiter960 plan 1\n");
    for engine in &identity.engines {
        let jitter = engine.nodes_jitter.unwrap_or_default();
        hash.update(format!("{} {} {jitter}\n", engine.name, engine.limits));
    }
    if let Some([white, black]) = &identity.limits_by_colour {
        hash.update(format!("White {white}, Black {black}\n"));
    }
    for (pair, spec) in plan.iter() {
        let opening = tournament.openings.get(spec.opening);
        let start = opening.start.fen(FenDialect::Shredder);
        hash.update(format!("{} {start}", pair.0 + 1));
        for text in opening.move_texts() {
            hash.update(format!(" {text}"));
        }
        for game in 0..spec.games {
            let [white, black] = spec.seats(game).map(place);
            hash.update(format!(" {white}-{black}"));
        }
        hash.update("\n");
    }
    Ok((plan, hex(hash)))
}

fn place(seat: Seat) -> String {
    format!("{}.{}", seat.engine, seat.copy)
}
