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
        [
            self.files(),
            self.metadata(),
            self.network(),
            self.processes(),
            self.number_of_processes(),
        ]
        .into_iter()
        .filter(|(_, by)| !by.is_empty())
        .map(|(what, by)| format!("{what} ({})", by.join(", ")))
        .collect()
    }

    fn files(&self) -> (&'static str, Vec<String>) {
        let version = (self.landlock > 0).then(|| format!("Landlock {}", self.landlock));
        let root = self.own_root.then(|| "a root of its own".to_owned());
        let user = self.user.is_none().then(|| "a user of its own".to_owned());
        (
            "files: only what the event file opens",
            version.into_iter().chain(root).chain(user).collect(),
        )
    }

    fn metadata(&self) -> (&'static str, Vec<String>) {
        let by = match (self.mounts.is_none(), self.system_calls.is_none()) {
            (true, _) => Some("read-only mounts of its own"),
            (false, true) => Some("seccomp, in its own folder too"),
            (false, false) => None,
        };
        let what = "files: no change of mode, owner, times and attributes";
        (what, by.into_iter().map(str::to_owned).collect())
    }

    fn network(&self) -> (&'static str, Vec<String>) {
        let own = self.namespaces.is_none();
        let by = [
            self.system_calls
                .is_none()
                .then_some("no sockets by seccomp"),
            own.then_some("a network namespace without devices"),
            (self.landlock >= TCP).then_some("no TCP by Landlock"),
        ];
        (
            "network: none",
            by.into_iter().flatten().map(str::to_owned).collect(),
        )
    }

    fn processes(&self) -> (&'static str, Vec<String>) {
        let by = [
            self.namespaces
                .is_none()
                .then_some("a process namespace, which ends with it"),
            self.own_proc.then_some("a /proc of its own"),
            (self.landlock >= SIGNALS).then_some("no signals by Landlock"),
            self.system_calls
                .is_none()
                .then_some("no limits, priorities, memory by seccomp"),
        ];
        let by = by.into_iter().flatten().map(str::to_owned).collect();
        ("other processes: out of reach", by)
    }

    fn number_of_processes(&self) -> (&'static str, Vec<String>) {
        let by = [
            self.counts_processes.then_some("RLIMIT_NPROC"),
            self.bounds_root
                .then_some("the numbers of its namespace, for root too"),
        ];
        let by = by.into_iter().flatten().map(str::to_owned).collect();
        ("processes: no more than allowed, at once", by)
    }

    /// What a sandbox cannot prevent on this machine, one line each.
    pub fn gaps(&self) -> Vec<String> {
        if self.nothing {
            return vec!["anything (on this system the program can build no walls)".to_owned()];
        }
        let mut gaps = Vec::new();
        if self.landlock == 0 {
            gaps.push("files: all that the runner may read and write (no Landlock)".to_owned());
        } else if self.landlock < TRUNCATION {
            gaps.push(
                "files that may not be written can be truncated (Landlock below 3)".to_owned(),
            );
        }
        if !self.own_root {
            gaps.push("names, sizes and dates of all files (no root of its own)".to_owned());
        }
        gaps.extend(self.without_seccomp());
        let own = self.namespaces.is_none();
        if self.landlock < SIGNALS && !own {
            let needed = "no namespaces, and Landlock below 6, Linux 6.12";
            gaps.push(format!("signals to the user's other processes ({needed})"));
        }
        if let Some(why) = &self.namespaces {
            gaps.push(format!(
                "processes that it starts may outlive it if the runner and its guardian are \
                 killed together (no namespaces: {why})"
            ));
        }
        if !self.counts_processes && !self.bounds_root {
            gaps.push(
                "more processes than allowed, until they are counted, four times a second (neither \
                 RLIMIT_NPROC, which does not bind root, nor a namespace of Linux 6.14)"
                    .to_owned(),
            );
        }
        if let Some(why) = &self.user {
            gaps.push(format!(
                "what the kernel lets a user do with its own processes and files, as far as the other walls leave it \
                 (it has the runner's user: {why})"
            ));
        }
        if let Some(why) = &self.root_rights {
            gaps.push(format!("root's rights ({why})"));
        }
        gaps
    }

    /// What stays possible if no system call is refused.
    fn without_seccomp(&self) -> Vec<String> {
        let Some(why) = &self.system_calls else {
            return Vec::new();
        };
        let rest = match (&self.namespaces, self.landlock >= TCP) {
            (None, _) => "UNIX sockets stay open",
            (Some(_), true) => "UDP and UNIX sockets stay open",
            (Some(_), false) => "the network stays open",
        };
        let mut gaps = vec![format!("{rest} (no seccomp: {why})")];
        if self.namespaces.is_some() {
            gaps.push(
                "limits and priorities of the user's other processes, System V objects (neither \
                 namespaces nor seccomp)"
                    .to_owned(),
            );
        }
        if self.mounts.is_some() {
            gaps.push(
                "mode, times and attributes of the user's files (neither mounts nor seccomp)"
                    .to_owned(),
            );
        }
        gaps
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
