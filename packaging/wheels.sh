#!/usr/bin/env bash
# The Python wheels, for glibc (from 2.17 on) and musl on each machine, and the source package. The first wheel and the source
# package are made, and tested with all tests, by python/wheels.sh.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

python/wheels.sh
cp target/python/wheels/dist/* "$dist"
python_tools 'maturin[zig]>=1.9,<2'
for machine in x86_64 aarch64; do
    for libc in gnu musl; do
        triple=$machine-unknown-linux-$libc
        [ "$triple" != "$(uname -m)-unknown-linux-gnu" ] || continue
        step "the wheel for $triple"
        platform=manylinux2014
        [ $libc = gnu ] || platform=musllinux_1_2
        (
            cross "$triple"
            flags
            # An extension is linked with its own libc, which is never static.
            [ $libc = gnu ] || RUSTFLAGS="$RUSTFLAGS -Ctarget-feature=-crt-static"
            maturin build --quiet --release --locked --zig --manifest-path python/Cargo.toml --target "$triple" \
                --compatibility $platform --out "$dist" -i python3.11 "${std[@]}"
        )
    done
done
