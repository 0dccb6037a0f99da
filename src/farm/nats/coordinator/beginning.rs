//! A coordinator begins: streams, consumers and files are made, and nobody else uses the farm.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Instant;
use std::{io, thread};

use async_nats::header::NATS_EXPECTED_LAST_SUBJECT_SEQUENCE;
use async_nats::{Client, HeaderMap};
use futures_util::stream::FuturesUnordered;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::{Coordinator, HEARTBEAT_INTERVAL, Subscriptions};
use crate::event::GameId;
use crate::farm::nats::assignment::{needed_files, offer};
use crate::farm::nats::connection::{Connected, subscribe};
use crate::farm::nats::messages::{
    Announcement, COORDINATOR, CoordinatorHeartbeat, EventMessage, FarmFile, VERSION, event_token,
    read,
};
use crate::farm::nats::streams::Streams;
use crate::farm::{CoordinatorSettings, FarmError, FarmName};
use crate::platform::files::append_untrusted;
use crate::platform::{machine, runtime};
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
    let begun = settings.access.when_there(
        &name,
        async |connected| Coordinator::begin(&settings, &run, &event, connected).await,
        |words| {
            run.show_what_it_waits_for(Some(words));
            say_ready();
        },
    );
    let (mut coordinator, subscriptions) = tokio::select! {
        biased;
        begun = begun => begun?,
        _ = stop.wait_for(|stop| *stop > Stop::No) => return Ok(()),
        () = run.source.queue.closed() => return Ok(()),
    };
    run.show_what_it_waits_for(None);
    coordinator.hold_farm().await;
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

impl Coordinator {
    /// Makes what the server needs; nobody else uses the farm then.
    async fn begin(
        settings: &CoordinatorSettings,
        run: &RemoteRun,
        event: &StoredEvent,
        (client, changes): Connected,
    ) -> Result<(Coordinator, Subscriptions), FarmError> {
        let (farm, server) = (&settings.farm, &settings.access.server);
        nobody_else(&client, farm, &event.token).await?;
        // The server knows it before its first answer below, so before anybody can know of this coordinator.
        let subscriptions = Subscriptions {
            heartbeats: subscribe(&client, farm.heartbeats("*")).await?,
            questions: subscribe(&client, farm.subject("who")).await?,
            changes,
        };
        let streams = Streams::make(&client, farm, server).await?;
        let consumer = streams.make_job_consumer(&event.token, settings.lease);
        consumer.await?;
        let needed = needed_files(&run.tournament, &run.identity);
        offer(&streams.files, &needed).await?;
        let coordinator = Coordinator {
            stop: run.source.stop(),
            disqualified: run.source.disqualified(),
            event: event.token.clone(),
            announcement: announcement(settings, run, event, needed, &client)?,
            epoch: CoordinatorEpoch::before(&streams, settings).await?,
            client,
            streams,
            begun: Instant::now(),
            said_alone: false,
            stored: event.games.clone(),
            published: HashMap::new(),
            publishing: FuturesUnordered::new(),
            storing: FuturesUnordered::new(),
            closing: FuturesUnordered::new(),
            workers: BTreeMap::new(),
            record: append_untrusted(&run.folder.join(WORKERS_FILE))?,
            ending: None,
            settings: settings.clone(),
            run: run.clone(),
        };
        Ok((coordinator, subscriptions))
    }
}

/// The event, as workers are told of it.
fn announcement(
    settings: &CoordinatorSettings,
    run: &RemoteRun,
    event: &StoredEvent,
    files: Vec<FarmFile>,
    client: &Client,
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
    let announcement = serde_json::to_vec(&message).map_err(io::Error::other)?;
    let bytes = announcement.len();
    if bytes > client.server_info().max_payload {
        let reason =
            format!("takes no message of {bytes} bytes: set max_payload in its configuration");
        return Err(FarmError::unfit(&settings.access.server, reason));
    }
    Ok(announcement)
}

/// Refuses a farm that another coordinator uses for another event.
async fn nobody_else(client: &Client, farm: &FarmName, event: &str) -> Result<(), FarmError> {
    let asked = client.request(farm.subject("who"), Vec::new().into());
    let Ok(Ok(answer)) = timeout(HEARTBEAT_INTERVAL, asked).await else {
        return Ok(());
    };
    let (name, host) = match read::<CoordinatorHeartbeat>(&answer.payload) {
        Ok(other) => {
            tracing::warn!(event, other = other.event, "the farm is used");
            (other.name, other.host)
        }
        Err(error) => (printable(&error).into_owned(), String::new()),
    };
    Err(FarmError::Unusable(format!(
        "the farm is used by another coordinator, for event \"{name}\" on {host}: stop that one, or choose \
         another --farm"
    )))
}

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

impl CoordinatorEpoch {
    /// Of a coordinator that is about to announce its event.
    async fn before(
        streams: &Streams,
        settings: &CoordinatorSettings,
    ) -> Result<CoordinatorEpoch, FarmError> {
        let last = Announcement::last(&streams.event, &settings.farm).await;
        let last = last.map_err(|error| {
            let reason = format!("does not say what is announced: {error}");
            FarmError::unfit(&settings.access.server, reason)
        })?;
        let number = RandomState::new().hash_one(0);
        Ok(CoordinatorEpoch {
            by: format!("{}/{number:016x}", machine::host_name()),
            before: last.map_or(0, |last| last.epoch()),
            own: 0,
            seen: Instant::now(),
            fenced: None,
        })
    }
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
        let (subject, bytes) = (
            self.farm().subject("event"),
            self.announcement.clone().into(),
        );
        let published = async {
            let mut headers = HeaderMap::new();
            headers.insert(COORDINATOR, self.epoch.by.as_str());
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
    let name = by.event().map(|event| event.name).unwrap_or_default();
    let host = by.coordinator().split('/').next().unwrap_or_default();
    FarmError::Unusable(format!(
        "the farm was taken over by another coordinator, for event \"{name}\" on {host}: this one stores nothing \
         more; run it again when that one has ended, or choose another --farm"
    ))
}
