# Read by each trial on a machine that boot.sh has started.

# A disposable copy: nothing outside of it is touched.
[ "$(hostname)" = trial.sevenbit.test ]

trap 'systemctl status --no-pager "sevenbit-*"; journalctl -o cat | tail -60' ERR

not() { if "$@"; then return 1; fi; }
soon() { for _ in $(seq 300); do if "$@"; then return 0; fi; sleep 0.1; done; "$@"; }
is_active() { [ "$(systemctl is-active "$1")" = active ]; }
log_has() { journalctl -o cat -u "$1" | grep -F "$2" >/dev/null; }
field() { systemctl show -p "$1" --value "$2"; }
# Sends a message with a raw Latin-1 subject to a port; the subject that arrives says how often it was treated.
send() { smtp-source -f a@example.org -t root@localhost -S "caf"$'\351'" $2" "127.0.0.1:$1"; }
arrives() { soon grep -qaxF "Subject: $1" /var/mail/root; }
# A reload returns before its processes are gone, and one of them may still take a message by the configuration of before.
postfix() { if [ "$1" = reload ]; then systemctl restart postfix@-; else command postfix "$@"; fi; }
# The block of docs/mta.md that has these words.
documented() {
    awk -v words="$1" '/^ *```/ { if (found) exit; inside = !inside; block = ""; next } inside { block = block $0 "\n" }
        inside && index($0, words) { found = 1 } END { printf "%s", block }' mta.md
}

# Postfix that delivers to this machine and sends nothing elsewhere, and soon tries again where nobody listened yet.
simple_postfix() {
    cat >/etc/postfix/main.cf <<'CF'
compatibility_level = 3.6
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = trial.sevenbit.test
mydestination = localhost, trial.sevenbit.test
mynetworks = 127.0.0.0/8
alias_maps =
alias_database =
milter_default_action = tempfail
local_header_rewrite_clients =
queue_run_delay = 1s
minimal_backoff_time = 1s
transport_retry_time = 1s
CF
}
