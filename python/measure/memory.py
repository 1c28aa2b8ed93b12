"""Memory of a process that works on many messages, and on one of a gigabyte: memory.py [MESSAGES] [OCTETS].

MESSAGES of up to 10 MB, 10,000 by default, are normalised and read one after the other; each tenth of them prints how much the
process holds. Then one message of OCTETS, 2^30 by default, is normalised in a process of its own: peak over length.
"""

import multiprocessing
import random
import resource
import sys
import tempfile
from typing import IO

import sevenbit

MOST = 10_000_000
LINE = "Grüße aus Köln, heute ohne besondere Vorkommnisse, aber mit einer Zeile von üblicher Länge.\r\n".encode("windows-1252")
PLAIN = b"Greetings from Cologne, today without anything special, but with a line of the usual length.\r\n"
FILE = b"UEsDBBQAAAAIAAAAIQC2gziS/gAAAOECAAALAAAAX3JlbHMvLnJlbHOtksFKAzEQhu+C7xDm\r\n"


def message(length: int, line: bytes, charset: str) -> bytes:
    head = (
        "From: a@example.org\r\nX-Raw: \xe9\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\nMIME-Version: 1.0\r\n"
        f"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; charset={charset}\r\n\r\n"
    ).encode("latin-1")
    file = b"\r\n--b\r\nContent-Type: application/zip\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    half = max(0, length - len(head) - len(file) - 8) // 2
    return b"".join([head, line * (half // len(line)), file, FILE * (half // len(FILE)), b"\r\n--b--\r\n"])


def held() -> int:
    """MB in memory now."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() // 1_000_000


def many(count: int) -> None:
    chance = random.Random(42)
    for number in range(1, count + 1):
        length = int(MOST ** chance.uniform(0.5, 1))
        octets = message(length, chance.choice([LINE, PLAIN]), "windows-1252")
        sevenbit.normalize(octets, profile=chance.choice(["archive", "transport"]))
        read = sevenbit.parse(octets)
        assert read.text and read.attachments
        if number % max(1, count // 10) == 0:
            print(f"{number:>6} messages: {held()} MB", flush=True)


def write(file: IO[bytes], length: int, line: bytes, charset: str) -> None:
    file.write(message(length, line, charset))
    file.flush()


def one(length: int, line: bytes, charset: str) -> None:
    with tempfile.TemporaryFile() as file:
        # Made in another process: what that takes would be part of the peak.
        process = multiprocessing.get_context("fork").Process(target=write, args=(file, length, line, charset))
        process.start()
        process.join()
        file.seek(0)
        octets = file.read()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    made = sevenbit.normalize(octets)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    out = len(made.octets) / len(octets)
    print(f"{len(octets) / 1e6:.0f} MB, {charset}: peak {peak / len(octets):.2f} times its length; output {out:.2f}", flush=True)
    assert before * 1024 < 1.5 * len(octets), "the message itself took more"


def main() -> None:
    many(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
    length = int(sys.argv[2]) if len(sys.argv) > 2 else 1 << 30
    for line, charset in (PLAIN, "us-ascii"), (LINE, "windows-1252"):
        process = multiprocessing.get_context("spawn").Process(target=one, args=(length, line, charset))
        process.start()
        process.join()
        assert process.exitcode == 0


if __name__ == "__main__":
    main()
