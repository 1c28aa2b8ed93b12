#!/usr/bin/env bash
# Tries the artefacts in dist/: each in an empty Debian of its own, without a compiler, a network, or anything of this machine,
# installed as packaging/README.md says; there it does the main job on corpus/mail, in less than a minute. Needs root.
# test.sh [TRIAL]...: those of packaging/trials, all of them if none is named.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[ "$(id -u)" = 0 ] || { echo "only root can make a root for a trial" >&2; exit 1; }
base=$work/root
if [ ! -e "$base/made" ]; then
    step "an empty Debian, with Python, Node.js and rpm, once"
    debian mmdebstrap
    rm -rf "$base"
    mmdebstrap --quiet --variant=minbase --include=python3-venv,nodejs,npm,rpm trixie "$base"
    touch "$base/made"
fi
if ls "$base"/usr/bin/*gcc* "$base"/usr/bin/cc "$base"/usr/bin/rustc 2>/dev/null; then
    echo "a compiler is in the empty root" >&2
    exit 1
fi

# The services from their packages, where systemd is process 1, and Debian's Postfix beside them.
milter() {
    debian debootstrap
    cli/tests/mta/systemd/root.sh
    cli/tests/mta/systemd/boot.sh /bin/true "${SEVENBIT_ROOT:-/opt/sevenbit-test-root}" packaging/trials/milter.sh "$dist" >"$work/milter.log" || {
        local status=$?
        tail -50 "$work/milter.log"
        [ "$status" = 77 ] || exit 1 # no such machine can be made here, which was said
    }
}

# What the C library is tried with: compiled here against the files of its tarball, since nothing there can.
example() {
    mkdir -p "$work/example"
    tar -xf "$dist/libsevenbit-$version-x86_64-linux.tar.gz" -C "$work/example" --strip-components=1
    PKG_CONFIG_PATH=$work/example/lib/pkgconfig
    export PKG_CONFIG_PATH
    cc capi/tests/corpus.c $(pkg-config --cflags --libs sevenbit) -o "$work/example/program"
}

# In namespaces of its own: a copy-on-write copy of the root, the artefacts, the messages, and the trial.
inside() {
    mount -t tmpfs none /mnt
    mkdir /mnt/changed /mnt/work /mnt/root
    mount -t overlay overlay -o "lowerdir=$base,upperdir=/mnt/changed,workdir=/mnt/work" /mnt/root
    cd /mnt/root
    mkdir -p trial
    cp -rT "$dist" trial/dist
    cp -r "$root/packaging/README.md" "$root/corpus" "$root/packaging/trials" trial/
    [ ! -e "$work/example/program" ] || cp "$work/example/program" trial/
    mount -t proc proc proc
    mount --bind /dev dev
    exec env -i DEBIAN_FRONTEND=noninteractive PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root chroot . \
        timeout 60 bash -euo pipefail -c 'cd /trial; . trials/compare.sh; . "trials/$0.sh"' "$1"
}
export -f inside
export base dist work root

trials=("$@")
[ $# -gt 0 ] || trials=($(cd packaging/trials && ls *.sh | grep -v compare | sed 's/\.sh$//'))
for trial in "${trials[@]}"; do
    [ "$trial" != c ] || example
    started=$(date +%s)
    case $trial in
    milter) milter ;;
    *) unshare --mount --pid --fork --kill-child --net --propagation private bash -euo pipefail -c 'inside "$0"' "$trial" ;;
    esac
    step "$trial: $(($(date +%s) - started)) s"
done
