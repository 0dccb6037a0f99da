use std::io;

use crate::dialogue::say;
use crate::script::Script;

/// Tells what comes of each attempt, in their order: its name, and what is done.
macro_rules! attempts {
    ($tell:expr; $($name:literal => $attempt:expr,)*) => {
        $($tell($name, super::made(|| $attempt.map(drop)));)*
    };
}

mod files;
mod machine;
mod processes;
mod shared;
pub(crate) mod system;

/// What is attacked: `WHAT=VALUE` lines.
const TARGETS: &str = "LC_FAKE_ATTACK";

/// Prints the result of the attempt of this name.
type Tell<'t> = &'t dyn Fn(&str, io::Result<()>);

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
    let tell = |name: &str, result: io::Result<()>| {
        let outcome = match result {
            Ok(()) => "open".to_owned(),
            Err(error) => format!("refused {}", error.raw_os_error().unwrap_or(0)),
        };
        say(script, &format!("info string attack {name} {outcome}"));
    };
    processes::attempt_all(&targets, &tell);
    files::attempt_all(&targets, &tell);
    shared::attempt_all(&targets, &tell);
    machine::attempt_all(&targets, &tell);
}

fn made(attempt: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    attempt()
}

/// An error without a number of the system's.
fn refused(why: &str) -> io::Error {
    io::Error::other(why.to_owned())
}

/// Nothing, where this is so.
fn only_if(is_so: bool, why_not: &str) -> io::Result<()> {
    is_so.then_some(()).ok_or_else(|| refused(why_not))
}
