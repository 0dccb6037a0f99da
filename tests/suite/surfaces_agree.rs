//! One small event of every kind, stopped on the way and at its end: all outputs agree in the table, in the name of
//! each game, in the sequential test and in Elo.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::browser::Browser;
use super::event_shards::merge_well;
#[cfg(feature = "nats")]
use super::farm_support::{end_both, on_one_server};
use super::study::{is_large, part};
use super::support::{
    Event, arbiter960, assert_has, assert_lacks, ends, on_one_line, sparring, sparring_engines,
    tool,
};
use super::verdicts::{first, one_verdict};
use super::web_page::Served;

/// Rank, name and points of an engine.
type Row = (u64, String, f64);

/// An event of engines that do not need long for a game.
fn event(rules: &str, engines: usize) -> Event {
    let text = format!(
        "event.seed = 7\nevent.concurrency = 2\nadjudication.max_moves = 12\n\
         adjudication.host_faults = \"count\"\n{rules}\n{}",
        sparring_engines(engines)
    );
    Event::new("event", &text)
}

pub use super::support::json as parsed;

pub fn ask(event: &Event, words: &[&str]) -> String {
    event.ask(words)
}

pub fn decide(event: &Event, arguments: &[&str]) {
    let why = ["--reason", "because", "--author", "Anna"];
    event.ask(&[&["decide"], arguments, &why[..]].concat());
}

/// Plays until `games` games are stored, and lets the running pairs end.
pub fn play_until(event: &Event, games: usize) {
    let mut child = event.command(&["--json"]);
    let mut child = child.stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut played = 0;
    for line in lines.map_while(Result::ok) {
        if parsed(&line)["type"] != "game" {
            continue;
        }
        played += 1;
        // A second signal would end the running pairs, too.
        if played == games {
            let _ended = kill_process(Pid::from_child(&child), Signal::INT);
        }
    }
    child.wait().unwrap();
    assert!(played >= games, "{played} games");
}

/// The rows of a table of standings in text: its first columns are rank, name and points.
fn rows_of_text(text: &str) -> Option<Vec<Row>> {
    let mut lines = text.lines().skip_while(|line| {
        let head: Vec<&str> = line.split_whitespace().take(3).collect();
        head != ["#", "engine", "points"]
    });
    lines.next()?;
    // The head may take two lines; a rule ends it.
    let body = lines.skip_while(|line| !line.starts_with('─')).skip(1);
    let rows = body.map_while(|line| {
        let mut cells = line.split_whitespace();
        let rank = cells.next()?.parse().ok()?;
        Some((rank, cells.next()?.to_owned(), cells.next()?.parse().ok()?))
    });
    Some(rows.collect())
}

/// The cells of a row of a page, which may leave out what ends them.
pub fn cells_of(row: &str) -> Vec<String> {
    let row = row.replace("</a>", "");
    let row = row.split("<a ").map(|part| match part.split_once('>') {
        Some((address, text)) if address.starts_with("href") => text,
        _ => part,
    });
    let row: String = row.collect();
    let cells = row.split('<').filter_map(|cell| cell.split_once('>'));
    let cells = cells.filter(|(tag, _)| tag.starts_with("td") || tag.starts_with("th"));
    cells.map(|(_, text)| text.trim().to_owned()).collect()
}

/// The same of a page.
fn rows_of_page(page: &str) -> Vec<Row> {
    let table = page.split_once("<h4>Standings</h4>").unwrap().1;
    let body = table.split_once("<tbody>").unwrap().1;
    let body = body.split_once("</tbody>").unwrap().0;
    let rows = body.split("<tr>").skip(1).map(|row| {
        let cells = cells_of(row);
        let number = |cell: usize| cells[cell].parse::<f64>().unwrap();
        (number(0) as u64, cells[1].clone(), number(2))
    });
    rows.collect()
}

fn rows_of_json(rows: &Value) -> Vec<Row> {
    let rows = rows.as_array().unwrap().iter();
    let row = |row: &Value| {
        let name = row["name"].as_str().unwrap().to_owned();
        (
            row["rank"].as_u64().unwrap(),
            name,
            row["points"].as_f64().unwrap(),
        )
    };
    rows.map(row).collect()
}

/// The standings of `standings.json`, which every other surface must have.
fn one_table(event: &Event, printed: Option<&str>) -> Value {
    let served = Served::stored(&[event]);
    one_table_with(event, &served, &tool_report(event), printed)
}

/// The same, with a page that is served and a report that is written already.
fn one_table_with(event: &Event, served: &Served, report: &str, printed: Option<&str>) -> Value {
    let standings = event.parsed("standings.json");
    let rows = rows_of_json(&standings["standings"]);
    let crosstable = event.parsed("crosstable.json");
    assert_eq!(rows_of_json(&crosstable["rows"]), rows, "crosstable.json");
    if event.results().join("report.html").exists() {
        assert_eq!(rows_of_page(report), rows, "report");
    }
    assert_eq!(rows_of_page(&served.text("/")), rows, "live page");
    let told = parsed(&served.text("/standings.json"));
    assert_eq!(rows_of_json(&told["standings"]), rows, "served");
    let status = ask(event, &["status"]);
    for (name, text) in [("status", Some(status.as_str())), ("run", printed)] {
        if let Some(found) = text.and_then(rows_of_text) {
            assert_eq!(found, rows, "{name}: {text:?}");
        }
    }
    standings
}

/// The log-likelihood ratios of a page's table of the course of the event.
fn course(page: &str) -> Vec<Value> {
    let text = page.split_once("data-table=\"course\">").unwrap().1;
    let columns: Vec<(String, Vec<Value>)> =
        serde_json::from_str(text.split_once('<').unwrap().0).unwrap();
    let ratios = columns.into_iter().find(|(name, _)| name == "llr");
    ratios.unwrap().1
}

/// The report as it would be written now.
fn tool_report(event: &Event) -> String {
    let path = event.folder().join("report.html");
    event.ask(&["report", "--output", path.to_str().unwrap()]);
    fs::read_to_string(path).unwrap()
}

/// Games have the names of `games.pgn` wherever they are listed, and every command finds them by these, by
/// pair and game, and by pair.
fn one_name_a_game(event: &Event, served: &Served) {
    let names: BTreeSet<String> = event.rounds().into_iter().collect();
    let exported = ask(event, &["export", "--format", "jsonl"]);
    let lines: Vec<Value> = exported.lines().map(parsed).collect();
    let round = |line: &Value| line["round"].as_str().unwrap().to_owned();
    assert_eq!(lines.iter().map(round).collect::<BTreeSet<_>>(), names);
    let told = served.text("/events.ndjson");
    let told = told.lines().map(parsed);
    let told = told.filter(|line| line["type"] == "game");
    let told: BTreeSet<String> = told.map(|line| round(&line)).collect();
    assert_eq!(told, names);
    let page = served.text("/");
    let last = page.split_once("<h4>Last games</h4>").unwrap().1;
    let body = last.split_once("<tbody>").unwrap().1;
    let rows = body.split("</tbody>").next().unwrap().split("<tr>").skip(1);
    let shown: Vec<String> = rows.map(|row| cells_of(row).remove(0)).collect();
    let are_known = shown.iter().all(|name| names.contains(name));
    assert!(!shown.is_empty() && are_known, "{shown:?}");
    let lost = event.asked(&["explain", "--format", "json"]);
    for game in lost["games"].as_array().unwrap() {
        assert!(names.contains(game["game"].as_str().unwrap()), "{game}");
    }
    for line in lines.iter().take(3) {
        let (pair, game) = (&line["pair"], &line["game"]);
        for name in [round(line), format!("{pair}.{game}")] {
            let told = event.asked(&["explain", &name, "--format", "json"]);
            assert_eq!(told["game"], line["round"]);
        }
        let told = ask(event, &["explain", &pair.to_string()]);
        assert!(told.contains(&round(line)), "{told}");
    }
}

/// The Elo of `standings.json` equals that in `stats`, and the one that is shown in tables of ratings.
fn one_elo(event: &Event, standings: &Value, printed: &str) {
    let stats = event.asked(&["stats", "--format", "json"]);
    let engines = stats["engines"].as_array().unwrap();
    let csv = ask(event, &["stats", "--by", "engine", "--format", "csv"]);
    for row in standings["standings"].as_array().unwrap() {
        let place = engines
            .iter()
            .position(|name| *name == row["name"])
            .unwrap();
        let elo = &stats["ratings"]["logistic"]["elo"][place];
        let near = |one: &Value, other: &Value| match (one.as_f64(), other.as_f64()) {
            (Some(one), Some(other)) => (one - other).abs() < 1e-6,
            _ => one.is_null() && other.is_null(),
        };
        // An interval of 800 Elo and more is worth nothing beside places.
        let is_near = row["elo"].is_null() || near(&row["elo"], elo);
        assert!(is_near, "{row} {elo}");
        let name = row["name"].as_str().unwrap();
        let own = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let mut own = own.filter(|cells| cells.get(1) == Some(&name));
        let own = own.next().unwrap_or_else(|| panic!("{name}: {csv}"));
        let in_csv = json!(own[7].parse::<f64>().ok());
        assert!(near(&in_csv, &row["elo"]), "{name} {elo}: {csv}");
        let rows = standings["standings"].as_array().unwrap();
        let is_shown = rows.iter().all(|row| row["elo"].is_number());
        let mut heads = printed.lines().filter(|line| line.starts_with(" #"));
        let has_elo = heads.any(|head| head.contains(" Elo "));
        assert_eq!(is_shown, has_elo, "{printed}");
        if let Some(elo) = row["elo"].as_f64().filter(|_| is_shown) {
            let shown = format!("{elo:+.1}").replace("-0.0", "+0.0");
            let mut lines = printed.lines().map(|line| line.split_whitespace());
            // A sentence may have a name there, too.
            let is_row = |rank: &str| rank.parse::<u64>().is_ok();
            let own = lines.find(|line| {
                line.clone().nth(1) == Some(name) && line.clone().next().is_some_and(is_row)
            });
            let own: Vec<&str> = own.unwrap().collect();
            assert!(own.contains(&shown.as_str()), "{shown}: {own:?}");
        }
    }
}

/// The test that stopped the event is the one on every surface.
fn one_test(event: &Event, line: &Value) -> Value {
    let standings = event.parsed("standings.json");
    let status = event.asked(&["status", "--json"]);
    let stats = event.asked(&["stats", "--format", "json"]);
    let test = &standings["sprt"];
    assert_eq!(*test, status["sprt"]);
    assert_eq!(*test, line["sprt"]);
    let keys = "pairs llr bounds corrected_bounds decision unit starts design_effect late_games";
    for key in keys.split(' ') {
        assert_eq!(test[key], stats["sprt"][key], "{key}");
    }
    let decided = test["decision"] != "undecided";
    let results = stats["match"]["trinomial"].as_array().unwrap();
    let games: u64 = results.iter().filter_map(Value::as_u64).sum();
    if decided && matches!(test["unit"].as_str(), Some("pairs" | "starts")) {
        // Games that ended after the decision are in no number beside it.
        assert_eq!(test["pairs"], json!(games / 2));
    }
    assert_eq!(standings["final"], json!(decided));
    assert_eq!(line["complete"], json!(decided));
    assert_eq!(line["verdict"], test["decision"]);
    // What is printed are the bounds at which it ends.
    let ratio = |key: &Value| format!("{:.2}", key.as_f64().unwrap());
    let [low, high] = [0, 1].map(|end| ratio(&test["corrected_bounds"][end]));
    let bounds = format!("{}, fails at {low}, passes at {high}", ratio(&test["llr"]));
    let text = ask(event, &["status"]);
    assert!(text.contains(&bounds), "{bounds}: {text}");
    test.clone()
}

fn last_line(event: &Event) -> Value {
    let text = event.run_well(&["--json"]);
    parsed(text.lines().last().unwrap())
}

#[test]
fn every_test_is_told_as_it_was_decided() {
    let tests = [
        ("corrected", "starts"),
        ("corrected", "pairs"),
        ("wald", "pairs"),
        ("wald", "games"),
        ("wald", "cutechess"),
    ];
    for (bounds, unit) in part(tests, 3) {
        let model = ["logistic", "bayesian"][usize::from(unit == "cutechess")];
        // Those that repeat are counted by start, whenever they were read.
        let starts = if unit == "starts" { "0-7" } else { "0-959" };
        let rules = format!(
            "time.depth = 1\npositions.numbers = [\"{starts}\"]\nsprt = {{ elo0 = 0, elo1 = 150, max_pairs = 200, model = \"{model}\", \
             bounds = \"{bounds}\", unit = \"{unit}\" }}"
        );
        let event = event(&rules, 2);
        play_until(&event, 5);
        // Names of games and the pages in a browser do not depend on the kind of the test.
        let told = |event: &Event| match unit {
            "starts" => told_alike(event, None),
            _ => {
                one_verdict(event, None);
                one_table(event, None)
            }
        };
        told(&event);
        let half = event.asked(&["status", "--json"]);
        let stats = event.asked(&["stats", "--format", "json"]);
        assert_eq!(half["sprt"]["llr"], stats["sprt"]["llr"], "{bounds} {unit}");
        let line = last_line(&event);
        let test = one_test(&event, &line);
        assert_ne!(test["decision"], "undecided", "{bounds} {unit}");
        told(&event);
        // The page's curve ends where the test ended.
        let curve = course(&tool_report(&event));
        let [shown, told] = [curve.last().unwrap(), &test["llr"]].map(|llr| llr.as_f64().unwrap());
        assert!((shown - told).abs() < 1e-3, "{shown} {told}");
        assert_eq!(test["unit"], unit);
    }
}

thread_local! {
    /// The browser of a test; none where Chromium is not installed.
    static BROWSER: RefCell<Option<Browser>> = RefCell::new(Browser::start());
}

/// The script of a page has run.
const READY: &str = "document.documentElement.dataset.ready === 'yes'";

/// What a reader of a page sees: its first lines, its standings, and the addresses of its games.
const SEEN: &str = r#"(() => {
    const text = (one) => one.textContent.trim().replaceAll("\u00a0", " ");
    const all = (which) => [...document.querySelectorAll(which)];
    const heads = all('[aria-label="Standings"] thead th').map(text);
    return {
        first: all("[data-claim]").map(text).join(" "),
        by_percentage: heads.includes("%"),
        rows: all('[aria-label="Standings"] tbody tr').map((row) => [0, 1, heads.indexOf("points")].map((at) => text(row.cells[at]))),
        games: all("table.results a, table.games a, table.cross a").map((one) => one.hash),
    };
})()"#;

/// Follows the addresses after `const hashes = …` and returns those that show no game on the board: of a game itself, of
/// a cell of the crosstable the first of its games.
const OPENED: &str = r#"(async () => {
    const missed = [];
    for (const hash of new Set(hashes)) {
        const changed = new Promise((done) => addEventListener("hashchange", done, { once: true }));
        location.hash = hash;
        await changed;
        await followed;
        // Chromium forgets addresses beyond 200 in ten seconds.
        await new Promise((done) => setTimeout(done, 60));
        const rows = [...document.querySelectorAll("table.games tbody tr")].filter((row) => !row.hidden);
        const name = /game=(.*)/.exec(hash)?.[1] ?? rows[0]?.cells[0].textContent;
        const board = document.querySelector(".viewer");
        const title = board.querySelector(".title").textContent;
        // A playoff is named so behind its number.
        const is_its = [": ", " ("].some((end) => title.startsWith("Game " + name + end));
        if (!board.open || !name || !is_its) missed.push(hash + ": " + title);
    }
    return missed;
})()"#;

/// The live page and the report in a browser: they have the first lines and the standings of all others, and games that
/// are listed, and cells of the crosstable, open on the board.
fn one_page_in_a_browser(event: &Event, served: &Served) {
    BROWSER.with_borrow_mut(|browser| {
        let Some(browser) = browser else { return };
        let status = first(&ask(event, &["status"]));
        let rows = rows_of_json(&event.parsed("standings.json")["standings"]);
        let live = format!("http://{}/", served.address);
        let report = event.folder().join("report.html");
        let report = format!("file://{}", report.display());
        for page in [&live, &report] {
            browser.open(page);
            browser.until(READY);
            // The live page computes statistics after it is shown.
            let said = format!(
                "new Promise((done) => {{ let left = 250; const look = () => ({SEEN}).first === {} ? done(true) \
                 : left-- > 0 ? setTimeout(look, 20) : done(false); look(); }})",
                json!(status)
            );
            for tried in 0.. {
                if browser.value(&said) == json!(true) {
                    break;
                }
                assert!(tried < 30, "{page}: {}", browser.value(SEEN));
                browser.open(page);
                browser.until(READY);
            }
            let seen = browser.value(SEEN);
            let shown = seen["rows"].as_array().unwrap().iter().map(|row| {
                let cell = |place: usize| row[place].as_str().unwrap();
                let [rank, points] = [0, 2].map(|place| cell(place).parse::<f64>().unwrap());
                (rank as u64, cell(1).to_owned(), points)
            });
            // While engines have played different numbers of games, the live page orders them by percentage.
            let is_reordered = seen["by_percentage"] == json!(true);
            let ordered = |mut all: Vec<(u64, String, f64)>| {
                if is_reordered {
                    all.iter_mut().for_each(|row| row.0 = 0);
                    all.sort_by(|one, other| one.1.cmp(&other.1));
                }
                all
            };
            assert_eq!(ordered(shown.collect()), ordered(rows.clone()), "{page}");
            assert_ne!(seen["games"], json!([]), "{page}");
            let games = seen["games"].as_array().unwrap();
            // Some of them in `cargo test`: each costs what drawing a page costs.
            let step = if is_large() { 1 } else { games.len().div_ceil(12) };
            let opened: Vec<_> = games.iter().step_by(step).collect();
            let hashes = format!("{{ const hashes = {}; {OPENED} }}", json!(opened));
            assert_eq!(browser.value(&hashes), json!([]), "{page}");
        }
        assert_eq!(browser.complaints, Vec::<String>::new());
    });
}

/// An event that nobody plays, on every surface: its standings.
pub fn told_alike(event: &Event, printed: Option<&str>) -> Value {
    one_verdict(event, printed);
    let report = fs::read_to_string(event.folder().join("report.html")).unwrap();
    let served = Served::stored(&[event]);
    one_name_a_game(event, &served);
    one_page_in_a_browser(event, &served);
    one_table_with(event, &served, &report, printed)
}

/// Games that are still to be played are not games that the event does not have.
fn not_played_yet(event: &Event) {
    let standings = event.parsed("standings.json");
    // Running pairs were let end, which may have been the last ones.
    if standings["final"] == json!(true) {
        return;
    }
    let planned = standings["planned_games"].as_u64();
    let pgn = event.read("games.pgn");
    let explained = |game: &str| on_one_line(&event.ask_ends(2, &["explain", game]));
    if let Some(planned) = planned.filter(|_| !pgn.contains("[Round \"1.1.")) {
        let last = format!("{}.2", planned / 2);
        assert!(explained(&last).contains("is still to be played"), "{last}");
        let beyond = format!("{}.1", planned / 2 + 1);
        assert!(explained(&beyond).contains("there is no game"), "{beyond}");
    }
    if planned.is_none() && pgn.contains("[Round \"1.1.") {
        let later = explained("9.1.1");
        assert!(later.contains("is not paired yet"), "{later}");
    }
}

/// An event that is stopped after some games and played to its end, on every surface: its standings, and what the
/// run printed.
fn stopped_and_ended(event: &Event, games: usize) -> (Value, String) {
    play_until(event, games);
    told_alike(event, None);
    not_played_yet(event);
    let printed = event.run_well(&["--quiet"]);
    let standings = told_alike(event, Some(&printed));
    assert_eq!(standings["final"], json!(true));
    (standings, printed)
}

#[test]
fn events_of_one_table() {
    let league = "positions.numbers = [1, 2]";
    let gauntlet =
        "event.format = \"gauntlet\"\nevent.heroes = [\"E1\"]\npositions.numbers = [1, 2]";
    let rounds = "positions.draw = \"round\"\nevent.pairs = 1\npositions.all = true";
    let events = [(league, 2), (league, 4), (gauntlet, 3), (rounds, 4)];
    for (rules, engines) in part(events, 2) {
        let event = event(rules, engines);
        let (standings, printed) = stopped_and_ended(&event, 3);
        if engines > 2 {
            assert!(rows_of_text(&printed).is_some(), "{printed}");
            one_elo(&event, &standings, &printed);
        }
    }
}

#[test]
fn self_play_says_one_thing_everywhere() {
    let engine = sparring_engines(1).replace("time.nodes", "copies = 2\ntime.nodes");
    let text = format!(
        "event.concurrency = 2\nevent.pairs = 3\npositions.numbers = [0, 518, 959]\n\
         adjudication.max_moves = 12\n{engine}"
    );
    let event = Event::new("event", &text);
    let (standings, printed) = stopped_and_ended(&event, 5);
    assert_eq!(standings["self_play"], json!(true));
    assert!(rows_of_text(&printed).is_none(), "a copy wins nothing");
}

/// The claim about who has won.
fn winner_of(standings: &Value) -> &Value {
    let mut claims = standings["verdict"]["claims"].as_array().unwrap().iter();
    claims.find(|claim| claim["id"] == "winner").unwrap()
}

/// Engines that play the same moves.
fn alike(names: &[&str]) -> String {
    names
        .iter()
        .map(|name| sparring(name, "time.nodes = 50"))
        .collect()
}

#[test]
fn a_cup_and_a_ladder_have_one_order() {
    let lot = "extra_pairs = 0\ntie_break = [\"lot\"]";
    let events = [
        ("knockout", "extra_pairs = 0"),
        ("knockout", lot),
        ("double-elimination", lot),
        ("ladder", "extra_pairs = 0"),
    ];
    for (format, rules) in part(events, 2) {
        let rules =
            format!("event.format = \"{format}\"\npositions.all = true\n[{format}]\n{rules}");
        let event = event(&rules, 4);
        let (standings, printed) = stopped_and_ended(&event, 3);
        let winner = winner_of(&standings);
        assert_eq!(winner["allowed"], json!(true), "{format}");
        if winner["decided_by"] == "lot" {
            assert_has(winner["words"].as_str().unwrap(), ["decided by lot"]);
            assert_has(&printed, ["lot"]);
        }
    }
}

/// Engines that play the same moves: every encounter is level, and the lot decides.
#[test]
fn a_cup_that_lots_decide_says_so() {
    let rules = "event.concurrency = 2\nevent.format = \"knockout\"\npositions.all = true\n\
                 knockout = { extra_pairs = 0, tie_break = [\"lot\"] }\nadjudication.max_moves = 2\n";
    let event = Event::new("event", &(rules.to_owned() + &alike(&["A", "B", "C", "D"])));
    let (standings, printed) = stopped_and_ended(&event, 3);
    let winner = winner_of(&standings);
    assert_eq!(winner["decided_by"], "lot", "{winner}");
    assert!(printed.contains("decided by lot"), "{printed}");
}

/// Points of byes are not points from games, wherever both are shown together: two engines draw their games, and who has
/// the bye leads.
#[test]
fn points_of_a_bye_are_not_points_from_games() {
    let rules = "event.format = \"swiss\"\npositions.all = true\nswiss.rounds = 1\nadjudication.max_moves = 2\n";
    let event = Event::new("event", &(rules.to_owned() + &alike(&["A", "B", "C"])));
    let output = event.command(&[]).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let (live, printed) = (text(&output.stderr), text(&output.stdout));
    assert_lacks(&printed, ["no Elo for :"]);
    let standings = told_alike(&event, Some(&printed));
    let first = standings["standings"][0]["name"].as_str().unwrap();
    let said = |verb: &str| format!("{first} {verb} with 2.0 points by bye or walkover");
    assert_has(&live, [said("leads")]);
    assert_has(&printed, [said("won")]);
    let details = event.ask(&["stats", "--details"]);
    assert_has(&details, ["unplayed"]);
    assert_lacks(&details, ["SB"]);
    let unplayed = |row: &Value| row["unplayed_points"].as_f64().unwrap();
    let rows = standings["standings"].as_array().unwrap();
    assert!(rows.iter().map(unplayed).eq([2.0, 0.0, 0.0]));
    for row in rows {
        let total = row["total"]["points"].as_f64().unwrap();
        assert_eq!(row["points"].as_f64().unwrap(), total + unplayed(row));
    }
}

/// A league and a test that several machines have played, by `play`, are told as if one had.
fn told_as_one_event(play: impl Fn(&Event)) {
    let league = event("positions.numbers = [1, 2]", 3);
    play(&league);
    let printed = league.run_well(&["--quiet"]);
    let standings = told_alike(&league, Some(&printed));
    assert_eq!(standings["final"], json!(true));
    one_elo(&league, &standings, &printed);
    let rules = "time.depth = 1\npositions.all = true\n\
                 sprt = { elo0 = 0, elo1 = 150, max_pairs = 100, model = \"logistic\" }";
    let test = event(rules, 2);
    play(&test);
    let line = last_line(&test);
    let decided = one_test(&test, &line);
    assert_ne!(decided["decision"], "undecided", "{decided}");
    told_alike(&test, Some(&test.run_well(&["--quiet"])));
}

#[test]
fn merged_shards_are_told_as_one_event() {
    told_as_one_event(|event| {
        let shards = ["1/2", "2/2"];
        for shard in shards {
            event.run_well(&["--quiet", "--shard", shard, "--judge-after-merge"]);
        }
        merge_well(event, &shards);
    });
}

#[cfg(feature = "nats")]
#[test]
fn a_farm_is_told_as_one_event() {
    on_one_server(|server| {
        told_as_one_event(|event| {
            let mut coordinator = server.coordinator(event);
            let mut worker = server.worker(event, "one");
            end_both(&mut coordinator, &mut worker);
        });
    });
}

/// A match that the same command plays on with more games has these as its plan, and no game is missing.
#[test]
fn a_match_that_is_made_longer_has_one_plan() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("results/M");
    let results = results.to_str().unwrap();
    for games in ["4", "6"] {
        let mut command = arbiter960();
        command.current_dir(&folder).args(["match", "--quiet"]);
        let line = "--engine builtin=sparring name=A --engine builtin=sparring name=B --nodes 50 --seed 3 --max-moves 4";
        command.args(line.split(' '));
        ends(0, command.args(["--name", "M", "--games", games]));
        let status = parsed(&tool(&["status", results, "--json"]));
        let numbers = ["planned_games", "played_games", "missing_games"].map(|key| &status[key]);
        let games: u64 = games.parse().unwrap();
        assert_eq!(numbers, [&json!(games), &json!(games), &json!(0)]);
        let lines = ["planned    ", "played     "].map(|word| format!("{word}{games} games"));
        assert_has(&tool(&["status", results]), lines);
    }
}

#[test]
fn leagues_that_feed_a_final_name_its_engines() {
    let leagues = [1, 3].map(|first| {
        let engines = sparring_engines(4);
        let blocks: Vec<&str> = engines.split("[[engine]]").skip(first).take(2).collect();
        let engines = format!("[[engine]]{}[[engine]]{}", blocks[0], blocks[1]);
        let rules = "standings.tie_breaks = [\"lot\"]\nevent.format = \"round-robin\"\npositions.numbers = [1, 2]\nadjudication.max_moves = 12";
        Event::new("league", &format!("{rules}\n{engines}"))
    });
    let first = |league: &Event| {
        let (standings, _) = stopped_and_ended(league, 1);
        standings["standings"][0]["name"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let firsts: BTreeSet<String> = leagues.iter().map(first).collect();
    let stage = |league: &Event| {
        let from = league.results();
        format!("[[qualifier]]\nfrom = {from:?}\nplaces = [1]\n")
    };
    let stages: String = leagues.iter().map(stage).collect();
    let rules = format!("positions.numbers = [1, 2]\n{stages}");
    let (standings, _) = stopped_and_ended(&event(&rules, 4), 1);
    let rows = rows_of_json(&standings["standings"]);
    let names: BTreeSet<String> = rows.into_iter().map(|(_, name, _)| name).collect();
    assert_eq!(names, firsts);
}

#[test]
fn a_swiss_has_one_table_after_every_kind_of_decision() {
    let rules = "event.format = \"swiss\"\npositions.all = true\nswiss.rounds = 2";
    let event = event(rules, 5);
    play_until(&event, 3);
    told_alike(&event, None);
    let printed = event.run_well(&["--quiet"]);
    told_alike(&event, Some(&printed));
    let mut rounds = event.rounds();
    rounds.sort();
    event.rewrite(|text| text + &sparring("Late", "time.nodes = 60"));
    decide(&event, &["extend", "--rounds", "1"]);
    decide(&event, &["add", "Late"]);
    let printed = event.run_well(&["--quiet"]);
    let standings = one_table(&event, Some(&printed));
    assert!(rows_of_text(&printed).is_some(), "{printed}");
    // Nobody was replaced.
    assert_lacks(&printed, ["(revision"]);
    one_elo(&event, &standings, &printed);
    told_alike(&event, Some(&printed));
    // Of a stopped event the tables follow each decision.
    for arguments in [
        &["result", &rounds[0], "1-0"][..],
        &["result", "2.1", "0-1"],
        &["undo"],
        &["forfeit", &rounds[1], "--loser", "white"],
        &["withdraw", "E3"],
        &["undo"],
    ] {
        let name = arguments.get(1).map_or("", |name| name);
        decide(&event, arguments);
        let printed = event.run_well(&["--quiet"]);
        let standings = one_table(&event, Some(&printed));
        assert_eq!(standings["final"], json!(true), "{arguments:?}");
        one_verdict(&event, Some(&printed));
        let book = ask(&event, &["decide", "list"]);
        assert!(name == "2.1" || book.contains(name), "{book}");
    }
    event.rewrite(|text| text.replace("Strength = 2", "Strength = 9"));
    decide(&event, &["replace", "E1"]);
    decide(&event, &["extend", "--rounds", "1"]);
    let printed = event.run_well(&["--quiet"]);
    one_table(&event, Some(&printed));
    // Its builds are told apart.
    assert_has(&printed, ["E1 (revision"]);
    one_name_a_game(&event, &Served::stored(&[&event]));
}
