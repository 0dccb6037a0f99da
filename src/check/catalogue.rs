//! Every check, from `checks.txt`: number, section, level, what it asks for in one line, and the dialogue or the function that
//! makes it.

use std::sync::LazyLock;

use serde::Serialize;

use super::bench::{Bench, Checked};
use super::reports::first_problem;
use super::subject::Subject;
use super::trials::{CASTLINGS, TrialKind};
use super::{introductions, reports, rules, searches};
use crate::chess::FenDialect::{Shredder, XFen};
use crate::chess::UciDialect;

crate::chess::worded! {
    /// How much a failure matters.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub(crate) enum Level,
    /// Its word in the file and in reports.
    word: &'static str {
        /// Demanded plainly by the protocol, or needed by every tournament: decides the exit code.
        Required = "required",
        /// Demanded by the protocol, but tournaments work without it.
        Recommended = "recommended",
        /// Good to know.
        Informational = "informational",
    }
}

/// What checks are about, by the first digit of their numbers.
const SECTIONS: &str = "handshake options readiness limits stopping reports rules chess960 end";

/// A check.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Definition {
    pub(crate) id: &'static str,
    pub(crate) section: &'static str,
    pub(crate) level: Level,
    pub(crate) asks: &'static str,
    /// Its steps, a line each; empty if a function makes it.
    #[serde(skip)]
    dialogue: &'static str,
}

const CHECKS: &str = include_str!("checks.txt");

/// All checks in the order of their numbers.
pub(crate) static CATALOGUE: LazyLock<Vec<Definition>> = LazyLock::new(|| {
    // The tests read every one.
    let checks = CHECKS.split("\n\n").skip(1);
    checks.filter_map(Definition::read).collect()
});

impl Definition {
    fn read(text: &'static str) -> Option<Definition> {
        let (head, dialogue) = text.split_once('\n').unwrap_or((text, ""));
        let (id, rest) = head.split_once(' ')?;
        let (level, asks) = rest.split_once(": ")?;
        let digit: usize = id.get(1..2)?.parse().ok()?;
        Some(Definition {
            id,
            section: SECTIONS.split(' ').nth(digit.checked_sub(1)?)?,
            level: Level::ALL.into_iter().find(|known| known.word() == level)?,
            asks,
            dialogue,
        })
    }

    /// The check of this number.
    pub(crate) fn from_id(id: &str) -> Option<&'static Definition> {
        let mut all = CATALOGUE.iter();
        all.find(|definition| definition.id.eq_ignore_ascii_case(id))
    }

    /// Whether it judges what the engine said before its first check.
    pub(super) fn is_of_introduction(&self) -> bool {
        matches!(
            self.id,
            "C101" | "C102" | "C103" | "C104" | "C201" | "C202" | "C801"
        )
    }

    /// Makes the check.
    pub(super) async fn perform(&self, bench: &Bench) -> Checked {
        use TrialKind::*;
        let standard = || Subject::start(bench, UciDialect::Standard);
        match self.id {
            "C101" => introductions::uci_ok(bench),
            "C102" => introductions::identity(bench),
            "C103" => introductions::order(bench),
            "C104" => introductions::silent_start(bench),
            "C105" => searches::two_instances(bench).await,
            "C107" => searches::white_space(&mut standard().await?).await,
            "C201" => introductions::declarations(bench),
            "C202" => introductions::defaults(bench),
            "C203" => searches::set_defaults(&mut standard().await?).await,
            "C306" => searches::garbage(&mut standard().await?).await,
            "C406" => searches::nodes(&mut standard().await?).await,
            "C409" => searches::uses_time(&mut standard().await?).await,
            "C410" => searches::repeatable(bench).await,
            "C411" => searches::forgets(&mut standard().await?).await,
            "C412" => searches::not_deeper(&mut standard().await?).await,
            "C601" => first_problem(&mut standard().await?, reports::info_lines).await,
            "C602" => first_problem(&mut standard().await?, reports::info_order).await,
            "C603" => reports::score_side(&mut standard().await?).await,
            "C604" => first_problem(&mut standard().await?, reports::pv_legal).await,
            "C605" => first_problem(&mut standard().await?, reports::pv_first).await,
            "C606" => reports::mate_scores(&mut standard().await?).await,
            "C607" => first_problem(&mut standard().await?, reports::ponder_move).await,
            "C608" => first_problem(&mut standard().await?, reports::answer_words).await,
            "C701" => rules::legality(&mut standard().await?).await,
            "C702" => rules::en_passant(&mut standard().await?).await,
            "C703" => rules::trials_of(&mut standard().await?, PinnedEnPassant).await,
            "C704" => rules::trials_of(&mut standard().await?, OnlyPromotions).await,
            "C705" => rules::trials_of(&mut standard().await?, Promoted).await,
            "C706" => rules::trials_of(&mut standard().await?, Underpromotion).await,
            "C707" => rules::castling(&mut standard().await?).await,
            "C708" => rules::long(&mut standard().await?).await,
            "C801" => introductions::chess960(bench),
            "C802" => rules::starts(&mut rules::chess960(bench).await?).await,
            "C803" => rules::castlings(bench, &[&[KingStays]], Shredder).await,
            "C804" => rules::castlings(bench, &[&[RookStays]], Shredder).await,
            "C805" => rules::castlings(bench, &[&[BothSwap]], Shredder).await,
            "C806" => rules::castlings(bench, &[&[BothMove]], Shredder).await,
            "C807" => rules::castlings(bench, &[&[Castled]], Shredder).await,
            "C808" => rules::no_right(&mut rules::chess960(bench).await?).await,
            "C809" => rules::castlings(bench, &[&[InnerCastling], &[InnerRook]], Shredder).await,
            "C810" => rules::castlings(bench, &[CASTLINGS, &[Castled]], XFen).await,
            "C811" => rules::castlings(bench, &[&[InnerCastling], &[InnerRook]], XFen).await,
            "C812" => rules::standard_start(&mut rules::chess960(bench).await?).await,
            _ => searches::hold(bench, self.dialogue).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_is_read_and_numbers_rise() {
        let numbered = CHECKS.lines().filter(|line| line.starts_with('C')).count();
        // `CR LF` is a step.
        assert_eq!(CATALOGUE.len(), numbered - 1);
        assert!(CATALOGUE.is_sorted_by(|one, next| one.id < next.id));
        for definition in CATALOGUE.iter() {
            let number = definition.id.to_lowercase();
            assert_eq!(Definition::from_id(&number), Some(definition));
            assert_eq!(definition.id.len(), 4);
        }
        assert_eq!(Definition::from_id("C999"), None);
    }
}
