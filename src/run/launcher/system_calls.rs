//! seccomp: an engine has no use for sockets of any kind, so it gets none. Needs no
//! rights and no namespace; holds for UDP, for UNIX sockets and for those of virtual
//! machines as well.

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};

use super::LaunchError;

/// The same calls by the numbers of x32, an older way into the 64-bit kernel.
const X32: i64 = 0x4000_0000;

/// `socket` fails from here on, and so does the interface that could make one without
/// it; why not, if that cannot be had and is not required. A program for another
/// architecture than this one's (32-bit) is ended at its first system call.
pub(super) fn forbid_sockets(required: bool) -> Result<Option<String>, LaunchError> {
    match filter() {
        Ok(()) => Ok(None),
        Err(error) if required => {
            let why = format!("{error}; sandbox = \"best-effort\" goes without what is missing");
            Err(LaunchError::new("cannot forbid sockets by seccomp", why))
        }
        Err(error) => Ok(Some(error)),
    }
}

fn filter() -> Result<(), String> {
    let calls = [libc::SYS_socket, libc::SYS_io_uring_setup];
    let both = calls.into_iter().flat_map(|call| [call, call | X32]);
    // No conditions: whatever the arguments.
    let rules = both.map(|call| (call, Vec::new())).collect();
    let denied = SeccompAction::Errno(libc::EACCES.unsigned_abs());
    let architecture = std::env::consts::ARCH.try_into();
    let architecture =
        architecture.map_err(|error: seccompiler::BackendError| error.to_string())?;
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, denied, architecture);
    let program: Result<BpfProgram, _> = filter.and_then(TryInto::try_into);
    let program = program.map_err(|error| error.to_string())?;
    seccompiler::apply_filter(&program).map_err(|error| error.to_string())
}
