//! Other runs on this machine, of whatever user: each leaves a file with the processors that it has
//! taken, locked as long as it lives. Where the folder cannot be used, nobody is seen.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::platform::files::{self, LOCKS};
use crate::platform::orders::token;
use crate::platform::rename;

/// The environment's name for the folder; empty: no files are left, and nobody is seen.
pub(crate) const FOLDER_VARIABLE: &str = "ARBITER960_LOCKS";

/// Whoever chooses processors holds this file, so that no two choose the same.
const REGISTER: &str = "register";

/// How the file of a run begins, and that of one which is being made.
const RUN: &str = "run-";
const NEW: &str = "new-";

/// How long to wait for somebody who is choosing.
const CHOICE_TIMEOUT: Duration = Duration::from_secs(2);

/// The longest file of a run: strangers can write there.
const MAX_FILE_BYTES: u64 = 1 << 16;

/// What a run takes of the machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Taken {
    pub event: String,
    /// The runner.
    pub process: u32,
    /// Threads that think at once.
    pub threads: usize,
    /// Processors that nobody else should use; empty: it runs on any.
    pub cpus: Vec<u16>,
}

/// The file of this run; its end is the end of the claim.
#[derive(Debug)]
pub(crate) struct CpuClaim {
    folder: PathBuf,
    path: PathBuf,
    _locked: File,
}

/// The folder, for as long as processors are chosen.
#[derive(Debug)]
pub(crate) struct Register {
    folder: PathBuf,
    _locked: File,
}

/// The folder of all runs' files; `None` if nobody is to be seen.
pub(crate) fn folder() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os(FOLDER_VARIABLE) {
        return Some(PathBuf::from(named)).filter(|path| !path.as_os_str().is_empty());
    }
    let common = if Path::new(LOCKS).is_dir() {
        PathBuf::from(LOCKS)
    } else {
        std::env::temp_dir()
    };
    Some(common.join("arbiter960"))
}

/// The runs that are alive, in the order of their processes; nobody, if the folder cannot be read.
pub(crate) fn alive(folder: &Path) -> Vec<Taken> {
    others(folder, None)
}

impl Register {
    /// Makes the folder if need be, and waits for another run that is choosing now.
    ///
    /// # Errors
    /// The folder cannot be made or used, or somebody does not come to an end.
    pub(crate) fn open(folder: &Path) -> io::Result<Register> {
        files::make_common_folder(folder)?;
        let path = folder.join(REGISTER);
        let file = match files::open_untrusted(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => made_or_found(&path)?,
            file => file?,
        };
        let begun = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::Error(error)) => return Err(error),
                Err(TryLockError::WouldBlock) if begun.elapsed() > CHOICE_TIMEOUT => {
                    return Err(io::Error::from(io::ErrorKind::TimedOut));
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(CHOICE_TIMEOUT / 100),
            }
        }
        Ok(Register {
            folder: folder.to_owned(),
            _locked: file,
        })
    }

    /// The other runs.
    pub(crate) fn others(&self) -> Vec<Taken> {
        alive(&self.folder)
    }

    /// Leaves word of what this run takes.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn enter(self, taken: &Taken) -> io::Result<CpuClaim> {
        // A process may play several events, and another container may have the same number.
        let name = format!("{}-{}", std::process::id(), token());
        let [making, path] = [NEW, RUN].map(|begin| self.folder.join(format!("{begin}{name}")));
        let mut file = new_file(&making)?;
        // Locked before it has its name: a run that finds it unlocked takes it for the file of a dead run.
        file.lock()?;
        file.write_all(&serde_json::to_vec(taken)?)?;
        rename(&making, &path)?;
        Ok(CpuClaim {
            folder: self.folder,
            path,
            _locked: file,
        })
    }
}

impl CpuClaim {
    /// The other runs that are alive.
    pub(crate) fn others(&self) -> Vec<Taken> {
        others(&self.folder, Some(&self.path))
    }
}

impl Drop for CpuClaim {
    fn drop(&mut self) {
        // A file that stays is unlocked, and removed by the next run.
        let _ = fs::remove_file(&self.path);
    }
}

fn others(folder: &Path, own: Option<&Path>) -> Vec<Taken> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let runs = paths.filter(|path| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with(RUN)) && Some(path.as_path()) != own
    });
    let mut found: Vec<Taken> = runs.filter_map(|path| look(&path)).collect();
    found.sort_by_key(|taken| taken.process);
    found
}

/// What is in the file of a run that is alive; a dead one's is removed.
fn look(path: &Path) -> Option<Taken> {
    let file = files::open_untrusted(path).ok()?;
    if file.try_lock_shared().is_ok() {
        // Another user's stays: it is unlocked, and says nothing.
        let _ = fs::remove_file(path);
        return None;
    }
    let mut text = Vec::new();
    file.take(MAX_FILE_BYTES).read_to_end(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}

fn new_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    let file = options.read(true).write(true).create_new(true).open(path)?;
    files::open_to_all(&file, false)?;
    Ok(file)
}

fn made_or_found(path: &Path) -> io::Result<File> {
    match new_file(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => files::open_untrusted(path),
        file => file,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(event: &str, cpus: &[u16]) -> Taken {
        Taken {
            event: event.to_owned(),
            process: std::process::id(),
            threads: 1,
            cpus: cpus.to_vec(),
        }
    }

    fn enter(folder: &Path, taken: &Taken) -> CpuClaim {
        Register::open(folder).unwrap().enter(taken).unwrap()
    }

    #[test]
    fn runs_see_each_other_while_they_live() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("runs");
        let (one, two) = (taken("one", &[0]), taken("two", &[]));
        let first = enter(&folder, &one);
        assert!(first.others().is_empty());
        let second = enter(&folder, &two);
        assert_eq!(first.others(), [two]);
        assert_eq!(second.others(), std::slice::from_ref(&one));
        drop(second);
        assert!(first.others().is_empty());
        assert_eq!(alive(&folder), [one]);
        drop(first);
        assert!(alive(&folder).is_empty());
    }

    #[test]
    fn only_one_chooses_at_a_time() {
        let outer = tempfile::tempdir().unwrap();
        let held = Register::open(outer.path()).unwrap();
        let waiting = Register::open(outer.path()).unwrap_err();
        assert_eq!(waiting.kind(), io::ErrorKind::TimedOut);
        drop(held);
        Register::open(outer.path()).unwrap();
    }

    #[test]
    fn what_dead_runs_and_strangers_leave_is_no_run() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path();
        let text = serde_json::to_string(&taken("dead", &[1])).unwrap();
        fs::write(folder.join("run-1-0"), &text).unwrap();
        fs::write(folder.join("else"), &text).unwrap();
        files::link(&folder.join("else"), &folder.join("run-2-0")).unwrap();
        fs::create_dir(folder.join("run-3-0")).unwrap();
        let garbage = folder.join("run-4-0");
        fs::write(&garbage, "{\"event\":").unwrap();
        let locked = File::open(&garbage).unwrap();
        locked.lock().unwrap();
        assert!(alive(folder).is_empty());
        assert!(!folder.join("run-1-0").exists(), "a dead run's is removed");
        assert!(garbage.exists());
    }
}
