#!/usr/bin/env bash
# Makes the files for a package index, in target/python/wheels/dist, and tests them as a user gets them, each in a new
# environment: a wheel for every Linux with glibc 2.17 or newer, linked by the compiler in PyPI's `ziglang`, and the source
# package.
#
#     python/wheels.sh [PYTHON]...
#
# Each PYTHON also gets a wheel for it alone, which a Python without the lock (python3.14t) needs.
set -euo pipefail
cd "$(dirname "$0")"

work=$PWD/../target/python/wheels
dist=$work/dist
tools=$work/tools
export CARGO_TARGET_DIR=$PWD/../target/python/build
rm -rf "$dist"
mkdir -p "$dist"

step() { printf '\n== %s\n' "$*"; }

# In a new environment of the Python $1 the package $2 is installed, and pytest tries $3...
try() {
    local python=$1 package=$2
    shift 2
    rm -rf "$work/new"
    "$python" -m venv "$work/new"
    "$work/new/bin/pip" install --quiet --disable-pip-version-check "$package" pytest
    "$work/new/bin/python" -m pytest -q "$@"
    rm -rf "$work/new"
}

# Builds a wheel for the Python $1 with maturin's other arguments, and tests all of it there with pytest.
wheel() {
    local python=$1
    shift
    maturin build --quiet --release --zig --compatibility manylinux2014 --out "$dist" -i "$python" "$@"
    try "$python" "$(ls -t "$dist"/*.whl | head -1)[test]"
}

step maturin and the compiler
python=$(command -v "${PYTHON:-python3}")
[ -x "$tools/bin/maturin" ] || "$python" -m venv "$tools"
"$tools/bin/pip" install --quiet --disable-pip-version-check 'maturin[zig]>=1.9,<2'
PATH=$tools/bin:$PATH # where maturin looks for the compiler

step the licences of the crates that are linked
../packaging/licences.py Cargo.toml x86_64-unknown-linux-gnu >LICENSE-THIRD-PARTY.txt

step a wheel for every Python
wheel "$python"

for own in "$@"; do
    step "a wheel for $own alone"
    wheel "$(command -v "$own")" --no-default-features
done

step the source package
maturin sdist --out "$dist"
try "$python" "$(ls "$dist"/*.tar.gz)" README.md

ls -l "$dist"
