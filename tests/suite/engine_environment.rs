//! What engines find in their environment.

use std::fs;

use arbiter960::internal::platform::Capability;

use super::platforms::can;
use super::robust_support::fake_engine;
use super::support::{Event, ends};

/// The variables of this program that an engine has, which writes its environment into a file.
fn ours(event: &Event, name: &str) -> Vec<(String, String)> {
    let text = fs::read_to_string(event.folder().join(format!("{name}.env"))).unwrap();
    assert!(!text.contains("A_TOKEN"), "{text}");
    let ours = text.lines().filter(|line| line.starts_with("ARBITER960_"));
    let ours = ours.map(|line| line.split_once('=').unwrap());
    ours.map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

#[test]
fn an_engine_learns_nothing_of_the_runner_and_can_make_no_mark_of_another() {
    let fake = fake_engine();
    let engine = |name: &str| {
        let script = format!("env >{name}.env; exec \"$0\"");
        let launch = format!("command = \"sh\"\nargs = [\"-c\", {script:?}, {fake:?}]");
        format!("[[engine]]\nname = {name:?}\n{launch}\n")
    };
    let rules = "positions.numbers = [518]\ntime.depth = 1\nadjudication.max_moves = 2";
    let text = format!("{rules}\n{}{}", engine("one"), engine("two"));
    let event = Event::new("environment", &text);
    let mut command = event.command(&["--quiet"]);
    for name in ["ARBITER960_LOG", "ARBITER960_STORE", "A_TOKEN"] {
        command.env(name, "warn");
    }
    ends(0, &mut command);
    let variables = ["one", "two"].map(|name| ours(&event, name));
    if !can(Capability::EndsDescendants) {
        return assert_eq!(variables, [vec![], vec![]]);
    }
    let marks = variables.map(|ours| match &ours[..] {
        [(name, mark)] if name == "ARBITER960_ENGINE" => mark.clone(),
        _ => panic!("{ours:?}"),
    });
    for mark in &marks {
        let is_number = mark.len() == 32 && mark.bytes().all(|byte| byte.is_ascii_hexdigit());
        assert!(is_number, "{mark}");
    }
    let [one, two] = &marks;
    assert!(one[..16] != two[..16] && one[16..] != two[16..]);
}
