//! Why a run could not begin or go on.

use std::io;

use crate::engine::probe::UnfitEngine;
use crate::event::identity::Difference;
use crate::sink::SinkError;
use crate::store::StoreError;
use crate::text::{self, printable};

/// Why lanes on other machines could not play, in their own words.
pub(crate) type RemoteError = Box<dyn std::error::Error + Send + Sync>;

/// An error of a run; the command line gives each its exit code.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// What the event file or the command line asks for cannot be done.
    #[error("{0}")]
    Refused(String),
    /// A store cannot be rebuilt from `games.pgn`.
    #[error("{0}")]
    NotRebuilt(String),
    /// Engines that cannot take part.
    #[error("{}", engines(.0))]
    Engines(Vec<UnfitEngine>),
    /// The program of an engine was written while all engines were started.
    #[error(
        "the program of engine \"{}\" changed while the engines were started: run the event again \
         when it is complete; nothing was recorded",
        printable(.0)
    )]
    ProgramChanged(String),
    /// The engines that are left in a Swiss cannot be paired.
    #[error(
        "round {round} cannot be paired: these pairs are forbidden, and with any one of them allowed \
         it could be: {}; all games so far are stored: take one of them out of `forbidden` in \
         [swiss], and run the same command with --accept-changes",
        conflict.join(", ")
    )]
    Unpairable {
        /// The round.
        round: u16,
        /// The forbidden pairs that are in the way, by names.
        conflict: Vec<String>,
    },
    /// The players make their starts, which only a run on one machine knows.
    #[error(
        "the players of this event make its starts (`opening`), and {0} cannot know them: use `run`, on one machine"
    )]
    StartsAreMade(&'static str),
    /// Other machines cannot play for this one.
    #[error(transparent)]
    Remote(RemoteError),
    /// The store cannot be used any more.
    #[error(transparent)]
    Storage(#[from] StoreError),
    /// A file of results cannot be written any more.
    #[error(transparent)]
    Sink(#[from] SinkError),
    /// There are not enough processors for all lanes.
    #[error(transparent)]
    TooFewCpus(#[from] crate::host::cpus::TooFewCpus),
    /// The system refuses a thread, a process or a signal handler.
    #[error("the system refuses: {0}")]
    System(#[from] io::Error),
}

fn engines(unfit: &[UnfitEngine]) -> String {
    let line = |UnfitEngine { name, error }: &UnfitEngine| {
        format!("engine \"{}\": {error}", printable(name))
    };
    unfit.iter().map(line).collect::<Vec<_>>().join("\n       ")
}

/// For another build the first advice is another event: its games are not those of the build that
/// has played.
pub(super) fn changes(differences: &[Difference], replaced: &[String]) -> String {
    let again = "--fresh starts again from nothing";
    let advice = match replaced {
        [] => format!("--accept-changes goes on and records it; {again}"),
        replaced => {
            let engines_are = named(replaced);
            format!(
                "{engines_are} not what played the stored games: give the event another name \
                 (event.name), so that each build has results of its own; or {again}; or \
                 --accept-changes goes on under the old name, and the statistics tell the builds \
                 apart; `arbiter960 decide RESULTS replace ENGINE` does so as a decision of the arbiter"
            )
        }
    };
    format!(
        "the event file or its engines have changed since this event was begun:{}\n{advice}",
        listed(differences)
    )
}

/// The store is for another part of the plan than the one that is to be played; `None`: the whole event.
pub(super) fn other_shard(stored: Option<&str>, asked: Option<&str>) -> RunError {
    let [stored, asked] = [stored, asked].map(|shard| match shard {
        None => "the whole event".to_owned(),
        Some(shard) => format!("shard {shard}"),
    });
    RunError::Refused(format!(
        "the store is that of {stored} and not of {asked}: choose another --results; `arbiter960 merge` makes one \
         event of its shards"
    ))
}

/// The event file makes another plan than the one that was begun.
pub(super) fn other_plan(differences: &[Difference]) -> RunError {
    RunError::Refused(format!(
        "the event file has changed since this event was begun:{}\nwith it other games would be played than \
         those that are stored: {}give the event another name, or start again from nothing with --fresh",
        listed(differences),
        late_entrant(differences)
    ))
}

/// The engines by name, and the verb that they take.
pub(super) fn named(engines: &[String]) -> String {
    let name = |name: &String| format!("\"{}\"", printable(name));
    let names = engines.iter().map(name);
    let verb = if engines.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", names.collect::<Vec<_>>().join(", "))
}

/// What adds an engine to a Swiss that has begun, where the file has one more.
fn late_entrant(differences: &[Difference]) -> String {
    let mut added = differences.iter().filter(|one| one.stored.is_none());
    let name = added.find_map(|one| one.now.as_ref()?.get("name")?.as_str());
    name.map_or_else(String::new, |name| {
        format!(
            "a Swiss that is no stage takes a late entrant by `arbiter960 decide RESULTS add {name:?}`; otherwise "
        )
    })
}

/// Differences, a line each.
pub(crate) fn listed(differences: &[Difference]) -> String {
    let lines = differences.iter().map(|difference| {
        let words = difference.to_string();
        format!("\n  {}", printable(&words))
    });
    lines.collect()
}

/// So many games are named; the others are counted.
const MAX_LISTED_ITEMS: usize = 20;

/// Games of the file that are not whole, not legal, or not of this event.
pub(super) fn unfit(games: &[String]) -> String {
    let count = games.len();
    let more = match count.saturating_sub(MAX_LISTED_ITEMS) {
        0 => String::new(),
        more => format!("\n  and {more} more"),
    };
    let verb = if count == 1 { "does" } else { "do" };
    format!(
        "{} of games.pgn {verb} not fit this event file, or cannot be read:\n  \
         {}{more}\nNothing was changed. Put the event file, the engines or games.pgn right; or give \
         --leave-out: these games are then missing, and the next run plays them again",
        text::count(count, "game"),
        games[..count.min(MAX_LISTED_ITEMS)].join("\n  ")
    )
}
