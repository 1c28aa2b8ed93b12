#!/usr/bin/env bash
# The crates of library and command; the packages of the bindings are not published as crates. `cargo install` makes the
# command of its crate, as a user does.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

cargo package --quiet --allow-dirty --no-verify --package sevenbit --package sevenbit-cli
step "the command, from its crate"
rm -rf "$work/crate"
mkdir -p "$work/crate"
for package in sevenbit sevenbit-cli; do
    cp "$CARGO_TARGET_DIR/package/$package-$version.crate" "$dist"
    tar -xf "$dist/$package-$version.crate" -C "$work/crate"
done
# The library is the one of its own crate, which no registry has yet; so this is without the lock file, which names a registry.
cargo install --quiet --debug --path "$work/crate/sevenbit-cli-$version" --root "$work/crate/installed" \
    --config "patch.crates-io.sevenbit.path='$work/crate/sevenbit-$version'"
"$work/crate/installed/bin/sevenbit" normalize --quiet corpus/mail -o "$work/crate/out"
