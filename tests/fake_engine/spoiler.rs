//! The built-in engine with one fault: its input or its output is changed on the way.

use std::io::{self, BufRead, Write, pipe};
use std::process::exit;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use arbiter960::internal::sparring::{Strength, serve};

use crate::dialogue::write_raw;
use crate::{outlaw, system};

/// What is known of the dialogue, and which fault it has.
#[derive(Default)]
struct Spoiler {
    fault: String,
    thinking: bool,
    black_to_move: bool,
    games: u32,
    deaf: bool,
    nodes_fall: bool,
}

/// Shared by the two directions.
type Shared = Arc<Mutex<Spoiler>>;

/// Plays as the built-in engine does, except for this fault.
pub(crate) fn run(fault: &str) -> io::Result<()> {
    let spoiler: Shared = Arc::new(Mutex::new(Spoiler {
        fault: fault.to_owned(),
        ..Spoiler::default()
    }));
    if fault == "banner-first" {
        write_raw(b"A mighty engine\n");
    }
    let (reader, writer) = pipe()?;
    let hearing = Arc::clone(&spoiler);
    thread::spawn(move || hear(&hearing, writer));
    let line = Vec::new();
    let mouth = Mouth { spoiler, line };
    serve(reader, mouth, Strength::MAX)?;
    match fault {
        "stays" => outlaw::wait_for_ever(),
        "bad-status" => exit(3),
        _ => Ok(()),
    }
}

/// Passes the runner's lines on to the engine.
fn hear(spoiler: &Shared, mut engine: impl Write) {
    let input = io::stdin().lock();
    for bytes in input.split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&bytes);
        let passed = lock(spoiler).hear(&line);
        if let Some(line) = passed {
            // The engine may have gone.
            let _ = engine.write_all(format!("{line}\n").as_bytes());
        }
    }
    let spoiler = lock(spoiler);
    let stays = match spoiler.fault.as_str() {
        "ignores-end" => true,
        "ignores-end-thinking" => spoiler.thinking,
        _ => false,
    };
    drop(spoiler);
    if stays {
        outlaw::wait_for_ever();
    }
}

fn lock(spoiler: &Shared) -> std::sync::MutexGuard<'_, Spoiler> {
    spoiler.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Passes on what the engine says.
struct Mouth {
    spoiler: Shared,
    line: Vec<u8>,
}

impl Write for Mouth {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte != b'\n' {
                self.line.push(byte);
                continue;
            }
            let line = String::from_utf8_lossy(&self.line).into_owned();
            self.line.clear();
            for text in lock(&self.spoiler).speak(&line) {
                write_raw(format!("{text}\n").as_bytes());
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Spoiler {
    /// The line that the engine receives instead; nothing if `None`.
    fn hear(&mut self, line: &str) -> Option<String> {
        let word = line.split_ascii_whitespace().next().unwrap_or_default();
        match word {
            "ucinewgame" => self.games += 1,
            "position" => {
                let moves = line.split_once(" moves ");
                let plies = moves.map_or(0, |(_, moves)| moves.split(' ').count());
                self.black_to_move = line.contains(" b ") != (plies % 2 == 1);
            }
            _ => {}
        }
        let heard = self.mishear(line, word);
        if word == "go" {
            self.thinking = true;
        }
        heard.filter(|_| !self.deaf)
    }

    fn mishear(&mut self, line: &str, word: &str) -> Option<String> {
        match (self.fault.as_str(), word) {
            ("deaf-to-carriage-returns", _) if line.ends_with('\r') => return None,
            ("deaf-to-blanks", _) if line.starts_with(' ') || line.contains('\t') => return None,
            ("deaf-after-an-option", "setoption") => self.deaf |= line.contains("Strength"),
            ("exits-on-unknown-option", "setoption") if line.contains("NoSuch") => exit(1),
            ("deaf-after-position", "position") => self.deaf = true,
            ("not-ready-thinking", "isready") if self.thinking => return None,
            ("one-game-only", "ucinewgame") if self.games > 1 => exit(1),
            ("exits-on-unknown-command", "xyzzy") => exit(1),
            ("exits-on-long-lines", _) if line.len() > 2_000 => exit(1),
            ("exits-on-depth", "go") => exit(1),
            ("stops", "go") if line.contains("depth 4") => system::stop_myself(),
            ("ignores-stop", "stop") | ("ignores-quit", "quit") => return None,
            ("answers-idle-stop", "stop") if !self.thinking => write_raw(b"bestmove e2e4\n"),
            ("slow-to-stop", "stop") => thread::park_timeout(Duration::from_millis(200)),
            ("ignores-quit-thinking", "quit") if self.thinking => return None,
            (_, "go") => return Some(self.misread_limits(line)),
            (_, "position") => return Some(self.misread_position(line)),
            ("takes-the-kings-step", "setoption") => return Some(line.replace("true", "false")),
            _ => (),
        }
        Some(line.to_owned())
    }

    fn misread_limits(&self, line: &str) -> String {
        let number = |keyword: &str| {
            let mut words = line.split(' ').skip_while(|word| *word != keyword);
            words.nth(1).and_then(|text| text.parse::<u64>().ok())
        };
        match self.fault.as_str() {
            "deeper" => number("depth").map(|depth| format!("go depth {}", depth + 2)),
            "slower" => number("movetime").map(|time| format!("go movetime {}", time * 4)),
            "other-clock" => {
                let line = line.replace("wtime", "xtime").replace("btime", "wtime");
                Some(line.replace("xtime", "btime"))
            }
            "last-move-for-ever" => number("movestogo").map(|_| "go movetime 2000".to_owned()),
            "more-nodes" => number("nodes").map(|nodes| format!("go nodes {}", nodes * 4)),
            "ponders" => Some(line.replace("go ponder", "go")),
            "impatient" => line.contains("infinite").then(|| "go depth 3".to_owned()),
            _ => None,
        }
        .unwrap_or_else(|| line.to_owned())
    }

    fn misread_position(&self, line: &str) -> String {
        let (start, moves) = line.split_once(" moves ").unwrap_or((line, ""));
        let mut fields: Vec<String> = start.split(' ').map(str::to_owned).collect();
        let mut moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        let rights = fields.get(4).map(|rights| rights.to_lowercase());
        let is_x_fen = rights.is_some_and(|rights| rights.contains(['k', 'q']));
        match self.fault.as_str() {
            "no-castling" if fields.len() > 4 => fields[4] = "-".to_owned(),
            "deaf-to-x-fen" if is_x_fen => fields[4] = "-".to_owned(),
            "one-move-only" => moves.truncate(1),
            "only-queens" => {
                let promotions = moves.iter_mut().filter(|mv| mv.len() == 5);
                promotions.for_each(|mv| mv.replace_range(4.., "q"));
            }
            _ => {}
        }
        if !moves.is_empty() {
            fields.push("moves".to_owned());
        }
        fields.extend(moves);
        fields.join(" ")
    }

    /// The lines that are sent instead of this one.
    fn speak(&mut self, line: &str) -> Vec<String> {
        let word = line.split(' ').next().unwrap_or_default().to_owned();
        let said = self.misspeak(line, &word);
        if word == "bestmove" {
            self.thinking = false;
        }
        said
    }

    fn misspeak(&mut self, line: &str, word: &str) -> Vec<String> {
        let changed = match (self.fault.as_str(), word) {
            ("no-author", "id") if line.contains("author") => return vec![],
            ("banner", "id") if line.contains("name") => {
                return vec!["Welcome".to_owned(), line.to_owned()];
            }
            ("mute", "uciok") => return vec![],
            ("exits", "uciok") => exit(7),
            ("no-maximum", "option") => line.replace(" max 4096", ""),
            ("default-too-large", "option") => line.replace("default 16 ", "default 9999 "),
            ("no-chess960", "option") if line.contains("UCI_Chess960") => return vec![],
            ("muses", "bestmove") => return vec![format!("so far {line}"), line.to_owned()],
            ("answers-twice", "bestmove") => return vec![line.to_owned(), line.to_owned()],
            ("malformed", "info") => line.replace("depth ", "depth x"),
            ("falling-nodes", "info") => {
                self.nodes_fall = !self.nodes_fall;
                let nodes = if self.nodes_fall { 1_000_000 } else { 1 };
                line.replace(" nodes ", &format!(" nodes {nodes} x "))
            }
            ("score-of-white", "info") if self.black_to_move => negated(line),
            ("wrong-mate", "info") => {
                let negated = line.replace("score mate ", "score mate -");
                negated.replace("--", "")
            }
            ("illegal-pv", "info") if line.contains(" pv ") => format!("{line} a1a1"),
            ("other-pv", "info") => {
                let report = line.split(" pv ").next().unwrap_or_default();
                format!("{report} pv h2h3")
            }
            ("capital-promotion", "bestmove") => capital_promotion(line),
            ("stale-move", "bestmove") => line.replace("(none)", "a1a1"),
            ("illegal-move", "bestmove") => "bestmove e2e5".to_owned(),
            _ => line.to_owned(),
        };
        vec![changed]
    }
}

/// The score from the other side.
fn negated(line: &str) -> String {
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    for index in 1..words.len() {
        if matches!(words[index - 1].as_str(), "cp" | "mate") {
            words[index] = match words[index].strip_prefix('-') {
                Some(positive) => positive.to_owned(),
                None => format!("-{}", words[index]),
            };
        }
    }
    words.join(" ")
}

fn capital_promotion(line: &str) -> String {
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    if let Some(promotion) = words.get_mut(1).filter(|word| word.len() == 5) {
        promotion[4..].make_ascii_uppercase();
    }
    words.join(" ")
}
