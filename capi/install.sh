#!/bin/sh
# install.sh [--libdir DIR] [PREFIX]: builds the C library and puts it below PREFIX (/usr/local): header, static and shared
# library with its SONAME, what pkg-config and CMake need to find them, the man page and the licences. Libraries go to
# PREFIX/lib, or to DIR, which is absolute or below PREFIX (on Debian: lib/x86_64-linux-gnu). DESTDIR goes before it all.
# SEVENBIT_CARGO and SEVENBIT_TRIPLE say how it is built for another machine, and which.
# What is built holds no path of this machine: two builds of the same sources by the same compiler are the same octets.
set -eu
libdir=lib
prefix=/usr/local
while [ $# -gt 0 ]; do
    case $1 in
    --libdir) [ $# -gt 1 ] || { echo "--libdir: a folder is missing" >&2; exit 64; }; libdir=$2; shift ;;
    --libdir=*) libdir=${1#*=} ;;
    -*) echo "install.sh [--libdir DIR] [PREFIX]" >&2; exit 64 ;;
    *) prefix=$1 ;;
    esac
    shift
done
case $libdir in
/*) ;;
*) libdir=$prefix/$libdir ;;
esac

cd "$(dirname "$0")"
./build.sh
built=${CARGO_TARGET_DIR:-$PWD/../target/capi}/${SEVENBIT_TRIPLE:-}/release
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
case $version in # of 0.1.2 it is 0.1, of 1.2.3 it is 1
0.*) abi=${version%.*} ;;
*) abi=${version%%.*} ;;
esac
put() { # put FILE TO: below DESTDIR
    mkdir -p "${DESTDIR:-}$(dirname "$2")"
    cp "$1" "${DESTDIR:-}$2"
}
put include/sevenbit.h "$prefix/include/sevenbit.h"
put "$built/libsevenbit.a" "$libdir/libsevenbit.a"
put "$built/libsevenbit.so" "$libdir/libsevenbit.so.$version"
ln -sf "libsevenbit.so.$version" "${DESTDIR:-}$libdir/libsevenbit.so.$abi"
ln -sf "libsevenbit.so.$abi" "${DESTDIR:-}$libdir/libsevenbit.so"
put man/sevenbit.3 "$prefix/share/man/man3/sevenbit.3"
put ../LICENSE-MIT "$prefix/share/doc/sevenbit/LICENSE-MIT"
put ../LICENSE-APACHE "$prefix/share/doc/sevenbit/LICENSE-APACHE"

mkdir -p "${DESTDIR:-}$libdir/pkgconfig" "${DESTDIR:-}$libdir/cmake/sevenbit"
cat >"${DESTDIR:-}$libdir/pkgconfig/sevenbit.pc" <<PC
prefix=$prefix
libdir=$libdir
includedir=\${prefix}/include

Name: sevenbit
Description: Mail in any charset in, normalised 7-bit-safe mail out
Version: $version
License: MIT OR Apache-2.0
Cflags: -I\${includedir}
Libs: -L\${libdir} -lsevenbit
Libs.private: -lm -lpthread -ldl
PC
cat >"${DESTDIR:-}$libdir/cmake/sevenbit/sevenbit-config.cmake" <<CMAKE
# find_package(sevenbit) defines sevenbit::sevenbit, the shared library, and sevenbit::static.
if(NOT TARGET sevenbit::sevenbit)
  add_library(sevenbit::sevenbit SHARED IMPORTED)
  set_target_properties(sevenbit::sevenbit PROPERTIES
    IMPORTED_LOCATION "$libdir/libsevenbit.so.$version"
    IMPORTED_SONAME "libsevenbit.so.$abi"
    INTERFACE_INCLUDE_DIRECTORIES "$prefix/include")
  add_library(sevenbit::static STATIC IMPORTED)
  set_target_properties(sevenbit::static PROPERTIES
    IMPORTED_LOCATION "$libdir/libsevenbit.a"
    INTERFACE_INCLUDE_DIRECTORIES "$prefix/include"
    INTERFACE_LINK_LIBRARIES "m;pthread;dl")
endif()
CMAKE
cat >"${DESTDIR:-}$libdir/cmake/sevenbit/sevenbit-config-version.cmake" <<CMAKE
# Before 1.0 a new minor version is a new interface.
set(PACKAGE_VERSION "$version")
if(PACKAGE_FIND_VERSION VERSION_LESS_EQUAL PACKAGE_VERSION AND PACKAGE_FIND_VERSION VERSION_GREATER_EQUAL "$abi")
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
  if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
  endif()
endif()
CMAKE
echo "installed below ${DESTDIR:-}$prefix, libraries in ${DESTDIR:-}$libdir"
