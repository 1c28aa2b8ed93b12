#!/usr/bin/env bash
# Follows docs/mta.md with each of the other servers that Debian has, on a machine as boot.sh starts it: the blocks as they
# are, the servers as their packages start them. Those that would replace Postfix come last, one after the other.
set -Eeuxo pipefail
cd /trial
. ./helpers.sh
trap 'tail -n 9 /var/log/*/*log; journalctl -o cat | tail -20' ERR
export DEBIAN_FRONTEND=noninteractive
sevenbit=/usr/local/bin/sevenbit

# From the files that root.sh has put there: this machine has no network.
add() { apt-get install -qq -y --no-download --no-install-recommends "$@" >/dev/null; }
# Runs a block in the background; `kill %%` ends it.
start() { documented "$1" | sed '$s/$/ \&/' >block; . ./block; }
# The part of a block that belongs into a file.
part() { documented "$1" | awk -v file="# $2" 'index($0, "#") == 1 { here = index($0, file) == 1; next } here'; }

. <(awk '/^ *```/ { inside = !inside; count += inside; next } inside && count == 1' packaging/README.md)
simple_postfix
postconf -M 127.0.0.1:10026/inet="127.0.0.1:10026 inet n - n - - smtpd -o smtpd_authorized_xforward_hosts=127.0.0.0/8"
postconf 'inet_protocols = all' # HAProxy listens on [::1]
systemctl start postfix@-
send_as() { smtp-source -f a@example.org -t "$1" -S "caf"$'\351'" $3" "$2"; }
normal='=?windows-1252?Q?caf=E9?='

: HAProxy before the gateway, and a next hop that is told the client
add haproxy
part 'send-proxy-v2' haproxy.cfg >>/etc/haproxy/haproxy.cfg
systemctl restart haproxy
postconf -MX 127.0.0.1:10026/inet
part 'send-proxy-v2' master.cf >>/etc/postfix/master.cf
postfix reload
start '--proxy-from'
soon send_as root@localhost '[::1]:2525' haproxy
arrives "$normal haproxy"
soon log_has 'postfix*' 'client=unknown[::1]'
kill %%

: Encryption to a next hop elsewhere
add openssl iproute2
ip address add 192.0.2.1/24 dev lo
ip address add 192.0.2.2/24 dev lo
echo '192.0.2.2 mx.example.org' >>/etc/hosts
mkdir -p /etc/ssl/private
certificate() { openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=$1" \
    -addext "subjectAltName=DNS:$1" -addext basicConstraints=critical,CA:FALSE -keyout "$2" -out "$3" 2>/dev/null; }
certificate gateway.example.org /etc/ssl/private/gateway.key /etc/ssl/gateway.pem
certificate mx.example.org mx.key mx.pem
cat mx.pem >>/etc/ssl/certs/ca-certificates.crt
cat mx.key mx.pem >/etc/postfix/mx.pem
postconf -M 192.0.2.2:25/inet='192.0.2.2:25 inet n - n - - smtpd -o smtpd_tls_security_level=encrypt -o smtpd_tls_chain_files=/etc/postfix/mx.pem'
postfix reload
start '--next-tls verify'
soon send_as root@localhost 192.0.2.1:25 encrypted
arrives "$normal encrypted"
openssl s_client -starttls smtp -connect 192.0.2.1:25 </dev/null 2>/dev/null | grep 'subject=CN = gateway.example.org'
kill %%

: rspamd before the milter
add rspamd
systemctl start rspamd
part '127.0.0.1:11332' main.cf >>/etc/postfix/main.cf
postconf -M 127.0.0.1:2501/inet='127.0.0.1:2501 inet n - n - - smtpd'
postfix reload
soon send 2501 rspamd
arrives "$normal rspamd"
# rspamd writes the line after its answer.
soon grep -qF 'from: <a@example.org>' /var/log/rspamd/rspamd.log
postconf -X smtpd_milters

: OpenDKIM before and after the milter
add opendkim opendkim-tools
opendkim-genkey -d example.org -s trial
chown opendkim trial.private
opendkim -f -b v -p inet:8890@127.0.0.1 &
opendkim -f -b s -d example.org -s trial -k trial.private -u opendkim -p inet:8892@127.0.0.1 &
documented 'inet:127.0.0.1:8890' >>/etc/postfix/main.cf
postfix reload
soon send 2501 signed
arrives "$normal signed"
grep -qa '^DKIM-Signature: .*d=example.org; s=trial' /var/mail/root
kill %% %-
postconf -X smtpd_milters

: LMTP to Dovecot
add dovecot-lmtpd dovecot-sieve
useradd --create-home alice
printf 'ssl = no\nauth_username_format = %%Ln\nmail_location = maildir:~/Maildir\n' >/etc/dovecot/conf.d/99-trial.conf
systemctl restart dovecot
mkdir -p /run/sevenbit
start 'unix:/run/dovecot/lmtp'
postconf 'mailbox_transport = lmtp:unix:/run/sevenbit/lmtp'
soon test -S /run/sevenbit/lmtp
chmod 666 /run/sevenbit/lmtp
postconf -M lmtp/unix='lmtp unix - - n - - lmtp'
postfix reload
for_alice() { grep -rqaxF "Subject: $1" /home/alice /var/mail/alice; }
send_as alice@localhost 127.0.0.1:10026 lmtp
soon for_alice "$normal lmtp"

: Sieve
documented sieve_filter_bin_dir | grep -v '^#' >>/etc/dovecot/conf.d/99-trial.conf
echo 'protocol lmtp {
  mail_plugins = $mail_plugins sieve
}' >>/etc/dovecot/conf.d/99-trial.conf
mkdir -p /usr/local/lib/dovecot/sieve-filter
documented 'exec /usr/local/bin/sevenbit' >/usr/local/lib/dovecot/sieve-filter/sevenbit
chmod 755 /usr/local/lib/dovecot/sieve-filter/sevenbit
mkdir /etc/dovecot/sieve
documented 'filter "sevenbit"' >/etc/dovecot/sieve/sevenbit.sieve
systemctl restart dovecot
kill %%
postconf 'mailbox_transport = lmtp:unix:/run/dovecot/lmtp'
postfix reload
soon send_as alice@localhost 127.0.0.1:10026 sieve
soon for_alice "$normal sieve"

: maildrop and procmail
add maildrop procmail
postconf -X mailbox_transport
documented xfilter >/home/alice/.mailfilter
documented ':0 fw' >/home/alice/.procmailrc
chown alice /home/alice/.mailfilter /home/alice/.procmailrc
chmod 600 /home/alice/.mailfilter /home/alice/.procmailrc
for program in maildrop procmail; do
    postconf "mailbox_command = /usr/bin/$program"
    postfix reload
    soon send_as alice@localhost 127.0.0.1:10026 "$program"
    soon for_alice "$normal $program"
done

# What is left of Postfix: its client, and a server that keeps what it is sent.
mkdir tools
cp -r /usr/sbin/smtp-source /usr/sbin/smtp-sink /usr/lib/postfix tools
export LD_LIBRARY_PATH=$PWD/tools/postfix
PATH=$PWD/tools:$PATH
postfix stop
useradd sink
keep() { smtp-sink -u sink -R /tmp -D "kept" "127.0.0.1:$1" 10 & sink=$!; }
arrives() { soon grep -qaxF "Subject: $1" /tmp/kept; }
gateway() { "$sevenbit" gateway --listen 127.0.0.1:10025 --next 127.0.0.1:10026 & }

: Exim by the gateway
add exim4-daemon-light
exim_with() {
    {
        printf '%s\n' 'local_interfaces = 127.0.0.1' "daemon_smtp_ports = $2" 'host_lookup =' 'acl_smtp_rcpt = allow' \
            'begin acl' 'allow:' '  accept'
        documented "$1"
    } >/etc/exim4/exim4.conf
    systemctl restart exim4
}
keep 10026
gateway
exim_with 'transport = to_sevenbit' 25
soon send_as b@example.org 127.0.0.1:25 exim
arrives "$normal exim"
kill $sink
: Exim by a pipe
exim_with transport_filter 2525
keep 25
soon send_as b@example.org 127.0.0.1:2525 piped
arrives "$normal piped"
kill $sink
keep 10026

: OpenSMTPD by the gateway
add opensmtpd
{ echo 'listen on lo'; documented 'action "to-sevenbit"'; } >/etc/smtpd.conf
systemctl restart opensmtpd
soon send_as b@example.org 127.0.0.1:25 opensmtpd
arrives "$normal opensmtpd"
systemctl stop opensmtpd

: Sendmail by the milter
add sendmail-bin sendmail-cf m4
{ printf '%s\n' "define(\`SMART_HOST', \`esmtp:[127.0.0.1]')dnl" "define(\`ESMTP_MAILER_ARGS', \`TCP \$h 10026')dnl" \
    "FEATURE(\`promiscuous_relay')dnl" "FEATURE(\`accept_unresolvable_domains')dnl" "FEATURE(\`nocanonify')dnl"
    documented INPUT_MAIL_FILTER; } >added
sed '/^MAILER_DEFINITIONS/,$d' /etc/mail/sendmail.mc >sendmail.mc
{ cat added; echo "MAILER(\`smtp')dnl"; } >>sendmail.mc
m4 sendmail.mc >/etc/mail/sendmail.cf
systemctl restart sendmail
soon send_as b@example.org 127.0.0.1:25 sendmail
arrives "$normal sendmail"
echo "all of it was tried"
