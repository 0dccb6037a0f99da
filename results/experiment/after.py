#!/usr/bin/env python3
"""What was computed after the sealed analysis, beside it: sections 10 to 12 of docs/experiment.md.

    after.py FILE.pgn.bz2 … --json answer-after.json --picture intervals.svg
             [--evaluations evaluations.csv] [--list NAME=FILE:NUMBER:VALUE …] [--people FILE.csv]
             [--tenfold FILE.pgn.bz2 …]

Reading, cells, spread and intervals are those of analysis.py, which is not changed. A list without a line of
column names is read by the numbers of its columns, from 0.
"""

import argparse
import csv
import json

import numpy as np
from scipy import stats

import analysis as sealed

ENDS = [(1 - sealed.LEVEL) / 2, (1 + sealed.LEVEL) / 2]


def shared(cells, random):
    """What all engines have in common: the mean covariance of their maps, which noise does not bias."""
    def mean_covariance(y):
        covariance = np.cov(y)
        return covariance[np.triu_indices(len(y), 1)].mean()

    y = cells.mean
    here = mean_covariance(y)
    draws = [mean_covariance(y[:, random.integers(0, y.shape[1], y.shape[1])]) for _ in range(sealed.BOOTSTRAP)]
    unit = sealed.slope(y.mean())
    upper = np.quantile(draws, sealed.LEVEL)
    return {"estimate_elo": unit * np.sqrt(max(here, 0)), "upper_elo": unit * np.sqrt(max(upper, 0)),
            "share_of_draws_above_0": float(np.mean(np.array(draws) > 0))}


def against(cells, which, values, random):
    """r of a list and the results, and R² without the noise of the results; 95 % by a bootstrap of starts."""
    x, noise, whole = cells.pooled(which)
    v = values[whole]
    known = ~np.isnan(v)
    x, noise, v = x[known], noise[known], v[known]

    def numbers(x, noise, v):
        r = np.corrcoef(v, x)[0, 1]
        true = x.var(ddof=1) - noise.mean()
        r2 = min(r * r * x.var(ddof=1) / true, 1.0) if true > 0 else 1.0
        return r, r2, np.cov(v, x)[0, 1] / v.var(ddof=1)

    draws = np.array([numbers(x[s], noise[s], v[s])
                      for s in (random.integers(0, len(x), len(x)) for _ in range(sealed.BOOTSTRAP))])
    low, high = np.quantile(draws, ENDS, axis=0)
    r, r2, slope = numbers(x, noise, v)
    return {"starts": len(x), "r": r, "r_interval": [low[0], high[0]], "p": stats.pearsonr(v, x).pvalue,
            "r2_without_noise": r2, "r2_interval": [low[1], high[1]], "slope": slope}


def places_of(number, ordered):
    """The places from the best for White that a start shares with all that have its mean; the sealed script prints one of them."""
    means = np.array([row[1] for row in ordered])
    here = next(row[1] for row in ordered if row[0] == number)
    level = np.isclose(means, here, rtol=0, atol=1e-9)
    return {"first": int((means[~level] > here).sum()) + 1, "last": int((means[~level] > here).sum() + level.sum())}


def groups_of(names):
    """Each engine alone, and all of them."""
    return {name: [engine] for engine, name in enumerate(names)} | {"pooled": list(range(len(names)))}


def by_engine(cells, names, values, random):
    """A list against every engine's results and against all together."""
    return {group: against(cells, which, values, random) for group, which in groups_of(names).items()}


def number_of(rank):
    """Scharnagl's number of a first rank: bishop on light, bishop on dark, queen, then the knights."""
    rank = rank.upper()
    light, dark = (next(i for i in range(start, 8, 2) if rank[i] == "B") for start in (1, 0))
    rest = [piece for piece in rank if piece != "B"]
    queen = rest.index("Q")
    rest.pop(queen)
    first, second = (i for i, piece in enumerate(rest) if piece == "N")
    knights = [(a, b) for a in range(5) for b in range(a + 1, 5)].index((first, second))
    return (light - 1) // 2 + 4 * (dark // 2) + 16 * queen + 96 * knights


def column(path, number, value):
    """A value for every start from a table; with digits as names, from a table without names."""
    values = np.full(sealed.STARTS, np.nan)
    with open(path, newline="", encoding="utf-8-sig") as file:
        bare = number.isdigit()
        for row in csv.reader(file) if bare else csv.DictReader(file):
            text = row[int(value) if bare else value]
            if text not in ("", "NA"):
                values[int(row[int(number) if bare else number])] = float(text)
    return values


def evaluations(path):
    """{engine: expected score or centipawns of each start} of the committed table."""
    out = {}
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            values = out.setdefault(row["engine"], np.full(sealed.STARTS, np.nan))
            values[int(row["number"])] = float(row["centipawns"])
    return out


def people(path, cells, random):
    """A table of people's games (setup, unknown, draw, white, black): mean, spread, and the engines' map beside it."""
    score, noise, games = (np.full(sealed.STARTS, np.nan) for _ in range(3))
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            white, draw, black = (int(row[key]) for key in ("white", "draw", "black"))
            start, n = number_of(row["setup"]), white + draw + black
            mean = (white + draw / 2) / n
            score[start], games[start] = mean, n
            noise[start] = ((white + draw / 4) / n - mean**2) / n
    known = ~np.isnan(score)
    mean, unit = score[known].mean(), sealed.slope(score[known].mean())
    between = sealed.spread(score[known], noise[known])
    return {"starts": int(known.sum()), "games": int(games[known].sum()), "score": mean, "elo": sealed.elo(mean),
            "elo_error": unit * np.sqrt(noise[known].sum()) / known.sum(), "q": between["q"], "free": between["free"],
            "p": between["p"], "tau_elo": {key: unit * between[key] for key in ("estimate", "lower", "upper")},
            "reliability": max(1 - noise[known].mean() / score[known].var(ddof=1), 0),
            "with_the_engines": against(cells, list(range(cells.engines)), score, random)}


def more_games(out, engines):
    """Reliability of a start's pooled mean, and its own error, with so many pairs of each engine."""
    tau = out["pooled"]["tau_elo"]
    error = out["pooled"]["error_of_a_start_elo"]
    return {str(pairs): {"games": 960 * engines * pairs * 2, "error_elo": error * np.sqrt(13 / pairs),
                         **{f"reliability_{key}": tau[key]**2 / (tau[key]**2 + error**2 * 13 / pairs)
                            for key in ("lower", "estimate", "upper")}}
            for pairs in (13, 50, 100, 200, 400, 1000)}


def variety(table, plies=(4, 8, 12, 20, 40)):
    """How many different beginnings the 26 games of a start and an engine have, on average."""
    def beginning(moves, length):
        words = [word for word in moves.split() if not word[0].isdigit() and word[0] not in "{}"]
        return tuple(words[:length])

    counts = {length: [] for length in plies}
    for pairs in table.values():
        texts = [game[1] for pair in pairs.values() for game in pair.values()]
        for length in plies:
            counts[length].append(len({beginning(text, length) for text in texts}))
    return {str(length): float(np.mean(numbers)) for length, numbers in counts.items()}


def shared_openings(table):
    """Noise by the moves: variance between pairs that begin alike and between those that do not, in ratio."""
    within, free, total, all_free = 0.0, 0, 0.0, 0
    for pairs in table.values():
        groups = {}
        for pair in pairs.values():
            begin = tuple(" ".join(game[1].split()[:6]) for _, game in sorted(pair.items()))
            groups.setdefault(begin, []).append(sum(game[0] for game in pair.values()) / 2)
        every = np.concatenate([np.array(group) for group in groups.values()])
        total, all_free = total + ((every - every.mean())**2).sum(), all_free + len(every) - 1
        for group in groups.values():
            within, free = within + ((np.array(group) - np.mean(group))**2).sum(), free + len(group) - 1
    return {"pairs_that_begin_alike": free, "variance_ratio": (within / free) / (total / all_free) if free else None}


def tenfold(paths, names, rows, random):
    """The exploratory arm beside the same starts of the plan."""
    more, arm, copies, halves = sealed.pairs_of(sealed.read(paths))
    starts = np.unique(arm[:, 1])
    plan = rows[np.isin(rows[:, 1], starts)]
    out = {"starts": len(starts), "copies": copies, "half_pairs": halves, "pairs": int(len(arm))}
    for label, group, data in (("plan", names, plan), ("tenfold", more, arm)):
        cells = sealed.Cells(data, len(group))
        for title, which in groups_of(group).items():
            x, noise, _ = cells.pooled(which)
            mean, clustered, these = sealed.mean_with_error(x, noise)
            unit, between = sealed.slope(mean), sealed.spread(x, noise)
            own = data if title == "pooled" else data[data[:, 0] == which[0]]
            out[f"{label}: {title}"] = {
                "elo": sealed.elo(mean), "elo_error": unit * clustered, "draws": own[:, 3].sum() / (2 * len(own)),
                "tau_elo": {key: unit * between[key] for key in ("estimate", "lower", "upper")}, "tau_p": between["p"]}
    both = [sealed.Cells(data, 3).pooled()[0] for data in (plan, arm)]
    r, p = stats.pearsonr(*both)
    out["correlation_of_the_two"] = {"r": r, "p": p}
    return out


def extremes(cells, random):
    """The largest of 960 deviations that was seen, and what chance alone would give."""
    x, noise, _ = cells.pooled()
    seen = np.abs(x - x.mean()) / np.sqrt(noise)
    chance = np.abs(random.standard_normal((sealed.BOOTSTRAP, len(x)))).max(axis=1)
    return {"largest_in_errors": seen.max(), "chance_median": np.median(chance),
            "share_of_chance_as_large": float(np.mean(chance >= seen.max()))}


# ---------------------------------------------------------------- the picture

PANEL, LEFT, TOP, SIDE, GAP = 300, 56, 84, 270, 34
ACROSS, UP = 260.0, 130.0
NAMED_AT_AN_END = 3


def panel(cells, engine, random):
    """An engine's starts in order: what chance alone would give (median and 95 %), and what was seen less that; Elo."""
    x, noise, whole = cells.pooled([engine])
    unit = sealed.slope(x.mean())
    draws = np.sort(random.standard_normal((2000, len(x))) * np.sqrt(noise), axis=1)
    low, middle, high = unit * np.quantile(draws, [0.025, 0.5, 0.975], axis=0)
    # Starts with equal means stand by number.
    order = np.lexsort((np.flatnonzero(whole), x))
    seen = unit * (x - x.mean())[order]
    return np.flatnonzero(whole)[order], middle, seen - middle, low - middle, high - middle


def picture(names, cells, random, path):
    """Every start of every engine: seen less what 960 equal starts would show in this place by chance."""
    width, height = LEFT + len(names) * (PANEL + GAP), TOP + SIDE + 64
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13">',
             f'<rect width="{width}" height="{height}" fill="white"/>',
             f'<text x="{LEFT}" y="24" font-size="16">960 starts by engine: what was seen, less what equal starts would show by chance</text>',
             f'<text x="{LEFT}" y="46">Dots: starts, from the worst for White to the best. Grey: where 95 % of the dots of each place lie if all starts '
             'are equal.</text>']
    for engine, name in enumerate(names):
        starts, chance, beyond, low, high = panel(cells, engine, random)
        left = LEFT + engine * (PANEL + GAP)

        def at(x, y):
            across = left + (x + ACROSS) / (2 * ACROSS) * PANEL
            return f"{across:.1f},{TOP + (UP - y) / (2 * UP) * SIDE:.1f}"

        lines.append(f'<text x="{left}" y="{TOP - 10}" font-weight="bold">{name.removeprefix("experiment-").capitalize()}</text>')
        for value in range(-100, 101, 50):
            y = at(0, value).split(",")[1]
            lines.append(f'<path d="M{left},{y} h{PANEL}" stroke="{"#888" if value == 0 else "#ddd"}"/>')
            if engine == 0:
                lines.append(f'<text x="{left - 8}" y="{float(y) + 4}" text-anchor="end">{f"{value:+d}" if value else "0"}</text>')
        for value in range(-200, 201, 100):
            x = at(value, 0).split(",")[0]
            label = f"{value:+d}" if value else "0"
            lines.append(f'<text x="{x}" y="{TOP + SIDE + 18}" text-anchor="middle">{label}</text>')
        band = [at(c, v) for c, v in zip(chance, high)] + [at(c, v) for c, v in zip(chance[::-1], low[::-1])]
        lines.append(f'<polygon points="{" ".join(band)}" fill="#bbb" fill-opacity="0.5"/>')
        lines += [f'<circle cx="{x}" cy="{y}" r="1.6"/>' for x, y in (at(c, v).split(",") for c, v in zip(chance, beyond))]
        ends = [*range(NAMED_AT_AN_END), *range(len(starts) - NAMED_AT_AN_END, len(starts))]
        for place in [*ends, int(np.flatnonzero(starts == 518)[0])]:
            x, y = at(chance[place], beyond[place]).split(",")
            anchor = "start" if place < len(starts) / 2 else "end"
            shift = 6 if anchor == "start" else -6
            colour = "#06c" if starts[place] == 518 else "#c00"
            lines += [f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>',
                      f'<text x="{float(x) + shift}" y="{float(y) - 4}" text-anchor="{anchor}" fill="{colour}">{starts[place]}</text>']
    lines += [f'<text x="{LEFT}" y="{height - 14}">Across: what chance alone gives in this place, Elo from the engine’s mean. '
              'Up: seen less that, Elo.</text>', "</svg>"]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--json", required=True)
    parser.add_argument("--picture")
    parser.add_argument("--evaluations")
    parser.add_argument("--list", action="append", default=[], metavar="NAME=FILE:NUMBER:VALUE")
    parser.add_argument("--people")
    parser.add_argument("--tenfold", nargs="*", default=[])
    arguments = parser.parse_args()
    random = np.random.default_rng(sealed.SEED)
    table = sealed.read(arguments.files)
    names, rows, _, _ = sealed.pairs_of(table)
    answer, cells = sealed.answer(names, rows)
    out = {"shared_by_all_engines": shared(cells, random), "extremes": extremes(cells, random),
           "more_games": more_games(answer, len(names)), "beginnings": variety(table), "openings": shared_openings(table),
           "number_518_places": places_of(518, answer["pooled"]["starts_by_advantage"])}
    lists = evaluations(arguments.evaluations) if arguments.evaluations else {}
    for text in arguments.list:
        name, _, place = text.partition("=")
        lists[name] = column(*place.rsplit(":", 2))
    out["lists"] = {name: by_engine(cells, names, values, random) for name, values in lists.items()}
    labels = list(lists)
    out["lists_with_each_other"] = {f"{a} / {b}": stats.pearsonr(lists[a], lists[b])[0]
                                    for i, a in enumerate(labels) for b in labels[i + 1:]}
    if arguments.people:
        out["people"] = people(arguments.people, cells, random)
    if arguments.tenfold:
        out["tenfold"] = tenfold(arguments.tenfold, names, rows, random)
    if arguments.picture:
        picture(names, cells, random, arguments.picture)
    with open(arguments.json, "w", encoding="utf-8") as file:
        json.dump(sealed.rounded(out), file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
