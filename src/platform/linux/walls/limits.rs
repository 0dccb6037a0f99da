//! Niceness, processors, resource limits.

use rustix::process::{Resource, getuid};
use rustix::thread::{
    CapabilitiesSecureBits, CpuSet, sched_getaffinity, sched_setaffinity,
    set_capabilities_secure_bits,
};

use crate::platform::orders::LaunchError;
use crate::platform::unix::limits::limit;
pub(super) use crate::platform::unix::limits::{set_file_size, set_niceness};

/// Binds this process, and everything it will start, to these processors.
pub(super) fn set_processors(cpus: &[u16]) -> Result<(), LaunchError> {
    if cpus.is_empty() {
        return Ok(());
    }
    let mut set = CpuSet::new();
    cpus.iter().for_each(|cpu| set.set(usize::from(*cpu)));
    let missing = |why: String| {
        let why = format!("{why}: this machine, or this session, has not got all of them");
        LaunchError::new(format!("cannot use the processors {cpus:?}"), why)
    };
    sched_setaffinity(None, &set).map_err(|error| missing(error.to_string()))?;
    // The kernel ignores processors that do not exist as long as one of them does.
    let given = sched_getaffinity(None).map_err(|error| missing(error.to_string()))?;
    if given != set {
        return Err(missing(format!("{} were given", given.count())));
    }
    Ok(())
}

/// Descriptors of a process in a sandbox. Each can hold memory of the kernel that no count of processes shows: the
/// buffers of a socket, a watch.
const DESCRIPTORS: u64 = 256;

/// Few descriptors, which the engine cannot make more, and no core files, so that a crashing engine does not fill a disk.
pub(super) fn limit_files() -> Result<(), LaunchError> {
    limit(Resource::Core, 0, "core files")?;
    limit(Resource::Nofile, DESCRIPTORS, "open files")
}

/// Number of processes that stay with an engine in its namespaces, and count there.
const KEEPERS: u64 = 2;

/// Sets how many processes and threads this user may have; in a separate user namespace, only those of the engine
/// count. Returns whether the limit binds: the kernel never applies it to root.
pub(super) fn set_processes(most: u32) -> Result<bool, LaunchError> {
    limit(Resource::Nproc, u64::from(most) + KEEPERS, "processes")?;
    Ok(!is_root_outside())
}

/// For root without a namespace in which it could be nobody: the programs that it runs get none of root's rights over
/// other users, devices and the machine.
pub(super) fn give_up_roots_rights() -> Result<(), String> {
    if !getuid().is_root() {
        return Ok(());
    }
    let bits = CapabilitiesSecureBits::NO_ROOT | CapabilitiesSecureBits::NO_ROOT_LOCKED;
    set_capabilities_secure_bits(bits).map_err(|error| error.to_string())
}

/// Whether this user is root outside the namespace as well: inside, root is mapped to nobody.
fn is_root_outside() -> bool {
    getuid().is_root() || getuid().as_raw() == super::users::NOBODY
}
