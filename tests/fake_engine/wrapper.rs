//! Runs a program where no namespaces may be made, as in many containers.

use std::collections::BTreeMap;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::{env, io};

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};

/// The first argument that makes this program a wrapper; the rest is the command.
const WORD: &str = "without-namespaces";

/// Becomes the command, if this is a wrapper; why that could not be done.
pub(crate) fn wrapped() -> Option<io::Error> {
    let mut arguments = env::args_os().skip(1);
    if arguments.next()? != WORD {
        return None;
    }
    if let Err(error) = forbid() {
        return Some(error);
    }
    Some(Command::new(arguments.next()?).args(arguments).exec())
}

fn forbid() -> io::Result<()> {
    let calls = BTreeMap::from([(libc::SYS_unshare, Vec::new())]);
    let refused = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let architecture = env::consts::ARCH.try_into().map_err(io::Error::other)?;
    let filter = SeccompFilter::new(calls, SeccompAction::Allow, refused, architecture);
    let program: BpfProgram = filter
        .and_then(TryInto::try_into)
        .map_err(io::Error::other)?;
    seccompiler::apply_filter(&program).map_err(io::Error::other)
}
