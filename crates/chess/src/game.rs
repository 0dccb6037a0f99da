//! A game: the moves so far, repetitions, and how it has ended.

use std::fmt;

use super::{Color, Move, Position, UciDialect, UciMoveError};

/// Plies without capture and pawn move after which a draw can be claimed (FIDE 9.3).
const FIFTY_MOVES: u32 = 100;
/// Plies after which the game is drawn without a claim (FIDE 9.6.2).
const SEVENTY_FIVE_MOVES: u32 = 150;

/// No position can have come back four times in fewer plies.
const FIVEFOLD_PLIES: u32 = 16;

/// Why a game is over by the rules alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The side to move is in check and has no legal move (FIDE 5.1.1).
    Checkmate {
        /// The side that gave mate.
        winner: Color,
    },
    /// The side to move is not in check and has no legal move (5.2.1).
    Stalemate,
    /// Neither side can mate by any series of legal moves (5.2.2).
    DeadPosition,
    /// The position has occurred five times (9.6.1).
    FivefoldRepetition,
    /// Seventy-five moves by each side without capture or pawn move (9.6.2).
    SeventyFiveMoves,
    /// The position has occurred three times (9.2), claimed by the arbiter for the players.
    ThreefoldRepetition,
    /// Fifty moves by each side without capture or pawn move (9.3), claimed by the arbiter.
    FiftyMoves,
}

impl Ending {
    /// The winner; `None` for a draw.
    pub fn winner(self) -> Option<Color> {
        match self {
            Ending::Checkmate { winner } => Some(winner),
            _ => None,
        }
    }

    /// Whether a player has to claim it: threefold repetition and fifty moves (FIDE 9.2, 9.3).
    /// All others end a game at once, whether anybody notices or not.
    pub fn needs_claim(self) -> bool {
        matches!(self, Ending::ThreefoldRepetition | Ending::FiftyMoves)
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Ending::Checkmate {
                winner: Color::White,
            } => "White mates",
            Ending::Checkmate {
                winner: Color::Black,
            } => "Black mates",
            Ending::Stalemate => "stalemate",
            Ending::DeadPosition => "dead position",
            Ending::FivefoldRepetition => "fivefold repetition",
            Ending::SeventyFiveMoves => "seventy-five moves",
            Ending::ThreefoldRepetition => "threefold repetition",
            Ending::FiftyMoves => "fifty moves",
        })
    }
}

/// A game from a start position: every position and move in order.
///
/// ```
/// use arbiter960_chess::{Color, Ending, Game, Position};
/// let mut game = Game::new(Position::standard());
/// for san in ["f3", "e5", "g4", "Qh4#"] {
///     game.play(game.position().parse_san(san)?);
/// }
/// assert_eq!(game.ending(), Some(Ending::Checkmate { winner: Color::Black }));
/// # Ok::<(), arbiter960_chess::SanError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    /// The start and the position after every move: one more than there are moves.
    positions: Vec<Position>,
    moves: Vec<Move>,
}

impl Game {
    /// A game that has not begun. The start's half-move clock counts towards the fifty moves.
    pub fn new(start: Position) -> Game {
        Game {
            positions: vec![start],
            moves: Vec::new(),
        }
    }

    /// A game with its moves, which must be legal.
    pub fn with_moves(start: Position, moves: impl IntoIterator<Item = Move>) -> Game {
        let mut game = Game::new(start);
        moves.into_iter().for_each(|played| game.play(played));
        game
    }

    /// The position before the first move.
    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        &self.positions[self.moves.len()]
    }

    /// The moves so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The start and the position after each move.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// Plays a move, which must be legal; a game that has ended may go on.
    ///
    /// # Panics
    /// With debug assertions, if the move is not legal.
    pub fn play(&mut self, mv: Move) {
        self.positions.push(self.position().after(mv));
        self.moves.push(mv);
    }

    /// Reads a move and plays it.
    ///
    /// # Errors
    /// The text is not a legal move.
    pub fn play_uci(&mut self, text: &str, dialect: UciDialect) -> Result<Move, UciMoveError> {
        let mv = self.position().parse_uci(text, dialect)?;
        self.play(mv);
        Ok(mv)
    }

    /// Takes the last move back; `None` at the start.
    pub fn pop(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        Some(mv)
    }

    /// How often the current position has occurred, now included (FIDE 9.2.3).
    pub fn repetitions(&self) -> u32 {
        self.repetitions_at(self.moves.len())
    }

    /// How often the position after a number of moves had occurred by then.
    fn repetitions_at(&self, ply: usize) -> u32 {
        let now = &self.positions[ply];
        // Nothing before the last capture or pawn move can be the same position.
        let reversible = now.halfmove_clock() as usize;
        let earlier = self.positions[..=ply]
            .iter()
            .rev()
            .take(reversible + 1)
            .skip(2)
            .step_by(2);
        1 + earlier.filter(|position| position.is_same_as(now)).count() as u32
    }

    /// How the game has ended, if it has. Threefold repetition and fifty moves end it at once.
    ///
    /// Mate and stalemate come first: mate on the move that completes the fifty is mate. Then the
    /// dead position (by material, as every program judges it; [`Position::is_dead`] proves
    /// more), what ends a game without a claim, and last what has to be claimed.
    pub fn ending(&self) -> Option<Ending> {
        self.automatic_ending().or_else(|| self.claimable_ending())
    }

    /// How the game has ended without anybody's claim, if it has: mate, stalemate, dead position
    /// by material, fivefold repetition, seventy-five moves.
    ///
    /// ```
    /// use arbiter960_chess::{Ending, Game, Position};
    /// let mut game = Game::new(Position::standard());
    /// for san in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"] {
    ///     game.play(game.position().parse_san(san)?);
    /// }
    /// assert_eq!(game.automatic_ending(), None);
    /// assert_eq!(game.claimable_ending(), Some(Ending::ThreefoldRepetition));
    /// # Ok::<(), arbiter960_chess::SanError>(())
    /// ```
    pub fn automatic_ending(&self) -> Option<Ending> {
        let position = self.position();
        if position.has_legal_move() {
            return self.automatic_draw_at(self.moves.len());
        }
        let winner = !position.side_to_move();
        Some(if position.in_check() {
            Ending::Checkmate { winner }
        } else {
            Ending::Stalemate
        })
    }

    /// The draw that a player can claim now, on the position on the board: threefold repetition or fifty moves. An
    /// automatic ending may apply at the same time.
    pub fn claimable_ending(&self) -> Option<Ending> {
        if self.repetitions() >= 3 {
            return Some(Ending::ThreefoldRepetition);
        }
        (self.position().halfmove_clock() >= FIFTY_MOVES).then_some(Ending::FiftyMoves)
    }

    /// After how many moves the game was over although moves follow, and why: play after an
    /// automatic draw.
    pub fn played_on_after(&self) -> Option<(usize, Ending)> {
        (0..self.moves.len()).find_map(|ply| Some((ply, self.automatic_draw_at(ply)?)))
    }

    /// The draw by material, repetition or counting after a number of moves.
    fn automatic_draw_at(&self, ply: usize) -> Option<Ending> {
        let position = &self.positions[ply];
        let clock = position.halfmove_clock();
        if position.is_dead_by_material() {
            Some(Ending::DeadPosition)
        } else if clock >= FIVEFOLD_PLIES && self.repetitions_at(ply) >= 5 {
            Some(Ending::FivefoldRepetition)
        } else {
            (clock >= SEVENTY_FIVE_MOVES).then_some(Ending::SeventyFiveMoves)
        }
    }
}
