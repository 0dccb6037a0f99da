//! Debian's Chromium without a window, driven by its DevTools protocol over two pipes. All tests of a run share one: its
//! start costs more of the processors than most of what is looked at.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, OnceLock};

use serde_json::{Value, json};

use super::robust_support::BOUND;
use super::support::missing;

/// The process. It ends when its pipes are closed at the end of the run.
struct Chromium {
    commands: Mutex<ChildStdin>,
    /// By session; what has none is for `own`.
    sessions: Mutex<HashMap<String, Sender<Value>>>,
    own: Mutex<Receiver<Value>>,
    last: AtomicU64,
}

impl Chromium {
    fn start(program: &Path) -> Chromium {
        // The browser reads commands from descriptor 3 and answers on 4. Its helpers may write for a moment longer than it.
        let shell = "profile=$(mktemp -d); \"$0\" \"$@\" --user-data-dir=\"$profile\" \
                     3<&0 4>&1 </dev/null >/dev/null 2>&1; \
                     until rm -rf \"$profile\"; do sleep 1; done";
        let mut process = Command::new("sh")
            .args(["-c", shell])
            .arg(program)
            .args(["--headless", "--no-sandbox", "--disable-gpu"])
            .args(["--disable-dev-shm-usage", "--no-first-run"])
            // No process is made for a page that may come.
            .arg("--disable-features=SpareRendererForSitePerProcess")
            .arg("--remote-debugging-pipe")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, own) = channel();
        let answers = process.stdout.take().unwrap();
        let commands = process.stdin.take().unwrap();
        std::thread::spawn(move || {
            read(answers, &sender);
            process.wait()
        });
        Chromium {
            commands: Mutex::new(commands),
            sessions: Mutex::default(),
            own: Mutex::new(own),
            last: AtomicU64::new(0),
        }
    }

    /// Sends a command and returns its number.
    fn send(&self, session: Option<&str>, method: &str, parameters: Value) -> u64 {
        let id = self.last.fetch_add(1, Ordering::Relaxed);
        let mut command = json!({ "id": id, "method": method, "params": parameters });
        if let Some(session) = session {
            command["sessionId"] = json!(session);
        }
        let command = format!("{command}\0");
        // Who waits for the answer sees that the browser is gone.
        let _sent = self.commands.lock().unwrap().write_all(command.as_bytes());
        id
    }

    /// A command to the browser itself, and its answer.
    fn ask(&self, method: &str, parameters: Value) -> Value {
        let own = self.own.lock().unwrap();
        let id = self.send(None, method, parameters);
        loop {
            let message = own.recv_timeout(BOUND).expect("the browser answers");
            if message["id"] == id {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].clone();
            }
        }
    }
}

/// Gives each message to the test whose window it is of.
fn read(answers: ChildStdout, own: &Sender<Value>) {
    for message in BufReader::new(answers).split(0).map_while(Result::ok) {
        let message: Value = serde_json::from_slice(&message).unwrap();
        // Nobody waits for what a window says at its end.
        let _sent = match (message["sessionId"].as_str(), CHROMIUM.get()) {
            (Some(session), Some(Some(browser))) => {
                let sessions = browser.sessions.lock().unwrap();
                sessions.get(session).map(|sender| sender.send(message))
            }
            _ => Some(own.send(message)),
        };
    }
    // It is gone: nobody waits any longer.
    if let Some(Some(browser)) = CHROMIUM.get() {
        browser.sessions.lock().unwrap().clear();
    }
}

static CHROMIUM: OnceLock<Option<Chromium>> = OnceLock::new();

/// The browser of this run; without Chromium the test prints that it skips.
fn chromium() -> Option<&'static Chromium> {
    let browser = CHROMIUM.get_or_init(|| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        // The first draws pages alone, at half of what the second costs, which draws a window round them.
        let found = |name: &&str| {
            let mut files = std::env::split_paths(&path).map(|folder| folder.join(name));
            files.find(|file| file.is_file())
        };
        let names = ["chromium-headless-shell", "chromium"];
        Some(Chromium::start(&names.iter().find_map(found)?))
    });
    if browser.is_none() {
        missing("chromium is not installed");
    }
    browser.as_ref()
}

/// A window with one page, and with storage of its own.
pub struct Browser {
    browser: &'static Chromium,
    context: String,
    session: String,
    messages: Receiver<Value>,
    /// What the page has complained of.
    pub complaints: Vec<String>,
}

impl Browser {
    /// Opens it; without Chromium the test prints that it skips.
    pub fn start() -> Option<Browser> {
        let browser = chromium()?;
        let named = |answer: Value, name: &str| answer[name].as_str().unwrap().to_owned();
        let context = browser.ask("Target.createBrowserContext", json!({}));
        let context = named(context, "browserContextId");
        let target = json!({ "url": "about:blank", "browserContextId": context });
        let target = browser.ask("Target.createTarget", target);
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = named(browser.ask("Target.attachToTarget", attach), "sessionId");
        let (sender, messages) = channel();
        let mut sessions = browser.sessions.lock().unwrap();
        sessions.insert(session.clone(), sender);
        drop(sessions);
        let mut window = Browser {
            browser,
            context,
            session,
            messages,
            complaints: Vec::new(),
        };
        for domain in ["Page", "Runtime", "Log"] {
            window.ask(&format!("{domain}.enable"), json!({}));
        }
        // Only one window has the focus; each believes that it has.
        let focus = json!({ "enabled": true });
        window.ask("Emulation.setFocusEmulationEnabled", focus);
        Some(window)
    }

    /// Sends a command and waits for its answer.
    pub fn ask(&mut self, method: &str, parameters: Value) -> Value {
        let id = self.browser.send(Some(&self.session), method, parameters);
        let answer = self.wait(|message| message["id"] == id);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.messages.recv_timeout(BOUND);
            let message = message.expect("the browser answers");
            if let Some(event) = message["method"].as_str() {
                let complains = match event {
                    "Runtime.exceptionThrown" | "Runtime.consoleAPICalled" => true,
                    "Log.entryAdded" => message["params"]["entry"]["level"] != "verbose",
                    _ => false,
                };
                if complains {
                    self.complaints.push(message["params"].to_string());
                }
            }
            if wanted(&message) {
                return message;
            }
        }
    }

    /// Sets the size of the window.
    pub fn size(&mut self, width: u32, height: u32) {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.ask("Emulation.setDeviceMetricsOverride", size);
    }

    /// Opens an address and waits until it is loaded.
    pub fn open(&mut self, address: &str) {
        self.ask("Page.navigate", json!({ "url": address }));
        self.wait(|message| message["method"] == "Page.loadEventFired");
    }

    /// The value of an expression, or of the promise that it is.
    pub fn value(&mut self, expression: &str) -> Value {
        let parameters = json!({
            "expression": expression, "awaitPromise": true, "returnByValue": true,
        });
        let answer = self.ask("Runtime.evaluate", parameters);
        let failure = &answer["exceptionDetails"];
        assert!(failure.is_null(), "{expression}: {failure}");
        answer["result"]["value"].clone()
    }

    /// Waits until an expression is true; after five minutes it fails with what the page says instead.
    pub fn until(&mut self, expression: &str) {
        let wait = format!(
            "new Promise((done) => {{ const end = Date.now() + 300000; const look = () => ({expression}) ? done(\"\") \
             : Date.now() > end ? done(\"not so: \" + document.body.innerText) : setTimeout(look, 20); look(); }})"
        );
        assert_eq!(self.value(&wait), "", "{expression}");
    }

    /// Presses a key, and lets it go.
    pub fn press(&mut self, key: &str, code: u32) {
        for kind in ["keyDown", "keyUp"] {
            let parameters = json!({
                "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code,
            });
            self.ask("Input.dispatchKeyEvent", parameters);
        }
    }

    /// Presses Enter, which follows a link only with its text.
    pub fn enter(&mut self) {
        for kind in ["keyDown", "keyUp"] {
            let parameters = json!({
                "type": kind, "key": "Enter", "code": "Enter", "text": "\r", "windowsVirtualKeyCode": 13,
            });
            self.ask("Input.dispatchKeyEvent", parameters);
        }
    }

    /// The whole document, without its script.
    pub fn document(&mut self) -> String {
        let root = self.ask("DOM.getDocument", json!({}));
        let node = json!({ "nodeId": root["root"]["nodeId"] });
        let outer = self.ask("DOM.getOuterHTML", node);
        outer["outerHTML"].as_str().unwrap().to_owned()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let mut sessions = self.browser.sessions.lock().unwrap();
        sessions.remove(&self.session);
        drop(sessions);
        let context = json!({ "browserContextId": self.context });
        self.browser
            .send(None, "Target.disposeBrowserContext", context);
    }
}
