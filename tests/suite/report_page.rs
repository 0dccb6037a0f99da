//! `report.html`: what is in the file, and what a real browser makes of it.

use std::fs;

use serde_json::json;

use super::browser::Browser;
use super::support::{Event, arbiter960, tool, words};

/// A first move after which king and rook have exchanged their squares, and a name that wants to be
/// a script.
const CASTLING: &str = r#"
event.concurrency = 2
positions.file = "book.pgn"
time.depth = 1
adjudication.max_moves = 6
[[engine]]
name = "One <script>document.title = 'taken over'</script>"
builtin = "sparring"
options = { Strength = 1 }
[[engine]]
name = "Five"
builtin = "sparring"
options = { Strength = 5 }
"#;

const BOOK: &str = "[Event \"?\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
    [FEN \"rbbnqkrn/pppppppp/8/8/8/8/PPPPPPPP/RBBNQKRN w GAga - 0 1\"]\n\n1. O-O O-O *\n";

fn castling() -> Event {
    let event = Event::new("castling", CASTLING);
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
    let event = Event::new(
        "page",
        "positions.numbers = [518]\ntime.depth = 1\n\
         [[engine]]\nname = \"One\"\nbuiltin = \"sparring\"\noptions = { Strength = 1 }\n\
         [[engine]]\nname = \"Two\"\nbuiltin = \"sparring\"\noptions = { Strength = 2 }\n",
    );
    let said = event.run_well(&["--no-report"]);
    assert!(!said.contains("report.html"), "{said}");
    assert!(!event.results().join("report.html").exists());
    let said = event.run_well(&[]);
    assert!(said.contains("report.html"), "{said}");
    let page = event.read("report.html");
    for anchor in [
        "e1-researcher",
        "e1-developer",
        "e1-organiser",
        "e1-game-1.1",
    ] {
        assert!(page.contains(&format!("id=\"{anchor}\"")), "no {anchor}");
    }
    // Nothing is fetched: the only addresses are anchors and data.
    for place in page
        .split(" href=\"")
        .skip(1)
        .chain(page.split(" src=\"").skip(1))
    {
        let own = place.starts_with('#') || place.starts_with("data:text/csv");
        assert!(own, "an address outside: {}", &place[..40]);
    }
    assert!(page.contains("default-src 'none'"));
    let results = event.results().display().to_string();
    let file = event.folder().join("own.html").display().to_string();
    assert!(tool(&["report", &results, "--output", &file]).contains("own.html"));
    let own = fs::read_to_string(&file).unwrap();
    assert!(own.contains("id=\"e1-game-1.2\""));
    let both = event.folder().join("both.html").display().to_string();
    tool(&["report", &results, &results, "--output", &both]);
    let both = fs::read_to_string(both).unwrap();
    assert!(both.contains("id=\"compared\"") && both.contains("id=\"e2-game-1.1\""));
}

#[test]
fn a_page_is_made_of_events_alone() {
    let output = arbiter960().args(["report", "games.pgn"]).output().unwrap();
    assert!(!output.status.success());
    assert!(
        words(&output).contains("stats` reads PGN"),
        "{}",
        words(&output)
    );
}

#[test]
fn the_board_follows_the_keys_through_a_castling_where_king_and_rook_change_places() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let event = castling();
    browser.open(&address(&event, "#e1-game-1.2"));
    browser.until(READY);
    let title = browser.value("document.title");
    assert_eq!(title, "castling · arbiter960");
    let named = "document.querySelector('#e1-organiser tbody').textContent.includes('<script>')";
    assert_eq!(browser.value(named), true);
    let chosen = "document.querySelector('.viewer .title').textContent.startsWith('Game 1.2')";
    assert_eq!(browser.value(chosen), true);
    assert_eq!(browser.value("document.activeElement.id"), "e1-viewer");
    let on = |square: &str| {
        let squares =
            "[...document.querySelectorAll('.board use')].map((use) => use.dataset.square)";
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
    assert_eq!(
        browser.value("Number(document.querySelector('.viewer').dataset.ply) + 1"),
        browser.value("document.querySelectorAll('.moves button').length")
    );
    browser.value("document.querySelector('#e1-organiser a[href*=players]').click()");
    browser.until("!document.querySelector('.filter').hidden");
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn the_moves_on_the_page_are_those_of_the_games() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let event = castling();
    browser.open(&address(&event, "#e1-game-1.1"));
    browser.until(READY);
    let moves = browser.value(
        "[...document.querySelectorAll('.moves button')].map((button) => button.textContent).join(' ')",
    );
    let pgn = event.read("games.pgn");
    let game = pgn
        .split("[Event ")
        .find(|game| game.contains("[Round \"1.1\"]"))
        .unwrap();
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
    assert!(document.contains("id=\"e1-game-1.2\""));
    assert!(document.contains("Five"));
    assert!(document.contains("in a browser that runs this page"));
    assert_eq!(browser.complaints, Vec::<String>::new());
}
