//! Which squares each piece can ever reach: more than it really can, never less.
//!
//! At first the set of each piece is its own square. A piece may step to any square that no permanent piece blocks.
//! Permanent pieces can neither leave their square nor be taken there; those of the own side block, and for a pawn
//! going forward those of both sides. A king may not step next to a permanent enemy that attacks the square. Steps are
//! added until nothing changes. What a piece can do only grows with what others can do, so the order does not matter;
//! by induction over the moves of any game every piece is always on a square of its set. Pins, checks and turns are
//! left out, which only adds squares.
//! Sliders go square by square: what they pass over is empty then.

use crate::attacks::{knight_attacks, pawn_attacks};
use crate::board::Board;
use crate::{Bitboard, Color, PieceKind, Rank, Square};

/// A piece and its squares.
#[derive(Clone, Copy)]
pub(super) struct ReachablePiece {
    pub(super) color: Color,
    pub(super) kind: PieceKind,
    /// Its square when the analysis began.
    pub(super) origin: Square,
    /// As what it is now.
    pub(super) squares: Bitboard,
    /// Of a pawn, as what it can become.
    pub(super) promoted: Bitboard,
}

/// All pieces and their squares.
pub(super) struct Reach {
    pieces: Vec<ReachablePiece>,
}

impl Reach {
    /// The sets of a position without castling rights and captures in passing; `None` for a position that has any.
    pub(super) fn new(board: &Board) -> Option<Reach> {
        if !(board.castling_rooks | board.en_passant).is_empty() {
            return None;
        }
        let piece = |origin: Square| {
            board.piece_at(origin).map(|piece| ReachablePiece {
                color: piece.color,
                kind: piece.kind,
                origin,
                squares: origin.bitboard(),
                promoted: Bitboard::EMPTY,
            })
        };
        let mut reach = Reach {
            pieces: board.occupied().into_iter().filter_map(piece).collect(),
        };
        while reach.grow() {}
        Some(reach)
    }

    /// The pieces of one side.
    pub(super) fn pieces(&self, color: Color) -> impl Iterator<Item = &ReachablePiece> {
        self.pieces.iter().filter(move |piece| piece.color == color)
    }

    /// Where a side's king can be.
    pub(super) fn king(&self, color: Color) -> Bitboard {
        let mut kings = self
            .pieces(color)
            .filter(|piece| piece.kind == PieceKind::King);
        kings.next().map_or(Bitboard::EMPTY, |king| king.squares)
    }

    /// One round of steps. Returns whether anything is new.
    fn grow(&mut self) -> bool {
        let sides = Color::ALL.map(|color| self.side(color));
        let mut grown = false;
        for index in 0..self.pieces.len() {
            let before = self.pieces[index];
            let limit = match before.kind {
                PieceKind::Pawn => self.open_way(&before, &sides),
                _ => Bitboard::ALL,
            };
            let piece = &mut self.pieces[index];
            piece.step(
                &sides[piece.color.index()],
                &sides[(!piece.color).index()],
                limit,
            );
            grown |= (piece.squares, piece.promoted) != (before.squares, before.promoted);
        }
        grown
    }

    /// Where a pawn may go without passing another on its file that never leaves it: it stays
    /// before the origin of an enemy, which comes towards it, and behind the last square of an
    /// own one.
    fn open_way(&self, pawn: &ReachablePiece, sides: &[SideReach; 2]) -> Bitboard {
        let file = Bitboard::file(pawn.origin.file());
        let ahead = in_front(pawn.color, pawn.origin.bitboard());
        let others = self.pieces.iter().filter(|other| {
            other.kind == PieceKind::Pawn
                && ahead.contains(other.origin)
                && (other.squares & !file).is_empty()
                && other.promoted.is_empty()
                && !sides[(!other.color).index()]
                    .takes
                    .intersects(other.squares)
        });
        others.fold(Bitboard::ALL, |open, other| {
            let closed = if other.color == pawn.color {
                // All that is not behind its last square.
                file & !in_front(!pawn.color, other.squares)
            } else {
                other.origin.bitboard() | in_front(pawn.color, other.origin.bitboard())
            };
            open & !closed
        })
    }

    fn side(&self, color: Color) -> SideReach {
        let takes = |color| {
            self.pieces(color)
                .fold(Bitboard::EMPTY, |set, piece| set | piece.takes())
        };
        let enemies = takes(!color);
        let mut side = SideReach {
            takes: takes(color),
            ..SideReach::default()
        };
        for piece in self.pieces(color) {
            let king = piece.kind == PieceKind::King;
            if !king {
                side.victims |= piece.squares | piece.promoted;
            }
            let leaves = piece.squares.has_several() || !piece.promoted.is_empty();
            if !leaves && (king || !enemies.contains(piece.origin)) {
                side.stuck |= piece.origin.bitboard();
                side.guarded |= piece.attacks_from(piece.origin.bitboard());
            }
        }
        side
    }
}

/// What is known of a side so far.
#[derive(Default)]
struct SideReach {
    /// Men that never leave their square and cannot be taken there.
    stuck: Bitboard,
    /// What these men attack, wherever the other pieces are.
    guarded: Bitboard,
    /// Where its pieces can take.
    takes: Bitboard,
    /// Where pieces that can be taken can be.
    victims: Bitboard,
}

impl ReachablePiece {
    fn step(&mut self, own: &SideReach, theirs: &SideReach, limit: Bitboard) {
        let free = !own.stuck;
        match self.kind {
            PieceKind::Pawn => self.step_as_pawn(own, theirs, limit),
            PieceKind::King => {
                self.squares |= self.attacks_from(self.squares) & free & !theirs.guarded;
            }
            _ => self.squares |= self.attacks_from(self.squares) & free,
        }
    }

    fn step_as_pawn(&mut self, own: &SideReach, theirs: &SideReach, limit: Bitboard) {
        let ahead = match self.color {
            Color::White => Bitboard(self.squares.0 << 8),
            Color::Black => Bitboard(self.squares.0 >> 8),
        };
        let taken = self.attacks_from(self.squares) & theirs.victims;
        self.squares |= ahead & limit & !(own.stuck | theirs.stuck) | taken & !own.stuck;
        self.promoted |= self.squares & Bitboard::rank(Rank::back(!self.color));
        let steps = king_steps(self.promoted) | knight_steps(self.promoted);
        self.promoted |= steps & !own.stuck;
    }

    /// Where the piece can take: a pawn not straight ahead.
    fn takes(&self) -> Bitboard {
        match self.kind {
            PieceKind::Pawn => self.attacks_from(self.squares) | self.promoted,
            _ => self.squares,
        }
    }

    /// What the piece attacks from these squares at a distance of one step; further away lie
    /// squares from which it attacks at one step, too.
    pub(super) fn attacks_from(&self, squares: Bitboard) -> Bitboard {
        match self.kind {
            PieceKind::Pawn => each(squares, |from| pawn_attacks(self.color, from)),
            PieceKind::Knight => knight_steps(squares),
            PieceKind::Bishop => diagonal_steps(squares),
            PieceKind::Rook => straight_steps(squares),
            PieceKind::Queen | PieceKind::King => king_steps(squares),
        }
    }

    /// All that the piece can ever attack, as what it is and as what it can become.
    pub(super) fn attacks(&self) -> Bitboard {
        let promoted = king_steps(self.promoted) | knight_steps(self.promoted);
        self.attacks_from(self.squares) | promoted
    }
}

/// The squares in front of these on their files.
fn in_front(color: Color, squares: Bitboard) -> Bitboard {
    let mut all = Bitboard::EMPTY;
    let mut step = squares;
    while !step.is_empty() {
        step = match color {
            Color::White => Bitboard(step.0 << 8),
            Color::Black => Bitboard(step.0 >> 8),
        };
        all |= step;
    }
    all
}

fn each(squares: Bitboard, attacks: impl Fn(Square) -> Bitboard) -> Bitboard {
    squares
        .into_iter()
        .fold(Bitboard::EMPTY, |set, from| set | attacks(from))
}

fn knight_steps(squares: Bitboard) -> Bitboard {
    each(squares, knight_attacks)
}

fn straight_steps(squares: Bitboard) -> Bitboard {
    Bitboard(squares.0 << 8) | Bitboard(squares.0 >> 8) | squares.west() | squares.east()
}

fn diagonal_steps(squares: Bitboard) -> Bitboard {
    let sideways = squares.west() | squares.east();
    Bitboard(sideways.0 << 8) | Bitboard(sideways.0 >> 8)
}

fn king_steps(squares: Bitboard) -> Bitboard {
    straight_steps(squares) | diagonal_steps(squares)
}
