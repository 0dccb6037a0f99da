//! What an event file means.

use std::time::Duration;

use arbiter960::chess::FenDialect;
use arbiter960::chess::start::{StartNumber, Variant, position};
use arbiter960::clock::TimeLimit;
use arbiter960::internal::config::{Launch, Overrides, Tournament, parse};
use arbiter960::internal::event::identity::Restart;
use arbiter960::internal::referee::FlagFallRule;
use arbiter960::internal::schedule::Format;
use arbiter960::stats::sprt::Model;
use serde_json::json;

use super::config_files::{FOLDER, Shelf};
use super::support::table;

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
    let said = (event.name.as_str(), event.site.as_str(), event.seed);
    assert_eq!(said, ("Mainz revisited", "Mainz", 7));
    assert_eq!(event.format, Format::Gauntlet { heroes: vec![1] });
    assert_eq!((event.cycles, event.concurrency.get()), (3, 2));
    assert_eq!(event.openings.len(), 95);
    let label = "chess960 0-99, 518, without 90-94, 518";
    assert_eq!(event.positions_label, label);
    assert_eq!(event.timeouts.ready, Duration::from_millis(2500));
    assert_eq!(event.adjudication.flag_fall, FlagFallRule::Fide);
    assert_eq!(event.adjudication.draw.unwrap().from_move, 40);
    assert!(!event.adjudication.resign.unwrap().both_engines);
    let [one, two, sparring] = &event.engines[..] else {
        panic!("three engines");
    };
    let half = Duration::from_millis(500);
    assert_eq!(one.limits.time, TimeLimit::MoveTime(half));
    let said = (one.limits.nodes, one.fen, one.restart);
    assert_eq!(said, (None, FenDialect::XFen, Restart::Always));
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
    let limits = "40/5400+30:1800+30, nodes=10000, depth=8";
    assert_eq!(two.limits.to_string(), limits);
    assert_eq!(two.margin, Duration::from_millis(5));
    assert_eq!(two.fen, FenDialect::Shredder);
    assert_eq!(
        (&*sparring.name, &sparring.launch),
        ("Sparring 3", &Launch::Sparring)
    );
    assert_eq!(sparring.restart, Restart::Never);
}

#[test]
fn the_stop_rule() {
    let rest = format!("[time]\nnodes = 9\n{ENGINES}[sprt]\n");
    let (event, warnings) = Shelf::new().accept(&self::event("all = true", &rest));
    let sprt = event.sprt.unwrap();
    assert_eq!((sprt.terms.elo0, sprt.terms.elo1), (0.0, 5.0));
    assert_eq!(sprt.max_pairs, 100_000);
    assert_eq!((sprt.terms.model, sprt.max_time), (Model::Normalized, None));
    assert_eq!((event.plan().unwrap().len(), &*warnings), (100_000, ""));
    let other = "elo0 = -3.5\nelo1 = 1\nmodel = \"bayesian\"\nmax_pairs = 50\nmax_hours = 0.5\n";
    let (event, _) = Shelf::new().accept(&self::event("all = true", &(rest + other)));
    let sprt = event.sprt.unwrap();
    let half_an_hour = Some(Duration::from_secs(1800));
    assert_eq!(sprt.terms.model, Model::Bayesian);
    assert_eq!(sprt.max_time, half_an_hour);
    assert_eq!(event.plan().unwrap().len(), 50);
}

#[test]
fn two_engines_play_a_match_and_more_a_round_robin() {
    let text = event("numbers = [518]", &format!("[time]\ndepth = 1\n{ENGINES}"));
    let (two, _) = Shelf::new().accept(&text);
    assert_eq!((&two.format, two.games_per_pair()), (&Format::Match, 2));
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
    for [positions, count, label] in table(
        r"all = true | 960 | all 960 starts of chess960
         sample = 50 | 50 | 50 of the starts of chess960, drawn with seed 0
         sample = 959\nexclude = [518] | 959 | 959 of the starts of chess960, drawn with seed 0, without 518
         numbers = ['RNBQKBNR', 0] | 2 | chess960 0, 518
         file = '../openings/two.epd' | 2 | 2 positions of ../openings/two.epd
         file = '../openings/two.epd'\nexclude = [518] | 1 | 1 position of ../openings/two.epd, without 518",
    ) {
        let (tournament, _) = shelf.accept(&event(&positions, &rest));
        assert_eq!(tournament.openings.len().to_string(), count, "{label}");
        assert_eq!(tournament.positions_label, label);
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
    let three = moves("file = \"games.pgn\"\nplies = 3");
    assert_eq!(three, (vec![3, 1], Some(0)));
}

#[test]
fn positions_are_played_in_the_order_that_was_asked_for() {
    let start = |number| position(Variant::Chess960, StartNumber(number)).unwrap();
    let starts = (0..12).map(|number| start(number).fen(FenDialect::Shredder) + "\n");
    let shelf = Shelf::new().file("/events/book.epd", &starts.collect::<String>());
    let rest = format!("[time]\nnodes = 9\n{ENGINES}");
    let played = |positions: &str, seed: u64| -> Vec<u32> {
        let seeded = format!("name = \"x\"\nseed = {seed}");
        let text = event(positions, &rest).replace("name = \"x\"", &seeded);
        let (tournament, _) = shelf.accept(&text);
        let plan = tournament.plan().unwrap();
        let number = |opening| tournament.openings.number(opening).unwrap().0;
        plan.iter().map(|(_, pair)| number(pair.opening)).collect()
    };
    let listed = "numbers = [718, 24, \"3-5\", 577]";
    assert_eq!(played(listed, 1), [718, 24, 3, 4, 5, 577]);
    let drawn = played(&format!("{listed}\norder = \"random\""), 1);
    assert_ne!(drawn, [718, 24, 3, 4, 5, 577]);
    let book = "file = \"book.epd\"\norder = \"sequential\"";
    assert_eq!(played(book, 1), Vec::from_iter(0..12));
    let late = played(&format!("{book}\nstart = 11"), 1);
    assert_eq!(late, [10, 11, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    let of_book = |seed| played(&format!("{book}\nsample = 4"), seed);
    assert_eq!((of_book(1).len(), of_book(1)), (4, of_book(1)));
    assert!(of_book(1).is_sorted());
    assert!((2..9).any(|seed| of_book(seed) != of_book(1)));
}

#[test]
fn a_number_of_games_cuts_a_long_list_and_repeats_a_short_one() {
    let rest = format!("[time]\nnodes = 9\n{ENGINES}");
    let plan = |games: u32, positions: &str| {
        let limited = format!("name = \"x\"\ngames = {games}");
        let text = event(positions, &rest).replace("name = \"x\"", &limited);
        Shelf::new().accept(&text).0.plan().unwrap()
    };
    let long = plan(500, "all = true");
    assert_eq!((long.len(), long.games()), (250, 500));
    let repeated = plan(8, "numbers = [7, 3]");
    let visits = repeated.iter().map(|(_, pair)| (pair.cycle, pair.opening));
    assert_eq!(Vec::from_iter(visits), [(0, 1), (0, 0), (1, 1), (1, 0)]);
}

#[test]
fn what_all_engines_have_in_common() {
    let text = event(
        "all = true",
        "[time]\ncontrol = \"1:30+1\"\n[defaults]\noptions = { Hash = 64, Threads = 2 }\nmargin_ms = 7\n\
         env = { A = 1, B = 2 }\n[[engine]]\ncommand = \"one\"\n[[engine]]\ncommand = \"two\"\n\
         options = { hash = 16 }\nmargin_ms = 9\nenv = { B = 3 }\n[[engine]]\nbuiltin = \"sparring\"\n",
    );
    let (tournament, _) = Shelf::new().accept(&text);
    let [one, two, sparring] = &tournament.engines[..] else {
        panic!("three engines");
    };
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(one.limits.to_string(), "90+1");
    assert_eq!(one.options, [pair("Hash", "64"), pair("Threads", "2")]);
    assert_eq!(two.options, [pair("Threads", "2"), pair("hash", "16")]);
    // The engine inside this program has no option Threads.
    assert_eq!(sparring.options, [pair("Hash", "64")]);
    let margins = [one.margin, two.margin].map(|margin| margin.as_millis());
    assert_eq!(margins, [7, 9]);
    let Launch::Program { env, .. } = &two.launch else {
        panic!("a program");
    };
    assert_eq!(*env, [pair("A", "1"), pair("B", "3")]);
    let wrong = Shelf::new().refuse(&text.replace("margin_ms = 7", "comand = \"x\""));
    assert!(wrong.contains("`defaults` has no key `comand`"), "{wrong}");
}

#[test]
fn a_sample_depends_on_the_seed_alone() {
    let text = event("sample = 20", &format!("[time]\ndepth = 1\n{ENGINES}"));
    let shelf = Shelf::new();
    let with_seed = |seed| {
        let overrides = Overrides {
            seed: Some(seed),
            ..Overrides::default()
        };
        let path = std::path::Path::new("/events/event.toml");
        parse(&text, path, overrides, &shelf).unwrap().0
    };
    assert_eq!(with_seed(4).openings, with_seed(4).openings);
    assert_ne!(with_seed(4).openings, with_seed(5).openings);
    assert_eq!(with_seed(4).seed, 4);
    // Excluding a start that was not drawn changes nothing.
    let drawn = with_seed(0).openings;
    let numbers: Vec<_> = (0..20).filter_map(|index| drawn.number(index)).collect();
    let other = (0..960)
        .map(StartNumber)
        .find(|number| !numbers.contains(number));
    let other = other.unwrap().0;
    let (without, _) = shelf.accept(&text.replace("= 20", &format!("= 20\nexclude = [{other}]")));
    let kept = (0..20).filter_map(|index| without.openings.number(index));
    assert!(kept.eq(numbers));
}

#[test]
fn self_play() {
    let alone = |time: &str| {
        let engine = "[[engine]]\ncommand = \"one\"\ncopies = 2\n";
        event("all = true", &format!("[time]\n{time}\n{engine}"))
    };
    let shelf = Shelf::new();
    let (nodes, warnings) = shelf.accept(&alone("nodes = 5000"));
    assert!(nodes.self_play() && warnings.is_empty());
    let jitter_and_games =
        |event: &Tournament| (event.engines[0].nodes_jitter, event.games_per_pair());
    assert_eq!(jitter_and_games(&nodes), (Some(0.1), 2));
    assert_eq!(nodes.participants().len(), 2);
    assert_eq!(nodes.participant_name(nodes.participants()[1]), "one #2");
    assert_eq!(nodes.plan().unwrap().games(), 1920);
    for time in ["nodes = 5000\nnodes_jitter = 0", "depth = 8"] {
        let (fixed, warnings) = shelf.accept(&alone(time));
        assert!(warnings.contains("repeats its game"), "{warnings}");
        assert_eq!(fixed.plan().unwrap().games(), 960);
    }
    let (clock, warnings) = shelf.accept(&alone("control = \"10+0.1\"\nnodes = 5000"));
    assert_eq!(jitter_and_games(&clock), (None, 2));
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
        .program("/engines/run.sh", "#!/bin/sh\n")
        .file("/engines/nets/big.nnue", "weights")
        .file("/events/small.nnue", "weights")
        .file("/events/engine.py", "");
    let engines = "[[engine]]\ncommand = \"../engines/run.sh\"\noptions = { EvalFile = \"small.nnue\" }\n\
                   files = [\"../engines/nets/big.nnue\"]\n\
                   [[engine]]\ncommand = \"two\"\nargs = [\"engine.py\"]\n";
    let text = |engines: &str| event("all = true", &format!("[time]\ndepth = 1\n{engines}"));
    let (tournament, _) = shelf.accept(&text(engines));
    let mut names = Vec::from_iter(tournament.files.iter().map(|file| file.name.as_str()));
    names.sort_unstable();
    assert_eq!(
        names,
        ["../engines/nets/big.nnue", "engine.py", "small.nnue"]
    );
    let gone = engines.replace("big.nnue", "gone.nnue");
    let refused = shelf.refuse(&text(&gone));
    assert!(refused.contains("there is no such file"), "{refused}");
}

#[test]
fn the_event_files_that_come_along() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/configs");
    let league = |names: [&str; 2]| {
        let rows = [0, 1].map(|at| json!({"rank": at + 1, "name": names[at]}));
        json!({"final": true, "standings": rows}).to_string()
    };
    let book = include_str!("../../openings/frc-unbalanced.epd");
    let shelf = Shelf::new()
        .file("/openings/frc-unbalanced.epd", book)
        .file(
            "/results/league-a/standings.json",
            &league(["Adder", "Boa"]),
        )
        .file(
            "/results/league-b/standings.json",
            &league(["Heron", "Ibis"]),
        );
    let engines = [
        "stockfish",
        "ethereal-chess",
        "fairy-stockfish",
        "glaurung",
        "sjaakii",
    ];
    let install = |shelf: Shelf, name: &&str| shelf.program(&format!("/usr/games/{name}"), "");
    let shelf = engines.iter().fold(shelf, install);
    let in_rounds = [
        "swiss",
        "cup",
        "league-a",
        "league-b",
        "final",
        "iccf-section",
    ];
    let mut count = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        // A script of a scheduler lies next to them.
        if path.extension().is_none_or(|end| end != "toml") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let (tournament, warnings) = shelf.accept(&text);
        assert_eq!(warnings, "", "{}", path.display());
        let has_rounds = in_rounds.contains(&tournament.name.as_str());
        assert_eq!(tournament.plan().unwrap().is_empty(), has_rounds);
        count += 1;
    }
    assert_eq!(count, 22);
}
