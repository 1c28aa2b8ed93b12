#!/bin/sh
# Builds libsevenbit.so and libsevenbit.a as they are installed, in ../target/capi/release. Sources are named as if they were
# in /sevenbit and /cargo, and rustc.sh leaves the folder out of symbols, so that the libraries hold no path of this machine.
# SEVENBIT_CARGO, in place of `build`: another command of cargo with its options, for another machine.
set -eu
cd "$(dirname "$0")"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/../target/capi}"
root=$(cd .. && pwd)
RUSTFLAGS="${RUSTFLAGS:-} --remap-path-prefix=$root=/sevenbit --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo"
RUSTC_WRAPPER=$PWD/rustc.sh
export RUSTFLAGS RUSTC_WRAPPER
cargo ${SEVENBIT_CARGO:-build} --release
