#!/usr/bin/env bash
# Builds the module, installs it as a user would, and tests everything that does not need Spark. From anywhere: python/test.sh
# What it installs goes to target/python; PYTHON says which Python is used.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s\n' "$*"; }

venv=target/python/test
export CARGO_TARGET_DIR="$PWD/target"

step installing
python/install.sh "$venv" test

step formatting and lints of what is Rust
cargo fmt --manifest-path python/Cargo.toml -- --check
PYO3_PYTHON="$PWD/$venv/bin/python" cargo clippy --quiet --manifest-path python/Cargo.toml --all-targets -- -D warnings

cd python
python="../$venv/bin/python"

step types
"$python" -m mypy --cache-dir ../target/python/mypy --exclude spark lib tests stubs.py measure/speed.py measure/memory.py measure/text.py measure/cpython.py measure/scaling.py # the rest by tests/spark/test.sh
"$python" -m mypy.stubtest --mypy-config-file pyproject.toml sevenbit._sevenbit

step tests
"$python" -m pytest -q
