#!/usr/bin/env python3
"""Examines the engines of Debian and writes the table of docs/engines.md.

    docs/engines.py target/release/arbiter960            # prints it
    docs/engines.py target/release/arbiter960 --write    # puts it into the page
"""

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
MARKS = {"passed": "·", "failed": "**F**", "undecided": "?", "skipped": "–"}
BEGIN, END = "<!-- begin: made by docs/engines.py -->\n", "<!-- end -->"


def examined(program, words):
    words = words or [program, "sparring"]
    command = [program, "check", "--format", "json", *words]
    return json.loads(subprocess.run(command, capture_output=True, text=True).stdout)


def table(program):
    with ThreadPoolExecutor(2) as pool:
        reports = list(pool.map(lambda words: examined(program, words), ENGINES.values()))
    listed = subprocess.run([program, "check", "--list"], capture_output=True, text=True, check=True)
    lines = ["| | asks | " + " | ".join(ENGINES) + " |", "|---|---|" + "---|" * len(ENGINES)]
    found = [{check["id"]: check for check in report["checks"]} for report in reports]
    asks = {number: check["asks"] for checks in found for number, check in checks.items()}
    for number in (line.split(" ")[0] for line in listed.stdout.splitlines()):
        marks = [MARKS[checks[number]["verdict"]] if number in checks else "" for checks in found]
        cells = " | ".join(marks)
        lines.append(f"| {number} | {asks.get(number, '').replace('|', '/')} | {cells} |")
    levels = [report["failed"] for report in reports]
    for level in ("required", "recommended", "informational"):
        lines.append(f"| | failed, {level} | " + " | ".join(str(of[level]) for of in levels) + " |")
    lines += ["", "What the failures were (only *required* ones decide):", ""]
    for name, report in zip(ENGINES, reports):
        failed = [check for check in report["checks"] if check["verdict"] == "failed"]
        lines.append(f"* **{report['name'] or name}**" + ("" if failed else ": none."))
        for check in failed:
            said = " ".join(check["words"].split()).replace("<", "&lt;")
            lines.append(f"  * {check['id']}, {check['level']}: {said}")
    return "\n".join(lines) + "\n"


def main():
    made = table(sys.argv[1])
    if "--write" not in sys.argv[2:]:
        print(made, end="")
        return
    page = Path(__file__).parent / "engines.md"
    before, rest = page.read_text().split(BEGIN)
    page.write_text(before + BEGIN + made + END + rest.split(END, 1)[1])


main()
