//! Why a store cannot be rebuilt.

use std::path::PathBuf;

/// So many games are named; the others are counted.
const NAMED: usize = 20;

/// What is wrong; nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum RebuildError {
    /// The store is not gone.
    #[error(
        "{} is there, and is the truth of this event: `arbiter960 run` goes on with it. If it is \
         damaged, move it to another name first; nothing was changed", .0.display()
    )]
    StoreIsThere(PathBuf),
    /// There is nothing to make it of.
    #[error("there is no {} to make the store of, or it is empty", .0.display())]
    NoGames(PathBuf),
    /// The plan depends on a number that was drawn and kept in the store.
    #[error(
        "the event file has no seed: one was drawn when the event began, and it was kept in event.db \
         and written to log/run.log in the event's folder (`seed=N`): give it by --seed N"
    )]
    NoSeed,
    /// Games of the file are not whole, not legal, or not of this event.
    #[error("{}", unfit(.0))]
    Unfit(Vec<String>),
}

fn unfit(games: &[String]) -> String {
    let count = games.len();
    let more = match count.saturating_sub(NAMED) {
        0 => String::new(),
        more => format!("\n  and {more} more"),
    };
    let (plural, verb) = if count == 1 {
        ("", "does")
    } else {
        ("s", "do")
    };
    format!(
        "{count} game{plural} of games.pgn {verb} not fit this event file, or cannot be read:\n  \
         {}{more}\nNothing was changed. Put the event file, the engines or games.pgn right; or give \
         --leave-out: these games are then missing, and the next run plays them again",
        games[..count.min(NAMED)].join("\n  ")
    )
}
