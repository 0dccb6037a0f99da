//! What the launcher could enforce on this machine, in words.

use serde::{Deserialize, Serialize};

/// The walls that were built.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Enforced {
    /// The version of Landlock; 0 without it.
    pub landlock: u32,
    /// Why the engine has no namespaces for itself; `None` if it has.
    pub namespaces: Option<String>,
    /// Why the file system is not read-only for the engine; `None` if it is.
    pub mounts: Option<String>,
    /// Why the engine has the runner's user; `None` if it has one of its own.
    #[serde(default)]
    pub user: Option<String>,
    /// Whether what the engine may not use has no name for it.
    #[serde(default)]
    pub own_root: bool,
    /// Whether `/proc` shows only the engine's own processes.
    pub own_proc: bool,
    /// Why the engine keeps root's rights; `None` if it runs without them.
    pub root_rights: Option<String>,
    /// Why no system call is refused; `None` if the sandbox refuses its list of calls.
    pub system_calls: Option<String>,
    /// Whether the namespace itself has no room for thousands of processes, even if they are root's.
    pub bounds_root: bool,
    /// Whether the kernel refuses processes above the limit.
    pub counts_processes: bool,
    /// There are no walls on this system that the program can build.
    #[serde(default)]
    pub nothing: bool,
}

/// Landlock's version from which a file that may not be written cannot be truncated.
const TRUNCATION: u32 = 3;
/// The version from which TCP is refused.
const TCP: u32 = 4;
/// The version from which signals to processes outside, and abstract UNIX sockets, are refused.
const SIGNALS: u32 = 6;

impl Enforced {
    /// The result on a system without walls.
    pub fn nothing() -> Enforced {
        let none = || Some("not on this system".to_owned());
        Enforced {
            namespaces: none(),
            mounts: none(),
            user: none(),
            root_rights: none(),
            system_calls: none(),
            nothing: true,
            ..Enforced::default()
        }
    }

    /// What a sandbox prevents, one line each.
    pub fn walls(&self) -> Vec<String> {
        let (own, seccomp) = (self.namespaces.is_none(), self.system_calls.is_none());
        let (landlock, read_only) = (format!("Landlock {}", self.landlock), self.mounts.is_none());
        let files = "files: only what the event file opens";
        let modes = "files: no change of mode, owner, times and attributes";
        let network = "network: none";
        let others = "other processes: out of reach";
        let number = "processes: no more than allowed, at once";
        // What each wall holds off, whether it was built, and its name.
        let walls = [
            (files, self.landlock > 0, &*landlock),
            (files, self.own_root, "a root of its own"),
            (files, self.user.is_none(), "a user of its own"),
            (modes, read_only, "read-only mounts of its own"),
            (
                modes,
                !read_only && seccomp,
                "seccomp, in its own folder too",
            ),
            (network, seccomp, "no sockets by seccomp"),
            (network, own, "a network namespace without devices"),
            (network, self.landlock >= TCP, "no TCP by Landlock"),
            (others, own, "a process namespace, which ends with it"),
            (others, self.own_proc, "a /proc of its own"),
            (others, self.landlock >= SIGNALS, "no signals by Landlock"),
            (others, seccomp, "no limits, priorities, memory by seccomp"),
            (number, self.counts_processes, "RLIMIT_NPROC"),
            (
                number,
                self.bounds_root,
                "the numbers of its namespace, for root too",
            ),
        ];
        let built = walls.into_iter().filter(|(_, is_built, _)| *is_built);
        let built: Vec<_> = built.collect();
        let line = |walls: &[(&str, bool, &str)]| {
            let names: Vec<&str> = walls.iter().map(|(_, _, name)| *name).collect();
            format!("{} ({})", walls[0].0, names.join(", "))
        };
        let of_walls = built.chunk_by(|one, other| one.0 == other.0);
        of_walls.map(line).collect()
    }

    /// What a sandbox cannot prevent on this machine, one line each.
    pub fn gaps(&self) -> Vec<String> {
        if self.nothing {
            return vec!["anything (on this system the program can build no walls)".to_owned()];
        }
        let own = self.namespaces.is_none();
        let files = match self.landlock {
            0 => Some("files: all that the runner may read and write (no Landlock)"),
            1..TRUNCATION => {
                Some("files that may not be written can be truncated (Landlock below 3)")
            }
            _ => None,
        };
        let words = |words: &str| words.to_owned();
        let system_calls = self.system_calls.as_ref();
        let sockets = match self.landlock >= TCP {
            _ if own => "UNIX sockets stay open",
            true => "UDP and UNIX sockets stay open",
            false => "the network stays open",
        };
        let limits = "limits and priorities of the user's other processes, System V objects (neither \
                      namespaces nor seccomp)";
        let modes = "mode, times and attributes of the user's files (neither mounts nor seccomp)";
        let signals = "signals to the user's other processes (no namespaces, and Landlock below 6, Linux 6.12)";
        let processes = "more processes than allowed, until they are counted, four times a second (neither \
                         RLIMIT_NPROC, which does not bind root, nor a namespace of Linux 6.14)";
        let root = "names, sizes and dates of all files (no root of its own)";
        let gaps = [
            files.map(words),
            (!self.own_root).then(|| words(root)),
            system_calls.map(|why| format!("{sockets} (no seccomp: {why})")),
            system_calls.filter(|_| !own).map(|_| words(limits)),
            system_calls.and(self.mounts.as_ref()).map(|_| words(modes)),
            (self.landlock < SIGNALS && !own).then(|| words(signals)),
            self.namespaces.as_ref().map(|why| {
                format!(
                    "processes that it starts may outlive it if the runner and its guardian are \
                     killed together (no namespaces: {why})"
                )
            }),
            (!self.counts_processes && !self.bounds_root).then(|| words(processes)),
            self.user.as_ref().map(|why| {
                format!(
                    "what the kernel lets a user do with its own processes and files, as far as the other walls \
                     leave it (it has the runner's user: {why})"
                )
            }),
            self.root_rights.as_ref().map(|why| format!("root's rights ({why})")),
        ];
        gaps.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_with_everything_leaves_no_gap() {
        let all = Enforced {
            landlock: 7,
            own_root: true,
            own_proc: true,
            bounds_root: true,
            counts_processes: true,
            ..Enforced::default()
        };
        assert_eq!(all.gaps(), Vec::<String>::new());
        let walls = all.walls().join("\n");
        assert_eq!(walls.lines().count(), 5);
        for words in ["a /proc of its own", "RLIMIT_NPROC", "for root too"] {
            assert!(walls.contains(words), "{walls}");
        }
    }

    #[test]
    fn what_is_missing_is_named() {
        let none = Enforced {
            landlock: 0,
            namespaces: Some("EPERM".to_owned()),
            mounts: Some("EPERM".to_owned()),
            system_calls: Some("ENOSYS".to_owned()),
            user: Some("only root".to_owned()),
            ..Enforced::default()
        };
        assert_eq!(none.walls(), Vec::<String>::new());
        let gaps = none.gaps().join("\n");
        for words in [
            "no Landlock",
            "the network stays open",
            "signals",
            "mode, times",
            "outlive",
            "until they are counted",
            "the runner's user: only root",
        ] {
            assert!(gaps.contains(words), "{gaps}");
        }
        let old = Enforced {
            landlock: 2,
            ..Enforced::default()
        };
        assert!(old.gaps()[0].contains("truncated"));
    }
}
