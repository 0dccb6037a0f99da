#!/usr/bin/env python3
"""The replication of docs/experiment.md, section 12, written before its first game.

    replication.py starts FIRST.pgn.bz2 …                         the ten starts that stood out most, and ten drawn ones
    replication.py answer ANSWER.json FILE.pgn.bz2 …              the answer of the new games; ANSWER.json is the sealed one

FIRST are the 39 files of the experiment. Needs numpy, scipy and analysis.py beside it.
"""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np
from scipy import stats

import analysis

# Start, the engine for which it stood out, and the side for which it was good: +1 White, -1 Black.
NAMED = [(860, "ethereal", -1), (654, "stockfish", 1), (142, "stockfish", 1), (255, "stockfish", -1), (891, "weiss", 1),
         (766, "ethereal", -1), (248, "ethereal", 1), (212, "ethereal", -1), (317, "stockfish", 1), (791, "stockfish", 1)]
ENGINES = ["ethereal", "stockfish", "weiss"]
LEVEL = 0.95


def starts(paths):
    """The cells of engine and start by their distance from the engine's mean in errors; ten by hash of the seal."""
    _, rows, _, _ = analysis.pairs_of(analysis.read(paths))
    cells = analysis.Cells(rows, len(ENGINES))
    sigma2, _ = cells.sigma2()
    far = (cells.mean - cells.mean.mean(axis=1, keepdims=True)) / np.sqrt(sigma2[:, None] / cells.count)
    order = np.abs(far).ravel().argsort(kind="stable")[::-1][:10]
    named = [(int(i % 960), ENGINES[i // 960], int(np.sign(far.ravel()[i]))) for i in order]
    seal = hashlib.sha256((Path(__file__).parent / "seal.json").read_bytes()).hexdigest()
    rest = [n for n in range(960) if n not in [start for start, _, _ in named]]
    drawn = sorted(rest, key=lambda n: hashlib.sha256(f"replication {seal} {n}".encode()).hexdigest())[:10]
    print("named", sorted(named), "as in NAMED:", sorted(named) == sorted(NAMED))
    print("drawn", sorted(drawn))


def groups(scores, means):
    """Signed deviations from the engine's mean of the experiment: of the named cells, the same starts with the other engines."""
    own = [(start, engine, sign) for start, engine, sign in NAMED]
    other = [(start, engine, sign) for start, whose, sign in NAMED for engine in ENGINES if engine != whose]
    for label, cells in (("named, own engine", own), ("named, other engines", other)):
        found = [(sign * (scores[e, p].mean() - means[e]), scores[e, p].var(ddof=1) / len(scores[e, p])) for p, e, sign in cells]
        mean = np.mean([x for x, _ in found])
        error = np.sqrt(sum(v for _, v in found)) / len(found)
        yield label, mean, error, len(found)


def answer(known, paths):
    """Every number of the replication."""
    names, rows, copies, halves = analysis.pairs_of(analysis.read(paths))
    names = [name.removeprefix("replication-") for name in names]
    known = json.loads(Path(known).read_text())["engines"]
    means = {engine: known[f"experiment-{engine}"]["score"] for engine in ENGINES}
    scores = {(names[int(e)], int(p)): rows[(rows[:, 0] == e) & (rows[:, 1] == p), 2] for e, p in {(r[0], r[1]) for r in rows}}
    named = {start for start, _, _ in NAMED}
    out = {"pairs": len(rows), "copies": copies, "half_pairs": halves, "groups": {}, "named": [], "drawn": []}
    for label, mean, error, cells in groups(scores, means):
        out["groups"][label] = {"cells": cells, "elo": analysis.slope(0.5) * mean, "error": analysis.slope(0.5) * error,
                                "p": stats.norm.sf(mean / error)}
    drawn = [(engine, start) for engine, start in sorted(scores) if start not in named]
    far = {(e, p): (scores[e, p].mean() - means[e], scores[e, p].std(ddof=1) / np.sqrt(len(scores[e, p]))) for e, p in scores}
    out["groups"]["drawn"] = {"cells": len(drawn), "mean_square_of_deviation_in_errors":
                              np.mean([(far[cell][0] / far[cell][1])**2 for cell in drawn]),
                              "elo": analysis.slope(0.5) * np.mean([far[cell][0] for cell in drawn]),
                              "error": analysis.slope(0.5) * np.sqrt(sum(far[cell][1]**2 for cell in drawn)) / len(drawn)}
    for start, engine, sign in NAMED:
        deviation, error = far[engine, start]
        wide = stats.t.ppf(1 - (1 - LEVEL) / 2 / len(NAMED), len(scores[engine, start]) - 1) * error
        out["named"].append({"start": start, "engine": engine, "white": scores[engine, start].mean(),
                             "deviation": deviation, "simultaneous": [deviation - wide, deviation + wide],
                             "again": bool(sign * deviation > wide)})
    for engine, start in drawn:
        out["drawn"].append({"start": start, "engine": engine, "white": scores[engine, start].mean(), "deviation": far[engine, start][0]})
    return analysis.rounded(out)


if __name__ == "__main__":
    if sys.argv[1:2] == ["starts"]:
        starts(sys.argv[2:])
    elif sys.argv[1:2] == ["answer"]:
        print(json.dumps(answer(sys.argv[2], sys.argv[3:]), indent=1))
    else:
        sys.exit(__doc__)
