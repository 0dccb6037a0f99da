//! What the host did during a move, and what the side that waits for its opponent does meanwhile.

use crate::chess::Color;
use crate::clock::Stamp;
use crate::referee::{FaultKind, IdlePolicy, IdleTimes, Observation};
use crate::text::duration;

use super::Referee;

impl Referee {
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
}
