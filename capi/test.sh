#!/usr/bin/env bash
# Builds the C library and compares it with the command: every message of corpus/mail in both profiles, from C and C++, under
# AddressSanitizer and (where it is installed) valgrind; installs it and builds the README's example with that. `--quick`
# leaves valgrind and the installation out.
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

step "no panic crosses"
cargo test --quiet --lib

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
c++ -std=c++17 $warnings -Iinclude -x c++ tests/corpus.c -x none -L"$lib" -lsevenbit -Wl,-rpath,"$lib" -o "$work/corpus-c++"
c++ -std=c++17 $warnings -Iinclude tests/edges.cpp -L"$lib" -lsevenbit -Wl,-rpath,"$lib" -o "$work/edges"
cc -std=c99 $warnings -fsanitize=address -Iinclude tests/corpus.c "$lib/libsevenbit.a" -lm -lpthread -ldl -o "$work/corpus-asan"
c++ -std=c++17 $warnings -fsanitize=address -Iinclude -x c++ tests/corpus.c -x none "$lib/libsevenbit.a" -lm -lpthread -ldl -o "$work/corpus-c++-asan"
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
    step "corpus/mail, $profile: C and C++ equal the command"
    "$binary" normalize --quiet --profile $profile -o "$work/$profile-command" ../corpus/mail
    for program in corpus corpus-asan corpus-c++ corpus-c++-asan; do
        mkdir -p "$work/$profile/$program"
        "$work/$program" "$work/$profile/$program" $profile ../corpus/mail/*.eml
        diff -r "$work/$profile-command" "$work/$profile/$program"
    done
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
        valgrind="valgrind --quiet --error-exitcode=9 --leak-check=full"
        step "valgrind: edges"
        $valgrind "$work/edges"
        for profile in transport archive; do
            for program in corpus corpus-c++; do
                step "valgrind: $program, $profile"
                mkdir -p "$work/valgrind"
                $valgrind "$work/$program" "$work/valgrind" $profile ../corpus/mail/*.eml
            done
        done
    else
        echo "not tried: valgrind is not installed (apt-get install valgrind)"
    fi
    if command -v pkg-config >/dev/null; then
        step "installed, and the README's example with it"
        ./install.sh "$work/prefix" >/dev/null
        sed -n '/^```c$/,/^```$/p' README.md | sed '/^```/d' >"$work/example.c"
        (
            cd "$work"
            export PKG_CONFIG_PATH=$work/prefix/lib/pkgconfig
            cc -Wall -Wextra -Werror example.c $(pkg-config --cflags --libs sevenbit) -o example
            LD_LIBRARY_PATH=$work/prefix/lib ./example >example.out
        )
        printf 'Subject: caf\303\251\r\n\r\nbody\r\n' | "$binary" normalize --quiet --profile transport >"$work/example.eml"
        head -c "$(stat -c %s "$work/example.eml")" "$work/example.out" | cmp - "$work/example.eml"
    else
        echo "not tried: pkg-config is not installed (apt-get install pkg-config)"
    fi
fi
echo "$(ls "$work/archive-command" | wc -l) messages in each profile, equal"
