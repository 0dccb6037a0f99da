#!/usr/bin/env python3
"""Examines the engines of Debian and writes the tables of docs/engines.md and results/engines.csv.

    docs/engines.py target/release/arbiter960            # prints the tables
    docs/engines.py target/release/arbiter960 --write    # writes the page and the file
"""

import csv
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ENGINES = {
    "Stockfish": ["stockfish"],
    "Ethereal": ["ethereal-chess"],
    "Fairy": ["fairy-stockfish"],
    "Glaurung": ["glaurung"],
    "Sjaak II": ["sjaakii"],
    "Toga II": ["--standard", "toga2"],
    "GNU Chess": ["--standard", "gnuchess", "--uci"],
    "sparring": None,
}
NOTES = {"failed": "", "undecided": " (undecided)"}
LEVELS = ("required", "recommended", "informational")
ROOT = Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- begin: made by docs/engines.py -->\n", "<!-- end -->"


def examined(program, words):
    words = words or [program, "sparring"]
    command = [program, "check", "--format", "json", *words]
    return json.loads(subprocess.run(command, capture_output=True, text=True).stdout)


def asked(program):
    """The table of checks with the engines that fail each, the failures by level, and each failure as a row."""
    with ThreadPoolExecutor(2) as pool:
        reports = list(pool.map(lambda words: examined(program, words), ENGINES.values()))
    listed = subprocess.run([program, "check", "--list"], capture_output=True, text=True, check=True)
    lines = ["| | asks | failed by |", "|---|---|---|"]
    found = [{check["id"]: check for check in report["checks"]} for report in reports]
    asks = {number: check["asks"] for checks in found for number, check in checks.items()}
    for number in (line.split(" ")[0] for line in listed.stdout.splitlines()):
        of = [(name, checks[number]["verdict"]) for name, checks in zip(ENGINES, found) if number in checks]
        failed = [name + NOTES[verdict] for name, verdict in of if verdict in NOTES]
        lines.append(f"| {number} | {asks.get(number, '').replace('|', '/')} | {', '.join(failed)} |")
    lines += ["", "| engine | failed: required | recommended | informational |", "|---|---:|---:|---:|"]
    failures = []
    for name, report in zip(ENGINES, reports):
        name = report["name"] or name
        lines.append(f"| {name} | " + " | ".join(str(report["failed"][level]) for level in LEVELS) + " |")
        failed = [check for check in report["checks"] if check["verdict"] == "failed"]
        failures += [[name, check["id"], check["level"], " ".join(check["words"].split())] for check in failed]
    return "\n".join(lines) + "\n", failures


def main():
    table, failures = asked(sys.argv[1])
    if "--write" not in sys.argv[2:]:
        print(table, end="")
        return
    page = ROOT / "docs/engines.md"
    before, rest = page.read_text().split(BEGIN)
    page.write_text(before + BEGIN + table + END + rest.split(END, 1)[1])
    with (ROOT / "results/engines.csv").open("w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["engine", "check", "level", "failure"])
        rows.writerows(failures)


main()
