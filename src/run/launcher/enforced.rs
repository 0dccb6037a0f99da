//! What the launcher could enforce on this machine, in words.

use serde::{Deserialize, Serialize};

/// The walls that stand.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Enforced {
    /// The version of Landlock; 0 without it.
    pub landlock: u32,
    /// Why there are no namespaces of the engine's own; `None` if there are.
    pub namespaces: Option<String>,
    /// Why sockets are not forbidden; `None` if they are.
    pub system_calls: Option<String>,
    /// Whether the kernel refuses a process too many.
    pub counts_processes: bool,
}

/// Landlock's version from which a file that may not be written cannot be truncated.
const TRUNCATION: u32 = 3;
/// From which TCP is refused.
const TCP: u32 = 4;
/// From which signals to processes outside are refused.
const SIGNALS: u32 = 6;

impl Enforced {
    /// What a sandbox holds off, a line each.
    pub fn walls(&self) -> Vec<String> {
        let mut network = Vec::new();
        network.extend(
            self.system_calls
                .is_none()
                .then_some("no sockets (seccomp)"),
        );
        let own = self.namespaces.is_none();
        network.extend(own.then_some("a network namespace without devices"));
        network.extend((self.landlock >= TCP).then_some("no TCP (Landlock)"));
        let mut walls = Vec::new();
        if self.landlock > 0 {
            let version = self.landlock;
            walls.push(format!(
                "files: only what the event file opens (Landlock {version})"
            ));
        }
        if !network.is_empty() {
            walls.push(format!("network: {}", network.join(", ")));
        }
        if self.landlock >= SIGNALS {
            walls.push("signals: only to its own processes (Landlock)".to_owned());
        }
        walls
    }

    /// What a sandbox cannot hold off on this machine, a line each.
    pub fn gaps(&self) -> Vec<String> {
        let mut gaps = Vec::new();
        if self.landlock == 0 {
            gaps.push("files: all that the runner may read and write (no Landlock)".to_owned());
        } else if self.landlock < TRUNCATION {
            gaps.push(
                "files that may not be written can be truncated (Landlock below 3)".to_owned(),
            );
        }
        if let Some(why) = &self.system_calls {
            let rest = match (&self.namespaces, self.landlock >= TCP) {
                (None, _) => "UNIX sockets stay open",
                (Some(_), true) => "UDP and UNIX sockets stay open",
                (Some(_), false) => "the network stays open",
            };
            gaps.push(format!("{rest} (no seccomp: {why})"));
        }
        if self.landlock < SIGNALS {
            let needed = "Landlock below 6, Linux 6.12";
            gaps.push(format!("signals to the user's other processes ({needed})"));
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
            ..Enforced::default()
        };
        assert_eq!(all.gaps(), Vec::<String>::new());
        assert_eq!(all.walls().len(), 3);
    }

    #[test]
    fn what_is_missing_is_named() {
        let none = Enforced {
            landlock: 0,
            namespaces: Some("EPERM".to_owned()),
            system_calls: Some("ENOSYS".to_owned()),
            counts_processes: false,
        };
        assert_eq!(none.walls(), Vec::<String>::new());
        let gaps = none.gaps().join("\n");
        for words in ["no Landlock", "the network stays open", "signals"] {
            assert!(gaps.contains(words), "{gaps}");
        }
        let old = Enforced {
            landlock: 2,
            ..Enforced::default()
        };
        assert!(old.gaps()[0].contains("truncated"));
    }
}
