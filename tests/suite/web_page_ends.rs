//! How a game ends on a live board, in a real browser.

use std::fs;

use super::browser::Browser;
use super::robust_support::fake;
use super::support::{Event, sparring};
use super::web_page::Served;

/// White mates at once in a game of a book, so that the next game begins within a look of the page.
const MATE: &str =
    "[Event \"?\"]\n[SetUp \"1\"]\n[FEN \"6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\"]\n\n*\n";

/// The first board of an event whose games all end in this way shows it, and keeps showing it.
fn end_is_read(name: &str, text: &str, words: &str) {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let event = Event::new(name, text);
    fs::write(event.folder().join("mate.pgn"), MATE).unwrap();
    let served = Served::played(&event);
    browser.open(&format!("http://{}/", served.address));
    browser.until("document.documentElement.dataset.ready === 'yes'");
    // How long it is shown is measured by the page itself, at the moments of its changes.
    let watch = format!(
        "new Promise((done) => {{ let name = '', since = 0; new MutationObserver(() => {{ \
         const box = document.querySelector('.game'); const now = box.querySelector('.round').textContent; \
         if (name && now !== name) done(performance.now() - since); \
         if (!name && box.querySelector('.end').textContent.includes('{words}')) {{ name = now; since = performance.now(); }} \
         }}).observe(document.getElementById('boards'), {{ subtree: true, childList: true }}); }})"
    );
    let stood = browser.value(&watch);
    assert!(stood.as_f64() > Some(1500.0), "{stood} ms");
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn a_checkmate_is_read_before_the_next_game_begins() {
    let text = "positions.file = \"mate.pgn\"\nevent.pairs = 2000\ntime.depth = 3\n\
        [[engine]]\nname = \"One\"\nbuiltin = \"sparring\"\n[[engine]]\nname = \"Two\"\nbuiltin = \"sparring\"\n";
    end_is_read("mates", text, "checkmate");
}

#[test]
fn a_fall_of_the_flag_and_an_illegal_move_are_read_before_the_next_game_begins() {
    let deeds = [
        ("flags", "late", "time"),
        ("illegal", "say:a1a1", "illegal"),
    ];
    for (name, deed, words) in deeds {
        let text = format!(
            "positions.all = true\ntime.control = \"0.2+0\"\n[[engine]]\nname = \"Bad\"\n{}\nrestart = true\n{}",
            fake(&[&format!("search={deed}")]),
            sparring("Good", "")
        );
        end_is_read(name, &text, words);
    }
}
