//! The help and version texts of the fronts.

/// The line before the openings of a book are put into random order.
pub(crate) const INDEXING: &str = "Indexing opening suite...";

/// The texts of `-help`.
pub(crate) const HELP: &str = include_str!("help_fastchess.txt");
pub(crate) const CUTECHESS_HELP: &str = include_str!("help_cutechess.txt");

const OWN_VERSION: &str = env!("CARGO_PKG_VERSION");

/// The line of `-version`. It begins with the number that callers compare, the version of fastchess whose options and output this
/// program follows, and names this program; it never contains another program's commit.
pub(crate) fn version() -> String {
    format!("fastchess-compatible 1.8.2 (arbiter960 {OWN_VERSION})\n")
}

/// The same when this program replaces cutechess-cli.
pub(crate) fn cutechess_version() -> String {
    format!("cutechess-cli-compatible 1.5.1 (arbiter960 {OWN_VERSION})\n")
}
