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
        thinking: false,
        black_to_move: false,
        games: 0,
        deaf: false,
        nodes_fall: false,
    }));
    if fault == "banner-first" {
        write_raw(b"A mighty engine\n");
    }
    let (reader, writer) = pipe()?;
    let hearing = Arc::clone(&spoiler);
    thread::spawn(move || hear(&hearing, writer));
    let mouth = Mouth {
        spoiler,
        line: Vec::new(),
    };
    serve(reader, mouth, Strength::MAX)?;
    match fault {
        "stays" => outlaw::wait_for_ever(),
        "bad-status" => exit(3),
        _ => Ok(()),
    }
}

/// Passes the runner's lines on to the engine.
fn hear(spoiler: &Shared, mut engine: impl Write) {
    let mut input = io::stdin().lock();
    let mut bytes = Vec::new();
    while input
        .read_until(b'\n', &mut bytes)
        .is_ok_and(|count| count > 0)
    {
        let line = String::from_utf8_lossy(&bytes)
            .trim_end_matches('\n')
            .to_owned();
        bytes.clear();
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
                let plies = line
                    .split_once(" moves ")
                    .map_or(0, |(_, moves)| moves.split(' ').count());
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
        let same = || Some(line.to_owned());
        match (self.fault.as_str(), word) {
            ("deaf-to-carriage-returns", _) if line.ends_with('\r') => None,
            ("deaf-to-blanks", _) if line.starts_with(' ') || line.contains('\t') => None,
            ("deaf-after-an-option", "setoption") => {
                self.deaf |= line.contains("Strength");
                same()
            }
            ("exits-on-unknown-option", "setoption") if line.contains("NoSuch") => exit(1),
            ("deaf-after-position", "position") => {
                self.deaf = true;
                same()
            }
            ("not-ready-thinking", "isready") if self.thinking => None,
            ("one-game-only", "ucinewgame") if self.games > 1 => exit(1),
            ("exits-on-unknown-command", "xyzzy") => exit(1),
            ("exits-on-long-lines", _) if line.len() > 2_000 => exit(1),
            ("exits-on-depth", "go") => exit(1),
            ("stops", "go") if line.contains("depth 4") => {
                system::stop_myself();
                same()
            }
            ("ignores-stop", "stop") => None,
            ("answers-idle-stop", "stop") if !self.thinking => {
                write_raw(b"bestmove e2e4\n");
                same()
            }
            ("slow-to-stop", "stop") => {
                thread::park_timeout(Duration::from_millis(200));
                same()
            }
            ("ignores-quit", "quit") => None,
            ("ignores-quit-thinking", "quit") if self.thinking => None,
            (_, "go") => Some(self.misread_limits(line)),
            (_, "position") => Some(self.misread_position(line)),
            ("takes-the-kings-step", "setoption") => Some(line.replace("true", "false")),
            _ => same(),
        }
    }

    fn misread_limits(&self, line: &str) -> String {
        let number = |keyword: &str| {
            let mut words = line.split(' ').skip_while(|word| *word != keyword);
            words.nth(1).and_then(|text| text.parse::<u64>().ok())
        };
        match self.fault.as_str() {
            "deeper" => number("depth").map(|depth| format!("go depth {}", depth + 2)),
            "slower" => number("movetime").map(|time| format!("go movetime {}", time * 4)),
            "other-clock" => Some(
                line.replace("wtime", "xtime")
                    .replace("btime", "wtime")
                    .replace("xtime", "btime"),
            ),
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
        match self.fault.as_str() {
            "no-castling" if fields.len() > 4 => fields[4] = "-".to_owned(),
            "deaf-to-x-fen"
                if fields.len() > 4 && fields[4].to_lowercase().contains(['k', 'q']) =>
            {
                fields[4] = "-".to_owned();
            }
            "one-move-only" => moves.truncate(1),
            "only-queens" => moves
                .iter_mut()
                .filter(|mv| mv.len() == 5)
                .for_each(|mv| mv.replace_range(4.., "q")),
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
        let one = |text: String| vec![text];
        let same = || vec![line.to_owned()];
        match (self.fault.as_str(), word) {
            ("no-author", "id") if line.contains("author") => vec![],
            ("banner", "id") if line.contains("name") => {
                vec!["Welcome".to_owned(), line.to_owned()]
            }
            ("mute", "uciok") => vec![],
            ("exits", "uciok") => exit(7),
            ("no-maximum", "option") => one(line.replace(" max 4096", "")),
            ("default-too-large", "option") => one(line.replace("default 16 ", "default 9999 ")),
            ("no-chess960", "option") if line.contains("UCI_Chess960") => vec![],
            ("muses", "bestmove") => vec![format!("so far {line}"), line.to_owned()],
            ("answers-twice", "bestmove") => vec![line.to_owned(), line.to_owned()],
            ("malformed", "info") => one(line.replace("depth ", "depth x")),
            ("falling-nodes", "info") => {
                self.nodes_fall = !self.nodes_fall;
                let nodes = if self.nodes_fall {
                    " nodes 1000000 x "
                } else {
                    " nodes 1 x "
                };
                one(line.replace(" nodes ", nodes))
            }
            ("score-of-white", "info") if self.black_to_move => one(negated(line)),
            ("wrong-mate", "info") => one(line
                .replace("score mate ", "score mate -")
                .replace("--", "")),
            ("illegal-pv", "info") if line.contains(" pv ") => one(format!("{line} a1a1")),
            ("other-pv", "info") => {
                one(line.split(" pv ").next().unwrap_or_default().to_owned() + " pv h2h3")
            }
            ("capital-promotion", "bestmove") => one(capital_promotion(line)),
            ("stale-move", "bestmove") => one(line.replace("(none)", "a1a1")),
            ("illegal-move", "bestmove") => one("bestmove e2e5".to_owned()),
            _ => same(),
        }
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
