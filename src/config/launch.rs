//! How an engine is started: `command` with `args`, `directory` and `env`, or `builtin`.

use std::path::PathBuf;

use super::context::Context;
use super::entry::{Entry, EntryPlace};
use super::files::{FileKind, PathBase, find_program};
use super::keys::engine::{Builtin, Engine};
use super::problem::Problem;
use super::section::Section;
use super::tournament::Launch;

/// The launch; `None` if the engine does not say what to start. `env` are the variables of the defaults and
/// of the engine.
pub(super) fn read(
    keys: &Engine<'_>,
    env: [Option<Section<'_>>; 2],
    place: &EntryPlace<'_>,
    context: &Context<'_>,
) -> Option<Launch> {
    match (&keys.command.entry, &keys.builtin.entry) {
        (Some(command), None) => Some(program(command, keys, env, context)),
        (None, Some(_)) => {
            let own_env = keys.env.entry.as_ref().filter(|_| env[1].is_some());
            let others = [
                keys.args.entry.as_ref(),
                keys.directory.entry.as_ref(),
                keys.protocol.entry.as_ref(),
                own_env,
            ];
            for entry in others.into_iter().flatten() {
                let title = format!("`{}` does not go with `builtin`", entry.key);
                entry.fail::<()>(Problem::error(title).help("take this line out"));
            }
            keys.builtin.value.map(|Builtin::Sparring| Launch::Sparring)
        }
        (Some(_), Some(builtin)) => {
            let title = "`command` and `builtin` exclude each other";
            builtin.fail(Problem::error(title).help("leave one of them"))
        }
        (None, None) => {
            let title = "the engine has neither `command` nor `builtin`";
            let help = "for example: command = \"stockfish\", or builtin = \"sparring\"";
            place.fail(Problem::missing(title).help(help))
        }
    }
}

fn program(
    command: &Entry<'_>,
    keys: &Engine<'_>,
    env: [Option<Section<'_>>; 2],
    context: &Context<'_>,
) -> Launch {
    let directory = keys.directory.entry.as_ref();
    let directory = directory.and_then(|entry| folder(entry, context));
    Launch::Program {
        path: found(command, context).unwrap_or_default(),
        command: command.string().unwrap_or_default().to_owned(),
        args: keys.args.value.clone(),
        directory: directory.unwrap_or_else(|| context.folder.to_owned()),
        env: variables(env),
        protocol: keys.protocol.value,
    }
}

fn found(command: &Entry<'_>, context: &Context<'_>) -> Option<PathBuf> {
    let text = command.string()?;
    match find_program(text, (context.folder, context.base), context.files) {
        Ok(path) => Some(path),
        Err((title, help)) => {
            let spaced = text.contains(' ').then(|| {
                let arguments = match context.base {
                    PathBase::EventFile => "its arguments go into args = [\"…\"]",
                    PathBase::CurrentFolder => "each of its arguments is a word arg=…",
                };
                format!("a command is the program alone; {arguments}")
            });
            command.fail(Problem::error(title).help(help).help_if(spaced))
        }
    }
}

fn folder(entry: &Entry<'_>, context: &Context<'_>) -> Option<PathBuf> {
    let written = entry.string()?;
    let path = context.path(written);
    if context.files.kind(&path) == FileKind::Folder {
        return Some(path);
    }
    let help = context.looked_for(written);
    entry.fail(Problem::error("there is no such folder").help(help))
}

/// Environment variables, in the order of the file: those of all engines, then the engine's own,
/// which replace them.
fn variables(tables: [Option<Section<'_>>; 2]) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for table in tables.into_iter().flatten() {
        for entry in table.all() {
            if let Some(value) = entry.scalar() {
                all.retain(|(name, _)| name != entry.key);
                all.push((entry.key.to_owned(), value));
            }
        }
    }
    all
}
