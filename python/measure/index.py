"""How much faster two processes read a tar file, one in zst frames, and a gz file of many members with an index. One run, for its
ratios.

    target/python/test/bin/python python/measure/index.py [MEGABYTES]

Each file has that many megabytes (2,048 by default) of the SpamAssassin corpus, if that is beside the project: its 6,044 messages as
members of a tar file, the same in zst frames of 1 MiB, and an mbox in gz members of 1 MiB, once or many times over. Every way has to give
as many rows.
"""

import gzip
import io
import logging
import sys
import tarfile
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pyarrow as pa
from archive import real_mail, write_mbox

from sevenbit import lake


def write_tar(path: Path, mail: list[bytes], megabytes: int) -> int:
    """Writes the messages as often as makes a tar file of that many megabytes; returns how often."""
    one = io.BytesIO()
    with tarfile.open(fileobj=one, mode="w", format=tarfile.GNU_FORMAT) as members:
        for number, message in enumerate(mail):
            member = tarfile.TarInfo(f"{number:05}.eml")
            member.size = len(message)
            members.addfile(member, io.BytesIO(message))
    copies = max(1, (megabytes << 20) // len(one.getvalue()))
    with path.open("wb") as file:
        for _ in range(copies):
            file.write(one.getvalue())
    return copies


def write_zst(path: Path, mail: list[bytes], megabytes: int) -> int:
    """The same in zst frames of 1 MiB."""
    with tempfile.NamedTemporaryFile() as members:
        copies = write_tar(Path(members.name), mail, megabytes)
        with path.open("wb") as file:
            while octets := members.read(1 << 20):
                file.write(pa.compress(octets, codec="zstd", asbytes=True))
    return copies


def write_gz(path: Path, mail: list[bytes], megabytes: int) -> int:
    """The same of an mbox in gz members of 1 MiB."""
    with tempfile.NamedTemporaryFile() as box:
        write_mbox(Path(box.name), mail, 1)
        octets = Path(box.name).read_bytes()
    one = b"".join(gzip.compress(octets[start : start + (1 << 20)]) for start in range(0, len(octets), 1 << 20))
    copies = max(1, (megabytes << 20) // len(octets))
    with path.open("wb") as file:
        for _ in range(copies):
            file.write(one)
    return copies


def rows_of(share: lake.Share) -> tuple[int, float]:
    """The number of its rows, and the processor's time."""
    began = time.process_time()
    return sum(batch.num_rows for batch in lake.read(share, columns=["octets"])), time.process_time() - began


def timed(path: Path, messages: int) -> list[tuple[int, float, float]]:
    """Shares, seconds, and seconds of the processor, of the middle one of three rounds of two processes: with one share, and with
    those of the index, by turns."""
    rounds = list[tuple[int, float, float]]()
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as workers:
        assert list(workers.map(abs, range(2))) == [0, 1]  # they have started
        for number in range(6):
            began = time.perf_counter()
            shares = lake.plan(path, split_octets=1 << 60 if number % 2 == 0 else lake.SPLIT_OCTETS)
            found = list(workers.map(rows_of, shares))
            took = time.perf_counter() - began
            assert sum(rows for rows, _ in found) == messages, (found, messages)
            rounds.append((len(shares), took, sum(used for _, used in found)))
    return [sorted(rounds[first::2], key=lambda each: each[1])[1] for first in range(2)]


def main(megabytes: int = 2048) -> None:
    logging.getLogger("sevenbit").setLevel(logging.ERROR)
    mail = real_mail()
    print("| | MB | messages | making the index | shares | seconds | of the processor |\n|---|---:|---:|---:|---:|---:|---:|")
    for name, write in (("mail.tar", write_tar), ("mail.tar.zst", write_zst), ("mail.mbox.gz", write_gz)):
        with tempfile.TemporaryDirectory(prefix="sevenbit-") as folder:
            path = Path(folder) / name
            messages = write(path, mail, megabytes) * len(mail)
            began = time.perf_counter()
            assert lake.index(path) == [str(path)]
            made = time.perf_counter() - began
            size = path.stat().st_size / 1e6
            for shares, took, used in timed(path, messages):
                print(f"| {name} | {size:,.0f} | {messages:,} | {made:.1f} | {shares} | {took:.1f} | {used:.1f} |", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
