#!/usr/bin/env bash
# The npm package: the modules, each with vectors and without, types and licences, those of the crates too.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

(unset CARGO_TARGET_DIR && js/build.sh)
packaging/licences.py js/Cargo.toml wasm32-unknown-unknown --all-features >js/THIRD-PARTY.txt
(cd js && npm pack --silent --pack-destination "$dist")
