//! Files for the tests of event files: none is on the disk.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use arbiter960::tablebase::{Syzygy, SyzygyError};

use arbiter960::internal::config::{
    ConfigErrors, FileKind, Files, Overrides, Tournament, Warnings, parse,
};

/// The folder of the event files of the tests.
pub const FOLDER: &str = "/events";

/// A disk in memory.
#[derive(Default)]
pub struct Shelf(BTreeMap<PathBuf, (FileKind, Vec<u8>)>);

impl Shelf {
    /// A shelf with the programs `one`, `two` and `three` on the search path.
    pub fn new() -> Shelf {
        ["one", "two", "three"]
            .iter()
            .fold(Shelf::default(), |shelf, name| {
                shelf.program(&format!("/usr/games/{name}"), "\x7fELF")
            })
    }

    pub fn program(mut self, path: &str, text: &str) -> Shelf {
        self.0.insert(path.into(), (FileKind::Program, text.into()));
        self
    }

    pub fn file(mut self, path: &str, text: &str) -> Shelf {
        self.0.insert(path.into(), (FileKind::Plain, text.into()));
        self
    }

    pub fn bytes(mut self, path: &str, bytes: Vec<u8>) -> Shelf {
        self.0.insert(path.into(), (FileKind::Plain, bytes));
        self
    }

    /// Reads an event file in [`FOLDER`].
    pub fn parse(&self, text: &str) -> Result<(Tournament, Warnings), ConfigErrors> {
        let origin = Path::new(FOLDER).join("event.toml");
        parse(text, &origin, Overrides::default(), self)
    }

    /// The tournament and the warnings of an event file without errors.
    pub fn accept(&self, text: &str) -> (Tournament, String) {
        match self.parse(text) {
            Ok((tournament, warnings)) => (tournament, warnings.to_string()),
            Err(errors) => panic!("{errors}"),
        }
    }

    /// What is wrong with an event file.
    pub fn refuse(&self, text: &str) -> String {
        let refused = self.parse(text).expect_err("an event file with errors");
        let refused = refused.to_string();
        let errors = refused.lines().filter(|line| line.starts_with("error"));
        errors.for_each(|error| eprintln!("refused in an event file: {error}"));
        refused
    }
}

/// Without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => (),
            std::path::Component::ParentDir => drop(plain.pop()),
            other => plain.push(other),
        }
    }
    plain
}

impl Files for Shelf {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let found = self.0.get(&plain(path));
        found
            .map(|(_, bytes)| bytes.clone())
            .ok_or(io::ErrorKind::NotFound.into())
    }

    fn read_start(&self, path: &Path, most: usize) -> io::Result<Vec<u8>> {
        let mut bytes = self.read(path)?;
        bytes.truncate(most);
        Ok(bytes)
    }

    fn kind(&self, path: &Path) -> FileKind {
        let path = plain(path);
        match self.0.get(&path) {
            Some((kind, _)) => *kind,
            None if self.0.keys().any(|other| other.starts_with(&path)) => FileKind::Folder,
            None if path == Path::new(FOLDER) => FileKind::Folder,
            None => FileKind::Missing,
        }
    }

    fn real(&self, path: &Path) -> PathBuf {
        plain(path)
    }

    /// Every folder below /tables has a table of one ending, in which all is a draw.
    fn tablebases(&self, folders: &[PathBuf], men: Option<u32>) -> Result<Syzygy, SyzygyError> {
        let known = |folder: &PathBuf| plain(folder).starts_with("/events/tables");
        if !folders.iter().all(known) {
            return Syzygy::open(folders, men);
        }
        let folder = tempfile::tempdir().unwrap();
        let mut table = [0; 80];
        // The sign of such files, sides apart, orders, men for both sides, and twice a single value.
        let header = [
            0x71, 0xE8, 0x23, 0x5D, 1, 0, 0x66, 0xEE, 0x33, 0, 0x80, 2, 0x80, 2,
        ];
        table[..header.len()].copy_from_slice(&header);
        std::fs::write(folder.path().join("KBvK.rtbw"), table).unwrap();
        Syzygy::open(&[folder.path().to_owned()], men)
    }

    fn search_path(&self) -> Vec<PathBuf> {
        vec!["/bin".into(), "/usr/games".into()]
    }
}
