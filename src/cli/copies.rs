//! The files that the command line requests in addition to those of the event.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::cli::play_options::Play;
use crate::sink::{Selection, SinkError, write_final_positions, write_selected_pgn};
use crate::store::Reader;

/// Writes them.
///
/// # Errors
/// The store cannot be read, or a file cannot be written.
pub(super) fn copies(folder: &Path, options: &Play) -> anyhow::Result<()> {
    let selection = Selection {
        comments: options
            .pgn_comments
            .unwrap_or_default()
            .in_dialect(options.pgn_dialect.unwrap_or_default()),
        counted: false,
    };
    type Write = fn(&Reader, Selection, &mut dyn io::Write) -> Result<(), SinkError>;
    let files: [(&Option<PathBuf>, Write); 2] = [
        (&options.pgn, write_selected_pgn),
        (&options.epd_out, write_final_positions),
    ];
    for (path, write) in files {
        let Some(path) = path else { continue };
        let reader = Reader::open(folder)?;
        if reader.identity()?.is_none() {
            continue;
        }
        let file =
            File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
        write(&reader, selection, &mut io::BufWriter::new(file))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}
