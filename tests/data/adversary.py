"""adversary.py SEED PROGRAM…: an engine whose words arrive otherwise than it says them.

Nothing here breaks the protocol for who reads it as most programs do: lines come late, in pieces, twice or with other
line ends, some reports are lost or change places, whole searches are silent, there are words between the lines, and
the engine is stopped for moments, some of them long, or starved.
"""

import random
import signal
import subprocess
import sys
import threading
import time

NOISE = ["", "info string bestmove e2e4", "depth 1: bestmove e2e4 so far", "hello", "info depth", "\t"]


def starve(engine):
    """A quarter of a processor, for half a second."""
    for _ in range(25):
        engine.send_signal(signal.SIGSTOP)
        time.sleep(0.015)
        engine.send_signal(signal.SIGCONT)
        time.sleep(0.005)


def mutated(lines, engine, chance, write):
    held = None
    silent = False
    for line in lines:
        line = line.rstrip("\r\n")
        is_report = line.startswith("info ")
        if chance.random() < 0.05:
            engine.send_signal(signal.SIGSTOP)
            time.sleep(chance.random() * (0.02 if chance.random() < 0.9 else 0.5))
            engine.send_signal(signal.SIGCONT)
        if chance.random() < 0.01:
            starve(engine)
        if chance.random() < 0.05:
            write(chance.choice(NOISE))
        if line.startswith("bestmove "):
            silent = chance.random() < 0.2
        if is_report and (silent or chance.random() < 0.2):
            continue
        if is_report and held is None and chance.random() < 0.1:
            held = line
            continue
        if held is not None and not is_report:
            write(held)
            held = None
        write(line)
        if held is not None:
            write(held)
            held = None
        if chance.random() < 0.05 and (is_report or line.startswith("bestmove ")):
            write(line)


def main():
    chance = random.Random(int(sys.argv[1]))
    engine = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def write(line):
        data = (line + chance.choice(["\n", "\r\n"])).encode()
        if chance.random() < 0.1:
            time.sleep(chance.random() * 0.01)
        cut = chance.randrange(len(data)) if chance.random() < 0.1 else 0
        for part in (data[:cut], data[cut:]):
            sys.stdout.buffer.write(part)
            sys.stdout.buffer.flush()

    def pass_on():
        for line in sys.stdin:
            engine.stdin.write(line)
            engine.stdin.flush()
        engine.stdin.close()

    threading.Thread(target=pass_on, daemon=True).start()
    try:
        mutated(engine.stdout, engine, chance, write)
    except BrokenPipeError:
        engine.kill()


main()
