//! What HTTP needs: the body of an answer, whole or in parts as they are made; what the headers of a request say; a text
//! with its tag and its compressed form; and answers that are too long to be kept in memory (every game as PGN, every event
//! as JSON lines): each has its own thread while it is read, and the number at once is limited.

use std::convert::Infallible;
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::net::IpAddr;
use std::path::Path;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::thread::Builder;

use flate2::Compression;
use flate2::write::GzEncoder;
use hyper::body::{Bytes, Frame, SizeHint};
use hyper::header::{self, HeaderMap};
use hyper::http::uri::Authority;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use twox_hash::XxHash3_64;

use crate::page::{Carried, EventFacts, list_of_games};
use crate::platform::files::{known_open, open_untrusted};
use crate::platform::machine::give_way;
use crate::sink::write_event_lines;
use crate::store::Reader;
use crate::tournament::EventView;

/// The body of an answer.
pub(super) enum Body {
    /// The whole body.
    Whole(Option<Bytes>),
    /// Its parts, as they are made.
    Parts(Receiver<Bytes>),
}

impl hyper::body::Body for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let frame = |part: Option<Bytes>| part.map(|part| Ok(Frame::data(part)));
        match self.get_mut() {
            Body::Whole(whole) => Poll::Ready(frame(whole.take())),
            Body::Parts(parts) => parts.poll_recv(context).map(frame),
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Body::Whole(None))
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Body::Whole(whole) => {
                let length = whole.as_ref().map_or(0, Bytes::len);
                SizeHint::with_exact(length as u64)
            }
            Body::Parts(_) => SizeHint::new(),
        }
    }
}

/// The words of a header, separated by commas.
fn words_of(headers: &HeaderMap, name: header::HeaderName) -> impl Iterator<Item = &str> {
    let values = headers.get_all(name).into_iter();
    let texts = values.filter_map(|value| value.to_str().ok());
    texts.flat_map(|text| text.split(',')).map(str::trim)
}

/// Whether the reader already has the text with this tag.
pub(super) fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let mut known = words_of(headers, header::IF_NONE_MATCH);
    known.any(|known| known == "*" || known.trim_start_matches("W/").trim_matches('"') == tag)
}

/// Whether the reader accepts a compressed answer.
pub(super) fn accepts_gzip(headers: &HeaderMap) -> bool {
    words_of(headers, header::ACCEPT_ENCODING).any(|word| {
        let (name, weight) = word.split_once(';').unwrap_or((word, "q=1"));
        let weight = weight.trim().trim_start_matches("q=");
        name.trim() == "gzip" && weight.parse::<f32>().is_ok_and(|weight| weight > 0.0)
    })
}

/// Whether the host name in the request is one of this machine's own. Otherwise a page elsewhere whose name resolves to
/// this machine could read what is here.
pub(super) fn names_this_machine(headers: &HeaderMap) -> bool {
    let Some(host) = headers.get(header::HOST) else {
        return true;
    };
    let authority: Option<Authority> = host.to_str().ok().and_then(|host| host.parse().ok());
    authority.is_some_and(|authority| {
        let name = authority.host().trim_matches(['[', ']']);
        let address: Option<IpAddr> = name.parse().ok();
        name.eq_ignore_ascii_case("localhost") || address.is_some_and(|own| own.is_loopback())
    })
}

/// Texts shorter than this many bytes are not compressed.
const SHORT: usize = 512;

/// A text that is sent as an answer.
#[derive(Debug)]
pub(super) struct Text {
    /// The media type.
    pub(super) kind: &'static str,
    pub(super) plain: Bytes,
    /// Compressed when it is first requested.
    compressed: OnceLock<Option<Bytes>>,
    /// Identical for identical texts.
    pub(super) tag: String,
}

impl Text {
    /// A text whose media type is that of its name.
    pub(super) fn new(name: &str, text: String) -> Text {
        let plain = Bytes::from(text);
        Text {
            kind: kind_of(name),
            tag: format!("{:016x}", XxHash3_64::oneshot(&plain)),
            plain,
            compressed: OnceLock::new(),
        }
    }

    /// The text compressed with gzip; `None` if that saves nothing.
    pub(super) fn compressed(&self) -> Option<Bytes> {
        let compress = || {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
            let is_long = self.plain.len() >= SHORT;
            // Writing into memory does not fail.
            is_long.then(|| encoder.write_all(&self.plain))?.ok()?;
            encoder.finish().ok().map(Bytes::from)
        };
        self.compressed.get_or_init(compress).clone()
    }
}

/// The media type of what has this name.
pub(super) fn kind_of(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("json") => "application/json",
        Some("ndjson") => "application/x-ndjson",
        Some("pgn") => "application/x-chess-pgn",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg" | "ico") => "image/svg+xml",
        _ => "text/html; charset=utf-8",
    }
}

/// Maximum number of long answers at once.
pub(super) const MAX_LONG_ANSWERS: usize = 8;

/// Size of a part of an answer in bytes, and number of parts that may wait for the reader.
const PART_BYTES: usize = 1 << 16;
const MAX_WAITING_PARTS: usize = 4;

/// The content of a long answer.
pub(super) enum Long {
    /// A file of the event, up to its current length.
    File(File, u64),
    /// All events, in the form of `--json`.
    Events(Box<Reader>, EventView),
    /// The list of the finished games, with their moves.
    Games(Box<Reader>),
}

impl Long {
    /// `games.pgn` or `report.html`, with a tag that changes when the content does.
    pub(super) fn file(path: &Path) -> io::Result<(Long, String)> {
        let file = open_untrusted(path)?;
        let known = known_open(&file)?;
        let (length, (seconds, rest)) = (known.length, known.written);
        let tag = format!("{:x}-{seconds:x}-{length:x}-{rest:x}", known.inode);
        Ok((Long::File(file, length), tag))
    }

    fn write(self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Long::File(file, length) => io::copy(&mut file.take(length), out).map(drop),
            Long::Events(reader, event) => {
                write_event_lines(&reader, &event, out).map_err(io::Error::other)
            }
            Long::Games(reader) => {
                let facts = EventFacts::analysed(&reader, Carried::Latest);
                out.write_all(list_of_games(&facts.map_err(io::Error::other)?).as_bytes())
            }
        }
    }

    /// Its parts; `None` if all places for long answers are taken.
    pub(super) fn begin(self, places: &Arc<Semaphore>, packed: bool) -> Option<Receiver<Bytes>> {
        let place = Arc::clone(places).try_acquire_owned().ok()?;
        let (sender, parts) = channel(MAX_WAITING_PARTS);
        let work = move || {
            let _place = place;
            give_way(19);
            let mut out = BufWriter::with_capacity(PART_BYTES, ChunkWriter(sender));
            let written = if packed {
                let mut encoder = GzEncoder::new(&mut out, Compression::fast());
                let written = self.write(&mut encoder);
                written.and_then(|()| encoder.finish().map(drop))
            } else {
                self.write(&mut out)
            };
            let written = written.and_then(|()| out.flush());
            if let Err(error) = written
                && error.kind() != ErrorKind::BrokenPipe
            {
                tracing::warn!(%error, "a long answer of the page was cut short");
            }
        };
        let thread = Builder::new().name("web-long".to_owned()).spawn(work);
        thread.is_ok().then_some(parts)
    }
}

/// Writes into the queue of a connection, and blocks while it is full.
struct ChunkWriter(Sender<Bytes>);

impl Write for ChunkWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let part = Bytes::copy_from_slice(bytes);
        let sent = self.0.blocking_send(part);
        sent.map_err(|_| ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    fn headers(name: header::HeaderName, value: &'static str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(name, HeaderValue::from_static(value));
        headers
    }

    #[test]
    fn gzip_is_sent_to_who_takes_it() {
        let takes = |value| accepts_gzip(&headers(header::ACCEPT_ENCODING, value));
        assert!(takes("gzip, deflate, br"));
        assert!(takes("br, gzip;q=0.5"));
        assert!(!takes("gzip;q=0, br"));
        assert!(!takes("br"));
        assert!(!accepts_gzip(&HeaderMap::new()));
    }

    #[test]
    fn a_tag_is_known_with_or_without_its_mark() {
        let known = |value| is_known(&headers(header::IF_NONE_MATCH, value), "ab12");
        assert!(known("W/\"ab12\""));
        assert!(known("\"x\", \"ab12\""));
        assert!(known("*"));
        assert!(!known("\"ab1\""));
    }

    #[test]
    fn a_name_from_elsewhere_is_not_this_machine() {
        let own = |value| names_this_machine(&headers(header::HOST, value));
        assert!(own("127.0.0.1:9600"));
        assert!(own("LOCALHOST:9600"));
        assert!(own("[::1]:9600"));
        assert!(!own("localhost.example.org:9600"));
        assert!(!own("192.168.1.1"));
    }
}
