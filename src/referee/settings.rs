//! What one game is played under, and whose way is followed.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use Compatibility::{Cutechess, Fastchess, Native};

use crate::chess::{Color, FenDialect, Move, Position, UciDialect, UciMoveError};
use crate::clock::{GivenTime, Limits};
use crate::referee::{Adjudication, FaultKind, FlagFallRule, IdleRule, Timeouts};
use crate::uci::KeptLines;

/// Everything the referee needs to know before the first move.
#[derive(Debug, Clone)]
pub struct GameSettings {
    /// The start position.
    pub start: Position,
    /// The book's moves, legal one after the other from `start`.
    pub opening: Vec<Move>,
    /// How castling is written to the engines.
    pub dialect: UciDialect,
    /// The value of `UCI_Variant` for this game, where engines choose it from a file.
    pub variant: Option<String>,
    /// White and Black, by [`Color::index`](crate::chess::Color::index).
    pub players: [PlayerSettings; 2],
    /// How long to wait where no chess clock runs.
    pub timeouts: Timeouts,
    /// When the game ends though the board has not ended it.
    pub adjudication: Adjudication,
    /// Whose way is followed where programs differ.
    pub compatibility: Compatibility,
    /// Whether what the host does to a side is excused still, by
    /// [`Color::index`](crate::chess::Color::index).
    pub excused: [bool; 2],
    /// What thinking on the opponent's time costs.
    pub idle_cpu: IdleRule,
    /// Which lines of the engines are kept with their moves.
    pub kept_lines: KeptLines,
}

/// One side of a game.
#[derive(Debug, Clone)]
pub struct PlayerSettings {
    /// Clock and search limits.
    pub limits: Limits,
    /// Time beyond the clock or the move time that is forgiven.
    pub margin: Duration,
    /// How the start position is written.
    pub fen: FenDialect,
    /// Whether it searches on the opponent's time.
    pub ponder: bool,
    /// Whether a translator speaks for it, which has a word for a resignation.
    pub translated: bool,
    /// Where the node limit of each move is drawn, how.
    pub node_draw: Option<NodeDraw>,
}

impl PlayerSettings {
    /// The same settings without the time that was given.
    pub(crate) fn after_giving(self, given: GivenTime) -> PlayerSettings {
        match self.limits.after_giving(given) {
            Some(limits) => PlayerSettings { limits, ..self },
            None => self,
        }
    }
}

/// The node limit of a move by the half-moves played before it, a pure function.
#[derive(Clone)]
pub struct NodeDraw(pub Arc<dyn Fn(u32) -> u64 + Send + Sync>);

impl fmt::Debug for NodeDraw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NodeDraw(…)")
    }
}

// Where programs that run engines differ, and whose way is followed. Strictness is this program's own; nothing but the fronts and this
// file knows of another program.

/// The program whose way is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Compatibility {
    /// This one.
    #[default]
    Native,
    /// fastchess 1.8.2.
    Fastchess,
    /// cutechess-cli 1.5.1.
    Cutechess,
}

impl Compatibility {
    /// The move that an engine means. cutechess-cli also takes a king that captures its own rook for castling in standard chess.
    ///
    /// # Errors
    /// It is not legal.
    pub fn parse_move(
        self,
        position: &Position,
        text: &str,
        dialect: UciDialect,
    ) -> Result<Move, UciMoveError> {
        let strict = position.parse_uci(text, dialect);
        match self {
            Cutechess => strict.or_else(|error| {
                let castling = position.parse_uci(text, UciDialect::Chess960);
                castling.map_err(|_| error)
            }),
            Native | Fastchess => strict,
        }
    }

    /// Whether a line of a book that does not fit is repaired or replaced instead of refused: castling rights without a rook are
    /// dropped, of a game the legal part is played, and not the move that would end it.
    pub fn repairs_openings(self) -> bool {
        self != Native
    }

    /// Whether a castling right is dropped that has no rook, and not the whole line of the book.
    pub fn drops_rights_without_a_rook(self) -> bool {
        self == Fastchess
    }

    /// Whether this letter of a FEN's castling field says something in standard chess.
    pub fn reads_castling(self, letter: char) -> bool {
        self != Fastchess || "KQkq".contains(letter)
    }

    /// The number of the start instead of a line of a book that has no position, if not the usual one: cutechess-cli draws one in
    /// Chess960. Here the place of the line in the book decides.
    pub fn draws_starts_instead(self, is_chess960: bool, place: u32) -> Option<u32> {
        let draws = self == Cutechess && is_chess960;
        draws.then(|| place.wrapping_mul(0x9E37_79B1) % 960)
    }

    /// Whether an engine has to declare `UCI_Chess960` to play Chess960.
    pub fn needs_chess960_option(self) -> bool {
        self != Fastchess
    }

    /// Whether an engine that was idle again after this fault can be trusted with another game.
    pub fn survives(self, kind: FaultKind) -> bool {
        match kind {
            FaultKind::IllegalMove => true,
            FaultKind::FlagFall => self != Native,
            _ => false,
        }
    }

    /// How long an engine whose flag has fallen may take to answer `isready`; `each_move` is its time for that before a move.
    pub fn longest_silence(self, each_move: Option<Duration>) -> Duration {
        let other = each_move.filter(|_| self == Fastchess);
        other.unwrap_or(Duration::from_secs(1))
    }

    /// What has cost the game of an engine whose flag has fallen; a silent one does not answer `isready` either.
    pub fn kind_of_flag_fall(self, is_silent: bool) -> FaultKind {
        if self == Fastchess && is_silent {
            FaultKind::Stall
        } else {
            FaultKind::FlagFall
        }
    }

    /// Whether a fault only draws, because the opponent has too little to win.
    pub fn draws_forfeit(
        self,
        kind: FaultKind,
        rule: FlagFallRule,
        position: &Position,
        opponent: Color,
    ) -> bool {
        let by_the_laws = matches!(kind, FaultKind::FlagFall | FaultKind::IllegalMove);
        match self {
            // FIDE Laws 6.9 and 7.5.5.
            Native => by_the_laws && rule == FlagFallRule::Fide && position.cannot_win(opponent),
            Fastchess => false,
            Cutechess => {
                let has_a_bare_king = position.by_color(opponent).len() == 1;
                (by_the_laws || kind == FaultKind::Stall || kind == FaultKind::NotReady)
                    && has_a_bare_king
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Compatibility; 3] = [Native, Fastchess, Cutechess];

    #[test]
    fn who_takes_which_castling() {
        let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        let reads =
            |text: &str, dialect| ALL.map(|way| way.parse_move(&position, text, dialect).is_ok());
        assert_eq!(reads("e1g1", UciDialect::Standard), [true; 3]);
        assert_eq!(reads("e1h1", UciDialect::Standard), [false, false, true]);
        assert_eq!(reads("e1h1", UciDialect::Chess960), [true; 3]);
        assert_eq!(reads("h1e1", UciDialect::Standard), [false; 3]);
    }

    /// Which of the three draws a game that one side forfeits against the other's material.
    #[test]
    fn every_kind_of_fault_against_every_kind_of_material() {
        use FaultKind::{Crash, FlagFall, IllegalMove, NotReady, Stall};
        let bare = "4k3/8/8/8/8/8/8/K6R w - - 0 1";
        let bishop = "4k1b1/8/8/8/8/8/8/K6R w - - 0 1";
        let rook = "4k1r1/8/8/8/8/8/8/K6R w - - 0 1";
        for (fen, kind, drawn) in [
            (bare, FlagFall, [true, false, true]),
            (bare, IllegalMove, [true, false, true]),
            (bare, Stall, [false, false, true]),
            (bare, NotReady, [false, false, true]),
            (bare, Crash, [false, false, false]),
            (bishop, FlagFall, [true, false, false]),
            (rook, FlagFall, [false, false, false]),
            (rook, IllegalMove, [false, false, false]),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let draws = |way: Compatibility| {
                way.draws_forfeit(kind, FlagFallRule::Fide, &position, Color::Black)
            };
            assert_eq!(ALL.map(draws), drawn, "{kind:?} {fen}");
        }
    }

    #[test]
    fn who_trusts_an_engine_again() {
        let survives = |kind| ALL.map(|way| way.survives(kind));
        assert_eq!(survives(FaultKind::IllegalMove), [true; 3]);
        assert_eq!(survives(FaultKind::FlagFall), [false, true, true]);
        assert_eq!(survives(FaultKind::Stall), [false; 3]);
        let silent = ALL.map(|way| way.kind_of_flag_fall(true));
        assert_eq!(
            silent,
            [FaultKind::FlagFall, FaultKind::Stall, FaultKind::FlagFall]
        );
        assert_eq!(
            ALL.map(|way| way.kind_of_flag_fall(false)),
            [FaultKind::FlagFall; 3]
        );
        let ping = Some(Duration::from_secs(60));
        assert_eq!(
            ALL.map(|way| way.longest_silence(ping).as_secs()),
            [1, 60, 1]
        );
    }
}
