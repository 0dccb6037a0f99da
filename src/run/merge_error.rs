//! Why shards cannot be made one event.

use std::path::PathBuf;

use crate::event::GameId;
use crate::event::identity::Difference;
use crate::text::printable;

/// What is wrong; nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A store that is for no shard.
    #[error(
        "{} is not the store of a shard: `arbiter960 run EVENT.toml --shard I/N` makes such", .0.display()
    )]
    NoShard(PathBuf),
    /// A store that is being written.
    #[error("{} is being played: wait until its run has ended, or stop it (SIGUSR1)", .0.display())]
    Running(PathBuf),
    /// A shard about which the arbiter has decided something.
    #[error(
        "the arbiter has decided something in {}: decisions are about the whole event, after the merge",
        .0.display()
    )]
    Decided(PathBuf),
    /// Shards of several events, of several divisions of the plan, or of several revisions of the event file.
    #[error("{} and {} are not of one event: {what}", first.display(), second.display())]
    OtherEvent {
        /// The folder of one of them.
        first: PathBuf,
        /// The folder of another.
        second: PathBuf,
        /// In what they differ.
        what: String,
    },
    /// The event file cannot be read here.
    #[error(
        "the event file as the shards have it cannot be read here: name it, with its book, by --event:\n{0}"
    )]
    EventFile(String),
    /// The event file is not that of the shards.
    #[error("the event file is not that of the shards:{}", listed(.0))]
    OtherEventFile(Vec<Difference>),
    /// Two shards have a game, and not the same.
    #[error(
        "game {id} is in {} and in {}, and was played twice: leave out one of the two",
        first.display(), second.display()
    )]
    PlayedTwice {
        /// The game.
        id: GameId,
        /// Where it is.
        first: PathBuf,
        /// And where else.
        second: PathBuf,
    },
    /// There are other games where the event is to be.
    #[error(
        "{} has {games} games that none of these shards has: name the shards that have them, too, or \
         merge into another folder", folder.display()
    )]
    OtherGames {
        /// The folder.
        folder: PathBuf,
        /// How many.
        games: u64,
    },
}

/// Differences, a line each.
pub(crate) fn listed(differences: &[Difference]) -> String {
    let lines = differences.iter().map(|difference| {
        let words = difference.to_string();
        format!("\n  {}", printable(&words))
    });
    lines.collect()
}
