#!/usr/bin/env bash
# c-install.sh TRIPLE FOLDER ARGUMENT...: the C library for a machine, below FOLDER, as capi/install.sh puts it there.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

cross "$1"
export CARGO_TARGET_DIR=$work/capi SEVENBIT_TRIPLE=$1 CARGO_PROFILE_RELEASE_STRIP=debuginfo
export SEVENBIT_CARGO="zigbuild --quiet --locked --target $1.$glibc ${std[*]}" DESTDIR=$2
capi/install.sh "${@:3}"
