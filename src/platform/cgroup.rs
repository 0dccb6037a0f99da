//! A cgroup (version 2) for each engine that a launcher starts, if the system has them and this user may make one. The kernel then limits the
//! memory and the number of processes of everything that the engine has started. It stops and ends all of it as one,
//! including processes that have made themselves independent.
//!
//! A cgroup has limits only if its parent hands them on, and a parent with processes in it does not. So if the runner's
//! cgroup contains only the runner and its own processes (as in `systemd-run --user --scope -p Delegate=yes`), they
//! move into a cgroup below it. Everything else works without cgroups.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::{fs, io};

use super::proc;

/// Prefix of the names of all cgroups that are made here; the runner's number follows.
const PREFIX: &str = "arbiter960-";

/// The cgroup into which a runner moves itself.
const RUNNER: &str = "runner";

/// The controllers that are needed from the kernel.
const CONTROLLERS: [&str; 2] = ["memory", "pids"];

/// The cgroup in which this run makes the others. All clones share it; it is removed with the last.
#[derive(Debug, Clone)]
pub(crate) struct Cgroups(Arc<Folder>);

/// The cgroup of one engine. Dropping it ends whatever is left in it.
#[derive(Debug)]
pub(crate) struct Cgroup {
    folder: Folder,
    /// Keeps the parent cgroup.
    _above: Cgroups,
}

/// A cgroup that is removed when it is dropped.
#[derive(Debug)]
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        // Processes that are ending keep it for a moment; the next run removes what is left.
        let _ = fs::remove_dir(&self.0);
    }
}

impl Cgroups {
    /// Makes a cgroup for this run, and ends and removes those of runs that were killed.
    ///
    /// # Errors
    /// There is no hierarchy of version 2, or this user may not make one in it; other systems have none.
    pub(crate) fn new() -> io::Result<Cgroups> {
        static OWN: OnceLock<Option<PathBuf>> = OnceLock::new();
        let own = OWN.get_or_init(own_folder).as_ref();
        let own = own.ok_or_else(|| io::Error::other("no cgroups of version 2"))?;
        remove_left_over(own);
        Cgroups::below(own)
    }

    /// Makes the cgroup of this run below this folder.
    fn below(own: &Path) -> io::Result<Cgroups> {
        static RUNS: AtomicU64 = AtomicU64::new(0);
        let (process, run) = (std::process::id(), RUNS.fetch_add(1, Ordering::Relaxed));
        let folder = own.join(format!("{PREFIX}{process}-{run}"));
        fs::create_dir(&folder)?;
        let folder = Folder(folder);
        if hand_on(own).is_err() && moved_aside(own) {
            // A controller that is not available is not enforced; [`Cgroups::controllers`] shows that.
            let _ = hand_on(own);
        }
        let _ = hand_on(&folder.0);
        Ok(Cgroups(Arc::new(folder)))
    }

    /// The controllers that are available here.
    pub(crate) fn controllers(&self) -> Vec<&'static str> {
        named_in(&self.0.0.join("cgroup.subtree_control"))
    }

    /// A cgroup for an engine that may use this number of MiB and of processes and threads.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn engine(&self, memory_mib: Option<u32>, tasks: Option<u32>) -> io::Result<Cgroup> {
        static ENGINES: AtomicU64 = AtomicU64::new(0);
        let number = ENGINES.fetch_add(1, Ordering::Relaxed);
        let folder = self.0.0.join(format!("engine-{number}"));
        fs::create_dir(&folder)?;
        let cgroup = Cgroup {
            folder: Folder(folder),
            _above: self.clone(),
        };
        let controllers = self.controllers();
        if let Some(mib) = memory_mib.filter(|_| controllers.contains(&"memory")) {
            cgroup.write("memory.max", &(u64::from(mib) << 20).to_string())?;
            // Otherwise an engine above its limit would only become slow.
            let _ = cgroup.write("memory.swap.max", "0");
            let _ = cgroup.write("memory.oom.group", "1");
        }
        if let Some(tasks) = tasks.filter(|_| controllers.contains(&"pids")) {
            cgroup.write("pids.max", &tasks.to_string())?;
        }
        Ok(cgroup)
    }
}

impl Cgroup {
    /// The file that a process writes 0 to in order to join.
    pub(crate) fn entrance(&self) -> PathBuf {
        self.folder.0.join("cgroup.procs")
    }

    /// Whether anybody is in it.
    pub(crate) fn is_used(&self) -> bool {
        let processes = fs::read_to_string(self.entrance());
        processes.is_ok_and(|processes| !processes.is_empty())
    }

    /// Stops all processes of the cgroup, or continues them; returns whether that succeeded.
    pub(crate) fn freeze(&self, frozen: bool) -> bool {
        let frozen = if frozen { "1" } else { "0" };
        self.write("cgroup.freeze", frozen).is_ok()
    }

    /// Ends all processes of the cgroup.
    pub(crate) fn kill(&self) {
        // Linux before 5.14 lacks this file: then the engine is ended as without a cgroup.
        let _ = self.write("cgroup.kill", "1");
    }

    /// The most memory that the cgroup has used, in bytes, if the kernel has ended processes for that.
    pub(crate) fn memory_exceeded(&self) -> Option<u64> {
        let events = fs::read_to_string(self.folder.0.join("memory.events")).ok()?;
        let killed = events.lines().any(|line| {
            let count = line.strip_prefix("oom_kill ");
            count.is_some_and(|count| count.trim() != "0")
        });
        let peak = || fs::read_to_string(self.folder.0.join("memory.peak"));
        killed.then(|| peak().map_or(0, |peak| peak.trim().parse().unwrap_or(0)))
    }

    fn write(&self, file: &str, text: &str) -> io::Result<()> {
        fs::write(self.folder.0.join(file), text)
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Hands the limits of this cgroup on to those below it. A controller that is still in a hierarchy of version 1 is
/// missing here; the kernel would refuse a list that contains it, and with it all others.
fn hand_on(folder: &Path) -> io::Result<()> {
    let wanted = named_in(&folder.join("cgroup.controllers")).into_iter();
    let wanted: Vec<String> = wanted.map(|name| format!("+{name}")).collect();
    if wanted.is_empty() {
        Ok(())
    } else {
        fs::write(folder.join("cgroup.subtree_control"), wanted.join(" "))
    }
}

/// The controllers in use that a file names.
fn named_in(file: &Path) -> Vec<&'static str> {
    let there = fs::read_to_string(file).unwrap_or_default();
    let mut wanted = CONTROLLERS.to_vec();
    wanted.retain(|name| there.split_whitespace().any(|word| word == *name));
    wanted
}

/// Moves the runner and its own processes out of its cgroup, if no others are in it.
fn moved_aside(own: &Path) -> bool {
    let me = std::process::id().to_string();
    let members = fs::read_to_string(own.join("cgroup.procs")).unwrap_or_default();
    let alone = !members.is_empty() && members.lines().all(|process| process == me);
    let aside = own.join(format!("{PREFIX}{me}-{RUNNER}"));
    alone && fs::create_dir(&aside).is_ok() && fs::write(aside.join("cgroup.procs"), "0").is_ok()
}

/// The folder of this process's cgroup of version 2.
fn own_folder() -> Option<PathBuf> {
    let mut mounts = proc::mounts().into_iter();
    let hierarchy = mounts.find(|mount| mount.kind == "cgroup2")?;
    let own = proc::cgroup(std::process::id().cast_signed())?;
    // The mount may show only a part of the hierarchy.
    let below = Path::new(&own).strip_prefix(hierarchy.root).ok()?;
    Some(hierarchy.point.join(below))
}

/// Ends and removes the cgroups of runners that no longer live.
fn remove_left_over(own: &Path) {
    let entries = fs::read_dir(own).into_iter().flatten().flatten();
    for folder in entries.map(|entry| entry.path()) {
        let name = folder.file_name().and_then(|name| name.to_str());
        let runner = name.and_then(|name| name.strip_prefix(PREFIX)?.split('-').next());
        let Some(runner) = runner else {
            continue;
        };
        if !Path::new("/proc").join(runner).exists() {
            let _ = fs::write(folder.join("cgroup.kill"), "1");
            let inner = fs::read_dir(&folder).into_iter().flatten().flatten();
            for engine in inner.filter(|entry| entry.path().is_dir()) {
                let _ = fs::remove_dir(engine.path());
            }
            let _ = fs::remove_dir(&folder);
        }
    }
}

#[cfg(all(target_os = "linux", not(feature = "portable")))]
#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// A folder with the same files as one of the kernel's.
    #[test]
    fn limits_are_written_where_they_are_handed_on() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("cgroup.controllers"), "memory pids\n").unwrap();
        let cgroups = Cgroups::below(folder.path()).unwrap();
        let handed_on = fs::read_to_string(folder.path().join("cgroup.subtree_control"));
        assert_eq!(handed_on.unwrap(), "+memory +pids");
        let own = &cgroups.0.0;
        fs::write(own.join("cgroup.subtree_control"), "pids memory\n").unwrap();
        let engine = cgroups.engine(Some(64), Some(16)).unwrap();
        let read = |file: &str| fs::read_to_string(engine.folder.0.join(file)).unwrap();
        assert_eq!(
            (read("memory.max"), read("pids.max")),
            ("67108864".into(), "16".into())
        );
        assert_eq!(read("memory.oom.group"), "1");
        assert_eq!(engine.memory_exceeded(), None);
        let write = |file: &str, text: &str| fs::write(engine.folder.0.join(file), text).unwrap();
        write("memory.events", "max 3\noom_kill 0\n");
        assert_eq!(engine.memory_exceeded(), None);
        write("memory.events", "max 3\noom_kill 2\noom_group_kill 1\n");
        write("memory.peak", "67108864\n");
        assert_eq!(engine.memory_exceeded(), Some(64 << 20));
        fs::write(own.join("cgroup.subtree_control"), "").unwrap();
        let engine = cgroups.engine(Some(64), Some(16)).unwrap();
        assert!(!engine.folder.0.join("memory.max").exists());
    }

    #[test]
    fn only_limits_that_are_there_are_handed_on() {
        let folder = tempfile::tempdir().unwrap();
        let handed_on = |there: &str| {
            let file = folder.path().join("cgroup.subtree_control");
            let _none = fs::remove_file(&file);
            fs::write(folder.path().join("cgroup.controllers"), there).unwrap();
            hand_on(folder.path()).unwrap();
            fs::read_to_string(file).unwrap_or_default()
        };
        assert_eq!(handed_on("cpu memory pids\n"), "+memory +pids");
        assert_eq!(handed_on("hugetlb pids\n"), "+pids");
        assert_eq!(handed_on("hugetlb\n"), "");
    }

    #[test]
    fn who_is_in_a_cgroup_is_ended_with_it() {
        let Ok(cgroups) = Cgroups::new() else {
            return eprintln!("skipped: this user may make no cgroup");
        };
        let engine = cgroups.engine(None, None).unwrap();
        let mut child = Command::new("sleep").arg("600").spawn().unwrap();
        let joined = fs::write(engine.entrance(), child.id().to_string());
        let used = engine.is_used();
        let stopped = engine.freeze(true) && engine.freeze(false);
        drop(engine);
        if joined.is_err() {
            child.kill().unwrap();
        }
        child.wait().unwrap();
        assert!(joined.is_ok() && used && stopped);
    }
}
