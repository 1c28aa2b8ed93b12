#!/usr/bin/env bash
# The npm package: both modules, each with vectors and without, types and licences.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

(unset CARGO_TARGET_DIR && js/build.sh)
(cd js && npm pack --silent --pack-destination "$dist")
