//! Files that are made once, at the end of a run: `positions.csv`, `report.html`.

use std::path::PathBuf;

use super::error::{InSinkFile, SinkError};
use super::{Sink, atomic};

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
        atomic::replace(&self.path, text.as_bytes(), true).at(&self.path)
    }
}
