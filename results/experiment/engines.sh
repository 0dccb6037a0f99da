#!/usr/bin/env bash
# The engines of docs/experiment.md from their sources, byte for byte the sealed programs where gcc is Debian's 12.2.0-14+deb12u1.
#
#     engines.sh ETHEREAL WEISS OUT     ETHEREAL and WEISS are checkouts of the commits of section 3
#
# Ethereal's is github.com/AndyGrant/Ethereal at 0e47e9b67f34, Weiss's github.com/TerjeKir/weiss at 60c513742276. The experiment's
# programs have no symbols (OUT/first), those of the replication have (OUT/replication).
set -euo pipefail
ethereal=$1 weiss=$2 out=$3
flags="-std=gnu11 -O3 -flto -DNDEBUG -march=x86-64-v3"
mkdir -p "$out/first" "$out/replication"
out=$(cd "$out" && pwd)
(cd "$ethereal/src" && gcc $flags -DUSE_NNUE=0 -DUSE_POPCNT *.c pyrrhic/tbprobe.c -lpthread -lm -o "$out/replication/ethereal-14.40")
(cd "$weiss/src" && gcc $flags -DUSE_PEXT *.c pyrrhic/tbprobe.c -lpthread -lm -o "$out/replication/weiss-60c5137")
for engine in ethereal-14.40 weiss-60c5137; do strip "$out/replication/$engine" -o "$out/first/$engine"; done
sha256sum "$out"/first/* "$out"/replication/*
