//! The log of a run: `log/run.log` in the event's folder.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::platform::files::append_among_strangers;
use crate::platform::make_folder_among_strangers;
use crate::store::StoreError;

/// Its folder within the event's.
const FOLDER: &str = "log";

/// The environment variable that sets what is logged, as in `debug` or
/// `arbiter960::internal::run=trace`.
const VARIABLE: &str = "ARBITER960_LOG";

/// From here on events are logged into the event's folder. A second call in one process changes nothing: the first log
/// stays in use.
///
/// # Errors
/// The log cannot be written.
pub(crate) fn begin(folder: &Path) -> Result<(), StoreError> {
    let file = open(folder).map_err(|error| StoreError::from_io(&folder.join(FOLDER), &error))?;
    // Not `EnvFilter`: its patterns of fields add a megabyte of automata that is not needed.
    let wanted = std::env::var(VARIABLE).ok();
    let wanted = wanted.and_then(|words| words.parse::<Targets>().ok());
    let filter = wanted.unwrap_or_else(|| Targets::new().with_default(LevelFilter::INFO));
    let lines = tracing_subscriber::fmt::layer()
        .with_ansi(false)
        // On a full disk the run itself reports the error.
        .log_internal_errors(false)
        .with_writer(Mutex::new(file));
    let log = tracing_subscriber::registry().with(filter).with(lines);
    // Fails if a log exists already.
    let _ = log.try_init();
    Ok(())
}

/// Where logs are, for an event in this folder.
pub(crate) fn folder(event: &Path) -> PathBuf {
    event.join(FOLDER)
}

fn open(folder: &Path) -> io::Result<File> {
    let folder = folder.join(FOLDER);
    make_folder_among_strangers(&folder)?;
    append_among_strangers(&folder.join("run.log"))
}
