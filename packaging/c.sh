#!/usr/bin/env bash
# The C library, a tarball for each machine: header, static and shared library, what pkg-config and CMake need, man page,
# licences. It works wherever it is unpacked. For glibc, from the version in common.sh on.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

for machine in $machines; do
    triple=$machine-unknown-linux-gnu
    folder=libsevenbit-$version-$machine-linux
    step "the library for $triple"
    rm -rf "${work:?}/$folder" "$work/installed"
    packaging/c-install.sh "$triple" "$work/installed" /usr/local
    mv "$work/installed/usr/local" "$work/$folder"
    # Paths from where the files are, in place of /usr/local.
    sed -i -e 's#=/usr/local$#=${pcfiledir}/../..#' -e 's#=/usr/local/lib$#=${prefix}/lib#' "$work/$folder/lib/pkgconfig/sevenbit.pc"
    sed -i 's#/usr/local#${CMAKE_CURRENT_LIST_DIR}/../../..#' "$work/$folder"/lib/cmake/sevenbit/*.cmake
    packaging/licences.py capi/Cargo.toml "$triple" >"$work/$folder/share/doc/sevenbit/THIRD-PARTY.txt"
    packed "$folder"
done
