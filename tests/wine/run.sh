#!/usr/bin/env bash
# The program for Windows under Wine: events, misbehaving engines, a runner that is killed again and again, and the
# same games and statistics as on Linux.
#
#   tests/wine/run.sh target/debug/arbiter960            all of it, with 50 kills
#   tests/wine/run.sh target/debug/arbiter960 --short    a few of each kind
#   tests/wine/run.sh target/debug/arbiter960 killed     these parts of events.py alone
#
# The first word is the program for Linux that it is compared with.
#
# ARBITER960_STUDY_SEED repeats the kills of a run. Status 77: skipped, a tool is missing (Debian: wine64,
# gcc-mingw-w64-x86-64; `rustup target add x86_64-pc-windows-gnu`). The real engine is Glaurung, whose source comes from
# Debian's archive (g++-mingw-w64-x86-64-posix, curl, glaurung); without it that part is skipped.
set -euo pipefail
linux=$(realpath "$1")
shift
cd "$(dirname "$0")/../.."
target=x86_64-pc-windows-gnu
for need in wine wineserver x86_64-w64-mingw32-gcc python3; do
  command -v $need >/dev/null || { echo "skipped: $need is not installed"; exit 77; }
done
ls "$(rustc --print target-libdir --target $target)"/libstd-*.rlib >/dev/null 2>&1 ||
  { echo "skipped: no standard library for $target: rustup target add $target"; exit 77; }

cargo build --locked --quiet --target $target --bin arbiter960 --example fake-engine
built=${CARGO_TARGET_DIR:-target}
case " $* " in
*" --short "*) ;;
*) cargo build --locked --quiet --target $target --bench clock_tax ;;
esac

place=$(mktemp -d /tmp/arbiter960-wine.XXXXXX)
export WINEPREFIX=$place/prefix WINEDEBUG=-all WINEARCH=win64 WINEDLLOVERRIDES="mscoree,mshtml=" DISPLAY=
finish() {
  wineserver --kill 2>/dev/null || true
  wineserver --wait 2>/dev/null || true
  rm -rf "$place"
}
trap finish EXIT
# A blank and an umlaut: paths of Windows have both.
there="$place/Schach Übung"
mkdir "$there"
cp "$built/$target/debug/arbiter960.exe" "$built/$target/debug/examples/fake-engine.exe" "$there/"
# The newest, if it was built.
tax=$(find "$built/$target/debug/deps" -name 'clock_tax-*.exe' -printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d' ' -f2)
[ -z "$tax" ] || cp "$tax" "$there/clock-tax.exe"
x86_64-w64-mingw32-gcc -O1 -shared -o "$there/bcryptprimitives.dll" tests/wine/process_prng.c -ladvapi32
x86_64-w64-mingw32-gcc -O1 -o "$there/terminate.exe" tests/wine/terminate.c
x86_64-w64-mingw32-gcc -O1 -o "$there/hold.exe" tests/wine/hold.c
x86_64-w64-mingw32-gcc -O1 -o "$there/page.exe" tests/wine/page.c

# Built once, in the build folder. With -O2 this compiler makes a program whose first search never ends.
glaurung_for_windows() {
  local source=$built/glaurung archive=http://deb.debian.org/debian/pool/main/g/glaurung/glaurung_2.2.orig.tar.gz
  if [ ! -f "$source/glaurung.exe" ]; then
    mkdir -p "$source"
    curl --silent --fail --location --max-time 60 $archive --output "$source/source.tar.gz" &&
      echo "a7e148168154d0ccb22a016d5bfc8daffc3534133e6d07639df8035703725106  $source/source.tar.gz" | sha256sum --check --quiet &&
      tar -xzf "$source/source.tar.gz" -C "$source" --strip-components=1 &&
      x86_64-w64-mingw32-g++-posix -O1 -w -DNDEBUG -static -o "$source/glaurung.exe" "$source"/src/*.cpp -lpthread || return
  fi
  cp "$source/glaurung.exe" "$there/"
}
if [ -x /usr/games/glaurung ]; then glaurung_for_windows || true; fi

# It stays: one that ends while a program starts breaks the connection of that program.
mkdir "$WINEPREFIX"
wineserver --persistent
wine wineboot --init >/dev/null 2>&1
python3 tests/wine/events.py "$there" "$linux" "$@"
