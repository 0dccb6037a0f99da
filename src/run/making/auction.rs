//! The auction of transcendental chess: sealed bids for a side, of tempi for the other player or of a share of one's
//! own time for the whole game. Then the tempi that were bid are played.

use super::StoredStart;
use super::exchange::{first_turns, tempi};
use super::judge::Judge;
use crate::chess::random::Random;
use crate::chess::{Color, Position, Variant};
use crate::clock::GivenTime;
use crate::event::MAX_GIVEN_PERCENT;
use crate::schedule::Opening;

/// The most tempi of a bid.
const MAX_BID_TEMPI: u32 = 4;
/// The worth of a tempo is not taken for less, centipawns.
const MIN_TEMPO_WORTH: i32 = 10;
/// The advantage, in centipawns, that counts as much as half of the time.
const HALF: f64 = 100.0;

/// What a player offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Bid {
    /// The side that it wants.
    side: Color,
    /// The price: tempi for the other player, or percent of the time of the one who pays.
    price: u32,
}

/// Who has which side, and what is given for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sale {
    /// The side of the first player.
    first: Color,
    /// Who pays: the place of the player; nobody where they want different sides.
    buyer: Option<usize>,
    /// What is given.
    price: u32,
}

impl Sale {
    /// The side of the player at this place.
    fn side_of(&self, player: usize) -> Color {
        match player {
            0 => self.first,
            _ => !self.first,
        }
    }
}

/// Both bid tempi for a side of this start; what was bid is played, and with `exchange` the first turns are.
pub(super) async fn of_tempi(
    players: &mut [&mut Judge; 2],
    base: &Opening,
    exchange: bool,
    random: &mut Random,
) -> Option<StoredStart> {
    let bid = async |player: &mut Judge| bid_tempi(player, &base.start).await;
    let (sale, mut turns) = sell(players, bid, "", random).await;
    let reversed = sale.first == Color::Black;
    let mut position = base.start.clone();
    let mut may = [true; 2];
    if let Some(buyer) = sale.buyer {
        let receiver = 1 - buyer;
        let side = sale.side_of(receiver);
        let judge = &mut *players[receiver];
        let given = tempi(judge, &position, side, sale.price, &mut turns, random).await?;
        position = given.0;
        may[side.index()] = !given.1;
    }
    if exchange {
        if reversed {
            players.swap(0, 1);
        }
        let made = first_turns(players, &position, may, random).await;
        if reversed {
            players.swap(0, 1);
        }
        let made = made?;
        turns.extend(made.turns);
        position = made.start.opening.start;
    }
    let opening = Opening::new(Variant::Transcendental, position, Vec::new()).ok()?;
    let mut made = StoredStart::new(opening, turns);
    made.start.reversed = reversed;
    Some(made)
}

/// Both bid time for a side of this start; the player that gets it by a bid has less time, by that bid.
pub(super) async fn of_time(
    players: &mut [&mut Judge; 2],
    base: &Opening,
    random: &mut Random,
) -> StoredStart {
    let bid = async |player: &mut Judge| {
        let judged = player.judge(&base.start, player.left() / 2).await;
        time_offer(judged.map_or(0, |judged| judged.white))
    };
    let (sale, turns) = sell(players, bid, " % of its time", random).await;
    let mut made = StoredStart::new(base.clone(), turns);
    made.start.reversed = sale.first == Color::Black;
    if let Some(buyer) = sale.buyer {
        // Bids are not above a hundred.
        made.start.time_given[sale.side_of(buyer).index()] = GivenTime::Percent(sale.price as u8);
    }
    made
}

/// Lets both players bid; what comes of it, and their bids for people, with the unit of a price.
async fn sell(
    players: &mut [&mut Judge; 2],
    mut bid: impl AsyncFnMut(&mut Judge) -> Bid,
    unit: &str,
    random: &mut Random,
) -> (Sale, Vec<String>) {
    let [first, second] = players;
    let bids = [bid(first).await, bid(second).await];
    let turn = |(player, Bid { side, price }): (&&mut Judge, &Bid)| {
        format!("{}: {side} for {price}{unit};", player.name)
    };
    let turns = players.iter().zip(&bids).map(turn).collect();
    (sold(bids, random.below(2) as usize), turns)
}

/// Whoever offers more for the side that both want has it, by `lot` (0: the first) where they offer the same.
fn sold([first, second]: [Bid; 2], lot: usize) -> Sale {
    if first.side != second.side {
        return Sale {
            first: first.side,
            buyer: None,
            price: 0,
        };
    }
    let buyer = match first.price.cmp(&second.price) {
        std::cmp::Ordering::Greater => 0,
        std::cmp::Ordering::Less => 1,
        std::cmp::Ordering::Equal => lot,
    };
    Sale {
        first: if buyer == 0 { first.side } else { !first.side },
        buyer: Some(buyer),
        price: first.price.max(second.price),
    }
}

/// The side that an engine thinks better, and how many tempi its advantage equals. The worth of a tempo is the
/// worth of the move: its evaluation with White to move, less the evaluation with Black to move. Each of the two
/// takes a quarter of its time.
async fn bid_tempi(judge: &mut Judge, start: &Position) -> Bid {
    let time = judge.left() / 4;
    let white = judge.judge(start, time).await.map(|judged| judged.white);
    let passed = start.play_null();
    let black = match passed {
        Some(passed) => judge.judge(&passed, time).await.map(|judged| judged.white),
        None => None,
    };
    tempi_offer(white.unwrap_or(0), black.or(white).unwrap_or(0))
}

/// The bid of evaluations with White and with Black to move, centipawns for White.
fn tempi_offer(white: i32, black: i32) -> Bid {
    let worth = white.saturating_sub(black).max(MIN_TEMPO_WORTH);
    Bid {
        side: better_side(white),
        price: (white.unsigned_abs() / worth.unsigned_abs()).min(MAX_BID_TEMPI),
    }
}

/// The bid of an evaluation with White to move, centipawns for White: each hundred that an engine thinks itself ahead
/// halves the time that it keeps.
fn time_offer(white: i32) -> Bid {
    let kept = (-f64::from(white.unsigned_abs()) / HALF).exp2();
    let given = (100.0 * (1.0 - kept)).round() as u32;
    Bid {
        side: better_side(white),
        price: given.min(MAX_GIVEN_PERCENT.into()),
    }
}

/// The side that an engine thinks better, from its evaluation with White to move, centipawns for White.
fn better_side(white: i32) -> Color {
    if white >= 0 {
        Color::White
    } else {
        Color::Black
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};

    #[test]
    fn advantages_are_counted_in_moves() {
        let offered = |white, black| {
            let Bid { side, price } = tempi_offer(white, black);
            (side, price)
        };
        assert_eq!(offered(30, -10), (White, 0));
        assert_eq!(offered(90, 50), (White, 2));
        assert_eq!(offered(-120, -150), (Black, 4));
        // A tempo that seems to do harm is not worth less than nothing.
        assert_eq!(offered(-15, 10), (Black, 1));
    }

    #[test]
    fn each_hundred_centipawns_halve_the_time() {
        for (white, side, price) in [
            (0, White, 0),
            (10, White, 7),
            (-30, Black, 19),
            (100, White, 50),
            (-200, Black, 75),
            (30_000, White, 90),
            (i32::MIN, Black, 90),
        ] {
            assert_eq!(time_offer(white), Bid { side, price }, "{white}");
        }
    }

    #[test]
    fn the_larger_bid_has_its_side() {
        let bid = |side, price| Bid { side, price };
        let sale = |first, buyer, price| Sale {
            first,
            buyer,
            price,
        };
        let sold = |first, second, lot| sold([first, second], lot);
        assert_eq!(
            sold(bid(White, 2), bid(White, 1), 1),
            sale(White, Some(0), 2)
        );
        assert_eq!(
            sold(bid(White, 1), bid(White, 3), 0),
            sale(Black, Some(1), 3)
        );
        assert_eq!(
            sold(bid(Black, 1), bid(Black, 1), 0),
            sale(Black, Some(0), 1)
        );
        assert_eq!(
            sold(bid(Black, 1), bid(Black, 1), 1),
            sale(White, Some(1), 1)
        );
        // Who want different sides give nothing.
        assert_eq!(sold(bid(Black, 4), bid(White, 1), 0), sale(Black, None, 0));
    }
}
