//! Sealed bids for a side: who has which, and what is given for it.

use crate::chess::Color;

/// What a player offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bid {
    /// The side that it wants.
    pub(super) side: Color,
    /// The price: tempi for the other player, or percent of the time of the one who pays.
    pub(super) price: u32,
}

/// Who has which side, and what is given for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sale {
    /// The side of the first player.
    pub(super) first: Color,
    /// Who pays: the place of the player; nobody where they want different sides.
    pub(super) buyer: Option<usize>,
    /// What is given.
    pub(super) price: u32,
}

/// The side that an engine thinks better, from its evaluation with White to move, centipawns for White.
pub(super) fn better_side(white: i32) -> Color {
    if white >= 0 {
        Color::White
    } else {
        Color::Black
    }
}

/// Whoever offers more for the side that both want has it, by `lot` (0: the first) where they offer the same.
pub(super) fn sold(first: Bid, second: Bid, lot: usize) -> Sale {
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

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};

    #[test]
    fn the_larger_bid_has_its_side() {
        let bid = |side, price| Bid { side, price };
        let sale = |first, buyer, price| Sale {
            first,
            buyer,
            price,
        };
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
