#!/usr/bin/env bash
# The documents as a book with a search: dist/sevenbit-VERSION-book.tar.gz. It loads nothing from the network.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

cargo_tool mdbook
folder=sevenbit-$version-book
rm -rf "${work:?}/$folder"
mdbook build --dest-dir "$work/$folder"
if grep -rlE '(src|href)="(https?:)?//[^"]*\.(js|css|woff2?|png)"' "$work/$folder" --include='*.html'; then
    echo "these load something from elsewhere" >&2
    exit 1
fi
packed "$folder"
