"""Serves a message as a page on this machine: its HTML with its own pictures, and nothing that the sender could do with it.

python examples/python/serve.py corpus/mail/attack-at-sign-in-a-raw-name.eml 8000
"""

import base64
import html
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from wsgiref.simple_server import make_server

import sevenbit

PICTURES = ("image/gif", "image/jpeg", "image/png", "image/webp")

# A sandbox has no scripts, no forms and no part in the cookies of the site. Nothing is fetched, from here or from elsewhere.
HEADERS = [
    ("Content-Type", "text/html; charset=utf-8"),
    ("Content-Security-Policy", "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
]


def page(octets: bytes) -> str:
    """The HTML of a message, or its text as HTML."""
    message = sevenbit.parse(octets)
    files = {file.content_id: file for file in message.attachments}

    def address(content_id: str) -> str | None:
        file = files.get(content_id)
        # What a picture is, its octets say: a label may call anything one.
        if file is None or file.type_by_octets not in PICTURES:
            return None
        return f"data:{file.type_by_octets};base64,{base64.b64encode(file.octets).decode()}"

    return message.resolved_html(address) or f"<pre>{html.escape(message.text or '')}</pre>"


def application(octets: bytes) -> Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]:
    """The WSGI application that shows a message."""

    def answer(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        start("200 OK", HEADERS)
        return [page(octets).encode()]

    return answer


def main(path: str, port: str) -> None:
    with make_server("127.0.0.1", int(port), application(Path(path).read_bytes())) as server:
        print(f"http://127.0.0.1:{server.server_port}/")
        server.serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])
