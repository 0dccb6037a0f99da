//! The structure of the program. A module uses only modules above it in `src/lib.rs`. In folders of many files the
//! table of their `mod.rs` defines the order, and every table of files names all modules.

use std::fs;
use std::path::{Path, PathBuf};

pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = paths
        .flat_map(|path| {
            if path.is_dir() {
                sources(&path)
            } else {
                vec![path]
            }
        })
        .collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    files
}

pub fn all_sources(folders: &[&str]) -> Vec<PathBuf> {
    let folders = folders.iter();
    folders
        .flat_map(|folder| sources(&root().join(folder)))
        .collect()
}

/// The sources of the program, each with the name that is shown of it.
fn named_sources(folders: &[&str]) -> Vec<(String, PathBuf)> {
    let named = |file: PathBuf| {
        (
            file.strip_prefix(root()).unwrap().display().to_string(),
            file,
        )
    };
    all_sources(folders).into_iter().map(named).collect()
}

/// The modules of a `lib.rs` or `mod.rs` in their order, a crate in the role of a module among them.
fn declared(text: &str) -> Vec<String> {
    let name = |line: &str| {
        let renamed = line.split_once("pub use ");
        let renamed = renamed.and_then(|(_, rest)| rest.split_once(" as "));
        let plain = line.split_once("mod ");
        let plain = plain.filter(|(before, _)| before.is_empty() || before.starts_with("pub"));
        let (_, rest) = renamed.or(plain)?;
        Some(rest.strip_suffix(';')?.to_owned())
    };
    text.lines().filter_map(name).collect()
}

/// The modules that a line of code names after `prefix`, as in `crate::a::b` or `crate::{a::b, c}`.
pub fn used<'a>(line: &'a str, prefix: &str) -> Vec<&'a str> {
    let code = line.split("//").next().unwrap_or("");
    let word = |text: &'a str| {
        let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
        &text[..end.unwrap_or(text.len())]
    };
    let mut found = Vec::new();
    for (at, _) in code.match_indices(prefix) {
        let rest = &code[at + prefix.len()..];
        match rest.strip_prefix('{') {
            Some(list) => found.extend(list.split(',').map(|item| word(item.trim_start()))),
            None => found.push(word(rest)),
        }
    }
    found
}

/// Every use of a module further down in `order`.
fn arrows_down(root: &Path, order: &[String], prefix: &str) -> Vec<String> {
    let place = |module: &str| order.iter().position(|other| other == module);
    let mut wrong = Vec::new();
    for file in sources(root) {
        let inner = file.strip_prefix(root).unwrap();
        let first = inner.iter().next().unwrap().to_str().unwrap();
        let Some(own) = place(first.trim_end_matches(".rs")) else {
            continue;
        };
        // A declaration that goes over several lines is one line of code.
        let text = fs::read_to_string(&file).unwrap().replace("{\n", "{");
        for (number, line) in (1..).zip(text.lines()) {
            for module in used(line, prefix) {
                if place(module).is_some_and(|other| other > own) {
                    wrong.push(format!("{}, near line {number}: {module}", inner.display()));
                }
            }
        }
    }
    wrong
}

#[test]
fn a_module_uses_only_what_stands_above_it() {
    let source = root().join("src");
    let order = declared(&fs::read_to_string(source.join("lib.rs")).unwrap());
    assert!(order.len() > 20, "no list of modules in lib.rs");
    let down = arrows_down(&source, &order, "crate::");
    assert_eq!(down, [""; 0], "they point down the list");
}

/// What names an operating system, or what only one has.
const SYSTEMS: &str = "target_os cfg(unix cfg(windows cfg!(unix cfg!(windows (windows, not(windows (unix, not(unix \
                       std::os:: rustix:: nix:: libc:: landlock:: seccompiler:: signal_hook:: windows_sys:: \
                       tokio::signal";

#[test]
fn only_the_platform_names_an_operating_system() {
    let mut wrong = Vec::new();
    for (shown, file) in named_sources(&["src"]) {
        let text = fs::read_to_string(&file).unwrap();
        let is_code = |line: &&str| !line.trim_start().starts_with("//");
        let code = text.lines().filter(is_code);
        let named = code.flat_map(|line| SYSTEMS.split(' ').filter(|name| line.contains(name)));
        if !shown.starts_with("src/platform/") {
            wrong.extend(named.map(|name| format!("{shown}: {name}")));
        }
    }
    assert_eq!(wrong, [""; 0]);
}

/// What only some folders may name, and those folders.
const OWNERS: [(&str, &[&str]); 6] = [
    ("clap::", &["src/cli/", "src/front/"]),
    ("\"/proc/", &["src/platform/"]),
    ("\"/sys/", &["src/platform/"]),
    ("\"MemTotal:", &["src/platform/"]),
    ("\"model name", &["src/platform/"]),
    ("mountinfo", &["src/platform/"]),
];

#[test]
fn the_command_line_and_the_systems_texts_are_read_by_their_owners_alone() {
    let mut wrong = Vec::new();
    for (shown, file) in named_sources(&["src"]) {
        let text = fs::read_to_string(&file).unwrap();
        for (name, folders) in OWNERS {
            let is_owner = folders.iter().any(|folder| shown.starts_with(folder));
            if !is_owner && text.contains(name) {
                wrong.push(format!("{shown}: {name}"));
            }
        }
    }
    assert_eq!(wrong, [""; 0]);
}

/// The names in the first column of a table of files, in their order.
fn tabled(text: &str) -> Vec<String> {
    let rows = text.lines().filter_map(|line| line.strip_prefix("//! | `"));
    let columns = rows.filter_map(|row| row.split(" |").next());
    let names = columns.flat_map(|column| column.split(','));
    names
        .map(|name| name.trim().trim_matches('`').to_owned())
        .collect()
}

#[test]
fn a_file_uses_only_what_stands_above_it_in_the_table_of_its_folder() {
    let mut wrong = Vec::new();
    for name in ["run", "engine", "host", "tournament"] {
        let folder = root().join("src").join(name);
        let order = tabled(&fs::read_to_string(folder.join("mod.rs")).unwrap());
        assert!(order.len() > 4, "no table of files in {name}");
        let prefixes = [format!("crate::{name}::"), "use super::".to_owned()];
        for prefix in prefixes {
            wrong.extend(arrows_down(&folder, &order, &prefix));
        }
    }
    assert_eq!(wrong, [""; 0], "they point down the table");
}

#[test]
fn a_table_of_files_names_every_module_and_nothing_else() {
    let mut wrong = Vec::new();
    for (shown, file) in named_sources(&["src", "crates"]) {
        let text = fs::read_to_string(&file).unwrap();
        let (declared, tabled) = (declared(&text), tabled(&text));
        if tabled.is_empty() || declared.is_empty() || shown.ends_with("lib.rs") {
            continue;
        }
        let is_lacking = |name: &&String| *name != "tests" && !tabled.contains(name);
        let lacking = declared.iter().filter(is_lacking);
        wrong.extend(lacking.map(|name| format!("{shown} does not list `{name}`")));
        let is_here = |name: &String| match name.contains('.') {
            true => file.with_file_name(name).exists(),
            false => name == "mod" || declared.contains(name),
        };
        let unknown = tabled.iter().filter(|name| !is_here(name));
        wrong.extend(unknown.map(|name| format!("{shown} lists `{name}`, which it does not have")));
    }
    assert_eq!(wrong, [""; 0]);
}
