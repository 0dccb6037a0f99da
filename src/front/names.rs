//! Under which names the program is another runner's front.

use std::path::Path;

/// A front.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Front {
    /// That of fastchess.
    Fastchess,
    /// That of cutechess-cli.
    Cutechess,
}

/// The names by which callers start the other runners.
pub(crate) const NAMES: [(&str, Front); 5] = [
    ("fastchess", Front::Fastchess),
    ("fastchess-ob", Front::Fastchess),
    ("fast-chess", Front::Fastchess),
    ("cutechess-cli", Front::Cutechess),
    ("cutechess-ob", Front::Cutechess),
];

impl Front {
    /// The front that a program's name, `argv[0]`, asks for.
    pub(crate) fn of(program: &str) -> Option<Front> {
        let name = Path::new(program).file_name()?.to_str()?;
        let known = NAMES.iter().find(|(known, _)| *known == name);
        known.map(|(_, front)| *front)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_program_decides() {
        assert_eq!(Front::of("./fastchess-ob"), Some(Front::Fastchess));
        assert_eq!(Front::of("/usr/bin/fastchess"), Some(Front::Fastchess));
        assert_eq!(Front::of("arbiter960"), None);
    }
}
