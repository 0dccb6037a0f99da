//! The words of `adjudicate --rule` as the table `[adjudication]` of an event file.

use std::path::Path;

use super::adjudication;
use super::context::Context;
use super::files::{Disk, PathBase};
use super::made::{CommandLine, MadeTable};
use super::match_words::{Form, MatchError, put, unknown};
use super::problem::{ConfigErrors, Report};
use super::section::Section;
use crate::referee::{Adjudication, HostFaults};

/// The words: the table in `[adjudication]`, if it is one of its own, and the key.
const WORDS: [(&str, &str, &str, Form); 9] = [
    ("preset", "", "preset", Form::Text),
    ("school", "", "school", Form::Text),
    ("draw.from", "draw", "from_move", Form::Number),
    ("draw.moves", "draw", "moves", Form::Number),
    ("draw.score", "draw", "centipawns", Form::Number),
    ("resign.moves", "resign", "moves", Form::Number),
    ("resign.score", "resign", "centipawns", Form::Number),
    ("resign.both", "resign", "both_engines", Form::Scalar),
    ("max_moves", "", "max_moves", Form::Number),
];

/// A rule of adjudication whose words are known, its values not read yet.
pub(crate) struct RuleWords {
    line: CommandLine,
    table: MadeTable,
}

impl RuleWords {
    /// The rule that these words name: a preset alone, or `KEY=VALUE`.
    ///
    /// # Errors
    /// A word that is not known.
    pub(crate) fn new(words: &[String]) -> Result<RuleWords, MatchError> {
        let mut line = CommandLine::new("--rule");
        let mut table = MadeTable::default();
        for word in words {
            let whole = line.word(word, word.len());
            let Some((key, value)) = word.split_once('=') else {
                table.text("preset", word, whole);
                continue;
            };
            let names = WORDS.iter().map(|(name, ..)| *name);
            let known = WORDS.iter().find(|(name, ..)| *name == key);
            let Some((_, inner, file_key, form)) = known else {
                return Err(unknown("--rule", word, key, names));
            };
            let start = whole.end - value.len().min(whole.len());
            let place = start..whole.end;
            let own = match *inner {
                "" => &mut table,
                inner => table.table(inner, place.clone()),
            };
            put(own, file_key, *form, value, place);
        }
        Ok(RuleWords { line, table })
    }

    /// What the reader of event files makes of them.
    ///
    /// # Errors
    /// Everything that is wrong, at once.
    pub(crate) fn read(&self) -> Result<Adjudication, ConfigErrors> {
        let text = self.line.text().to_owned();
        let report = Report::new("the command line".to_owned(), text);
        let document = self.table.read();
        let section = Section::new("adjudication", report.end_of_file(), &document);
        let context = Context {
            folder: Path::new("."),
            base: PathBase::CurrentFolder,
            files: &Disk,
            report: &report,
            rehearsal: false,
        };
        let rules = adjudication::read(Some(section), HostFaults::Count, &context);
        report.finish().map(|_| rules)
    }
}
