//! The built-in engine through its own protocol, over pipes, as a runner sees it.

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write, pipe};
use std::thread::{self, JoinHandle};

use arbiter960::chess::{Color, Ending, Game, Position, UciDialect};
use arbiter960::internal::sparring::{Strength, serve};

use super::support::{assert_has, assert_lacks};

/// The engine in a thread; dropping it closes its input and waits for its end.
struct Engine {
    input: Option<PipeWriter>,
    output: BufReader<PipeReader>,
    thread: Option<JoinHandle<std::io::Result<()>>>,
}

impl Engine {
    fn start(strength: u8) -> Engine {
        let (commands, input) = pipe().expect("a pipe");
        let (output, answers) = pipe().expect("a pipe");
        let strength = Strength::new(strength).expect("a level");
        let thread = thread::spawn(move || serve(commands, answers, strength));
        let output = BufReader::new(output);
        let mut engine = Engine {
            input: Some(input),
            output,
            thread: Some(thread),
        };
        engine.tell("setoption name UCI_Chess960 value true");
        engine
    }

    fn tell(&mut self, command: &str) {
        let input = self.input.as_mut().expect("open until it is dropped");
        writeln!(input, "{command}").expect("the engine reads");
    }

    /// Lines up to the first one that begins with this word.
    fn until(&mut self, word: &str) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        let is_other = |line: &String| line.split(' ').next() != Some(word);
        while lines.last().is_none_or(is_other) {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).expect("the engine writes");
            assert!(read > 0, "the engine ended after {lines:?}");
            lines.push(line.trim_end().to_owned());
        }
        lines
    }

    /// It answers `isready`, and has not moved before.
    fn assert_thinks(&mut self) {
        self.tell("isready");
        assert_lacks(&self.until("readyok").join("\n"), ["bestmove"]);
    }

    fn search(&mut self, fen: &str, moves: &str, limits: &str) -> Vec<String> {
        self.tell(&format!("position fen {fen} moves {moves}"));
        self.tell(&format!("go {limits}"));
        self.until("bestmove")
    }

    fn new_game(&mut self) {
        self.tell("ucinewgame");
        self.tell("isready");
        self.until("readyok");
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.input = None;
        let ended = self.thread.take().map(JoinHandle::join);
        if !thread::panicking() {
            assert!(matches!(ended, Some(Ok(Ok(())))), "{ended:?}");
        }
    }
}

fn best_move(lines: &[String]) -> &str {
    let last = lines.last().expect("a line");
    last.split(' ').nth(1).expect("a move")
}

/// Everything but what depends on time.
fn timeless(lines: &[String]) -> Vec<String> {
    let cut = |line: &String| {
        let words: Vec<&str> = line.split(' ').collect();
        let timed = |word: &str| matches!(word, "nps" | "time");
        let keep = |i: &usize| !timed(words[*i]) && (*i == 0 || !timed(words[*i - 1]));
        let kept = (0..words.len()).filter(keep).map(|i| words[i]);
        kept.collect::<Vec<_>>().join(" ")
    };
    lines.iter().map(cut).collect()
}

/// A Chess960 start with these pieces.
fn start(pieces: &str) -> String {
    let rooks = pieces.match_indices('R');
    let files: String = rooks.map(|(i, _)| char::from(b'A' + i as u8)).collect();
    let (black, rights) = (pieces.to_lowercase(), files.to_lowercase());
    format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{pieces} w {files}{rights} - 0 1")
}

const STARTS: [&str; 8] = [
    "RNBQKBNR", "BBQNNRKR", "RKRBBQNN", "QBRKNBNR", "NRKBBQRN", "RBBKNQNR", "NNRKRQBB", "BRNKQNRB",
];

#[test]
fn mates_are_found() {
    let cases = [
        ("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", 2, "e1e8", "mate 1"),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 10, "a1a6", "mate 2"),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 8, "f6a6", "mate 3"),
        // castling is the only mate in one
        ("3k4/8/8/8/8/2R1R3/8/RK6 w A - 0 1", 3, "b1a1", "mate 1"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 3, "(none)", "cp 0"),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 3, "(none)", "mate 0"),
    ];
    let mut engine = Engine::start(10);
    for (fen, depth, best, score) in cases {
        let lines = engine.search(fen, "", &format!("depth {depth}"));
        assert!(best_move(&lines) == best, "{fen}: {lines:?}");
        let told = lines.iter().rev().find(|line| line.contains(" score "));
        assert_has(told.unwrap(), [format!("score {score}")]);
    }
}

#[test]
fn games_from_chess960_starts_are_legal_to_the_end() {
    let mut engine = Engine::start(10);
    let mut endings = Vec::new();
    for (number, pieces) in STARTS.into_iter().enumerate() {
        let fen = start(pieces);
        let mut game = Game::new(Position::from_fen(&fen).unwrap());
        let mut moves = String::new();
        engine.new_game();
        while game.ending().is_none() && game.moves().len() < 500 {
            let lines = engine.search(&fen, &moves, &format!("depth {}", 1 + number % 3));
            let text = best_move(&lines);
            let mv = game.position().parse_uci(text, UciDialect::Chess960);
            game.play(mv.unwrap_or_else(|error| panic!("{fen} {moves}: {error}")));
            moves = format!("{moves} {text}");
        }
        endings.push(game.ending().expect("no game takes 250 moves"));
    }
    let is_mate = |ending: &Ending| matches!(ending, Ending::Checkmate { .. });
    assert!(endings.iter().any(is_mate), "{endings:?}");
}

#[test]
fn fixed_limits_give_the_same_search_for_ever() {
    for limits in ["nodes 20000", "depth 7", "nodes 1", "depth 1"] {
        let search = || {
            let mut engine = Engine::start(10);
            let first = timeless(&engine.search(&start(STARTS[1]), "", limits));
            engine.new_game();
            let again = timeless(&engine.search(&start(STARTS[1]), "", limits));
            assert_eq!(first, again, "{limits}");
            first
        };
        assert_eq!(search(), search(), "{limits}");
    }
}

#[test]
fn limits_of_nodes_are_kept_to_the_letter() {
    let mut engine = Engine::start(10);
    for nodes in [1, 2, 777, 12_345] {
        let lines = engine.search(&start(STARTS[2]), "", &format!("nodes {nodes}"));
        assert_has(&lines.join("\n"), [format!(" nodes {nodes} ")]);
    }
}

#[test]
fn stop_is_obeyed_and_isready_answered_while_thinking() {
    let mut engine = Engine::start(10);
    engine.tell("position startpos");
    engine.tell("go infinite");
    engine.assert_thinks();
    engine.tell("stop");
    engine.until("bestmove");
    // a search that has found everything still waits
    engine.tell("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    engine.tell("go infinite");
    engine.assert_thinks();
    engine.tell("stop");
    assert_eq!(best_move(&engine.until("bestmove")), "(none)");
    // the end of the input ends a search too: see `drop`
    engine.tell("go infinite");
}

#[test]
fn both_castling_dialects_are_understood() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let mut engine = Engine::start(10);
    let mut answers = Vec::new();
    for text in ["e1g1", "e1h1"] {
        engine.new_game();
        answers.push(timeless(&engine.search(fen, text, "depth 3")));
    }
    assert_eq!(answers[0], answers[1]);
    let complaint = engine.search(fen, "e1c1", "depth 1");
    assert_eq!(complaint[0], "info string Illegal move: e1c1");
}

#[test]
fn unknown_commands_and_bad_values_do_no_harm() {
    let mut engine = Engine::start(10);
    for command in ["", "xyzzy", "position", "position fen 8/8 w", "setoption"] {
        engine.tell(command);
    }
    engine.tell("setoption name Hash value x");
    engine.tell("setoption name Strength value 11");
    engine.tell("setoption name Hash value 1");
    engine.tell("go depth nonsense wtime -5 btime");
    engine.until("bestmove");
    engine.tell("uci");
    let options = engine.until("uciok");
    assert!(options.contains(&"option name Strength type spin default 10 min 1 max 10".to_owned()));
}

/// Points of the first level against the second, both colours, from every start.
fn match_of_levels(first: u8, second: u8) -> f32 {
    let mut engines = [Engine::start(first), Engine::start(second)];
    let mut points = 0.0;
    for (pieces, white) in STARTS.into_iter().zip([0, 1].into_iter().cycle()) {
        let fen = start(pieces);
        let mut game = Game::new(Position::from_fen(&fen).expect("a start"));
        let mut moves = String::new();
        engines.iter_mut().for_each(Engine::new_game);
        while game.ending().is_none() && game.moves().len() < 300 {
            let mover = match game.position().side_to_move() {
                Color::White => white,
                Color::Black => 1 - white,
            };
            let lines = engines[mover].search(&fen, &moves, "wtime 60000 btime 60000");
            let best = best_move(&lines);
            let mv = game.position().parse_uci(best, UciDialect::Chess960);
            moves = format!("{moves} {best}");
            game.play(mv.expect("a legal move"));
        }
        points += match game.ending() {
            Some(Ending::Checkmate { winner }) if (winner == Color::White) == (white == 0) => 1.0,
            Some(Ending::Checkmate { .. }) => 0.0,
            _ => 0.5,
        };
    }
    points
}

#[test]
fn a_higher_level_plays_better() {
    let (high, middle) = (match_of_levels(6, 3), match_of_levels(4, 1));
    assert!(high >= 6.0 && middle >= 6.0, "of 8: {high}, {middle}");
}

#[test]
fn a_search_on_the_opponents_time_waits_for_ponderhit_or_stop() {
    let mut engine = Engine::start(10);
    // Mate in one, and only moves: nothing to think about for long.
    let [mate, forced] = [
        "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1",
        "k7/8/8/8/8/8/7q/5r1K w - - 0 1",
    ];
    for fen in [mate, forced] {
        for end in ["ponderhit", "stop"] {
            engine.tell(&format!("position fen {fen}"));
            engine.tell("go ponder wtime 100 btime 100");
            let before = engine.until("info");
            assert_eq!(before.len(), 1, "{before:?}");
            engine.assert_thinks();
            engine.tell(end);
            engine.until("bestmove");
        }
    }
}
