//! An engine that works for a known time and says how long it took, to the nanosecond.

use std::io::{BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use arbiter960::chess::{Position, UciDialect};

/// For how long it works on a move.
pub(crate) const WORK: Duration = Duration::from_millis(20);

/// What else it does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// Nothing.
    Quiet,
    /// Lines without end while it works.
    FloodsInItsTurn,
    /// Lines without end while its opponent works.
    FloodsOutOfItsTurn,
}

/// Whether it floods at the moment.
static FLOODS: AtomicBool = AtomicBool::new(false);

/// Speaks UCI until its input ends. The number of nodes that it reports is the time from when it
/// had read `go` until just before it writes `bestmove`, in nanoseconds.
pub(crate) fn play(manner: Manner) {
    if manner != Manner::Quiet {
        std::thread::spawn(flood);
    }
    let mut position = Position::standard();
    let mut input = std::io::stdin().lock();
    let mut line = String::new();
    while input.read_line(&mut line).is_ok_and(|read| read > 0) {
        let read = Instant::now();
        FLOODS.store(manner == Manner::FloodsInItsTurn, Ordering::Relaxed);
        match line.split(' ').next().unwrap_or("").trim() {
            "uci" => {
                say("id name Worker\noption name UCI_Chess960 type check default false\nuciok\n")
            }
            "isready" => say("readyok\n"),
            "position" => position = placed(&line),
            "go" => answer(&position, read),
            "quit" => return,
            _ => {}
        }
        // The opponent works from here on; flooding begins when the answer is out.
        let idle = manner == Manner::FloodsOutOfItsTurn && line.starts_with("go");
        FLOODS.store(idle, Ordering::Relaxed);
        line.clear();
    }
}

fn answer(position: &Position, read: Instant) {
    let moves = position.legal_moves();
    let chosen = moves[position.key() as usize % moves.len()];
    let text = position.uci(chosen, UciDialect::Chess960).to_string();
    while read.elapsed() < WORK {
        std::hint::spin_loop();
    }
    let worked = read.elapsed().as_nanos();
    say(&format!(
        "info depth 1 score cp 0 nodes {worked} pv {text}\nbestmove {text}\n"
    ));
}

/// `position fen F moves …`, or `position startpos moves …`.
fn placed(line: &str) -> Position {
    let rest = line.trim().strip_prefix("position ").expect("a position");
    let (start, moves) = rest.split_once(" moves ").unwrap_or((rest, ""));
    let fen = match start {
        "startpos" => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        start => start.strip_prefix("fen ").expect("a FEN"),
    };
    let mut position = Position::from_fen(fen).expect("a legal position");
    for text in moves.split_whitespace() {
        let played = position.parse_uci(text, UciDialect::Chess960);
        position.play(played.expect("a legal move"));
    }
    position
}

fn flood() {
    loop {
        if FLOODS.load(Ordering::Relaxed) {
            say("info string x\n");
        } else {
            std::thread::sleep(Duration::from_micros(200));
        }
    }
}

/// One write: lines of both threads stay whole.
fn say(text: &str) {
    let mut output = std::io::stdout().lock();
    let written = output.write_all(text.as_bytes());
    written.and_then(|()| output.flush()).expect("it is read");
}
