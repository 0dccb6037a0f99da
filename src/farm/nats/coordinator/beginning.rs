//! A coordinator begins: streams, consumers and files are made, and nobody else uses the farm.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use async_nats::Client;
use futures_util::stream::FuturesUnordered;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::epoch::CoordinatorEpoch;
use super::{Coordinator, HEARTBEAT_INTERVAL, Subscriptions};
use crate::event::GameId;
use crate::farm::nats::announcement::Announcement;
use crate::farm::nats::connection::Connected;
use crate::farm::nats::files;
use crate::farm::nats::messages::{
    CoordinatorHeartbeat, EventMessage, FarmFile, VERSION, event_token, read,
};
use crate::farm::nats::streams::Streams;
use crate::farm::{CoordinatorSettings, FarmError, FarmName};
use crate::platform::files::append_among_strangers;
use crate::platform::machine;
use crate::run::lane::runtime;
use crate::run::signals::Stop;
use crate::run::source::{EndNotice, RemoteLanes, RemoteRun, RemoteThread, WorkSource};
use crate::run::work::settled_ids;
use crate::store::{Reader, StoreError};
use crate::text::printable;
use crate::tournament::WORKERS_FILE;

/// Lanes on the machines of a farm.
///
/// # Errors
/// Never: a build without farms refuses.
pub(crate) fn coordinator(
    settings: CoordinatorSettings,
) -> Result<Arc<dyn RemoteLanes>, FarmError> {
    Ok(Arc::new(settings))
}

impl RemoteLanes for CoordinatorSettings {
    /// Word comes when the coordinator has begun, or waits for its server.
    fn begin(&self, run: RemoteRun) -> io::Result<RemoteThread> {
        let runtime = runtime()?;
        let (say_ready, ready) = mpsc::channel(1);
        let settings = self.clone();
        let thread = thread::Builder::new().name("farm".to_owned());
        let thread = thread.spawn(move || {
            // Also after a panic: the dispatcher would wait without end otherwise.
            let _at_the_end = EndNotice {
                source: Arc::clone(&run.source) as Arc<dyn WorkSource>,
                lane: run.lane,
            };
            let coordinated = runtime.block_on(coordinate(settings, run, say_ready));
            coordinated.map_err(Into::into)
        })?;
        Ok(RemoteThread { thread, ready })
    }
}

/// Coordinates until the dispatcher has no more pairs, or wants no more.
async fn coordinate(
    settings: CoordinatorSettings,
    run: RemoteRun,
    ready: mpsc::Sender<()>,
) -> Result<(), FarmError> {
    // Nobody waits where the run ends already, or was told before.
    let say_ready = || {
        let _told = ready.try_send(());
    };
    let mut stop = run.source.stop();
    let event = StoredEvent::read(&run)?;
    let name = format!("{}-coordinator", settings.farm);
    let prepared = settings.access.when_there(
        &name,
        async |connected| PreparedServer::make(&settings, &run, &event, connected).await,
        |words| {
            run.show_what_it_waits_for(Some(words));
            say_ready();
        },
    );
    let prepared = tokio::select! {
        biased;
        prepared = prepared => prepared?,
        _ = stop.wait_for(|stop| *stop > Stop::No) => return Ok(()),
        () = run.source.queue.closed() => return Ok(()),
    };
    run.show_what_it_waits_for(None);
    let (coordinator, subscriptions) = prepared.into_coordinator(settings, run, event).await?;
    say_ready();
    coordinator.run(subscriptions).await
}

/// What the store says of the event.
struct StoredEvent {
    revision: u32,
    /// What it is called in subjects.
    token: String,
    /// The games that are stored.
    games: HashSet<GameId>,
}

impl StoredEvent {
    fn read(run: &RemoteRun) -> Result<StoredEvent, StoreError> {
        let reader = Reader::open(&run.folder)?;
        let revision = reader.revision()?;
        let created = reader.value("created")?.unwrap_or_default();
        Ok(StoredEvent {
            revision,
            token: event_token(&run.identity, revision, &run.tournament.name, &created),
            games: settled_ids(&reader)?.into_iter().collect(),
        })
    }
}

/// What the server has for a coordinator that begins.
struct PreparedServer {
    client: Client,
    subscriptions: Subscriptions,
    streams: Streams,
    announcement: Vec<u8>,
    /// The epoch of what was announced before.
    before: u64,
}

impl PreparedServer {
    /// Makes what the server needs; nobody else uses the farm then.
    async fn make(
        settings: &CoordinatorSettings,
        run: &RemoteRun,
        event: &StoredEvent,
        (client, changes): Connected,
    ) -> Result<PreparedServer, FarmError> {
        let CoordinatorSettings {
            access,
            farm,
            lease,
        } = settings;
        nobody_else(&client, farm, &event.token).await?;
        // The server knows it before its first answer below, so before anybody can know of this coordinator.
        let subscribe = async |subject| {
            let subscribed = client.subscribe(subject).await;
            subscribed.map_err(io::Error::other)
        };
        let subscriptions = Subscriptions {
            heartbeats: subscribe(farm.heartbeats("*")).await?,
            questions: subscribe(farm.who()).await?,
            changes,
        };
        let streams = Streams::make(&client, farm, &access.server).await?;
        streams.make_job_consumer(&event.token, *lease).await?;
        let needed = files::needed_files(&run.tournament, &run.identity);
        files::offer(&streams.files, &needed).await?;
        let announcement = announcement(settings, run, event, needed)?;
        if announcement.len() > client.server_info().max_payload {
            let bytes = announcement.len();
            let reason =
                format!("takes no message of {bytes} bytes: set max_payload in its configuration");
            return Err(FarmError::unfit(&access.server, reason));
        }
        let last = Announcement::last(&streams.event, farm).await;
        let last = last.map_err(|error| {
            let reason = format!("does not say what is announced: {error}");
            FarmError::unfit(&access.server, reason)
        })?;
        Ok(PreparedServer {
            client,
            subscriptions,
            streams,
            announcement,
            before: last.map_or(0, |last| last.epoch()),
        })
    }

    async fn into_coordinator(
        self,
        settings: CoordinatorSettings,
        run: RemoteRun,
        event: StoredEvent,
    ) -> Result<(Coordinator, Subscriptions), FarmError> {
        let number = RandomState::new().hash_one(0);
        let mut coordinator = Coordinator {
            stop: run.source.stop(),
            disqualified: run.source.disqualified(),
            event: event.token,
            client: self.client,
            streams: self.streams,
            announcement: self.announcement,
            epoch: CoordinatorEpoch {
                by: format!("{}/{number:016x}", machine::host_name()),
                before: self.before,
                own: 0,
                seen: Instant::now(),
                fenced: None,
            },
            begun: Instant::now(),
            said_alone: false,
            stored: event.games,
            published: HashMap::new(),
            publishing: FuturesUnordered::new(),
            storing: FuturesUnordered::new(),
            closing: FuturesUnordered::new(),
            workers: BTreeMap::new(),
            record: append_among_strangers(&run.folder.join(WORKERS_FILE))?,
            ending: None,
            settings,
            run,
        };
        coordinator.hold_farm().await;
        Ok((coordinator, self.subscriptions))
    }
}

/// The event, as workers are told of it.
fn announcement(
    settings: &CoordinatorSettings,
    run: &RemoteRun,
    event: &StoredEvent,
    files: Vec<FarmFile>,
) -> Result<Vec<u8>, FarmError> {
    let message = EventMessage {
        version: VERSION,
        event: event.token.clone(),
        name: run.tournament.name.clone(),
        identity: run.identity.clone(),
        revision: event.revision,
        text: run.tournament.text.clone(),
        source: run.tournament.source.clone(),
        files,
        lease_ms: u64::try_from(settings.lease.as_millis()).unwrap_or(u64::MAX),
    };
    Ok(serde_json::to_vec(&message).map_err(io::Error::other)?)
}

/// Refuses a farm that another coordinator uses for another event.
async fn nobody_else(client: &Client, farm: &FarmName, event: &str) -> Result<(), FarmError> {
    let asked = client.request(farm.who(), Vec::new().into());
    let Ok(Ok(answer)) = timeout(HEARTBEAT_INTERVAL, asked).await else {
        return Ok(());
    };
    let (name, host) = match read::<CoordinatorHeartbeat>(&answer.payload) {
        Ok(other) => {
            tracing::warn!(event, other = other.event, "the farm is used");
            (other.name, other.host)
        }
        Err(error) => (printable(&error.to_string()).into_owned(), String::new()),
    };
    Err(FarmError::Used { name, host })
}
