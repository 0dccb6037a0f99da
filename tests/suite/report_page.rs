//! `report.html`: what is in the file, and what a real browser makes of it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::json;

use super::browser::Browser;
use super::support::{
    Event, arbiter960, assert_has, assert_lacks, sparring, tool, wait_until, words,
};
use super::web_page::Served;

/// A first move after which king and rook have exchanged their squares, and a name that wants to be
/// a script.
const CASTLING: [&str; 2] = ["One <script>document.title = 'taken over'</script>", "Five"];

const BOOK: &str = "[Event \"?\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
    [FEN \"rbbnqkrn/pppppppp/8/8/8/8/PPPPPPPP/RBBNQKRN w GAga - 0 1\"]\n\n1. O-O O-O *\n";

/// Two built-in engines with these names and strengths.
fn strengths(names: [&str; 2], [one, other]: [u8; 2]) -> String {
    let strength = |of: u8| format!("options = {{ Strength = {of} }}");
    sparring(names[0], &strength(one)) + &sparring(names[1], &strength(other))
}

fn castling() -> Event {
    let rules = "event.concurrency = 2\npositions.file = \"book.pgn\"\ntime.depth = 1\nadjudication.max_moves = 6\n";
    let event = Event::new(
        "castling",
        &(rules.to_owned() + &strengths(CASTLING, [1, 5])),
    );
    fs::write(event.folder().join("book.pgn"), BOOK).unwrap();
    event.run_well(&["--quiet"]);
    event
}

fn address(event: &Event, place: &str) -> String {
    let file = event.results().join("report.html");
    format!("file://{}{place}", file.display())
}

const READY: &str = "document.documentElement.dataset.ready === 'yes'";

#[test]
fn a_run_writes_a_page_of_one_file_unless_told_not_to() {
    let rules = "positions.numbers = [518]\ntime.depth = 1\n";
    let engines = strengths(["One", "Two"], [1, 2]);
    let event = Event::new("page", &(rules.to_owned() + &engines));
    assert_lacks(&event.run_well(&["--no-report"]), ["report.html"]);
    assert!(!event.results().join("report.html").exists());
    assert_has(&event.run_well(&[]), ["report.html"]);
    let page = event.read("report.html");
    let anchors = ["researcher", "developer", "organiser", "game=1.1"];
    assert_has(&page, anchors.map(|anchor| format!("id=\"{anchor}\"")));
    // Nothing is fetched: the only addresses are anchors.
    let addresses = [" href=\"", " src=\""].map(|name| page.split(name).skip(1));
    let outside = |place: &&str| !place.starts_with('#');
    assert_eq!(addresses.into_iter().flatten().find(outside), None);
    assert!(page.contains("default-src 'none'"));
    let results = event.results().display().to_string();
    let (said, own) = reported(&event, &[&results]);
    assert_has(&said, ["own.html"]);
    assert_has(&own, ["id=\"game=1.2\""]);
    let (_, both) = reported(&event, &[&results, &results]);
    assert_has(&both, ["id=\"compared\"", "id=\"event=2&amp;game=1.1\""]);
}

/// What `report` says about these games, and its page.
fn reported(event: &Event, games: &[&str]) -> (String, String) {
    let file = event.folder().join("own.html");
    let output = ["--output", file.to_str().unwrap()];
    let said = tool(&[&["report"], games, &output].concat());
    (said, fs::read_to_string(&file).unwrap())
}

/// What `stats` says of all events together is what their page says first.
#[test]
fn a_page_of_several_events_has_one_answer_first() {
    let play = |seed: u8| {
        let text = format!(
            "event.seed = {seed}\nevent.concurrency = 2\npositions.sample = 4\ntime.nodes = 40\n\
             adjudication.max_moves = 40\n{}",
            strengths(["One", "Nine"], [1, 9])
        );
        let event = Event::new("one", &text);
        event.run_well(&["--quiet", "--no-report"]);
        event
    };
    let events = [1, 2].map(play);
    let folders = events.each_ref().map(|event| event.results());
    let [one, other] = folders.each_ref().map(|folder| folder.to_str().unwrap());
    let said = tool(&["stats", one, other]);
    let score = said.lines().next().unwrap();
    assert_has(score, ["One ", " Nine"]);
    let (_, page) = reported(&events[0], &[one, other]);
    let first = page.find(&format!("<p data-claim=\"score\">{score}</p>"));
    assert!(first.unwrap() < page.find("<article").unwrap());
    let served = Served::stored(&[&events[0], &events[1]]);
    wait_until(|| served.text("/").contains(score), || served.text("/"));
}

#[test]
fn a_page_is_made_of_a_file_of_games_too_and_says_what_it_does_not_know() {
    let event = castling();
    let games = event.results().join("games.pgn").display().to_string();
    let (_, of_file) = reported(&event, &[&games]);
    let of_store = event.read("report.html");
    assert_has(&of_file, ["This page was made of a PGN file"]);
    assert_lacks(&of_store, ["This page was made of a PGN file"]);
    // Games and standings are the same; the file has them in the order of finishing.
    let rows = |page: &str, from: &str| {
        let begin = page.find(from).unwrap_or_else(|| panic!("no {from}"));
        let end = page[begin..].find("</tbody>").unwrap();
        let rows = page[begin..begin + end].split("<tr").skip(1);
        let cells = rows.map(|row| row.split_once('>').unwrap().1.to_owned());
        let mut cells: Vec<String> = cells.collect();
        cells.sort_unstable();
        cells
    };
    for table in ["class=\"games\"", "aria-label=\"Standings\""] {
        assert_eq!(rows(&of_file, table), rows(&of_store, table));
    }
    assert_lacks(&of_file, ["arbiter960 explain", "arbiter960 export"]);
    let refused = arbiter960().args(["report", "-"]).output().unwrap();
    assert_has(&words(&refused), ["reads its games twice"]);
}

/// Games as a stranger writes them: no pairs, no clocks, ends that nobody names.
const STRANGE: &str = r#"[Event "Open"]
[White "A"]
[Black "B"]
[Result "1-0"]
[Termination "time forfeit"]

1. e4 e5 1-0

[Event "Open"]
[White "B"]
[Black "A"]
[Result "1/2-1/2"]

1. d4 d5 1/2-1/2

[Event "Open"]
[White "A"]
[Black "B"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1

[Event "Open"]
[White "B"]
[Black "A"]
[Result "*"]

1. d4 *
"#;

#[test]
fn of_a_strangers_games_nothing_is_made_up() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (games, file) = (at("open.pgn"), at("open.html"));
    fs::write(&games, STRANGE).unwrap();
    tool(&["report", &games, "--output", &file]);
    let page = fs::read_to_string(&file).unwrap();
    let parts = [
        "<title>Open · arbiter960</title>",
        "Left out: 1 game without a result.",
        "Games with a fault: <a href=\"#game=1\">1</a>",
        "<td>time forfeit",
        "<td>not said",
        "<td>checkmate",
        "<td>not known",
    ];
    assert_has(&page, parts);
    assert_lacks(&page, ["least left on its clock"]);
    let (bare, page_of_bare) = (at("bare.pgn"), at("bare.html"));
    let text = "[Event \"Bare\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n";
    fs::write(&bare, text).unwrap();
    tool(&["report", &bare, "--output", &page_of_bare]);
    let bare = fs::read_to_string(&page_of_bare).unwrap();
    assert!(bare.contains("Of 1 game the file does not say how they ended."));
    let Some(mut browser) = Browser::start() else {
        return;
    };
    browser.open(&format!("file://{file}#game=3"));
    browser.until(READY);
    // Nothing is known of times and depths, so none are drawn.
    let drawn = "[...document.querySelectorAll('figure.block')].map((one) => one.id).join()";
    assert_eq!(browser.value(drawn), "figure-pairs,figure-terminations");
    browser.press("End", 35);
    let now = browser.value("document.querySelector('.now').textContent");
    let end = "2… Qh4#, evaluation –, depth –. 0-1, black wins by checkmate";
    assert_eq!(now, end);
    let clocks = "[...document.querySelectorAll('.clock')].map((one) => one.textContent).join()";
    assert_eq!(browser.value(clocks), ",");
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn all_of_a_page_is_reached_by_keys_and_what_has_the_focus_is_seen() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let text = "positions.numbers = [\"0-39\"]\nevent.pairs = 2\ntime.nodes = 60\ntime.nodes_jitter = 0.4\n\
        adjudication.max_moves = 20\n\
        adjudication.resign = { moves = 1, centipawns = 100, both_engines = false }\n";
    let engines = strengths(["One", "Nine"], [1, 9]);
    let event = Event::new("keys", &(text.to_owned() + &engines));
    event.run_well(&["--quiet"]);
    browser.open(&address(&event, ""));
    browser.until(READY);
    // Where the focus is, and whether that is seen: by an outline, or by the frame of a cell.
    let here = "(() => { const one = document.activeElement; const cell = one.querySelector(':scope > rect'); \
        const style = getComputedStyle(cell || one); \
        const seen = cell ? style.stroke !== 'none' : style.outlineStyle !== 'none'; \
        const name = cell ? 'cell' : one.type || one.getAttribute('aria-label') || one.className || one.tagName; \
        return (seen ? '' : 'unseen ') + name; })()";
    let page = "skip radio cell SUMMARY Standings List-of-games";
    let mut stops = Vec::new();
    // The page, then the viewer over it.
    for wanted in [page, "button Moves A"] {
        stops.push(Vec::new());
        for _ in 0..200 {
            browser.press("Tab", 9);
            let stop = browser.value(here).as_str().unwrap().replace(' ', "-");
            if stop.contains("BODY") {
                break;
            }
            assert!(!stop.starts_with("unseen"), "{stop}");
            stops.last_mut().unwrap().push(stop);
        }
        let here = stops.last().unwrap();
        let is_missing = |one: &&str| !here.iter().any(|stop| stop == one);
        let missing = wanted.split(' ').find(is_missing);
        assert_eq!(missing, None, "{here:?}");
        browser.value("location.hash = '#game=1.1'");
        browser.until("document.getElementById('viewer')?.open");
    }
    browser.press("Escape", 27);
    browser.until("!document.getElementById('viewer').open && location.hash === ''");
    let stops = stops.remove(0);
    assert!(stops[0] == "skip" && stops[1..].iter().all(|stop| stop != "skip"));
    let cells = stops.iter().filter(|stop| *stop == "cell").count();
    assert_eq!(cells, 1, "the map is one stop");
    // Arrows go from cell to cell, and Enter opens the row.
    browser.value("document.querySelector('#map a[tabindex=\"0\"]').focus()");
    browser.press("ArrowRight", 39);
    browser.press("ArrowDown", 40);
    let words = browser.value("document.activeElement.textContent.trim().split(' ')[0]");
    assert_eq!(words, "33");
    let readout = browser.value("document.getElementById('readout').textContent");
    assert!(readout.as_str().unwrap().starts_with("33 "), "{readout}");
    browser.enter();
    browser.until("document.getElementById('positions').open");
    assert_eq!(browser.value("location.hash"), "#start=33");
    // Ticks are round, and whole where things are counted; a field with a comma is quoted.
    let ticks = browser.value("ticks([-12, 31], 5, 0) + ';' + ticks([0.9, 4.1], 8, 1)");
    assert_eq!(ticks, "-10,0,10,20,30;1,2,3,4");
    let file = browser.value("download('a', { a: ['x, y', null], b: [1, 2] }).href");
    let csv = "data:text/csv;charset=utf-8,a%2Cb%0A%22x%2C%20y%22%2C1%0A%2C2%0A";
    assert_eq!(file, csv);
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn a_printed_page_has_every_column_and_no_endless_list() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let text = "positions.numbers = [518]\ntime.depth = 1\nadjudication.max_moves = 1\n";
    let engine = |place: u8| sparring(&format!("Engine number {place}"), "");
    let engines: String = (1..=15).map(engine).collect();
    let event = Event::new("print", &(text.to_owned() + &engines));
    event.run_well(&["--quiet"]);
    browser.open(&address(&event, ""));
    browser.until(READY);
    let seen = |browser: &mut Browser, selector: &str| {
        let shown = format!("document.querySelector('{selector}').checkVisibility()");
        browser.value(&shown).as_bool().unwrap()
    };
    assert!(seen(&mut browser, "table.games") && seen(&mut browser, "nav"));
    assert!(!seen(&mut browser, ".printed"));
    // A4 less its margins.
    let paper = json!({ "width": 718, "height": 1040, "deviceScaleFactor": 1, "mobile": false });
    browser.ask("Emulation.setDeviceMetricsOverride", paper);
    browser.ask("Emulation.setEmulatedMedia", json!({ "media": "print" }));
    let beyond = "[...document.querySelectorAll('table, svg, pre')].filter(one => \
        one.checkVisibility() && one.getBoundingClientRect().right > 718).map(one => one.className)";
    assert_eq!(browser.value(beyond), json!([]));
    let columns = "document.querySelectorAll('table.cross thead th').length";
    assert_eq!(browser.value(columns), 17);
    assert!(!seen(&mut browser, "table.games") && !seen(&mut browser, "nav"));
    assert!(seen(&mut browser, ".printed"));
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn the_board_follows_the_keys_through_a_castling_where_king_and_rook_change_places() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let event = castling();
    browser.open(&address(&event, "#game=1.2"));
    browser.until(READY);
    let title = browser.value("document.title");
    assert_eq!(title, "castling · arbiter960");
    let named = "document.querySelector('#organiser tbody').textContent.includes('<script>')";
    assert_eq!(browser.value(named), true);
    let chosen = "document.querySelector('.viewer .title').textContent.startsWith('Game 1.2')";
    assert_eq!(browser.value(chosen), true);
    assert_eq!(browser.value("document.activeElement.id"), "viewer");
    let on = |square: &str| {
        let pieces = "[...document.querySelectorAll('.large .board use')]";
        let squares = format!("{pieces}.map((use) => use.dataset.square)");
        format!("{squares}.filter((square) => square.startsWith('{square}')).join()")
    };
    let now = "document.querySelector('.now').textContent";
    assert_eq!(browser.value(&on("f1")), "f1K");
    browser.press("ArrowRight", 39);
    assert_eq!(browser.value(&on("f1")), "f1R");
    assert_eq!(browser.value(&on("g1")), "g1K");
    assert_eq!(browser.value(now), "1. O-O, book");
    browser.press("ArrowRight", 39);
    assert_eq!(browser.value(&on("g8")), "g8k");
    browser.press("Home", 36);
    assert_eq!(browser.value(&on("g1")), "g1R");
    browser.press("End", 35);
    let end = browser.value(now);
    assert!(end.as_str().unwrap().contains("evaluation"), "{end}");
    browser.press("ArrowLeft", 37);
    let ply = browser.value("Number(document.querySelector('.viewer').dataset.ply) + 1");
    let moves = browser.value("document.querySelectorAll('.moves button').length");
    assert_eq!(ply, moves);
    browser.value("document.querySelector('#organiser a[href*=players]').click()");
    browser.until("!document.querySelector('.filter').hidden");
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn the_moves_on_the_page_are_those_of_the_games() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let event = castling();
    browser.open(&address(&event, "#game=1.1"));
    browser.until(READY);
    let buttons = "[...document.querySelectorAll('.moves button')]";
    let moves = format!("{buttons}.map((button) => button.textContent).join(' ')");
    let moves = browser.value(&moves);
    let pgn = event.read("games.pgn");
    let is_first = |game: &&str| game.contains("[Round \"1.1\"]");
    let game = pgn.split("[Event ").find(is_first).unwrap();
    let text = game.split("\n\n").nth(1).unwrap();
    let mut expected = Vec::new();
    let mut inside = 0;
    let spaced = text.replace('{', " { ").replace('}', " } ");
    for word in spaced.split_whitespace() {
        match word {
            "{" => inside += 1,
            "}" => inside -= 1,
            _ if inside > 0 || word.ends_with('.') => {}
            "1-0" | "0-1" | "1/2-1/2" => {}
            _ => expected.push(word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.')),
        }
    }
    assert_eq!(moves, expected.join(" "));
}

#[test]
fn without_a_script_everything_but_the_boards_is_there() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let event = castling();
    let off = json!({ "value": true });
    browser.ask("Emulation.setScriptExecutionDisabled", off);
    browser.open(&address(&event, ""));
    let document = browser.document();
    assert!(!document.contains("data-ready"), "a script has run");
    let parts = [
        "id=\"game=1.2\"",
        "Five",
        "in a browser that runs this page",
    ];
    assert_has(&document, parts);
    assert_eq!(browser.complaints, Vec::<String>::new());
}

/// Every command on a committed page with its games in the same folder is about what lies there: no store does.
#[test]
fn commands_of_committed_pages_work_for_what_lies_beside_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = fs::read_dir(root.join("results")).unwrap();
    let games = folders.map(|folder| folder.unwrap().path().join("games.pgn.zst"));
    let pages = games.filter(|games| games.is_file());
    let committed = pages.map(|games| games.with_file_name("report.html"));
    let committed: Vec<_> = committed.collect();
    assert!(!committed.is_empty());
    for page in committed {
        let text = fs::read_to_string(&page).unwrap();
        let commands = text.split("<code>arbiter960 ").skip(1);
        let about = commands.filter_map(|command| command.split('<').next()?.split(' ').nth(1));
        let about: BTreeSet<&str> = about.collect();
        assert!(!about.is_empty(), "{page:?}");
        for path in about {
            assert!(root.join(path).is_file(), "{path}");
        }
    }
}
