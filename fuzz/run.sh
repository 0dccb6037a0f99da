#!/usr/bin/env bash
# Runs every fuzz target for so many seconds (60 by default) with the stable toolchain, and
# prints a table. Ends with an error if one of them finds something.
#
#     fuzz/run.sh [SECONDS]
set -euo pipefail
cd "$(dirname "$0")"

seconds=${1:-60}
host=$(rustc -vV | sed -n 's/host: //p')
export RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
  -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
  -Cllvm-args=-sanitizer-coverage-trace-compares"
# Naming the target keeps the flags away from build scripts.
cargo build --release --locked --quiet --target "$host"

mkdir -p artifacts
found=0
printf '| target | executions | per second | findings |\n|---|---|---|---|\n'
for target in $(sed -n 's/^name = "\(.*\)"/\1/p' Cargo.toml | tail -n +2); do
  mkdir -p "corpus/$target"
  findings=0
  "target/$host/release/$target" "corpus/$target" -max_total_time="$seconds" \
    -artifact_prefix="artifacts/$target-" -print_final_stats=1 \
    >"artifacts/$target.log" 2>&1 || findings=1
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "artifacts/$target.log")
  speed=$(sed -n 's/^stat::average_exec_per_sec: *//p' "artifacts/$target.log")
  printf '| `%s` | %s | %s | %s |\n' "$target" "${runs:-?}" "${speed:-?}" "$findings"
  found=$((found + findings))
done
exit $((found > 0))
