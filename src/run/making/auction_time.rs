//! The auction of transcendental chess in which players bid time: a share of the time for the whole game.

use super::bids::{Bid, better_side, sold};
use super::judge::Judge;
use super::stored::StoredStart;
use crate::chess::Color;
use crate::chess::random::Random;
use crate::event::MOST_GIVEN;
use crate::schedule::{MadeOpening, Opening};

/// The advantage, in centipawns, that counts as much as half of the time.
const HALF: f64 = 100.0;

/// Both bid for a side of this start; the player that gets it by a bid has less time, by that bid.
pub(super) async fn hold(
    players: &mut [&mut Judge; 2],
    base: &Opening,
    random: &mut Random,
) -> Option<StoredStart> {
    let mut turns = Vec::new();
    let mut bids = Vec::new();
    for player in players.iter_mut() {
        let time = player.left() / 2;
        let judged = player.judge(&base.start, time).await;
        let bid = offer(judged.map_or(0, |judged| judged.white));
        turns.push(format!(
            "{}: {} for {} % of its time;",
            player.name, bid.side, bid.price
        ));
        bids.push(bid);
    }
    let [first, second] = bids[..] else {
        return None;
    };
    let sale = sold(first, second, random.below(2) as usize);
    let mut time_given = [0; 2];
    if let Some(buyer) = sale.buyer {
        let side = match buyer {
            0 => sale.first,
            _ => !sale.first,
        };
        // Bids are not above a hundred.
        time_given[side.index()] = sale.price as u8;
    }
    Some(StoredStart {
        start: MadeOpening {
            opening: base.clone(),
            reversed: sale.first == Color::Black,
            time_given,
        },
        turns,
    })
}

/// The bid of an evaluation with White to move, centipawns for White: each hundred that an engine thinks itself ahead
/// halves the time that it keeps.
fn offer(white: i32) -> Bid {
    let kept = (-f64::from(white.unsigned_abs()) / HALF).exp2();
    let given = (100.0 * (1.0 - kept)).round() as u32;
    Bid {
        side: better_side(white),
        price: given.min(MOST_GIVEN.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};

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
            assert_eq!(offer(white), Bid { side, price }, "{white}");
        }
    }
}
