//! The files behind an engine that its program does not show: a network that an option
//! names, a script that an interpreter runs, the program that a wrapper script starts.
//! If one of them changes, the engine is another.

use std::path::{Path, PathBuf};

use super::files::{FileKind, Files};
use super::tournament::{Launch, NamedFile};

/// A script longer than this is hashed, but not searched for names.
const LONGEST_SCRIPT: usize = 1 << 20;

/// Every file that the engine's options, arguments, variables and scripts name, each
/// once; the program itself is not among them. Folders do not count: tablebases are
/// large, and do not change.
pub(super) fn of_engine(
    launch: &Launch,
    options: &[(String, String)],
    files: &dyn Files,
) -> Vec<NamedFile> {
    let mut search = Search {
        folder: Path::new("."),
        files,
        found: Vec::new(),
        in_script: false,
    };
    let Launch::Program {
        path,
        args,
        directory,
        env,
        ..
    } = launch
    else {
        return Vec::new();
    };
    search.folder = directory;
    let values = options.iter().chain(env).map(|(_, value)| value);
    for name in values.chain(args) {
        search.name(name);
    }
    search.script(path);
    search.found.retain(|file| file.path != *path);
    search.found
}

struct Search<'a> {
    /// Where the engine runs.
    folder: &'a Path,
    files: &'a dyn Files,
    found: Vec<NamedFile>,
    /// What is read now is the text of a script.
    in_script: bool,
}

impl Search<'_> {
    /// Takes up a file, if this is the name of one, and what it names in turn. An
    /// argument may have it behind an equals sign.
    fn name(&mut self, written: &str) {
        let after_equals = written.split_once('=').map(|(_, value)| value);
        for name in [Some(written), after_equals].into_iter().flatten() {
            self.path(name, self.folder.join(name));
        }
    }

    fn path(&mut self, name: &str, path: PathBuf) {
        let is_file = matches!(self.files.kind(&path), FileKind::Plain | FileKind::Program);
        let known = self.found.iter_mut().find(|file| file.path == path);
        if let Some(known) = known {
            known.by_script &= self.in_script;
            return;
        }
        if !is_file || name.is_empty() {
            return;
        }
        self.found.push(NamedFile {
            name: name.to_owned(),
            path: path.clone(),
            by_script: self.in_script,
        });
        self.script(&path);
    }

    /// Takes up what a script names: words with a slash that are files, seen from where
    /// the engine runs or from where the script lies, which it may know as a variable
    /// (`$HERE/engine`); and what it starts by `exec`.
    fn script(&mut self, path: &Path) {
        let Some(text) = self.script_text(path) else {
            return;
        };
        let outside = std::mem::replace(&mut self.in_script, true);
        let beside = path.parent().unwrap_or(Path::new("")).to_owned();
        let mut before = "";
        for word in words(&text) {
            if let Some((_, after_slash)) = word.split_once('/') {
                self.path(word, self.folder.join(word));
                self.path(word, beside.join(word));
                self.path(word, beside.join(after_slash));
            } else if before == "exec" {
                self.command(word);
            }
            before = word;
        }
        self.in_script = outside;
    }

    fn command(&mut self, word: &str) {
        let mut places = self
            .files
            .search_path()
            .into_iter()
            .map(|place| place.join(word));
        if let Some(path) = places.find(|path| self.files.kind(path) == FileKind::Program) {
            self.path(word, path);
        }
    }

    fn script_text(&self, path: &Path) -> Option<String> {
        let mut bytes = self.files.read_start(path, LONGEST_SCRIPT + 1).ok()?;
        if !bytes.starts_with(b"#!") || bytes.len() > LONGEST_SCRIPT {
            return None;
        }
        // The interpreter is of the system, not of the engine.
        let first_line = bytes.iter().position(|&byte| byte == b'\n')?;
        String::from_utf8(bytes.split_off(first_line)).ok()
    }
}

/// The words of a script, without quotes and what else a shell puts around them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| character.is_whitespace() || "\"'`;&|()<>=$".contains(character))
        .filter(|word| !word.is_empty())
}
