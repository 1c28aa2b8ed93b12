#!/usr/bin/env bash
# Makes every artefact of a release in dist/, with checksums, and tries each in an empty Debian. On a Debian 12 as root; what is
# missing is installed. release.sh [ARTEFACT]...: workflows, binary, reproducible, c, deb, rpm, container, crate, recipes, wheels, npm, book, sbom;
# all if none is named.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

artefacts=("$@")
[ $# -gt 0 ] || artefacts=(workflows binary reproducible c deb rpm container crate recipes wheels npm book sbom)
packaging/metadata.py check
for artefact in "${artefacts[@]}"; do
    packaging/"$artefact".sh
done
(cd "$dist" && find . -type f ! -name 'SHA256SUMS*' -printf '%P\n' | sort | xargs -r sha256sum >SHA256SUMS)
step "$(wc -l <"$dist/SHA256SUMS") files in $dist"
[ $# -gt 0 ] || packaging/test.sh
