//! What one engine does must not cost the other one a game, nor its clock.

use super::platforms::can;
use super::robust_support::{Run, assert_files_whole, fake, reasons};
use super::support::Event;
use arbiter960::internal::platform::Capability;

/// Two pairs of the fake engine, called `Guilty`, against one called `Innocent`.
fn event(name: &str, moves: u32, guilty: &str, innocent: &str) -> Event {
    let text = format!(
        "event.pairs = 2\npositions.numbers = [518]\nadjudication.max_moves = {moves}\n\
         [[engine]]\nname = \"Guilty\"\n{guilty}\n[[engine]]\nname = \"Innocent\"\n{innocent}\n"
    );
    Event::new(name, &text)
}

/// Plays it; the reasons of the games.
fn play(event: &Event) -> Vec<String> {
    Run::start(event, &["--quiet"]).ends_alone(0);
    assert_files_whole(event);
    reasons(event)
}

const PLAYED: &str = "length-adjudication";

#[test]
fn an_opponent_that_crashes_while_both_prepare_costs_no_later_game() {
    // Its tables take longer to clear than its clock gives it.
    let innocent = fake(&["clears=1200"]) + "\ntime.control = \"0.6+0.1\"";
    let guilty = fake(&["start=exit-newgame", "once"]) + "\ntime.depth = 1";
    let reasons = play(&event("clears", 4, &guilty, &innocent));
    assert_eq!(reasons, ["crash", PLAYED, PLAYED, PLAYED]);
}

#[test]
fn an_opponent_that_is_ended_off_its_turn_leaves_no_search_behind() {
    if !can(Capability::MemoryLimit) {
        return;
    }
    let guilty = fake(&["search=answer-and-hog:400", "at=1", "once"]);
    let guilty = guilty + "\nmemory_mib = 100\ntime.depth = 1";
    let innocent = "builtin = \"sparring\"\ntime = { movetime = 0.9, margin_ms = 3000 }";
    let event = event("hog", 2, &guilty, innocent);
    assert_eq!(play(&event), ["memory-limit", PLAYED, PLAYED, PLAYED]);
    // No move of the first game was played in another one: each took its time.
    let least = event.number("SELECT min(received_ns - sent_ns) FROM moves WHERE nodes > 1");
    assert!(least > 100_000_000, "{least} ns");
}

#[test]
fn what_the_opponent_says_out_of_turn_is_not_charged_to_the_mover() {
    let guilty = fake(&["sings=options"]) + "\ntime.depth = 1";
    let innocent = "builtin = \"sparring\"\ntime = { movetime = 0.1, margin_ms = 1000 }";
    let event = event("options", 4, &guilty, innocent);
    assert_eq!(play(&event), [PLAYED; 4]);
}

/// When a line of a log began, microseconds, and how many bytes of an engine it is.
fn spoken(line: &str) -> Option<(u64, u64)> {
    let (at, said) = line.split_once(" < ")?;
    let (seconds, micros) = at.split_once('.')?;
    let at = seconds.parse::<u64>().ok()? * 1_000_000 + micros.parse::<u64>().ok()?;
    Some((at, said.len() as u64 + 1))
}

#[test]
fn of_a_flood_out_of_turn_no_more_is_read_than_a_kibibyte_a_millisecond() {
    let guilty = fake(&["sings=short"]) + "\ntime.depth = 1";
    let innocent = "builtin = \"sparring\"\ntime = { movetime = 0.1, margin_ms = 1000 }";
    let event = event("short", 4, &guilty, innocent);
    Run::start(&event, &["--quiet", "--log-engines"]).ends(0);
    let log = event.read("log/engines/lane-1-Guilty.uci");
    let spoken: Vec<(u64, u64)> = log.lines().filter_map(spoken).collect();
    let store = event.store();
    // The innocent engine is Black in the first game of a pair.
    let sql = "SELECT sent_ns / 1000, received_ns / 1000 FROM moves JOIN games USING (pair, game)
               WHERE (ply + white_engine) % 2 = 0 ORDER BY sent_ns";
    let mut turns = store.prepare(sql).unwrap();
    let turns = turns.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
    let turns: Vec<(i64, i64)> = turns.unwrap().map(Result::unwrap).collect();
    assert_eq!(turns.len(), 16, "{turns:?}");
    let mut all = 0;
    for (sent, received) in turns {
        let (sent, received) = (sent.cast_unsigned(), received.cast_unsigned());
        let in_turn = |(at, _): &&(u64, u64)| (sent..received).contains(at);
        let heard: u64 = spoken.iter().filter(in_turn).map(|(_, bytes)| bytes).sum();
        let turn = received - sent;
        let most = (turn / 1000 + 2) * 1024;
        assert!(heard <= most, "{heard} bytes in a turn of {turn} µs");
        all += heard;
    }
    assert!(all > 0, "nothing was said out of turn");
}
