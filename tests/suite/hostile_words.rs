//! Whatever an engine says of itself, nothing that is written or shown lets a control
//! character through, or one that turns the direction of writing.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::robust_support::{Run, fake};
use super::support::{Event, arbiter960, assert_has, assert_lacks, sparring};

/// A name as an event file can have it, which a spreadsheet would take for a formula.
const NAME: &str = "=HYPERLINK(\"x\") \u{202e}{evil}";

/// An engine with an evil name, evil last words and, in the end, an evil answer.
fn event() -> Event {
    let said = "search=say:e2\u{1b}[31m\u{9b}e4} \u{202e}";
    let text = format!(
        "positions.numbers = [518]\nadjudication.max_moves = 6\n\
         timeouts = {{ start = 5, ready = 5, newgame = 5, stall = 5 }}\n\
         [[engine]]\nname = {}\n{}\ntime.nodes = 10\n{}",
        serde_json::to_string(NAME).unwrap(),
        fake(&["odd-name", "odd-options", said, "at=2"]),
        sparring("Sound", "time.depth = 1")
    );
    Event::new("words", &text)
}

fn is_harmful(letter: char) -> bool {
    let turns = "\u{200e}\u{200f}\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2069}";
    letter.is_control() && letter != '\n' || turns.contains(letter)
}

fn assert_harmless(what: &str, text: &str) {
    let found = text.chars().find(|letter| is_harmful(*letter));
    assert_eq!(found, None, "{what}: {text}");
}

/// The text files below a folder.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if let Ok(text) = fs::read_to_string(&path) {
            found.push((path.display().to_string(), text));
        }
    }
    found
}

fn shown(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let bytes = [output.stdout, output.stderr].concat();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn no_output_and_no_file_lets_them_through() {
    let event = event();
    let said = Run::start(&event, &["--log-engines"]).ends(0);
    assert_harmless("run", &said);
    let mut seen = 0;
    for (file, text) in files(&event.results()) {
        // Lines of RFC 4180 end in CRLF.
        assert_harmless(&file, &text.replace("\r\n", "\n"));
        seen += 1;
    }
    // Games, standings, positions, run.log, two engines.
    assert!(seen >= 5, "{seen}");
    let pgn = event.read("games.pgn").replace('\\', "");
    assert_has(&pgn, ["bestmove \"e2"]);
    for asked in [
        "status",
        "status --json",
        "stats",
        "stats --format json",
        "stats --format csv --by engine",
        "stats --format csv --by pair",
        "export --format csv",
        "export --format jsonl",
        "export --format pgn",
    ] {
        let words = asked.split(' ');
        let text = shown(
            arbiter960()
                .args(words.clone().take(1))
                .arg(event.results())
                .args(words.skip(1)),
        );
        assert!(!text.is_empty());
        assert_harmless(asked, &text.replace("\r\n", "\n"));
        if asked.contains("csv") {
            // No formula.
            assert_lacks(&text, [",=", ",\"=", "\n="]);
        }
    }
    let again = shown(&mut event.command(&["--json"]));
    assert_harmless("run --json", &again);
}

#[test]
fn an_engine_that_is_refused_is_quoted_harmlessly() {
    let text = format!(
        "positions.numbers = [518]\ntime.depth = 1\n\
         [[engine]]\nname = {}\ncommand = \"sh\"\n\
         args = [\"-c\", \"printf 'option name \\\\033[2J type spin default \\\\033]0;x\\\\007\\\\nid name \\\\033c'; \
         printf '\\\\033[31mno\\\\n' >&2; exit 3\"]\n\
         [[engine]]\nname = \"Sound\"\nbuiltin = \"sparring\"\n",
        serde_json::to_string(NAME).unwrap()
    );
    let event = Event::new("refused", &text);
    let words = event.ends(3, &[]);
    assert_has(&words, ["exited with status 3", "[31mno"]);
    assert_harmless("the refusal", &words);
}

#[test]
fn a_strangers_pgn_is_judged_harmlessly() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    let game = "[White \"\u{1b}[2J=Eve\"]\n[Black \"\u{9b}1mBob\u{202e}\"]\n[Result \"1-0\u{7}\"]\n\
                [FEN \"\u{1b}[31m\"]\n\n1. e4\u{1b}[2J e5 {\u{1b}c} 1-0\n\n\
                [White \"\u{1b}[2J=Eve\"]\n[Black \"Bob\u{202e}\"]\n[Result \"1-0\"]\n\n\
                1. e4 e5 2. \u{1b}]0;x\u{7} 1-0\n";
    fs::write(&file, game).unwrap();
    let file = file.to_str().unwrap();
    for arguments in [&["verify", file][..], &["stats", file]] {
        let text = shown(arbiter960().args(arguments));
        assert!(!text.is_empty());
        assert_harmless(&arguments.join(" "), &text);
    }
}
