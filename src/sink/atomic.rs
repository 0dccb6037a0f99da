//! Files that are whole at every moment, and after a power cut.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::platform::files;

/// A file being written beside the one it will replace.
pub(crate) struct Replacement {
    file: File,
    temporary: PathBuf,
    target: PathBuf,
}

impl Replacement {
    /// Begins a new version of `target`, in the same folder.
    pub(crate) fn begin(target: &Path) -> io::Result<Replacement> {
        let mut name = target.as_os_str().to_owned();
        name.push(".new");
        let temporary = PathBuf::from(name);
        let file = File::create(&temporary)?;
        let target = target.to_path_buf();
        Ok(Replacement {
            file,
            temporary,
            target,
        })
    }

    pub(crate) fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Makes it durable, puts it in the place of the old version, and gives the
    /// open file back.
    pub(crate) fn commit(self) -> io::Result<File> {
        self.file.sync_all()?;
        files::replace(&self.temporary, &self.target)?;
        match self.target.parent() {
            // A name alone lies in the working folder.
            Some(folder) if folder == Path::new("") => files::sync_folder(Path::new("."))?,
            Some(folder) => files::sync_folder(folder)?,
            None => {}
        }
        Ok(self.file)
    }
}

/// Replaces a file by this content. Without `durable` a power cut may bring
/// back an older version or an empty file, but nobody ever reads half of one.
pub(crate) fn replace(target: &Path, content: &[u8], durable: bool) -> io::Result<()> {
    let mut next = Replacement::begin(target)?;
    next.file.write_all(content)?;
    if durable {
        next.commit()?;
        return Ok(());
    }
    files::replace(&next.temporary, &next.target)
}
