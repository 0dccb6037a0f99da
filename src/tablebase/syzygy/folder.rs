//! Which tables folders have, and which are missing.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use super::content::Damage;
use super::material::Material;
use super::table::{self, EndgameTable, Metric};
use super::{MAX_MEN, Syzygy};

/// The tables of one ending. A file is opened when it is first asked.
#[derive(Debug, Default)]
pub(super) struct EndingFiles {
    wdl: Lazy,
    dtz: Lazy,
}

#[derive(Debug, Default)]
struct Lazy {
    path: Option<PathBuf>,
    table: OnceLock<Option<EndgameTable>>,
}

/// Why tables cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SyzygyError {
    /// A folder cannot be read.
    #[error("{}: {error}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// There are no tables in it.
    #[error("{}: no Syzygy table (KQvK.rtbw …) in this folder", .0.display())]
    Empty(PathBuf),
    /// A file is no table, or is damaged.
    #[error("{}: {why}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// Why.
        why: String,
    },
}

impl Syzygy {
    /// The tables in these folders, of endings with up to `men` men. Of every file the beginning
    /// and the length are looked at.
    ///
    /// # Errors
    /// A folder cannot be read or has no tables; a file is none, or cut short.
    pub fn open(folders: &[PathBuf], men: Option<u32>) -> Result<Syzygy, SyzygyError> {
        let mut endings: HashMap<Material, EndingFiles> = HashMap::new();
        for folder in folders {
            let mut found = false;
            for (material, metric, path) in tables(folder)? {
                found = true;
                if material.men() > men.unwrap_or(MAX_MEN) {
                    continue;
                }
                let files = endings.entry(material).or_default();
                files.of_mut(metric).path.get_or_insert(path);
            }
            if !found {
                return Err(SyzygyError::Empty(folder.clone()));
            }
        }
        for (files, metric) in endings.values().flat_map(|files| {
            let both = [Metric::Wdl, Metric::Dtz];
            both.map(|metric| (files, metric))
        }) {
            let Some(path) = &files.lazy(metric).path else {
                continue;
            };
            table::check(path, metric).map_err(|why| SyzygyError::File {
                file: path.clone(),
                why: why.to_string(),
            })?;
        }
        Ok(Syzygy {
            men: endings.keys().map(|ending| ending.men()).max().unwrap_or(0),
            endings,
            troubles: Mutex::new(BTreeSet::new()),
        })
    }

    /// The files that a complete set of endings with up to `men` men has and that are not there,
    /// by number of men.
    pub fn missing(&self, men: u32) -> Vec<String> {
        let endings = (3..=men.min(MAX_MEN)).flat_map(Material::all);
        let files = endings.flat_map(|ending| {
            let files = self.endings.get(&ending);
            [Metric::Wdl, Metric::Dtz]
                .into_iter()
                .filter_map(move |metric| {
                    let there = files.is_some_and(|files| files.lazy(metric).path.is_some());
                    (!there).then(|| format!("{ending}.{}", metric.extension()))
                })
        });
        files.collect()
    }

    /// The table of an ending, and whether it has Black's men first; `None` without one.
    pub(super) fn table(
        &self,
        material: Material,
        metric: Metric,
    ) -> Option<(Material, bool, &EndgameTable)> {
        let (ending, files) = [material, material.swapped()]
            .into_iter()
            .find_map(|ending| Some((ending, self.endings.get(&ending)?)))?;
        let lazy = files.lazy(metric);
        let path = lazy.path.as_ref()?;
        let open = || match EndgameTable::open(path, ending, metric) {
            Ok(table) => Some(table),
            Err(damage) => {
                self.damaged(path, &damage);
                None
            }
        };
        let table = lazy.table.get_or_init(open).as_ref()?;
        Some((ending, ending != material, table))
    }

    /// Remembers that the table of an ending gave no answer.
    pub(super) fn refused(&self, ending: Material, metric: Metric, damage: &Damage) {
        let files = self.endings.get(&ending);
        if let Some(path) = files.and_then(|files| files.lazy(metric).path.as_ref()) {
            self.damaged(path, damage);
        }
    }

    fn damaged(&self, path: &Path, damage: &Damage) {
        self.trouble(format!("{}: {damage}", path.display()));
    }
}

impl EndingFiles {
    fn lazy(&self, metric: Metric) -> &Lazy {
        match metric {
            Metric::Wdl => &self.wdl,
            Metric::Dtz => &self.dtz,
        }
    }

    fn of_mut(&mut self, metric: Metric) -> &mut Lazy {
        match metric {
            Metric::Wdl => &mut self.wdl,
            Metric::Dtz => &mut self.dtz,
        }
    }
}

/// The tables of a folder, by their names.
fn tables(folder: &Path) -> Result<Vec<(Material, Metric, PathBuf)>, SyzygyError> {
    let failed = |error| SyzygyError::Folder {
        folder: folder.to_owned(),
        error,
    };
    let mut tables = Vec::new();
    for entry in folder.read_dir().map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let extension = path.extension().and_then(|extension| extension.to_str());
        let metric = [Metric::Wdl, Metric::Dtz]
            .into_iter()
            .find(|metric| extension == Some(metric.extension()));
        let name = path.file_stem().and_then(|stem| stem.to_str());
        if let (Some(metric), Some(material)) = (metric, name.and_then(Material::from_name)) {
            tables.push((material, metric, path));
        }
    }
    Ok(tables)
}
