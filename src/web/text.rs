//! A text with its tag and its compressed form.

use std::io::Write;
use std::sync::OnceLock;

use flate2::Compression;
use flate2::write::GzEncoder;
use hyper::body::Bytes;
use twox_hash::XxHash3_64;

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
    pub(super) fn new(kind: &'static str, text: String) -> Text {
        let plain = Bytes::from(text);
        Text {
            kind,
            tag: format!("{:016x}", XxHash3_64::oneshot(&plain)),
            plain,
            compressed: OnceLock::new(),
        }
    }

    /// The text compressed with gzip; `None` if that saves nothing.
    pub(super) fn compressed(&self) -> Option<Bytes> {
        let compress = || {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
            let long = self.plain.len() >= SHORT;
            let written = long.then(|| encoder.write_all(&self.plain))?;
            // Writing into memory does not fail.
            written
                .and_then(|()| encoder.finish())
                .ok()
                .map(Bytes::from)
        };
        self.compressed.get_or_init(compress).clone()
    }
}
