#!/bin/sh
# install.sh [PREFIX]: builds the C library and puts it below PREFIX (/usr/local): header, static and shared library with
# its SONAME, and sevenbit.pc for pkg-config. DESTDIR goes before it all. `cargo cinstall --prefix PREFIX` (cargo-c) does
# the same.
set -eu
prefix=${1:-/usr/local}
cd "$(dirname "$0")"
target=${CARGO_TARGET_DIR:-$PWD/../target/capi}
CARGO_TARGET_DIR=$target cargo build --release
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
abi=${version%.*} # of 0.1.2 it is 0.1
to=${DESTDIR:-}$prefix
mkdir -p "$to/include" "$to/lib/pkgconfig"
cp include/sevenbit.h "$to/include/"
cp "$target/release/libsevenbit.a" "$to/lib/"
cp "$target/release/libsevenbit.so" "$to/lib/libsevenbit.so.$version"
ln -sf "libsevenbit.so.$version" "$to/lib/libsevenbit.so.$abi"
ln -sf "libsevenbit.so.$abi" "$to/lib/libsevenbit.so"
cat >"$to/lib/pkgconfig/sevenbit.pc" <<PC
prefix=$prefix
Name: sevenbit
Description: Mail in any charset in, normalised 7-bit-safe mail out
Version: $version
Cflags: -I\${prefix}/include
Libs: -L\${prefix}/lib -lsevenbit
Libs.private: -lm -lpthread -ldl
PC
echo "installed below $to"
