//! What an engine is held to: processors, memory, processes, files, network.

use std::path::{Path, PathBuf};

use super::context::Context;
use super::entry::Entry;
use super::files::FileKind;
use super::problem::Problem;
use super::section::Section;
use super::tournament::{Launch, NamedFile};

/// The limits of one engine. They bind each of its processes, one in every lane.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Confinement {
    /// The niceness, −20 to 19; below that of the runner only with the right to it.
    pub nice: Option<i8>,
    /// The processors it may use; none named: those that the runner has.
    pub cpus: Vec<u16>,
    /// The resident memory of all its processes together, MiB.
    pub memory_mib: Option<u32>,
    /// Processes and threads together.
    pub processes: Option<u32>,
    /// The longest file it may write, MiB.
    pub file_size_mib: Option<u32>,
    /// Whether it is shut in.
    pub sandbox: Sandbox,
    /// What a sandbox lets it read and run, besides its program and the system's own.
    pub readable: Vec<PathBuf>,
    /// Where a sandbox lets it write.
    pub writable: Vec<PathBuf>,
}

/// Whether an engine runs in a sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sandbox {
    /// It may do what the runner may do.
    #[default]
    Off,
    /// As far as this machine can; what it cannot is said.
    BestEffort,
    /// Wholly: nothing is played on a machine that cannot.
    Required,
}

impl Confinement {
    /// Whether somebody has to watch what the engine uses.
    pub fn is_watched(&self) -> bool {
        self.memory_mib.is_some() || self.processes.is_some()
    }
}

/// The limits that the engine's table names.
pub(super) fn read(
    section: &mut Section<'_>,
    launch: &Launch,
    options: &[(String, String)],
    files: &[NamedFile],
    context: &Context<'_>,
) -> Confinement {
    let mut whole = |key| {
        section
            .optional(key)
            .and_then(|entry| entry.integer(1..=u32::MAX))
    };
    let (memory_mib, processes) = (whole("memory_mib"), whole("processes"));
    let file_size_mib = whole("file_size_mib");
    let mut confinement = Confinement {
        nice: section
            .optional("nice")
            .and_then(|entry| entry.integer(-20..=19)),
        cpus: section
            .optional("cpus")
            .map(|entry| processors(&entry))
            .unwrap_or_default(),
        memory_mib,
        processes,
        file_size_mib,
        sandbox: section
            .optional("sandbox")
            .and_then(|entry| sandbox(&entry))
            .unwrap_or_default(),
        ..Confinement::default()
    };
    let lists = ["sandbox_read", "sandbox_write"].map(|key| section.optional(key));
    let directory = section.optional("directory");
    if confinement.sandbox == Sandbox::Off {
        for entry in lists.into_iter().flatten() {
            let title = format!("`{}` says nothing without a sandbox", entry.key);
            entry.fail::<()>(Problem::error(title).help("sandbox = true"));
        }
        return confinement;
    }
    let write_list = section.optional("sandbox_write");
    let [readable, writable] = lists.map(|entry| entry.map(|list| paths(&list, context)));
    confinement.writable = writable.unwrap_or_default();
    if let Some(entry) = &write_list {
        refuse_the_events_folder(entry, &confinement.writable, context);
    }
    confinement.readable = readable.unwrap_or_default();
    let own = directory.and_then(|entry| own_folder(&entry, launch, context));
    confinement.writable.extend(own);
    confinement
        .readable
        .extend(named(launch, options, files, context));
    confinement
}

/// A list of processors, each once.
fn processors(list: &Entry<'_>) -> Vec<u16> {
    let elements = list.list().unwrap_or_default();
    if elements.is_empty() {
        list.fail::<()>(Problem::error("`cpus` names no processor").help("for example: [2, 3]"));
    }
    let mut numbers: Vec<u16> = Vec::new();
    for element in elements {
        match element.integer(0..=1023) {
            Some(number) if numbers.contains(&number) => {
                let title = format!("`cpus` names processor {number} twice");
                element.fail::<()>(Problem::error(title));
            }
            number => numbers.extend(number),
        }
    }
    numbers
}

fn sandbox(entry: &Entry<'_>) -> Option<Sandbox> {
    if entry.is_string() {
        if entry.string() == Some("best-effort") {
            return Some(Sandbox::BestEffort);
        }
        let title = "`sandbox` is true, false or \"best-effort\"";
        return entry.fail(Problem::error(title));
    }
    Some(match entry.boolean()? {
        true => Sandbox::Required,
        false => Sandbox::Off,
    })
}

fn paths(list: &Entry<'_>, context: &Context<'_>) -> Vec<PathBuf> {
    let path = |element: &Entry<'_>| {
        let path = context.path(element.string()?);
        if context.files.kind(&path) != FileKind::Missing {
            return Some(path);
        }
        let help = context.looked_for(&path);
        element.fail(Problem::error("there is no such file or folder").help(help))
    };
    let elements = list.list().unwrap_or_default();
    elements.iter().filter_map(path).collect()
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

/// Whoever may write where the event file lies makes the event.
fn refuse_the_events_folder(entry: &Entry<'_>, writable: &[PathBuf], context: &Context<'_>) {
    let event = context.files.real(context.folder);
    if writable
        .iter()
        .any(|path| event.starts_with(context.files.real(path)))
    {
        let title =
            "a sandboxed engine may write in `sandbox_write`, and the event file lies in it";
        entry.fail::<()>(Problem::error(title).help("give the engine a folder of its own"));
    }
}

/// What the event file makes the engine read: files that its options, arguments and
/// variables name (not those that its scripts name: a stranger wrote them), and folders that its options name, such as those of tablebases.
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
    let folders = parts
        .filter(|part| part.contains('/'))
        .map(|part| directory.join(part));
    let folders = folders.filter(|path| context.files.kind(path) == FileKind::Folder);
    let files = files.iter().filter(|file| !file.by_script);
    let files = files.map(|file| directory.join(&file.path));
    files.chain(folders).collect()
}
