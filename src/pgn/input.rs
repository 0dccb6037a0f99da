//! The sources of games and books: plain files, and files compressed by gzip, Zstandard or bzip2, read as streams, with
//! the line ends of every system.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;

use memchr::memchr;

/// The first bytes of each format of compressed files, and its name.
const BEGINNINGS: [(&[u8], &str); 9] = [
    (b"\x1f\x8b", "gzip"),
    (b"\x28\xb5\x2f\xfd", "Zstandard"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\0", "xz"),
    (b"PK\x03\x04", "zip"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"Rar!", "rar"),
    (b"\x04\x22\x4d\x18", "lz4"),
    (b"LZIP", "lzip"),
];

/// Length of the longest of these beginnings, in bytes.
const MAX_MAGIC_BYTES: u64 = 6;

/// Opens a file of games or of positions; `-` is the standard input. A compressed file is read as a stream.
///
/// # Errors
/// The file cannot be opened, or its compression is not supported.
pub fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    if path.as_os_str() == "-" {
        decompressed(io::stdin().lock())
    } else {
        decompressed(File::open(path)?)
    }
}

/// The text of an input that may be compressed: gzip (RFC 1952), Zstandard (RFC 8878) or bzip2,
/// each of one or of several parts. Zstandard needs the feature `zstd`.
///
/// ```
/// use std::io::Read;
/// let mut text = String::new();
/// arbiter960::pgn::decompressed("1. e4 *".as_bytes())?.read_to_string(&mut text)?;
/// assert_eq!(text, "1. e4 *");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// The first bytes cannot be read, or belong to a format that is not supported.
pub fn decompressed<'a>(mut input: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
    let mut first = Vec::new();
    let mut beginning = input.by_ref().take(MAX_MAGIC_BYTES);
    beginning.read_to_end(&mut first)?;
    let mut known = BEGINNINGS.iter();
    let known = known.find(|(beginning, _)| first.starts_with(beginning));
    let format = known.map(|(_, name)| *name);
    let input = Cursor::new(first).chain(input);
    Ok(match format {
        None => Box::new(input),
        Some("gzip") => Box::new(flate2::read::MultiGzDecoder::new(input)),
        Some("Zstandard") => zstandard(input)?,
        Some("bzip2") => Box::new(bzip2::read::MultiBzDecoder::new(input)),
        Some(name) => {
            let problem = format!(
                "it is compressed as {name}, which is not read here: unpack it first (gzip, \
                 Zstandard and bzip2 are read)"
            );
            return Err(io::Error::new(io::ErrorKind::Unsupported, problem));
        }
    })
}

#[cfg(feature = "zstd")]
fn zstandard<'a>(input: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
    Ok(Box::new(zstd::Decoder::new(input)?))
}

#[cfg(not(feature = "zstd"))]
fn zstandard<'a>(_input: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
    let problem = "it is compressed as Zstandard, and this program was built without: unpack it first \
                   (zstd -d), or build the program with --features zstd";
    Err(io::Error::new(io::ErrorKind::Unsupported, problem))
}

/// The line ends of every system as line feeds.
///
/// ```
/// use std::io::Read;
/// use arbiter960::pgn::LineEnds;
/// let mut text = String::new();
/// LineEnds::new("a\rb\r\nc\r".as_bytes()).read_to_string(&mut text)?;
/// assert_eq!(text, "a\nb\nc\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct LineEnds<R> {
    input: R,
    /// Whether the last byte was a carriage return, with which a line feed behind it belongs.
    after_return: bool,
}

impl<R: Read> LineEnds<R> {
    /// Reads from this input.
    pub fn new(input: R) -> LineEnds<R> {
        LineEnds {
            input,
            after_return: false,
        }
    }
}

impl<R: Read> Read for LineEnds<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let bytes = self.input.read(out)?;
            if bytes == 0 || !self.after_return && memchr(b'\r', &out[..bytes]).is_none() {
                return Ok(bytes);
            }
            let mut kept = 0;
            for at in 0..bytes {
                let byte = out[at];
                let is_second = byte == b'\n' && self.after_return;
                self.after_return = byte == b'\r';
                if !is_second {
                    out[kept] = if byte == b'\r' { b'\n' } else { byte };
                    kept += 1;
                }
            }
            // Nothing is left of a line feed alone.
            if kept > 0 {
                return Ok(kept);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use proptest::prelude::*;

    use super::*;

    const TEXT: &str = "[Event \"a\"]\n\n1. e4 e5 *\n";

    fn text_of(bytes: &[u8]) -> io::Result<String> {
        let mut text = String::new();
        decompressed(bytes)?.read_to_string(&mut text)?;
        Ok(text)
    }

    fn packed() -> Vec<Vec<u8>> {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(TEXT.as_bytes()).unwrap();
        let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        bzip2.write_all(TEXT.as_bytes()).unwrap();
        vec![
            gzip.finish().unwrap(),
            bzip2.finish().unwrap(),
            #[cfg(feature = "zstd")]
            zstd::encode_all(TEXT.as_bytes(), 1).unwrap(),
        ]
    }

    #[test]
    fn every_format_of_one_and_of_several_parts() {
        for bytes in packed() {
            assert_eq!(text_of(&bytes).unwrap(), TEXT);
            assert_eq!(text_of(&bytes.repeat(3)).unwrap(), TEXT.repeat(3));
        }
        assert_eq!(text_of(TEXT.as_bytes()).unwrap(), TEXT);
        assert_eq!(text_of(b"").unwrap(), "");
    }

    #[test]
    fn a_part_that_is_missing_is_an_error() {
        for bytes in packed() {
            assert!(text_of(&bytes[..bytes.len() - 5]).is_err());
        }
    }

    #[test]
    fn what_is_not_read_is_named() {
        let error = text_of(b"PK\x03\x04 and more").unwrap_err();
        assert!(error.to_string().contains("zip"), "{error}");
        if cfg!(not(feature = "zstd")) {
            let error = text_of(b"\x28\xb5\x2f\xfd and more").unwrap_err();
            assert!(error.to_string().contains("--features zstd"), "{error}");
        }
    }

    /// Hands out at most this number of bytes at once.
    struct Drops<'a>(&'a [u8], usize);

    impl Read for Drops<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let most = self.1.min(out.len());
            self.0.read(&mut out[..most])
        }
    }

    fn translated(text: &[u8], drop: usize, room: usize) -> Vec<u8> {
        let mut input = LineEnds::new(Drops(text, drop));
        let (mut all, mut out) = (Vec::new(), vec![0; room]);
        loop {
            match input.read(&mut out).expect("memory can be read") {
                0 => return all,
                bytes => all.extend_from_slice(&out[..bytes]),
            }
        }
    }

    proptest! {
        #[test]
        fn neither_drops_nor_room_matter(
            text in "[a\r\n]{0,40}", drop in 1usize..6, room in 1usize..6,
        ) {
            let plain = text.replace("\r\n", "\n").replace('\r', "\n");
            prop_assert_eq!(translated(text.as_bytes(), drop, room), plain.into_bytes());
        }
    }
}
