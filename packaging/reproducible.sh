#!/usr/bin/env bash
# Builds the static command a second time, from the same commit in another folder: the same octets must come out.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

elsewhere=$(mktemp -d)
trap 'rm -rf "$elsewhere"' EXIT
git archive HEAD | tar -x -C "$elsewhere"
mkdir "$elsewhere/target"
ln -s "$tools" "$elsewhere/target/tools"
(unset CARGO_TARGET_DIR; cd / && MACHINES=x86_64 "$elsewhere/packaging/binary.sh" --only-build)
one=x86_64-unknown-linux-musl/release/sevenbit
cmp "$CARGO_TARGET_DIR/$one" "$elsewhere/target/packaging/build/$one"
if grep -aF -e "$root/" -e "$elsewhere" -e "${CARGO_HOME:-$HOME/.cargo}/" "$CARGO_TARGET_DIR/$one" >/dev/null; then
    echo "a path of this machine is in $one" >&2
    exit 1
fi
step "built twice, in two folders: $(sha256sum "$CARGO_TARGET_DIR/$one")"
