//! The size of a limit, so that several can be put on one scale.

/// The quantity that is limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LimitKind {
    /// Nodes a move.
    Nodes,
    /// Plies of depth.
    Depth,
    /// Seconds a move.
    Move,
    /// A clock for the game.
    Clock,
}

/// A limit on a scale on which equal steps are comparable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LimitSize {
    /// Limits of different kinds are not compared.
    pub kind: LimitKind,
    /// Binary logarithm of nodes or seconds; plies of depth unchanged.
    pub doublings: f64,
}

/// Moves of a game for which a clock's increment is counted.
const MOVES: f64 = 40.0;

/// The size of `nodes=2000 ± 10 %`, `depth=8`, `0.5/move` or `10+0.1`; `None` for anything else.
pub(super) fn size_of_limit(text: &str) -> Option<LimitSize> {
    let main = text.split(" ±").next()?.trim();
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|value| *value > 0.0);
    let (kind, value) = if let Some(nodes) = main.strip_prefix("nodes=") {
        (LimitKind::Nodes, number(nodes)?)
    } else if let Some(depth) = main.strip_prefix("depth=") {
        (LimitKind::Depth, number(depth)?)
    } else if let Some(seconds) = main.strip_suffix("/move") {
        (LimitKind::Move, number(seconds)?)
    } else {
        let (base, increment) = main.split_once('+').unwrap_or((main, "0"));
        let increment: f64 = increment.trim().parse().ok()?;
        (LimitKind::Clock, number(base)? + MOVES * increment)
    };
    let doublings = match kind {
        LimitKind::Depth => value,
        _ => value.log2(),
    };
    Some(LimitSize { kind, doublings })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_of_a_kind_lie_on_one_scale() {
        let doublings = |text: &str| size_of_limit(text).expect("a limit").doublings;
        assert_eq!(doublings("nodes=2048 ± 10 %"), 11.0);
        assert_eq!((doublings("depth=8"), doublings("0.5/move")), (8.0, -1.0));
        assert_eq!(doublings("10+0.15"), 4.0);
        assert_eq!(size_of_limit("40/9+0 for ever"), None);
    }
}
