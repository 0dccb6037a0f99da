//! The files that an engine depends on in addition to its program: a network that an option names, a script that an
//! interpreter runs, the program that a wrapper script starts. If one of them changes, the engine counts as another
//! one.

use std::path::{Path, PathBuf};

use super::files::{FileKind, Files, RealFiles};
use super::tournament::{EngineSpec, Launch, NamedFile};
use crate::platform::files::{MADE_UP, names_of_program};

/// A script longer than this is hashed, but not searched for names.
const LONGEST_SCRIPT: usize = 1 << 20;

/// The files that the options, arguments, variables and scripts of an engine name now.
pub(crate) fn named_files(spec: &EngineSpec) -> Vec<NamedFile> {
    of_engine(
        &spec.launch,
        &spec.options,
        &spec.volatile_files,
        &RealFiles,
    )
}

/// Every file that the engine's options, arguments, variables and scripts name, each
/// once; the program itself is not among them. Folders do not count: tablebases are
/// large, and do not change. Volatile are those with a name of `volatile`, logs, where a
/// script's output goes, and what the kernel shows as a file.
pub(super) fn of_engine(
    launch: &Launch,
    options: &[(String, String)],
    volatile: &[String],
    files: &dyn Files,
) -> Vec<NamedFile> {
    let mut search = FileSearch {
        folder: Path::new("."),
        files,
        found: Vec::new(),
        volatile,
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
    for (name, value) in options.iter().chain(env) {
        search.name(value, is_of_a_log(name));
    }
    let mut before = "";
    for argument in args {
        let of_a_log = before.starts_with('-') && is_of_a_log(before);
        search.name(argument, of_a_log);
        before = argument;
    }
    search.script(path);
    search.found.retain(|file| file.path != *path);
    search.found
}

struct FileSearch<'a> {
    /// Where the engine runs.
    folder: &'a Path,
    files: &'a dyn Files,
    found: Vec<NamedFile>,
    /// The names that the event file says are volatile.
    volatile: &'a [String],
    /// What is read now is the text of a script.
    in_script: bool,
}

impl FileSearch<'_> {
    /// Adds the file, if this is the name of one, and the files that it names itself. An argument may have the name
    /// after an equals sign.
    fn name(&mut self, written: &str, volatile: bool) {
        self.path(written, self.folder.join(written), volatile);
        if let Some((key, name)) = written.split_once('=') {
            self.path(name, self.folder.join(name), volatile || is_of_a_log(key));
        }
    }

    fn path(&mut self, name: &str, path: PathBuf, volatile: bool) {
        let volatile = volatile
            || self.volatile.iter().any(|listed| listed == name)
            || MADE_UP.iter().any(|kernel| path.starts_with(kernel));
        let is_file = matches!(self.files.kind(&path), FileKind::Plain | FileKind::Program);
        let known = self.found.iter_mut().find(|file| file.path == path);
        if let Some(known) = known {
            known.by_script &= self.in_script;
            known.volatile |= volatile;
            return;
        }
        if !is_file || name.is_empty() {
            return;
        }
        self.found.push(NamedFile {
            name: name.to_owned(),
            path: path.clone(),
            volatile,
            by_script: self.in_script,
        });
        if !volatile {
            self.script(&path);
        }
    }

    /// Adds the files that a script names: words with a slash that are files, relative to the engine's working folder
    /// or to the script's folder, which the script may have in a variable (`$HERE/engine`); and the programs that it
    /// starts by `exec`.
    fn script(&mut self, path: &Path) {
        let Some(text) = self.script_text(path) else {
            return;
        };
        let outside = std::mem::replace(&mut self.in_script, true);
        let beside = path.parent().unwrap_or(Path::new("")).to_owned();
        let mut before = "";
        for (word, is_target) in words(&text) {
            if let Some((_, after_slash)) = word.split_once('/') {
                let volatile = is_target || before == "tee";
                self.path(word, self.folder.join(word), volatile);
                self.path(word, beside.join(word), volatile);
                self.path(word, beside.join(after_slash), volatile);
            } else if before == "exec" {
                self.command(word);
            }
            before = word;
        }
        self.in_script = outside;
    }

    fn command(&mut self, word: &str) {
        let places = self.files.search_path().into_iter();
        let mut places = places.flat_map(|place| names_of_program(&place.join(word)));
        if let Some(path) = places.find(|path| self.files.kind(path) == FileKind::Program) {
            self.path(word, path, false);
        }
    }

    fn script_text(&self, path: &Path) -> Option<String> {
        let mut bytes = self.files.read_plain_start(path, LONGEST_SCRIPT + 1).ok()?;
        if !bytes.starts_with(b"#!") || bytes.len() > LONGEST_SCRIPT {
            return None;
        }
        // The interpreter belongs to the system, not to the engine.
        let first_line = bytes.iter().position(|&byte| byte == b'\n')?;
        String::from_utf8(bytes.split_off(first_line)).ok()
    }
}

/// The words of a script, without quotes and other shell syntax around them; and whether output is redirected into
/// each.
fn words(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let is_around =
        |character: char| character.is_whitespace() || "\"'`;&|()<>=$".contains(character);
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find(|character| !is_around(character))?;
        let (around, from) = rest.split_at(start);
        let end = from.find(is_around).unwrap_or(from.len());
        let (word, after) = from.split_at(end);
        rest = after;
        Some((word, around.contains('>')))
    })
}

/// Whether an option, a variable or an argument of this name names a log.
fn is_of_a_log(name: &str) -> bool {
    let mut words = String::new();
    let mut before = ' ';
    for character in name.chars() {
        if character.is_uppercase() && before.is_lowercase() || !character.is_alphanumeric() {
            words.push(' ');
        }
        words.extend(character.to_lowercase());
        before = character;
    }
    let logs = ["log", "logs", "logfile", "logging", "debuglog", "debugfile"];
    words
        .split(|character: char| !character.is_alphanumeric())
        .any(|word| logs.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_are_known_by_whole_words() {
        for name in [
            "Debug Log File",
            "LogFile",
            "--log-file",
            "WriteDebugLog",
            "ENGINE_LOG",
        ] {
            assert!(is_of_a_log(name), "{name}");
        }
        for name in ["Catalogue", "EvalFile", "Logistic", "Blog"] {
            assert!(!is_of_a_log(name), "{name}");
        }
    }

    #[test]
    fn a_script_writes_behind_its_arrows() {
        let text = "exec ./engine 2>> ./err.log <./book >\"./out\" ./net";
        let targets: Vec<&str> = words(text)
            .filter(|(_, target)| *target)
            .map(|(word, _)| word)
            .collect();
        assert_eq!(targets, ["./err.log", "./out"]);
    }
}
