//! What an engine says it can do (`feature NAME=VALUE …`), and its options as UCI has them.

/// What is known of an engine.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct XboardFeatures {
    /// It answers `ping`.
    pub(super) ping: bool,
    /// It takes positions (`setboard`).
    pub(super) setboard: bool,
    /// Moves are to be in short algebraic notation.
    pub(super) san: bool,
    /// Moves have the word `usermove` before them.
    pub(super) usermove: bool,
    /// It does not want to know the clocks.
    pub(super) ignores_time: bool,
    /// It counts nodes a second as time.
    pub(super) nps: bool,
    /// It plays Chess960.
    pub(super) chess960: bool,
    pub(super) name: Option<String>,
    /// Its options: lines of UCI.
    pub(super) options: Vec<String>,
    /// Those of them that are switches.
    pub(super) switches: Vec<String>,
}

impl XboardFeatures {
    /// Stores a feature; returns whether it is a known one.
    pub(super) fn set(&mut self, name: &str, value: &str) -> bool {
        let is_on = value == "1";
        match name {
            "ping" => self.ping = is_on,
            "setboard" => self.setboard = is_on,
            "san" => self.san = is_on,
            "usermove" => self.usermove = is_on,
            "time" => self.ignores_time = !is_on,
            "nps" => self.nps = is_on,
            "myname" => self.name = Some(value.to_owned()),
            "variants" => {
                self.chess960 = value.split(',').any(|one| one.trim() == "fischerandom");
            }
            // cutechess calls them by the words that set them.
            "memory" if is_on => self.spins(["Hash", "memory"], 16),
            "smp" if is_on => self.spins(["Threads", "cores"], 1),
            "egt" => value.split(',').for_each(|kind| {
                let kind = kind.trim();
                self.options
                    .push(format!("name egtpath {kind} type string default <empty>"));
            }),
            "option" => self.option(value),
            "memory" | "smp" | "done" | "reuse" | "sigint" | "sigterm" | "colors" | "debug"
            | "analyze" | "draw" | "name" | "ics" | "pause" | "playother" => {}
            _ => return false,
        }
        true
    }

    fn spins(&mut self, names: [&str; 2], usual: u32) {
        let spin = |name: &str| format!("name {name} type spin default {usual} min 1 max 1048576");
        self.options.extend(names.map(spin));
    }

    /// `NAME -spin 1 0 9`, as XBoard's protocol has it.
    fn option(&mut self, text: &str) {
        let Some((name, rest)) = text.split_once(" -") else {
            return;
        };
        let (kind, value) = rest.split_once(' ').unwrap_or((rest, ""));
        let words: Vec<&str> = value.split_ascii_whitespace().collect();
        let declared = match (kind, words.as_slice()) {
            ("button" | "save" | "reset", _) => "button".to_owned(),
            ("check", _) => {
                self.switches.push(name.to_owned());
                format!("check default {}", value.trim() == "1")
            }
            ("string" | "file" | "path", []) => "string default <empty>".to_owned(),
            ("string" | "file" | "path", _) => format!("string default {value}"),
            ("spin" | "slider", [usual, least, most]) => {
                format!("spin default {usual} min {least} max {most}")
            }
            ("combo", _) => {
                let choices: Vec<&str> = value.split(" /// ").map(str::trim).collect();
                let chosen = choices.iter().find(|one| one.starts_with('*'));
                let chosen = chosen.or(choices.first()).copied().unwrap_or_default();
                let mut text = format!("combo default {}", chosen.trim_start_matches('*'));
                for choice in &choices {
                    text += &format!(" var {}", choice.trim_start_matches('*'));
                }
                text
            }
            _ => return,
        };
        self.options.push(format!("name {name} type {declared}"));
    }
}

/// The features of a line: `NAME=VALUE`, `NAME="VALUE WITH BLANKS"`.
pub(super) fn parse(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((name, behind)) = rest.split_once('=') {
        let name = name.trim();
        let behind = behind.trim_start();
        let (value, after) = match behind.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => behind
                .split_once(char::is_whitespace)
                .unwrap_or((behind, "")),
        };
        found.push((name, value));
        rest = after;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_and_options_are_read() {
        let text = r#"ping=1 myname="GNU Chess 6.2" variants="normal,fischerandom" option="Skill -spin 5 0 9""#;
        let mut features = XboardFeatures::default();
        for (name, value) in parse(text) {
            assert!(features.set(name, value), "{name}");
        }
        assert!(features.ping && features.chess960 && !features.setboard);
        assert_eq!(features.name.as_deref(), Some("GNU Chess 6.2"));
        assert_eq!(
            features.options,
            ["name Skill type spin default 5 min 0 max 9"]
        );
        assert!(!features.set("xedni", "1"));
    }

    #[test]
    fn every_kind_of_option_is_declared() {
        let mut features = XboardFeatures::default();
        for text in [
            "Learn -check 1",
            "Style -combo Solid /// *Wild /// Mad",
            "Clear -button",
            "Book -file",
        ] {
            features.set("option", text);
        }
        features.set("memory", "1");
        assert_eq!(
            features.options,
            [
                "name Learn type check default true",
                "name Style type combo default Wild var Solid var Wild var Mad",
                "name Clear type button",
                "name Book type string default <empty>",
                "name Hash type spin default 16 min 1 max 1048576",
                "name memory type spin default 16 min 1 max 1048576",
            ]
        );
    }
}
