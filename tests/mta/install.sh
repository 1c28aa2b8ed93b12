#!/usr/bin/env bash
# The mail servers that these tests drive, from Debian's packages. None of them is started by this, and none needs to be.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
# Installing a server would start it.
policy=/usr/sbin/policy-rc.d
[ -e "$policy" ] || { printf '#!/bin/sh\nexit 101\n' >"$policy"; chmod +x "$policy"; trap 'rm -f "$policy"' EXIT; }
apt-get install -y --no-install-recommends postfix opendkim opendkim-tools miltertest
