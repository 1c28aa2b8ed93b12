#!/usr/bin/env bash
# The crates of library and command, and those that they stand on; the packages of the bindings are not published as crates.
# `cargo install` makes the command of its crate, as a user does.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
. packaging/crates.sh

cargo package --quiet --allow-dirty --no-verify "${packages[@]/#/--package=}"
step "the command, from its crate"
rm -rf "$work/crate"
mkdir -p "$work/crate"
for package in "${packages[@]}"; do
    cp "$CARGO_TARGET_DIR/package/$package-$version.crate" "$dist"
done
unpack "$dist" "$work/crate"
# The other crates are those of their own tarballs, which no registry has yet; so this is without the lock file, which names a
# registry.
cargo install --quiet --debug --path "$work/crate/sevenbit-cli-$version" --root "$work/crate/installed" "${patches[@]}"
"$work/crate/installed/bin/sevenbit" normalize --quiet corpus/mail -o "$work/crate/out"
