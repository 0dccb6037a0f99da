//! The parts of an event that can be played in shards.

use anyhow::bail;

use crate::config::Tournament;
use crate::schedule::Shard;

/// The event for this shard. Rules that depend on the results of all shards wait for the merge, if requested.
///
/// # Errors
/// The event cannot be played in shards.
pub(crate) fn in_shard(
    tournament: Tournament,
    shard: Shard,
    judge_after_merge: bool,
) -> anyhow::Result<Tournament> {
    if tournament.seed_drawn {
        bail!("all shards need the same seed, and none is given: seed = N in [event], or --seed N");
    }
    if tournament.rounds().is_some() {
        bail!(
            "an event in rounds cannot be played in shards: what a round brings depends on the games of \
             all before it; play it on one machine, or with a coordinator and workers"
        );
    }
    let waiting = [
        (tournament.sprt.is_some(), "[sprt]"),
        (tournament.adaptive.is_some(), "[adaptive]"),
        (tournament.faults.strikes.is_some(), "`strikes` in [faults]"),
    ];
    let waiting = waiting.iter().filter(|(there, _)| *there);
    let waiting: Vec<&str> = waiting.map(|(_, what)| *what).collect();
    if !waiting.is_empty() && !judge_after_merge {
        bail!(
            "{} would be judged by the games of one shard alone: with --judge-after-merge every shard \
             plays all of its pairs (with [sprt] its part of max_pairs, with [adaptive] what is played \
             before the first choice), and `arbiter960 merge` judges them together",
            waiting.join(" and ")
        );
    }
    Ok(tournament.in_shard(shard))
}
