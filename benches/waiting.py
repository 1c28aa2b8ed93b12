#!/usr/bin/env python3
"""How long a person waits for the command: one message, a directory of small messages beside `cp -r`, an mbox beside `cat`.

    cargo build --release
    benches/waiting.py [--messages N] [--rounds N] [--directory DIR]

Messages are made here: letters in German of half a kilobyte, one in ten in ISO-8859-1 without a label, so that it takes a guess.
The table is that of docs/performance.md: medians, and ratios within a round.
"""

import argparse
import shutil
import statistics
import subprocess
import tempfile
import time
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BINARY = ROOT / "target" / "release" / "sevenbit"

HEADER = """From: Anna <anna@example.org>
To: Bert <bert@example.net>
Date: Mon, 30 Nov 2026 10:{minute:02}:{second:02} +0100
Message-ID: <{number}@example.org>
Subject: Besprechung {number}
"""
LABEL = """MIME-Version: 1.0
Content-Type: text/plain; charset=us-ascii
"""
TEXT = """
Hallo Bert,

hier ist das Protokoll {number}. Es hat drei Punkte: den Termin, die Kosten und den Ort. Zum Termin gibt es zwei
Meinungen, die anderen beiden sind entschieden. Bitte lies es bis Freitag, dann schicke ich es weiter.

{greeting}
Anna
"""


def message(number, needs_guess):
    label, greeting = ("", "Schöne Grüße aus München") if needs_guess else (LABEL, "Bis bald")
    text = HEADER + label + TEXT
    filled = text.format(number=number, minute=number // 60 % 60, second=number % 60, greeting=greeting)
    return filled.replace("\n", "\r\n").encode("iso-8859-1")


def seconds(*command, output=None):
    """How long a command takes, whose output goes to a file."""
    with open(output or "/dev/null", "wb") as out:
        begin = time.monotonic()
        subprocess.run([str(word) for word in command], stdout=out, check=True)
        return time.monotonic() - begin


def normalize(*words):
    return [BINARY, "normalize", "--quiet", *words]


def compare(rounds, clean, ours, theirs):
    """Medians of both, and of their ratio; `clean` removes what they leave."""
    times = []
    for _ in range(rounds):
        clean()
        one = ours()
        clean()
        times.append((one, theirs()))
    clean()
    return [statistics.median(column) for column in (*zip(*times), (one / other for one, other in times))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--directory", type=Path)
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory(dir=arguments.directory) as folder:
        folder = Path(folder)
        many, out, mbox = folder / "many", folder / "out", folder / "mail.mbox"
        many.mkdir()
        with mbox.open("wb") as file:
            for number in range(arguments.messages):
                octets = message(number, number % 10 == 0)
                (many / f"{number:06}.eml").write_bytes(octets)
                file.write(b"From anna@example.org Mon Nov 30 10:00:00 2026\r\n" + octets + b"\r\n")
        plain, guessed = many / "000001.eml", many / "000000.eml"

        def clean():
            if out.is_dir():
                shutil.rmtree(out)
            else:
                out.unlink(missing_ok=True)

        def row(name, beside, rounds, ours, theirs):
            one, other, ratio = compare(rounds, clean, ours, theirs)
            print(f"| {name} | {one:.3g} | {other:.3g} ({beside}) | {ratio:.3g} |", flush=True)

        print("| | seconds | beside | times as long |\n|---|---:|---:|---:|")
        for name, path in (("one message", plain), ("one message whose charset is guessed", guessed)):
            row(name, "`cat`", 20 * arguments.rounds, partial(seconds, *normalize(path)), partial(seconds, "cat", path))
        row(
            f"a directory of {arguments.messages:,} messages",
            "`cp -r`",
            arguments.rounds,
            partial(seconds, *normalize(many, "-o", out)),
            partial(seconds, "cp", "-r", many, out),
        )
        row(
            f"the same as an mbox of {mbox.stat().st_size // 1_000_000} MB",
            "`cat`",
            arguments.rounds,
            partial(seconds, *normalize(mbox), output=out),
            partial(seconds, "cat", mbox, output=out),
        )


if __name__ == "__main__":
    main()
