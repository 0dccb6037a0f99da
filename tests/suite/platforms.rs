//! What each system can do, and the tests that need it.

use arbiter960::internal::platform::{Capability, has, markdown};

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

/// `ARBITER960_WRITE_DOCS=1` writes the file instead.
#[test]
fn the_page_of_systems_is_that_of_the_program() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/platforms.md");
    if std::env::var_os("ARBITER960_WRITE_DOCS").is_some() {
        std::fs::write(&file, markdown()).unwrap();
    }
    let written = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        written == markdown(),
        "docs/platforms.md is not up to date: ARBITER960_WRITE_DOCS=1 cargo test platforms"
    );
}
