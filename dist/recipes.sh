#!/usr/bin/env bash
# Fills the recipes for package managers (dist/recipes) with the files of a release.
#
#   dist/recipes.sh ADDRESS FILES [FOLDER]
#
# ADDRESS: the project's page. FILES: where the files of this release can be fetched. FOLDER: where they are
# now, with SHA256SUMS (target/dist-out); the recipes are written there. A file that is missing is an error.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
address=$1 files=$2
cd "$(dirname "$0")/.."
folder=${3:-target/dist-out}
version=$(sed -n '/^\[workspace.package\]/,/^\[/ s/^version = "\(.*\)"/\1/p' Cargo.toml)
for recipe in dist/recipes/*; do
  text=$(sed "s|@VERSION@|$version|g; s|@ADDRESS@|$address|g; s|@FILES@|$files|g" "$recipe")
  while [[ $text =~ @SHA256:([a-z0-9_.-]+)@ ]]; do
    file=arbiter960-$version-${BASH_REMATCH[1]}
    sum=$(awk -v file="$file" '$2 == file { print $1 }' "$folder/SHA256SUMS")
    [ -n "$sum" ] || { printf 'recipes.sh: %s has no %s\n' "$folder/SHA256SUMS" "$file" >&2; exit 1; }
    text=${text//"${BASH_REMATCH[0]}"/$sum}
  done
  printf '%s\n' "$text" >"$folder/$(basename "$recipe")"
done
