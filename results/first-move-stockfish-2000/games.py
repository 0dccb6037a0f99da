#!/usr/bin/env python3
"""Prints the games of this event as PGN tags, from positions.csv beside this file. The games themselves are
not kept: of each start its wins, draws and losses are put together to pairs at random, always alike."""

import csv
import pathlib
import random

ENGINE = "Stockfish 15.1"
lot = random.Random(960)
pair = 0
with open(pathlib.Path(__file__).with_name("positions.csv"), newline="") as file:
    for row in csv.DictReader(file):
        counts = [int(row[name]) for name in ("white_wins", "draws", "white_losses")]
        results = [r for r, n in zip(("1-0", "1/2-1/2", "0-1"), counts) for _ in range(n)]
        lot.shuffle(results)
        rank = row["back_rank"]
        fen = f"{rank.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w KQkq - 0 1"
        for place, result in enumerate(results):
            pair += 1 - place % 2
            print(
                f'[Event "first-move-stockfish-2000"]\n[Round "{pair}.{place % 2 + 1}"]\n'
                f'[White "{ENGINE}"]\n[Black "{ENGINE}"]\n[Result "{result}"]\n'
                f'[Variant "Chess960"]\n[SetUp "1"]\n[FEN "{fen}"]\n\n{result}\n'
            )
