//! What a launcher can set by POSIX before it becomes an engine: niceness and the size of files.

use rustix::process::{Resource, Rlimit, setpriority_process, setrlimit};

use crate::platform::absent::walls::refuse;
pub(crate) use crate::platform::absent::walls::{KEEPS, end_by, first_process, kept_by};
use crate::platform::enforced::Enforced;
use crate::platform::orders::{LaunchError, Orders};

/// Restricts this process, and returns what was enforced.
///
/// # Errors
/// A required restriction is not available.
pub(crate) fn restrict(orders: &Orders) -> Result<Enforced, LaunchError> {
    let enforced = refuse(orders)?;
    if let Some(nice) = orders.nice {
        setpriority_process(None, i32::from(nice)).map_err(|error| {
            let why = format!("{error}; a lower niceness than the runner's is root's to give");
            LaunchError::new(format!("cannot set nice = {nice}"), why)
        })?;
    }
    if let Some(bytes) = orders.file_size {
        let limit = Rlimit {
            current: Some(bytes),
            maximum: Some(bytes),
        };
        setrlimit(Resource::Fsize, limit)
            .map_err(|error| LaunchError::new("cannot limit the size of files", error))?;
    }
    if !orders.cpus.is_empty() {
        let why = "this system lets no program choose its processors: leave out `cpus` and `cpus_per_lane`";
        return Err(LaunchError::new("cannot use the processors", why));
    }
    Ok(enforced)
}
