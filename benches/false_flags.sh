#!/usr/bin/env bash
# Flags that fall though no engine is at fault: Stockfish against itself at two very
# short controls, with as many games at once as there are cores and with four times as
# many, by arbiter960 and, where its path is given, by fastchess. Prints a table, with the
# verdicts of arbiter960 on its own flags.
#
#     benches/false_flags.sh [FASTCHESS] [GAMES]
set -euo pipefail
cd "$(dirname "$0")/.."

fastchess=${1:-}
games=${2:-200}
engine=$(PATH=$PATH:/usr/games command -v stockfish)
cores=$(nproc)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cargo build --release --quiet
arbiter960=target/release/arbiter960

# The same start positions for both.
"$arbiter960" positions --sample $((games / 2)) --seed 960 --format epd >"$folder/starts.epd"

count() { # PGN: games, and those that ended by a flag
  printf '%s games, %s flags' "$(grep -c '^\[Result ' "$1")" \
    "$(grep -c '^\[Termination "time forfeit"\]' "$1" || true)"
}

ours() { # CONTROL LANES
  "$arbiter960" match --engine cmd="$engine" name=A --engine cmd="$engine" name=B \
    --tc "$1" --positions "$folder/starts.epd" --pairs 1 --concurrency "$2" \
    --results "$folder" --name "ours-$1-$2" --quiet >"$folder/ours.log" 2>&1
  local games="$folder/ours-$1-$2/games.pgn"
  count "$games"
  for verdict in "the host's fault" "the engine's fault" undecided; do
    # Comments are wrapped like all movetext.
    said=$(tr '\n' ' ' <"$games" | grep -o "; $verdict" | wc -l)
    [ "$said" = 0 ] || printf ', %s %s' "$said" "$verdict"
  done
}

theirs() { # CONTROL LANES
  [ -n "$fastchess" ] || { printf -- '-'; return; }
  "$fastchess" -engine cmd="$engine" name=A -engine cmd="$engine" name=B \
    -each tc="$1" proto=uci -variant fischerandom \
    -openings file="$folder/starts.epd" format=epd order=sequential \
    -rounds $((games / 2)) -games 2 -repeat -recover -concurrency "$2" -force-concurrency \
    -pgnout file="$folder/theirs-$1-$2.pgn" -config outname="$folder/theirs.json" >"$folder/theirs.log" 2>&1
  count "$folder/theirs-$1-$2.pgn"
}

printf '| control | games at once | arbiter960 | fastchess |\n|---|---|---|---|\n'
for control in 0.5+0.005 0.2+0.002; do
  for lanes in "$cores" $((4 * cores)); do
    printf '| %s | %s on %s cores | %s | %s |\n' \
      "$control" "$lanes" "$cores" "$(ours "$control" "$lanes")" "$(theirs "$control" "$lanes")"
  done
done
