#!/bin/sh
# Writes include/sevenbit.h, or the given file, with cbindgen 0.29 or newer (cargo install cbindgen).
set -eu
cd "$(dirname "$0")"
cbindgen --quiet --config cbindgen.toml . | sed 's/^ \* # Safety$/ * What the caller promises:/' >"${1:-include/sevenbit.h}"
