//! What `report.html` answers first, and its words and tables on narrow screens and on paper.

use std::fs;

use serde_json::json;
use tempfile::TempDir;

use super::browser::Browser;
use super::support::{Event, assert_has, assert_lacks, tool};
use super::verdicts::numbered;

/// An event of builtin engines with these strengths.
fn event(name: &str, format: &str, strengths: &[u32]) -> Event {
    let rules = "positions.numbers = [518]\ntime.depth = 1\nadjudication.max_moves = 2";
    let engines = numbered(strengths);
    Event::new(
        name,
        &format!("event.format = \"{format}\"\n{rules}\n{engines}"),
    )
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
    let final_won = "Engine 1 won: the final against Engine ";
    assert!(won.starts_with(final_won), "{won}");
    assert_has(&won, [", decided by "]);
    assert_lacks(&page, ["data-claim=\"stronger\"", "highest rating"]);
}

#[test]
fn engines_with_equal_points_share_the_first_place_and_a_match_or_gauntlet_has_no_winner() {
    let league = event("league", "round-robin", &[5, 5, 5]);
    league.run_well(&["--quiet"]);
    let won = said(&league.read("report.html"), "winner");
    assert_has(
        &won,
        [" share the first place with 2.0 points from 4 games"],
    );
    for (format, strengths) in [("gauntlet", &[5, 5, 5][..]), ("match", &[5, 6])] {
        let event = event(format, format, strengths);
        event.run_well(&["--quiet"]);
        assert_lacks(&event.read("report.html"), ["data-claim=\"winner\""]);
    }
}

/// Games of two engines from twelve starts, of which White wins all from the first and none from the last.
fn named_positions() -> String {
    let numbers = "518 100 150 200 250 300 350 400 450 500 550 900";
    let starts = tool(
        &[
            &["positions", "--format", "xfen"],
            &numbers.split(' ').collect::<Vec<_>>()[..],
        ]
        .concat(),
    );
    let starts: Vec<&str> = starts.lines().collect();
    let mut text = String::new();
    for pair in 0..480 {
        let start = starts[pair % 12];
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

/// The address of a page about these games.
fn page_of(games: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (file, page) = (at("games.pgn"), at("page.html"));
    fs::write(&file, games).unwrap();
    tool(&["report", &file, "--output", &page]);
    (folder, format!("file://{page}"))
}

#[test]
fn what_can_be_said_is_read_at_400_pixels_without_scrolling_sideways() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let (_folder, page) = page_of(&named_positions());
    let narrow = json!({ "width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": true });
    browser.ask("Emulation.setDeviceMetricsOverride", narrow);
    browser.open(&page);
    let named = "document.querySelectorAll('.words table.stacked td').length";
    assert!(
        browser.value(named).as_u64() > Some(0),
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
    let mut text = String::new();
    for place in 1..=40 {
        let other = place % 40 + 1;
        text += &format!(
            "[Event \"Many\"]\n[White \"Engine {place}\"]\n[Black \"Engine {other}\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n"
        );
    }
    let (_folder, page) = page_of(&text);
    // A4 on its side less its margins.
    let paper = json!({ "width": 1046, "height": 710, "deviceScaleFactor": 1, "mobile": false });
    browser.ask("Emulation.setDeviceMetricsOverride", paper);
    browser.ask("Emulation.setEmulatedMedia", json!({ "media": "print" }));
    browser.open(&page);
    let tables =
        "[...document.querySelectorAll('table.cross')].filter(one => one.checkVisibility())";
    let heads = "[...one.querySelectorAll('thead th')].slice(2).map(cell => +cell.textContent)";
    let columns = browser.value(&format!("{tables}.flatMap(one => {heads})"));
    assert_eq!(columns, json!((1..=40).collect::<Vec<_>>()));
    let ends = format!("{tables}.map(one => one.getBoundingClientRect().right)");
    assert_eq!(browser.value(&format!("Math.max(...{ends}) <= 1046")), true);
    assert_eq!(browser.complaints, Vec::<String>::new());
}
