"""Fishtest's worker plays tasks with fastchess and with this program; what its server would get is compared.

    git clone https://github.com/official-stockfish/fishtest
    pip install chess requests
    FASTCHESS=… python3 tests/fronts/fishtest.py fishtest target/debug/arbiter960 [GAMES]

The worker's own `run_games` builds the command line, reads the lines and reports to a server of this script. Left out are builds,
benches and networks: engines are the built-in one with a fixed depth, which in some openings crashes or hangs.
Compared are the last report, the number of updates, the messages to the event log, the checksum of the PGN file, its games without
times, and the exception that ends the task. The exit code is 1 if something differs.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import compare
import stub

TASKS = {  # kind of engine, time control, games
    "a clock": ("plays", "10+0.1", 200),
    "an engine that crashes": ("crashes", "60+0.5", 200),
    "an engine that hangs": ("hangs", "10+0.1", 24),
    "an engine that does not start": ("does not start", "10+0.1", 8),
}
SHA = "0123456789abcdef0123456789abcdef01234567"


def inside(folder, address, tc, count):
    """The worker's part, in a process of its own."""
    sys.path.insert(0, str(Path(folder, "worker")))
    import games as worker

    testing = Path(folder, "testing")
    worker.setup_engine = lambda _, __, sha, *___: testing / f"stockfish_{sha[:4]}"
    worker.required_nets = lambda _: {}
    worker.verify_signature = lambda *_: None
    worker.get_bench_nps = lambda *_: 628000
    worker.get_cpu_features = lambda *_: "stub"
    run = {
        "_id": "5f5f5f5f5f5f5f5f5f5f5f5f",
        "my_task": {"num_games": int(count), "start": 6},
        "args": {
            "book": "book.epd", "book_depth": "8", "book_sri": worker.text_hash(testing / "book.epd"), "new_options": "Hash=16", "base_options": "Hash=16", "threads": 1,
            "resolved_new": SHA, "resolved_base": SHA[::-1], "base_signature": "1", "new_signature": "2", "tc": tc, "new_tag": "a", "base_tag": "b", "tests_repo": "x",
            "username": "u", "num_games": int(count), "sprt": {"batch_size": 4}, "info": "x", "adjudication": True,
        },
    }
    info = {"concurrency": 2, "compiler": "x", "gcc_version": [1], "unique_key": "x"}
    pgn = {}
    try:
        worker.run_games(Path(folder), info, {"task_id": 1}, "x", address, run, 1, pgn, None)
        ended = ""
    except Exception as error:
        ended = f"{type(error).__name__}: {error.args[0] if error.args else error}"
    name = pgn.get("name")
    data = name.read_bytes() if name and name.exists() else b""
    # As the worker writes it: without leading zeros.
    crc = hex(zlib.crc32(data))
    print(json.dumps({"ended": ended, "checksum": pgn.get("CRC") == crc, "pgn": data.decode()}), file=sys.stderr)


def reports(clone, runner, kind, tc, count, program):
    folder = Path(tempfile.mkdtemp(prefix="fishtest-"))
    server = stub.Server()
    try:
        shutil.copytree(Path(clone, "worker"), folder / "worker")
        (folder / "testing").mkdir()
        (folder / "testing/book.epd").write_text(stub.book())
        stub.engine(folder / f"testing/stockfish_{SHA[:4]}", kind, 2, program)
        stub.engine(folder / f"testing/stockfish_{SHA[::-1][:4]}", "plays", 1, program)
        (folder / "testing/fastchess").symlink_to(Path(runner).resolve())
        words = [sys.executable, __file__, "--inside", str(folder), server.address, tc, str(count)]
        environment = dict(os.environ, XDG_STATE_HOME=str(folder / ".state"))
        ran = subprocess.run(words, capture_output=True, text=True, env=environment, check=False)
        return read(server.got, ran, kind)
    finally:
        server.shutdown()
        shutil.rmtree(folder, ignore_errors=True)


def read(got, ran, kind):
    last = ran.stderr.strip().splitlines()[-1:] or [""]
    said = json.loads(last[0]) if last[0].startswith("{") else {"ended": ran.stderr[-500:], "checksum": None, "pgn": ""}
    updates = [fields["stats"] for name, fields in got if name == "api/update_task"]
    messages = sorted(fields["message"] for name, fields in got if name == "api/worker_log")
    if kind == "crashes":
        # fastchess says it if the process has not quite ended when it asks: by chance.
        messages = [message for message in messages if "is not responsive" not in message and "not responsive'" not in message]
    ended = said["ended"]
    if kind == "does not start":
        # fastchess is ended by SIGPIPE if the engine has ended before its first line is written: by chance.
        ended = ended.split(":")[0]
    text = re.sub(r"127\.0\.0\.1:\d+", "server", re.sub(r"\(\d+ms overrun\)", "(overrun)", said["pgn"]))
    played = sorted(re.sub(r"\b\d+(\.\d+)?s\b", "s", game) for game in compare.games(text))
    stats = updates[-1] if updates else {}
    return {
        "summary": f"{stats}, {len(updates)} updates, {len(messages)} messages, {len(played)} games",
        "stats": stats, "updates": len(updates), "messages": messages, "ended": ended, "checksum": said["checksum"], "games": played,
    }


def main():
    if sys.argv[1:2] == ["--inside"]:
        return inside(*sys.argv[2:])
    clone, program, *most = sys.argv[1:]
    engines = Path(os.environ.get("ENGINE", program)).resolve()
    differs = False
    for name, (kind, tc, count) in TASKS.items():
        count = min(count, int(most[0])) if most else count
        both = [reports(clone, runner, kind, tc, count, engines) for runner in (os.environ["FASTCHESS"], program)]
        differs |= stub.different(f"{name}, {count} games", both, compare.first)
    sys.exit(differs)


if __name__ == "__main__":
    main()
