//! Pieces placed alternately: each choice by evaluations of finished starts that can follow it.

use super::candidates::best;
use super::judge::Judge;
use super::stored::StoredStart;
use crate::chess::Color;
use crate::chess::random::Random;
use crate::event::OpeningSystem;
use crate::schedule::Placing;

/// A start that White and Black make alternately. A player divides its remaining time evenly among its
/// remaining turns.
pub(super) async fn place(
    players: &mut [&mut Judge; 2],
    system: OpeningSystem,
    random: &mut Random,
) -> Option<StoredStart> {
    let mut placing = Placing::new(system)?;
    let mut turns = Vec::new();
    while let Some(player) = placing.turn() {
        let choices = placing.choices();
        let judge = &mut *players[player.index()];
        let time = judge.left() / placing.turns_left();
        let finished = |choice: usize, random: &mut Random| {
            let opening = placing.after(choices[choice]).completed(random)?;
            Some(opening.start)
        };
        let chosen = best(judge, player, choices.len(), time, random, finished).await?;
        turns.push(match player {
            Color::White => choices[chosen].to_string(),
            Color::Black => format!("({})", choices[chosen]),
        });
        placing = placing.after(choices[chosen]);
    }
    Some(StoredStart::of(placing.completed(random)?, turns))
}
