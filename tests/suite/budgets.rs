//! Sizes of the program that may only shrink: `tests/data/budgets.toml` has the largest that is allowed, and each
//! failure says what is over and by how much. Of lines of code, `pub` items and words the table holds one total: a module or
//! a page may grow where another shrinks, and its rows say where the sum stood when it was last lowered.
//! `ARBITER960_LOWER_BUDGETS=1 cargo test budgets` writes what is smaller today; nothing raises a total. The owner's
//! total of lines, `total` in `../shared/budget.toml`, holds where that file is there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::layers::{all_sources, root};

/// Longer functions are counted.
const LONG: usize = 60;

/// Longer files are counted.
const LONG_FILE: usize = 400;

type Budgets = BTreeMap<String, BTreeMap<String, usize>>;

/// A file of the program without its unit tests.
struct Source {
    path: String,
    lines: Vec<String>,
}

/// The text of a source without its unit tests.
fn without_tests(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap();
    let ours = text.split("#[cfg(test)]\nmod tests {").next();
    ours.unwrap().to_owned()
}

fn below_root(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().display().to_string()
}

fn program() -> Vec<Source> {
    let read = |file: PathBuf| {
        let lines = without_tests(&file).lines().map(str::to_owned).collect();
        let path = below_root(&file);
        Source { path, lines }
    };
    let is_test = |path: &str| path.ends_with("/tests.rs") || path.contains("/tests/");
    let sources = all_sources(&["src", "crates"]).into_iter().map(read);
    sources.filter(|source| !is_test(&source.path)).collect()
}

fn is_code(line: &str) -> bool {
    let line = line.trim_start();
    !line.is_empty() && !line.starts_with("//")
}

/// `src/run`, `crates/chess`; a file next to `lib.rs` is a module, too.
fn module(path: &str) -> String {
    let parts: Vec<&str> = path.split('/').take(2).collect();
    parts.join("/").trim_end_matches(".rs").to_owned()
}

/// Whether it is a word within the parentheses behind `pub`.
fn is_visibility(word: &str) -> bool {
    word == "in" || word.ends_with(')')
}

fn words_before_fn(line: &str) -> Option<&str> {
    let (before, _) = line.split_once("fn ")?;
    let known = |word: &str| {
        ["const", "async", "unsafe", "extern", "\"C\""].contains(&word) || word.starts_with("pub")
    };
    let is_head = |word| known(word) || word.starts_with("crate::") || is_visibility(word);
    before.split_whitespace().all(is_head).then_some(before)
}

/// Every function with its place and its lines, from its first to its last; the code is formatted.
fn functions(source: &Source) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (at, line) in source.lines.iter().enumerate() {
        if words_before_fn(line).is_none() || line.trim_end().ends_with(';') {
            continue;
        }
        let indent = &line[..line.len() - line.trim_start().len()];
        let end = format!("{indent}}}");
        let rest = source.lines[at..].iter().position(|line| *line == end);
        let length = rest.map_or(1, |rest| rest + 1);
        found.push((length, format!("{}:{}", source.path, at + 1)));
    }
    found
}

/// Blocks of `unsafe` without a comment `SAFETY` just above them.
fn without_reason(source: &Source) -> usize {
    let is_block = |line: &str| is_code(line) && line.contains("unsafe {");
    let has_reason = |at: usize| {
        let mut above = source.lines[at.saturating_sub(6)..at].iter();
        above.any(|line| line.contains("SAFETY:"))
    };
    let lines = source.lines.iter().enumerate();
    let blocks = lines.filter(|(_, line)| is_block(line));
    blocks.filter(|(at, _)| !has_reason(*at)).count()
}

/// What files of one folder use of one another: module and module.
fn uses(folder: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let is_source = path.extension().is_some_and(|extension| extension == "rs");
        if !is_source || ["mod", "lib", "main", "tests"].contains(&name.as_str()) {
            continue;
        }
        let text = without_tests(&path).replace("{\n", "{");
        let used = text
            .lines()
            .flat_map(|line| super::layers::used(line, "use super::"));
        all.insert(name, used.map(str::to_owned).collect());
    }
    all
}

/// Files that use one another, directly or by others: each circle once.
fn circles() -> Vec<String> {
    let files = all_sources(&["src", "crates"]);
    let folders = files.iter().map(|file| file.parent().unwrap());
    let folders: BTreeSet<PathBuf> = folders.map(Path::to_owned).collect();
    let mut found = Vec::new();
    for folder in folders {
        let uses = uses(&folder);
        let reached = |from: &String| {
            let mut seen = BTreeSet::new();
            let mut left = vec![from];
            while let Some(next) = left.pop() {
                let used = uses.get(next).into_iter().flatten();
                let known = used.filter(|name| uses.contains_key(*name));
                left.extend(known.filter(|name| seen.insert((*name).clone())));
            }
            seen
        };
        let reached: BTreeMap<&String, BTreeSet<String>> =
            uses.keys().map(|name| (name, reached(name))).collect();
        let of = |name: &String| -> Vec<&String> {
            let both = |other: &&&String| {
                reached[name].contains(**other) && reached[**other].contains(name)
            };
            reached.keys().filter(both).copied().collect()
        };
        let shown = below_root(&folder);
        for name in uses.keys() {
            let circle = of(name);
            if circle.first() == Some(&name) && circle.len() > 1 {
                found.push(format!("{shown}: {circle:?}"));
            }
        }
    }
    found
}

/// The name of a type that a line of code defines.
fn type_defined(line: &str) -> Option<&str> {
    let kinds = ["struct ", "enum ", "trait ", "type ", "union "];
    let (before, rest) = kinds.iter().find_map(|kind| {
        let (before, rest) = line.split_once(kind)?;
        let is_head =
            |word: &str| word.starts_with("pub") || word == "unsafe" || is_visibility(word);
        let mut words = before.split_whitespace();
        words.all(is_head).then_some((before, rest))
    })?;
    let is_outside = !before.starts_with(' ');
    let end = rest.find(|one: char| !one.is_alphanumeric() && one != '_');
    is_outside.then(|| &rest[..end.unwrap_or(rest.len())])
}

/// Names of types that have more than one meaning. A file of `platform` defines the same types for each system.
fn names_defined_twice(sources: &[Source]) -> Vec<String> {
    let mut all = BTreeMap::<&str, BTreeSet<&str>>::new();
    // What some systems lack has the names of what others have.
    let sources = sources.iter();
    for source in sources.filter(|source| source.path != "src/platform/absent.rs") {
        let place = match source.path.strip_prefix("src/platform/") {
            Some(path) => path.split_once('/').map_or(path, |(_, file)| file),
            None => &source.path,
        };
        for name in source.lines.iter().filter_map(|line| type_defined(line)) {
            all.entry(name).or_default().insert(place);
        }
    }
    let twice = all.iter().filter(|(_, places)| places.len() > 1);
    let twice = twice.map(|(name, places)| format!("{name}: {places:?}"));
    twice.collect()
}

/// Files that are longer than a reader likes, with their unit tests.
fn long_files() -> Vec<String> {
    let measured = |file: PathBuf| {
        let lines = fs::read_to_string(&file).unwrap().lines().count();
        let path = below_root(&file);
        (lines > LONG_FILE).then(|| format!("{lines} lines: {path}"))
    };
    let sources = all_sources(&["src", "crates"]).into_iter();
    sources.filter_map(measured).collect()
}

/// Words of the documents.
fn documents() -> Vec<(String, String)> {
    let mut files = vec![root().join("README.md"), root().join("CONTRIBUTING.md")];
    let pages = fs::read_dir(root().join("docs")).unwrap();
    files.extend(pages.map(|entry| entry.unwrap().path()));
    let is_page = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "md");
    let read = |file: PathBuf| {
        let path = below_root(&file);
        (path, fs::read_to_string(&file).unwrap())
    };
    files.into_iter().filter(is_page).map(read).collect()
}

/// What is measured, and for each kind the details of its numbers.
fn measured() -> (Budgets, BTreeMap<&'static str, Vec<String>>) {
    let sources = program();
    let mut budgets = Budgets::new();
    let mut put = |kind: &str, name: &str, value: usize| {
        let kind = budgets.entry(kind.to_owned()).or_default();
        *kind.entry(name.to_owned()).or_default() += value;
    };
    let mut long: Vec<(usize, String)> = sources.iter().flat_map(functions).collect();
    long.retain(|(lines, _)| *lines > LONG);
    long.sort_by(|a, b| b.cmp(a));
    put("functions", "longer than 60 lines", long.len());
    let longest = long.first().map_or(0, |(lines, _)| *lines);
    put("functions", "lines of the longest", longest);
    let mut unsafe_code = Vec::new();
    for source in &sources {
        let code = || source.lines.iter().filter(|line| is_code(line));
        let module = module(&source.path);
        put("lines of code", &module, code().count());
        let public = code().filter(|line| line.trim_start().starts_with("pub "));
        put("pub items", &module, public.count());
        let blocks = code().filter(|line| line.contains("unsafe {") || line.contains("unsafe fn"));
        if let count @ 1.. = blocks.count() {
            put("unsafe blocks", &source.path, count);
            unsafe_code.push(format!("{}: {count}", source.path));
            put("unsafe blocks", "without a reason", without_reason(source));
        }
    }
    let long_files = long_files();
    put("files", "longer than 400 lines", long_files.len());
    let circles = circles();
    put("circles", "between files of a folder", circles.len());
    let twice = names_defined_twice(&sources);
    put(
        "names of types",
        "with more than one definition",
        twice.len(),
    );
    for (path, text) in documents() {
        put("words", &path, text.split_whitespace().count());
    }
    let shown = |(lines, place): &_| format!("{lines} lines: {place}");
    let long = long.iter().map(shown);
    let behind = [
        ("functions", long.collect()),
        ("files", long_files),
        ("circles", circles),
        ("names of types", twice),
        ("unsafe blocks", unsafe_code),
    ];
    (budgets, behind.into())
}

fn table() -> PathBuf {
    root().join("tests/data/budgets.toml")
}

/// Kinds of which only the sum is limited; their rows in the table are where it stood when it was last lowered.
const SUMMED: [&str; 3] = ["lines of code", "pub items", "words"];

/// The limit of each number: for what is summed, of the sum alone.
fn limited(found: &Budgets) -> Budgets {
    let mut limited = found.clone();
    let sums = SUMMED.map(|kind| (kind.to_owned(), found[kind].values().sum()));
    limited.retain(|kind, _| !SUMMED.contains(&kind.as_str()));
    limited.insert("total".to_owned(), BTreeMap::from(sums));
    limited
}

/// Writes what is smaller than its budget, and what is not in the table yet.
fn lower(found: &Budgets) {
    let allowed = allowed();
    let lower = |(kind, rows): (String, BTreeMap<String, usize>)| {
        let row = |(name, value): (String, usize)| {
            let old = allowed.get(&kind).and_then(|rows| rows.get(&name));
            let value = old.map_or(value, |old| value.min(*old));
            (name, value)
        };
        let rows = rows.into_iter().map(row).collect();
        (kind, rows)
    };
    let mut lowered: Budgets = limited(found).into_iter().map(lower).collect();
    lowered.extend(SUMMED.map(|kind| (kind.to_owned(), found[kind].clone())));
    fs::write(table(), toml::to_string(&lowered).unwrap()).unwrap();
}

fn allowed() -> Budgets {
    toml::from_str(&fs::read_to_string(table()).unwrap()).unwrap()
}

#[test]
fn nothing_is_larger_than_its_budget() {
    let (found, behind) = measured();
    if std::env::var_os("ARBITER960_LOWER_BUDGETS").is_some() {
        lower(&found);
    }
    let allowed = allowed();
    let mut over = Vec::new();
    for (kind, rows) in &limited(&found) {
        let budget = |name: &String| allowed.get(kind).and_then(|rows| rows.get(name)).copied();
        let before = over.len();
        for (name, value) in rows {
            let budget = budget(name).unwrap_or(0);
            if *value > budget {
                let more = value - budget;
                over.push(format!("{kind}, {name}: {value}, {more} over {budget}"));
            }
        }
        if over.len() > before {
            let details = behind.get(kind.as_str()).into_iter().flatten();
            over.extend(details.map(|line| format!("    {line}")));
        }
    }
    let over = over.join("\n");
    assert!(
        over.is_empty(),
        "over the budgets of tests/data/budgets.toml:\n{over}"
    );
}

#[test]
fn the_program_has_no_more_lines_than_its_owner_allows() {
    let Ok(text) = fs::read_to_string(root().join("../shared/budget.toml")) else {
        eprintln!("skipped: ../shared/budget.toml is not there");
        return;
    };
    let table: toml::Table = toml::from_str(&text).unwrap();
    let allowed = table["total"].as_integer().unwrap();
    let lines = i64::try_from(measured().0["lines of code"].values().sum::<usize>()).unwrap();
    assert!(
        lines <= allowed,
        "{lines} lines of code, the owner allows {allowed}"
    );
}

/// How paths in documents begin.
const STARTS: &str = "src/ crates/ tests/ benches/ docs/ dist/ fuzz/ .ci/";

#[test]
fn documents_name_only_files_and_variables_that_are_there() {
    let mut files = all_sources(&["src", "crates", "tests", "benches"]);
    let scripts = ".ci/run .ci/nightly dist/release.sh docs/pictures.sh fuzz/run.sh";
    files.extend(scripts.split(' ').map(|file| root().join(file)));
    let read = |file: &PathBuf| fs::read_to_string(file).unwrap();
    let all: String = files.iter().map(read).collect();
    let mut wrong = Vec::new();
    for (page, text) in documents() {
        for (at, line) in (1..).zip(text.lines()) {
            let quoted = line.split('`').skip(1).step_by(2);
            for word in quoted.flat_map(str::split_whitespace) {
                let path = word.split([':', '#', ',']).next().unwrap();
                let path = path.trim_end_matches('/');
                let is_there = |place: String| root().join(place).exists();
                let mut starts = STARTS.split(' ');
                let is_path = starts.any(|start| path.starts_with(start))
                    && !path.contains(['*', '<', '…', '{']);
                let is_name = |one: char| one.is_ascii_lowercase() || "/_".contains(one);
                let named = path.split_once('/').map(|(module, _)| module);
                let is_module = path.chars().all(is_name)
                    && named.is_some_and(|module| is_there(format!("src/{module}/mod.rs")));
                let mut places = [format!("src/{path}"), format!("src/{path}.rs")].into_iter();
                if is_module && !places.any(is_there) {
                    wrong.push(format!("{page}:{at}: there is no src/{path}"));
                }
                if is_path && !is_there(path.to_owned()) {
                    wrong.push(format!("{page}:{at}: there is no {path}"));
                }
            }
            for (place, _) in line.match_indices("ARBITER960_") {
                let rest = &line[place..];
                let is_of_name =
                    |one: char| one.is_ascii_uppercase() || one.is_ascii_digit() || one == '_';
                let end = rest.find(|one| !is_of_name(one));
                let name = &rest[..end.unwrap_or(rest.len())];
                if !all.contains(name) {
                    wrong.push(format!("{page}:{at}: nothing reads {name}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
