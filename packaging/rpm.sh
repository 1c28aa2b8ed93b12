#!/usr/bin/env bash
# RPMs of the static command and of the filters, from the tarball of binary.sh. rpmlint finds no errors. trials/rpm.sh
# installs them on a Debian; no system that uses RPM has.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

debian rpm rpmlint
rm -rf "$work/rpm"
mkdir -p "$work/rpm"
spec=$work/rpm/sevenbit.spec
repository=$(sed -n 's/^repository = "\(.*\)"/\1/p' packaging/metadata.toml)
sed -e "s/@VERSION@/$version/g" -e "s#@REPOSITORY@#$repository#" \
    -e "s/@DATE@/$(LC_ALL=C date -ud "@$SOURCE_DATE_EPOCH" '+%a %b %d %Y')/" -e '/^URL: *$/d' packaging/rpm/sevenbit.spec >"$spec"
rpmbuild -bb --quiet --define "_topdir $work/rpm" --define "_sourcedir $dist" "$spec"
rpmlint --ignore-unused-rpmlintrc --rpmlintrc packaging/rpm/rpmlintrc "$spec" "$work"/rpm/RPMS/*/*.rpm
cp "$work"/rpm/RPMS/*/*.rpm "$dist"
