//! The rules of chess: legal answers, special moves, castling as in standard chess and in Chess960, dialects of FEN.

use super::bench::{Bench, CheckError, CheckOutcome, wrong};
use super::probes::{CastlingProbe, CastlingShape, castling_probes, inner_rook_probes};
use super::subject::Subject;
use super::trials::{PositionTrial, TrialKind, long_game, spread, trials};
use crate::chess::start::position;
use crate::chess::{FenDialect, File, Game, Position, Square, StartNumber, UciDialect, Variant};
use crate::text::count;

/// Enough for a position with one legal move.
const SHALLOW_LIMIT: &str = "depth 2";
/// Plies of the long game: three hundred moves.
const LONG_GAME_PLIES: usize = 600;
/// Castling is good and must be found; these are the searches in which it may be.
const CASTLING_LIMITS: [&str; 3] = ["movetime 50", "movetime 300", "movetime 2000"];
/// Start positions of Chess960 that are tried.
const TRIED_STARTS: u32 = 32;

/// A game from this position.
pub(super) fn game(fen: &str) -> Result<Game, CheckError> {
    let position = Position::from_fen(fen);
    let position = position.map_err(|error| CheckError::Wrong(format!("{fen}: {error}")))?;
    Ok(Game::new(position))
}

async fn standard(bench: &Bench) -> Result<Subject<'_>, CheckError> {
    Subject::start(bench, UciDialect::Standard).await
}

async fn chess960(bench: &Bench) -> Result<Subject<'_>, CheckError> {
    bench.needs_option("UCI_Chess960")?;
    Subject::start(bench, UciDialect::Chess960).await
}

fn positions(number: usize) -> CheckOutcome {
    Ok(count(number, "position"))
}

pub(super) async fn legality(bench: &Bench) -> CheckOutcome {
    let mut subject = standard(bench).await?;
    let games = spread();
    for game in &games {
        subject.answer(game, SHALLOW_LIMIT).await?;
    }
    positions(games.len())
}

/// Asks for the answers of these trials.
async fn answers(
    subject: &mut Subject<'_>,
    trials: impl Iterator<Item = PositionTrial>,
    fen: FenDialect,
    limits: &str,
) -> CheckOutcome {
    let mut count = 0;
    for PositionTrial { game, answers, .. } in trials {
        count += 1;
        subject.place(&game, fen);
        let search = subject.go(limits, subject.bench.timeout).await?;
        let position = game.position();
        if !answers.contains(&subject.legal(position, &search)?) {
            let right = position.uci(answers[0], subject.dialect);
            let fen = position.fen(fen);
            return wrong(format!("it plays {} and not {right} in {fen}", search.text));
        }
    }
    positions(count)
}

/// All trials of this kind, in plain chess.
pub(super) async fn trials_of(bench: &Bench, kind: TrialKind) -> CheckOutcome {
    let limits = match kind {
        // The mate must be found.
        TrialKind::Underpromotion => "movetime 500",
        _ => SHALLOW_LIMIT,
    };
    let mut subject = standard(bench).await?;
    answers(&mut subject, trials(kind), FenDialect::XFen, limits).await
}

/// After the double step in `position … moves`, and from a FEN with the square.
pub(super) async fn en_passant(bench: &Bench) -> CheckOutcome {
    let mut subject = standard(bench).await?;
    let moved = trials(TrialKind::EnPassant);
    let placed = trials(TrialKind::EnPassant).map(|trial| PositionTrial {
        game: Game::new(trial.game.position().clone()),
        ..trial
    });
    let trials = moved.chain(placed);
    answers(&mut subject, trials, FenDialect::XFen, SHALLOW_LIMIT).await
}

pub(super) async fn long(bench: &Bench) -> CheckOutcome {
    let mut subject = standard(bench).await?;
    for (left_out, limits) in [(0, SHALLOW_LIMIT), (1, "movetime 100")] {
        let game = long_game(LONG_GAME_PLIES - left_out);
        subject.answer(&game, limits).await?;
    }
    Ok(String::new())
}

/// Whether king and rook stand as in standard chess.
fn is_traditional(position: &Position, rook: Square) -> bool {
    let king = position.king(position.side_to_move());
    let corner = [File::ALL[0], File::ALL[7]].contains(&rook.file());
    king.file() == File::ALL[4] && corner
}

fn traditional_trials() -> impl Iterator<Item = PositionTrial> {
    trials(TrialKind::Castled).filter(|trial| {
        let castling = trial.game.moves().first();
        castling.is_some_and(|mv| is_traditional(trial.game.start(), mv.to()))
    })
}

fn traditional_probes() -> impl Iterator<Item = CastlingProbe> {
    castling_probes().filter(|probe| is_traditional(&probe.position, probe.castling.to()))
}

/// Answers with legal moves where kings and rooks stand as in standard chess.
async fn answers_traditionally(subject: &mut Subject<'_>) -> CheckOutcome {
    let trials = traditional_trials();
    answers(subject, trials, FenDialect::XFen, SHALLOW_LIMIT).await
}

pub(super) async fn castling(bench: &Bench) -> CheckOutcome {
    let mut subject = standard(bench).await?;
    castles(&mut subject, traditional_probes(), FenDialect::XFen).await?;
    answers_traditionally(&mut subject).await
}

pub(super) async fn starts(bench: &Bench) -> CheckOutcome {
    let mut subject = chess960(bench).await?;
    for number in (0..TRIED_STARTS).map(|index| index * (960 / TRIED_STARTS)) {
        let position = position(Variant::Chess960, StartNumber(number));
        let position = position.map_err(|error| CheckError::Wrong(error.to_string()))?;
        subject.send("ucinewgame");
        subject.answer(&Game::new(position), "depth 4").await?;
    }
    Ok(String::new())
}

/// Castling where king and rook cross so.
pub(super) async fn castlings(bench: &Bench, shape: CastlingShape) -> CheckOutcome {
    let probes = castling_probes().filter(|probe| CastlingShape::of_probe(probe) == shape);
    castles(&mut chess960(bench).await?, probes, FenDialect::Shredder).await
}

/// Castling, where nothing else is good.
async fn castles(
    subject: &mut Subject<'_>,
    probes: impl Iterator<Item = CastlingProbe>,
    fen: FenDialect,
) -> CheckOutcome {
    let mut count = 0;
    'probes: for CastlingProbe {
        position, castling, ..
    } in probes
    {
        count += 1;
        let mut played = String::new();
        for limits in CASTLING_LIMITS {
            subject.send("ucinewgame");
            subject.place(&Game::new(position.clone()), fen);
            let search = subject.go(limits, subject.bench.timeout).await?;
            if subject.legal(&position, &search)? == castling {
                continue 'probes;
            }
            played = search.text;
        }
        let (right, fen) = (position.uci(castling, subject.dialect), position.fen(fen));
        let words = format!("it plays {played} and does not castle ({right}) in {fen}");
        return wrong(words);
    }
    positions(count)
}

pub(super) async fn castled(bench: &Bench, fen: FenDialect) -> CheckOutcome {
    let mut subject = chess960(bench).await?;
    answers(&mut subject, trials(TrialKind::Castled), fen, SHALLOW_LIMIT).await
}

pub(super) async fn x_fen(bench: &Bench) -> CheckOutcome {
    let mut subject = chess960(bench).await?;
    castles(&mut subject, castling_probes(), FenDialect::XFen).await?;
    castled(bench, FenDialect::XFen).await
}

pub(super) async fn inner_rooks(bench: &Bench, fen: FenDialect) -> CheckOutcome {
    let mut subject = chess960(bench).await?;
    castles(&mut subject, inner_rook_probes(), fen).await?;
    let mut subject = chess960(bench).await?;
    let trials = trials(TrialKind::InnerRook);
    answers(&mut subject, trials, fen, SHALLOW_LIMIT).await
}

pub(super) async fn no_right(bench: &Bench) -> CheckOutcome {
    let mut subject = chess960(bench).await?;
    let mut count = 0;
    for probe in castling_probes() {
        let fen = probe.position.fen(FenDialect::Shredder);
        let fields: Vec<&str> = fen.split(' ').collect();
        let bare = game(&format!("{} {} - - 0 1", fields[0], fields[1]))?;
        subject.answer(&bare, "depth 3").await?;
        count += 1;
    }
    positions(count)
}

pub(super) async fn standard_start(bench: &Bench) -> CheckOutcome {
    let mut subject = chess960(bench).await?;
    let mut game = Game::new(Position::standard());
    let moves = "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1h1 e8h8 f1e1 f8e8 g1f1 g8f8";
    for text in moves.split(' ') {
        let played = game.play_uci(text, UciDialect::Chess960);
        played.map_err(|error| CheckError::Wrong(error.to_string()))?;
        subject.answer(&game, "depth 3").await?;
    }
    answers_traditionally(&mut subject).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_traditional_castlings_for_both_colours_and_sides() {
        assert_eq!(traditional_trials().count(), 8);
        assert_eq!(traditional_probes().count(), 4);
    }
}
