//! Deadlines that have passed, and faults: what ends a game other than a move; and what comes after the end.

use std::time::Duration;

use super::{FallenFlag, GamePhase, PendingMove, Referee};
use crate::chess::{Color, Position};
use crate::clock::Stamp;
use crate::referee::player::Player;
use crate::referee::search::Heard;
use crate::referee::{
    DrawnBy, EndedSearch, Exit, Fault, FaultKind, IdlePolicy, IdleTimes, Observation, Outcome,
    Thinking, VoidReason, WonBy,
};
use crate::text::duration;

impl Referee {
    /// A fault that only the driver can see, such as an engine that would not start. After a
    /// flag has fallen it comes too late: the game is lost already.
    pub fn fault(&mut self, side: Color, kind: FaultKind, detail: String, at: Stamp) {
        if !self.is_decided() {
            self.judge_failures(side, kind, detail, at);
        }
    }

    /// A fault of this side for which the host may be to blame: the game is void, as often as the event allows that for
    /// one engine, and lost after that.
    pub(crate) fn excuse(&mut self, side: Color, kind: FaultKind, detail: String, at: Stamp) {
        if self.outcome.is_some() {
            return;
        }
        let what = format!("{side}: {detail}");
        self.judge_failures(side, kind, detail, at);
        if self.settings.excused[side.index()] {
            self.outcome = Some(Outcome::Void(VoidReason::HostFault(what)));
        }
    }

    /// An engine's process has ended by itself, in this way; `None`: it lives on, and has closed its input or output. If it has
    /// made its move, that counts: the loss comes at its next turn. In preparation its opponent keeps its time to answer.
    pub fn ended(&mut self, side: Color, exit: Option<Exit>, at: Stamp) {
        self.players[side.index()].gone = Some(match exit {
            Some(exit) => format!("the process {exit}"),
            None => "the engine lives on, but closed its input or output".to_owned(),
        });
        self.expired(at);
        if self.outcome.is_some() || self.is_lost() {
            return;
        }
        if matches!(self.phase, GamePhase::Preparing(_)) {
            self.prepared(false, at);
        } else if self.side_to_move() == side {
            // Nobody kept it from a move that will not come.
            self.fallen = None;
            self.fail(self.crashes(), at);
        }
    }

    /// A side cannot play on; its opponent may have ended before.
    pub(super) fn judge_failures(
        &mut self,
        side: Color,
        kind: FaultKind,
        detail: String,
        at: Stamp,
    ) {
        let mut failures = self.crashes();
        failures[side.index()] = Some((kind, detail));
        self.fail(failures, at);
    }

    /// The one judge of engines that cannot play, by what each did wrong. If both did, both faults are kept, and the side
    /// to move loses: in the second game of the pair that is the other engine.
    pub(crate) fn fail(&mut self, mut failures: [Option<(FaultKind, String)>; 2], at: Stamp) {
        let mover = self.side_to_move();
        let are_both = failures.iter().all(Option::is_some);
        // The fault that decides comes first.
        for side in [mover, !mover] {
            let Some((kind, mut detail)) = failures[side.index()].take() else {
                continue;
            };
            if are_both {
                detail.push_str("; both are at fault, and the side to move loses");
            }
            if self.faults.is_empty() {
                self.outcome = Some(self.forfeit(side, kind));
            }
            self.faults.push(Fault {
                side,
                kind,
                ply: u32::try_from(self.plies()).unwrap_or(u32::MAX),
                at,
                detail,
                stderr: None,
                evidence: None,
            });
        }
    }

    fn forfeit(&self, side: Color, kind: FaultKind) -> Outcome {
        let rule = self.settings.adjudication.flag_fall;
        let (way, position) = (self.settings.compatibility, self.game.position());
        if way.draws_forfeit(kind, rule, position, !side) {
            Outcome::Drawn(DrawnBy::ForfeitAgainstNoMate(kind))
        } else {
            Outcome::Won {
                by: !side,
                how: WonBy::Forfeit(kind),
            }
        }
    }

    /// Whether the game is over, or a flag has fallen for good.
    pub(super) fn is_decided(&self) -> bool {
        self.outcome.is_some() || (self.fallen.is_some() && (self.is_lost() || !self.deducts()))
    }

    /// Whether a flag has fallen, and it is decided by whose fault.
    pub(super) fn is_lost(&self) -> bool {
        self.fallen.is_some_and(|fallen| fallen.decided.is_some())
    }

    /// The deadline may have passed.
    pub(super) fn expired(&mut self, at: Stamp) {
        let is_late = |deadline: Option<Stamp>| deadline.is_some_and(|deadline| at > deadline);
        let phase = self.phase;
        match phase {
            _ if self.outcome.is_some() || self.fallen.is_some() || self.weighs().is_some() => {}
            GamePhase::Preparing(check) if is_late(check.deadline) => self.prepared(true, at),
            GamePhase::Checking(check) if is_late(check.deadline) => self.unanswered(check, at),
            GamePhase::Running(turn) if at > turn.end() && !self.judge_echo(at) => {
                self.out_of_time(turn, at);
            }
            _ => {}
        }
    }

    /// What each side did wrong in preparation, where the time for that is over if it `is_late`: then an engine that does
    /// not answer has lost. What the host took from it was given back before.
    pub(super) fn prepared(&mut self, is_late: bool, at: Stamp) {
        let settled = |player: &Player| player.gone.is_some() || player.is_ready();
        if !is_late && !self.players.iter().all(settled) {
            return;
        }
        let within = duration(self.settings.timeouts.new_game);
        let host = self.words_of_the_host();
        let failures = self.players.each_ref().map(|player| match &player.gone {
            Some(words) => Some((FaultKind::Crash, words.clone())),
            None if player.is_ready() => None,
            None => {
                let detail = format!("no readyok within {within} of ucinewgame{host}");
                Some((FaultKind::NotReady, detail))
            }
        });
        match failures {
            [None, None] => self.ask(at),
            failures => self.fail(failures, at),
        }
    }

    /// A search without a time limit has stalled. For any other search the flag has fallen, and who is to blame is
    /// decided now or after a while.
    pub(super) fn out_of_time(&mut self, turn: PendingMove, at: Stamp) {
        let side = self.side_to_move();
        if self.players[side.index()].clock.allowed().is_none() {
            let elapsed = duration(at.saturating_since(turn.sent));
            let host = self.words_of_the_host();
            let detail = format!("no move for {elapsed}{host}");
            return self.fault(side, FaultKind::Stall, detail, at);
        }
        let fallen = FallenFlag::new(turn, at);
        if self.watched {
            self.unfinished.clear();
            self.fallen = Some(fallen);
        } else {
            self.flag_fall(fallen, at);
        }
    }

    /// The engines that are gone, and how.
    pub(super) fn crashes(&self) -> [Option<(FaultKind, String)>; 2] {
        let players = self.players.each_ref();
        players.map(|player| Some((FaultKind::Crash, player.gone.clone()?)))
    }
}

// After the game: engines that still search get `stop`, and the answers that they owe are read. Only an engine that is
// idle then can play another game; otherwise an answer that it still owes would be taken for one that the next game
// awaits.

impl Referee {
    /// How long a search on the opponent's time may take to begin before `stop` is sent.
    pub(crate) const BEGINNING: Duration = super::turn::BEGINNING;

    /// The game is over and its record has been taken: `stop` waits to be sent to every engine whose search has begun.
    /// From here on lines are only counted.
    pub fn wind_up(&mut self) {
        self.winding_up = true;
        for player in &mut self.players {
            player.outbox.clear();
            if !player.is_to_begin() {
                player.stop_search();
            }
        }
    }

    /// Sends `stop` to every engine that searches and has not yet got it.
    pub fn stop_now(&mut self) {
        self.players.iter_mut().for_each(Player::stop_search);
    }

    /// A line after the end: `stop` is sent to a search that has begun.
    pub(super) fn hear_after_the_end(&mut self, side: Color, heard: Heard<'_>) {
        if self.winding_up && matches!(heard, Heard::Report(_)) {
            self.players[side.index()].stop_search();
        }
    }

    /// Whether an answer of this engine is to be waited for before it can play again.
    pub fn owes(&self, side: Color) -> bool {
        let player = &self.players[side.index()];
        player.dialog.owes() && player.gone.is_none()
    }

    /// Whether this engine can play another game: it has answered all that it was asked, and
    /// said `readyok` no oftener than it was asked.
    pub fn is_idle(&self, side: Color) -> bool {
        let player = &self.players[side.index()];
        player.dialog.is_idle() && player.gone.is_none() && player.outbox.is_empty()
    }
}

// What is seen of a game while it is played: by people, by those who look at every line of a search, and what the host
// and the side that waits did during a move.

impl Referee {
    /// Whether both engines were ready, and the first has got `go` or is about to get it.
    pub(crate) fn has_begun(&self) -> bool {
        !matches!(self.phase, GamePhase::Preparing(_))
    }

    /// Whether a search of this side ran on past its limit, until it was told to stop.
    pub(crate) fn limit_ignored(&self, side: Color) -> Option<&str> {
        self.players[side.index()].limit_ignored.as_deref()
    }

    /// The position on the board.
    pub(crate) fn position(&self) -> &Position {
        self.game.position()
    }

    /// What was on a clock when the present turn began; `None` where no clock runs.
    pub(crate) fn clock(&self, side: Color) -> Option<Duration> {
        self.players[side.index()].clock.remaining()
    }

    /// Since when the clock of the side to move runs.
    pub(crate) fn clock_runs_since(&self) -> Option<Stamp> {
        match self.phase {
            GamePhase::Running(turn) if self.fallen.is_none() => Some(turn.sent + turn.taken),
            GamePhase::Preparing(_)
            | GamePhase::Checking(_)
            | GamePhase::Due
            | GamePhase::Running(_) => None,
        }
    }

    /// What an engine reports about the search that runs, or ran last.
    pub(crate) fn thinking(&self, side: Color) -> Thinking {
        self.players[side.index()].thinking()
    }

    /// The same, or from the search before if this one has no report yet.
    pub(crate) fn said_last(&self, side: Color) -> Thinking {
        let thinking = self.thinking(side);
        let before = usize::from(self.side_to_move() == side);
        match self.moves.iter().rev().nth(before) {
            Some(record) if thinking.score.is_none() => record.thinking.clone(),
            _ => thinking,
        }
    }

    /// What the host did during the last move.
    pub fn observed(&mut self, host: Box<Observation>) {
        if let Some(last) = self.moves.last_mut() {
            last.host = Some(host);
        }
    }

    /// Processor time that the side to move used while its opponent made the last move. Above the limit of the event it
    /// may have lost the game by that.
    pub fn idled(&mut self, times: IdleTimes, now: Stamp) {
        let Some(last) = self.moves.last_mut() else {
            return;
        };
        last.idle = Some(times);
        let side = self.game.position().side_to_move();
        let all = self.idle[side.index()].plus(times);
        self.idle[side.index()] = all;
        let rule = self.settings.idle_cpu;
        if rule.policy == IdlePolicy::Fault && rule.is_exceeded(all) {
            let detail = format!(
                "{} on a processor in {} of its opponent's time, {:.0} %; allowed {} %",
                duration(all.cpu),
                duration(all.watched),
                all.percent(),
                rule.percent
            );
            self.fault(side, FaultKind::IdleCpu, detail, now);
        }
    }

    /// Whether this side is to be frozen now: it waits for its opponent, the event freezes engines that wait, and it
    /// has nothing to do.
    pub fn is_to_freeze(&self, side: Color) -> bool {
        self.settings.idle_cpu.policy == IdlePolicy::Freeze && self.is_idling(side)
    }

    /// Whether this side has nothing to do until its opponent has moved.
    pub fn is_idling(&self, side: Color) -> bool {
        side != self.side_to_move() && self.players[side.index()].is_ready()
    }

    /// From here on every line with a score is kept, for [`Referee::take_search`].
    pub(crate) fn followed(mut self) -> Referee {
        for player in &mut self.players {
            player.scored_lines = Some(Vec::new());
        }
        self
    }

    /// The search that has ended since the last call, if one has.
    pub(crate) fn take_search(&mut self) -> Option<Box<EndedSearch>> {
        self.ended_search.take()
    }

    /// A side has answered with this move.
    pub(super) fn search_ended(&mut self, side: Color, answer: &str, is_legal: bool) {
        let player = &mut self.players[side.index()];
        let Some(lines) = &mut player.scored_lines else {
            return;
        };
        self.ended_search = Some(Box::new(EndedSearch {
            side,
            start: self.game.start().clone(),
            moves: self.game.moves().to_vec(),
            lines: std::mem::take(lines),
            said_more: player.said_more,
            answer: answer.to_owned(),
            is_legal,
        }));
    }
}
