//! The full explanation of one game, as data.

use serde::Serialize;

use crate::chess::Color;
use crate::event::GameName;
use crate::referee::FaultKind;
use crate::report::variations::EngineVariations;

use super::endings::EndingStory;
use super::evaluations::Judgement;
use super::names::{color, loser};

/// Why a game ended as it did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Explanation {
    /// The version of this layout.
    pub schema: u32,
    /// The event's name.
    pub event: String,
    /// The answer in sentences, the main one first.
    pub summary: Vec<String>,
    /// The game, as the PGN `Round`.
    pub game: GameName,
    /// White's and Black's names.
    pub players: [String; 2],
    /// White's and Black's limits, as the PGN tag `TimeControl` has them.
    pub limits: [String; 2],
    /// The PGN result; `*` if the game is void.
    pub result: &'static str,
    /// How it ended, in words.
    pub outcome: String,
    /// The stable word for that.
    pub reason: &'static str,
    /// Who lost it; `None` for a draw or a void game.
    #[serde(serialize_with = "loser")]
    pub loser: Option<Color>,
    /// Half-moves on the board, the book's included.
    pub plies: usize,
    /// Moves, as people count them: one of each side is one.
    #[serde(rename = "moves_played")]
    pub length: u32,
    /// How often the game was voided for a fault and played again.
    pub replays: u32,
    /// The fault, if there was one.
    pub fault: Option<EngineEvidence>,
    /// The findings from the evaluations of a game that was lost on the board.
    pub judgement: Option<Judgement>,
    /// The tablebases' findings about the game's ending, if they were consulted and have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<EndingStory>,
    /// The moves that matter: the last ones, or those around the one that cost most.
    pub moves: Vec<PlayedMove>,
    /// The last lines before a fault.
    pub dialogue: Vec<DialogueLine>,
    /// The search to repeat.
    pub reproduction: Option<Reproduction>,
    /// Variations of this game that do not hold, by engine.
    pub variations: Vec<EngineVariations>,
    /// What happened to engines of this game that were disqualified.
    pub disqualified: Vec<String>,
}

/// The evidence of a fault.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct EngineEvidence {
    #[serde(serialize_with = "color")]
    pub side: Color,
    /// The engine's name.
    pub engine: String,
    /// The kind of fault.
    pub kind: FaultKind,
    /// Half-moves on the board when it happened.
    pub ply: u32,
    /// The number of the move that was due.
    pub move_number: u32,
    /// When the referee saw it, nanoseconds on the run's clock.
    pub at_ns: u64,
    /// Since the `go` that it did not answer, seconds.
    pub seconds: Option<f64>,
    /// What the engine did, quoted.
    pub detail: String,
    /// Of a flag fall: the clock's evidence and who is to blame, in words.
    pub evidence: Option<String>,
    /// How its process ended, in words.
    pub exit: Option<String>,
    /// The end of its stderr.
    pub stderr: Option<String>,
}

/// One move of the game.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct PlayedMove {
    /// From 1, the book's moves counted.
    pub ply: usize,
    #[serde(serialize_with = "color")]
    pub side: Color,
    /// `12. Nf3` or `12...d5`.
    pub san: String,
    /// The move in the form in which it was sent.
    pub uci: String,
    /// The time charged.
    pub seconds: f64,
    /// What remained on the clock.
    pub clock_seconds: Option<f64>,
    /// The evaluation from White's point of view: pawns, or `#` and the moves to mate.
    pub evaluation: Option<String>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Selective depth in plies.
    pub seldepth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// The engine's own time, milliseconds; with a ponder hit from `go ponder` on, as most count.
    pub time_ms: Option<u64>,
    /// `hit` or `miss`, if its search had begun on the opponent's time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pondered: Option<&'static str>,
}

/// One line of the dialogue.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct DialogueLine {
    /// Since the fault, seconds; negative before it.
    pub seconds: f64,
    #[serde(serialize_with = "color")]
    pub side: Color,
    /// Whether the engine sent it; otherwise the engine received it.
    pub from_engine: bool,
    /// The line, or its beginning.
    pub text: String,
    /// The length of the whole line in bytes.
    pub length: usize,
}

/// The search to repeat.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Reproduction {
    /// Whose search.
    pub engine: String,
    #[serde(serialize_with = "color")]
    pub side: Color,
    /// The ply of the move that it chose, or should have chosen.
    pub ply: usize,
    /// That move: `12. Nf3`, or `move 12` if it was not made.
    #[serde(rename = "move")]
    pub move_name: String,
    /// Place among the engines' moves, from 0.
    #[serde(skip)]
    pub index: usize,
    /// `position fen … moves …`
    pub position: String,
    /// `go …`
    pub go: String,
    /// The position in X-FEN.
    pub fen: String,
    /// The move that was played, in the form in which it was sent.
    pub played: Option<String>,
    /// The nodes that it took.
    pub nodes: Option<u64>,
    /// Whether nothing but nodes and depth bounds the search.
    pub fixed: bool,
}
