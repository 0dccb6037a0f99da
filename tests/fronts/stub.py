"""What a test of OpenBench's client and one of Fishtest's worker share: a server that only listens, engines, a book."""

import json
import threading
from email import message_from_bytes
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

# What an engine does at its fifth move in the openings of one first move.
DEEDS = {"crashes": "exit", "hangs": 'system("exec sleep 600 < /dev/null > /dev/null 2>&1 3>&-")', "plays": ""}
ENGINE = """\
#!/bin/sh
exec 3>&1
mawk -W interactive '/^uci$/ {{ print "option name Threads type spin default 1 min 1 max 8" > "/dev/fd/3"; fflush("/dev/fd/3") }}
  /^setoption name Threads/ {{ next }} /^position/ {{ p = $0 }}
  /^go/ && p ~ /fen {fen}/ && gsub(/ [a-h][1-8][a-h]/, " &", p) > 7 {{ {deed} }}
  /^go/ {{ print "go depth {depth}"; next }} {{ print }} /^quit/ {{ exit }}' | exec "{program}" sparring
"""


def engine(path, kind, depth, program):
    if kind == "does not start":
        path.write_text("#!/bin/sh\nexit 1\n")
    else:
        # After 1. a4: about one opening in twenty.
        fen = r"[^ ]*\/P7\/"
        path.write_text(ENGINE.format(fen=fen, deed=DEEDS[kind], depth=depth, program=program))
    path.chmod(0o755)


def book():
    """120 openings of two half-moves."""
    import chess

    lines = []
    for first in list(chess.Board().legal_moves):
        board = chess.Board()
        board.push(first)
        for reply in list(board.legal_moves)[:6]:
            board.push(reply)
            lines.append(board.epd() + " hmvc 0; fmvn 2;\n")
            board.pop()
    return "".join(lines)


class Server(ThreadingHTTPServer):
    """A server that says yes to everything and writes down what it got."""

    def __init__(self):
        self.got = []
        super().__init__(("127.0.0.1", 0), Answer)
        self.address = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Answer(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        kind = self.headers["Content-Type"]
        if kind.startswith("multipart/"):
            parts = message_from_bytes(f"Content-Type: {kind}\r\n\r\n".encode() + body).get_payload()
            fields = {part.get_param("name", header="content-disposition"): part.get_payload(decode=True) for part in parts}
        elif kind.startswith("application/json"):
            fields = json.loads(body)
        else:
            fields = {name: values[0] for name, values in parse_qs(body.decode()).items()}
        self.server.got.append((self.path.strip("/"), fields))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"task_alive": true, "duration": 0}')

    def log_message(self, *_):
        pass


def different(name, both, first):
    """Prints what two programs' reports have in common or not; whether they differ."""
    parts = [part for part in both[0] if both[0][part] != both[1][part]]
    print(f"{name}: {'the same' if not parts else 'DIFFERS in ' + ', '.join(parts)}; {both[0]['summary']}", flush=True)
    for part in parts:
        theirs, ours = both[0][part], both[1][part]
        print(first(part, theirs, ours) if isinstance(theirs, list) else f"  {part} there: {theirs}\n  {part} here: {ours}")
    return bool(parts)
