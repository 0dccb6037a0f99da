//! One coordinator at a time: it plays on only as long as the last announcement is its own.
//!
//! A machine that was suspended finds another coordinator when it is back, and one whose folder was moved finds
//! itself elsewhere: both would store results. The server keeps the announcements in order, so it decides.

use std::time::Instant;

use async_nats::header::NATS_EXPECTED_LAST_SUBJECT_SEQUENCE;

use super::{Coordinator, HEARTBEAT_INTERVAL};
use crate::farm::FarmError;
use crate::farm::nats::announcement::{Announcement, headers};

/// The place of a coordinator in the sequence of its farm's coordinators.
#[derive(Debug)]
pub(super) struct CoordinatorEpoch {
    /// The name of this coordinator in its announcement: its machine, and a number that is only its own.
    pub(super) by: String,
    /// The sequence of what was announced before it began.
    pub(super) before: u64,
    /// The sequence number of this coordinator's announcement; 0 until the server has it.
    pub(super) own: u64,
    /// When the server was last asked and said that it is the last.
    pub(super) seen: Instant,
    /// Another coordinator has taken the farm over.
    pub(super) fenced: Option<FarmError>,
}

impl Coordinator {
    /// Looks whether the farm is still this coordinator's, and announces the event where it is not
    /// announced. A server that cannot be asked takes it from nobody.
    pub(super) async fn hold_farm(&mut self) {
        // An answer says what was so when it was sent: a coordinator may be suspended before it reads that.
        let asked = Instant::now();
        let last = match Announcement::last(&self.streams.event, self.farm()).await {
            Ok(last) => last,
            Err(error) => {
                return tracing::warn!(%error, "the server does not say what is announced; once more");
            }
        };
        match last {
            Some(last) if last.coordinator() == self.epoch.by => {
                self.epoch.own = last.epoch();
                self.epoch.seen = asked;
            }
            Some(last) if last.epoch() > self.epoch.before => {
                self.epoch.fenced = Some(taken_over(&last));
            }
            // What was there at the beginning, or nothing, also if the server has lost its files.
            other => self.announce(other.map_or(0, |last| last.epoch())).await,
        }
    }

    /// Before something is stored: whether the farm is still this coordinator's, which is asked if it was not for long.
    /// Where the server does not say so, what it has is sent once more.
    pub(super) async fn still_holds_farm(&mut self) -> bool {
        let known = |seen: Instant| seen.elapsed() <= 3 * HEARTBEAT_INTERVAL;
        if !known(self.epoch.seen) {
            self.hold_farm().await;
        }
        known(self.epoch.seen) && self.epoch.fenced.is_none()
    }

    /// Says which event is played, if nobody has announced another meanwhile.
    async fn announce(&mut self, expected: u64) {
        let (subject, bytes) = (self.farm().event(), self.announcement.clone().into());
        let published = async {
            let mut headers = headers(&self.epoch.by);
            headers.insert(
                NATS_EXPECTED_LAST_SUBJECT_SEQUENCE,
                expected.to_string().as_str(),
            );
            let context = &self.streams.context;
            let sent = context.publish_with_headers(subject, headers, bytes);
            Ok::<u64, async_nats::Error>(sent.await?.await?.sequence)
        };
        match published.await {
            Ok(sequence) => self.epoch.own = sequence,
            Err(error) => tracing::warn!(%error, "the event was not announced; once more"),
        }
    }
}

fn taken_over(by: &Announcement) -> FarmError {
    FarmError::TakenOver {
        name: by.event().map(|event| event.name).unwrap_or_default(),
        host: by
            .coordinator()
            .split('/')
            .next()
            .unwrap_or_default()
            .to_owned(),
    }
}
