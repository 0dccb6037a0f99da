#!/usr/bin/env bash
# Makes the pictures of README.md: the live page of an event as it is played, and its report.
# Usage: docs/pictures.sh [PROGRAM]; needs chromium, stockfish, ethereal-chess and fairy-stockfish, and two minutes of two processors.
set -euo pipefail
cd "$(dirname "$0")/.."
program="${1:-target/release/arbiter960}"
port=9633
work=$(mktemp -d)
player=""
# Ends what this script has started, and nothing else.
trap '[ -z "$player" ] || kill "$player" 2>/dev/null || true; rm -rf "$work"' EXIT

cat > "$work/pictures.toml" <<'EVENT'
[event]
name = "Chess960 match"
concurrency = 3
seed = 1
[positions]
sample = 48
[time]
nodes = 1000
[[engine]]
name = "Stockfish"
command = "stockfish"
[[engine]]
name = "Fairy-Stockfish"
command = "fairy-stockfish"
EVENT
sed -e 's/^nodes = .*/control = "20+0.5"/' -e 's/Chess960 match/Chess960 live/' -e 's/Fairy-Stockfish/Ethereal/' -e 's/fairy-stockfish/ethereal-chess/' "$work/pictures.toml" > "$work/live.toml"

picture() {
  chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars \
    --user-data-dir="$work/profile" --timeout=8000 --window-size="$2" --screenshot="$1" "$3" >/dev/null 2>&1
}

"$program" run "$work/live.toml" --results "$work" --quiet --web "$port" >/dev/null &
player=$!
until curl -sf "http://127.0.0.1:$port/live.pgn" | grep -q ' 14\. '; do sleep 1; done
picture "$PWD/docs/pictures/live.png" 1280,800 "http://127.0.0.1:$port/"
kill -TERM "$player"
wait "$player" || true
player=""

"$program" run "$work/pictures.toml" --results "$work" --quiet >/dev/null
picture "$PWD/docs/pictures/report.png" 1280,900 "file://$work/Chess960 match/report.html"
ls -l docs/pictures
