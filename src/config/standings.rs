//! `[standings]`: what orders engines with equal points.

use super::entry::Entry;
use super::keys::rounds::Standings;
use super::problem::Problem;
use super::section::Section;
use crate::schedule::Format;
use crate::stats::standings::TieBreak;

/// The tie-breaks in their order; if empty, those that are usual for the format.
pub(super) fn read(
    section: Option<Section<'_>>,
    format: &Format,
    in_rounds: bool,
) -> Vec<TieBreak> {
    let Some(section) = section else {
        return Vec::new();
    };
    if matches!(
        format,
        Format::Knockout(_) | Format::DoubleElimination(_) | Format::Ladder(_)
    ) {
        let title = format!("the places of a {format} do not follow from points");
        let help = format!("`tie_break` in [{format}] decides level encounters");
        section.fail::<()>(Problem::error(title).help(help));
    }
    let keys = Standings::read(section);
    let mut rules: Vec<TieBreak> = Vec::new();
    for written in keys.tie_breaks.value.unwrap_or_default() {
        check(&written.entry, written.value, &rules, in_rounds);
        rules.push(written.value);
    }
    rules
}

fn check(element: &Entry<'_>, rule: TieBreak, before: &[TieBreak], in_rounds: bool) {
    if before.contains(&rule) {
        let title = format!("\"{}\" stands here twice", rule.name());
        element.fail::<()>(Problem::error(title).help("a tie-break separates once or never"));
    } else if before.contains(&TieBreak::Lot) {
        let title = "nothing is level after \"lot\"";
        element.fail::<()>(Problem::error(title).help("put \"lot\" at the end"));
    } else if rule.needs_rounds() && !in_rounds {
        let title = format!("\"{}\" is for events in rounds", rule.name());
        let help = "a Swiss, or a league with draw = \"round\" in [positions]";
        element.fail::<()>(Problem::error(title).help(help));
    }
}
