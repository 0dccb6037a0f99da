//! The tables of R. de Man, from files `KQvKR.rtbw` (who wins) and `KQvKR.rtbz` (how far).
//!
//! A file is read where it is asked, block by block, and nothing of it stays in memory but its
//! header. A damaged file gives no answer, never a wrong one that could have been seen; it is
//! named once. The format is the one that the generator writes (R. de Man, `tb`, 2013), told in
//! `table` and `index`.
//!
//! | file | what |
//! |---|---|
//! | `material` | which men an ending has, and its name; the numberings of squares that the format is made of |
//! | `pairs` | compressed values: the code, and one value out of it |
//! | `table` | one file: its header |
//! | `index` | a position's place in a table |
//! | `probe` | a position's value: tables, and the captures that they leave out |

mod index;
mod material;
mod pairs;
mod probe;
mod table;

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use material::Material;
use table::{EndgameTable, Metric};

use crate::chess::Position;
use crate::platform::files::read_exact_at;

use super::{Dtz, Tablebase, Wdl};

/// The most men that the format has tables for.
const MAX_MEN: u32 = 7;

/// The tables of some folders.
pub struct Syzygy {
    endings: HashMap<Material, EndingFiles>,
    men: u32,
    /// Tables that could not be read, in words.
    troubles: Mutex<BTreeSet<String>>,
}

impl Syzygy {
    fn trouble(&self, what: String) {
        tracing::error!("tablebase: {what}");
        let mut troubles = self.troubles.lock().unwrap_or_else(PoisonError::into_inner);
        troubles.insert(what);
    }
}

impl Tablebase for Syzygy {
    fn wdl(&self, position: &Position) -> Option<Wdl> {
        probe::wdl(self, position)
    }

    fn dtz(&self, position: &Position) -> Option<Dtz> {
        probe::dtz(self, position)
    }

    fn men(&self) -> u32 {
        self.men
    }

    fn troubles(&self) -> Vec<String> {
        let troubles = self.troubles.lock().unwrap_or_else(PoisonError::into_inner);
        troubles.iter().cloned().collect()
    }
}

impl fmt::Debug for Syzygy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (endings, men) = (self.endings.len(), self.men);
        write!(f, "Syzygy({endings} endings of up to {men} men)")
    }
}

// The bytes of a file of tables, and what can be wrong with them.

/// Why a table gives no answer.
#[derive(Debug, thiserror::Error)]
enum Damage {
    /// It cannot be read.
    #[error("{0}")]
    Unreadable(#[from] io::Error),
    /// It begins as another kind of file.
    #[error("this is no table of this kind")]
    Magic,
    /// The length of tables is a multiple of 64 and 16.
    #[error("it is {0} bytes long, which no table is: the file is cut short or damaged")]
    Length(u64),
    /// It ends before its last block.
    #[error("the file is cut short")]
    Short,
    /// What it contains cannot be.
    #[error("its content is damaged")]
    Content,
}

/// The bytes of a file.
#[derive(Debug)]
struct FileBytes {
    file: File,
    length: u64,
}

impl FileBytes {
    /// So many bytes from here on.
    fn bytes<const COUNT: usize>(&self, at: u64) -> io::Result<[u8; COUNT]> {
        let mut bytes = [0; COUNT];
        read_exact_at(&self.file, &mut bytes, at)?;
        Ok(bytes)
    }

    /// The same, of a block, which must lie in the file as a whole.
    fn block(&self, at: u64, bytes: u64) -> Result<Vec<u8>, Damage> {
        if at.saturating_add(bytes) > self.length {
            return Err(Damage::Short);
        }
        let mut block = vec![0; bytes as usize];
        read_exact_at(&self.file, &mut block, at)?;
        Ok(block)
    }
}

/// One byte.
fn byte(input: &mut impl BufRead) -> io::Result<u8> {
    let mut byte = [0];
    input.read_exact(&mut byte)?;
    Ok(byte[0])
}

/// Two bytes, the lower one first.
fn word(input: &mut impl BufRead) -> io::Result<u16> {
    let mut bytes = [0; 2];
    input.read_exact(&mut bytes)?;
    Ok(u16::from_le_bytes(bytes))
}

/// Four bytes, the lowest one first.
fn wide(input: &mut impl BufRead) -> io::Result<u32> {
    let mut bytes = [0; 4];
    input.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

// Which tables folders have, and which are missing.

/// The tables of one ending. A file is opened when it is first asked.
#[derive(Debug, Default)]
struct EndingFiles {
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
    fn table(&self, material: Material, metric: Metric) -> Option<(Material, bool, &EndgameTable)> {
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
    fn refused(&self, ending: Material, metric: Metric, damage: &Damage) {
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
