//! For any bytes the reader never panics, never hangs, and continues.

use arbiter960::pgn::{Annotations, PgnReader, Step};
use arbiter960::verify::{Options, verify};
use proptest::prelude::*;

use super::study;

const GAMES: &str = "\u{feff}[Event \"one\"]\r\n[White \"a \\\"b\\\"\"]\r\n[Variant \"Chess960\"]\r\n\
[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1\"]\r\n\r\n\
1. f4 {[%eval 0.31] [%clk 0:00:09.8] d=18/24} 1... f5 $1 (1... e5 (1... a5) 2. fxe5)\r\n\
2. Ne3! ; rest\r\n% escaped\r\nNe6 *\r\n\r\n\
[Event \"two\"]\n[Result \"1-0\"]\n[StartNumber \"518\"]\n[PlyCount \"3\"]\n\n\
1. e2e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n\
[Event \"three\"]\n[Termination \"normal\"]\n\n\
[Event \"four\"]\n\n1. e4 {\n[Event \"no\"]\n} e5 1/2-1/2\n1. d4 d5 0-1\n";

/// Reads everything there is in every way there is; the number of games and errors.
fn read_all(bytes: &[u8], buffer: usize) -> (u64, u64) {
    let mut reader = PgnReader::with_buffer(bytes, buffer);
    let (mut games, mut errors) = (0, 0);
    while let Some(game) = reader.next_game() {
        let Ok(game) = game else {
            errors += 1;
            continue;
        };
        games += 1;
        game.tags().for_each(drop);
        game.warnings();
        let Ok(mut replay) = game.replay() else {
            errors += 1;
            continue;
        };
        while let Some(step) = replay.next_step() {
            match step {
                Ok(Step::Comment(comment)) => drop(Annotations::parse(comment)),
                Ok(_) => {}
                Err(_) => errors += 1,
            }
        }
    }
    (games, errors)
}

#[test]
fn the_text_itself_is_good() {
    assert_eq!(read_all(GAMES.as_bytes(), 4096), (5, 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(study::cases(300)))]

    #[test]
    fn random_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400), buffer in 16usize..64) {
        read_all(&bytes, buffer);
    }

    #[test]
    fn random_signs_of_pgn(text in "[\\[\\]{}()%;\"\\\\ \nEvent10/2*.$!?#Oax-]{0,200}", buffer in 16usize..64) {
        let small = read_all(text.as_bytes(), buffer);
        prop_assert_eq!(small, read_all(text.as_bytes(), 1 << 16));
        prop_assert!(verify(text.as_bytes(), Options::default(), drop).is_ok());
    }

    #[test]
    fn games_with_changed_bytes(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        buffer in 16usize..64,
    ) {
        let mut bytes = GAMES.as_bytes().to_vec();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        let small = read_all(&bytes, buffer);
        prop_assert_eq!(small, read_all(&bytes, 1 << 16));
        prop_assert!(verify(bytes.as_slice(), Options::default(), drop).is_ok());
    }

    #[test]
    fn games_with_a_piece_missing(from in any::<prop::sample::Index>(), length in 0usize..80) {
        let mut bytes = GAMES.as_bytes().to_vec();
        let from = from.index(bytes.len());
        let to = (from + length).min(bytes.len());
        bytes.drain(from..to);
        let (games, _) = read_all(&bytes, 4096);
        // What is missing can join two games or more, but never reaches all of them.
        prop_assert!(games >= 1);
    }
}
