"""Point and error of the lines of the summary from games.parquet alone, by matrices and loops instead of the
closed forms of crates/stats.

    python3 tests/oracle/summary.py GAMES.parquet STATS.json [GAMES.parquet STATS.json …]

STATS.json is the output of `stats --format json` on the same event. Prints a line for each number and ends with 1
where two differ. numpy, pandas, pyarrow and scipy.
"""

import json
import sys

import numpy as np
import pandas as pd
from scipy import optimize, stats

try:
    from likelihood import deviance
except ImportError:
    pass  # the suite puts it in front of this text

ELO = 400 / np.log(10)
LEVEL = 0.975


def elo(score):
    return -400 * np.log10(1 / score - 1)


def half_width(score, variance, freedom):
    return ELO / score / (1 - score) * stats.t.ppf(LEVEL, max(freedom, 1)) * np.sqrt(variance)


def like(means, weights):
    """The equation sum w (m - theta) = 0, its CR2 variance, Bell and McCaffrey's degrees of freedom."""
    w = weights / weights.sum()
    residual_of = np.eye(len(w)) - np.outer(np.ones(len(w)), w)
    omega = residual_of @ residual_of.T
    factor = w**2 / np.diag(omega)
    residuals = residual_of @ means
    root = np.sqrt(factor)
    eigen = np.linalg.eigvalsh(root[:, None] * omega * root[None, :])
    return w @ means, factor @ residuals**2, eigen.sum() ** 2 / (eigen**2).sum()


def these(values):
    """Only the games are chance: each position has its own variance."""
    n = np.array([len(v) for v in values])
    own = np.array([np.var(v, ddof=1) for v in values]) / n / len(values) ** 2
    expected = 1 / n / len(values) ** 2
    return own.sum(), expected.sum() ** 2 / (expected**2 / (n - 1)).sum()


def profile_width(values):
    """The larger side of the profile's interval, where few pairs are off the mean; 0 elsewhere."""
    weights = np.concatenate([np.full(len(v), 1 / len(v) / len(values)) for v in values])
    points = np.concatenate(values)
    count, mean = 1 / (weights**2).sum(), (weights * points).sum()
    second, fourth = ((weights * (points - mean) ** power).sum() for power in (2, 4))
    deviating = count * second**2 / fourth if fourth else 0
    if deviating >= 60:
        return 0.0
    own, _ = these(values)
    scale = max(1, second / count / own) if deviating >= 12 and own > 1e-14 else 1
    cells = np.array([weights[points == place / 4].sum() for place in range(5)]) * count * scale
    excess = lambda s: deviance(cells, s) - stats.chi2.ppf(0.95, 1)
    low, high = optimize.brentq(excess, 1e-9, mean), optimize.brentq(excess, mean, 1 - 1e-9)
    return max(elo(mean) - elo(low), elo(high) - elo(mean))


def spread(values):
    """The generalised Q, its cumulants by loops over different pairs, its interval by inversion."""
    count = len(values)
    n = np.array([len(v) for v in values], float)
    m = np.array([np.mean(v) for v in values])
    v = np.array([np.var(x, ddof=1) for x in values]) / n
    statistic = m.var(ddof=1) - v.mean()
    second = third = around = 0.0
    for p, own in enumerate(values):
        s = (np.asarray(own) - m.mean()) ** 2
        two = sum(s[i] * s[j] for i in range(len(s)) for j in range(len(s)) if i != j)
        three = sum(
            s[i] * s[j] * s[k]
            for i in range(len(s)) for j in range(len(s)) for k in range(len(s))
            if i != j and j != k and i != k
        )
        products = n[p] * (n[p] - 1)
        second += 2 * two / products**2
        third += 8 * three / products**3 - 8 * v[p] ** 3
        around += s.sum() / n[p] ** 2
    centring = (np.eye(count) - 1 / count) / (count - 1)
    noise = centring @ np.diag(v)
    off = (centring - np.diag(np.diag(centring))) @ np.diag(v)
    unit = (v * n).mean()
    second = max(second, 2 * unit**2 * (1 / n / (n - 1)).sum())
    third = max(third, 8 * unit**3 * ((n - 2) / (n * (n - 1)) ** 2).sum() - 8 * (v**3).sum())
    second = second / count**2 + 2 * (off * off.T).sum()
    third = max(0, third / count**3 + 8 * np.trace(noise @ noise @ noise))
    within = min(1, v.sum() / around)

    def tail(tau2, share):
        k2 = second * share**2 + tau2 * 4 * v.mean() / (count - 1)
        k3 = third * share**3 + tau2 * 24 * (v**2).mean() / (count - 1) ** 2
        skewness = k3 / k2**1.5
        z = (statistic - tau2) / np.sqrt(k2)
        if skewness < 0.01:
            return stats.norm.sf(z)
        shape = 4 / skewness**2
        return stats.gamma.sf(shape + z * np.sqrt(shape), shape)

    def end(target):
        if tail(0, within) >= target:
            return 0.0
        return np.sqrt(optimize.brentq(lambda t: tail(t, within) - target, 0, 1, xtol=1e-15))

    p = tail(0, 1)
    return p, 0.0 if p > 1 - LEVEL else end(1 - LEVEL), end(LEVEL)


def davidson(x, draws):
    win, draw, loss = np.exp(x / 2), np.exp(draws), np.exp(-x / 2)
    return (win + draw / 2) / (win + draw + loss), draw / (win + draw + loss)


def ordered(cdf):
    return lambda x, draws: (0.5 + (cdf(x - draws) - cdf(-x - draws)) / 2, 1 - cdf(x - draws) - cdf(-x - draws))


LAWS = [davidson, ordered(stats.logistic.cdf), ordered(stats.norm.cdf)]


def equal_strength(law, shares, scores, draws, white):
    """All equations at once: each meeting has its score, all have this share of draws and White's mean."""

    def equations(x):
        difference, advantage, parameter = x[:-2], x[-2], x[-1]
        with_, drawn = law(difference + advantage, parameter)
        against, drawn_against = law(-difference + advantage, parameter)
        return [
            *((with_ + 1 - against) / 2 - scores),
            shares @ (with_ + against) / 2 - white,
            shares @ (drawn + drawn_against) / 2 - draws,
        ]

    # Of few decided games a small difference in score is a large one in strength.
    between = np.log(scores / (1 - scores)) / (1 - draws)
    equals = optimize.brentq(lambda parameter: law(0.0, parameter)[1] - draws, -20, 20)
    found = optimize.root(equations, [*between, 0.0, equals], tol=1e-13)
    assert np.abs(found.fun).max() < 1e-10, found.message
    return elo(law(found.x[-2], found.x[-1])[0])


def at_equal_strength(meetings, draws, white, error):
    """Every law, and the ends: the smallest less its error, the largest with its error."""
    shares = meetings["size"].to_numpy() / meetings["size"].sum()
    scores = np.maximum(meetings["mean"], 1 - meetings["mean"]).to_numpy()
    assert len(shares) <= 8, "the program puts more meetings into groups"
    step = min(error, 0.5 * ((1 - draws) / 2 - abs(white - 0.5)))
    found, low, high = [], np.inf, -np.inf
    for law in LAWS:
        below, own, above = (equal_strength(law, shares, scores, draws, white + s) for s in (-step, 0, step))
        slope = abs(above - below) / (2 * step)
        found.append(own)
        low, high = min(low, own - slope * error), max(high, own + slope * error)
    return [*found, low, high]


def ratings(games, engines):
    """Maximum likelihood of the logistic law with White's advantage; errors clustered by position."""
    place = {name: i for i, name in enumerate(engines)}
    x = np.zeros((len(games), len(engines) + 1))
    rows = np.arange(len(games))
    x[rows, [place[name] for name in games.white]] = 1
    x[rows, [place[name] for name in games.black]] = -1
    x[:, -1] = 1
    y = games.white_half_points.to_numpy() / 2
    beta = np.zeros(x.shape[1])
    for _ in range(100):
        expected = 1 / (1 + np.exp(-x @ beta))
        inverse = np.linalg.pinv(x.T @ (x * (expected * (1 - expected))[:, None]))
        step = inverse @ (x.T @ (y - expected))
        beta += step
        if np.abs(step).max() < 1e-13:
            break
    scores = pd.DataFrame(x * (y - expected)[:, None]).groupby(games.number.to_numpy()).sum().to_numpy()
    count = len(scores)
    covariance = inverse @ (scores.T @ scores) @ inverse * count / (count - 1)
    return ELO * beta, ELO * stats.t.ppf(LEVEL, count - 1) * np.sqrt(np.diag(covariance))


def main(games_file, stats_file):
    games = pd.read_parquet(games_file)
    with open(stats_file, encoding="utf-8") as file:
        said = json.load(file)
    engines = said["engines"]
    pairs = []
    for (_, _), pair in games.groupby(["number", "pair"]):
        assert len(pair) == 2, "whole pairs only"
        white = pair.white_half_points.sum() / 4
        first = min(pair.white, key=engines.index)
        own = [p if w == first else 2 - p for w, p in zip(pair.white, pair.white_half_points)]
        pairs.append((pair.number.iloc[0], "/".join(sorted(pair.white)), white, sum(own) / 4))
    pairs = pd.DataFrame(pairs, columns=["start", "meeting", "white", "first"])

    rows = []
    first_move = said["first_move"]
    points = games.white_half_points.to_numpy()
    for name, value, kind in zip(["lost", "drawn", "won"], said["white"], [0, 1, 2]):
        rows.append((f"White {name}", (points == kind).sum(), value))
    rows.append(("draws", (points == 1).mean(), first_move["draw_rate"]))

    by_start = [group.to_numpy() for _, group in pairs.groupby("start").white]
    means = np.array([group.mean() for group in by_start])
    score, variance, freedom = like(means, np.ones(len(means)))
    near = max(half_width(score, *these(by_start)), profile_width(by_start))
    mean = first_move["mean"]
    rows.append(("advantage, score", score, mean["score"]))
    rows.append(("advantage, Elo", elo(score), mean["elo"]))
    rows.append(("these starts ±", near, mean["elo_error_these"]))
    rows.append(("all starts ±", max(near, half_width(score, variance, freedom)), mean["elo_error_all"]))
    if known := first_move["equal_strength"]:
        meetings = pairs.groupby("meeting")["first"].agg(["size", "mean"])
        error = stats.t.ppf(LEVEL, max(freedom, 1)) * np.sqrt(variance)
        found = at_equal_strength(meetings, (points == 1).mean(), score, error)
        names = ["Davidson", "ordered logit", "Glenn-David", "from", "to"]
        known = [*(value for _, value in known["elo"]), known["elo_lo"], known["elo_hi"]]
        rows.extend((f"equal strength, {name}", f, k) for name, f, k in zip(names, found, known))
    if first_move["spread"]:
        p, low, high = spread(by_start)
        slope = ELO / score / (1 - score)
        rows.append(("positions differ, p", p, first_move["spread"]["p_value"]))
        rows.append(("positions differ, from", slope * low, first_move["spread"]["sd_elo_lo"]))
        rows.append(("positions differ, at most", slope * high, first_move["spread"]["sd_elo_hi"]))
    if len(engines) == 2:
        groups = [group.to_numpy() for _, group in pairs.groupby("start")["first"]]
        weights = np.array([len(group) for group in groups], float)
        score, variance, freedom = like(np.array([group.mean() for group in groups]), weights)
        by_position = said["match"]["by_position"]
        rows.append(("by position, Elo", elo(score), by_position["elo"]))
        rows.append(("by position ±", half_width(score, variance, freedom), by_position["elo_error"]))
        los = stats.t.cdf((score - 0.5) / np.sqrt(variance), freedom)
        rows.append(("by position, LOS", los, by_position["los"]))
    else:
        found, errors = ratings(games, engines)
        white = said["ratings"]["logistic"]["white_elo"], said["ratings"]["white_elo_error"]
        known = [*said["ratings"]["logistic"]["elo"], white[0]], [*said["ratings"]["elo_error"], white[1]]
        for place, name in enumerate([*engines, "White"]):
            rows.append((f"{name}, Elo", found[place], known[0][place]))
            rows.append((f"{name} ±", errors[place], known[1][place]))

    wrong = 0
    for name, own, theirs in rows:
        differs = not abs(own - theirs) < 1e-3
        wrong += differs
        print(f"{name:28}{own:14.6f}{theirs:14.6f}{'  DIFFERENT' if differs else ''}")
    return wrong


wrong = 0
for at in range(1, len(sys.argv), 2):
    print(sys.argv[at])
    wrong += main(*sys.argv[at : at + 2])
sys.exit(1 if wrong else 0)
