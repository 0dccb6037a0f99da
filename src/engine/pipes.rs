//! The three pipes of an engine. None of them can block a lane, and none grows
//! without bound.

use std::collections::VecDeque;
use std::io::{self, ErrorKind};

use tokio::io::AsyncReadExt;

use crate::engine::uci_log::EngineLog;
use crate::platform::pipes::{self, Receiver, Sender};
use crate::uci::LineBuffer;

/// How much of an engine's stderr is kept, in bytes: the end of it.
const STDERR_KEPT: usize = 8 * 1024;

/// What may wait for an engine that does not read its input, in bytes. Sixteen
/// times a pipe's capacity: a game's longest position fits many times over.
const INPUT_WAITING: usize = 1024 * 1024;

/// The engine's stdin.
#[derive(Debug)]
pub(crate) struct Input {
    pipe: Option<Sender>,
    /// What the pipe had no room for yet.
    waiting: VecDeque<u8>,
    engine_log: Option<EngineLog>,
}

impl Input {
    /// Writes into this pipe; what is written is also handed to the log.
    pub(crate) fn new(pipe: Sender, engine_log: Option<EngineLog>) -> Input {
        Input {
            pipe: Some(pipe),
            waiting: VecDeque::new(),
            engine_log,
        }
    }

    /// Writes at once what the pipe has room for and keeps the rest for
    /// [`flush`](Self::flush).
    ///
    /// # Errors
    /// The engine has closed its input, or has not read for a long time.
    pub(crate) fn send(&mut self, text: &str) -> io::Result<()> {
        let pipe = self.pipe.as_ref().ok_or(ErrorKind::BrokenPipe)?;
        let mut bytes = text.as_bytes();
        if self.waiting.is_empty() {
            bytes = &bytes[taken(pipe.try_write(bytes))?..];
        }
        if self.waiting.len() + bytes.len() > INPUT_WAITING {
            return Err(ErrorKind::StorageFull.into());
        }
        self.waiting.extend(bytes);
        // After the write: no clock waits for it.
        note(&mut self.engine_log, text.as_bytes());
        Ok(())
    }

    /// Whether something waits for room.
    pub(crate) fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Waits for room and writes once. Nothing is lost if it is cancelled.
    ///
    /// # Errors
    /// The engine has closed its input.
    pub(crate) async fn flush(&mut self) -> io::Result<()> {
        let pipe = self.pipe.as_ref().ok_or(ErrorKind::BrokenPipe)?;
        pipe.writable().await?;
        let written = taken(pipe.try_write(self.waiting.as_slices().0))?;
        self.waiting.drain(..written);
        Ok(())
    }

    /// Whether the engine can be told something.
    pub(crate) fn is_open(&self) -> bool {
        self.pipe.is_some()
    }

    /// Closes the pipe: the engine reads end of file.
    pub(crate) fn close(&mut self) {
        self.pipe = None;
        self.waiting.clear();
    }
}

/// How much a pipe has taken, which may have no room.
fn taken(written: io::Result<usize>) -> io::Result<usize> {
    match written {
        Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(0),
        written => written,
    }
}

/// The engine's stdout, as lines.
#[derive(Debug)]
pub(crate) struct Output {
    pipe: Receiver,
    /// What has been read.
    pub lines: LineBuffer,
    open: bool,
    engine_log: Option<EngineLog>,
}

impl Output {
    pub(crate) fn new(pipe: Receiver, engine_log: Option<EngineLog>) -> Output {
        Output {
            pipe,
            lines: LineBuffer::new(),
            open: true,
            engine_log,
        }
    }

    /// Whether there may be more to read.
    pub(crate) fn is_open(&self) -> bool {
        self.open
    }

    /// How many bytes are there to be read.
    pub(crate) fn waiting(&self) -> u64 {
        pipes::waiting(&self.pipe)
    }

    /// Reads once into `lines` what is there; `None` if nothing is, `false` at end of
    /// file. Asks the kernel and not the runtime, which learns of input only when it
    /// sleeps.
    pub(crate) fn try_fill(&mut self) -> Option<bool> {
        let room = self.lines.spare();
        let read = pipes::read_now(&self.pipe, room)?;
        Some(self.take(read))
    }

    /// Reads once into `lines`; `false` at end of file. Nothing is lost if it is
    /// cancelled.
    pub(crate) async fn fill(&mut self) -> bool {
        self.fill_some(usize::MAX).await
    }

    /// The same, with a largest number of bytes.
    pub(crate) async fn fill_some(&mut self, most: usize) -> bool {
        let room = self.lines.spare();
        let most = most.min(room.len());
        let room = &mut room[..most];
        let read = self.pipe.read(room).await;
        self.take(read)
    }

    /// What was read into the room of the lines; whether the pipe is open.
    fn take(&mut self, read: io::Result<usize>) -> bool {
        match read {
            Ok(count) if count > 0 => {
                note(&mut self.engine_log, &self.lines.spare()[..count]);
                self.lines.commit(count);
            }
            // A pipe that cannot be read any more has ended.
            _ => self.open = false,
        }
        self.open
    }
}

/// The engine's stderr: always read, the end of it kept.
#[derive(Debug)]
pub(crate) struct Errors {
    pipe: Receiver,
    kept: Vec<u8>,
    open: bool,
    engine_log: Option<EngineLog>,
}

impl Errors {
    pub(crate) fn new(pipe: Receiver, engine_log: Option<EngineLog>) -> Errors {
        Errors {
            pipe,
            kept: Vec::new(),
            open: true,
            engine_log,
        }
    }

    /// Whether there may be more to read.
    pub(crate) fn is_open(&self) -> bool {
        self.open
    }

    /// Reads once. Nothing is lost if it is cancelled.
    pub(crate) async fn drain(&mut self) {
        let before = self.kept.len();
        self.kept.reserve(4096);
        match self.pipe.read_buf(&mut self.kept).await {
            Ok(count) if count > 0 => {
                note(&mut self.engine_log, &self.kept[before..]);
                let exceeded = self.kept.len().saturating_sub(STDERR_KEPT);
                self.kept.drain(..exceeded);
            }
            _ => self.open = false,
        }
    }

    /// The end of what the engine wrote.
    pub(crate) fn tail(&self) -> String {
        String::from_utf8_lossy(&self.kept).trim_end().to_owned()
    }
}

fn note(engine_log: &mut Option<EngineLog>, bytes: &[u8]) {
    if let Some(engine_log) = engine_log {
        engine_log.note(bytes);
    }
}
