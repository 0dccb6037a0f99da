#!/usr/bin/env python3
"""Runs the benchmarks and writes the table of figures in docs/performance.md, and six of its rows in README.md.

    benches/table.py                            # prints it
    benches/table.py --write                    # puts it into both pages
    benches/table.py --rows --write             # README.md's rows from docs/performance.md, nothing measured
    benches/table.py --only million --write     # renews the rows of one bench: perft, pgn, million,
                                                # live, runner, rivals, clock_tax

Whole programs, from start to exit, are compared in turns: nine pairs of runs on the same files, with the median ratio of
a pair and its range. pgn-extract is measured where it is installed; other programs where the environment
says where they are: FASTCHESS, CUTECHESS, C_CHESS_CLI, ORDO. ARBITER960 names the program to compare, else it is built with
the profile `dist`. Takes about an hour with the builds.
"""

import os
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- begin: made by benches/table.py -->\n", "<!-- end -->"
PLIES = 80
# Pairs of runs of two programs.
PAIRS = 9
# The rows that README.md shows, by what they begin with.
SHOWN = ["perft 5", "PGN with comments", "`verify` of", "`stats` of 1,013,760", "the million games from", "7,680 games", "192 games",
         "clock tax, 2 at once, quiet"]


def output_of(*command):
    print("$", " ".join(command), file=sys.stderr, flush=True)
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    print(done.stdout, file=sys.stderr, flush=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def bench(name, *arguments):
    return output_of("cargo", "bench", "--locked", "--bench", name, "--", *arguments)


def numbers(pattern, text):
    """The numbers that the groups of a pattern match; the pattern must be there."""
    found = re.search(pattern, text)
    if found is None:
        sys.exit(f"no {pattern!r} in the output")
    return [float(group.replace(",", "")) for group in found.groups()]


@cache
def own_program():
    if path := os.environ.get("ARBITER960"):
        return path
    output_of("cargo", "build", "--locked", "--profile", "dist")
    return str(ROOT / "target/dist/arbiter960")


def seconds(command, folder):
    """Wall-clock and processor time of a whole program and its children, from start to exit."""
    print("$", shlex.join(command), file=sys.stderr, flush=True)
    before, begun = os.times(), time.monotonic()
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True)
    wall, after = time.monotonic() - begun, os.times()
    if done.returncode != 0:
        sys.exit(f"{shlex.join(command)}: exit code {done.returncode}\n{done.stderr[-2000:]}")
    return wall, after.children_user + after.children_system - before.children_user - before.children_system


def in_turns(folder, own, other, check=lambda: None):
    """Medians of both programs' wall-clock seconds, and how many times faster ours is: the median of the pairs and their
    range, and the ratio of processor times. After each run, `check` looks at what it wrote."""
    times = ([], [])
    for pair in range(PAIRS):
        for program in (0, 1) if pair % 2 == 0 else (1, 0):
            times[program].append(seconds((own, other)[program], folder))
            check()
    ratios = sorted(theirs[0] / ours[0] for ours, theirs in zip(*times))
    processors = statistics.median(theirs[1] / ours[1] for ours, theirs in zip(*times))
    wall = [statistics.median(run[0] for run in runs) for runs in times]
    said = f"{statistics.median(ratios):.2f} × ({ratios[0]:.2f} to {ratios[-1]:.2f}), processors {processors:.2f} ×"
    return *wall, said


def perft():
    text = bench("perft")
    own, cozy, ratio, least, most = numbers(
        r"arbiter960\s+([\d.]+) Mnps\s+cozy-chess\s+([\d.]+) Mnps\s+ratio\s+([\d.]+) \(([\d.]+) to ([\d.]+)\)", text
    )
    row = ("perft 5 over the 960 starts, one thread", f"{own:.0f} Mnps",
           f"cozy-chess {cozy:.0f}", f"{ratio:.2f} × ({least:.2f} to {most:.2f})", "`cargo bench --bench perft`")
    command = ["cargo", "run", "--locked", "--release", "--manifest-path", "tests/oracle/Cargo.toml",
               "--", "--bench", "4"]
    text = output_of(*command)
    own, shakmaty, ratio, least, most = numbers(
        r"arbiter960\s+([\d.]+) Mnps\s+shakmaty\s+([\d.]+) Mnps\s+ratio\s+([\d.]+) \(([\d.]+) to ([\d.]+)\)", text
    )
    return [row, ("perft 4, one thread", f"{own:.0f} Mnps", f"shakmaty {shakmaty:.0f}",
                  f"{ratio:.2f} × ({least:.2f} to {most:.2f})", f"`{' '.join(command[:2] + command[3:])}`")]


def pgn():
    text = bench("pgn")
    replay, = numbers(r"replay, one core: [\d.]+ MB/s, ([\d.]+) million", text)
    speed, = numbers(r"replay, one core: ([\d.]+) MB/s", text)
    made = "`cargo bench --bench pgn`"
    rows = [("PGN with comments replayed with full legality, one core", f"{speed:.0f} MB/s, {replay:.1f} million moves/s",
             "–", "–", made)]
    with tempfile.TemporaryDirectory() as folder:
        games = Path(folder, "games.pgn")
        bench("pgn", "write", str(games))
        if extract := shutil.which("pgn-extract", path=f"{os.environ['PATH']}:/usr/games"):
            own, other, ratio = in_turns(folder, [own_program(), "verify", str(games)], [extract, "-r", "-s", str(games)])
            size = games.stat().st_size / 1e6
            rows.append((f"`verify` of {size:.0f} MB of PGN with comments", f"{own:.2f} s", f"pgn-extract {other:.2f} s",
                         ratio, "`benches/table.py --only pgn`"))
    return rows


def million():
    text = bench("million")
    made = "`cargo bench --bench million`"

    def command(label):
        """Wall-clock and processor time and memory of each run of the command with this label."""
        found = re.findall(rf"command, {label}\s+([\d.]+) s\s+([\d.]+) s CPU\s+(\d+) MB", text)
        return [f"{float(wall):.1f} s ({float(cpu):.1f} s of processors), {megabytes} MB" for wall, cpu, megabytes in found]

    stored, replayed, json = command("from the store"), command("from PGN"), command("from the store, JSON")
    rows = [
        ("`stats` of 1,013,760 games, 960 starts, 12 engines, from the store", stored[0], "–", "–", made),
        ("the same from PGN, every game replayed", replayed[0], "–", "–", made),
        ("the same from the store, JSON with everything", json[0], "–", "–", made),
        ("`stats` of 15,360 games, 2 engines, from the store", stored[1], "–", "–", made),
        ("`stats` of 100,000 openings", command("text")[0], "–", "–", made),
        ("the same, JSON with everything", command("JSON")[0], "–", "–", made),
    ]
    if ordo := os.environ.get("ORDO"):
        with tempfile.TemporaryDirectory() as folder:
            bench("million", "write", folder)
            file = str(Path(folder, "games.pgn"))
            own, other, ratio = in_turns(folder, [own_program(), "stats", "--fast", file],
                                         [ordo, "-Q", "-p", file, "-o", "ordo.txt"])
            size = Path(file).stat().st_size / 1e6
        rows.append((f"the million games from {size:.0f} MB of PGN tags: `stats --fast`, ratings alone by Ordo", f"{own:.2f} s",
                     f"Ordo {other:.2f} s", ratio, "`ORDO=… benches/table.py --only million`"))
    return rows


def live():
    text = bench("statistics", "live pair")
    times = [numbers(rf"live pair after {pairs} pairs\s+([\d.]+) µs", text)[0]
             for pairs in (1000, 100000)]
    return [("every live figure after one more pair, 1,000 and 100,000 pairs played",
             " and ".join(f"{time:.0f} µs" for time in times), "–", "–", "`cargo bench --bench statistics`")]


def runner():
    text = bench("runner")
    made = "`cargo bench --bench runner`"
    rows = []
    for lanes in (2, 1):
        bare, own, ratio = numbers(rf"(?m)^\s*{lanes}\s+(\d+)\s+(\d+)\s+([\d.]+)$", text)
        lane = "lanes" if lanes == 2 else "lane"
        rows.append((f"runner alone, {lanes} {lane}, engines that answer at once", f"{own:,.0f} plies/s",
                     f"bare loop {bare:,.0f}", f"{ratio:.2f} ×", made))
    return rows


def clock_tax():
    """What engines are charged beyond the time that they worked, milliseconds."""
    text = bench("clock_tax")
    found = re.findall(r"(?m)^(\w+)\s{2,}(\S.*?)\s{2,}(\d+)\s+\d+\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)$", text)
    made = "`cargo bench --bench clock_tax`"
    mean = {(program, beside, lanes): float(mean) for program, beside, lanes, mean, *_ in found}
    rows = []
    for program, beside, lanes, mean_, p50, p99, most in found:
        if program == "lane" and beside in ("quiet", "moves kept"):
            rows.append((f"a lane between two moves, {lanes} at once, {beside}",
                         f"mean {mean_} ms, p50 {p50}, p99 {p99}, most {most}", "–", "–", made))
        if program != "arbiter960":
            continue
        other = mean.get(("fastchess", beside, lanes))
        rows.append((
            f"clock tax, {lanes} at once, {beside}",
            f"mean {mean_} ms, p50 {p50}, p99 {p99}, most {most}",
            "–" if other is None else f"fastchess, mean {other:.3f} ms", "–",
            made if other is None else "`FASTCHESS=… cargo bench --bench clock_tax`"))
    return rows


def rivals():
    """The same games of the same scripted engine by whole programs, from start to exit, few games and many."""
    listed = output_of("cargo", "bench", "--locked", "--bench", "runner", "--no-run", "--message-format=json")
    program = re.findall(r'"executable":"([^"]*/runner-[^"]*)"', listed)[-1]
    with tempfile.TemporaryDirectory() as folder:
        script, starts = Path(folder, "script.txt"), Path(folder, "starts.epd")
        output_of(program, "script", str(script))
        starts.write_text(output_of(own_program(), "positions", "--format", "epd", "--all"))
        for games in (192, 7680):
            for name, variable in (("c-chess-cli", "C_CHESS_CLI"), ("fastchess", "FASTCHESS"), ("cutechess-cli", "CUTECHESS")):
                if path := os.environ.get(variable):
                    other = COMMANDS_OF[name](path, f"{program} engine-anywhere {script}", starts, games)
                    ours = own_event(folder, program, script, games)
                    own, theirs, ratio = in_turns(folder, ours, other, lambda: whole(folder, games))
                    yield (f"{games:,} games of {PLIES} half-moves, 2 at once", f"{own:.2f} s", f"{name} {theirs:.2f} s", ratio,
                           f"`{variable}=… benches/table.py --only rivals`")


def own_event(folder, program, script, games):
    engine = '[[engine]]\nname = "{}"\ncommand = "{}"\nargs = ["engine-anywhere", "{}"]\n'
    starts, pairs = min(games // 2, 960), max(games // 1920, 1)
    Path(folder, "own.toml").write_text(
        f'[event]\nname = "own"\nconcurrency = 2\npairs = {pairs}\n[positions]\nnumbers = ["0-{starts - 1}"]\n'
        f'[time]\ncontrol = "60+1"\n' + "".join(engine.format(name, program, script) for name in "AB"))
    return [own_program(), "run", "own.toml", "--quiet", "--fresh"]


def whole(folder, games):
    """The program that has just ended wrote every game, whole."""
    found = [file for file in (Path(folder, "other.pgn"), Path(folder, "results/own/games.pgn")) if file.exists()]
    text = found[0].read_text() if len(found) == 1 else ""
    ended = text.count("[Result ") - text.count('[Result "*"]')
    if ended != games:
        sys.exit(f"{found}: {ended} games, {games} were wanted")
    found[0].unlink()
    shutil.rmtree(Path(folder, "results"), ignore_errors=True)


def by_fastchess(path, engine, starts, games):
    command, arguments = engine.split(" ", 1)
    each = [["-engine", f"cmd={command}", f"args={arguments}", f"name={name}"] for name in "AB"]
    return [path, *each[0], *each[1], "-each", "tc=60+1", "proto=uci", "-variant", "fischerandom",
            "-openings", f"file={starts}", "format=epd", "order=sequential", "-rounds", str(games // 2), "-games", "2",
            "-repeat", "-concurrency", "2", "-pgnout", "file=other.pgn"]


def by_cutechess(path, engine, starts, games):
    command, *arguments = engine.split()
    words = [f"arg={argument}" for argument in arguments]
    each = [["-engine", f"cmd={command}", *words, f"name={name}"] for name in "AB"]
    return [path, *each[0], *each[1], "-each", "tc=60+1", "proto=uci", "-variant", "fischerandom",
            "-openings", f"file={starts}", "format=epd", "order=sequential", "-rounds", str(games // 2), "-games", "2",
            "-repeat", "-concurrency", "2", "-pgnout", "other.pgn"]


def by_c_chess_cli(path, engine, starts, games):
    return [path, "-each", "tc=60+1", "-engine", f"cmd={engine}", "name=A", "-engine", f"cmd={engine}", "name=B",
            "-openings", f"file={starts}", "order=sequential", "-repeat", "-games", str(games), "-rounds", "1",
            "-concurrency", "2", "-pgn", "other.pgn", "1"]


COMMANDS_OF = {"fastchess": by_fastchess, "cutechess-cli": by_cutechess, "c-chess-cli": by_c_chess_cli}


# By the bench that makes them, in the table's order; a row ends in the command that makes it.
PARTS = {"perft": perft, "pgn": pgn, "million": million, "live": live, "runner": runner, "rivals": rivals,
         "clock_tax": clock_tax}
COMMANDS = {"perft": "perft|oracle", "live": "statistics"}


def lines(rows):
    return ["| " + " | ".join(row) + " |" for row in rows]


def table():
    head = ["| what | arbiter960 | other program | ratio | command |", "|---|---|---|---|---|"]
    return head + [line for part in PARTS.values() for line in lines(part())]


def renewed(old, part):
    """The old table with the rows of one bench made anew; those that need a program that is not
    named stay as they are."""
    own = re.compile(rf"`[^`]*({COMMANDS.get(part, part)})[^`]*` \|$")
    places = [i for i, line in enumerate(old) if own.search(line)]
    at = places[0] if places else len(old)
    made = lines(PARTS[part]())
    missing = [old[i] for i in places if "=…" in old[i] and not any("=…" in line for line in made)]
    kept = [line for i, line in enumerate(old) if i not in places]
    return kept[:at] + made + missing + kept[at:]


def parts_of(page):
    """What stands before, between and after the marks of a page."""
    before, rest = page.read_text().split(BEGIN)
    old, after = rest.split(END, 1)
    return before, old.splitlines(), after


def write(page, table):
    before, _, after = parts_of(page)
    page.write_text(before + BEGIN + "\n".join(table) + "\n" + END + after)


def main():
    page = ROOT / "docs/performance.md"
    old = parts_of(page)[1]
    if "--rows" in sys.argv:  # the rows of README.md from the table as it is
        made = old
    elif "--only" in sys.argv:
        made = renewed(old, sys.argv[sys.argv.index("--only") + 1])
    else:
        made = table()
    if "--write" not in sys.argv:
        print("\n".join(made))
        return
    write(page, made)
    write(ROOT / "README.md", made[:2] + [line for line in made[2:] if any(line.startswith(f"| {row}") for row in SHOWN)])


if __name__ == "__main__":
    main()
