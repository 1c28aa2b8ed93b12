"""How work grows with the archive and shrinks with processes, and what a store costs that speaks S3. One run; of three rounds the
quickest.

    target/python/test/bin/python python/measure/scaling.py [MEGABYTES]

Mboxes of an eighth of so many megabytes (1,024 by default), a quarter, a half and all are made from the SpamAssassin corpus, if that is
beside the project. One process reads them, and two do, from the disk; the largest also from a server on this machine that speaks as much
S3 as reading needs. Every way has to give as many rows.
"""

import os
import re
import resource
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from xml.sax.saxutils import escape

from archive import real_mail, write_mbox

from sevenbit import lake

SPAWN = get_context("spawn")
ROUNDS = 3


class Objects(BaseHTTPRequestHandler):
    """The files of a folder as the objects of a bucket: listed, looked at, and read in ranges."""

    protocol_version = "HTTP/1.1"
    folder: Path
    sent: Any
    """How many octets of objects were sent."""

    def do_HEAD(self) -> None:
        self.answer(is_head=True)

    def do_GET(self) -> None:
        self.answer(is_head=False)

    def answer(self, is_head: bool) -> None:
        _, _, key = urlsplit(self.path).path.lstrip("/").partition("/")
        file = self.folder / key
        if not key:
            found = "".join(
                f"<Contents><Key>{escape(each.name)}</Key><Size>{each.stat().st_size}</Size><ETag>x</ETag>"
                "<LastModified>2026-11-19T10:00:00.000Z</LastModified></Contents>"
                for each in sorted(self.folder.iterdir())
            )
            octets = f"<ListBucketResult><IsTruncated>false</IsTruncated>{found}</ListBucketResult>".encode()
            self.begin(200, len(octets), {"Content-Type": "application/xml"})
            self.wfile.write(octets)
            return
        if not file.is_file():
            self.begin(404, 0, {})
            return
        size = file.stat().st_size
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        start, last = (int(asked[1]), min(int(asked[2] or size), size - 1)) if asked else (0, size - 1)
        fields = {"ETag": '"x"', "Last-Modified": "Thu, 19 Nov 2026 10:00:00 GMT", "Content-Range": f"bytes {start}-{last}/{size}"}
        self.begin(206 if asked else 200, last + 1 - start, fields)
        if not is_head:
            with self.sent.get_lock():
                self.sent.value += last + 1 - start
            self.wfile.flush()
            with file.open("rb") as opened:
                while start <= last:
                    start += os.sendfile(self.connection.fileno(), opened.fileno(), start, last + 1 - start)

    def begin(self, status: int, length: int, fields: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(length), **fields}.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


def serve(folder: Path, address: Connection, sent: Any) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (Objects,), {"folder": folder, "sent": sent}))
    address.send(f"http://127.0.0.1:{server.server_port}")
    server.serve_forever()


def rows_of(share: lake.Share, options: dict[str, Any] | None) -> tuple[int, float, int]:
    """The number of its rows, the processor's time, and the most memory that the process has held so far."""
    began = time.process_time()
    rows = sum(batch.num_rows for batch in lake.read(share, columns=["octets"], storage_options=options))
    return rows, time.process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def timed(path: str, processes: int, messages: int, options: dict[str, Any] | None = None) -> str:
    """Seconds, seconds of the processor and mebibytes of a process, of the quickest of three rounds, as cells."""
    best = (float("inf"), 0.0, 0)
    with ProcessPoolExecutor(processes, mp_context=SPAWN) as workers:
        list(workers.map(abs, range(processes)))  # they have started
        for _ in range(ROUNDS):
            began = time.perf_counter()
            found = list(workers.map(partial(rows_of, options=options), lake.plan(path, storage_options=options)))
            took = time.perf_counter() - began
            assert sum(rows for rows, _, _ in found) == messages, (path, messages)
            best = min(best, (took, sum(used for _, used, _ in found), max(held for _, _, held in found) >> 10))
    return f"{best[0]:.2f} | {best[1]:.2f} | {best[2]}"


def main(megabytes: int = 1024) -> None:
    mail = real_mail()
    print("| from | MB | messages | processes | seconds | of the processor | MiB of a process |\n|---|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory(prefix="sevenbit-") as folder:
        for part in (8, 4, 2, 1):
            path = Path(folder) / "mail.mbox"
            messages = write_mbox(path, mail, megabytes // part) * len(mail)
            size = path.stat().st_size / 1e6
            for processes in (1, 2):
                print(f"| the disk | {size:,.0f} | {messages:,} | {processes} | {timed(str(path), processes, messages)} |", flush=True)

        here, there = SPAWN.Pipe()
        sent = SPAWN.Value("q")
        server = SPAWN.Process(target=serve, args=(Path(folder), there, sent), daemon=True)
        server.start()
        client = {"endpoint_url": here.recv(), "region_name": "eu-west-1"}
        options = {"key": "key", "secret": "secret", "client_kwargs": client}
        for processes in (1, 2):
            print(f"| S3 | {size:,.0f} | {messages:,} | {processes} | {timed('s3://bucket/mail.mbox', processes, messages, options)} |", flush=True)
        print(f"\nThe server has sent each octet {sent.value / (2 * ROUNDS * path.stat().st_size):.2f} times in each round.")
        server.terminate()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
