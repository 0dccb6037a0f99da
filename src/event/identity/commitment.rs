//! What an organiser commits to before an event: all that decides who meets whom on which positions.

use serde_json::json;
use sha2::{Digest, Sha256};

use super::EventIdentity;

impl EventIdentity {
    /// The text that a commitment is the SHA-256 of, byte for byte. It has the seed that was chosen,
    /// and where a public one comes from; not the public one, which is announced later.
    pub(crate) fn draw_text(&self, event: &str) -> String {
        let engines = self.engines.iter().map(|engine| engine.name.as_str());
        let public = self.public_draw.as_ref();
        let value = json!({
            "arbiter960 draw": 1,
            "event": event,
            "seed": public.map_or(self.seed, |public| public.seed),
            "public seed from": public.map(|public| public.source.as_str()),
            "variant": self.variant.name(),
            "format": self.format,
            "engines": engines.collect::<Vec<_>>(),
            "heroes": self.heroes,
            "pairs": self.pairs,
            "elimination": self.elimination,
            "swiss": self.swiss,
            "positions": self.positions,
            "draw": self.draw,
        });
        format!("{value:#}\n")
    }

    /// The commitment to it, in hexadecimal digits.
    pub(crate) fn commitment(&self, event: &str) -> String {
        let digest = Sha256::digest(self.draw_text(event));
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The seed of an event, of the one that its organiser has chosen and what was announced in public
/// afterwards: the first eight bytes of the SHA-256 of both, so that neither decides alone.
pub(crate) fn combined_seed(seed: u64, public: &str) -> u64 {
    let digest = Sha256::digest(format!("arbiter960 seed\n{seed}\n{public}\n"));
    let first = digest.iter().take(8);
    first.fold(0, |number, byte| number << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::combined_seed;

    #[test]
    fn a_public_seed_changes_everything_and_never_changes() {
        // printf 'arbiter960 seed\n7\n3 11 19 27 33 41\n' | sha256sum | cut -c1-16
        assert_eq!(combined_seed(7, "3 11 19 27 33 41"), COMBINED);
        assert_ne!(combined_seed(8, "3 11 19 27 33 41"), COMBINED);
        assert_ne!(combined_seed(7, "3 11 19 27 33 42"), COMBINED);
    }

    const COMBINED: u64 = 0xecf8_bc8a_e570_bba0;
}
