//! Small dense symmetric matrices and their Cholesky factor: all the linear
//! algebra that information matrices of a dozen engines need.

/// A symmetric matrix, stored in full (row-major) because it is small.
#[derive(Clone, Debug, PartialEq)]
pub struct Symmetric {
    size: usize,
    entries: Vec<f64>,
}

/// A pivot below this share of its diagonal entry counts as zero.
const RELATIVE_PIVOT: f64 = 1e-11;

impl Symmetric {
    /// The zero matrix with `size` rows.
    pub fn zeros(size: usize) -> Self {
        Self {
            size,
            entries: vec![0.0; size * size],
        }
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The entry in row `i`, column `j`.
    pub fn at(&self, i: usize, j: usize) -> f64 {
        self.entries[i * self.size + j]
    }

    /// One row.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.entries[i * self.size..(i + 1) * self.size]
    }

    /// Sets entry `(i, j)` and its mirror image.
    pub fn set(&mut self, i: usize, j: usize, value: f64) {
        self.entries[i * self.size + j] = value;
        self.entries[j * self.size + i] = value;
    }

    /// Adds `weight · v v'`.
    pub fn add_outer(&mut self, v: &[f64], weight: f64) {
        for (i, &a) in v.iter().enumerate().filter(|(_, a)| **a != 0.0) {
            let row = &mut self.entries[i * self.size..(i + 1) * self.size];
            for (entry, &b) in row.iter_mut().zip(v) {
                *entry += weight * a * b;
            }
        }
    }

    /// Multiplies every entry.
    pub fn scale(&mut self, factor: f64) {
        self.entries.iter_mut().for_each(|entry| *entry *= factor);
    }

    /// The product with a vector.
    pub fn times(&self, v: &[f64]) -> Vec<f64> {
        (0..self.size).map(|i| dot(self.row(i), v)).collect()
    }

    /// `self · middle · self`, the shape of a sandwich estimator.
    pub fn sandwich(&self, middle: &Symmetric) -> Symmetric {
        let n = self.size;
        let half: Vec<Vec<f64>> = (0..n).map(|i| middle.times(self.row(i))).collect();
        let mut product = Symmetric::zeros(n);
        for (i, row) in half.iter().enumerate() {
            for j in 0..=i {
                product.set(i, j, dot(row, self.row(j)));
            }
        }
        product
    }

    /// The Cholesky factor, or `None` where the matrix is not positive
    /// definite (numerically singular matrices included).
    pub fn cholesky(&self) -> Option<LowerTriangle> {
        self.factor(|pivot, diagonal| (pivot > RELATIVE_PIVOT * diagonal).then_some(pivot.sqrt()))
    }

    /// A factor `L` with `L L' = M` of a positive *semi*definite matrix: a
    /// zero pivot gives a zero column. For sampling from singular normals.
    pub fn semidefinite_factor(&self) -> LowerTriangle {
        let root = |pivot: f64, diagonal: f64| {
            let is_positive = pivot > RELATIVE_PIVOT * diagonal;
            Some(if is_positive { pivot.sqrt() } else { 0.0 })
        };
        self.factor(root).unwrap_or_else(|| LowerTriangle {
            size: self.size,
            entries: vec![0.0; self.size * self.size],
        })
    }

    fn factor(&self, root: impl Fn(f64, f64) -> Option<f64>) -> Option<LowerTriangle> {
        let n = self.size;
        let mut lower = vec![0.0; n * n];
        for j in 0..n {
            let above =
                |i: usize, lower: &[f64]| dot(&lower[i * n..i * n + j], &lower[j * n..j * n + j]);
            let diagonal = root(self.at(j, j) - above(j, &lower), self.at(j, j).abs())?;
            if !diagonal.is_finite() {
                return None;
            }
            lower[j * n + j] = diagonal;
            for i in j + 1..n {
                let rest = self.at(i, j) - above(i, &lower);
                lower[i * n + j] = if diagonal > 0.0 { rest / diagonal } else { 0.0 };
            }
        }
        Some(LowerTriangle {
            size: n,
            entries: lower,
        })
    }
}

/// A lower triangular matrix.
#[derive(Clone, Debug)]
pub struct LowerTriangle {
    size: usize,
    entries: Vec<f64>,
}

impl LowerTriangle {
    /// The product with a vector; of independent standard normals it makes a
    /// draw with covariance `L L'`.
    pub fn times(&self, v: &[f64]) -> Vec<f64> {
        let n = self.size;
        (0..n)
            .map(|i| dot(&self.entries[i * n..i * n + i + 1], &v[..i + 1]))
            .collect()
    }

    /// Solves `L L' x = b`.
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        let (n, lower) = (self.size, &self.entries);
        let mut x = b.to_vec();
        for i in 0..n {
            x[i] = (x[i] - dot(&lower[i * n..i * n + i], &x[..i])) / lower[i * n + i];
        }
        for i in (0..n).rev() {
            let below: f64 = (i + 1..n).map(|k| lower[k * n + i] * x[k]).sum();
            x[i] = (x[i] - below) / lower[i * n + i];
        }
        x
    }

    /// The inverse of `L L'`.
    pub fn inverse(&self) -> Symmetric {
        let n = self.size;
        let mut inverse = Symmetric::zeros(n);
        for j in 0..n {
            let mut unit = vec![0.0; n];
            unit[j] = 1.0;
            for (i, value) in self.solve(&unit).into_iter().enumerate().take(j + 1) {
                inverse.set(i, j, value);
            }
        }
        inverse
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Symmetric {
        let mut m = Symmetric::zeros(3);
        for (i, j, value) in [
            (0, 0, 4.0),
            (0, 1, 2.0),
            (1, 1, 5.0),
            (1, 2, 1.0),
            (2, 2, 3.0),
            (0, 2, 0.5),
        ] {
            m.set(i, j, value);
        }
        m
    }

    #[test]
    fn inverse_times_matrix_is_identity() {
        let m = example();
        let inverse = m.cholesky().expect("positive definite").inverse();
        for i in 0..3 {
            let row = m.times(inverse.row(i));
            for (j, value) in row.iter().enumerate() {
                assert!((value - f64::from(u8::from(i == j))).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn solution_agrees_with_hand_computation() {
        let m = example();
        let factor = m.cholesky().expect("positive definite");
        let x = factor.solve(&m.times(&[1.0, -2.0, 0.5]));
        assert!((x[0] - 1.0).abs() + (x[1] + 2.0).abs() + (x[2] - 0.5).abs() < 1e-13);
    }

    #[test]
    fn singular_matrices_have_no_cholesky_but_can_be_sampled() {
        let mut m = Symmetric::zeros(2);
        m.add_outer(&[1.0, -1.0], 3.0);
        assert!(m.cholesky().is_none());
        let draw = m.semidefinite_factor().times(&[1.0, 7.0]);
        assert!((draw[0] + draw[1]).abs() < 1e-14 && (draw[0] - 3.0_f64.sqrt()).abs() < 1e-14);
    }
}
