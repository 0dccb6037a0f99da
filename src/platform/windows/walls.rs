//! What engines are restricted to in addition to the limits of their job: nothing, which `Enforced` records.

use crate::platform::absent::refuse;
pub(crate) use crate::platform::absent::{KEEPS, end_by, first_process, kept_by};
use crate::platform::enforced::Enforced;
use crate::platform::orders::{LaunchError, Orders};

/// Returns what would be enforced.
///
/// # Errors
/// A required restriction is not available.
pub(crate) fn restrict(orders: &Orders) -> Result<Enforced, LaunchError> {
    if orders.allowed.file_size_mib.is_some() {
        let why = "Windows has no such limit: leave out `file_size_mib`";
        return Err(LaunchError::new("cannot limit the size of files", why));
    }
    refuse(orders)
}
