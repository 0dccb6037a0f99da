//! An engine in virtual time that does what the protocol asks, or anything else.

use arbiter960::chess::random::Random;
use arbiter960::chess::{Position, UciDialect};

/// Nanoseconds of a millisecond.
pub const MS: u64 = 1_000_000;

/// Something that the machine writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    Line(String),
    /// It closes its output.
    End,
}

/// What is written, when, and for a sound machine the game in which it was asked for.
#[derive(Debug, Clone)]
pub struct Output {
    pub at: u64,
    pub word: Word,
    pub asked_in: Option<u32>,
    /// Of a sound machine's answer to `go` or `ponderhit`: the half-moves before it. `None` of what
    /// it says to `stop`, which is nobody's move.
    pub moves_before: Option<usize>,
}

/// One process.
pub struct Machine {
    dice: Random,
    /// It does what the protocol asks, in good time.
    pub sound: bool,
    /// In the order of time.
    pub outputs: Vec<Output>,
    position: Position,
    plies: usize,
    /// A search runs whose answer is planned, or that ponders.
    searching: bool,
    pondering: bool,
    /// Its thinking time for the search that runs.
    budget: u64,
    deaf: bool,
    /// The engine reads nothing before it has sent `readyok`.
    ready_at: u64,
    /// `ucinewgame` was received, and its tables must be cleared.
    cleared: bool,
    game: u32,
}

impl Machine {
    pub fn new(seed: u64, sound: bool) -> Machine {
        Machine {
            dice: Random::new(seed),
            sound,
            outputs: Vec::new(),
            position: Position::standard(),
            plies: 0,
            searching: false,
            pondering: false,
            budget: MS,
            deaf: false,
            ready_at: 0,
            cleared: true,
            game: 0,
        }
    }

    fn chance(&mut self, of: u64) -> bool {
        self.dice.below(of) == 0
    }

    fn write(&mut self, at: u64, word: Word) {
        let output = Output {
            at,
            word,
            asked_in: self.sound.then_some(self.game),
            moves_before: None,
        };
        self.put(output);
    }

    fn put(&mut self, output: Output) {
        let at = output.at;
        let place = self.outputs.partition_point(|other| other.at <= at);
        self.outputs.insert(place, output);
    }

    fn say(&mut self, at: u64, text: impl Into<String>) {
        self.write(at, Word::Line(text.into()));
    }

    /// Reads commands that were written in this game.
    pub fn hear(&mut self, text: &str, game: u32, now: u64) {
        self.game = game;
        for line in text.lines() {
            if !self.sound && (self.deaf || self.misbehaves(now)) {
                continue;
            }
            self.obey(line, now.max(self.ready_at));
        }
    }

    fn obey(&mut self, line: &str, now: u64) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "isready" => {
                // Now and then its tables take long to clear.
                let clears = !std::mem::replace(&mut self.cleared, true);
                let pause = if clears && self.chance(20) { 8_000 } else { 3 };
                self.ready_at = now + self.dice.below(pause * MS);
                self.say(self.ready_at, "readyok");
            }
            "ucinewgame" => self.cleared = false,
            "position" => self.place(rest),
            "go" => self.search(rest, now),
            "ponderhit" if self.pondering => {
                self.pondering = false;
                // What was thought before the hit is gained.
                let rest = self.dice.below(self.budget + 1);
                self.answer(now + rest, true);
            }
            "stop" if self.searching => {
                self.outputs
                    .retain(|output| output.at <= now || !is_answer(&output.word));
                self.pondering = false;
                let at = now + self.dice.below(2 * MS);
                self.answer(at, false);
            }
            _ => {}
        }
    }

    fn place(&mut self, rest: &str) {
        let rest = rest.strip_prefix("fen ").unwrap_or(rest);
        let (fen, moves) = rest.split_once(" moves ").unwrap_or((rest, ""));
        self.position = match fen {
            "startpos" => Position::standard(),
            fen => Position::from_fen(fen).expect("a legal position is sent"),
        };
        self.plies = moves.split_whitespace().count();
        for text in moves.split_whitespace() {
            let played = self.position.parse_uci(text, UciDialect::Chess960);
            self.position.play(played.expect("legal moves are sent"));
        }
    }

    fn search(&mut self, limits: &str, now: u64) {
        let mut words = limits.split_whitespace();
        let own = match self.position.side_to_move() {
            arbiter960::chess::Color::White => "wtime",
            arbiter960::chess::Color::Black => "btime",
        };
        let clock = words.find(|word| *word == own).and_then(|_| words.next());
        let clock: u64 = clock.map_or(400, |text| text.parse().expect("milliseconds"));
        self.budget = 1 + self.dice.below((clock / 8).max(1)) * MS;
        self.searching = true;
        self.pondering = limits.starts_with("ponder");
        // A sound machine, too, may have nothing to think about: it waits for `ponderhit`.
        if !self.pondering {
            self.say(now, "info depth 1 score cp 0 nodes 1");
            self.answer(now + self.budget, true);
        } else if !self.sound && self.chance(6) {
            // Before it is time.
            let at = now + self.dice.below(self.budget);
            self.answer(at, false);
        }
    }

    /// Plans its move, and the reply that it expects.
    fn answer(&mut self, at: u64, is_move: bool) {
        let word = Word::Line(self.any_move());
        self.put(Output {
            at,
            word,
            asked_in: self.sound.then_some(self.game),
            moves_before: (self.sound && is_move).then_some(self.plies),
        });
        self.searching = self.pondering;
    }

    fn any_move(&mut self) -> String {
        let mut position = self.position.clone();
        let mut text = "bestmove".to_owned();
        for link in [" ", " ponder "] {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let chosen = moves[self.dice.below(moves.len() as u64) as usize];
            text += link;
            text += &position.uci(chosen, UciDialect::Chess960).to_string();
            position.play(chosen);
        }
        text
    }

    /// Perhaps does something else, instead of its task or in addition; whether instead of it.
    fn misbehaves(&mut self, now: u64) -> bool {
        let soon = now + self.dice.below(50 * MS);
        let later = now + self.dice.below(4_000 * MS);
        match self.dice.below(40) {
            0 => self.deaf = true,
            1 => self.write(soon, Word::End),
            2 => self.write(later, Word::End),
            3 => self.say(soon, "bestmove e9e9"),
            4 | 5 => return true,
            6..=9 => {
                let (text, at) = (self.any_move(), if self.chance(2) { soon } else { later });
                self.say(at, text);
                return false;
            }
            10..=12 => {
                self.say(if now.is_multiple_of(2) { soon } else { later }, "readyok");
                return false;
            }
            13 => {
                for line in 0..30 {
                    self.say(soon + line, "info depth 1 nodes 7 score cp 1");
                    self.say(later + line, "option name A type spin");
                }
                return false;
            }
            14 => {
                let words = ["bestmove", "bestmove 0000", "uciok", "readyok readyok", ""];
                let word = words[self.dice.below(5) as usize];
                self.say(soon, word);
                return false;
            }
            15 => {
                // Late for its clock, and perhaps for the game.
                let text = self.any_move();
                self.say(later, text);
            }
            _ => return false,
        }
        true
    }
}

fn is_answer(word: &Word) -> bool {
    matches!(word, Word::Line(line) if line.starts_with("bestmove"))
}
