//! Files that are whole at every moment and after a power cut; those that are made once, at the end of a run
//! (`positions.csv`, `report.html`); and what cannot be written.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::platform::{files, rename};
use crate::store::StoreError;

use super::Sink;

/// A file being written in the folder of the file that it will replace.
pub(crate) struct Replacement {
    pub(crate) file: File,
    temporary: PathBuf,
    target: PathBuf,
}

impl Replacement {
    /// Begins a new version of `target`, in the same folder.
    pub(crate) fn begin(target: &Path) -> io::Result<Replacement> {
        let mut name = target.as_os_str().to_owned();
        name.push(".new");
        let temporary = PathBuf::from(name);
        // A file that an earlier run left there, or that somebody else put there, is removed first; a link is not
        // followed.
        let file = files::patiently(&temporary, || match fs::remove_file(&temporary) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => File::create_new(&temporary),
        })?;
        let target = target.to_path_buf();
        Ok(Replacement {
            file,
            temporary,
            target,
        })
    }

    /// Makes it durable, replaces the old version with it, and gives the open file back.
    pub(crate) fn commit(self) -> io::Result<File> {
        self.file.sync_all()?;
        rename(&self.temporary, &self.target)?;
        // A name without a folder is in the working folder.
        let here = |folder: &&Path| !folder.as_os_str().is_empty();
        let folder = self.target.parent().filter(here);
        files::sync_folder(folder.unwrap_or(Path::new(".")))?;
        Ok(self.file)
    }
}

/// Replaces a file by this content; a reader never sees half a file. A power cut may bring back an older version, until
/// it is made again from the store; without `durable` also an empty file.
pub(crate) fn replace(target: &Path, content: &[u8], durable: bool) -> io::Result<()> {
    let mut next = Replacement::begin(target)?;
    next.file.write_all(content)?;
    if durable {
        next.file.sync_all()?;
    }
    rename(&next.temporary, &next.target)
}

/// Why a sink failed.
#[derive(Debug, thiserror::Error)]
pub enum SinkError {
    /// A file of results cannot be written.
    #[error("cannot write {}: {source}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Standard output or standard error cannot be written: its reader has closed it, as `head` does, or its disk is
    /// full. Nothing is damaged, and the run continues without this output.
    #[error("cannot write the output: {0}")]
    Output(#[source] io::Error),
    /// The store, from which a file was to be rebuilt, cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The file that an error is about.
pub(crate) trait InSinkFile<T> {
    fn at(self, file: &Path) -> Result<T, SinkError>;
}

impl<T> InSinkFile<T> for io::Result<T> {
    fn at(self, file: &Path) -> Result<T, SinkError> {
        let file = file.to_path_buf();
        self.map_err(|source| SinkError::File { file, source })
    }
}

/// Makes the file's text from the store.
type Render = Box<dyn Fn() -> Result<String, SinkError> + Send>;

/// Writes a file at the end of a run. The file needs all games at once, so the sink keeps no games; its maker passes
/// the function that builds the text.
pub struct FileAtEnd {
    path: PathBuf,
    render: Render,
}

impl FileAtEnd {
    /// This file; `render` makes the text of all games stored.
    pub fn new(
        path: PathBuf,
        render: impl Fn() -> Result<String, SinkError> + Send + 'static,
    ) -> FileAtEnd {
        FileAtEnd {
            path,
            render: Box::new(render),
        }
    }
}

impl Sink for FileAtEnd {
    fn finish(&mut self) -> Result<(), SinkError> {
        let text = (self.render)()?;
        replace(&self.path, text.as_bytes(), true).at(&self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In a folder that somebody else has made, `standings.json.new` may be a link to a file of the user who runs the
    /// program.
    #[test]
    fn a_link_in_the_place_of_the_new_version_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let [target, victim] = ["standings.json", "victim"].map(|name| folder.path().join(name));
        fs::write(&victim, "precious").unwrap();
        files::link(&victim, &folder.path().join("standings.json.new")).unwrap();
        replace(&target, b"new", true).unwrap();
        assert_eq!(fs::read(&victim).unwrap(), b"precious");
        assert_eq!(fs::read(&target).unwrap(), b"new");
    }
}
