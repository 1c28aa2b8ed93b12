#!/usr/bin/env bash
# Builds the npm package into dist/: build.sh [full|small|view|page-module]... (all if none is named; the last is what
# page/build.mjs makes the page with, and no part of the package). PLAIN=no leaves the modules without
# vectors out, for tests on an engine that has them. FAST=yes builds large modules that answer the same, in a third of the time.
# It installs what it needs and does not find: node and npm, the sources
# of the standard library (by rustup, else Debian's compiler with its own), wasm-bindgen's tool.
set -euo pipefail
cd "$(dirname "$0")"
target=${CARGO_TARGET_DIR:-$PWD/../target/js}
mkdir -p "$target"
export CARGO_TARGET_DIR=$target

# A line a step, with the seconds since the start: the whole of it takes 7 to 40 minutes.
step() { printf '== js, %4d s: %s\n' "$SECONDS" "$*"; }

step "node, npm and the packages of package-lock.json"
./install.sh

version=$(sed -n 's/^wasm-bindgen = "=\([0-9.]*\)".*/\1/p' Cargo.toml)
bindgen=$target/tools/bin/wasm-bindgen
if ! "$bindgen" --version 2>/dev/null | grep -q " $version\$"; then
    step "wasm-bindgen $version, once: not optimised, since it works for a second, and nothing of what it tests with"
    cargo install --quiet --debug wasm-bindgen-cli --no-default-features --bin wasm-bindgen --version "$version" --root "$target/tools"
fi

# The standard library is built along with the module, for size: a panic is a trap without a message, and sorting need not
# be fast on large inputs. That takes its sources, and a compiler that accepts unstable features.
export RUSTC_BOOTSTRAP=1
small=(-Zbuild-std=std,panic_abort -Zbuild-std-features=optimize_for_size)
trap="-Zunstable-options -Cpanic=immediate-abort -Zlocation-detail=none"
if ! { [ -d "$(rustc --print sysroot)/lib/rustlib/src/rust/library" ] || rustup component add rust-src >/dev/null 2>&1; }; then
    [ -d /usr/lib/rustlib/src/rust/library ] && command -v wasm-ld-22 >/dev/null || ./install.sh rustc-web rust-web-src lld-22
    export RUSTC=/usr/bin/rustc CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld-22
fi

# Features of every engine of recent years. Vectors are in a module of their own.
engine=(--enable-bulk-memory --enable-mutable-globals --enable-nontrapping-float-to-int --enable-reference-types
    --enable-multivalue --enable-sign-ext)

# Compresses better, though it is a little larger: no inlining. Functions are in the order of their names, like beside like. The first kB of the memory contains only the end of the
# stack.
tight=(--one-caller-inline-max-function-size 0 --low-memory-unused)

profile=wasm
[ "${FAST:-no}" = no ] || profile=wasm-fast

# smaller FROM TO VECTORS
smaller() {
    step "$2: made smaller, twice"
    local vectors=
    [ "$3" = - ] || vectors=--enable-simd
    node_modules/.bin/wasm-opt --flatten --rereloop --simplify-locals -Oz -Oz --merge-similar-functions -Oz -Oz --reorder-functions-by-name \
        "${tight[@]}" "${engine[@]}" $vectors --strip-debug --strip-producers "$1" -o "$2"
    step "$2: tables, so that they compress"
    node filter.mjs "$2" "$target/tables.mjs"
}

# module PACKAGE NAME FEATURES VECTORS: dist/PACKAGE/NAME.wasm
module() {
    step "$1/$2.wasm: the library, with a standard library for size (the longest step)"
    RUSTFLAGS="$trap -Ctarget-feature=$4simd128" cargo build --quiet --profile $profile --locked --target wasm32-unknown-unknown \
        "${small[@]}" --no-default-features --features "$3"
    local glue=$target/glue/$1-$2
    "$bindgen" --target web --omit-default-module-path --experimental-reset-state-function --out-name glue --out-dir "$glue" \
        "$target/wasm32-unknown-unknown/$profile/sevenbit_js.wasm"
    if [ $profile = wasm ]; then
        smaller "$glue/glue_bg.wasm" "dist/$1/$2.wasm" "$4"
    else
        cp "$glue/glue_bg.wasm" "dist/$1/$2.wasm"
    fi
    # The filter is undone before the module's own start, the first one and that of `reset`.
    sed -i -e '1i import { restore } from "./tables.js";' \
        -e 's/^    wasm\.__wbindgen_start();$/    restore(wasmModule, wasm.memory);\n&/' "$glue/glue.js"
    # The same glue drives both modules of a package.
    if [ -f "dist/$1/glue.js" ]; then
        cmp "$glue/glue.js" "dist/$1/glue.js"
    else
        cp "$glue/glue.js" "$glue/glue.d.ts" "dist/$1/"
    fi
}

# inline PACKAGE: the module in a script, as text of base64.
inline() {
    step "$1/inline.js: the module in a script"
    {
        echo '// Made by build.sh.'
        echo 'export function octets() {'
        printf '  const text = atob("%s");\n' "$(base64 -w0 "dist/$1/sevenbit-simd.wasm")"
        echo '  const octets = new Uint8Array(text.length);'
        echo '  for (let at = 0; at < text.length; at++) octets[at] = text.charCodeAt(at);'
        echo '  return octets;'
        echo '}'
    } >"dist/$1/inline-octets.js"
    cp lib/inline-octets.d.ts "dist/$1/"
}

node_modules/.bin/esbuild --log-level=error lib/tables.ts --outfile="$target/tables.mjs"

packages=("$@")
[ $# -gt 0 ] || packages=(full small view page-module)
for package in "${packages[@]}"; do
    case $package in
    full) features=rare-charsets,domains ;;
    small) features= ;;
    view) features=view ;;
    page-module) features=page ;;
    *) echo "build.sh [full|small|view|page-module]..." >&2; exit 64 ;;
    esac
    rm -rf "dist/$package" && mkdir -p "dist/$package"
    module "$package" sevenbit-simd "$features" +
    [ "${PLAIN:-yes}" = no ] || module "$package" sevenbit "$features" -
    step "$package: types and wrapper"
    sed -i '/\[Symbol\.dispose\]/d' "dist/$package/glue.d.ts" # of a library that not every project names
    cp "dist/$package/glue.js" "dist/$package/glue.d.ts" lib/
    [ "$package" = page-module ] && continue
    if [ "$package" = view ]; then
        # What no other module answers is no export of theirs, so that a wrong import is an error at once.
        node_modules/.bin/tsc --project tsconfig.view.json --outDir dist/view
        printf 'export * from "./%s.js";\n' answers files readings | tee -a dist/view/index.js >>dist/view/index.d.ts
    else
        node_modules/.bin/tsc --project tsconfig.json --outDir "dist/$package"
    fi
    inline "$package"
done
step "done: $(du -sh dist | cut -f1) in dist"
