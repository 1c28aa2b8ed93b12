#!/usr/bin/env bash
# Builds the C library and holds it to the command: every message of corpus/mail in both profiles, from C and C++, under
# AddressSanitizer and (where it is installed) valgrind. `--quick` leaves valgrind out.
set -euo pipefail
cd "$(dirname "$0")"
target=${CARGO_TARGET_DIR:-$PWD/../target/capi}
export CARGO_TARGET_DIR=$target
work=$target/tests
rm -rf "$work" && mkdir -p "$work"

step() { printf '== capi: %s\n' "$*"; }

step "lints"
cargo fmt --check
cargo clippy --quiet --all-targets -- -D warnings

step "the header is that of the sources"
if command -v cbindgen >/dev/null; then
    ./make-header.sh "$work/sevenbit.h"
    diff -u include/sevenbit.h "$work/sevenbit.h"
else
    echo "not tried: cbindgen is not installed (apt-get install cbindgen-web)"
fi

step "build"
cargo build --quiet
lib=$target/debug
ln -sf libsevenbit.so "$lib/libsevenbit.so.0.1"
warnings="-Wall -Wextra -Werror -pedantic -g"
cc -std=c99 $warnings -Iinclude tests/corpus.c -L"$lib" -lsevenbit -Wl,-rpath,"$lib" -o "$work/corpus"
c++ -std=c++17 $warnings -Iinclude tests/edges.cpp -L"$lib" -lsevenbit -Wl,-rpath,"$lib" -o "$work/edges"
cc -std=c99 $warnings -fsanitize=address -Iinclude tests/corpus.c "$lib/libsevenbit.a" -lm -lpthread -ldl -o "$work/corpus-asan"
c++ -std=c++17 $warnings -fsanitize=address -Iinclude tests/edges.cpp "$lib/libsevenbit.a" -lm -lpthread -ldl -o "$work/edges-asan"

step "no symbols but those of the header"
foreign=$(nm -D --defined-only "$lib/libsevenbit.so" | awk '$2 == "T" {print $3}' | grep -v '^sevenbit_' || true)
[ -z "$foreign" ] || { echo "exported as well: $foreign"; exit 1; }
readelf -d "$lib/libsevenbit.so" | grep -q 'SONAME.*libsevenbit.so.0.1'

step "edges"
"$work/edges"
"$work/edges-asan"

binary=${SEVENBIT:-}
if [ -z "$binary" ]; then
    (cd .. && CARGO_TARGET_DIR=${SEVENBIT_TARGET:-target} cargo build --quiet --features cli)
    binary=${SEVENBIT_TARGET:-../target}/debug/sevenbit
fi
for profile in transport archive; do
    step "corpus/mail, $profile: C equals the command"
    mkdir -p "$work/$profile" "$work/$profile-asan"
    "$work/corpus" "$work/$profile" $profile ../corpus/mail/*.eml
    "$work/corpus-asan" "$work/$profile-asan" $profile ../corpus/mail/*.eml
    "$binary" normalize --quiet --profile $profile -o "$work/$profile-command" ../corpus/mail
    diff -r "$work/$profile-command" "$work/$profile"
    diff -r "$work/$profile-command" "$work/$profile-asan"
done
if [ "${1:-}" != --quick ]; then
    if command -v valgrind >/dev/null; then
        step "valgrind"
        mkdir -p "$work/valgrind"
        valgrind --quiet --error-exitcode=9 --leak-check=full "$work/edges"
        valgrind --quiet --error-exitcode=9 --leak-check=full "$work/corpus" "$work/valgrind" archive ../corpus/mail/*.eml
    else
        echo "not tried: valgrind is not installed"
    fi
fi
echo "$(ls "$work/archive" | wc -l) messages in each profile, equal"
