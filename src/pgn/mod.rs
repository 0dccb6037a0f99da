//! Records to PGN, and a PGN reader on the rules core.
