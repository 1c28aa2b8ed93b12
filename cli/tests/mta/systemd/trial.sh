#!/usr/bin/env bash
# Follows packaging/README.md and docs/mta.md on a machine with systemd and a Postfix to use, as boot.sh starts it.
set -Eeuxo pipefail
cd /trial
. ./helpers.sh

# A service that was just killed may be active still, without a process.
killed() { process=$(field MainPID sevenbit-milter) && [ "$process" -gt 0 ] && kill -9 "$process"; }

# The blocks of the README, as they are.
block() { awk -v n="$1" '/^ *```/ { inside = !inside; count += inside; next } inside && count == n' packaging/README.md; }
block 1 >install.sh
grep -q systemctl install.sh
. ./install.sh
is_active sevenbit-milter.socket

# Postfix: one port for each way to the filters.
simple_postfix
postconf -M 127.0.0.1:2501/inet="127.0.0.1:2501 inet n - n - - smtpd -o smtpd_milters=unix:/run/sevenbit/milter.sock"
postconf -M 127.0.0.1:2502/inet="127.0.0.1:2502 inet n - y - - smtpd -o smtpd_milters=unix:/sevenbit/milter.sock"
postconf -M 127.0.0.1:2503/inet="127.0.0.1:2503 inet n - n - - smtpd -o content_filter=smtp:[127.0.0.1]:10025"
postconf -M 127.0.0.1:10026/inet="127.0.0.1:10026 inet n - n - - smtpd -o smtpd_authorized_xforward_hosts=127.0.0.0/8"
rm -f /var/mail/root
systemctl start postfix@-

# The socket starts the milter; the mail server's group may use it, others may not.
not is_active sevenbit-milter.service
send 2501 one
arrives '=?windows-1252?Q?caf=E9?= one'
is_active sevenbit-milter.service
setpriv --reuid postfix --regid postfix --clear-groups test -w /run/sevenbit/milter.sock
not setpriv --reuid nobody --regid nogroup --clear-groups test -w /run/sevenbit/milter.sock

# A user of its own, without any privileges, and the environment of the unit.
process=$(field MainPID sevenbit-milter)
[ "$(stat -c %u "/proc/$process")" -gt 1000 ]
grep -qx $'CapBnd:\t0000000000000000' "/proc/$process/status"
grep -qx $'NoNewPrivs:\t1' "/proc/$process/status"
grep -qx $'Seccomp:\t2' "/proc/$process/status"
tr '\0' '\n' <"/proc/$process/environ" | grep -qx MALLOC_ARENA_MAX=2

# A reload reads the options; the log is in the journal.
printf 'listen = "systemd"\nmax-message = 10\non-too-large = "accept"\n' >/etc/sevenbit/milter.conf
systemctl reload sevenbit-milter
soon log_has sevenbit-milter 'options read again'
send 2501 two
arrives "caf"$'\351'" two"
soon log_has sevenbit-milter 'fate="too-large"'
cp packaging/etc/milter.conf /etc/sevenbit/

# While it is not running, mail waits in the socket's queue: stopped, started again, killed.
systemctl stop sevenbit-milter.service
send 2501 three
arrives '=?windows-1252?Q?caf=E9?= three'
systemctl restart sevenbit-milter
soon killed
# A sender whose connection the killed process still had is asked to try again (451).
soon send 2501 four
arrives '=?windows-1252?Q?caf=E9?= four'
soon log_has sevenbit-milter stopped
# However often it dies.
for _ in $(seq 7); do
    soon killed
    soon is_active sevenbit-milter.service
done
soon send 2501 again
arrives '=?windows-1252?Q?caf=E9?= again'

# If smtpd runs in a chroot, the socket is inside: the block of the README as `systemctl edit` writes it.
mkdir /etc/systemd/system/sevenbit-milter.socket.d
block 2 >/etc/systemd/system/sevenbit-milter.socket.d/override.conf
grep -q ListenStream=/var/spool /etc/systemd/system/sevenbit-milter.socket.d/override.conf
systemctl daemon-reload
systemctl stop sevenbit-milter.service
systemctl restart sevenbit-milter.socket
send 2502 five
arrives '=?windows-1252?Q?caf=E9?= five'

# The gateway.
systemctl enable --now sevenbit-gateway.service
soon is_active sevenbit-gateway.service
send 2503 six
arrives '=?windows-1252?Q?caf=E9?= six'
systemctl reload sevenbit-gateway
soon log_has sevenbit-gateway 'options read again'
systemctl stop sevenbit-gateway.service
[ "$(field Result sevenbit-gateway)" = success ]
soon log_has sevenbit-gateway stopped

# docs/mta.md, five minutes: except for the two lines that install, which need the internet.
documented 'cargo install' | grep -v '^apt-get \|^cargo ' >five.sh
grep -q 'sendmail -f' five.sh
. ./five.sh
arrives '=?windows-1252?Q?caf=E9?='
kill %1

# A Unix socket where smtpd, in a chroot, sees it: the second line as the user that it names.
systemctl stop sevenbit-milter.socket sevenbit-milter.service
rm -r /var/spool/postfix/sevenbit
documented 'install -d -o sevenbit' >socket.sh
sed '/^sevenbit /{s/^/setpriv --reuid sevenbit --regid sevenbit --clear-groups /;s/ *#.*/ \&/}' -i socket.sh
. ./socket.sh
is_theirs() { [ "$(stat -c '%U %G %a' /var/spool/postfix/sevenbit/milter.sock)" = 'sevenbit postfix 660' ]; }
soon is_theirs
send 2502 seven
arrives '=?windows-1252?Q?caf=E9?= seven'

# Each block as it is, in an otherwise new configuration.
cp /usr/share/postfix/master.cf.dist master.cf
use_block() {
    simple_postfix
    cp master.cf /etc/postfix/master.cf
    documented "$1" >block
    grep -q '^smtp inet' block && postconf -MX smtp/inet
    awk '/^# main.cf/ { file = "main.cf"; next } /^# master.cf/ { file = "master.cf"; next }
        file { print >> ("/etc/postfix/" file) }' block
    postfix reload
}
use_block 'where smtpd is in no chroot'
soon send 25 chroot
arrives '=?windows-1252?Q?caf=E9?= chroot'
kill %1

# The other ways that need nothing but Postfix.
: after the queue
use_block 'content_filter = sevenbit:'
documented 'sevenbit gateway --listen 127.0.0.1:10025' >gateway.sh
sed 's/$/ \&/' -i gateway.sh
. ./gateway.sh
soon send 25 eight
arrives '=?windows-1252?Q?caf=E9?= eight'
documented smtp-source >check.sh
. ./check.sh | grep -xF 'Subject: =?windows-1252?Q?caf=E9?='
: before the queue
use_block 'smtpd_proxy_filter='
soon send 25 nine
arrives '=?windows-1252?Q?caf=E9?= nine'
kill %2
: a program
mkdir -p /usr/local/lib/sevenbit
documented 'mktemp' >/usr/local/lib/sevenbit/pipe
chmod 755 /usr/local/lib/sevenbit/pipe
use_block 'content_filter=sevenbit:dummy'
soon send 25 ten
arrives '=?windows-1252?Q?caf=E9?= ten'
: a dry run
use_block 'no such block'
postconf -e 'smtpd_milters = inet:127.0.0.1:8895'
documented 'dry-run --report' >dry.sh
grep -c . dry.sh | grep -qx 2
. <(sed 1q dry.sh)
postfix reload
soon send 25 eleven
arrives "caf"$'\351'" eleven"
. <(sed 1d dry.sh) | grep raw-header-text
: rules
documented '[[rule]]' >rules.conf
sevenbit milter --config rules.conf --check-config --explain 'client=192.0.2.7 from=a@example.org rcpt=b@example.com' | grep backups
: a pipe for everything
printf 'Subject: caf\351\r\n\r\n' >in
documented '< in > out' >pipe.sh
. ./pipe.sh
grep -F 'Subject: =?windows-1252?Q?caf=E9?=' out
echo "all of it was tried"
