//! One integration binary; each feature has a file below `tests/suite/`.
