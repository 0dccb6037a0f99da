//! PGN files of any bytes: nothing panics, reading ends, and the games do not depend on how the
//! bytes arrive.

#![no_main]

use arbiter960::verify::{Options, verify};
use arbiter960::pgn::PgnReader;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut findings = 0;
    let summary = verify(bytes, Options::default(), |finding| {
        assert!(!finding.to_string().is_empty());
        findings += 1;
    });
    let summary = summary.expect("a slice can always be read");
    assert_eq!(summary.findings + summary.warnings, findings);
    assert_eq!(games(bytes, 1 << 16), games(bytes, 16));
});

/// Every game with its moves, or what is wrong with it.
fn games(bytes: &[u8], buffer: usize) -> Vec<String> {
    let mut reader = PgnReader::with_buffer(bytes, buffer);
    let mut games = Vec::new();
    while let Some(game) = reader.next_game() {
        games.push(match game {
            Ok(game) => match game.replay() {
                Ok(mut replay) => format!("{:?} {:?}", replay.finish(), replay.position()),
                Err(error) => format!("{error:?}"),
            },
            Err(error) => format!("{error:?}"),
        });
    }
    games
}
