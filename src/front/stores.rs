//! The stores that earlier runs of the fronts have left: `arbiter960 fronts list` and `clear`.

use std::fs;
use std::path::{Path, PathBuf};

use super::common::place::{self, StoreFolder};

/// A store of a front.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LeftStore {
    /// Its folder.
    pub(crate) folder: PathBuf,
    /// Number of stored games.
    pub(crate) games: u64,
    /// Size of its files in bytes.
    pub(crate) bytes: u64,
    /// How it was left.
    pub(crate) state: StoreState,
}

/// How a store was left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StoreState {
    /// It is being played.
    Running,
    /// Its run was killed: the same command line continues it.
    Killed,
    /// Its run was ended in order: `-config file=` continues it.
    Ended,
}

impl StoreState {
    /// The state as one word.
    pub(crate) fn name(self) -> &'static str {
        match self {
            StoreState::Running => "running",
            StoreState::Killed => "killed",
            StoreState::Ended => "ended",
        }
    }
}

/// The stores next to the PGN files of this folder, and the user's stores elsewhere.
pub(crate) fn stores(beside: &Path) -> Vec<LeftStore> {
    let hidden = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with('.') && name.ends_with(place::ENDING)
    };
    let others = place::own_folders().into_iter().flat_map(entries);
    let all = entries(beside.to_owned()).into_iter().filter(hidden);
    all.chain(others).filter_map(store).collect()
}

/// Removes a store that is not being played.
pub(crate) fn clear(store: &LeftStore) {
    StoreFolder::of_folder(&store.folder).remove();
}

fn entries(folder: PathBuf) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn store(folder: PathBuf) -> Option<LeftStore> {
    let place = StoreFolder::of_folder(&folder);
    let reader = place.reader()?;
    let state = match (reader.is_running(), place.was_killed()) {
        (true, _) => StoreState::Running,
        (false, true) => StoreState::Killed,
        (false, false) => StoreState::Ended,
    };
    let sizes = entries(folder.clone()).into_iter();
    let sizes = sizes.filter_map(|file| fs::metadata(file).ok());
    Some(LeftStore {
        games: reader.counts().ok()?.finished,
        bytes: sizes.map(|meta| meta.len()).sum(),
        folder,
        state,
    })
}
