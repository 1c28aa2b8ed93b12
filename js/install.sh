#!/usr/bin/env bash
# Installs the tools for building and testing here: node, npm and the packages in package.json; from Debian, the packages
# given as arguments.
set -euo pipefail
cd "$(dirname "$0")"

debian() {
    command -v apt-get >/dev/null || { echo "please install: $*" >&2; exit 1; }
    apt-get -o DPkg::Lock::Timeout=600 update -qq
    DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends "$@" >/dev/null
}

[ $# -eq 0 ] || debian "$@"
command -v npm >/dev/null || debian nodejs npm
[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --no-audit --no-fund --loglevel=error
