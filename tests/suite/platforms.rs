//! What each system can do, and the tests that need it.

use arbiter960::internal::platform::{Capability, has};

/// Whether this system can do what a test is about; if not the test says that it is left out.
pub fn can(capability: Capability) -> bool {
    let can = has(capability);
    if !can {
        eprintln!("left out: this system has no {capability:?} (docs/platforms.md)");
    }
    can
}

/// The same for a fake engine with these arguments: not every system can find processes that have left their group.
pub fn can_end(words: &str) -> bool {
    let leaves = ["daemon-child", "join-parents-group"];
    !leaves.iter().any(|word| words.contains(word)) || can(Capability::EndsDescendants)
}
