#!/usr/bin/env bash
# A fresh Debian with systemd and Postfix, and nothing else, for boot.sh; once.
set -euo pipefail
root=${SEVENBIT_ROOT:-/opt/sevenbit-test-root}
[ -e "$root/usr/sbin/postfix" ] ||
    debootstrap --variant=minbase --include=systemd,systemd-sysv,postfix,ca-certificates bookworm "$root" >/dev/null
