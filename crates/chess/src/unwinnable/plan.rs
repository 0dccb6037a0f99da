//! Mates that might come about: squares for the king and for men that mate it there.
//!
//! A plan does not show how the men come there, and may be impossible: it is one goal among others for the search.

use crate::attacks::{king_attacks, knight_attacks, piece_attacks};
use crate::board::Board;
use crate::{Bitboard, Color, Piece, PieceKind, Rank, Square};

use super::reach::{Reach, ReachablePiece};

/// A mate that might come about.
pub(super) struct MatePlan {
    king: Square,
    men: Vec<Goal>,
}

/// Places in a plan for a man of this kind; for any piece, if a pawn is to become one.
struct Goal {
    color: Color,
    kind: Option<PieceKind>,
    /// From each square, about how many moves to the nearest of the places.
    steps: [u8; 64],
}

/// The `most` plans that seem nearest, each for another square of the king.
pub(super) fn plans(board: &Board, winner: Color, most: usize) -> Vec<MatePlan> {
    let Some(reach) = Reach::new(board) else {
        return Vec::new();
    };
    let not_king = |man: &&ReachablePiece| man.kind != PieceKind::King;
    let plan = |king: Square| {
        let men = MatePieces::new(
            king,
            reach.pieces(winner),
            reach.pieces(!winner).filter(not_king),
        );
        let goal = |(man, choice): (&ReachablePiece, MateChoice)| {
            let kind = (!choice.promoted).then_some(man.kind);
            Goal {
                color: man.color,
                kind,
                steps: steps(kind, choice.places),
            }
        };
        let men = men.places(0)?.into_iter().map(goal).collect();
        Some(MatePlan { king, men })
    };
    let kings = reach.king(!winner).into_iter();
    let mut plans: Vec<MatePlan> = kings.filter_map(plan).collect();
    plans.sort_by_cached_key(|plan| plan.distance(board, winner));
    plans.truncate(most);
    plans
}

impl MatePlan {
    /// About how many moves are left, of either side.
    pub(super) fn distance(&self, board: &Board, winner: Color) -> usize {
        let king = distance(board.king(!winner), self.king);
        let men = self.men.iter().map(|goal| goal.distance(board));
        let barred = BARRED * usize::from(king > 0 && !self.king_can_come(board, winner));
        2 * king + barred + 2 * men.sum::<usize>()
    }

    /// Whether the king has a step towards its square.
    fn king_can_come(&self, board: &Board, winner: Color) -> bool {
        let from = board.king(!winner);
        let occupied = board.occupied() & !from.bitboard();
        let free = king_attacks(from) & !board.color(!winner);
        free.into_iter().any(|square| {
            distance(square, self.king) < distance(from, self.king)
                && !board.is_attacked(square, winner, occupied)
        })
    }
}

impl Goal {
    fn distance(&self, board: &Board) -> usize {
        let pieces = match self.kind {
            Some(kind) => board.pieces(self.color, kind),
            None => {
                let others = board.kind(PieceKind::Pawn) | board.kind(PieceKind::King);
                board.color(self.color) & !others
            }
        };
        let steps = |from: Square| usize::from(self.steps[from.index()]);
        let nearest = pieces.into_iter().map(steps).min();
        nearest.unwrap_or_else(|| match self.kind {
            None => 2 + promotion(board, self.color),
            Some(_) => usize::from(LOST),
        })
    }
}

/// From each square, about how many moves a piece needs to the nearest of these places, if
/// nothing is in its way.
fn steps(kind: Option<PieceKind>, places: Bitboard) -> [u8; 64] {
    let mut steps = [LOST; 64];
    let mut reached = places;
    for moves in 0..LOST {
        for square in reached {
            let first = &mut steps[square.index()];
            *first = moves.min(*first);
        }
        reached = reached
            .into_iter()
            .fold(reached, |set, from| set | attacks(kind, from));
    }
    steps
}

fn attacks(kind: Option<PieceKind>, from: Square) -> Bitboard {
    let kind = match kind {
        Some(PieceKind::Pawn) => PieceKind::King,
        kind => kind.unwrap_or(PieceKind::Queen),
    };
    let color = Color::White;
    piece_attacks(Piece { color, kind }, from, Bitboard::EMPTY)
}

/// A piece that is needed is gone.
const LOST: u8 = 8;
/// The king cannot come nearer now.
const BARRED: usize = 3;

/// How many guesses there are.
pub(super) const HEURISTIC_COUNT: usize = 3;

/// How far a mate seems to be by each guess; less is better.
pub(super) fn heuristic_distances(board: &Board, winner: Color) -> [usize; HEURISTIC_COUNT] {
    let (own, theirs) = (board.king(winner), board.king(!winner));
    let occupied = board.occupied() ^ theirs.bitboard();
    let free = king_attacks(theirs) & !board.color(!winner);
    let flights = free
        .into_iter()
        .filter(|&square| !board.is_attacked(square, winner, occupied))
        .count();
    let apart = distance(own, theirs).saturating_sub(2);
    let heavy = !board.straight_sliders(winner).is_empty();
    let promotion = if heavy { 0 } else { promotion(board, winner) };
    let pawns = board.kind(PieceKind::Pawn).len() as usize;
    let pieces = board.color(winner) & !(board.kind(PieceKind::Pawn) | board.kind(PieceKind::King));
    let near = pieces
        .into_iter()
        .map(|piece| distance(piece, theirs))
        .min();
    let quiet = board.side_to_move != winner && board.checkers().is_empty();
    let near = near.unwrap_or(7);
    let quiet = usize::from(quiet);
    let edge = distance_from_edges(theirs);
    let corner = corner_distance(board, winner, theirs);
    [
        3 * flights + 2 * (apart + edge + promotion.min(8)) + pawns + near + 3 * quiet,
        3 * flights + 3 * corner + 2 * apart + near + 3 * quiet + promotion,
        4 * promotion + board.color(!winner).len() as usize + 2 * apart + flights,
    ]
}

/// Steps to a corner in which the winner's pieces can mate: bishops alone only on their colour.
fn corner_distance(board: &Board, winner: Color, king: Square) -> usize {
    let bishops = board.pieces(winner, PieceKind::Bishop);
    let others = board.color(winner) & !(bishops | board.kind(PieceKind::King));
    let corners = Bitboard(0x8100_0000_0000_0081);
    let colours = [Bitboard::DARK, Bitboard::LIGHT];
    let alike = colours
        .into_iter()
        .find(|&colour| others.is_empty() && (bishops & !colour).is_empty());
    let corners = (corners & alike.unwrap_or(Bitboard::ALL)).into_iter();
    corners
        .map(|corner| distance(corner, king))
        .min()
        .unwrap_or(0)
}

/// Moves until a pawn is promoted, with some more for each pawn in its way.
fn promotion(board: &Board, color: Color) -> usize {
    let goal = Rank::back(!color).index();
    let cost = |pawn: Square| {
        let steps = pawn.rank().index().abs_diff(goal);
        let file = Bitboard::file(pawn.file());
        let ahead = file
            & match color {
                Color::White => Bitboard(!0 << pawn.index() << 1),
                Color::Black => Bitboard((1 << pawn.index()) - 1),
            };
        let pawns = ahead & board.kind(PieceKind::Pawn);
        let pieces = ahead & board.occupied() & !pawns;
        steps + 4 * pawns.len() as usize + pieces.len() as usize
    };
    let pawns = board.pieces(color, PieceKind::Pawn).into_iter();
    pawns.map(cost).min().unwrap_or(0)
}

fn distance_from_edges(square: Square) -> usize {
    let inwards = |index: usize| index.min(7 - index);
    inwards(square.file().index()) + inwards(square.rank().index())
}

// What is needed for a mate on a square, and whether men can do all of it together.
//
// In a mate, some piece attacks the king; and every square around is attacked, or taken by a piece of the king's side.
// The side to move, the pieces between a slider and its goal, and the moves that brought the men there are ignored, so
// that more mates seem possible than are.

/// Largest number of choices of places that are tried for one square of a king; beyond it a mate counts as possible.
const MAX_CHOICES: u32 = 2_000;

/// What is needed for a mate: the check as bit 0, and a bit for each square around the king.
type MateNeeds = u16;

/// How many different needs there can be.
pub(super) const NEEDS: usize = 1 << 9;

/// The needs of a mate on a square that these squares do, if they are attacked, or taken where
/// they are around.
pub(super) fn needs(on: Square, covered: Bitboard) -> MateNeeds {
    let first = MateNeeds::from(covered.contains(on));
    king_attacks(on)
        .into_iter()
        .zip(1..)
        .fold(first, |needs, (square, bit)| {
            needs | MateNeeds::from(covered.contains(square)) << bit
        })
}

/// What a man does for a mate, and the places from which it does.
#[derive(Clone, Copy)]
pub(super) struct MateChoice {
    does: MateNeeds,
    pub(super) places: Bitboard,
    /// A pawn does it as the piece that it became.
    pub(super) promoted: bool,
}

/// What men can do for a mate on one square: of each that can do something, the choices it has.
pub(super) struct MatePieces<'a> {
    on: Square,
    men: Vec<(&'a ReachablePiece, Vec<MateChoice>)>,
}

/// Men, each with a place and task in a mate.
type Places<'a> = Vec<(&'a ReachablePiece, MateChoice)>;

impl<'a> MatePieces<'a> {
    /// Of the men of both sides; the king of the side that is mated must not be among them.
    pub(super) fn new(
        on: Square,
        attackers: impl Iterator<Item = &'a ReachablePiece>,
        helpers: impl Iterator<Item = &'a ReachablePiece>,
    ) -> MatePieces<'a> {
        let attackers = attackers.map(|man| (man, attacker(man, on)));
        let helpers = helpers.map(|man| (man, helper(man, on)));
        let men = attackers
            .chain(helpers)
            .map(|(man, choices)| (man, useful(man, choices)));
        let men = men.filter(|(_, choices)| !choices.is_empty()).collect();
        MatePieces { on, men }
    }

    /// Whether there are places, one for each man, from which they do all that is needed in addition to `done`; also
    /// true if there were too many choices.
    pub(super) fn can(&self, done: MateNeeds) -> bool {
        self.places(done).is_some()
    }

    /// Such places; not all, if there were too many choices.
    pub(super) fn places(&self, done: MateNeeds) -> Option<Places<'a>> {
        let all = (1 << (king_attacks(self.on).len() + 1)) - 1;
        let mut left = MAX_CHOICES;
        let mut places = Vec::new();
        self.cover(all & !done, 0, &mut left, &mut places)
            .then_some(places)
    }

    fn cover(
        &self,
        needs: MateNeeds,
        placed: u64,
        left: &mut u32,
        places: &mut Places<'a>,
    ) -> bool {
        if needs == 0 || *left == 0 {
            return true;
        }
        *left -= 1;
        let free = || (0..self.men.len()).filter(move |man| placed >> man & 1 == 0);
        let does = |man: usize, bit: MateNeeds| {
            self.men[man].1.iter().any(|choice| choice.does & bit != 0)
        };
        // What the fewest can do comes first.
        let bits = (0..MateNeeds::BITS)
            .map(|bit| 1 << bit)
            .filter(|bit| needs & bit != 0);
        let Some(bit) = bits.min_by_key(|&bit| free().filter(|&man| does(man, bit)).count()) else {
            return true;
        };
        free().any(|man| {
            let (who, choices) = &self.men[man];
            choices
                .iter()
                .filter(|choice| choice.does & bit != 0)
                .any(|choice| {
                    places.push((who, *choice));
                    let found = self.cover(needs & !choice.does, placed | 1 << man, left, places);
                    if !found {
                        places.pop();
                    }
                    found
                })
        })
    }
}

/// What a man attacks from each of its places; a king is never placed next to the mated king.
fn attacker(man: &ReachablePiece, on: Square) -> Vec<MateChoice> {
    let empty = Bitboard::EMPTY;
    let attacks = |kind, from| {
        let color = man.color;
        piece_attacks(Piece { color, kind }, from, empty)
    };
    let promotion = |from| attacks(PieceKind::Queen, from) | knight_attacks(from);
    let near = match man.kind {
        PieceKind::King => king_attacks(on) | on.bitboard(),
        _ => on.bitboard(),
    };
    let choice = |from: Square, attacked, promoted| MateChoice {
        does: needs(on, attacked),
        places: from.bitboard(),
        promoted,
    };
    let as_it_is = (man.squares & !near).into_iter();
    let promoted = (man.promoted & !on.bitboard()).into_iter();
    as_it_is
        .map(|from| choice(from, attacks(man.kind, from), false))
        .chain(promoted.map(|from| choice(from, promotion(from), true)))
        .collect()
}

/// The squares that a man can take from the king of its side.
fn helper(man: &ReachablePiece, on: Square) -> Vec<MateChoice> {
    let squares = (man.squares | man.promoted) & king_attacks(on);
    let choice = |place: Square| MateChoice {
        does: needs(on, place.bitboard()),
        places: place.bitboard(),
        promoted: !man.squares.contains(place),
    };
    squares.into_iter().map(choice).collect()
}

/// Choices with the same effect taken together, without those that do nothing or less than another; the nearest to the
/// man's square first.
fn useful(man: &ReachablePiece, mut choices: Vec<MateChoice>) -> Vec<MateChoice> {
    choices.retain(|choice| choice.does != 0);
    choices.sort_unstable_by_key(|choice| (choice.does, choice.promoted));
    choices.dedup_by(|next, kept| {
        let same = (next.does, next.promoted) == (kept.does, kept.promoted);
        if same {
            kept.places |= next.places;
        }
        same
    });
    let all: Vec<MateNeeds> = choices.iter().map(|choice| choice.does).collect();
    let less = |one: MateNeeds| all.iter().any(|&other| other != one && one & !other == 0);
    choices.retain(|choice| !less(choice.does));
    let nearest = |choice: &MateChoice| {
        let places = choice.places.into_iter();
        places.map(|place| distance(place, man.origin)).min()
    };
    choices.sort_by_cached_key(nearest);
    choices
}

/// The moves of a king from one square to another.
pub(super) fn distance(a: Square, b: Square) -> usize {
    let files = a.file().index().abs_diff(b.file().index());
    files.max(a.rank().index().abs_diff(b.rank().index()))
}
