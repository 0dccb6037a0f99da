//! Finding bytes: what a game consists of is mostly skipped.

/// How many bytes are compared at once; the compiler makes vector code of it.
const BLOCK: usize = 32;

/// The place of the first byte that is one of `wanted`.
pub(super) fn find_any<const N: usize>(text: &[u8], wanted: [u8; N]) -> Option<usize> {
    let (blocks, rest) = text.as_chunks::<BLOCK>();
    for (number, block) in blocks.iter().enumerate() {
        let hit = |&byte: &u8| wanted.iter().fold(false, |any, &w| any | (byte == w));
        if block.iter().fold(false, |any, byte| any | hit(byte)) {
            let within = block.iter().position(hit)?;
            return Some(number * BLOCK + within);
        }
    }
    let within = rest.iter().position(|byte| wanted.contains(byte))?;
    Some(blocks.len() * BLOCK + within)
}

/// The place of the first `wanted`.
pub(super) fn find(text: &[u8], wanted: u8) -> Option<usize> {
    find_any(text, [wanted])
}

/// How many lines end in the text.
pub(super) fn count_lines(text: &[u8]) -> u64 {
    text.iter().filter(|&&byte| byte == b'\n').count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_found() {
        for length in 0..100 {
            for place in 0..length {
                let mut text = vec![b'x'; length];
                text[place] = b'}';
                assert_eq!(find(&text, b'}'), Some(place));
                assert_eq!(find_any(&text, [b'{', b'}']), Some(place));
                assert_eq!(find(&text, b'{'), None);
            }
        }
    }
}
