//! Between the referee and two pairs of pipes. All decisions are the referee's;
//! here bytes are moved and stamps are taken.

use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use crate::chess::Color;
use crate::clock::Stamp;
use crate::referee::{GameRecord, Listener, Referee, VoidReason};
use crate::run::epoch::Epoch;
use crate::run::patience::Patience;
use crate::run::process::Process;
use crate::run::signals::Stop;
use crate::run::standstill;
use crate::run::witness::Witness;

/// What a wait ended with.
enum Woken {
    /// Bytes of this engine's stdout were read, or it ended.
    Read(Color, bool),
    /// Input that had waited was written, or cannot be.
    Wrote(Color, bool),
    /// Nothing that concerns the game.
    Aside,
    /// The deadline has come.
    Late,
    /// The runner stops.
    Stopped,
}

/// Who follows a game beside the referee.
pub struct Watch<'lane> {
    /// Watches the host.
    pub witness: &'lane mut Witness,
    /// Keeps the last lines of the dialogue.
    pub listener: &'lane mut Listener,
}

/// Plays one game with two engines that are ready, White first.
pub async fn play(
    referee: &mut Referee,
    mut engines: [&mut Process; 2],
    epoch: Epoch,
    stop: &mut watch::Receiver<Stop>,
    watch: &mut Watch<'_>,
) -> GameRecord {
    let mut patience = Patience::default();
    let mut looked = Instant::now();
    loop {
        transmit(referee, &mut engines, epoch, watch);
        if let Some(record) = referee.finish() {
            return record;
        }
        let mover = referee.side_to_move();
        let deadline = earlier(referee.deadline(), watch.witness.due());
        let deadline = epoch.instant(deadline.unwrap_or(Stamp(u64::MAX)));
        let woken = match patience.stay_awake(mover, &mut engines[mover.index()].output) {
            Some(open) => Woken::Read(mover, open),
            None => wait(mover, &mut engines, deadline, stop).await,
        };
        let overslept = standstill::overslept(deadline, looked);
        looked = Instant::now();
        let now = epoch.now();
        watch.witness.woken(now, overslept);
        if overslept.is_some() {
            referee.stood_still(now);
        }
        let moves = referee.moves().len();
        // Asked here too: an engine that writes without end keeps `wait` busy.
        if *stop.borrow() >= Stop::VoidGames {
            referee.interrupt(VoidReason::Interrupted);
        }
        match woken {
            Woken::Read(side, open) => {
                take_lines(
                    referee,
                    engines[side.index()],
                    side,
                    open,
                    now,
                    watch.listener,
                );
            }
            Woken::Wrote(side, false) => broken_input(referee, engines[side.index()], side, now),
            Woken::Stopped => referee.interrupt(VoidReason::Interrupted),
            Woken::Late | Woken::Wrote(_, true) | Woken::Aside => {}
        }
        // Whatever woke us: an engine that writes half a line, or to stderr, without
        // end would otherwise keep the timer from being heard.
        referee.tick(now);
        tell_of_the_host(referee, watch.witness, moves, epoch);
        if referee.side_to_move() != mover {
            patience.answered(mover);
        }
    }
}

/// What was seen of the host, where a move has been made (there were so many before) or a flag
/// has fallen.
fn tell_of_the_host(referee: &mut Referee, witness: &mut Witness, moves: usize, epoch: Epoch) {
    let now = epoch.now();
    if referee.moves().len() > moves
        && let Some(host) = witness.observe(now)
    {
        referee.observed(host);
    }
    if let Some(answered) = referee.awaits_testimony() {
        referee.testify(&witness.testimony(answered, now), now);
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
    watch: &mut Watch<'_>,
) {
    if let Some((side, allowed)) = referee.due() {
        watch.witness.begin(side, allowed, epoch.now());
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

/// The next thing that happens. Reads come first, the side to move before the
/// other, so that an answer that is there is never overtaken by a timer.
async fn wait(
    mover: Color,
    engines: &mut [&mut Process; 2],
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
        open = second.output.fill(), if second.output.is_open() => Woken::Read(!mover, open),
        wrote = first.input.flush(), if first.input.is_waiting() => Woken::Wrote(mover, wrote.is_ok()),
        wrote = second.input.flush(), if second.input.is_waiting() => Woken::Wrote(!mover, wrote.is_ok()),
        () = first.errors.drain(), if first.errors.is_open() => Woken::Aside,
        () = second.errors.drain(), if second.errors.is_open() => Woken::Aside,
        () = sleep_until(deadline) => Woken::Late,
        () = stopped(stop) => Woken::Stopped,
    }
}

/// Returns when running games are to be given up. Nothing is lost if it is cancelled.
pub async fn stopped(stop: &mut watch::Receiver<Stop>) {
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
    listener: &mut Listener,
) {
    while let Some(line) = engine.output.lines.next_line() {
        if line.truncated {
            referee.overlong_line(side);
        }
        listener.heard(side, line.text, now);
        referee.line(side, line.text, now);
    }
    if !open {
        if let Some(line) = engine.output.lines.finish() {
            listener.heard(side, line.text, now);
            referee.line(side, line.text, now);
        }
        closed(referee, engine, side, now);
    }
}

/// An engine that closes its output may have been ended for using more than it may: that
/// is what it loses for, also when it is not its turn.
fn closed(referee: &mut Referee, engine: &Process, side: Color, now: Stamp) {
    if let Some(excess) = engine.excess() {
        referee.tick(now);
        referee.fault(side, excess.fault(), excess.to_string(), now);
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
