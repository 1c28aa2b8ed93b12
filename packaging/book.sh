#!/usr/bin/env bash
# The documents as a book with a search: dist/sevenbit-VERSION-book.tar.gz. It loads nothing from the network, and each link in it leads
# somewhere: it is made of a copy of the documents as they lie in the project, those beside docs/ included.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

cargo_tool mdbook
folder=sevenbit-$version-book
pages=$work/book
rm -rf "${work:?}/$folder" "$pages"
mkdir -p "$pages"
git ls-files -z '*.md' 'docs/*' 'js/page/*.png' examples capi/include | xargs -0 cp --parents -t "$pages"
# Links of the list of chapters, from the project's folder instead of docs/.
sed -E 's#\]\(([^)]*)\)#](docs/\1)#; s#\(docs/\.\./#(#' docs/SUMMARY.md >"$pages/SUMMARY.md"
sed -i '/img.shields.io/d' "$pages/README.md"
cp book.toml "$pages"
MDBOOK_BOOK__SRC=. MDBOOK_BUILD__BUILD_DIR="$work/$folder" mdbook build "$pages"
packaging/links.py "$work/$folder"
packed "$folder"
