//! Positions with a known answer, so that the answer tells what the engine has understood.
//!
//! In each but one kind, the answers are all the legal moves there are. A `castled` trial
//! castles, gives check, and has one legal answer, by the king or by the rook from where
//! castling has put it; an engine that put it elsewhere cannot answer so.

use crate::chess::{Game, Move, Position, UciDialect};

const TRIALS: &str = include_str!("trials.txt");

/// What a trial is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TrialKind {
    /// Castling in the moves, from every place of king and rook.
    Castled,
    /// The same with the inner of two rooks.
    InnerRook,
    /// Only a capture en passant is legal.
    EnPassant,
    /// A capture en passant would uncover the king.
    PinnedEnPassant,
    /// A promotion in the moves; the answer tells to what.
    Promoted,
    /// Only promotions of one pawn are legal.
    OnlyPromotions,
    /// Only promotion to a knight mates; other moves are legal.
    Underpromotion,
}

impl TrialKind {
    fn from_word(word: &str) -> Option<TrialKind> {
        Some(match word {
            "castled" => TrialKind::Castled,
            "inner-rook" => TrialKind::InnerRook,
            "en-passant" => TrialKind::EnPassant,
            "pinned-en-passant" => TrialKind::PinnedEnPassant,
            "promoted" => TrialKind::Promoted,
            "only-promotions" => TrialKind::OnlyPromotions,
            "underpromotion" => TrialKind::Underpromotion,
            _ => return None,
        })
    }
}

/// A game and the right answers in its last position.
#[derive(Clone, Debug)]
pub(crate) struct PositionTrial {
    /// What it is about.
    pub kind: TrialKind,
    /// The start and the moves that lead to the question.
    pub game: Game,
    /// The right answers.
    pub answers: Vec<Move>,
}

/// All trials of a kind.
pub(crate) fn trials(kind: TrialKind) -> impl Iterator<Item = PositionTrial> {
    // The tests read every line.
    let all = TRIALS.lines().filter_map(read);
    all.filter(move |trial| trial.kind == kind)
}

/// `kind | FEN | moves | answers`, moves as in Chess960.
fn read(line: &str) -> Option<PositionTrial> {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    let [kind, fen, moves, answers] = fields.as_slice() else {
        return None;
    };
    let mut game = Game::new(Position::from_fen(fen).ok()?);
    for text in moves.split_whitespace() {
        game.play_uci(text, UciDialect::Chess960).ok()?;
    }
    let last = game.position();
    let answers = answers.split_whitespace();
    let answer = |text| last.parse_uci(text, UciDialect::Chess960).ok();
    Some(PositionTrial {
        kind: TrialKind::from_word(kind)?,
        answers: answers.map(answer).collect::<Option<_>>()?,
        game,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::chess::{CastlingRule, Color, PieceKind, Square};

    fn all() -> Vec<PositionTrial> {
        TRIALS.lines().map(|line| read(line).expect(line)).collect()
    }

    #[test]
    fn the_answers_are_all_there_are() {
        for trial in all() {
            let last = trial.game.position();
            let legal = last.legal_moves();
            let right: BTreeSet<Move> = match trial.kind {
                TrialKind::Underpromotion => {
                    let moves = legal.iter().copied();
                    moves.filter(|&mv| last.mates(mv)).collect()
                }
                _ => legal.iter().copied().collect(),
            };
            let answers: BTreeSet<Move> = trial.answers.iter().copied().collect();
            assert_eq!(answers, right, "{trial:?}");
        }
    }

    /// The castling of a trial, the square where the king, and where the rook, lands.
    fn castling(trial: &PositionTrial) -> (Move, Square, Square) {
        let mv = trial.game.moves()[0];
        assert!(trial.game.start().is_castling(mv).is_some(), "{trial:?}");
        let (king, rook) = (mv.from().file(), mv.to().file());
        let rule = CastlingRule::Fischer;
        let on = |file| Square::new(file, mv.from().rank());
        (
            mv,
            on(rule.king_landing(king, rook)),
            on(rule.rook_landing(king, rook)),
        )
    }

    #[test]
    fn the_king_and_the_rook_answer_from_every_place() {
        let mut places = BTreeSet::new();
        for trial in trials(TrialKind::Castled) {
            let (mv, king, rook) = castling(&trial);
            let answer = trial.answers[0].from();
            assert!(answer == king || answer == rook, "{trial:?}");
            let color = trial.game.start().side_to_move();
            places.insert((color.index(), mv.from(), mv.to(), answer == king));
        }
        assert_eq!(places.len(), 84 * 2);
    }

    #[test]
    fn an_inner_rook_has_another_beyond_it_and_answers() {
        let mut colors = BTreeSet::new();
        for trial in trials(TrialKind::InnerRook) {
            let (mv, _, rook) = castling(&trial);
            assert_eq!(trial.answers[0].from(), rook);
            let color = trial.game.start().side_to_move();
            let rooks = trial.game.start().pieces(color, PieceKind::Rook);
            let beyond = rooks.into_iter().any(|other| {
                other.rank() == mv.to().rank()
                    && (other.file() > mv.to().file()) == (mv.to().file() > mv.from().file())
                    && other != mv.to()
            });
            assert!(beyond, "{trial:?}");
            colors.insert(color.index());
        }
        assert_eq!(colors.len(), 2);
    }

    #[test]
    fn the_special_moves_are_what_they_are_called() {
        for trial in all() {
            let last = trial.game.position();
            match trial.kind {
                TrialKind::EnPassant => {
                    assert!(
                        trial.answers.iter().all(|&mv| last.is_en_passant(mv)),
                        "{trial:?}"
                    );
                }
                // The double step ended next to an enemy pawn, and yet nothing can capture it.
                TrialKind::PinnedEnPassant => {
                    assert_eq!(last.en_passant(), None, "{trial:?}");
                    let step = trial.game.moves()[0];
                    let pawns = last.pieces(last.side_to_move(), PieceKind::Pawn);
                    let beside = |pawn: Square| {
                        pawn.rank() == step.to().rank()
                            && pawn.file().index().abs_diff(step.to().file().index()) == 1
                    };
                    assert!(pawns.into_iter().any(beside), "{trial:?}");
                }
                TrialKind::Promoted => {
                    assert!(trial.game.moves()[0].promotion().is_some(), "{trial:?}");
                }
                TrialKind::OnlyPromotions => assert_eq!(trial.answers.len(), 4),
                TrialKind::Underpromotion => {
                    let promoted = trial.answers[0].promotion();
                    assert_eq!(promoted, Some(PieceKind::Knight), "{trial:?}");
                }
                TrialKind::Castled | TrialKind::InnerRook => {}
            }
        }
    }

    #[test]
    fn every_piece_is_promoted_to_by_both_colours() {
        let promotions: BTreeSet<_> = trials(TrialKind::Promoted)
            .map(|trial| {
                let color: Color = trial.game.start().side_to_move();
                (color.index(), trial.game.moves()[0].promotion())
            })
            .collect();
        assert_eq!(promotions.len(), 2 * 4);
    }
}
