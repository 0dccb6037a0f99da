//! What an event file means.

use std::time::Duration;

use arbiter960::chess::FenDialect;
use arbiter960::chess::start::Variant;
use arbiter960::clock::TimeLimit;
use arbiter960::internal::config::{
    Launch, MatchEngine, MatchOptions, MatchTime, Overrides, match_file, parse,
};
use arbiter960::internal::event::identity::Restart;
use arbiter960::internal::referee::FlagFallRule;
use arbiter960::internal::schedule::Format;
use arbiter960::stats::sprt::Model;

use super::config_files::{FOLDER, Shelf};

const ENGINES: &str = "[[engine]]\ncommand = \"one\"\n[[engine]]\ncommand = \"two\"\n";

fn event(positions: &str, rest: &str) -> String {
    format!("[event]\nname = \"x\"\n[positions]\n{positions}\n{rest}")
}

#[test]
fn every_key_of_the_contract() {
    let text = r#"
[event]
name = "Mainz revisited"
site = "Mainz"
seed = 7
variant = "chess960"
format = "gauntlet"
pairs = 3
concurrency = 2
heroes = ["Two"]

[positions]
numbers = [518, "0-99"]
exclude = [518, "90-94"]

[time]
control = "40/5400+30:1800+30"
nodes = 10000
depth = 8
nodes_jitter = 0.1
margin_ms = 5

[timeouts]
start = 1
ready = 2.5
newgame = 3
stall = 4

[[engine]]
name = "One"
command = "one"
args = ["-x"]
directory = "."
env = { A = "b", N = 1 }
options = { Threads = 1, Hash = 16, "Skill Level" = "5", Ponder = false }
fen = "xfen"
margin_ms = 100
restart = true

[engine.time]
movetime = 0.5

[[engine]]
name = "Two"
command = "two"
restart = "auto"

[[engine]]
builtin = "sparring"
options = { Strength = 3 }
restart = false
copies = 1

[adjudication]
draw = { from_move = 40, moves = 8, centipawns = 10 }
resign = { moves = 4, centipawns = 600, both_engines = false }
max_moves = 300
flag_fall = "fide"
"#
    .replace("nodes_jitter = 0.1\n", "");
    let (event, warnings) = Shelf::new().accept(&text);
    assert_eq!(warnings, "");
    assert_eq!(
        (event.name.as_str(), event.site.as_str(), event.seed),
        ("Mainz revisited", "Mainz", 7)
    );
    assert_eq!(event.format, Format::Gauntlet { heroes: vec![1] });
    assert_eq!((event.cycles, event.concurrency.get()), (3, 2));
    assert_eq!(event.openings.len(), 95);
    assert_eq!(
        event.positions_label,
        "chess960 0-99, 518, without 90-94, 518"
    );
    assert_eq!(event.timeouts.ready, Duration::from_millis(2500));
    assert_eq!(event.adjudication.flag_fall, FlagFallRule::Fide);
    assert_eq!(event.adjudication.draw.unwrap().from_move, 40);
    assert!(!event.adjudication.resign.unwrap().both_engines);
    let [one, two, sparring] = &event.engines[..] else {
        panic!("three engines");
    };
    assert_eq!(
        one.limits.time,
        TimeLimit::MoveTime(Duration::from_millis(500))
    );
    assert_eq!(
        (one.limits.nodes, one.fen, one.restart),
        (None, FenDialect::XFen, Restart::Always)
    );
    assert_eq!(one.margin, Duration::from_millis(100));
    let names: Vec<&str> = one.options.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["Threads", "Hash", "Skill Level", "Ponder"]);
    let Launch::Program {
        env,
        args,
        directory,
        ..
    } = &one.launch
    else {
        panic!("a program");
    };
    assert_eq!(env[1], ("N".to_owned(), "1".to_owned()));
    assert_eq!((args.len(), directory.to_str()), (1, Some(FOLDER)));
    assert_eq!(
        two.limits.to_string(),
        "40/5400+30:1800+30, nodes=10000, depth=8"
    );
    assert_eq!(
        (two.margin, two.fen),
        (Duration::from_millis(5), FenDialect::Shredder)
    );
    assert_eq!(
        (sparring.name.as_str(), &sparring.launch),
        ("Sparring 3", &Launch::Sparring)
    );
    assert_eq!(sparring.restart, Restart::Never);
}

#[test]
fn the_stop_rule() {
    let rest = format!("[time]\nnodes = 9\n{ENGINES}[sprt]\n");
    let (event, warnings) =
        Shelf::new().accept(&super::config_event_file::event("all = true", &rest));
    let sprt = event.sprt.unwrap();
    assert_eq!((sprt.elo0, sprt.elo1, sprt.max_pairs), (0.0, 5.0, 100_000));
    assert_eq!(
        (sprt.model, sprt.max_time, warnings.as_str()),
        (Model::Normalized, None, "")
    );
    assert_eq!(event.plan().unwrap().len(), 100_000);
    let rest =
        rest + "elo0 = -3.5\nelo1 = 1\nmodel = \"bayesian\"\nmax_pairs = 50\nmax_hours = 0.5\n";
    let (event, _) = Shelf::new().accept(&super::config_event_file::event("all = true", &rest));
    let sprt = event.sprt.unwrap();
    assert_eq!(
        (sprt.model, sprt.max_time),
        (Model::Bayesian, Some(Duration::from_secs(1800)))
    );
    assert_eq!(event.plan().unwrap().len(), 50);
}

#[test]
fn two_engines_play_a_match_and_more_a_round_robin() {
    let text = event("numbers = [518]", &format!("[time]\ndepth = 1\n{ENGINES}"));
    let (two, _) = Shelf::new().accept(&text);
    assert_eq!(
        (two.format.clone(), two.games_per_pair()),
        (Format::Match, 2)
    );
    let (three, _) = Shelf::new().accept(&format!("{text}[[engine]]\ncommand = \"three\"\n"));
    assert_eq!(three.format, Format::RoundRobin);
    assert_eq!(three.plan().unwrap().len(), 3);
}

#[test]
fn positions_of_every_kind() {
    let book = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n\
                bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1\n";
    let shelf = Shelf::new().file("/openings/two.epd", book);
    let rest = format!("[time]\ndepth = 1\n{ENGINES}");
    for (positions, count, label) in [
        ("all = true", 960, "all 960 starts of chess960"),
        (
            "sample = 50",
            50,
            "50 of the starts of chess960, drawn with seed 0",
        ),
        (
            "sample = 959\nexclude = [518]",
            959,
            "959 of the starts of chess960, drawn with seed 0, without 518",
        ),
        ("numbers = [\"RNBQKBNR\", 0]", 2, "chess960 0, 518"),
        (
            "file = \"../openings/two.epd\"",
            2,
            "2 positions of ../openings/two.epd",
        ),
        (
            "file = \"../openings/two.epd\"\nexclude = [518]",
            1,
            "1 positions of ../openings/two.epd, without 518",
        ),
    ] {
        let (tournament, _) = shelf.accept(&event(positions, &rest));
        assert_eq!(
            (
                tournament.openings.len(),
                tournament.positions_label.as_str()
            ),
            (count, label)
        );
    }
}

#[test]
fn a_book_of_games() {
    let book = "[Event \"a\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *\n\n\
                [Event \"b\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
                [FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1\"]\n\n1. d4 *\n";
    let shelf = Shelf::new().file("/events/games.pgn", book);
    let rest = format!("[time]\ndepth = 1\n{ENGINES}");
    let moves = |positions: &str| {
        let (tournament, warnings) = shelf.accept(&event(positions, &rest));
        assert_eq!(warnings, "");
        let openings = tournament.openings;
        let lengths: Vec<usize> = openings.iter().map(|opening| opening.moves.len()).collect();
        (lengths, openings.number(1).map(|number| number.0))
    };
    assert_eq!(moves("file = \"games.pgn\""), (vec![8, 1], Some(0)));
    assert_eq!(
        moves("file = \"games.pgn\"\nplies = 3"),
        (vec![3, 1], Some(0))
    );
}

#[test]
fn a_sample_depends_on_the_seed_alone() {
    let text = event("sample = 20", &format!("[time]\ndepth = 1\n{ENGINES}"));
    let shelf = Shelf::new();
    let with_seed = |seed| {
        let overrides = Overrides {
            seed: Some(seed),
            concurrency: None,
        };
        let path = std::path::Path::new("/events/event.toml");
        parse(&text, path, overrides, &shelf).unwrap().0
    };
    assert_eq!(with_seed(4).openings, with_seed(4).openings);
    assert_ne!(with_seed(4).openings, with_seed(5).openings);
    assert_eq!(with_seed(4).seed, 4);
    // Excluding a start that was not drawn changes nothing.
    let numbers: Vec<_> = (0..20)
        .filter_map(|index| with_seed(0).openings.number(index))
        .collect();
    let other = (0..960)
        .find(|number| !numbers.iter().any(|drawn| drawn.0 == *number))
        .unwrap();
    let (without, _) = shelf.accept(&text.replace("= 20", &format!("= 20\nexclude = [{other}]")));
    let kept = (0..20).filter_map(|index| without.openings.number(index));
    assert!(kept.eq(numbers));
}

#[test]
fn self_play() {
    let alone = |time: &str| {
        event(
            "all = true",
            &format!("[time]\n{time}\n[[engine]]\ncommand = \"one\"\ncopies = 2\n"),
        )
    };
    let shelf = Shelf::new();
    let (nodes, warnings) = shelf.accept(&alone("nodes = 5000"));
    assert!(nodes.self_play() && warnings.is_empty());
    assert_eq!(
        (nodes.engines[0].nodes_jitter, nodes.games_per_pair()),
        (Some(0.1), 2)
    );
    assert_eq!(nodes.participants().len(), 2);
    assert_eq!(nodes.participant_name(nodes.participants()[1]), "one #2");
    assert_eq!(nodes.plan().unwrap().games(), 1920);
    for time in ["nodes = 5000\nnodes_jitter = 0", "depth = 8"] {
        let (fixed, warnings) = shelf.accept(&alone(time));
        assert!(warnings.contains("repeats its game"), "{warnings}");
        assert_eq!(fixed.plan().unwrap().games(), 960);
    }
    let (clock, warnings) = shelf.accept(&alone("control = \"10+0.1\"\nnodes = 5000"));
    assert_eq!(
        (clock.engines[0].nodes_jitter, clock.games_per_pair()),
        (None, 2)
    );
    assert_eq!(warnings, "");
}

#[test]
fn variants_say_how_positions_are_sent() {
    let text = event("sample = 1", &format!("[time]\ndepth = 1\n{ENGINES}"));
    for variant in Variant::ALL {
        let text = text.replace("name =", &format!("variant = \"{variant}\"\nname ="));
        let (tournament, _) = Shelf::new().accept(&text);
        assert_eq!(tournament.variant, variant);
        let shredder = tournament.engines[0].fen == FenDialect::Shredder;
        assert_eq!(shredder, variant.sends_uci_chess960(), "{variant}");
    }
}

#[test]
fn files_that_make_an_engine_what_it_is() {
    let shelf = Shelf::new()
        .program(
            "/engines/run.sh",
            "#!/bin/sh\ncd \"$(dirname \"$0\")\"\nexec one --net=nets/big.nnue\n",
        )
        .file("/engines/nets/big.nnue", "weights")
        .file("/events/small.nnue", "weights")
        .file(
            "/events/engine.py",
            "#!/usr/bin/env python3\nopen('data/values.txt')\n",
        )
        .file("/events/data/values.txt", "1 2 3");
    let engines = "[[engine]]\ncommand = \"../engines/run.sh\"\noptions = { EvalFile = \"small.nnue\" }\n\
                   [[engine]]\ncommand = \"two\"\nargs = [\"engine.py\"]\n";
    let (tournament, _) = shelf.accept(&event(
        "all = true",
        &format!("[time]\ndepth = 1\n{engines}"),
    ));
    let mut names: Vec<&str> = tournament
        .files
        .iter()
        .map(|file| file.name.as_str())
        .collect();
    names.sort_unstable();
    assert_eq!(
        names,
        [
            "data/values.txt",
            "engine.py",
            "nets/big.nnue",
            "one",
            "small.nnue"
        ]
    );
}

#[test]
fn the_match_command_as_an_event_file() {
    let engine = |words: &[&str]| MatchEngine::from_words(words).unwrap();
    let options = MatchOptions {
        engines: vec![
            engine(&[
                "one",
                "option.Hash=16",
                "option.Style=\"a\" \\ b",
                "tc=5+0.05",
            ]),
            engine(&["cmd=one", "option.Ponder=false", "margin=50"]),
        ],
        time: MatchTime {
            control: Some("10+0.1".to_owned()),
            ..MatchTime::default()
        },
        positions: "518,0-99".to_owned(),
        pairs: Some(2),
        seed: Some(9),
        ..MatchOptions::default()
    };
    let text = match_file(&options);
    insta::assert_snapshot!(text);
    let (tournament, _) = Shelf::new().accept(&text);
    assert_eq!(
        (tournament.name.as_str(), tournament.openings.len()),
        ("one vs one-2", 101)
    );
    assert_eq!(tournament.engines[0].options[1].1, "\"a\" \\ b");
    assert_eq!(tournament.engines[0].limits.to_string(), "5+0.05");
    for (positions, count) in [("all", 960), ("sample:50", 50), ("518", 1)] {
        let options = MatchOptions {
            positions: positions.to_owned(),
            ..options.clone()
        };
        let (tournament, _) = Shelf::new().accept(&match_file(&options));
        assert_eq!(tournament.openings.len(), count);
    }
}

#[test]
fn the_event_files_that_come_along() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/configs");
    let mut count = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let games = [
            "stockfish",
            "ethereal-chess",
            "fairy-stockfish",
            "glaurung",
            "sjaakii",
        ];
        let shelf = games.iter().fold(Shelf::new(), |shelf, name| {
            shelf.program(&format!("/usr/games/{name}"), "")
        });
        let shelf = shelf
            .program("/engines/new", "")
            .program("/engines/old", "");
        let (tournament, warnings) = shelf.accept(&text);
        assert_eq!(warnings, "", "{}", path.display());
        assert!(!tournament.plan().unwrap().is_empty());
        count += 1;
    }
    assert_eq!(count, 10);
}
