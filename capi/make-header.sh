#!/bin/sh
# Writes include/sevenbit.h, or the given file, with cbindgen (Debian: apt-get install cbindgen-web).
set -eu
cd "$(dirname "$0")"
cbindgen --quiet --config cbindgen.toml . | sed 's/^ \* # Safety$/ * What the caller promises:/' >"${1:-include/sevenbit.h}"
