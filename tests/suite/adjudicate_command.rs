//! `arbiter960 adjudicate`: what it says that a rule would have done is what the rule does.

use std::collections::BTreeMap;

use arbiter960::internal::store::Reader;
use serde_json::Value;

use super::support::{Event, arbiter960, engine, tool, words};

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
const RULES: [(&[&str], &str); 4] = [
    (
        &[
            "school=fastchess",
            "draw.from=20",
            "draw.moves=3",
            "draw.score=40",
            "resign.moves=2",
            "resign.score=400",
            "resign.both=false",
        ],
        "adjudication.school = \"fastchess\"\nadjudication.draw = { from_move = 20, moves = 3, centipawns = 40 }\n\
         adjudication.resign = { moves = 2, centipawns = 400, both_engines = false }\n",
    ),
    (
        &[
            "school=cutechess",
            "draw.from=15",
            "draw.moves=4",
            "draw.score=60",
            "resign.moves=3",
            "resign.score=300",
        ],
        "adjudication.school = \"cutechess\"\nadjudication.draw = { from_move = 15, moves = 4, centipawns = 60 }\n\
         adjudication.resign = { moves = 3, centipawns = 300 }\n",
    ),
    (
        &[
            "school=tcec",
            "draw.from=10",
            "draw.moves=4",
            "draw.score=90",
            "resign.moves=4",
            "resign.score=500",
        ],
        "adjudication.school = \"tcec\"\nadjudication.draw = { from_move = 10, moves = 4, centipawns = 90 }\n\
         adjudication.resign = { moves = 4, centipawns = 500 }\n",
    ),
    (
        &["resign.moves=2", "resign.score=500", "max_moves=25"],
        "adjudication.resign = { moves = 2, centipawns = 500 }\nadjudication.max_moves = 25\n",
    ),
];

/// Moves by engines and the result of every game, by its name.
fn games(event: &Event) -> BTreeMap<String, (usize, &'static str)> {
    let reader = Reader::open(&event.results()).unwrap();
    let games = reader.games().map(|game| game.unwrap().game);
    games
        .map(|game| {
            let record = &game.record;
            (
                game.id.to_string(),
                (record.moves.len(), record.outcome.result()),
            )
        })
        .collect()
}

fn report(event: &Event, rule: &[&str]) -> Value {
    let folder = event.results();
    let mut arguments = vec!["adjudicate", folder.to_str().unwrap(), "--json"];
    if !rule.is_empty() {
        arguments.push("--rule");
        arguments.extend(rule);
    }
    serde_json::from_str(&tool(&arguments)).unwrap()
}

#[test]
fn a_rule_replayed_is_the_rule_played() {
    let whole = Event::new("whole", SPARRING);
    whole.run_well(&["--quiet"]);
    let played_out = games(&whole);
    assert_eq!(played_out.len(), 6);
    let mut ended = 0;
    for (number, (rule, keys)) in RULES.into_iter().enumerate() {
        let ruled = Event::new(&format!("ruled-{number}"), &format!("{keys}{SPARRING}"));
        ruled.run_well(&["--quiet"]);
        let shortened = games(&ruled);
        let report = report(&whole, rule);
        let own = &report["rules"][0];
        // The same games up to the verdict: the saved half-moves were not played.
        let plies = |games: &BTreeMap<String, (usize, &str)>| -> usize {
            games.values().map(|(plies, _)| plies).sum()
        };
        assert_eq!(report["plies"], plies(&played_out), "{keys}");
        assert_eq!(
            own["plies_saved"],
            plies(&played_out) - plies(&shortened),
            "{keys}"
        );
        // Wrong are those whose result changed, by name.
        let changed: Vec<&String> = played_out
            .iter()
            .filter(|(name, (_, result))| shortened[*name].1 != *result)
            .map(|(name, _)| name)
            .collect();
        let mut wrong: Vec<String> = own["wrong"]
            .as_array()
            .unwrap()
            .iter()
            .map(|judgement| judgement["game"].as_str().unwrap().to_owned())
            .collect();
        wrong.sort();
        assert_eq!(wrong.iter().collect::<Vec<_>>(), changed, "{keys}");
        for judgement in own["wrong"].as_array().unwrap() {
            let (moves, result) = shortened[judgement["game"].as_str().unwrap()];
            assert_eq!(judgement["ply"], moves);
            assert_eq!(judgement["result"], result);
        }
        let judged: u64 = ["drawn", "won", "too_long"]
            .iter()
            .map(|kind| own[kind].as_u64().unwrap())
            .sum();
        ended += judged;
        // The event that was played under the rule saves nothing by it, and agrees with it.
        let text = tool(&["adjudicate", ruled.results().to_str().unwrap()]);
        assert!(text.contains("the event's own"), "{text}");
        let again = self::report(&ruled, &[]);
        let own = again["rules"].as_array().unwrap().last().unwrap();
        assert_eq!(own["name"], "the event's own");
        assert_eq!(own["plies_saved"], 0, "{keys}");
        assert_eq!(own["wrong"].as_array().unwrap().len(), 0);
        assert_eq!(own["undecided_differing"].as_array().unwrap().len(), 0);
        assert_eq!(own["undecided_agreeing"], judged, "{keys}");
    }
    assert!(ended >= 12, "the rules end too few of these games: {ended}");
}

#[test]
fn the_command_says_games_rules_and_how_sure_it_is() {
    let event = Event::new("said", SPARRING);
    event.run_well(&["--quiet"]);
    let folder = event.results();
    let folder = folder.to_str().unwrap();
    // A rule that is wrong as often as it can be: every game is a draw after two moves.
    let text = tool(&[
        "adjudicate",
        folder,
        "--rule",
        "school=fastchess",
        "draw.from=1",
        "draw.moves=1",
        "draw.score=100000",
    ]);
    let decisive = games(&event)
        .values()
        .filter(|(_, result)| *result != "1/2-1/2")
        .count();
    assert!(decisive > 0, "{text}");
    let said = format!("{decisive} of 6 verdicts wrong");
    assert!(text.contains(&said), "{said}: {text}");
    assert!(text.contains(": 1/2-1/2 after half-move "), "{text}");
    assert!(text.contains("\nrule 1: draw from move 1"), "{text}");
    let widest = text.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(100), "{text}");

    for (rule, message) in [
        (&["fishtset"][..], "did you mean"),
        (&["draw.move=3"], "did you mean `draw.moves`?"),
        (&["draw.moves=3"], "`centipawns` is missing"),
        (&["school=tcec"], "this ends no game"),
        (&["none"], "this ends no game"),
        (&["tcec", "school=tcec"], "exclude each other"),
        (&["draw.moves=0", "draw.score=1"], "out of range"),
    ] {
        let arguments = [&["adjudicate", folder, "--rule"], rule].concat();
        let output = arbiter960().args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{rule:?}");
        assert!(words(&output).contains(message), "{}", words(&output));
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
    assert!(
        all["plies_without_score"].as_u64().unwrap() * 50 <= all["plies"].as_u64().unwrap(),
        "{all}"
    );
    let own = all["rules"].as_array().unwrap().last().unwrap();
    assert!(own["undecided_agreeing"].as_u64().unwrap() > 0, "{all}");
    assert_eq!(own["plies_saved"], 0, "{all}");
    assert_eq!(own["undecided_differing"].as_array().map(Vec::len), Some(0));
    let pgn = event.read("games.pgn");
    assert!(pgn.contains("[Termination \"adjudication\"]"), "{pgn}");
    tool(&[
        "verify",
        event.results().join("games.pgn").to_str().unwrap(),
    ]);
}
