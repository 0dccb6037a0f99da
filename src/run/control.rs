//! How a run takes commands while it plays: a socket in the event's folder, one line of JSON each
//! way. Nothing of it is stored as a fact: a pause leaves no trace in the results.

use std::io::{self, BufRead, BufReader, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::platform::channel::{Connection, Listener, Name, connect};

/// Who connects and says nothing is not waited for longer.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// The longest request, in bytes.
const LONGEST_LINE: u64 = 4096;

/// What a run can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "control", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum ControlRequest {
    /// Hand out no pair until the run continues.
    Pause,
    /// Go on.
    Resume,
    /// So many games at once.
    Concurrency {
        /// Games.
        games: NonZeroUsize,
    },
    /// Come to an end.
    Stop {
        /// How soon.
        when: StopWhen,
    },
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
    /// At once: running games are played again.
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
    /// What it waits for, in words.
    pub waits: Option<String>,
    /// What is known of lanes that did not move any more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overdue: Vec<String>,
    /// Games at once.
    pub concurrency: usize,
    /// The pairs that are being played.
    pub running: Vec<RunningPair>,
    /// What a farm waits for, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub farm: Option<String>,
    /// The machines of a farm that play.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub workers: Vec<WorkerStatus>,
}

/// A machine of a farm.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct WorkerStatus {
    /// The worker's name.
    pub name: String,
    /// The machine's name.
    pub host: String,
    /// What the kernel calls its processor.
    pub processor: String,
    /// Games at once.
    pub lanes: usize,
    /// Pairs that it plays now.
    pub playing: usize,
    /// Pairs of it that were stored since the coordinator was started.
    pub pairs: u64,
    /// Its games with a fault among them, and voided ones.
    pub faults: u64,
    /// Results of it that were refused.
    pub refused: u64,
    /// Nodes a second of the fixed search, when it last had a free lane.
    #[serde(default)]
    pub speed: Option<u64>,
    /// Moves of its games that the coordinator has computed again, and those of them that came out otherwise.
    #[serde(default)]
    pub recomputed: [u64; 2],
    /// When it was last heard of, in milliseconds since 1970-01-01 UTC.
    pub heard_ms: i64,
    /// Why it does not play, if it does not.
    pub trouble: Option<String>,
}

/// A farm, as it is at the moment.
#[derive(Debug, Clone, Default)]
pub(crate) struct FarmStatus {
    /// What it waits for, in words.
    pub waits: Option<String>,
    /// Its machines.
    pub workers: Vec<WorkerStatus>,
}

/// Where a farm is shown.
pub(crate) type FarmShown = Arc<Mutex<FarmStatus>>;

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

/// The socket of a run; it is gone when this is dropped.
#[derive(Debug)]
pub(crate) struct ControlSocket {
    _name: Name,
    accepting: JoinHandle<()>,
}

impl ControlSocket {
    /// Opens the socket of the event in this folder, which is locked. Must be called in a runtime.
    ///
    /// # Errors
    /// The file system knows no sockets, or the system refuses one.
    pub(crate) fn open(
        folder: &Path,
        asked: mpsc::UnboundedSender<PendingRequest>,
    ) -> io::Result<ControlSocket> {
        let (listener, name) = Listener::bind(folder)?;
        let accepting = tokio::spawn(accept(listener, asked));
        Ok(ControlSocket {
            accepting,
            _name: name,
        })
    }
}

impl Drop for ControlSocket {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(mut listener: Listener, asked: mpsc::UnboundedSender<PendingRequest>) {
    // An error concerns one connection only, or is temporary: too many open files.
    loop {
        match listener.accept().await {
            Ok(connection) => {
                tokio::spawn(serve(connection, asked.clone()));
            }
            Err(error) => {
                tracing::warn!(%error, "a connection to the control socket failed");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

/// Hears one request and answers it. Whoever breaks off gets no answer.
async fn serve(connection: Connection, asked: mpsc::UnboundedSender<PendingRequest>) {
    let mut line = String::new();
    let (read, mut write) = tokio::io::split(connection);
    let mut read = tokio::io::BufReader::new(read.take(LONGEST_LINE));
    let heard = timeout(LONGEST_WAIT, read.read_line(&mut line)).await;
    if !matches!(heard, Ok(Ok(_))) {
        return;
    }
    let answer = match serde_json::from_str::<ControlRequest>(&line) {
        Ok(request) => {
            let (reply, answer) = oneshot::channel();
            let _over = asked.send(PendingRequest { request, reply });
            answer.await.unwrap_or_else(|_| ControlReply {
                words: "the run is over".to_owned(),
                ..ControlReply::default()
            })
        }
        Err(error) => ControlReply {
            words: format!("this is no request: {error}"),
            ..ControlReply::default()
        },
    };
    let text = serde_json::json!(answer).to_string() + "\n";
    let _gone = write.write_all(text.as_bytes()).await;
}

/// Asks the run that plays the event in this folder; `None` if none does.
///
/// # Errors
/// The run does not answer.
pub(crate) fn ask(folder: &Path, request: ControlRequest) -> io::Result<Option<ControlReply>> {
    let Some(mut connection) = connect(folder, LONGEST_WAIT)? else {
        return Ok(None);
    };
    writeln!(connection, "{}", serde_json::json!(request))?;
    let mut line = String::new();
    BufReader::new(connection).read_line(&mut line)?;
    Ok(Some(serde_json::from_str(&line)?))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_request_is_answered_also_in_a_folder_with_a_long_name() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("x".repeat(200));
        fs::create_dir(&folder).unwrap();
        assert_eq!(ask(&folder, ControlRequest::Pause).unwrap(), None);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
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
        drop(socket);
        assert_eq!(ask(&folder, ControlRequest::Pause).unwrap(), None);
    }
}
