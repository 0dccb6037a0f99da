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
    let mut limit = timeouts.start;
    let mut looked = Instant::now();
    let mut deadline = looked + limit;
    let mut given = Duration::ZERO;
    loop {
        // A write error shows as end of file a moment later, with evidence.
        let _ = process.input.send(&std::mem::take(&mut commands));
        let phase = handshake.phase();
        let open = read_leniently(process, &mut deadline, looked, limit, &mut given).await;
        looked = Instant::now();
        if !open.ok_or(Failure::Silent(phase, limit, given))? {
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
                HandshakeStep::Configured => {
                    limit = timeouts.ready;
                    deadline = looked + limit;
                    given = Duration::ZERO;
                }
                HandshakeStep::Ready(ready) => return Ok(*ready),
            }
        }
    }
}

/// The most characters of an engine's line that are shown.
const LINE_SHOWN: usize = 120;

/// More than this number of times what an engine has to answer it is not given for what the host takes.
const MOST: u32 = 10;

/// Reads stdout once, within `limit` and what the host took of it: an engine that was kept from
/// running in the second half of its time gets that back, and again. It is added to `given`.
async fn read_leniently(
    process: &mut Process,
    deadline: &mut Instant,
    looked: Instant,
    limit: Duration,
    given: &mut Duration,
) -> Option<bool> {
    let mut looked = looked;
    let due = *deadline - limit / 2;
    if due > looked {
        let mut half = due;
        let read = read_patiently(process, &mut half, looked).await;
        // What it says may come in pieces: the next one has to be waited for as long.
        *deadline += half.saturating_duration_since(due);
        if read.is_some() {
            return read;
        }
        looked = Instant::now();
    }
    // The engine itself may not be there yet.
    let mut starvation = Starvation::begin(process.root().process);
    let latest = *deadline + limit * MOST;
    loop {
        let read = read_patiently(process, deadline, looked).await;
        looked = Instant::now();
        let waited = starvation.as_mut().map(|look| look.since(limit));
        let waited = waited.unwrap_or_default();
        if read.is_some() || waited.is_zero() || *deadline >= latest {
            return read;
        }
        tracing::info!(
            ?waited,
            "an engine that starts was kept from running and is given more time"
        );
        let later = (*deadline + waited).min(latest);
        *given += later - *deadline;
        *deadline = later;
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
