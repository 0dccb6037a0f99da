"""Public command lines of fastchess and cutechess-cli, by both of them and by this program.

    python3 tests/fronts/corpus.py fetch FOLDER          # the files that corpus.csv names, from github.com
    FASTCHESS=… CUTECHESS=… python3 tests/fronts/corpus.py run FOLDER target/debug/arbiter960
    python3 tests/fronts/corpus.py list REPOSITORIES…    # rows for corpus.csv, from clones

corpus.csv has the address of each line and the hash of its words; nothing of their text is kept here. A line is taken as
it stands: continued lines are joined, variables that the script sets are filled in, and each other one gets the usual
value of its key. Changed are counts, `-concurrency` (1), XBoard engines (UCI ones play), absolute paths (made relative), and where a
book is in random order without `-srand` there is one. Engines are one that always plays the same. The exit code of `run` is 1
if one line is refused here that its rival plays.
"""

import csv
import hashlib
import os
import re
import shlex
import subprocess
import sys
import urllib.request
from collections import Counter
from functools import partial
from pathlib import Path

import compare

ROWS = Path(__file__).with_name("corpus.csv")
ADDRESS = "https://raw.githubusercontent.com/{repository}/{commit}/{path}"
MENTIONED = r"(cutechess|fast-?chess|\$\{?\w*(CUTE|FAST)\w*)"
PROGRAM = re.compile(r"(cutechess|fast-?chess)[\w.+-]*['\")}]*$|\$[{(]?\w*(CUTE|FAST)\w*[})]?$", re.IGNORECASE)
PLACEHOLDER = re.compile(r"\$\{\{.*?\}\}|\$\{[^}]*\}|\$\([^)]*\)|\$\w+|\$[@*#]|%~?\w+%?|\{[^{}]*\}|<[^<>]*>|\[[^\[\]]*\]|`[^`]*`|…|\.\.\.")
CONTINUES = ("\\", "^", "`")
OWN = {  # the usual values of keys
    "name": "E{n}", "cmd": "./engine{n}", "conf": "conf{n}", "dir": ".", "tc": "8+0.08", "st": "0.1", "nodes": "100", "depth": "2", "plies": "8",
    "timemargin": "50", "proto": "uci", "restart": "off", "format": "epd", "order": "random", "start": "1", "policy": "default", "movenumber": "40", "movecount": "4",
    "score": "10", "elo0": "0", "elo1": "5", "alpha": "0.05", "beta": "0.05", "model": "normalized", "twosided": "true", "penta": "true", "notation": "san",
    "append": "true", "level": "info", "outname": "config.json", "arg": "x", "args": "x", "initstr": "isready", "stderr": "errors.log", "book": "book.bin", "bookdepth": "4", "tscale": "1",
}
ALONE = {
    "-rounds": "2", "-games": "2", "-concurrency": "1", "-srand": "1", "-maxmoves": "100", "-event": "Cup", "-site": "Here", "-tournament": "gauntlet", "-ratinginterval": "10",
    "-scoreinterval": "1", "-outcomeinterval": "10", "-wait": "0", "-variant": "standard", "-tb": "tb", "-tbpieces": "5", "-seeds": "1", "-autosaveinterval": "20", "-pgnout": "games.pgn",
    "-epdout": "end.epd", "-repeat": "2", "-resultformat": "default", "-bookmode": "ram", "-tbadjudicate": "BOTH", "-use-affinity": "0",
}
FILES = ("cmd", "dir", "file", "book", "stderr", "outname")


def found(text):
    """The command lines of a script, with the values of the variables that it sets. What is no text has none."""
    if "\0" in text:
        return
    values = {}
    for name, value in re.findall(r"(?m)^\s*(?:export |set |local |readonly |\$)?(\w+)\s*[:?]?=\s*[\"']?([^\"'\n$`]*)[\"']?\s*$", text):
        values.setdefault(name, value.strip())
    rows = iter(text.splitlines())
    for row in rows:
        if row.lstrip().startswith(("#", "//", "::", "rem ", "REM ", "*", "--")):
            continue
        line = row.rstrip()
        while line.endswith(CONTINUES):
            line = f"{line[:-1]} {next(rows, '').strip()}"
        if "-engine" not in line or not re.search(MENTIONED, line, re.IGNORECASE):
            continue
        words = split(line)
        begins = [place for place, word in enumerate(words) if PROGRAM.search(word)]
        if not begins or "-engine" not in words[begins[0]:]:
            continue
        begin = max(place for place in begins if place < words.index("-engine"))  if any(place < words.index("-engine") for place in begins) else begins[0]
        own = []
        for word in words[begin + 1:]:
            if re.match(r"^\d?[|>&;<]", word) or word in (")", "`", "```", "}"):
                break
            own.append(word.rstrip("`") if word.endswith("```") else word)
        if own.count("-engine") < 2 and "-engines" not in own:
            continue
        rival = "cutechess-cli" if re.search("cute", words[begin], re.IGNORECASE) else "fastchess"
        digest = hashlib.sha256("\0".join([rival, *own]).encode()).hexdigest()[:16]
        yield rival, digest, own, values


def split(line):
    line = re.sub(r"\\(?=[A-Za-z0-9.])", r"\\\\", line)
    line = re.sub(r"\$\{\{(.*?)\}\}", lambda match: "$" + re.sub(r"\W+", "_", match[1]), line)
    line = re.sub(r"\$\(([^()]*)\)", lambda match: "$" + (re.sub(r"\W+", "_", match[1]) or "x"), line)
    try:
        return shlex.split(line)
    except ValueError:
        return line.replace('"', "").replace("'", "").split()


def runnable(rival, own, values):
    """The words as they are run, and the names of what must be there."""
    words, option, engine = [], "", 0
    for word in own:
        word = re.sub(r"\$\{(\w+):[-=]([^}]*)\}", r"\2", word)
        word = re.sub(r"\$\{?(\w+)\}?|%(\w+)%", lambda match: values.get(match[1] or match[2], match[0]), word)
        if re.match(r"^--?[A-Za-z]", word):
            option = word
            engine += option == "-engine"
            words.append(word)
            continue
        key, equals, value = word.partition("=")
        if PLACEHOLDER.search(word):
            if equals and not PLACEHOLDER.search(key):
                usual = OWN.get(key, "16" if key == "option.Hash" else "1").format(n=max(engine, 1))
                if key == "plies" and option not in ("-openings",):
                    usual = "2"
                if key == "file":
                    usual = {"-openings": "book.epd", "-pgnout": "games.pgn", "-config": "config.json"}.get(option, "x.log")
                word = f"{key}={usual}"
            elif option == "-engine" and words[-1] == "-engine":
                word = f"cmd=./engine{engine}"
            elif option in ALONE and words[-1] == option:
                word = ALONE[option]
            else:
                continue
        words.append(word)
    return smaller(rival, words)


def relative(text):
    text = re.sub(r"^(~|[A-Za-z]:)", "", text)
    parts = [part for part in text.split("/") if part not in ("", "..", ".")]
    return "/".join(parts) or "."


def smaller(rival, words):
    out, needs, option, engine = [], [], "", {}
    most = {"-rounds": 2, "-games": 4, "-concurrency": 1, "-wait": 10}
    for place, word in enumerate(words):
        key, equals, value = word.partition("=")
        previous = words[place - 1] if place else ""
        if re.match(r"^--?[A-Za-z]", word):
            option = word
            if word == "-engine":
                engine = {}
                needs.append(("engine", engine))
        elif previous in most and re.fullmatch(r"-?\d+", word):
            word = str(min(int(word), most[previous]) if previous != "-concurrency" else 1)
        elif previous in ("-pgnout", "-epdout", "-tb") and not equals:
            word = relative(word)
            needs.append(("tables" if previous == "-tb" else "out", word))
        elif equals and key in FILES:
            word = f"{key}={relative(value)}"
            if option in ("-engine", "-each") and key in ("cmd", "dir"):
                engine[key] = relative(value)
            elif key == "book" and option in ("-engine", "-each"):
                needs.append(("polyglot", relative(value)))
            else:
                needs.append(("book" if option == "-openings" else "out", relative(value)))
        elif key == "conf" and equals:
            needs.append(("conf", value))
        elif word == "proto=xboard":
            word = "proto=uci"
        out.append(word)
    if "order=random" in out and "-srand" not in out:
        out += ["-srand", "7"]
    is_pgn = "format=pgn" in out or rival == "cutechess-cli" and "format=epd" not in out
    is_pgn |= rival == "fastchess" and any(kind == "book" and name.endswith(".pgn") for kind, name in needs)
    return out, needs, "pgn" if is_pgn else "960" if "fischerandom" in out else "epd"


def prepare(needs, book, program, folder):
    entries = []
    for kind, what in needs:
        if kind == "engine":
            command, inside = what.get("cmd", ""), what.get("dir", "")
            for name in {command, relative(f"{inside}/{command}")}:
                if command and (path := compare.within(folder, name)):
                    compare.engine(path, program)
        elif kind == "tables":
            for name in re.split("[:;]", what):
                if path := compare.within(folder, relative(name)):
                    compare.tables(path)
        elif kind == "conf":
            compare.engine(folder / f"conf-{len(entries)}", program)
            entries.append('{"name": %s, "command": "./conf-%d", "protocol": "uci"}' % (quoted(what), len(entries)))
        elif path := compare.within(folder, what):
            path.parent.mkdir(parents=True, exist_ok=True)
            if kind == "book":
                path.write_text({"pgn": compare.PGN, "epd": compare.EPD, "960": compare.CHESS960}[book])
            elif kind == "polyglot":
                path.write_bytes(compare.POLYGLOT)
    (folder / "engines.json").write_text(f"[{', '.join(entries)}]")


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def rows():
    with ROWS.open(newline="") as file:
        yield from csv.DictReader(file)


def fetch(folder):
    for repository, commit, path in {(row["repository"], row["commit"], row["path"]) for row in rows()}:
        place = Path(folder, repository, commit, path)
        if not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            address = ADDRESS.format(repository=repository, commit=commit, path=urllib.request.quote(path))
            with urllib.request.urlopen(address, timeout=60) as answer:
                place.write_bytes(answer.read())


def run(folder, program, engine=None):
    program = str(Path(program).resolve())
    rivals = {"fastchess": os.environ.get("FASTCHESS"), "cutechess-cli": os.environ.get("CUTECHESS")}
    counts = {name: Counter() for name in rivals}
    tasks, asked = [], []
    for row in rows():
        text = Path(folder, row["repository"], row["commit"], row["path"]).read_text(errors="replace")
        same = [line for line in found(text) if line[1] == row["words"]]
        path = rivals[row["rival"]]
        if not same or not path:
            counts[row["rival"]]["not found" if path else "no rival"] += 1
            continue
        words, needs, book = runnable(row["rival"], same[0][2], same[0][3])
        ready = partial(prepare, needs, book, engine or program)
        tasks.append(partial(compare.both, (row["rival"], path), program, words, ready))
        asked.append((row, words))
    for (row, words), (verdict, shown) in zip(asked, compare.all_lines(tasks, 2)):
        counts[row["rival"]][verdict] += 1
        if not verdict.startswith("same"):
            print(f"{row['repository']} {row['path']} {row['words']} {verdict}: {shlex.join(words)}\n{shown}", flush=True)
    for rival, own in counts.items():
        print(f"\n{rival}: {own.total()} lines")
        for verdict, count in own.most_common():
            print(f"{count:6} {verdict}")
    sys.exit(any(own["REFUSED"] for own in counts.values()))


def git(repository, *words):
    return subprocess.run(["git", "--git-dir", repository, *words], capture_output=True, check=False).stdout.decode(errors="replace")


def listed(repositories, most=16):
    """Rows for lines of the newest commits and of former ones, at most `most` of a repository."""
    known = set()
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["rival", "repository", "commit", "path", "words"])
    for repository, name in repositories:
        newest = git(repository, "rev-parse", "HEAD").strip()
        paths = [path.removeprefix("HEAD:") for path in git(repository, "grep", "-IlE", "-e", "-engine", "HEAD").splitlines()]
        places = [(newest, path) for path in sorted(paths)]
        former = [f"*{word}*" for word in ("sprt", "cutechess", "fastchess", "fast-chess", "gauntlet", "tournament", "selfplay", "match")]
        commit = newest
        for line in git(repository, "log", "-n", "400", "--format=@%H", "--name-only", "--diff-filter=AM", "--", *former, *paths[:20]).splitlines():
            if line.startswith("@"):
                commit = line[1:]
            elif line:
                places.append((commit, line))
        taken = 0
        for commit, path in places:
            if taken >= most:
                break
            for rival, digest, own, _ in found(git(repository, "show", f"{commit}:{path}")):
                # A former line counts if it has other words than counts and names.
                shape = frozenset(re.sub(r"\d+", "0", word) for word in own if not re.match(r"(cmd|name|conf)=", word))
                if taken < most and (name, shape) not in known and digest not in known:
                    known |= {digest, (name, shape)}
                    taken += 1
                    out.writerow([rival, name, commit, path, digest])


def main():
    mode, *rest = sys.argv[1:] or [""]
    if mode == "fetch":
        fetch(*rest)
    elif mode == "run":
        run(*rest)
    elif mode == "list":
        listed([place.split("=", 1) for place in rest])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
