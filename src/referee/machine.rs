//! The referee: lines and time stamps in, lines to send and a deadline out, one
//! game record at the end. It never asks what time it is.
//!
//! ```text
//!  Preparing ──both readyok──▶ Due ──go written──▶ Thinking ──bestmove──▶ Due …
//!      └─────────── fault ───────────┴───── fault, end of game ─────▶ over
//! ```
//!
//! **Invariant: stamps decide, never the order in which things are noticed.**
//! Every input is compared with the deadline before it is looked at, so neither
//! a late timer nor an engine that chatters without end postpones a verdict.

use std::fmt::Write as _;

use crate::chess::{Color, Game, Move};
use crate::clock::Stamp;
use crate::referee::adjudicator::Adjudicator;
use crate::referee::player::Player;
use crate::referee::{
    DrawnBy, Fault, FaultKind, FlagFallRule, GameRecord, GameSettings, MoveRecord, Outcome,
    VoidReason, WonBy,
};
use crate::uci::{InfoLine, Message};

/// However lively a search without a clock looks, it ends after this many stall
/// times: an engine cannot stop a tournament by inventing progress.
const MOST_STALLS: u32 = 60;

/// The machine that conducts one game.
#[derive(Debug)]
pub struct Referee {
    settings: GameSettings,
    game: Game,
    players: [Player; 2],
    phase: Phase,
    adjudicator: Adjudicator,
    moves: Vec<MoveRecord>,
    faults: Vec<Fault>,
    outcome: Option<Outcome>,
    /// What was last handed out by `transmit`.
    sending: String,
    /// A move's text, reused.
    text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Waiting for `readyok` from both until the stamp.
    Preparing(Stamp),
    /// `go` for the side to move waits in its outbox.
    Due,
    /// The side to move thinks.
    Thinking { sent: Stamp, deadline: Stamp },
}

impl Referee {
    /// A game that begins now: `ucinewgame` and `isready` wait to be sent.
    pub fn new(settings: GameSettings, now: Stamp) -> Referee {
        let mut game = Game::new(settings.start.clone());
        let mut players = [0, 1].map(|side| Player::new(&settings.players[side], &settings.start));
        let mut text = String::new();
        for chess_move in &settings.opening {
            play(
                &mut game,
                &mut players,
                *chess_move,
                settings.dialect,
                &mut text,
            );
        }
        for player in &mut players {
            player.prepare(settings.variant.as_deref());
        }
        Referee {
            phase: Phase::Preparing(now + settings.timeouts.new_game),
            adjudicator: Adjudicator::new(&settings.adjudication),
            outcome: game.ending().map(Outcome::from),
            moves: Vec::new(),
            faults: Vec::new(),
            sending: String::new(),
            settings,
            game,
            players,
            text,
        }
    }

    /// The next lines to write, and to whom. `now` must be taken just before the
    /// write: where the lines hold `go`, the clock starts then. Call it until it
    /// gives `None`.
    pub fn transmit(&mut self, now: Stamp) -> Option<(Color, &str)> {
        if self.outcome.is_some() {
            return None;
        }
        let waits = |side: &Color| !self.players[side.index()].outbox.is_empty();
        let side = Color::ALL.into_iter().find(waits)?;
        if self.phase == Phase::Due {
            self.start_clock(now);
        }
        self.sending.clear();
        std::mem::swap(&mut self.sending, &mut self.players[side.index()].outbox);
        Some((side, &self.sending))
    }

    /// When [`tick`](Self::tick) must be called if nothing else happens.
    pub fn deadline(&self) -> Option<Stamp> {
        match self.phase {
            _ if self.outcome.is_some() => None,
            Phase::Preparing(deadline) | Phase::Thinking { deadline, .. } => Some(deadline),
            Phase::Due => None,
        }
    }

    /// The side whose pipe is to be read first.
    pub fn side_to_move(&self) -> Color {
        self.game.position().side_to_move()
    }

    /// Half-moves on the board.
    pub fn plies(&self) -> usize {
        self.game.moves().len()
    }

    /// The engines' moves so far.
    pub fn moves(&self) -> &[MoveRecord] {
        &self.moves
    }

    /// Whether the game has ended.
    pub fn is_over(&self) -> bool {
        self.outcome.is_some()
    }

    /// A line from an engine, and when its bytes had been read.
    pub fn line(&mut self, side: Color, line: &str, at: Stamp) {
        if self.expired(at) {
            return;
        }
        match Message::parse(line) {
            Message::ReadyOk => self.ready(side),
            Message::Info(info) if self.thinks(side) => self.note(side, info, at),
            Message::BestMove { text, .. } if self.thinks(side) => self.best_move(side, text, at),
            Message::BestMove { .. } => self.players[side.index()].breaches.unasked_bestmoves += 1,
            _ => {}
        }
    }

    /// A line was longer than the buffer, and only its beginning was handed in.
    pub fn overlong_line(&mut self, side: Color) {
        self.players[side.index()].breaches.overlong_lines += 1;
    }

    /// An engine closed its output, or does not take input any more. If it has
    /// made its move, that counts: the loss comes at its next turn.
    pub fn closed(&mut self, side: Color, at: Stamp) {
        if self.expired(at) {
            return;
        }
        self.players[side.index()].closed = true;
        let preparing = matches!(self.phase, Phase::Preparing(_));
        if preparing || self.side_to_move() == side {
            self.crash(side, at);
        }
    }

    /// Time has passed.
    pub fn tick(&mut self, at: Stamp) {
        self.expired(at);
    }

    /// The runner stops: the game does not count.
    pub fn interrupt(&mut self, reason: VoidReason) {
        if self.outcome.is_none() {
            self.outcome = Some(Outcome::Void(reason));
        }
    }

    /// A fault that only the driver can see, such as an engine that would not start.
    pub fn fault(&mut self, side: Color, kind: FaultKind, detail: String, at: Stamp) {
        if self.outcome.is_some() {
            return;
        }
        let ply = u32::try_from(self.plies()).unwrap_or(u32::MAX);
        self.faults.push(Fault {
            side,
            kind,
            ply,
            at,
            detail,
        });
        let excused = self.settings.adjudication.flag_fall == FlagFallRule::Fide
            && matches!(kind, FaultKind::FlagFall | FaultKind::IllegalMove)
            && self.game.position().cannot_win(!side);
        self.outcome = Some(if excused {
            Outcome::Drawn(DrawnBy::ForfeitAgainstNoMate(kind))
        } else {
            Outcome::Won {
                by: !side,
                how: WonBy::Forfeit(kind),
            }
        });
    }

    /// The record, once the game is over.
    pub fn finish(&mut self) -> Option<GameRecord> {
        let outcome = self.outcome.clone()?;
        Some(GameRecord {
            start: self.settings.start.clone(),
            opening: std::mem::take(&mut self.settings.opening),
            moves: std::mem::take(&mut self.moves),
            outcome,
            faults: std::mem::take(&mut self.faults),
            breaches: [0, 1].map(|side| self.players[side].breaches),
            dialogue: None,
        })
    }

    fn thinks(&self, side: Color) -> bool {
        matches!(self.phase, Phase::Thinking { .. }) && self.side_to_move() == side
    }

    fn ready(&mut self, side: Color) {
        self.players[side.index()].ready = true;
        let all_ready = self.players.iter().all(|player| player.ready);
        if matches!(self.phase, Phase::Preparing(_)) && all_ready {
            self.ask();
        }
    }

    fn note(&mut self, side: Color, info: InfoLine<'_>, at: Stamp) {
        if self.players[side.index()].note(info) {
            self.extend_stall(at);
        }
    }

    /// Puts `go` into the outbox of the side to move.
    fn ask(&mut self) {
        self.phase = Phase::Due;
        let plies = u32::try_from(self.plies()).unwrap_or(u32::MAX);
        let mover = self.side_to_move();
        let [white, black] = &mut self.players;
        match mover {
            Color::White => white.ask(mover, &black.clock, plies),
            Color::Black => black.ask(mover, &white.clock, plies),
        }
    }

    fn start_clock(&mut self, now: Stamp) {
        let player = &self.players[self.side_to_move().index()];
        let stall = now + self.settings.timeouts.stall;
        let deadline = player.clock.deadline(now, player.margin).unwrap_or(stall);
        self.phase = Phase::Thinking {
            sent: now,
            deadline,
        };
    }

    fn extend_stall(&mut self, at: Stamp) {
        let stall = self.settings.timeouts.stall;
        if let Phase::Thinking { sent, deadline } = &mut self.phase {
            *deadline = (at + stall).min(*sent + stall * MOST_STALLS);
        }
    }

    /// Whether the game is over, because it was or because the deadline has passed.
    fn expired(&mut self, at: Stamp) -> bool {
        let late = self.deadline().is_some_and(|deadline| at > deadline);
        if late {
            match self.phase {
                Phase::Preparing(_) => self.not_ready(at),
                Phase::Thinking { sent, .. } => self.out_of_time(sent, at),
                Phase::Due => {}
            }
        }
        self.outcome.is_some()
    }

    /// One engine that does not answer has lost; if neither answers, the machine
    /// they share is to blame.
    fn not_ready(&mut self, at: Stamp) {
        let limit = self.settings.timeouts.new_game;
        let silent = |side: &Color| !self.players[side.index()].ready;
        let silent: Vec<Color> = Color::ALL.into_iter().filter(silent).collect();
        match silent[..] {
            [side] => {
                let detail = format!("no readyok within {limit:?} of ucinewgame");
                self.fault(side, FaultKind::NotReady, detail, at);
            }
            _ => {
                let what = format!("neither engine said readyok within {limit:?} of ucinewgame");
                self.interrupt(VoidReason::HostFault(what));
            }
        }
    }

    fn out_of_time(&mut self, sent: Stamp, at: Stamp) {
        let side = self.side_to_move();
        let elapsed = at.saturating_since(sent);
        let player = &self.players[side.index()];
        match player.clock.allowed() {
            Some(allowed) => {
                let margin = player.margin;
                let detail =
                    format!("no move after {elapsed:?}; allowed {allowed:?}, margin {margin:?}");
                self.fault(side, FaultKind::FlagFall, detail, at);
            }
            None => {
                let detail = format!("no move and no progress after {elapsed:?}");
                self.fault(side, FaultKind::Stall, detail, at);
            }
        }
    }

    fn crash(&mut self, side: Color, at: Stamp) {
        let detail = "the engine closed its output".to_owned();
        self.fault(side, FaultKind::Crash, detail, at);
    }

    fn best_move(&mut self, side: Color, text: &str, at: Stamp) {
        let Phase::Thinking { sent, .. } = self.phase else {
            return;
        };
        let parsed = self.game.position().parse_uci(text, self.settings.dialect);
        match parsed {
            Ok(chess_move) => {
                self.players[side.index()].answer(text);
                self.accept(side, chess_move, sent, at);
            }
            // The last answer said twice, the second time after the next `go`: no
            // answer to this search.
            Err(_) if self.players[side.index()].echoes(text) => {
                self.players[side.index()].breaches.unasked_bestmoves += 1;
            }
            Err(error) => {
                let detail = format!("bestmove {}: {error}", quoted(text));
                self.fault(side, FaultKind::IllegalMove, detail, at);
            }
        }
    }

    fn accept(&mut self, side: Color, chess_move: Move, sent: Stamp, at: Stamp) {
        let player = &mut self.players[side.index()];
        if player
            .clock
            .charge(at.saturating_since(sent), player.margin)
            .is_err()
        {
            return self.out_of_time(sent, at);
        }
        let thinking = player.thinking();
        let score = thinking.score;
        self.moves.push(MoveRecord {
            chess_move,
            sent,
            received: at,
            clock: player.clock.remaining(),
            nodes_limit: player.nodes_limit,
            thinking,
        });
        let number = self.game.position().fullmove_number();
        let dialect = self.settings.dialect;
        play(
            &mut self.game,
            &mut self.players,
            chess_move,
            dialect,
            &mut self.text,
        );
        self.outcome = self
            .game
            .ending()
            .map(Outcome::from)
            .or_else(|| self.adjudicator.judge(side, score, number));
        if self.outcome.is_none() {
            self.next_turn(at);
        }
    }

    fn next_turn(&mut self, at: Stamp) {
        let mover = self.side_to_move();
        if self.players[mover.index()].closed {
            self.crash(mover, at);
        } else {
            self.ask();
        }
    }
}

/// Plays a move on the board and in the text that both engines will be sent.
fn play(
    game: &mut Game,
    players: &mut [Player; 2],
    chess_move: Move,
    dialect: crate::chess::UciDialect,
    text: &mut String,
) {
    text.clear();
    // Writing to a String cannot fail.
    let _ = write!(text, "{}", game.position().uci(chess_move, dialect));
    players
        .iter_mut()
        .for_each(|player| player.append_move(text));
    game.play(chess_move);
}

/// What an engine said, short and without control characters.
fn quoted(text: &str) -> String {
    let shown: String = text.chars().take(40).collect();
    format!("{shown:?}")
}
