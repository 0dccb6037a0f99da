//! A test's own connection to the server of a farm: as a worker, or as an observer.

use std::time::Instant;

use async_nats::jetstream::context::PublishError;
use async_nats::jetstream::publish::PublishAck;
use async_nats::{Client, ConnectOptions, Event as Said, Subscriber};
use futures_util::StreamExt;
use serde_json::Value;
use tokio::runtime::Runtime;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::farm_support::Server;
use super::robust_support::BOUND;

/// A connection of the test's own.
pub struct Guest {
    pub runtime: Runtime,
    pub client: Client,
    refusals: mpsc::UnboundedReceiver<String>,
}

impl Guest {
    pub fn enter(server: &Server, user: &str) -> Guest {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        let runtime = builder.enable_all().build().unwrap();
        let (sender, refusals) = mpsc::unbounded_channel();
        let options = ConnectOptions::with_user_and_password(user.to_owned(), "secret".to_owned())
            .custom_inbox_prefix(format!("_INBOX_{user}"))
            .event_callback(move |said| {
                if let Said::ServerError(error) = said {
                    let _ = sender.send(error.to_string().to_lowercase());
                }
                async {}
            });
        let address = format!("127.0.0.1:{}", server.port);
        let client = runtime.block_on(options.connect(address)).unwrap();
        Guest {
            runtime,
            client,
            refusals,
        }
    }

    pub fn publish(&self, subject: &str, bytes: &[u8]) {
        let sent = self
            .client
            .publish(subject.to_owned(), bytes.to_vec().into());
        self.runtime.block_on(sent).unwrap();
        self.runtime.block_on(self.client.flush()).unwrap();
    }

    /// Publishes what a stream is to keep, until it has it. The server takes nothing as long as what was acknowledged
    /// under the same subject is not away, and tells that nobody who does not ask.
    pub fn hand_in(&self, subject: &str, bytes: &[u8]) {
        let begun = Instant::now();
        while let Err(error) = self.runtime.block_on(self.in_stream(subject, bytes)) {
            assert!(begun.elapsed() < BOUND, "{error}");
        }
    }

    async fn in_stream(&self, subject: &str, bytes: &[u8]) -> Result<PublishAck, PublishError> {
        let mut context = async_nats::jetstream::new(self.client.clone());
        context.set_timeout(BOUND);
        let sent = context.publish(subject.to_owned(), bytes.to_vec().into());
        sent.await?.await
    }

    pub fn subscribe(&self, subject: &str) -> Subscriber {
        let subscribed = self.client.subscribe(subject.to_owned());
        let subscriber = self.runtime.block_on(subscribed).unwrap();
        self.runtime.block_on(self.client.flush()).unwrap();
        subscriber
    }

    /// The next thing that the server refuses.
    pub fn refused(&mut self) -> String {
        let next = async { timeout(BOUND, self.refusals.recv()).await };
        let refused = self.runtime.block_on(next);
        refused.expect("a refusal").unwrap()
    }

    /// The coordinator's next answer.
    pub fn receipt(&self, receipts: &mut Subscriber) -> Value {
        let next = async { timeout(BOUND, receipts.next()).await };
        let message = self.runtime.block_on(next);
        serde_json::from_slice(&message.expect("an answer").unwrap().payload).unwrap()
    }

    /// How many messages a stream has.
    pub fn waiting(&self, stream: &str) -> u64 {
        let _inside = self.runtime.enter();
        let context = async_nats::jetstream::new(self.client.clone());
        self.runtime.block_on(async {
            match context.get_stream(stream).await {
                Ok(mut stream) => stream.info().await.unwrap().state.messages,
                Err(_) => 0,
            }
        })
    }

    /// What is published for this stream goes nowhere then.
    pub fn delete(&self, stream: &str) {
        let _inside = self.runtime.enter();
        let context = async_nats::jetstream::new(self.client.clone());
        let deleted = self.runtime.block_on(context.delete_stream(stream));
        deleted.unwrap();
    }
}
