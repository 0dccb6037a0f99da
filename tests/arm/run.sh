#!/usr/bin/env bash
# The program for Linux on ARM under qemu: the tests of the rules and of the statistics, and a small event. Speed and
# clocks are not tried: qemu's are not those of a machine.
#
#   tests/arm/run.sh target/debug/arbiter960             all of it
#   tests/arm/run.sh target/debug/arbiter960 --short     the event alone
#
# The first word is the program for this machine, whose games must be the same.
#
# Status 77: skipped, a tool is missing (Debian: qemu-user; `pip install cargo-zigbuild ziglang`; `rustup target add
# aarch64-unknown-linux-musl`), or user namespaces are forbidden: inside one, the kernel is told for this script
# alone that programs for ARM are started with qemu.
set -euo pipefail
here=$(realpath "$1")
cd "$(dirname "$0")/../.."
target=aarch64-unknown-linux-musl
magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
skip() { echo "skipped: $*"; exit 77; }
for need in qemu-aarch64 cargo-zigbuild unshare python3; do
  command -v $need >/dev/null || skip "$need is not installed"
done
ls "$(rustc --print target-libdir --target $target)"/libstd-*.rlib >/dev/null 2>&1 ||
  skip "no standard library for $target: rustup target add $target"

# Runs a command that may start programs for ARM.
inside() {
  unshare --user --map-root-user --mount bash -euc '
    registered=/proc/sys/fs/binfmt_misc
    mount -t binfmt_misc binfmt_misc $registered
    printf %s ":arm:M::$0:$1:$2:" >$registered/register
    shift 2
    "$@"' "$magic" "$mask" "$(command -v qemu-aarch64)" "$@"
}
inside true 2>/dev/null || skip "no user namespace in which programs for ARM can be registered (Linux 6.7)"

if [ "${2:-}" != --short ]; then
  programs=$(cargo zigbuild --locked --target $target --tests --package arbiter960-chess --package arbiter960-stats \
    --message-format json-render-diagnostics | python3 -c '
import json, sys
for line in sys.stdin:
    said = json.loads(line)
    if said.get("executable") and said["profile"]["test"]:
        print(said["executable"])')
  [ -n "$programs" ] || { echo "no test was built"; exit 1; }
  while read -r program; do inside "$program" --quiet; done <<<"$programs"
fi

cargo zigbuild --locked --target $target --bin arbiter960
program=$(realpath "${CARGO_TARGET_DIR:-target}")/$target/debug/arbiter960
place=$(mktemp -d /tmp/arbiter960-arm.XXXXXX)
trap 'rm -rf "$place"' EXIT
# The quickstart with fewer games, and with nodes for a limit: under qemu a clock would decide them.
sed -e 's/^sample = .*/sample = 1/' -e 's/^concurrency = .*/concurrency = 1/' -e 's/^control = .*/nodes = 2000/' \
  configs/quickstart.toml >"$place/quickstart.toml"
mkdir "$place"/{arm,here}
cd "$place/arm"
inside "$program" run ../quickstart.toml --results . --quiet
inside "$program" verify quickstart/games.pgn
inside "$program" stats quickstart >stats
cd ../here
"$here" run ../quickstart.toml --results . --quiet >/dev/null
"$here" stats quickstart >stats
cd ..
python3 - <<'COMPARE'
import re
from pathlib import Path

def games(folder):
    text = re.sub(r"\{[^}]*\}", "", Path(folder, "quickstart/games.pgn").read_text())
    return [line for line in text.splitlines() if not line.startswith("[") or re.match(r"\[(White|Black|FEN|Result|Termination) ", line)]

arm, here = (" ".join(games(folder)).split() for folder in ("arm", "here"))
assert arm == here and arm.count("[Result") == 6, "the games differ"
COMPARE
diff arm/stats here/stats
echo "the quickstart's first six games: verified, and moves and statistics as on this machine"
