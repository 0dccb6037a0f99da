//! Lines that end with a single carriage return, as old Macintosh programs wrote them.

use std::io::{self, Read};

use memchr::memchr;

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
    use proptest::prelude::*;

    use super::*;

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
