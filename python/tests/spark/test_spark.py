"""Archives in real Spark, on this machine: the output is, octet for octet, that of the command."""

import contextlib
import gzip
import io
import json
import mailbox
import os
import signal
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from conftest import PROJECT, SHARED, bulk, own_mail

import sevenbit

pytest.importorskip("pyspark", reason="no Spark here: tests/spark/install.sh")

import pyarrow as pa
from pyspark import cloudpickle
from pyspark.sql import SparkSession
from pyspark.sql.datasource import InputPartition
from pyspark.sql.functions import col, explode

import sevenbit.lake
import sevenbit.spark
from sevenbit.spark import MailSource

COMMAND = Path(os.environ.get("SEVENBIT", PROJECT / "target" / "release" / "sevenbit"))
MAILBOXES = PROJECT / "corpus" / "mailboxes"

os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable


def session(master: str) -> SparkSession:
    spark = (
        SparkSession.builder.master(master)
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "1g")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.python.filterPushdown.enabled", "true")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("OFF")
    spark.dataSource.register(MailSource)
    return spark


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    """Tasks are tried four times, so that one session is enough."""
    spark = session("local[2,4]")
    yield spark
    spark.stop()


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Messages: the project's own, and some of the real mail, or all of it with SEVENBIT_MAIL=all."""
    step = 1 if os.environ.get("SEVENBIT_MAIL") == "all" else 50
    tree = tmp_path_factory.mktemp("mail") / "tree"
    tree.mkdir()
    for path in own_mail():
        (tree / path.name).write_bytes(path.read_bytes())
    if SHARED.exists():
        for number, message in islice(enumerate(bulk()), 0, None, step):
            (tree / f"bulk-{number:05}.eml").write_bytes(message)
        files = (path for path in sorted((SHARED / "dev").rglob("*")) if path.is_file())
        for number, path in islice(enumerate(files), 0, None, step):
            (tree / f"dev-{number:05}.eml").write_bytes(path.read_bytes())
    return tree


def command(*arguments: object) -> None:
    subprocess.run([COMMAND, "normalize", *map(str, arguments)], check=False, capture_output=True)


@pytest.fixture(scope="module")
def expected(tree: Path) -> dict[str, bytes]:
    """The command's output for each."""
    command("--format", "eml", tree, "-o", tree.parent / "expected")
    found = {path.name: path.read_bytes() for path in (tree.parent / "expected").iterdir()}
    assert len(found) == len(list(tree.iterdir())) > 100
    return found


def test_a_tree_is_what_the_command_makes_of_it(spark: SparkSession, tree: Path, expected: dict[str, bytes]) -> None:
    reader = spark.read.format("mail").option("columns", "path,octets,error").option("splitOctets", 1 << 16)
    table = reader.load(str(tree))
    assert table.rdd.getNumPartitions() > 1
    rows = table.collect()
    assert {Path(row.path).name: bytes(row.octets) for row in rows} == expected
    assert len(rows) == len(expected) and not [row for row in rows if row.error]


def test_a_column_is_what_the_command_makes_of_it(spark: SparkSession, tree: Path, expected: dict[str, bytes]) -> None:
    files = spark.read.format("binaryFile").load(str(tree))
    rows = sevenbit.spark.normalize(files, keep=["path"]).collect()
    # Spark's own source leaves out files that are empty.
    not_empty = {path.name: expected[path.name] for path in tree.iterdir() if path.stat().st_size}
    assert {Path(row.path).name: bytes(row.octets) for row in rows} == not_empty
    everything = sevenbit.spark.normalize(files.limit(3), columns=["subject", "changed"], profile="transport")
    assert everything.columns == ["path", "modificationTime", "length", "subject", "changed"]
    assert everything.count() == 3
    with pytest.raises(ValueError, match="'profile'"):
        sevenbit.spark.normalize(files, profile="?")


def whole(spark: SparkSession, path: Path, **options: Any) -> list[tuple[Any, ...]]:
    reader = spark.read.format("mail").option("columns", "offset,subject,octets,error")
    for name, value in options.items():
        reader = reader.option(name, value)
    return sorted((row.offset, row.subject, bytes(row.octets), row.error) for row in reader.load(str(path)).collect())


def test_an_mbox_is_the_same_however_it_is_cut(spark: SparkSession, tmp_path: Path) -> None:
    path = SHARED / "bulk" / "spamassassin-easy-ham-1.mbox"
    path = path if path.exists() and os.environ.get("SEVENBIT_MAIL") == "all" else MAILBOXES / "mboxrd.mbox"
    uncut = whole(spark, path, splitOctets=1 << 40)
    for split in (1 << 16, 1 << 20, 1 << 26) if path.stat().st_size > 1 << 20 else (100, 1000):
        assert whole(spark, path, splitOctets=split) == uncut, split
    command("--to", "maildir", path, "-o", tmp_path / "out")
    written = mailbox.Maildir(tmp_path / "out", create=False)
    by_command = sorted(written.get_bytes(key).replace(b"\r\n", b"\n") for key in written.keys())
    assert by_command == sorted(octets.replace(b"\r\n", b"\n") for _, _, octets, _ in uncut)


def test_every_column_has_its_type(spark: SparkSession, tree: Path) -> None:
    table = spark.read.format("mail").load(str(tree / "*.eml"))
    assert table.columns == list(sevenbit.spark.COLUMNS)
    assert not {"octets", "changed", "codes"} & set(table.columns), "counting normalises nothing"
    everything = spark.read.format("mail").option("columns", ",".join(sevenbit.spark._TYPES)).load(str(tree / "*.eml"))
    assert everything.columns == list(sevenbit.spark._TYPES)
    rows = everything.collect()
    assert any(row.headers.get("received") for row in rows) and any(row.attachments for row in rows)
    row = table.where(col("date").isNotNull() & col("subject").isNotNull()).first()
    assert row is not None and isinstance(row.date, datetime) and row["from"][0].address
    codes = {row.code for row in everything.select(explode("codes").alias("code")).distinct().collect()}
    assert "raw-header-text" in codes
    chosen = spark.read.format("mail").schema("subject string, path string").load(str(tree))
    assert chosen.columns == ["subject", "path"] and chosen.count() == table.count()


def test_filters_are_pushed_down(spark: SparkSession, tree: Path) -> None:
    def load(pushdown: str) -> Any:
        reader = spark.read.format("mail").option("columns", "path,date,subject").option("pushdown", pushdown)
        return reader.load(str(tree))

    some = [str(path) for path in sorted(tree.iterdir())[:3]]
    for condition in (
        col("path") == some[0],
        col("path").isin(some),
        col("path").startswith(str(tree)) & (col("date") >= datetime(2025, 1, 1)),
        col("date") < datetime(2002, 9, 1),
    ):
        with_it, without = load("true").where(condition), load("false").where(condition)
        assert sorted(with_it.collect()) == sorted(without.collect())
        assert with_it.rdd.getNumPartitions() <= without.rdd.getNumPartitions()
    assert load("true").where(col("path") == some[0]).rdd.getNumPartitions() == 1


def test_a_broken_file_is_a_row(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "a.eml").write_bytes(b"Subject: a\r\n\r\n")
    (tmp_path / "b.gz").write_bytes(b"\x1f\x8b broken")
    rows = {Path(row.path).name: row for row in spark.read.format("mail").load(str(tmp_path)).collect()}
    assert rows["a.eml"].error is None and rows["b.gz"].error and rows["b.gz"].subject is None


def test_wrong_options_are_said_before_anything_is_read(spark: SparkSession, tree: Path) -> None:
    for name, value, said in (
        ("columns", "nothing", "columns"),
        ("columns", "subjekt", "is it 'subject'"),
        ("profile", "?", "profile"),
        ("signed", "?", "signed"),
        ("colums", "path", "is it 'columns'"),
        ("mode", "PERMISIVE", "is it 'permissive'"),
        ("pathGlobFiltr", "*.eml", "is it 'pathGlobFilter'"),
        ("ignoreCorruptFiles", "yes", "'true' or 'false'"),
        ("splitOctets", "many", "splitOctets"),
        ("modifiedAfter", "yesterday", "modifiedAfter"),
    ):
        with pytest.raises(Exception, match=said):
            spark.read.format("mail").option(name, value).load(str(tree))
    with pytest.raises(Exception, match="the schema says which"):
        spark.read.format("mail").schema("subject string").option("columns", "subject,text").load(str(tree)).count()
    with pytest.raises(Exception, match="option 'columns' is unknown"):
        spark.createDataFrame([(b"x",)], "octets binary").write.format("mail").option("columns", "octets").mode("append").save(str(tree))
    with pytest.raises(ValueError, match="'path' is of files"):
        sevenbit.spark.normalize(spark.read.format("binaryFile").load(str(tree)), columns=["path", "subject"])
    with pytest.raises(Exception, match="date.*timestamp.*string"):
        spark.read.format("mail").schema("date string").load(str(tree)).count()


def test_a_mistyped_path_replaces_nothing(spark: SparkSession, tree: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "good")
    reader = spark.read.format("mail").option("columns", "path,octets,error")
    reader.load(str(tree / "a*.eml")).write.parquet(out)
    before = spark.read.parquet(out).count()
    for path in ("/typo", str(tree / "*.none")):
        with pytest.raises(Exception, match="PATH_NOT_FOUND"):
            reader.load(path).write.mode("overwrite").parquet(out)
        with pytest.raises(Exception, match="PATH_NOT_FOUND"):
            spark.read.format("mail").schema("path string").load(path).count()
    assert spark.read.parquet(out).count() == before > 0


def test_options_that_spark_has_elsewhere(spark: SparkSession, tmp_path: Path) -> None:
    for name in ("a.eml", "b.txt", "deep/c.eml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"From: a@example.org\r\nSubject: x\r\n\r\n")
    (tmp_path / "junk.eml").write_bytes(b"PK\x03\x04")
    (tmp_path / "gone.eml").symlink_to(tmp_path / "nowhere")
    (tmp_path / "broken.gz").write_bytes(b"\x1f\x8b broken")

    def names(**options: Any) -> list[str]:
        table = spark.read.format("mail").options(**options).load(str(tmp_path))
        return sorted(Path(row.path).name for row in table.collect())

    everything = ["a.eml", "b.txt", "broken.gz", "c.eml", "gone.eml", "junk.eml"]
    assert names() == everything
    assert names(mode="DROPMALFORMED") == ["a.eml", "b.txt", "c.eml"]
    assert names(pathGlobFilter="[ab]*.*") == ["a.eml", "b.txt", "broken.gz"]
    assert names(recursiveFileLookup=False) == [name for name in everything if name != "c.eml"]
    assert names(ignoreCorruptFiles=True) == ["a.eml", "b.txt", "c.eml", "junk.eml"]
    assert names(ignoreMissingFiles=True) == [name for name in everything if name != "gone.eml"]
    assert "a.eml" not in names(modifiedBefore="2020-01-01T00:00:00")
    with pytest.raises(Exception, match="octet 0"):
        names(mode="FAILFAST")
    reader = spark.read.format("mail").option("columnNameOfCorruptRecord", "_corrupt_record").option("columns", "path")
    rows = {Path(row.path).name: row["_corrupt_record"] for row in reader.load(str(tmp_path)).collect()}
    assert bytes(rows["junk.eml"]) == b"PK\x03\x04" and rows["a.eml"] is None


def test_a_damaged_tar_file_has_a_row_for_what_is_lost(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "mail.tar"
    with tarfile.open(path, "w") as members:
        for number in range(200):
            octets = f"Subject: {number}\r\n\r\n".encode()
            member = tarfile.TarInfo(f"{number}.eml")
            member.size = len(octets)
            members.addfile(member, io.BytesIO(octets))
    damaged = bytearray(path.read_bytes())
    damaged[100 * 1024 + 140] ^= 1
    path.write_bytes(damaged)
    rows = spark.read.format("mail").option("columns", "subject,error").load(str(path)).collect()
    assert len(rows) == 200 and [row.error is not None for row in rows].count(True) == 1


def test_a_tar_file_with_an_index_is_cut(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "mail.tar"
    with tarfile.open(path, "w") as members:
        for number in range(8):
            octets = f"Subject: {number}\r\n\r\n".encode() + b"text\r\n" * 120_000
            member = tarfile.TarInfo(f"{number}.eml")
            member.size = len(octets)
            members.addfile(member, io.BytesIO(octets))
    reader = spark.read.format("mail").option("columns", "path,offset,subject,size,error").option("splitOctets", 1 << 20)
    uncut = reader.load(str(tmp_path))
    assert uncut.rdd.getNumPartitions() == 1
    expected = sorted(uncut.collect())

    assert sevenbit.lake.index(tmp_path, least_octets=1) == [str(path)]
    for pushdown in ("false", "true"):
        cut = reader.option("pushdown", pushdown).load(str(tmp_path)).where(col("path") == str(path))
        assert cut.rdd.getNumPartitions() > 3 and sorted(cut.collect()) == expected


def test_a_stream_is_one_of_files(spark: SparkSession, tree: Path, tmp_path: Path) -> None:
    with pytest.raises(Exception, match="option 'log'"):
        spark.readStream.format("mail").load(str(tree)).writeStream.format("noop").start().processAllAvailable()
    inbox, out, checkpoint = tmp_path / "inbox", tmp_path / "out", tmp_path / "checkpoint"
    inbox.mkdir()
    # As docs/lake.md has it. The stream is stopped and begun again twice.
    for some in ("a*.eml", "b*.eml", "c*.eml"):
        for path in tree.glob(some):
            if path.stat().st_size:
                (inbox / path.name).write_bytes(path.read_bytes())
        files = spark.readStream.format("binaryFile").schema(spark.read.format("binaryFile").load(str(inbox)).schema)
        mail = sevenbit.spark.normalize(files.load(str(inbox)), keep=["path"])
        query = mail.writeStream.option("checkpointLocation", str(checkpoint)).trigger(availableNow=True)
        query.start(str(out), format="parquet").awaitTermination()
    rows = spark.read.parquet(str(out)).collect()
    octets = {Path(row.path).name: bytes(row.octets) for row in rows}
    assert len(rows) == len(octets) == len(list(inbox.iterdir())) > 10
    assert octets == {path.name: sevenbit.normalize(path.read_bytes()).octets for path in inbox.iterdir()}


def test_a_stream_of_mail_has_every_kind_of_file_once(spark: SparkSession, tmp_path: Path) -> None:
    inbox, out, checkpoint, log = (tmp_path / name for name in ("inbox", "out", "checkpoint", "log"))
    inbox.mkdir()
    wanted: list[str] = []

    def arrive(name: str, octets: bytes, subjects: list[str]) -> None:
        (tmp_path / "arriving").write_bytes(octets)
        (tmp_path / "arriving").rename(inbox / name)
        wanted.extend(subjects)

    def stream(**options: Any) -> None:
        reader = spark.readStream.format("mail").option("columns", "path,subject,error").option("log", str(log))
        query = reader.options(**options).load(str(inbox)).writeStream.option("checkpointLocation", str(checkpoint))
        query.trigger(availableNow=True).start(str(out), format="parquet").awaitTermination()
        rows = spark.read.parquet(str(out)).collect()
        assert sorted(row.subject for row in rows) == sorted(wanted) and not [row for row in rows if row.error]

    members = io.BytesIO()
    with tarfile.open(fileobj=members, mode="w") as packed:
        for name in "cd":
            member = tarfile.TarInfo(name)
            member.size = len(b"Subject: c\r\n\r\n")
            packed.addfile(member, io.BytesIO(f"Subject: {name}\r\n\r\n".encode()))
    arrive("a.mbox", b"".join(b"From a Thu Nov 19 10:00:00 2026\nSubject: a%d\n\nx\n\n" % number for number in range(3)), ["a0", "a1", "a2"])
    arrive("b.eml", b"Subject: b\r\n\r\n", ["b"])
    stream()
    stream()
    arrive("cd.tar", members.getvalue(), ["c", "d"])
    arrive("e.eml.gz", gzip.compress(b"Subject: e\r\n\r\n"), ["e"])
    for number in range(5):
        arrive(f"f{number}.eml", f"Subject: f{number}\r\n\r\n".encode(), [f"f{number}"])
    stream(maxFilesPerTrigger=2)
    assert len(list(log.iterdir())) == 1 + 4


STREAM = """
import sys
from pyspark.sql import SparkSession
import sevenbit.spark
inbox, out, checkpoint = sys.argv[1:4]
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
if sys.argv[4:]:
    spark.dataSource.register(sevenbit.spark.MailSource)
    reader = spark.readStream.format("mail").option("columns", "path,octets").option("log", sys.argv[4])
    mail = reader.option("maxFilesPerTrigger", 20).load(inbox)
else:
    schema = spark.read.format("binaryFile").load(inbox).schema
    files = spark.readStream.format("binaryFile").schema(schema).option("maxFilesPerTrigger", 20).load(inbox)
    mail = sevenbit.spark.normalize(files, keep=["path"])
query = mail.writeStream.option("checkpointLocation", checkpoint).trigger(availableNow=True)
query.start(out, format="parquet").awaitTermination()
"""


@pytest.mark.parametrize("source", ["binaryFile", "mail"])
def test_a_stream_that_is_killed_takes_every_file_once(spark: SparkSession, tmp_path: Path, source: str) -> None:
    inbox, out, checkpoint = tmp_path / "inbox", tmp_path / "out", tmp_path / "checkpoint"
    inbox.mkdir()
    for number in range(100):
        (inbox / f"{number}.eml").write_bytes(f"Subject: caf\u00e9 {number}\r\n\r\n".encode())
    command = [sys.executable, "-c", STREAM, str(inbox), str(out), str(checkpoint)]
    command += [str(tmp_path / "log")] if source == "mail" else []
    worker = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while worker.poll() is None and len(list((checkpoint / "offsets").glob("[0-9]*"))) < 2:
        time.sleep(0.01)
    assert worker.poll() is None, "it is done already"
    os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()
    subprocess.run(command, check=True, capture_output=True)
    rows = spark.read.parquet(str(out)).collect()
    octets = {Path(row.path).name: bytes(row.octets) for row in rows}
    assert len(rows) == len(octets) == 100
    assert octets == {path.name: sevenbit.normalize(path.read_bytes()).octets for path in inbox.iterdir()}


class Dying(MailSource):
    """Sources and sinks of which the first process is killed, as by `kill -9` or lack of memory; `marker` is a file that
    says that it was."""

    def __init__(self, options: dict[str, str]) -> None:
        self.marker = options["marker"]
        super().__init__({name: value for name, value in options.items() if name != "marker"})

    def killed_once(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The batches; after the first one the process is killed, if it is the first process."""
        marker = self.marker
        for batch in batches:
            yield batch
            try:
                os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                continue
            os.kill(os.getpid(), signal.SIGKILL)


class KilledReading(Dying):
    """Killed after the first rows that it has read."""

    @classmethod
    def name(cls) -> str:
        return "killed-reading"

    def reader(self, schema: Any) -> Any:
        reader = super().reader(schema)
        read = reader.read
        reader.read = lambda partition: self.killed_once(read(partition))  # type: ignore[method-assign]
        return reader


class KilledWriting(Dying):
    """Killed after the first rows that it has written."""

    @classmethod
    def name(cls) -> str:
        return "killed-writing"

    def writer(self, schema: Any, overwrite: bool) -> Any:
        writer = super().writer(schema, overwrite)
        write = writer.write
        writer.write = lambda iterator: write(self.killed_once(iterator))  # type: ignore[method-assign]
        return writer


cloudpickle.register_pickle_by_value(sys.modules[__name__])  # type: ignore[no-untyped-call]


def test_a_worker_that_is_killed_changes_nothing(spark: SparkSession, tree: Path, tmp_path: Path) -> None:
    spark.dataSource.register(KilledReading)
    marker = tmp_path / "marker"
    table = spark.read.format("killed-reading").option("marker", str(marker)).option("columns", "path,octets").load(str(tree))
    rows = sorted((row.path, bytes(row.octets)) for row in table.collect())
    assert marker.exists(), "nobody was killed"
    plain = spark.read.format("mail").option("columns", "path,octets").load(str(tree))
    assert rows == sorted((row.path, bytes(row.octets)) for row in plain.collect())


@pytest.mark.parametrize("layout", ["mbox", "eml"])
def test_a_writer_that_is_killed_loses_and_doubles_nothing(
    spark: SparkSession, tree: Path, tmp_path: Path, layout: str
) -> None:
    spark.dataSource.register(KilledWriting)
    out, marker = tmp_path / "out", tmp_path / "marker"
    table = spark.read.format("mail").option("columns", "octets").option("splitOctets", 1 << 14).load(str(tree / "[a-f]*.eml"))
    writer = table.write.format("killed-writing").option("layout", layout).option("marker", str(marker))
    writer.mode("append").save(str(out))
    assert marker.exists(), "nobody was killed"
    assert (out / "_SUCCESS").exists()
    back = spark.read.format("mail").option("columns", "octets").load(str(out)).collect()
    wanted = sorted(bytes(row.octets).rstrip() for row in table.collect())
    assert sorted(bytes(row.octets).rstrip() for row in back) == wanted


def test_a_bucket_is_written_and_read(spark: SparkSession, tree: Path) -> None:
    moto, s3fs = pytest.importorskip("moto.server"), pytest.importorskip("s3fs")
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    client = {"endpoint_url": f"http://{host}:{port}", "region_name": "eu-west-1"}
    s3fs.S3FileSystem(key="key", secret="secret", client_kwargs=client).mkdir("bucket")
    storage = {"storage.key": "key", "storage.secret": "secret", "storage.client_kwargs": json.dumps(client)}

    table = spark.read.format("mail").option("columns", "octets").option("splitOctets", 1 << 14).load(str(tree / "[a-f]*.eml"))
    wanted = sorted(bytes(row.octets).rstrip() for row in table.collect())

    def back() -> list[bytes]:
        rows = spark.read.format("mail").options(**storage).option("columns", "octets,error").load("s3://bucket/out").collect()
        assert not [row for row in rows if row.error]
        return sorted(bytes(row.octets).rstrip() for row in rows)

    for layout, mode, copies in (("mbox", "append", 1), ("eml", "append", 2), ("mbox", "append", 3), ("eml", "overwrite", 1)):
        table.write.format("mail").options(**storage).option("layout", layout).mode(mode).save("s3://bucket/out")
        assert back() == sorted(wanted * copies)

    server.stop()
    few = json.dumps({"retries": {"max_attempts": 1}, "connect_timeout": 1})
    with pytest.raises(Exception, match="(?i)connect"):
        spark.read.format("mail").options(**storage).option("storage.config_kwargs", few).schema("path string").load("s3://bucket/out").collect()


@pytest.mark.parametrize("layout", ["mbox", "eml"])
def test_what_is_written_is_read_again(spark: SparkSession, tree: Path, tmp_path: Path, layout: str) -> None:
    table = spark.read.format("mail").option("columns", "path,date,octets").load(str(tree / "[a-f]*.eml"))
    out = tmp_path / "out"
    for mode, copies in (("append", 1), ("append", 2), ("overwrite", 1)):
        table.write.format("mail").option("layout", layout).mode(mode).save(str(out))
        assert (out / "_SUCCESS").exists()
        back = spark.read.format("mail").option("columns", "octets").load(str(out)).collect()
        wanted = [bytes(row.octets).rstrip() for row in table.collect()] * copies
        assert sorted(bytes(row.octets).rstrip() for row in back) == sorted(wanted)


def test_a_job_with_a_name_is_written_once(spark: SparkSession, tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    table = spark.read.format("mail").option("columns", "octets").load(str(tree / "a*.eml"))
    once = table.count()
    for job, copies in (("2026-11-27", 1), ("2026-11-27", 1), ("2026-11-28", 2), ("2026-11-27", 2)):
        table.write.format("mail").option("job", job).mode("append").save(str(out))
        assert spark.read.format("mail").option("columns", "path").load(str(out)).count() == once * copies
    assert len(list(out.glob("_mail-*"))) == 2


def test_a_job_that_fails_leaves_what_was_there(spark: SparkSession, tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    table = spark.read.format("mail").option("columns", "octets").load(str(tree / "a*.eml"))
    table.write.format("mail").mode("append").save(str(out))
    before = sorted(path.name for path in out.iterdir())

    def fails(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield from batches
        raise OSError("no more")

    with pytest.raises(Exception, match="no more"):
        table.mapInArrow(fails, "octets binary").write.format("mail").mode("overwrite").save(str(out))
    # The job has failed with its first task; others may still be ending.
    deadline = time.monotonic() + 20
    while sorted(path.name for path in out.iterdir()) != before and time.monotonic() < deadline:
        time.sleep(0.1)
    assert sorted(path.name for path in out.iterdir()) == before
