//! Terms of a season: when games with swapped colours follow, adjudication by stage, bids by command, and rounds without an
//! opponent in the crosstable of an event in stages.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use arbiter960::internal::store::{Reader, Store};
use serde_json::json;

use super::config_files::Shelf;
use super::event_rounds::{engines, parsed, undisturbed_and_killed};
use super::store_rebuilt::assert_comes_back;
use super::support::{
    self, Event, arbiter960, assert_has, assert_lacks, on_one_line, pause, sparring, table, words,
};

fn text(rules: &str, count: usize) -> String {
    format!(
        "event.seed = 5\npositions.sample = 20\nadjudication.max_moves = 12\n{rules}\n{}",
        engines(count)
    )
}

/// The names of the games in the order in which one lane has played them.
fn played_in_order(name: &str, text: &str) -> Vec<String> {
    let [event, _] = undisturbed_and_killed(name, text, 7);
    event.rounds()
}

#[test]
fn games_with_swapped_colours_follow_when_the_event_says() {
    let league = "event.pairs = 2\npositions.draw = \"round\"\nevent.format = \"round-robin\"\n";
    let rules = |word: &str| text(&format!("{league}event.swapped_games = \"{word}\""), 4);
    let round = |round: u8, games: &[u8]| {
        let games = games.iter();
        let boards = games.flat_map(|game| [1, 2].map(|board| format!("{round}.{board}.{game}")));
        boards.collect::<Vec<_>>()
    };
    let after_round = played_in_order("round", &rules("after-round"));
    let expected: Vec<String> = (1..=6).flat_map(|number| round(number, &[1, 2])).collect();
    assert_eq!(after_round, expected);
    let after_cycle = played_in_order("cycle", &rules("after-cycle"));
    let cycles = [1..=3_u8, 4..=6].map(|cycle| {
        let of = |game: u8| cycle.clone().flat_map(move |number| round(number, &[game]));
        [of(1).collect::<Vec<_>>(), of(2).collect()].concat()
    });
    assert_eq!(after_cycle, cycles.concat());
}

#[test]
fn pairs_of_an_encounter_follow_each_other_in_cycles() {
    let swiss = "event.format = \"swiss\"\nswiss.rounds = 1\nevent.pairs = 2\n\
                 event.swapped_games = \"after-round\"";
    let expected = "1.1.1 1.2.1 1.1.2 1.2.2 1.1.3 1.2.3 1.1.4 1.2.4";
    let played = played_in_order("swiss", &text(swiss, 4));
    assert_eq!(played.join(" "), expected);
}

#[test]
fn a_stage_has_its_own_order_and_its_own_adjudication() {
    let rules = "[[stage]]\nname = \"League\"\nformat = \"round-robin\"\nswapped_games = \"after-cycle\"\n\
                 [[stage]]\nname = \"Final\"\nformat = \"knockout\"\nknockout = { extra_pairs = 0 }\n\
                 from = [{ stage = \"League\", places = [1, 2] }]\nadjudication = { max_moves = 5 }";
    let text = text(rules, 3);
    let [event, _] = undisturbed_and_killed("stages", &text, 3);
    let expected = "1.1.1 2.1.1 3.1.1 1.1.2 2.1.2 3.1.2 4.1.1 4.1.2";
    assert_eq!(event.rounds().join(" "), expected);
    let plan = Event::new("plan", &text).run_well(&["--dry-run"]);
    let told = [
        "games with swapped colours after all first games of the cycle",
        "draws and wins by score and length of its own",
    ];
    assert_has(&plan, told);
    let pgn = event.read("games.pgn");
    let games = pgn.split("[Event ").skip(1);
    for game in games.filter(|game| game.contains("[Ending \"max-moves\"]")) {
        let plies = if game.contains("[Round \"4.") { 10 } else { 24 };
        assert!(game.contains(&format!("[PlyCount \"{plies}\"]")), "{game}");
    }
    assert!(pgn.contains("[PlyCount \"10\"]"), "{pgn}");
    let rounds = &parsed(&event, "schedule.json")["rounds"];
    let second = |round: usize| &rounds[round - 1]["boards"][0]["pairs"][0]["second_after_round"];
    assert_eq!([second(1), second(4)], [&json!(3), &json!(null)]);
    let told = "Games with swapped colours are played after all first games.";
    assert_has(&event.read("report.html"), [told]);
}

#[test]
fn a_round_without_an_opponent_is_shown_in_every_stage() {
    // The Swiss has an engine too many, and so has the tree.
    let rules = "[[stage]]\nname = \"League\"\nformat = \"round-robin\"\n\
                 [[stage]]\nname = \"Swiss\"\nformat = \"swiss\"\nswiss = { rounds = 1 }\n\
                 from = [{ stage = \"League\", places = [2, 3, 4] }]\n\
                 [[stage]]\nname = \"Final\"\nformat = \"knockout\"\n\
                 from = [{ stage = \"League\", places = [1] }, { stage = \"Swiss\", places = [1, 2] }]";
    let event = Event::new("byes", &text(rules, 4));
    event.run_well(&["--quiet"]);
    let table = event.ask(&["stats", "--by", "round", "--format", "csv"]);
    // Three rounds of the league, one of the Swiss, two of the tree.
    let cells = table
        .lines()
        .skip(1)
        .map(|line| line.split(',').skip(2).take(6));
    let rounds: Vec<Vec<&str>> = cells.map(Iterator::collect).collect();
    let without = |round: usize, sign| rounds.iter().filter(|row| row[round - 1] == sign).count();
    assert_eq!([without(4, "U"), without(5, "Z")], [1, 1], "{table}");
    let empty = [1, 4, 5, 6].map(|round| without(round, ""));
    assert_eq!(empty, [0, 1, 1, 2], "{table}");
    let swiss = parsed(&event, "standings.json")["stages"][1]["standings"].clone();
    let points = swiss.as_array().unwrap().iter();
    let points: f64 = points.map(|row| row["points"].as_f64().unwrap()).sum();
    assert_eq!(points, 4.0, "two games, and a bye of two points");
    let headings = [
        "Round 3 of 3<",
        "Round 4 (1 of 1)<",
        "How far everybody came<",
    ];
    assert_has(&event.read("report.html"), headings);
}

#[test]
fn a_walkover_shows_the_points_that_it_gives() {
    let later = "[[round]]\nstarts = \"2099-01-01T00:00:00Z\"";
    let league = "event.format = \"round-robin\"\npositions.draw = \"round\"\n[[round]]\n";
    let event = Event::new("walkover", &text(&format!("{league}{later}"), 3));
    kill_when(&event, "Round 2 begins at");
    decide(&event, &["withdraw", "E03", "--reason", "its author asks"]);
    event.rewrite(|text| text.replace(later, ""));
    event.run_well(&["--quiet"]);
    let page = event.read("report.html");
    let cards = page.split("<div class=\"encounter\">");
    let walkovers: Vec<&str> = cards.filter(|card| card.contains("by walkover")).collect();
    assert!(!walkovers.is_empty(), "{page}");
    for card in walkovers {
        let card = card.split("</div>").next().unwrap();
        assert_has(card, [">2.0<", ">0.0<"]);
    }
}

/// Two engines that play level until their bids decide.
pub fn level(bids: &str) -> String {
    let twins = ["Alpha", "Beta"].map(|name| sparring(name, "options = { Strength = 5 }"));
    format!(
        "event.format = \"knockout\"\ntime.nodes = 50\npositions.sample = 10\n\
         adjudication.max_moves = 8\n[knockout]\nextra_pairs = 0\n\
         [[playoff]]\narmageddon = true\nwhite = \"bid\"\ntime = {{ control = \"20+0.2\" }}\n{bids}\n{}",
        twins.concat()
    )
}

/// A run of the event that has said this, and what else it says.
fn run_until(event: &Event, said: &str) -> (Child, impl Iterator<Item = String> + use<>) {
    let mut run = event
        .command(&["--json"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(run.stdout.take().unwrap()).lines();
    let mut lines = lines.map_while(Result::ok);
    assert!(lines.any(|line| line.contains(said)), "{said}");
    (run, lines)
}

/// Kills a run of the event that has said this.
fn kill_when(event: &Event, said: &str) {
    let (mut run, _) = run_until(event, said);
    run.kill().unwrap();
    run.wait().unwrap();
}

fn decide(event: &Event, arguments: &[&str]) -> String {
    let mut command = arbiter960();
    command.arg("decide").arg(event.results()).args(arguments);
    let output = command.args(["--author", "Anna"]).output().unwrap();
    words(&output)
}

/// The last game of the file has these tags.
#[track_caller]
fn assert_last_has(event: &Event, tags: &[&str]) {
    let pgn = event.read("games.pgn");
    assert_has(pgn.split("[Event ").last().unwrap(), tags);
}

#[test]
fn bids_by_command_are_sealed_until_both_are_in() {
    let event = Event::new("bids", &level("bid_time = 3600"));
    let early = decide(&event, &["bid", "Alpha", "60"]);
    assert_lacks(&early, ["Decision 1"]);
    let (mut run, rest) = run_until(&event, "for the bids of Alpha and Beta");
    let status = || event.ask(&["status"]);
    let told = loop {
        let told = status();
        if told.contains("The armageddon game from start") {
            break told;
        }
        pause(50);
    };
    assert_has(&on_one_line(&told), ["missing then is 100 %"]);
    let bid = decide(&event, &["bid", "Alpha", "60"]);
    let sealed = "Decision 1: Alpha has made a sealed bid in round 1, board 1.";
    assert_has(&bid, [sealed]);
    let again = decide(&event, &["bid", "Alpha", "61"]);
    assert_has(&again, ["no armageddon game waits for a bid of Alpha"]);
    let list = || event.ask(&["decide", "list"]);
    assert_has(&list(), ["a sealed bid"]);
    assert_lacks(&list(), ["60"]);
    // A bid may be taken back while it is sealed.
    let back = decide(&event, &["undo", "1", "--reason", "a slip"]);
    assert_has(&back, ["Decision 2"]);
    decide(&event, &["bid", "Alpha", "55"]);
    decide(&event, &["bid", "Beta", "40"]);
    assert!(rest.count() > 0);
    assert!(run.wait().unwrap().success());
    assert_has(&list(), ["Alpha bids 55 %", "Beta bids 40 %"]);
    let acts = parsed(&event, "standings.json")["decisions"].clone();
    assert_eq!(acts[2]["act"]["percent"], json!(55));
    let tags = [
        "[White \"Alpha\"]",
        "[WhiteTimeControl \"20+0.2\"]",
        "[BlackTimeControl \"8+0.08\"]",
        "[WhiteBid \"55\"]\n[BlackBid \"40\"]",
        "[Armageddon \"a draw counts for Black\"]",
    ];
    assert_last_has(&event, &tags);
    let late = decide(&event, &["undo", "3", "--reason", "too late"]);
    assert_has(&late, ["the bids have decided the colours"]);
    assert_has(&status(), ["Beta Black 8+0.08"]);
    assert_comes_back(&event);
    assert_has(&list(), ["Alpha bids 55 %", "Beta bids 40 %"]);
    assert_has(&status(), ["Beta Black 8+0.08"]);
}

#[test]
fn a_wait_for_bids_is_begun_once_and_told_after_a_kill() {
    let event = Event::new("killed-bids", &level("bid_time = 3600"));
    kill_when(&event, "for the bids of Alpha and Beta");
    let results = event.results();
    let status = || on_one_line(&event.ask(&["status"]));
    assert_has(&status(), ["for the bids of Alpha and Beta; a bid"]);
    let bid = decide(&event, &["bid", "Alpha", "60"]);
    assert_has(&bid, ["Decision 1: Alpha"]);
    assert_has(&status(), ["for the bid of Beta; a bid"]);
    // The hour is over.
    let key = "bids_awaited_after_1";
    let wait = Reader::open(&results).unwrap().value(key).unwrap().unwrap();
    let mut wait = support::json(&wait);
    wait["starts_ms"] = json!(1);
    let store = Store::open(&results, Box::new(|_| ())).unwrap();
    store.set_event(&[(key, &wait.to_string())]).unwrap();
    drop(store);
    assert_lacks(&status(), ["for the bid of"]);
    let late = decide(&event, &["bid", "Beta", "40"]);
    assert_has(&late, ["the time for bids is over"]);
    event.run_well(&["--quiet"]);
    let tags = ["[White \"Beta\"]", "[BlackTimeControl \"12+0.12\"]"];
    assert_last_has(&event, &tags);
}

#[test]
fn a_bid_that_does_not_come_is_the_whole_time() {
    let event = Event::new("late", &level("bid_time = 1\nbids = { Beta = 30 }"));
    let plan = event.run_well(&["--dry-run"]);
    assert_has(&plan, ["(Beta 30 %; Alpha by command within 1 s)"]);
    event.run_well(&["--quiet"]);
    let tags = ["[Black \"Beta\"]", "[BlackTimeControl \"6+0.06\"]"];
    assert_last_has(&event, &tags);
    assert_comes_back(&event);
}

#[test]
fn terms_that_a_season_cannot_have_are_refused_with_their_line() {
    let cases = table(
        r#"
event.swapped_games = "after-round"                                          | this event has none
[[stage]]\nformat = "round-robin"\nadjudication = { flag_fall = "fide" }     | `flag_fall` is the same in all stages
[[stage]]\nformat = "round-robin"\nadjudication = { preset = "tcec", school = "tcec" } | exclude each other
event.format = "knockout"\n[[playoff]]\narmageddon = true\nbid_time = 60     | `bid_time` says nothing here
"#,
    );
    for [rules, said] in cases {
        let head = "positions.sample = 10\nevent.name = \"x\"";
        let refused = Shelf::new().refuse(&format!("{head}\n{rules}\n{}", engines(4)));
        assert_has(&refused, [&said, "-->"]);
    }
}
