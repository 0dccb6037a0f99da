//! A worker: takes one pair for each free lane, plays the pairs, keeps them on its disk, and sends
//! them until the coordinator says that they are stored.
//!
//! | file | what |
//! |---|---|
//! | `mod` | waits for the server, then goes from event to event |
//! | `event_run` | the lanes and pairs of one event, from the first pair to the last |
//! | `taking` | pairs from the server; finished ones to the disk and to the coordinator, and its answers |

mod event_run;
mod taking;

use std::time::Duration;

use async_nats::jetstream::Context;
use async_nats::{Client, Subscriber};
use event_run::WorkerRun;
use tokio::sync::mpsc;
use tokio::time::sleep;

use super::assignment::{Assignment, announced};
use super::connection::{Connected, ConnectionChange, send, subscribe};
use super::held_pairs::{HeldPairs, Spool};
use super::messages::{VERSION, WorkerHeartbeat};
use crate::farm::{FarmError, WorkerSettings};
use crate::platform::{machine, proc, runtime};
use crate::run::control::HostFacts;
use crate::run::signals::{SignalWatch, Signals};
use crate::store::EventLock;
use crate::text::{printable_lines, tell};

/// How often a worker gives a sign of life.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(1);

/// What did not work is tried again after this time.
const RETRY_DELAY: Duration = Duration::from_secs(2);

/// Works until a signal ends it, in a folder that only this worker uses; returns the exit code.
///
/// # Errors
/// The folder cannot be used, the server does not let us in.
pub(crate) fn work(
    settings: &WorkerSettings,
    _folder: &EventLock,
    signals: &SignalWatch,
) -> Result<u8, FarmError> {
    runtime()?.block_on(async {
        let mut signals = signals.attend();
        let (access, name) = (&settings.access, settings.name.to_string());
        let connected = access.when_there(&name, async |connected| Ok(connected), |_| {});
        tokio::select! {
            biased;
            connected = connected => {
                let connected = connected?;
                if !settings.open_server && access.lets_everybody_in(&connected.0) {
                    let words = "lets everybody in, so anybody could have programs run here: give it users \
                                 (`arbiter960 worker --print-nats-config`), or say --open-server if nobody else \
                                 reaches it";
                    return Err(FarmError::unfit(&access.server, words.to_owned()));
                }
                let connection = WorkerConnection::new(settings, connected).await?;
                connection.work(&mut signals).await
            }
            (_, code) = signals.next() => Ok(code),
        }
    })
}

/// A worker with its connection.
struct WorkerConnection<'w> {
    settings: &'w WorkerSettings,
    client: Client,
    changes: mpsc::UnboundedReceiver<ConnectionChange>,
    /// What became of this worker's results.
    receipts: Subscriber,
    /// Heartbeats of the coordinator.
    coordinator: Subscriber,
    context: Context,
    spool: Spool,
    host: HostFacts,
    /// Why it cannot play; said once.
    trouble: Option<String>,
}

impl<'w> WorkerConnection<'w> {
    async fn new(
        settings: &'w WorkerSettings,
        (client, changes): Connected,
    ) -> Result<WorkerConnection<'w>, FarmError> {
        let name = settings.name.to_string();
        Ok(WorkerConnection {
            settings,
            receipts: subscribe(&client, settings.farm.receipts(&name)).await?,
            coordinator: subscribe(&client, settings.farm.subject("coordinator")).await?,
            context: async_nats::jetstream::new(client.clone()),
            client,
            changes,
            spool: Spool::open(&settings.folder)?,
            host: HostFacts {
                host: machine::host_name(),
                processor: proc::processor_name().unwrap_or_default(),
                lanes: settings.lanes.get(),
            },
            trouble: None,
        })
    }

    async fn work(mut self, signals: &mut Signals) -> Result<u8, FarmError> {
        loop {
            let assignment = tokio::select! {
                biased;
                (_, code) = signals.next() => return Ok(code),
                assignment = self.next_event() => assignment?,
            };
            match WorkerRun::begin(&mut self, assignment).await? {
                Some(run) => {
                    if let Some(code) = run.play(signals).await? {
                        return Ok(code);
                    }
                }
                None => {
                    for _ in 0..5 {
                        self.beat("", &HeldPairs::default()).await;
                        sleep(RETRY_DELAY).await;
                    }
                }
            }
        }
    }

    /// Waits for an event that can be played here.
    async fn next_event(&mut self) -> Result<Assignment, FarmError> {
        loop {
            match self.prepare().await {
                Ok(assignment) => {
                    self.trouble = None;
                    return Ok(assignment);
                }
                Err(words) => self.has_trouble(format!("waiting: {}", printable_lines(&words))),
            }
            self.beat("", &HeldPairs::default()).await;
            while let Ok(change) = self.changes.try_recv() {
                self.hear_connection(&change)?;
            }
            sleep(RETRY_DELAY).await;
        }
    }

    async fn prepare(&self) -> Result<Assignment, String> {
        let settings = self.settings;
        let announced = announced(&self.context, &settings.farm).await?;
        let announced = announced.ok_or("no event is announced yet")?;
        let files = settings.farm.stream("files");
        let store = self.context.get_object_store(&files).await;
        let store = store.map_err(|error| format!("there is no object store: {error}"))?;
        Assignment::prepare(announced, &settings.folder, settings.lanes, &store).await
    }

    /// Says once what does not work.
    fn has_trouble(&mut self, words: String) {
        if self.trouble.as_ref() != Some(&words) {
            tell(&words);
            self.trouble = Some(words);
        }
    }

    fn hear_connection(&self, change: &ConnectionChange) -> Result<(), FarmError> {
        tracing::info!(?change, "the connection to the NATS server");
        match change {
            ConnectionChange::Refused => {
                let server = &self.settings.access.server;
                Err(FarmError::refused(server, "authorization violation"))
            }
            _ => Ok(()),
        }
    }

    async fn beat(&self, event: &str, held: &HeldPairs) {
        let worker = self.settings.name.to_string();
        let subject = self.settings.farm.heartbeats(&worker);
        let heartbeat = WorkerHeartbeat {
            version: VERSION,
            worker,
            host: self.host.clone(),
            event: event.to_owned(),
            held: held.pairs(),
            playing: held.playing(),
            trouble: self.trouble.clone(),
        };
        // The next one comes soon.
        send(&self.client, subject, &heartbeat).await;
    }
}
