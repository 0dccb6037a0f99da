"""Dialogues of engines, recorded and spoken again.

dialogue.py record FILE DEPTH PLIES COMMAND COMMAND   two games from the start position, colours changed; `a <` and
                                                      `b <` are what the first and the second engine have said
dialogue.py speak FILE a|b                            an engine that says what that one said
"""

import subprocess
import sys

# Of a search only the last reports are kept.
REPORTS = 3


class Engine:
    def __init__(self, letter, command, out):
        self.letter, self.out = letter, out
        self.process = subprocess.Popen(command.split(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def ask(self, words, end):
        self.process.stdin.write(words + "\n")
        heard = []
        while not heard or not heard[-1].startswith(end):
            line = self.process.stdout.readline()
            if not line:
                sys.exit(f"{self.process.args} has ended after {words!r}")
            heard.append(line.rstrip())
        return heard

    def keep(self, words, heard):
        reports = [line for line in heard if line.startswith("info ") and " pv " in line]
        kept = [line for line in heard if not line.startswith("info ") or line in reports[-REPORTS:]]
        print(f"{self.letter} > {words}", file=self.out)
        for line in kept:
            print(f"{self.letter} < {line}", file=self.out)


def record(file, depth, plies, *commands):
    with open(file, "w", encoding="utf-8") as out:
        engines = [Engine(letter, command, out) for letter, command in zip("ab", commands)]
        for engine in engines:
            greeting = engine.ask("uci", "uciok")
            engine.keep("uci", [line for line in greeting if line.startswith(("id ", "option ", "uciok"))])
            # Sjaak II would castle as in Chess960.
            if any(line.startswith("option name UCI_Chess960 ") for line in greeting):
                engine.process.stdin.write("setoption name UCI_Chess960 value false\n")
        for game in range(2):
            moves = []
            for engine in engines:
                engine.process.stdin.write("ucinewgame\n")
                engine.ask("isready", "readyok")
            while len(moves) < int(plies):
                engine = engines[(len(moves) + game) % 2]
                played = " moves " + " ".join(moves) if moves else ""
                heard = engine.ask(f"position startpos{played}\ngo depth {depth}", "bestmove")
                engine.keep(" ".join(moves), heard)
                moves.append(heard[-1].split()[1])
        for engine in engines:
            engine.process.stdin.write("quit\n")


def speak(file, letter):
    said, words = {}, ""
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            who, sign, text = line.rstrip("\n").split(" ", 2)
            if who == letter and sign == ">":
                words = text
                said[words] = []
            elif who == letter:
                said[words].append(text)
    position = ""
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "uci":
            print("\n".join(said["uci"]), flush=True)
        elif word == "isready":
            print("readyok", flush=True)
        elif word == "position":
            position = rest.partition("moves ")[2].strip()
        elif word == "go":
            print("\n".join(said.get(position, ["bestmove 0000"])), flush=True)
        elif word == "quit":
            return


{"record": record, "speak": speak}[sys.argv[1]](*sys.argv[2:])
