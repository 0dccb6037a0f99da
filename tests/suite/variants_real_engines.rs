//! Every variant played by real engines, and every game judged once more.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use arbiter960::chess::{CastlingRule, FenDialect, Position, UciDialect};
use arbiter960::uci::{chess480_variant, chess480_variants};

use super::event_real_engines::refereed;
use super::random::random_position_of;
use super::support::{Event, assert_has, assert_lacks, engine};

/// An event of Stockfish against Ethereal; `None` without them.
fn event(variant: &str, positions: &str) -> Option<Event> {
    let engines = ["stockfish", "ethereal-chess"];
    if engines.iter().filter_map(|name| engine(name)).count() < engines.len() {
        return None;
    }
    let mut text = format!(
        "event.variant = {variant:?}\nevent.concurrency = 2\n{positions}\ntime.nodes = 1500\n\
         adjudication.max_moves = 60\n"
    );
    for name in engines {
        text.push_str(&format!(
            "[[engine]]\nname = {name:?}\ncommand = {name:?}\nmissed_limit = \"warn\"\n"
        ));
    }
    Some(Event::new(variant, &text))
}

/// Plays it; `verify` and python-chess must agree with every game.
fn plays_well(variant: &str, positions: &str, games: usize) {
    let Some(event) = event(variant, positions) else {
        return;
    };
    event.run_well(&["--quiet"]);
    let pgn = event.read("games.pgn");
    assert_eq!(event.rounds().len(), games);
    assert_lacks(&pgn, ["rules infraction", "abandoned"]);
    assert_has(&pgn, [format!("[StartVariant \"{variant}\"]")]);
    event.verified();
    if let Some(judged) = refereed(&event) {
        assert_eq!(judged, games);
    }
}

#[test]
fn double_fischer_random() {
    plays_well("dfrc", "positions.numbers = [\"518/0\", \"0/518\"]", 4);
}

/// Both rooks at home, one, none.
#[test]
fn shuffle() {
    plays_well("shuffle", "positions.numbers = [518, 3191, 534]", 6);
}

#[test]
fn transcendental() {
    plays_well("transcendental", "positions.sample = 2", 4);
}

#[test]
fn corner() {
    plays_well("corner", "positions.sample = 2", 4);
}

#[test]
fn chess256() {
    plays_well("chess256", "positions.numbers = [0, 153]", 4);
}

/// King on b, c, e and g: two that change places with the rook next to them.
#[test]
fn chess480_by_fairy_stockfish() {
    if engine("fairy-stockfish").is_none() {
        return;
    }
    let mut text = "event.variant = \"chess480\"\nevent.concurrency = 2\n\
                    positions.numbers = [0, 518, 702, 959]\ntime.nodes = 1500\n\
                    adjudication.max_moves = 60\n"
        .to_owned();
    for (name, level) in [("strong", 20), ("weak", 5)] {
        text.push_str(&format!(
            "[[engine]]\nname = {name:?}\ncommand = \"fairy-stockfish\"\n\
             options = {{ \"Skill Level\" = {level} }}\n"
        ));
    }
    let event = Event::new("chess480", &text);
    event.run_well(&["--quiet"]);
    let pgn = event.read("games.pgn");
    assert_eq!(event.rounds().len(), 8);
    assert_eq!(pgn.matches("[Variant \"Chess480\"]").count(), 8);
    assert!(pgn.contains("O-O"), "nobody has castled in eight games");
    assert!(!pgn.contains("rules infraction"));
    assert_eq!(event.read("variants.ini"), chess480_variants());
    event.verified();
}

#[test]
fn an_engine_that_cannot_be_taught_chess480_is_named_before_the_first_game() {
    if engine("stockfish").is_none() {
        return;
    }
    let event = Event::new(
        "untaught",
        "event.variant = \"chess480\"\npositions.numbers = [1]\ntime.depth = 1\n\
         [[engine]]\nname = \"Fish\"\ncommand = \"stockfish\"\n\
         [[engine]]\nname = \"Inside\"\nbuiltin = \"sparring\"\n",
    );
    let said = event.ends(3, &[]);
    assert_has(&said, ["Fish", "Inside", "VariantPath"]);
    assert!(!event.results().join("games.pgn").exists());
}

/// Fairy-Stockfish with the file of variants, asked for the moves of positions.
struct Fairy {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Fairy {
    fn start(program: &Path, variants: &Path) -> Fairy {
        let mut command = Command::new(program);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let mut fairy = Fairy {
            process,
            input,
            output,
        };
        let variants = variants.display();
        fairy.send(&format!(
            "uci\nsetoption name VariantPath value {variants}\nsetoption name UCI_Chess960 value true"
        ));
        fairy
    }

    fn send(&mut self, lines: &str) {
        writeln!(self.input, "{lines}").unwrap();
    }

    /// The legal moves, sorted: the lines of `go perft 1`.
    fn moves(&mut self, position: &Position) -> Vec<String> {
        let variant = chess480_variant(position).unwrap();
        let fen = position.fen(FenDialect::Shredder);
        self.send(&format!(
            "setoption name UCI_Variant value {variant}\nposition fen {fen}\ngo perft 1"
        ));
        let mut moves = Vec::new();
        for line in (&mut self.output).lines().map(Result::unwrap) {
            match line.split_once(": ") {
                Some(("Nodes searched", _)) => break,
                Some((mv, "1")) => moves.push(mv.to_owned()),
                _ => {}
            }
        }
        moves.sort();
        moves
    }
}

impl Drop for Fairy {
    fn drop(&mut self) {
        self.send("quit");
        self.process.wait().unwrap();
    }
}

/// Positions with castling, and random ones that an engine can be sent.
fn chess480_positions() -> Vec<Position> {
    let rule = CastlingRule::Chess480;
    let file = super::data("chess480/chess480-perft.epd");
    let fen = |line: &str| line.split(" ;").next().unwrap_or_default().to_owned();
    let read = |line| Position::from_fen_with(&fen(line), rule).unwrap();
    let chosen = file.lines().map(read);
    let random = (0..300).map(|seed| random_position_of(rule, seed, 4 + seed as usize % 40));
    let told = |position: &Position| chess480_variant(position).is_some();
    chosen.chain(random.filter(told)).collect()
}

/// The generated file agrees with the rules core for all places of king and rooks; and
/// after castling both have the same board.
#[test]
fn fairy_stockfish_and_the_rules_core_agree_on_chess480() {
    let Some(program) = engine("fairy-stockfish") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("variants.ini");
    std::fs::write(&file, chess480_variants()).unwrap();
    let mut fairy = Fairy::start(&program, &file);
    let mut castlings = 0;
    for position in chess480_positions() {
        let fen = position.fen(FenDialect::Shredder);
        assert_eq!(fairy.moves(&position), own_moves(&position), "{fen}");
        for &mv in &position.legal_moves() {
            if position.is_castling(mv).is_some() {
                let mut next = position.clone();
                next.play(mv);
                castlings += 1;
                assert_eq!(fairy.moves(&next), own_moves(&next), "{fen}");
            }
        }
    }
    assert!(castlings > 50, "{castlings}");
}

fn own_moves(position: &Position) -> Vec<String> {
    let moves = position.legal_moves();
    let text = |&mv: &_| position.uci(mv, UciDialect::Chess960).to_string();
    let mut moves: Vec<String> = moves.iter().map(text).collect();
    moves.sort();
    moves
}
