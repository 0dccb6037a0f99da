//! `config.json`: the event and its results, as fastchess writes and reads them.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::ser::{PrettyFormatter, Serializer};
use serde_json::{Value, json};

use crate::front::common::counts::Stats;
use crate::front::common::settings::{CommandLine, EngineSettings, Settings};
use crate::sink::replace_file;

/// The content in the order in which it is written: first the keys of fastchess, which ignores the last key.
#[derive(Serialize)]
struct SavedSettings<'a> {
    #[serde(flatten)]
    settings: &'a Settings,
    engines: &'a [EngineSettings],
    #[serde(serialize_with = "in_order")]
    stats: &'a [(String, Stats)],
    /// The store that continues one of our own events, and results from a file of fastchess, which are not in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    arbiter960: Option<Value>,
}

/// Results in the given order; a map would sort them.
fn in_order<S: serde::Serializer>(stats: &[(String, Stats)], out: S) -> Result<S::Ok, S::Error> {
    out.collect_map(stats.iter().map(|(name, stats)| (name, stats)))
}

/// Writes the file completely or not at all, with these results and with the folder of the store, if that is kept.
///
/// # Errors
/// It cannot be written.
pub(in crate::front) fn write(
    line: &CommandLine,
    stats: &[(String, Stats)],
    store: Option<&str>,
) -> io::Result<()> {
    let kept = |store| json!({ "store": store, "before": line.stats });
    let written = SavedSettings {
        settings: &line.settings,
        engines: &line.engines,
        stats,
        arbiter960: store.map(kept),
    };
    let mut text = Vec::new();
    let format = PrettyFormatter::with_indent(b"    ");
    written.serialize(&mut Serializer::with_formatter(&mut text, format))?;
    text.push(b'\n');
    replace_file(Path::new(&line.settings.config_name), &text, false)
}

/// Reads a file of fastchess, or one of our own.
///
/// # Errors
/// It does not exist, or it has another format.
pub(in crate::front) fn load(path: &Path) -> Result<CommandLine, String> {
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|_| format!("File not found: {}", path.display()))?;
    let read = || -> serde_json::Result<CommandLine> {
        let value: Value = serde_json::from_str(&text)?;
        let results = |place: &str| match value.pointer(place) {
            None | Some(Value::Null) => Ok(BTreeMap::new()),
            Some(stats) => BTreeMap::<String, Stats>::deserialize(stats),
        };
        let engines = Vec::<EngineSettings>::deserialize(&value["engines"])?;
        let store = value.pointer("/arbiter960/store").and_then(Value::as_str);
        Ok(CommandLine {
            stats: results("/stats")?,
            before: results("/arbiter960/before")?,
            store: store.map(str::to_owned),
            settings: Settings::deserialize(&value)?,
            engines,
            ..CommandLine::default()
        })
    };
    read().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back_and_has_the_keys_in_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.json");
        let mut settings = Settings::new(7);
        settings.config_name = path.display().to_string();
        let engine = EngineSettings {
            name: "A".to_owned(),
            options: vec![("Hash".to_owned(), "16".to_owned())],
            ..EngineSettings::default()
        };
        let stats = Stats([3, 0, 0, 0, 1, 0, 0, 0, 0]);
        let stats = [("A vs B".to_owned(), stats)];
        let line = CommandLine {
            stats: stats.iter().cloned().collect(),
            settings: settings.clone(),
            engines: vec![engine.clone()],
            ..CommandLine::default()
        };
        write(&line, &stats, Some("/s")).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let place = |key: &str| text.find(&format!("\n    \"{key}\"")).unwrap();
        assert!(place("resign") < place("draw") && place("log") < place("engines"));
        assert!(place("engines") < place("stats") && place("stats") < place("arbiter960"));
        let read = load(&path).unwrap();
        assert_eq!(read.engines, [engine]);
        assert_eq!(read.settings, settings);
        assert_eq!(
            (read.stats["A vs B"], read.before["A vs B"]),
            (stats[0].1, stats[0].1)
        );
        assert_eq!(read.store.as_deref(), Some("/s"));
        assert!(load(&folder.path().join("none")).is_err());
    }
}
