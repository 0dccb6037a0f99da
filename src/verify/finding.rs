//! What can be found, in words.

use std::fmt;

use super::strict::StrictKind;
use crate::chess::start::{STANDARD_NUMBER, StartNumber, Variant, VariantFenError};
use crate::chess::{Color, Ending, SanError};
use crate::pgn::{GameResult, PgnError, PgnErrorKind, PgnPlace, Style, StyleKind, WarningKind};
use crate::tablebase::Verdict;

/// Something wrong or odd, and where.
#[derive(Debug)]
pub struct Finding {
    /// Where.
    pub place: PgnPlace,
    /// What.
    pub kind: FindingKind,
}

/// What can be wrong with a game, or odd.
#[derive(Debug)]
pub enum FindingKind {
    /// The game cannot be played to its end, for example because of an illegal move.
    Unreadable(PgnErrorKind),
    /// What is odd otherwise, and wrong where everything is minded.
    Minded(Box<FindingKind>),
    /// A tag that is odd.
    Tag(WarningKind),
    /// `StartVariant` is not the name of a variant.
    UnknownStartVariant(String),
    /// `StartNumber` is not a number of the variant.
    NoSuchNumber {
        /// As it stands in the tag.
        number: String,
        /// By whose numbering.
        variant: Variant,
    },
    /// The FEN is another position than start `claimed`.
    OtherStart {
        /// The number in the tag.
        claimed: StartNumber,
        /// By whose numbering.
        variant: Variant,
        /// The FEN's number, if it is a start at all.
        actual: Option<StartNumber>,
    },
    /// The FEN is a numbered start but for its castling rights.
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
    /// `Result` is none of the four results.
    UnknownResult(String),
    /// `Result` differs from the token after the moves.
    Results {
        /// In the tag.
        tag: GameResult,
        /// After the moves.
        token: GameResult,
    },
    /// The board says otherwise.
    ResultAgainstBoard {
        /// The game's result.
        result: GameResult,
        /// How the game has ended.
        ending: Ending,
    },
    /// `Termination` is `normal`, but nothing on the board gives this result.
    NotEnded {
        /// The game's result.
        result: GameResult,
    },
    /// The board has ended the game, `Termination` says something else did.
    TerminationAgainstBoard {
        /// The tag's value.
        termination: String,
        /// How the game has ended.
        ending: Ending,
    },
    /// A forfeit won by a side that cannot mate (FIDE 6.9, 7.5.5).
    WonWithoutMate {
        /// Who won.
        winner: Color,
        /// The tag's value.
        termination: String,
        /// Whether the event said that flag falls always lose, in the tag `FlagFall`.
        by_the_events_rule: bool,
    },
    /// By the tablebases the last position ends otherwise.
    AgainstTables {
        /// The game's result.
        result: GameResult,
        /// How it ends with best play.
        verdict: Verdict,
        /// Whether `Termination` says that it was adjudicated; else it may have been agreed.
        adjudicated: bool,
    },
    /// Moves after the game was over without anybody's claim.
    PlayedOn {
        /// How it had ended.
        ending: Ending,
        /// Whether every program sees it, or only a proof.
        obvious: bool,
    },
    /// Something that is not written as PGN has it.
    Style(StyleKind),
    /// Chess960 without a word on the start.
    NoStart(Variant),
    /// Double Fischer random under the name of transcendental chess.
    CastlingTranscendental,
    /// Castling rights that the variant does not have.
    ForeignRights(VariantFenError),
    /// What only a strict reader minds.
    Strict(StrictKind),
    /// `PlyCount` is not the number of half-moves.
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
    /// Whether it is only odd: worth a word, but nothing is wrong with the game.
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
            // Who is won may agree to a draw, and who is not lost may resign.
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

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_warning() {
            f.write_str("warning: ")?;
        }
        self.write(f)
    }
}

impl FindingKind {
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FindingKind::Unreadable(error) => write_error(error, f),
            FindingKind::Minded(kind) => kind.write(f),
            FindingKind::Tag(warning) => write!(f, "{warning}"),
            FindingKind::Style(style) => write!(f, "{style}"),
            FindingKind::Strict(strict) => write!(f, "{strict}"),
            FindingKind::NoStart(variant) => write!(
                f,
                "{variant} without FEN or StartNumber: it is replayed from {STANDARD_NUMBER}"
            ),
            FindingKind::CastlingTranscendental => f.write_str(
                "transcendental chess has no castling: read as double Fischer random (dfrc), which \
                 FICGS calls so",
            ),
            FindingKind::ForeignRights(error) => write!(f, "{error}"),
            FindingKind::WonWithoutMate {
                winner,
                termination,
                ..
            } => write!(
                f,
                "Termination {termination:?}, but {winner} cannot mate by any series of legal \
                 moves: a draw (FIDE 6.9)"
            ),
            FindingKind::AgainstTables {
                result, verdict, ..
            } => write!(
                f,
                "the result is {result}, but by the tablebases the last position is {verdict}"
            ),
            FindingKind::PlayedOn { ending, .. } => {
                write!(
                    f,
                    "played on after the game was over: {}",
                    described(*ending)
                )
            }
            FindingKind::UnknownStartVariant(name) => {
                write!(f, "StartVariant {name:?} is not a variant")
            }
            FindingKind::NoSuchNumber { number, variant } => {
                write!(f, "StartNumber {number:?} is not a start of {variant}")
            }
            FindingKind::OtherStart {
                claimed,
                variant,
                actual: Some(actual),
            } => {
                write!(
                    f,
                    "StartNumber {claimed}, but the FEN is {variant} start {actual}"
                )
            }
            FindingKind::OtherStart {
                claimed,
                variant,
                actual: None,
            } => {
                write!(f, "the FEN is not {variant} start {claimed}")
            }
            FindingKind::CastlingRights {
                number,
                variant,
                expected,
                found,
            } => write!(
                f,
                "castling rights {found}, but {variant} start {number} has {expected}"
            ),
            FindingKind::UnknownResult(result) => write!(f, "Result {result:?} is not a result"),
            FindingKind::Results { tag, token } => {
                write!(f, "Result \"{tag}\", but the moves end with {token}")
            }
            FindingKind::ResultAgainstBoard { result, ending } => {
                write!(
                    f,
                    "result {result}, but the final position is {}",
                    described(*ending)
                )
            }
            FindingKind::NotEnded { result } => {
                write!(
                    f,
                    "result {result} with Termination \"normal\" in an unfinished position"
                )
            }
            FindingKind::TerminationAgainstBoard {
                termination,
                ending,
            } => write!(
                f,
                "Termination {termination:?}, but the final position is {}",
                described(*ending)
            ),
            FindingKind::PlyCount { claimed, counted } => {
                write!(
                    f,
                    "PlyCount {claimed:?}, but there are {counted} half-moves"
                )
            }
        }
    }
}

/// Says of a move what it is, before saying why.
fn write_error(error: &PgnErrorKind, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match error {
        PgnErrorKind::Move {
            reason: SanError::Malformed { .. },
            ..
        } => {
            write!(f, "unreadable move: {error}")
        }
        PgnErrorKind::Move { .. } => write!(f, "illegal move: {error}"),
        other => write!(f, "{other}"),
    }
}

/// `checkmate by White` says more in a sentence than `White mates`.
fn described(ending: Ending) -> String {
    match ending {
        Ending::Checkmate { .. } => format!("checkmate ({ending})"),
        Ending::DeadPosition => "dead: neither side can mate".to_owned(),
        other => format!("a draw by {other}"),
    }
}
