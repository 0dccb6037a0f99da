//! How many engines a lane keeps, and what engines get of the runner's own surroundings.

use std::fs;
use std::process::Command;

use super::robust_support::fake_engine;
use super::support::{Event, assert_lacks, ends, script};

/// An event whose engines are all the fake one behind this script, which begins in the event's
/// folder.
fn event(name: &str, engines: usize, shell: &str) -> Event {
    let engine = |number| format!("[[engine]]\nname = \"E{number}\"\ncommand = \"./engine\"\n");
    let text = format!(
        "positions.numbers = [518]\nadjudication.max_moves = 1\ntime.depth = 1\n{}",
        (0..engines).map(engine).collect::<String>()
    );
    let event = Event::new(name, &text);
    let text = shell.replace("FAKE", fake_engine().to_str().unwrap());
    let here = event.folder();
    script(
        &here.join("engine"),
        &format!("cd {here:?} || exit 1\n{text}"),
    );
    event
}

#[test]
fn a_lane_keeps_six_engines_alive_and_no_more() {
    let script = "echo start >> lives\nFAKE\necho end >> lives\n";
    let event = event("keeps", 8, script);
    event.run_well(&["--quiet"]);
    let lives = fs::read_to_string(event.folder().join("lives")).unwrap();
    let lives: Vec<&str> = lives.lines().collect();
    // Before the first game every engine is started once.
    let (probes, lane) = lives.split_at(16);
    assert_eq!(probes.iter().filter(|word| **word == "end").count(), 8);
    let (mut alive, mut most) = (0i32, 0);
    for word in lane {
        alive += if *word == "start" { 1 } else { -1 };
        most = most.max(alive);
    }
    assert_eq!((alive, most), (0, 6));
    // 56 games: most engines were already running.
    let starts = lane.iter().filter(|word| **word == "start").count();
    assert!(starts < 56, "{starts} starts");
}

#[test]
fn an_engine_gets_neither_the_runners_environment_nor_its_descriptors() {
    let script = "env >> environment\nls -l /proc/self/fd >> descriptors\nexec FAKE\n";
    let event = event("gets", 2, script);
    fs::write(event.folder().join("private"), "").unwrap();
    let own = event.command(&["--quiet"]);
    // A file that was open when the runner was started, and that it would pass on.
    let mut command = Command::new("sh");
    let private = event.folder().join("private");
    command
        .arg("-c")
        .arg(format!("exec 7<{private:?}; exec \"$0\" \"$@\""));
    command.arg(own.get_program()).args(own.get_args());
    ends(0, command.env("API_TOKEN", "secret"));
    let read = |name: &str| fs::read_to_string(event.folder().join(name)).unwrap();
    let (environment, descriptors) = (read("environment"), read("descriptors"));
    assert!(environment.contains("PATH="), "{environment}");
    assert!(!environment.contains("secret"), "{environment}");
    assert!(descriptors.contains(" 0 -> pipe:"), "{descriptors}");
    assert_lacks(&descriptors, ["private", "event.db", "socket:", "lock"]);
}
