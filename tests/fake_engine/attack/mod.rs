//! The attacks of a hostile engine, some hundred, one after the other. The result of each is a separate line, `info
//! string attack NAME open` or `info string attack NAME refused ERRNO`. `attacks.txt` contains the expected results.
//!
//! | file | what is attacked |
//! |---|---|
//! | `system` | the system calls |
//! | `processes` | other processes, their limits, priorities and memory |
//! | `files` | the user's files |
//! | `shared` | sockets, System V objects, keyrings, watches |
//! | `machine` | mounts, namespaces, clocks, rights, and what was inherited |

mod files;
mod machine;
mod processes;
mod shared;
pub(crate) mod system;

use std::io;

use crate::dialogue::say;
use crate::script::Script;

/// What is attacked: `WHAT=VALUE` lines.
const TARGETS: &str = "LC_FAKE_ATTACK";

/// One attempt: its name, and the attempt itself.
type Attempt<'t> = (&'static str, Box<dyn FnOnce() -> io::Result<()> + 't>);

/// What there is to attack.
struct Targets {
    /// A process of the same user.
    victim: i32,
    /// A folder of the same user, with a file `secret` and a socket `socket`.
    folder: String,
    /// The name of an abstract socket.
    name: String,
    /// The number of the user who runs the runner.
    user: i64,
}

impl Targets {
    fn read() -> Targets {
        let text = std::env::var(TARGETS).expect("targets");
        let value = |name: &str| {
            let lines = text.lines().filter_map(|line| line.split_once('='));
            let mut values = lines.filter(|(other, _)| *other == name);
            values.next().expect("a target").1.to_owned()
        };
        Targets {
            victim: value("victim").parse().expect("a number"),
            folder: value("folder"),
            name: value("name"),
            user: value("user").parse().expect("a number"),
        }
    }

    fn path(&self, name: &str) -> String {
        format!("{}/{name}", self.folder)
    }
}

/// Tries everything.
pub(crate) fn attack(script: &Script) {
    let targets = Targets::read();
    let attempts = processes::attempts(&targets)
        .into_iter()
        .chain(files::attempts(&targets))
        .chain(shared::attempts(&targets))
        .chain(machine::attempts(&targets));
    for (name, attempt) in attempts {
        let outcome = match attempt() {
            Ok(()) => "open".to_owned(),
            Err(error) => format!("refused {}", error.raw_os_error().unwrap_or(0)),
        };
        say(script, &format!("info string attack {name} {outcome}"));
    }
}

/// An error without a number of the system's.
fn refused(why: &str) -> io::Error {
    io::Error::other(why.to_owned())
}
