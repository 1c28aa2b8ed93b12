#!/usr/bin/env bash
# A fresh Debian with systemd and Postfix, and nothing else, for boot.sh; once. The packages of the other servers are there as
# files, since the machines that boot.sh starts have no network: each is installed by its trial.
set -euo pipefail
root=${SEVENBIT_ROOT:-/opt/sevenbit-test-root}
[ -e "$root/usr/sbin/postfix" ] ||
    debootstrap --variant=minbase --include=systemd,systemd-sysv,postfix,ca-certificates bookworm "$root" >/dev/null

[ -e "$root/var/cache/apt/archives/servers" ] && exit
chroot "$root" apt-get update -qq
for packages in "haproxy openssl iproute2 rspamd dovecot-lmtpd dovecot-sieve maildrop procmail opendkim opendkim-tools" exim4-daemon-light opensmtpd \
    "sendmail-bin sendmail-cf m4"; do
    # shellcheck disable=SC2086 # several words
    DEBIAN_FRONTEND=noninteractive chroot "$root" apt-get install -qq -y --no-install-recommends --download-only $packages >/dev/null
done
touch "$root/var/cache/apt/archives/servers"
