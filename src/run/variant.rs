//! What engines are told of the variant, once and for all games.

use std::path::Path;

use crate::chess::{CastlingRule, Variant};
use crate::engine::start::VariantSetup;
use crate::run::RunError;
use crate::sink::{SinkError, replace_file};
use crate::uci::chess480_variants;

/// The file in the event's folder from which engines learn Chess480.
const VARIANTS_FILE: &str = "variants.ini";

/// The rules of a variant. If engines have to read them, the file is written into the
/// event's folder: so the rules that were played stay with the games.
///
/// # Errors
/// The file cannot be written, or its path cannot be said in UCI.
pub(crate) fn rules(variant: Variant, folder: &Path) -> Result<VariantSetup, RunError> {
    let explained = variant.castling_rule() == CastlingRule::Chess480;
    let variants_file = explained.then(|| write_variants(folder)).transpose()?;
    Ok(VariantSetup {
        chess960: variant.sends_uci_chess960(),
        variants_file,
        variant: (variant == Variant::Moab).then(|| variant.name()),
    })
}

fn write_variants(folder: &Path) -> Result<String, RunError> {
    // The engine may run in another folder.
    let path = folder.canonicalize()?.join(VARIANTS_FILE);
    let said = path.to_str().filter(|path| can_be_said(path));
    let said = said.ok_or_else(|| RunError::VariantsPath(path.clone()))?;
    replace_file(&path, chess480_variants().as_bytes(), true).map_err(|source| {
        SinkError::File {
            file: path.clone(),
            source,
        }
    })?;
    Ok(said.to_owned())
}

/// Whether an engine reads this path unchanged: a value's words are read one by one and joined
/// by single blanks, and `VariantPath` is a list.
fn can_be_said(path: &str) -> bool {
    let words: Vec<&str> = path.split_whitespace().collect();
    !path.contains([':', ';']) && words.join(" ") == path
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn only_chess480_is_explained_in_a_file() {
        let folder = tempfile::tempdir().unwrap();
        for variant in Variant::ALL {
            let rules = rules(variant, folder.path()).unwrap();
            assert_eq!(rules.chess960, variant.sends_uci_chess960());
            assert_eq!(rules.variants_file.is_some(), variant == Variant::Chess480);
            assert_eq!(rules.variant.is_some(), variant == Variant::Moab);
        }
        let text = fs::read_to_string(folder.path().join(VARIANTS_FILE)).unwrap();
        assert_eq!(text, chess480_variants());
    }

    #[test]
    fn a_link_in_the_place_of_the_file_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let [file, victim] = [VARIANTS_FILE, "victim"].map(|name| folder.path().join(name));
        fs::write(&victim, "precious").unwrap();
        crate::platform::files::link(&victim, &file).unwrap();
        rules(Variant::Chess480, folder.path()).unwrap();
        assert_eq!(fs::read(&victim).unwrap(), b"precious");
        assert_eq!(fs::read_to_string(&file).unwrap(), chess480_variants());
    }

    #[test]
    fn a_path_that_would_be_misheard_is_refused() {
        for name in ["a:b", "a;b", "a  b", "a\tb"] {
            let parent = tempfile::tempdir().unwrap();
            let folder = parent.path().join(name);
            fs::create_dir(&folder).unwrap();
            let refused = rules(Variant::Chess480, &folder);
            assert!(
                matches!(refused, Err(RunError::VariantsPath(_))),
                "{name:?}"
            );
            assert!(rules(Variant::Chess960, &folder).is_ok());
        }
    }
}
