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
    files: HashMap<(Material, Metric), TableFile>,
    men: u32,
    /// Tables that could not be read, in words.
    troubles: Mutex<BTreeSet<String>>,
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
        let (files, men) = (self.files.len(), self.men);
        write!(f, "Syzygy({files} files of up to {men} men)")
    }
}

// The bytes of a file of tables, and what can be wrong with them.

/// Why a table gives no answer.
#[derive(Debug, thiserror::Error)]
enum Damage {
    /// It cannot be read.
    #[error("{0}")]
    Unreadable(#[from] io::Error),
    /// It is no table.
    #[error("{0}")]
    NoTable(String),
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

/// So many bytes.
fn bytes<const COUNT: usize>(input: &mut impl BufRead) -> io::Result<[u8; COUNT]> {
    let mut bytes = [0; COUNT];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// One byte.
fn byte(input: &mut impl BufRead) -> io::Result<u8> {
    bytes(input).map(|[byte]| byte)
}

/// Two bytes, the lower one first.
fn word(input: &mut impl BufRead) -> io::Result<u16> {
    bytes(input).map(u16::from_le_bytes)
}

// Which tables folders have, and which are missing.

/// A file, which is opened when it is first asked.
struct TableFile {
    path: PathBuf,
    table: OnceLock<Option<EndgameTable>>,
}

/// Why tables cannot be used: a folder or a file, and what is wrong with it.
#[derive(Debug, thiserror::Error)]
#[error("{}: {why}", path.display())]
pub struct SyzygyError {
    path: PathBuf,
    why: String,
}

impl SyzygyError {
    fn new(path: &Path, why: impl fmt::Display) -> SyzygyError {
        let (path, why) = (path.to_owned(), why.to_string());
        SyzygyError { path, why }
    }
}

impl Syzygy {
    /// The tables in these folders, of endings with up to `men` men. Of every file the beginning
    /// and the length are looked at.
    ///
    /// # Errors
    /// A folder cannot be read or has no tables; a file is none, or cut short.
    pub fn open(folders: &[PathBuf], men: Option<u32>) -> Result<Syzygy, SyzygyError> {
        let mut files: HashMap<(Material, Metric), TableFile> = HashMap::new();
        for folder in folders {
            let found = tables(folder).map_err(|error| SyzygyError::new(folder, error))?;
            if found.is_empty() {
                let why = "no Syzygy table (KQvK.rtbw …) in this folder";
                return Err(SyzygyError::new(folder, why));
            }
            for (material, metric, path) in found {
                if material.men() <= men.unwrap_or(MAX_MEN) {
                    let table = OnceLock::new();
                    files
                        .entry((material, metric))
                        .or_insert(TableFile { path, table });
                }
            }
        }
        for ((_, metric), TableFile { path, .. }) in &files {
            table::check(path, *metric).map_err(|why| SyzygyError::new(path, why))?;
        }
        let men = files.keys().map(|(ending, _)| ending.men());
        Ok(Syzygy {
            men: men.max().unwrap_or(0),
            files,
            troubles: Mutex::new(BTreeSet::new()),
        })
    }

    /// The files that a complete set of endings with up to `men` men has and that are not there,
    /// by number of men.
    pub fn missing(&self, men: u32) -> Vec<String> {
        let endings = (3..=men.min(MAX_MEN)).flat_map(Material::all);
        let files = endings.flat_map(|ending| Metric::ALL.map(|metric| (ending, metric)));
        let missing = files.filter(|file| !self.files.contains_key(file));
        missing
            .map(|(ending, metric)| format!("{ending}.{}", metric.extension()))
            .collect()
    }

    /// The table of an ending, and whether it has Black's men first; `None` without one.
    fn table(&self, material: Material, metric: Metric) -> Option<(Material, bool, &EndgameTable)> {
        let (ending, file) = [material, material.swapped()]
            .into_iter()
            .find_map(|ending| Some((ending, self.files.get(&(ending, metric))?)))?;
        let open = || {
            EndgameTable::open(&file.path, ending, metric)
                .inspect_err(|damage| self.refused(ending, metric, damage))
                .ok()
        };
        let table = file.table.get_or_init(open).as_ref()?;
        Some((ending, ending != material, table))
    }

    /// Remembers that the table of an ending gave no answer.
    fn refused(&self, ending: Material, metric: Metric, damage: &Damage) {
        if let Some(file) = self.files.get(&(ending, metric)) {
            let what = format!("{}: {damage}", file.path.display());
            tracing::error!("tablebase: {what}");
            let mut troubles = self.troubles.lock().unwrap_or_else(PoisonError::into_inner);
            troubles.insert(what);
        }
    }
}

/// The tables of a folder, by their names.
fn tables(folder: &Path) -> io::Result<Vec<(Material, Metric, PathBuf)>> {
    let mut tables = Vec::new();
    for entry in folder.read_dir()? {
        let path = entry?.path();
        let extension = path.extension().and_then(|extension| extension.to_str());
        let mut metrics = Metric::ALL.into_iter();
        let metric = metrics.find(|metric| extension == Some(metric.extension()));
        let name = path.file_stem().and_then(|stem| stem.to_str());
        if let (Some(metric), Some(material)) = (metric, name.and_then(Material::from_name)) {
            tables.push((material, metric, path));
        }
    }
    Ok(tables)
}
