#!/usr/bin/env bash
# Makes what is handed out, in target/dist-out: a static program with manual pages, completions, documents
# and examples as a tarball, as a Debian package and as a wheel for pip, the same for other systems, what each is built
# from (CycloneDX), and their checksums. The same commit gives the same bytes with the same compilers.
#
#   dist/release.sh            builds for Linux on x86-64, and for all other systems whose tools are here
#   dist/release.sh --linux    builds for Linux on x86-64 alone
#   dist/release.sh --all      builds for all systems; a missing tool is an error
#   … --twice                  builds again from a clone elsewhere, and compares
#
# The static program needs musl (Debian: musl-tools) and Rust's standard library for it. That comes from
# `rustup target add x86_64-unknown-linux-musl`; where it is not installed, Debian's compiler builds it from
# its own sources (rustc-web, cargo-web, rust-web-src, libunwind-19-dev). The package is made by dpkg-deb,
# wheels by PyPA's `wheel` (Debian: python3-wheel).
# The other systems want `rustup target add TARGET` and, as linkers, gcc-mingw-w64-x86-64 for Windows and
# `pip install cargo-zigbuild ziglang` for macOS and ARM.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
target=x86_64-unknown-linux-musl
# What the program has beyond the default: the features of Cargo.toml, with commas.
features=nats,parquet
# How the other systems are built; `dev` tries out this script.
profile=${ARBITER960_PROFILE:-dist}
# A program that is there already, to try out these scripts: none is built, and what is made is not handed out.
program=${ARBITER960_PROGRAM:-}
wanted="" twice=""
for word; do
  case $word in
  --linux | --all) wanted=$word ;;
  --twice) twice=$word ;;
  *) sed -n '2,17s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
  esac
done
missing=()
sources=/usr/lib/rustlib/src/rust/library

say() { printf -- '-- %s\n' "$*"; }
fail() { printf 'release.sh: %s\n' "$*" >&2; exit 1; }

version=$(sed -n '/^\[workspace.package\]/,/^\[/ s/^version = "\(.*\)"/\1/p' Cargo.toml)
[ -n "$version" ] || fail "no version in Cargo.toml"
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export LC_ALL=C TZ=UTC
umask 022

cargo_home=${CARGO_HOME:-$HOME/.cargo}
built=${CARGO_TARGET_DIR:-$root/target}
out=$built/dist-out
[ -n "$program" ] || command -v musl-gcc >/dev/null || fail "no musl-gcc: apt-get install musl-tools"

# Folders of this machine do not show in the program. Files of the standard library have the names that they have where
# their sources (rustup's component rust-src) are not installed.
flags="--remap-path-prefix=$root=/arbiter960 --remap-path-prefix=$cargo_home=/cargo"
flags+=" --remap-path-prefix=$(rustc --print sysroot)/lib/rustlib/src/rust=/rustc/$(rustc -vV | sed -n 's/^commit-hash: //p')"
export CC_x86_64_unknown_linux_musl=musl-gcc
mapped="-ffile-prefix-map=$root=/arbiter960 -ffile-prefix-map=$cargo_home=/cargo -ffile-prefix-map=$built=/target"
# mimalloc writes down when it was built. zig and cargo keep what they have compiled: that of another commit has its time.
mapped+=' -Wno-builtin-macro-redefined -D__DATE__="-" -D__TIME__="-"'
export CFLAGS_x86_64_unknown_linux_musl=$mapped

# The program with the standard library of rustup's toolchain. Its relocations are packed (3 kB, else half a
# megabyte); musl reads that from 1.2.4 on, which Rust has from 1.93 on.
build_with_target() {
  RUSTFLAGS="$flags -C link-arg=-Wl,-z,pack-relative-relocs" \
    cargo build --locked --profile dist --target $target --features "$features" --bin arbiter960
}

# The program with a standard library from Debian's sources, linked by musl's own files.
build_with_debians_sources() {
  local unwinder parts
  unwinder=$(ls /usr/lib/llvm-*/lib/libunwind.a 2>/dev/null | sort -V | tail -n 1)
  [ -n "$unwinder" ] || fail "no static libunwind: apt-get install libunwind-19-dev"
  parts=$built/musl-parts
  mkdir -p "$parts"
  cp "$unwinder" "$parts/libunwind.a"
  (cd "$parts" && musl-gcc -O2 -c "$root/dist/fprintf_chk.c" && ar rcsD libunwind.a fprintf_chk.o)
  # Building the standard library is not stable, so this compiler has to be told that it may.
  PATH=/usr/bin:/bin RUSTC_BOOTSTRAP=1 \
    CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_LINKER=musl-gcc \
    RUSTFLAGS="$flags -C link-self-contained=no -L native=$parts" \
    /usr/bin/cargo build --locked --profile dist -Z build-std=std,panic_unwind --target $target \
    --features "$features" --bin arbiter960
}

# The second build runs beside the first: most of the time each optimises the whole program, on one processor.
if [ -n "$twice" ]; then
  elsewhere=$(mktemp -d)
  git clone --quiet --no-hardlinks "$root" "$elsewhere/clone"
  set -m
  env -u CARGO_TARGET_DIR "$elsewhere/clone/dist/release.sh" $wanted >"$elsewhere/log" 2>&1 &
  set +m
  second=$!
  trap 'kill -- "-$second" 2>/dev/null || true; rm -rf "$elsewhere"' EXIT
fi

if [ -n "$program" ]; then
  say "arbiter960 $version: $program"
elif ls "$(rustc --print target-libdir --target $target)"/libstd-*.rlib >/dev/null 2>&1; then
  say "arbiter960 $version with $(rustc --version)"
  build_with_target
elif [ -d $sources ] && [ -x /usr/bin/cargo ] && /usr/bin/cargo --version >/dev/null; then
  say "arbiter960 $version with Debian's $(/usr/bin/rustc --version) and its sources"
  build_with_debians_sources
else
  fail "no standard library for $target: rustup target add $target (or Debian's rustc-web, cargo-web and rust-web-src)"
fi
program=${program:-$built/$target/dist/arbiter960}
"$program" --version >/dev/null || fail "the program does not run: is Rust older than 1.93?"

say "manual pages, completions, documents"
stage=$built/dist-stage/arbiter960-$version-x86_64-linux
rm -rf "$built/dist-stage" "$out"
mkdir -p "$out" "$stage"/bin "$stage"/share/man/man{1,5} "$stage"/share/bash-completion/completions \
  "$stage"/share/zsh/site-functions "$stage"/share/fish/vendor_completions.d "$stage"/share/doc/arbiter960/{docs,configs,openings}
cp "$program" "$stage/bin/"
pages=$(mktemp -d)
"$program" manual --output "$pages"
mv "$pages"/*.1 "$stage/share/man/man1/"
mv "$pages"/*.5 "$stage/share/man/man5/"
rmdir "$pages"
"$program" completions bash >"$stage/share/bash-completion/completions/arbiter960"
"$program" completions zsh >"$stage/share/zsh/site-functions/_arbiter960"
"$program" completions fish >"$stage/share/fish/vendor_completions.d/arbiter960.fish"
cp README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$stage/share/doc/arbiter960/"
cp docs/*.md docs/*.json "$stage/share/doc/arbiter960/docs/"
cp configs/*.toml "$stage/share/doc/arbiter960/configs/"
cp openings/*.epd "$stage/share/doc/arbiter960/openings/"
chmod -R u=rwX,go=rX "$stage"

say "tarball"
tarball() {
  tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=gnu \
    -C "$built/dist-stage" -cf - "$1" | gzip -9n >"$out/$1.tar.gz"
}
tarball "$(basename "$stage")"

say "Debian package"
command -v dpkg-deb >/dev/null || fail "no dpkg-deb: apt-get install dpkg"
package=$built/dist-stage/deb
key() { sed -n "/^\[package\]/,/^\[lib\]/ s/^$1 = \"\(.*\)\"/\1/p" Cargo.toml; }
mkdir -p "$package/DEBIAN" "$package/usr/share"
cp -r "$stage/bin" "$package/usr/bin"
cp -r "$stage"/share/{man,bash-completion,fish,doc} "$package/usr/share/"
mkdir -p "$package/usr/share/zsh"
cp -r "$stage/share/zsh/site-functions" "$package/usr/share/zsh/vendor-completions"
gzip -9n "$package"/usr/share/man/*/*
(cd "$package" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
cat >"$package/DEBIAN/control" <<CONTROL
Package: arbiter960
Version: $version-1
Section: games
Priority: optional
Architecture: amd64
Maintainer: The developers of arbiter960
Installed-Size: $(du -sk --apparent-size "$package/usr" | cut -f1)
Suggests: stockfish, ethereal-chess, fairy-stockfish
Description: $(key description | cut -d: -f1)
 Plays tournaments between UCI chess engines, Chess960 first: pairs of games with the colours
 swapped from each start position, judged by its own rules core. Events survive crashes and power
 cuts, and are evaluated with intervals, sequential tests and the first-move advantage by position.
CONTROL
DPKG_DEB_THREADS_MAX=1 dpkg-deb --root-owner-group -Zxz --build "$package" "$out/" >/dev/null

# The program of a system as a wheel: pip, pipx and uv put it on PATH. The same bytes as in the tarball.
wheel() {
  local folder=$1 tags=$2 wheel=$built/dist-stage/wheel-$1 tag
  if ! python3 -m wheel version >/dev/null 2>&1; then
    missing+=("wheel for $folder (needs python3-wheel)")
    return
  fi
  local about=$wheel/arbiter960-$version.dist-info
  mkdir -p "$about/licenses" "$wheel/arbiter960-$version.data/scripts"
  cp "$built/dist-stage/$folder/bin"/* "$wheel/arbiter960-$version.data/scripts/"
  cp LICENSE-MIT LICENSE-APACHE "$about/licenses/"
  {
    printf 'Metadata-Version: 2.4\nName: arbiter960\nVersion: %s\nSummary: %s\n' "$version" "$(key description)"
    printf 'License-Expression: MIT OR Apache-2.0\nLicense-File: LICENSE-MIT\nLicense-File: LICENSE-APACHE\n'
    printf 'Description-Content-Type: text/markdown\n\n' && cat README.md
  } >"$about/METADATA"
  {
    printf 'Wheel-Version: 1.0\nGenerator: arbiter960 (dist/release.sh)\nRoot-Is-Purelib: false\n'
    for tag in $tags; do printf 'Tag: py3-none-%s\n' "$tag"; done
  } >"$about/WHEEL"
  chmod -R u=rwX,go=rX "$wheel"
  python3 -m wheel pack --dest-dir "$out" "$wheel" >/dev/null
}
say "wheel"
linux() { echo "manylinux_2_17_$1 manylinux2014_$1 musllinux_1_1_$1"; }
wheel "$(basename "$stage")" "$(linux x86_64)"

# The same documents with the program of another system.
other() {
  local system=$1 triple=$2 tool=$3 name=arbiter960-$version-$1 built_file
  if ! command -v "$tool" >/dev/null || ! ls "$(rustc --print target-libdir --target "$triple")"/libstd-*.rlib >/dev/null 2>&1; then
    missing+=("$system (needs $tool, and rustup target add $triple)")
    return
  fi
  say "$system"
  export "CFLAGS_${triple//-/_}=$mapped"
  if [ "$tool" = cargo-zigbuild ]; then
    # There is no SDK of macOS here: dist/macos names what the program takes from its libraries. build.rs passes the
    # folder on, as RUSTFLAGS decide the names of symbols.
    MACOSX_DEPLOYMENT_TARGET=11.0 ARBITER960_LIBRARIES=$root/dist/macos RUSTFLAGS=$flags \
      cargo zigbuild --locked --profile "$profile" --target "$triple" --features "$features" --bin arbiter960
  else
    # The linker sorts imports by the paths of libraries: its own are found beside the program's, wherever that lies.
    mkdir -p "$built/libraries"
    ln -sf "$(realpath "$(dirname "$("$tool" -print-file-name=libkernel32.a)")")"/*.a "$built/libraries/"
    ARBITER960_LIBRARIES=$built/libraries RUSTFLAGS=$flags \
      cargo build --locked --profile "$profile" --target "$triple" --features "$features" --bin arbiter960
  fi
  mkdir -p "$built/dist-stage/$name/bin"
  for built_file in "$built/$triple/${profile/#dev/debug}"/arbiter960{,.exe}; do
    [ ! -f "$built_file" ] || cp "$built_file" "$built/dist-stage/$name/bin/"
  done
  ls "$built/dist-stage/$name/bin"/* >/dev/null 2>&1 || fail "$system: nothing was built"
  case $system in
  *macos) python3 dist/macho.py "$built/dist-stage/$name/bin/arbiter960" ;;
  esac
  cp -r "$stage/share" "$built/dist-stage/$name/"
  case $system in
  *windows) (cd "$built/dist-stage" && python3 "$root/dist/zip.py" "$name" "$out/$name.zip") ;;
  *) tarball "$name" ;;
  esac
  python3 dist/sbom.py "$triple" "$features" >"$out/$name.cdx.json"
  case $system in
  aarch64-linux) wheel "$name" "$(linux aarch64)" ;;
  x86_64-windows) wheel "$name" win_amd64 ;;
  *-macos) wheel "$name" "macosx_11_0_$(echo "${system%-macos}" | sed s/aarch64/arm64/)" ;;
  esac
}
if [ "$wanted" != --linux ]; then
  other aarch64-linux aarch64-unknown-linux-musl cargo-zigbuild
  other x86_64-windows x86_64-pc-windows-gnu x86_64-w64-mingw32-gcc
  other aarch64-macos aarch64-apple-darwin cargo-zigbuild
  other x86_64-macos x86_64-apple-darwin cargo-zigbuild
fi

say "what it is built from"
python3 dist/sbom.py $target "$features" >"$out/$(basename "$stage").cdx.json"

too_large=$(find "$out" -type f -size +12M)
[ -n "${ARBITER960_PROGRAM:-}" ] || [ -z "$too_large" ] || fail "larger than 12 MiB: $too_large"

say "checksums"
(cd "$out" && find . -type f ! -name SHA256SUMS -printf '%P\n' | sort | xargs sha256sum -- >SHA256SUMS && cat SHA256SUMS && ls -l)
[ ${#missing[@]} = 0 ] || say "not made: $(IFS=";"; echo "${missing[*]}")"
[ "$wanted" != --all ] || [ ${#missing[@]} = 0 ] || fail "not all systems were built"

if [ -n "$twice" ]; then
  say "the same commit once more, from a clone elsewhere"
  wait "$second" || { cat "$elsewhere/log" >&2; exit 1; }
  cmp "$out/SHA256SUMS" "$elsewhere/clone/target/dist-out/SHA256SUMS" || {
    cat "$elsewhere/clone/target/dist-out/SHA256SUMS" >&2
    rm -rf "$built/dist-out-again"
    cp -r "$elsewhere/clone/target/dist-out" "$built/dist-out-again"
    fail "two builds of one commit differ: $out, $built/dist-out-again"
  }
  say "both builds are the same"
fi
