//! Events in which results decide the pairings: Swiss, knockout, double elimination, ladder, and leagues with positions
//! by round. Engines are deterministic, so an event has one schedule and one table, whatever happens on the way.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::robust_support::fake_engine;
use super::support::{Event, arbiter960, assert_has, ends, list, members, sparring, table, tool};

/// This number of engines of the built-in kind, unlike each other.
pub fn engines(count: usize) -> String {
    let engine = |number: usize| {
        let (strength, nodes) = (1 + number % 9, 20 + 7 * number);
        let keys = format!("options = {{ Strength = {strength} }}\ntime.nodes = {nodes}");
        sparring(&format!("E{number:02}"), &keys)
    };
    (1..=count).map(engine).collect()
}

fn text(format: &str, rules: &str, count: usize) -> String {
    format!(
        "event.format = \"{format}\"\nevent.seed = 5\nevent.concurrency = 2\n\
         positions.sample = 40\nadjudication.max_moves = 50\n\
         adjudication.resign = {{ moves = 3, centipawns = 600, both_engines = true }}\n{rules}\n{}",
        engines(count)
    )
}

pub fn parsed(event: &Event, file: &str) -> Value {
    event.parsed(file)
}

/// Who met whom as which pair on which opening with which result, and the table: all that must not depend on what
/// happened on the way.
pub fn told(event: &Event) -> Value {
    let schedule = event.parsed("schedule.json")["rounds"].clone();
    let standings = event.parsed("standings.json");
    assert_eq!(standings["final"], json!(true));
    let rows = event.parsed("crosstable.json")["rows"].clone();
    json!([schedule, standings["standings"], rows])
}

/// Runs a command, and kills it after this number of reports; whether it had ended before.
pub fn kill_after(mut command: Command, lines: usize) -> bool {
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let stdout = BufReader::new(child.stdout.take().unwrap()).lines();
    let heard = stdout.map_while(Result::ok).take(lines).count();
    // It may just have ended.
    let _ = kill_process(Pid::from_child(&child), Signal::KILL);
    child.wait().unwrap();
    heard < lines
}

/// The event played without a disturbance, and the same one killed again and again after so many reports.
pub fn undisturbed_and_killed(name: &str, text: &str, lines: usize) -> [Event; 2] {
    let (events, kills) = undisturbed_and_killed_after(name, text, 40, |_| lines);
    assert!(kills >= 1, "{name}: it ended before it was killed");
    events
}

/// The same killed this number of times; where more is stored between two kills than is told, at least half as often.
pub fn undisturbed_and_killed_times(name: &str, text: &str, kills: usize) -> [Event; 2] {
    let lines = |reports: usize| reports / (4 * (kills + 1));
    let (events, killed) = undisturbed_and_killed_after(name, text, kills, lines);
    assert!(killed >= kills / 2, "{name}: killed {killed} times");
    events
}

/// The same with at most so many kills; how many there were. `lines` are the reports between two of all reports.
fn undisturbed_and_killed_after(
    name: &str,
    text: &str,
    most: usize,
    lines: impl Fn(usize) -> usize,
) -> ([Event; 2], usize) {
    let quiet = Event::new(name, text);
    let reports = quiet.run_well(&["--json", "--concurrency", "1"]);
    let lines = lines(reports.lines().count()).max(1);
    let killed = Event::new(name, text);
    let again = || killed.command(&["--json", "--concurrency", "3"]);
    let kills = (0..most).take_while(|_| !kill_after(again(), lines));
    let kills = kills.count();
    killed.run_well(&["--quiet"]);
    assert_eq!(told(&quiet), told(&killed), "{name}");
    assert!(killed.run_well(&[]).contains("complete"));
    ([quiet, killed], kills)
}

#[test]
fn a_swiss_is_the_same_whatever_kills_it() {
    let rules = "[swiss]\nrounds = 4\nforbidden = [[\"E01\", \"E02\"]]";
    let [event, _] = undisturbed_and_killed("swiss", &text("swiss", rules, 9), 12);
    let schedule = event.parsed("schedule.json");
    let rounds = list(&schedule["rounds"]);
    assert_eq!(rounds.len(), 4);
    let (mut met, mut byes) = (BTreeSet::new(), BTreeSet::new());
    for round in rounds {
        let boards = list(&round["boards"]);
        assert_eq!(boards.len(), 4);
        for board in boards {
            let mut names = [0, 1].map(|side| board["engines"][side].as_str().unwrap());
            names.sort_unstable();
            assert!(met.insert(names), "{names:?} met twice");
            assert_ne!(names, ["E01", "E02"]);
        }
        // All boards of a round have the same position.
        let openings = boards
            .iter()
            .map(|board| board["pairs"][0]["opening"].as_u64());
        assert_eq!(BTreeSet::from_iter(openings).len(), 1);
        assert!(byes.insert(round["byes"][0].as_str().unwrap()), "two byes");
    }
    // Four byes at two points, and sixteen encounters of two.
    let points = members(&event.parsed("standings.json")["standings"], "points");
    let points: f64 = points.iter().map(|points| points.as_f64().unwrap()).sum();
    assert_eq!(points, 4.0 * 2.0 + 16.0 * 2.0);
    event.verified();
}

#[test]
fn a_cup_with_byes_is_the_same_whatever_kills_it() {
    let rules = "[knockout]\nextra_pairs = 1\nthird_place = true";
    let [event, _] = undisturbed_and_killed("cup", &text("knockout", rules, 7), 5);
    let places = members(&event.parsed("standings.json")["standings"], "rank");
    assert_eq!(places, [1, 2, 3, 4, 5, 5, 5]);
    let schedule = event.parsed("schedule.json");
    assert_eq!(schedule["rounds"][0]["byes"], json!(["E01"]));
    assert_eq!(list(&schedule["rounds"][2]["boards"]).len(), 2);
    // Rounds, boards, and the games of an encounter.
    let rounds = event.rounds();
    for round in ["1.2.1", "1.2.2", "2.1.1", "3.1.2", "3.2.1"] {
        assert!(rounds.iter().any(|one| one == round), "{round}: {rounds:?}");
    }
}

#[test]
fn double_elimination_ladder_and_league_by_rounds_are_the_same_whatever_kills_them() {
    let [double, _] = undisturbed_and_killed("double", &text("double-elimination", "", 5), 8);
    assert_eq!(double.parsed("standings.json")["standings"][0]["rank"], 1);
    let rules = text("ladder", "[ladder]\nextra_pairs = 0", 5);
    let [ladder, _] = undisturbed_and_killed("ladder", &rules, 5);
    assert_eq!(list(&ladder.parsed("schedule.json")["rounds"]).len(), 4);
    let rules = "positions.draw = \"round\"\n[standings]\n\
                 tie_breaks = [\"buchholz\", \"direct\", \"sonneborn-berger\", \"lot\"]";
    let [league, _] = undisturbed_and_killed("league", &text("round-robin", rules, 5), 6);
    let rows = league.parsed("standings.json")["standings"].clone();
    // The lot separates whoever is level.
    assert_eq!(members(&rows, "rank"), [1, 2, 3, 4, 5]);
    assert!(rows[0]["tie_breaks"]["buchholz"].is_number());
}

#[test]
fn equal_engines_play_extra_pairs_and_then_the_better_seed_goes_on() {
    let twin = |name: &str| sparring(name, "options = { Strength = 5 }");
    // What a pair says of two equal deterministic engines is nothing: one point each.
    let text = format!(
        "event.format = \"knockout\"\ntime.nodes = 50\npositions.sample = 10\n\
         adjudication.max_moves = 8\n[knockout]\nextra_pairs = 2\nseeds = [\"Second\", \"First\"]\n\
         tie_break = \"seed\"\n{}{}",
        twin("First"),
        twin("Second")
    );
    let event = Event::new("twins", &text);
    event.run_well(&["--quiet"]);
    let board = &event.parsed("schedule.json")["rounds"][0]["boards"][0];
    assert_eq!(board["points"], json!([3.0, 3.0]));
    let decided = [&board["winner"], &board["decided_by"]];
    assert_eq!(decided, [&json!("Second"), &json!("seed")]);
    let openings = list(&board["pairs"])
        .iter()
        .map(|pair| pair["opening"].as_u64());
    let openings = Vec::from_iter(openings);
    assert_eq!(openings.len(), 3);
    assert_eq!(
        BTreeSet::from_iter(openings).len(),
        3,
        "a position came twice"
    );
}

#[test]
fn a_plan_shows_what_is_known_before_the_first_game() {
    let event = Event::new("plan", &text("swiss", "[swiss]\nrounds = 3", 6));
    let plan = event.run_well(&["--dry-run", "--all"]);
    assert_eq!(plan.matches("round 1 board").count(), 3, "{plan}");
    assert_has(
        &plan,
        [
            "the results decide what follows",
            "plan: 18 games, seed 5",
            "time: not known",
        ],
    );
    let rules = "[knockout]\nextra_pairs = 1\nthird_place = true";
    let cup = Event::new("plan", &text("knockout", rules, 6));
    let plan = cup.run_well(&["--dry-run"]);
    assert!(plan.contains("plan: 12 to 24 games, seed 5"), "{plan}");
    let timed = "event.concurrency = 1\npositions.numbers = [518]\ntime.control = \"60\"\n";
    let timed = timed.to_owned() + &sparring("A", "") + &sparring("B", "");
    let plan = Event::new("plan", &timed).run_well(&["--dry-run"]);
    assert!(plan.contains("plan: 1 pair, 2 games, seed"), "{plan}");
    assert!(plan.contains("time: about 4 min of play at most"), "{plan}");
    let rules = text("round-robin", "positions.draw = \"encounter\"", 6);
    let league = Event::new("plan", &rules);
    let plan = league.run_well(&["--dry-run", "--all"]);
    assert_eq!(plan.matches(" board ").count(), 15, "{plan}");
    assert!(plan.contains("round 5 board 3"), "{plan}");
}

#[test]
fn rules_that_make_no_sense_are_refused_with_their_line() {
    for [format, rules, said] in table(
        "swiss | | [swiss] is missing
         swiss | [swiss]\\n | `rounds` is missing in `swiss`
         swiss | [swiss]\\nrounds = 3\\nforbidden = [['E01']] | a forbidden pair has two names
         swiss | [swiss]\\nrounds = 3\\nforbidden = [['E01', 'E02'], ['E01', 'E03'], ['E01', 'E04'], ['E02', 'E03']] | \
         not even the first round can be paired
         swiss | [swiss]\\nrounds = 3\\ngroups = 3 | their number is even
         swiss | [swiss]\\nrounds = 3\\nbye = 'loss' | `bye` cannot be \"loss\"
         knockout | [swiss]\\nrounds = 3 | [swiss] has the rules of another format
         knockout | [knockout]\\ntie_break = 'double-wins' | the last tie-break must decide always
         knockout | [knockout]\\nseeds = ['E01', 'E01'] | has two seeds
         knockout | [knockout]\\nseeds = ['E01'] | `seeds` must name every engine
         knockout | [standings]\\ntie_breaks = ['wins'] | do not follow from points
         knockout | positions.draw = 'every' | are not played on every position
         round-robin | [standings]\\ntie_breaks = ['buchholz'] | is for events in rounds
         round-robin | [standings]\\ntie_breaks = ['wins', 'wins'] | stands here twice
         round-robin | [standings]\\ntie_breaks = ['lot', 'wins'] | nothing is level after
         gauntlet | positions.draw = 'round' | self-play and a gauntlet are played on every position",
    ) {
        let event = Event::new("refused", &text(&format, &rules, 4));
        let told = event.ends(2, &["--dry-run", "--all"]);
        assert_has(&told, [&said, "event.toml:", "^"]);
    }
}

#[test]
fn a_draw_is_committed_to_before_and_opened_after() {
    let rules = "event.public_source = \"lottery of Saturday\"\n[swiss]\nrounds = 3";
    let text = text("swiss", rules, 6).replace("positions.sample = 40", "positions.all = true");
    let event = Event::new("drawn", &text);
    let file = event.file();
    let draw = |arguments: &[&str]| tool(&[&["draw", file.to_str().unwrap()], arguments].concat());
    let before = draw(&[]);
    let commitment = before.strip_prefix("commitment ").unwrap()[..64].to_owned();
    assert_has(&event.ends(2, &["--quiet"]), ["lottery of Saturday"]);
    let announced = "event.public_seed = \"3 11 19\"\n[swiss]";
    event.rewrite(|text| text.replace("[swiss]", announced));
    // What is announced changes no commitment.
    assert_has(&draw(&[]), [&commitment]);
    event.run_well(&["--quiet"]);
    let opened = draw(&["--open"]);
    use sha2::{Digest, Sha256};
    let digest = Sha256::digest(&opened);
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(digest, commitment);
    assert_eq!(draw(&["--positions"]).lines().count(), 3);
    let verify = |commitment: &str| {
        let mut command = arbiter960();
        command.args(["verify", "--draw", commitment]);
        command.arg(event.results());
        command
    };
    let verdict = ends(0, &mut verify(&commitment));
    assert_has(
        &verdict,
        [
            "are those that were committed to",
            "all rounds are those of the seed",
        ],
    );
    ends(1, &mut verify(&"0".repeat(64)));
}

#[test]
fn an_engine_that_is_disqualified_goes_out_and_the_rounds_go_on() {
    for (format, rules) in [("swiss", "[swiss]\nrounds = 3"), ("knockout", "")] {
        let text = format!(
            "event.format = \"{format}\"\nevent.seed = 5\nevent.pairs = 2\nevent.concurrency = 2\n\
             positions.all = true\nadjudication.max_moves = 20\nfaults.strikes = 2\n{rules}\n\
             [[engine]]\nname = \"Fake\"\ncommand = {:?}\nargs = [\"search=abort\", \"at=3\"]\n\
             time.depth = 1\n{}",
            fake_engine(),
            engines(4)
        );
        let event = Event::new("disqualified", &text);
        event.run_well(&["--quiet"]);
        let standings = event.parsed("standings.json");
        assert_eq!(standings["final"], true, "{format}");
        let rounds = event.parsed("schedule.json")["rounds"].clone();
        let rounds = list(&rounds);
        assert_eq!(rounds.len(), 3);
        // It has met one engine, which has all the points and advances.
        let boards = rounds.iter().flat_map(|round| list(&round["boards"]));
        let of_fake = boards.filter(|board| list(&board["engines"]).contains(&json!("Fake")));
        let of_fake = Vec::from_iter(of_fake);
        assert_eq!(of_fake.len(), 1, "{format}: {rounds:?}");
        if format == "knockout" {
            assert_ne!(of_fake[0]["winner"], json!("Fake"));
            // Nobody loses a finished encounter by leaving: whether its second pair had begun when
            // it went out, chance decides.
            let by = of_fake[0]["decided_by"].as_str().unwrap();
            assert!(["walkover", "points"].contains(&by), "{by}");
        } else {
            // Four are left: nobody is without an opponent any more.
            assert_eq!(rounds[1]["byes"], json!([]));
            assert_eq!(rounds[2]["byes"], json!([]));
            let last = list(&standings["standings"]).last().unwrap();
            assert_eq!(
                [&last["name"], &last["points"]],
                [&json!("Fake"), &json!(0.0)]
            );
        }
    }
}
