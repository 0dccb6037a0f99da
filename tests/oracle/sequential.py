#!/usr/bin/env python3
"""The always-valid interval and the stage-wise estimate of the reference vectors, by numpy and scipy alone:

    python3 tests/oracle/sequential.py tests/data/vectors.json

writes both into the file. The motion of the ratio is followed on a grid (Crank and Nicolson), not by series.
"""
import json
import sys

import numpy as np
from likelihood import deviance, lattice
from scipy.linalg import solve_banded
from scipy.optimize import brentq
from scipy.special import logsumexp


def capital(counts, score):
    shares = 0.95 * 0.7 ** np.arange(16)
    begun = np.exp(-0.5 * np.log(shares / 0.22) ** 2)
    factors = 1 + shares[:, None] * (lattice(counts)[None, :] / score - 1)
    return logsumexp((np.log(factors) * counts).sum(1), b=begun / begun.sum())


def always_valid(counts, level):
    def low(counts):
        mean = (counts * lattice(counts)).sum() / counts.sum()
        return brentq(lambda s: capital(counts, s) - np.log(2 / (1 - level)), 1e-9, mean, xtol=1e-14)

    return low(counts), 1 - low(counts[::-1])


def worse(lower, upper, drift, variance, time, at):
    """P(absorbed below before, or alive and lower than `at`), from 0; forward equation of the density."""
    cells, steps = 2000, 4000
    width = (upper - lower) / cells
    x = lower + width * (np.arange(cells) + 0.5)
    p = np.zeros(cells)
    # The first fiftieth is a free motion.
    begun = time / 50
    p = np.exp(-((x - drift * begun) ** 2) / (2 * variance * begun))
    p /= p.sum()
    dt = (time - begun) / steps
    d, c = variance / (2 * width**2), drift / (2 * width)
    below, above, diagonal = d + c, d - c, np.full(cells, -2 * d)
    # Both ends take what reaches them: the value beyond is minus the last one.
    diagonal[0] -= d + c
    diagonal[-1] -= d - c
    half = 0.5 * dt
    bands = np.array([np.full(cells, -half * above), 1 - half * diagonal, np.full(cells, -half * below)])
    lost = 0.0
    for _ in range(steps):
        moved = diagonal * p
        moved[1:] += below * p[:-1]
        moved[:-1] += above * p[1:]
        new = solve_banded((1, 1), bands, p + half * moved)
        lost += dt * 2 * d * 0.5 * (p[0] + new[0])
        p = new
    part = (at - lower) / width
    whole = int(min(part, cells))
    inside = p[:whole].sum() + (p[whole] * (part - whole) if whole < cells else 0.0)
    return lost + inside


def stagewise(inputs):
    counts = np.array(inputs["results"], float)
    values, n = lattice(counts), counts.sum()
    mean = (counts * values).sum() / n
    regular = np.where(counts > 0, counts, 1e-3)
    center = (regular * values).sum() / regular.sum()
    assumed = (regular * (values - center) ** 2).sum() / regular.sum()
    sigma = np.sqrt((2 if len(counts) == 5 else 1) * assumed)
    s0, s1 = (0.5 + inputs[e] / (800 / np.log(10)) * sigma for e in ("elo0", "elo1"))
    alpha, beta = inputs["alpha"], inputs["beta"]
    lower, upper = np.log(beta / (1 - alpha)), np.log((1 - beta) / alpha)
    drift = lambda s: (s - (s0 + s1) / 2) * (s1 - s0) / assumed
    llr = float(np.clip(drift(mean) * n, lower, upper))
    if llr != drift(mean) * n:
        assumed *= drift(mean) * n / llr

    def chance(s):
        variance = n * (mean - s) ** 2 / deviance(counts, s)
        return worse(lower, upper, drift(s), (s1 - s0) ** 2 / assumed**2 * variance, n, llr)

    reach = 5 * np.sqrt(assumed / n)
    elo = lambda s: -400 * np.log10(1 / s - 1)
    near = lambda p: brentq(lambda s: chance(s) - p, mean - reach, mean + reach, xtol=1e-9)
    tail = (1 - inputs["level"]) / 2
    return {"elo": elo(near(0.5)), "lo": elo(near(1 - tail)), "hi": elo(near(tail)), "los": chance(0.5)}


def main():
    path = sys.argv[1]
    with open(path) as file:
        text = json.load(file)
    for vector in text["vectors"]:
        inputs, outputs = vector["inputs"], vector["outputs"]
        if "anytime" in outputs:
            low, high = always_valid(np.array(inputs["results"], float), inputs.get("level", 0.95))
            outputs["anytime"] = {"score_lo": low, "score_hi": high}
        if vector["kind"] == "sprt_estimate":
            print(vector["id"], outputs)
            vector["outputs"] = stagewise(inputs)
            vector["tolerance"] = {"abs": 0.02}
            print(vector["outputs"])
    with open(path, "w") as file:
        file.write(json.dumps(text, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
