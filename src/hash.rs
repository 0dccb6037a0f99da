//! Hashes of texts, the same in every version: they are kept in stores and decide what is
//! drawn.

/// FNV-1a, 64 bits (Fowler, Noll and Vo, 1991), of a byte string. Bytes that differ give the same
/// number only by a rare accident, or by intent: nothing that must resist intent uses it.
pub(crate) fn fnv1a(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes
        .into_iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
}

/// A game as the store knows it: equal for games that are move for move the same from the same
/// start. [`fnv1a`] of the start's X-FEN and of each move's 16 bits, low byte first.
pub(crate) fn moves_hash(fen: &str, moves: impl Iterator<Item = u16>) -> u64 {
    fnv1a(fen.bytes().chain(moves.flat_map(u16::to_le_bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fnv1a_gives_the_published_values() {
        assert_eq!(fnv1a([]), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(*b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(*b"foobar"), 0x8594_4171_f739_67e8);
    }
}
