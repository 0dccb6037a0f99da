//! All options of an engine; names and values are checked before anything is sent.

use super::declaration::{OptionDeclaration, OptionKind};
use crate::text::nearest;

/// Why an option cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// The engine has no option of this name.
    #[error("it has no option \"{name}\"{}", suggestion(.nearest.as_deref()))]
    Unknown {
        /// the name asked for
        name: String,
        /// the most similar name that it has
        nearest: Option<String>,
    },
    /// A value that a number or a check cannot have.
    #[error("option \"{name}\" is {value}, but must {must}")]
    Impossible {
        /// the option
        name: String,
        /// the value asked for
        value: String,
        /// what the value must do
        must: String,
    },
    /// A combo option needs one of its values.
    #[error("option \"{name}\" is \"{value}\", but must be one of: {}", .values.join(", "))]
    NotAChoice {
        /// the option
        name: String,
        /// the value asked for
        value: String,
        /// what may be chosen
        values: Vec<String>,
    },
    /// A button is pressed by an empty value and takes no other.
    #[error("option \"{0}\" is a button and takes no value (leave it empty to press it)")]
    ButtonWithValue(String),
    /// A line break would be a second command.
    #[error("option \"{0}\" contains a line break")]
    LineBreak(String),
}

impl OptionError {
    /// The name of the option.
    pub(crate) fn name(&self) -> &str {
        match self {
            OptionError::Unknown { name, .. }
            | OptionError::Impossible { name, .. }
            | OptionError::NotAChoice { name, .. }
            | OptionError::ButtonWithValue(name)
            | OptionError::LineBreak(name) => name,
        }
    }
}

fn suggestion(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!("; did you mean \"{name}\"?"))
}

/// The options that an engine declares, in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OptionSet {
    declarations: Vec<OptionDeclaration>,
}

impl OptionSet {
    /// Adds a declaration; a second one of the same name takes the place of the first.
    pub fn insert(&mut self, declaration: OptionDeclaration) {
        let mut known = self.declarations.iter_mut();
        match known.find(|old| old.is_named(&declaration.name)) {
            Some(old) => *old = declaration,
            None => self.declarations.push(declaration),
        }
    }

    /// The option of that name; case does not count.
    pub fn get(&self, name: &str) -> Option<&OptionDeclaration> {
        self.iter().find(|option| option.is_named(name))
    }

    /// All options in the engine's order.
    pub fn iter(&self) -> std::slice::Iter<'_, OptionDeclaration> {
        self.declarations.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.declarations.len()
    }

    /// Whether no option is declared.
    pub fn is_empty(&self) -> bool {
        self.declarations.is_empty()
    }

    /// Name and value in the engine's own spelling; no value for a button.
    pub fn canonical(
        &self,
        name: &str,
        value: &str,
    ) -> Result<(String, Option<String>), OptionError> {
        if name.contains(['\n', '\r']) || value.contains(['\n', '\r']) {
            return Err(OptionError::LineBreak(name.escape_debug().to_string()));
        }
        let Some(option) = self.get(name) else {
            let nearest = nearest(name, self.iter().map(|option| option.name.as_str()));
            let nearest = nearest.map(str::to_owned);
            return Err(OptionError::Unknown {
                name: name.trim().to_owned(),
                nearest,
            });
        };
        Ok((option.name.clone(), option.accept(value.trim())?))
    }
}

impl OptionDeclaration {
    /// The value in the form that is sent, if the option can have it.
    fn accept(&self, value: &str) -> Result<Option<String>, OptionError> {
        let impossible = |value: String, must: String| {
            let name = self.name.clone();
            Err(OptionError::Impossible { name, value, must })
        };
        match &self.kind {
            OptionKind::Button if value.is_empty() => Ok(None),
            OptionKind::Button => Err(OptionError::ButtonWithValue(self.name.clone())),
            OptionKind::String { .. } if value.is_empty() => Ok(Some("<empty>".to_owned())),
            OptionKind::String { .. } => Ok(Some(value.to_owned())),
            OptionKind::Check { .. } => match value.to_ascii_lowercase() {
                word if word == "true" || word == "false" => Ok(Some(word)),
                _ => impossible(format!("\"{value}\""), "be true or false".to_owned()),
            },
            OptionKind::Spin { min, max, .. } => match value.parse::<i64>() {
                Err(_) => impossible(format!("\"{value}\""), "be a whole number".to_owned()),
                Ok(number) if (*min..=*max).contains(&number) => Ok(Some(number.to_string())),
                Ok(number) => impossible(number.to_string(), format!("lie in {min} to {max}")),
            },
            OptionKind::Combo { values, .. } => self.choose(value, values),
        }
    }

    fn choose(&self, value: &str, values: &[String]) -> Result<Option<String>, OptionError> {
        let exact = values.iter().find(|choice| *choice == value);
        let choice = exact.or_else(|| values.iter().find(|one| one.eq_ignore_ascii_case(value)));
        let refused = || OptionError::NotAChoice {
            name: self.name.clone(),
            value: value.to_owned(),
            values: values.to_vec(),
        };
        choice.cloned().map(Some).ok_or_else(refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set() -> OptionSet {
        let lines = [
            "name Hash type spin default 16 min 1 max 1024",
            "name OwnBook type check default true",
            "name Verification Search type combo default Endgame var Always var End Game",
            "name Clear Hash type button",
            "name SyzygyPath type string default <empty>",
        ];
        let mut set = OptionSet::default();
        lines
            .iter()
            .for_each(|line| set.insert(OptionDeclaration::parse(line).unwrap()));
        set
    }

    fn sent(name: &str, value: &str) -> Option<String> {
        set().canonical(name, value).unwrap().1
    }

    #[test]
    fn values_are_sent_in_the_engines_spelling() {
        assert_eq!(sent("hash", " 64 ").as_deref(), Some("64"));
        assert_eq!(sent("OWNBOOK", "False").as_deref(), Some("false"));
        assert_eq!(
            sent("verification search", "end game").as_deref(),
            Some("End Game")
        );
        assert_eq!(sent("Clear Hash", ""), None);
        assert_eq!(sent("SyzygyPath", "/a path").as_deref(), Some("/a path"));
        assert_eq!(sent("SyzygyPath", "").as_deref(), Some("<empty>"));
    }

    #[test]
    fn what_cannot_be_set_says_why() {
        let cases = [
            (
                "Hsah",
                "1",
                "it has no option \"Hsah\"; did you mean \"Hash\"?",
            ),
            ("Contempt", "1", "it has no option \"Contempt\""),
            (
                "Hash",
                "0",
                "option \"Hash\" is 0, but must lie in 1 to 1024",
            ),
            (
                "Hash",
                "much",
                "option \"Hash\" is \"much\", but must be a whole number",
            ),
            (
                "OwnBook",
                "1",
                "option \"OwnBook\" is \"1\", but must be true or false",
            ),
            (
                "Verification Search",
                "Never",
                "option \"Verification Search\" is \"Never\", but must be one of: Always, End Game",
            ),
            (
                "Clear Hash",
                "true",
                "option \"Clear Hash\" is a button and takes no value (leave it empty to press it)",
            ),
            (
                "SyzygyPath",
                "a\nquit",
                "option \"SyzygyPath\" contains a line break",
            ),
        ];
        for (name, value, message) in cases {
            assert_eq!(
                set().canonical(name, value).unwrap_err().to_string(),
                message
            );
        }
    }
}
