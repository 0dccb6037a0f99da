//! Why a run could not begin or go on.

use std::io;
use std::path::PathBuf;

use crate::engine::probe::UnfitEngine;
use crate::event::GameId;
use crate::event::identity::Difference;
use crate::sink::SinkError;
use crate::store::StoreError;
use crate::text::{count, printable};

/// Why lanes on other machines could not play, in their own words.
pub(crate) type RemoteError = Box<dyn std::error::Error + Send + Sync>;

/// An error of a run; the command line gives each its exit code.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Engines that cannot take part.
    #[error("{}", engines(.0))]
    Engines(Vec<UnfitEngine>),
    /// The event file is not the one that this event was begun with.
    #[error("{}", changes(.differences, .replaced))]
    Changed {
        /// In what it differs.
        differences: Vec<Difference>,
        /// The names of engines that are other builds now.
        replaced: Vec<String>,
    },
    /// Engines of a sequential test that has begun are other builds now.
    #[error(
        "{} not what this test has been about, and results of two builds cannot be one test: give the \
         event another name (event.name), or start again from nothing with --fresh",
        named(.0)
    )]
    ReplacedInTest(Vec<String>),
    /// Engines of an event that forbids it are other builds now.
    #[error(
        "{} not what this event was begun with, and replacements = false in [event] forbids another \
         build: put the old one back",
        named(.0)
    )]
    ReplacementsForbidden(Vec<String>),
    /// Engines of an event with nothing left to play are other builds now.
    #[error(
        "this event is complete, and {} not what played it: not one game would be played with the \
         change. Give the event another name (event.name), or start again from nothing with --fresh",
        named(.0)
    )]
    NothingToPlay(Vec<String>),
    /// The program of an engine was written while all engines were started.
    #[error(
        "the program of engine \"{}\" changed while the engines were started: run the event again \
         when it is complete; nothing was recorded",
        crate::text::printable(.0)
    )]
    ProgramChanged(String),
    /// The event file makes another plan than the one that was begun.
    #[error(
        "the event file has changed since this event was begun:{}\nwith it other games would be played than \
         those that are stored: {}give the event another name, or start again from nothing with --fresh",
        listed(.0), late_entrant(.0)
    )]
    OtherPlan(Vec<Difference>),
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
    /// The store is for another part of the plan than the one that is to be played.
    #[error(
        "the store is that of {} and not of {}: choose another --results; `arbiter960 merge` makes one \
         event of its shards",
        part(stored.as_deref()), part(asked.as_deref())
    )]
    OtherShard {
        /// What the store is for; `None`: the whole event.
        stored: Option<String>,
        /// What is to be played.
        asked: Option<String>,
    },
    /// The players make their starts, which only a run on one machine knows.
    #[error(
        "the players of this event make its starts (`opening`), and {0} cannot know them: use `run`, on one machine"
    )]
    StartsAreMade(&'static str),
    /// Shards cannot be made one event.
    #[error(transparent)]
    Merge(#[from] MergeError),
    /// Other machines cannot play for this one.
    #[error(transparent)]
    Remote(RemoteError),
    /// A store cannot be rebuilt from `games.pgn`.
    #[error(transparent)]
    Rebuild(#[from] RebuildError),
    /// The store cannot be used any more.
    #[error(transparent)]
    Storage(#[from] StoreError),
    /// A file of results cannot be written any more.
    #[error(transparent)]
    Sink(#[from] SinkError),
    /// The engines cannot be told where the file that explains the variant is.
    #[error(
        "engines could not read the variant's file at {0:?}: they take a path apart at every \
         colon, and at double blanks; choose another event.name or --results"
    )]
    VariantsPath(std::path::PathBuf),
    /// A sandboxed engine could write to the results, or is to write there.
    #[error(
        "the results ({}) and a place where the sandbox of engine \"{}\" lets it write ({}) lie in \
         one another: choose another --results, or give the engine a folder of its own",
        results.display(), crate::text::printable(engine), writable.display()
    )]
    ResultsWithinReach {
        /// The engine's name.
        engine: String,
        /// The event's folder.
        results: std::path::PathBuf,
        /// Where the engine may write.
        writable: std::path::PathBuf,
    },
    /// Not even the engines that play at the same time have room on this machine.
    #[error("{0}")]
    TooLittleMemory(String),
    /// The event is played by evidence of the kernel, which gives none.
    #[error(
        "`host_faults = \"deduct\"` needs a kernel that counts for how long threads wait for a processor \
         (/proc/thread-self/schedstat), and this one does not: take another value"
    )]
    NoEvidence,
    /// There are not enough processors for all lanes.
    #[error(transparent)]
    TooFewCpus(#[from] crate::host::cpus::TooFewCpus),
    /// The system refuses a thread, a process or a signal handler.
    #[error("the system refuses: {0}")]
    System(#[from] io::Error),
}

fn engines(unfit: &[UnfitEngine]) -> String {
    let line = |UnfitEngine { name, error }: &UnfitEngine| {
        format!("engine \"{}\": {error}", crate::text::printable(name))
    };
    unfit.iter().map(line).collect::<Vec<_>>().join("\n       ")
}

/// For another build the first advice is another event: its games are not those of the build that
/// has played.
fn changes(differences: &[Difference], replaced: &[String]) -> String {
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

fn part(shard: Option<&str>) -> String {
    shard.map_or_else(
        || "the whole event".to_owned(),
        |shard| format!("shard {shard}"),
    )
}

/// The engines by name, and the verb that they take.
fn named(engines: &[String]) -> String {
    let names = engines
        .iter()
        .map(|name| format!("\"{}\"", crate::text::printable(name)));
    let verb = if engines.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", names.collect::<Vec<_>>().join(", "))
}

/// What adds an engine to a Swiss that has begun, where the file has one more.
fn late_entrant(differences: &[Difference]) -> String {
    let mut added = differences
        .iter()
        .filter(|difference| difference.stored.is_none());
    let name = added.find_map(|difference| difference.now.as_ref()?.get("name")?.as_str());
    name.map_or_else(String::new, |name| {
        format!(
            "a Swiss takes a late entrant by `arbiter960 decide RESULTS add {name:?}`; otherwise "
        )
    })
}

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
        id: GameId,
        /// Where it is.
        first: PathBuf,
        /// And where else.
        second: PathBuf,
    },
    /// There are other games where the event is to be.
    #[error(
        "{} has {} that none of these shards has: name the shards that have them, too, or \
         merge into another folder", folder.display(), count(*games, "game")
    )]
    OtherGames {
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

/// So many games are named; the others are counted.
const MAX_LISTED_ITEMS: usize = 20;

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
    let more = match count.saturating_sub(MAX_LISTED_ITEMS) {
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
        games[..count.min(MAX_LISTED_ITEMS)].join("\n  ")
    )
}
