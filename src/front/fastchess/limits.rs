//! The limits of an engine, as the head of a block prints them.

use crate::front::common::number::general;
use crate::front::common::settings::Limit;
use crate::uci::{OptionKind, Ready};

/// `10+0.1`, `0.1/move`, `8 plies`, `5000 nodes`.
pub(crate) fn time(limit: &Limit) -> String {
    let seconds = |milliseconds: i64| milliseconds as f64 / 1000.0;
    let tc = &limit.tc;
    if tc.runs() {
        let moves = match tc.moves {
            0 => String::new(),
            moves => format!("{moves}/"),
        };
        let increment = match tc.increment {
            0 => String::new(),
            increment => format!("+{}", general(seconds(increment), 2)),
        };
        format!("{moves}{}{increment}", seconds(tc.time))
    } else if tc.fixed_time > 0 {
        format!("{}/move", seconds(tc.fixed_time))
    } else if limit.plies > 0 {
        format!("{} plies", limit.plies)
    } else {
        format!("{} nodes", limit.nodes)
    }
}

/// The value of an option as set or declared, and its unit.
pub(crate) fn option(ready: Option<&Ready>, name: &str, unit: &str) -> String {
    let declared = ready.and_then(|ready| {
        let option = ready.identity.options.get(name)?;
        let sent = ready
            .sent
            .iter()
            .rev()
            .find(|(sent, _)| *sent == option.name);
        let value = sent.and_then(|(_, value)| value.clone());
        Some(value.unwrap_or_else(|| match &option.kind {
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Check { default } => default.to_string(),
            OptionKind::Combo { default, .. } => default.clone(),
            OptionKind::String { default } => default.clone(),
            OptionKind::Button => "false".to_owned(),
        }))
    });
    declared.map_or_else(|| "NULL".to_owned(), |value| format!("{value}{unit}"))
}
