//! Workers that are hostile, broken or have no right: what the server refuses, and what the coordinator.

use std::fs;
use std::path::Path;
use std::process::Command;

use async_nats::{Client, ConnectOptions, Event as Said, Subscriber};
use futures_util::StreamExt;
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::farm_support::{
    BOUND, Server, end_both, event, on_every_server, on_every_server_with, signal,
    wait_for_coordinator, wait_until, worker,
};
use super::robust_support::{Run, assert_files_whole, fake_engine, games_by_round};
use super::support::{Event, tool, words};

/// The example of NATS's documentation.
const SEED: &str = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY";
const NKEY: &str = "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4";

/// A connection of the test's own.
struct Guest {
    runtime: Runtime,
    client: Client,
    refusals: mpsc::UnboundedReceiver<String>,
}

impl Guest {
    fn enter(server: &Server, user: &str) -> Guest {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
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

    fn publish(&self, subject: &str, bytes: &[u8]) {
        let bytes = bytes.to_vec().into();
        self.runtime.block_on(async {
            self.client
                .publish(subject.to_owned(), bytes)
                .await
                .unwrap();
            self.client.flush().await.unwrap();
        });
    }

    fn subscribe(&self, subject: &str) -> Subscriber {
        self.runtime.block_on(async {
            let subscriber = self.client.subscribe(subject.to_owned()).await.unwrap();
            self.client.flush().await.unwrap();
            subscriber
        })
    }

    /// The next thing that the server refuses.
    fn refused(&mut self) -> String {
        let next = self.refusals.recv();
        let refused = self.runtime.block_on(async { timeout(BOUND, next).await });
        refused.expect("a refusal").unwrap()
    }

    /// The coordinator's next answer.
    fn receipt(&self, receipts: &mut Subscriber) -> Value {
        let message = self
            .runtime
            .block_on(async { timeout(BOUND, receipts.next()).await });
        serde_json::from_slice(&message.expect("an answer").unwrap().payload).unwrap()
    }

    /// How many messages a stream has.
    fn waiting(&self, stream: &str) -> u64 {
        let _inside = self.runtime.enter();
        let context = async_nats::jetstream::new(self.client.clone());
        self.runtime.block_on(async {
            let stream = context.get_stream(stream).await;
            match stream {
                Ok(mut stream) => stream.info().await.unwrap().state.messages,
                Err(_) => 0,
            }
        })
    }

    fn purge(&self, stream: &str) {
        let _inside = self.runtime.enter();
        let context = async_nats::jetstream::new(self.client.clone());
        self.runtime.block_on(async {
            let stream = context.get_stream(stream).await.unwrap();
            stream.purge().await.unwrap();
        });
    }
}

#[test]
fn the_printed_configuration_lets_a_worker_do_its_work_and_nothing_else() {
    on_every_server(|server| {
        let mut one = Guest::enter(&server, "one");
        let allowed = [
            "arbiter960.results.one.event.1",
            "arbiter960.beats.one",
            "$JS.ACK.arbiter960-jobs.event.1.2.3.4.5",
            "$JS.API.STREAM.MSG.GET.arbiter960-event",
            "$JS.API.CONSUMER.MSG.NEXT.arbiter960-jobs.event",
        ];
        for subject in allowed {
            one.publish(subject, b"{}");
        }
        for subject in [
            "_INBOX_one.>",
            "arbiter960.receipts.one",
            "arbiter960.coordinator",
        ] {
            one.subscribe(subject);
        }
        let forbidden = [
            "arbiter960.jobs.event.1",
            "arbiter960.event",
            "arbiter960.results.two.event.1",
            "arbiter960.beats.two",
            "arbiter960.receipts.one",
            "arbiter960.coordinator",
            "arbiter960.who",
            "$O.arbiter960-files.C.engine",
            "$O.arbiter960-files.M.engine",
            "$JS.ACK.arbiter960-results.event.1.2.3.4.5",
            "$JS.API.INFO",
            "$JS.API.STREAM.NAMES",
            "$JS.API.STREAM.CREATE.other",
            "$JS.API.STREAM.UPDATE.arbiter960-jobs",
            "$JS.API.STREAM.DELETE.arbiter960-jobs",
            "$JS.API.STREAM.PURGE.arbiter960-results",
            "$JS.API.STREAM.MSG.GET.arbiter960-results",
            "$JS.API.STREAM.MSG.DELETE.arbiter960-results",
            "$JS.API.CONSUMER.CREATE.arbiter960-jobs",
            "$JS.API.CONSUMER.DURABLE.CREATE.arbiter960-jobs.event",
            "$JS.API.CONSUMER.DELETE.arbiter960-jobs.event",
            "$JS.API.CONSUMER.MSG.NEXT.arbiter960-results.event",
        ];
        // What was allowed above has left no refusal before these.
        for subject in forbidden {
            one.publish(subject, b"{}");
            let refused = one.refused();
            let wanted = format!("publish to \"{}\"", subject.to_lowercase());
            assert!(refused.contains(&wanted), "{subject}: {refused}");
        }
        let unheard = [
            ">",
            "arbiter960.>",
            "arbiter960.results.>",
            "arbiter960.receipts.two",
            "arbiter960.beats.*",
            "_INBOX_two.>",
            "$JS.API.>",
        ];
        for subject in unheard {
            one.subscribe(subject);
            let refused = one.refused();
            let wanted = format!("subscription to \"{}\"", subject.to_lowercase());
            assert!(refused.contains(&wanted), "{subject}: {refused}");
        }
    });
}

#[test]
fn a_stream_that_somebody_has_made_otherwise_is_named_and_not_used() {
    on_every_server(|server| {
        let guest = Guest::enter(&server, "coordinator");
        let inside = guest.runtime.enter();
        let context = async_nats::jetstream::new(guest.client.clone());
        drop(inside);
        let config = async_nats::jetstream::stream::Config {
            name: "arbiter960-results".to_owned(),
            subjects: vec!["arbiter960.results.>".to_owned()],
            max_age: std::time::Duration::from_secs(3600),
            ..Default::default()
        };
        guest.runtime.block_on(async {
            context.create_stream(config).await.unwrap();
        });
        let farm = event("otherwise");
        let mut coordinator = server.coordinator(&farm);
        assert_eq!(coordinator.end(BOUND).code(), Some(6));
        let said = coordinator.words();
        let wanted = "has arbiter960-results with another retention, discard, max_msgs_per_subject, \
                      discard_new_per_subject, max_age than this program makes";
        assert!(
            said.split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
                .contains(wanted),
            "{said}"
        );
    });
}

/// Results of all ten pairs, as an honest worker has them on its disk; nobody has heard of them.
fn honest_results(server: &Server, farm: &Event) -> Vec<Value> {
    let guest = Guest::enter(server, "coordinator");
    let mut coordinator = server.coordinator(farm);
    wait_until(&coordinator, || guest.waiting("arbiter960-jobs") == 10);
    signal(&coordinator, Signal::KILL);
    coordinator.child.wait().unwrap();
    let mut one = server.worker(farm, "one");
    let spool = farm.folder().join("one/spool");
    let kept = || {
        let entries = fs::read_dir(&spool).into_iter().flatten().flatten();
        let paths = entries.map(|entry| entry.path());
        let mut paths: Vec<_> = paths
            .filter(|path| path.extension().is_some_and(|name| name == "json"))
            .collect();
        paths.sort();
        paths
    };
    wait_until(&one, || kept().len() == 10);
    signal(&one, Signal::TERM);
    assert_eq!(one.end(BOUND).code(), Some(143), "{}", one.words());
    guest.purge("arbiter960-results");
    let read = |path| serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    kept().into_iter().map(read).collect()
}

/// A change in the text of the moves of the first game.
fn with_moves(result: &Value, change: impl Fn(&mut Vec<Value>)) -> Value {
    let mut result = result.clone();
    let text = result["games"][0]["moves"].as_str().unwrap();
    let mut moves: Vec<Value> = serde_json::from_str(text).unwrap();
    change(&mut moves);
    result["games"][0]["moves"] = json!(serde_json::to_string(&moves).unwrap());
    result
}

fn with(result: &Value, key: &str, value: Value) -> Value {
    let mut result = result.clone();
    result[key] = value;
    result
}

#[test]
fn a_hostile_worker_is_refused_and_the_event_is_that_of_one_machine() {
    on_every_server(|server| {
        let whole = event("hostile");
        whole.run_well(&["--quiet"]);
        let farm = event("hostile");
        let honest = honest_results(&server, &farm);
        let own: Vec<Value> = honest
            .iter()
            .map(|result| with(result, "worker", json!("two")))
            .collect();
        let mut coordinator = server.coordinator(&farm);
        let two = Guest::enter(&server, "two");
        let mut receipts = two.subscribe("arbiter960.receipts.two");
        let told = Guest::enter(&server, "coordinator");
        wait_until(&coordinator, || told.waiting("arbiter960-jobs") > 0);
        let send = |number: &Value, bytes: &[u8]| {
            let name = honest[0]["event"].as_str().unwrap();
            two.publish(&format!("arbiter960.results.two.{name}.{number}"), bytes);
        };
        let mut answer = |result: &Value| {
            send(&result["pair"], &serde_json::to_vec(result).unwrap());
            let receipt = two.receipt(&mut receipts);
            assert_eq!(receipt["pair"], result["pair"]);
            let words = receipt["words"].as_str().unwrap().to_owned();
            (receipt["stored"].as_bool().unwrap(), words)
        };
        let mut refused = |result: &Value, why: &str| {
            let (stored, words) = answer(result);
            assert!(!stored && words.contains(why), "{why}: {words}");
        };
        let clock = with_moves(&own[0], |moves| {
            moves[3][2] = json!(moves[3][1].as_u64().unwrap() - 1)
        });
        refused(&clock, "it was made before the one before it");
        let engines = with(&own[1], "engines", json!(["0".repeat(64), null]));
        refused(&engines, "other engines");
        // A result that is in order: two refused ones are no habit yet.
        assert_eq!(answer(&own[2]), (true, "stored".to_owned()));
        let illegal = with_moves(&own[3], |moves| moves[5][0] = json!("a1a8"));
        let (stored, words) = answer(&illegal);
        assert!(!stored, "{words}");
        let cut_short = with_moves(&own[3], |moves| moves.truncate(4));
        let (stored, words) = answer(&cut_short);
        assert!(!stored, "{words}");
        // Once more what is stored: thrown away, and not counted.
        assert_eq!(
            answer(&own[2]),
            (true, "another was stored before".to_owned())
        );
        assert_eq!(answer(&own[4]), (true, "stored".to_owned()));
        let other_pair = with(&own[5], "pair", json!(6));
        let (stored, words) = answer(&other_pair);
        assert!(
            !stored && words.contains("which is none of its pair"),
            "{words}"
        );
        let newer = with(&own[5], "version", json!(99));
        let (stored, words) = answer(&newer);
        assert!(!stored && words.contains("version 99"), "{words}");
        // The third in a row.
        let unasked = with(&own[5], "pair", json!(9_999_999));
        let (stored, words) = answer(&unasked);
        assert!(!stored && words.contains("nobody has asked"), "{words}");
        let (stored, words) = answer(&own[6]);
        assert!(!stored && words.contains("quarantined"), "{words}");
        send(&json!("no-pair"), b"\xff\x00 no JSON");
        let receipt = two.receipt(&mut receipts);
        assert_eq!(receipt["stored"], json!(false));
        // It is shown within a second.
        wait_until(&coordinator, || {
            let status = tool(&["status", farm.results().to_str().unwrap()]);
            status.contains("quarantined: 3 results in a row were refused")
        });
        let mut one = server.worker(&farm, "one");
        let ended = coordinator.end(BOUND);
        assert!(ended.success(), "{ended} {}", coordinator.words());
        signal(&one, Signal::TERM);
        one.end(BOUND);
        assert_eq!(games_by_round(&farm), games_by_round(&whole));
        assert_files_whole(&farm);
        let record = farm.read("workers.jsonl");
        let thrown_away = "\"thrown_away\":true";
        assert!(record.contains(thrown_away), "{record}");
        let counted = record.lines().filter(|line| !line.contains(thrown_away));
        assert_eq!(counted.count(), 10, "{record}");
        let log = farm.read("log/run.log");
        for why in [
            "other engines",
            "nobody has asked",
            "a worker is quarantined",
        ] {
            assert!(log.contains(why), "{why}: {log}");
        }
    });
}

#[test]
fn what_a_worker_has_played_is_played_again_after_a_purge() {
    on_every_server(|server| {
        let whole = event("purge");
        whole.run_well(&["--quiet"]);
        let farm = event("purge");
        let mut coordinator = server.coordinator(&farm);
        let mut one = server.worker(&farm, "one");
        let ended = coordinator.end(BOUND);
        assert!(ended.success(), "{ended} {}", coordinator.words());
        signal(&one, Signal::TERM);
        one.end(BOUND);
        let folder = farm.results();
        let folder = folder.to_str().unwrap();
        let decide = |who: &str| {
            let mut command = super::support::arbiter960();
            command.args(["decide", folder, "purge", who, "--reason", "it was hot"]);
            command.output().unwrap()
        };
        let unknown = decide("onne");
        assert_eq!(unknown.status.code(), Some(2));
        assert!(
            words(&unknown).contains("did you mean \"one\"?"),
            "{}",
            words(&unknown)
        );
        let purged = decide("one");
        assert!(purged.status.success(), "{}", words(&purged));
        assert!(tool(&["status", folder]).contains("missing"));
        assert_eq!(games_by_round(&farm).len(), 0);
        let book = tool(&["decide", folder, "list"]);
        let line = "the 20 games of worker one are played again (it was hot)";
        assert!(book.contains(line), "{book}");
        // Nothing of it counts any more: there is nothing left to purge.
        assert_eq!(decide("one").status.code(), Some(2));
        farm.run_well(&["--quiet"]);
        assert_eq!(games_by_round(&farm), games_by_round(&whole));
        assert_files_whole(&farm);
    });
}

fn openssl(folder: &Path, arguments: &str) {
    let mut command = Command::new("openssl");
    let output = command
        .args(arguments.split(' '))
        .current_dir(folder)
        .output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", words(&output));
}

/// An authority of its own, and a server's certificate for this machine.
fn certificates(folder: &Path) {
    openssl(
        folder,
        "req -x509 -newkey rsa:2048 -nodes -keyout ca-key.pem -out ca.pem -days 2 -subj /CN=farm",
    );
    openssl(
        folder,
        "req -newkey rsa:2048 -nodes -keyout server-key.pem -out server.csr -subj /CN=127.0.0.1",
    );
    fs::write(folder.join("names"), "subjectAltName=IP:127.0.0.1\n").unwrap();
    openssl(
        folder,
        "x509 -req -in server.csr -CA ca.pem -CAkey ca-key.pem -CAcreateserial -out server.pem -days 2 -extfile names",
    );
}

#[test]
fn a_farm_with_tls_and_an_nkey_plays_and_others_do_not_come_in() {
    let configure = |folder: &Path, text: String| {
        certificates(folder);
        fs::write(folder.join("seed"), format!("{SEED}\n")).unwrap();
        let own = "user: \"one\", password: \"secret\"";
        assert!(text.contains(own), "{text}");
        let with_key = text.replace(own, &format!("nkey: \"{NKEY}\""));
        let place = |name: &str| folder.join(name).display().to_string();
        with_key
            .replace("# tls", "tls")
            .replace("\"server.pem\"", &format!("\"{}\"", place("server.pem")))
            .replace(
                "\"server-key.pem\"",
                &format!("\"{}\"", place("server-key.pem")),
            )
    };
    on_every_server_with(configure, |mut server| {
        let authority = server.folder.path().join("ca.pem");
        let address = format!("tls://127.0.0.1:{}", server.port);
        let farm = event("secret");
        // Without the authority nobody talks to this server.
        server.way = vec!["--nats".to_owned(), address];
        let mut lost = server.worker(&farm, "two");
        assert_eq!(lost.end(BOUND).code(), Some(6), "{}", lost.words());
        let authority = authority.display().to_string();
        server.way.extend(["--nats-ca".to_owned(), authority]);
        let with_key = |seed: &Path| {
            let mut command = worker(&farm, "one");
            command.args(&server.way).arg("--nats-nkey").arg(seed);
            Run::spawn(command, &farm)
        };
        let wrong = server.folder.path().join("wrong");
        fs::write(
            &wrong,
            "SUAMLK2ZNL35WSMW37E7UD4VZ7ELPKW7DHC3BWBSD2GCZ7IUQQXZIORRBU",
        )
        .unwrap();
        let mut stranger = with_key(&wrong);
        assert_eq!(stranger.end(BOUND).code(), Some(6), "{}", stranger.words());
        let mut coordinator = server.coordinator(&farm);
        wait_for_coordinator(&coordinator, &farm);
        let mut one = with_key(&server.folder.path().join("seed"));
        end_both(&mut coordinator, &mut one);
        assert_eq!(games_by_round(&farm).len(), 20);
    });
}

#[test]
fn an_engine_that_is_not_installed_comes_from_the_object_store() {
    on_every_server(|server| {
        let folder = tempfile::tempdir().unwrap();
        let engine = folder.path().join("engine-of-the-farm");
        fs::copy(fake_engine(), &engine).unwrap();
        let text = format!(
            "positions.numbers = [0, 1]\ntime.nodes = 100\nadjudication.max_moves = 6\n\
             [[engine]]\nname = \"A\"\ncommand = {engine:?}\n[[engine]]\nname = \"B\"\ncommand = {engine:?}\n"
        );
        let farm = Event::new("engines", &text);
        let mut coordinator = server.coordinator(&farm);
        let guest = Guest::enter(&server, "coordinator");
        wait_until(&coordinator, || guest.waiting("arbiter960-jobs") == 2);
        let digest = {
            use sha2::{Digest, Sha256};
            let digest = Sha256::digest(fs::read(&engine).unwrap());
            digest
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect::<String>()
        };
        // Another program at its place is not taken for it.
        fs::remove_file(&engine).unwrap();
        fs::copy("/bin/true", &engine).unwrap();
        let mut one = server.worker(&farm, "one");
        end_both(&mut coordinator, &mut one);
        let fetched = farm
            .folder()
            .join("one/files")
            .join(digest)
            .join("engine-of-the-farm");
        assert_eq!(fs::read(fetched).unwrap(), fs::read(fake_engine()).unwrap());
        assert_eq!(games_by_round(&farm).len(), 4);
    });
}
