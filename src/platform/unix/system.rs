//! The calls that neither the standard library nor rustix offers as safe functions.
#![allow(unsafe_code, reason = "raw system calls, each with its own reason")]

use std::fs;

/// Closes all descriptors but the three standard ones at the next `exec` of this process. Files that were open when the
/// program was started must not be passed on.
pub(crate) fn keep_descriptors() {
    let open = fs::read_dir("/dev/fd").into_iter().flatten();
    let numbers = open.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let numbers: Vec<libc::c_int> = numbers.collect();
    for number in numbers.into_iter().filter(|number| *number > 2) {
        // SAFETY: nothing is closed here; a flag is set, which takes effect at an `exec`. A number that is closed
        // meanwhile is an error without effect.
        unsafe { libc::fcntl(number, libc::F_SETFD, libc::FD_CLOEXEC) };
    }
}

/// Whether a signal is ignored now.
pub(super) fn is_ignored(number: i32) -> bool {
    // SAFETY: a null pointer means that no new action is set; the old one is written into a structure that lives
    // through the call.
    unsafe {
        let mut action = std::mem::zeroed::<libc::sigaction>();
        libc::sigaction(number, std::ptr::null(), &raw mut action) == 0
            && action.sa_sigaction == libc::SIG_IGN
    }
}
