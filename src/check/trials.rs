//! Positions with a known answer, so that the answer tells what the engine has understood.
//!
//! In most kinds the answers are all the legal moves there are. A `castled` trial castles, gives check, and has one legal
//! answer, by the king or by the rook from where castling has put it; an engine that put it elsewhere cannot answer so.
//!
//! Where castling is the answer, there is one trial for every place of a king from b to g, of a rook beyond it, and for
//! either colour. Castling mates and nothing else does; or, where the rook stays and so cannot give check, castling is the
//! only move after which the opponent has no mate in one. An engine that understands castling plays it at once, and one
//! that does not cannot. The tests derive all this from the rules core.

use crate::chess::random::Random;
use crate::chess::{Game, Move, Position, UciDialect};

const TRIALS: &str = include_str!("trials.txt");

crate::chess::worded! {
    /// What a trial is about.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) enum TrialKind,
    /// Its word in the file.
    word: &'static str {
        /// Castling in the moves, from every place of king and rook.
        Castled = "castled",
        /// The same with the inner of two rooks.
        InnerRook = "inner-rook",
        /// Only a capture en passant is legal.
        EnPassant = "en-passant",
        /// A capture en passant would uncover the king.
        PinnedEnPassant = "pinned-en-passant",
        /// A promotion in the moves; the answer tells to what.
        Promoted = "promoted",
        /// Only promotions of one pawn are legal.
        OnlyPromotions = "only-promotions",
        /// Only promotion to a knight mates; other moves are legal.
        Underpromotion = "underpromotion",
        /// Only castling is good, and the king is on its square already.
        KingStays = "king-stays",
        /// The rook is.
        RookStays = "rook-stays",
        /// Each goes to the square of the other.
        BothSwap = "both-swap",
        /// Both go elsewhere.
        BothMove = "both-move",
        /// Only castling with the inner of two rooks is good: an engine that takes the outer one for the one meant, or loses
        /// the right, does not find it.
        InnerCastling = "inner-castling",
    }
}

/// Only castling is good, in every way in which king and rook can come to their squares.
pub(crate) const CASTLINGS: &[TrialKind] = &[
    TrialKind::KingStays,
    TrialKind::RookStays,
    TrialKind::BothSwap,
    TrialKind::BothMove,
];

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

/// All trials of these kinds.
pub(crate) fn trials(kinds: &[TrialKind]) -> impl Iterator<Item = PositionTrial> {
    // The tests read every line.
    let all = TRIALS.lines().filter_map(read);
    all.filter(|trial| kinds.contains(&trial.kind))
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
        kind: *TrialKind::ALL.iter().find(|known| known.word() == *kind)?,
        answers: answers.map(answer).collect::<Option<_>>()?,
        game,
    })
}

/// Positions of the usual perft suites: castling, promotion and check everywhere
/// (chessprogramming.org, "Perft Results"; Peter Ellis Jones's collection).
const COMPLICATED_POSITIONS: [&str; 12] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1",
    "8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1",
    "8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1",
    "8/k1P5/8/1K6/8/8/8/8 w - - 0 1",
    "k7/8/7p/3P4/8/8/8/K7 w - - 0 1",
];

/// Random games that are added to these.
const RANDOM_GAMES: u64 = 48;

/// A game of 600 half-moves that has not ended, by no rule: few captures, and no position often.
const LONG_GAME: &str = include_str!("long-game.txt");

/// The spread: the tangled positions, and random games of growing length.
pub(crate) fn spread() -> Vec<Game> {
    // The tests read every line.
    let tangled = COMPLICATED_POSITIONS.iter();
    let tangled = tangled.filter_map(|fen| Position::from_fen(fen).ok());
    let random = (0..RANDOM_GAMES).map(|seed| {
        let mut game = random_game(Position::standard(), seed, 6 + 3 * seed as u32);
        while game.ending().is_some() {
            game.pop();
        }
        game
    });
    tangled.map(Game::new).chain(random).collect()
}

/// A random game of this number of plies, or a few less where it has ended.
pub(crate) fn random_game(start: Position, seed: u64, plies: u32) -> Game {
    let mut random = Random::new(seed);
    let mut game = Game::new(start);
    for _ in 0..plies {
        let moves = game.position().legal_moves();
        if game.ending().is_some() {
            break;
        }
        game.play(moves[random.below(moves.len() as u64) as usize]);
    }
    game
}

/// So many half-moves of the long game.
pub(crate) fn long_game(plies: usize) -> Game {
    let mut game = Game::new(Position::standard());
    for text in LONG_GAME.split_whitespace().take(plies) {
        // The tests play it to its end.
        let _legal = game.play_uci(text, UciDialect::Standard);
    }
    game
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::chess::{CastlingRule, CastlingSide, Color, PieceKind, Square};

    /// The moves of a castling trial that mate, or else those after which there is no mate in one.
    fn good_moves(trial: &PositionTrial) -> BTreeSet<Move> {
        let position = trial.game.position();
        let by_mate = position.mates(trial.answers[0]);
        let is_good = |mv: &Move| {
            let next = position.after(*mv);
            let escapes = || !next.legal_moves().iter().any(|&reply| next.mates(reply));
            if by_mate {
                position.mates(*mv)
            } else {
                escapes()
            }
        };
        let moves = position.legal_moves();
        moves.iter().copied().filter(is_good).collect()
    }

    /// The files of king and rook, and those where they land.
    fn castling_files(castling: Move) -> [usize; 4] {
        let (king, rook) = (castling.from().file(), castling.to().file());
        let rule = CastlingRule::Fischer;
        let landings = [rule.king_landing(king, rook), rule.rook_landing(king, rook)];
        [king, rook, landings[0], landings[1]].map(|file| file.index())
    }

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
                TrialKind::InnerCastling => good_moves(&trial),
                kind if CASTLINGS.contains(&kind) => good_moves(&trial),
                _ => legal.iter().copied().collect(),
            };
            let answers: BTreeSet<Move> = trial.answers.iter().copied().collect();
            assert_eq!(answers, right, "{trial:?}");
        }
    }

    #[test]
    fn every_place_of_king_and_rook_has_a_castling_of_its_kind() {
        let mut places = BTreeSet::new();
        for trial in trials(CASTLINGS) {
            let (position, castling) = (trial.game.position(), trial.answers[0]);
            assert!(position.is_castling(castling).is_some(), "{trial:?}");
            let [king, rook, king_to, rook_to] = castling_files(castling);
            let kind = match (king_to == king, rook_to == rook) {
                (true, _) => TrialKind::KingStays,
                (_, true) => TrialKind::RookStays,
                _ if king_to == rook && rook_to == king => TrialKind::BothSwap,
                _ => TrialKind::BothMove,
            };
            assert_eq!(trial.kind, kind, "{trial:?}");
            // Only where the rook stays it does not mate.
            assert_eq!(position.mates(castling), rook_to != rook, "{trial:?}");
            places.insert((king, rook, position.side_to_move().index()));
        }
        let kings = (1..7).flat_map(|king| (0..8).map(move |rook| (king, rook)));
        let beyond = kings.filter(|(king, rook)| king != rook);
        let wanted: BTreeSet<_> = beyond
            .flat_map(|(king, rook)| [(king, rook, 0), (king, rook, 1)])
            .collect();
        assert_eq!((places, trials(CASTLINGS).count()), (wanted, 84));
    }

    #[test]
    fn every_kind_of_castling_has_its_trials() {
        let count = |kind| trials(&[kind]).count();
        // King c with two rooks a, b; king g with rook h. Rook d with kings b, c do not
        // count: they castle towards h. Twice, for the colours.
        assert_eq!(count(TrialKind::KingStays), 2 * 3);
        // Rook d with kings e, f, g; rook f with kings b to e.
        assert_eq!(count(TrialKind::RookStays), 2 * 7);
        // King f, rook g; king d, rook c.
        assert_eq!(count(TrialKind::BothSwap), 2 * 2);
        assert_eq!(count(TrialKind::BothMove), 84 - 2 * 12);
    }

    #[test]
    fn inner_rooks_castle_to_both_sides_and_with_both_colours() {
        let mut kinds = BTreeSet::new();
        for trial in trials(&[TrialKind::InnerCastling]) {
            let (position, castling) = (trial.game.position(), trial.answers[0]);
            let (color, side) = (position.side_to_move(), position.is_castling(castling));
            let side = side.expect("the answer is castling");
            assert_eq!(position.castling_rook(color, side), Some(castling.to()));
            kinds.insert((color.index(), side == CastlingSide::KingSide));
        }
        let count = trials(&[TrialKind::InnerCastling]).count();
        assert_eq!((count, kinds.len()), (64, 4));
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
        for trial in trials(&[TrialKind::Castled]) {
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
        for trial in trials(&[TrialKind::InnerRook]) {
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
                _ => {}
            }
        }
    }

    #[test]
    fn every_piece_is_promoted_to_by_both_colours() {
        let promotions: BTreeSet<_> = trials(&[TrialKind::Promoted])
            .map(|trial| {
                let color: Color = trial.game.start().side_to_move();
                (color.index(), trial.game.moves()[0].promotion())
            })
            .collect();
        assert_eq!(promotions.len(), 2 * 4);
    }

    #[test]
    fn sixty_games_that_have_not_ended() {
        let games = spread();
        assert_eq!(games.len(), 60);
        for game in &games {
            assert_eq!(game.ending(), None);
        }
        assert!(games.iter().any(|game| game.moves().len() > 100));
        let black = |game: &&Game| game.position().side_to_move() == crate::chess::Color::Black;
        assert!(games.iter().filter(black).count() > 20);
    }

    #[test]
    fn a_long_game_is_as_long_as_it_should_be() {
        let game = long_game(600);
        assert_eq!((game.moves().len(), game.ending()), (600, None));
    }
}
