//! A game in one sentence, and further sentences about it.

use crate::chess::Color;
use crate::referee::FaultKind;
use crate::text::{count, printable};

use super::evaluations::{Decline, Judgement, MoveEvaluation};
use super::explanation::{EngineEvidence, Explanation};

/// The summary first; all are whole sentences, each on a separate line.
pub(super) fn summary(explanation: &Explanation) -> Vec<String> {
    match (&explanation.fault, &explanation.judgement) {
        (Some(fault), _) => vec![of_fault(explanation, fault)],
        (None, Some(judgement)) => of_loss(explanation, judgement),
        (None, None) => vec![format!("{}.", ended(explanation))],
    }
}

fn of_fault(explanation: &Explanation, fault: &EngineEvidence) -> String {
    let what = match fault.kind {
        FaultKind::FlagFall => "lost on time",
        FaultKind::IllegalMove => "made an illegal move",
        FaultKind::Crash => "crashed",
        FaultKind::Stall => "did not move",
        FaultKind::NotReady => "did not answer `isready`",
        FaultKind::StartFailure => "could not be started",
        FaultKind::MemoryLimit => "used too much memory",
        FaultKind::ProcessLimit => "started too many processes",
        FaultKind::DiskLimit => "wrote too much to the disk",
        FaultKind::IdleCpu => "thought on its opponent's time",
    };
    let who = with_side(&fault.engine, fault.side);
    let void = match explanation.result {
        "*" => " The game does not count.",
        _ => "",
    };
    format!("{who} {what} at move {}.{void}", fault.move_number)
}

/// `Stockfish (Black)`.
fn with_side(engine: &str, side: Color) -> String {
    let side = match side {
        Color::White => "White",
        Color::Black => "Black",
    };
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
    lines.extend(judgement.parted.as_ref().map(|[first, second]| {
        format!(
            "The engines began to disagree at {}: {} {}, {} {} (White's view).",
            first.san,
            loss.name(first.side),
            shown(first),
            loss.name(second.side),
            shown(second)
        )
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
        match seen.side == self.loser {
            true => "its own view".to_owned(),
            false => format!("{}'s view", self.name(seen.side)),
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
                count(left as u64, "move")
            ),
        }
    }
}

/// `White wins by checkmate`.
fn ended(explanation: &Explanation) -> String {
    let text = printable(&explanation.outcome);
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// Pawns, or moves to mate, from White's point of view.
fn shown(evaluation: &MoveEvaluation) -> String {
    match evaluation.mate {
        Some(moves) => format!("#{moves:+}"),
        None => format!("{:+.2}", f64::from(evaluation.centipawns) / 100.0),
    }
}
