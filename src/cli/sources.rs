//! What the paths of a command line name: events and PGN files.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::analysis::{Collection, Collector};
use crate::pgn;
use crate::store::{EVENT_FILE, Reader};

/// Adds events, then PGN files: an event knows more of its games than its PGN, and the first of two equal games counts.
pub(super) fn add_all(collector: &mut Collector, paths: &[PathBuf], replay: bool) -> Result<()> {
    let (stores, files): (Vec<_>, Vec<_>) = paths.iter().partition(|path| is_event(path));
    for path in stores.into_iter().chain(files) {
        add(collector, path, replay)?;
    }
    Ok(())
}

/// The games of an event, or of a PGN file.
pub(super) fn games_of(path: &Path) -> Result<Collection> {
    let mut collector = Collector::new(false);
    add(&mut collector, path, true)?;
    Ok(collector.finish())
}

/// An event's folder, or the store in it.
pub(super) fn is_event(path: &Path) -> bool {
    path.is_dir() || path.file_name().is_some_and(|name| name == EVENT_FILE)
}

pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        _ if path.is_dir() => path,
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Adds the games of an event's folder, or of a PGN file.
///
/// # Errors
/// They cannot be read.
pub(super) fn add(collector: &mut Collector, path: &Path, replay: bool) -> Result<()> {
    if is_event(path) {
        return Ok(collector.add_store(&Reader::open(folder_of(path))?)?);
    }
    let name = match path.to_str() {
        Some("-") => "standard input".to_owned(),
        _ => path.display().to_string(),
    };
    let input = pgn::open(path).with_context(|| format!("cannot read {name}"))?;
    let added = collector.add_pgn(&name, input, replay);
    added.with_context(|| name.clone())
}
