//! The UCI dialogue: one thread reads commands while another thinks.

use std::io::{self, Read, Write};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use arbiter960_sparring::{Control, Strength};

use super::worker::{LineOutput, Task, WorkerJob, work};
use crate::chess::{Move, Position, UciDialect, Variant, start};
use crate::uci::{GoLimits, LineBuffer};

/// The size of the transposition table, mebibytes.
const DEFAULT_HASH_MIB: usize = 16;
const MAX_HASH_MIB: usize = 4096;

/// Plays as a UCI engine until `quit` or the end of `reader`.
///
/// # Errors
/// `reader` cannot be read or `writer` cannot be written.
pub fn serve<R: Read, W: Write + Send>(
    mut reader: R,
    writer: W,
    strength: Strength,
) -> io::Result<()> {
    let output = &LineOutput(Mutex::new(writer));
    let (jobs, queue) = channel();
    thread::scope(|scope| {
        let worker = scope.spawn(move || work(queue, output, DEFAULT_HASH_MIB));
        let mut dialogue = ProtocolState::new(jobs, output, strength);
        let heard = dialogue.listen(&mut reader);
        dialogue.stop();
        drop(dialogue);
        let worked = worker
            .join()
            .unwrap_or_else(|_| Err(io::Error::other("the search failed")));
        heard.and(worked)
    })
}

/// What has been said so far.
struct ProtocolState<'a, W: Write> {
    jobs: Sender<WorkerJob>,
    output: &'a LineOutput<W>,
    strength: Strength,
    dialect: UciDialect,
    /// Chess, or Moab chess.
    variant: Variant,
    position: Position,
    /// Keys of the game, the position's last.
    keys: Vec<u64>,
    /// The search asked for last.
    control: Option<Arc<Control>>,
}

impl<'a, W: Write> ProtocolState<'a, W> {
    fn new(jobs: Sender<WorkerJob>, output: &'a LineOutput<W>, strength: Strength) -> Self {
        let position = Position::standard();
        ProtocolState {
            jobs,
            output,
            strength,
            dialect: UciDialect::Standard,
            variant: Variant::Standard,
            keys: vec![position.key()],
            position,
            control: None,
        }
    }

    /// Obeys until `quit` or the end of the input.
    fn listen(&mut self, reader: &mut impl Read) -> io::Result<()> {
        let mut buffer = LineBuffer::new();
        loop {
            match reader.read(buffer.spare()) {
                Ok(0) => return Ok(()),
                Ok(count) => buffer.commit(count),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
            while let Some(line) = buffer.next_line() {
                if line.text.trim() == "quit" {
                    return Ok(());
                }
                self.obey(line.text)?;
            }
        }
    }

    fn obey(&mut self, line: &str) -> io::Result<()> {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("uci") => self.introduce(),
            Some("isready") if self.is_thinking() => self.output.say("readyok".to_owned()),
            Some("isready") => self.ask(WorkerJob::Ready),
            Some("ucinewgame") => self.ask(WorkerJob::NewGame),
            Some("setoption") => self.set_option(line),
            Some("position") => self.set_position(words),
            Some("go") => self.go(words),
            Some("ponderhit") => {
                self.control.iter().for_each(|control| control.ponder_hit());
                Ok(())
            }
            Some("stop") => {
                self.stop();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn introduce(&self) -> io::Result<()> {
        let (version, level) = (env!("CARGO_PKG_VERSION"), self.strength.level());
        self.output.say(format!(
            "id name arbiter960 sparring {version}\n\
             id author the authors of arbiter960\n\
             option name Hash type spin default {DEFAULT_HASH_MIB} min 1 max {MAX_HASH_MIB}\n\
             option name Ponder type check default false\n\
             option name Strength type spin default {level} min 1 max 10\n\
             option name UCI_Chess960 type check default false\n\
             option name UCI_Variant type combo default chess var chess var moab\n\
             uciok"
        ))
    }

    fn set_option(&mut self, line: &str) -> io::Result<()> {
        let (name, value) = option(line);
        match name.to_ascii_lowercase().as_str() {
            "hash" => match value.parse::<usize>() {
                Ok(mebibytes) => {
                    return self.ask(WorkerJob::Resize(mebibytes.clamp(1, MAX_HASH_MIB)));
                }
                Err(_) => return self.complain("Hash must be a number"),
            },
            "strength" => match value.parse().ok().and_then(Strength::new) {
                Some(strength) => self.strength = strength,
                None => return self.complain("Strength must lie in 1 to 10"),
            },
            // Only says that `go ponder` may come, which changes nothing here.
            "ponder" => {}
            "uci_chess960" if value.eq_ignore_ascii_case("true") => {
                self.dialect = UciDialect::Chess960;
            }
            "uci_chess960" => self.dialect = UciDialect::Standard,
            "uci_variant" if value.eq_ignore_ascii_case("chess") => {
                self.variant = Variant::Standard;
            }
            "uci_variant" if value.eq_ignore_ascii_case("moab") => self.variant = Variant::Moab,
            "uci_variant" => return self.complain("UCI_Variant must be chess or moab"),
            _ => return self.complain(&format!("No such option: {name}")),
        }
        Ok(())
    }

    /// A position that cannot be read leaves the last one; an illegal move ends the list.
    fn set_position<'b>(&mut self, mut words: impl Iterator<Item = &'b str>) -> io::Result<()> {
        let start = match words.next() {
            // The orthodox array on both sides.
            Some("startpos") => start::parse_number(self.variant, "RNBQKBNR")
                .and_then(|number| start::position(self.variant, number))
                .map_err(|error| error.to_string()),
            Some("fen") => {
                let fields: Vec<&str> =
                    words.by_ref().take_while(|word| *word != "moves").collect();
                let rule = self.variant.castling_rule();
                Position::from_fen_with(&fields.join(" "), rule).map_err(|error| error.to_string())
            }
            _ => Err("expected startpos or fen".to_owned()),
        };
        match start {
            Ok(start) => self.position = start,
            Err(problem) => return self.complain(&problem),
        }
        self.keys.clear();
        self.keys.push(self.position.key());
        for text in words.filter(|word| *word != "moves") {
            match self.read_move(text) {
                Some(mv) => self.play(mv),
                None => return self.complain(&format!("Illegal move: {text}")),
            }
        }
        Ok(())
    }

    /// A move in the dialect that was set, or else in the other one.
    fn read_move(&self, text: &str) -> Option<Move> {
        let other = match self.dialect {
            UciDialect::Standard => UciDialect::Chess960,
            UciDialect::Chess960 => UciDialect::Standard,
        };
        let read = |dialect| self.position.parse_uci(text, dialect).ok();
        read(self.dialect).or_else(|| read(other))
    }

    fn play(&mut self, mv: Move) {
        self.position.play(mv);
        if self.position.halfmove_clock() == 0 {
            self.keys.clear();
        }
        self.keys.push(self.position.key());
    }

    fn go<'b>(&mut self, words: impl Iterator<Item = &'b str>) -> io::Result<()> {
        let started = Instant::now();
        self.stop();
        let limits = GoLimits::parse(words);
        let control = Arc::new(Control::new(limits.ponder));
        self.control = Some(Arc::clone(&control));
        self.ask(WorkerJob::Search(Box::new(Task {
            position: self.position.clone(),
            keys: self.keys.clone(),
            limits,
            strength: self.strength,
            dialect: self.dialect,
            started,
            control,
        })))
    }

    fn stop(&self) {
        if let Some(control) = &self.control {
            control.stop();
        }
    }

    fn is_thinking(&self) -> bool {
        self.control
            .as_ref()
            .is_some_and(|control| !control.is_finished())
    }

    fn ask(&self, job: WorkerJob) -> io::Result<()> {
        // The worker ends early only when it cannot write.
        self.jobs
            .send(job)
            .map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    fn complain(&self, problem: &str) -> io::Result<()> {
        self.output.say(format!("info string {problem}"))
    }
}

/// Name and value of `setoption name … value …`.
fn option(line: &str) -> (&str, &str) {
    let named = line.split_once(" name ").map_or("", |(_, named)| named);
    let (name, value) = named.split_once(" value ").unwrap_or((named, ""));
    (name.trim(), value.trim())
}
