#!/usr/bin/env python3
"""Runs the benchmarks and writes the table of figures in docs/performance.md, and six of its rows in README.md.

    benches/table.py                            # prints it
    benches/table.py --write                    # puts it into both pages
    benches/table.py --rows --write             # README.md's rows from docs/performance.md, nothing measured
    benches/table.py --only million --write     # renews the rows of one bench: perft, pgn, million,
                                                # live, runner, clock_tax

pgn-extract is measured where it is installed; other programs where the environment says
where they are: FASTCHESS, C_CHESS_CLI, ORDO. Takes about half an hour with the builds.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- begin: made by benches/table.py -->\n", "<!-- end -->"
GAMES, PLIES = 1920, 80
# The rows that README.md shows, by what they begin with.
SHOWN = ["perft 5", "PGN with comments", "`stats` of 1,013,760", "ratings of the million", "the same games, 2 at once",
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


def perft():
    text = bench("perft")
    own, cozy, ratio = numbers(
        r"arbiter960\s+([\d.]+) Mnps\s+cozy-chess\s+([\d.]+) Mnps\s+ratio\s+([\d.]+)", text
    )
    row = ("perft 5 over the 960 starts, one thread", f"{own:.0f} Mnps",
           f"cozy-chess {cozy:.0f}", f"{ratio:.2f} ×", "`cargo bench --bench perft`")
    command = ["cargo", "run", "--locked", "--release", "--manifest-path", "tests/oracle/Cargo.toml",
               "--", "--bench", "4"]
    text = output_of(*command)
    own, shakmaty = numbers(r"arbiter960\D+([\d.]+)[\s\S]*?shakmaty\D+([\d.]+)", text)
    return [row, ("perft 4, one thread", f"{own:.0f} Mnps", f"shakmaty {shakmaty:.0f}",
                  f"{own / shakmaty:.2f} ×", f"`{' '.join(command[:2] + command[3:])}`")]


def pgn():
    text = bench("pgn")
    replay, = numbers(r"replay, one core: [\d.]+ MB/s, ([\d.]+) million", text)
    speed, = numbers(r"replay, one core: ([\d.]+) MB/s", text)
    verify, = numbers(r"verify, all cores: ([\d.]+) MB/s", text)
    beside = ["–"] * 4
    if "pgn-extract" in text:
        other, one, all_cores = numbers(
            r"pgn-extract: ([\d.]+) MB/s; replay is ([\d.]+) times as fast, verify ([\d.]+) times", text
        )
        beside = [f"pgn-extract {other:.0f}", f"{one:.1f} ×", f"pgn-extract {other:.0f}", f"{all_cores:.1f} ×"]
    made = "`cargo bench --bench pgn`"
    return [
        ("PGN with comments replayed with full legality, one core",
         f"{speed:.0f} MB/s, {replay:.1f} million moves/s", *beside[:2], made),
        ("the same by `verify`, all cores", f"{verify:.0f} MB/s", *beside[2:], made),
    ]


def million():
    text = bench("million")
    made = "`cargo bench --bench million`"

    def command(label):
        """Wall-clock and processor time and memory of each run of the command with this label."""
        found = re.findall(rf"command, {label}\s+([\d.]+) s\s+([\d.]+) s CPU\s+(\d+) MB", text)
        return [f"{float(wall):.1f} s ({float(cpu):.1f} s of processors), {megabytes} MB" for wall, cpu, megabytes in found]

    stored, replayed, json = command("from the store"), command("from PGN"), command("from the store, JSON")
    megabytes, = numbers(r"(\d+) MB of PGN", text)
    rows = [
        ("`stats` of 1,013,760 games, 960 starts, 12 engines, from the store", stored[0], "–", "–", made),
        ("the same from PGN, every game replayed", replayed[0], "–", "–", made),
        ("the same from the store, JSON with everything", json[0], "–", "–", made),
        ("`stats` of 15,360 games, 2 engines, from the store", stored[1], "–", "–", made),
        ("`stats` of 100,000 openings", command("text")[0], "–", "–", made),
        ("the same, JSON with everything", command("JSON")[0], "–", "–", made),
    ]
    if "by Ordo" in text:
        ordo, = numbers(r"PGN by Ordo\s+([\d.]+) s", text)
        own, = numbers(r"ratings from that file\s+([\d.]+) s", text)
        rows.append((f"ratings of the million games from {megabytes:.0f} MB of PGN tags", f"{own:.2f} s",
                     f"Ordo {ordo:.2f} s", f"{ordo / own:.1f} ×", f"`ORDO=… {made[1:]}"))
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
        if lanes == 2:
            two_lanes = own
    for name, plies in rivals():
        rows.append(("the same games, 2 at once", f"{two_lanes:,.0f} plies/s", f"{name} {plies:,.0f}",
                     f"{two_lanes / plies:.1f} ×", "`benches/table.py`"))
    return rows


def clock_tax():
    """What engines are charged beyond the time that they worked, milliseconds."""
    text = bench("clock_tax")
    found = re.findall(r"(?m)^(\w+)\s{2,}(\S.*?)\s{2,}(\d+)\s+\d+\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)$", text)
    made = "`cargo bench --bench clock_tax`"
    mean = {(program, beside, lanes): float(mean) for program, beside, lanes, mean, *_ in found}
    rows = []
    for program, beside, lanes, mean_, p50, p99, most in found:
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
    """Plies per second of other programs with the same scripted engine."""
    listed = output_of("cargo", "bench", "--locked", "--bench", "runner", "--no-run", "--message-format=json")
    program = re.findall(r'"executable":"([^"]*/runner-[^"]*)"', listed)[-1]
    with tempfile.TemporaryDirectory() as folder:
        script, starts = Path(folder, "script.txt"), Path(folder, "starts.epd")
        output_of(program, "script", str(script))
        epd = output_of("cargo", "run", "--locked", "--release", "--quiet", "--", "positions", "--format", "epd", "--all")
        starts.write_text(epd)
        engine = f"{program} engine-anywhere {script}"
        if path := os.environ.get("FASTCHESS"):
            yield "fastchess", plies_of(folder, [
                path, "-engine", f"cmd={program}", f"args=engine-anywhere {script}", "name=A",
                "-engine", f"cmd={program}", f"args=engine-anywhere {script}", "name=B",
                "-each", "tc=60+1", "proto=uci", "-variant", "fischerandom",
                "-openings", f"file={starts}", "format=epd", "order=sequential",
                "-rounds", str(GAMES // 2), "-games", "2", "-repeat", "-concurrency", "2", "-pgnout", "file=other.pgn"])
        if path := os.environ.get("C_CHESS_CLI"):
            yield "c-chess-cli", plies_of(folder, [
                path, "-each", "tc=60+1", "-engine", f"cmd={engine}", "name=A", "-engine", f"cmd={engine}", "name=B",
                "-openings", f"file={starts}", "order=sequential", "-repeat", "-games", str(GAMES),
                "-rounds", "1", "-concurrency", "2", "-pgn", "other.pgn", "1"])


def plies_of(folder, command):
    """Median speed of three runs; every game must be there and be 80 plies long."""
    speeds = []
    for _ in range(3):
        file = Path(folder, "other.pgn")
        file.unlink(missing_ok=True)
        begun = time.monotonic()
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        elapsed = time.monotonic() - begun
        games = file.read_text().count("[Result ") if file.exists() else 0
        if done.returncode != 0 or games != GAMES:
            sys.exit(f"{command[0]}: exit code {done.returncode}, {games} games\n{done.stdout[-2000:]}")
        speeds.append(GAMES * PLIES / elapsed)
    return sorted(speeds)[1]


# By the bench that makes them, in the table's order; a row ends in the command that makes it.
PARTS = {"perft": perft, "pgn": pgn, "million": million, "live": live, "runner": runner, "clock_tax": clock_tax}
COMMANDS = {"perft": "perft|oracle", "live": "statistics", "runner": "runner|table.py"}


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
