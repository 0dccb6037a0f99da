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

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 1000, 560, 70, 64, 20, 60


def picture(out, cells, random, path):
    """960 starts by what was seen, with simultaneous intervals, over what 960 equal starts would show."""
    # Starts with equal means stand by number: the sealed script leaves their order to the processor's sort.
    ordered = sorted(out["pooled"]["starts_by_advantage"], key=lambda row: (row[1], row[0]))
    mean = out["pooled"]["score"]
    _, noise, _ = cells.pooled()
    draws = np.sort(mean + random.standard_normal((2000, len(noise))) * np.sqrt(noise), axis=1)
    low, middle, high = sealed.elo(np.quantile(draws, [0.025, 0.5, 0.975], axis=0))
    most = 500.0

    def at(place, value):
        across = LEFT + (place + 0.5) / len(ordered) * (WIDTH - LEFT - RIGHT)
        return f"{across:.1f},{TOP + (most - value) / (2 * most) * (HEIGHT - TOP - BOTTOM):.1f}"

    def text(x, y, words, more=""):
        return f'<text x="{x}" y="{y}" {more}>{words}</text>'

    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="14">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
             text(LEFT, 24, "White’s advantage from each of the 960 starts, sorted, with intervals that all hold together (95 %)",
                  'font-size="16"'),
             text(LEFT, 46, "Black: seen. Orange: what 960 equal starts would show by chance alone. 39 pairs for each start.")]
    for value in range(-400, 401, 100):
        y = at(0, value).split(",")[1]
        lines += [f'<path d="M{LEFT},{y} H{WIDTH - RIGHT}" stroke="#ddd"/>',
                  text(LEFT - 8, float(y) + 5, f"{value:+d}" if value else "0", 'text-anchor="end"')]
    bars = " ".join(f"M{at(i, sealed.elo(a))} L{at(i, sealed.elo(b))}" for i, (_, _, a, b) in enumerate(ordered))
    band = " ".join(at(i, v) for i, v in enumerate(high)) + " " + " ".join(at(i, low[i]) for i in reversed(range(len(low))))
    dots = " ".join(at(i, sealed.elo(row[1])) for i, row in enumerate(ordered))
    lines += [f'<path d="{bars}" stroke="#9db7d5" stroke-width="0.7"/>',
              f'<polygon points="{band}" fill="#f5a623" fill-opacity="0.6"/>',
              f'<polyline points="{" ".join(at(i, v) for i, v in enumerate(middle))}" fill="none" stroke="#c77700"/>',
              f'<polyline points="{dots}" fill="none" stroke="black" stroke-width="2"/>']
    place = next(i for i, row in enumerate(ordered) if row[0] == 518)
    x, y = at(place, sealed.elo(ordered[place][1])).split(",")
    lines += [f'<circle cx="{x}" cy="{y}" r="5" fill="#c00"/>', text(float(x) + 8, float(y) - 10, "518, the usual start", 'fill="#c00"'),
              text(18, HEIGHT / 2, "Elo", f'transform="rotate(-90 18 {HEIGHT / 2})"'),
              text(LEFT, HEIGHT - 20, "from the worst start for White to the best, as seen"), "</svg>"]
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
        picture(answer, cells, random, arguments.picture)
    with open(arguments.json, "w", encoding="utf-8") as file:
        json.dump(sealed.rounded(out), file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
