"""Errors of ratings clustered by position, of the rating vectors: logistic regression by statsmodels, and a sandwich by
matrices with the factors of the CR2 estimate of a mean, a position having the weight of its games.

    python3 tests/oracle/rating_positions.py tests/data/vectors.json           compares
    python3 tests/oracle/rating_positions.py tests/data/vectors.json --write   writes them there

numpy and statsmodels.
"""

import csv
import json
import pathlib
import sys

import numpy as np
import statsmodels.api as sm

ELO = 400 / np.log(10)


def errors(file):
    with open(file, encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    names = sorted({name for row in rows for name in (row["white"], row["black"])})
    score = np.array([{"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}[row["result"]] for row in rows])
    positions = np.array([row["start_number"] for row in rows])
    sides = np.zeros((len(rows), len(names)))
    for place, row in enumerate(rows):
        sides[place, names.index(row["white"])] = 1
        sides[place, names.index(row["black"])] -= 1
    # Ratings have the mean 0: the last is the rest.
    basis = np.vstack([np.eye(len(names) - 1), -np.ones(len(names) - 1)])
    x = np.hstack([sides @ basis, np.ones((len(rows), 1))])
    fit = sm.GLM(score, x, family=sm.families.Binomial()).fit(tol=1e-14, maxiter=200)
    residual = score - fit.fittedvalues
    bread = np.linalg.inv(x.T @ (x * (fit.fittedvalues * (1 - fit.fittedvalues))[:, None]))
    distinct = np.unique(positions)
    weights = np.array([(positions == one).sum() for one in distinct]) / len(rows)
    meat = 0
    for one, weight in zip(distinct, weights):
        cluster = x[positions == one].T @ residual[positions == one]
        meat = meat + np.outer(cluster, cluster) / (1 - 2 * weight + (weights**2).sum())
    covariance = bread @ meat @ bread
    ratings = basis @ covariance[:-1, :-1] @ basis.T
    return names, ELO * np.sqrt(np.diag(ratings)), ELO * np.sqrt(covariance[-1, -1])


def main():
    path = pathlib.Path(sys.argv[1])
    file = json.loads(path.read_text(encoding="utf-8"))
    for vector in file["vectors"]:
        known = vector["outputs"].get("logistic", {})
        if vector["kind"] != "rating" or "se_position" not in known:
            continue
        names, ratings, white = errors(path.parent / "data" / vector["inputs"]["csv"])
        print(vector["id"], names, known["se_position"], list(ratings), known.get("white_elo_se_position"), white)
        known["se_position"], known["white_elo_se_position"] = list(map(float, ratings)), float(white)
    if "--write" in sys.argv:
        path.write_text(json.dumps(file, indent=1) + "\n", encoding="utf-8")


main()
