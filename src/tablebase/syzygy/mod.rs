//! The tables of R. de Man, from files `KQvKR.rtbw` (who wins) and `KQvKR.rtbz` (how far).
//!
//! A file is read where it is asked, block by block, and nothing of it stays in memory but its
//! header. A damaged file gives no answer, never a wrong one that could have been seen; it is
//! named once. The format is the one that the generator writes (R. de Man, `tb`, 2013), told in
//! `table` and `index`.
//!
//! | file | what |
//! |---|---|
//! | `material` | which men an ending has, and its name |
//! | `maps` | the numberings of squares that the format is made of |
//! | `content` | the bytes of a file, and what can be wrong with them |
//! | `pairs` | compressed values: the code, and one value out of it |
//! | `table` | one file: its header |
//! | `index` | a position's place in a table |
//! | `folder` | which tables folders have, and which are missing |
//! | `probe` | a position's value: tables, and the captures that they leave out |

mod content;
mod folder;
mod index;
mod maps;
mod material;
mod pairs;
mod probe;
mod table;

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::{Mutex, PoisonError};

use folder::EndingFiles;
use material::Material;

use super::{Dtz, Tablebase, Wdl};
use crate::chess::Position;

pub use folder::SyzygyError;

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
