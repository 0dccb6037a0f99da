//! The rules of chess: legal answers, special moves, castling as in standard chess and in Chess960, dialects of FEN.

use super::bench::{Bench, CheckError, Checked, wrong};
use super::subject::Subject;
use super::trials::{CASTLINGS, PositionTrial, TrialKind, long_game, spread, trials};
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
pub(super) fn game(fen: &str) -> Checked<Game> {
    let position = Position::from_fen(fen);
    let position = position.map_err(|error| CheckError::Wrong(format!("{fen}: {error}")))?;
    Ok(Game::new(position))
}

/// The engine with the castling of Chess960.
pub(super) async fn chess960(bench: &Bench) -> Checked<Subject<'_>> {
    bench.needs_option("UCI_Chess960")?;
    Subject::start(bench, UciDialect::Chess960).await
}

fn positions(number: usize) -> Checked {
    Ok(count(number, "position"))
}

pub(super) async fn legality(subject: &mut Subject<'_>) -> Checked {
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
) -> Checked {
    let mut count = 0;
    'trials: for trial in trials {
        count += 1;
        let position = trial.game.position();
        let is_castling = is_castling(trial.kind);
        let mut played = String::new();
        for limits in searches(trial.kind) {
            if is_castling {
                subject.send("ucinewgame");
            }
            subject.place(&trial.game, fen);
            let search = subject.go(limits, subject.bench.timeout).await?;
            if trial.answers.contains(&subject.legal(position, &search)?) {
                continue 'trials;
            }
            played = search.text;
        }
        let right = position.uci(trial.answers[0], subject.dialect);
        let fen = position.fen(fen);
        return wrong(if is_castling {
            format!("it plays {played} and does not castle ({right}) in {fen}")
        } else {
            format!("it plays {played} and not {right} in {fen}")
        });
    }
    positions(count)
}

/// Whether castling is the answer.
fn is_castling(kind: TrialKind) -> bool {
    kind == TrialKind::InnerCastling || CASTLINGS.contains(&kind)
}

/// The searches in one of which the answer must be found.
fn searches(kind: TrialKind) -> &'static [&'static str] {
    match kind {
        kind if is_castling(kind) => &CASTLING_LIMITS,
        // The mate must be found.
        TrialKind::Underpromotion => &["movetime 500"],
        _ => &[SHALLOW_LIMIT],
    }
}

/// All trials of this kind, in plain chess.
pub(super) async fn trials_of(subject: &mut Subject<'_>, kind: TrialKind) -> Checked {
    answers(subject, trials(&[kind]), FenDialect::XFen).await
}

/// After the double step in `position … moves`, and from a FEN with the square.
pub(super) async fn en_passant(subject: &mut Subject<'_>) -> Checked {
    let moved = trials(&[TrialKind::EnPassant]);
    let placed = trials(&[TrialKind::EnPassant]).map(|trial| PositionTrial {
        game: Game::new(trial.game.position().clone()),
        ..trial
    });
    answers(subject, moved.chain(placed), FenDialect::XFen).await
}

pub(super) async fn long(subject: &mut Subject<'_>) -> Checked {
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

/// The trials of castling, in the moves or as the answer, where kings and rooks stand as in standard chess.
fn traditional(kinds: &[TrialKind]) -> impl Iterator<Item = PositionTrial> {
    trials(kinds).filter(|trial| {
        let castling = trial.game.moves().first().unwrap_or(&trial.answers[0]);
        is_traditional(trial.game.start(), castling.to())
    })
}

pub(super) async fn castling(subject: &mut Subject<'_>) -> Checked {
    let (castling, castled) = (traditional(CASTLINGS), traditional(&[TrialKind::Castled]));
    answers(subject, castling, FenDialect::XFen).await?;
    answers(subject, castled, FenDialect::XFen).await
}

pub(super) async fn starts(subject: &mut Subject<'_>) -> Checked {
    for number in (0..TRIED_STARTS).map(|index| index * (960 / TRIED_STARTS)) {
        let position = position(Variant::Chess960, StartNumber(number));
        let position = position.map_err(|error| CheckError::Wrong(error.to_string()))?;
        subject.send("ucinewgame");
        subject.answer(&Game::new(position), "depth 4").await?;
    }
    Ok(String::new())
}

/// The trials of these kinds, each in a process of its own.
pub(super) async fn castlings(bench: &Bench, kinds: &[&[TrialKind]], fen: FenDialect) -> Checked {
    let mut words = String::new();
    for kinds in kinds {
        let mut subject = chess960(bench).await?;
        words = answers(&mut subject, trials(kinds), fen).await?;
    }
    Ok(words)
}

pub(super) async fn no_right(subject: &mut Subject<'_>) -> Checked {
    let mut count = 0;
    for trial in trials(CASTLINGS) {
        let fen = trial.game.position().fen(FenDialect::Shredder);
        let fields: Vec<&str> = fen.split(' ').collect();
        let bare = game(&format!("{} {} - - 0 1", fields[0], fields[1]))?;
        subject.answer(&bare, "depth 3").await?;
        count += 1;
    }
    positions(count)
}

pub(super) async fn standard_start(subject: &mut Subject<'_>) -> Checked {
    let mut game = Game::new(Position::standard());
    let moves = "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1h1 e8h8 f1e1 f8e8 g1f1 g8f8";
    for text in moves.split(' ') {
        let played = game.play_uci(text, UciDialect::Chess960);
        played.map_err(|error| CheckError::Wrong(error.to_string()))?;
        subject.answer(&game, "depth 3").await?;
    }
    let castled = traditional(&[TrialKind::Castled]);
    answers(subject, castled, FenDialect::XFen).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_traditional_castlings_for_both_colours_and_sides() {
        assert_eq!(traditional(&[TrialKind::Castled]).count(), 8);
        assert_eq!(traditional(CASTLINGS).count(), 4);
    }
}
