//! What a launcher sets of itself by POSIX before it becomes an engine.

use rustix::process::{Resource, Rlimit, setpriority_process, setrlimit};

use crate::platform::orders::LaunchError;

/// # Errors
/// The system refuses it.
pub(in crate::platform) fn set_niceness(nice: Option<i8>) -> Result<(), LaunchError> {
    let Some(nice) = nice else {
        return Ok(());
    };
    setpriority_process(None, i32::from(nice)).map_err(|error| {
        let why = format!("{error}; a lower niceness than the runner's is root's to give");
        LaunchError::new(format!("cannot set nice = {nice}"), why)
    })
}

/// # Errors
/// The system refuses it.
pub(in crate::platform) fn set_file_size(mib: Option<u32>) -> Result<(), LaunchError> {
    mib.map_or(Ok(()), |mib| {
        limit(Resource::Fsize, u64::from(mib) << 20, "the size of files")
    })
}

/// # Errors
/// The system refuses it.
pub(in crate::platform) fn limit(
    resource: Resource,
    most: u64,
    what: &str,
) -> Result<(), LaunchError> {
    let limit = Rlimit {
        current: Some(most),
        maximum: Some(most),
    };
    setrlimit(resource, limit)
        .map_err(|error| LaunchError::new(format!("cannot limit {what}"), error))
}
