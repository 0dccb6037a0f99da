//! After a game: engines that still search get `stop`, and the answers that they owe are read to the end.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use crate::chess::Color;
use crate::engine::process::Process;
use crate::host::epoch::Epoch;
use crate::referee::Referee;
use crate::run::signals::Stop;

use super::{GameObservers, Woken, hear_before_its_turn, take_lines, wait};

/// For how long an engine's last answers are waited for. One that needs longer is ended: that
/// costs a start, and no game.
const BOUND: Duration = Duration::from_secs(5);

/// Hears out the engines that are to play again, by [`Color::index`], within five seconds. Who
/// is fit for it afterwards is [`Referee::is_idle`].
pub(crate) async fn wind_up(
    referee: &mut Referee,
    mut engines: [&mut Process; 2],
    kept: [bool; 2],
    epoch: Epoch,
    stop: &mut watch::Receiver<Stop>,
    watch: &mut GameObservers<'_>,
) {
    let deadline = Instant::now() + BOUND;
    let waits = |referee: &Referee| {
        let owes = |side: &Color| kept[side.index()] && referee.owes(*side);
        Color::ALL.into_iter().find(owes)
    };
    referee.wind_up();
    let mut begun = Instant::now() + Referee::BEGINNING;
    while let Some(first) = waits(referee) {
        if Instant::now() >= begun {
            begun = deadline;
            referee.stop_now();
        }
        send(referee, &mut engines, epoch);
        match wait(first, &mut engines, false, deadline.min(begun), stop).await {
            Woken::Read(side, open) => {
                take_lines(
                    referee,
                    engines[side.index()],
                    side,
                    open,
                    epoch.now(),
                    watch,
                );
            }
            Woken::Wrote(side, false) => engines[side.index()].input.close(),
            Woken::Stopped => return,
            Woken::Late | Woken::Wrote(_, true) | Woken::Complained(_) => {}
        }
        // Also reached by engines that write without end.
        if Instant::now() >= deadline || *stop.borrow() >= Stop::VoidGames {
            return;
        }
    }
    // What is in the pipes now belongs to this game.
    for side in Color::ALL {
        if kept[side.index()] {
            let now = epoch.now();
            hear_before_its_turn(referee, engines[side.index()], side, now, watch);
        }
    }
}

fn send(referee: &mut Referee, engines: &mut [&mut Process; 2], epoch: Epoch) {
    while let Some((side, text)) = referee.transmit(epoch.now()) {
        // An engine that takes no input will not answer either.
        let _ = engines[side.index()].input.send(text);
    }
}
