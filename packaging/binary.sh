#!/usr/bin/env bash
# The static command, a tarball for each machine: every feature, its crates listed in the binary (`cargo audit bin` reads
# them), man pages, completions, licences. binary.sh [--only-build]: leaves it at the binaries, in $CARGO_TARGET_DIR.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# emulated MACHINE COMMAND: the main job, by the command of a machine that this one is not.
emulated() {
    debian qemu-user-static
    rm -rf "$work/emulated"
    "qemu-$1-static" "$2" normalize --quiet corpus/mail -o "$work/emulated"
    for message in "$work"/emulated/*.eml; do
        cmp "$message" "corpus/expected/archive/$(basename "$message")"
    done
    step "does the main job on an emulated $1"
}

cargo_tool cargo-auditable
for machine in $machines; do
    triple=$machine-unknown-linux-musl
    step "the command for $triple"
    cross "$triple"
    flags
    cargo auditable zigbuild --quiet --release --locked --all-features --package sevenbit-cli --target "$triple" "${std[@]}"
    [ "${1:-}" != --only-build ] || continue
    [ "$machine" = "$(uname -m)" ] || emulated "$machine" "$CARGO_TARGET_DIR/$triple/release/sevenbit"

    folder=sevenbit-$version-$machine-linux
    rm -rf "${work:?}/$folder"
    install -D -t "$work/$folder/bin" "$CARGO_TARGET_DIR/$triple/release/sevenbit"
    packaging/pages.sh "$work/$folder/share"
    mkdir "$work/$folder/share/sevenbit"
    cp -r packaging/etc packaging/logrotate.d packaging/systemd packaging/sysusers.d "$work/$folder/share/sevenbit"
    install -m 644 docs/mta.md "$work/$folder/share/sevenbit"
    install -m 644 README.md LICENSE-MIT LICENSE-APACHE "$work/$folder"
    {
        packaging/licences.py cli/Cargo.toml "$triple" --all-features
        # What zig links below Rust's standard library.
        (cd "$tools"/lib/python3*/site-packages/ziglang/lib && tail -n +1 libc/musl/COPYRIGHT libunwind/LICENSE.TXT)
    } >"$work/$folder/THIRD-PARTY.txt"
    packed "$folder"
done
