//! Debian's Chromium without a window, driven by its DevTools protocol over two pipes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::robust_support::BOUND;
use super::support::missing;

/// A browser with one page.
pub struct Browser {
    process: Child,
    commands: ChildStdin,
    messages: Receiver<Value>,
    session: Option<String>,
    last: u64,
    /// What the page has complained of.
    pub complaints: Vec<String>,
    _profile: TempDir,
}

impl Browser {
    /// Starts it; without Chromium the test prints that it skips.
    pub fn start() -> Option<Browser> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let program = std::env::split_paths(&path)
            .map(|folder| folder.join("chromium"))
            .find(|file| file.is_file());
        let Some(program) = program else {
            missing("chromium is not installed");
            return None;
        };
        let profile = tempfile::tempdir().unwrap();
        // The browser reads commands from descriptor 3 and answers on 4.
        let shell = "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1";
        let mut process = Command::new("sh")
            .args(["-c", shell])
            .arg(program)
            .args(["--headless", "--no-sandbox", "--disable-gpu"])
            .args(["--disable-dev-shm-usage", "--no-first-run"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("--remote-debugging-pipe")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let commands = process.stdin.take().unwrap();
        let answers = process.stdout.take().unwrap();
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            for message in BufReader::new(answers).split(0).map_while(Result::ok) {
                let message = serde_json::from_slice(&message).unwrap();
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut browser = Browser {
            process,
            commands,
            messages,
            session: None,
            last: 0,
            complaints: Vec::new(),
            _profile: profile,
        };
        let target = browser.ask("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = browser.ask("Target.attachToTarget", attach);
        browser.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log"] {
            browser.ask(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    /// Sends a command and waits for its answer.
    pub fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.last += 1;
        let id = self.last;
        let mut command = json!({ "id": id, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            command["sessionId"] = json!(session);
        }
        self.commands
            .write_all(format!("{command}\0").as_bytes())
            .unwrap();
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

    /// Waits until an expression is true.
    pub fn until(&mut self, expression: &str) {
        let wait = format!(
            "new Promise((done) => {{ const look = () => ({expression}) ? done(true) : setTimeout(look, 20); look(); }})"
        );
        self.value(&wait);
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
        let _gone = self.process.kill();
        let _reaped = self.process.wait();
    }
}
