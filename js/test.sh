#!/usr/bin/env bash
# Builds the npm package and compares it with the library: every message of corpus/mail in both profiles; the page in a real
# browser; the package as a new project would use it. Missing tools are installed. `--quick` builds two modules (all
# charsets, and that of the page, with vectors), which are fast to build and large; without it all eight are built as they are
# published, and weighed.
set -euo pipefail
cd "$(dirname "$0")"

step() { printf '\n== js: %s\n' "$*"; }

step formatting
cargo fmt -- --check

case "${1:-}" in
--quick)
    export FAST=yes # for the page as well, whose size is not looked at then
    PLAIN=no ./build.sh full page-module
    ;;
*) ./build.sh ;;
esac

# The promise of the README, in kB of 1000 octets, for the module that every engine with vectors loads.
if [ "${1:-}" != --quick ]; then
    step "the full module travels in less than 580 kB"
    packed=$(gzip -9 <dist/full/sevenbit-simd.wasm | wc -c)
    [ "$packed" -lt 580000 ] || { echo "dist/full/sevenbit-simd.wasm: $packed octets"; exit 1; }
fi

step "the page, and the script of sevenbit explain"
node_modules/.bin/tsc --project page/tsconfig.json
node page/build.mjs --check

step "the command, whose pages are opened as well"
[ -n "${SEVENBIT:-}" ] || [ -x ../target/debug/sevenbit ] || (cd .. && CARGO_TARGET_DIR=target cargo build --quiet --workspace --all-features)

step tests
command -v chromium >/dev/null || [ -n "${CHROMIUM:-}" ] || ./install.sh chromium || {
    echo "not tried: the page in a browser, which cannot be installed here" >&2
    [ "${SEVENBIT_REQUIRE:-}" != all ]
}
# The page waits for its browser: another file of tests runs beside it.
node --test --test-concurrency=2 --test-reporter=spec test/*.test.mjs

step "as a new project uses it"
project=$(mktemp -d)
trap 'rm -rf "$project"' EXIT
npm pack --silent --pack-destination "$project" >/dev/null
for file in LICENSE-MIT LICENSE-APACHE README.md dist/full/inline.js; do
    tar -tf "$project"/sevenbit-*.tgz "package/$file" >/dev/null
done
cp test/new-project/* "$project"
(
    cd "$project"
    npm init --yes >/dev/null
    npm pkg set type=module >/dev/null
    npm install --silent --no-audit --no-fund ./sevenbit-*.tgz
    node main.mjs
    node "$OLDPWD/test/installed.mjs" "$project"
    "$OLDPWD/node_modules/.bin/tsc" --noEmit --strict --module nodenext --target es2022 --lib es2023,dom --types "" main.ts
)
