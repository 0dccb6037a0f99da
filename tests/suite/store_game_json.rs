//! A game as one JSON object comes back unchanged, and nothing else comes back.

use arbiter960::internal::event::PlayedGame;
use arbiter960::internal::referee::{Dialogue, EngineExit, Exit, Spoken};
use arbiter960::internal::store::SCHEMA;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::sample_games::{finished, voided};
use super::study;

fn back(game: &PlayedGame) -> PlayedGame {
    let text = serde_json::to_string(game).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn refusal(change: impl FnOnce(&mut Value)) -> String {
    let mut value = serde_json::to_value(finished(3, 1, 77, 20)).unwrap();
    change(&mut value);
    let game: Result<PlayedGame, _> = serde_json::from_value(value);
    game.expect_err("it was changed").to_string()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(study::cases(100)))]

    #[test]
    fn games_and_voided_games_come_back_as_they_were(seed in any::<u64>(), plies in 0usize..80) {
        let game = finished(seed % 1000, (seed % 2) as u8, seed, plies);
        prop_assert_eq!(back(&game), game);
        let mut void = voided(seed % 1000, 1, seed);
        void.record.dialogue = Some(Box::new(Dialogue {
            lines: vec![Spoken {
                at: arbiter960::clock::Stamp(seed),
                side: arbiter960::chess::Color::Black,
                from_engine: true,
                length: 900,
                text: "info string \"\u{1b}".to_owned(),
            }],
            remains: EngineExit { exit: Some(Exit::Signal(6)), stderr: "gone\n".to_owned() },
        }));
        prop_assert_eq!(back(&void), void);
    }

    #[test]
    fn a_text_with_any_byte_changed_is_read_or_refused_and_nothing_panics(
        at in any::<prop::sample::Index>(), byte in any::<u8>()
    ) {
        let mut bytes = serde_json::to_vec(&finished(3, 1, 77, 20)).unwrap();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let read: Result<PlayedGame, _> = serde_json::from_slice(&bytes);
        // What is read can be written.
        if let Ok(game) = read {
            serde_json::to_string(&game).unwrap();
        }
    }
}

#[test]
fn what_is_no_game_is_refused_with_the_reason() {
    assert!(refusal(|value| value["schema"] = json!(SCHEMA + 1)).contains("version"));
    assert!(refusal(|value| value["schema"] = json!(SCHEMA - 1)).contains("version"));
    assert!(refusal(|value| value["reason"] = json!("boredom")).contains("boredom"));
    assert!(refusal(|value| value["id"]["game"] = json!(2)).contains("no game 2"));
    let illegal = refusal(|value| {
        let moves = value["moves"].as_str().unwrap();
        let first = moves.split('"').nth(1).unwrap();
        value["moves"] = json!(moves.replacen(first, "e1e8", 1));
    });
    assert!(illegal.contains("e1e8"), "{illegal}");
    assert!(refusal(|value| drop(value.as_object_mut().unwrap().remove("fen"))).contains("fen"));
}
