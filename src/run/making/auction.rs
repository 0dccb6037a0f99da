//! The auction of transcendental chess: sealed bids for a side, then the tempi that were bid.

use super::exchange::{first_turns, tempi};
use super::judge::Judge;
use super::stored::Made;
use crate::chess::random::Random;
use crate::chess::{Color, Position, Variant};
use crate::schedule::Opening;

/// The most tempi of a bid.
const MOST_TEMPI: u32 = 4;
/// The worth of a tempo is not taken for less, centipawns.
const SMALLEST_WORTH: i32 = 10;

/// What a player offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Bid {
    /// The side that it wants.
    side: Color,
    /// The tempi that it gives the other player for it.
    tempi: u32,
}

/// Who has which side, and what is given for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sale {
    /// The side of the first player.
    first: Color,
    /// Who is given tempi: the place of the player; nobody where they want different sides.
    receiver: Option<usize>,
    /// How many.
    tempi: u32,
}

/// Both bid for a side of this start; what was bid is played, and with `exchange` the first turns are.
pub(super) async fn hold(
    players: &mut [&mut Judge; 2],
    base: &Opening,
    exchange: bool,
    random: &mut Random,
) -> Option<Made> {
    let mut turns = Vec::new();
    let mut bids = Vec::new();
    for player in players.iter_mut() {
        let bid = bid(player, &base.start).await;
        let Bid { side, tempi } = bid;
        turns.push(format!("{}: {side} for {tempi};", player.name));
        bids.push(bid);
    }
    let sale = sold(bids[0], bids[1], random.below(2) as usize);
    let [white, black] = match sale.first {
        Color::White => [0, 1],
        Color::Black => [1, 0],
    };
    let mut position = base.start.clone();
    let mut may = [true; 2];
    if let Some(receiver) = sale.receiver {
        let side = if receiver == white {
            Color::White
        } else {
            Color::Black
        };
        let judge = &mut *players[receiver];
        let given = tempi(judge, &position, side, sale.tempi, &mut turns, random).await?;
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
        position = made.opening.start;
    }
    let opening = Opening::new(Variant::Transcendental, position, Vec::new()).ok()?;
    Some(Made {
        opening,
        reversed: sale.first == Color::Black,
        turns,
    })
}

/// The side that an engine thinks better, and how often its advantage holds the worth of a tempo, which is what
/// the move is worth: its evaluation with White to move, less that with Black to move. A quarter of its
/// time goes into either.
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
        side: if white >= 0 {
            Color::White
        } else {
            Color::Black
        },
        tempi: (white.unsigned_abs() / worth.unsigned_abs()).min(MOST_TEMPI),
    }
}

/// Whoever offers more for the side that both want has it, by `lot` (0: the first) where they offer the same.
fn sold(first: Bid, second: Bid, lot: usize) -> Sale {
    if first.side != second.side {
        return Sale {
            first: first.side,
            receiver: None,
            tempi: 0,
        };
    }
    let buyer = match first.tempi.cmp(&second.tempi) {
        std::cmp::Ordering::Greater => 0,
        std::cmp::Ordering::Less => 1,
        std::cmp::Ordering::Equal => lot,
    };
    Sale {
        first: if buyer == 0 { first.side } else { !first.side },
        receiver: Some(1 - buyer),
        tempi: first.tempi.max(second.tempi),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};

    #[test]
    fn advantages_are_counted_in_moves() {
        let offered = |white, black| {
            let Bid { side, tempi } = offer(white, black);
            (side, tempi)
        };
        assert_eq!(offered(30, -10), (White, 0));
        assert_eq!(offered(90, 50), (White, 2));
        assert_eq!(offered(-120, -150), (Black, 4));
        // A tempo that seems to do harm is not worth less than nothing.
        assert_eq!(offered(-15, 10), (Black, 1));
    }

    #[test]
    fn the_larger_bid_has_its_side() {
        let bid = |side, tempi| Bid { side, tempi };
        let sale = |first, receiver, tempi| Sale {
            first,
            receiver,
            tempi,
        };
        assert_eq!(
            sold(bid(White, 2), bid(White, 1), 1),
            sale(White, Some(1), 2)
        );
        assert_eq!(
            sold(bid(White, 1), bid(White, 3), 0),
            sale(Black, Some(0), 3)
        );
        assert_eq!(
            sold(bid(Black, 1), bid(Black, 1), 0),
            sale(Black, Some(1), 1)
        );
        assert_eq!(
            sold(bid(Black, 1), bid(Black, 1), 1),
            sale(White, Some(0), 1)
        );
        // Who want different sides give nothing.
        assert_eq!(sold(bid(Black, 4), bid(White, 1), 0), sale(Black, None, 0));
    }
}
