//! A worker with its connection, from event to event.

use std::io;
use std::sync::Arc;

use async_nats::jetstream::Context;
use async_nats::{Client, Subscriber};
use tokio::sync::{Semaphore, mpsc};
use tokio::time::sleep;

use crate::engine::guardian::Guardian;
use crate::host::features::Features;
use crate::platform::orphans;
use crate::run::farm::assignment::{Assignment, announced};
use crate::run::farm::classes;
use crate::run::farm::connection::Change;
use crate::run::farm::files;
use crate::run::farm::leases::Leases;
use crate::run::farm::messages::{HostFacts, VERSION, WorkerBeat};
use crate::run::farm::spool::Spool;
use crate::run::farm_error::FarmError;
use crate::run::signals::{Signals, Stop};
use crate::store::key_of;
use crate::text::{printable, printable_lines, tell};

use super::lanes::WorkerLanes;
use super::shift::{Keeping, Shift};
use super::{PAUSE, Worker};

/// A worker with its connection.
pub(super) struct Station<'w> {
    pub(super) worker: &'w Worker,
    pub(super) client: Client,
    pub(super) changes: mpsc::UnboundedReceiver<Change>,
    pub(super) context: Context,
    pub(super) spool: Spool,
    pub(super) host: HostFacts,
    /// Nodes a second of the fixed search, when it was last measured.
    pub(super) speed: Option<u64>,
    pub(super) trouble: Option<String>,
    pub(super) features: Features,
    /// What engines of the event need and this machine does not have.
    pub(super) lacks: Vec<String>,
    /// Which engines it cannot play for that, in words.
    pub(super) unplayable: Option<String>,
}

/// How the playing of an event ended.
pub(super) enum StationEnd {
    /// The coordinator plays another.
    Another,
    /// A signal, with this exit code.
    Stopped(u8),
}

impl<'w> Station<'w> {
    pub(super) fn new(
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
            speed: None,
            trouble: None,
            features: Features::of_this_machine(&worker.tags),
            lacks: Vec::new(),
            unplayable: None,
        })
    }

    pub(super) async fn work(mut self, signals: &mut Signals) -> Result<u8, FarmError> {
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
            let played = self.play(event, signals, &mut receipts, &mut coordinator);
            if let StationEnd::Stopped(code) = played.await? {
                return Ok(code);
            }
        }
    }

    /// Waits for an event that can be played here.
    async fn next_event(&mut self) -> Result<Assignment, FarmError> {
        loop {
            match self.prepare().await {
                Ok(assignment) => {
                    self.trouble = None;
                    self.lacks = classes::lacks(&assignment.tournament, &self.features);
                    self.unplayable = classes::unplayable(&assignment.tournament, &self.lacks);
                    return Ok(assignment);
                }
                Err(words) => {
                    if self.trouble.as_ref() != Some(&words) {
                        tell(&format!("waiting: {}", printable_lines(&words)));
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
        let worker = self.worker;
        let announced = announced(&self.context, &worker.farm).await?;
        let announced = announced.ok_or("no event is announced yet")?;
        if let Some(nkey) = &worker.coordinator
            && !announced.is_signed_by(nkey)
        {
            return Err(format!(
                "the event that is announced is not signed by the coordinator {nkey}: it is not played here"
            ));
        }
        let store = self.context.get_object_store(&worker.farm.bucket()).await;
        let store = store.map_err(|error| format!("there is no object store: {error}"))?;
        Assignment::prepare(announced, &worker.folder, worker.lanes, &store).await
    }

    /// Says once what does not work.
    pub(super) fn has_trouble(&mut self, words: String) {
        if self.trouble.as_ref() != Some(&words) {
            tell(&words);
            self.trouble = Some(words);
        }
    }

    pub(super) fn let_in(&self, change: &Change) -> Result<(), FarmError> {
        tracing::info!(?change, "the connection to the NATS server");
        match change {
            Change::Refused(reason) => Err(FarmError::Refused {
                server: self.worker.access.server.clone(),
                reason: reason.clone(),
            }),
            _ => Ok(()),
        }
    }

    pub(super) async fn beat(&self, event: &str, leases: &Leases) {
        let worker = self.worker.name.to_string();
        let beat = WorkerBeat {
            version: VERSION,
            worker: worker.clone(),
            program: env!("CARGO_PKG_VERSION").to_owned(),
            host: self.host.clone(),
            event: event.to_owned(),
            held: leases.pairs(),
            playing: leases.playing(),
            speed: self.speed,
            lacks: self.lacks.clone(),
            trouble: self.trouble.clone().or_else(|| self.unplayable.clone()),
        };
        if let Ok(bytes) = serde_json::to_vec(&beat) {
            // The next one comes soon.
            let _lost = self
                .client
                .publish(self.worker.farm.beats(&worker), bytes.into())
                .await;
        }
    }

    /// Starts the lanes, where this machine can play a pair of the event at all.
    async fn start_lanes(
        &self,
        assignment: &Assignment,
        guardian: &Guardian,
    ) -> Result<WorkerLanes, String> {
        let mut classes = assignment.classes.all.iter();
        match &self.unplayable {
            Some(words) if !classes.any(|class| class.is_for(&self.lacks)) => {
                Err(format!("this machine {words}, and so no pair of the event"))
            }
            _ => WorkerLanes::start(assignment, self.worker, &self.lacks, guardian)
                .await
                .map_err(|error| error.to_string()),
        }
    }

    /// Plays an event until the coordinator plays another, or a signal comes.
    async fn play(
        &mut self,
        assignment: Assignment,
        signals: &mut Signals,
        receipts: &mut Subscriber,
        coordinator: &mut Subscriber,
    ) -> Result<StationEnd, FarmError> {
        let key = key_of(&self.worker.folder);
        orphans::end_and_name(&key);
        let guardian = Guardian::of_event(key)?;
        let lanes = match self.start_lanes(&assignment, &guardian).await {
            Ok(lanes) => lanes,
            Err(words) => {
                guardian.dismiss();
                tell(&format!("waiting: {}", printable_lines(&words)));
                self.trouble = Some(words);
                for _ in 0..5 {
                    self.beat("", &Leases::default()).await;
                    sleep(PAUSE).await;
                }
                return Ok(StationEnd::Another);
            }
        };
        let name = printable(&assignment.announced.name).into_owned();
        let unplayable = self.unplayable.as_ref();
        let but = unplayable.map_or(String::new(), |words| {
            format!("; this machine {}", printable(words))
        });
        let lanes_here = self.worker.lanes;
        tell(&format!(
            "playing event \"{name}\" with {lanes_here} games at once{but}"
        ));
        let mut shift = Shift {
            leases: Leases::default(),
            free: Arc::new(Semaphore::new(self.worker.lanes.get())),
            alive: self.worker.lanes.get(),
            barred: false,
            withheld: 0,
            keeping: Keeping::default(),
            over: None,
            since: None,
            assignment,
            lanes,
            station: self,
        };
        let over = shift.run(signals, receipts, coordinator).await;
        shift.lanes.giver.queue.close();
        if over.is_err() {
            Stop::VoidGames.ask(&shift.lanes.giver.stop);
        }
        // A lane that panicked has said so on stderr.
        let _ended = shift.lanes.threads.join();
        guardian.dismiss();
        over
    }
}
