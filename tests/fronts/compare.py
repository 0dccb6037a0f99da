"""One command line by fastchess or cutechess-cli and by this program, each in a folder of its own.

What is compared: the exit code, the two outputs, the names of the files that are left, and the games of PGN files (tags
and moves). Times, dates and counts of nodes are masked, and so are the names of openings, for which the two
programs have other tables. `random_lines.py` and `corpus.py` make the command lines.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

EPD = """\
rnbqkbnr/pppp1ppp/4p3/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - hmvc 0; fmvn 2;
r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -
rnbqkb1r/pppppppp/5n2/8/2P5/8/PP1PPPPP/RNBQKBNR w KQkq - hmvc 1; fmvn 2;
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -
"""
CHESS960 = """\
bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf -
nrbbqknr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKNR w HBhb -
rkrnqnbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNQNBB w CAca -
"""
PGN = """\
[Event "a"]
[Result "*"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 *

[Event "b"]
[Result "*"]

1. d4 d5 2. c4 e6 3. Nc3 *

"""
# What corpora lack: lines that are illegal, unreadable, repeated, of the other variant, with castling rights that do not fit.
ODD_EPD = """\
r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w HAha -
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBN1 w KQkq -
r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -
r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -
rnbq1knr/pppp1ppp/8/2b1p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -
"""
ODD_PGN = """\
[Event "illegal"]
[Result "*"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 Ke6 4. O-O *

[Event "repeats"]
[Result "*"]

1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 e5 *

[Event "mate"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1

"""
# What engines do beside playing: a stage for what they say.
HABITS = {
    "none": "cat",
    "bare": "sed -u -e /^option/d",
    "mate0": "sed -u -e 's/score cp [-0-9]*/score mate 0/'",
    "silent": "sed -u -e '/^info/d'",
    "rook": "sed -u -e 's/^bestmove e1g1/bestmove e1h1/' -e 's/^bestmove e8g8/bestmove e8h8/'",
    "late": "mawk -W interactive '/^bestmove/ && ++moves == 3 { system(\"sleep 3\") } { print; fflush() }'",
    "slow": "mawk -W interactive '/^bestmove/ { system(\"sleep 0.1\") } { print; fflush() }'",
}
# A Polyglot book with 1. e4 alone: key, move, weight, learning.
POLYGLOT = (0x463B96181691FC9C).to_bytes(8, "big") + (0x031C).to_bytes(2, "big") + b"\0\1\0\0\0\0"

# An engine that plays the same moves whenever it is asked the same, whatever its limits are.
ENGINE = """\
#!/bin/sh
sed -u -e '/^go ponder/!s/^go .*/go nodes {nodes}/' -e /^quit/q | "{program}" sparring | {habit}
"""

LONGEST = 120  # seconds that a line may take


def within(folder, name):
    """A path in the folder; None if it is not in it, if it is a folder, or if a file stands in its way."""
    path = Path(os.path.normpath(folder / name))
    between = [parent for parent in path.parents if folder in parent.parents]
    fits = folder in path.parents and not path.is_dir() and not any(parent.is_file() for parent in between)
    return path if fits else None


def engine(path, program, habit="none", nodes=150):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(ENGINE.format(program=program, habit=HABITS[habit], nodes=nodes))
    path.chmod(0o755)


TABLES = list((Path(__file__).parents[2] / "target/tablebases/regular").glob("*.rtb*"))


def tables(path):
    """Syzygy tables, if the tests have fetched some; else an empty folder."""
    path.mkdir(parents=True, exist_ok=True)
    for table in TABLES:
        (path / table.name).symlink_to(table.resolve())


class Ran:
    """What a run left: exit code, outputs, files."""

    def __init__(self, code, out, err, folder, before):
        self.code = code
        self.out = lines(out, folder)
        self.err = lines(err, folder)
        names = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
        names = {name for name in names if ".arbiter960" not in name and ".state" not in name}
        dated = {re.sub(r"fastchess_\d+_\d+", "fastchess_DATE", name) for name in names - before}
        self.files = sorted(dated)
        self.games = []
        for name in sorted(names - before):
            text = (folder / name).read_bytes().decode("utf-8", errors="replace")
            if "[Event " in text or "[White " in text:
                self.games += games(text)
        self.games.sort()

    def finished(self):
        return sum(line.startswith("Finished game ") for line in self.out)


def timeless(text):
    """Text without what the clock on the wall decides."""
    text = re.sub(r"\b(nps|time|hashfull) \d+", r"\1", text)
    return re.sub(r"\(\d+ms overrun\)", "(overrun)", text)


def lines(raw, folder):
    text = timeless(raw.decode("utf-8", errors="replace").replace(str(folder), "FOLDER"))
    # The sum of a file with times in it.
    text = re.sub(r"has CRC32: 0x[0-9a-f]+", "has CRC32: SUM", text)
    text = re.sub(r"fastchess_\d+_\d+", "fastchess_DATE", text)
    text = re.sub(r"run: .* -config", "run: PROGRAM -config", text)
    out = ("Info; ", "Infos; ", "Total Time: ")
    return [line for line in text.splitlines() if not line.startswith(out)]


def games(text):
    skipped = ("[Date", "[GameDuration", "[GameStartTime", "[GameEndTime", "[ECO", "[Opening", "[Variation")
    kept = [line for line in text.splitlines() if not line.startswith(skipped)]
    words = " ".join(kept).split()
    masked = [re.sub(r"^-?\d+(\.\d+)?s(?=[,}]|$)", "s", word.lstrip("{")) for word in words]
    masked = [re.sub(r"^(n|nps|tl|latency|hashfull|tbhits|sd)=[^,}]*", r"\1=", word) for word in masked]
    text = timeless(" ".join(masked))
    return [game.strip() for game in text.split("[Event ") if game.strip()]


def start(command, words, folder):
    environment = dict(
        os.environ,
        PATH=f"{folder}:{folder}/bin:{os.environ['PATH']}",
        HOME=str(folder),
        XDG_STATE_HOME=str(folder / ".state"),
    )
    for name in ("ARBITER960_STORE", "XDG_CONFIG_HOME"):
        environment.pop(name, None)
    return subprocess.Popen(
        [*command, *words],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def run(command, words, folder):
    before = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    started = start(command, words, folder)
    try:
        out, err = started.communicate(timeout=LONGEST)
        code = started.returncode
    except subprocess.TimeoutExpired:
        os.killpg(started.pid, signal.SIGKILL)
        out, err = started.communicate()
        code = "timeout"
    return Ran(code, out, err, folder, before)


def stop(command, words, folder, games):
    """Runs a line until this number of games has ended, then interrupts it."""
    started = start(command, words, folder)
    limit = threading.Timer(LONGEST, started.kill)
    limit.start()
    for line in started.stdout:
        if line.startswith(b"Finished game "):
            games -= 1
        if games == 0:
            started.send_signal(signal.SIGINT)
            break
    started.communicate()
    limit.cancel()


def judge(theirs, ours):
    """same, refused, only here, neither, or what differs; and the first lines that show it."""
    played = [ran.finished() for ran in (theirs, ours)]
    plays = [count > 0 or ran.code == 0 for count, ran in zip(played, (theirs, ours))]
    if theirs.code == "timeout" and played[0] == 0:
        return "the rival waits", ""
    said = "\n".join(ours.out[-3:] + ours.err[-3:])
    rival = "\n".join(theirs.out[-3:] + theirs.err[-3:])
    if ours.code == "timeout" and any(line.startswith("Started game") for line in ours.out):
        return f"not over in {LONGEST} s here", said
    if plays == [True, False] or played[0] > 0 and played[1] == 0:
        return "REFUSED", said
    if plays == [False, True]:
        return "only here", rival
    parts = {"exit": "code", "output": "out", "errors": "err", "files": "files", "games": "games"}
    different = {part: name for part, name in parts.items() if getattr(theirs, name) != getattr(ours, name)}
    if plays == [False, False]:
        same = {"exit", "output", "errors"}.isdisjoint(different)
        where = "\n".join(first(part, getattr(theirs, name), getattr(ours, name)) for part, name in different.items())
        return ("neither, same words" if same else "neither, other words"), where
    if not different:
        return "same", ""
    if list(different) == ["errors"] and sorted(theirs.err) == sorted(ours.err):
        return "differs: order of warnings", first("errors", theirs.err, ours.err)
    return "differs: " + ", ".join(different), "\n".join(
        first(part, getattr(theirs, name), getattr(ours, name)) for part, name in different.items()
    )


def first(part, theirs, ours):
    if not isinstance(theirs, list):
        return f"  {part}: there {theirs}, here {ours}"
    for place in range(max(len(theirs), len(ours))):
        pair = [each[place] if place < len(each) else "(end)" for each in (theirs, ours)]
        if pair[0] != pair[1]:
            at = next((i for i, (a, b) in enumerate(zip(*pair)) if a != b), min(map(len, pair)))
            return "\n".join(f"  {part} {who}: {text[max(0, at - 60):at + 120]}" for who, text in zip(("there", "here"), pair))
    return f"  {part}: order"


def once(rival, program, words, prepare, games=0, starter=None):
    """What the rival's run of a line left, and what this program's did.

    With a number of games the line is interrupted after them, by `starter` if there is one and else by each program itself; the
    runs that are compared then continue it.
    """
    here = {"fastchess": "fastchess", "cutechess-cli": "cutechess"}[rival[0]]
    ran = []
    for command in ([rival[1]], [program, here]):
        folder = Path(tempfile.mkdtemp(prefix="lines-"))
        try:
            prepare(folder)
            if games:
                stop([starter] if starter else command, words, folder, games)
            ran.append(run(command, ["-config", "file=config.json"] if games else words, folder))
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    return ran


def both(*asked, **how):
    """The verdict about one line, and what shows it. What differs is tried again: only what differs twice does."""
    verdict, shown = judge(*once(*asked, **how))
    if verdict.startswith(("same", "neither, same")):
        return verdict, shown
    again, shown_again = judge(*once(*asked, **how))
    return (again, shown_again) if verdict == again or again.startswith(("same", "neither, same")) else (f"{verdict}, then {again}", shown)


def all_lines(tasks, lanes):
    """The verdicts of tasks, in their order; a task is a function without arguments."""
    with ThreadPoolExecutor(lanes) as pool:
        for place, verdict in enumerate(pool.map(lambda task: task(), tasks)):
            if place % 100 == 99:
                print(f"{place + 1} lines", file=sys.stderr, flush=True)
            yield verdict
