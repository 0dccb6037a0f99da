//! The words of `adjudicate --rule` as the table `[adjudication]` of an event file.

use std::path::Path;

use super::adjudication;
use super::context::Context;
use super::files::{PathBase, RealFiles};
use super::made::{MadeTable, OptionText};
use super::match_words::{MatchError, known, put, unknown, words_of};
use super::problem::{ConfigErrors, ProblemReport};
use super::section::Section;
use crate::referee::{Adjudication, HostFaults};

/// Keys of `[adjudication]` itself that can be tried on games that are played.
const KEYS: [&str; 3] = ["preset", "school", "max_moves"];

/// The tables of rules by score, whose keys are written with the table, as `draw.score`.
const TABLES: [&str; 2] = ["draw", "resign"];

/// Every word that a rule has.
fn names() -> impl Iterator<Item = String> {
    let of_table = |table| -> Vec<String> {
        let table = [table];
        let words = words_of(&table);
        words.map(|word| format!("{}.{word}", table[0])).collect()
    };
    let of_tables = TABLES.into_iter().flat_map(of_table);
    KEYS.map(str::to_owned).into_iter().chain(of_tables)
}

/// A rule of adjudication whose words are known, its values not read yet.
pub(crate) struct RuleWords {
    line: OptionText,
    table: MadeTable,
}

impl RuleWords {
    /// The rule that these words name: a preset alone, or `KEY=VALUE`.
    ///
    /// # Errors
    /// A word that is not known.
    pub(crate) fn new(words: &[String]) -> Result<RuleWords, MatchError> {
        let mut line = OptionText::new("--rule");
        let mut table = MadeTable::default();
        for word in words {
            let whole = line.word(word, word.len());
            let Some((key, value)) = word.split_once('=') else {
                table.text("preset", word, whole);
                continue;
            };
            let (inner, name) = match key.split_once('.') {
                Some((inner, name)) => (TABLES.into_iter().find(|table| *table == inner), name),
                None => (None, key),
            };
            let found = known(&[inner.unwrap_or("adjudication")], name);
            let fits = inner.is_some() || KEYS.contains(&key);
            let Some((_, known)) = found.filter(|_| fits) else {
                return Err(unknown("--rule", word, key, names()));
            };
            let start = whole.end - value.len().min(whole.len());
            let place = start..whole.end;
            let own = match inner {
                None => &mut table,
                Some(inner) => table.table(inner, place.clone()),
            };
            put(own, known, value, place);
        }
        Ok(RuleWords { line, table })
    }

    /// The rules, read by the reader of event files.
    ///
    /// # Errors
    /// Everything that is wrong, at once.
    pub(crate) fn read(&self) -> Result<Adjudication, ConfigErrors> {
        let text = self.line.text().to_owned();
        let report = ProblemReport::new("the command line".to_owned(), text);
        let document = self.table.read();
        let section = Section::new("adjudication", report.end_of_file(), &document);
        let context = Context {
            folder: Path::new("."),
            base: PathBase::CurrentFolder,
            files: &RealFiles,
            report: &report,
            rehearsal: false,
            plays_unreadable_lines: false,
        };
        let rules = adjudication::read(section, HostFaults::Count, &context);
        report.finish().map(|_| rules)
    }
}
