//! The round that is played, pushed to a broadcast of Lichess: `POST /api/broadcast/round/{id}/push` with its games as PGN
//! (lichess.org/api). What is pushed is `live.pgn`; the program curl does it, so that TLS and certificates are the system's.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::platform::machine::give_way;
use crate::sink::{Sink, SinkError};
use crate::text::{printable, tell};

/// Time between two pushes.
const REST: Duration = Duration::from_secs(3);

/// Where to push, and the token that allows it.
#[derive(Debug, Clone)]
pub(crate) struct BroadcastTarget {
    /// The address of the push.
    pub(crate) address: String,
    /// Of Lichess, with the scope `study:write`.
    pub(crate) token: String,
}

/// Pushes `live.pgn` when it has changed, until the run is over. A push that fails is told once, and tried again.
pub(crate) struct BroadcastSink(Option<(SyncSender<()>, JoinHandle<()>)>);

impl BroadcastSink {
    /// Pushes this file from now on.
    ///
    /// # Errors
    /// The system refuses a thread.
    pub(crate) fn new(file: PathBuf, target: BroadcastTarget) -> Result<BroadcastSink, SinkError> {
        let (changed, changes) = sync_channel(1);
        let thread = Builder::new().name("broadcast".to_owned());
        let pushing = thread.spawn(move || push_all(&file, &target, &changes));
        let pushing = pushing.map_err(SinkError::Output)?;
        Ok(BroadcastSink(Some((changed, pushing))))
    }
}

impl Sink for BroadcastSink {
    fn refresh(&mut self) -> Result<(), SinkError> {
        // One that waits says the same.
        let _waits = self.0.as_ref().map(|(changed, _)| changed.try_send(()));
        Ok(())
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        if let Some((changed, pushing)) = self.0.take() {
            drop(changed);
            // The panic was already printed on stderr.
            let _panicked = pushing.join();
        }
        Ok(())
    }
}

fn push_all(file: &Path, target: &BroadcastTarget, changes: &Receiver<()>) {
    give_way(19);
    let (mut pushed, mut told) = (Vec::new(), String::new());
    loop {
        let is_over = changes.recv().is_err();
        let text = std::fs::read(file).unwrap_or_default();
        if !text.is_empty() && text != pushed {
            let said = match push(file, target) {
                Ok(refused) => refused,
                Err(error) => format!("the broadcast was not reached: {error}"),
            };
            if said.is_empty() {
                pushed = text;
            } else if said != told {
                tell(&format!("warning: {said}"));
            }
            told = said;
        }
        if is_over {
            return;
        }
        // What changes meanwhile is pushed after it.
        let until = Instant::now() + REST;
        while changes
            .recv_timeout(until.saturating_duration_since(Instant::now()))
            .is_ok()
        {}
    }
}

/// Pushes once; what the receiver does not take, in words.
fn push(file: &Path, target: &BroadcastTarget) -> io::Result<String> {
    let mut data = std::ffi::OsString::from("@");
    data.push(file);
    let mut curl = Command::new("curl");
    curl.args([
        "--silent",
        "--show-error",
        "--max-time",
        "10",
        "--header",
        "@-",
        "--data-binary",
    ]);
    let mut curl = curl
        .arg(data)
        .args(["--write-out", "\n%{http_code}", "--url", &target.address])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    // A token in the arguments could be read by others.
    if let Some(mut headers) = curl.stdin.take() {
        let token = target.token.trim();
        write!(
            headers,
            "Authorization: Bearer {token}\nContent-Type: text/plain\n"
        )?;
    }
    Ok(refusal(&curl.wait_with_output()?))
}

/// What is wrong with an answer; nothing if every game was taken.
fn refusal(answer: &Output) -> String {
    let text = String::from_utf8_lossy(&answer.stdout);
    let (body, code) = text.rsplit_once('\n').unwrap_or_default();
    let said: Value = serde_json::from_str(body).unwrap_or_default();
    let mut games = said["games"].as_array().into_iter().flatten();
    let words = match games.find_map(|game| game["error"].as_str()) {
        Some(error) => format!("the broadcast does not take a game: {error}"),
        None if code == "200" => String::new(),
        None => {
            let error = String::from_utf8_lossy(&answer.stderr);
            format!("the broadcast does not take the games ({code}): {body}{error}")
        }
    };
    printable(words.trim()).into_owned()
}
