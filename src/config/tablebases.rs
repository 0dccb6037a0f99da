//! `tablebases` of `[adjudication]`, and the checks of the folders.

use std::path::PathBuf;
use std::sync::Arc;

use super::context::Context;
use super::entry::Entry;
use super::keys::adjudication::Adjudication;
use super::problem::Problem;
use crate::referee::{TablebaseRule, TablebaseTerms};
use crate::tablebase::{Syzygy, Tablebase};

/// Maximum number of missing files named.
const MOST_NAMED: usize = 8;

/// The rule, if there are folders with tables.
pub(super) fn read(keys: &Adjudication<'_>, context: &Context<'_>) -> Option<TablebaseRule> {
    let Some(folders) = &keys.tablebases.entry else {
        refuse_terms(keys);
        return None;
    };
    let tables = open(folders, keys.tablebase_men.value, context)?;
    let terms = TablebaseTerms {
        men: keys.tablebase_men.value.unwrap_or(tables.men()),
        results: keys.tablebase_results.value,
        fifty_moves: keys.tablebase_fifty_moves.value,
        zeroing: keys.tablebase_zeroing.value,
    };
    warn_of_missing(folders, &tables, terms.men);
    Some(TablebaseRule {
        tables: Arc::new(tables),
        terms,
    })
}

fn refuse_terms(keys: &Adjudication<'_>) {
    let terms = [
        &keys.tablebase_results.entry,
        &keys.tablebase_men.entry,
        &keys.tablebase_fifty_moves.entry,
        &keys.tablebase_zeroing.entry,
    ];
    for entry in terms.into_iter().flatten() {
        let title = format!("`{}` says nothing without tablebases", entry.key);
        let help = "tablebases = [\"../syzygy\"], or take this line out";
        entry.fail::<()>(Problem::error(title).help(help));
    }
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
    // The folders are read one by one, so that an error is reported at the place of its folder.
    for (entry, folder) in entries.iter().zip(&folders) {
        if let Err(error) = context.files.tablebases(std::slice::from_ref(folder), men) {
            let title = format!("`tablebases` cannot be used: {error}");
            let help = context.looked_for(entry.string()?);
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

/// Reports which tables of a complete set are missing.
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
