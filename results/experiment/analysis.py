#!/usr/bin/env python3
"""The analysis of the experiment, written before its first game: docs/experiment.md.

    analysis.py FILE.pgn.bz2 …            the answer, as text; --json FILE for all numbers
    analysis.py --simulate 200            the same estimators on games whose truth is known

Needs numpy and scipy. It reads tags and moves and nothing that arbiter960 computes.

Model: White's mean score of pair j of engine e from start p is  m_e + d_p + b_ep + noise,  where the noise of
different pairs is independent and may have any distribution that the start and the engine decide.
"pooled" is the mean over the engines with equal weights, x_p = mean over e of the mean over j.
"""

import argparse
import bz2
import collections
import io
import json
import sys

import numpy as np
from scipy import stats

STARTS = 960
LEVEL = 0.95
SEED = 960
BOOTSTRAP = 4000
MARGIN_ELO = 15.0


# ---------------------------------------------------------------- reading

def games(path):
    """Tags and moves of every game of a PGN file, also compressed by bzip2."""
    raw = bz2.open(path) if path.endswith(".bz2") else open(path, "rb")
    tags, moves = {}, []
    for line in io.TextIOWrapper(raw, encoding="utf-8"):
        line = line.rstrip("\n")
        if line.startswith("["):
            if moves:
                yield tags, " ".join(moves)
                tags, moves = {}, []
            name, _, rest = line[1:].partition(" ")
            tags[name] = rest.strip('"]')
        elif line:
            moves.append(line)
    if tags:
        yield tags, " ".join(moves)


SCORE = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}


def read(paths):
    """{(engine, start): {pair: {game: (score, moves)}}}; a game that is there twice is an error."""
    table = collections.defaultdict(lambda: collections.defaultdict(dict))
    for path in paths:
        for tags, moves in games(path):
            key = (tags["Event"], int(tags["StartNumber"]))
            pair, game = tags["Round"].split(".")
            known = table[key][int(pair)]
            if game in known:
                sys.exit(f"{path}: game {tags['Round']} of {tags['Event']} is there twice")
            known[game] = (SCORE[tags["Result"]], moves)
    return table


def pairs_of(table):
    """Arrays engine, start, score and draws of every whole pair that is no copy of an earlier one.

    A copy is a pair whose two games are, move for move, those of another pair of the same engine and start.
    """
    names = sorted({engine for engine, _ in table})
    rows, copies, halves = [], 0, 0
    for (engine, start), pairs in sorted(table.items()):
        seen = set()
        for number in sorted(pairs):
            pair = pairs[number]
            if len(pair) != 2:
                halves += 1
                continue
            text = (pair["1"][1], pair["2"][1])
            if text in seen:
                copies += 1
                continue
            seen.add(text)
            scores = (pair["1"][0], pair["2"][0])
            rows.append((names.index(engine), start, sum(scores) / 2, scores.count(0.5), scores.count(1.0)))
    rows = np.array(rows, dtype=float).reshape(-1, 5)
    return names, rows, copies, halves


# ---------------------------------------------------------------- Elo

def elo(score):
    score = np.clip(score, 1e-9, 1 - 1e-9)
    return 400 * np.log10(score / (1 - score))


def slope(score):
    """Elo for a unit of score, at this score."""
    return 400 / np.log(10) / (score * (1 - score))


# ---------------------------------------------------------------- estimators

class Cells:
    """Means, numbers and variances of pairs by engine and start."""

    def __init__(self, rows, engines, value=None):
        engine, start = rows[:, 0].astype(int), rows[:, 1].astype(int)
        value = rows[:, 2] if value is None else value
        place = engine * STARTS + start
        size = engines * STARTS
        self.count = np.bincount(place, minlength=size).reshape(engines, STARTS)
        total = np.bincount(place, weights=value, minlength=size).reshape(engines, STARTS)
        with np.errstate(invalid="ignore", divide="ignore"):
            self.mean = total / self.count
        squares = np.bincount(place, weights=value**2, minlength=size).reshape(engines, STARTS)
        self.within = squares - np.where(self.count > 0, total**2 / np.maximum(self.count, 1), 0)
        self.place, self.value = place, value
        self.engines = engines

    def sigma2(self):
        """Variance of a pair within a start, by engine, and its degrees of freedom."""
        free = np.maximum(self.count - 1, 0).sum(axis=1)
        return self.within.sum(axis=1) / np.maximum(free, 1), free

    def pooled(self, which=None):
        """Mean over engines by start, its variance from noise alone, and which starts have all engines."""
        which = list(range(self.engines)) if which is None else which
        whole = (self.count[which] > 0).all(axis=0)
        sigma2, _ = self.sigma2()
        noise = (sigma2[which, None] / np.maximum(self.count[which], 1)).sum(axis=0) / len(which)**2
        return self.mean[which].mean(axis=0)[whole], noise[whole], whole


def mean_with_error(x, noise):
    """Mean over starts; its error if the starts were a sample (clusters), and for these 960 alone."""
    clustered = x.std(ddof=1) / np.sqrt(len(x))
    return x.mean(), clustered, np.sqrt(noise.sum()) / len(x)


def spread(x, noise):
    """Standard deviation between starts: estimate of moments, and the ends of the Q-profile.

    Q(t) = sum of (x - weighted mean)^2 / (noise + t^2) is chi-square with n - 1 degrees of freedom at the
    true t. The upper end is the t at which Q is its 5 % quantile: one-sided 95 %. The lower end likewise.
    """
    free = len(x) - 1

    def q(t2):
        weight = 1 / (noise + t2)
        centre = (weight * x).sum() / weight.sum()
        return (weight * (x - centre)**2).sum()

    def where(target):
        if q(0.0) <= target:
            return 0.0
        low, high = 0.0, x.var() + noise.mean()
        while q(high) > target:
            high *= 2
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if q(middle) > target else (low, middle)
        return np.sqrt(high)

    estimate = where(free)
    upper = where(stats.chi2.ppf(1 - LEVEL, free))
    lower = where(stats.chi2.ppf(LEVEL, free))
    return {"estimate": estimate, "lower": lower, "upper": upper, "q": q(0.0), "free": free,
            "p": stats.chi2.sf(q(0.0), free)}


def bootstrap_upper(cells, which, random, times=BOOTSTRAP):
    """Upper bound of the spread by a bootstrap of starts as clusters: basic, on the variance."""
    x, noise, _ = cells.pooled(which)

    def moments(x, noise):
        return x.var(ddof=1) - noise.mean()

    here = moments(x, noise)
    draws = np.array([moments(x[s], noise[s]) for s in (random.integers(0, len(x), len(x)) for _ in range(times))])
    low = 2 * here - np.quantile(draws, 1 - LEVEL)
    high = 2 * here - np.quantile(draws, 1 - LEVEL)
    return np.sqrt(max(high, 0)), np.sqrt(max(low, 0))


def components(cells):
    """Shared and own variance between starts: two-way analysis of variance over starts with all engines."""
    whole = (cells.count > 0).all(axis=0)
    y = cells.mean[:, whole]
    engines, n = y.shape
    sigma2, _ = cells.sigma2()
    noise = (sigma2[:, None] / cells.count[:, whole]).mean()
    rest = y - y.mean(axis=1, keepdims=True) - y.mean(axis=0) + y.mean()
    own = (rest**2).sum() / ((engines - 1) * (n - 1))
    start = engines * y.mean(axis=0).var(ddof=1)
    f = own / noise
    free = (engines - 1) * (n - 1)
    return {"shared": (start - own) / engines, "own": own - noise,
            "p_shared": stats.f.sf(start / own, n - 1, free),
            "p_own": stats.chi2.sf(f * free, free)}


def largest(cells, which, random, times=BOOTSTRAP):
    """Quantile of max |x_p - its expectation| / sigma_p over all starts: pairs are drawn within their start.

    Residuals are taken from the mean of engine and start and made as wide as those of a sample.
    """
    x, noise, whole = cells.pooled(which)
    order = np.argsort(cells.place, kind="stable")
    count = cells.count.reshape(-1)
    first = np.concatenate([[0], np.cumsum(count)[:-1]])
    residual = (cells.value - cells.mean.reshape(-1)[cells.place])[order]
    wide = np.sqrt(count / np.maximum(count - 1, 1))
    biggest = np.empty(times)
    deviation = np.zeros((cells.engines, STARTS))
    most = count.max()
    for time in range(times):
        for engine in which:
            here = slice(engine * STARTS, (engine + 1) * STARTS)
            size, begin = count[here], first[here]
            chosen = (random.random((STARTS, most)) * np.maximum(size, 1)[:, None]).astype(int)
            drawn = residual[np.minimum(begin[:, None] + chosen, len(residual) - 1)]
            drawn = np.where(np.arange(most) < size[:, None], drawn, 0).sum(axis=1)
            deviation[engine] = drawn / np.maximum(size, 1) * wide[here]
        biggest[time] = (np.abs(deviation[which].mean(axis=0)[whole]) / np.sqrt(noise)).max()
    return np.quantile(biggest, LEVEL)


def agreement(cells, first, second, random, times=BOOTSTRAP):
    """Covariance of two engines' maps, which noise does not bias, and the correlation without noise."""
    whole = (cells.count[[first, second]] > 0).all(axis=0)
    y = cells.mean[[first, second]][:, whole]
    sigma2, _ = cells.sigma2()
    noise = sigma2[[first, second], None] / cells.count[[first, second]][:, whole]

    def both(y, noise):
        covariance = np.cov(y)
        true = np.diag(covariance) - noise.mean(axis=1)
        return covariance[0, 1], true

    covariance, true = both(y, noise)
    draws = []
    for _ in range(times):
        s = random.integers(0, y.shape[1], y.shape[1])
        draws.append(both(y[:, s], noise[:, s])[0])
    low, high = np.quantile(draws, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    correlation = covariance / np.sqrt(true.prod()) if (true > 0).all() else None
    return {"covariance": covariance, "interval": [low, high], "raw": np.corrcoef(y)[0, 1], "correlation": correlation}


def predicted(cells, which, values, random, times=BOOTSTRAP):
    """How a number given for each start (an evaluation) goes with the pooled advantage.

    R^2 without noise is cov^2 / (var(values) (var(x) - noise)); where the spread is not above noise it is not
    defined, and slope and correlation stand alone.
    """
    x, noise, whole = cells.pooled(which)
    v = values[whole]
    known = ~np.isnan(v)
    x, noise, v = x[known], noise[known], v[known]

    def line(x, v):
        covariance = np.cov(v, x)
        return covariance[0, 1] / covariance[0, 0], np.corrcoef(v, x)[0, 1], covariance[0, 1]

    (beta, r, _), true = line(x, v), x.var(ddof=1) - noise.mean()
    draws = []
    for _ in range(times):
        s = random.integers(0, len(x), len(x))
        draws.append(line(x[s], v[s])[:2])
    ends = np.quantile(np.array(draws), [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return {"slope": beta, "slope_interval": ends[:, 0].tolist(), "r": r, "r_interval": ends[:, 1].tolist(),
            "starts": len(x), "r2_without_noise": r**2 * x.var(ddof=1) / true if true > 0 else None}


# ---------------------------------------------------------------- the answer

def answer(names, rows, seed=SEED, times=BOOTSTRAP):
    random = np.random.default_rng(seed)
    engines = len(names)
    cells = Cells(rows, engines)
    everyone = list(range(engines))
    sigma2, free = cells.sigma2()
    out = {"engines": {}, "pairs": int(len(rows))}
    for engine, name in enumerate(names):
        x, noise, whole = cells.pooled([engine])
        mean, clustered, these = mean_with_error(x, noise)
        own = rows[rows[:, 0] == engine]
        t = stats.t.ppf((1 + LEVEL) / 2, max(len(x) - 1, 1))
        between = spread(x, noise)
        unit = slope(mean)
        out["engines"][name] = {
            "pairs": int(len(own)), "starts": int(whole.sum()), "score": mean,
            "elo": elo(mean), "elo_interval": [elo(mean - t * clustered), elo(mean + t * clustered)],
            "elo_error_these_960": unit * these,
            "draws": own[:, 3].sum() / (2 * len(own)), "sigma_of_a_pair": np.sqrt(sigma2[engine]),
            "tau_elo": {key: unit * between[key] for key in ("estimate", "lower", "upper")},
            "tau_p": between["p"],
        }
    out["pooled"] = pooled(cells, everyone, random, times)
    out["left_out"] = {
        name: {key: value for key, value in pooled(cells, [e for e in everyone if e != engine], random, times).items()
               if key in ("elo", "tau_elo", "tau_p")}
        for engine, name in enumerate(names) if engines > 1}
    if engines > 1:
        unit = slope(out["pooled"]["score"])
        parts = components(cells)
        parts["shared_elo"] = unit * np.sqrt(max(parts["shared"], 0))
        parts["own_elo"] = unit * np.sqrt(max(parts["own"], 0))
        out["components"] = parts
        out["agreement"] = {f"{names[a]} {names[b]}": agreement(cells, a, b, random, times)
                            for a in everyone for b in everyone if a < b}
    draws = Cells(rows, engines, rows[:, 3] / 2)
    x, noise, _ = draws.pooled(everyone)
    out["draw_rate"] = {"mean": x.mean(), **{k: spread(x, noise)[k] for k in ("estimate", "upper", "p")}}
    decisive = 2 - rows[:, 3]
    ahead = rows[:, 4] - (decisive - rows[:, 4])
    x, noise, _ = Cells(rows, engines, ahead).pooled(everyone)
    out["wins_less_losses"] = {"mean_a_pair": x.mean(), **{k: spread(x, noise)[k] for k in ("estimate", "upper", "p")}}
    return out, cells


def pooled(cells, which, random, times):
    x, noise, whole = cells.pooled(which)
    mean, clustered, these = mean_with_error(x, noise)
    unit = slope(mean)
    between = spread(x, noise)
    upper, _ = bootstrap_upper(cells, which, random, times)
    critical = largest(cells, which, random, max(times // 4, 200))
    error = np.sqrt(noise)
    low, high = x - critical * error, x + critical * error
    starts = np.flatnonzero(whole)
    named = [int(p) for p, a, b in zip(starts, low, high) if a > mean or b < mean]
    reliability = max(x.var(ddof=1) - noise.mean(), 0) / x.var(ddof=1)
    place = {int(p): i for i, p in enumerate(starts)}
    order = x.argsort().argsort()
    of_518 = place.get(518)
    return {
        "score": mean, "elo": elo(mean), "starts": int(len(x)),
        "elo_interval": [elo(mean - 1.96 * clustered), elo(mean + 1.96 * clustered)],
        "elo_error_these_960": unit * these,
        "tau_elo": {key: unit * between[key] for key in ("estimate", "lower", "upper")},
        "tau_upper_by_bootstrap_elo": unit * upper, "tau_p": between["p"],
        "alike_for_practice": bool(unit * between["upper"] < MARGIN_ELO),
        "error_of_a_start_elo": unit * error.mean(), "critical_value": critical,
        "farthest_from_level_elo": float(np.abs(elo(np.concatenate([low, high]))).max()),
        "farthest_from_mean_elo": unit * float(np.maximum(high - mean, mean - low).max()),
        "told_apart_from_the_mean": named, "reliability": reliability,
        "number_518": None if of_518 is None else {
            "rank_from_best_for_white": int(len(x) - order[of_518]), "elo": elo(x[of_518]),
            "simultaneous": [elo(low[of_518]), elo(high[of_518])]},
        "starts_by_advantage": [[int(starts[i]), x[i], low[i], high[i]] for i in x.argsort()],
    }


def rounded(value):
    if isinstance(value, dict):
        return {key: rounded(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(entry) for entry in value]
    if isinstance(value, (float, np.floating)):
        return None if not np.isfinite(value) else float(f"{value:.6g}")
    return value.item() if isinstance(value, np.generic) else value


# ---------------------------------------------------------------- games whose truth is known

def simulated(random, engines=3, pairs=13, advantage=0.06, tau_shared=0.0, tau_own=0.0, draws=0.2, heavy=False):
    """Games of a latent-difference model: White's edge in score units, a draw band that varies by start."""
    effect = random.standard_t(3, STARTS) / np.sqrt(3) if heavy else random.standard_normal(STARTS)
    shared = tau_shared * effect
    rows = []
    for engine in range(engines):
        expected = np.clip(0.5 + advantage / 2 + shared + tau_own * random.standard_normal(STARTS), 0.02, 0.98)
        drawn = np.minimum(np.clip(draws * np.exp(0.3 * random.standard_normal(STARTS)), 0, 0.95),
                           2 * np.minimum(expected, 1 - expected) * 0.98)
        for start in range(STARTS):
            outcome = random.random((pairs, 2))
            win = expected[start] - drawn[start] / 2
            score = np.where(outcome < win, 1.0, np.where(outcome < win + drawn[start], 0.5, 0.0))
            block = np.column_stack([np.full(pairs, engine), np.full(pairs, start), score.mean(axis=1),
                                     (score == 0.5).sum(axis=1), (score == 1).sum(axis=1)])
            rows.append(block)
    return np.concatenate(rows), shared


def simulate(times, seed):
    """How often each promise holds: every line a truth."""
    random = np.random.default_rng(seed)
    unit = slope(0.53)
    print("truth (Elo)                 mean held  tau held (upper)  bootstrap  median upper  < margin  max-T held  p < .05")
    for label, tau, own, draws, heavy in [
        ("tau 0", 0, 0, 0.1, False), ("tau 0, draws 60 %", 0, 0, 0.6, False), ("tau 10", 10, 0, 0.1, False),
        ("tau 15", 15, 0, 0.1, False), ("tau 20", 20, 0, 0.1, False), ("tau 15 heavy tails", 15, 0, 0.1, True),
        ("tau 10, own 20", 10, 20, 0.1, False),
    ]:
        held = np.zeros(6)
        uppers = []
        for _ in range(times):
            rows, shared = simulated(random, tau_shared=tau / unit, tau_own=own / unit, draws=draws, heavy=heavy)
            cells = Cells(rows, 3)
            x, noise, _ = cells.pooled()
            mean, clustered, _ = mean_with_error(x, noise)
            between = spread(x, noise)
            true = np.sqrt(tau**2 + own**2 / 3) / unit
            boot, _ = bootstrap_upper(cells, [0, 1, 2], random, 400)
            critical = largest(cells, [0, 1, 2], random, 100)
            expected = 0.53 + shared
            inside = np.abs(x - expected) <= critical * np.sqrt(noise)
            held += [abs(mean - 0.53) < 1.96 * clustered, between["upper"] >= true, boot >= true,
                     unit * between["upper"] < MARGIN_ELO, inside.all() if own == 0 else np.nan, between["p"] < 0.05]
            uppers.append(unit * between["upper"])
        share = held / times
        print(f"{label:26s} {share[0]:9.2f} {share[1]:17.2f} {share[2]:10.2f} {np.median(uppers):13.1f} "
              f"{share[3]:9.2f} {share[4]:11.2f} {share[5]:8.2f}", flush=True)


def show(out, copies, halves):
    print(f"{out['pairs']} whole pairs; {copies} copies and {halves} half pairs left out")
    for name, e in out["engines"].items():
        t = e["tau_elo"]
        print(f"{name}: {e['pairs']} pairs on {e['starts']} starts, White {100 * e['score']:.2f} %, "
              f"{e['elo']:+.1f} Elo [{e['elo_interval'][0]:+.1f}, {e['elo_interval'][1]:+.1f}], draws {100 * e['draws']:.1f} %, "
              f"tau {t['estimate']:.1f} [{t['lower']:.1f}, {t['upper']:.1f}] (one-sided 95 % each), p {e['tau_p']:.3f}")
    p = out["pooled"]
    t = p["tau_elo"]
    print(f"pooled: {p['elo']:+.1f} Elo [{p['elo_interval'][0]:+.1f}, {p['elo_interval'][1]:+.1f}]; "
          f"TAU {t['estimate']:.1f}, at most {t['upper']:.1f} Elo with 95 % (bootstrap {p['tau_upper_by_bootstrap_elo']:.1f}), "
          f"at least {t['lower']:.1f}, p {p['tau_p']:.3f}; margin {MARGIN_ELO:.0f}: "
          f"{'alike for practice' if p['alike_for_practice'] else 'not shown to be alike'}")
    print(f"a start's own error {p['error_of_a_start_elo']:.1f} Elo; max-T critical value {p['critical_value']:.2f}; "
          f"no start is farther than {p['farthest_from_level_elo']:.0f} Elo from level, {p['farthest_from_mean_elo']:.0f} from the mean; "
          f"told apart: {p['told_apart_from_the_mean'] or 'none'}; reliability {p['reliability']:.2f}")
    print(f"number 518: {p['number_518']}")
    for name, left in out["left_out"].items():
        t = left["tau_elo"]
        print(f"without {name}: {left['elo']:+.1f} Elo, tau {t['estimate']:.1f}, at most {t['upper']:.1f}, p {left['tau_p']:.3f}")
    for key in ("components", "agreement", "draw_rate", "wins_less_losses"):
        if key in out:
            print(key, json.dumps(rounded(out[key])))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--json")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--simulate", type=int, metavar="TIMES")
    parser.add_argument("--evaluations", action="append", default=[], metavar="FILE.csv:NUMBER:VALUE",
                        help="a table with a column of start numbers and one of values, held against the advantage")
    arguments = parser.parse_args()
    if arguments.simulate:
        return simulate(arguments.simulate, arguments.seed)
    names, rows, copies, halves = pairs_of(read(arguments.files))
    out, cells = answer(names, rows, arguments.seed)
    out["copies"], out["half_pairs"] = copies, halves
    show(out, copies, halves)
    import csv
    for text in arguments.evaluations:
        path, number, value = text.split(":")
        values = np.full(STARTS, np.nan)
        with open(path, newline="", encoding="utf-8-sig") as file:
            for row in csv.DictReader(file):
                if row[value] not in ("", "NA"):
                    values[int(row[number])] = float(row[value])
        random = np.random.default_rng(arguments.seed)
        out.setdefault("evaluations", {})[text] = predicted(cells, list(range(len(names))), values, random)
        print("evaluations", text, json.dumps(rounded(out["evaluations"][text])))
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(rounded(out), file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
