//! What only the engines know of an event file: what they refuse when they are started.

use std::ops::Range;

use super::Tournament;
use super::problem::{EVENT_FILE, Problem};
use super::section::DEFAULTS;
use super::tables::{EventTable, EventValue, ValueKind};

/// An engine cannot play the event as its file asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RefusedByEngine {
    /// Its name in the event file.
    pub(crate) engine: String,
    /// The option that it refuses, if it is one.
    pub(crate) option: Option<String>,
    pub(crate) words: String,
}

/// Starts the engines of an event, of whose file it is known whether it has errors.
pub(crate) type EngineTrial<'a> = dyn Fn(&Tournament, bool) -> Vec<RefusedByEngine> + 'a;

impl RefusedByEngine {
    /// At the option in the tables of the event, or else at the engine's name.
    pub(super) fn problem(&self, root: &EventTable) -> Problem {
        let (title, help) = match self.words.split_once("; ") {
            Some((title, help)) => (title, Some(help.to_owned())),
            None => (self.words.as_str(), None),
        };
        let title = format!("engine \"{}\": {title}", self.engine);
        let problem = Problem::error(title).help_if(help);
        match self.place(root) {
            Some(place) => problem.at(EVENT_FILE, place),
            None => problem,
        }
    }

    fn place(&self, root: &EventTable) -> Option<Range<usize>> {
        let ValueKind::List(engines) = &root.get("engine")?.kind else {
            return None;
        };
        let mut engines = engines.iter().filter_map(table);
        let is_own = |table: &&EventTable| {
            let name = table.get("name").and_then(EventValue::as_text);
            name == Some(&self.engine)
        };
        let engine = engines.find(is_own)?;
        let name = engine.get("name")?.place.clone();
        let defaults = root.get(DEFAULTS).and_then(table);
        let tables = [Some(engine), defaults].into_iter().flatten();
        let mut keys = tables
            .filter_map(|own| table(own.get("options")?))
            .flat_map(EventTable::keys);
        let is_own = |name: &str| Some(name) == self.option.as_deref();
        let option = keys
            .find(|key| is_own(&key.name))
            .map(|key| key.place.clone());
        Some(option.unwrap_or(name))
    }
}

fn table(value: &EventValue) -> Option<&EventTable> {
    match &value.kind {
        ValueKind::Table(table) => Some(table),
        _ => None,
    }
}
