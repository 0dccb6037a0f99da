//! `positions.csv`: one row a start number.

use std::path::{Path, PathBuf};

use crate::chess::start::{self, Variant};
use crate::chess::{FenDialect, StartNumber};

use super::Sink;
use super::atomic;
use super::error::SinkError;

/// The file's name in the event's folder.
const FILE: &str = "positions.csv";

/// Makes the file's text from the store.
type Render = Box<dyn Fn() -> Result<String, SinkError> + Send>;

/// Writes `positions.csv` at the end of a run. Its estimates need all games at
/// once, so it keeps none of them: whoever makes it says how the text is made.
pub struct PositionsSink {
    path: PathBuf,
    render: Render,
}

impl PositionsSink {
    /// For the event in `folder`; `render` makes the text of all games stored.
    pub fn new(
        folder: &Path,
        render: impl Fn() -> Result<String, SinkError> + Send + 'static,
    ) -> PositionsSink {
        PositionsSink {
            path: folder.join(FILE),
            render: Box::new(render),
        }
    }
}

impl Sink for PositionsSink {
    fn finish(&mut self) -> Result<(), SinkError> {
        let text = (self.render)()?;
        let written = atomic::replace(&self.path, text.as_bytes(), true);
        written.map_err(|error| SinkError::file(&self.path, error))
    }
}

/// White's pieces on the first rank, or both sides' with a slash where they differ.
pub(crate) fn back_rank(variant: Variant, number: StartNumber) -> Option<String> {
    let fen = start::position(variant, number).ok()?.fen(FenDialect::XFen);
    let board = fen.split(' ').next()?;
    let black = board.split('/').next()?.to_ascii_uppercase();
    let white = board.split('/').next_back()?;
    Some(if white == black {
        white.to_owned()
    } else {
        format!("{white}/{black}")
    })
}
