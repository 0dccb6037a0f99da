//! The full explanation of one game, as data and in sentences.

use serde::Serialize;

use crate::chess::Color;
use crate::event::GameName;
use crate::referee::FaultKind;
use crate::report::variations::EngineVariations;
use crate::text::{count, printable};
use crate::uci::{Score, ScoreStyle};

use super::evaluations::{Decline, Judgement, MoveEvaluation};

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
    /// What was seen of the engine in the time of the move, and what its own clock said.
    pub seen: Option<String>,
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

/// The summary first; all are whole sentences, each on a separate line.
pub(super) fn summary(explanation: &Explanation) -> Vec<String> {
    match (&explanation.fault, &explanation.judgement) {
        (Some(fault), _) => vec![of_fault(explanation, fault)],
        (None, Some(judgement)) => of_loss(explanation, judgement),
        (None, None) => vec![format!("{}.", ended(explanation))],
    }
}

fn of_fault(explanation: &Explanation, fault: &EngineEvidence) -> String {
    let what = fault.kind.deed();
    let who = with_side(&fault.engine, fault.side);
    let void = match explanation.result {
        "*" => " The game does not count.",
        _ => "",
    };
    format!("{who} {what} at move {}.{void}", fault.move_number)
}

/// `Stockfish (Black)`.
fn with_side(engine: &str, side: Color) -> String {
    let side = ["White", "Black"][side.index()];
    format!("{} ({side})", printable(engine))
}

/// A game lost on the board, described with the names of its players.
struct Loss<'a> {
    explanation: &'a Explanation,
    judgement: &'a Judgement,
    loser: Color,
}

fn of_loss(explanation: &Explanation, judgement: &Judgement) -> Vec<String> {
    let Some(loser) = explanation.loser else {
        return Vec::new();
    };
    let loss = Loss {
        explanation,
        judgement,
        loser,
    };
    let mut lines = vec![loss.first()];
    if judgement.decline == Some(Decline::Move) {
        lines.extend(judgement.won_before.as_ref().map(|won| {
            let percent = loss.percent(won);
            format!("Before that it had been winning: {percent} at {}.", won.san)
        }));
        lines.extend(judgement.way.as_ref().map(|[_, lost]| loss.since(lost)));
    }
    lines.extend(judgement.parted.as_ref().map(|both| {
        let [first, second] = both
            .each_ref()
            .map(|own| loss.name(own.side) + " " + &shown(own));
        let at = &both[0].san;
        format!("The engines began to disagree at {at}: {first}, {second} (White's view).")
    }));
    lines
}

impl Loss<'_> {
    fn name(&self, side: Color) -> String {
        printable(&self.explanation.players[side.index()]).into_owned()
    }

    /// `35 % at 48...Kg6`, in which the percentage is the loser's expected score.
    fn percent(&self, evaluation: &MoveEvaluation) -> String {
        format!("{:.0} %", evaluation.expected_of(self.loser) * 100.0)
    }

    fn view(&self, seen: &MoveEvaluation) -> String {
        if seen.side == self.loser {
            "its own view".to_owned()
        } else {
            format!("{}'s view", self.name(seen.side))
        }
    }

    fn first(&self) -> String {
        let judgement = self.judgement;
        let who = with_side(&self.explanation.players[self.loser.index()], self.loser);
        let costly = judgement.costly.as_deref().unwrap_or_default();
        match (judgement.decline, &judgement.drop, &judgement.way) {
            (Some(Decline::Move), Some([before, after]), _) => format!(
                "{costly} cost {who} most: by {} from {} to {}.",
                self.view(before),
                self.percent(before),
                self.percent(after)
            ),
            (Some(Decline::Slide), Some([before, after]), Some([first, last])) => format!(
                "No single move lost it: by {} {who} sank from {} at {} to {} at {}; {costly} cost \
                 most, from {} to {}.",
                self.view(first),
                self.percent(first),
                first.san,
                self.percent(last),
                last.san,
                self.percent(before),
                self.percent(after)
            ),
            (Some(Decline::LostBefore), _, Some([first, _])) => format!(
                "{who} was lost from the first evaluation on: by {} {} at {}.",
                self.view(first),
                self.percent(first),
                first.san
            ),
            (Some(_), ..) => format!("{who} lost, and neither engine saw it coming."),
            (None, ..) => format!("{who} lost; the engines gave no evaluations."),
        }
    }

    /// How many moves followed in the lost game, or after which move it was finally lost.
    fn since(&self, lost: &MoveEvaluation) -> String {
        let dropped = self.judgement.drop.as_ref();
        if dropped.is_none_or(|[_, after]| after.index != lost.index) {
            return format!("From {} on it was lost for good.", lost.san);
        }
        let ending = ended(self.explanation);
        match self.explanation.plies.saturating_sub(lost.ply) / 2 {
            0 => format!("It was lost from then on: {ending}."),
            left => format!(
                "It was lost from then on: {ending}, {} later.",
                count(left, "move")
            ),
        }
    }
}

/// `White wins by checkmate`.
fn ended(explanation: &Explanation) -> String {
    let mut text = printable(&explanation.outcome).into_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

/// Pawns, or moves to mate, from White's point of view.
fn shown(evaluation: &MoveEvaluation) -> String {
    let centipawns = Score::Centipawns(evaluation.centipawns);
    let score = evaluation.mate.map_or(centipawns, Score::Mate);
    score.text(ScoreStyle::People)
}
