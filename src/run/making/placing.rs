//! Pieces placed alternately: each choice by evaluations of finished starts that can follow it.

use std::time::{Duration, Instant};

use super::StoredStart;
use super::judge::Judge;
use crate::chess::random::Random;
use crate::chess::{Color, Position};
use crate::engine::start::ReplyDeadline;
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
    Some(StoredStart::new(placing.completed(random)?, turns))
}

/// The longest search of one position, and the shortest.
const MAX_SEARCH_TIME: Duration = Duration::from_millis(50);
const MIN_SEARCH_TIME: Duration = Duration::from_millis(1);

/// The place of the choice that `player` likes best, within this part of its time. `position` gives a position
/// that can come of the choice at this place, each time another where there are several. The choices are
/// looked at in an order that is drawn, again and again, until the time is used; what counts of each is the
/// mean. Where none was looked at, it is drawn.
pub(super) async fn best(
    judge: &mut Judge,
    player: Color,
    choices: usize,
    time: Duration,
    random: &mut Random,
    mut position: impl FnMut(usize, &mut Random) -> Option<Position>,
) -> Option<usize> {
    let mut order: Vec<usize> = (0..choices).collect();
    random.shuffle(&mut order);
    let drawn = order.first().copied();
    if choices < 2 {
        return drawn;
    }
    let each = (time / (2 * choices as u32)).clamp(MIN_SEARCH_TIME, MAX_SEARCH_TIME);
    let until = judge.left().saturating_sub(time);
    // What the host takes is not on its clock; this is the end of waiting for it.
    let latest = Instant::now() + time * ReplyDeadline::MAX_EXTENSION;
    let mut sums = vec![(0_i64, 0_i64); choices];
    'looking: loop {
        let mut judged_any = false;
        for &choice in &order {
            let Some(position) = position(choice, random) else {
                continue;
            };
            if let Some(judged) = judge.judge(&position, each).await {
                let (sum, count) = &mut sums[choice];
                *sum += i64::from(match player {
                    Color::White => judged.white,
                    Color::Black => -judged.white,
                });
                *count += 1;
                judged_any = true;
            }
            if judge.left() <= until || Instant::now() > latest {
                break 'looking;
            }
        }
        if !judged_any {
            break;
        }
    }
    let looked_at = order.iter().filter(|&&choice| sums[choice].1 > 0);
    // In hundredths of a centipawn, so that means differ where sums do.
    let mean = |choice: &&usize| 100 * sums[**choice].0 / sums[**choice].1;
    looked_at.max_by_key(mean).copied().or(drawn)
}
