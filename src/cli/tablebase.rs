//! Tablebases that a command names.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;

use crate::tablebase::{Syzygy, Tablebase};
use crate::text::{printable, tell};

/// The tables in these folders, if there are any folders.
///
/// # Errors
/// A folder has no tables, or a damaged one.
pub(super) fn open(folders: &[PathBuf]) -> anyhow::Result<Option<Arc<dyn Tablebase>>> {
    if folders.is_empty() {
        return Ok(None);
    }
    let tables = Syzygy::open(folders, None).context("--tablebase")?;
    Ok(Some(Arc::new(tables)))
}

/// Reports which tables could not be read; returns their number.
pub(super) fn tell_troubles(tables: &dyn Tablebase) -> usize {
    let troubles = tables.troubles();
    for trouble in &troubles {
        tell(&format!("error: tablebase: {}", printable(trouble)));
    }
    troubles.len()
}
