//! The two dialogues: lines of either side in, lines to both out. It never reads the time.

use std::time::Duration;

use super::delivery::LineQueues;
use super::features::{XboardFeatures, parse};
use super::limits;
use super::thinking::{commanded, edit, missing, read_move, setboard, write_move};
use super::{Between, LINE_INTERVAL, PassedLine, thinking};
use crate::chess::{Color, Game, Move, Position, UciDialect};
use crate::uci::{GoLimits, RESIGNS};

/// The answer when no move will come.
const NO_MOVE: &str = "0000";

/// The answer of an engine that claims a draw wrongly: no move.
const DRAW_CLAIM: &str = "1/2-1/2";

/// The state of the engine's start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum StartStage {
    /// Nothing was sent to it.
    #[default]
    New,
    /// It has been asked for its features.
    Greeted,
    /// It has been asked again: it may have overlooked the first time.
    GreetedAgain,
    /// The same, and it has said that this takes time.
    TakesTime,
    /// Its features are known.
    Known,
}

/// The part between runner and engine.
#[derive(Debug, Default)]
pub(super) struct Translator {
    delivery: LineQueues,
    /// Its name if it does not give one.
    program: String,
    init: Vec<String>,
    stage: StartStage,
    features: XboardFeatures,
    chess960: bool,
    /// The last `position`.
    asked: Option<Game>,
    /// What the engine has on its board.
    board: Option<Game>,
    /// It does not answer moves by itself.
    forced: bool,
    searching: bool,
    overlooks_lines: bool,
    /// The last move sent to it.
    told: String,
    /// It has said that its next move draws the game.
    claims_draw: bool,
}

impl Between for Translator {
    fn hear_runner(&mut self, line: &str) {
        let line = line.trim();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "uci" if self.stage == StartStage::New => {
                self.stage = StartStage::Greeted;
                self.tell_engine("xboard");
                self.tell_engine("protover 2");
            }
            "isready" => self.is_ready(),
            "setoption" => self.set_option(rest),
            "ucinewgame" => self.board = None,
            "position" => self.asked = commanded(rest, self.dialect()),
            "go" => self.go(&GoLimits::parse(rest.split_ascii_whitespace())),
            "stop" if self.searching => self.tell_engine_unasked("?"),
            _ => {}
        }
    }

    fn has_waited(&mut self) {
        match self.stage {
            StartStage::Greeted => {
                self.stage = StartStage::GreetedAgain;
                self.overlooks_lines = true;
                self.tell_engine("protover 2");
            }
            StartStage::GreetedAgain => {
                // Any third line will do: with it the engine reads the line before.
                self.tell_engine("post");
                self.is_known();
            }
            _ => {}
        }
    }

    fn pause(&self) -> Option<Duration> {
        Some(if self.overlooks_lines && !self.delivery.proves {
            LINE_INTERVAL
        } else {
            Duration::ZERO
        })
    }

    fn awaited(&self) -> Option<u32> {
        self.delivery.unproved
    }

    fn doubts(&mut self, ping: u32) {
        self.delivery.repeat(ping);
    }

    fn hear_engine(&mut self, line: &str) {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "" => {}
            "feature" => self.feature(rest),
            "pong" => {
                if let Ok(ping) = rest.parse() {
                    self.delivery.proved(ping);
                }
            }
            "move" if self.searching => self.moved(rest),
            "resign" if self.searching => self.gives_up("resigns", RESIGNS),
            "1-0" | "0-1" | "*" | "1/2-1/2" if self.searching => self.claimed(word, line),
            "offer" if rest == "draw" => self.tell_runner("info string offers a draw"),
            // Some engines answer this way to every command that they do not know.
            _ if word.starts_with("Illegal") && self.refuses(line) => self.gives_up(line, NO_MOVE),
            _ if !self.searching => {}
            _ if !word.starts_with(|one: char| one.is_ascii_digit()) => {}
            // As engines of the first version of the protocol write a move.
            _ if rest.starts_with("... ") && word.ends_with('.') => {
                self.moved(rest.trim_start_matches("... "));
            }
            _ => self.thought(line),
        }
    }

    fn out(&mut self) -> &mut Vec<PassedLine> {
        &mut self.delivery.out
    }
}

impl Translator {
    /// Between the runner and this program; the lines of `init` are sent to it first.
    pub(super) fn new(program: &str, init: Vec<String>) -> Translator {
        Translator {
            program: program.to_owned(),
            init,
            ..Translator::default()
        }
    }

    fn tell_engine(&mut self, line: impl Into<String>) {
        self.delivery.command(line.into());
    }

    fn tell_engine_unasked(&mut self, line: impl Into<String>) {
        self.delivery.unasked(line.into());
    }

    fn tell_runner(&mut self, line: impl Into<String>) {
        self.delivery.answer(line.into());
    }

    fn dialect(&self) -> UciDialect {
        if self.chess960 {
            UciDialect::Chess960
        } else {
            UciDialect::Standard
        }
    }

    fn is_known(&mut self) {
        self.stage = StartStage::Known;
        self.delivery.proves = self.features.ping;
        for line in std::mem::take(&mut self.init) {
            self.tell_engine(line);
        }
        let name = self.features.name.clone();
        let name = name.unwrap_or_else(|| self.program.clone());
        self.tell_runner(format!("id name {name}"));
        for option in self.features.options.clone() {
            self.tell_runner(format!("option {option}"));
        }
        if self.features.chess960 {
            self.tell_runner("option name UCI_Chess960 type check default false");
        }
        self.tell_runner("uciok");
    }

    /// A thinking engine need not answer `ping`, so this program answers alone.
    fn is_ready(&mut self) {
        if self.searching {
            self.tell_runner("readyok")
        } else {
            self.delivery.readiness()
        }
    }

    fn set_option(&mut self, rest: &str) {
        let rest = rest.trim_start().strip_prefix("name ").unwrap_or(rest);
        let (name, value) = match rest.split_once(" value ") {
            Some((name, value)) => (name.trim(), Some(value.trim())),
            None => (rest.trim_end_matches(" value").trim(), None),
        };
        let text = value.unwrap_or_default();
        match name.to_ascii_lowercase().as_str() {
            "uci_chess960" => self.chess960 = text == "true",
            "hash" | "memory" => self.tell_engine(format!("memory {text}")),
            "threads" | "cores" => self.tell_engine(format!("cores {text}")),
            lower if lower.starts_with("egtpath ") => self.tell_engine(format!("{name} {text}")),

            _ => match value {
                None => self.tell_engine(format!("option {name}")),
                Some(value) => {
                    let is_switch = self.features.switches.iter().any(|one| one == name);
                    let value = match value {
                        "true" if is_switch => "1",
                        "false" if is_switch => "0",
                        value => value,
                    };
                    self.tell_engine(format!("option {name}={value}"));
                }
            },
        }
    }

    fn go(&mut self, go: &GoLimits) {
        let Some(asked) = self.asked.clone() else {
            return self.gives_up("no position was given", NO_MOVE);
        };
        let known = self.board.as_ref();
        let missing = known.and_then(|known| missing(known, &asked).map(<[Move]>::to_vec));
        let missing = missing.unwrap_or_else(|| {
            self.begin(&asked, go);
            asked.moves().to_vec()
        });
        // It answers a single move by itself.
        let answers = !self.forced && missing.len() == 1;
        if !self.forced && !answers {
            self.tell_engine("force");
        }
        self.forced = !answers;
        let mut clocks = limits::time(go, asked.position().side_to_move().index());
        clocks.retain(|_| !self.features.ignores_time);
        if answers {
            clocks.iter().for_each(|line| self.tell_engine(line));
        }
        for played in missing {
            self.make(played, answers);
        }
        if !answers {
            clocks.iter().for_each(|line| self.tell_engine(line));
            self.tell_engine_unasked("go");
        }
        self.forced = false;
        (self.searching, self.claims_draw) = (true, false);
    }

    fn begin(&mut self, asked: &Game, go: &GoLimits) {
        let is_usual = *asked.start() == Position::standard() && !self.chess960;
        self.tell_engine("new");
        if self.chess960 {
            self.tell_engine("variant fischerandom");
        }
        self.tell_engine("force");
        self.forced = true;
        match (is_usual, self.features.setboard) {
            (true, _) => {}
            (false, true) => self.tell_engine(setboard(asked.start())),
            (false, false) => {
                for line in edit(asked.start()) {
                    match line.as_str() {
                        "." => self.tell_engine(line),
                        _ => self.tell_engine_unasked(line),
                    }
                }
            }
        }
        let side = asked.position().side_to_move().index();
        for line in limits::control(go, side, self.features.nps) {
            self.tell_engine(line);
        }
        self.tell_engine("easy");
        self.tell_engine("post");
        self.board = Some(Game::new(asked.start().clone()));
    }

    /// Makes a move on the engine's board; it may answer it.
    fn make(&mut self, played: Move, answers: bool) {
        let Some(board) = &mut self.board else {
            return;
        };
        let text = write_move(board.position(), played, self.features.san, self.chess960);
        board.play(played);
        self.told.clone_from(&text);
        let usermove = self.features.usermove;
        let before = if usermove { "usermove " } else { "" };
        let line = format!("{before}{text}");
        if answers {
            self.tell_engine_unasked(line)
        } else {
            self.tell_engine(line)
        }
    }

    /// No move will come from the engine: the game is lost, by a resignation or for want of a move.
    fn gives_up(&mut self, why: &str, answer: &str) {
        self.searching = false;
        self.board = None;
        self.tell_runner(format!("info string {why}"));
        self.tell_runner(format!("bestmove {answer}"));
    }

    /// The engine claims a result in its turn, as cutechess-cli judges it: a win of its opponent is a resignation, a draw is
    /// what its next move must bring about, and everything else is no move.
    fn claimed(&mut self, word: &str, line: &str) {
        let board = self.board.as_ref();
        let is_black = board.is_some_and(|board| board.position().side_to_move() == Color::Black);
        match (word, is_black) {
            ("1/2-1/2", _) => self.claims_draw = true,
            ("1-0", true) | ("0-1", false) => self.gives_up(line, RESIGNS),
            _ => self.gives_up(line, word),
        }
    }

    /// Whether the move called illegal is the last one sent to it.
    fn refuses(&self, line: &str) -> bool {
        self.searching && !self.told.is_empty() && line.ends_with(&self.told)
    }

    fn feature(&mut self, text: &str) {
        for (name, value) in parse(text) {
            let word = if self.features.set(name, value) {
                "accepted"
            } else {
                "rejected"
            };
            self.tell_engine(format!("{word} {name}"));
            let is_greeted = matches!(self.stage, StartStage::Greeted | StartStage::GreetedAgain);
            match (name, value) {
                ("done", "1") if is_greeted || self.stage == StartStage::TakesTime => {
                    self.is_known()
                }
                ("done", "0") if is_greeted => self.stage = StartStage::TakesTime,
                _ => {}
            }
        }
    }

    fn thought(&mut self, line: &str) {
        let dialect = self.dialect();
        let board = self.board.as_ref();
        if let Some(info) = board.and_then(|board| thinking::info(line, board.position(), dialect))
        {
            self.tell_runner(info);
        }
    }

    /// The engine has made a move. An illegal one is passed on unchanged: the referee judges it.
    fn moved(&mut self, text: &str) {
        self.searching = false;
        let claims_draw = std::mem::take(&mut self.claims_draw);
        let dialect = self.dialect();
        let Some(board) = &mut self.board else {
            return;
        };
        let text = match read_move(board.position(), text) {
            Some(played) => {
                let text = board.position().uci(played, dialect).to_string();
                board.play(played);
                if claims_draw && board.ending().is_none() {
                    return self.gives_up("claims a draw that the rules do not allow", DRAW_CLAIM);
                }
                text
            }
            None => {
                self.board = None;
                text.to_owned()
            }
        };
        self.tell_runner(format!("bestmove {text}"));
    }
}

#[cfg(test)]
mod tests;
