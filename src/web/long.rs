//! Answers that are too long to be kept in memory: every game as PGN, every event as JSON lines. Each has its own
//! thread while it is read; the number at once is limited.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::thread::Builder;

use flate2::Compression;
use flate2::write::GzEncoder;
use hyper::body::Bytes;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::analysis::{Collector, EventStatistics};
use crate::page::{Carried, EventFacts, games_page};
use crate::platform::files::{known_open, open_of_strangers};
use crate::platform::machine::give_way;
use crate::sink::write_event_lines;
use crate::store::{Reader, StoreError};
use crate::tournament::EventView;

/// Maximum number of long answers at once.
const MOST: usize = 8;

/// Size of a part of an answer in bytes, and number of parts that may wait for the reader.
const PART: usize = 1 << 16;
const WAITING: usize = 4;

/// The content of a long answer.
pub(super) enum Long {
    /// A file of the event, up to its current length.
    File(File, u64),
    /// All events, in the form of `--json`.
    Events(Box<Reader>, EventView),
    /// A separate page with the finished games, each on the report's board.
    Games(Box<Reader>),
}

impl Long {
    /// `games.pgn` or `report.html`, with a tag that changes when the content does.
    pub(super) fn file(path: &Path) -> io::Result<(Long, String)> {
        let file = open_of_strangers(path)?;
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
                let page = games(&reader).map_err(io::Error::other)?;
                out.write_all(page.as_bytes())
            }
        }
    }
}

/// The page of the last games.
fn games(reader: &Reader) -> Result<String, StoreError> {
    let mut collector = Collector::new(false);
    collector.add_store(reader)?;
    let statistics = EventStatistics::new(&collector.finish());
    let facts = EventFacts::read(reader, statistics, None, Carried::Latest)?;
    Ok(games_page(&facts))
}

/// The threads that send long answers.
#[derive(Debug)]
pub(super) struct LongAnswers(Arc<Semaphore>);

impl Default for LongAnswers {
    fn default() -> LongAnswers {
        LongAnswers(Arc::new(Semaphore::new(MOST)))
    }
}

impl LongAnswers {
    /// The parts of an answer; `None` if too many long answers are being read.
    pub(super) fn begin(&self, long: Long, compressed: bool) -> Option<Receiver<Bytes>> {
        let place = Arc::clone(&self.0).try_acquire_owned().ok()?;
        let (sender, parts) = channel(WAITING);
        let work = move || {
            let _place = place;
            give_way(19);
            let mut out = BufWriter::with_capacity(PART, ChunkWriter(sender));
            let written = match compressed {
                false => long.write(&mut out),
                true => {
                    let mut encoder = GzEncoder::new(&mut out, Compression::fast());
                    long.write(&mut encoder)
                        .and_then(|()| encoder.finish().map(drop))
                }
            };
            if let Err(error) = written.and_then(|()| out.flush())
                && error.kind() != io::ErrorKind::BrokenPipe
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
        sent.map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
