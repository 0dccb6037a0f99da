//! `arbiter960 adjudicate`: what it says that a rule would have done is what the rule does.

use std::collections::BTreeMap;

use arbiter960::internal::store::Reader;
use serde_json::{Value, json};

use super::support::{Event, assert_has, engine, list, members, table};

/// Engines that play the same games every time.
const SPARRING: &str = r#"
event.concurrency = 2
positions.numbers = [0, 300, 518]
time.nodes = 600
[[engine]]
name = "Five"
builtin = "sparring"
options = { Strength = 5 }
[[engine]]
name = "Ten"
builtin = "sparring"
"#;

/// Rules that end most games of these engines: as the command has them, and the event file.
const RULES: &str = "
    school=fastchess draw.from=20 draw.moves=3 draw.score=40 resign.moves=2 resign.score=400 resign.both=false | \
    school = 'fastchess', draw = { from_move = 20, moves = 3, centipawns = 40 }, \
    resign = { moves = 2, centipawns = 400, both_engines = false }
    school=cutechess draw.from=15 draw.moves=4 draw.score=60 resign.moves=3 resign.score=300 | \
    school = 'cutechess', draw = { from_move = 15, moves = 4, centipawns = 60 }, resign = { moves = 3, centipawns = 300 }
    school=tcec draw.from=10 draw.moves=4 draw.score=90 resign.moves=4 resign.score=500 | \
    school = 'tcec', draw = { from_move = 10, moves = 4, centipawns = 90 }, resign = { moves = 4, centipawns = 500 }
    resign.moves=2 resign.score=500 max_moves=25 | resign = { moves = 2, centipawns = 500 }, max_moves = 25";

/// Moves by engines and the result of every game, by its name.
fn games(event: &Event) -> BTreeMap<String, (usize, &'static str)> {
    let reader = Reader::open(&event.results()).unwrap();
    let games = reader.games().map(|game| game.unwrap().game);
    let entries = games.map(|game| {
        let entry = (game.record.moves.len(), game.record.outcome.result());
        (game.id.to_string(), entry)
    });
    entries.collect()
}

fn report(event: &Event, rule: &[&str]) -> Value {
    let option: &[&str] = if rule.is_empty() { &[] } else { &["--rule"] };
    event.asked(&[&["adjudicate", "--json"], option, rule].concat())
}

#[test]
fn a_rule_replayed_is_the_rule_played() {
    let whole = Event::new("whole", SPARRING);
    whole.run_well(&["--quiet"]);
    let played_out = games(&whole);
    assert_eq!(played_out.len(), 6);
    let mut ended = 0;
    for [rule, keys] in table(RULES) {
        let text = format!("adjudication = {{ host_faults = \"count\", {keys} }}\n{SPARRING}");
        let ruled = Event::new("ruled", &text);
        ruled.run_well(&["--quiet"]);
        let shortened = games(&ruled);
        let report = report(&whole, &Vec::from_iter(rule.split(' ')));
        let own = &report["rules"][0];
        // The same games up to the verdict: the saved half-moves were not played.
        let plies = |games: &BTreeMap<String, (usize, &str)>| -> usize {
            games.values().map(|(plies, _)| plies).sum()
        };
        assert_eq!(report["plies"], plies(&played_out), "{keys}");
        let saved = plies(&played_out) - plies(&shortened);
        assert_eq!(own["plies_saved"], saved, "{keys}");
        // Wrong are those whose result changed, by name.
        let mut changed = Vec::from_iter(played_out.keys());
        changed.retain(|name| shortened[*name].1 != played_out[*name].1);
        let wrong = members(&own["wrong"], "game");
        let mut wrong = Vec::from_iter(wrong.iter().map(|name| name.as_str().unwrap()));
        wrong.sort_unstable();
        assert_eq!(wrong, changed, "{keys}");
        for judgement in list(&own["wrong"]) {
            let (moves, result) = shortened[judgement["game"].as_str().unwrap()];
            assert_eq!(judgement["ply"], moves);
            assert_eq!(judgement["result"], result);
        }
        let judged = ["drawn", "won", "too_long"].map(|kind| own[kind].as_u64().unwrap());
        let judged: u64 = judged.iter().sum();
        ended += judged;
        // The event that was played under the rule saves nothing by it, and agrees with it.
        assert_has(&ruled.ask(&["adjudicate"]), ["the event's own"]);
        let again = self::report(&ruled, &[]);
        let own = list(&again["rules"]).last().unwrap();
        assert_eq!(own["name"], "the event's own");
        assert_eq!(own["plies_saved"], 0, "{keys}");
        assert_eq!(
            [&own["wrong"], &own["undecided_differing"]],
            [&json!([]); 2]
        );
        assert_eq!(own["undecided_agreeing"], judged, "{keys}");
    }
    assert!(ended >= 12, "the rules end too few of these games: {ended}");
}

#[test]
fn the_command_says_games_rules_and_how_sure_it_is() {
    let event = Event::new("said", SPARRING);
    event.run_well(&["--quiet"]);
    // A rule that is wrong as often as it can be: every game is a draw after two moves.
    let rule = [
        "school=fastchess",
        "draw.from=1",
        "draw.moves=1",
        "draw.score=100000",
    ];
    let text = event.ask(&[&["adjudicate", "--rule"], &rule[..]].concat());
    let games = games(&event);
    let decisive = games
        .values()
        .filter(|(_, result)| *result != "1/2-1/2")
        .count();
    assert!(decisive > 0, "{text}");
    let said = format!("{decisive} of 6 verdicts wrong");
    assert_has(
        &text,
        [
            &*said,
            ": 1/2-1/2 after half-move ",
            "\nrule 1: draw from move 1",
        ],
    );
    let widest = text.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(100), "{text}");

    for [rule, message] in table(
        "fishtset | did you mean
         draw.move=3 | did you mean `draw.moves`?
         draw.moves=3 | `centipawns` is missing
         school=tcec | this ends no game
         none | this ends no game
         tcec school=tcec | exclude each other
         draw.moves=0 draw.score=1 | out of range",
    ) {
        let rule = Vec::from_iter(rule.split(' '));
        let arguments = [&["adjudicate", "--rule"], &rule[..]].concat();
        assert_has(&event.ask_ends(2, &arguments), [message]);
    }
}

#[test]
fn real_engines_are_judged_by_their_last_scores() {
    let (Some(stockfish), Some(other)) = (engine("stockfish"), engine("ethereal-chess")) else {
        return;
    };
    let text = format!(
        "event.concurrency = 2\npositions.numbers = [518, 77]\n\
         adjudication.school = \"fastchess\"\n\
         adjudication.draw = {{ from_move = 20, moves = 4, centipawns = 15 }}\n\
         adjudication.resign = {{ moves = 3, centipawns = 400, both_engines = false }}\n\
         [[engine]]\nname = \"Stockfish\"\ncommand = {stockfish:?}\ntime.nodes = 3000\n\
         [[engine]]\nname = \"Ethereal\"\ncommand = {other:?}\ntime.nodes = 300\nmissed_limit = \"warn\"\n"
    );
    let event = Event::new("real", &text);
    event.run_well(&["--quiet"]);
    let all = report(&event, &[]);
    assert_eq!(all["games"], 4);
    // A score with nearly every move, and the rule's verdicts again where the referee gave them.
    let [without, plies] = ["plies_without_score", "plies"].map(|name| all[name].as_u64().unwrap());
    assert!(without * 50 <= plies, "{all}");
    let own = list(&all["rules"]).last().unwrap();
    assert!(own["undecided_agreeing"].as_u64().unwrap() > 0, "{all}");
    assert_eq!(own["plies_saved"], 0, "{all}");
    assert_eq!(own["undecided_differing"], json!([]));
    let pgn = event.read("games.pgn");
    assert!(pgn.contains("[Termination \"adjudication\"]"), "{pgn}");
    event.verified();
}
