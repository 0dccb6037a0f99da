//! Why a game ended, in the words of the lines and of the PGN's last comment.

use crate::chess::Color;
use crate::event::PlayedGame;
use crate::referee::{DrawnBy, FaultKind, Outcome, WonBy};

/// The reason, as fastchess words it.
pub(super) fn text(game: &PlayedGame) -> String {
    match game.record.outcome {
        Outcome::Won { by, how } => won(game, by, how),
        Outcome::Drawn(how) => drawn(how).to_owned(),
        Outcome::Void(_) => "Game interrupted".to_owned(),
    }
}

fn won(game: &PlayedGame, by: Color, how: WonBy) -> String {
    let (winner, loser) = (name(by), name(!by));
    match how {
        WonBy::Checkmate => format!("{winner} mates"),
        WonBy::TablebaseAdjudication => format!("{winner} wins by adjudication: SyzygyTB"),
        WonBy::ScoreAdjudication | WonBy::ArbiterRuling | WonBy::ArbiterForfeit => {
            format!("{winner} wins by adjudication")
        }
        WonBy::Forfeit(kind) => match kind {
            FaultKind::FlagFall => format!("{loser} loses on time ({}ms overrun)", overrun(game)),
            FaultKind::IllegalMove => format!("{loser} makes an illegal move"),
            FaultKind::Stall | FaultKind::NotReady | FaultKind::IdleCpu => {
                format!("{loser}'s connection stalls")
            }
            FaultKind::Crash
            | FaultKind::StartFailure
            | FaultKind::MemoryLimit
            | FaultKind::ProcessLimit => format!("{loser} disconnects"),
        },
    }
}

fn drawn(how: DrawnBy) -> &'static str {
    match how {
        DrawnBy::Stalemate => "Draw by stalemate",
        DrawnBy::ThreefoldRepetition | DrawnBy::FivefoldRepetition => "Draw by 3-fold repetition",
        DrawnBy::FiftyMoves | DrawnBy::SeventyFiveMoves => "Draw by fifty moves rule",
        DrawnBy::DeadPosition => "Draw by insufficient mating material",
        DrawnBy::TablebaseAdjudication => "Draw by adjudication: SyzygyTB",
        DrawnBy::ScoreAdjudication
        | DrawnBy::LengthAdjudication
        | DrawnBy::ForfeitAgainstNoMate(_)
        | DrawnBy::ArbiterRuling => "Draw by adjudication",
    }
}

fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// Whether an engine that did this does not answer.
pub(super) fn is_stall(kind: FaultKind) -> bool {
    matches!(kind, FaultKind::Stall | FaultKind::NotReady)
}

/// How long the loser thought beyond its clock and its margin, milliseconds.
fn overrun(game: &PlayedGame) -> u128 {
    let fault = game.record.deciding_fault();
    let evidence = fault.and_then(|fault| fault.evidence.as_ref());
    evidence.map_or(0, |evidence| evidence.late.as_millis())
}

/// What an engine of this name did that lost the game, as fastchess words it in its log.
pub(super) fn of_engine(game: &PlayedGame, name: &str) -> Option<String> {
    let words = match fault(game)? {
        FaultKind::IllegalMove => return None,
        FaultKind::FlagFall => format!("loses on time by {}ms", overrun(game)),
        FaultKind::Stall | FaultKind::NotReady | FaultKind::IdleCpu => "stalls".to_owned(),
        FaultKind::Crash
        | FaultKind::StartFailure
        | FaultKind::MemoryLimit
        | FaultKind::ProcessLimit => "disconnects".to_owned(),
    };
    Some(format!("Engine {name} {words}"))
}

/// The kind of fault that lost the game, if one did.
pub(super) fn fault(game: &PlayedGame) -> Option<FaultKind> {
    match game.record.outcome {
        Outcome::Won {
            how: WonBy::Forfeit(kind),
            ..
        } => Some(kind),
        _ => None,
    }
}

/// Whether an engine broke down: what fastchess calls a stall or a disconnection.
pub(super) fn is_breakdown(kind: FaultKind) -> bool {
    !matches!(
        kind,
        FaultKind::FlagFall | FaultKind::IllegalMove | FaultKind::IdleCpu
    )
}

/// The move that was none, as the engine wrote it; `None` if it was not that.
pub(super) fn illegal_move(game: &PlayedGame) -> Option<&str> {
    let fault = game.record.deciding_fault()?;
    let is_illegal = fault.kind == FaultKind::IllegalMove;
    let quoted = fault.detail.split('"').nth(1);
    quoted.filter(|_| is_illegal)
}
