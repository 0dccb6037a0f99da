"""OpenBench's client plays workloads with fastchess and with this program; what its server would get is compared.

    git clone https://github.com/AndyGrant/OpenBench
    pip install chess -r OpenBench/Client/requirements.txt
    FASTCHESS=… python3 tests/fronts/openbench.py OpenBench target/debug/arbiter960 [ROUNDS]

The client's own code builds the command line, reads the lines, and sends results, errors and PGN to a server of this script. Left out
are downloads and builds: engines are the built-in one with a fixed depth, which in some openings crashes or
hangs. Compared are sums of results, every error with its PGN, and the games of the upload, all without times. The exit
code is 1 if something differs.
"""

import bz2
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import types
from pathlib import Path

import compare
import stub

WORKLOADS = {  # kind of engine, limit of both engines, rounds of one runner
    "nodes": ("plays", "N=1000", 100),
    "a clock": ("plays", "8.0+0.08", 100),
    "an engine that crashes": ("crashes", "8.0+0.08", 100),
    "an engine that hangs": ("hangs", "2.0+0.02", 12),
    "an engine that does not start": ("does not start", "8.0+0.08", 4),
}


def inside(folder, address, workload):
    """The client's part, in a process of its own."""
    sys.path.insert(0, str(Path(folder, "Client")))
    os.chdir(folder)
    import utils
    import worker

    def ended(name):
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                own = str((entry / "cwd").resolve()).startswith(folder) and name in (entry / "cmdline").read_text()
                if own and int(entry.name) != os.getpid():
                    os.kill(int(entry.name), signal.SIGKILL)
            except OSError:
                pass

    utils.kill_process_by_name = ended
    utils.download_opening_book = lambda *_: None
    worker.safe_download_network_weights = lambda *_: None
    worker.safe_download_engine = lambda _, branch, __: f"ob{branch}"
    worker.safe_run_benchmarks = lambda *_: 1000
    config = types.SimpleNamespace(machine_id="1", secret_token="x", server=address, syzygy_max=0, syzygy_path=None, threads=2, workload=json.loads(workload))
    worker.complete_workload(config)


def workload(limit, rounds):
    side = {"options": "Hash=16", "engine": "Stub", "time_control": limit, "name": "x", "bench": "1"}
    test = {
        "id": 7, "type": "SPRT", "dev": side, "base": side, "scale_method": "BASE", "scale_nps": 1000, "upload_pgns": "VERBOSE",
        "win_adj": "movecount=3 score=400", "draw_adj": "movenumber=40 movecount=8 score=10", "syzygy_adj": "DISABLED", "syzygy_wdl": "DISABLED",
        "book": {"name": "book.epd", "sha": "", "source": ""}, "book_index": 3, "book_seed": 11,
    }
    return {"test": test, "result": {"id": 9}, "distribution": {"runner-count": 1, "concurrency-per": 2, "rounds-per-runner": rounds}}


def reports(clone, runner, kind, limit, rounds, program):
    """Everything that the server gets of one workload."""
    folder = Path(tempfile.mkdtemp(prefix="openbench-"))
    server = stub.Server()
    try:
        shutil.copytree(Path(clone, "Client"), folder / "Client")
        for name in ("Engines", "Books", "PGNs", "Networks"):
            (folder / name).mkdir()
        (folder / "Books/book.epd").write_text(stub.book())
        stub.engine(folder / "Engines/obdev", kind, 2, program)
        stub.engine(folder / "Engines/obbase", "plays", 1, program)
        (folder / "fastchess-ob").symlink_to(Path(runner).resolve())
        words = [sys.executable, __file__, "--inside", str(folder), server.address + "/", json.dumps(workload(limit, rounds))]
        environment = dict(os.environ, XDG_STATE_HOME=str(folder / ".state"))
        ran = subprocess.run(words, capture_output=True, text=True, env=environment, check=False)
        return read(server.got, "" if ran.returncode == 0 else ran.stderr[-600:])
    finally:
        server.shutdown()
        shutil.rmtree(folder, ignore_errors=True)


def read(got, failure):
    results, errors, uploaded = {}, [], []
    for name, fields in got:
        if name == "clientSubmitResults":
            for key in ("trinomial", "pentanomial", "crashes", "timelosses", "illegals"):
                numbers = [int(number) for number in fields[key].split()]
                results[key] = [one + two for one, two in zip(results.get(key, [0] * len(numbers)), numbers)]
        elif name == "clientSubmitError":
            errors += [f"{fields['error']} | {game}" for game in games(fields.get("logs", ""))]
        elif name == "clientSubmitPGN":
            uploaded = games(bz2.decompress(fields["file"]).decode())
    asked = sorted({name for name, _ in got} - {"clientHeartbeat"})
    summary = f"{results}, {len(errors)} errors, PGN of {len(uploaded)} games"
    return {"summary": summary, "failure": failure, "results": results, "errors": sorted(errors), "games": uploaded, "endpoints": asked}


def games(text):
    """The games, without times."""
    text = re.sub(r"\(\d+ms overrun\)", "(overrun)", text)
    return sorted(re.sub(r"\b\d+(\.\d+)?s\b", "s", game) for game in compare.games(text))


def main():
    if sys.argv[1:2] == ["--inside"]:
        return inside(*sys.argv[2:])
    clone, program, *most = sys.argv[1:]
    engines = Path(os.environ.get("ENGINE", program)).resolve()
    differs = False
    for name, (kind, limit, rounds) in WORKLOADS.items():
        rounds = min(rounds, int(most[0])) if most else rounds
        both = [reports(clone, runner, kind, limit, rounds, engines) for runner in (os.environ["FASTCHESS"], program)]
        differs |= stub.different(f"{name}, {2 * rounds} games", both, compare.first)
    sys.exit(differs)


if __name__ == "__main__":
    main()
