//! A worker: takes as many pairs as it has lanes free for, plays them, keeps them on its disk, and sends
//! them until the coordinator says that they are stored.
//!
//! | file | what |
//! |---|---|
//! | `mod` | from event to event |
//! | `lanes` | the lanes of one event |
//! | `shift` | the pairs of one event: taken, played, kept and sent |

mod lanes;
mod shift;

use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::Context;
use async_nats::{Client, Subscriber};
use tokio::sync::{Semaphore, mpsc};
use tokio::time::sleep;

use lanes::Lanes;
use shift::Shift;

use crate::engine::guardian::Guardian;
use crate::engine::orphans;
use crate::run::farm::assignment::{Assignment, announced};
use crate::run::farm::connection::{Access, Change};
use crate::run::farm::files;
use crate::run::farm::leases::Leases;
use crate::run::farm::messages::{HostFacts, VERSION, WorkerBeat};
use crate::run::farm::names::Farm;
use crate::run::farm::spool::Spool;
use crate::run::farm_error::FarmError;
use crate::run::signals::{SignalWatch, Signals, Stop};
use crate::store::EventLock;
use crate::text::{printable, tell};

/// How often a worker gives a sign of life.
const BEAT: Duration = Duration::from_secs(1);

/// How long a request for pairs waits at the server.
const WAIT: Duration = Duration::from_secs(2);

/// What did not work is tried again after so long.
const PAUSE: Duration = Duration::from_secs(2);

/// A worker that stops waits so long for the coordinator to take what it has finished.
const FAREWELL: Duration = Duration::from_secs(5);

/// How to be a worker.
#[derive(Debug, Clone)]
pub(crate) struct Worker {
    /// The server.
    pub access: Access,
    /// The farm.
    pub farm: Farm,
    /// The name by which the coordinator knows this worker.
    pub name: Farm,
    /// Games at once.
    pub lanes: NonZeroUsize,
    /// Where finished pairs and engines are kept.
    pub folder: PathBuf,
}

/// Works until a signal ends it; the exit code.
///
/// # Errors
/// The folder cannot be used, the server does not let us in.
pub(crate) fn work(worker: &Worker, signals: &SignalWatch) -> Result<u8, FarmError> {
    std::fs::create_dir_all(&worker.folder)?;
    let _lock = EventLock::acquire(&worker.folder)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let mut signals = signals.attend();
        tokio::select! {
            biased;
            connected = connect(worker) => {
                let (client, changes) = connected?;
                Station::new(worker, client, changes)?.work(&mut signals).await
            }
            (_, code) = signals.next() => Ok(code),
        }
    })
}

type Connected = (Client, mpsc::UnboundedReceiver<Change>);

/// Waits for the server.
async fn connect(worker: &Worker) -> Result<Connected, FarmError> {
    let mut told = false;
    loop {
        match worker.access.connect(&worker.name.to_string()).await {
            Err(error @ FarmError::Unreachable { .. }) => {
                if !std::mem::replace(&mut told, true) {
                    tell(&format!(
                        "{}; waiting for it",
                        printable(&error.to_string())
                    ));
                }
                sleep(PAUSE).await;
            }
            connected => return connected,
        }
    }
}

/// A worker with its connection.
struct Station<'w> {
    worker: &'w Worker,
    client: Client,
    changes: mpsc::UnboundedReceiver<Change>,
    context: Context,
    spool: Spool,
    host: HostFacts,
    trouble: Option<String>,
}

/// How the playing of an event ended.
enum Over {
    /// The coordinator plays another.
    Another,
    /// A signal, with this exit code.
    Stopped(u8),
}

impl<'w> Station<'w> {
    fn new(
        worker: &'w Worker,
        client: Client,
        changes: mpsc::UnboundedReceiver<Change>,
    ) -> Result<Station<'w>, FarmError> {
        Ok(Station {
            worker,
            context: async_nats::jetstream::new(client.clone()),
            client,
            changes,
            spool: Spool::open(&worker.folder)?,
            host: files::host_facts(worker.lanes.get()),
            trouble: None,
        })
    }

    async fn work(mut self, signals: &mut Signals) -> Result<u8, FarmError> {
        let subject = self.worker.farm.receipts(&self.worker.name.to_string());
        let failed = |error: async_nats::SubscribeError| io::Error::other(error);
        let mut receipts = self.client.subscribe(subject).await.map_err(failed)?;
        let coordinator = self.worker.farm.coordinator();
        let mut coordinator = self.client.subscribe(coordinator).await.map_err(failed)?;
        loop {
            let event = tokio::select! {
                biased;
                (_, code) = signals.next() => return Ok(code),
                event = self.next_event() => event?,
            };
            match self
                .play(event, signals, &mut receipts, &mut coordinator)
                .await?
            {
                Over::Another => {}
                Over::Stopped(code) => return Ok(code),
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
                Err(words) => {
                    if self.trouble.as_ref() != Some(&words) {
                        tell(&format!(
                            "waiting: {}",
                            crate::text::printable_lines(&words)
                        ));
                        self.trouble = Some(words);
                    }
                }
            }
            self.beat("", &Leases::default()).await;
            while let Ok(change) = self.changes.try_recv() {
                self.let_in(&change)?;
            }
            sleep(PAUSE).await;
        }
    }

    async fn prepare(&self) -> Result<Assignment, String> {
        let Worker {
            farm,
            folder,
            lanes,
            ..
        } = self.worker;
        let announced = announced(&self.context, farm).await?;
        let announced = announced.ok_or("no event is announced yet")?;
        let store = self.context.get_object_store(&farm.bucket()).await;
        let store = store.map_err(|error| format!("there is no object store: {error}"))?;
        let assignment = Assignment::prepare(announced, folder, *lanes, &store).await?;
        Ok(assignment)
    }

    fn let_in(&self, change: &Change) -> Result<(), FarmError> {
        tracing::info!(?change, "the connection to the NATS server");
        match change {
            Change::Refused(reason) => Err(FarmError::Refused {
                server: self.worker.access.server.clone(),
                reason: reason.clone(),
            }),
            _ => Ok(()),
        }
    }

    async fn beat(&self, event: &str, leases: &Leases) {
        let worker = self.worker.name.to_string();
        let beat = WorkerBeat {
            version: VERSION,
            worker: worker.clone(),
            program: env!("CARGO_PKG_VERSION").to_owned(),
            host: self.host.clone(),
            event: event.to_owned(),
            held: leases.pairs(),
            playing: leases.playing(),
            trouble: self.trouble.clone(),
        };
        if let Ok(bytes) = serde_json::to_vec(&beat) {
            // The next one comes soon.
            let _lost = self
                .client
                .publish(self.worker.farm.beats(&worker), bytes.into())
                .await;
        }
    }

    /// Plays an event until the coordinator plays another, or a signal comes.
    async fn play(
        &mut self,
        assignment: Assignment,
        signals: &mut Signals,
        receipts: &mut Subscriber,
        coordinator: &mut Subscriber,
    ) -> Result<Over, FarmError> {
        let folder = self.worker.folder.clone();
        let mark = orphans::mark_of_event(&folder)?;
        orphans::end_and_name(&mark);
        let guardian = Guardian::of_event(&mark)?;
        let lanes = match Lanes::start(&assignment, self.worker, &guardian).await {
            Ok(lanes) => lanes,
            Err(words) => {
                guardian.dismiss();
                tell(&format!(
                    "waiting: {}",
                    crate::text::printable_lines(&words)
                ));
                self.trouble = Some(words);
                for _ in 0..5 {
                    self.beat("", &Leases::default()).await;
                    sleep(PAUSE).await;
                }
                return Ok(Over::Another);
            }
        };
        let name = printable(&assignment.announced.name).into_owned();
        tell(&format!(
            "playing event \"{name}\" with {} games at once",
            self.worker.lanes
        ));
        let mut shift = Shift {
            leases: Leases::default(),
            free: Arc::new(Semaphore::new(self.worker.lanes.get())),
            alive: self.worker.lanes.get(),
            barred: false,
            over: None,
            since: None,
            assignment,
            lanes,
            station: self,
        };
        let over = shift.run(signals, receipts, coordinator).await;
        shift.lanes.queue.close();
        if over.is_err() {
            shift
                .lanes
                .stop
                .send_modify(|level| *level = (*level).max(Stop::VoidGames));
        }
        let threads = std::mem::take(&mut shift.lanes.threads);
        for thread in threads {
            // A lane that panicked has said so on stderr.
            let _ended = thread.join();
        }
        guardian.dismiss();
        over
    }
}
