//! What is wrong with games and engines, named.
