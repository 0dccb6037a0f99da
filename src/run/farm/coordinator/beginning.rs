//! A coordinator begins: streams, consumers and files are made, and nobody else uses the farm.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::sync::{Arc, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use async_nats::Client;
use futures_util::stream::FuturesUnordered;
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::platform::files::append_among_strangers;
use crate::platform::machine;
use crate::run::farm::announcement::last;
use crate::run::farm::classes::Classes;
use crate::run::farm::connection::Connected;
use crate::run::farm::files;
use crate::run::farm::messages::{CoordinatorBeat, EventMessage, FarmFile, VERSION, read, token};
use crate::run::farm::names::Farm;
use crate::run::farm::streams::Streams;
use crate::run::farm::tickets::Tickets;
use crate::run::farm_error::FarmError;
use crate::run::lane::runtime;
use crate::run::signals::Stop;
use crate::run::source::{EndNotice, WorkSource};
use crate::text::printable;
use crate::tournament::WORKERS_FILE;

use super::epoch::CoordinatorEpoch;
use super::recomputing::Recomputing;
use super::seconds::Seconds;
use super::{BEAT, Coordination, Coordinator, Listening, RunningCoordinator};

impl Coordinator {
    /// Starts the coordinator's thread. Its word comes when the coordinator has begun, or waits for its server; none
    /// comes if it cannot begin, and then the thread has ended with the reason.
    ///
    /// # Errors
    /// The system refuses a thread.
    pub(crate) fn begin(self) -> io::Result<(JoinHandle<io::Result<()>>, mpsc::Receiver<()>)> {
        let runtime = runtime()?;
        let (ready, begun) = mpsc::channel(1);
        let thread = std::thread::Builder::new().name("farm".to_owned());
        let thread = thread.spawn(move || {
            // Also after a panic: the dispatcher would wait without end otherwise.
            let _at_the_end = EndNotice {
                source: Arc::clone(&self.source) as Arc<dyn WorkSource>,
                lane: self.coordination.lanes,
            };
            let coordinated = runtime.block_on(self.coordinate(ready));
            coordinated.map_err(io::Error::other)
        })?;
        Ok((thread, begun))
    }

    /// Coordinates until the dispatcher has no more pairs, or wants no more.
    async fn coordinate(self, ready: mpsc::Sender<()>) -> Result<(), FarmError> {
        // Nobody waits where the run ends already, or was told before.
        let say_ready = || {
            let _told = ready.try_send(());
        };
        let mut stop = self.source.stop();
        let Coordination { access, farm, .. } = &self.coordination;
        let name = format!("{farm}-coordinator");
        let ground = access.when_there(
            &name,
            async |connected| self.prepare(connected).await,
            |words| {
                self.show_what_it_waits_for(Some(words));
                say_ready();
            },
        );
        let ground = tokio::select! {
            biased;
            ground = ground => ground?,
            _ = stop.wait_for(|stop| *stop > Stop::No) => return Ok(()),
            () = self.source.queue.closed() => return Ok(()),
        };
        self.show_what_it_waits_for(None);
        let (work, listening) = RunningCoordinator::begin(self, ground).await?;
        say_ready();
        work.run(listening).await
    }

    /// Makes what the server needs; nobody else uses the farm then.
    async fn prepare(&self, (client, changes): Connected) -> Result<PreparedServer, FarmError> {
        let Coordination { access, farm, .. } = &self.coordination;
        let (tournament, identity) = (&self.tournament, &self.identity);
        let event = token(identity, self.revision, &tournament.name, &self.created);
        nobody_else(&client, farm, &event).await?;
        // The server knows it before its first answer below, so before anybody can know of this coordinator.
        let subscribed = async |subject| client.subscribe(subject).await;
        let listening = Listening {
            beats: subscribed(farm.beats("*"))
                .await
                .map_err(io::Error::other)?,
            asked: subscribed(farm.asked()).await.map_err(io::Error::other)?,
            changes,
        };
        let streams = Streams::make(&client, farm, &access.server).await?;
        let classes = Classes::of(tournament);
        let lease = self.coordination.lease;
        streams.job_consumers(&event, &classes, lease).await?;
        let needed = files::of(tournament, identity);
        files::offer(&streams.files, &needed).await?;
        let announcement = announcement(self, &event, needed)?;
        if announcement.len() > client.server_info().max_payload {
            let bytes = announcement.len();
            let reason =
                format!("takes no message of {bytes} bytes: set max_payload in its configuration");
            return Err(FarmError::unfit(&access.server, reason));
        }
        let last = last(&streams.event, farm).await;
        let last = last.map_err(|error| {
            let reason = format!("does not say what is announced: {error}");
            FarmError::unfit(&access.server, reason)
        })?;
        Ok(PreparedServer {
            client,
            listening,
            streams,
            classes,
            event,
            announcement,
            before: last.map_or(0, |last| last.epoch()),
        })
    }

    /// What the farm waits for, in `status`; what it said before.
    pub(super) fn show_what_it_waits_for(&self, words: Option<String>) -> Option<String> {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut shown.waits, words)
    }
}

/// What the server has for a coordinator that begins.
struct PreparedServer {
    client: Client,
    listening: Listening,
    streams: Streams,
    classes: Classes,
    event: String,
    announcement: Vec<u8>,
    /// The epoch of what was announced before.
    before: u64,
}

impl RunningCoordinator {
    /// Begins on what is prepared, and announces the event.
    async fn begin(
        start: Coordinator,
        ground: PreparedServer,
    ) -> Result<(RunningCoordinator, Listening), FarmError> {
        let by = format!(
            "{}/{:016x}",
            machine::host_name(),
            RandomState::new().hash_one(0)
        );
        let mut work = RunningCoordinator {
            stop: start.source.stop(),
            disqualified: start.source.disqualified(),
            event: ground.event,
            client: ground.client,
            streams: ground.streams,
            announcement: ground.announcement,
            epoch: CoordinatorEpoch {
                by,
                before: ground.before,
                own: 0,
                seen: Instant::now(),
                fenced: None,
            },
            tickets: Tickets::open(&start.folder)?,
            begun: Instant::now(),
            alone: false,
            of_class: vec![0; ground.classes.all.len()],
            classes: ground.classes,
            outstanding: HashMap::new(),
            publishing: FuturesUnordered::new(),
            settling: FuturesUnordered::new(),
            closing: FuturesUnordered::new(),
            workers: BTreeMap::new(),
            barred: BTreeMap::new(),
            doubted: BTreeMap::new(),
            doubts: BTreeSet::new(),
            recomputing: Recomputing::begin(&start.folder)?,
            seconds: Seconds::begin(&start.folder)?,
            longest: Duration::ZERO,
            twice: 0,
            record: append_among_strangers(&start.folder.join(WORKERS_FILE))?,
            ending: None,
            start,
        };
        work.look_at_all();
        work.hold_farm().await;
        Ok((work, ground.listening))
    }
}

/// The event, as workers are told of it.
fn announcement(
    start: &Coordinator,
    event: &str,
    files: Vec<FarmFile>,
) -> Result<Vec<u8>, FarmError> {
    let lease = start.coordination.lease.as_millis();
    let message = EventMessage {
        version: VERSION,
        event: event.to_owned(),
        name: start.tournament.name.clone(),
        identity: start.identity.clone(),
        revision: start.revision,
        text: start.tournament.text.clone(),
        source: start.tournament.source.clone(),
        files,
        lease_ms: u64::try_from(lease).unwrap_or(u64::MAX),
    };
    Ok(serde_json::to_vec(&message).map_err(io::Error::other)?)
}

/// Refuses a farm that another coordinator uses for another event.
async fn nobody_else(client: &Client, farm: &Farm, event: &str) -> Result<(), FarmError> {
    let asked = client.request(farm.asked(), Vec::new().into());
    let Ok(Ok(answer)) = timeout(BEAT, asked).await else {
        return Ok(());
    };
    let (name, host) = match read::<CoordinatorBeat>(&answer.payload) {
        Ok(other) => {
            tracing::warn!(event, other = other.event, "the farm is used");
            (other.name, other.host)
        }
        Err(error) => (printable(&error.to_string()).into_owned(), String::new()),
    };
    Err(FarmError::Used { name, host })
}
