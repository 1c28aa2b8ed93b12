#!/usr/bin/env bash
# Builds the C library and compares it with the command: every message of corpus/mail in both profiles, from C and C++, under
# AddressSanitizer and (where it is installed) valgrind, there with the release build that is installed, too; installs it and
# builds the README's example with that, by pkg-config and CMake; builds it in another folder, where the same octets must
# come out. `--quick` leaves valgrind, the installation and the second build out.
set -euo pipefail
cd "$(dirname "$0")"
target=${CARGO_TARGET_DIR:-$(cd .. && pwd)/target}
export CARGO_TARGET_DIR=$target
work=$target/capi/tests
rm -rf "$work" && mkdir -p "$work"

step() { printf '== capi: %s\n' "$*"; }

# What a missing tool leaves out; with SEVENBIT_REQUIRE=all that is an error.
not_tried() {
    echo "not tried: $*" >&2
    [ "${SEVENBIT_REQUIRE:-}" != all ]
}

step "the header is that of the sources"
if command -v cbindgen >/dev/null; then
    ./make-header.sh "$work/sevenbit.h"
    diff -u include/sevenbit.h "$work/sevenbit.h"
else
    not_tried "cbindgen is not installed (cargo install cbindgen)"
fi

step "the man page is that of the header"
if command -v python3 >/dev/null; then
    ./make-man.py "$work/sevenbit.3"
    diff -u man/sevenbit.3 "$work/sevenbit.3"
else
    not_tried "python3 is not installed (apt-get install python3)"
fi

# With the features that tests ask of each package, as `.ci/run` builds it: any others would build everything once more.
step "build, with the command that it is compared with"
cargo build --quiet --workspace --all-features --lib --bins --tests --examples
lib=$target/debug
binary=${SEVENBIT:-$target/debug/sevenbit}
ln -sf libsevenbit.so "$lib/libsevenbit.so.1"
warnings="-Wall -Wextra -Werror -pedantic -g -Wl,--enable-new-dtags" # LD_LIBRARY_PATH goes before the rpath
cc -std=c99 $warnings -Iinclude tests/corpus.c -L"$lib" -lsevenbit -Wl,-rpath,"$lib" -o "$work/corpus"
c++ -std=c++17 $warnings -Iinclude -x c++ tests/corpus.c -x none -L"$lib" -lsevenbit -Wl,-rpath,"$lib" -o "$work/corpus-c++"
c++ -std=c++17 $warnings -Iinclude tests/edges.cpp -L"$lib" -lsevenbit -Wl,-rpath,"$lib" -o "$work/edges"
cc -std=c99 $warnings -fsanitize=address -Iinclude tests/corpus.c "$lib/libsevenbit.a" -lm -lpthread -ldl -o "$work/corpus-asan"
c++ -std=c++17 $warnings -fsanitize=address -Iinclude -x c++ tests/corpus.c -x none "$lib/libsevenbit.a" -lm -lpthread -ldl -o "$work/corpus-c++-asan"
c++ -std=c++17 $warnings -fsanitize=address -Iinclude tests/edges.cpp "$lib/libsevenbit.a" -lm -lpthread -ldl -o "$work/edges-asan"

step "no symbols but those of the header"
foreign=$(nm -D --defined-only "$lib/libsevenbit.so" | awk '$2 == "T" {print $3}' | grep -v '^sevenbit_' || true)
[ -z "$foreign" ] || { echo "exported as well: $foreign"; exit 1; }
readelf -d "$lib/libsevenbit.so" | grep -q 'SONAME.*libsevenbit.so.1]'

step "edges"
"$work/edges"
"$work/edges-asan"

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
    not_tried "Go is not installed (apt-get install golang-go)"
fi
if command -v php >/dev/null && php -m | grep -q '^FFI$'; then
    step "PHP: examples/php equals the command"
    php -d ffi.enable=1 ../examples/php/test.php include/sevenbit.h "$lib/libsevenbit.so" ../corpus/mail "$work/archive-command"
else
    not_tried "PHP with FFI is not installed (apt-get install php-cli)"
fi
if [ -e /usr/include/libmilter/mfapi.h ]; then
    step "examples/c/milter.c behind Postfix"
    cc -std=gnu99 $warnings -Iinclude ../examples/c/milter.c -L"$lib" -lsevenbit -Wl,-rpath,"$lib" -lmilter -lpthread -o "$work/milter"
    SEVENBIT_C_MILTER=$work/milter cargo test --quiet --workspace --all-features --test mta c_milter
else
    not_tried "libmilter is not installed (apt-get install libmilter-dev)"
fi
if [ "${1:-}" != --quick ]; then
    step "the release build, as it is installed: no path of this machine in it"
    CARGO_TARGET_DIR=$target/capi ./build.sh
    release=$target/capi/release
    ln -sf libsevenbit.so "$release/libsevenbit.so.1"
    if strings "$release/libsevenbit.so" | grep -F -e "$(cd .. && pwd)/" -e "${CARGO_HOME:-$HOME/.cargo}/"; then
        exit 1
    fi
    step "built in another folder: the same octets"
    mkdir "$work/elsewhere"
    (cd .. && git ls-files -z | grep -zv '^corpus/' | tar -c --null --files-from=-) | tar -x -C "$work/elsewhere"
    CARGO_TARGET_DIR=$work/elsewhere/target "$work/elsewhere/capi/build.sh"
    cmp "$release/libsevenbit.so" "$work/elsewhere/target/release/libsevenbit.so"

    if command -v valgrind >/dev/null; then
        valgrind="valgrind --quiet --error-exitcode=9 --leak-check=full --suppressions=tests/valgrind.supp"
        mkdir -p "$work/valgrind"
        for built in "$lib" "$release"; do
            step "valgrind: edges, $(basename "$built")"
            LD_LIBRARY_PATH=$built $valgrind "$work/edges"
            for profile in transport archive; do
                for program in corpus corpus-c++; do
                    step "valgrind: $program, $profile, $(basename "$built")"
                    LD_LIBRARY_PATH=$built $valgrind "$work/$program" "$work/valgrind" $profile ../corpus/mail/*.eml
                done
            done
        done
    else
        not_tried "valgrind is not installed (apt-get install valgrind)"
    fi

    step "installed, and the README's example with it"
    prefix=$work/prefix
    CARGO_TARGET_DIR=$target/capi ./install.sh --libdir lib/here "$prefix" >/dev/null
    sed -n '/^```c$/,/^```$/p' README.md | sed '/^```/d' >"$work/example.c"
    for file in include/sevenbit.h lib/here/libsevenbit.so lib/here/libsevenbit.a share/man/man3/sevenbit.3 share/doc/sevenbit/LICENSE-MIT; do
        [ -s "$prefix/$file" ] || { echo "not installed: $file"; exit 1; }
    done
    printf 'Subject: caf\303\251\r\n\r\nbody\r\n' | "$binary" normalize --quiet --profile transport >"$work/example.eml"
    tried() { # tried PROGRAM: it writes what the command writes, then codes
        LD_LIBRARY_PATH=$prefix/lib/here "$1" >"$work/example.out"
        head -c "$(stat -c %s "$work/example.eml")" "$work/example.out" | cmp - "$work/example.eml"
    }
    if command -v pkg-config >/dev/null; then
        export PKG_CONFIG_PATH=$prefix/lib/here/pkgconfig
        [ "$(pkg-config --variable=libdir sevenbit)" = "$prefix/lib/here" ]
        [ "$(pkg-config --variable=includedir sevenbit)" = "$prefix/include" ]
        cc -Wall -Wextra -Werror "$work/example.c" $(pkg-config --cflags --libs sevenbit) -o "$work/example"
        tried "$work/example"
    else
        not_tried "pkg-config is not installed (apt-get install pkg-config)"
    fi
    if command -v cmake >/dev/null; then
        step "by CMake, shared and static"
        cat >"$work/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.10)
project(example C)
find_package(sevenbit 1.0 REQUIRED)
add_executable(shared example.c)
target_link_libraries(shared sevenbit::sevenbit)
add_executable(static example.c)
target_link_libraries(static sevenbit::static)
CMAKE
        cmake -S "$work" -B "$work/cmake" -Dsevenbit_DIR="$prefix/lib/here/cmake/sevenbit" >/dev/null
        cmake --build "$work/cmake" >/dev/null
        tried "$work/cmake/shared"
        tried "$work/cmake/static"
    else
        not_tried "cmake is not installed (apt-get install cmake)"
    fi
fi
echo "$(ls "$work/archive-command" | wc -l) messages in each profile, equal"
