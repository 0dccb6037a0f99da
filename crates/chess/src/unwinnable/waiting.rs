//! Positions in the order of their promise.

use std::collections::VecDeque;

/// Number of degrees of promise.
const DEGREES: usize = 128;

/// Positions that are still to be looked at, by one guess.
pub(super) struct SearchQueue {
    by_degree: Vec<VecDeque<u32>>,
    /// The first degree that may have some.
    best: usize,
    taken: u32,
}

impl SearchQueue {
    pub(super) fn new() -> SearchQueue {
        SearchQueue {
            by_degree: vec![VecDeque::new(); DEGREES],
            best: 0,
            taken: 0,
        }
    }

    pub(super) fn add(&mut self, number: u32, degree: usize) {
        let degree = degree.min(DEGREES - 1);
        self.best = self.best.min(degree);
        self.by_degree[degree].push_back(number);
    }

    /// The most promising position; of equal ones mostly the last that was found, and every
    /// fourth time the first, so that a line without end does not hide all others.
    pub(super) fn next(&mut self) -> Option<u32> {
        self.taken += 1;
        while self.best < DEGREES {
            let waiting = &mut self.by_degree[self.best];
            let next = match self.taken % 4 {
                3 => waiting.pop_front(),
                _ => waiting.pop_back(),
            };
            if next.is_some() {
                return next;
            }
            self.best += 1;
        }
        None
    }
}
