"""White's advantage by ratings in tags, from single games: a logistic regression, weighted least squares of its working
response with a column for each start, and the estimating equation by matrices.

    python3 tests/oracle/rated.py --games > crates/stats/tests/suite/data/rated.csv
    python3 tests/oracle/rated.py > crates/stats/tests/suite/data/rated_summary.csv

The first makes games of eight starts with unequal numbers and differences. numpy, scipy and statsmodels.
"""

import sys

import numpy as np
import statsmodels.api as sm
from scipy import stats

ELO = 400 / np.log(10)
LEVEL = 0.975


def games():
    random = np.random.default_rng(27)
    rows = []
    for start in range(8):
        advantage = 0.15 + 0.25 * random.standard_normal()
        for _ in range(20 + 15 * start):
            difference = int(180 * random.standard_normal())
            score = 1 / (1 + np.exp(-advantage - 0.8 * difference / ELO))
            draw = 0.6 * min(score, 1 - score)
            half_points = random.choice(3, p=[1 - score - draw / 2, draw, score - draw / 2])
            rows.append((start, difference, half_points))
    return np.array(rows)


def summary(rows):
    start, difference, y = rows[:, 0], rows[:, 1] / ELO, rows[:, 2] / 2
    x = sm.add_constant(difference)
    fit = sm.GLM(y, x, family=sm.families.Binomial()).fit(cov_type="HC0", tol=1e-14, maxiter=200)
    free = len(y) - 2
    yield "scale", fit.params[1]
    yield "scale_error", stats.t.ppf(LEVEL, free) * fit.bse[1] * np.sqrt(len(y) / free)

    mu = fit.predict(x)
    slope = mu * (1 - mu)
    even = 1 / (1 + np.exp(-fit.params[0]))
    dummies = (start[:, None] == np.unique(start)[None, :]).astype(float)
    shifts = sm.WLS((y - mu) / slope, dummies, weights=slope).fit().params
    means = even + even * (1 - even) * shifts
    score, count = means.mean(), len(means)
    to_elo = ELO / score / (1 - score)
    yield "score", score
    yield "elo", -400 * np.log10(1 / score - 1)
    all_starts = to_elo * stats.t.ppf(LEVEL, count - 1) * np.sqrt(means.var(ddof=1) / count)

    own, expected, squares = 0.0, 0.0, 0.0
    for place in range(count):
        here = dummies[:, place] == 1
        n = here.sum()
        points = even + even * (1 - even) * (y - mu)[here] / slope[here].mean()
        own += points.var(ddof=1) / n / count**2
        expected += 1 / n / count**2
        squares += (1 / n / count**2) ** 2 / (n - 1)
    these = to_elo * stats.t.ppf(LEVEL, expected**2 / squares) * np.sqrt(own)
    yield "elo_error_these", these
    yield "elo_error_all", max(these, all_starts)


if sys.argv[1:] == ["--games"]:
    print("start,difference,half_points")
    for row in games():
        print(*row, sep=",")
else:
    print("what,value")
    for name, value in summary(games()):
        print(f"{name},{value:.10f}")
