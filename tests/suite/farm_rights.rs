//! Who may do what on the server of a farm, and how it is reached.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::farm_guest::Guest;
use super::farm_support::{
    end_both, event, on_every_server, on_every_server_with, wait_for_coordinator, worker,
};
use super::robust_support::{Run, games_by_round};
use super::support::{assert_has, ends, on_one_line};

/// The example of NATS's documentation.
const SEED: &str = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY";
const NKEY: &str = "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4";

/// What a worker may publish, and what not.
const ALLOWED: &str = "
    arbiter960.results.one.event.1
    arbiter960.beats.one
    $JS.ACK.arbiter960-jobs.event.1.2.3.4.5
    $JS.API.STREAM.MSG.GET.arbiter960-event
    $JS.API.CONSUMER.MSG.NEXT.arbiter960-jobs.event";
const FORBIDDEN: &str = "
    arbiter960.jobs.event.1
    arbiter960.event
    arbiter960.results.two.event.1
    arbiter960.beats.two
    arbiter960.receipts.one
    arbiter960.coordinator
    arbiter960.who
    $O.arbiter960-files.C.engine
    $O.arbiter960-files.M.engine
    $JS.ACK.arbiter960-results.event.1.2.3.4.5
    $JS.API.INFO
    $JS.API.STREAM.NAMES
    $JS.API.STREAM.CREATE.other
    $JS.API.STREAM.UPDATE.arbiter960-jobs
    $JS.API.STREAM.DELETE.arbiter960-jobs
    $JS.API.STREAM.PURGE.arbiter960-results
    $JS.API.STREAM.MSG.GET.arbiter960-results
    $JS.API.STREAM.MSG.DELETE.arbiter960-results
    $JS.API.CONSUMER.CREATE.arbiter960-jobs
    $JS.API.CONSUMER.DURABLE.CREATE.arbiter960-jobs.event
    $JS.API.CONSUMER.DELETE.arbiter960-jobs.event
    $JS.API.CONSUMER.MSG.NEXT.arbiter960-results.event";

/// What it may not hear.
const UNHEARD: &str = "> arbiter960.> arbiter960.results.> arbiter960.receipts.two arbiter960.beats.* _INBOX_two.> $JS.API.>";

#[test]
fn the_printed_configuration_lets_a_worker_do_its_work_and_nothing_else() {
    on_every_server(|server| {
        let mut one = Guest::enter(&server, "one");
        for subject in ALLOWED.split_whitespace() {
            one.publish(subject, b"{}");
        }
        for subject in [
            "_INBOX_one.>",
            "arbiter960.receipts.one",
            "arbiter960.coordinator",
        ] {
            one.subscribe(subject);
        }
        // What was allowed above has left no refusal before these.
        for subject in FORBIDDEN.split_whitespace() {
            one.publish(subject, b"{}");
            let refused = one.refused();
            let wanted = format!("publish to \"{}\"", subject.to_lowercase());
            assert!(refused.contains(&wanted), "{subject}: {refused}");
        }
        for subject in UNHEARD.split_whitespace() {
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
        let wanted = "has arbiter960-results with another retention, discard, max_msgs_per_subject, \
                      discard_new_per_subject, max_age than this program makes";
        assert_has(&on_one_line(&coordinator.ends(6)), [wanted]);
    });
}

/// Anyone who reaches a server without users could have programs run by its workers.
#[test]
fn a_worker_refuses_a_server_that_lets_everybody_in() {
    let open = |_: &Path, text: String| text.split("authorization").next().unwrap().to_owned();
    on_every_server_with(open, |server| {
        let farm = event("open");
        let mut refusing = worker(&farm, "one");
        refusing.args(&server.way);
        let mut refusing = Run::spawn(refusing, &farm);
        refusing.ends(6);
        let said = refusing.words();
        assert_has(&said, ["lets everybody in", "--open-server"]);
        let mut coordinator = farm.command(&["--quiet"]);
        coordinator.args(&server.way);
        let mut coordinator = Run::spawn(coordinator, &farm);
        let mut told = worker(&farm, "one");
        told.args(&server.way).arg("--open-server");
        let mut told = Run::spawn(told, &farm);
        end_both(&mut coordinator, &mut told);
        assert_eq!(games_by_round(&farm).len(), 20);
    });
}

fn openssl(folder: &Path, arguments: &str) {
    let mut command = Command::new("openssl");
    ends(0, command.args(arguments.split(' ')).current_dir(folder));
}

/// Another authority, and a server's certificate for this machine.
fn certificates(folder: &Path) {
    let made = "req -newkey rsa:2048 -nodes -keyout";
    openssl(
        folder,
        &format!("{made} ca-key.pem -x509 -out ca.pem -days 2 -subj /CN=farm"),
    );
    openssl(
        folder,
        &format!("{made} server-key.pem -out server.csr -subj /CN=127.0.0.1"),
    );
    fs::write(folder.join("names"), "subjectAltName=IP:127.0.0.1\n").unwrap();
    let signed =
        "x509 -req -in server.csr -CA ca.pem -CAkey ca-key.pem -CAcreateserial -out server.pem";
    openssl(folder, &format!("{signed} -days 2 -extfile names"));
}

#[test]
fn a_farm_with_tls_and_an_nkey_plays_and_others_do_not_come_in() {
    let configure = |folder: &Path, text: String| {
        certificates(folder);
        fs::write(folder.join("seed"), format!("{SEED}\n")).unwrap();
        let own = "user: \"one\", password: \"secret\"";
        assert!(text.contains(own), "{text}");
        let with_key = text.replace(own, &format!("nkey: \"{NKEY}\""));
        let place = |name: &str| format!("\"{}\"", folder.join(name).display());
        let names = ["\"server.pem\"", "\"server-key.pem\""];
        names
            .iter()
            .fold(with_key.replace("# tls", "tls"), |text, name| {
                text.replace(name, &place(name.trim_matches('"')))
            })
    };
    on_every_server_with(configure, |mut server| {
        let authority = server.folder.path().join("ca.pem");
        let address = format!("tls://127.0.0.1:{}", server.port);
        let farm = event("secret");
        // Without the authority nobody talks to this server.
        server.way = vec!["--nats".to_owned(), address];
        let mut lost = server.worker(&farm, "two");
        lost.ends(6);
        let authority = authority.display().to_string();
        server.way.extend(["--nats-ca".to_owned(), authority]);
        let with_key = |seed: &Path| {
            let mut command = worker(&farm, "one");
            command.args(&server.way).arg("--nats-nkey").arg(seed);
            Run::spawn(command, &farm)
        };
        let wrong = server.folder.path().join("wrong");
        let seed = "SUAMLK2ZNL35WSMW37E7UD4VZ7ELPKW7DHC3BWBSD2GCZ7IUQQXZIORRBU";
        fs::write(&wrong, seed).unwrap();
        let mut stranger = with_key(&wrong);
        stranger.ends(6);
        let mut coordinator = server.coordinator(&farm);
        wait_for_coordinator(&coordinator, &farm);
        let mut one = with_key(&server.folder.path().join("seed"));
        end_both(&mut coordinator, &mut one);
        assert_eq!(games_by_round(&farm).len(), 20);
    });
}
