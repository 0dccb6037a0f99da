#!/usr/bin/env bash
# Installs what dist/release.sh has made, as somebody without Rust would, and plays with it: the tarball
# into a folder of its own, the Debian package into the system (as root only; it is removed again), the wheel into a
# new environment of Python. With
# ARBITER960_PROGRAM, as in dist/release.sh, the program need not be static.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${CARGO_TARGET_DIR:-$PWD/target}/dist-out
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
(cd "$out" && sha256sum --check --quiet SHA256SUMS)

# An event, the manual and the completions, with nothing on PATH but the system's own programs.
try_out() {
  local prefix=$1 program=$1/bin/arbiter960
  [ -n "${ARBITER960_PROGRAM:-}" ] || file -L "$program" | grep -q 'static' || { echo "$program is not static"; return 1; }
  (cd "$place" && env -i PATH=/usr/bin:/bin "$program" run "$prefix/share/doc/arbiter960/configs/quickstart.toml" \
    --quiet --fresh >"$place/said")
  grep -q 'games.pgn' "$place/said"
  for page in man1/arbiter960.1 man1/arbiter960-run.1 man5/arbiter960-event.5; do
    ls "$prefix/share/man/$page"* >/dev/null
  done
  "$program" worker --print-nats-config one two | grep -q 'user: "two"' # the feature nats
  bash -n "$prefix/share/bash-completion/completions/arbiter960"
  test -s "$prefix/share/doc/arbiter960/LICENSE-MIT"
}

mkdir "$place/local"
tar -xzf "$out"/*-x86_64-linux.tar.gz -C "$place/local" --strip-components=1
begun=$SECONDS
try_out "$place/local"
echo "tarball: installed, and the quickstart played in $((SECONDS - begun)) s"

if [ "$(id -u)" = 0 ] && command -v dpkg >/dev/null && ! dpkg -s arbiter960 >/dev/null 2>&1; then
  dpkg -i "$out"/*.deb >/dev/null
  trap 'dpkg -r arbiter960 >/dev/null; rm -rf "$place"' EXIT
  try_out /usr
  echo "package: installed, and the quickstart played"
fi

if ls "$out"/arbiter960-*manylinux*x86_64*.whl >/dev/null 2>&1; then
  python3 -m venv "$place/python"
  "$place/python/bin/pip" install --quiet --no-index --disable-pip-version-check "$out"/arbiter960-*manylinux*x86_64*.whl
  (cd "$place" && env -i PATH="$place/python/bin:/usr/bin:/bin" arbiter960 run \
    "$place/local/share/doc/arbiter960/configs/quickstart.toml" --quiet --fresh >"$place/said")
  grep -q 'games.pgn' "$place/said"
  echo "wheel: installed in a new environment, and the quickstart played"
fi

# The recipes name files of all systems.
if ls "$out"/*-x86_64-macos.tar.gz >/dev/null 2>&1; then
  mkdir "$place/recipes"
  cp "$out/SHA256SUMS" "$place/recipes/"
  dist/recipes.sh https://example.org https://example.org/files "$place/recipes"
  if grep -rE '@[A-Z0-9]+[@:]' "$place/recipes"; then echo "a recipe has a place that is not filled"; exit 1; fi
  echo "recipes: $(ls "$place/recipes" | grep -cv SHA256SUMS) filled"
fi

if command -v hadolint >/dev/null; then hadolint dist/Dockerfile; fi
# The image is built of the tarball alone: the program has to be static.
if [ -z "${ARBITER960_PROGRAM:-}" ] && command -v buildah >/dev/null; then
  image() { buildah --storage-driver vfs "$@"; }
  tarball=$(basename "$out"/*-x86_64-linux.tar.gz)
  made=$(image build --isolation chroot --quiet --build-arg TARBALL="$tarball" --file dist/Dockerfile "$out")
  container=$(image from "$made")
  image run --isolation chroot "$container" -- /usr/bin/arbiter960 --version
  image rm "$container" >/dev/null
  image rmi "$made" >/dev/null
  echo "image: built, and the program runs in it"
fi
