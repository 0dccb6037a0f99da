//! What was in the programs when the run began: the file of one that does not run can be written over in its place.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::sync::Arc;

use crate::platform::{make_folder_untrusted, rename};

/// Bytes of a program that are kept in memory.
const MAX_BYTES_IN_MEMORY: u64 = 1 << 20;

/// Bytes of all longer programs together that are kept on the disk.
pub(super) const MAX_BYTES_ON_DISK: u64 = 1 << 30;

/// What was in a program when the run began.
#[derive(Debug)]
pub(super) enum ProgramContent {
    Short(Vec<u8>),
    /// A copy without a name, which is gone with this program. Where the file system can, it shares its blocks with the
    /// program.
    Long(File),
}

/// What is in a program, if there is room for it.
pub(super) fn kept(opened: &File, builds: &Path, room: &mut u64) -> Option<Arc<ProgramContent>> {
    let length = opened.metadata().ok()?.len();
    let kept = if length <= MAX_BYTES_IN_MEMORY {
        short(opened).map(ProgramContent::Short)
    } else if length <= *room {
        *room -= length;
        copy_without_name(opened, builds).map(ProgramContent::Long)
    } else {
        return None;
    };
    if let Err(error) = &kept {
        tracing::warn!(%error, "what is in a program cannot be kept");
    }
    kept.ok().map(Arc::new)
}

fn short(mut opened: &File) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    opened.rewind()?;
    opened.take(MAX_BYTES_IN_MEMORY).read_to_end(&mut content)?;
    Ok(content)
}

fn copy_without_name(opened: &File, folder: &Path) -> io::Result<File> {
    make_folder_untrusted(folder)?;
    let place = folder.join(format!("{}.new", std::process::id()));
    let mut options = OpenOptions::new();
    let copy = options.read(true).write(true).create_new(true).open(&place);
    let removed = fs::remove_file(&place);
    // Programs may lie in it that a former run has put there.
    let _not_empty = fs::remove_dir(folder);
    let mut copy = copy?;
    removed?;
    copy_whole(opened, &mut copy)?;
    Ok(copy)
}

/// From file to file the kernel copies, or shares the blocks.
fn copy_whole(mut opened: &File, copy: &mut File) -> io::Result<()> {
    opened.rewind()?;
    let length = opened.metadata()?.len();
    io::copy(&mut opened.take(length), copy).map(drop)
}

/// Writes a program, as it was if that is known, to this place, where it can be run.
pub(super) fn write_copy(
    opened: &File,
    content: Option<&ProgramContent>,
    place: &Path,
) -> io::Result<()> {
    let folder = place.parent().unwrap_or(place);
    // The first is the one for all programs.
    for folder in [folder.parent().unwrap_or(folder), folder] {
        make_folder_untrusted(folder)?;
    }
    let new = place.with_extension("new");
    // Of a run that was killed here.
    let _left = fs::remove_file(&new);
    let mut copy = File::create_new(&new)?;
    match content {
        Some(ProgramContent::Short(content)) => copy.write_all(content)?,
        Some(ProgramContent::Long(kept)) => copy_whole(kept, &mut copy)?,
        None => copy_whole(opened, &mut copy)?,
    }
    copy.set_permissions(opened.metadata()?.permissions())?;
    drop(copy);
    rename(&new, place)
}
