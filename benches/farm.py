#!/usr/bin/env python3
"""A farm on this machine: pairs a second through coordinator and store, what the farm adds between two pairs
of a lane, and the memory of the coordinator. Needs a program with the feature `nats`.

    cargo build --release --features nats
    benches/farm.py [--program target/release/arbiter960] [--server nats-server] [--pairs 960]

Games are of two half-moves by the built-in engine at depth 1, so that the rest is what is measured. All of it
runs on the same processors: a farm with its workers elsewhere is faster.
"""
import argparse, json, os, pathlib, shutil, socket, sqlite3, subprocess, tempfile, time

EVENT = """[event]
name = "farm"
concurrency = {lanes}
[positions]
numbers = ["0-{last}"]
[time]
depth = 1
[adjudication]
max_moves = 1
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


def peak(process):
    """The largest resident size so far, MiB."""
    text = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return next(int(line.split()[1]) / 1024 for line in text.splitlines() if line.startswith("VmHWM"))


def wait_for_port(port):
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.05)


def gaps(folder):
    """Milliseconds between the end of a pair and the beginning of the next, of a run with one lane."""
    rows = sqlite3.connect(folder / "event.db").execute(
        "SELECT pair, min(started_ms), max(ended_ms) FROM games GROUP BY pair ORDER BY 2").fetchall()
    return sorted(later[1] - earlier[2] for earlier, later in zip(rows, rows[1:]))


def of(values, share):
    return values[min(len(values) - 1, int(share * len(values)))]


class Farm:
    def __init__(self, options, place):
        self.options, self.place, self.port = options, place, free_port()
        self.where = ["--nats", f"nats://127.0.0.1:{self.port}"]

    def run(self, pairs, workers, lanes):
        """Plays an event; the folder of its results, the coordinator's memory, and the seconds."""
        event = self.place / f"{workers}-{lanes}" / "event.toml"
        event.parent.mkdir()
        event.write_text(EVENT.format(last=pairs - 1, lanes=lanes))
        server = subprocess.Popen(
            [self.options.server, "-js", "-a", "127.0.0.1", "-p", str(self.port), "-sd", str(event.parent / "data")],
            stderr=subprocess.DEVNULL)
        wait_for_port(self.port)
        program = self.options.program
        players = [
            subprocess.Popen(
                [program, "worker", *self.where, "--lanes", str(lanes), "--name", f"w{number}",
                 "--folder", str(event.parent / f"w{number}")], stderr=subprocess.DEVNULL)
            for number in range(workers)]
        memory, begun = 0, time.monotonic()
        with subprocess.Popen([program, "run", str(event), "--quiet", *self.where], cwd=event.parent,
                              stdout=subprocess.DEVNULL) as run:
            while run.poll() is None:
                try:
                    memory = peak(run)
                except (OSError, StopIteration):
                    pass
                time.sleep(0.1)
        seconds = time.monotonic() - begun
        for process in [*players, server]:
            process.terminate()
            process.wait()
        if run.returncode != 0:
            raise SystemExit(f"the run ended with {run.returncode}")
        return event.parent / "results" / "farm", memory, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/release/arbiter960")
    parser.add_argument("--server", default=shutil.which("nats-server", path=os.environ["PATH"] + ":/usr/sbin"))
    parser.add_argument("--pairs", type=int, default=960, choices=range(2, 961), metavar="2-960")
    options = parser.parse_args()
    options.program = str(pathlib.Path(options.program).resolve())
    version = subprocess.run([options.server, "--version"], capture_output=True, text=True, check=True)
    print(version.stdout.strip(), "load", os.getloadavg()[0])
    with tempfile.TemporaryDirectory() as folder:
        farm = Farm(options, pathlib.Path(folder))
        results, memory, seconds = farm.run(options.pairs, 2, 4)
        stored = [json.loads(line)["stored_ms"] for line in (results / "workers.jsonl").read_text().splitlines()]
        rate = (len(stored) - 1) * 1000 / max(1, max(stored) - min(stored))
        print(f"{len(stored)} pairs by 2 workers with 4 lanes: {rate:.0f} pairs/s from the first stored to the last, "
              f"{seconds:.1f} s in all; coordinator {memory:.0f} MiB")
        results, _, _ = farm.run(options.pairs, 1, 1)
        through = gaps(results)
        alone = pathlib.Path(folder) / "alone"
        alone.mkdir()
        (alone / "event.toml").write_text(EVENT.format(last=options.pairs - 1, lanes=1))
        subprocess.run([options.program, "run", "event.toml", "--quiet"], cwd=alone, check=True,
                       stdout=subprocess.DEVNULL)
        inside = gaps(alone / "results" / "farm")
        for name, values in [("through the farm", through), ("in one process", inside)]:
            print(f"between two pairs of one lane, {name}: p50 {of(values, 0.5)} ms, p99 {of(values, 0.99)} ms")


main()
