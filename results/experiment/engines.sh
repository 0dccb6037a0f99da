#!/usr/bin/env bash
# The engines of docs/experiment.md from their sources, byte for byte the sealed programs with Debian's gcc 12.2.0-14+deb12u1.
#
#     engines.sh ETHEREAL WEISS OUT     ETHEREAL and WEISS are checkouts of the commits of section 3
#
# Ethereal's is github.com/AndyGrant/Ethereal at 0e47e9b67f34, Weiss's github.com/TerjeKir/weiss at 60c513742276. The experiment's
# programs have no symbols (OUT/first), those of the replication have (OUT/replication); the experiment's Weiss says its commit.
set -euo pipefail
ethereal=$1 weiss=$2
mkdir -p "$3/first" "$3/replication"
out=$(cd "$3" && pwd)
build() { gcc -std=gnu11 -O3 -flto -DNDEBUG -march=x86-64-v3 "$@" -lpthread -lm; }
for kind in first replication; do
  symbols=-g0 commit=
  if [ $kind = first ]; then symbols=-s commit='-DGIT_HEAD_COMMIT_ID="60c5137"'; fi
  (cd "$ethereal/src" && build $symbols -DUSE_NNUE=0 -DUSE_POPCNT *.c pyrrhic/tbprobe.c -o "$out/$kind/ethereal-14.40")
  (cd "$weiss/src" && build $symbols $commit -DUSE_PEXT *.c pyrrhic/tbprobe.c {tuner,query,noobprobe,onlinesyzygy}/*.c -o "$out/$kind/weiss-60c5137")
done
sha256sum "$out"/first/* "$out"/replication/*
