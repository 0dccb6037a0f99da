//! The small built-in engine: real chess with nothing installed.
