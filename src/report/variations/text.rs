//! Flawed variations for people.

use crate::text::printable;

use super::lint::FlawKind;
use super::tally::{EngineVariations, Variations};

/// The engines whose wrong variations are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flaws {
    /// Every engine that has one.
    All,
    /// Those with more than one in a hundred: fewer are not worth reporting at the end of each run.
    Frequent,
}

/// Two lines for every engine with a flaw: the counts, and the first example; empty without flaws. `of_games` are all
/// games of the event.
pub(crate) fn variation_lines(variations: &Variations, of_games: u64, which: Flaws) -> Vec<String> {
    let flawed = variations.engines.iter().filter(|engine| match which {
        Flaws::All => engine.flawed() > 0,
        Flaws::Frequent => 100 * engine.flawed() > engine.variations,
    });
    let mut lines: Vec<String> = flawed.flat_map(engine_lines).collect();
    if !lines.is_empty() && variations.games < of_games {
        let games = variations.games;
        lines.push(format!(
            "  These are the first {games} of {of_games} games; `stats --moves` looks at all."
        ));
    }
    lines
}

fn engine_lines(engine: &EngineVariations) -> Vec<String> {
    let counts = FlawKind::ALL.into_iter().zip(engine.flaws);
    let named = counts.filter(|(_, count)| *count > 0);
    let named: Vec<String> = named
        .map(|(kind, count)| format!("{count} {}", kind.words()))
        .collect();
    let mut lines = vec![format!(
        "{}: {} of {} PVs are wrong: {}",
        printable(&engine.name),
        engine.flawed(),
        engine.variations,
        named.join(", ")
    )];
    if let Some(first) = &engine.first {
        lines.push(format!(
            "  the first in {}, ply {}: {}",
            first.game,
            first.ply,
            printable(&first.detail)
        ));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_the_end_of_a_run_one_in_a_hundred_is_no_news() {
        let lines = |flawed, which| {
            let engine = EngineVariations {
                name: "A".to_owned(),
                variations: 200,
                flaws: [0, 0, flawed, 0],
                first: None,
            };
            let variations = Variations {
                games: 4,
                engines: vec![engine],
            };
            variation_lines(&variations, 4, which)
        };
        assert!(lines(2, Flaws::Frequent).is_empty());
        let said = "A: 3 of 200 PVs are wrong: 3 mate line too short";
        assert_eq!(lines(3, Flaws::Frequent), [said]);
        assert_eq!(lines(1, Flaws::All).len(), 1);
        assert!(lines(0, Flaws::All).is_empty());
    }
}
