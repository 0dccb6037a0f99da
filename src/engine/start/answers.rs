//! What an engine says until it is ready, and how long it may take.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::error::Failure;
use crate::engine::process::Process;
use crate::host::standstill;
use crate::host::starvation::Starvation;
use crate::referee::Timeouts;
use crate::uci::{Handshake, HandshakeStep, Ready, Wishes};

pub(super) async fn shake_hands(
    process: &mut Process,
    wishes: Wishes,
    timeouts: &Timeouts,
    last_line: &mut String,
) -> Result<Ready, Failure> {
    let mut handshake = Handshake::new(wishes);
    let mut commands = String::new();
    handshake.start(&mut commands);
    let mut patience = Patience::new(timeouts.start);
    loop {
        // A write error shows as end of file a moment later, with evidence.
        let _ = process.input.send(&std::mem::take(&mut commands));
        let phase = handshake.phase();
        let open = patience.read(process).await;
        if !open.ok_or(Failure::Silent(phase, patience.limit, patience.given))? {
            return Err(Failure::Ended(phase));
        }
        while let Some(line) = process.output.lines.next_line() {
            if !line.text.trim().is_empty() {
                last_line.clear();
                last_line.extend(line.text.trim().chars().take(LINE_SHOWN));
            }
            match handshake
                .line(line.text, &mut commands)
                .map_err(Failure::Unfit)?
            {
                HandshakeStep::Waiting => {}
                HandshakeStep::Configured => patience = Patience::new(timeouts.ready),
                HandshakeStep::Ready(ready) => return Ok(*ready),
            }
        }
    }
}

/// The most characters of an engine's line that are shown.
const LINE_SHOWN: usize = 120;

/// How long an engine that has no clock may take to answer: its time, and what the host takes of it.
#[derive(Debug)]
pub(crate) struct Patience {
    limit: Duration,
    deadline: Instant,
    /// When it was looked at last.
    looked: Instant,
    /// What it was given beyond its time.
    given: Duration,
}

impl Patience {
    /// More than this number of times what an engine has to answer it is not given for what the host takes.
    pub(crate) const MOST: u32 = 10;

    /// It has this time, from now on.
    pub(crate) fn new(limit: Duration) -> Patience {
        let looked = Instant::now();
        Patience {
            limit,
            deadline: looked + limit,
            looked,
            given: Duration::ZERO,
        }
    }

    /// Reads stdout once; `Some(false)` at its end, `None` when the time is over.
    pub(crate) async fn read(&mut self, process: &mut Process) -> Option<bool> {
        let read = self.read_leniently(process).await;
        self.looked = Instant::now();
        read
    }

    /// An engine that was kept from running in the second half of its time gets that back, and again.
    async fn read_leniently(&mut self, process: &mut Process) -> Option<bool> {
        let due = self.deadline - self.limit / 2;
        if due > self.looked {
            let mut half = due;
            let read = read_patiently(process, &mut half, self.looked).await;
            // What it says may come in pieces: the next one has to be waited for as long.
            self.deadline += half.saturating_duration_since(due);
            if read.is_some() {
                return read;
            }
            self.looked = Instant::now();
        }
        // The engine itself may not be there yet.
        let mut starvation = Starvation::begin(process.root().process);
        let latest = self.deadline + self.limit * Patience::MOST;
        loop {
            let read = read_patiently(process, &mut self.deadline, self.looked).await;
            self.looked = Instant::now();
            let waited = starvation.as_mut().map(|look| look.since(self.limit));
            let waited = waited.unwrap_or_default();
            if read.is_some() || waited.is_zero() || self.deadline >= latest {
                return read;
            }
            tracing::info!(
                ?waited,
                "an engine was kept from running and is given more time"
            );
            let later = (self.deadline + waited).min(latest);
            self.given += later - self.deadline;
            self.deadline = later;
        }
    }
}

/// Reads stdout once; it was looked at last at the moment `looked`. If the runner itself was
/// stopped until after the deadline, the engine gets the time that it had left again.
async fn read_patiently(
    process: &mut Process,
    deadline: &mut Instant,
    looked: Instant,
) -> Option<bool> {
    let read = read_once(process, *deadline).await;
    if read.is_some() || standstill::overslept(*deadline, looked, Instant::now()).is_none() {
        return read;
    }
    let left = deadline.saturating_duration_since(looked);
    *deadline = Instant::now() + left.max(standstill::LEAST);
    read_once(process, *deadline).await
}

/// Reads stdout once; `Some(false)` at its end, `None` at the deadline.
pub(crate) async fn read_once(process: &mut Process, deadline: Instant) -> Option<bool> {
    loop {
        tokio::select! {
            biased;
            // Also reached by an engine that writes without end.
            () = sleep_until(deadline) => return None,
            open = process.output.fill() => return Some(open),
            () = process.errors.drain(), if process.errors.is_open() => {}
            flushed = process.input.flush(), if process.input.is_waiting() => {
                if flushed.is_err() {
                    process.input.close();
                }
            }
        }
    }
}
