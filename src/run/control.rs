//! How a run takes commands while it plays: a socket that belongs to the event's folder, one line of JSON each
//! way. Nothing of it is stored as a fact: a pause leaves no trace in the results.

use std::io::{self, BufRead, BufReader, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt};
use tokio::sync::{mpsc, oneshot};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;

use crate::platform::channel::{Connection, Listener, connect};
use crate::text::duration;
use crate::tournament::{PendingReplay, PendingRound};

/// Who connects and says nothing is not waited for longer, nor is a run that does not listen.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(5);

/// A run that listens answers an order at once, unless its machine has too much to do.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);

/// How long a session that ends waits until its answers are read.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(500);

/// After this time a run that does not listen is asked again.
const RETRY_DELAY: Duration = Duration::from_millis(20);

/// The longest request, in bytes.
const MAX_REQUEST_BYTES: u64 = 4096;

/// What a run can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "control", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum ControlRequest {
    /// Hand out no pair until the run continues.
    Pause,
    /// Go on.
    Resume,
    /// So many games at once.
    Concurrency { games: NonZeroUsize },
    /// Come to an end.
    Stop { when: StopWhen },
    /// What runs?
    Status,
}

/// How soon a run comes to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum StopWhen {
    /// When the running pairs are finished.
    AfterPairs,
    /// When all pairs that have been chosen are finished.
    AfterRound,
    /// At once: running games go on in the next run, or are played again.
    Now,
}

/// What a run answers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct ControlReply {
    /// Whether it is done.
    pub done: bool,
    /// For people.
    pub words: String,
    /// What runs, if that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<RunStatus>,
}

/// What a run does at a moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RunStatus {
    /// Whether no pair is handed out.
    pub paused: bool,
    /// The round that it waits for.
    pub waits: Option<PendingRound>,
    /// The games that wait before they are played again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) waiting: Vec<PendingReplay>,
    /// What is known of lanes that did not move any more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overdue: Vec<String>,
    /// Games at once.
    pub concurrency: usize,
    /// The pairs that are being played.
    pub running: Vec<RunningPair>,
    /// What the other machines wait for, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub farm: Option<String>,
    /// The other machines that play.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub workers: Vec<WorkerStatus>,
}

/// Another machine that plays for the run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct WorkerStatus {
    /// The worker's name.
    pub name: String,
    #[serde(flatten)]
    pub machine: HostFacts,
    /// Pairs that it plays now.
    pub playing: usize,
    /// Pairs of it that were stored since the coordinator was started.
    pub pairs: u64,
    /// Its games with a fault among them, and voided ones.
    pub faults: u64,
    /// Results of it that were refused.
    pub refused: u64,
    /// When it was last heard of, in milliseconds since 1970-01-01 UTC.
    pub heard_ms: i64,
    /// Why it does not play, if it does not.
    pub trouble: Option<String>,
}

/// On what a worker plays.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct HostFacts {
    /// The machine's name.
    pub host: String,
    /// What the kernel calls its processor.
    pub processor: String,
    /// Games at once.
    pub lanes: usize,
}

/// The machines that play for a run, as they are at the moment.
#[derive(Debug, Clone, Default)]
pub(crate) struct RemoteStatus {
    /// What it waits for, in words.
    pub waits: Option<String>,
    pub workers: Vec<WorkerStatus>,
}

/// The same for all threads of a run.
pub(crate) type SharedRemoteStatus = Arc<Mutex<RemoteStatus>>;

/// A pair that is being played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RunningPair {
    /// The game that is played now, as its PGN `Round`.
    pub round: String,
    /// White of that game.
    pub white: String,
    /// Black of that game.
    pub black: String,
    /// The start number, if it has one.
    pub number: Option<u32>,
    /// Since when the pair is played, in milliseconds since 1970-01-01 UTC.
    pub since_ms: i64,
}

/// A request, and where its answer goes.
#[derive(Debug)]
pub(crate) struct PendingRequest {
    /// What is asked.
    pub request: ControlRequest,
    /// Who asked waits here.
    pub reply: oneshot::Sender<ControlReply>,
}

/// The socket of a run, until it is [closed](Self::close).
#[derive(Debug)]
pub(crate) struct ControlSocket {
    accepting: JoinHandle<()>,
    closing: oneshot::Sender<()>,
}

impl ControlSocket {
    /// Opens the socket of the event in this folder, which is locked. Must be called in a runtime.
    ///
    /// # Errors
    /// The system refuses a socket.
    pub(crate) fn open(
        folder: &Path,
        asked: mpsc::UnboundedSender<PendingRequest>,
    ) -> io::Result<ControlSocket> {
        let listener = Listener::bind(folder)?;
        let (closing, closed) = oneshot::channel();
        let accepting = tokio::spawn(accept(listener, asked, closed));
        Ok(ControlSocket { accepting, closing })
    }

    /// Closes the socket when what has been answered is told. Requests that have no answer by then get none: who asked
    /// asks the next session of the run, if there is one.
    pub(crate) async fn close(self) {
        let _gone = self.closing.send(());
        let _failed = self.accepting.await;
    }
}

async fn accept(
    mut listener: Listener,
    asked: mpsc::UnboundedSender<PendingRequest>,
    mut closed: oneshot::Receiver<()>,
) {
    let mut conversations = JoinSet::new();
    // An error concerns one connection only, or is temporary: too many open files.
    loop {
        let connection = tokio::select! {
            connection = listener.accept() => connection,
            Some(_) = conversations.join_next() => continue,
            _ = &mut closed => break,
        };
        match connection {
            Ok(connection) => {
                conversations.spawn(serve(connection, asked.clone()));
            }
            Err(error) => {
                tracing::warn!(%error, "a connection to the control socket failed");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
    drop(listener);
    // Who has asked nothing yet is not waited for.
    let told = async { while conversations.join_next().await.is_some() {} };
    let _late = timeout(CLOSE_TIMEOUT, told).await;
}

/// Hears one request and answers it. Whoever breaks off gets no answer.
async fn serve(connection: Connection, asked: mpsc::UnboundedSender<PendingRequest>) {
    let mut line = String::new();
    let (read, mut write) = tokio::io::split(connection);
    let mut read = tokio::io::BufReader::new(read.take(MAX_REQUEST_BYTES));
    let heard = timeout(CONNECTION_TIMEOUT, read.read_line(&mut line)).await;
    if !matches!(heard, Ok(Ok(_))) {
        return;
    }
    let answer = match serde_json::from_str::<ControlRequest>(&line) {
        Ok(request) => {
            let (reply, answer) = oneshot::channel();
            let _over = asked.send(PendingRequest { request, reply });
            match answer.await {
                Ok(answer) => answer,
                // This session is over.
                Err(_) => return,
            }
        }
        Err(error) => ControlReply {
            words: format!("this is no request: {error}"),
            ..ControlReply::default()
        },
    };
    let text = serde_json::json!(answer).to_string() + "\n";
    let _gone = write.write_all(text.as_bytes()).await;
}

/// Asks the session that plays the event in this folder; `None` if none does, or if it ends without an answer.
///
/// # Errors
/// The session does not answer in time, or not in words of this version.
pub(crate) fn ask(folder: &Path, request: ControlRequest) -> io::Result<Option<ControlReply>> {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, TimedOut, WouldBlock};
    let wait = match request {
        ControlRequest::Status => CONNECTION_TIMEOUT,
        _ => ANSWER_TIMEOUT,
    };
    let Some(mut connection) = connect(folder, wait)? else {
        return Ok(None);
    };
    let mut line = String::new();
    let asked = writeln!(connection, "{}", serde_json::json!(request))
        .and_then(|()| BufReader::new(connection).read_line(&mut line));
    match asked {
        Ok(0) => Ok(None),
        Ok(_) => Ok(Some(serde_json::from_str(&line)?)),
        Err(error) => match error.kind() {
            BrokenPipe | ConnectionAborted | ConnectionReset => Ok(None),
            TimedOut | WouldBlock => {
                let wait = duration(wait);
                Err(io::Error::other(format!(
                    "no word within {wait}; it may still do it"
                )))
            }
            _ => Err(error),
        },
    }
}

/// The same, but a session that begins, or ends for the next of the same run, is waited for.
///
/// # Errors
/// As [`ask`].
pub(crate) fn ask_patiently(
    folder: &Path,
    request: ControlRequest,
    is_running: impl Fn() -> bool,
) -> io::Result<Option<ControlReply>> {
    let until = Instant::now() + CONNECTION_TIMEOUT;
    loop {
        // Before the question: who has ended while it was asked is asked once more.
        let running = is_running();
        let reply = ask(folder, request)?;
        if reply.is_some() || !running || Instant::now() > until {
            return Ok(reply);
        }
        std::thread::sleep(RETRY_DELAY);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::platform::runtime;

    #[test]
    fn a_request_is_answered_also_in_a_folder_with_a_long_name() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("x".repeat(200));
        fs::create_dir(&folder).unwrap();
        assert_eq!(ask(&folder, ControlRequest::Pause).unwrap(), None);
        let runtime = runtime().unwrap();
        let (sender, mut requests) = mpsc::unbounded_channel();
        let socket = runtime.block_on(async { ControlSocket::open(&folder, sender).unwrap() });
        let inside = folder.clone();
        let asking = std::thread::spawn(move || ask(&inside, ControlRequest::Status).unwrap());
        runtime.block_on(async {
            let asked = requests.recv().await.unwrap();
            assert_eq!(asked.request, ControlRequest::Status);
            let words = "it plays".to_owned();
            let done = true;
            let reply = ControlReply {
                done,
                words,
                status: None,
            };
            asked.reply.send(reply).unwrap();
            // Until the answer is written.
            tokio::task::yield_now().await;
            while !asking.is_finished() {
                tokio::task::yield_now().await;
            }
        });
        assert_eq!(asking.join().unwrap().unwrap().words, "it plays");
        runtime.block_on(socket.close());
        assert_eq!(ask(&folder, ControlRequest::Pause).unwrap(), None);
    }

    #[test]
    fn a_session_that_ends_tells_what_it_has_answered_and_leaves_the_rest_to_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let runtime = runtime().unwrap();
        let session = || {
            let (sender, requests) = mpsc::unbounded_channel();
            let socket = ControlSocket::open(folder, sender).unwrap();
            (socket, requests)
        };
        let answer = |asked: PendingRequest, words: &str| {
            let words = words.to_owned();
            let reply = ControlReply {
                words,
                ..ControlReply::default()
            };
            asked.reply.send(reply).unwrap();
        };
        let told = std::thread::scope(|scope| {
            let ask = |request| scope.spawn(move || ask_patiently(folder, request, || true));
            runtime.block_on(async {
                let (socket, mut requests) = session();
                let first = ask(ControlRequest::Status);
                let asked = requests.recv().await.unwrap();
                let second = ask(ControlRequest::Pause);
                let unanswered = requests.recv().await.unwrap();
                // Both end with the session, one with an answer.
                answer(asked, "first");
                drop((unanswered, requests));
                socket.close().await;
                let (socket, mut requests) = session();
                let asked = requests.recv().await.unwrap();
                assert_eq!(asked.request, ControlRequest::Pause);
                answer(asked, "second");
                drop(requests);
                socket.close().await;
                [first, second].map(|asking| asking.join().unwrap().unwrap().unwrap().words)
            })
        });
        assert_eq!(told, ["first", "second"]);
    }
}
