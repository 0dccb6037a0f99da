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
    let mut patience = ReplyDeadline::new(timeouts.start);
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
                HandshakeStep::Configured => patience = ReplyDeadline::new(timeouts.ready),
                HandshakeStep::Ready(ready) => return Ok(*ready),
            }
        }
    }
}

/// The most characters of an engine's line that are shown.
const LINE_SHOWN: usize = 120;

/// How long an engine that has no clock may take to answer: its time, and what the host takes of it.
#[derive(Debug)]
pub(crate) struct ReplyDeadline {
    limit: Duration,
    deadline: Instant,
    /// When it was looked at last.
    looked: Instant,
    /// What it was given beyond its time.
    given: Duration,
    /// Whether the runner itself was stopped meanwhile.
    stood_still: bool,
}

impl ReplyDeadline {
    /// More than this number of times what an engine has to answer it is not given for what the host takes.
    pub(crate) const MAX_EXTENSION: u32 = 10;

    /// How often an engine is looked at during its time: a wait that has begun after one look and not ended before the
    /// next is seen by nobody.
    pub(crate) const LOOKS: u32 = 8;

    /// It has this time, from now on.
    pub(crate) fn new(limit: Duration) -> ReplyDeadline {
        let looked = Instant::now();
        ReplyDeadline {
            limit,
            deadline: looked + limit,
            looked,
            given: Duration::ZERO,
            stood_still: false,
        }
    }

    /// Reads stdout once; `Some(false)` at its end, `None` when the time is over.
    pub(crate) async fn read(&mut self, process: &mut Process) -> Option<bool> {
        self.wait(process, AwaitedReply::Output).await
    }

    /// Whether the process ends in its time. What it still says is read and dropped.
    pub(crate) async fn sees_the_end_of(&mut self, process: &mut Process) -> bool {
        self.wait(process, AwaitedReply::End).await.is_some()
    }

    /// An engine that is kept from running in the second half of its time gets that back, and again.
    async fn wait(&mut self, process: &mut Process, awaited: AwaitedReply) -> Option<bool> {
        let half = self.deadline - self.limit / 2;
        if half > self.looked {
            let read = self.wait_until(half, process, awaited).await;
            if read.is_some() {
                return read;
            }
        }
        // The engine itself may not be there yet.
        let mut starvation = Starvation::begin(process.root().process);
        let between = self.limit / ReplyDeadline::LOOKS;
        loop {
            let next = self.deadline.min(self.looked + between);
            let read = self.wait_until(next, process, awaited).await;
            if read.is_some() {
                return read;
            }
            let waited = starvation.as_mut().map(|look| look.since(between));
            self.give_back(waited.unwrap_or_default());
            if self.looked >= self.deadline {
                return None;
            }
        }
    }

    fn give_back(&mut self, waited: Duration) {
        let more =
            waited.min((self.limit * ReplyDeadline::MAX_EXTENSION).saturating_sub(self.given));
        if !more.is_zero() && self.given.is_zero() {
            tracing::info!("an engine was kept from running and is given more time");
        }
        self.given += more;
        self.deadline += more;
    }

    /// Waits once, up to this moment. If the runner itself was stopped until after it, that time is not counted, and the
    /// engine gets once what it had left until then: it may have been stopped, too.
    async fn wait_until(
        &mut self,
        moment: Instant,
        process: &mut Process,
        awaited: AwaitedReply,
    ) -> Option<bool> {
        let mut read = awaited.by(moment, process).await;
        let now = Instant::now();
        let late = standstill::overslept(moment, self.looked, now);
        if let Some(late) = late.filter(|_| read.is_none()) {
            self.deadline += late;
            if !std::mem::replace(&mut self.stood_still, true) {
                self.deadline += moment.saturating_duration_since(self.looked);
            }
            // What it has written meanwhile.
            read = awaited.by(now + standstill::MIN_LATENESS, process).await;
        }
        self.looked = Instant::now();
        read
    }
}

/// What an engine is waited for.
#[derive(Clone, Copy)]
enum AwaitedReply {
    Output,
    End,
}

impl AwaitedReply {
    /// `None` at the deadline.
    async fn by(self, deadline: Instant, process: &mut Process) -> Option<bool> {
        match self {
            AwaitedReply::Output => read_once(process, deadline).await,
            AwaitedReply::End => process.ends_by(deadline).await.then_some(false),
        }
    }
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
