#!/usr/bin/env bash
# Starts systemd as process 1 of a copy-on-write copy of this machine, with processes, mounts, network and cgroups of
# its own, or of the root at ROOT, and runs trial.sh there, or TRIAL, which finds what is in DIST: boot.sh BINARY [ROOT
# [TRIAL DIST]]. Prints the output of the trial and exits with its status; 77 if no such machine can be made.
set -euo pipefail
binary=$(realpath "$1")
base=${2:-/}
here=$(cd "$(dirname "$0")" && pwd)
trial=$(realpath "${3:-$here/trial.sh}")
dist=${4:+$(realpath "$4")}
project=$(cd "$here/../../../.." && pwd)
not_tried() { echo "not tried: $1" >&2; exit 77; }

[ "$(id -u)" = 0 ] || not_tried "only root may start systemd"
for program in /lib/systemd/systemd /usr/bin/unshare /usr/bin/setpriv /usr/sbin/postfix /usr/sbin/smtp-source; do
    [ -x "$base/$program" ] || not_tried "$program is not installed (cli/tests/mta/install.sh)"
done
cgroups=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
[ -n "$cgroups" ] || not_tried "there are no cgroups of version 2"
cgroup=$cgroups/sevenbit-trial-$$
mkdir "$cgroup" 2>/dev/null || not_tried "no cgroup may be made"
machine=$(mktemp -d)
log=$(mktemp)
trap 'find "$cgroup" -depth -type d -exec rmdir {} \; ; rmdir "$machine"; rm -f "$log"' EXIT

# In its namespaces, before systemd takes over.
make_machine() {
    set -euo pipefail
    mount -t tmpfs none "$machine"
    cd "$machine"
    mkdir changed work root
    mount -t overlay overlay -o "lowerdir=$base,upperdir=changed,workdir=work" root
    cd root
    # Nothing that is shared by all machines on this kernel can be written.
    mount -t proc proc proc
    mount --bind proc/sys proc/sys
    mount -o remount,bind,ro proc/sys
    mount -t sysfs -o ro sysfs sys
    mount -t cgroup2 cgroup2 sys/fs/cgroup
    for name in dev run tmp; do mount -t tmpfs none "$name"; done
    chmod 1777 tmp
    for name in null zero full random urandom tty; do
        touch "dev/$name"
        mount --bind "/dev/$name" "dev/$name"
    done
    ln -s /proc/self/fd dev/fd
    mkdir dev/shm dev/pts
    mount -t devpts -o newinstance,ptmxmode=666 devpts dev/pts
    ln -s pts/ptmx dev/ptmx
    : >etc/fstab
    echo 7b177b177b177b177b177b177b177b17 >etc/machine-id
    # Without this machine's own services.
    rm -rf etc/systemd/system
    mkdir -p etc/systemd/system trial/target/release
    cp -r "$project/packaging" "$project/docs/mta.md" trial
    cp "$binary" trial/target/release/sevenbit
    cp "$trial" trial/trial.sh
    cp "$here/helpers.sh" trial
    [ -z "$dist" ] || cp -r "$dist" trial/dist
    touch trial/log
    mount --bind "$log" trial/log
    cat >etc/systemd/system/trial.service <<'UNIT'
[Unit]
Requires=basic.target
After=basic.target
SuccessAction=exit-force
SuccessActionExitStatus=0
FailureAction=exit-force
FailureActionExitStatus=1

[Service]
Type=oneshot
WorkingDirectory=/trial
ExecStart=/bin/bash /trial/trial.sh
StandardOutput=append:/trial/log
StandardError=inherit
UNIT
    echo trial.sevenbit.test >etc/hostname
}
export -f make_machine
export base binary here trial dist project machine log
status=0
(
    echo "$BASHPID" >"$cgroup/cgroup.procs"
    exec unshare --mount --pid --fork --kill-child --net --uts --ipc --cgroup --propagation private bash -c '
        bash -c make_machine || { echo "not tried: a machine of its own cannot be made" >&2; exit 77; }
        cd "$machine/root"
        exec env -i container=trial PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            chroot . /lib/systemd/systemd --unit=trial.service --log-target=journal --show-status=0'
) || status=$?
cat "$log"
exit "$status"
