//! Events whose engines think on their opponents' time, with real processes.

use arbiter960::internal::platform::Capability;

use super::event_real_engines::refereed;
use super::host_faults::one_that;
use super::platforms::can;
use super::robust_support::{Run, assert_files_whole, fake_engine, games};
use super::support::{Event, arbiter960, assert_has, ends, engine, table};

/// A pair of two fake engines, `Guilty` with these words and a sound one, which both ponder.
fn event(name: &str, words: &[&str], control: &str) -> Event {
    let fake = fake_engine();
    let text = format!(
        "positions.numbers = [518]\nadjudication.max_moves = 8\ntime.control = {control:?}\n\
         defaults.ponder = true\n\
         [[engine]]\nname = \"Guilty\"\ncommand = {fake:?}\nargs = {words:?}\n\
         [[engine]]\nname = \"Sound\"\ncommand = {fake:?}\nargs = [\"ponders\"]\n"
    );
    Event::new(name, &text)
}

/// Plays it; the reasons of the games.
fn play(event: &Event) -> Vec<String> {
    let mut run = Run::start(event, &[]);
    run.ends(0);
    assert_eq!(run.survivors(), Vec::<String>::new(), "left running");
    assert_files_whole(event);
    games(event).into_iter().map(|game| game.reason).collect()
}

const BREACHES: &str = "SELECT count(*) FROM play WHERE breaches IS NOT NULL";

/// How many moves came from a search on the opponent's time that continued, and that was stopped.
fn hits_and_misses(event: &Event) -> [i64; 2] {
    let sql = |word| format!("SELECT count(*) FROM moves WHERE pondered = '{word}'");
    ["hit", "miss"].map(|word| event.number(&sql(word)))
}

#[test]
fn every_hit_and_every_miss_is_kept_and_engines_play_on_after_a_game_that_ends_while_they_ponder() {
    for (name, expects, kind) in [("right", "expects=right", 0), ("wrong", "expects=wrong", 1)] {
        let event = event(name, &["ponders", expects], "20+1");
        assert_eq!(play(&event), ["length-adjudication"; 2]);
        // All moves but each side's first, for `Guilty`; the other one always hits.
        let mut expected = [14, 0];
        expected[kind] += 14;
        assert_eq!(hits_and_misses(&event), expected, "{name}");
        assert_eq!(event.number(BREACHES), 0);
        let log = event.read("log/run.log");
        assert!(!log.contains("still owed an answer"), "{log}");
        let explained = event.ask(&["explain", "1.1"]);
        assert_has(&explained, [" ponder", " hit"]);
    }
}

#[test]
fn what_an_engine_may_do_wrong_when_it_ponders_costs_itself_at_most() {
    let over = "length-adjudication";
    // The engine's instructions, how both games end, and whether lines of it count as unasked; `None` for an engine
    // that answers early, whose answer may be read after `ponderhit`.
    let cases: [(&[&str], &str, Option<bool>); 10] = [
        (&["ponders=early"], over, None),
        (&["ponders=early", "expects=wrong"], over, None),
        (&["ponders=twice"], over, Some(true)),
        (&["ponders=late"], over, Some(false)),
        (&["ponders=late", "expects=wrong"], over, Some(false)),
        (&["ponders=once"], over, Some(false)),
        (&["ponders=once", "expects=wrong"], over, Some(false)),
        (&["ponders=exit"], "crash", Some(false)),
        (&["ponders=mute"], "flag-fall", Some(false)),
        (&["ponders=deaf", "expects=wrong"], "flag-fall", Some(false)),
    ];
    for (index, (words, reason, unasked)) in cases.into_iter().enumerate() {
        let control = if reason == "flag-fall" { "0.5" } else { "20+1" };
        let event = event(&format!("case {index}"), words, control);
        for played in play(&event) {
            // A busy machine may have kept it from answering, or the thread of a late one from beginning before
            // the runner gives up (`referee_ponder` has that in virtual time): then its flag has fallen.
            let late = words[0] == "ponders=late" && played == "flag-fall";
            assert!(late || played == reason, "{words:?}: {played}");
        }
        let lost = "SELECT count(*) FROM games WHERE fault_kind IS NOT NULL \
                    AND (fault_side = 'white') != (white_engine = 0)";
        assert_eq!(event.number(lost), 0, "{words:?}: the sound one lost");
        let breaches = event.number(BREACHES) > 0;
        assert!(
            unasked.is_none_or(|unasked| unasked == breaches),
            "{words:?}"
        );
    }
}

#[test]
fn the_built_in_engine_ponders_and_is_not_blamed_for_it() {
    if !can(Capability::IdleEvidence) {
        return;
    }
    let event = Event::new(
        "sparring",
        "positions.numbers = [518]\nadjudication.max_moves = 6\ntime.movetime = 0.1\n\
         time.margin_ms = 5000\nfaults = { idle_cpu = \"fault\", idle_cpu_percent = 1 }\n\
         [[engine]]\nname = \"Ponders\"\nbuiltin = \"sparring\"\nponder = true\n\
         [[engine]]\nname = \"Waits\"\nbuiltin = \"sparring\"\n",
    );
    assert_eq!(play(&event), ["length-adjudication"; 2]);
    let [hits, misses] = hits_and_misses(&event);
    assert!(
        hits > 0 && hits + misses == 10,
        "{hits} hits, {misses} misses"
    );
    let watched = "SELECT count(*) FROM moves JOIN games USING (sequence) \
                   WHERE watched_ns IS NOT NULL AND idle_watched_ns IS NOT NULL \
                   AND (ply % 2 = 1) = (white_engine = 1) AND ply > 1";
    assert_eq!(
        event.number(watched),
        0,
        "who ponders was watched for idling"
    );
}

#[test]
fn real_engines_ponder() {
    let Some((stockfish, ethereal)) = engine("stockfish").zip(engine("ethereal-chess")) else {
        return;
    };
    let text = format!(
        "positions.numbers = [0]\ntime.control = \"1+0.05\"\ntime.margin_ms = 60000\n\
         timeouts.start = 600\nadjudication.max_moves = 20\ndefaults.ponder = true\n\
         [[engine]]\ncommand = {stockfish:?}\n[[engine]]\ncommand = {ethereal:?}\n"
    );
    let played = || {
        let event = Event::new("real", &text);
        let reasons = play(&event);
        assert_eq!(reasons.len(), 2);
        let lost = "SELECT count(*) FROM games WHERE fault_kind IS NOT NULL \
                    AND (fault_side = 'white') != (white_engine = 1)";
        assert_eq!(event.number(lost), 0, "{reasons:?}: Stockfish lost");
        event
    };
    // On a busy machine Ethereal's search begins so late that it misses a command (docs/pondering.md), or it names no reply.
    let faults = "SELECT count(*) FROM games WHERE fault_kind IS NOT NULL";
    let many = |event: &Event| hits_and_misses(event).iter().all(|moves| *moves > 5);
    let event = one_that(played, |event| event.number(faults) == 0 && many(event));
    assert_eq!(event.number(BREACHES), 0);
    assert!(refereed(&event).is_none_or(|games| games == 2));
}

#[test]
fn what_cannot_be_pondered_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let fake = format!("cmd={}", fake_engine().display());
    for [code, words, problem] in table(
        "2 | ponder=true --engine builtin=sparring --depth 3 | keeps to no limit of nodes or depth
         2 | ponder=true option.Ponder=false --engine builtin=sparring --tc 9 | \
         `Ponder` is not true, and this engine has ponder = true
         3 | --engine FAKE ponder=true --tc 9 | no option Ponder",
    ) {
        let mut command = arbiter960();
        command.args([
            "match",
            "--positions",
            "518",
            "--engine",
            "builtin=sparring",
        ]);
        command.args(words.replace("FAKE", &fake).split(' '));
        let said = ends(code.parse().unwrap(), command.current_dir(&folder));
        assert_has(&said, [problem]);
    }
}
