//! Who plays what, pure: plan, pairings, openings, and a small random generator.
