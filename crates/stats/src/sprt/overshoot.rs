//! Siegmund's correction for what a test overshoots its bounds.
//!
//! Wald's bounds are right for a ratio that stops exactly on them. A ratio that moves
//! in steps ends beyond, so that tests last longer than they need to. The mean excess
//! of a random walk is estimated from its own record steps d by Σd²/(2Σd) (D. Siegmund,
//! "Sequential Analysis", corollary 8.33), and the bounds move inward by it.

/// The record steps of the ratio so far.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Overshoot {
    lowest: f64,
    highest: f64,
    down: Steps,
    up: Steps,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Steps {
    sum: f64,
    squares: f64,
}

impl Overshoot {
    /// Notes the ratio after one more batch; all batches must be of one size.
    pub fn observe(&mut self, llr: f64) {
        if llr < self.lowest {
            self.down.add(self.lowest - llr);
            self.lowest = llr;
        }
        if llr > self.highest {
            self.up.add(llr - self.highest);
            self.highest = llr;
        }
    }

    /// The bounds, moved inward by the expected excess.
    pub fn tighten(&self, [lower, upper]: [f64; 2]) -> [f64; 2] {
        [
            lower + self.down.expected_excess(),
            upper - self.up.expected_excess(),
        ]
    }
}

impl Steps {
    fn add(&mut self, step: f64) {
        self.sum += step;
        self.squares += step * step;
    }

    fn expected_excess(&self) -> f64 {
        if self.sum > 0.0 {
            0.5 * self.squares / self.sum
        } else {
            0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_records_count() {
        let mut overshoot = Overshoot::default();
        for llr in [1.0, 0.5, 1.5, -0.5] {
            overshoot.observe(llr);
        }
        // up: steps 1 and 0.5; down: one step of 0.5
        assert_eq!(overshoot.tighten([-3.0, 3.0]), [-2.75, 3.0 - 1.25 / 3.0]);
    }

    #[test]
    fn bounds_stay_before_the_first_batch() {
        assert_eq!(Overshoot::default().tighten([-3.0, 3.0]), [-3.0, 3.0]);
    }
}
