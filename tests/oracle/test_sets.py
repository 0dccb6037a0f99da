"""The PGN test sets of kokopu, pgn-extract and PyChess, as `arbiter960 verify` reads them.

    git clone https://github.com/yo35/kokopu
    git clone https://github.com/kentdjb/pgn-extract
    git clone https://github.com/pychess/pychess
    python3 tests/oracle/test_sets.py target/release/arbiter960 kokopu pgn-extract pychess

Games and half-moves of each file are held against what the set itself expects (kokopu's dumps), or where it
expects nothing in numbers, against python-chess (`pip install chess`). Files that differ are printed with both
counts; results/pgn-test-sets.csv says of each what decides. That the moves are the same follows from their being legal one
after the other. Where a comment stands between tags and moves, python-chess gives two games, one without moves and
one without tags: they count as the one that they are.
"""

import io
import re
import subprocess
import sys
from pathlib import Path

import chess.pgn

COUNTS = re.compile(r"^games (\d+) moves (\d+) findings (\d+)", re.MULTILINE)


def ours(program, path):
    """Games, half-moves and findings of a file by `verify`, whose exit code is not 0 where it found something."""
    run = subprocess.run([program, "verify", path], capture_output=True, text=True, check=False)
    found = COUNTS.search(run.stdout)
    if not found:
        sys.exit(f"{path}: {run.stderr}")
    return tuple(int(number) for number in found.groups())


def by_python_chess(path):
    """Games and half-moves; a file with neither tags nor moves has no game."""
    text = io.StringIO(path.read_bytes().decode("utf-8-sig", errors="replace"))
    games = moves = 0
    without_moves = tagged = False
    while (game := chess.pgn.read_game(text)) is not None:
        tags = {name for name, value in game.headers.items() if not value.startswith("?")}
        games += not (without_moves and tags <= {"Result"})
        plies = sum(1 for _ in game.mainline_moves())
        moves += plies
        without_moves = plies == 0
        tagged |= not tags <= {"Result"}
    return (games, moves) if tagged or moves else (0, 0)


def by_dumps(dumps):
    """Games and half-moves by kokopu's dumps; moves are None where one of them is an error."""
    plies = [re.findall(r"\{(\d+) pl(?:ies|y)\}", path.read_text()) for path in dumps if path.suffix == ".txt"]
    whole = len(plies) == len(dumps) and all(plies)
    return len(dumps), sum(int(each[-1]) for each in plies) if whole else None


def kokopu(folder):
    """Files with what kokopu expects: a dump or an error for each game; a dump for a game."""
    resources = folder / "test" / "resources"
    databases = [
        (path, by_dumps([each for each in path.parent.iterdir() if each.stem.isdigit()]))
        for path in sorted(resources.glob("pgns/*/database.pgn"))
    ]
    games = [
        (path, by_dumps([path.parent / "dump.txt"]))
        for path in sorted(resources.glob("games/*/database.pgn"))
    ]
    return [("kokopu, test/resources/pgns", databases), ("kokopu, test/resources/games", games)]


def read_by_python_chess(name, paths):
    return (name, [(path, by_python_chess(path)) for path in sorted(paths)])


def report(program, name, files):
    """Prints how many files are the same, and each of the others."""
    same = clean = 0
    for path, (games, moves) in files:
        counted = ours(program, path)
        if counted[0] == games and moves in (None, counted[1]):
            same += 1
            clean += counted[2] == 0
            continue
        label = path.parent.name if path.name == "database.pgn" else path.name
        print(f"  {label}: expected {games} games, {moves} half-moves; here {counted}")
    print(f"{name}: {len(files)} files, {same} the same, {clean} of them without a finding\n")


def main():
    program, *folders = sys.argv[1:]
    kokopu_folder, extract, pychess = (Path(folder) for folder in folders)
    sets = [
        *kokopu(kokopu_folder),
        read_by_python_chess("pgn-extract, test/outfiles", (extract / "test" / "outfiles").glob("*.pgn")),
        read_by_python_chess("pgn-extract, test/infiles", (extract / "test" / "infiles").glob("*.pgn")),
        read_by_python_chess("PyChess, testing/gamefiles", (pychess / "testing" / "gamefiles").glob("*.pgn")),
    ]
    for name, files in sets:
        report(program, name, files)


if __name__ == "__main__":
    main()
