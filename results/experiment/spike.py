#!/usr/bin/env python3
"""The spiked event of docs/experiment.md: does the analysis find an advantage that was put in?

    spike.py make FOLDER             three event files and the truth; prints the SHA-256 of the truth
    spike.py blind FOLDER OUT.pgn.bz2   the games of all three as one event that does not say which is which
    spike.py open TRUTH ANALYSIS.json   what was put in against what `analysis.py --json` found

Some of 96 starts, drawn with a number from the system that is kept in FOLDER/truth.json alone, are played with fewer nodes
for one side: 400 against 1,000. The others are self-play at 1,000 nodes.
"""

import bz2
import hashlib
import json
import random
import re
import sys
from pathlib import Path

STARTS, PAIRS, FULL, FEWER = 96, 26, 1000, 400
DRAWN_FROM = 20261123

ENGINE = """
[[engine]]
name = "{name}"
command = "stockfish"
options = {{ Hash = 4, Threads = 1 }}
time = {{ nodes = {nodes}, nodes_jitter = 0.1 }}
"""


def make(folder):
    starts = sorted(random.Random(DRAWN_FROM).sample(range(960), STARTS))
    secret = random.SystemRandom().getrandbits(64)
    drawn = random.Random(secret)
    spiked = drawn.sample(starts, drawn.randint(6, 12))
    truth = {start: drawn.choice(["white", "black"]) for start in sorted(spiked)}
    text = json.dumps({"secret": secret, "better": truth}, indent=1) + "\n"
    folder.mkdir(parents=True)
    (folder / "truth.json").write_text(text)
    groups = {"plain": [start for start in starts if start not in truth]}
    for side in ("white", "black"):
        groups[side] = [start for start, better in truth.items() if better == side]
    for group, numbers in groups.items():
        if not numbers:
            continue
        plain = group == "plain"
        head = f'[event]\nname = "spiked-{group}"\nseed = {secret % 2**31}\npairs = {PAIRS if plain else PAIRS * len(numbers)}\nconcurrency = 2\n'
        head += "" if plain else f'colours = "{group}"\n'
        positions = f'\n[positions]\nnumbers = {numbers}\n' + ("" if plain else 'draw = "next"\n')
        engines = ENGINE.format(name="Full", nodes=FULL)
        engines += "copies = 2\n" if plain else ENGINE.format(name="Fewer", nodes=FEWER)
        (folder / f"{group}.toml").write_text(head + positions + engines)
    print(hashlib.sha256(text.encode()).hexdigest())


def blind(folder, out):
    games = []
    for path in sorted(folder.glob("results/*/games.pgn")):
        for game in re.split(r"\n\n(?=\[Event )", path.read_text()):
            tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', game, re.M))
            pair, nth = tags["Round"].split(".")
            games.append((int(tags["StartNumber"]), int(pair), int(nth), tags["Result"], game.split("\n\n", 1)[1].strip()))
    games.sort(key=lambda game: game[:3])
    text, before, count = [], None, 0
    for start, pair, nth, result, moves in games:
        count = 0 if before is None or before[0] != start else count
        count += before != (start, pair)
        before = (start, pair)
        text.append(f'[Event "spiked"]\n[Round "{count}.{nth}"]\n[StartNumber "{start}"]\n[Result "{result}"]\n\n{moves}\n\n')
    out.write_bytes(bz2.compress("".join(text).encode()))
    print(len(games), "games")


def compare(truth, analysis):
    truth = {int(start): side for start, side in json.loads(truth.read_text())["better"].items()}
    found = json.loads(analysis.read_text())["pooled"]
    mean = found["score"]
    by_start = {row[0]: row[1:] for row in found["starts_by_advantage"]}
    named = {start: "white" if by_start[start][0] > mean else "black" for start in found["told_apart_from_the_mean"]}
    right = [start for start, side in named.items() if truth.get(start) == side]
    print(f"put in {len(truth)} of {len(by_start)}; named {len(named)}, with the right sign {len(right)}, "
          f"with the wrong sign {sum(s in truth and truth[s] != side for s, side in named.items())}, "
          f"where nothing was put in {sum(s not in truth for s in named)}, not found {len(set(truth) - set(named))}")
    for start, side in truth.items():
        score, low, high = by_start[start]
        print(f"{start}: {side} better; White's score {score:.3f} [{low:.3f}, {high:.3f}], mean {mean:.3f}, "
              f"{'named' if start in named else 'not named'}")
    print("tau", found["tau_elo"])


if __name__ == "__main__":
    command, *paths = sys.argv[1:]
    {"make": make, "blind": blind, "open": compare}[command](*map(Path, paths))
