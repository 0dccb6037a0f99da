//! The connection to the server.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;
use std::{fs, io};

use async_nats::connection::State;
use async_nats::{
    Client, ConnectError, ConnectErrorKind, ConnectOptions, Event, ServerError, Subscriber,
};
use serde::Serialize;
use tokio::sync::mpsc;
use tokio::time::sleep;

use crate::farm::{FarmError, ServerAccess};
use crate::platform::lock;
use crate::text::{printable, tell};

/// A request without an answer is sent again after this time.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);

/// A server that is away is looked for again after this time.
const RETRY_DELAY: Duration = Duration::from_secs(2);

/// A connection, and what it goes through.
pub(super) type Connected = (Client, mpsc::UnboundedReceiver<ConnectionChange>);

/// What the connection has gone through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConnectionChange {
    /// It is there again.
    Connected,
    /// It has gone.
    Lost,
    /// The server does not let us in any more.
    Refused,
}

/// Sends a message; what is lost is asked for again.
pub(super) async fn send(client: &Client, subject: String, message: &impl Serialize) {
    match serde_json::to_vec(message) {
        Ok(bytes) => drop(client.publish(subject, bytes.into()).await),
        Err(error) => tracing::error!(%error, "a message cannot be written"),
    }
}

/// Messages on a subject, from now on.
pub(super) async fn subscribe(client: &Client, subject: String) -> io::Result<Subscriber> {
    client.subscribe(subject).await.map_err(io::Error::other)
}

fn content(path: &PathBuf) -> Result<String, FarmError> {
    let text = fs::read_to_string(path).map_err(FarmError::of_file(path))?;
    Ok(text.trim().to_owned())
}

impl ServerAccess {
    /// Begins with a connection, and waits for a server that is away, or goes away meanwhile. That it waits is
    /// said on the terminal once, and to `waits` each time.
    ///
    /// # Errors
    /// What waiting does not mend.
    pub(super) async fn when_there<T>(
        &self,
        name: &str,
        mut begin: impl AsyncFnMut(Connected) -> Result<T, FarmError>,
        mut waits: impl FnMut(String),
    ) -> Result<T, FarmError> {
        let mut told = false;
        loop {
            let begun = async {
                let (sender, changes) = mpsc::unbounded_channel();
                let servers: Vec<&str> = self.server.split(',').map(str::trim).collect();
                let client = self.options(name, sender)?.connect(servers).await;
                let client = client.map_err(|error| self.not_connected(&error))?;
                let failed = |error: FarmError| match client.connection_state() {
                    State::Connected => error,
                    _ => self.is_away(error.to_string()),
                };
                begin((client.clone(), changes)).await.map_err(failed)
            };
            match begun.await {
                Err(error @ FarmError::Unreachable { .. }) => {
                    let words = format!("{}; waiting for it", printable(&error.to_string()));
                    if !std::mem::replace(&mut told, true) {
                        tracing::warn!("{words}");
                        tell(&words);
                    }
                    waits(words);
                }
                begun => return begun,
            }
            sleep(RETRY_DELAY).await;
        }
    }

    fn not_connected(&self, error: &ConnectError) -> FarmError {
        let (server, reason) = (&self.server, error.to_string());
        match error.kind() {
            ConnectErrorKind::Authentication
            | ConnectErrorKind::AuthorizationViolation
            | ConnectErrorKind::Tls => FarmError::refused(server, &reason),
            ConnectErrorKind::ServerParse => FarmError::Unusable(format!(
                "\"{server}\" is not the address of a NATS server, such as nats://name:4222: {reason}"
            )),
            _ if is_certificate(error) => FarmError::refused(server, &reason),
            _ => self.is_away(reason),
        }
    }

    fn is_away(&self, reason: String) -> FarmError {
        let server = self.server.clone();
        FarmError::Unreachable { server, reason }
    }

    /// Whether the server asks nobody who he is.
    pub(super) fn lets_everybody_in(&self, client: &Client) -> bool {
        let known = self.user.is_some() || self.nkey.is_some() || self.credentials.is_some();
        self.certificate.is_none() && !(known && client.server_info().auth_required)
    }

    /// As this user, who gets the answers in a separate inbox.
    fn options(
        &self,
        name: &str,
        sender: mpsc::UnboundedSender<ConnectionChange>,
    ) -> Result<ConnectOptions, FarmError> {
        let told = Mutex::new(String::new());
        let mut options = ConnectOptions::new()
            .name(name)
            .custom_inbox_prefix(format!("_INBOX_{name}"))
            .request_timeout(Some(REQUEST_TIMEOUT))
            .ping_interval(Duration::from_secs(10))
            .event_callback(move |event| {
                let change = match event {
                    Event::Connected => Some(ConnectionChange::Connected),
                    Event::Disconnected => Some(ConnectionChange::Lost),
                    Event::ServerError(ServerError::AuthorizationViolation) => {
                        Some(ConnectionChange::Refused)
                    }
                    other => {
                        let words = other.to_string();
                        let mut told = lock(&told);
                        // A server that is away for hours says the same at each attempt.
                        if *told != words {
                            tracing::warn!(words, "NATS");
                            *told = words;
                        }
                        None
                    }
                };
                // Nobody may listen any more.
                let _told = change.map(|change| sender.send(change));
                async {}
            });
        if let Some((user, password)) = &self.user {
            options = options.user_and_password(user.clone(), content(password)?);
        }
        if let Some(seed) = &self.nkey {
            options = options.nkey(content(seed)?);
        }
        if let Some(path) = &self.credentials {
            let options_with = options.credentials(&content(path)?);
            options = options_with.map_err(FarmError::of_file(path))?;
        }
        if let Some(path) = &self.authority {
            options = options.add_root_certificates(path.clone());
        }
        if let Some((certificate, key)) = &self.certificate {
            options = options.add_client_certificate(certificate.clone(), key.clone());
        }
        Ok(options.require_tls(self.server.starts_with("tls://")))
    }
}

/// What is wrong with a certificate comes as an error of input, and waiting does not mend it.
fn is_certificate(error: &ConnectError) -> bool {
    let mut causes = std::iter::successors(error.source(), |&cause| cause.source());
    causes.any(|cause| {
        let input = cause.downcast_ref::<io::Error>();
        input.is_some_and(|input| input.kind() == io::ErrorKind::InvalidData)
    })
}
