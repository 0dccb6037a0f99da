"""Plays with the program for Windows under Wine, as `run.sh` has put it together.

events.py FOLDER PROGRAM_OF_LINUX [--short]
"""

import json
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

FOLDER, LINUX = Path(sys.argv[1]), Path(sys.argv[2]).resolve()
SHORT = "--short" in sys.argv
BOUND = 300  # seconds, for any one command
SPARRING = '\n[[engine]]\nname = "{0}"\nbuiltin = "sparring"\noptions = {{ Strength = {1} }}\n'
SIX_AND_NINE = SPARRING.format("Six", 6) + SPARRING.format("Nine", 9)

# Words of the fake engine, its limit, and how each game of four ends. "" is any end but a forfeit.
CLOCK, NODES = 'control = "2+0.2"', "nodes = 1000"
SILENT = "stall|flag-fall"
MISBEHAVIOURS = [
    ("search=abort once", CLOCK, ["crash", "", "", ""]),
    ("search=segv once", NODES, ["crash", "", "", ""]),
    ("search=abort", CLOCK, ["crash"] * 4),
    ("search=mute once", NODES, ["stall", "", "", ""]),
    ("child ignore-quit ignore-eof", CLOCK, [""] * 4),
    ("search=babble once", NODES, ["stall", "", "", ""]),
    ("search=answer-unended once", CLOCK, ["crash", "", "", ""]),
    ("search=exit once", NODES, ["crash", "", "", ""]),
    ("search=answer-and-exit once", CLOCK, ["crash", "", "", ""]),
    ("search=mute once", CLOCK, [SILENT, "", "", ""]),
    ("search=deaf once", CLOCK, [SILENT, "", "", ""]),
    ("search=chatter once", NODES, ["stall", "", "", ""]),
    ("search=flood once", NODES, ["stall", "", "", ""]),
    ("search=late once", CLOCK, ["flag-fall", "", "", ""]),
    ("search=say:a1a1 once", CLOCK, ["illegal-move", "", "", ""]),
    ("search=twice once", CLOCK, [""] * 4),
    ("search=many-lines once", NODES, [""] * 4),
    ("search=bytes once", NODES, [""] * 4),
    ("crlf noise", CLOCK, [""] * 4),
    # Its child holds the pipes, which all children of Windows inherit: nobody hears that they close.
    ("search=abort once daemon-child=x", CLOCK, ["crash|flag-fall", "", "", ""]),
    ("start=exit-first", CLOCK, "it exited with status 7"),
    ("start=no-uciok", CLOCK, "no uciok within"),
]


def call(command, status=0):
    """What a command writes; its status must be as expected."""
    environment = os.environ | {"ARBITER960_FAKE_MEMORY": "memory"}
    done = subprocess.run(command, cwd=FOLDER, stdin=subprocess.DEVNULL, capture_output=True, timeout=BOUND,
                          env=environment)
    words = done.stdout.decode() + done.stderr.decode()
    assert done.returncode == status, f"{command}: status {done.returncode}, not {status}\n{words}"
    return words


def windows(*arguments, status=0):
    return call(["wine", "arbiter960.exe", *arguments], status)


def linux(*arguments, status=0):
    return call([str(LINUX), *arguments], status)


def write(name, rest, engines=SIX_AND_NINE, **event):
    """An event file; what it is called."""
    keys = {"concurrency": 2, "name": name} | event
    lines = [f"event.{key} = {json.dumps(value)}" for key, value in keys.items()]
    (FOLDER / f"{name}.toml").write_text("\n".join(lines) + f"\n{rest}\n{engines}", encoding="utf-8")
    return f"{name}.toml"


def games(name):
    """The games of an event by their round: moves and what the engines said of them, without times."""
    text = (FOLDER / "results" / name / "games.pgn").read_text(encoding="utf-8")
    found = {}
    for game in re.split(r"\n(?=\[Event )", text):
        tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', game, re.M))
        moves = re.sub(r"\[%(emt|clk) [^]]*\]", "", game.rpartition("]\n\n")[2])
        kept = [tags.get(tag, "") for tag in ("White", "Black", "FEN", "Result", "Termination")]
        assert tags["Round"] not in found, f"{name}: the game {tags['Round']} twice"
        found[tags["Round"]] = (*kept, " ".join(moves.split()))
    return found


def reasons(name):
    lines = linux("export", f"results/{name}", "--format", "jsonl").splitlines()
    stored = [json.loads(line) for line in lines]
    return [game.get("reason") or game.get("outcome", {}).get("reason", "") for game in stored]


def left_running():
    """Processes of Windows programs in this folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().decode(errors="replace").replace("\0", " ")
        except OSError:
            continue
        if FOLDER.parent.name in words and ".exe" in words and "python" not in words or "fake-engine.exe" in words:
            found.append(words)
    return found


def nothing_is_left():
    end = time.monotonic() + 20
    while left_running() and time.monotonic() < end:
        time.sleep(0.05)
    assert not left_running(), f"left running: {left_running()}"


def first_event():
    """As the quickstart: rounds, a clock, adjudication; then everything that reads results."""
    rest = 'positions.sample = 2\ntime.control = "2+0.02"\nadjudication.max_moves = 60'
    event = write("first", rest, SIX_AND_NINE + SPARRING.format("Ärmel", 2), format="round-robin", seed=960)
    windows("run", event, "--quiet")
    assert len(games("first")) == 12
    assert "complete" in windows("run", event)
    windows("verify", "results\\first\\games.pgn")
    linux("verify", "results/first/games.pgn")
    windows("report", "results\\first")
    assert "<html" in (FOLDER / "results/first/report.html").read_text(encoding="utf-8")
    for command in (["stats", "results/first"], ["stats", "--details", "results/first"],
                    ["export", "results/first", "--format", "csv"]):
        assert windows(*command) == linux(*command), f"{command} differs"


def same_games():
    """What is limited by nodes is the same on both systems, game by game."""
    count = 20 if SHORT else 100
    rest = f"event.seed = 960\npositions.sample = {count}\ntime.nodes = 300\nadjudication.max_moves = 80"
    for name, run in (("on-windows", windows), ("on-linux", linux)):
        run("run", write(name, rest), "--quiet")
    assert len(games("on-linux")) == 2 * count
    assert games("on-windows") == games("on-linux")
    strength = [linux("stats", f"results/{name}").replace(name, "") for name in ("on-windows", "on-linux")]
    assert strength[0] == strength[1], "\n".join(strength)
    print(f"   {2 * count} games, the same moves and the same statistics")


def misbehaviours():
    rows = MISBEHAVIOURS[:5] if SHORT else MISBEHAVIOURS
    for number, (words, limit, expected) in enumerate(rows):
        name = f"fake-{number}"
        (FOLDER / "memory").unlink(missing_ok=True)
        arguments = json.dumps(words.split())
        engine = (f'\n[[engine]]\nname = "Fake"\ncommand = "./fake-engine.exe"\nargs = {arguments}\n'
                  f"time = {{ {limit} }}\n")
        sound = '\n[[engine]]\nname = "Sound"\nbuiltin = "sparring"\ntime = { depth = 1 }\n'
        rest = ("positions.numbers = [518]\nadjudication.max_moves = 6\n"
                "timeouts = { start = 6, ready = 6, newgame = 4, stall = 3 }")
        event = write(name, rest, engine + sound, pairs=2, concurrency=1)
        if isinstance(expected, str):
            said = windows("run", event, "--quiet", status=3)
            assert expected in said, f"{words}: {said}"
        else:
            windows("run", event, "--quiet")
            seen = reasons(name)
            forfeits = {"crash", "stall", "flag-fall", "illegal-move", "not-ready", "start-failure"}
            fits = [(found not in forfeits) if want == "" else found in want.split("|")
                    for want, found in zip(expected, seen, strict=True)]
            assert all(fits), f"{words}: {seen}, not {expected}"
        nothing_is_left()
        print(f"   {words}", flush=True)


def killed():
    """TerminateProcess at random moments; the same command continues."""
    kills = 6 if SHORT else 50
    seed = int(os.environ.get("ARBITER960_STUDY_SEED") or time.time())
    print(f"   seed {seed}: ARBITER960_STUDY_SEED={seed} repeats it", flush=True)
    chance = random.Random(seed)
    rest = "positions.numbers = [\"0-9\"]\ntime.depth = 1\nadjudication.max_moves = 30"
    begun = time.monotonic()
    windows("run", write("undisturbed", rest), "--quiet")
    longest, expected = time.monotonic() - begun, games("undisturbed")
    done = events = reported = 0
    while done < kills:
        name, seen, events = f"killed-{events}", [], events + 1
        event = write(name, rest)
        while done < kills:
            moment = chance.randrange(int(longest * 700))
            log = FOLDER / "lines"
            with log.open("wb") as out:
                status = subprocess.run(["wine", "terminate.exe", str(moment), "arbiter960.exe", "run", event, "--json"],
                                        cwd=FOLDER, stdin=subprocess.DEVNULL, stdout=out, timeout=BOUND).returncode
            # The last line may have been cut short.
            whole = log.read_bytes().split(b"\n")[:-1]
            lines = [json.loads(line) for line in whole if line.strip()]
            seen += [line["round"] for line in lines if line["type"] == "game"]
            nothing_is_left()
            if status != 99:
                assert status == 0, f"status {status}"
                break
            done += 1
        windows("run", event, "--quiet")
        assert games(name) == expected, "other games than without kills"
        assert len(set(seen)) == len(seen), "a game was reported twice"
        assert set(seen) <= set(expected)
        windows("verify", f"results/{name}/games.pgn")
        reported += len(seen)
    print(f"   {done} kills in {events} events; {reported} games reported before a kill, 0 lost, 0 doubled")


def test_and_rounds():
    rest = "positions.all = true\ntime.depth = 1\nadjudication.max_moves = 40\nsprt = { elo0 = 0, elo1 = 200 }"
    strong = SPARRING.format("Strong", 10) + SPARRING.format("Weak", 1)
    windows("run", write("sprt", rest, strong), "--quiet", "--exit-verdict", status=10)
    four = "".join(SPARRING.format(f"Engine {number}", 2 * number) for number in range(1, 5))
    rest = 'positions.all = true\npositions.draw = "round"\nswiss.rounds = 2\ntime.nodes = 100\nadjudication.max_moves = 40'
    windows("run", write("swiss", rest, four, format="swiss", pairs=1), "--quiet")
    assert len(games("swiss")) == 8


def front():
    """A line for fastchess as it is written on Windows, with drive and backslashes."""
    drive = "Z:" + str(FOLDER).replace("/", "\\")
    (FOLDER / "book.epd").write_text("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n")
    engine = f"cmd={drive}\\fake-engine.exe"
    said = windows("fastchess", "-engine", engine, "name=One", "-engine", engine, "name=Two", "args=crlf",
                   "-each", "tc=5+0.1", "-rounds", "2", "-games", "2", "-repeat", "-maxmoves", "10",
                   "-openings", f"file={drive}\\book.epd", "format=epd", "-pgnout", f"file={drive}\\front.pgn")
    assert "One" in said and "Two" in said, said
    windows("verify", f"{drive}\\front.pgn")
    assert (FOLDER / "front.pgn").read_text().count("[Event ") == 4


for part in (first_event, same_games, misbehaviours, killed, test_and_rounds, front):
    print(f"-- {part.__name__.replace('_', ' ')}", flush=True)
    begun = time.monotonic()
    part()
    print(f"   {time.monotonic() - begun:.0f} s", flush=True)
