//! Results on their way from the server to the coordinator. Whatever happens to the server, they go on
//! coming when it is there again.

use std::time::Duration;

use async_nats::jetstream::Message;
use futures_util::StreamExt;
use tokio::sync::mpsc;
use tokio::time::sleep;

use super::streams::Streams;

/// The wait after an error.
const PAUSE: Duration = Duration::from_millis(500);

/// So many results wait for the coordinator at most: each is a pair with its moves.
pub(super) const WAITING: usize = 64;

/// Passes on the results of an event until nobody takes them.
pub(super) async fn pass_on(streams: Streams, event: String, to: mpsc::Sender<Message>) {
    while !to.is_closed() {
        if let Err(error) = listen(&streams, &event, &to).await {
            tracing::warn!(error, "results cannot be taken from the server; once more");
        }
        sleep(PAUSE).await;
    }
}

async fn listen(
    streams: &Streams,
    event: &str,
    to: &mpsc::Sender<Message>,
) -> Result<(), async_nats::Error> {
    let consumer = streams.result_consumer(event).await?;
    let messages = consumer
        .stream()
        .max_messages_per_batch(WAITING)
        .heartbeat(Duration::from_secs(2))
        .expires(Duration::from_secs(10));
    let mut messages = messages.messages().await?;
    while let Some(message) = messages.next().await {
        if to.send(message?).await.is_err() {
            return Ok(());
        }
    }
    Ok(())
}
