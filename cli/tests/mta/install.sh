#!/usr/bin/env bash
# The mail servers and programs that these tests drive, from Debian's packages. This starts none of them, and none needs
# to run; systemd runs only in a machine of its own (systemd/boot.sh). Packages that would replace Postfix (Sendmail, Exim,
# OpenSMTPD) are unpacked and not installed. swaks and aiosmtpd are not needed: the client and the sink are part of the tests
# (support/), because they have to send octets that no mail program sends (undeclared 8-bit, bare CR), keep what they receive
# octet for octet, and die in the middle of a command.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export DEBIAN_FRONTEND=noninteractive
apt="apt-get -o DPkg::Lock::Timeout=600"
$apt update -qq
# Installing a server would start it.
policy=/usr/sbin/policy-rc.d
[ -e "$policy" ] || { printf '#!/bin/sh\nexit 101\n' >"$policy"; chmod +x "$policy"; trap 'rm -f "$policy"' EXIT; }
$apt install -y --no-install-recommends postfix opendkim opendkim-tools miltertest maildrop procmail dovecot-sieve dovecot-lmtpd libidn12 m4 \
    systemd haproxy curl openssl rspamd debootstrap

unpacked=${SEVENBIT_SERVERS:-/opt/sevenbit-test-servers}
mkdir -p "$unpacked" && cd "$unpacked"
for package in sendmail-bin sendmail-cf exim4-daemon-light opensmtpd; do
    [ -e "$package" ] && continue
    apt-get download -qq "$package" 2>/dev/null && dpkg -x "$package"_*.deb "$package" || echo "not there: $package"
    rm -f "$package"_*.deb
done
# They require users of their own when they start.
for user in Debian-exim opensmtpd opensmtpq; do
    id "$user" >/dev/null 2>&1 || useradd --system --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin "$user"
done

# Haraka, of its own registry; Node.js is not installed here.
if command -v npm >/dev/null && [ ! -e "$unpacked/haraka/node_modules" ]; then
    mkdir -p "$unpacked/haraka"
    (cd "$unpacked/haraka" && npm install --omit=optional --no-audit --no-fund Haraka@3 >/dev/null)
fi

# A fresh Debian, for the units and blocks of the page (systemd/boot.sh).
"$here/systemd/root.sh"
