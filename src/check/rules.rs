//! The rules of chess.

use super::bench::Bench;
use super::limits::game;
use super::subject::Subject;
use super::trouble::{CheckOutcome, Trouble, wrong};
use crate::check::probes::castling_probes;
use crate::check::spread::{long_game, spread};
use crate::check::trials::{PositionTrial, TrialKind, trials};
use crate::chess::{FenDialect, File, Game, Position, Square, UciDialect};

/// Enough for a position with one legal move.
const SHALLOW: &str = "depth 2";

/// Plies of the long game: three hundred moves.
const LONG: usize = 600;

pub(super) async fn legality(bench: &Bench) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    let games = spread();
    for game in &games {
        subject.answer(game, SHALLOW).await?;
    }
    Ok(format!("{} positions", games.len()))
}

/// Asks for the answers of these trials.
pub(super) async fn answers(
    subject: &mut Subject<'_>,
    trials: impl Iterator<Item = PositionTrial>,
    fen: FenDialect,
    limits: &str,
    bench: &Bench,
) -> CheckOutcome {
    let mut count = 0;
    for trial in trials {
        subject.place(&trial.game, fen);
        let search = subject.go(limits, bench.timeout).await?;
        let position = trial.game.position();
        let answer = subject.legal(position, &search)?;
        if !trial.answers.contains(&answer) {
            let right = position.uci(trial.answers[0], subject.dialect);
            let fen = position.fen(fen);
            return wrong(format!("it plays {} and not {right} in {fen}", search.text));
        }
        count += 1;
    }
    Ok(format!("{count} positions"))
}

/// The trials of a kind, in plain chess.
async fn of_kind(bench: &Bench, kind: TrialKind, limits: &str) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    answers(&mut subject, trials(kind), FenDialect::XFen, limits, bench).await
}

/// By the moves that lead there, and by the square in the FEN.
pub(super) async fn en_passant(bench: &Bench) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    let moved = trials(TrialKind::EnPassant);
    let placed = trials(TrialKind::EnPassant).map(|trial| PositionTrial {
        game: Game::new(trial.game.position().clone()),
        ..trial
    });
    let all = moved.chain(placed);
    answers(&mut subject, all, FenDialect::XFen, SHALLOW, bench).await
}

pub(super) async fn pinned_en_passant(bench: &Bench) -> CheckOutcome {
    of_kind(bench, TrialKind::PinnedEnPassant, SHALLOW).await
}

pub(super) async fn promotion(bench: &Bench) -> CheckOutcome {
    of_kind(bench, TrialKind::OnlyPromotions, SHALLOW).await
}

pub(super) async fn promoted_piece(bench: &Bench) -> CheckOutcome {
    of_kind(bench, TrialKind::Promoted, SHALLOW).await
}

pub(super) async fn underpromotion(bench: &Bench) -> CheckOutcome {
    of_kind(bench, TrialKind::Underpromotion, "movetime 500").await
}

/// Whether this could be castling in a game of plain chess.
fn is_traditional(position: &Position, rook: Square) -> bool {
    let king = position.king(position.side_to_move());
    let corner = [File::ALL[0], File::ALL[7]].contains(&rook.file());
    king.file() == File::ALL[4] && corner
}

pub(super) fn traditional_trials() -> impl Iterator<Item = PositionTrial> {
    trials(TrialKind::Castled).filter(|trial| {
        let castling = trial.game.moves().first();
        castling.is_some_and(|mv| is_traditional(trial.game.start(), mv.to()))
    })
}

pub(super) async fn castling(bench: &Bench) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    let fen = FenDialect::XFen;
    let probes = castling_probes();
    let traditional = probes.filter(|probe| is_traditional(&probe.position, probe.castling.to()));
    for probe in traditional {
        super::castling::castles(&mut subject, &probe, fen, bench).await?;
    }
    answers(&mut subject, traditional_trials(), fen, SHALLOW, bench).await
}

pub(super) async fn long(bench: &Bench) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    subject.answer(&long_game(LONG), SHALLOW).await?;
    subject.answer(&long_game(LONG - 1), "movetime 100").await?;
    Ok(String::new())
}

/// Threefold and fourfold repetition, and fifty moves without progress.
pub(super) async fn repetition(bench: &Bench) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    let mut there_and_back = Game::new(Position::standard());
    for text in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(3) {
        let played = there_and_back.play_uci(text, UciDialect::Standard);
        played.map_err(|error| Trouble::Wrong(error.to_string()))?;
        if there_and_back.repetitions() >= 3 {
            subject.answer(&there_and_back, "depth 4").await?;
        }
    }
    for clock in [99, 100, 120] {
        let fen = format!("8/8/4k3/8/8/2K5/3R4/8 w - - {clock} 90");
        subject.answer(&game(&fen)?, "depth 4").await?;
    }
    Ok(String::new())
}

pub(super) async fn checkmate(bench: &Bench) -> CheckOutcome {
    nothing_to_play(
        bench,
        [
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
            "4k3/4Q3/4K3/8/8/8/8/8 b - - 0 1",
        ],
    )
    .await
}

pub(super) async fn stalemate(bench: &Bench) -> CheckOutcome {
    nothing_to_play(
        bench,
        [
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1",
        ],
    )
    .await
}

async fn nothing_to_play(bench: &Bench, fens: [&str; 2]) -> CheckOutcome {
    let mut subject = Subject::start(bench, UciDialect::Standard).await?;
    for fen in fens {
        subject.place(&game(fen)?, FenDialect::XFen);
        let search = subject.go("movetime 200", bench.timeout).await?;
        if !matches!(search.text.as_str(), "(none)" | "0000") {
            let text = search.text;
            return wrong(format!(
                "`bestmove {text}` where there is no move, in {fen}"
            ));
        }
        subject.ready().await?;
    }
    subject
        .answer(&game(super::limits::MATE_IN_ONE)?, SHALLOW)
        .await?;
    Ok(String::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_traditional_castlings_for_both_colours_and_sides() {
        assert_eq!(traditional_trials().count(), 8);
        let probes = castling_probes();
        let traditional =
            probes.filter(|probe| is_traditional(&probe.position, probe.castling.to()));
        assert_eq!(traditional.count(), 4);
    }
}
