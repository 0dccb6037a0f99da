"""Random command lines over every option and every form of value of fastchess and cutechess-cli.

    python3 tests/fronts/random_lines.py fastchess PATH-TO-FASTCHESS target/debug/arbiter960 --size 2000 --seed 7
    python3 tests/fronts/random_lines.py cutechess-cli PATH-TO-CUTECHESS target/debug/arbiter960

The forms are those of `-help`, of the manual pages, and those that the rivals' readers of numbers take or refuse. A
third of the lines has a wrong value somewhere. Books have lines that are illegal, unreadable, repeated or of the other variant; one
engine in five has a habit: it is late, declares no option, says `score mate 0`, says nothing, or castles onto its rook. One line in ten of
fastchess is interrupted after some games and continued by its `config.json`. What differs is tried a second time, for the sake of chance.
The exit code is 1 if one line is refused here that the rival plays. `--only N` runs line N alone and prints it.

The differences that docs/migrating.md names are counted by the word that brings them, see KNOWN and SHOWN.
"""

import argparse
import random
import re
import sys
from collections import Counter
from functools import partial
from pathlib import Path

import compare

WHOLE = ["0", "1", "2", "3", "7", "+2", "007", "-1", "-3", "500000", "2147483647", "2147483648", "1.5", "x", "2x", "0x2", "99999999999"]
TRUTH = ["true", "false", "true", "false", "True", "1", "on", "yes"]
REAL = ["0", "0.5", ".5", "5.", "1e-1", "0.05", "-0.5", "1e3", "inf", "nan", "x", "0,5", "5s"]

# key -> what is usual, and what is unusual or wrong
FAST_KEYS = {
    "tc": (
        ["8+0.08", "10", "0:10+0.1", "40/10+0.1", "1:0.5+0.05", "inf", "infinite", "10s", "10+0.1s", "inf/10+0.1", "2.5+0.005", "5e0", "60+0.5"],
        ["0/10", "hg5", "1:2:3", "1+2+3", "a", "-1", "1/2/3", "+1", "10+", "/10", "0", "0+0.1", "10+-1", "1:10s+1", "1e9", "1e17", "0x5", " 5", "9:99"],
    ),
    "st": (["1", "2", "5", "1s"], ["0", "-1", "x", "1e3", "inf", "0.0001"]),
    "timemargin": (["0", "100", "10000"], ["-1", "x", "100000", "2147483648", "1.5"]),
    "nodes": (["25", "1000000"], ["0", "-1", "x", "1e3", "9223372036854775807", "9223372036854775808"]),
    "depth": (["3", "1"], ["0", "-1", "x", "99999"]),
    "plies": (["3", "1"], ["0", "-1", "x", "99999"]),
    "restart": (["on", "off"], ["auto", "true"]),
    "proto": (["uci"], ["xboard", "UCI"]),
    "args": (["--x", "-v", "a b", "'a b' c"], ['"']),
    "option.Hash": (["16", "1", "64"], ["0", "-16", "x", "999999999", "1.5", "true"]),
    "option.Threads": (["1"], ["0", "-1", "4096", "x"]),
    "option.Level": (["1", "20"], ["0", "99", "x"]),
    "option.Clear Hash": (["true", "false"], ["x"]),
    "option.Nothing": (["1"], ["x y"]),
    "option.UCI_Chess960": (["false"], ["true"]),
    "option.Ponder": (["false"], ["x", "true"]),
    "option.": ([], ["1"]),
    "dir": (["."], ["nowhere"]),
    "cmd": ([], ["nowhere", "./nowhere"]),
    "colour": ([], ["red"]),
}
PGN_TRUTHS = "append nodes seldepth nps hashfull tbhits pv timeleft latency min".split()
FAST_OPTIONS = {
    "-rounds": (["1", "2", "3"], ["0", "-1", "x", "1.5", "+2", "007"]),
    "-games": (["1", "2", "2", "2"], ["3", "4", "0", "-1", "x"]),
    "-repeat": (["", "", "2", "1"], ["x", "3", "-2", "2 2", "0"]),
    "-concurrency": (["1", "1", "1"], ["x", "5000", "1.5"]),
    "-force-concurrency": ([""], ["1"]),
    "-noswap": ([""], ["1"]),
    "-reverse": ([""], ["1"]),
    "-recover": ([""], ["true"]),
    "-tournament": (["roundrobin", "gauntlet"], ["round-robin", "knockout", "x"]),
    "-seeds": (["1", "2"], ["0", "-1", "9", "x"]),
    "-srand": (["1", "42", "18446744073709551615"], ["-1", "x", "0", "18446744073709551616", "1.5"]),
    "-draw": (
        ["movenumber=3 movecount=3 score=30", "movenumber=2 movecount=0 score=50", "movenumber=4 movecount=1 score=60", "movecount=2 score=0", "movenumber=34 movecount=8 score=20", "score=8"],
        [f"{key}={value}" for key in ("movenumber", "movecount", "score") for value in WHOLE] + ["", "movenumber", "x=1", "score="],
    ),
    "-resign": (
        ["movecount=2 score=300", "movecount=0 score=100", "movecount=2 score=250 twosided=true", "score=500", "movecount=3 score=600 twosided=false"],
        [f"{key}={value}" for key in ("movecount", "score") for value in WHOLE] + [f"twosided={value}" for value in TRUTH] + ["", "x=1"],
    ),
    "-maxmoves": (["6", "10", "25", "40", "60"], ["0", "-1", "x", "1000000"]),
    "-tb": (["tb", "tb:tb"] if compare.TABLES else [], ["nowhere", ".", "tb;tb"]),
    "-tbpieces": (["3", "5", "7"], ["0", "-1", "8", "x"]),
    "-tbignore50": ([""], ["1"]),
    "-tbadjudicate": (["BOTH", "WIN_LOSS", "DRAW"], ["both", "x"]),
    "-event": (["Cup", "A B C", "'x'"], ["", "a\tb"]),
    "-site": (["Here", "https://example.org/x?a=1"], [""]),
    "-wait": (["0", "1", "10"], ["x", "-5"]),
    "-ratinginterval": (["0", "1", "2", "10"], ["-1", "x"]),
    "-scoreinterval": (["0", "1", "2"], ["-1", "x"]),
    "-autosaveinterval": (["0", "1", "20"], ["-1", "x"]),
    "-report": (["penta=true", "penta=false"], ["penta=1", "x=true", ""]),
    "-output": (["format=fastchess", "format=cutechess"], ["format=x", "x=1", ""]),
    "-crc32": (["pgn=true", "pgn=false"], ["pgn=1", "x=true", ""]),
    "-check-mate-pvs": ([""], ["1"]),
    "-show-latency": ([""], ["1"]),
    "-testEnv": ([""], ["1"]),
    "-strict": ([], ["", "1"]),
    "-startup-ms": (["10000", "60000"], ["0", "-1", "x", "18446744073709551615"]),
    "-ucinewgame-ms": (["60000", "10000"], ["-1", "x", "18446744073709551615"]),
    "-ping-ms": (["60000", "10000"], ["-1", "x", "18446744073709551615"]),
    "-log": (
        [f"file=log level={level}" for level in ("trace", "info", "warn", "err", "fatal")]
        + ["file=log engine=true", "file=log append=false realtime=false", "file=log compress=true", "level=info", "file=log level=trace engine=true realtime=true"],
        ["file=", "level=debug", "append=1", "x=1", "", "file=nowhere/log"],
    ),
    "-config": (["outname=other.json", "discard=true", "stats=false", "stats=true", "discard=true outname=x.json", "discard=false"], ["file=nowhere.json", "x=1", "discard=1", "file=broken.json"]),
    "-use-affinity": (["", "0", "0,1", "0-1"], ["x", "1-0", "0-", "-1"]),
    "-sprt": (
        ["elo0=0 elo1=5 alpha=0.05 beta=0.05", "elo0=0 elo1=100 alpha=0.4 beta=0.4", "elo0=-5 elo1=0 alpha=0.05 beta=0.1 model=logistic", "elo0=0 elo1=50 alpha=0.3 beta=0.3 model=bayesian", "elo0=0 elo1=200 alpha=0.05 beta=0.05", "elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized"],
        ["elo0=5 elo1=0 alpha=0.05 beta=0.05", "elo0=0 elo1=5", "elo0=0 elo1=5 alpha=0.6 beta=0.6", "elo0=0 elo1=5 alpha=0.05 beta=0.05 model=x", "", "x=1"]
        + [f"elo0=0 elo1={value} alpha=0.05 beta=0.05" for value in REAL] + [f"elo0=0 elo1=5 alpha={value} beta=0.05" for value in REAL],
    ),
    "-epdout": (["file=end.epd", "file=end.epd append=false", "append=true", ""], ["append=x", "x=1", "file="]),
    "-variant": (["standard", "fischerandom"], ["x", "chess960"]),
    "-debug": ([], ["", "all"]),
    "-quick": ([], ["cmd=A cmd=B book=book.epd", "cmd=A", "book=book.epd", "cmd=A cmd=B", "cmd=A cmd=B book=book.txt", "x=1"]),
    "-nonsense": ([], ["", "1"]),
    "-engne": ([], [""]),
    "-version": ([], ["", "1"]),
}
FAST_BOOKS = [
    "file=odd.pgn", "file=odd.pgn order=random", "file=odd.epd", "file=odd.epd start=2",
    "file=book.epd format=epd order=random start=2", "file=book.epd order=sequential start=9", "file=book.epd",
    "file=book.pgn order=random plies=3", "file=book.pgn format=pgn", "format=pgn file=book.pgn plies=2 start=1 order=sequential",
    "file=book.epd policy=round", "file=book.txt format=epd", "file=book.pgn plies=0", "file=book.pgn plies=-1",
]
WRONG_BOOKS = [
    "file=nowhere.epd", "file=book.epd format=x", "file=book.epd order=x", "file=book.epd start=0", "file=book.epd start=x", "file=book.pgn plies=x",
    "file=book.epd policy=x", "file=book.txt", "x=1", "", "file=", "format=epd", "file=book.pgn format=epd", "file=book.epd format=pgn", "file=empty.epd", "file=bad.epd",
]

CUTE_KEYS = {
    "tc": (FAST_KEYS["tc"][0][:6] + ["0/60+1", "0/0:2+0.05", "hg10", "hg1:30", "inf"], FAST_KEYS["tc"][1] + ["infinite", "hg", "hg5+1", "3/hg5", "x/5", "5+x", "", "inf+1", "40/"]),
    "st": (["1", "2", "5"], ["0", "-1", "x", "1s", "inf", "1e3", "nan"]),
    "timemargin": (["0", "100", "10000"], ["-1", "x", "100000", "2147483648", "1.5", ""]),
    "nodes": (["25", "1000000"], ["0", "-1", "x", "1e3", "9223372036854775808"]),
    "depth": (["3", "1"], ["0", "-1", "x", "99999", "1.5"]),
    "restart": (["auto", "on", "off"], ["true", ""]),
    "ponder": ([""], ["true"]),
    "trust": ([""], ["x"]),
    "debug": ([""], ["x"]),
    "whitepov": ([""], ["x"]),
    "tscale": (["1", "2", "0.5"], ["0.1", "121", "x", "-1"]),
    "book": (["book.bin"], ["nowhere.bin", "book.epd", ""]),
    "bookdepth": (["1", "5"], ["0", "-1", "x"]),
    "arg": (["--x", "-v", "a b", '"'], [""]),
    "initstr": (["setoption name Hash value 2", "ucinewgame\\nisready"], [""]),
    "stderr": (["errors.log"], ["", "nowhere/x"]),
    "dir": (["."], ["nowhere", ""]),
    "option.Hash": FAST_KEYS["option.Hash"],
    "option.Threads": FAST_KEYS["option.Threads"],
    "option.Level": FAST_KEYS["option.Level"],
    "option.Clear Hash": (["true", "false", ""], ["x"]),
    "option.Nothing": (["1"], ["x y", ""]),
    "option.UCI_Chess960": (["false"], ["true"]),
    "option.Ponder": (["false"], ["x", "true"]),
    "option.": ([], ["1"]),
    "proto": ([], ["x", "UCI", ""]),
    "cmd": ([], ["nowhere", "./nowhere", ""]),
    "colour": ([], ["red"]),
}
CUTE_OPTIONS = {
    "-rounds": (["1", "2", "3"], ["0", "-1", "x", "1.5", "+2", "007", ""]),
    "-games": (["1", "2", "2", "3", "4"], ["0", "-1", "x"]),
    "-repeat": (["", "", "2", "3"], ["x", "0", "-2", "2 2"]),
    "-concurrency": (["1", "1", "1"], ["0", "-1", "x"]),
    "-noswap": ([""], ["1"]),
    "-reverse": ([""], ["1"]),
    "-recover": ([""], ["true"]),
    "-tournament": (["round-robin", "gauntlet", "pyramid", "knockout"], ["roundrobin", "x", ""]),
    "-seeds": (["1", "2", "0"], ["-1", "9", "x"]),
    "-srand": (["1", "42", "4294967295"], ["-1", "x", "4294967296", "0"]),
    "-draw": (
        ["movenumber=3 movecount=3 score=30", "movenumber=2 movecount=0 score=50", "movenumber=4 movecount=1 score=60", "movenumber=0 movecount=2 score=8", "movenumber=10 movecount=2 score=8"],
        [f"movenumber={a} movecount={b} score={c}" for a, b, c in (("x", "1", "1"), ("1", "0", "1"), ("1", "-1", "1"), ("1", "1", "-1"), ("-1", "1", "1"), ("1", "1", "500000"), ("500000", "1", "1"))] + ["movecount=3", "", "x=1"],
    ),
    "-resign": (
        ["movecount=2 score=300", "movecount=0 score=100", "movecount=2 score=250 twosided=true", "movecount=3 score=600 twosided=false"],
        [f"movecount={a} score={b}" for a, b in (("x", "1"), ("0", "1"), ("-1", "1"), ("1", "0"), ("1", "-5"), ("1", "500000"), ("500000", "1"))] + ["movecount=2", "", "movecount=1 score=5 twosided=x"],
    ),
    "-maxmoves": (["6", "10", "25", "40", "60"], ["0", "-1", "x", "1000000"]),
    "-tb": (["tb", "tb:tb"] if compare.TABLES else [], ["nowhere", "."]),
    "-tbpieces": (["3", "5", "7"], ["0", "2", "8", "x"]),
    "-tbignore50": ([""], ["1"]),
    "-event": (["Cup", "'x'"], ["", "A B"]),
    "-site": (["Here"], ["", "A B"]),
    "-wait": (["0", "1", "10"], ["x", "-5"]),
    "-ratinginterval": (["0", "1", "2", "10"], ["-1", "x"]),
    "-outcomeinterval": (["0", "1", "2"], ["-1", "x"]),
    "-resultformat": (["default"], ["x", ""]),
    "-debug": ([], ["", "all", "x"]),
    "-bookmode": (["ram", "disk"], ["x", ""]),
    "-sprt": (
        ["elo0=0 elo1=5 alpha=0.05 beta=0.05", "elo0=0 elo1=100 alpha=0.4 beta=0.4", "elo0=100 elo1=0 alpha=0.05 beta=0.05", "elo0=-5 elo1=0 alpha=0.05 beta=0.1"],
        ["elo0=0 elo1=5", "elo0=0 elo1=5 alpha=0.6 beta=0.6", "", "x=1", "elo0=5 elo1=5 alpha=0.05 beta=0.05", "elo0=0 elo1=5 alpha=0 beta=0.05", "elo0=0 elo1=5 alpha=1 beta=1"]
        + [f"elo0=0 elo1={value} alpha=0.05 beta=0.05" for value in REAL] + [f"elo0=0 elo1=5 alpha={value} beta=0.05" for value in REAL],
    ),
    "-epdout": (["end.epd"], ["", "a b"]),
    "-variant": (["standard", "fischerandom"], ["x", "chess960"]),
    "-nonsense": ([], ["", "1"]),
    "-version": ([], ["", "1"]),
    "-engines": ([], ["", "1"]),
}
CUTE_BOOKS = [
    "file=odd.pgn", "file=odd.pgn order=random", "file=odd.epd format=epd", "file=odd.epd format=epd start=2",
    "file=book.epd format=epd order=random start=2", "file=book.epd format=epd order=sequential start=3", "file=book.pgn",
    "file=book.pgn order=random plies=3", "file=book.pgn format=pgn plies=2 policy=round", "file=book.epd format=epd policy=encounter",
    "file=book.epd format=epd policy=default order=random",
]
WRONG_CUTE_BOOKS = [
    "file=nowhere.epd", "file=book.epd format=x", "file=book.epd order=x", "file=book.epd start=0", "file=book.epd start=x", "file=book.pgn plies=x",
    "file=book.epd policy=x", "file=book.epd", "x=1", "", "file=", "format=epd", "file=book.pgn format=epd", "file=empty.epd format=epd", "file=bad.epd format=epd",
]

# What docs/migrating.md describes: words in which a difference shows, and words of a line that bring one.
SHOWN = (
    "Invalid numeric value",
    "Invalid time control",
    "errors there: Warning: Illegal move",
    "errors there: Warning: Invalid FEN string",
    "it does not play Chess960 (no option UCI_Chess960)",
)
KNOWN = {
    "fastchess": (r"option\.UCI_Chess960=true", r"option\.Ponder=true", "-strict", "-noswap", "-resign movecount=0", "-maxmoves 0", "compress=true"),
    "cutechess-cli": (
        r"option\.UCI_Chess960=true", r"option\.Ponder=true", "-mate0 ", "ponder", "-version", "(?=.*-late )(-engine .*){3}", r"(?=.*\bst=).*tc=inf ", "-tournament knockout", " trust ", "-resultformat x",
        "whitepov", "odd.epd", "^(?!.*-openings).*fischerandom",
    ),
}


class Line:
    """A random line; `rare` is how often a form is an unusual one."""

    def __init__(self, rival, seed):
        self.random = random.Random(f"{rival} {seed}")
        self.rival = rival
        self.rare = 0.0 if self.random.random() < 0.7 else 0.05
        self.words = []
        fast = rival == "fastchess"
        keys, options = (FAST_KEYS, FAST_OPTIONS) if fast else (CUTE_KEYS, CUTE_OPTIONS)
        count = self.pick(["2"] * 6 + ["3", "4"]) if self.rare == 0 else self.pick(["2"] * 8 + ["3", "1"])
        chosen = [option for option in options if self.random.random() < (0.22 if options[option][0] else self.rare / 3)]
        self.random.shuffle(chosen)
        self.is_st = self.random.random() < 0.15
        for name in "ABCD"[: int(count)]:
            self.engine(name, keys, fast)
        blocks = [["-each", *self.limits(keys), *self.extras(keys, 2)]] if self.random.random() > self.rare else []
        for option in chosen:
            if option == "-variant":
                continue
            value = self.form(options[option])
            blocks.append([option, *value.split(" ")] if value else [option])
        blocks += self.openings(fast)
        blocks += self.pgn(fast)
        # The games after which the line is interrupted.
        continues = fast and count == "2" and self.rare == 0 and self.random.random() < 0.1
        self.games = self.random.randint(1, 5) if continues else 0
        if self.games:
            blocks = [block for block in blocks if block[0] not in ("-rounds", "-sprt", "-config", "-maxmoves", "-testEnv")]
            chosen = [option for option in chosen if option not in ("-sprt", "-config")] + ["-rounds", "-maxmoves"]
            blocks += [["-rounds", "4"], ["-maxmoves", "5"]]
        # Tiny games, unless the line has a length of its own.
        if "-maxmoves" not in chosen:
            blocks.append(["-maxmoves", self.pick(["5", "9", "25"])])
        if not {"-rounds", "-sprt"} & set(chosen):
            blocks.append(["-rounds", "1"])
        self.random.shuffle(blocks)
        if "-srand" not in chosen:
            blocks.append(["-srand", "5"])
        self.words += [word for block in blocks for word in block]

    def pick(self, choices):
        return self.random.choice(choices)

    def form(self, forms):
        usual, other = forms
        if other and (not usual or self.random.random() < self.rare):
            return self.pick(other)
        return self.pick(usual)

    def limits(self, keys):
        if self.random.random() < self.rare:
            shape = self.pick([["tc", "st"], ["nodes"], ["st", "depth"], []])
        elif self.is_st:
            shape = self.pick([["st"], ["st", "nodes"], ["st", "depth"]])
        else:
            shape = self.pick([["tc"], ["tc"], ["tc", "nodes"], ["tc", "depth"]])
        words = [f"{key}={self.form(keys[key])}" for key in shape]
        if self.rare == 0 and {"tc=inf", "tc=infinite"} & set(words) and len(words) == 1:
            words.append("nodes=25")
        return words

    def extras(self, keys, most):
        left = [key for key in keys if key not in ("tc", "st", "nodes", "depth", "plies")]
        words = []
        for _ in range(self.random.randint(0, most)):
            key = self.pick(left)
            if not keys[key][0] and self.random.random() > self.rare:
                continue
            value = self.form(keys[key])
            words.append(key if value == "" and key in ("ponder", "trust", "debug", "whitepov") else f"{key}={value}")
        return words

    def engine(self, name, keys, fast):
        words = [self.pick([f"cmd=./{name}", f"cmd={name}", f"cmd=bin/{name}"])]
        if self.random.random() < 0.2:
            words = [f"cmd=./{name}-{self.pick(list(compare.HABITS))}"]
        if self.random.random() < 0.8:
            words.append(self.pick([f"name={name}", f"name={name}", f"name={name}-1.0", f"name={name} x"]))
        if not fast:
            words.append("proto=uci")
            if self.random.random() < 0.1:
                words = [f"conf=conf{name}"]
        if self.random.random() < 0.2:
            words += self.limits(keys)
        words += self.extras(keys, 2)
        self.random.shuffle(words)
        self.words += ["-engine", *words]

    def openings(self, fast):
        usual, wrong = (FAST_BOOKS, WRONG_BOOKS) if fast else (CUTE_BOOKS, WRONG_CUTE_BOOKS)
        draw = self.random.random()
        if draw < 0.2:
            book = "file=frc.epd format=epd order=" + self.pick(["random", "sequential"])
            return [["-variant", "fischerandom"], ["-openings", *book.split()]]
        if draw < 0.8:
            return [["-openings", *self.form((usual, wrong)).split()]]
        return [["-variant", self.pick(["standard", "fischerandom"] if self.rare else ["standard"])]] if draw < 0.85 else []

    def pgn(self, fast):
        if self.random.random() < 0.2:
            return []
        if not fast:
            return [["-pgnout", *self.form((["x.pgn", "x.pgn", "x.pgn min", "x.pgn fi", "x.pgn min fi"], ["", "x.pgn y", "nowhere/x.pgn", "x.pgn min fi x"])).split()]]
        words = ["file=x.pgn"] if self.random.random() < 0.9 else []
        for key in PGN_TRUTHS:
            if self.random.random() < 0.15:
                words.append(f"{key}={self.form((['true', 'false'], TRUTH))}")
        if self.random.random() < 0.2:
            words.append("notation=" + self.form((["san", "lan", "uci"], ["x", "SAN"])))
        if self.random.random() < 0.1:
            words.append("match_line=" + self.form((["^info", "depth.*score"], ["(", "(?=x)", "[[:alpha:]]+", "\\bpv\\b"])))
        return [["-pgnout", *words]]


def prepare(program, habit, folder):
    for name in "ABCD":
        for place in (name, f"bin/{name}"):
            compare.engine(folder / place, program, habit)
        for own in compare.HABITS:
            compare.engine(folder / f"{name}-{own}", program, habit if habit != "none" else own)
    compare.tables(folder / "tb")
    texts = {"book.epd": compare.EPD, "book.txt": compare.EPD, "frc.epd": compare.CHESS960, "book.pgn": compare.PGN, "odd.epd": compare.ODD_EPD, "odd.pgn": compare.ODD_PGN, "empty.epd": "", "bad.epd": "hello\n", "broken.json": "{"}
    entries = ", ".join('{"name": "conf%s", "command": "./%s", "protocol": "uci"}' % (name, name) for name in "ABCD")
    texts["engines.json"] = f"[{entries}]"
    for name, text in texts.items():
        (folder / name).write_text(text)
    (folder / "book.bin").write_bytes(compare.POLYGLOT)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rival", choices=["fastchess", "cutechess-cli"])
    parser.add_argument("path")
    parser.add_argument("program")
    parser.add_argument("--engine", help="the program whose built-in engine plays, if another one")
    parser.add_argument("--size", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lanes", type=int, default=2)
    parser.add_argument("--only", type=int)
    asked = parser.parse_args()
    program = str(Path(asked.program).resolve())
    numbers = [asked.only] if asked.only is not None else range(asked.seed * 1_000_000, asked.seed * 1_000_000 + asked.size)
    lines = [Line(asked.rival, number) for number in numbers]
    tasks = [partial(verdict_of, line, (asked.rival, asked.path), program, asked.engine or program) for line in lines]
    counts = Counter()
    for number, line, (verdict, shown) in zip(numbers, lines, compare.all_lines(tasks, asked.lanes)):
        counts[verdict] += 1
        if not verdict.startswith(("same", "neither, same")) or asked.only is not None:
            stopped = f" (continued after {line.games} games)" if line.games else ""
            print(f"{number} {verdict}{stopped}: {' '.join(line.words)}\n{shown}", flush=True)
    for verdict, count in counts.most_common():
        print(f"{count:6} {verdict}")
    sys.exit(counts["REFUSED"] > 0)


def verdict_of(line, rival, program, engine):
    """The verdict about a line, and what shows it; a difference that is described counts as such."""
    # A line that is interrupted must be in its next game then.
    ready = partial(prepare, engine, "slow" if line.games else "none")
    verdict, shown = compare.both(rival, program, line.words, ready, games=line.games)
    asked = " ".join(line.words) + " "
    known = [words for words in KNOWN[line.rival] if re.search(words, asked)] + [words for words in SHOWN if words in shown]
    if line.games % 2:
        known.append("continued in the middle of a pair")
    if verdict == "differs: games" and 'Termination "time forfeit"' in shown:
        known.append("the late move")
    if verdict == "differs: order of warnings":
        known.append("order of warnings")
    if known and verdict.startswith(("differs", "neither, other", "only here", "REFUSED")):
        verdict = f"described: {known[0]}"
    return verdict, shown


if __name__ == "__main__":
    main()
