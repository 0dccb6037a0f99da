//! A book's text to openings.
