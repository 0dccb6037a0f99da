//! TOML to a checked tournament: all errors at once, each with its line.
