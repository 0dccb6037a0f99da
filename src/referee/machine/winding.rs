//! After the game: engines that still search get `stop`, and the answers that they owe are read. Only an engine that is
//! idle then can play another game; otherwise an answer that it still owes would be taken for one that the next game
//! awaits.

use std::time::Duration;

use crate::chess::Color;
use crate::referee::player::Player;
use crate::referee::search::Heard;

use super::Referee;

impl Referee {
    /// How long a search on the opponent's time may take to begin before `stop` is sent.
    pub(crate) const BEGINNING: Duration = super::beginning::BEGINNING;

    /// The game is over and its record has been taken: `stop` waits to be sent to every engine whose search has begun.
    /// From here on lines are only counted.
    pub fn wind_up(&mut self) {
        self.winding_up = true;
        for player in &mut self.players {
            player.wind_up();
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
