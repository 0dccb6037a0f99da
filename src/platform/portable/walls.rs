//! What a launcher can set by POSIX before it becomes an engine: niceness and the size of files.

use crate::platform::absent::refuse;
pub(crate) use crate::platform::absent::{KEEPS, end_by, first_process, kept_by};
use crate::platform::enforced::Enforced;
use crate::platform::orders::{LaunchError, Orders};
use crate::platform::unix::limits;

/// Restricts this process, and returns what was enforced.
///
/// # Errors
/// A required restriction is not available.
pub(crate) fn restrict(orders: &Orders) -> Result<Enforced, LaunchError> {
    let enforced = refuse(orders)?;
    limits::set_niceness(orders.allowed.nice)?;
    limits::set_file_size(orders.allowed.file_size_mib)?;
    if !orders.allowed.cpus.is_empty() {
        let why = "this system lets no program choose its processors: leave out `cpus` and `cpus_per_lane`";
        return Err(LaunchError::new("cannot use the processors", why));
    }
    Ok(enforced)
}
