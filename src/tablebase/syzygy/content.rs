//! The bytes of a file of tables, and what can be wrong with them.

use std::fs::File;
use std::io::{self, BufRead};

use crate::platform::files::read_exact_at;

/// Why a table gives no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum Damage {
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
pub(super) struct FileBytes {
    pub(super) file: File,
    pub(super) length: u64,
}

impl FileBytes {
    /// So many bytes from here on.
    pub(super) fn bytes<const COUNT: usize>(&self, at: u64) -> io::Result<[u8; COUNT]> {
        let mut bytes = [0; COUNT];
        read_exact_at(&self.file, &mut bytes, at)?;
        Ok(bytes)
    }

    /// The same, of a block, which must lie in the file as a whole.
    pub(super) fn block(&self, at: u64, bytes: u64) -> Result<Vec<u8>, Damage> {
        if at.saturating_add(bytes) > self.length {
            return Err(Damage::Short);
        }
        let mut block = vec![0; bytes as usize];
        read_exact_at(&self.file, &mut block, at)?;
        Ok(block)
    }
}

/// One byte.
pub(super) fn byte(input: &mut impl BufRead) -> io::Result<u8> {
    let mut byte = [0];
    input.read_exact(&mut byte)?;
    Ok(byte[0])
}

/// Two bytes, the lower one first.
pub(super) fn word(input: &mut impl BufRead) -> io::Result<u16> {
    let mut bytes = [0; 2];
    input.read_exact(&mut bytes)?;
    Ok(u16::from_le_bytes(bytes))
}

/// Four bytes, the lowest one first.
pub(super) fn wide(input: &mut impl BufRead) -> io::Result<u32> {
    let mut bytes = [0; 4];
    input.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}
