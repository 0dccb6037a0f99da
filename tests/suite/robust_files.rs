//! What an engine puts in a file's place, between two games: nothing there stops the event.

use std::fs;

use super::robust_support::{BOUND, Run, fake_engine, games};
use super::support::{Event, sparring};

/// What takes the place of `$2`, a file of the engine.
const PLACED: [(&str, &str); 4] = [
    ("pipe", "mkfifo \"$2\""),
    ("endless", "ln -s /dev/zero \"$2\""),
    ("sparse", "truncate -s 4T \"$2\""),
    ("folder", "mkdir \"$2\""),
];

#[test]
fn an_engine_that_puts_something_else_in_its_files_place_stops_nothing() {
    for (name, place) in PLACED {
        let own = tempfile::tempdir().unwrap();
        let net = own.path().join("net");
        fs::write(&net, "").unwrap();
        // Its process goes first, so that nothing is left to wait for when it ends.
        // The trial start, the first, leaves the file: what changes in it would be called volatile.
        let script = format!(
            "\"$1\"; if [ -e \"$2.tried\" ]; then rm -rf \"$2\"; {place}; fi; touch \"$2.tried\""
        );
        let text = format!(
            "event.pairs = 2\npositions.numbers = [7]\ntime.depth = 1\nadjudication.max_moves = 4\n\
             [[engine]]\nname = \"Other\"\ncommand = \"sh\"\nrestart = true\n\
             args = [\"-c\", {script:?}, \"sh\", {:?}, {net:?}]\n{}",
            fake_engine(),
            sparring("Six", "options = { Strength = 6 }")
        );
        let event = Event::new(name, &text);
        let mut run = Run::start(&event, &["--quiet"]);
        run.end(BOUND);
        let (words, played) = (run.words(), games(&event));
        assert!(words.contains("net"), "{name}: {words}");
        for game in played {
            let lost = if game.white == "Six" { "0-1" } else { "1-0" };
            assert_ne!(game.result, lost, "{name}: Six pays: {game:?}");
        }
    }
}
