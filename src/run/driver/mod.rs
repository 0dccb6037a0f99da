//! Between the referee and two pairs of pipes. All decisions are the referee's;
//! here bytes are moved and stamps are taken.
//!
//! **Invariant: the side whose clock runs waits for nobody.** Its pipe is read and stamped before
//! a byte of the other side is looked at. The other side is read only a portion at a time.
//!
//! | file | what |
//! |---|---|
//! | `mod` | one game |
//! | `starvation_allowance` | more time for an engine that was kept from running |
//! | `opponent_input` | how much of the other side is heard |
//! | `winding` | after the game |

mod opponent_input;
mod starvation_allowance;
mod winding;

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
use crate::run::busy_wait::BusyWait;
use crate::run::glimpses::Reporter;
use crate::run::searches::{FollowedSearch, Searches};
use crate::run::signals::Stop;

use opponent_input::OpponentInput;
use starvation_allowance::StarvationAllowance;
pub(crate) use winding::wind_up;

/// What a wait ended with.
enum Woken {
    /// Bytes of this engine's stdout were read, or it ended.
    Read(Color, bool),
    /// Input that had waited was written, or cannot be.
    Wrote(Color, bool),
    /// This engine's stderr was read.
    Complained(Color),
    /// The deadline has come.
    Late,
    /// The runner stops.
    Stopped,
}

/// What follows a game in addition to the referee.
pub(crate) struct GameObservers<'lane> {
    /// Watches the host.
    pub observer: &'lane mut HostObserver,
    /// Watches the engine that is not to move.
    pub idle: &'lane mut IdleWatch,
    /// Keeps the last lines of the dialogue.
    pub listener: &'lane mut DialogueRecorder,
    /// Tells those who listen what passes.
    pub reporter: &'lane mut Reporter,
    /// Those who follow the lines of searches, and the game that the lines belong to.
    pub searches: &'lane Searches,
    pub game: (GameId, [Seat; 2]),
}

impl GameObservers<'_> {
    /// Passes on a search that has ended.
    fn search(&self, referee: &mut Referee) {
        if let Some(search) = referee.take_search() {
            let (game, seats) = self.game;
            self.searches.tell(FollowedSearch {
                game,
                seats,
                search,
            });
        }
    }
}

/// Plays one game with two engines that are ready, White first.
pub(crate) async fn play(
    referee: &mut Referee,
    mut engines: [&mut Process; 2],
    epoch: Epoch,
    stop: &mut watch::Receiver<Stop>,
    watch: &mut GameObservers<'_>,
) -> GameRecord {
    let record = play_through(referee, &mut engines, epoch, stop, watch).await;
    engines.into_iter().for_each(Process::thaw);
    record
}

async fn play_through(
    referee: &mut Referee,
    engines: &mut [&mut Process; 2],
    epoch: Epoch,
    stop: &mut watch::Receiver<Stop>,
    watch: &mut GameObservers<'_>,
) -> GameRecord {
    // What was said before the first command answers nothing.
    for side in Color::ALL {
        hear_before_its_turn(referee, engines[side.index()], side, epoch.now(), watch);
    }
    let mut busy_wait = BusyWait::default();
    let mut opponent_input = OpponentInput::default();
    let mut starvation_allowance = StarvationAllowance::default();
    loop {
        // No clock runs between an answer and what is transmitted next.
        watch.reporter.board(referee);
        watch.search(referee);
        // A clock that starts with what is transmitted runs from here on.
        let listened = Instant::now();
        transmit(referee, engines, epoch, watch);
        if let Some(record) = referee.finish() {
            return record;
        }
        let mover = referee.side_to_move();
        let looks = earlier(watch.observer.due(), watch.idle.due());
        let looks = earlier(looks, starvation_allowance.due(referee));
        let deadline = earlier(referee.deadline(), looks);
        let deadline = epoch.instant(deadline.unwrap_or(Stamp(u64::MAX)));
        let looked = Instant::now();
        let pause = opponent_input.pause(mover, referee.is_on_clock(), looked);
        let deadline = pause.map_or(deadline, |end| deadline.min(end));
        let woken = match busy_wait.stay_awake(mover, &mut engines[mover.index()].output) {
            Some(open) => Woken::Read(mover, open),
            None => wait(mover, engines, pause.is_some(), deadline, stop).await,
        };
        let woke = Instant::now();
        let overslept = standstill::overslept(deadline, listened, woke);
        let now = epoch.stamp(woke);
        watch.observer.woken(now, overslept);
        watch.idle.woken(now);
        if let Some(still) = overslept {
            referee.stood_still(still, now);
        }
        starvation_allowance.attend(referee, engines, now);
        let moves = referee.moves().len();
        // Asked here too: an engine that writes without end keeps `wait` busy.
        if *stop.borrow() >= Stop::VoidGames {
            referee.interrupt(VoidReason::Interrupted);
        }
        match woken {
            Woken::Read(side, open) if side == mover => {
                take_lines(referee, engines[side.index()], side, open, now, watch);
                watch.reporter.thinking(referee, side, now);
            }
            Woken::Read(side, open) => {
                opponent_input.heard(side, looked);
                take_early_lines(referee, engines, mover, open, epoch, watch);
            }
            Woken::Wrote(side, false) => broken_input(referee, engines[side.index()], side, now),
            Woken::Stopped => referee.interrupt(VoidReason::Interrupted),
            Woken::Complained(side) => opponent_input.heard(side, looked),
            Woken::Late | Woken::Wrote(_, true) => {}
        }
        // Whatever woke us: an engine that writes half a line, or to stderr, without
        // end would otherwise keep the timer from being heard.
        referee.tick(now);
        tell_of_the_host(referee, watch, moves, epoch);
        if referee.side_to_move() != mover {
            busy_wait.answered(mover);
        }
    }
}

/// Takes what the opponent of `mover` has said.
fn take_early_lines(
    referee: &mut Referee,
    engines: &mut [&mut Process; 2],
    mover: Color,
    open: bool,
    epoch: Epoch,
    watch: &mut GameObservers<'_>,
) {
    // The mover's answer may have come meanwhile: nothing keeps it waiting.
    let output = &mut engines[mover.index()].output;
    if let Some(open) = output.is_open().then(|| output.try_fill()).flatten() {
        let now = epoch.now();
        take_lines(referee, engines[mover.index()], mover, open, now, watch);
    }
    let opponent = &mut engines[(!mover).index()];
    take_lines(referee, opponent, !mover, open, epoch.now(), watch);
}

/// What was seen of the host, where a move has been made (`before` is how many there were) or a flag
/// has fallen.
fn tell_of_the_host(
    referee: &mut Referee,
    watch: &mut GameObservers<'_>,
    moves: usize,
    epoch: Epoch,
) {
    let now = epoch.now();
    if referee.moves().len() > moves {
        if let Some(host) = watch.observer.observe(now) {
            referee.observed(host);
        }
        if let Some(idle) = watch.idle.end(now, || epoch.now()) {
            referee.idled(idle, now);
        }
    }
    if let Some(answered) = referee.awaits_testimony() {
        let seen = match referee.weighs() {
            Some(elapsed) => watch.observer.weighed(elapsed, now),
            None => watch.observer.host_evidence(answered, now),
        };
        referee.testify(&seen, now);
    }
}

/// The earlier of two moments that may not be.
fn earlier(one: Option<Stamp>, other: Option<Stamp>) -> Option<Stamp> {
    one.into_iter().chain(other).min()
}

/// Writes what the referee wants to say, the stamp taken just before the write.
fn transmit(
    referee: &mut Referee,
    engines: &mut [&mut Process; 2],
    epoch: Epoch,
    watch: &mut GameObservers<'_>,
) {
    if let Some((side, _)) = referee.due() {
        hear_before_its_turn(referee, engines[side.index()], side, epoch.now(), watch);
    }
    if let Some((side, allowed)) = referee.due() {
        attend(referee, engines, side, epoch, watch);
        watch.observer.begin(side, allowed, epoch.now());
    }
    loop {
        let now = epoch.now();
        let Some((side, text)) = referee.transmit(now) else {
            return;
        };
        let engine = &mut engines[side.index()];
        let sent = engine.input.send(text);
        watch.listener.told(side, text, now);
        if sent.is_err() {
            broken_input(referee, engine, side, epoch.now());
        }
    }
}

/// The clock of this side is about to be started: the engine must not be frozen. Its opponent is
/// watched, or frozen, if it has nothing to do.
fn attend(
    referee: &Referee,
    engines: &mut [&mut Process; 2],
    side: Color,
    epoch: Epoch,
    watch: &mut GameObservers<'_>,
) {
    engines[side.index()].thaw();
    match referee.is_idling(!side) {
        true => watch.idle.begin(!side, epoch.now(), || epoch.now()),
        false => watch.idle.rest(),
    }
    if referee.is_to_freeze(!side) {
        engines[(!side).index()].freeze();
    }
}

/// What an engine said before its clock is started was said outside of its turn. No clock runs
/// now, so it costs nobody anything; what an engine writes meanwhile is not read before the clock
/// runs, and has itself to thank for it.
fn hear_before_its_turn(
    referee: &mut Referee,
    engine: &mut Process,
    side: Color,
    now: Stamp,
    watch: &mut GameObservers<'_>,
) {
    let mut waiting = engine.output.waiting();
    while waiting > 0 {
        let before = engine.output.lines.pending();
        let Some(open) = engine.output.try_fill() else {
            return;
        };
        let read = engine.output.lines.pending() - before;
        waiting = waiting.saturating_sub(read.max(1) as u64);
        take_lines(referee, engine, side, open, now, watch);
    }
}

/// The next thing that happens. Reads come first, the side to move before the
/// other, so that an answer that is there is never overtaken by a timer. In a `pause` the
/// other side is not heard.
async fn wait(
    mover: Color,
    engines: &mut [&mut Process; 2],
    pause: bool,
    deadline: Instant,
    stop: &mut watch::Receiver<Stop>,
) -> Woken {
    let [white, black] = engines;
    let (first, second) = match mover {
        Color::White => (white, black),
        Color::Black => (black, white),
    };
    tokio::select! {
        biased;
        open = first.output.fill(), if first.output.is_open() => Woken::Read(mover, open),
        open = second.output.fill_some(opponent_input::PORTION), if !pause && second.output.is_open() => Woken::Read(!mover, open),
        wrote = first.input.flush(), if first.input.is_waiting() => Woken::Wrote(mover, wrote.is_ok()),
        wrote = second.input.flush(), if second.input.is_waiting() => Woken::Wrote(!mover, wrote.is_ok()),
        () = first.errors.drain(), if first.errors.is_open() => Woken::Complained(mover),
        () = second.errors.drain(), if !pause && second.errors.is_open() => Woken::Complained(!mover),
        () = sleep_until(deadline) => Woken::Late,
        () = stopped(stop) => Woken::Stopped,
    }
}

/// Returns when running games are to be given up. Nothing is lost if it is cancelled.
pub(crate) async fn stopped(stop: &mut watch::Receiver<Stop>) {
    // Without a sender nobody can ask for a stop any more.
    if stop
        .wait_for(|stop| *stop >= Stop::VoidGames)
        .await
        .is_err()
    {
        std::future::pending().await
    }
}

/// Hands lines to the referee: all bytes of one read carry one stamp.
fn take_lines(
    referee: &mut Referee,
    engine: &mut Process,
    side: Color,
    open: bool,
    now: Stamp,
    watch: &mut GameObservers<'_>,
) {
    while let Some(line) = engine.output.lines.next_line() {
        if line.truncated {
            referee.overlong_line(side);
        }
        take_line(referee, side, line.text, now, watch);
    }
    if !open {
        if let Some(line) = engine.output.lines.finish() {
            take_line(referee, side, line.text, now, watch);
        }
        closed(referee, engine, side, now);
    }
}

fn take_line(
    referee: &mut Referee,
    side: Color,
    line: &str,
    now: Stamp,
    watch: &mut GameObservers<'_>,
) {
    watch.listener.heard(side, line, now);
    referee.line(side, line, now);
    // Before anything else is heard; no clock runs.
    if let Some(elapsed) = referee.weighs() {
        referee.testify(&watch.observer.weighed(elapsed, now), now);
        if let Some((side, allowed)) = referee.resumes() {
            watch.observer.begin(side, allowed, now);
        }
    }
}

/// An engine that closes its output may have been ended for using more than it may: that
/// is what it loses for, also when it is not its turn.
fn closed(referee: &mut Referee, engine: &Process, side: Color, now: Stamp) {
    if let Some(exceeded) = engine.exceeded() {
        referee.tick(now);
        referee.fault(side, exceeded.fault(), exceeded.to_string(), now);
    }
    referee.closed(side, now);
}

/// An engine that takes no input may still have said something: its output
/// decides, and ends a moment later.
fn broken_input(referee: &mut Referee, engine: &mut Process, side: Color, now: Stamp) {
    engine.input.close();
    if !engine.output.is_open() {
        closed(referee, engine, side, now);
    }
}
