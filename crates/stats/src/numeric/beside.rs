//! Two computations at once, where the system gives a thread for it.

use std::panic::resume_unwind;
use std::thread::{Builder, scope};

/// The results of both: `there` runs on a second thread, or after `here` where the system refuses a thread (its table
/// of processes is full, say). A panic of either is passed on.
pub fn beside<A: Send, B>(there: impl Fn() -> A + Sync, here: impl FnOnce() -> B) -> (A, B) {
    scope(|scope| {
        let thread = Builder::new().spawn_scoped(scope, &there);
        let here = here();
        match thread.map(|thread| thread.join()) {
            Ok(Ok(there)) => (there, here),
            Ok(Err(panic)) => resume_unwind(panic),
            Err(_refused) => (there(), here),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_are_computed() {
        assert_eq!(beside(|| 2 + 2, || "four"), (4, "four"));
    }
}
