//! No walls, and no process that stays with an engine.

use crate::platform::enforced::Enforced;
use crate::platform::orders::{LaunchError, Orders};
use crate::platform::process::Group;

/// Whether a second process stays with a confined engine.
pub(crate) const KEEPS: bool = false;

/// No process keeps an engine.
pub(crate) fn kept_by(_keeper: &Group) -> Option<i32> {
    None
}

/// Ends this process as one that was ended by this signal.
pub(crate) fn end_by(signal: i32) -> ! {
    std::process::exit(128 + signal)
}

/// There are no namespaces.
pub(crate) fn first_process(_keeper: &Group) -> Option<i32> {
    None
}

/// Refuses walls that are required, and otherwise reports that nothing is enforced.
///
/// # Errors
/// A sandbox is required.
pub(in crate::platform) fn refuse(orders: &Orders) -> Result<Enforced, LaunchError> {
    if orders
        .sandbox
        .as_ref()
        .is_some_and(|sandbox| sandbox.required)
    {
        let why = "this system has none that the program can build; sandbox = \"best-effort\" goes without";
        return Err(LaunchError::new("cannot build the walls of a sandbox", why));
    }
    Ok(Enforced::nothing())
}
