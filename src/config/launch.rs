//! How an engine is started: `command` with `args`, `directory` and `env`, or `builtin`.

use std::path::{Path, PathBuf};

use super::files::{Context, FileKind, PathBase, find_program};
use super::keys::engine::{Builtin, EngineKeys};
use super::problem::Problem;
use super::section::{Entry, EntryPlace, Section};
use super::tournament::{Launch, NamedFile};
use super::value::{ReadValue, WrittenValue};
use crate::platform::capabilities::Capability;
use crate::platform::orders::{Confinement, Sandbox};

/// The launch; `None` if the engine does not say what to start. `env` are the variables of the defaults and
/// of the engine.
pub(super) fn read_launch(
    keys: &EngineKeys<'_>,
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
                keys.files.entry.as_ref(),
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
        (None, None) if keys.command.is_written() || keys.builtin.is_written() => None,
        (None, None) => {
            let title = "the engine has neither `command` nor `builtin`";
            let help = "for example: command = \"stockfish\", or builtin = \"sparring\"";
            place.fail(Problem::missing(title).help(help))
        }
    }
}

fn program(
    command: &Entry<'_>,
    keys: &EngineKeys<'_>,
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

/// The limits that the engine's table names.
pub(super) fn read_confinement(
    keys: &EngineKeys<'_>,
    launch: &Launch,
    options: &[(String, String)],
    files: &[NamedFile],
    context: &Context<'_>,
) -> Confinement {
    let mut confinement = Confinement {
        nice: keys.nice.value,
        cpus: processors(&keys.cpus),
        memory_mib: keys.memory_mib.value,
        processes: keys.processes.value,
        file_size_mib: keys.file_size_mib.value,
        disk_mib: keys.disk_mib.value,
        sandbox: keys.sandbox.value,
        ..Confinement::default()
    };
    keys.cpus.needs(Capability::Processors);
    keys.memory_mib.needs(Capability::MemoryLimit);
    keys.processes.needs(Capability::MemoryLimit);
    keys.file_size_mib.needs(Capability::FileSize);
    if matches!(confinement.sandbox, Sandbox::Required | Sandbox::Strict) {
        keys.sandbox.needs(Capability::Sandbox);
    }
    let [read, write] = [&keys.sandbox_read, &keys.sandbox_write];
    if confinement.sandbox == Sandbox::Off {
        let others = [&keys.disk_mib.entry, &keys.sandbox_keep.entry];
        let entries = [&read.entry, &write.entry].into_iter().chain(others);
        for entry in entries.flatten() {
            let title = format!("`{}` says nothing without a sandbox", entry.key);
            entry.fail::<()>(Problem::error(title).help("sandbox = true"));
        }
        return confinement;
    }
    confinement.writable = paths(write, context);
    write.fail_if(holds_the_event(&confinement.writable, context), || {
        let title =
            "a sandboxed engine may write in `sandbox_write`, and the event file lies in it";
        Problem::error(title).help("give the engine a folder of its own")
    });
    confinement.readable = paths(read, context);
    let directory = keys.directory.entry.as_ref();
    let own = directory.and_then(|entry| own_folder(entry, launch, context));
    if !keys.sandbox_keep.value {
        keys.sandbox_keep.needs(Capability::Sandbox);
        confinement.unkept.clone_from(&own);
    }
    confinement.writable.extend(own);
    let named = named(launch, options, files, context);
    confinement.readable.extend(named);
    confinement
}

/// A list of processors, each once.
fn processors(list: &ReadValue<'_, Option<Vec<WrittenValue<'_, u16>>>>) -> Vec<u16> {
    let elements = list.value.as_deref();
    list.fail_if(elements.is_some_and(<[_]>::is_empty), || {
        Problem::error("`cpus` names no processor").help("for example: [2, 3]")
    });
    let mut numbers: Vec<u16> = Vec::new();
    for element in elements.unwrap_or_default() {
        let number = element.value;
        if numbers.contains(&number) {
            let title = format!("`cpus` names processor {number} twice");
            element.entry.fail::<()>(Problem::error(title));
        } else {
            numbers.push(number);
        }
    }
    numbers
}

fn paths(
    list: &ReadValue<'_, Option<Vec<WrittenValue<'_, String>>>>,
    context: &Context<'_>,
) -> Vec<PathBuf> {
    let path = |element: &WrittenValue<'_, String>| {
        let path = context.path(&element.value);
        if context.files.kind(&path) != FileKind::Missing {
            return Some(path);
        }
        let help = context.looked_for(&element.value);
        let problem = Problem::error("there is no such file or folder").help(help);
        element.entry.fail(problem)
    };
    list.value.iter().flatten().filter_map(path).collect()
}

/// The engine's own folder, in which it may write: its `directory`, unless that holds
/// the event itself.
fn own_folder(entry: &Entry<'_>, launch: &Launch, context: &Context<'_>) -> Option<PathBuf> {
    let Launch::Program { directory, .. } = launch else {
        return None;
    };
    let real = |path: &Path| context.files.real(path);
    if !real(context.folder).starts_with(real(directory)) {
        return Some(directory.clone());
    }
    let title = "a sandboxed engine may write in its `directory`, and the event file lies in it";
    entry.fail(Problem::error(title).help("give the engine a folder of its own"))
}

/// Whether one of these folders holds the event file: a program that may write there can change the event.
fn holds_the_event(writable: &[PathBuf], context: &Context<'_>) -> bool {
    let event = context.files.real(context.folder);
    let mut folders = writable.iter().map(|path| context.files.real(path));
    folders.any(|folder| event.starts_with(folder))
}

/// What the event file makes the engine read: its files, and folders that its options name, such as those of tablebases.
fn named(
    launch: &Launch,
    options: &[(String, String)],
    files: &[NamedFile],
    context: &Context<'_>,
) -> Vec<PathBuf> {
    let Launch::Program { directory, .. } = launch else {
        return Vec::new();
    };
    let parts = options.iter().flat_map(|(_, value)| value.split(':'));
    let paths = parts.filter(|part| part.contains('/'));
    let folders = paths.map(|part| directory.join(part));
    let folders = folders.filter(|path| context.files.kind(path) == FileKind::Folder);
    let files = files.iter().map(|file| directory.join(&file.path));
    files.chain(folders).collect()
}
