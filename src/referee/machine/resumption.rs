//! A game that was interrupted goes on behind its recorded moves.

use std::time::Duration;

use crate::clock::Stamp;
use crate::referee::{Breaches, GameRecord, GameSettings};

use super::Referee;

impl Referee {
    /// The game of this record, which was interrupted for so long, behind its last move: clocks, counts and positions
    /// are those that its moves leave, made as they were made then. Both engines are new. If the last move has ended
    /// the game, it is over. `None` if the record cannot be that of a game under these settings.
    pub fn resumed(
        settings: GameSettings,
        record: GameRecord,
        away: Duration,
        now: Stamp,
    ) -> Option<Referee> {
        if record.start != settings.start || record.opening != settings.opening {
            return None;
        }
        let mut referee = Referee::new(settings, now);
        for played in record.moves {
            let side = referee.side_to_move();
            let is_possible = referee.outcome.is_none()
                && referee.position().is_legal(played.chess_move)
                && referee.charge(side, played.charged())
                && referee.clock(side) == played.clock;
            if !is_possible {
                return None;
            }
            let (idle, received) = (played.idle, played.received);
            referee.make(played);
            if let Some(idle) = idle {
                referee.idled(idle, received);
            }
        }
        for (player, breaches) in referee.players.iter_mut().zip(record.breaches) {
            player.breaches = breaches;
        }
        if referee.outcome.is_none() {
            referee.moves.last_mut()?.interruptions.push(away);
        }
        Some(referee)
    }

    /// Breaches of the protocol so far that lost nothing.
    pub(crate) fn breaches(&self) -> [Breaches; 2] {
        self.players.each_ref().map(|player| player.breaches)
    }
}
