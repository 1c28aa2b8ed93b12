#!/usr/bin/env python3
"""links.py BOOK: each link and picture in the pages of a book leads to a file in it; nothing is loaded from elsewhere."""
import pathlib
import re
import sys
import urllib.parse

LINK = re.compile(r'(?P<kind>href|src)="(?P<to>[^"]*)"')
# What a browser loads by itself.
LOADED = re.compile(r"\.(js|css|woff2?|png|svg|ico)$")


def faults(page):
    for found in LINK.finditer(page.read_text()):
        to = urllib.parse.urlsplit(urllib.parse.unquote(found["to"].replace("&amp;", "&")))
        if to.scheme in ("http", "https"):
            if found["kind"] == "src" or LOADED.search(to.path):
                yield f"{page}: loads {found['to']}"
        elif not to.scheme and to.path and not (page.parent / to.path).exists():
            yield f"{page}: {found['to']} leads nowhere"


def main(book):
    # That page has its links relative to wherever it is shown.
    pages = [page for page in pathlib.Path(book).rglob("*.html") if page.name not in ("404.html", "print.html", "toc.html")]
    found = [fault for page in pages for fault in faults(page)]
    print(f"{len(pages)} pages, {len(found)} faults")
    sys.exit("\n".join(found) or 0)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
