//! Time odds, node odds, scaled controls, and the increment of the first move.

use arbiter960::internal::config::Tournament;

use super::config_files::Shelf;
use super::support::table;

/// The two engines' limits, as the PGN and the identity have them.
fn limits(time: &str, first: &str, second: &str) -> [String; 2] {
    let tournament: Tournament = Shelf::new().accept(&event(time, first, second)).0;
    let limits = tournament
        .engines
        .iter()
        .map(|engine| engine.limits.to_string());
    Vec::from_iter(limits).try_into().expect("two engines")
}

fn event(time: &str, first: &str, second: &str) -> String {
    format!(
        "[event]\nname = \"x\"\n[positions]\nall = true\n[time]\n{time}\n\
         [[engine]]\ncommand = \"one\"\n[engine.time]\n{first}\n\
         [[engine]]\ncommand = \"two\"\n[engine.time]\n{second}\n"
    )
}

#[test]
fn an_engine_has_the_events_limits_or_its_own() {
    let clock = "control = '10+0.1'";
    // Time odds: another control, or a part of the event's, whose factor is of its own control. Node odds, and a clock
    // against nodes. The first move's increment, of all or of one; without one nothing is printed.
    for [time, first, second, one, other] in table(
        r"CLOCK | | | 10+0.1 | 10+0.1
         CLOCK | control = '5' | | 5 | 10+0.1
         CLOCK | scale = 0.5 | | 5+0.05 | 10+0.1
         control = '40/60:30+1'\nscale = 2 | scale = 0.25 | movetime = 1\nscale = 3 | 40/30:15+0.5 | 3/move
         CLOCK\nscale = 2 | control = '3' | | 3 | 20+0.2
         nodes = 10000 | nodes = 5000 | depth = 8 | nodes=5000 | depth=8
         CLOCK | nodes = 5000 | movetime = 0.5\nnodes = 9 | nodes=5000 | 0.5/move, nodes=9
         CLOCK\nfirst_increment = false | first_increment = true | | 10+0.1 | 10+0.1, first_increment=false
         CLOCK\nfirst_increment = false | nodes = 1 | control = '9+1' | nodes=1 | 9+1, first_increment=false",
    ) {
        let found = limits(&time.replace("CLOCK", clock), &first, &second);
        assert_eq!(found, [one, other], "{time} | {first} | {second}");
    }
}

#[test]
fn what_makes_no_sense_is_named() {
    let refused = Shelf::new().refuse(&event(
        "scale = 0\nfirst_increment = 1",
        "nodes = 5\nscale = 0.5\nfirst_increment = false",
        "control = \"0.000001\"\nscale = 0.1",
    ));
    insta::assert_snapshot!(refused);
}

#[test]
fn a_factor_needs_something_to_multiply() {
    let engines = ["control = \"1\"", "control = \"2\""];
    insta::assert_snapshot!(Shelf::new().refuse(&event("scale = 0.5", engines[0], engines[1])));
}

#[test]
fn slow_engines_have_every_timeout_longer() {
    let file = event("control = \"10+0.1\"", "", "");
    let timeouts = |keys: &str| {
        let file = format!("{file}\n[timeouts]\n{keys}");
        Shelf::new().accept(&file).0.timeouts
    };
    let keys = "ready = 7\neach_move = 2";
    let [usual, slow] = [timeouts(keys), timeouts(&format!("{keys}\nscale = 20"))];
    assert_eq!(slow.start, usual.start * 20);
    assert_eq!(slow.ready.as_secs(), 140);
    assert_eq!(slow.new_game, usual.new_game * 20);
    assert_eq!(slow.stall, usual.stall * 20);
    assert_eq!(slow.each_move.map(|time| time.as_secs()), Some(40));
    let longest = timeouts("stall = 900000000\nscale = 1000");
    assert_eq!(longest.stall.as_secs(), 1_000_000_000);
}
