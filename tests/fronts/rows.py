"""What a rival and this program once did differently, each row of `rows.csv` by both.

    FASTCHESS=… CUTECHESS=… python3 tests/fronts/rows.py target/debug/arbiter960 [--engine PROGRAM] [WORDS]

Columns of `rows.csv`: the rival; what the row is about (WORDS choose rows by it); after how many games the line is interrupted and
continued by its `config.json`; who writes that file (`rival`, else each program its own); the beginning of the paragraph of
docs/migrating.md that describes the difference, if there is one; the command line.

The exit code is 1 if a row differs that is not described, if one is described and is the same, or if the document does not have its
description.
"""

import argparse
import csv
import os
import shlex
import sys
from functools import partial
from pathlib import Path

import compare

HERE = Path(__file__).parent
DOCUMENT = (HERE.parents[1] / "docs/migrating.md").read_text()
# Stages before and behind the built-in engine: what it is not told, and what it says.
PASSED = "{print; fflush()}'"
ENGINES = {
    "startpos": ("/^position fen/d", "cat"),
    "illegal": ("", "sed -u -e 's/^bestmove .*/bestmove a1a1/'"),
    "takes-rook": ("", f"mawk -W interactive '/^bestmove/ && ++n == 1 {{$2 = \"e1h1\"}} {PASSED}"),
    "castles": ("", f"mawk -W interactive '/^bestmove/ && ++n == 3 {{$2 = \"e1g1\"}} {PASSED}"),
    "always-late": ("", "mawk -W interactive '/^bestmove/ {system(\"sleep 3\")} " + PASSED),
}
ENGINE = """\
#!/bin/sh
sed -u -e '/^go ponder/!s/^go .*/go nodes 150/' -e '{told}' -e /^quit/q | "{program}" sparring | {says}
"""
CASTLING = {  # castling fields that do not fit
    "no-rook": "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB2 w KQkq -",
    "moved": "r1bq1bnr/ppppkppp/2n5/4p3/4P3/5N2/PPPPKPPP/RNBQ1B1R w KQkq -",
    "shredder": "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w HAha -",
    "of-960": "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf -",
    "x-fen": "nrbbqknr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKNR w KQkq -",
}
EPD = {
    "bare-king": "4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ -",
    "a-rook": "3rk3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ -",
    "open": "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq -",
    "unreadable": "hello world",
}
PGN = {
    "illegal": "1. e4 e5 2. Nf3 Nc6 3. Bb5 Ke6 4. O-O *",
    "repeats": "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 e5 *",
    "mate": "1. f3 e5 2. g4 Qh4# *",
}


def prepare(program, habit, folder):
    for name in "AB":
        compare.engine(folder / name, program, habit)
    for name in compare.HABITS:
        compare.engine(folder / name, program, name)
    for name, (told, says) in ENGINES.items():
        path = folder / name
        path.write_text(ENGINE.format(told=told, program=program, says=says))
        path.chmod(0o755)
    for name, text in {**EPD, **CASTLING}.items():
        (folder / f"{name}.epd").write_text(f"{text}\n")
    for name, text in PGN.items():
        (folder / f"{name}.pgn").write_text(f'[Event "{name}"]\n[Result "*"]\n\n{text}\n\n')
    (folder / "book.epd").write_text(compare.EPD)


def verdict(row, rivals, program, engine):
    games = int(row["games"] or 0)
    ready = partial(prepare, engine, "slow" if games else "none")
    starter = rivals[row["rival"]] if row["of"] == "rival" else None
    rival = (row["rival"], rivals[row["rival"]])
    return compare.both(rival, program, shlex.split(row["line"]), ready, games=games, starter=starter)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--engine", help="the program whose built-in engine plays, if another one")
    parser.add_argument("words", nargs="*")
    asked = parser.parse_args()
    rivals = {"fastchess": os.environ.get("FASTCHESS"), "cutechess-cli": os.environ.get("CUTECHESS")}
    program = str(Path(asked.program).resolve())
    with (HERE / "rows.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if rivals[row["rival"]]]
    rows = [row for row in rows if all(word in row["about"] + row["rival"] for word in asked.words)]
    tasks = [partial(verdict, row, rivals, program, asked.engine or program) for row in rows]
    wrong = 0
    for row, (found, shown) in zip(rows, compare.all_lines(tasks, 2)):
        same = found.startswith(("same", "neither, same"))
        described = row["described"]
        fits = (not same and described in DOCUMENT) if described else same
        wrong += not fits
        said = f" (described: {described})" if described else ""
        print(f"{'' if fits else 'WRONG '}{row['rival']}, {row['about']}: {found}{said}", flush=True)
        if not fits:
            print(f"{row['line']}\n{shown}", flush=True)
    print(f"{len(rows)} rows, {wrong} wrong")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
