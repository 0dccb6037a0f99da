#!/usr/bin/env python3
"""Engines that misbehave, by arbiter960 and by the rivals that are installed. A punishment that only arbiter960 gives is a
failure: a game that is lost here and with no rival, or a breakdown where every rival says that time was over.

    misbehaviours.py ARBITER960 FAKE_ENGINE [--fastchess PROGRAM] [--cutechess PROGRAM]

Exit codes: 0, 1 (a failure), 77 (no rival is there)."""

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

# What the fake engine does at its first move. Most of `tests/suite/robust_engines.rs` and `robust_blame.rs`.
DEEDS = """
    search=abort search=exit search=segv search=fail search=answer-and-exit search=answer-unended search=half-fail
    search=fork-fail search=fork-segv search=close-output search=close-input search=mute search=deaf search=stopped search=chatter search=babble
    search=flood search=declarations search=late search=very-late search=oversleep:1350 search=withhold search=half-line
    search=twice search=long-line search=many-lines search=bytes search=empty-lines search=say:a1a1 search=say:Nf3
    search=upper search=say:0000 search=say:(none) search=say: search=say:resign crlf noise odd-name lies unasked
    start=no-newgame start=fork-newgame
""".split()

CLOCK = "1+0.1"
# The clock of a game, and what rivals wait for an engine that says nothing.
PATIENCE = 90

# Loss on time and illegal moves are less than a breakdown.
MILD = ("time", "illegal")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("arbiter960")
    parser.add_argument("fake_engine")
    parser.add_argument("--fastchess")
    parser.add_argument("--cutechess")
    parser.add_argument("--deeds", nargs="*", default=DEEDS)
    return parser.parse_args()


def run(command, folder):
    environment = {"PATH": "/usr/bin:/bin", "LC_FAKE_MEMORY": str(folder / "memory"), "HOME": str(folder)}
    try:
        subprocess.run(command, cwd=folder, env=environment, timeout=PATIENCE, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    except subprocess.TimeoutExpired:
        pass
    end_what_is_left(folder)


def end_what_is_left(folder):
    """Rivals leave engines behind that do not end by themselves: all whose home is this folder."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if f"HOME={folder}".encode() in (process / "environ").read_bytes().split(b"\0"):
                os.kill(int(process.name), signal.SIGKILL)
        except OSError:
            continue


def games(pgn):
    """Tags of every game, and its last comment."""
    text = pgn.read_text(errors="replace") if pgn.exists() else ""
    for game in re.split(r"\n(?=\[Event )", text):
        tags = dict(re.findall(r'^\[(\w+) "(.*)"\]', game, re.MULTILINE))
        if "Result" in tags:
            yield tags, game.lower()


def kind(tags, text):
    """What cost a lost game."""
    words = tags.get("Termination", "").lower() + " " + text[-400:]
    if "time" in tags.get("Termination", "").lower() or "loses on time" in words:
        return "time"
    if "illegal" in words or "rules infraction" in words:
        return "illegal"
    return "breakdown"


def punishment(pgn):
    """What the worst game of the engine cost it: `none`, one of MILD, or `breakdown`; `unknown` without a game."""
    found = set()
    for tags, text in games(pgn):
        lost = "0-1" if tags["White"] == "Fake" else "1-0"
        forfeit = tags.get("Termination", "normal").lower() not in ("normal", "adjudication")
        found.add(kind(tags, text) if tags["Result"] == lost and forfeit else "none")
    for one in ("breakdown", *MILD, "none"):
        if one in found:
            return one
    return "unknown"


def play(program, name, fake, deed):
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        words = f"{deed} at=1"
        sound = str(Path(arguments().arbiter960).resolve())
        if name == "arbiter960":
            event = folder / "event.toml"
            event.write_text(
                'event.name = "m"\nevent.pairs = 1\npositions.numbers = [518]\nevent.variant = "standard"\n'
                "adjudication.max_moves = 3\ntimeouts = { newgame = 5 }\n"
                f'[[engine]]\nname = "Fake"\ncommand = "{fake}"\nargs = {words.split()}\n'.replace("'", '"')
                + f'time.control = "{CLOCK}"\n'
                '[[engine]]\nname = "Sound"\nbuiltin = "sparring"\ntime.depth = 1\n')
            run([program, "run", str(event), "--quiet", "--no-report"], folder)
            return punishment(folder / "results" / "m" / "games.pgn")
        pgn = folder / "games.pgn"
        if name == "fastchess":
            run([program, "-engine", f"cmd={fake}", "name=Fake", f"args={words}", f"tc={CLOCK}",
                 "-engine", f"cmd={sound}", "name=Sound", "args=sparring", "depth=1", f"tc={CLOCK}",
                 "-rounds", "1", "-games", "2", "-maxmoves", "3", "-recover", "-pgnout", f"file={pgn}"], folder)
        else:
            fakes = [f"arg={word}" for word in words.split()]
            run([program, "-engine", f"cmd={fake}", "name=Fake", "proto=uci", *fakes, f"tc={CLOCK}",
                 "-engine", f"cmd={sound}", "name=Sound", "proto=uci", "arg=sparring", "depth=1", f"tc={CLOCK}",
                 "-rounds", "1", "-games", "2", "-maxmoves", "3", "-recover", "-pgnout", str(pgn)], folder)
        return punishment(pgn)


def only_here(here, there):
    """Whether a punishment is given by arbiter960 alone, or is harder than that of every rival."""
    known = [one for one in there if one != "unknown"]
    if not known or here in ("none", "unknown"):
        return False
    if all(one == "none" for one in known):
        return True
    return here == "breakdown" and all(one in ("none", *MILD) for one in known)


def main():
    asked = arguments()
    rivals = {"fastchess": asked.fastchess, "cutechess": asked.cutechess}
    rivals = {name: str(Path(program).resolve()) for name, program in rivals.items() if program}
    fake = str(Path(asked.fake_engine).resolve())
    own = str(Path(asked.arbiter960).resolve())
    failures = []
    for deed in asked.deeds:
        here = play(own, "arbiter960", fake, deed)
        there = {name: play(program, name, fake, deed) for name, program in rivals.items()}
        failed = only_here(here, there.values())
        print(f"{deed:26} arbiter960 {here:10}", *(f"{name} {one:10}" for name, one in there.items()),
              "ONLY HERE" if failed else "", flush=True)
        failures += [deed] if failed else []
    if not rivals:
        print("no rival to compare with: --fastchess, --cutechess")
        return 77
    print("punished by arbiter960 alone:", ", ".join(failures) or "nothing")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
