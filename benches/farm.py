#!/usr/bin/env python3
"""A farm on this machine. Needs a program with the feature `nats`, and nats-server.

    cargo build --release --features nats
    benches/farm.py figures       # pairs a second through coordinator and store; what is added between two pairs
    benches/farm.py experiment    # 960 positions, four workers, three of them killed: equal to one machine and merge?
    benches/farm.py plan          # a coordinator with a million pairs to play
    benches/farm.py restart       # a coordinator that starts again with a million stored games

Games are of the built-in engine, which plays the same in every process. Everything runs on the same processors:
a farm with its workers elsewhere is faster.
"""
import argparse, csv, io, json, os, pathlib, re, shutil, signal, socket, sqlite3, subprocess, tempfile, time

EVENT = """[event]
name = "farm"
seed = 960
concurrency = {lanes}
pairs = {cycles}
[positions]
numbers = ["0-{last}"]
[time]
{limit}
[adjudication]
max_moves = {moves}
host_faults = "count"
[[engine]]
name = "Six"
builtin = "sparring"
options = {{ Strength = 6 }}
[[engine]]
name = "Nine"
builtin = "sparring"
options = {{ Strength = 9 }}
"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def of_status(process, key):
    """Of /proc/PID/status, MiB: VmHWM is the largest resident size so far."""
    text = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return next(int(line.split()[1]) / 1024 for line in text.splitlines() if line.startswith(key))


def processor(process):
    """Seconds of processor time so far: fields 14 and 15 of /proc/PID/stat."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def gaps(folder):
    """Milliseconds between the end of a pair and the beginning of the next, of a run with one lane."""
    rows = sqlite3.connect(folder / "event.db").execute(
        "SELECT pair, min(started_ms), max(ended_ms) FROM games GROUP BY pair ORDER BY 2").fetchall()
    return sorted(later[1] - earlier[2] for earlier, later in zip(rows, rows[1:]))


def of(values, share):
    return values[min(len(values) - 1, int(share * len(values)))]


class Place:
    """A folder with an event file; the folder of its results."""

    def __init__(self, folder, program, **keys):
        self.folder, self.program = folder, program
        folder.mkdir(parents=True)
        values = {"lanes": 1, "cycles": 1, "last": 959, "limit": "depth = 1", "moves": 1, **keys}
        (folder / "event.toml").write_text(EVENT.format(**values))
        self.results = folder / "results" / "farm"

    def start(self, *arguments, command="run", **more):
        event = ["event.toml"] if command in ("run", "rebuild") else []
        return subprocess.Popen([self.program, command, *event, *arguments], cwd=self.folder,
                                stdout=subprocess.DEVNULL, **more)

    def run(self, *arguments, **more):
        with self.start(*arguments, **more) as process:
            code = process.wait()
        if code != 0:
            raise SystemExit(f"{arguments} ended with {code}")

    def record(self):
        """The lines of workers.jsonl that are whole."""
        path = self.results / "workers.jsonl"
        lines = path.read_text().split("\n")[:-1] if path.exists() else []
        return [json.loads(line) for line in lines]


class Farm:
    """A server, and workers of one event."""

    def __init__(self, options, place):
        self.place, self.players = place, {}
        port = free_port()
        self.where = ["--nats", f"nats://127.0.0.1:{port}"]
        self.server = subprocess.Popen(
            [options.server, "-js", "-a", "127.0.0.1", "-p", str(port), "-sd", str(place.folder / "data")],
            stderr=subprocess.DEVNULL)
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                return
            except OSError:
                time.sleep(0.05)

    def add(self, name, lanes):
        self.players[name] = self.place.start(
            *self.where, "--open-server", "--lanes", str(lanes), "--name", name, "--folder", name, command="worker",
            stderr=subprocess.DEVNULL)

    def coordinate(self, *more, **how):
        return self.place.start("--quiet", *self.where, *more, **how)

    def end(self):
        for process in [*self.players.values(), self.server]:
            process.terminate()
            process.wait()


def play(options, place, workers, lanes):
    """Plays an event; the coordinator's memory and processor time, and the seconds."""
    farm = Farm(options, place)
    for number in range(workers):
        farm.add(f"w{number}", lanes)
    memory, used, begun = 0, 0, time.monotonic()
    with farm.coordinate() as run:
        while run.poll() is None:
            try:
                memory, used = of_status(run, "VmHWM"), processor(run)
            except (OSError, StopIteration):
                pass
            time.sleep(0.1)
    seconds = time.monotonic() - begun
    farm.end()
    if run.returncode != 0:
        raise SystemExit(f"the run ended with {run.returncode}")
    return memory, used, seconds


def figures(options, folder):
    place = Place(folder / "many", options.program, last=options.pairs - 1, lanes=4)
    memory, used, seconds = play(options, place, 2, 4)
    stored = [line["stored_ms"] for line in place.record()]
    rate = (len(stored) - 1) * 1000 / max(1, max(stored) - min(stored))
    print(f"{len(stored)} pairs by 2 workers with 4 lanes: {rate:.0f} pairs/s from the first stored to the last, "
          f"{seconds:.1f} s in all; coordinator {memory:.0f} MiB, {1000 * used / len(stored):.1f} ms of processor "
          "time for a pair")
    through = Place(folder / "through", options.program, last=options.pairs - 1)
    play(options, through, 1, 1)
    alone = Place(folder / "alone", options.program, last=options.pairs - 1)
    alone.run("--quiet")
    for name, results in [("through the farm", through.results), ("in one process", alone.results)]:
        values = gaps(results)
        print(f"between two pairs of one lane, {name}: p50 {of(values, 0.5)} ms, p99 {of(values, 0.99)} ms")


def games(place):
    """What every game of a store is, by its round, but for when and where it was played."""
    text = subprocess.run([place.program, "export", place.results, "--format", "csv"], capture_output=True,
                          text=True, check=True).stdout
    keys = ["white", "black", "result", "reason", "moves"]
    return {row["round"]: [row[key] for key in keys] for row in csv.DictReader(io.StringIO(text))}


def statistics(place):
    done = subprocess.run([place.program, "stats", "--format", "json", place.results], capture_output=True, text=True,
                          check=True)
    return {key: value for key, value in json.loads(done.stdout).items() if key not in NOT_COMPARED}


# What is measured of machines, a sample of games in the order in which they ended, and where the store is.
NOT_COMPARED = ("idle_use", "node_use", "sources")


def differences(one, other, path=""):
    """The places at which two values of JSON differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        keys = sorted({*one, *other})
        return [found for key in keys
                for found in differences(one.get(key), other.get(key), f"{path}.{key}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other))
        return [found for at, (a, b) in pairs for found in differences(a, b, f"{path}[{at}]")]
    return [] if one == other else [path]


def experiment(options, folder):
    """One machine and four shards play the same event meanwhile, and are compared with the farm at the end."""
    keys = {"cycles": options.cycles, "limit": f"nodes = {options.nodes}", "moves": 40, "lanes": 4}
    place = Place(folder / "farm", options.program, **keys)
    farm, total, killed = Farm(options, place), 960 * options.cycles, []
    names = ["w1", "w2", "w3", "w4"]
    alone = Place(folder / "alone", options.program, **keys)
    shards = Place(folder / "shards", options.program, **{**keys, "lanes": 1})
    others = [alone.start("--quiet")]
    others += [shards.start("--quiet", "--shard", f"{part}/4") for part in range(1, 5)]
    for name in names:
        farm.add(name, 1)
    begun = time.monotonic()
    with farm.coordinate("--lease", "10") as run:
        while run.poll() is None:
            stored = len(place.record())
            if len(killed) < 3 and stored >= total * (len(killed) + 1) // 4:
                name = names[len(killed)]
                farm.players[name].send_signal(signal.SIGKILL)
                farm.players[name].wait()
                killed.append(f"{name} after {stored} pairs and {time.monotonic() - begun:.0f} s")
            time.sleep(0.2)
    seconds = time.monotonic() - begun
    farm.end()
    if run.returncode != 0:
        raise SystemExit(f"the coordinator ended with {run.returncode}")
    record = place.record()
    shares = {name: sum(line["worker"] == name and not line["thrown_away"] for line in record) for name in names}
    twice = [line["pair"] for line in record if line["thrown_away"]]
    print(f"farm: {seconds / 60:.1f} minutes; pairs by worker {shares}; killed {', '.join(killed)}; "
          f"played twice and thrown away {twice}", flush=True)
    if any([other.wait() for other in others]):
        raise SystemExit("one machine or a shard did not play to the end")
    results = sorted((shards.folder / "results").glob("farm-shard-*"))
    shards.run(str(shards.results), *map(str, results), command="merge")
    expected, wanted = games(alone), statistics(alone)
    for name, other in [("farm", place), ("merge of four shards", shards)]:
        same = games(other) == expected
        apart = differences(statistics(other), wanted)
        print(f"{name}: {len(games(other))} games, {'equal' if same else 'NOT EQUAL'} to those of one machine; "
              f"statistics: {'equal' if not apart else 'differ in ' + ', '.join(apart[:20])}", flush=True)


def begins(options, place):
    """A coordinator and a worker until a pair is stored: seconds, processor time and memory of the first."""
    farm = Farm(options, place)
    farm.add("w0", 1)
    known, begun = len(place.record()), time.monotonic()
    run = farm.coordinate(stderr=subprocess.DEVNULL)
    while len(place.record()) == known:
        if run.poll() is not None:
            raise SystemExit(f"the coordinator ended with {run.returncode}")
        time.sleep(0.05)
    print(f"{time.monotonic() - begun:.1f} s until a pair was stored, {processor(run):.1f} s of processor time, "
          f"{of_status(run, 'VmRSS'):.0f} MiB resident, {of_status(run, 'VmHWM'):.0f} MiB at most", flush=True)
    run.kill()
    run.wait()
    farm.end()


def plan(options, folder):
    print(f"{960 * 1042:,} pairs to play:", end=" ")
    begins(options, Place(folder / "plan", options.program, cycles=1042))


def restart(options, folder):
    cycles = options.cycles if options.cycles > 1 else 521
    again = Place(folder / "again", options.program, cycles=cycles + 1)
    write_games(options, folder, again, cycles)
    begun = time.monotonic()
    again.run(command="rebuild", stderr=subprocess.DEVNULL)
    print(f"rebuild of {2 * 960 * cycles:,} games: {time.monotonic() - begun:.0f} s", flush=True)
    for what in ["the first start, which makes games.pgn known", "started again"]:
        print(f"{what}:", end=" ")
        begins(options, again)


def write_games(options, folder, place, cycles):
    """The games.pgn of all cycles but the last: the games of one that was played, once more in each."""
    first = Place(folder / "first", options.program)
    first.run("--quiet")
    known = {}
    for game in re.split(r"\n\n(?=\[Event )", (first.results / "games.pgn").read_text().rstrip("\n")):
        key = re.search(r'\[StartNumber "(\d+)"\]', game)[1], re.search(r'\[White "([^"]+)"\]', game)[1]
        known[key] = game
    planned = subprocess.run([options.program, "run", "event.toml", "--dry-run"], cwd=place.folder, text=True,
                          capture_output=True, check=True).stdout
    place.results.mkdir(parents=True)
    with (place.results / "games.pgn").open("w") as out:
        for line in planned.splitlines()[1:960 * cycles + 1]:
            pair, number, white = re.match(r"pair (\d+) cycle \d+ position (\d+): \S+ (\w+) ", line).groups()
            black = "Nine" if white == "Six" else "Six"
            for game, player in [(1, white), (2, black)]:
                text = re.sub(r'\[Round "[^"]+"\]', f'[Round "{pair}.{game}"]', known[number, player], count=1)
                out.write(re.sub(r'\[Pair "\d+"\]', f'[Pair "{pair}"]', text, count=1) + "\n\n")


COMMANDS = {"figures": figures, "experiment": experiment, "plan": plan, "restart": restart}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", default="figures", choices=sorted(COMMANDS))
    parser.add_argument("--program", default="target/release/arbiter960")
    parser.add_argument("--server", default=shutil.which("nats-server", path=os.environ["PATH"] + ":/usr/sbin"))
    parser.add_argument("--pairs", type=int, default=960, choices=range(2, 961), metavar="2-960",
                        help="figures: how many pairs are played")
    parser.add_argument("--cycles", type=int, default=1, help="experiment, restart: pairs from each position")
    parser.add_argument("--nodes", type=int, default=2000, help="experiment: nodes of a move")
    options = parser.parse_args()
    options.program = str(pathlib.Path(options.program).resolve())
    options.server = str(pathlib.Path(options.server).resolve())
    version = subprocess.run([options.server, "--version"], capture_output=True, text=True, check=True)
    print(version.stdout.strip(), "load", os.getloadavg()[0], flush=True)
    with tempfile.TemporaryDirectory() as folder:
        COMMANDS[options.what](options, pathlib.Path(folder))


if __name__ == "__main__":
    main()
