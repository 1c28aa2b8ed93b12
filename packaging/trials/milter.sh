#!/usr/bin/env bash
# The filters from their packages, as README.Debian says, on a machine that cli/tests/mta/systemd/boot.sh has started: mail
# passes, also while they are upgraded, a changed configuration is kept, and nothing is left once they are purged.
set -Eeuxo pipefail
cd /trial
. ./helpers.sh
. packaging/trials/compare.sh
simple_postfix
rm -f /var/mail/root
postconf -M 127.0.0.1:2502/inet="127.0.0.1:2502 inet n - y - - smtpd"
systemctl start postfix@-

dpkg -i dist/sevenbit_*_amd64.deb dist/sevenbit-mta_*_all.deb
is_active sevenbit-milter.socket
not is_active sevenbit-gateway.service
getent passwd sevenbit
zcat -f /usr/share/doc/sevenbit-mta/README.Debian* | sed -n '/postconf -e/,/postfix reload/p' >two-lines.sh
grep -q smtpd_milters two-lines.sh
zcat -f /usr/share/doc/sevenbit-mta/mta.md* | grep -q '^## Postfix: the milter in five minutes'
# The command says the socket of the package.
sevenbit milter --config /etc/sevenbit/milter.conf --print-postfix | grep "smtpd_milters = $(sed -n "s/.*'smtpd_milters = \([^']*\)'.*/\1/p" two-lines.sh)'"
. ./two-lines.sh
send 2502 one
arrives '=?windows-1252?Q?caf=E9?= one'
is_active sevenbit-milter.service

# The administrator's own settings survive an upgrade, and mail passes after it.
echo 'header-report = "X-Sevenbit"' >>/etc/sevenbit/milter.conf
systemctl reload sevenbit-milter
upgraded dist/sevenbit_*_amd64.deb dist/sevenbit-mta_*_all.deb
tail -1 /etc/sevenbit/milter.conf | grep -q '^header-report'
is_active sevenbit-milter.socket
soon send 2502 two
arrives '=?windows-1252?Q?caf=E9?= two'
grep -qa '^X-Sevenbit: ' /var/mail/root

# The gateway, once it was told where mail goes.
postconf -M 127.0.0.1:10026/inet="127.0.0.1:10026 inet n - n - - smtpd -o smtpd_milters= -o smtpd_authorized_xforward_hosts=127.0.0.0/8"
postconf -M 127.0.0.1:2503/inet="127.0.0.1:2503 inet n - n - - smtpd -o smtpd_milters= -o content_filter=smtp:[127.0.0.1]:10025"
systemctl reload postfix@-
systemctl enable --now sevenbit-gateway
soon is_active sevenbit-gateway.service
soon send 2503 three
arrives '=?windows-1252?Q?caf=E9?= three'

dpkg -P sevenbit-mta sevenbit
not is_active sevenbit-milter.socket
not is_active sevenbit-milter.service
not is_active sevenbit-gateway.service
[ ! -e /etc/sevenbit ]
[ ! -e /lib/systemd/system/sevenbit-milter.socket ]
[ ! -e /etc/systemd/system/sockets.target.wants/sevenbit-milter.socket ]
echo "all of it was tried"
