//! What an engine says of one of its options.

use super::info::saturating_integer;
use super::line::{Tokens, fields};

/// The kind of an option with its default and range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// True or false.
    Check {
        /// as declared; false where it is missing
        default: bool,
    },
    /// A whole number.
    Spin {
        /// as declared, even outside of the range; the nearest to 0 where it is missing
        default: i64,
        /// smallest value; unbounded where it is missing
        min: i64,
        /// largest value; unbounded where it is missing
        max: i64,
    },
    /// One of several texts.
    Combo {
        /// as declared, even if it is not among the values
        default: String,
        /// what may be chosen
        values: Vec<String>,
    },
    /// An action without a value.
    Button,
    /// Any text; `<empty>` means none.
    String {
        /// as declared, `<empty>` as an empty text
        default: String,
    },
}

/// One `option name …` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDeclaration {
    /// The name, which may contain blanks and brackets.
    pub name: String,
    /// Type, default and range.
    pub kind: OptionKind,
}

/// Why a text declares no option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoOption {
    /// It does not begin with `name`, or the name is empty.
    #[error("an option without a name")]
    NoName,
    /// No known type follows.
    #[error("an option without a known type")]
    NoType,
}

impl OptionDeclaration {
    /// Reads what follows the word `option`, in a time that is linear in its length.
    ///
    /// # Errors
    /// There is no name or no known type.
    ///
    /// ```
    /// use arbiter960::uci::{OptionDeclaration, OptionKind};
    /// let text = "name Mobility (Middle Game) type spin default 100 min 0 max 200";
    /// let option = OptionDeclaration::parse(text).unwrap();
    /// assert_eq!(option.name, "Mobility (Middle Game)");
    /// assert_eq!(option.kind, OptionKind::Spin { default: 100, min: 0, max: 200 });
    /// ```
    pub fn parse(text: &str) -> Result<OptionDeclaration, NoOption> {
        let mut tokens = Tokens::new(text);
        if tokens.next() != Some("name") {
            return Err(NoOption::NoName);
        }
        let named = tokens.rest();
        let mut tokens = Tokens::new(named);
        loop {
            let before = tokens.rest();
            let word = tokens.next().ok_or(NoOption::NoType)?;
            // A name may contain the word "type": only a known type after it ends the name.
            let is_type = |word: &&str| TYPES.contains(word);
            if word != "type" || tokens.peek().filter(is_type).is_none() {
                continue;
            }
            let name = named[..named.len() - before.len()].trim_ascii();
            if name.is_empty() {
                return Err(NoOption::NoName);
            }
            let kind = kind(tokens).ok_or(NoOption::NoType)?;
            let name = name.into();
            return Ok(OptionDeclaration { name, kind });
        }
    }

    /// Whether this is the option of that name; case does not count.
    pub fn is_named(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.trim())
    }
}

/// The types of option that the protocol has.
const TYPES: [&str; 5] = ["check", "spin", "combo", "button", "string"];

/// What a type of option declares; `None` if the protocol does not have it.
fn kind(mut tokens: Tokens<'_>) -> Option<OptionKind> {
    let word = tokens.next()?;
    let text = tokens.rest();
    Some(match word {
        "check" => check(text),
        "spin" => spin(text),
        "combo" => combo(text),
        "button" => OptionKind::Button,
        "string" => OptionKind::String {
            default: string_default(text),
        },
        _ => return None,
    })
}

fn check(text: &str) -> OptionKind {
    let declared = fields(text, &["default"]);
    let default = declared
        .first()
        .is_some_and(|(_, value)| value.eq_ignore_ascii_case("true"));
    OptionKind::Check { default }
}

fn spin(text: &str) -> OptionKind {
    let declared = fields(text, &["default", "min", "max"]);
    let number = |keyword: &str| {
        let field = declared.iter().find(|(word, _)| *word == keyword);
        field.and_then(|(_, value)| saturating_integer(value))
    };
    let min = number("min").unwrap_or(i64::MIN);
    // `clamp` below needs an ordered range, and an engine may declare anything.
    let max = number("max").unwrap_or(i64::MAX).max(min);
    OptionKind::Spin {
        default: number("default").unwrap_or(0.clamp(min, max)),
        min,
        max,
    }
}

fn combo(text: &str) -> OptionKind {
    let declared = fields(text, &["default", "var"]);
    let of = |keyword: &'static str| {
        let chosen = declared.iter().filter(move |(word, _)| *word == keyword);
        chosen.map(|(_, value)| (*value).to_owned())
    };
    OptionKind::Combo {
        default: of("default").next().unwrap_or_default(),
        values: of("var").collect(),
    }
}

/// Everything after `default` belongs to the text, whatever words it contains.
fn string_default(text: &str) -> String {
    match text.strip_prefix("default").unwrap_or("").trim_ascii() {
        "<empty>" => String::new(),
        value => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Option<(String, OptionKind)> {
        let option = OptionDeclaration::parse(text).ok()?;
        Some((option.name, option.kind))
    }

    #[test]
    fn names_and_values_with_blanks() {
        let combo = OptionKind::Combo {
            default: "Fail High".into(),
            values: vec!["Always".into(), "Fail High".into(), "Never".into()],
        };
        let text =
            "name NullMove Pruning type combo default Fail High var Always var Fail High var Never";
        assert_eq!(parse(text), Some(("NullMove Pruning".into(), combo)));
    }

    #[test]
    fn missing_fields_and_defaults_outside_of_the_range() {
        let spin = |default, min, max| OptionKind::Spin { default, min, max };
        let cases = [
            ("name A type spin default 5 min 1 max 3", spin(5, 1, 3)),
            ("name A type spin default 5", spin(5, i64::MIN, i64::MAX)),
            ("name A type spin min 4", spin(4, 4, i64::MAX)),
            ("name A type spin min 9 max 2 default 1", spin(1, 9, 9)),
            ("name A type check", OptionKind::Check { default: false }),
            (
                "name A type check default true ",
                OptionKind::Check { default: true },
            ),
            ("name A type button", OptionKind::Button),
            (
                "name A type string",
                OptionKind::String {
                    default: String::new(),
                },
            ),
            (
                "name A type string default",
                OptionKind::String {
                    default: String::new(),
                },
            ),
            (
                "name A type string default <empty>",
                OptionKind::String {
                    default: String::new(),
                },
            ),
            (
                "name A type string default C:\\a  min b",
                OptionKind::String {
                    default: "C:\\a  min b".into(),
                },
            ),
        ];
        for (text, kind) in cases {
            assert_eq!(parse(text), Some(("A".into(), kind)), "{text}");
        }
    }

    #[test]
    fn a_name_with_the_word_type() {
        assert_eq!(
            parse("name Search type type button").unwrap().0,
            "Search type"
        );
        assert_eq!(parse("name type button"), None);
        assert_eq!(parse("name A type slider"), None);
        assert_eq!(parse("Hash type spin"), None);
    }
}
