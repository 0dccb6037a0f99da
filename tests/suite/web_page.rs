//! The live page: what programs are answered, and what a real browser makes of it while an event is
//! played.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};

use flate2::read::GzDecoder;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::browser::Browser;
use super::support::{
    self, Event, arbiter960, assert_described, assert_has, assert_lacks, wait_until,
};

const PLAYERS: &str = "\n[[engine]]\nname = \"One <script>document.title = 'taken over'</script>\"\n\
    builtin = \"sparring\"\noptions = { Strength = 6 }\n\
    [[engine]]\nname = \"Two\"\nbuiltin = \"sparring\"\noptions = { Strength = 7 }\n";

/// An event with two lanes that takes a while.
pub fn long_event(name: &str) -> Event {
    let text = "event.concurrency = 2\npositions.numbers = [\"0-99\"]\ntime.control = \"60+1\"\n\
        adjudication.draw = { from_move = 1, moves = 90, centipawns = 2000 }\n";
    Event::new(name, &format!("{text}{PLAYERS}"))
}

fn short_event(name: &str) -> Event {
    let event = Event::new(name, &format!("{SHORT}{PLAYERS}"));
    event.run_well(&["--quiet"]);
    event
}

/// Four games that are over at once.
const SHORT: &str = "positions.numbers = [500, 518]\ntime.depth = 1\nadjudication.max_moves = 5\n";

/// A process that serves, ended with the test.
pub struct Served {
    child: Child,
    pub address: String,
}

impl Served {
    /// `serve` of these folders.
    pub fn stored(events: &[&Event]) -> Served {
        Served::stored_by(arbiter960(), events)
    }

    /// The same by a command that ends with this program.
    fn stored_by(mut command: Command, events: &[&Event]) -> Served {
        command.arg("serve").args(["--address", "0"]);
        command.args(events.iter().map(|event| event.results()));
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        let address = line.trim().trim_start_matches("http://");
        let address = address.trim_end_matches('/').to_owned();
        Served { address, child }
    }

    /// `run --web` of an event, once there is a page.
    pub fn played(event: &Event) -> Served {
        Served::played_with(event, &[]).0
    }

    /// The same with these options, and what it says on its terminal.
    pub fn played_with(event: &Event, options: &[&str]) -> (Served, Receiver<String>) {
        let usual = ["--web", "0", "--no-report"];
        let mut command = event.command(&[&usual, options].concat());
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (sender, said) = channel();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let line = lines.by_ref().map_while(Result::ok).find_map(|line| {
            sender.send(line.clone()).unwrap();
            Some(line.split_once("watched at http://")?.1.to_owned())
        });
        let address = line.expect("the address is told");
        let address = address.trim_end_matches('/').to_owned();
        // What follows is read, whether anybody wants it or not.
        std::thread::spawn(move || {
            let lines = lines.map_while(Result::ok);
            lines.for_each(|line| drop(sender.send(line)));
        });
        let served = Served { child, address };
        // Until it has begun there are words to wait by.
        wait_until(|| served.get("/", "").status() == 200, String::new);
        (served, said)
    }

    pub fn ask(&self, request: &str) -> Answer {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        // A refused connection may be closed before all of the request was read.
        let _closed = stream.read_to_end(&mut bytes);
        let end = bytes.windows(4).position(|part| part == b"\r\n\r\n");
        let end = end.unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&bytes)));
        let body = bytes.split_off(end + 4);
        let head = String::from_utf8(bytes).unwrap();
        Answer { head, body }
    }

    /// GET without a connection that stays.
    pub fn get(&self, path: &str, headers: &str) -> Answer {
        self.ask(&format!("GET {path} HTTP/1.0\r\n{headers}\r\n"))
    }

    pub fn text(&self, path: &str) -> String {
        let answer = self.get(path, "");
        assert_eq!(answer.status(), 200, "{path}: {}", answer.head);
        String::from_utf8(answer.body).unwrap()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _reaped = self.child.wait();
    }
}

pub struct Answer {
    head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn status(&self) -> u16 {
        self.head.split(' ').nth(1).unwrap().parse().unwrap()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let start = format!("{name}: ");
        self.head.lines().find_map(|line| line.strip_prefix(&start))
    }
}

#[test]
fn programs_find_every_file_with_a_tag_and_compressed() {
    let event = short_event("served");
    let served = Served::stored(&[&event]);
    for file in ["standings.json", "crosstable.json"] {
        let told = support::json(&served.text(&format!("/{file}")));
        assert_eq!(told, event.parsed(file), "{file}");
    }
    assert_eq!(served.text("/games.pgn"), event.read("games.pgn"));
    assert_eq!(served.text("/report.html"), event.read("report.html"));
    assert_eq!(served.text("/live.pgn").matches("[Round ").count(), 4);
    assert_eq!(served.get("/schedule.json", "").status(), 404);
    for round in ["1.1", "2.2"] {
        let game = support::json(&served.text(&format!("/games/{round}.json")));
        let text = served.text(&format!("/games/{round}.pgn"));
        let result = game["result"].as_str().unwrap();
        let fen = game["fen"].as_str().unwrap();
        assert_has(&text, [&format!("[Round \"{round}\"]"), fen]);
        assert!(text.trim_end().ends_with(result), "{game}: {text}");
    }
    for unknown in ["9.9.json", "1.json", "1.1", "1.1.html", "../event.db"] {
        let answer = served.get(&format!("/games/{unknown}"), "");
        assert_eq!(answer.status(), 404, "{unknown}");
    }
    let lines = served.text("/events.ndjson");
    let lines: Vec<Value> = lines.lines().map(support::json).collect();
    lines.iter().for_each(assert_described);
    let kinds = lines.iter().map(|line| line["type"].as_str().unwrap());
    let kinds: Vec<&str> = kinds.collect();
    assert_eq!(kinds.join(" "), "start game game game game progress");
    for path in ["/standings.json", "/games.pgn", "/events.ndjson", "/"] {
        // The page is another one when its figures have been drawn.
        let (plain, compressed) = loop {
            let plain = served.get(path, "");
            let compressed = served.get(path, "Accept-Encoding: gzip\r\n");
            if served.get(path, "").body == plain.body {
                break (plain, compressed);
            }
        };
        let tag = plain.header("etag").expect(path);
        let encoding = compressed.header("content-encoding");
        assert_eq!(encoding, Some("gzip"), "{path}");
        let mut unpacked = Vec::new();
        let mut decoder = GzDecoder::new(compressed.body.as_slice());
        decoder.read_to_end(&mut unpacked).unwrap();
        assert_eq!(unpacked, plain.body, "{path}");
        if path != "/" {
            let again = served.get(path, &format!("If-None-Match: {tag}\r\n"));
            assert_eq!((again.status(), again.body.len()), (304, 0), "{path}");
        }
    }
}

#[test]
fn a_page_is_read_only_and_reaches_nothing_else() {
    let event = short_event("walls");
    fs::write(event.results().join("secret.txt"), "secret").unwrap();
    let served = Served::stored(&[&event]);
    let inside = "/event.db /secret.txt /../event.toml /log/run.log //etc/passwd /%2e%2e/event.toml /1/standings.json /desk";
    for path in inside.split(' ') {
        assert_eq!(served.get(path, "").status(), 404, "{path}");
    }
    for method in ["POST", "PUT", "DELETE", "PATCH"] {
        for path in ["/", "/desk", "/desk/enter"] {
            let asked = format!("{method} {path} HTTP/1.0\r\nContent-Length: 0\r\n\r\n");
            assert_eq!(served.ask(&asked).status(), 405, "{method} {path}");
        }
    }
    let head = served.ask("HEAD / HTTP/1.0\r\n\r\n");
    assert_eq!((head.status(), head.body.len()), (200, 0));
    assert_eq!(served.get("/", "Host: rebound.example\r\n").status(), 421);
    assert_eq!(served.get("/", "Host: localhost:1\r\n").status(), 200);
    let long = format!("X-Long: {}\r\n", "x".repeat(20_000));
    assert_eq!(served.get("/", &long).status(), 431);
    assert_eq!(served.get("/", &"X-Many: y\r\n".repeat(100)).status(), 431);
    let page = served.get("/", "");
    let policy = page.header("content-security-policy").unwrap();
    let strict = "default-src 'none'; script-src 'self';";
    assert!(policy.starts_with(strict), "{policy}");
    assert_lacks(policy, ["unsafe"]);
    let text = String::from_utf8(page.body.clone()).unwrap();
    assert_has(&text, ["One &lt;script&gt;"]);
    assert_eq!(text.matches("<script").count(), 1, "{text}");
    // A refused address is reported, and nothing is played.
    let taken = long_event("taken").ends(2, &["--web", &served.address]);
    assert_has(&taken, ["cannot listen at"]);
}

#[test]
fn a_client_with_many_streams_keeps_nobody_out() {
    let event = short_event("streams");
    // Half of the files that it may open are for connections.
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -n 96; exec \"$0\" \"$@\""]);
    command.arg(arbiter960().get_program());
    let served = Served::stored_by(command, &[&event]);
    let stream = |_| {
        let mut stream = TcpStream::connect(&served.address).unwrap();
        // Refused and closed, if it is one too many.
        let _closed = stream.write_all(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
        stream
    };
    let streams: Vec<TcpStream> = (0..100).map(stream).collect();
    served.text("/standings.json");
    let mut last = streams.last().unwrap();
    let mut begin = [0; 15];
    last.read_exact(&mut begin).unwrap();
    assert_eq!(&begin, b"HTTP/1.1 200 OK");
}

#[test]
fn several_events_have_a_list() {
    let (one, two) = (short_event("first"), short_event("second"));
    let served = Served::stored(&[&one, &two]);
    let index = served.text("/");
    assert_has(&index, ["href=\"1/\"", "second"]);
    assert_has(&served.text("/2/"), ["<h1>second</h1>"]);
    assert_has(&served.text("/1/standings.json"), ["\"first\""]);
    assert_eq!(served.get("/3/", "").status(), 404);
    assert_eq!(served.get("/0/", "").status(), 404);
}

#[test]
fn a_page_of_a_stored_event_follows_its_store() {
    let event = short_event("grows");
    let served = Served::stored(&[&event]);
    let tables = served.text("/tables.html");
    assert_has(&tables, ["4 games and 2 complete pairs"]);
    let mut viewer = TcpStream::connect(&served.address).unwrap();
    let asked = b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n";
    viewer.write_all(asked).unwrap();
    let mut lines = BufReader::new(viewer).lines().map_while(Result::ok);
    assert!(lines.any(|line| line == "event: now"), "no first message");
    let forfeit = ["decide", "forfeit", "1.1", "--loser", "white"];
    event.ask(&[&forfeit[..], &["--reason", "a test"]].concat());
    // The first lines of an event that is over come on their own, when its statistics are there.
    let book = || served.text("/tables.html").contains("The arbiter's book");
    let told = lines.any(|line| line == "event: tables" && book());
    assert!(told, "it was not told");
}

/// The number of half-moves on the first board, from its label.
const PLIES: &str = "Number((document.querySelector('.game .board')?.getAttribute('aria-label') || '0').replace(/\\D/g, ''))";

#[test]
fn boards_follow_and_clocks_run_in_a_browser_while_an_event_is_played() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let event = long_event("watched");
    let mut served = Served::played(&event);
    browser.open(&format!("http://{}/", served.address));
    browser.until("document.documentElement.dataset.ready === 'yes'");
    browser.until("document.querySelectorAll('.game').length === 2");
    assert_eq!(browser.value("document.title"), "watched · arbiter960");
    let names = "[...document.querySelectorAll('.game .name')].some((name) => name.textContent.includes('<script>'))";
    assert_eq!(browser.value(names), true);
    // A clock runs between two moves, and boards follow.
    browser.until(&format!(
        "(() => {{ const clock = document.querySelector('.game .turn .clock'); const now = [{PLIES}, clock && clock.textContent]; \
         const was = window.was; window.was = now; return was && was[0] === now[0] && was[1] && now[1] && was[1] !== now[1]; }})()"
    ));
    let plies = browser.value(PLIES).as_u64().unwrap();
    browser.until(&format!("{PLIES} > {plies} + 2 || {PLIES} < {plies}"));
    browser.until("document.querySelectorAll('.game .piece').length > 8");
    browser.until("document.querySelector('.game .arrow') !== null");
    browser.until("/depth/.test(document.querySelector('.game .pv .depth')?.textContent || '')");
    // How far the rules of the event are from ending the game.
    browser.until("/draw: [1-9]\\d* of 90 moves/.test(document.querySelector('.game .nearing')?.textContent || '')");
    // The moves on the page equal those in the file for broadcasts.
    let start = "document.querySelector('.game .moves').textContent.split(' ')[1]";
    let first = browser.value(start);
    let live = served.text("/live.pgn");
    let first = format!("1. {} ", first.as_str().unwrap());
    assert_has(&live, [&*first, "[FEN \""]);
    // Nothing has moved but what is played.
    let moved = "new Promise((done) => { const moved = []; const look = new PerformanceObserver((list) => { \
         list.getEntries().forEach((one) => moved.push([one.value, one.startTime, ...one.sources.map((source) => \
         (source.node?.outerHTML || '').slice(0, 80) + JSON.stringify([source.previousRect, source.currentRect]))])); done(moved); }); \
         look.observe({ type: 'layout-shift', buffered: true }); requestAnimationFrame(() => setTimeout(() => done(moved), 200)); })";
    let moved = browser.value(moved);
    let sum: f64 = moved
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one[0].as_f64().unwrap())
        .sum();
    assert!(sum < 0.02, "layout shift {moved}");
    // Both engines' figures and expected lines stand beside the large board, and a step back stays where it is.
    browser.value("document.querySelector('.game .field').click()");
    browser.until("document.querySelectorAll('.viewer[open] .figures tbody tr').length === 6");
    browser.until("document.querySelectorAll('.viewer .expects .piece').length > 4");
    browser.press("ArrowLeft", 37);
    let step = browser.value("document.getElementById('viewer').dataset.ply");
    browser.press("Escape", 27);
    assert!(step.as_str().unwrap().parse::<u32>().is_ok(), "{step}");
    // A followed engine's game is opened.
    browser.value("location.hash = 'engine=Two'");
    browser.until("document.querySelector('.viewer[open] .follow[aria-pressed=true]')?.getAttribute('aria-label').includes('Two')");
    // One board for a broadcast, with nothing behind it.
    browser.open(&format!("http://{}/overlay?engine=Two", served.address));
    let one = "document.documentElement.dataset.ready === 'yes' && [...document.querySelectorAll('.game')].filter((game) => game.offsetHeight > 0).length === 1";
    browser.until(one);
    let seen = "[getComputedStyle(document.body).backgroundColor, document.querySelector('header').offsetHeight < 2, \
         document.getElementById('tables').offsetHeight].join()";
    assert_eq!(browser.value(seen), "rgba(0, 0, 0, 0),true,0");
    browser.open(&format!("http://{}/", served.address));
    browser.until("document.documentElement.dataset.ready === 'yes'");
    // A narrow screen needs no scrolling sideways.
    let narrow = json!({ "width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": true });
    browser.ask("Emulation.setDeviceMetricsOverride", narrow);
    let fits = browser.value("document.documentElement.scrollWidth <= 400");
    assert_eq!(fits, true);
    // The end is shown.
    kill_process(Pid::from_child(&served.child), Signal::INT).unwrap();
    kill_process(Pid::from_child(&served.child), Signal::TERM).unwrap();
    browser.until("/is over|is lost/.test(document.getElementById('state').textContent)");
    served.child.wait().unwrap();
    // That nobody answers any more is the browser's own message.
    let is_other = |text: &&String| !text.contains("ERR_CONNECTION_REFUSED");
    assert_eq!(browser.complaints.iter().find(is_other), None);
}

#[test]
fn keys_go_through_the_games_of_a_stored_event() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let event = short_event("keys");
    let served = Served::stored(&[&event]);
    browser.open(&format!("http://{}/#game=1.1", served.address));
    let title = "document.querySelector('#viewer[open] .title')?.textContent";
    browser.until(&format!("{title}.startsWith('Game 1.1')"));
    // Faster than the list of games comes.
    browser.press("n", 78);
    browser.press("n", 78);
    browser.until("document.querySelector('#viewer .title').textContent.startsWith('Game 2.1') && location.hash.startsWith('#game=2.1')");
    browser.press("p", 80);
    browser.until("document.querySelector('#viewer .title').textContent.startsWith('Game 1.2') && location.hash.startsWith('#game=1.2')");
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn without_a_script_the_page_shows_the_event_as_it_was() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let event = short_event("scriptless");
    let served = Served::stored(&[&event]);
    let off = json!({ "value": true });
    browser.ask("Emulation.setScriptExecutionDisabled", off);
    browser.open(&format!("http://{}/", served.address));
    let document = browser.document();
    assert!(!document.contains("data-ready"), "a script has run");
    let parts = ["Standings", "Last games", "Two", "Without its script"];
    assert_has(&document, parts);
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn without_a_script_the_page_of_a_running_event_has_coming_pairs_and_loads_itself_again() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let event = long_event("reloading");
    let served = Served::played(&event);
    let off = json!({ "value": true });
    browser.ask("Emulation.setScriptExecutionDisabled", off);
    // Two lanes play two pairs; those that follow are in the order of the plan.
    let begun = |text: &str| {
        let coming = text.split("Coming pairs").nth(1);
        coming.is_some_and(|rows| !rows.split("</table>").next().unwrap().contains("<td>2<"))
    };
    wait_until(|| begun(&served.text("/")), || served.text("/"));
    browser.open(&format!("http://{}/", served.address));
    let document = browser.document();
    assert!(!document.contains("data-ready"), "a script has run");
    assert!(document.contains("http-equiv=\"refresh\""), "{document}");
    let coming = document.split("Coming pairs").nth(1).expect("coming pairs");
    let rows = coming.split("</table>").next().unwrap();
    let pairs = rows.split("<tr><td>").skip(1);
    let pairs = pairs.map(|row| row.split('<').next().unwrap().parse().unwrap());
    let pairs: Vec<u32> = pairs.collect();
    // Some may have been played before the browser has looked.
    let next = pairs[0];
    assert!(next >= 3, "{rows}");
    assert_eq!(pairs, (next..next + 8).collect::<Vec<u32>>(), "{rows}");
    assert_has(coming, [format!("and {} more pairs", 93 - next)]);
    // A stored event does not change by itself.
    let stored = short_event("at-rest");
    let page = Served::stored(&[&stored]).text("/");
    assert_lacks(&page, ["http-equiv=\"refresh\"", "Coming pairs"]);
    assert_eq!(browser.complaints, Vec::<String>::new());
}

/// An event whose first round begins in many years.
const ROUNDS: &str = "event.seed = 3\nevent.format = \"swiss\"\nswiss.rounds = 2\npositions.all = true\ntime.depth = 1\n\
    adjudication.max_moves = 5\nround = [{ starts = \"2999-12-05T14:00:00+01:00\" }]\n";

#[test]
fn before_the_first_round_the_page_shows_draw_schedule_and_engines() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let event = Event::new("before", &format!("{ROUNDS}{PLAYERS}"));
    let served = Served::played(&event);
    browser.open(&format!("http://{}/", served.address));
    browser.until("/Round 1 begins/.test(document.getElementById('state').textContent)");
    // No board waits for a game that has no time yet.
    browser.until("!document.querySelector('.game')");
    // Its time is that of here, and it comes nearer.
    browser.until("document.getElementById('left')?.textContent.includes(':')");
    let names = "document.querySelector('#tables figure.start figcaption').textContent";
    // That from which the round is played.
    assert_eq!(browser.value(names), "316 NBQRKRBN mirror of 364 ");
    browser.until("document.querySelectorAll('#tables figure.start .piece').length === 32");
    let tables = served.text("/tables.html");
    assert_has(
        &tables,
        ["Schedule", "2999-12-05 13:00:00 UTC", "Strength = 6"],
    );
    assert_has(&tables, ["arbiter960 sparring", "verify --draw"]);
    browser.open(&format!("http://{}/start", served.address));
    browser.until("document.querySelectorAll('#hall .piece').length === 32");
    let number = browser.value("document.querySelector('#hall b').textContent");
    assert_eq!(number, "316");
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn a_round_is_pushed_to_a_broadcast_as_its_receiver_documents_it() {
    // Its answer is that of Lichess for a push: https://lichess.org/api, "Push PGN to a broadcast round".
    let receiver = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = receiver.local_addr().unwrap();
    let (sender, pushes) = channel();
    std::thread::spawn(move || {
        for stream in receiver.incoming().map_while(Result::ok) {
            let mut lines = BufReader::new(&stream);
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") {
                lines.read_line(&mut head).unwrap();
            }
            let length = head.to_lowercase();
            let length = length.split("content-length: ").nth(1).unwrap();
            let length = length.lines().next().unwrap().parse().unwrap();
            let mut games = vec![0; length];
            lines.read_exact(&mut games).unwrap();
            let games = String::from_utf8(games).unwrap();
            sender.send((head, games)).unwrap();
            let answer = "{\"games\":[{\"tags\":{},\"moves\":10}]}";
            let size = answer.len();
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {size}\r\n\r\n");
            write!(&stream, "{head}{answer}").unwrap();
        }
    });
    let event = Event::new("pushed", &format!("{SHORT}{PLAYERS}"));
    let token = event.folder().join("token");
    fs::write(&token, "lip_secret\n").unwrap();
    let round = format!("http://{address}/api/broadcast/round/ab12CD34/push");
    let token = ["--broadcast-token", token.to_str().unwrap()];
    event.run_well(&[&["--quiet", "--broadcast", &round], &token[..]].concat());
    let (head, games) = pushes.try_iter().last().expect("the round is pushed");
    let post = "POST /api/broadcast/round/ab12CD34/push ";
    assert!(head.starts_with(post), "{head}");
    let headers = [
        "Authorization: Bearer lip_secret\r\n",
        "Content-Type: text/plain\r\n",
    ];
    assert_has(&head, headers);
    assert_eq!(games, event.read("live.pgn"));
    for tag in ["[FEN \"", "[Variant \"Chess960\"]", "[SetUp \"1\"]"] {
        assert_eq!(games.matches(tag).count(), 4, "{tag}: {games}");
    }
}
