//! Engines that misbehave: behaviour × outcome × time bound × what is left running.
//!
//! Every row plays four games of the fake engine against the built-in one, one after
//! the other. The misdeeds of a search happen in the first game only, so the others show
//! that the event continues; what lies in the nature of an engine happens in all of them.
//! In every row nothing is left running, the PGN is sound and equal to the store, and
//! running the same command again finds the event complete.

use std::time::Duration;

use super::platforms::can_end;
use super::robust_support::{BOUND, Run, assert_files_whole, fake, fake_engine, games};
use super::support::{Event, assert_has, sparring};

/// The fake engine's limit. A mute engine costs a second with a clock, and without
/// one as long as `timeouts.stall`.
const CLOCK: &str = "control = \"1+0.1\"";
const MOVETIME: &str = "movetime = 0.8";
const LONG: &str = "control = \"60+1\"";
const NODES: &str = "nodes = 1000";
const DEPTH: &str = "depth = 3";

/// The termination in PGN of each reason.
const TERMINATIONS: [(&str, &str); 6] = [
    ("crash", "abandoned"),
    ("stall", "abandoned"),
    ("not-ready", "abandoned"),
    ("start-failure", "abandoned"),
    ("flag-fall", "time forfeit"),
    ("illegal-move", "rules infraction"),
];

/// What the four games must look like; `""` is a game without a forfeit.
type Reasons = [&'static str; 4];

const SOUND: Reasons = [""; 4];

/// The first game is lost for this reason.
const fn once(reason: &'static str) -> Reasons {
    [reason, "", "", ""]
}

struct Row {
    /// Words for the fake engine.
    words: &'static str,
    /// Its time control.
    limit: &'static str,
    expected: Expected,
    /// More lines of the fake engine's table in the event file.
    more: &'static str,
}

enum Expected {
    /// All four games are played and end like this; exit 0.
    Games(Reasons),
    /// No game is played; exit 3, and the engine is named with these words.
    Refused(&'static str),
}
use Expected::{Games, Refused};

/// A test for each row.
macro_rules! table {
    ($($name:ident: $words:literal, $limit:expr, $expected:expr $(, $more:literal)?;)*) => {
        $(#[test]
        fn $name() {
            let row = Row {
                words: $words,
                limit: $limit,
                expected: $expected,
                more: concat!("", $($more)?),
            };
            row.check(stringify!($name));
        })*
    };
}

table! {
    // crashes
    abort_with_a_clock: "search=abort once", CLOCK, Games(once("crash"));
    abort_under_nodes: "search=abort once", NODES, Games(once("crash"));
    abort_under_depth: "search=abort once", DEPTH, Games(once("crash"));
    abort_at_the_first_move: "search=abort at=1 once", CLOCK, Games(once("crash"));
    exit_0_in_the_search: "search=exit once", CLOCK, Games(once("crash"));
    exit_0_under_nodes: "search=exit once", NODES, Games(once("crash"));
    exit_0_under_depth: "search=exit once", DEPTH, Games(once("crash"));
    segmentation_fault: "search=segv once", CLOCK, Games(once("crash"));
    segmentation_fault_under_nodes: "search=segv once", NODES, Games(once("crash"));
    answer_and_exit: "search=answer-and-exit once", CLOCK, Games(once("crash"));
    answer_without_a_line_end_and_exit: "search=answer-unended once", CLOCK, Games(once("crash"));
    half_an_answer_and_a_failure: "search=half-fail once", CLOCK, Games(once("crash"));
    failure_that_leaves_a_child: "search=fork-fail once", LONG, Games(once("crash"));
    segmentation_fault_that_leaves_a_child: "search=fork-segv once", LONG, Games(once("crash"));
    failure_in_preparation_that_leaves_a_child: "start=fork-newgame", LONG, Games(["crash"; 4]);
    closes_its_output_and_lives_on: "search=close-output", CLOCK, Games(["crash"; 4]);
    closes_its_input_and_lives_on: "search=close-input", LONG, Games(["crash"; 4]);
    crash_in_every_game: "search=abort", CLOCK, Games(["crash"; 4]);

    // silence and noise
    mute_with_a_clock: "search=mute once", CLOCK, Games(once("flag-fall"));
    mute_in_movetime: "search=mute once", MOVETIME, Games(once("flag-fall"));
    mute_under_nodes: "search=mute once", NODES, Games(once("stall"));
    mute_under_depth: "search=mute once", DEPTH, Games(once("stall"));
    stopped_by_a_signal: "search=stopped once", CLOCK, Games(once("flag-fall"));
    does_not_read: "search=deaf once", CLOCK, Games(once("flag-fall"));
    chatter_with_a_clock: "search=chatter once", CLOCK, Games(once("flag-fall"));
    chatter_under_nodes: "search=chatter once", NODES, Games(once("stall"));
    chatter_under_depth: "search=chatter once", DEPTH, Games(once("stall"));
    line_without_end_with_a_clock: "search=babble once", CLOCK, Games(once("flag-fall"));
    line_without_end_under_nodes: "search=babble once", NODES, Games(once("stall"));
    stderr_without_end_with_a_clock: "search=flood once", CLOCK, Games(once("flag-fall"));
    stderr_without_end_under_nodes: "search=flood once", NODES, Games(once("stall"));
    declarations_in_mid_game_under_nodes: "search=declarations once", NODES, Games(once("stall"));
    invented_progress_under_nodes: "search=progress once", NODES, Games(once("stall"));
    answer_after_the_flag: "search=late once", CLOCK, Games(once("flag-fall"));

    // odd text that harms nobody
    carriage_returns: "crlf", CLOCK, Games(SOUND);
    line_of_a_megabyte: "search=long-line once", CLOCK, Games(SOUND);
    twenty_thousand_lines: "search=many-lines once", NODES, Games(SOUND);
    bytes_that_are_not_text: "search=bytes once", CLOCK, Games(SOUND);
    empty_lines: "search=empty-lines once", CLOCK, Games(SOUND);
    stderr_noise: "noise", CLOCK, Games(SOUND);
    odd_name: "odd-name", CLOCK, Games(SOUND);
    wrong_scores_and_variations: "lies", CLOCK, Games(SOUND);
    odd_options: "odd-options", CLOCK, Games(SOUND), "options = { \"Style of play\" = \"Quite Wild\" }";
    variant_by_combo: "uci-variant", CLOCK, Games(SOUND);

    // answers that are no legal moves
    illegal_move: "search=say:a1a1 once", CLOCK, Games(once("illegal-move"));
    word_of_the_translator: "search=say:resign once", CLOCK, Games(once("illegal-move"));
    malformed_move: "search=say:Nf3 once", CLOCK, Games(once("illegal-move"));
    move_in_capitals: "search=upper once", CLOCK, Games(once("illegal-move"));
    null_move: "search=say:0000 once", CLOCK, Games(once("illegal-move"));
    no_move_by_name: "search=say:(none) once", CLOCK, Games(once("illegal-move"));
    no_move_at_all: "search=say: once", CLOCK, Games(once("illegal-move"));
    control_characters_for_a_move: "search=say:\u{1b}[2J\u{7}e2 once", CLOCK, Games(once("illegal-move"));

    // one answer too many
    two_answers: "search=twice once", CLOCK, Games(SOUND);
    answers_nobody_asked_for: "unasked", CLOCK, Games(SOUND);

    // the start
    no_uciok: "start=no-uciok", CLOCK, Refused("no uciok within");
    no_readyok: "start=no-readyok", CLOCK, Refused("no readyok within");
    deaf_from_the_start: "start=deaf", CLOCK, Refused("no readyok within"), "options = { Text = \"LONG\" }";
    chatter_for_uciok: "start=chatter-first", CLOCK, Refused("no uciok within");
    exit_for_uciok: "start=exit-first", CLOCK, Refused("it exited with status 7; stderr: \"no licence\"");
    no_chess960: "no-chess960", CLOCK, Refused("UCI_Chess960");
    no_readyok_after_ucinewgame: "start=no-newgame", CLOCK, Games(["not-ready"; 4]);
    no_uciok_after_a_crash: "search=abort start=no-uciok sound-starts=2", CLOCK,
        Games(["crash", "start-failure", "start-failure", "start-failure"]);

    // engines that will not go
    ignores_quit: "ignore-quit", CLOCK, Games(SOUND);
    ignores_quit_and_end_of_file: "ignore-quit ignore-eof", CLOCK, Games(SOUND);
    ignores_all_but_sigkill: "ignore-quit ignore-eof ignore-term", CLOCK, Games(SOUND);
    restarted_and_ignores_all: "ignore-quit ignore-eof ignore-term", CLOCK, Games(SOUND), "restart = true";
    mute_and_ignores_all: "search=mute once ignore-quit ignore-eof ignore-term", CLOCK, Games(once("flag-fall"));
    leaves_a_child: "child", CLOCK, Games(SOUND);
    leaves_a_daemon: "daemon-child", CLOCK, Games(SOUND);
    crashes_and_leaves_a_daemon: "search=abort once daemon-child", CLOCK, Games(once("crash"));
    joins_another_group: "join-parents-group ignore-quit ignore-eof ignore-term", CLOCK, Games(SOUND);
    mute_in_another_group: "join-parents-group search=mute once", CLOCK, Games(once("flag-fall"));
}

impl Row {
    fn event(&self, name: &str, launch: &str) -> Event {
        let more = self.more.replace("LONG", &"long ".repeat(50_000));
        let text = format!(
            "event.pairs = 2\npositions.numbers = [518]\nadjudication.max_moves = 6\n\
             timeouts = {{ start = 3, ready = 3, newgame = 2, stall = 1.5 }}\n\
             [[engine]]\nname = \"Fake\"\n{launch}\ntime = {{ {} }}\n{more}\n{}",
            self.limit,
            sparring("Sound", "time.depth = 1")
        );
        Event::new(name, &text)
    }

    fn check(&self, name: &str) {
        if !can_end(self.words) {
            return;
        }
        let taken = self.check_event(&self.event(name, &self.launch()));
        eprintln!("row {name}: {} s, nothing left", taken.as_secs_f32());
    }

    /// The lines of the event file that start the fake engine.
    fn launch(&self) -> String {
        fake(&self.words.split_whitespace().collect::<Vec<_>>())
    }

    /// Gives the time until nothing of the run was left.
    fn check_event(&self, event: &Event) -> Duration {
        let mut run = Run::start(event, &["--quiet"]);
        let status = run.end(BOUND);
        assert_eq!(run.survivors(), Vec::<String>::new(), "left running");
        let taken = run.age();
        match self.expected {
            Games(reasons) => {
                assert_eq!(status.code(), Some(0), "{}", run.words());
                assert_games(event, reasons);
                let before = event.read("games.pgn");
                assert_has(&event.run_well(&[]), ["complete"]);
                assert_eq!(event.read("games.pgn"), before);
            }
            Refused(words) => {
                assert_eq!(status.code(), Some(3), "{}", run.words());
                assert_has(&run.words(), ["Fake", words]);
            }
        }
        taken
    }
}

#[test]
fn two_engines_that_both_hang_lose_in_turn() {
    for (words, reason) in [
        (&["start=no-newgame"][..], "not-ready"),
        (&["start=no-uciok", "sound-starts=2"][..], "start-failure"),
    ] {
        let engines =
            ["A", "B"].map(|name| format!("[[engine]]\nname = {name:?}\n{}\n", fake(words)));
        let rules = "positions.numbers = [518]\ntime.depth = 1\ntimeouts = { start = 2, ready = 2, newgame = 1 }";
        let event = Event::new(reason, &format!("{rules}\n{}", engines.concat()));
        Run::start(&event, &["--quiet"]).ends(0);
        let results = games(&event)
            .into_iter()
            .map(|game| (game.reason, game.result));
        assert!(results.eq([0; 2].map(|_| (reason.to_owned(), "0-1".to_owned()))));
    }
}

fn assert_games(event: &Event, reasons: Reasons) {
    let played = games(event);
    assert_eq!(played.len(), 4);
    for (game, reason) in played.iter().zip(reasons) {
        let forfeit = TERMINATIONS.iter().find(|(known, _)| *known == game.reason);
        let known = forfeit.map_or("", |(known, _)| known);
        assert_eq!(known, reason, "{game:?}");
        if let Some((_, termination)) = forfeit {
            assert_eq!(game.termination, *termination);
            let lost = if game.white == "Fake" { "0-1" } else { "1-0" };
            assert_eq!(game.result, lost, "{game:?}");
        }
    }
    assert_files_whole(event);
    let pgn = event.read("games.pgn");
    let is_control = |letter: char| letter.is_control() && letter != '\n';
    assert!(!pgn.contains(is_control), "control characters in the PGN");
}

/// What the store has in a column of its first game.
fn stored(event: &Event, column: &str) -> String {
    let store = event.store();
    let sql = format!("SELECT ifnull({column}, '') FROM play ORDER BY sequence LIMIT 1");
    store.query_row(&sql, [], |row| row.get(0)).unwrap()
}

/// A separate row, outside of the table because more of it is looked at.
fn row(words: &'static str, reasons: Reasons) -> Row {
    Row {
        words,
        limit: CLOCK,
        expected: Games(reasons),
        more: "",
    }
}

/// Starts the fake engine by a shell, which runs `script` with the engine as `$@`.
fn by_shell(row: &Row, name: &str, script: &str) -> Event {
    let fake = fake_engine();
    let words = row.words.split_whitespace().map(|word| format!("{word:?}"));
    let words: Vec<String> = words.collect();
    let launch = format!(
        "command = \"sh\"\nargs = [\"-c\", {script:?}, \"sh\", {fake:?}, {}]",
        words.join(", ")
    );
    row.event(name, &launch)
}

#[test]
fn an_engine_behind_a_script_is_ended_with_it() {
    for words in ["", "ignore-quit ignore-eof ignore-term"] {
        let row = row(words, SOUND);
        row.check_event(&by_shell(&row, "script", "\"$@\"; exit $?"));
    }
}

#[test]
fn castling_as_in_standard_chess_is_no_move_of_chess960() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("castling.epd");
    let line = "rnbqk2r/ppppppbp/5np1/8/8/5NP1/PPPPPPBP/RNBQK2R w HAha -\n";
    std::fs::write(&book, line).unwrap();
    for (said, reason) in [("e1g1", "illegal-move"), ("e1h1", "length-adjudication")] {
        let text = format!(
            "positions.file = {book:?}\nadjudication.max_moves = 2\ntime.depth = 1\n\
             [[engine]]\nname = \"Fake\"\n{}\n{}",
            fake(&[&format!("search=say:{said}"), "at=1"]),
            sparring("Sound", "")
        );
        let event = Event::new("castling", &text);
        event.run_well(&["--quiet"]);
        assert_files_whole(&event);
        let mut games = games(&event).into_iter();
        let white = games.find(|game| game.white == "Fake").expect("a game");
        assert_eq!(white.reason, reason, "{said}");
    }
}

#[test]
fn what_an_illegal_answer_said_is_quoted() {
    let row = row("search=say:e9\u{1b}[31me4 at=1", ["illegal-move"; 4]);
    let event = row.event("quoted", &row.launch());
    row.check_event(&event);
    assert_has(&stored(&event, "faults"), ["e9", "u{1b}"]);
}

#[test]
fn a_crash_is_recorded_with_its_signal_and_last_words() {
    let row = row("search=abort at=1 noise", ["crash"; 4]);
    let event = row.event("words", &row.launch());
    row.check_event(&event);
    let faults = stored(&event, "faults");
    assert_has(&faults, ["signal 6", "###"]);
    // The end of stderr is kept, not all of it.
    assert!(faults.len() < 20_000, "{} bytes", faults.len());
}

#[test]
fn answers_too_many_are_counted_and_not_played() {
    for words in ["unasked", "search=twice"] {
        let row = row(words, SOUND);
        let event = row.event("counted", &row.launch());
        row.check_event(&event);
        assert!(!stored(&event, "breaches").is_empty(), "{words}");
    }
}

/// An event of an engine with these words on a limit of nodes, and what its run says.
fn limited(words: &'static str) -> (Event, String) {
    let mut row = row(words, once("stall"));
    row.limit = NODES;
    let event = row.event("limited", &row.launch());
    let mut run = Run::start(&event, &[]);
    run.end(BOUND);
    (event, run.words())
}

#[test]
fn an_engine_that_searches_far_beyond_its_limit_in_a_game_is_named() {
    let (event, said) = limited("search=progress at=1 once");
    let named = "\"Fake\": it does not obey its limit: it reported";
    assert_has(&said, [named]);
    assert_eq!(games(&event)[0].reason, "stall");
}

/// Once for each kind, in all games.
#[test]
fn an_engine_is_named_for_each_kind_of_breach() {
    let (_, said) = limited("search=progress at=1 once unasked");
    for words in [
        "it does not obey its limit: it reported",
        "it sent a bestmove that nobody had asked for",
    ] {
        let named = format!("\"Fake\": {words}");
        assert_eq!(said.matches(&named).count(), 1, "{said}");
    }
}

#[test]
fn odd_options_are_played_with_and_warned_about() {
    let row = row("odd-options", SOUND);
    let style = "\noptions = { \"Style of play\" = \"Quite Wild\" }";
    let event = row.event("odd", &(row.launch() + style));
    let mut run = Run::start(&event, &[]);
    run.end(BOUND);
    assert_has(&run.words(), ["default 900 lies outside of 1 to 10"]);
}
