"""Plays with the program for Windows under Wine, as `run.sh` has put it together.

events.py FOLDER PROGRAM_OF_LINUX [--short] [PART ...]
"""

import json
import os
import pty
import random
import re
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

FOLDER, LINUX = Path(sys.argv[1]), Path(sys.argv[2]).resolve()
HERE = Path(__file__).resolve().parents[2]
SHORT = "--short" in sys.argv
# Parts by name; all, if none is named.
ONLY = [word for word in sys.argv[3:] if not word.startswith("-")]
BOUND = 7200  # seconds, for any one command: it ends what hangs
SPARRING = '\n[[engine]]\nname = "{0}"\nbuiltin = "sparring"\noptions = {{ Strength = {1} }}\n'
SIX_AND_NINE = SPARRING.format("Six", 6) + SPARRING.format("Nine", 9)

# Words of the fake engine, its limit, and how each game of four ends. "" is any end but a forfeit.
CLOCK, NODES = 'control = "2+0.2"', "nodes = 1000"
SILENT = "stall|flag-fall"
MISBEHAVIOURS = [
    ("search=abort once", CLOCK, ["crash", "", "", ""]),
    ("search=segv once", NODES, ["crash", "", "", ""]),
    ("search=abort", CLOCK, ["crash"] * 4),
    # Of Wine, the host of its console holds the pipe, too, as long as it lives: nobody hears that it closes.
    ("search=close-output", CLOCK, ["crash|flag-fall"] * 4),
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
    environment = os.environ | {"LC_FAKE_MEMORY": "memory"}
    done = subprocess.run(command, cwd=FOLDER, stdin=subprocess.DEVNULL, capture_output=True, timeout=BOUND,
                          env=environment)
    words = done.stdout.decode(errors="replace") + done.stderr.decode(errors="replace")
    assert done.returncode == status, f"{command}: status {done.returncode}, not {status}\n{words}"
    return words


def windows(*arguments, status=0):
    return call(["wine", "arbiter960.exe", *arguments], status)


@contextmanager
def begun_on_windows(program, *arguments, **streams):
    """A program that runs beside; it ends with the part that needs it, also if that fails."""
    with subprocess.Popen(["wine", program, *arguments], cwd=FOLDER, **streams) as run:
        try:
            yield run
        except BaseException:
            run.kill()
            raise


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


def quickstart():
    """The first event of README, as it stands: the same file, and what it says of itself."""
    event = (HERE / "configs/quickstart.toml").read_bytes()
    (FOLDER / "quickstart.toml").write_bytes(event)
    windows("run", "quickstart.toml", "--quiet")
    assert len(games("quickstart")) == 60
    assert "complete" in windows("run", "quickstart.toml")
    windows("verify", "results\\quickstart\\games.pgn")
    assert windows("stats", "results/quickstart") == linux("stats", "results/quickstart")


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
    assert "Ärmel" in windows("stats", "results/first")


def environment():
    """A program finds what Windows' libraries need, and no secret."""
    os.environ["MY_SECRET_KEY"] = "secret"
    engine = ('\n[[engine]]\nname = "Shell"\ncommand = "C:\\\\windows\\\\system32\\\\cmd.exe"\n'
              'args = ["/c", "set>found.txt"]\ndirectory = "."\n')
    sound = '\n[[engine]]\nname = "Sound"\nbuiltin = "sparring"\n'
    event = write("environment", "positions.numbers = [518]\ntime.depth = 1", engine + sound, pairs=1)
    windows("run", event, status=3)
    said = (FOLDER / "found.txt").read_text(errors="replace")
    names = {name.upper() for name in re.findall(r"^(\w+)=", said, re.M)}
    assert {"PATH", "SYSTEMROOT", "TEMP", "APPDATA"} <= names, said
    assert "MY_SECRET_KEY" not in names, said


def limits():
    """Memory and processes beyond what the event allows end the engine that uses them. They are counted: jobs of Wine
    refuse nothing."""
    sound = '\n[[engine]]\nname = "Sound"\nbuiltin = "sparring"\ntime = { depth = 1 }\n'
    for words, limit, expected in (("search=hog:600", "memory_mib = 300", "memory-limit"),
                                   ("crlf", "memory_mib = 300\nprocesses = 64\ncpus = [0]\nnice = 5", "")):
        engine = ('\n[[engine]]\nname = "Fake"\ncommand = "./fake-engine.exe"\n'
                  f'args = ["{words}"]\ntime = {{ movetime = 0.5, margin_ms = 5000 }}\n{limit}\n')
        name = f"limits-{len(expected)}"
        windows("run", write(name, "positions.numbers = [518]\nadjudication.max_moves = 4", engine + sound, pairs=1), "--quiet")
        seen = reasons(name)
        assert seen == [expected] * 2 if expected else "memory-limit" not in seen, f"{words}: {seen}"
        nothing_is_left()


def same_on_both(name, rest, engines_there, engines_here, count):
    """An event that is limited by nodes is the same on both systems, game by game, and in its statistics."""
    for place, run, engines in (("windows", windows, engines_there), ("linux", linux, engines_here)):
        run("run", write(f"{name}-{place}", f"event.seed = 960\n{rest}", engines, concurrency=4), "--quiet")
    there, here = games(f"{name}-windows"), games(f"{name}-linux")
    assert len(here) == count
    assert there == here, [(there.get(played), here[played]) for played in here if there.get(played) != here[played]][:2]
    # The folder alone has another name, and the bar between its parts.
    strength = [windows("stats", f"results\\{name}-windows").replace(f"results\\{name}-windows", "it"),
                linux("stats", f"results/{name}-linux").replace(f"results/{name}-linux", "it")]
    assert strength[0] == strength[1], "\n".join(strength)
    print(f"   {count} games by {name}, four at once: the same moves and the same statistics", flush=True)


def same_games():
    count = 20 if SHORT else 1000
    rest = f"positions.sample = {count // 2}\ntime.nodes = 100\nadjudication.max_moves = 40"
    same_on_both("sparring", rest, SIX_AND_NINE, SIX_AND_NINE, count)


def real_engine():
    """Glaurung, built with mingw, plays as Debian's own of the same source."""
    if not (FOLDER / "glaurung.exe").exists():
        assert not os.environ.get("ARBITER960_REQUIRE_EXTERNAL"), "Glaurung's source could not be fetched or built"
        print("   skipped: Glaurung's source could not be fetched or built", flush=True)
        return
    count = 4 if SHORT else 40
    rest = f"positions.sample = {count // 2}\ntime.nodes = 3000\nadjudication.max_moves = 60"

    def engines(command):
        one = f'\n[[engine]]\nname = "Glaurung"\ncommand = {json.dumps(command)}\noptions = {{ Hash = 8 }}\n'
        return one + SPARRING.format("Nine", 9)

    same_on_both("glaurung", rest, engines(f"Z:{FOLDER}/glaurung.exe".replace("/", "\\")), engines("glaurung"), count)


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


def thinking_while_idle():
    """Processor times of processes: an engine, or its child, that works on its opponent's time is found by them."""
    sound = '\n[[engine]]\nname = "Sound"\nbuiltin = "sparring"\ntime = { movetime = 0.5, margin_ms = 5000 }\n'
    rest = ("positions.numbers = [518]\nadjudication.max_moves = 24\n"
            'faults = { idle_cpu = "fault", idle_cpu_percent = 2 }')
    for words, expected in ("burns=thread", "idle-cpu"), ("burns=child", "idle-cpu"), ("crlf", ""):
        engine = ('\n[[engine]]\nname = "Fake"\ncommand = "./fake-engine.exe"\n'
                  f'args = ["{words}"]\ntime.depth = 1\n')
        name = f"idle-{words.replace('=', '-')}"
        windows("run", write(name, rest, engine + sound, pairs=1, concurrency=1), "--quiet")
        seen = reasons(name)
        assert seen == [expected] * 2 or not expected and "idle-cpu" not in seen, f"{words}: {seen}"
        nothing_is_left()


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


def fronts():
    """Lines for fastchess and cutechess as they are written on Windows: drive, backslashes, blank, umlaut."""
    drive = "Z:" + str(FOLDER).replace("/", "\\")
    assert " " in drive and "Ü" in drive
    (FOLDER / "book.epd").write_text("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n")
    engine = f"cmd={drive}\\fake-engine.exe"
    said = windows("fastchess", "-engine", engine, "name=One", "-engine", engine, "name=Two", "args=crlf",
                   "-each", "tc=5+0.1", "-rounds", "2", "-games", "2", "-repeat", "-maxmoves", "10",
                   "-openings", f"file={drive}\\book.epd", "format=epd", "-pgnout", f"file={drive}\\front.pgn")
    assert "One" in said and "Two" in said, said
    windows("verify", f"{drive}\\front.pgn")
    assert (FOLDER / "front.pgn").read_text().count("[Event ") == 4
    said = windows("cutechess", "-engine", engine, "name=Ärmel", rf"dir={drive}", "-engine", rf"cmd=.\fake-engine.exe",
                   "name=Two", "arg=crlf", "-each", "proto=uci", "tc=5+0.1", "-rounds", "2", "-games", "2", "-repeat",
                   "-maxmoves", "10", "-openings", rf"file=\\?\{drive}\book.epd", "format=epd",
                   "-pgnout", rf"{drive}\Über uns.pgn")
    assert "Started game 1 of 4 (Ärmel vs Two)" in said and said.endswith("Finished match\n"), said
    windows("verify", rf"\\?\{drive}\Über uns.pgn")
    assert (FOLDER / "Über uns.pgn").read_text(encoding="utf-8").count('"Ärmel"]') == 4


def fetched(address):
    """What is at an address of this machine, without a proxy; until the event has begun, that is "not yet"."""
    fetch = urllib.request.build_opener(urllib.request.ProxyHandler({})).open
    while True:
        try:
            return fetch(address, timeout=BOUND)
        except urllib.error.HTTPError as error:
            if error.code != 503:
                raise


def watched():
    """The live page of a run on Windows, read from Linux; `status` and `control` reach the run by its named pipe."""
    event = write("watched", 'positions.all = true\ntime.control = "60+1"')
    with begun_on_windows("arbiter960.exe", "run", event, "--web", "0", "--no-report", stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as run:
        address = next(found[1] for line in run.stderr if (found := re.search(r"(http://\S+/)", line)))
        # What follows is read, so that nobody waits for it.
        threading.Thread(target=run.stderr.read).start()
        with fetched(f"{address}events") as feed:
            assert next(line for line in feed if line.startswith(b"data:"))
        with fetched(address) as page:
            text = page.read().decode()
        assert "<html" in text and "Six" in text and "Nine" in text
        assert json.loads(windows("status", "results\\watched", "--json"))["run"]["paused"] is False
        windows("control", "results\\watched", "stop", "--now")
        assert run.wait(BOUND) == 143
    nothing_is_left()


def interrupted():
    """Ctrl-C typed at a console stops a run, and the same command continues it. Wine's consoles have no Ctrl-Break."""
    event = write("interrupted", "positions.all = true\ntime.depth = 1\nadjudication.max_moves = 30")
    pgn, before = FOLDER / "results/interrupted/games.pgn", {}
    for _ in range(2):
        size = pgn.stat().st_size if before else 0
        run, terminal = pty.fork()
        if run == 0:
            os.chdir(FOLDER)
            os.execvp("wine", ["wine", "arbiter960.exe", "run", event, "--no-report"])
        # What is shown is read, so that nobody waits for it.
        threading.Thread(target=all_of, args=[terminal]).start()
        end = time.monotonic() + BOUND
        while not (pgn.exists() and pgn.stat().st_size > size):
            assert time.monotonic() < end, "no game was played"
            time.sleep(0.05)
        os.write(terminal, b"\x03")
        status = os.waitstatus_to_exitcode(os.waitpid(run, 0)[1])
        assert status == 130, f"status {status}"
        nothing_is_left()
        after = games("interrupted")
        assert before.items() < after.items(), "games are lost, or none was added"
        before = after


def all_of(terminal):
    """What comes from a terminal, to its end."""
    found = b""
    try:
        while more := os.read(terminal, 1 << 16):
            found += more
    except OSError:
        pass
    return found


def letters():
    """Letters beyond English come out right, in a pipe and on a console, which has its own code page again afterwards."""
    assert "Ärger.toml" in windows("run", "Ärger.toml", status=2)
    run, terminal = pty.fork()
    if run == 0:
        os.chdir(FOLDER)
        line = "page 850 & arbiter960.exe run Ärger.toml & page & arbiter960.exe --help & page"
        os.execvp("wine", ["wine", "cmd", "/c", line])
    said = re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", all_of(terminal)).decode()
    os.waitpid(run, 0)
    assert "Ärger.toml" in said, said
    assert re.findall(r"page:(\d+)", said) == ["850"] * 3, said


def held_file():
    """Another program, such as a virus scanner, holds a file of the results open for a moment."""
    event = write("held", "positions.all = true\ntime.depth = 1\nadjudication.max_moves = 6")
    results = FOLDER / "results/held"
    with begun_on_windows("arbiter960.exe", "run", event, "--quiet", stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL) as run:
        with begun_on_windows("hold.exe", r"results\held\standings.json", stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as holder:
            assert holder.stdout.readline().strip() == b"held"
            while "another program holds a file open" not in (results / "log/run.log").read_text(encoding="utf-8"):
                assert run.poll() is None
                time.sleep(0.05)
        # It is closed again, and the run goes on.
        windows("control", r"results\held", "stop", "--now")
        assert run.wait(BOUND) == 143
    windows("status", r"results\held")
    assert json.loads((results / "standings.json").read_text(encoding="utf-8"))["standings"]
    nothing_is_left()


def paths_and_words():
    """An event file with line ends and paths of Windows; what Windows cannot do is refused in words."""
    drive = "Z:" + str(FOLDER).replace("/", "\\")
    lines = ["event.name = 'paths'", "positions.numbers = [518]", "time.depth = 1", "adjudication.max_moves = 4",
             "[[engine]]", "name = 'Drive'", rf"command = '{drive}\fake-engine'",
             "[[engine]]", "name = 'Here'", r"command = '.\fake-engine.exe'", ""]
    (FOLDER / "Über uns.toml").write_bytes("\r\n".join(lines).encode())
    windows("run", rf"\\?\{drive}\Über uns.toml", "--quiet", "--results", rf"{drive}\other results")
    text = (FOLDER / "other results/paths/games.pgn").read_text(encoding="utf-8")
    assert text.count("[Event ") == 2
    for key, words in (("sandbox = true", "sandbox"), ("file_size_mib = 100", "file_size_mib"),
                       ('idle_cpu = "freeze"', "freeze")):
        engine = f'\n[[engine]]\nname = "Walled"\ncommand = "./fake-engine.exe"\n{key}\n'
        walled = write("walled", "positions.numbers = [518]\ntime.depth = 1", engine + SPARRING.format("Six", 6))
        said = windows("run", walled, status=2)
        assert words in said and not (FOLDER / "results/walled/games.pgn").exists(), said
    said = windows("doctor", "--seconds", "0.5")
    assert "fastest time control to hold here" in " ".join(said.split()), said
    assert "what Linux can do and this system cannot" in said, said
    assert "slow to read" not in said and "cgroup" not in said, said


def clock_tax():
    """What engines are charged beyond their work, as a figure of Wine on this machine: nothing of it is required."""
    if not SHORT:
        print(call(["wine", "clock-tax.exe", "1", "160", "quiet"]), flush=True)


for part in (quickstart, first_event, environment, limits, paths_and_words, watched, interrupted, held_file, same_games, real_engine,
             misbehaviours, thinking_while_idle, killed, test_and_rounds, fronts, letters, clock_tax):
    if ONLY and part.__name__ not in ONLY:
        continue
    print(f"-- {part.__name__.replace('_', ' ')}", flush=True)
    begun = time.monotonic()
    part()
    print(f"   {time.monotonic() - begun:.0f} s", flush=True)
