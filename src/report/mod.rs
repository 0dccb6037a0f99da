//! Store to tables and files.
