"""How fast archives are read in Spark on this machine: compared with the command alone, and with Python's own `mailbox` and
`email` in the same session. One run, for its ratios; the quickest of three for each, a single one for `email`.

    target/python/spark/bin/python python/measure/spark.py [MEGABYTES]

An mbox file of that many megabytes (2,048 by default) is made from the SpamAssassin corpus if that is beside the
project, and a tree of its 6,044 files. Every way has to give as many messages, and ours the command's octets.
"""

import hashlib
import mailbox
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable

import pyarrow as pa
from archive import COMMAND, PROJECT, real_mail, write_mbox
from pyspark.sql import DataFrame, SparkSession

import sevenbit.spark
from sevenbit import lake


def make(folder: Path, megabytes: int) -> int:
    """The tree and the mbox file; returns the messages of the file."""
    mail = real_mail()
    (folder / "tree").mkdir()
    for number, message in enumerate(mail):
        (folder / "tree" / f"{number:05}.eml").write_bytes(message)
    return write_mbox(folder / "mail.mbox", mail, megabytes) * len(mail)


def timed(work: Callable[[], Any], rounds: int = 3) -> tuple[float, Any]:
    """How long the quickest of some rounds took, and the result of the last."""
    best = float("inf")
    for _ in range(rounds):
        began = time.perf_counter()
        result = work()
        best = min(best, time.perf_counter() - began)
    return best, result


def command(source: Path, *arguments: str | Path) -> None:
    with subprocess.Popen([COMMAND, "normalize", "-q", "--jobs", "2", *arguments, source], stdout=subprocess.DEVNULL) as running:
        pass
    assert running.returncode in (0, 1), running.returncode  # with --check, 1 says that there is something to do


def command_writes(source: Path, out: Path) -> None:
    if out.is_dir():
        shutil.rmtree(out)
    command(source, "-o", out)


def measured(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """How many messages and octets there are, a digest of them that does not depend on their order, and the worker's memory."""
    rows = octets = digest = 0
    for batch in batches:
        for value in batch.column(0):
            message = value.as_py()
            rows, octets = rows + 1, octets + len(message)
            digest = (digest + int.from_bytes(hashlib.sha256(message).digest()[:7])) % (1 << 56)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield pa.RecordBatch.from_pydict({"rows": [rows], "octets": [octets], "digest": [digest], "memory": [memory]})


def counted(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    rows = octets = 0
    for batch in batches:
        rows, octets = rows + batch.num_rows, octets + batch.column(0).nbytes
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield pa.RecordBatch.from_pydict({"rows": [rows], "octets": [octets], "digest": [0], "memory": [memory]})


def memory_of_reading(path: str) -> int:
    """The memory in KiB of a process that does a worker's job with its partitions."""
    for share in lake.plan(path):
        for _ in lake.read(share, columns=["octets"]):
            pass
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


FORM = "rows bigint, octets bigint, digest bigint, memory bigint"


def by_email(paths: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Python's own modules: one file is one task, because nothing in them splits an mbox."""
    import email.policy

    policy = email.policy.SMTP.clone(cte_type="7bit")
    rows = 0
    for batch in paths:
        for path in batch.column(0).to_pylist():
            box = mailbox.mbox(path, create=False)
            for key in box.keys():
                rows += 1
                try:
                    email.message_from_bytes(box.get_bytes(key), policy=policy).as_bytes(policy=policy)
                except Exception:
                    pass
    yield pa.RecordBatch.from_pydict({"rows": [rows], "octets": [0], "digest": [0], "memory": [0]})


def main(megabytes: int = 2048) -> None:
    with tempfile.TemporaryDirectory(prefix="sevenbit-") as name:
        folder = Path(name)
        messages = make(folder, megabytes)
        box = folder / "mail.mbox"
        alone, _ = timed(lambda: command_writes(box, folder / "out.mbox"))
        (folder / "out.mbox").unlink()
        nowhere, _ = timed(lambda: command(box, "-o", "-"))
        files_alone, _ = timed(lambda: command_writes(folder / "tree", folder / "out"))
        files_nowhere, _ = timed(lambda: command(folder / "tree", "--check"))

        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as worker:
            reading = worker.submit(memory_of_reading, str(box)).result()

        spark = (
            SparkSession.builder.master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false")
            .config("spark.driver.memory", "2g")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .getOrCreate()
        )
        spark.sparkContext.setLogLevel("OFF")
        spark.dataSource.register(sevenbit.spark.MailSource)

        def table(path: Path) -> DataFrame:
            return spark.read.format("mail").option("columns", "octets").load(str(path))

        def read(path: Path, work: Any = counted) -> list[Any]:
            """All of it once more through Python, like a job that goes on there."""
            return table(path).mapInArrow(work, FORM).collect()

        def taken(path: Path) -> None:
            """Every row is made, and none kept: the cost for a job that goes on in Spark."""
            table(path).write.format("noop").mode("overwrite").save()

        for work in (read, taken):
            work(PROJECT / "corpus" / "mail")  # the session is warm
        ours, found = timed(lambda: read(box))
        in_spark, _ = timed(lambda: taken(box))
        files, of_files = timed(lambda: read(folder / "tree"))
        files_in_spark, _ = timed(lambda: taken(folder / "tree"))
        # Python's own in two tasks, with a tenth of the mail in each: that takes long enough.
        small = folder / "small"
        small.mkdir()
        make_small = (folder / "mail.mbox").open("rb")
        piece = make_small.read(min(box.stat().st_size, 60 << 20))
        piece = piece[: piece.rfind(b"\nFrom a@example.org ") + 1]
        for number in range(2):
            (small / f"{number}.mbox").write_bytes(piece)
        paths = spark.createDataFrame([(str(path),) for path in sorted(small.iterdir())], "path string").repartition(2)
        theirs, of_theirs = timed(lambda: paths.mapInArrow(by_email, FORM).collect(), 1)
        ours_small, of_ours = timed(lambda: read(small))
        digests = {sum(row.digest for row in read(small, measured)) % (1 << 56)}
        for batch in [measured(lake.read(str(small), columns=["octets"]))]:
            digests.add(sum(row["digest"] for each in batch for row in each.to_pylist()) % (1 << 56))
        spark.stop()

    assert sum(row.rows for row in found) == messages and len(digests) == 1
    assert sum(row.rows for row in of_ours) == sum(row.rows for row in of_theirs)
    megabytes_box = messages and sum(row.octets for row in found) / 1e6
    coming = max(row.memory for row in found)
    print(f"{messages:,} messages, {megabytes_box:,.0f} MB; MiB of memory: {reading >> 10} of a process that reads them,")
    print(f"{coming >> 10} of one of Python's that they are sent to\n")

    def against(seconds: float, written: float, unwritten: float) -> str:
        return f"{seconds:.2f} | {written / seconds:.2f} | {unwritten / seconds:.2f}"

    files_made = f"{sum(row.rows for row in of_files):,} files"
    print("| | seconds | of the command that writes | of the command that writes nothing | goal |\n|---|---:|---:|---:|---:|")
    print(f"| the command, two jobs, the mbox | {against(alone, alone, nowhere)} | |")
    print(f"| and nothing written | {against(nowhere, alone, nowhere)} | |")
    print(f"| Spark, two cores, the mbox as rows | {against(in_spark, alone, nowhere)} | 0.5 |")
    print(f"| and all rows through Python once more | {against(ours, alone, nowhere)} | |")
    print(f"| the command, two jobs, {files_made} | {against(files_alone, files_alone, files_nowhere)} | |")
    print(f"| and nothing written | {against(files_nowhere, files_alone, files_nowhere)} | |")
    print(f"| Spark, two cores, the files as rows | {against(files_in_spark, files_alone, files_nowhere)} | 0.3 |")
    print(f"| and all rows through Python once more | {against(files, files_alone, files_nowhere)} | |")
    print(f"\n{sum(row.rows for row in of_ours):,} messages in Spark: `mailbox` and `email` {theirs:.1f} seconds, `sevenbit`")
    print(f"{ours_small:.1f}, all rows through Python once more: {theirs / ours_small:.1f} times as fast (goal: 10).")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
