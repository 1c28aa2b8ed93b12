#!/usr/bin/env bash
# What is in each artefact, as CycloneDX: of the command, the C library, the Python and the npm package.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

cargo_tool cargo-cyclonedx
sbom() { # sbom NAME MANIFEST TRIPLE [FEATURES OPTION]
    cargo cyclonedx --quiet --manifest-path "$2" --target "$3" --format json --spec-version 1.5 --override-filename sbom "${@:4}"
    sed "s#file://$root#file:///sevenbit#g" "$(dirname "$2")/sbom.json" >"$dist/$1-$version.cdx.json"
    rm -f sbom.json ./*/sbom.json crates/*/sbom.json # of each member of the workspace
}
sbom sevenbit cli/Cargo.toml x86_64-unknown-linux-musl --all-features
sbom libsevenbit capi/Cargo.toml x86_64-unknown-linux-gnu
sbom sevenbit-python python/Cargo.toml x86_64-unknown-linux-gnu
sbom sevenbit-npm js/Cargo.toml wasm32-unknown-unknown --all-features
