//! Between the referee and two pairs of pipes. All decisions are the referee's;
//! here bytes are moved and stamps are taken.
//!
//! **Invariant: the side whose clock runs waits for nobody.** Its pipe is read and stamped before
//! a byte of the other side is looked at. The other side is read only a portion at a time.
//!
//! | file | what |
//! |---|---|
//! | `mod` | one game |
//! | `endings` | how engines end, and what they owe after the game |
//! | `waits` | how long is waited for what: for one that answers at once, for the other side, for one kept from running |

mod endings;
mod waits;

use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use crate::chess::Color;
use crate::clock::Stamp;
use crate::engine::process::Process;
use crate::event::{GameId, Seat};
use crate::host::epoch::Epoch;
use crate::host::idle::IdleWatch;
use crate::host::observer::HostObserver;
use crate::host::standstill;
use crate::referee::{DialogueRecorder, GameRecord, Referee, VoidReason};
use crate::run::game::DurableMoves;
use crate::run::live_updates::{FollowedSearch, LaneReporter, Searches};
use crate::run::signals::Stop;

pub(crate) use endings::ProcessEnd;
use waits::{BusyWait, OpponentInput, PORTION, StarvationAllowance};

/// What a wait ended with.
enum WakeReason {
    /// Bytes of this engine's stdout were read, or it ended.
    Read(Color, bool),
    /// Input that had waited was written, or cannot be.
    Wrote(Color, bool),
    /// This engine's stderr was read.
    Complained(Color),
    /// The first process of this engine has ended.
    Ended(Color),
    /// The deadline has come.
    Late,
    /// The runner stops.
    Stopped,
}

/// What follows the games of a lane in addition to the referee.
pub(crate) struct GameObservers {
    /// Watches the host.
    pub observer: HostObserver,
    /// Watches the engine that is not to move.
    pub idle: IdleWatch,
    /// Keeps the last lines of the dialogue.
    pub listener: DialogueRecorder,
    /// Tells those who listen what passes.
    pub reporter: LaneReporter,
    /// Keeps the moves.
    pub durable: DurableMoves,
}

impl GameObservers {
    fn take_line(&mut self, referee: &mut Referee, side: Color, line: &str, now: Stamp) {
        self.listener.heard(side, line, now);
        referee.line(side, line, now);
        // Before anything else is heard; no clock runs.
        if referee.weighs().is_some() {
            referee.testify(&self.observer.evidence(true, now), now);
            if let Some((side, allowed)) = referee.resumes() {
                self.observer.begin(side, allowed, now);
            }
        }
    }
}

/// A game of two engines that are ready, White first.
pub(crate) struct GameDriver<'lane> {
    pub referee: &'lane mut Referee,
    pub engines: [&'lane mut Process; 2],
    pub epoch: Epoch,
    pub stop: &'lane mut watch::Receiver<Stop>,
    pub watch: &'lane mut GameObservers,
    /// Those who follow the lines of searches, and the game that the lines belong to.
    pub searches: &'lane Searches,
    pub game: (GameId, [Seat; 2]),
    /// How far the ends of both are known, by [`Color::index`].
    pub endings: [ProcessEnd; 2],
}

impl GameDriver<'_> {
    pub(crate) async fn play(&mut self) -> GameRecord {
        let record = self.play_through().await;
        self.engines.iter_mut().for_each(|engine| engine.thaw());
        record
    }

    async fn play_through(&mut self) -> GameRecord {
        // What was said before the first command answers nothing.
        for side in Color::ALL {
            self.hear_before_its_turn(side);
        }
        let mut busy_wait = BusyWait::default();
        let mut opponent_input = OpponentInput::default();
        let mut starvation_allowance = StarvationAllowance::default();
        let mut looked = Instant::now();
        loop {
            // No clock runs between an answer and what is transmitted next.
            self.watch.durable.keep(self.referee).await;
            self.watch.reporter.board(self.referee);
            self.pass_on_search();
            self.transmit();
            self.tell_of_endings().await;
            if let Some(record) = self.referee.finish() {
                return record;
            }
            let mover = self.referee.side_to_move();
            let deadline = self.due(&starvation_allowance);
            let asked = Instant::now();
            let pause = opponent_input.pause(mover, self.referee.is_on_clock(), asked);
            let deadline = pause.map_or(deadline, |end| deadline.min(end));
            let output = &mut self.engines[mover.index()].output;
            let mut woken = match busy_wait.stay_awake(mover, output) {
                Some(open) => WakeReason::Read(mover, open),
                None => self.wait(mover, pause.is_some(), deadline).await,
            };
            if let Some(open) = self.answer_at_a_timer(&woken, mover) {
                woken = WakeReason::Read(mover, open);
            }
            let woke = Instant::now();
            // From one wake to the next: a runner may be stopped at any point between them.
            let overslept = standstill::overslept(deadline, looked, woke);
            looked = woke;
            let now = self.epoch.stamp(woke);
            self.watch.observer.woken(now, overslept);
            self.watch.idle.woken(now);
            if let Some(still) = overslept {
                self.referee.stood_still(still, now);
            }
            starvation_allowance.attend(self.referee, &self.engines, now);
            let moves = self.referee.moves().len();
            // Asked here too: an engine that writes without end keeps `wait` busy.
            if *self.stop.borrow() >= Stop::VoidGames {
                self.referee.interrupt(VoidReason::Interrupted);
            }
            if let Some(side) = self.take(woken, mover, now) {
                opponent_input.heard(side, asked);
            }
            // Whatever woke us: an engine that writes half a line, or to stderr, without
            // end would otherwise keep the timer from being heard.
            self.referee.tick(now);
            self.tell_of_the_host(moves);
            if self.referee.side_to_move() != mover {
                busy_wait.answered(mover);
            }
        }
    }

    /// When something is to be done although nothing has come.
    /// Passes on a search that has ended.
    fn pass_on_search(&mut self) {
        if let Some(search) = self.referee.take_search() {
            let (game, seats) = self.game;
            self.searches.tell(FollowedSearch {
                game,
                seats,
                search,
            });
        }
    }

    fn due(&self, starvation_allowance: &StarvationAllowance) -> Instant {
        let looks = earlier(self.watch.observer.due(), self.watch.idle.due());
        let looks = earlier(looks, starvation_allowance.due(self.referee));
        let deadline = earlier(self.referee.deadline(), looks);
        self.epoch.instant(deadline.unwrap_or(Stamp(u64::MAX)))
    }

    /// Takes what has woken us. Returns the side that may have to wait before it is heard again.
    fn take(&mut self, woken: WakeReason, mover: Color, now: Stamp) -> Option<Color> {
        match woken {
            WakeReason::Read(side, open) if side == mover => {
                self.take_lines(side, open, now);
                self.watch.reporter.thinking(self.referee, side, now);
            }
            WakeReason::Read(side, open) => {
                self.take_early_lines(mover, open);
                return Some(side);
            }
            WakeReason::Complained(side) => return Some(side),
            WakeReason::Ended(side) => self.notice_end(side),
            WakeReason::Wrote(side, false) => self.close_input(side),
            WakeReason::Stopped => self.referee.interrupt(VoidReason::Interrupted),
            WakeReason::Late | WakeReason::Wrote(_, true) => {}
        }
        None
    }

    /// Takes what the opponent of `mover` has said.
    fn take_early_lines(&mut self, mover: Color, open: bool) {
        // The mover's answer may have come meanwhile: nothing keeps it waiting.
        let output = &mut self.engines[mover.index()].output;
        if let Some(open) = output.is_open().then(|| output.try_fill()).flatten() {
            self.take_lines(mover, open, self.epoch.now());
        }
        self.take_lines(!mover, open, self.epoch.now());
    }

    /// What was seen of the host, where a move has been made (`before` is how many there were) or a flag
    /// has fallen.
    fn tell_of_the_host(&mut self, moves: usize) {
        let epoch = self.epoch;
        let now = epoch.now();
        if self.referee.moves().len() > moves {
            if let Some(host) = self.watch.observer.observe(now) {
                self.referee.observed(host);
            }
            if let Some(idle) = self.watch.idle.end(now, || epoch.now()) {
                self.referee.idled(idle, now);
            }
        }
        if let Some(answered) = self.referee.awaits_testimony() {
            let mover = self.referee.side_to_move();
            let begun = self.engines[mover.index()].output.lines.unfinished();
            self.referee.unfinished_line(&begun);
            let seen = self.watch.observer.evidence(answered, now);
            self.referee.testify(&seen, now);
        }
    }

    /// Writes what the referee wants to say, the stamp taken just before the write.
    fn transmit(&mut self) {
        if let Some((side, _)) = self.referee.due() {
            self.hear_before_its_turn(side);
        }
        if let Some((side, allowed)) = self.referee.due() {
            self.attend(side);
            self.watch.observer.begin(side, allowed, self.epoch.now());
        }
        loop {
            let now = self.epoch.now();
            let Some((side, text)) = self.referee.transmit(now) else {
                break;
            };
            let engine = &mut self.engines[side.index()];
            self.watch.listener.told(side, text, now);
            if engine.input.send(text).is_err() {
                self.close_input(side);
            }
        }
        self.watch.durable.sync();
    }

    /// This engine reads no more. What it has said still counts.
    fn close_input(&mut self, side: Color) {
        self.engines[side.index()].input.close();
        self.notice_end(side);
    }

    /// The clock of this side is about to be started: the engine must not be frozen. Its opponent is
    /// watched, or frozen, if it has nothing to do.
    fn attend(&mut self, side: Color) {
        let epoch = self.epoch;
        self.engines[side.index()].thaw();
        if self.referee.is_idling(!side) {
            self.watch.idle.begin(!side, epoch.now(), || epoch.now())
        } else {
            self.watch.idle.rest()
        }
        if self.referee.is_to_freeze(!side) {
            self.engines[(!side).index()].freeze();
        }
    }

    /// What an engine said before its clock is started was said outside of its turn. No clock runs
    /// now, so it costs nobody anything; what an engine writes meanwhile is not read before the clock
    /// runs, and has itself to thank for it.
    fn hear_before_its_turn(&mut self, side: Color) {
        let now = self.epoch.now();
        let mut waiting = self.engines[side.index()].output.waiting();
        while waiting > 0 {
            let output = &mut self.engines[side.index()].output;
            let before = output.lines.pending();
            let Some(open) = output.try_fill() else {
                return;
            };
            let read = output.lines.pending() - before;
            waiting = waiting.saturating_sub(read.max(1) as u64);
            self.take_lines(side, open, now);
        }
    }

    /// The next thing that happens. Reads come first, the side to move before the
    /// other, so that an answer that is there is never overtaken by a timer. In a `pause` the
    /// other side is not heard.
    async fn wait(&mut self, mover: Color, pause: bool, deadline: Instant) -> WakeReason {
        let [first_lives, second_lives] =
            [mover, !mover].map(|side| self.endings[side.index()] == ProcessEnd::None);
        let [white, black] = &mut self.engines;
        let (first, second) = match mover {
            Color::White => (white, black),
            Color::Black => (black, white),
        };
        tokio::select! {
            biased;
            open = first.output.fill(), if first.output.is_open() => WakeReason::Read(mover, open),
            open = second.output.fill_some(PORTION), if !pause && second.output.is_open() => WakeReason::Read(!mover, open),
            wrote = first.input.flush(), if first.input.is_waiting() => WakeReason::Wrote(mover, wrote.is_ok()),
            wrote = second.input.flush(), if second.input.is_waiting() => WakeReason::Wrote(!mover, wrote.is_ok()),
            () = first.errors.drain(), if first.errors.is_open() => WakeReason::Complained(mover),
            () = second.errors.drain(), if !pause && second.errors.is_open() => WakeReason::Complained(!mover),
            () = first.leader.ended(), if first_lives => WakeReason::Ended(mover),
            () = second.leader.ended(), if second_lives => WakeReason::Ended(!mover),
            () = sleep_until(deadline) => WakeReason::Late,
            () = stopped(self.stop) => WakeReason::Stopped,
        }
    }

    /// What the side to move had written when a timer woke us. The runtime does not know of it where a signal ended its
    /// sleep: a runner that was stopped sees its timers first.
    fn answer_at_a_timer(&mut self, woken: &WakeReason, mover: Color) -> Option<bool> {
        let output = &mut self.engines[mover.index()].output;
        let asks = matches!(woken, WakeReason::Late) && output.is_open();
        asks.then(|| output.try_fill()).flatten()
    }

    /// Hands lines to the referee: all bytes of one read carry one stamp.
    fn take_lines(&mut self, side: Color, open: bool, now: Stamp) {
        let engine = &mut *self.engines[side.index()];
        while let Some(line) = engine.output.lines.next_line() {
            if line.truncated {
                self.referee.overlong_line(side);
            }
            self.watch.take_line(self.referee, side, line.text, now);
        }
        if !open {
            self.notice_end(side);
        }
    }
}

/// The earlier of two moments that may not be.
fn earlier(one: Option<Stamp>, other: Option<Stamp>) -> Option<Stamp> {
    one.into_iter().chain(other).min()
}

/// Returns when running games are to be given up. Nothing is lost if it is cancelled.
pub(crate) async fn stopped(stop: &mut watch::Receiver<Stop>) {
    let stopped = stop.wait_for(|stop| *stop >= Stop::VoidGames);
    // Without a sender nobody can ask for a stop any more.
    if stopped.await.is_err() {
        std::future::pending().await
    }
}
