//! The sound part of the engine: commands in, seeded random legal moves out.

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use arbiter960::chess::random::Random;
use arbiter960::chess::{Move, Position, UciDialect};

use crate::deeds::{self, Next};
use crate::script::{self, Script};
use crate::{chorus, outlaw};

/// The state of the engine.
pub(crate) struct Dialogue {
    script: Script,
    position: Position,
    /// The last `position`, without its first word.
    placed: String,
    dialect: UciDialect,
    /// Games begun by `ucinewgame`, and own moves in the one that runs.
    game: u64,
    own_moves: u64,
    /// The limits of the search on the opponent's time that runs.
    pondering: Option<String>,
    /// Whether that search has begun: with `ponders=late` on a thread that starts late, and that ignores what was sent
    /// before.
    begun: Arc<AtomicBool>,
}

const STYLE: &str =
    " name Style of play type combo default Very Solid var Very Solid var Quite Wild";
const VARIANT: &str =
    " name UCI_Variant type combo default atomic var atomic var chess var crazyhouse";

/// Writes a line as the script wants lines to end, at once.
pub(crate) fn say(script: &Script, text: &str) {
    let end = if script.has("crlf") { "\r\n" } else { "\n" };
    write_raw(format!("{text}{end}").as_bytes());
}

/// Writes bytes, at once. Nobody may be listening any more.
pub(crate) fn write_raw(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}

impl Dialogue {
    /// An engine that has received nothing yet.
    pub(crate) fn new(script: Script) -> Dialogue {
        Dialogue {
            script,
            position: Position::standard(),
            placed: String::new(),
            dialect: UciDialect::Standard,
            game: 0,
            own_moves: 0,
            pondering: None,
            begun: Arc::default(),
        }
    }

    /// Obeys until `quit` or end of file, or as the script has it.
    pub(crate) fn run(mut self) -> io::Result<()> {
        for line in io::stdin().lock().lines() {
            let line = line?;
            // From here on it sings no more: it has to answer.
            chorus::idle(false);
            let (command, rest) = line.split_once(' ').unwrap_or((&line, ""));
            match command {
                "uci" => self.introduce(),
                "isready" => self.get_ready(),
                "setoption" => self.set(rest),
                "ucinewgame" => self.begin_game(),
                "position" => self.place(rest),
                "go" if rest.starts_with("ponder") => self.ponder(rest),
                "go" => self.answer(rest),
                "ponderhit" => self.hit(),
                "stop" => self.stop(),
                "quit" if !self.script.has("ignore-quit") => return Ok(()),
                _ => {}
            }
        }
        if self.script.has("ignore-eof") {
            outlaw::wait_for_ever();
        }
        Ok(())
    }

    fn say(&self, text: &str) {
        say(&self.script, text);
    }

    fn introduce(&self) {
        let name = match self.script.has("odd-name") {
            true => "Fake \"the\\ [bad]\" {one} \x1b[31mred\x07\u{202e}\u{9b}2J ; 1",
            false => "Fake",
        };
        if let Some(work) = self.script.milliseconds("slow-start") {
            deeds::toil(work);
        }
        self.say(&format!("id name {name}"));
        self.say("id author nobody");
        if !self.script.has("no-chess960") {
            self.say("option name UCI_Chess960 type check default false");
        }
        for (word, option) in [
            ("ponders", " name Ponder type check default false"),
            ("", " name Text type string default <empty>"),
            ("odd-options", STYLE),
            (
                "odd-options",
                " name Odd (spin) [x] type spin default 900 min 1 max 10",
            ),
            ("odd-options", " name type spin default min max"),
            ("odd-options", ""),
            ("uci-variant", VARIANT),
        ] {
            if word.is_empty() || self.script.has(word) {
                self.say(&format!("option{option}"));
            }
        }
        match self.script.start_deed() {
            Some(deed @ ("no-uciok" | "deaf" | "chatter-first" | "exit-first")) => {
                deeds::start(deed, &self.script)
            }
            _ => self.say("uciok"),
        }
    }

    fn get_ready(&self) {
        deeds::stop_withholding(&self.script);
        if self.game > 0
            && let Some(pause) = self.script.milliseconds("clears")
        {
            // Its tables take this long to clear.
            std::thread::park_timeout(pause);
        }
        match self.script.start_deed() {
            Some("exit-newgame") if self.game > 0 && self.script.is_first() => {
                std::process::exit(1)
            }
            Some("fork-newgame") if self.game > 0 => {
                outlaw::leave_a_child().expect("a child");
                std::process::exit(3)
            }
            Some("no-readyok") if self.game == 0 => {}
            Some("no-newgame") if self.game > 0 => {}
            Some("no-readyok-after-move") if self.own_moves > 0 => {}
            _ => self.say("readyok"),
        }
        if self.script.start_deed() == Some("exit-idle") {
            std::process::exit(0);
        }
    }

    fn set(&mut self, rest: &str) {
        if rest == "name UCI_Chess960 value true" {
            self.dialect = UciDialect::Chess960;
        }
        let variant = rest.strip_prefix("name UCI_Variant value ");
        if variant.is_some_and(|name| name != "chess") {
            self.say("bestmove variant");
        }
    }

    fn begin_game(&mut self) {
        self.game += 1;
        self.own_moves = 0;
        if self.script.has("unasked") {
            self.say("bestmove e2e4");
        }
    }

    /// `fen F moves …`, as a game has it, or `startpos moves …`, as `check` asks too.
    fn place(&mut self, rest: &str) {
        rest.clone_into(&mut self.placed);
        let (start, moves) = rest.split_once(" moves ").unwrap_or((rest, ""));
        let fen = match start {
            "startpos" => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            start => start.strip_prefix("fen ").expect("position fen"),
        };
        self.position = Position::from_fen(fen).expect("a legal position");
        for text in moves.split_whitespace() {
            let played = self.position.parse_uci(text, self.dialect);
            self.position.play(played.expect("a legal move"));
        }
    }

    fn answer(&mut self, limits: &str) {
        self.own_moves += 1;
        if let Some(work) = self.script.milliseconds("diary") {
            // What it is asked goes to the memory file, and it works for this time.
            script::remember(&format!("{}\t{limits}\n", self.placed));
            deeds::toil(work);
        }
        let chosen = self.random_move();
        if self.script.has("lies") {
            // A mate of the wrong sign, a variation of no game, an absurd score.
            self.say("info depth 5 score mate -1 nodes 10 pv a1a1 zzzz e9e9");
            self.say("info depth -7 score cp 99999999999999999999 nodes -1 pv");
            self.say("info depth 6 score mate 0 nodes 11 wdl 9 9 pv h8h8");
        }
        if self.script.has("noise") {
            let _ = io::stderr().write_all(&[b'#'; 100_000]);
        }
        let deed = self.script.search_deed(self.game, self.own_moves);
        let next = deed.map_or(Next::Answer, |deed| {
            deeds::search(deed, &chosen, limits, &self.script)
        });
        if next == Next::Answer {
            let [depth, nodes] = ["depth", "nodes"].map(|limit| self.searched(limit, limits));
            // A mate in two that needs three plies, of which the second is not the text of a move.
            let (score, rest) = match self.script.has("wrong-pv") {
                true => ("mate 2", " zz\x1b[2J a1a1"),
                false => ("cp 0", ""),
            };
            self.say(&format!(
                "info depth {depth} score {score} nodes {nodes} pv {chosen}{rest}"
            ));
            self.say_best_move();
            if self.script.value("ponders") == Some("twice") {
                self.say_best_move();
            }
        }
        if let Some(how) = self.script.value("burns") {
            chorus::idle(true);
            chorus::burn(how);
        }
        if let Some(song) = self.script.value("sings") {
            chorus::idle(true);
            chorus::sing(song);
        }
    }

    /// What it claims to have searched: what it was given, or with `ignores-limits` one node, and depth 99.
    fn searched(&self, limit: &str, limits: &str) -> u64 {
        let mut words = limits.split_whitespace();
        let given = words.find(|word| *word == limit).and_then(|_| words.next());
        match given {
            Some(_) if self.script.has("ignores-limits") && limit == "depth" => 99,
            Some(number) if !self.script.has("ignores-limits") => number.parse().unwrap_or(1),
            _ => 1,
        }
    }

    /// `ponders=DEED`: a search on the opponent's time, sound if there is no deed.
    fn ponder(&mut self, limits: &str) {
        match self.script.value("ponders") {
            Some("early") => self.say_best_move(),
            Some("exit") => std::process::exit(3),
            deed => {
                self.pondering = Some(limits.to_owned());
                match deed {
                    Some("late") => self.begin_late(),
                    Some("once") => {}
                    _ => self.say("info depth 1 score cp 0"),
                }
            }
        }
    }

    fn begin_late(&mut self) {
        self.begun = Arc::default();
        let begun = Arc::clone(&self.begun);
        std::thread::spawn(move || {
            std::thread::park_timeout(Duration::from_millis(30));
            begun.store(true, Ordering::SeqCst);
            write_raw(b"info depth 1 score cp 0\n");
        });
    }

    /// Ends the search on the opponent's time, if the engine receives that; returns the limits of the search.
    fn end_pondering(&mut self) -> Option<String> {
        let deed = self.script.value("ponders");
        if deed == Some("once") && self.pondering.is_none() {
            // The end of a search was sent twice.
            std::process::exit(4);
        }
        let forgets = deed == Some("late") && !self.begun.load(Ordering::SeqCst);
        self.pondering.take_if(|_| !forgets)
    }

    fn hit(&mut self) {
        let Some(limits) = self.end_pondering() else {
            return;
        };
        match self.script.value("ponders") {
            Some("mute") => {}
            Some("once") => {
                std::thread::park_timeout(Duration::from_millis(100));
                self.answer(&limits);
            }
            _ => self.answer(&limits),
        }
    }

    fn stop(&mut self) {
        if self.end_pondering().is_none() {
            return;
        }
        match self.script.value("ponders") {
            Some("deaf") => {}
            _ => self.say_best_move(),
        }
    }

    /// Its move, and if it ponders the reply that it expects: with `expects=wrong` one that another
    /// of its kind does not make, else the one that it makes.
    fn say_best_move(&self) {
        let chosen = self.random_move();
        let mut next = self.position.clone();
        let played = next.parse_uci(&chosen, self.dialect);
        next.play(played.expect("its own move"));
        let mut replies = next.legal_moves().to_vec();
        let expected = (!replies.is_empty()).then(|| choose(&next, &replies));
        if self.script.value("expects") == Some("wrong") {
            replies.retain(|reply| Some(*reply) != expected);
        }
        let named = expected.filter(|reply| replies.contains(reply));
        let named = named.or(replies.first().copied());
        let named = named.filter(|_| self.script.has("ponders"));
        let ponder = named.map(|reply| format!(" ponder {}", next.uci(reply, self.dialect)));
        self.say(&format!("bestmove {chosen}{}", ponder.unwrap_or_default()));
    }

    /// The same move in the same position, always.
    fn random_move(&self) -> String {
        let moves = self.position.legal_moves();
        let chosen = choose(&self.position, &moves);
        self.position.uci(chosen, self.dialect).to_string()
    }
}

fn choose(position: &Position, moves: &[Move]) -> Move {
    let index = Random::new(position.key()).below(moves.len() as u64);
    moves[usize::try_from(index).expect("small")]
}
