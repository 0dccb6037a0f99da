//! Statements about an event are made in one place: all outputs have the same first lines, and none names a start
//! position that the common check refuses.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use super::support::{Event, assert_has, assert_lacks, json, sparring};

/// `Engine 1` and so on, of these strengths.
pub fn numbered(strengths: &[u32]) -> String {
    let engine = |(place, strength): (usize, &u32)| {
        let keys = format!("options = {{ Strength = {strength} }}");
        sparring(&format!("Engine {place}"), &keys)
    };
    (1..).zip(strengths).map(engine).collect()
}

/// An event of built-in engines of these strengths.
fn event(name: &str, settings: &str, strengths: &[u32]) -> Event {
    let rules = "time.depth = 1\nadjudication.max_moves = 30";
    Event::new(
        name,
        &format!("{settings}\n{rules}\n{}", numbered(strengths)),
    )
}

/// The first paragraph without what to do next, in one line.
pub fn first(text: &str) -> String {
    let lines = text.lines().take_while(|line| !line.is_empty());
    let lines: Vec<&str> = lines.map(str::trim).collect();
    let text = lines.join(" ");
    text.split("Next: ").next().unwrap().trim().to_owned()
}

/// The claims of a page, with their identifiers, as text.
pub fn claims_of_page(page: &str) -> Vec<(String, String)> {
    let claims = page.split("<p data-claim=\"").skip(1);
    let claims = claims.filter_map(|rest| rest.split("</p>").next()?.split_once("\">"));
    // No line ends between a number and its sign.
    let words = |text: &str| {
        let text = text.replace("&lt;", "<").replace("&gt;", ">");
        text.replace("&#39;", "'").replace('\u{a0}', " ")
    };
    let claims = claims.map(|(id, text)| (id.to_owned(), words(text)));
    claims.collect()
}

/// The same of a page.
fn first_of_page(page: &str) -> String {
    let claims = claims_of_page(page).into_iter();
    claims.map(|(_, text)| text).collect::<Vec<_>>().join(" ")
}

/// The first lines of a stored event that nobody plays, which are identical in all outputs; `printed` is the output of
/// its run. Returns the claims for programs.
pub fn one_verdict(event: &Event, printed: Option<&str>) -> Vec<Value> {
    let status = first(&event.ask(&["status"]));
    if let Some(printed) = printed {
        assert_eq!(first(printed), status, "run");
    }
    let stats = event.ask(&["stats"]);
    assert!(stats.lines().count() <= 25, "{stats}");
    assert_eq!(first(&stats), status, "stats");
    let details = event.ask(&["stats", "--details"]);
    assert_eq!(first(&details), status, "stats --details");
    let path = event.folder().join("report.html");
    event.ask(&["report", "--output", path.to_str().unwrap()]);
    let report = fs::read_to_string(path).unwrap();
    assert_eq!(first_of_page(&report), status, "report.html");
    let standings = event.parsed("standings.json");
    let of_stats = event.asked(&["stats", "--format", "json"]);
    let of_status = event.asked(&["status", "--json"]);
    let claims = &standings["verdict"]["claims"];
    assert_eq!(of_stats["verdict"]["claims"], *claims, "stats");
    assert_eq!(of_status["claims"], *claims, "status --json");
    assert_eq!(standings["verdict"]["final"], standings["final"]);
    let winner = claims.as_array().unwrap().iter();
    for winner in winner.filter(|claim| claim["id"] == "winner" && claim["allowed"] == true) {
        let rows = standings["standings"].as_array().unwrap();
        let first: Vec<_> = rows.iter().filter(|row| row["rank"] == 1).collect();
        let first: Vec<_> = first.iter().map(|row| &row["name"]).collect();
        let named: Vec<_> = winner["engines"].as_array().unwrap().iter().collect();
        assert_eq!(named, first, "the winner stands first");
    }
    claims.as_array().unwrap().clone()
}

/// Runs an event and reads its first lines on every surface.
fn agrees(event: &Event, expected: &[&str]) {
    let printed = event.run_well(&["--quiet"]);
    assert_has(&first(&printed), expected);
    let claims = one_verdict(event, Some(&printed));
    let lines = event.run_well(&["--json"]);
    let end = json(lines.lines().last().unwrap());
    assert_eq!(end["claims"], Value::from(claims), "the line end of --json");
}

#[test]
fn a_match_says_the_same_everywhere() {
    let settings = "event.pairs = 3\npositions.numbers = [7, 518]";
    agrees(&event("match", settings, &[9, 1]), &["Engine 1"]);
}

#[test]
fn a_test_says_what_it_decided_and_at_which_bound() {
    let settings =
        "positions.numbers = [\"0-959\"]\nsprt = { elo0 = -400, elo1 = -200, bounds = \"wald\" }";
    let passed = "Engine 1 is no worse than Engine 2: SPRT of -400 to -200 nElo passed after";
    agrees(&event("test", settings, &[9, 1]), &[passed, "needed 2.94"]);
}

#[test]
fn self_play_says_the_same_everywhere() {
    let text = "event.pairs = 2\npositions.numbers = [7, 518]\ntime.nodes = 100\nadjudication.max_moves = 30\n";
    let solo = Event::new("solo", &(text.to_owned() + &sparring("Solo", "copies = 2")));
    agrees(&solo, &["Whether a start position stands out is not known"]);
}

#[test]
fn a_league_a_swiss_and_a_cup_say_who_won() {
    let two = "positions.numbers = [7, 518]";
    let league = "event.format = \"round-robin\"\npositions.numbers = [518]";
    let swiss = format!("event.format = \"swiss\"\nswiss.rounds = 2\n{two}");
    agrees(&event("league", league, &[9, 4, 1]), &[" won with "]);
    agrees(&event("swiss", &swiss, &[9, 4, 1]), &[" won with "]);
    let cup = format!("event.format = \"knockout\"\n{two}");
    let cup = event("cup", &cup, &[9, 6, 4, 1]);
    agrees(&cup, &[" won: the final against "]);
}

#[test]
fn an_event_that_is_not_over_has_no_winner() {
    let settings = "event.format = \"round-robin\"\npositions.numbers = [7, 518]";
    let event = event("stopped", settings, &[9, 4, 1]);
    event.run_well(&["--quiet"]);
    // The last game is played again.
    event.ask(&["decide", "replay", "6.2", "--reason", "test"]);
    let status = first(&event.ask(&["status"]));
    assert!(status.starts_with("Not over: Engine "), "{status}");
    assert_has(&status, ["1 game missing."]);
    assert_eq!(first(&event.ask(&["stats"])), status);
}

/// Two of these cups named start positions of two to four games each.
#[test]
fn no_surface_names_a_start_that_the_gate_refuses() {
    for seed in [20, 24, 28, 33] {
        let mut text = format!(
            "event.format = \"knockout\"\nevent.seed = {seed}\npositions.sample = 6\ntime.nodes = 500\n"
        );
        for (name, strength) in [("A", 9), ("B", 8), ("C", 8), ("D", 5), ("E", 3)] {
            text += &sparring(name, &format!("options = {{ Strength = {strength} }}"));
        }
        let event = Event::new(&format!("cup-{seed}"), &text);
        let mut said = event.run_well(&["--quiet"]);
        said += &event.ask(&["stats", "--details"]);
        said += &event.read("report.html");
        assert_lacks(
            &said,
            ["Start positions that stand out", "Positions that stand out"],
        );
        assert_lacks(&said, ["favourable to White (s"]);
        let json = event.asked(&["stats", "--format", "json"]);
        let positions = json["first_move"]["positions"].as_object().unwrap();
        for (number, position) in positions {
            let verdict = &position["verdict"];
            let is_open = verdict.is_null() || verdict == "not_distinguishable";
            assert!(is_open, "{number}: {verdict}");
        }
        let claims = json["verdict"]["claims"].as_array().unwrap();
        let mut claims = claims.iter();
        let stands_out = claims.find(|claim| claim["id"] == "start-stands-out");
        assert_eq!(stands_out.unwrap()["allowed"], false, "seed {seed}");
    }
}

/// `docs/claims.md` has every id that a verdict can have, and no other.
#[test]
fn every_claim_is_documented() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/claims.md")).unwrap();
    let id = |line: &str| Some(line.strip_prefix("| `")?.split('`').next()?.to_owned());
    let ids: Vec<&str> = "score same-moves winner sprt stronger first-move starts-differ start-stands-out \
                          starts-by-event maps-agree fault-of host-too-busy limit-ignored games-repeat \
                          not-usable next-step"
        .split(' ')
        .collect();
    assert_eq!(page.lines().filter_map(id).collect::<Vec<_>>(), ids);
    let table = concat!(env!("CARGO_MANIFEST_DIR"), "/results/truths/promises.csv");
    let table = fs::read_to_string(table).unwrap();
    let rows = table.lines().skip(1);
    let claims = rows.filter_map(|line| line.split(',').nth(1));
    let promised: BTreeSet<&str> = claims.filter(|claim| !claim.is_empty()).collect();
    // Why the others are not in the table of promises.
    let others = [
        ("the event's rules", "winner"),
        (
            "counted",
            "score same-moves fault-of host-too-busy limit-ignored games-repeat not-usable",
        ),
        (
            "starts-differ and start-stands-out, event by event",
            "starts-by-event",
        ),
        ("an exact test by exchange of the starts", "maps-agree"),
        ("advice", "next-step"),
    ];
    let others = others.iter().flat_map(|(_, claims)| claims.split(' '));
    let all: Vec<&str> = others.chain(promised.iter().copied()).collect();
    assert_eq!(all.len(), ids.len(), "{all:?}");
    assert!(ids.iter().all(|id| all.contains(id)), "{all:?}");
    assert!(!page.contains("<<<<<<<"), "two sides of a merge");
}

/// Whether it is decided or not: nothing more will be played.
#[test]
fn a_test_that_has_had_its_last_pair_is_over() {
    for (unit, after) in [("pairs", "after 3 pairs"), ("games", "after 6 games")] {
        let settings = format!(
            "positions.all = true\nsprt = {{ elo0 = -5, elo1 = 5, max_pairs = 3, unit = \"{unit}\" }}"
        );
        let event = event("last", &settings, &[3, 3]);
        let said = event.run_well(&["--quiet"]);
        let said = [said, event.ask(&["status"])];
        for said in &said {
            assert_has(&first(said), [after]);
            assert_lacks(said, ["games left", "plays what is missing"]);
        }
        assert_has(&said[1], ["missing    0 games"]);
        let standings = event.parsed("standings.json");
        assert_eq!(standings["final"], true);
        assert_eq!(standings["sprt"]["games_left_range"], Value::Null);
        event.run_well(&["--quiet"]);
    }
}

/// Deterministic engines on few starts play the same pairs again. Copies are no evidence: the first line, the tables and
/// the JSON have one estimate, of one sample.
#[test]
fn an_undecided_test_on_repeated_starts_has_one_estimate() {
    let settings =
        "positions.numbers = [\"0-19\"]\nsprt.elo0 = 0\nsprt.elo1 = 2\nsprt.max_pairs = 80";
    let event = event("copies", settings, &[3, 1]);
    let printed = event.run_well(&["--quiet"]);
    let claims = one_verdict(&event, Some(&printed));
    let test = claims.iter().find(|claim| claim["id"] == "sprt").unwrap();
    let json = event.asked(&["stats", "--format", "json"]);
    let games = &json["games"];
    assert!(games["replays"].as_u64() > Some(60), "{games}");
    let of_match = &json["match"]["anytime"];
    let elo = |name: &str| {
        let score = of_match[name].as_f64().unwrap();
        -400.0 * (1.0 / score - 1.0).log10()
    };
    let [low, high] = ["score_lo", "score_hi"].map(elo);
    let claimed = |place: usize| test["elo"][place].as_f64();
    let near = |one: Option<f64>, other: f64| match one {
        Some(one) => (one - other).abs() < 1e-9,
        None => other.is_infinite(),
    };
    let are_near = near(claimed(1), low) && near(claimed(2), high);
    assert!(are_near, "{test} {of_match}");
    let table = event.ask(&["stats", "--details"]);
    let mut lines = table.lines();
    let line = lines.find(|line| line.contains("always valid")).unwrap();
    let in_table = if low.is_finite() || high.is_finite() {
        format!("[{}, {}]", signed(low), signed(high))
    } else {
        "too few games".to_owned()
    };
    assert_has(line, [in_table]);
}

fn signed(elo: f64) -> String {
    format!("{elo:+.1}")
}
