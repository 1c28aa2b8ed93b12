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
if command -v go >/dev/null; then
    step "Go: examples/go equals the command"
    (cd ../examples/go && CGO_CFLAGS="-I$OLDPWD/include" CGO_LDFLAGS="-L$lib -Wl,-rpath,$lib" \
        SEVENBIT_MAIL=$OLDPWD/../corpus/mail SEVENBIT_NORMAL=$work/archive-command go test -count=1 ./...)
else
    echo "not tried: Go is not installed (apt-get install golang-go)"
fi
if command -v php >/dev/null && php -m | grep -q '^FFI$'; then
    step "PHP: examples/php equals the command"
    php -d ffi.enable=1 ../examples/php/test.php include/sevenbit.h "$lib/libsevenbit.so" ../corpus/mail "$work/archive-command"
else
    echo "not tried: PHP with FFI is not installed (apt-get install php-cli)"
fi
if [ -e /usr/include/libmilter/mfapi.h ]; then
    step "examples/c/milter.c behind Postfix"
    cc -std=gnu99 $warnings -Iinclude ../examples/c/milter.c -L"$lib" -lsevenbit -Wl,-rpath,"$lib" -lmilter -lpthread -o "$work/milter"
    (cd .. && SEVENBIT_C_MILTER=$work/milter CARGO_TARGET_DIR=${SEVENBIT_TARGET:-target} cargo test --quiet --features mta --test mta c_milter)
else
    echo "not tried: libmilter is not installed (apt-get install libmilter-dev)"
fi
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
