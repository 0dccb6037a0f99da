//! A coordinator begins: streams, consumers and files are made, and nobody else uses the farm.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Instant;

use async_nats::Client;
use futures_util::stream::FuturesUnordered;
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::run::farm::announcement::last;
use crate::run::farm::classes::Classes;
use crate::run::farm::connection::Change;
use crate::run::farm::files;
use crate::run::farm::messages::{CoordinatorBeat, EventMessage, FarmFile, VERSION, read, token};
use crate::run::farm::names::Farm;
use crate::run::farm::streams::Streams;
use crate::run::farm::tickets::Tickets;
use crate::run::farm_error::FarmError;
use crate::run::source::{Report, WorkSource};
use crate::text::printable;
use crate::tournament::WORKERS_FILE;

use super::epoch::CoordinatorEpoch;
use super::recomputing::{Recomputing, appended};
use super::seconds::Seconds;
use super::{BEAT, Coordination, Coordinator, RunningCoordinator};

impl Coordinator {
    /// Begins, then starts the coordinator's thread. By then the connection is there, and no other coordinator
    /// uses the farm.
    ///
    /// # Errors
    /// The server cannot be used, another coordinator is there, a file cannot be read.
    pub(crate) fn begin(self) -> Result<JoinHandle<io::Result<()>>, FarmError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let (work, changes) = runtime.block_on(RunningCoordinator::begin(self))?;
        let thread = std::thread::Builder::new().name("farm".to_owned());
        Ok(thread.spawn(move || {
            // Also after a panic: the dispatcher would wait without end otherwise.
            let _at_the_end = CoordinatorEndNotice(Arc::clone(&work.start.source), work.start.lane);
            runtime
                .block_on(work.run(changes))
                .map_err(io::Error::other)
        })?)
    }
}

struct CoordinatorEndNotice(Arc<dyn WorkSource>, usize);

impl Drop for CoordinatorEndNotice {
    fn drop(&mut self) {
        self.0.report(Report::Ended { lane: self.1 });
    }
}

impl RunningCoordinator {
    /// Connects, and makes what the server needs; nobody else uses the farm then.
    pub(super) async fn begin(
        start: Coordinator,
    ) -> Result<(RunningCoordinator, mpsc::UnboundedReceiver<Change>), FarmError> {
        let Coordination {
            access,
            farm,
            lease,
            ..
        } = &start.coordination;
        let (client, changes) = access.connect(&format!("{farm}-coordinator")).await?;
        let event = token(
            &start.identity,
            start.revision,
            &start.tournament.name,
            &start.created,
        );
        nobody_else(&client, farm, &event).await?;
        let context = async_nats::jetstream::new(client.clone());
        let streams = Streams::make(&context, farm, &access.server).await?;
        let classes = Classes::of(&start.tournament);
        streams.job_consumers(&event, &classes, *lease).await?;
        let needed = files::of(&start.tournament, &start.identity);
        files::offer(&streams.files, &needed).await?;
        let announcement = announcement(&start, &event, needed)?;
        if announcement.len() > client.server_info().max_payload {
            let (server, bytes) = (access.server.clone(), announcement.len());
            let reason =
                format!("takes no message of {bytes} bytes: set max_payload in its configuration");
            return Err(FarmError::Unfit { server, reason });
        }
        let last = last(&streams.event, farm).await;
        let before = last.map_err(|error| unfit(&access.server, &error.to_string()))?;
        let epoch = CoordinatorEpoch {
            by: format!(
                "{}/{:016x}",
                files::host_name(),
                RandomState::new().hash_one(0)
            ),
            before: before.map_or(0, |last| last.epoch()),
            own: 0,
            seen: Instant::now(),
            fenced: None,
        };
        let mut work = RunningCoordinator {
            stop: start.source.stop(),
            disqualified: start.source.disqualified(),
            event,
            client,
            context,
            streams,
            announcement,
            epoch,
            tickets: Tickets::open(&start.folder)?,
            begun: Instant::now(),
            alone: false,
            of_class: vec![0; classes.all().len()],
            classes,
            outstanding: HashMap::new(),
            publishing: FuturesUnordered::new(),
            settling: FuturesUnordered::new(),
            closing: FuturesUnordered::new(),
            workers: HashMap::new(),
            barred: BTreeMap::new(),
            doubted: BTreeMap::new(),
            doubt: String::new(),
            recomputing: Recomputing::begin(&start.folder)?,
            seconds: Seconds::begin(&start.folder)?,
            counts: start.counts.clone(),
            twice: 0,
            record: appended(&start.folder.join(WORKERS_FILE))?,
            ending: None,
            start,
        };
        work.look_at_all();
        work.hold_farm().await;
        Ok((work, changes))
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

fn unfit(server: &str, error: &str) -> FarmError {
    FarmError::Unfit {
        server: server.to_owned(),
        reason: format!("does not say what is announced: {error}"),
    }
}

/// Refuses a farm that another coordinator uses for another event.
async fn nobody_else(client: &Client, farm: &Farm, event: &str) -> Result<(), FarmError> {
    let asked = client.request(farm.asked(), Vec::new().into());
    let Ok(Ok(answer)) = timeout(BEAT, asked).await else {
        return Ok(());
    };
    let other: CoordinatorBeat = match read(&answer.payload) {
        Ok(other) => other,
        Err(error) => {
            let name = printable(&error.to_string()).into_owned();
            return Err(FarmError::Used {
                name,
                host: String::new(),
            });
        }
    };
    tracing::warn!(event, other = other.event, "the farm is used");
    Err(FarmError::Used {
        name: other.name,
        host: other.host,
    })
}
