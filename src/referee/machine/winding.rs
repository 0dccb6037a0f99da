//! After the game: engines that still search are told to stop, and what they owe is heard out.
//! Only an engine that is idle then can play another game: an answer that it still owes would
//! be taken for one that the next game awaits.

use crate::chess::Color;

use super::Referee;

impl Referee {
    /// The game is over and its record has been taken: `stop` waits to be sent to whoever
    /// searches. From here on lines are only counted.
    pub fn wind_up(&mut self) {
        self.winding_up = true;
        for player in &mut self.players {
            player.wind_up();
        }
    }

    /// Says `stop` once more to whoever has not answered it.
    pub fn stop_again(&mut self) {
        for player in &mut self.players {
            if player.is_to_stop() && player.outbox.is_empty() {
                player.say_again();
            }
        }
    }

    /// Whether an answer of this engine is to be waited for before it can play again.
    pub fn owes(&self, side: Color) -> bool {
        let player = &self.players[side.index()];
        player.dialog.owes() && !player.closed
    }

    /// Whether this engine can play another game: it has answered all that it was asked, and
    /// said `readyok` no oftener than it was asked.
    pub fn is_idle(&self, side: Color) -> bool {
        let player = &self.players[side.index()];
        player.dialog.is_idle() && !player.closed && player.outbox.is_empty()
    }
}
