//! The reason for the end of a game, in the words of the lines and of the PGN's last comment.

use super::settings::EngineSettings;
use crate::chess::Color;
use crate::config::key_range;
use crate::event::PlayedGame;
use crate::referee::{DrawnBy, FaultKind, FlagEvidence, Outcome, WonBy};

/// Time that fastchess waits for a move after clock and margin have run out, in milliseconds.
const MAX_WAIT_AFTER_FLAG_MS: i64 = 100;

/// The reason, as fastchess words it.
pub(crate) fn text(game: &PlayedGame, engines: &[EngineSettings]) -> String {
    match game.record.outcome {
        Outcome::Won { by, how } => won((game, engines), by, how),
        Outcome::Drawn(how) => drawn(how).to_owned(),
        Outcome::Uneven(_) => drawn(DrawnBy::ArbiterRuling).to_owned(),
        Outcome::Void(_) => "Game interrupted".to_owned(),
    }
}

fn won(game: (&PlayedGame, &[EngineSettings]), by: Color, how: WonBy) -> String {
    let (winner, loser) = (color_name(by), color_name(!by));
    match how {
        WonBy::Checkmate => format!("{winner} mates"),
        WonBy::Resignation => format!("{loser} resigns"),
        WonBy::TablebaseAdjudication => format!("{winner} wins by adjudication: SyzygyTB"),
        WonBy::ScoreAdjudication | WonBy::ArbiterRuling | WonBy::ArbiterForfeit => {
            format!("{winner} wins by adjudication")
        }
        WonBy::Forfeit(kind) => match kind {
            FaultKind::FlagFall => {
                let overrun = overrun(game.0, game.1);
                format!("{loser} loses on time ({overrun}ms overrun)")
            }
            FaultKind::IllegalMove => format!("{loser} makes an illegal move"),
            kind if has_stalled(kind) => format!("{loser}'s connection stalls"),
            _ => format!("{loser} disconnects"),
        },
    }
}

fn drawn(how: DrawnBy) -> &'static str {
    match how {
        DrawnBy::Stalemate => "Draw by stalemate",
        DrawnBy::ThreefoldRepetition | DrawnBy::FivefoldRepetition => "Draw by 3-fold repetition",
        DrawnBy::FiftyMoves | DrawnBy::SeventyFiveMoves => "Draw by fifty moves rule",
        // Only cutechess-cli has such draws.
        DrawnBy::ForfeitAgainstNoMate(FaultKind::FlagFall) => "Draw by timeout",
        DrawnBy::ForfeitAgainstNoMate(FaultKind::IllegalMove) => " makes an illegal move",
        DrawnBy::ForfeitAgainstNoMate(_) => "Draw by stalled connection",
        DrawnBy::DeadPosition => "Draw by insufficient mating material",
        DrawnBy::TablebaseAdjudication => "Draw by adjudication: SyzygyTB",
        DrawnBy::ScoreAdjudication | DrawnBy::LengthAdjudication | DrawnBy::ArbiterRuling => {
            "Draw by adjudication"
        }
    }
}

/// The color in the words of both runners.
pub(crate) fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// Whether this fault means that the engine does not answer.
pub(crate) fn has_stalled(kind: FaultKind) -> bool {
    matches!(
        kind,
        FaultKind::Stall | FaultKind::NotReady | FaultKind::IdleCpu
    )
}

/// Time between the end of the loser's clock and its move, in milliseconds.
fn overrun(game: &PlayedGame, engines: &[EngineSettings]) -> i64 {
    let Some(fault) = game.record.deciding_fault() else {
        return 0;
    };
    let loser = engines.get(usize::from(game.seat(fault.side).engine));
    let margin = loser.map_or(0, |engine| engine.limit.tc.timemargin);
    let evidence = fault.evidence.as_ref();
    let longest = *key_range("engine", "margin_ms").end() as i64;
    evidence.map_or(0, |evidence| lateness(evidence, margin.min(longest)))
}

/// The margin is included. For a move that never came, only the time that fastchess would have waited is known.
fn lateness(evidence: &FlagEvidence, margin: i64) -> i64 {
    let late = i64::try_from(evidence.late.as_millis()).unwrap_or(i64::MAX);
    let late = if evidence.answered {
        late
    } else {
        late.min(MAX_WAIT_AFTER_FLAG_MS)
    };
    late.saturating_add(margin)
}

/// The kind of fault that decided the game, if one did.
pub(crate) fn fault(game: &PlayedGame) -> Option<FaultKind> {
    match game.record.outcome {
        Outcome::Won {
            how: WonBy::Forfeit(kind),
            ..
        }
        | Outcome::Drawn(DrawnBy::ForfeitAgainstNoMate(kind)) => Some(kind),
        _ => None,
    }
}

/// Whether an engine broke down: what fastchess calls a stall or a disconnection.
pub(crate) fn is_breakdown(kind: FaultKind) -> bool {
    !matches!(
        kind,
        FaultKind::FlagFall | FaultKind::IllegalMove | FaultKind::IdleCpu
    )
}

/// The illegal move, as the engine wrote it; `None` if the game ended in another way.
pub(crate) fn illegal_move(game: &PlayedGame) -> Option<&str> {
    fault(game).filter(|kind| *kind == FaultKind::IllegalMove)?;
    let mut faults = game.record.faults.iter().rev();
    let fault = faults.find(|fault| fault.kind == FaultKind::IllegalMove)?;
    fault.detail.split('"').nth(1)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::referee::HostEvidence;

    #[test]
    fn an_overrun_is_counted_from_the_end_of_the_clock() {
        let lateness = |late, answered| {
            let [late, elapsed] = [late, late + 1000].map(Duration::from_millis);
            lateness(
                &FlagEvidence::judge(elapsed, late, answered, HostEvidence::default()),
                200,
            )
        };
        assert_eq!(lateness(57, true), 257);
        // Nobody listened any longer.
        assert_eq!(lateness(5000, false), 300);
    }
}
