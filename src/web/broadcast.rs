//! The round that is played, pushed to a broadcast of Lichess: `POST /api/broadcast/round/{id}/push` with its games as PGN
//! (lichess.org/api). What is pushed is `live.pgn`; the program curl does it, so that TLS and certificates are the system's.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use serde_json::Value;

use crate::platform::machine::give_way;
use crate::text::{printable, tell};

/// Time between two pushes.
const PUSH_INTERVAL: Duration = Duration::from_secs(3);

/// Where to push, and the token that allows it.
#[derive(Debug, Clone)]
pub(crate) struct BroadcastTarget {
    /// The address of the push.
    pub(crate) address: String,
    /// Of Lichess, with the scope `study:write`.
    pub(crate) token: String,
}

/// Pushes `live.pgn` when it has changed, until this is dropped, and then its last text. A push that fails is told once,
/// and tried again.
pub(crate) struct Broadcast {
    over: Option<Sender<()>>,
    pushing: Option<JoinHandle<()>>,
}

impl Broadcast {
    /// Pushes this file from now on.
    ///
    /// # Errors
    /// The system refuses a thread.
    pub(crate) fn start(file: PathBuf, target: BroadcastTarget) -> io::Result<Broadcast> {
        let (over, until) = channel();
        let thread = Builder::new().name("broadcast".to_owned());
        let pushing = thread.spawn(move || push_all(&file, &target, &until))?;
        Ok(Broadcast {
            over: Some(over),
            pushing: Some(pushing),
        })
    }
}

impl Drop for Broadcast {
    fn drop(&mut self) {
        self.over = None;
        // The panic was already printed on stderr.
        let _panicked = self.pushing.take().map(JoinHandle::join);
    }
}

fn push_all(file: &Path, target: &BroadcastTarget, over: &Receiver<()>) {
    give_way(19);
    let (mut pushed, mut told) = (Vec::new(), String::new());
    loop {
        let is_over = over.recv_timeout(PUSH_INTERVAL) != Err(RecvTimeoutError::Timeout);
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
    }
}

/// Pushes once; what the receiver does not take, in words.
fn push(file: &Path, target: &BroadcastTarget) -> io::Result<String> {
    let mut data = std::ffi::OsString::from("@");
    data.push(file);
    let mut curl = Command::new("curl");
    curl.args("--silent --show-error --max-time 10 --header @- --data-binary".split(' '));
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
