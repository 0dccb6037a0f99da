//! Which signals were ignored when the program was started.

use std::fs;

pub(crate) use crate::platform::unix::signals::*;

/// `/proc/self/status` at the start of the program.
#[derive(Debug)]
pub(in crate::platform) struct Ignored(String);

impl Ignored {
    /// Must be read before a handler is installed.
    pub(in crate::platform) fn at_the_start() -> Ignored {
        Ignored(fs::read_to_string("/proc/self/status").unwrap_or_default())
    }

    /// Whether a signal is ignored, from the line `SigIgn`: a hexadecimal mask, signal 1 is the lowest bit (proc(5)).
    pub(in crate::platform) fn has(&self, number: i32) -> bool {
        let mask = self.0.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        mask.is_some_and(|mask| mask >> (number - 1) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mask_of_ignored_signals_is_read() {
        // SIGHUP and SIGPIPE.
        let status = "Name:\tx\nSigBlk:\t0000000000000004\nSigIgn:\t0000000000001001\n";
        let status = Ignored(status.to_owned());
        let ignored = [1, 2, 13, 15].map(|number| status.has(number));
        assert_eq!(ignored, [true, false, true, false]);
        assert!(!Ignored(String::new()).has(1));
    }
}
