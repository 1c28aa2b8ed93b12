#!/usr/bin/env bash
# The Debian packages: sevenbit, sevenbit-mta, libsevenbit1, libsevenbit-dev. They hold the static command of binary.sh and the
# library of c.sh, and so install on every Debian and Ubuntu whose C library is not older than `glibc` in common.sh.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

debian debhelper dpkg-dev lintian
tree=$work/deb
files=$tree/sevenbit-$version/built
rm -rf "$tree"
mkdir -p "$files/usr"
cp -r packaging/debian "$tree/sevenbit-$version/"

tar -xf "$dist/sevenbit-$version-x86_64-linux.tar.gz" -C "$files/usr" --strip-components=1
mv "$files/usr/share/sevenbit" "$tree/shared"
install -D -m 644 "$files/usr/THIRD-PARTY.txt" "$files/usr/share/doc/sevenbit/THIRD-PARTY.txt"
step "the library, in Debian's folders"
packaging/c-install.sh x86_64-unknown-linux-gnu "$files" --libdir lib/x86_64-linux-gnu /usr
licences=$files/usr/share/doc/libsevenbit1
mkdir -p "$licences"
packaging/licences.py capi/Cargo.toml x86_64-unknown-linux-gnu >"$licences/THIRD-PARTY.txt"

step "units and configuration, with Debian's folders"
install -D -m 644 -t "$files/etc/sevenbit" "$tree"/shared/etc/*.conf
install -D -m 644 "$tree/shared/logrotate.d/sevenbit" "$files/etc/logrotate.d/sevenbit-mta"
install -D -m 644 -t "$files/lib/systemd/system" "$tree"/shared/systemd/*
install -D -m 644 -t "$files/usr/share/doc/sevenbit-mta" "$tree/shared/mta.md"
install -D -m 644 "$tree/shared/sysusers.d/sevenbit.conf" "$files/usr/lib/sysusers.d/sevenbit-mta.conf"
# Debian's smtpd lives in a chroot, and sees nothing else.
sed -i -e 's#/usr/local/bin/#/usr/bin/#' -e 's#^ListenStream=.*#ListenStream=/var/spool/postfix/sevenbit/milter.sock#' \
    "$files"/lib/systemd/system/*

step "packages"
cat >"$tree/sevenbit-$version/debian/changelog" <<END
sevenbit ($version) unstable; urgency=medium

  * Release $version: CHANGELOG.md has what changed.

 -- $(sed -n 's/^Maintainer: //p' packaging/debian/control)  $(date -uRd "@$SOURCE_DATE_EPOCH")
END
(cd "$tree/sevenbit-$version" && GLIBC=$glibc dpkg-buildpackage --build=binary --no-sign --host-arch amd64 >"$work/deb.log" 2>&1) || { tail -30 "$work/deb.log"; exit 1; }
lintian --no-cfg --allow-root --fail-on error,warning "$tree"/*.deb
cp "$tree"/*.deb "$dist"
