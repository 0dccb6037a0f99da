//! What an arbiter asks for, and why it is refused.

use crate::event::GameName;
use crate::store::StoreError;
use crate::text::printable;

/// What an arbiter asks for, in the words of the command line.
#[derive(Debug, Clone, PartialEq, Eq, clap::Subcommand)]
pub(crate) enum ArbiterRequest {
    /// Take an engine out: it plays no more pairs; `disqualified` in [faults] says what its games are worth
    Withdraw {
        /// The engine's name
        engine: String,
    },
    /// Let one side lose a game, played or not; it counts in the standings, not in the statistics
    Forfeit {
        /// The game
        game: String,
        /// Who loses: white, black or the engine's name
        #[arg(long, value_name = "WHO")]
        loser: String,
    },
    /// Change the result of a played game, or take points from both sides of a game, played or not
    Result {
        /// The game
        game: String,
        /// 1-0, 0-1 or 1/2-1/2; 0-0, 1/2-0 or 0-1/2, which the statistics leave out
        #[arg(allow_hyphen_values = true)]
        result: String,
    },
    /// Play a game again; the first one does not count
    Replay {
        /// The game
        game: String,
    },
    /// Play again what a worker of a farm has played; its games do not count
    Purge {
        /// The worker's name
        worker: String,
    },
    /// Let the last engine of the event file take part from the next round on (Swiss)
    Add {
        /// The engine's name
        engine: String,
    },
    /// Go on with another build of an engine: the one that the event file names now
    Replace {
        /// The engine's name
        engine: String,
    },
    /// Add rounds to a Swiss or a league in rounds
    Extend {
        /// How many
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
        rounds: u16,
    },
    /// Take a decision back: the last that holds, or that of this number
    Undo {
        /// The decision's number
        decision: Option<u64>,
    },
}

/// Why a decision is not made: nothing is written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DecisionRefusal {
    /// No engine has this name.
    #[error("no engine \"{name}\" takes part{}", hint(.nearest))]
    NoEngine {
        /// As it was given.
        name: String,
        /// A name that is nearly the same.
        nearest: Option<String>,
    },
    /// No game has this name.
    #[error(
        "\"{game}\" is no game of this event: games are named as the tag Round of games.pgn has it, {example}"
    )]
    NoGame {
        /// As it was given.
        game: String,
        /// Of this event.
        example: &'static str,
    },
    /// A pair is no game.
    #[error("pair {pair} has two games: name {} or {}", games[0], games[1])]
    TwoGames {
        /// The pair, from 1.
        pair: u64,
        /// Its games.
        games: [GameName; 2],
    },
    /// The game must have been played.
    #[error(
        "game {0} has not been played: a game without moves can be given to one side by `forfeit`, or left to be played"
    )]
    NotPlayed(GameName),
    /// No game that counts was played by a worker of this name.
    #[error("no game that counts was played by a worker \"{name}\"{}", hint(.nearest))]
    NoWorker {
        /// As it was given.
        name: String,
        /// A name that is nearly the same.
        nearest: Option<String>,
    },
    /// No player of the game has this name.
    #[error("{loser} does not play game {game}: `--loser` is white, black or one of {players}")]
    NotInGame {
        /// As it was given.
        loser: String,
        /// The game.
        game: GameName,
        /// Who plays it.
        players: String,
    },
    /// It is no result.
    #[error(
        "\"{0}\" is no result: write 1-0, 0-1 or 1/2-1/2, or 0-0, 1/2-0 or 0-1/2, which take points from both"
    )]
    NoResult(String),
    /// It was decided before.
    #[error(
        "{what} was decided before (decision {by}): take that back first, `arbiter960 decide RESULTS undo {by} --reason …`"
    )]
    Twice {
        /// What.
        what: String,
        /// Where.
        by: u64,
    },
    /// The game has this result already.
    #[error("game {game} has the result {result} already")]
    Same {
        /// The game.
        game: GameName,
        /// Its result.
        result: &'static str,
    },
    /// What follows from it was paired already.
    #[error(
        "round {round} board {board} has been paired with the engines that went on by the results so far, another would go on now, and a game of it counts: nothing was written"
    )]
    Paired {
        /// The round.
        round: u16,
        /// The board.
        board: u16,
    },
    /// It would have no effect.
    #[error("nothing would follow from it: {0}; nothing was written")]
    NoEffect(&'static str),
    /// An engine of the game plays no more.
    #[error(
        "game {game} would not be played again, because {engine} plays no more: its opponent would win it instead. \
         `result` and `forfeit` give a game another result; nothing was written"
    )]
    NeverPlayed {
        /// The game.
        game: GameName,
        /// The engine.
        engine: String,
    },
    /// A sequential test is over.
    #[error(
        "it would not be played again: the test is decided without it, and nothing more is played; nothing was written"
    )]
    TestStaysDecided,
    /// The format does not know it.
    #[error("{0}")]
    Format(&'static str),
    /// The event file forbids it.
    #[error("the event file forbids other builds: replacements = false in [event]")]
    NoReplacements,
    /// The name is taken.
    #[error("\"{0}\" takes part already")]
    TakesPart(String),
    /// There is no such decision, or it does not hold.
    #[error(
        "there is no decision {0} that holds; `arbiter960 decide RESULTS list` prints the book"
    )]
    NoDecision(u64),
    /// Nothing to take back.
    #[error("no decision holds: there is nothing to take back")]
    NothingDecided,
    /// What was decided has been acted on.
    #[error("decision {id} cannot be taken back: {why}")]
    ActedOn {
        /// The decision.
        id: u64,
        /// What happened since.
        why: String,
    },
    /// The store cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn hint(nearest: &Option<String>) -> String {
    let hint = nearest.as_ref();
    hint.map_or_else(String::new, |name| {
        format!(": did you mean \"{}\"?", printable(name))
    })
}
