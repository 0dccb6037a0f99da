//! What engines say of a file that has errors: each of them at its own place, and nothing of a program that is not there.

use super::robust_support::fake_engine;
use super::support::Event;

/// Where a line of the event file has this word, from 1.
fn line_of(event: &Event, word: &str) -> usize {
    let text = std::fs::read_to_string(event.file()).unwrap();
    let line = text.lines().position(|line| line.contains(word));
    line.unwrap() + 1
}

#[test]
fn engines_of_one_name_have_their_own_errors() {
    let fake = fake_engine();
    let engine = |command: &str, option: &str| {
        format!(
            "[[engine]]\nname = \"Twin\"\ncommand = {command:?}\noptions = {{ {option} = 1 }}\n"
        )
    };
    let fake = fake.to_str().unwrap();
    let engines = [
        engine("no-such-engine", "First"),
        engine(fake, "Second"),
        engine(fake, "Third"),
    ];
    let text = format!(
        "positions.numbers = [518]\ntime.depth = 1\n{}",
        engines.concat()
    );
    let event = Event::new("twins", &text);
    let output = event.run(&[]);
    assert_eq!(output.status.code(), Some(2));
    let words = String::from_utf8(output.stderr).unwrap();
    assert_eq!(words.matches("no-such-engine").count(), 2, "{words}");
    assert!(!words.contains("cannot run"), "{words}");
    assert!(!words.contains("`First`"), "{words}");
    for option in ["Second", "Third"] {
        let place = format!("event.toml:{}:", line_of(&event, option));
        assert_eq!(words.matches(&place).count(), 1, "{option}: {words}");
    }
    assert_eq!(words.matches("error: ").count(), 5, "{words}");
}
