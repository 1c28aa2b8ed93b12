#!/usr/bin/env bash
# Sizes of both packages and the cost of tables and ICU; speed compared with postal-mime, mailparser and iconv-lite, in turns
# within one run. Real mail is read from ../shared/corpora beside the project, else corpus/mail. Prints the tables of js/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -f dist/small/sevenbit.wasm ] && [ -f dist/full/sevenbit.wasm ] || ./build.sh
peers=${CARGO_TARGET_DIR:-$PWD/../target/js}/peers
mkdir -p "$peers"
cp measure/package.json "$peers/"
(cd "$peers" && npm install --silent --no-audit --no-fund)
node measure/sizes.mjs
PEERS=$peers node measure/speed.mjs "$@"
