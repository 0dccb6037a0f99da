//! The sources of games and books: plain files, and files compressed by gzip, Zstandard or bzip2, read as streams; a
//! single carriage return also ends a line.

use std::fs::File;
use std::io::{self, Chain, Cursor, Read};
use std::path::Path;

use memchr::memchr;

/// The format of a compressed file: supported formats have a reader, the others only a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compression {
    Gzip,
    Zstandard,
    Bzip2,
    Foreign(&'static str),
}

/// The first bytes of each format.
const BEGINNINGS: [(&[u8], Compression); 9] = [
    (b"\x1f\x8b", Compression::Gzip),
    (b"\x28\xb5\x2f\xfd", Compression::Zstandard),
    (b"BZh", Compression::Bzip2),
    (b"\xfd7zXZ\0", Compression::Foreign("xz")),
    (b"PK\x03\x04", Compression::Foreign("zip")),
    (b"7z\xbc\xaf\x27\x1c", Compression::Foreign("7z")),
    (b"Rar!", Compression::Foreign("rar")),
    (b"\x04\x22\x4d\x18", Compression::Foreign("lz4")),
    (b"LZIP", Compression::Foreign("lzip")),
];

/// Length of the longest of these beginnings, in bytes.
const MAX_MAGIC_BYTES: usize = 6;

/// The bytes that were read from an input, and the rest.
type Rewound<R> = Chain<Cursor<Vec<u8>>, R>;

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
pub fn decompressed<'a>(input: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
    let (format, input) = format_of(input)?;
    Ok(match format {
        None => Box::new(input),
        Some(Compression::Gzip) => Box::new(flate2::read::MultiGzDecoder::new(input)),
        Some(Compression::Zstandard) => zstandard(input)?,
        Some(Compression::Bzip2) => Box::new(bzip2::read::MultiBzDecoder::new(input)),
        Some(Compression::Foreign(name)) => {
            let problem = format!(
                "it is compressed as {name}, which is not read here: unpack it first (gzip, \
                 Zstandard and bzip2 are read)"
            );
            return Err(io::Error::new(io::ErrorKind::Unsupported, problem));
        }
    })
}

#[cfg(feature = "zstd")]
fn zstandard<'a>(input: Rewound<impl Read + 'a>) -> io::Result<Box<dyn Read + 'a>> {
    Ok(Box::new(zstd::Decoder::new(input)?))
}

#[cfg(not(feature = "zstd"))]
fn zstandard<'a>(_input: Rewound<impl Read + 'a>) -> io::Result<Box<dyn Read + 'a>> {
    let problem = "it is compressed as Zstandard, and this program was built without: unpack it first \
                   (zstd -d), or build the program with --features zstd";
    Err(io::Error::new(io::ErrorKind::Unsupported, problem))
}

fn format_of<R: Read>(mut input: R) -> io::Result<(Option<Compression>, Rewound<R>)> {
    let mut first = Vec::with_capacity(MAX_MAGIC_BYTES);
    input
        .by_ref()
        .take(MAX_MAGIC_BYTES as u64)
        .read_to_end(&mut first)?;
    let known = BEGINNINGS
        .iter()
        .find(|(beginning, _)| first.starts_with(beginning));
    let format = known.map(|&(_, format)| format);
    Ok((format, Cursor::new(first).chain(input)))
}

/// Turns each carriage return that no line feed follows into a line feed; everything else stays,
/// byte for byte, so that places in a file do not move.
///
/// ```
/// use std::io::Read;
/// use arbiter960::pgn::LineEnds;
/// let mut text = String::new();
/// LineEnds::new("a\rb\r\nc\r".as_bytes()).read_to_string(&mut text)?;
/// assert_eq!(text, "a\nb\r\nc\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct LineEnds<R> {
    input: R,
    /// A byte that was read and not handed out yet: usually a carriage return whose next byte is not known.
    held: Option<u8>,
}

impl<R: Read> LineEnds<R> {
    /// Reads from this input.
    pub fn new(input: R) -> LineEnds<R> {
        LineEnds { input, held: None }
    }

    /// Hands out the byte that was held in `out[0]`; there is room for only one byte.
    fn read_one(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out[0] == b'\r' {
            let mut next = [0];
            if self.input.read(&mut next)? == 0 {
                out[0] = b'\n';
                return Ok(1);
            }
            if next[0] != b'\n' {
                out[0] = b'\n';
            }
            self.held = Some(next[0]);
        }
        Ok(1)
    }

    /// One read of the input; 0 if nothing can be handed out yet, or at the end.
    fn read_once(&mut self, out: &mut [u8], before: usize) -> io::Result<usize> {
        if before == out.len() {
            return self.read_one(out);
        }
        let read = self.input.read(&mut out[before..])?;
        let mut end = before + read;
        if read == 0 {
            // The input ends here, and so does the last line.
            translate(&mut out[..end], None);
        } else if out[end - 1] == b'\r' {
            end -= 1;
            self.held = Some(b'\r');
            translate(&mut out[..end], Some(b'\r'));
        } else {
            translate(&mut out[..end], None);
        }
        Ok(end)
    }
}

/// Translates bytes; `next` is the byte after the last.
fn translate(bytes: &mut [u8], next: Option<u8>) {
    let mut at = 0;
    while let Some(found) = memchr(b'\r', &bytes[at..]) {
        let here = at + found;
        if bytes.get(here + 1).copied().or(next) != Some(b'\n') {
            bytes[here] = b'\n';
        }
        at = here + 1;
    }
}

impl<R: Read> Read for LineEnds<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        loop {
            let held = self.held.take();
            if let Some(byte) = held {
                out[0] = byte;
            }
            match self.read_once(out, usize::from(held.is_some())) {
                // Only a carriage return was read, and it is held now.
                Ok(0) if self.held.is_some() => {}
                Ok(bytes) => return Ok(bytes),
                Err(error) => {
                    self.held = held;
                    return Err(error);
                }
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
            let plain = text.replace("\r\n", "#").replace('\r', "\n").replace('#', "\r\n");
            prop_assert_eq!(translated(text.as_bytes(), drop, room), plain.into_bytes());
        }
    }
}
