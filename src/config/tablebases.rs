//! `tablebases` of `[adjudication]`, and what is asked of them.

use std::path::PathBuf;
use std::sync::Arc;

use super::context::Context;
use super::entry::Entry;
use super::problem::Problem;
use super::section::Section;
use crate::referee::{TablebaseResults, TablebaseRule, TablebaseTerms};
use crate::tablebase::{Syzygy, Tablebase};

/// So many missing files are named.
const MOST_NAMED: usize = 8;

/// The rule, if there are folders with tables.
pub(super) fn read(section: &mut Section<'_>, context: &Context<'_>) -> Option<TablebaseRule> {
    let folders = section.optional("tablebases");
    let results = [
        ("all", TablebaseResults::All),
        ("wins", TablebaseResults::Wins),
        ("draws", TablebaseResults::Draws),
    ];
    let [results_entry, men_entry, fifty_entry, zeroing_entry] = [
        "tablebase_results",
        "tablebase_men",
        "tablebase_fifty_moves",
        "tablebase_zeroing",
    ]
    .map(|key| section.optional(key));
    let asked: Vec<&Entry<'_>> = [&results_entry, &men_entry, &fifty_entry, &zeroing_entry]
        .into_iter()
        .flatten()
        .collect();
    let results = results_entry
        .as_ref()
        .and_then(|entry| entry.choice(&results));
    let men = men_entry.as_ref().and_then(|entry| entry.integer(3..=7));
    let fifty_moves = fifty_entry.as_ref().and_then(Entry::boolean);
    let zeroing = zeroing_entry.as_ref().and_then(Entry::boolean);
    let Some(folders) = folders else {
        for entry in asked {
            let title = format!("`{}` says nothing without tablebases", entry.key);
            let help = "tablebases = [\"../syzygy\"], or take this line out";
            entry.fail::<()>(Problem::error(title).help(help));
        }
        return None;
    };
    let tables = open(&folders, men, context)?;
    let terms = TablebaseTerms {
        men: men.unwrap_or(tables.men()),
        results: results.unwrap_or_default(),
        fifty_moves: fifty_moves.unwrap_or(true),
        zeroing: zeroing.unwrap_or(false),
    };
    warn_of_missing(&folders, &tables, terms.men);
    Some(TablebaseRule {
        tables: Arc::new(tables),
        terms,
    })
}

fn open(list: &Entry<'_>, men: Option<u32>, context: &Context<'_>) -> Option<Syzygy> {
    let entries = match list.is_string() {
        true => vec![list.clone()],
        false => list.list()?,
    };
    let folders: Vec<PathBuf> = entries
        .iter()
        .filter_map(|entry| Some(context.path(entry.string()?)))
        .collect();
    if entries.is_empty() {
        let help = "name a folder with files such as KQvK.rtbw, or take this line out";
        return list.fail(Problem::error("`tablebases` names no folder").help(help));
    }
    if folders.len() < entries.len() {
        return None;
    }
    // One folder after the other, so that the place of the error is that of its folder.
    for (entry, folder) in entries.iter().zip(&folders) {
        if let Err(error) = context.files.tablebases(std::slice::from_ref(folder), men) {
            let title = format!("`tablebases` cannot be used: {error}");
            let help = context.looked_for(folder);
            return entry.fail(Problem::error(title).help(help));
        }
    }
    match context.files.tablebases(&folders, men) {
        Ok(tables) => Some(tables),
        Err(error) => list.fail(Problem::error(format!(
            "`tablebases` cannot be used: {error}"
        ))),
    }
}

/// Says which tables of a complete set are not there.
fn warn_of_missing(place: &Entry<'_>, tables: &Syzygy, men: u32) {
    let missing = tables.missing(men);
    if missing.is_empty() {
        return;
    }
    let more = match missing.len().saturating_sub(MOST_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let named = missing.iter().take(MOST_NAMED).cloned().collect::<Vec<_>>();
    let title = format!(
        "of the tables of 3 to {men} men these are missing: {}{more}",
        named.join(", ")
    );
    let help = "without a .rtbw such endings are played on; without a .rtbz they are judged only after a capture or pawn move, or as draws";
    place.fail::<()>(Problem::warning(title).help(help));
}
