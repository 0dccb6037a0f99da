//! The two dialogues: lines of either side in, lines to both out. It never reads the time.
//!
//! An engine with `ping` gets its lines one at a time: each only when the answer to a `ping` has proved that the line
//! before was read. GNU Chess 6.2 may overlook the second of two lines that come together, until a third comes.

use std::collections::VecDeque;
use std::time::Duration;

use super::board::{Board, edit, read_move, setboard, write_move};
use super::features::{Features, parse};
use super::limits::Limits;
use super::thinking;
use super::{Between, Line, PAUSE};
use crate::chess::{Move, Position, UciDialect};

/// The state of the engine's start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nothing was sent to it.
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

/// A line that waits for its turn.
#[derive(Debug)]
enum ForEngine {
    /// A command.
    Command(String),
    /// A command after which it cannot be asked: it thinks, or is within `edit`.
    Unasked(String),
    /// `readyok` is said when everything before was read.
    Readiness,
}

/// The part between runner and engine.
#[derive(Debug)]
pub(super) struct Translator {
    out: Vec<Line>,
    /// The lines that the engine gets when it has read those before.
    queue: VecDeque<ForEngine>,
    /// The number of the last `ping`, and of the one whose answer proves that the last line was read.
    pings: u32,
    unproved: Option<u32>,
    /// Its name if it does not give one.
    program: String,
    init: Vec<String>,
    stage: Stage,
    features: Features,
    chess960: bool,
    /// The number of the `ping` whose answer `readyok` waits for.
    readiness: Option<u32>,
    /// The last `position`.
    asked: Option<Board>,
    /// What the engine has on its board.
    board: Option<Board>,
    /// It does not answer moves by itself.
    forced: bool,
    searching: bool,
    overlooks_lines: bool,
    /// The last move sent to it.
    told: String,
}

impl Between for Translator {
    fn hear_runner(&mut self, line: &str) {
        let line = line.trim();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "uci" if self.stage == Stage::New => {
                self.stage = Stage::Greeted;
                self.tell_engine("xboard");
                self.tell_engine("protover 2");
            }
            "isready" => self.is_ready(),
            "setoption" => self.set_option(rest),
            "ucinewgame" => self.board = None,
            "position" => self.asked = Board::parse(rest, self.dialect()),
            "go" => self.go(&Limits::parse(rest)),
            "stop" if self.searching => self.tell_engine_unasked("?"),
            _ => {}
        }
    }

    fn ends(&mut self) {
        self.out.push(Line::ToEngine("quit".to_owned()));
    }

    fn has_waited(&mut self) {
        match self.stage {
            Stage::Greeted => {
                self.stage = Stage::GreetedAgain;
                self.overlooks_lines = true;
                self.tell_engine("protover 2");
            }
            Stage::GreetedAgain => {
                // Any third line will do: with it the engine reads the line before.
                self.tell_engine("post");
                self.is_known();
            }
            _ => {}
        }
    }

    fn pause(&self) -> Option<Duration> {
        Some(match self.overlooks_lines && !self.proves() {
            true => PAUSE,
            false => Duration::ZERO,
        })
    }

    fn awaited(&self) -> Option<u32> {
        self.unproved
    }

    fn doubts(&mut self, ping: u32) {
        self.out.push(Line::ToEngine(format!("ping {ping}")));
    }

    fn hear_engine(&mut self, line: &str) {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "" => {}
            "feature" => self.feature(rest),
            "pong" if self.unproved.is_some() && rest.parse().ok() == self.unproved => {
                self.unproved = None;
                if self
                    .readiness
                    .take_if(|ping| rest.parse() == Ok(*ping))
                    .is_some()
                {
                    self.tell_runner("readyok");
                }
                self.deliver();
            }
            "move" if self.searching => self.moved(rest),
            "resign" if self.searching => self.gives_up("resigns"),
            "1-0" | "0-1" if self.searching => {
                let winner = usize::from(word == "0-1");
                let side = self.board.as_ref().map(Board::side);
                if side.is_some_and(|side| side != winner) {
                    self.gives_up(line);
                }
            }
            // Some engines answer this way to every command that they do not know.
            _ if word.starts_with("Illegal") && self.refuses(line) => self.gives_up(line),
            _ if !self.searching => {}
            _ if !word.starts_with(|one: char| one.is_ascii_digit()) => {}
            // As engines of the first version of the protocol write a move.
            _ if rest.starts_with("... ") && word.ends_with('.') => {
                self.moved(rest.trim_start_matches("... "));
            }
            _ => self.thought(line),
        }
    }

    fn take(&mut self) -> Vec<Line> {
        std::mem::take(&mut self.out)
    }
}

impl Translator {
    /// Between the runner and this program; the lines of `init` are sent to it first.
    pub(super) fn new(program: &str, init: Vec<String>) -> Translator {
        Translator {
            out: Vec::new(),
            queue: VecDeque::new(),
            pings: 0,
            unproved: None,
            program: program.to_owned(),
            init,
            stage: Stage::New,
            features: Features::default(),
            chess960: false,
            readiness: None,
            asked: None,
            board: None,
            forced: false,
            searching: false,
            overlooks_lines: false,
            told: String::new(),
        }
    }

    fn tell_engine(&mut self, line: impl Into<String>) {
        self.queue.push_back(ForEngine::Command(line.into()));
        self.deliver();
    }

    fn tell_engine_unasked(&mut self, line: impl Into<String>) {
        self.queue.push_back(ForEngine::Unasked(line.into()));
        self.deliver();
    }

    /// Whether the engine can prove that it has read a line.
    fn proves(&self) -> bool {
        self.stage == Stage::Known && self.features.ping
    }

    /// Sends the lines whose turn it is.
    fn deliver(&mut self) {
        while self.unproved.is_none() {
            let Some(next) = self.queue.pop_front() else {
                return;
            };
            let is_readiness = matches!(next, ForEngine::Readiness);
            let is_asked = !matches!(next, ForEngine::Unasked(_));
            if let ForEngine::Command(line) | ForEngine::Unasked(line) = next {
                self.out.push(Line::ToEngine(line));
            }
            if self.proves() && is_asked {
                self.pings += 1;
                self.unproved = Some(self.pings);
                self.readiness = self.unproved.filter(|_| is_readiness);
                self.out
                    .push(Line::ToEngine(format!("ping {}", self.pings)));
            } else if is_readiness {
                self.tell_runner("readyok");
            }
        }
    }

    fn tell_runner(&mut self, line: impl Into<String>) {
        self.out.push(Line::ToRunner(line.into()));
    }

    fn dialect(&self) -> UciDialect {
        match self.chess960 {
            true => UciDialect::Chess960,
            false => UciDialect::Standard,
        }
    }

    fn is_known(&mut self) {
        self.stage = Stage::Known;
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
        match self.searching {
            true => self.tell_runner("readyok"),
            false => {
                self.queue.push_back(ForEngine::Readiness);
                self.deliver();
            }
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

    fn go(&mut self, limits: &Limits) {
        let Some(asked) = self.asked.clone() else {
            return self.gives_up("no position was given");
        };
        let known = self.board.as_ref();
        let missing = known.and_then(|board| board.missing(&asked).map(<[Move]>::to_vec));
        let missing = missing.unwrap_or_else(|| {
            self.begin(&asked, limits);
            asked.moves.clone()
        });
        // It answers a single move by itself.
        let answers = !self.forced && missing.len() == 1;
        if !self.forced && !answers {
            self.tell_engine("force");
        }
        self.forced = !answers;
        let clocks = match self.features.time {
            true => limits.clocks(asked.side()),
            false => Vec::new(),
        };
        if answers {
            clocks.iter().for_each(|line| self.tell_engine(line));
        }
        missing
            .iter()
            .for_each(|played| self.make(*played, answers));
        if !answers {
            clocks.iter().for_each(|line| self.tell_engine(line));
            self.tell_engine_unasked("go");
        }
        self.forced = false;
        self.searching = true;
    }

    /// Begins a game.
    fn begin(&mut self, asked: &Board, limits: &Limits) {
        let is_usual = asked.start == Position::standard() && !self.chess960;
        self.tell_engine("new");
        if self.chess960 {
            self.tell_engine("variant fischerandom");
        }
        self.tell_engine("force");
        self.forced = true;
        match (is_usual, self.features.setboard) {
            (true, _) => {}
            (false, true) => self.tell_engine(setboard(&asked.start)),
            (false, false) => {
                for line in edit(&asked.start) {
                    match line.as_str() {
                        "." => self.tell_engine(line),
                        _ => self.tell_engine_unasked(line),
                    }
                }
            }
        }
        for line in limits.control(asked.side(), self.features.nps) {
            self.tell_engine(line);
        }
        self.tell_engine("easy");
        self.tell_engine("post");
        self.board = Some(Board {
            start: asked.start.clone(),
            moves: Vec::new(),
            position: asked.start.clone(),
        });
    }

    /// Makes a move on the engine's board; it may answer it.
    fn make(&mut self, played: Move, answers: bool) {
        let Some(board) = &mut self.board else {
            return;
        };
        let text = write_move(&board.position, played, self.features.san, self.chess960);
        board.play(played);
        self.told.clone_from(&text);
        let before = if self.features.usermove {
            "usermove "
        } else {
            ""
        };
        match answers {
            true => self.tell_engine_unasked(format!("{before}{text}")),
            false => self.tell_engine(format!("{before}{text}")),
        }
    }

    /// No move will come from the engine: the game is lost.
    fn gives_up(&mut self, why: &str) {
        self.searching = false;
        self.board = None;
        self.tell_runner(format!("info string {why}"));
        self.tell_runner("bestmove 0000");
    }

    /// Whether the move called illegal is the last one sent to it.
    fn refuses(&self, line: &str) -> bool {
        self.searching && !self.told.is_empty() && line.ends_with(&self.told)
    }

    fn feature(&mut self, text: &str) {
        for (name, value) in parse(text) {
            let word = match self.features.set(name, value) {
                true => "accepted",
                false => "rejected",
            };
            self.tell_engine(format!("{word} {name}"));
            match (name, value, self.stage) {
                ("done", "1", Stage::Greeted | Stage::GreetedAgain | Stage::TakesTime) => {
                    self.is_known();
                }
                ("done", "0", Stage::Greeted | Stage::GreetedAgain) => {
                    self.stage = Stage::TakesTime;
                }
                _ => {}
            }
        }
    }

    fn thought(&mut self, line: &str) {
        let dialect = self.dialect();
        let board = self.board.as_ref();
        if let Some(info) = board.and_then(|board| thinking::info(line, &board.position, dialect)) {
            self.tell_runner(info);
        }
    }

    /// The engine has made a move. An illegal one is passed on unchanged: the referee judges it.
    fn moved(&mut self, text: &str) {
        self.searching = false;
        let dialect = self.dialect();
        let Some(board) = &mut self.board else {
            return;
        };
        let text = match read_move(&board.position, text) {
            Some(played) => {
                let text = board.position.uci(played, dialect).to_string();
                board.play(played);
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
mod tests {
    use super::*;

    /// Sends lines to a translator, `>` those of the runner and `<` those of the engine, which answers every `ping`;
    /// returns its other output.
    fn talk(translator: &mut Translator, lines: &[&str]) -> Vec<String> {
        let mut said = Vec::new();
        let mut listen = |translator: &mut Translator| {
            loop {
                let taken = translator.take();
                if taken.is_empty() {
                    return;
                }
                for line in taken {
                    match line {
                        Line::ToEngine(text) => match text.strip_prefix("ping ") {
                            Some(ping) => translator.hear_engine(&format!("pong {ping}")),
                            None => said.push(format!("> {text}")),
                        },
                        Line::ToRunner(text) => said.push(format!("< {text}")),
                    }
                }
            }
        };
        listen(translator);
        for line in lines {
            match line.split_at(1) {
                (">", line) => translator.hear_runner(line),
                (_, line) => translator.hear_engine(line),
            }
            listen(translator);
        }
        said
    }

    /// What is sent to the engine alone.
    fn sent(translator: &mut Translator) -> Vec<String> {
        let lines = translator.take().into_iter();
        let for_engine = lines.filter_map(|line| match line {
            Line::ToEngine(text) => Some(text),
            Line::ToRunner(_) => None,
        });
        for_engine.collect()
    }

    const FEATURES: &str = "<feature ping=1 setboard=1 usermove=1 myname=\"X 1\" variants=\"normal,fischerandom\" done=1";

    fn known() -> Translator {
        let mut translator = Translator::new("x", Vec::new());
        talk(&mut translator, &[">uci", FEATURES]);
        translator
    }

    #[test]
    fn a_game_is_played_with_clocks_and_thinking() {
        let mut translator = known();
        assert_eq!(
            talk(&mut translator, &[">ucinewgame", ">isready"]),
            ["< readyok"]
        );
        assert_eq!(
            talk(
                &mut translator,
                &[
                    ">position startpos moves e2e4",
                    ">go wtime 60000 btime 59000 winc 100 binc 100"
                ]
            ),
            [
                "> new",
                "> force",
                "> level 0 0:59 0.1",
                "> easy",
                "> post",
                "> usermove e2e4",
                "> time 5900",
                "> otim 6000",
                "> go"
            ]
        );
        assert_eq!(
            talk(
                &mut translator,
                &["<3 -12 5 100 e5 Nf3", "<move e7e5", ">isready"]
            ),
            [
                "< info depth 3 score cp -12 time 50 nodes 100 pv e7e5 g1f3",
                "< bestmove e7e5",
                "< readyok"
            ]
        );
        // The next move is answered by itself.
        assert_eq!(
            talk(
                &mut translator,
                &[
                    ">position startpos moves e2e4 e7e5 g1f3",
                    ">go wtime 59000 btime 58000"
                ]
            ),
            ["> time 5800", "> otim 5900", "> usermove g1f3"]
        );
        assert_eq!(talk(&mut translator, &[">stop"]), ["> ?"]);
    }

    #[test]
    fn a_line_comes_when_the_one_before_is_proved_to_be_read() {
        let mut translator = known();
        translator.hear_runner("position startpos");
        translator.hear_runner("go depth 3");
        let mut lines = Vec::new();
        for ping in 1.. {
            let mut together = sent(&mut translator);
            let asked = together.pop_if(|line| line.starts_with("ping "));
            assert_eq!(together.len(), 1, "{together:?}");
            lines.append(&mut together);
            let Some(asked) = asked else {
                break;
            };
            assert_eq!(asked, format!("ping {ping}"));
            // What proves nothing brings no line.
            translator.hear_engine("pong 0");
            assert!(sent(&mut translator).is_empty());
            // An overlooked ping is sent again, and answered twice.
            translator.doubts(ping);
            assert_eq!(sent(&mut translator), std::slice::from_ref(&asked));
            let answer = asked.replace("ping", "pong");
            translator.hear_engine(&answer);
            translator.hear_engine(&answer);
        }
        assert_eq!(
            lines,
            ["new", "force", "sd 3", "easy", "post", "time 8640000", "go"]
        );
        translator.hear_runner("isready");
        assert!(sent(&mut translator).is_empty(), "it thinks");
    }

    #[test]
    fn an_engine_of_the_first_version_is_known_after_a_while() {
        let mut translator = Translator::new("fairymax", vec!["random".to_owned()]);
        talk(&mut translator, &[">uci"]);
        translator.has_waited();
        assert_eq!(talk(&mut translator, &[]), ["> protover 2"]);
        assert_eq!(translator.pause(), Some(PAUSE));
        translator.has_waited();
        assert_eq!(
            talk(&mut translator, &[">isready"]),
            [
                "> post",
                "> random",
                "< id name fairymax",
                "< uciok",
                "< readyok"
            ]
        );
        talk(
            &mut translator,
            &[">position startpos", ">go movetime 1000"],
        );
        assert_eq!(
            talk(&mut translator, &["<1. ... d2d4"]),
            ["< bestmove d2d4"]
        );
        let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";
        let said = talk(
            &mut translator,
            &[&format!(">position fen {fen}"), ">go depth 1"],
        );
        assert_eq!(
            said[2..10],
            [
                "> b2b3", "> edit", "> #", "> Ke1", "> Pe2", "> c", "> Ke8", "> ."
            ],
            "{said:?}"
        );
    }

    #[test]
    fn chess960_castles_in_words() {
        let mut translator = known();
        let start = "position fen 1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1";
        let said = talk(
            &mut translator,
            &[
                ">setoption name UCI_Chess960 value true",
                &format!(">{start}"),
                ">go depth 3",
                "<move O-O",
                &format!(">{start} moves e1g1 e8b8"),
                ">go depth 3",
                "<resign",
            ],
        );
        assert!(
            said.contains(&"> variant fischerandom".to_owned()),
            "{said:?}"
        );
        assert!(said.contains(&"< bestmove e1g1".to_owned()), "{said:?}");
        assert!(said.contains(&"> usermove O-O-O".to_owned()), "{said:?}");
        assert_eq!(said.last().unwrap(), "< bestmove 0000");
    }

    #[test]
    fn what_is_no_move_is_for_the_referee() {
        let mut translator = known();
        talk(&mut translator, &[">position startpos", ">go depth 1"]);
        assert!(talk(&mut translator, &["<Illegal move: sd 1"]).is_empty());
        assert_eq!(talk(&mut translator, &["<move e2e5"]), ["< bestmove e2e5"]);
        assert!(
            talk(
                &mut translator,
                &["<move e7e5", "<1-0 {won}", "<# a remark"]
            )
            .is_empty()
        );
    }
}
