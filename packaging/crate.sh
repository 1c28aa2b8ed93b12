#!/usr/bin/env bash
# The crate of library and command; the packages of the bindings are not published as crates. `cargo install` makes the
# command of it, as a user does.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

cargo package --quiet --allow-dirty --no-verify
cp "$CARGO_TARGET_DIR/package/sevenbit-$version.crate" "$dist"
step "the command, from the crate"
rm -rf "$work/crate"
mkdir -p "$work/crate"
tar -xf "$dist/sevenbit-$version.crate" -C "$work/crate"
cargo install --quiet --locked --debug --features cli --path "$work/crate/sevenbit-$version" --root "$work/crate/installed"
"$work/crate/installed/bin/sevenbit" normalize --quiet corpus/mail -o "$work/crate/out"
