//! What `report.html` answers first, and its words and tables on narrow screens and on paper.

use std::fs;

use serde_json::json;

use super::browser::Browser;
use super::support::{Event, tool};

/// An event of builtin engines with these strengths.
fn event(name: &str, format: &str, strengths: &[u32]) -> Event {
    let mut text = format!(
        "event.format = \"{format}\"\npositions.numbers = [518]\ntime.depth = 1\nadjudication.max_moves = 2\n"
    );
    for (place, strength) in strengths.iter().enumerate() {
        text += &format!(
            "[[engine]]\nname = \"Engine {}\"\nbuiltin = \"sparring\"\noptions = {{ Strength = {strength} }}\n",
            place + 1
        );
    }
    Event::new(name, &text)
}

/// The sentence of a claim.
fn said(page: &str, claim: &str) -> String {
    let found = page.split_once(&format!("<p data-claim=\"{claim}\">"));
    let (_, rest) = found.unwrap_or_else(|| panic!("no {claim}"));
    rest.split("</p>").next().unwrap().to_owned()
}

#[test]
fn of_a_cup_the_winner_of_the_final_is_named_and_nobody_as_the_strongest() {
    let event = event("cup", "knockout", &[5, 5, 5, 5]);
    event.run_well(&["--quiet"]);
    let page = event.read("report.html");
    // Everything is level, and the first seed advances.
    let won = said(&page, "winner");
    assert!(
        won.starts_with("Engine 1 won: the final against Engine "),
        "{won}"
    );
    assert!(won.contains(", decided by "), "{won}");
    assert!(!page.contains("data-claim=\"stronger\""));
    assert!(!page.contains("highest rating"));
}

#[test]
fn engines_with_equal_points_share_the_first_place_and_a_match_or_gauntlet_has_no_winner() {
    let league = event("league", "round-robin", &[5, 5, 5]);
    league.run_well(&["--quiet"]);
    let won = said(&league.read("report.html"), "winner");
    assert!(
        won.contains(" share the first place with 2.0 points from 4 games"),
        "{won}"
    );
    for (name, format, strengths) in [
        ("gauntlet", "gauntlet", [5, 5, 5].as_slice()),
        ("match", "match", &[5, 6]),
    ] {
        let event = event(name, format, strengths);
        event.run_well(&["--quiet"]);
        let page = event.read("report.html");
        assert!(!page.contains("data-claim=\"winner\""), "{format}");
    }
}

/// Games of two engines from twelve starts, of which White wins all from the first and none from the last.
fn named_positions() -> String {
    let starts = [518, 100, 150, 200, 250, 300, 350, 400, 450, 500, 550, 900].map(|number: u32| {
        let fen = tool(&["positions", &number.to_string(), "--format", "xfen"]);
        fen.trim().to_owned()
    });
    let mut text = String::new();
    for pair in 0..480 {
        let start = &starts[pair % 12];
        for game in 0..2 {
            let (white, black) = [("A", "B"), ("B", "A")][game];
            let wins = match pair % 12 {
                0 => true,
                11 => false,
                _ => (pair / 12 * (pair % 12 + 2) + game) % 5 % 2 == 0,
            };
            let result = if wins { "1-0" } else { "0-1" };
            // No two games are the same.
            let plies = ["a", "b", "c", "d", "e", "f", "g", "h"];
            let (one, other) = (plies[pair / 12 % 8], plies[pair / 96]);
            text += &format!(
                "[Event \"Named\"]\n[Round \"{}.{}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\
                 [Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"{start}\"]\n[Result \"{result}\"]\n\n\
                 1. {one}4 {other}6 {result}\n\n",
                pair + 1,
                game + 1
            );
        }
    }
    text
}

#[test]
fn what_can_be_said_is_read_at_400_pixels_without_scrolling_sideways() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (games, file) = (at("named.pgn"), at("named.html"));
    fs::write(&games, named_positions()).unwrap();
    tool(&["report", &games, "--output", &file]);
    let narrow = json!({ "width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": true });
    browser.ask("Emulation.setDeviceMetricsOverride", narrow);
    browser.open(&format!("file://{file}"));
    assert!(
        browser
            .value("document.querySelectorAll('.words table.stacked td').length")
            .as_u64()
            > Some(0),
        "no position is named"
    );
    let beyond = "[...document.querySelectorAll('.words, .words *')].filter(one => \
        one.getBoundingClientRect().right > 400).map(one => one.outerHTML)";
    assert_eq!(browser.value(beyond), json!([]));
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn a_crosstable_that_is_wider_than_paper_is_printed_in_parts_with_every_column() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (games, file) = (at("many.pgn"), at("many.html"));
    let mut text = String::new();
    for place in 1..=40 {
        let other = place % 40 + 1;
        text += &format!(
            "[Event \"Many\"]\n[White \"Engine {place}\"]\n[Black \"Engine {other}\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n"
        );
    }
    fs::write(&games, text).unwrap();
    tool(&["report", &games, "--output", &file]);
    // A4 on its side less its margins.
    let paper = json!({ "width": 1046, "height": 710, "deviceScaleFactor": 1, "mobile": false });
    browser.ask("Emulation.setDeviceMetricsOverride", paper);
    browser.ask("Emulation.setEmulatedMedia", json!({ "media": "print" }));
    browser.open(&format!("file://{file}"));
    let tables =
        "[...document.querySelectorAll('table.cross')].filter(one => one.checkVisibility())";
    let columns = format!(
        "{tables}.flatMap(one => [...one.querySelectorAll('thead th')].slice(2).map(cell => +cell.textContent))"
    );
    assert_eq!(browser.value(&columns), json!((1..=40).collect::<Vec<_>>()));
    let widest =
        format!("Math.max(...{tables}.map(one => one.getBoundingClientRect().right)) <= 1046");
    assert_eq!(browser.value(&widest), true);
    assert_eq!(browser.complaints, Vec::<String>::new());
}
