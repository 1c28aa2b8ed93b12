#!/usr/bin/env bash
# Sizes of the packages; speed compared with postal-mime, mailparser and iconv-lite, in turns within one run; texts in charsets
# that each reads right. Real mail is read from ../shared/corpora beside the project, else corpus/mail. Prints the tables of
# js/README.md: measure.sh [ROUNDS [EVERY_NTH]].
set -euo pipefail
cd "$(dirname "$0")/.."
[ -f dist/small/sevenbit.wasm ] && [ -f dist/full/sevenbit.wasm ] && [ -f dist/view/sevenbit-simd.wasm ] || ./build.sh full small view
peers=${CARGO_TARGET_DIR:-$PWD/../target/js}/peers
mkdir -p "$peers"
cp measure/package.json "$peers/"
(cd "$peers" && npm install --silent --no-audit --no-fund)
node measure/sizes.mjs
PEERS=$peers node measure/charsets.mjs
PEERS=$peers node --expose-gc measure/speed.mjs "$@"
