//! The rules of Chess960 and its family. No I/O, no clock, no dependency.
