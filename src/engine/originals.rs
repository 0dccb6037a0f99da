//! Whether an engine is still the one that the run began with: its program, and the files that its
//! options and arguments name. An engine is started again after a fault, or for every game; if
//! somebody builds it again meanwhile, the run continues with the program that it began with.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::config::{Confinement, EngineSpec, Launch, Sandbox, Tournament, sha256};
use crate::event::identity::{EventEngine, EventIdentity};
use crate::platform::{KnownFile, files, lock, make_folder_untrusted, rename};
use crate::text::tell;

/// The folder of copies of programs, in the event's folder.
const BUILDS: &str = "builds";

/// How long an engine's files may be read before it is started again.
const READ_TIMEOUT: Duration = Duration::from_secs(300);

/// Bytes of all programs together that are kept.
const MAX_BYTES_ON_DISK: u64 = 1 << 30;

/// The files of every engine, by its index, as they were when the event was opened.
#[derive(Debug)]
pub struct Originals {
    files: Vec<Vec<Original>>,
    /// Where copies of programs are kept in whose places others lie by now.
    builds: Option<PathBuf>,
    /// The copies as they were written.
    copies: Mutex<BTreeMap<PathBuf, KnownFile>>,
    /// Engines one of whose processes ended by itself, its files having changed while it lived.
    suspects: Mutex<BTreeSet<u16>>,
}

/// Whether an engine that cannot be started has itself to thank for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StartBlame {
    /// Its files are what they were, or it cannot write where they lie.
    None,
    /// They are not, and it may have been anybody.
    Possible,
    /// They changed while a process of it lived that ended by itself.
    Certain,
}

/// An engine's files at one moment, those that it may change.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Marks(Vec<Option<KnownFile>>);

#[derive(Debug)]
struct Original {
    path: PathBuf,
    /// Whether the engine may write there.
    exposed: bool,
    seen: Option<KnownFile>,
    sha256: String,
    is_program: bool,
    /// A program as the run began with it.
    opened: Option<File>,
    /// What was in it then: a program that does not run can be written over in its place.
    content: Option<Arc<File>>,
}

impl Originals {
    /// The files of this event, whose identity has just been read.
    pub fn new(tournament: &Tournament, identity: &EventIdentity) -> Originals {
        let files = |(spec, engine): (&EngineSpec, &EventEngine)| {
            let original = |path: &Path, is_program, digest: Option<&str>| {
                Some(Original {
                    path: path.to_owned(),
                    exposed: is_exposed(path, &spec.confinement),
                    seen: files::known(path).ok(),
                    sha256: digest?.to_owned(),
                    is_program,
                    opened: None,
                    content: None,
                })
            };
            let program = match &spec.launch {
                Launch::Program { path, .. } => original(path, true, engine.launch.sha256()),
                Launch::Sparring => None,
            };
            let named = engine.files.iter().filter_map(|&place| {
                let (file, known) = (tournament.files.get(place)?, identity.files.get(place)?);
                original(&file.path, false, known.sha256.as_deref())
            });
            program.into_iter().chain(named).collect()
        };
        let engines = tournament.engines.iter().zip(&identity.engines);
        Originals {
            files: engines.map(files).collect(),
            builds: None,
            copies: Mutex::default(),
            suspects: Mutex::default(),
        }
    }

    /// The same for a run: what is in the programs is kept, and copied to this folder when others lie in their places.
    pub(crate) fn keeping_in(mut self, folder: &Path) -> Originals {
        let builds = folder.join(BUILDS);
        let mut room = MAX_BYTES_ON_DISK;
        let mut kept: BTreeMap<String, Option<Arc<File>>> = BTreeMap::new();
        let all = self.files.iter_mut().flatten();
        for program in all.filter(|file| file.is_program) {
            let opened = files::open_plain(&program.path).ok();
            let is_it = |file: &File| files::known_open(file).ok() == program.seen;
            program.opened = opened.filter(is_it);
            let Some(opened) = &program.opened else {
                continue;
            };
            // One program may play under several names.
            let content = kept.entry(program.sha256.clone());
            let content = content.or_insert_with(|| kept_content(opened, &builds, &mut room));
            program.content.clone_from(content);
        }
        self.builds = Some(builds);
        self
    }

    /// The program to start for an engine in whose program's place another lies by now, or nothing: a copy of the
    /// one that the run began with. Another file that is gone, and a program of which no copy can be made, are not
    /// judged here: the start will show what that means.
    ///
    /// # Errors
    /// A file that is not what it was, and of which no copy can be made.
    fn program(&self, engine: u16) -> Result<Option<PathBuf>, PathBuf> {
        let mut program = None;
        for file in self.files_of(engine) {
            let is_replaced = file.is_replaced();
            let is_lost = is_replaced || (file.is_program && file.is_gone());
            if !is_lost {
                continue;
            }
            match self.copy(file) {
                None if is_replaced => return Err(file.path.clone()),
                copy => program = copy.or(program),
            }
        }
        Ok(program)
    }

    /// The event with these programs, for a run that continues another.
    ///
    /// # Errors
    /// The engine and its file that is not what it was, and of which no copy can be made.
    pub(crate) fn begun_with(
        &self,
        tournament: &Arc<Tournament>,
    ) -> Result<Arc<Tournament>, (String, PathBuf)> {
        let mut begun = Arc::clone(tournament);
        for (engine, spec) in (0..).zip(&tournament.engines) {
            let program = self.program(engine);
            let program = program.map_err(|path| (spec.name.clone(), path))?;
            let Some(program) = program else { continue };
            let mine = &mut Arc::make_mut(&mut begun).engines[usize::from(engine)];
            if let Launch::Program { path, .. } = &mut mine.launch {
                *path = program;
            }
        }
        Ok(begun)
    }

    /// The program to start, without holding up the thread: a file may lie on a disk that does not answer.
    ///
    /// # Errors
    /// The files could not be read within [`READ_TIMEOUT`].
    pub(crate) async fn program_meanwhile(
        self: &Arc<Self>,
        engine: u16,
    ) -> io::Result<Result<Option<PathBuf>, PathBuf>> {
        let originals = Arc::clone(self);
        let look = move || originals.program(engine);
        Ok(timeout(READ_TIMEOUT, spawn_blocking(look)).await??)
    }

    fn copy(&self, file: &Original) -> Option<PathBuf> {
        let place = self.builds.as_ref()?.join(file.sha256.get(..16)?);
        let place = place.join(file.path.file_name()?);
        let mut copies = lock(&self.copies);
        let known = files::known(&place).ok();
        if known.is_some() && copies.get(&place) == known.as_ref() {
            return Some(place);
        }
        let opened = file.opened.as_ref()?;
        if let Err(error) = write_copy(opened, file.content.as_deref(), &place) {
            tracing::warn!(%error, path = %place.display(), "a program cannot be copied");
            return None;
        }
        if sha256(&place).ok()? != file.sha256 {
            // It was written over in its place.
            return None;
        }
        tell(&format!(
            "warning: {} is not there any more, or is another program; until its end this run is played by the one \
             that it began with",
            file.path.display()
        ));
        copies.insert(place.clone(), files::known(&place).ok()?);
        Some(place)
    }

    /// All files of this engine that are not what they were.
    pub fn all_replaced(&self, engine: u16) -> impl Iterator<Item = &Path> {
        let replaced = self.files_of(engine).filter(|file| file.is_replaced());
        replaced.map(|file| file.path.as_path())
    }

    /// The files that this engine began with and that are there no more, its program first.
    pub(crate) fn gone(&self, engine: u16) -> impl Iterator<Item = &Path> {
        let known = self.files_of(engine).filter(|file| file.seen.is_some());
        let gone = known.filter(|file| file.is_gone());
        gone.map(|file| file.path.as_path())
    }

    /// The same for a file that is not its program, a copy of which may have been started.
    pub(crate) fn gone_beside_its_program(&self, engine: u16) -> Option<&Path> {
        let mut others = self.files_of(engine).filter(|file| !file.is_program);
        let gone = others.find(|file| file.seen.is_some() && file.is_gone())?;
        Some(&gone.path)
    }

    /// This file changes by nature: it may.
    pub(crate) fn forget(&mut self, path: &Path) {
        let all = self.files.iter_mut();
        all.for_each(|files| files.retain(|file| file.path != path));
    }

    /// The files of this engine where it may write, as they are now.
    pub(crate) fn marks(&self, engine: u16) -> Marks {
        let exposed = self.files_of(engine).filter(|file| file.exposed);
        Marks(exposed.map(|file| files::known(&file.path).ok()).collect())
    }

    /// A process of this engine has ended by itself, before which its files were so.
    pub(crate) fn ended_by_itself(&self, engine: u16, before: &Marks) {
        if self.marks(engine) != *before {
            tracing::warn!(
                engine,
                "an engine ended whose files had changed while it lived"
            );
            lock(&self.suspects).insert(engine);
        }
    }

    /// Whether this engine, which cannot be started, has done that itself.
    pub(crate) fn blame(&self, engine: u16) -> StartBlame {
        let mut exposed = self.files_of(engine).filter(|file| file.exposed);
        if !exposed.any(|file| file.is_gone() || file.is_replaced()) {
            return StartBlame::None;
        }
        if lock(&self.suspects).contains(&engine) {
            StartBlame::Certain
        } else {
            StartBlame::Possible
        }
    }

    fn files_of(&self, engine: u16) -> impl Iterator<Item = &Original> {
        self.files.get(usize::from(engine)).into_iter().flatten()
    }
}

/// Whether an engine may change or delete this file: anything without a sandbox, in one only what
/// lies where it lets write.
fn is_exposed(path: &Path, confinement: &Confinement) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let file = real(path);
    let mut kept = confinement.kept();
    confinement.sandbox == Sandbox::Off || kept.any(|folder| file.starts_with(real(folder)))
}

impl Original {
    fn is_gone(&self) -> bool {
        files::known(&self.path).is_err()
    }

    /// A file is read again only if it was touched and its length is unchanged: with the same content it counts
    /// as the same file. A file that is there but cannot be read any more counts as another.
    fn is_replaced(&self) -> bool {
        let Ok(now) = files::known(&self.path) else {
            return false;
        };
        if self.seen == Some(now) {
            return false;
        }
        if self.seen.is_some_and(|seen| seen.length != now.length) {
            return true;
        }
        match sha256(&self.path) {
            Ok(digest) => digest != self.sha256,
            Err(failed) => failed.error.kind() != io::ErrorKind::NotFound,
        }
    }
}

/// What is in a program, if there is room for it: a copy without a name, which is gone with this program. Where the file
/// system can, it shares its blocks with the program.
fn kept_content(opened: &File, builds: &Path, room: &mut u64) -> Option<Arc<File>> {
    *room = room.checked_sub(opened.metadata().ok()?.len())?;
    let unkept = |error: &_| tracing::warn!(%error, "what is in a program cannot be kept");
    let kept = copy_without_name(opened, builds).inspect_err(unkept);
    kept.ok().map(Arc::new)
}

fn copy_without_name(opened: &File, folder: &Path) -> io::Result<File> {
    make_folder_untrusted(folder)?;
    let place = folder.join(format!("{}.new", std::process::id()));
    let mut options = OpenOptions::new();
    let copy = options.read(true).write(true).create_new(true).open(&place);
    let removed = fs::remove_file(&place);
    // Programs may lie in it that a former run has put there.
    let _not_empty = fs::remove_dir(folder);
    let mut copy = copy?;
    removed?;
    copy_whole(opened, &mut copy)?;
    Ok(copy)
}

/// From file to file the kernel copies, or shares the blocks.
fn copy_whole(mut opened: &File, copy: &mut File) -> io::Result<()> {
    opened.rewind()?;
    let length = opened.metadata()?.len();
    io::copy(&mut opened.take(length), copy).map(drop)
}

/// Writes a program, as it was if that is known, to this place, where it can be run.
fn write_copy(opened: &File, content: Option<&File>, place: &Path) -> io::Result<()> {
    let folder = place.parent().unwrap_or(place);
    // The first is the one for all programs.
    for folder in [folder.parent().unwrap_or(folder), folder] {
        make_folder_untrusted(folder)?;
    }
    let new = place.with_extension("new");
    // Of a run that was killed here.
    let _left = fs::remove_file(&new);
    let mut copy = File::create_new(&new)?;
    copy_whole(content.unwrap_or(opened), &mut copy)?;
    copy.set_permissions(opened.metadata()?.permissions())?;
    drop(copy);
    rename(&new, place)
}

#[cfg(test)]
mod tests;
