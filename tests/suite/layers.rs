//! The layering rule: a module uses only what stands above it in `src/lib.rs`.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn order(library: &str) -> Vec<String> {
    let module = |line: &str| Some(line.strip_prefix("pub mod ")?.strip_suffix(';')?.to_owned());
    library.lines().filter_map(module).collect()
}

/// The modules named after `crate::` in a line of code.
fn used(line: &str) -> impl Iterator<Item = &str> {
    let code = line.split("//").next().unwrap_or("");
    code.split("crate::").skip(1).map(|rest| {
        let end = rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        &rest[..end]
    })
}

#[test]
fn a_module_uses_only_what_stands_above_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let order = order(&fs::read_to_string(root.join("lib.rs")).unwrap());
    assert!(
        order.len() > 10,
        "the list of modules was not found in lib.rs"
    );
    let place = |module: &str| order.iter().position(|other| other == module);
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut wrong = Vec::new();
    for file in files {
        let inner = file.strip_prefix(&root).unwrap();
        let first = inner
            .components()
            .next()
            .unwrap()
            .as_os_str()
            .to_str()
            .unwrap();
        let Some(own) = place(first.trim_end_matches(".rs")) else {
            continue;
        };
        for (number, line) in (1..).zip(fs::read_to_string(&file).unwrap().lines()) {
            for module in used(line) {
                if place(module).is_some_and(|other| other > own) {
                    wrong.push(format!("{}:{number} uses {module}", inner.display()));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "arrows that point down the list:\n{}",
        wrong.join("\n")
    );
}
