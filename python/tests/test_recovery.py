"""Damaged packed mailboxes, beside the programs that unpack them: each message that is whole in what they write is a row.

    target/python/test/bin/python python/tests/test_recovery.py

prints the table of docs/lake.md.
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from sevenbit import lake

FILES = 200

def made(octets: bytes, command: list[str]) -> bytes:
    return subprocess.run(command, input=octets, capture_output=True, check=True).stdout


PACKERS = {
    "gz": [["gzip", f"-{level}"] for level in (1, 6, 9)],
    "zst": [["zstd", "-q", f"-{level}", check] for level in (1, 3, 12) for check in ("--check", "--no-check")],
    "bz2": [["bzip2", f"-{level}"] for level in (1, 5, 9)],
    "xz": [["xz", "-0"], ["xz", "-6"], ["xz", "-1", "--block-size=65536"], ["xz", "-0", "--check=crc32"], ["xz", "-0", "--check=none"]],
}
UNPACK = {"gz": ["gzip", "-dc"], "zst": ["zstd", "-q", "-dc"], "bz2": ["bzip2", "-dc"], "xz": ["xz", "-dc"]}


def mailbox(seed: random.Random) -> bytes:
    """An mbox with messages of many lengths, no two alike."""
    words = ["".join(seed.choices("abcdefghijklmnopqrstuvwxyz", k=seed.randint(2, 9))) for _ in range(3000)]
    found = []
    for number in range(seed.randint(60, 140)):
        lines = [" ".join(seed.choices(words, k=seed.randint(4, 10))) for _ in range(seed.choice((3, 30, 300)))]
        header = f"From: a{number}@example.org\nMessage-ID: <{number}.{seed.random()}@example.org>\nSubject: {lines[0]}\n"
        found.append(f"From a@example.org Thu Nov 19 10:00:00 2026\n{header}\n" + "\n".join(lines) + "\n\n")
    return "".join(found).encode()


def cut(packed: bytes, seed: random.Random) -> bytes:
    return packed[: seed.randrange(20, len(packed))]


def flipped(packed: bytes, seed: random.Random) -> bytes:
    octets = bytearray(packed)
    for _ in range(seed.choice((1, 1, 8))):
        octets[seed.randrange(len(octets))] ^= 1 << seed.randrange(8)
    return bytes(octets)


def zeroed(packed: bytes, seed: random.Random) -> bytes:
    length = seed.choice((16, 512, 4096))
    start = seed.randrange(max(1, len(packed) - length))
    return packed[:start] + bytes(length) + packed[start + length :]


def padded(packed: bytes, seed: random.Random) -> bytes:
    return packed + bytes(seed.choice((4, 512, 10240)))


def with_bad_end(packed: bytes, seed: random.Random) -> bytes:
    octets = bytearray(packed)
    octets[-seed.randint(1, 8)] ^= 1 << seed.randrange(8)
    return bytes(octets)


def followed(packed: bytes, seed: random.Random) -> bytes:
    return packed + seed.randbytes(seed.choice((1, 100, 5000)))


DAMAGES = [cut, flipped, zeroed, padded, with_bad_end, followed]


@dataclass
class Damaged:
    """A damaged file."""

    damage: str
    packed: bytes
    original: bytes

    @classmethod
    def of(cls, kind: str, number: int) -> "Damaged":
        """One of a number. Every third has several members, of which any may be damaged."""
        seed = random.Random(f"{kind} {number}")
        damage = DAMAGES[number % len(DAMAGES)]
        mailboxes = [mailbox(seed) for _ in range(seed.choice((1, 1, 3)))]
        parts = [made(each, seed.choice(PACKERS[kind])) for each in mailboxes]
        hit = seed.randrange(len(parts))
        parts[hit] = damage(parts[hit], seed)
        return cls(damage.__name__, b"".join(parts), b"".join(mailboxes))


Messages = Counter[tuple[str | None, int, str | None]]


def messages(path: Path) -> tuple[Messages, bool]:
    """The messages of a file but those of which nothing was read, and whether anything is wrong."""
    found, is_wrong = Messages(), False
    for batch in lake.read(path, columns=["message_id", "size", "text", "kind", "error"]):
        for row in batch.to_pylist():
            is_wrong |= row["error"] is not None or row["kind"] != "message"
            if row["kind"] == "message" and row["size"] is not None:
                found[row["message_id"], row["size"], row["text"]] += 1
    return found, is_wrong


def whole(unpacked: bytes, original: bytes, folder: Path) -> Messages:
    """The messages in what a program has unpacked. Of what differs from the original the last one may be cut anywhere."""
    if not unpacked:
        return Messages()
    path = folder / "unpacked.mbox"
    path.write_bytes(unpacked)
    found = list(messages(path)[0].elements())
    return Messages(found if unpacked == original else found[:-1])


@dataclass
class Result:
    damage: str
    theirs: int
    ours: int
    missing: int
    is_reported: bool
    """Whether there is an error where the program has one."""


def compared(kind: str, number: int, folder: Path) -> Result:
    damaged = Damaged.of(kind, number)
    path = folder / f"mail.mbox.{kind}"
    path.write_bytes(damaged.packed)
    unpacked = subprocess.run([*UNPACK[kind], str(path)], capture_output=True, check=False)
    theirs = whole(unpacked.stdout, damaged.original, folder)
    ours, is_wrong = messages(path)
    # Octets 00 between members and after the last are no damage.
    is_reported = is_wrong or unpacked.returncode == 0 or damaged.damage == "padded"
    return Result(damaged.damage, theirs.total(), ours.total(), (theirs - ours).total(), is_reported)


def results(kind: str, count: int) -> Iterator[Result]:
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            yield compared(kind, number, Path(folder))


IN_BLOCKS = ("flipped", "zeroed")


@pytest.mark.parametrize("kind", UNPACK)
def test_every_whole_message_that_its_program_unpacks_is_read(kind: str) -> None:
    if any(shutil.which(command) is None for command in (PACKERS[kind][0][0], UNPACK[kind][0])):
        pytest.skip(f"there is no {UNPACK[kind][0]}")
    for number, result in enumerate(results(kind, int(os.environ.get("SEVENBIT_DAMAGED", "40")))):
        assert result.is_reported, (kind, number, result)
        # The decoder of zst refuses some damaged blocks that the program reads as other text, before their checksum says so.
        assert result.missing == 0 or kind == "zst" and result.damage in IN_BLOCKS, (kind, number, result)


def main() -> None:
    print("| packed with | files | whole messages that the program unpacks | of these, rows | more rows | damage without `error` |")
    print("|---|---:|---:|---:|---:|---:|")
    for kind, command in UNPACK.items():
        all_results = list(results(kind, FILES))
        theirs = sum(result.theirs for result in all_results)
        missing = sum(result.missing for result in all_results)
        more = sum(result.ours for result in all_results) - (theirs - missing)
        silent = sum(not result.is_reported for result in all_results)
        print(f"| {kind} (`{' '.join(command)}`) | {len(all_results)} | {theirs:,} | {theirs - missing:,} | {more:,} | {silent} |")
        if "-v" in sys.argv:
            for number, result in enumerate(all_results):
                if result.missing or not result.is_reported:
                    print(number, result)


if __name__ == "__main__":
    main()
