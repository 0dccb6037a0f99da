//! The referee: lines and time stamps in, lines to send and a deadline out, one
//! game record at the end. It never asks what time it is.
//!
//! ```text
//!  Preparing ──both idle──▶ Due ──clock started──▶ Running ──bestmove──▶ Due …
//!      └─────────── fault ───────────┴────── fault, end of game ──────▶ over
//! ```
//!
//! Where the event asks for `readyok` around each move, `Checking` comes before `Due` and after `Running`.
//!
//! **Invariant: stamps decide, never the order in which things are noticed.**
//! Every input is compared with the deadline before it is looked at, so neither a late timer nor an engine that
//! chatters without end postpones a verdict. A flag that has fallen has lost the game. If somebody watches the host,
//! the conversation continues as if it had not, for as long as the late move can show who is to blame; nothing that
//! happens meanwhile takes the loss back.
//!
//! **Invariant: a line counts by the state of the engine that says it**
//! ([`SearchState`](super::SearchState)). This state is kept until the game is over and neither engine owes an answer.
//!
//! | file | what |
//! |---|---|
//! | `mod` | what goes in, what comes out |
//! | `turn` | `go`, and until when an answer is waited for; what ends a search on the opponent's time waits until that has begun |
//! | `check` | `readyok` around each move; a move that comes twice |
//! | `answer` | a move: is it legal, is it in time, what follows; a game that was interrupted goes on behind its recorded moves |

//! | `verdict` | deadlines that have passed, and faults; after the game: is an engine fit for another one; what is shown of a game that runs |
//! | `fallen` | after a flag fall: who is to blame; answers whose time is charged without what the host took of it |

mod answer;
mod check;
mod fallen;
mod turn;
mod verdict;

use std::time::Duration;

use crate::chess::{Color, Game};
use crate::clock::Stamp;
use crate::referee::player::Player;
use crate::referee::search::Heard;
use crate::referee::{
    Adjudicator, EndedSearch, Fault, GameRecord, GameSettings, IdleTimes, MoveRecord, Observation,
    Outcome, SearchState, VoidReason,
};
use crate::uci::{InfoLine, Message};

use check::{Echo, HeldAnswer, PendingAnswer};
use fallen::{DeferredAnswer, FallenFlag, Weighing};

/// The machine that conducts one game.
#[derive(Debug)]
pub struct Referee {
    settings: GameSettings,
    game: Game,
    players: [Player; 2],
    phase: GamePhase,
    adjudicator: Adjudicator,
    moves: Vec<MoveRecord>,
    faults: Vec<Fault>,
    /// What each side used while its opponent thought, by [`Color::index`].
    idle: [IdleTimes; 2],
    outcome: Option<Outcome>,
    /// The game is over, and engines that search get `stop`.
    winding_up: bool,
    /// Somebody watches the host.
    watched: bool,
    /// Time that the host took from an answer without a clock, and that was given back.
    given_back: Duration,
    /// Until when the side to move, which ponders, has time to report before the opponent's move is sent to it.
    unbegun: Option<Stamp>,
    /// A move that was said twice.
    echo: Option<Echo>,
    /// The flag of the side to move has fallen.
    fallen: Option<FallenFlag>,
    /// A move that counts when its engine has said `readyok`.
    held: Option<HeldAnswer>,
    /// An answer that counts when the evidence of its time is there.
    weighing: Option<Weighing>,
    /// Since when the clock stands because of that.
    stands: Option<Stamp>,
    /// What was seen of the host during the move that is weighed.
    seen: Option<Box<Observation>>,
    /// The last search that has ended, where somebody follows them.
    ended_search: Option<Box<EndedSearch>>,
    /// The beginning of a line that the engine wrote whose flag has fallen.
    unfinished: String,
    /// What was last handed out by `transmit`.
    sending: String,
    /// A move's text, reused.
    text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GamePhase {
    /// Waiting for `readyok` from both.
    Preparing(PendingAnswer),
    /// Waiting for `readyok` from the side to move, before `go` or after its answer.
    Checking(PendingAnswer),
    /// The clock of the side to move is to be started, with what waits in its outbox if anything does.
    Due,
    /// The clock of the side to move runs, or its flag has fallen.
    Running(PendingMove),
}

/// A move that is awaited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PendingMove {
    /// When the clock was started.
    sent: Stamp,
    /// The last moment at which an answer is in time if the host has taken nothing.
    deadline: Stamp,
    /// Since when the host is watched.
    since: Stamp,
    /// What it had taken before, and is not charged.
    taken: Duration,
    /// The limit up to which progress can extend the deadline of a search without a clock.
    latest: Stamp,
    /// How often it was extended because the runner itself did not run.
    standstills: u32,
}

impl Referee {
    /// A game that begins now: `ucinewgame` and `isready` wait to be sent.
    pub fn new(settings: GameSettings, now: Stamp) -> Referee {
        let mut referee = Referee {
            phase: GamePhase::Preparing(PendingAnswer::since(
                Some(now),
                settings.timeouts.new_game,
            )),
            adjudicator: Adjudicator::new(&settings.adjudication),
            game: Game::new(settings.start.clone()),
            players: [0, 1].map(|side| Player::new(&settings.players[side], &settings.start)),
            outcome: None,
            moves: Vec::new(),
            faults: Vec::new(),
            idle: [IdleTimes::default(); 2],
            winding_up: false,
            watched: false,
            given_back: Duration::ZERO,
            unbegun: None,
            echo: None,
            fallen: None,
            held: None,
            weighing: None,
            stands: None,
            seen: None,
            ended_search: None,
            unfinished: String::new(),
            sending: String::new(),
            text: String::new(),
            settings,
        };
        for chess_move in referee.settings.opening.clone() {
            referee.play(chess_move);
        }
        for player in &mut referee.players {
            player.prepare(referee.settings.variant.as_deref());
        }
        referee.outcome = decided_at_the_start(&referee.game, &referee.settings);
        referee
    }

    /// From here on the host is watched: a flag fall waits for the [host_evidence](Self::testify).
    pub fn watched(mut self) -> Referee {
        self.watched = true;
        self
    }

    /// Whose clock starts with the next [`transmit`](Self::transmit), and how much time is on it, `None` if the time is
    /// not limited. No clock runs at this moment, so this is the time to look at the host.
    pub fn due(&self) -> Option<(Color, Option<Duration>)> {
        let side = self.side_to_move();
        let waits = self.outcome.is_none() && self.phase == GamePhase::Due;
        waits.then(|| (side, self.players[side.index()].clock.allowed()))
    }

    /// The next lines to write, and to whom, the side to move first. `now` must be
    /// taken just before the write: where the lines let a clock run, it starts then.
    /// Call it until it gives `None`.
    pub fn transmit(&mut self, now: Stamp) -> Option<(Color, &str)> {
        if self.outcome.is_some() && !self.winding_up {
            return None;
        }
        if self.outcome.is_none() && self.phase == GamePhase::Due {
            self.start_clock(now);
        }
        let waits = |side: &Color| !self.players[side.index()].outbox.is_empty();
        let mover = self.side_to_move();
        let side = [mover, !mover].into_iter().find(waits)?;
        if let GamePhase::Checking(check) = &mut self.phase
            && side == mover
        {
            check.deadline.get_or_insert(now + check.limit);
        }
        self.sending.clear();
        if side == mover {
            self.resume(now);
        }
        let player = &mut self.players[side.index()];
        std::mem::swap(&mut self.sending, &mut player.outbox.text);
        if player.outbox.go {
            player.since = now;
        }
        player.dialog.written(&mut player.outbox);
        Some((side, &self.sending))
    }

    /// When [`tick`](Self::tick) must be called if nothing else happens.
    pub fn deadline(&self) -> Option<Stamp> {
        match self.phase {
            _ if self.outcome.is_some() => None,
            GamePhase::Preparing(check) | GamePhase::Checking(check) => check.deadline,
            GamePhase::Running(turn) => {
                let fallen = self.fallen.as_ref().map(|fallen| fallen.next_look);
                let echo = self.echo.as_ref().and_then(|echo| echo.until);
                let sooner = self.unbegun.into_iter().chain(echo).min();
                let deadline = fallen.unwrap_or(turn.end());
                Some(sooner.map_or(deadline, |sooner| sooner.min(deadline)))
            }
            GamePhase::Due => None,
        }
    }

    /// Whether somebody's time runs, or a flag has fallen.
    pub fn is_on_clock(&self) -> bool {
        matches!(self.phase, GamePhase::Running(_))
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
        self.expired(at);
        let (player, wanted) = (&mut self.players[side.index()], &self.settings.kept_lines);
        if !wanted.is_empty() && player.dialog.searches() {
            player.found_lines.note(line, wanted);
        }
        let message = Message::parse_in_game(line);
        if let Message::BestMove { text, .. } = message
            && !self.is_decided()
            && self.is_echo(side, text)
        {
            return self.hold_echo(side, text, at);
        }
        let heard = self.players[side.index()].dialog.hear(message);
        if self.outcome.is_some() {
            return self.hear_after_the_end(side, heard);
        }
        if let Some(fallen) = &mut self.fallen
            && matches!(heard, Heard::Free | Heard::Answer { .. } | Heard::Ready)
            && side == self.game.position().side_to_move()
        {
            fallen.spoke = true;
        }
        match heard {
            Heard::Free => self.free(side, at),
            Heard::Answer { text, ponder } => self.best_move(side, text, ponder, at),
            Heard::Report(info) => self.note(side, info, at),
            Heard::Unasked => self.players[side.index()].breaches.unasked_bestmoves += 1,
            Heard::Early => self.ended_early(side, at),
            Heard::Ready => self.ready_after_echo(side, at),
            Heard::Nothing => {}
        }
    }

    /// What an engine is doing, by what was written to it and what it has said.
    pub fn search(&self, side: Color) -> SearchState {
        self.players[side.index()].dialog.search
    }

    /// A line was longer than the buffer, and only its beginning was handed in.
    pub fn overlong_line(&mut self, side: Color) {
        self.players[side.index()].breaches.overlong_lines += 1;
    }

    /// Time has passed.
    pub fn tick(&mut self, at: Stamp) {
        self.expired(at);
        if self.outcome.is_none() && !self.judge_echo(at) {
            self.waited_to_begin(at);
        }
    }

    /// The runner stops: the game does not count. A flag that has fallen loses it nevertheless, except while the host
    /// could still be found to be to blame, where the event takes that into account.
    pub fn interrupt(&mut self, reason: VoidReason) {
        if self.outcome.is_some() {
            return;
        }
        match self.fallen {
            Some(fallen)
                if self.is_lost()
                    || !(self.deducts() || self.excuses_host(self.side_to_move())) =>
            {
                self.flag_fall(fallen, fallen.at)
            }
            _ => self.outcome = Some(Outcome::Void(reason)),
        }
    }

    /// The record, once the game is over.
    pub fn finish(&mut self) -> Option<GameRecord> {
        let outcome = self.outcome.clone()?;
        let (start, opening) = (&self.settings.start, &self.settings.opening);
        Some(GameRecord {
            moves: std::mem::take(&mut self.moves),
            outcome,
            faults: std::mem::take(&mut self.faults),
            breaches: self.breaches(),
            ..GameRecord::unplayed(start.clone(), opening.clone())
        })
    }

    /// An engine has answered all that it owed when it was preparing or stopping.
    fn free(&mut self, side: Color, at: Stamp) {
        match self.phase {
            GamePhase::Preparing(_) => self.prepared(false, at),
            GamePhase::Checking(_) if self.side_to_move() == side => self.checked(side),
            GamePhase::Running(turn) if self.side_to_move() == side => {
                self.ask_anew(turn, at, true);
            }
            _ => {}
        }
    }

    fn note(&mut self, side: Color, info: InfoLine<'_>, at: Stamp) {
        let lives = self.players[side.index()].note(info, at);
        if self.side_to_move() != side {
            return;
        }
        self.echo = None;
        match self.phase {
            GamePhase::Due if self.unbegun.is_some() => self.ask(at),
            GamePhase::Running(_) if self.unbegun.is_some() => self.end_pondering(),
            _ if lives => self.extend_stall(at),
            _ => {}
        }
    }
}

/// How a game is over before its first move, if it is: on the board, by tables that apply to every position whose counter
/// is 0, or by a rule that wants no moves.
fn decided_at_the_start(game: &Game, settings: &GameSettings) -> Option<Outcome> {
    let tables = settings.adjudication.tablebase.as_ref();
    let by_tables = || {
        let rule = tables.filter(|rule| rule.zeroing)?;
        rule.judge(game.position())
    };
    let by_score = || Adjudicator::before_the_first_move(&settings.adjudication, game.position());
    let by_rule = || by_tables().or_else(by_score);
    game.ending().map(Outcome::from).or_else(by_rule)
}
