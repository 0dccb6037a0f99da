//! The auction of transcendental chess: sealed bids for a side, then the tempi that were bid.

use super::bids::{Bid, better_side, sold};
use super::exchange::{first_turns, tempi};
use super::judge::Judge;
use super::stored::StoredStart;
use crate::chess::random::Random;
use crate::chess::{Color, Position, Variant};
use crate::schedule::Opening;

/// The most tempi of a bid.
const MOST_TEMPI: u32 = 4;
/// The worth of a tempo is not taken for less, centipawns.
const SMALLEST_WORTH: i32 = 10;

/// Both bid for a side of this start; what was bid is played, and with `exchange` the first turns are.
pub(super) async fn hold(
    players: &mut [&mut Judge; 2],
    base: &Opening,
    exchange: bool,
    random: &mut Random,
) -> Option<StoredStart> {
    let mut turns = Vec::new();
    let mut bids = Vec::new();
    for player in players.iter_mut() {
        let bid = bid(player, &base.start).await;
        let Bid { side, price } = bid;
        turns.push(format!("{}: {side} for {price};", player.name));
        bids.push(bid);
    }
    let sale = sold(bids[0], bids[1], random.below(2) as usize);
    let [white, black] = match sale.first {
        Color::White => [0, 1],
        Color::Black => [1, 0],
    };
    let mut position = base.start.clone();
    let mut may = [true; 2];
    if let Some(buyer) = sale.buyer {
        let receiver = 1 - buyer;
        let side = if receiver == white {
            Color::White
        } else {
            Color::Black
        };
        let judge = &mut *players[receiver];
        let given = tempi(judge, &position, side, sale.price, &mut turns, random).await?;
        position = given.0;
        may[side.index()] = !given.1;
    }
    if exchange {
        if black < white {
            players.swap(0, 1);
        }
        let made = first_turns(players, &position, may, random).await;
        if black < white {
            players.swap(0, 1);
        }
        let made = made?;
        turns.extend(made.turns);
        position = made.start.opening.start;
    }
    let opening = Opening::new(Variant::Transcendental, position, Vec::new()).ok()?;
    let mut made = StoredStart::of(opening, turns);
    made.start.reversed = sale.first == Color::Black;
    Some(made)
}

/// The side that an engine thinks better, and how many tempi its advantage equals. The worth of a tempo is the
/// worth of the move: its evaluation with White to move, less the evaluation with Black to move. Each of the two
/// takes a quarter of its time.
async fn bid(judge: &mut Judge, start: &Position) -> Bid {
    let time = judge.left() / 4;
    let white = judge.judge(start, time).await.map(|judged| judged.white);
    let passed = start.play_null();
    let black = match passed {
        Some(passed) => judge.judge(&passed, time).await.map(|judged| judged.white),
        None => None,
    };
    offer(white.unwrap_or(0), black.or(white).unwrap_or(0))
}

/// The bid of evaluations with White and with Black to move, centipawns for White.
fn offer(white: i32, black: i32) -> Bid {
    let worth = white.saturating_sub(black).max(SMALLEST_WORTH);
    Bid {
        side: better_side(white),
        price: (white.unsigned_abs() / worth.unsigned_abs()).min(MOST_TEMPI),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};

    #[test]
    fn advantages_are_counted_in_moves() {
        let offered = |white, black| {
            let Bid { side, price } = offer(white, black);
            (side, price)
        };
        assert_eq!(offered(30, -10), (White, 0));
        assert_eq!(offered(90, 50), (White, 2));
        assert_eq!(offered(-120, -150), (Black, 4));
        // A tempo that seems to do harm is not worth less than nothing.
        assert_eq!(offered(-15, 10), (Black, 1));
    }
}
