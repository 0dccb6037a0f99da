#!/usr/bin/env python3
"""Evaluations of the 960 starts by an engine: evaluate.py NAME COMMAND NODES >> evaluations.csv

One search of so many nodes for each start in a process of its own, hash 16 MB, one thread, one variation. Columns: engine, nodes,
number, value in centipawns for White, and wins, draws and losses of 1,000 where the engine tells them. Needs chess (PyPI).
"""

import subprocess
import sys

import chess

name, command, nodes = sys.argv[1:]


def search(number):
    board = chess.Board.from_chess960_pos(number)
    lines = ["uci", "setoption name UCI_Chess960 value true", "setoption name Hash value 16", "setoption name Threads value 1",
             "setoption name UCI_ShowWDL value true" if name == "Stockfish" else "isready", "ucinewgame",
             f"position fen {board.shredder_fen()}", f"go nodes {nodes}"]
    engine = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    engine.stdin.write("\n".join(lines) + "\n")
    engine.stdin.flush()
    value, wdl = "", ["", "", ""]
    for line in engine.stdout:
        words = line.split()
        if words[:1] == ["info"] and "score" in words and "lowerbound" not in words and "upperbound" not in words:
            score = words.index("score")
            if words[score + 1] == "cp":
                value = words[score + 2]
            if "wdl" in words:
                wdl = words[words.index("wdl") + 1:][:3]
        if words[:1] == ["bestmove"]:
            break
    engine.stdin.write("quit\n")
    engine.stdin.flush()
    engine.wait()
    return [name, nodes, str(number), value, *wdl]


for number in range(960):
    print(",".join(search(number)), flush=True)
