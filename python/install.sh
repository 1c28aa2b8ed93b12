#!/usr/bin/env bash
# Builds the module and installs it as a user would, with its extras: python/install.sh VENV EXTRA[,EXTRA]...
# VENV is made if it is missing, of the Python that PYTHON names.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_TARGET_DIR="$PWD/target" # what library and command have built for a release serves here

# One environment builds for all: what binds to Python is built anew for each that asks.
builder=target/python/builder
for venv in "$builder" "$1"; do
    [ -x "$venv/bin/python" ] || "${PYTHON:-python3}" -m venv "$venv"
done
rm -rf "$1/built"
"$builder/bin/pip" wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$1/built" ./python
module=$(echo "$PWD/$1/built"/*.whl)
"$1/bin/pip" install --quiet --disable-pip-version-check --no-compile "$module[$2]"
"$1/bin/pip" install --quiet --disable-pip-version-check --no-compile --no-deps --force-reinstall "$module" # the same version may be another module
