//! The possible findings, in words.

use std::fmt;

use super::strict::StrictKind;
use crate::chess::start::{STANDARD_NUMBER, StartNumber, Variant, VariantFenError};
use crate::chess::{Color, Ending, SanError};
use crate::pgn::{GameResult, PgnError, PgnErrorKind, PgnPlace, Style, StyleKind, WarningKind};
use crate::tablebase::SolvedOutcome;

/// Something wrong or odd, and its place.
#[derive(Debug)]
pub struct Finding {
    /// The place.
    pub place: PgnPlace,
    /// The finding.
    pub kind: FindingKind,
}

/// The possible errors and oddities of a game.
#[derive(Debug, thiserror::Error)]
pub enum FindingKind {
    /// The game cannot be played to its end, for example because of an illegal move.
    #[error("{}", unreadable(.0))]
    Unreadable(PgnErrorKind),
    /// Something that is odd by default, and wrong in a strict check.
    #[error("{0}")]
    Minded(Box<FindingKind>),
    /// A tag that is odd.
    #[error("{0}")]
    Tag(WarningKind),
    /// `StartVariant` is not the name of a variant.
    #[error("StartVariant {0:?} is not a variant")]
    UnknownStartVariant(String),
    /// `StartNumber` is not a number of the variant.
    #[error("StartNumber {number:?} is not a start of {variant}")]
    NoSuchNumber {
        /// The tag's value.
        number: String,
        /// By whose numbering.
        variant: Variant,
    },
    /// The FEN is another position than start `claimed`.
    #[error("{}", other_start(*claimed, *variant, *actual))]
    OtherStart {
        /// The number in the tag.
        claimed: StartNumber,
        /// By whose numbering.
        variant: Variant,
        /// The FEN's number, if it is a start at all.
        actual: Option<StartNumber>,
    },
    /// The FEN is a numbered start except for its castling rights.
    #[error("castling rights {found}, but {variant} start {number} has {expected}")]
    CastlingRights {
        /// Which start.
        number: StartNumber,
        /// Of which variant.
        variant: Variant,
        /// The castling field that it should have (X-FEN).
        expected: String,
        /// The one that it has.
        found: String,
    },
    /// `Result` is not one of the four results.
    #[error("Result {0:?} is not a result")]
    UnknownResult(String),
    /// `Result` differs from the token after the moves.
    #[error("Result \"{tag}\", but the moves end with {token}")]
    Results {
        /// In the tag.
        tag: GameResult,
        /// After the moves.
        token: GameResult,
    },
    /// The end on the board gives another result.
    #[error("result {result}, but the final position is {}", described(*ending))]
    ResultAgainstBoard {
        /// The game's result.
        result: GameResult,
        /// How the game has ended.
        ending: Ending,
    },
    /// `Termination` is `normal`, but nothing on the board gives this result.
    #[error("result {result} with Termination \"normal\" in an unfinished position")]
    NotEnded {
        /// The game's result.
        result: GameResult,
    },
    /// The board has ended the game, `Termination` names another cause.
    #[error("Termination {termination:?}, but the final position is {}", described(*ending))]
    TerminationAgainstBoard {
        /// The tag's value.
        termination: String,
        /// How the game has ended.
        ending: Ending,
    },
    /// A forfeit won by a side that cannot mate (FIDE 6.9, 7.5.5).
    #[error(
        "Termination {termination:?}, but {winner} cannot mate by any series of legal moves: a draw (FIDE 6.9)"
    )]
    WonWithoutMate {
        /// Who won.
        winner: Color,
        /// The tag's value.
        termination: String,
        /// Whether the event said that flag falls always lose, in the tag `FlagFall`.
        by_the_events_rule: bool,
    },
    /// By the tablebases the last position gives another result.
    #[error("the result is {result}, but by the tablebases the last position is {verdict}")]
    AgainstTables {
        /// The game's result.
        result: GameResult,
        /// How it ends with best play.
        verdict: SolvedOutcome,
        /// Whether `Termination` says that it was adjudicated; otherwise it may have been agreed.
        adjudicated: bool,
    },
    /// Moves after the game was over without a claim.
    #[error("played on after the game was over: {}", described(*ending))]
    PlayedOn {
        /// How it had ended.
        ending: Ending,
        /// Whether every program sees it, or only a proof.
        obvious: bool,
    },
    /// Something that is not written as PGN has it.
    #[error("{0}")]
    Style(StyleKind),
    /// Chess960 without any information on the start.
    #[error("{0} without FEN or StartNumber: it is replayed from {STANDARD_NUMBER}")]
    NoStart(Variant),
    /// Double Fischer random under the name of transcendental chess.
    #[error(
        "transcendental chess has no castling: read as double Fischer random (dfrc), which FICGS calls so"
    )]
    CastlingTranscendental,
    /// Castling rights that the variant does not have.
    #[error("{0}")]
    ForeignRights(VariantFenError),
    /// An error for strict readers only.
    #[error("{0}")]
    Strict(StrictKind),
    /// `PlyCount` is not the number of half-moves.
    #[error("PlyCount {claimed:?}, but there are {counted} half-moves")]
    PlyCount {
        /// The tag's value.
        claimed: String,
        /// The half-moves.
        counted: u32,
    },
}

/// The third field of a FEN where nobody may castle.
const NO_CASTLING_RIGHTS: &str = "-";

impl FindingKind {
    /// Whether it is only odd: reported, but not an error of the game.
    pub fn is_warning(&self) -> bool {
        use WarningKind::*;
        match self {
            FindingKind::Tag(RepeatedTag(_) | VariationForVariant(_))
            | FindingKind::Style(_)
            | FindingKind::NoStart(_)
            | FindingKind::CastlingTranscendental => true,
            // TCEC's No-Castling games begin at numbered starts, and a FEN may say so.
            FindingKind::CastlingRights { found, .. } => found == NO_CASTLING_RIGHTS,
            FindingKind::WonWithoutMate {
                by_the_events_rule, ..
            } => *by_the_events_rule,
            FindingKind::PlayedOn { obvious, .. } => !obvious,
            // The winning side may agree to a draw, and a side that is not lost may resign.
            FindingKind::AgainstTables { adjudicated, .. } => !adjudicated,
            _ => false,
        }
    }
}

impl From<PgnErrorKind> for FindingKind {
    fn from(kind: PgnErrorKind) -> FindingKind {
        FindingKind::Unreadable(kind)
    }
}

impl From<WarningKind> for FindingKind {
    fn from(kind: WarningKind) -> FindingKind {
        FindingKind::Tag(kind)
    }
}

impl From<Style> for Finding {
    fn from(style: Style) -> Finding {
        Finding {
            place: style.place,
            kind: FindingKind::Style(style.kind),
        }
    }
}

impl From<PgnError> for Finding {
    fn from(error: PgnError) -> Finding {
        Finding {
            place: error.place,
            kind: error.kind.into(),
        }
    }
}

impl fmt::Display for Finding {
    /// The finding, without its place.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind.is_warning() {
            f.write_str("warning: ")?;
        }
        write!(f, "{}", self.kind)
    }
}

/// Describes a move first, then the reason.
fn unreadable(error: &PgnErrorKind) -> String {
    match error {
        PgnErrorKind::Move {
            reason: SanError::Malformed { .. },
            ..
        } => format!("unreadable move: {error}"),
        PgnErrorKind::Move { .. } => format!("illegal move: {error}"),
        other => other.to_string(),
    }
}

/// The FEN against the start number.
fn other_start(claimed: StartNumber, variant: Variant, actual: Option<StartNumber>) -> String {
    match actual {
        Some(actual) => {
            format!("StartNumber {claimed}, but the FEN is {variant} start {actual}")
        }
        None => format!("the FEN is not {variant} start {claimed}"),
    }
}

/// `checkmate by White` is clearer in a sentence than `White mates`.
fn described(ending: Ending) -> String {
    match ending {
        Ending::Checkmate { .. } => format!("checkmate ({ending})"),
        Ending::DeadPosition => "dead: neither side can mate".to_owned(),
        other => format!("a draw by {other}"),
    }
}
