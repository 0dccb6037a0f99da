//! What is sent to an engine, Chess480 for engines that read variants from a file included.

use std::fmt::Write as _;
use std::time::Duration;

use crate::chess::{CastlingRule, CastlingSide, Color, FenDialect, File, Position};

/// The limits of one search. Everything absent is not sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GoLimits {
    /// White's clock; sent in whole milliseconds, never below 1.
    pub wtime: Option<Duration>,
    /// Black's clock; sent in whole milliseconds, never below 1.
    pub btime: Option<Duration>,
    /// White's increment.
    pub winc: Option<Duration>,
    /// Black's increment.
    pub binc: Option<Duration>,
    /// Moves to the next time control.
    pub movestogo: Option<u32>,
    /// Time for this move; never below 1 ms.
    pub movetime: Option<Duration>,
    /// Nodes for this move.
    pub nodes: Option<u64>,
    /// Depth in plies for this move.
    pub depth: Option<u32>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Search on the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
}

impl GoLimits {
    /// Reads the words after `go`; without any limit, the search is infinite.
    pub(crate) fn parse<'a>(words: impl Iterator<Item = &'a str>) -> GoLimits {
        let mut limits = GoLimits::default();
        let mut words = words.peekable();
        while let Some(word) = words.next() {
            // A clock may be below zero: then the flag is about to fall, and any move is in time.
            let number = words.peek().and_then(|text| text.parse::<i64>().ok());
            let number = number.unwrap_or(0).max(0).unsigned_abs();
            let time = Some(Duration::from_millis(number));
            let count = Some(u32::try_from(number).unwrap_or(u32::MAX));
            match word {
                "wtime" => limits.wtime = time,
                "btime" => limits.btime = time,
                "winc" => limits.winc = time,
                "binc" => limits.binc = time,
                "movestogo" => limits.movestogo = count,
                "movetime" => limits.movetime = time,
                "nodes" => limits.nodes = Some(number),
                "depth" => limits.depth = count,
                "infinite" => limits.infinite = true,
                "ponder" => limits.ponder = true,
                _ => {}
            }
        }
        let nothing = GoLimits {
            ponder: limits.ponder,
            ..GoLimits::default()
        };
        limits.infinite |= limits == nothing;
        limits
    }

    /// Appends `go` with its limits and a line end, without an allocation if `out` has room.
    pub fn write_to(&self, out: &mut String) {
        let milliseconds = |time: Option<Duration>| time.map(|time| time.as_millis());
        let clock = |time: Option<Duration>| milliseconds(time).map(|time| time.max(1));
        out.push_str(if self.ponder { "go ponder" } else { "go" });
        let limits = [
            ("wtime", clock(self.wtime)),
            ("btime", clock(self.btime)),
            ("winc", milliseconds(self.winc)),
            ("binc", milliseconds(self.binc)),
            ("movestogo", self.movestogo.map(u128::from)),
            ("movetime", clock(self.movetime)),
            ("nodes", self.nodes.map(u128::from)),
            ("depth", self.depth.map(u128::from)),
        ];
        for (name, value) in limits {
            if let Some(value) = value {
                // Writing to a String cannot fail.
                let _ = write!(out, " {name} {value}");
            }
        }
        out.push_str(if self.infinite { " infinite\n" } else { "\n" });
    }
}

/// Appends `setoption name … value …` and a line end; no value presses a button.
///
/// ```
/// use arbiter960::uci::set_option;
/// let mut out = String::new();
/// set_option("Hash", Some("16"), &mut out);
/// assert_eq!(out, "setoption name Hash value 16\n");
/// ```
pub fn set_option(name: &str, value: Option<&str>, out: &mut String) {
    out.push_str("setoption name ");
    out.push_str(name);
    if let Some(value) = value {
        out.push_str(" value ");
        out.push_str(value);
    }
    out.push('\n');
}

/// `position` with a start, without the moves since: `startpos` where it is the usual start, which is all that
/// some engines know.
pub fn position_command(start: &Position, dialect: FenDialect) -> String {
    if *start == Position::standard() {
        return "position startpos".to_owned();
    }
    format!("position fen {}", start.fen(dialect))
}

// Chess480 for engines that read variants from a file, as Fairy-Stockfish does.
//
// Such a file fixes the files on which a castling king lands. In Chess480 they depend on where
// the king begins, so there is a variant for each of its files, b to g, and the runner chooses
// one for every game. Castling is sent as in Chess960: king takes own rook.

/// The option that takes the path of a file with variants.
pub const VARIANTS_FILE_OPTION: &str = "VariantPath";

/// The option that chooses a variant.
pub const VARIANT_OPTION: &str = "UCI_Variant";

/// The text of the file: a section for every file on which the king may begin.
///
/// The rook goes to the square next to the king, on the side from which the king came: the engine
/// does so by itself, and it is also the rule of Chess480.
pub fn chess480_variants() -> String {
    let mut text = "# Chess480: the king castles two squares towards the rook\n".to_owned();
    for king in king_files() {
        let landing = |rook: File| CastlingRule::Chess480.king_landing(king, rook).letter();
        let [a, h] = [File::ALL[0], File::ALL[7]].map(landing);
        let name = variant_name(king);
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "\n[{name}:chess]\ncastlingKingsideFile = {h}\ncastlingQueensideFile = {a}\n"
        );
    }
    text
}

/// The variant in [`chess480_variants`] for a game from this position; `None` if no variant fits,
/// because the kings that may castle are on different files, or on a or h.
pub fn chess480_variant(start: &Position) -> Option<String> {
    let castles = |color: &Color| {
        let mut sides = [CastlingSide::KingSide, CastlingSide::QueenSide].into_iter();
        sides.any(|side| start.castling_rook(*color, side).is_some())
    };
    let kings = Color::ALL.into_iter().filter(castles);
    let mut files: Vec<File> = kings.map(|color| start.king(color).file()).collect();
    files.dedup();
    match files[..] {
        // Nobody castles: every variant is the same chess.
        [] => king_files().next().map(variant_name),
        [only] => king_files().find(|king| *king == only).map(variant_name),
        _ => None,
    }
}

/// The files on which a king between two rooks can be.
fn king_files() -> impl Iterator<Item = File> {
    File::ALL.into_iter().skip(1).take(6)
}

fn variant_name(king: File) -> String {
    format!("chess480{}", king.letter())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(limits: &GoLimits) -> String {
        let mut out = String::new();
        limits.write_to(&mut out);
        out
    }

    #[test]
    fn options_and_positions() {
        let mut sent = String::new();
        set_option("Hash", Some("16"), &mut sent);
        set_option("Clear Hash", None, &mut sent);
        let expected = "setoption name Hash value 16\nsetoption name Clear Hash\n";
        assert_eq!(sent, expected);
        let fen = "8/8/8/8/8/8/k7/2K5 w - - 0 1";
        let start = Position::from_fen(fen).unwrap();
        let command = position_command(&start, FenDialect::Shredder);
        assert_eq!(command, format!("position fen {fen}"));
        let usual = position_command(&Position::standard(), FenDialect::Shredder);
        assert_eq!(usual, "position startpos");
    }

    #[test]
    fn a_clock_is_never_below_one_millisecond() {
        let limits = GoLimits {
            wtime: Some(Duration::ZERO),
            btime: Some(Duration::from_micros(1_999)),
            winc: Some(Duration::ZERO),
            binc: Some(Duration::from_millis(100)),
            movestogo: Some(40),
            ..GoLimits::default()
        };
        assert_eq!(
            text(&limits),
            "go wtime 1 btime 1 winc 0 binc 100 movestogo 40\n"
        );
    }

    #[test]
    fn other_limits() {
        let limits = GoLimits {
            movetime: Some(Duration::from_millis(500)),
            nodes: Some(u64::MAX),
            depth: Some(8),
            infinite: true,
            ..GoLimits::default()
        };
        let expected = "go movetime 500 nodes 18446744073709551615 depth 8 infinite\n";
        assert_eq!(text(&limits), expected);
    }

    #[test]
    fn a_section_for_every_file_of_the_king() {
        let text = chess480_variants();
        let landings: Vec<&str> = text
            .lines()
            .filter_map(|line| line.split(" = ").nth(1))
            .collect();
        // King's side and queen's side for b to g; b and g change places with the corner.
        assert_eq!(landings.concat(), "daeafbgchdhe");
        assert_eq!(text.matches(":chess]").count(), 6);
    }

    #[test]
    fn the_variant_is_that_of_the_kings_that_may_castle() {
        let variant = |fen: &str| {
            chess480_variant(&Position::from_fen_with(fen, CastlingRule::Chess480).unwrap())
        };
        assert_eq!(
            variant("1rkr4/8/8/8/8/8/8/1RKR4 w BDbd - 0 1").unwrap(),
            "chess480c"
        );
        assert_eq!(
            variant("6k1/8/8/8/8/8/8/1RKR4 b BD - 0 1").unwrap(),
            "chess480c"
        );
        assert!(variant("6k1/8/8/8/8/8/8/1RKR4 w - - 0 1").is_some());
        assert_eq!(variant("3rk3/8/8/8/8/8/8/1RKR4 w Dd - 0 1"), None);
        assert_eq!(variant("6k1/8/8/8/8/8/8/K2R4 w D - 0 1"), None);
    }
}
