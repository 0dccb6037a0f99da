//! Streams and consumers. A server of an earlier version leaves out what it does not know of a stream and says
//! nothing: what it has made is compared with what was wanted.

use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::consumer::{AckPolicy, Consumer, DeliverPolicy, pull};
use async_nats::jetstream::message::StreamMessage;
use async_nats::jetstream::object_store::{self, ObjectStore};
use async_nats::jetstream::stream::{
    Config, DiscardPolicy, LastRawMessageErrorKind, RetentionPolicy, StorageType, Stream,
};
use async_nats::jetstream::{self, AckKind, Context, Message};
use futures_util::StreamExt;
use tokio::sync::mpsc;
use tokio::time::sleep;

use crate::farm::{FarmError, FarmName};

/// The coordinator acknowledges a result within this time, or gets it again.
const RESULT_LEASE: Duration = Duration::from_secs(30);

/// The wait after an error while results are taken.
const RETRY_DELAY: Duration = Duration::from_millis(500);

/// Number of results that wait for the coordinator: each is a pair with its moves.
pub(super) const MAX_WAITING_RESULTS: usize = 64;

/// The streams of a farm.
#[derive(Clone)]
pub(super) struct Streams {
    pub(super) jobs: Stream,
    pub(super) event: Stream,
    pub(super) files: ObjectStore,
    pub(super) context: Context,
    farm: FarmName,
    server: String,
}

impl Streams {
    /// Makes those that are not there.
    ///
    /// # Errors
    /// The server has no JetStream, does not let us, or makes something else than was wanted.
    pub(super) async fn make(
        client: &Client,
        farm: &FarmName,
        server: &str,
    ) -> Result<Streams, FarmError> {
        let context = jetstream::new(client.clone());
        let once = |name: String, subjects: String, retention| Config {
            name,
            subjects: vec![subjects],
            retention,
            storage: StorageType::File,
            max_messages_per_subject: 1,
            // A subject that is taken keeps its message: nothing is queued twice.
            discard: DiscardPolicy::New,
            discard_new_per_subject: true,
            num_replicas: 1,
            ..Config::default()
        };
        let queue = RetentionPolicy::WorkQueue;
        let jobs = once(farm.stream("jobs"), format!("{farm}.jobs.>"), queue);
        let jobs = stream(&context, jobs, server).await?;
        let results = once(farm.stream("results"), format!("{farm}.results.>"), queue);
        stream(&context, results, server).await?;
        let event = Config {
            discard: DiscardPolicy::Old,
            discard_new_per_subject: false,
            ..once(
                farm.stream("event"),
                farm.subject("event"),
                RetentionPolicy::Limits,
            )
        };
        let event = stream(&context, event, server).await?;
        let bucket = farm.stream("files");
        let files = match context.get_object_store(&bucket).await {
            Ok(files) => files,
            Err(_) => {
                let config = object_store::Config {
                    bucket,
                    storage: StorageType::File,
                    num_replicas: 1,
                    ..object_store::Config::default()
                };
                let made = context.create_object_store(config).await;
                made.map_err(|error| {
                    FarmError::unfit(server, format!("makes no object store: {error}"))
                })?
            }
        };
        Ok(Streams {
            jobs,
            event,
            files,
            context,
            farm: farm.clone(),
            server: server.to_owned(),
        })
    }

    /// The consumer from which workers take the pairs of an event.
    pub(super) async fn make_job_consumer(
        &self,
        event: &str,
        lease: Duration,
    ) -> Result<(), FarmError> {
        let (stream, subjects) = (self.farm.stream("jobs"), self.farm.job(event, "*"));
        let made = self.make_consumer(&stream, subjects, event, lease);
        made.await.map(drop)
    }

    async fn make_consumer(
        &self,
        stream: &str,
        subjects: String,
        event: &str,
        ack_wait: Duration,
    ) -> Result<Consumer<pull::Config>, FarmError> {
        let wanted = pull::Config {
            durable_name: Some(FarmName::consumer(event)),
            deliver_policy: DeliverPolicy::All,
            ack_policy: AckPolicy::Explicit,
            // It would bound the whole farm.
            max_ack_pending: -1,
            max_deliver: -1,
            filter_subject: subjects,
            ack_wait,
            ..pull::Config::default()
        };
        let made = self.context.create_consumer_on_stream(wanted, stream).await;
        made.map_err(|error| FarmError::unfit(&self.server, format!("makes no consumer: {error}")))
    }

    /// Takes away a pair that waits with the server, if one does. A purge by subject is not used: after one,
    /// nats-server 2.9.10 skips what waits behind it, and workers get nothing more.
    ///
    /// # Errors
    /// What the server says.
    pub(super) async fn take_away(&self, subject: &str) -> Result<(), async_nats::Error> {
        if let Some(message) = last_message(&self.jobs, subject).await? {
            self.jobs.delete_message(message.sequence).await?;
        }
        Ok(())
    }

    /// Takes away what the server has of an event that is over.
    pub(super) async fn forget(&self, event: &str) {
        let consumer = FarmName::consumer(event);
        for stream in ["jobs", "results"].map(|what| self.farm.stream(what)) {
            let deleted = self.context.delete_consumer_from_stream(&consumer, &stream);
            if let Err(error) = deleted.await {
                tracing::warn!(%error, stream, "a consumer was not deleted");
            }
        }
    }
}

/// Passes on the results of an event until nobody takes them. Whatever happens to the server, they go on coming when it
/// is there again.
pub(super) async fn pass_on_results(streams: Streams, event: String, to: mpsc::Sender<Message>) {
    while !to.is_closed() {
        if let Err(error) = listen(&streams, &event, &to).await {
            tracing::warn!(error, "results cannot be taken from the server; once more");
        }
        sleep(RETRY_DELAY).await;
    }
}

async fn listen(
    streams: &Streams,
    event: &str,
    to: &mpsc::Sender<Message>,
) -> Result<(), async_nats::Error> {
    let farm = &streams.farm;
    let (stream, subjects) = (farm.stream("results"), farm.result("*", event, "*"));
    let consumer = streams.make_consumer(&stream, subjects, event, RESULT_LEASE);
    let consumer = consumer.await?;
    let wanted = consumer.stream().heartbeat(Duration::from_secs(2));
    let wanted = wanted.max_messages_per_batch(MAX_WAITING_RESULTS);
    let mut messages = wanted.expires(Duration::from_secs(10)).messages().await?;
    while let Some(message) = messages.next().await {
        if to.send(message?).await.is_err() {
            return Ok(());
        }
    }
    Ok(())
}

/// The last message of a subject, if a stream has one.
///
/// # Errors
/// What the server says.
pub(super) async fn last_message(
    stream: &Stream,
    subject: &str,
) -> Result<Option<StreamMessage>, async_nats::Error> {
    match stream.get_last_raw_message_by_subject(subject).await {
        Ok(message) => Ok(Some(message)),
        Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Says what became of a message.
pub(super) async fn acknowledge(message: &Message, kind: AckKind) {
    if let Err(error) = message.ack_with(kind).await {
        let subject = message.subject.as_str();
        tracing::warn!(error, subject, "a message was not acknowledged");
    }
}

async fn stream(context: &Context, wanted: Config, server: &str) -> Result<Stream, FarmError> {
    let name = wanted.name.clone();
    let made = context.get_or_create_stream(wanted.clone()).await;
    let made = made.map_err(|error| {
        let words =
            format!("makes no stream {name} ({error}): JetStream must be on, `nats-server -js`");
        FarmError::unfit(server, words)
    })?;
    let found = &made.cached_info().config;
    let same = [
        ("subjects", found.subjects == wanted.subjects),
        ("retention", found.retention == wanted.retention),
        ("storage", found.storage == wanted.storage),
        ("discard", found.discard == wanted.discard),
        (
            "max_msgs_per_subject",
            found.max_messages_per_subject == wanted.max_messages_per_subject,
        ),
        (
            "discard_new_per_subject",
            found.discard_new_per_subject == wanted.discard_new_per_subject,
        ),
        ("no_ack", !found.no_ack),
        // A stream with a limit loses messages without notice.
        ("max_age", found.max_age.is_zero()),
        ("max_msgs", found.max_messages <= 0),
        ("max_bytes", found.max_bytes <= 0),
    ];
    differences(server, &name, &same)?;
    Ok(made)
}

fn differences(server: &str, name: &str, same: &[(&str, bool)]) -> Result<(), FarmError> {
    let other = same.iter().filter(|(_, same)| !same);
    let other: Vec<&str> = other.map(|(what, _)| *what).collect();
    if other.is_empty() {
        return Ok(());
    }
    Err(FarmError::unfit(
        server,
        format!(
            "has {name} with another {} than this program makes: somebody has made it otherwise, or the \
             server is too old; delete it, or choose another --farm",
            other.join(", ")
        ),
    ))
}
