//! How a game ended, as data. Text is made at the edge, by `Display`.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::chess::{Color, Ending};
use crate::referee::Termination::{Adjudication, Normal, Unterminated};
use crate::referee::{FaultKind, Termination};
use crate::stats::counts::GameScore;

/// The end of one game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// One side won.
    Won {
        /// The winner.
        by: Color,
        /// The reason.
        how: WonBy,
    },
    /// Nobody won.
    Drawn(DrawnBy),
    /// The arbiter gave both sides less than one point together.
    Uneven(Uneven),
    /// The game does not count: it stays in the log, is missing on resume, and
    /// never enters the PGN or the statistics.
    Void(VoidReason),
}

/// Why a game was won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WonBy {
    /// FIDE Laws 5.1.1.
    Checkmate,
    /// FIDE Laws 5.1.2: the opponent has resigned.
    Resignation,
    /// Both engines' scores agreed for the moves the event file asks for.
    ScoreAdjudication,
    /// The tablebases say so.
    TablebaseAdjudication,
    /// The opponent's fault.
    Forfeit(FaultKind),
    /// The arbiter gave the game another result than it had on the board.
    ArbiterRuling,
    /// The arbiter declared that one side forfeits the game, which gives it to the opponent.
    ArbiterForfeit,
}

/// Why a game was drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DrawnBy {
    /// FIDE Laws 5.2.1.
    Stalemate,
    /// FIDE Laws 9.2, claimed by the arbiter.
    ThreefoldRepetition,
    /// FIDE Laws 9.6.1.
    FivefoldRepetition,
    /// FIDE Laws 9.3, claimed by the arbiter.
    FiftyMoves,
    /// FIDE Laws 9.6.2.
    SeventyFiveMoves,
    /// FIDE Laws 5.2.2: no series of legal moves can mate.
    DeadPosition,
    /// Both engines' scores stayed near zero for the moves the event file asks for.
    ScoreAdjudication,
    /// The game reached `adjudication.max_moves`.
    LengthAdjudication,
    /// The tablebases say so.
    TablebaseAdjudication,
    /// A forfeit against a side that cannot mate by any series of legal moves
    /// (FIDE Laws 6.9 and 7.5.5; only with `flag_fall = "fide"`).
    ForfeitAgainstNoMate(FaultKind),
    /// The arbiter gave the game another result than it had on the board.
    ArbiterRuling,
}

crate::chess::worded! {
    /// A result that gives both sides less than one point together; only an arbiter rules so.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum Uneven,
    /// The result as people write it.
    as_str: &'static str {
        /// Both lose.
        #[serde(rename = "0-0")]
        BothLose = "0-0",
        /// White gets half a point, Black none.
        #[serde(rename = "1/2-0")]
        WhiteHalf = "1/2-0",
        /// Black gets half a point, White none.
        #[serde(rename = "0-1/2")]
        BlackHalf = "0-1/2",
    }
}

impl Uneven {
    /// Reads a result as [`Uneven::as_str`] writes it.
    pub(crate) fn parse(text: &str) -> Option<Uneven> {
        Uneven::ALL.into_iter().find(|one| one.as_str() == text)
    }

    fn scores(self) -> [GameScore; 2] {
        match self {
            Uneven::BothLose => [GameScore::Loss; 2],
            Uneven::WhiteHalf => [GameScore::Draw, GameScore::Loss],
            Uneven::BlackHalf => [GameScore::Loss, GameScore::Draw],
        }
    }
}

/// Why a game does not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VoidReason {
    /// The runner was told to stop.
    Interrupted,
    /// The host, not an engine, failed: what happened.
    HostFault(String),
    /// An engine had a fault that the event forgives once more: the game is played
    /// again.
    FaultReplayed,
}

impl VoidReason {
    /// What the reason's word does not say.
    pub(crate) fn detail(&self) -> Option<&str> {
        match self {
            VoidReason::Interrupted | VoidReason::FaultReplayed => None,
            VoidReason::HostFault(what) => Some(what),
        }
    }
}

impl Outcome {
    /// Every outcome of a game that is not void.
    pub(crate) fn all_finished() -> impl Iterator<Item = Outcome> {
        let wins = FaultKind::ALL.map(WonBy::Forfeit);
        let wins = WonBy::WITHOUT_FAULT.into_iter().chain(wins);
        let draws = FaultKind::ALL.map(DrawnBy::ForfeitAgainstNoMate);
        let draws = DrawnBy::WITHOUT_FAULT.into_iter().chain(draws);
        wins.flat_map(|how| Color::ALL.map(|by| Outcome::Won { by, how }))
            .chain(draws.map(Outcome::Drawn))
    }

    /// What the game gave White and Black; `None` if void.
    pub(crate) fn scores(&self) -> Option<[GameScore; 2]> {
        match self {
            Outcome::Uneven(uneven) => Some(uneven.scores()),
            outcome => outcome.white_score().map(|white| [white, white.reversed()]),
        }
    }

    /// White's score, where Black has the rest of the point; `None` if void or uneven.
    pub fn white_score(&self) -> Option<GameScore> {
        match self {
            Outcome::Won { by, .. } if *by == Color::White => Some(GameScore::Win),
            Outcome::Won { .. } => Some(GameScore::Loss),
            Outcome::Drawn(_) => Some(GameScore::Draw),
            Outcome::Uneven(_) | Outcome::Void(_) => None,
        }
    }

    /// The result as people write it: the PGN token, or another where PGN has none.
    pub fn result(&self) -> &'static str {
        match self {
            Outcome::Uneven(uneven) => uneven.as_str(),
            outcome => outcome.pgn_result(),
        }
    }

    /// The PGN result token.
    pub(crate) fn pgn_result(&self) -> &'static str {
        match self.white_score() {
            Some(GameScore::Win) => "1-0",
            Some(GameScore::Draw) => "1/2-1/2",
            Some(GameScore::Loss) => "0-1",
            None => "*",
        }
    }

    /// What the arbiter made of a game: White's score, and whether one side forfeits it.
    pub(crate) fn by_the_arbiter(white: GameScore, forfeit: bool) -> Outcome {
        let how = if forfeit {
            WonBy::ArbiterForfeit
        } else {
            WonBy::ArbiterRuling
        };
        let won = |by| Outcome::Won { by, how };
        match white {
            GameScore::Win => won(Color::White),
            GameScore::Draw => Outcome::Drawn(DrawnBy::ArbiterRuling),
            GameScore::Loss => won(Color::Black),
        }
    }

    /// Whether the game says something of strength: not if the arbiter gave it to one side, or took points from both.
    pub(crate) fn is_evidence(&self) -> bool {
        !matches!(
            self,
            Outcome::Won {
                how: WonBy::ArbiterForfeit,
                ..
            } | Outcome::Uneven(_)
        )
    }

    /// Whether the game does not count.
    pub fn is_void(&self) -> bool {
        matches!(self, Outcome::Void(_))
    }

    /// What it is called in the PGN tag `Termination`.
    pub fn termination(&self) -> Termination {
        self.end().1
    }

    /// A stable word for the reason, for files that programs read.
    pub fn reason(&self) -> &'static str {
        self.end().0
    }

    fn end(&self) -> (&'static str, Termination) {
        match self {
            Outcome::Won { how, .. } => how.end(),
            Outcome::Drawn(how) => how.end(),
            Outcome::Uneven(_) => WonBy::ArbiterRuling.end(),
            Outcome::Void(VoidReason::Interrupted) => ("interrupted", Unterminated),
            Outcome::Void(VoidReason::HostFault(_)) => ("host-fault", Unterminated),
            Outcome::Void(VoidReason::FaultReplayed) => ("fault-replayed", Unterminated),
        }
    }
}

impl From<Ending> for Outcome {
    /// What the board has ended.
    fn from(ending: Ending) -> Outcome {
        match ending {
            Ending::Checkmate { winner } => Outcome::Won {
                by: winner,
                how: WonBy::Checkmate,
            },
            Ending::Stalemate => Outcome::Drawn(DrawnBy::Stalemate),
            Ending::DeadPosition => Outcome::Drawn(DrawnBy::DeadPosition),
            Ending::FivefoldRepetition => Outcome::Drawn(DrawnBy::FivefoldRepetition),
            Ending::SeventyFiveMoves => Outcome::Drawn(DrawnBy::SeventyFiveMoves),
            Ending::ThreefoldRepetition => Outcome::Drawn(DrawnBy::ThreefoldRepetition),
            Ending::FiftyMoves => Outcome::Drawn(DrawnBy::FiftyMoves),
        }
    }
}

impl WonBy {
    /// Every way without a fault.
    pub(crate) const WITHOUT_FAULT: [WonBy; 4] = [
        WonBy::Checkmate,
        WonBy::Resignation,
        WonBy::ScoreAdjudication,
        WonBy::TablebaseAdjudication,
    ];

    fn end(self) -> (&'static str, Termination) {
        match self {
            WonBy::Checkmate => ("checkmate", Normal),
            WonBy::Resignation => ("resignation", Normal),
            WonBy::ScoreAdjudication => ("score-adjudication", Adjudication),
            WonBy::TablebaseAdjudication => ("tablebase-adjudication", Adjudication),
            WonBy::Forfeit(fault) => (fault.reason(), fault.termination()),
            WonBy::ArbiterRuling => ("arbiter-ruling", Adjudication),
            WonBy::ArbiterForfeit => ("arbiter-forfeit", Adjudication),
        }
    }
}

impl DrawnBy {
    /// Every way without a fault, the frequent ones first.
    pub(crate) const WITHOUT_FAULT: [DrawnBy; 9] = [
        DrawnBy::ThreefoldRepetition,
        DrawnBy::FiftyMoves,
        DrawnBy::Stalemate,
        DrawnBy::DeadPosition,
        DrawnBy::FivefoldRepetition,
        DrawnBy::SeventyFiveMoves,
        DrawnBy::ScoreAdjudication,
        DrawnBy::LengthAdjudication,
        DrawnBy::TablebaseAdjudication,
    ];

    fn end(self) -> (&'static str, Termination) {
        match self {
            DrawnBy::Stalemate => ("stalemate", Normal),
            DrawnBy::ThreefoldRepetition => ("threefold-repetition", Normal),
            DrawnBy::FivefoldRepetition => ("fivefold-repetition", Normal),
            DrawnBy::FiftyMoves => ("fifty-moves", Normal),
            DrawnBy::SeventyFiveMoves => ("seventy-five-moves", Normal),
            DrawnBy::DeadPosition => ("dead-position", Normal),
            DrawnBy::ScoreAdjudication => ("score-adjudication", Adjudication),
            DrawnBy::LengthAdjudication => ("length-adjudication", Adjudication),
            DrawnBy::TablebaseAdjudication => ("tablebase-adjudication", Adjudication),
            DrawnBy::ForfeitAgainstNoMate(fault) => (fault.reason(), fault.termination()),
            DrawnBy::ArbiterRuling => ("arbiter-ruling", Adjudication),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = end_words(self.reason());
        match self {
            Outcome::Won {
                by,
                how: WonBy::Forfeit(_),
            } => write!(f, "{by} wins: {words}"),
            Outcome::Won { by, .. } => write!(f, "{by} wins by {words}"),
            Outcome::Drawn(DrawnBy::ForfeitAgainstNoMate(_)) => {
                write!(f, "draw: {words} against a side that cannot mate")
            }
            Outcome::Drawn(_) => write!(f, "draw by {words}"),
            Outcome::Uneven(uneven) => write!(f, "{} by {words}", uneven.as_str()),
            Outcome::Void(VoidReason::Interrupted) => write!(f, "void: {words}"),
            Outcome::Void(VoidReason::HostFault(what)) => write!(f, "void: {what}"),
            Outcome::Void(VoidReason::FaultReplayed) => f.write_str("void: a fault, played again"),
        }
    }
}

/// The end of a game for people, by its [reason](Outcome::reason): each has this one name wherever people read it.
pub(crate) fn end_words(reason: &str) -> String {
    let mut faults = FaultKind::ALL.into_iter();
    let fault = faults.find(|kind| kind.reason() == reason);
    fault.map_or_else(|| reason.replace('-', " "), |kind| kind.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_void_game_has_no_result() {
        let void = Outcome::Void(VoidReason::Interrupted);
        assert_eq!(void.white_score(), None);
        assert_eq!(void.result(), "*");
    }

    #[test]
    fn a_forfeit_names_its_termination_and_its_reason() {
        let how = WonBy::Forfeit(FaultKind::FlagFall);
        let outcome = Outcome::Won {
            by: Color::Black,
            how,
        };
        assert_eq!(outcome.result(), "0-1");
        assert_eq!(outcome.termination().to_string(), "time forfeit");
        assert_eq!(outcome.reason(), "flag-fall");
        assert_eq!(outcome.to_string(), "black wins: loss on time");
    }
}
