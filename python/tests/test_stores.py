"""Stores other than the disk: what is committed counts once, whatever is killed; a store that goes away is an error, not a row."""

import gzip
import http.server
import io
import json
import random
import tarfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow")
fsspec = pytest.importorskip("fsspec")

import pyarrow as pa
import pyarrow.fs
from fsspec.implementations.memory import MemoryFileSystem

from sevenbit import _index, _parts, _stores, lake

FEW_RETRIES = {"config_kwargs": {"retries": {"max_attempts": 1}, "connect_timeout": 1, "read_timeout": 1}}


@dataclass
class Place:
    """A directory in a store."""

    url: str
    options: dict[str, Any] = field(default_factory=dict)

    def directory(self) -> Any:
        return _parts.Directory(*_stores.Stores(self.options).split(self.url))

    def put(self, name: str, octets: bytes) -> None:
        directory = self.directory()
        directory.make()
        directory.store.pipe_file(directory.path(name), octets)

    def rows(self, path: str = "", **arguments: Any) -> list[dict[str, Any]]:
        with lake.read(self.url + path, storage_options=self.options, **arguments) as batches:
            found: list[dict[str, Any]] = batches.read_all().to_pylist()
            return found

    def subjects(self, path: str = "", **arguments: Any) -> list[str]:
        try:
            found = self.rows(path, columns=["subject", "error"], **arguments)
        except FileNotFoundError:
            return []
        assert not [row for row in found if row["error"]]
        return sorted(row["subject"] for row in found)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """A server that speaks S3."""
    pytest.importorskip("s3fs")
    moto = pytest.importorskip("moto.server")
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


def s3(endpoint: str, **more: Any) -> dict[str, Any]:
    client = {"endpoint_url": endpoint, "region_name": "eu-west-1"}
    return {"key": "key", "secret": "secret", "client_kwargs": client, **more}


_numbers = count()


@pytest.fixture(params=["disk", "memory", "s3"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """An empty directory in each kind of store."""
    number = next(_numbers)
    if request.param == "disk":
        return Place(f"{tmp_path}/out")
    if request.param == "memory":
        return Place(f"memory://bucket-{number}/out")
    options = s3(request.getfixturevalue("server"))
    fsspec.filesystem("s3", **options).mkdir(f"bucket-{number}")
    return Place(f"s3://bucket-{number}/out", options)


class Killed(BaseException):
    """The process is killed: from then on nothing that it does reaches the store."""


class Dying:
    """A store that its process uses until, before one of the steps that change something, it is killed."""

    STEPS = ("open", "pipe", "pipe_file", "rm", "makedirs")

    def __init__(self, store: Any, last: int) -> None:
        self.store = store
        self.left = last
        self.is_dead = False

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.store, name)
        if not callable(found):
            return found

        def step(*arguments: Any, **options: Any) -> Any:
            if name in self.STEPS:
                self.left -= 1
            if self.is_dead or self.left < 0:
                self.is_dead = True
                raise Killed(name)
            return found(*arguments, **options)

        return step


@dataclass
class Run:
    """A run of a job that writes two parts, as Spark does it."""

    place: Place
    layout: str
    overwrite: bool
    job: str | None
    subjects: tuple[str, ...] = ("new 0", "new 1", "new 2")

    def run(self, last: int = 1 << 30) -> str | None:
        """Writes everything; returns the step before which the process was killed, if it was."""
        directory = self.place.directory()
        directory.store = Dying(directory.store, last)
        job = _parts.Job.called(self.job)
        write = _parts.write_mbox if self.layout == "mbox" else _parts.write_eml
        try:
            directory.make()
            parts = []
            for number, subjects in enumerate((self.subjects[:1], self.subjects[1:])):
                part = job.part(number, ".mbox" if self.layout == "mbox" else "")
                mail = (f"Subject: {subject}\r\n\r\nx\r\n".encode() for subject in subjects)
                assert write(directory.store, directory.path(part), ((octets, None) for octets in mail))
                parts.append(part)
            directory.commit(job, parts, self.overwrite)
        except Killed as killed:
            return str(killed)
        return None


@pytest.mark.parametrize("layout", ["mbox", "eml"])
@pytest.mark.parametrize("overwrite", [False, True], ids=["append", "overwrite"])
def test_a_job_that_is_killed_at_any_step_counts_whole_or_not_at_all(place: Place, layout: str, overwrite: bool) -> None:
    old, new = ["old 0", "old 1", "old 2"], ["new 0", "new 1", "new 2"]
    before, after = old, new if overwrite else sorted(new + old)
    table = []
    for last in count():
        here = Place(f"{place.url}/{last}", place.options)
        Run(here, layout, False, "the first", tuple(old)).run()
        assert here.subjects() == before

        run = Run(here, layout, overwrite, "the second")
        killed_before = run.run(last)
        found = here.subjects()
        assert found in (before, after)
        assert run.run() is None, "a retry succeeds"
        assert here.subjects() == after, "and doubles nothing"
        assert here.subjects("/*") == after == here.subjects("/part-*")
        assert run.run() is None and here.subjects() == after, "whether or not the run before it had succeeded"

        names = here.directory().names()
        parts = [name for name in names if name.startswith("part-")]
        assert len(parts) == (2 if overwrite else 4), "and leaves nothing else"
        table.append((killed_before, found == after))
        if killed_before is None:
            break
    # Nothing counts up to the moment of the manifest, everything from then on.
    counts = [is_there for _, is_there in table]
    assert counts == sorted(counts) and counts.count(False) >= 3 and counts.count(True) >= 2
    assert (table[counts.index(True) - 1][0]) == "pipe_file"


def test_jobs_without_a_name_are_each_their_own(place: Place) -> None:
    run = Run(place, "mbox", False, None)
    run.run()
    run.run()
    assert place.subjects() == sorted(2 * list(run.subjects))
    Run(place, "eml", True, None).run()
    assert place.subjects() == list(run.subjects)


def test_an_answer_that_is_lost_is_no_failure(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """The store has the manifest, but the writer hears of an error."""
    put = type(place.directory().store).pipe_file

    def lost(self: Any, path: str, octets: bytes, **options: Any) -> None:
        put(self, path, octets, **options)
        if "_mail-" in path:
            raise OSError("connection reset")

    run = Run(place, "mbox", False, None)
    with monkeypatch.context() as patched:
        patched.setattr(type(place.directory().store), "pipe_file", lost)
        run.run()
    assert place.subjects() == list(run.subjects)


def test_a_job_that_is_given_up_leaves_nothing(place: Place) -> None:
    Run(place, "mbox", False, "kept").run()
    names = sorted(place.directory().names())
    for layout in ("mbox", "eml"):
        job, directory = _parts.Job.called(None), place.directory()
        write = _parts.write_mbox if layout == "mbox" else _parts.write_eml
        write(directory.store, directory.path(job.part(0, ".mbox" if layout == "mbox" else "")), iter([(b"Subject: x\r\n\r\n", None)]))
        assert sorted(place.directory().names()) != names
        directory.abort(job)
        assert sorted(place.directory().names()) == names


def test_a_manifest_that_is_cut_short_counts_nothing(place: Place) -> None:
    Run(place, "mbox", False, "kept").run()
    [manifest] = [name for name in place.directory().names() if name.startswith("_mail-")]
    octets = place.directory().content(manifest)
    for length in range(0, len(octets) - 1, 40):
        place.put(manifest, octets[:length])
        assert place.subjects() == []
    place.put(manifest, octets)
    assert place.subjects() == ["new 0", "new 1", "new 2"]


def test_other_mail_in_the_directory_is_read_and_stays(place: Place) -> None:
    place.put("inbox.eml", b"Subject: inbox\r\n\r\n")
    place.put("part-of-older-version.mbox", b"From a Thu Nov 19 10:00:00 2026\nSubject: older\n\nx\n")
    Run(place, "mbox", False, None).run()
    assert place.subjects() == ["inbox", "new 0", "new 1", "new 2", "older"]
    Run(place, "mbox", True, None).run()
    assert place.subjects() == ["inbox", "new 0", "new 1", "new 2"]
    # A part that is named is read.
    [part, _] = sorted(name for name in place.directory().names() if name.startswith("part-"))
    assert place.subjects(f"/{part}") == ["new 0"]


def test_names_with_brackets(place: Place) -> None:
    for name in ("x[1].eml", "x1.eml", "d[2]/y.eml"):
        folder = name.rpartition("/")[0]
        Place(f"{place.url}/{folder}".rstrip("/"), place.options).put(name.rpartition("/")[2], f"Subject: {name}\r\n\r\n".encode())
    assert place.subjects("/x[1].eml") == ["x[1].eml"]
    assert place.subjects("/d[2]") == ["d[2]/y.eml"]
    assert place.subjects() == ["d[2]/y.eml", "x1.eml", "x[1].eml"]
    assert place.subjects("/x[0-9].eml") == ["x1.eml"] and place.subjects("/**/y.eml") == ["d[2]/y.eml"]


def test_a_tar_file_is_cut_by_an_index_beside_it(place: Place, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(_index, "GRAIN", 1)
    octets = io.BytesIO()
    with tarfile.open(fileobj=octets, mode="w") as members:
        for number in range(20):
            member, message = tarfile.TarInfo(f"{number}.eml"), b"Subject: %d\r\n\r\n" % number
            member.size = len(message)
            members.addfile(member, io.BytesIO(message))
    place.put("mail.tar", octets.getvalue())
    whole = place.rows()

    assert len(lake.index(place.url, least_octets=1, storage_options=place.options)) == 1
    shares = lake.plan(place.url, split_octets=2000, storage_options=place.options)
    assert len(shares) > 5
    found = [row for share in shares for batch in lake.read(share, storage_options=place.options) for row in batch.to_pylist()]
    assert found == whole == place.rows()

    place.put("mail.tar", octets.getvalue().replace(b"Subject: 1", b"Subject: 3"))
    assert len(lake.plan(place.url, split_octets=2000, storage_options=place.options)) == 1 and "of another version" in caplog.text


def test_an_empty_folder_has_a_schema(tmp_path: Path) -> None:
    batches = lake.read(tmp_path, columns=["subject", "date"])
    assert batches.schema == pa.schema([lake.SCHEMA.field("subject"), lake.SCHEMA.field("date")])
    assert batches.read_all().num_rows == 0


def test_a_file_system_that_is_given(tmp_path: Path) -> None:
    (tmp_path / "a.eml").write_bytes(b"Subject: x\r\n\r\n")
    (tmp_path / "b.mbox.gz").write_bytes(gzip.compress(b"From a Thu Nov 19 10:00:00 2026\nSubject: y\n\nx\n"))
    memory = MemoryFileSystem()
    memory.pipe_file("/given/a.eml", b"Subject: x\r\n\r\n")
    for filesystem, path, subjects in (
        (pyarrow.fs.LocalFileSystem(), str(tmp_path), ["x", "y"]),
        (pyarrow.fs.SubTreeFileSystem(str(tmp_path), pyarrow.fs.LocalFileSystem()), "a.eml", ["x"]),
        (memory, "/given", ["x"]),
        (memory, "memory://given/*.eml", ["x"]),
    ):
        assert sorted(row["subject"] for row in lake.read(path, columns=["subject"], filesystem=filesystem).read_all().to_pylist()) == subjects
        [share] = lake.plan(path, filesystem=filesystem)
        assert lake.read(share, columns=["subject", "mtime"], filesystem=filesystem).read_all().num_rows == len(subjects)
    with pytest.raises(TypeError, match="filesystem"):
        lake.plan(tmp_path, filesystem="s3")


# ---- a store that goes away


def test_a_store_that_is_not_there_is_an_error(server: str) -> None:
    gone = s3("http://127.0.0.1:9", **FEW_RETRIES)
    share = lake.Share((("s3://bucket/a.eml", 0, 1 << 40),))
    with pytest.raises(Exception, match="(?i)connect"):
        lake.read("s3://bucket/a.eml", storage_options=gone)
    for mode in ("permissive", "dropmalformed"):
        for select in (lake.Select(), lake.Select(ignore_corrupt=True), lake.Select(ignore_missing=True)):
            with pytest.raises(Exception, match="(?i)connect"):
                lake.read(share, mode=mode, select=select, storage_options=gone).read_all()
    bucket = fsspec.filesystem("s3", **s3(server))
    bucket.mkdir("small")
    for number in range(20):
        bucket.pipe_file(f"small/{number}.eml", b"Subject: x\r\n\r\n")
    [planned] = lake.plan("s3://small", storage_options=s3(server))
    with pytest.raises(Exception, match="(?i)connect"):
        lake.read(planned, storage_options=gone).read_all()
    with pytest.raises(FileNotFoundError, match="PATH_NOT_FOUND"):
        lake.read("s3://small/typo", storage_options=s3(server))


class Refusing(http.server.BaseHTTPRequestHandler):
    """A server that speaks S3, and knows nobody."""

    def do_GET(self) -> None:
        body = b"<Error><Code>InvalidAccessKeyId</Code><Message>unknown key</Message></Error>"
        self.send_response(403)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_HEAD = do_PUT = do_POST = do_GET

    def log_message(self, format: str, *arguments: Any) -> None:
        pass


def test_wrong_credentials_are_an_error() -> None:
    pytest.importorskip("s3fs")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Refusing)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    place = Place("s3://bucket/out", s3(f"http://127.0.0.1:{server.server_port}", **FEW_RETRIES))
    share = lake.Share((("s3://bucket/a.eml", 0, 1 << 40), ("s3://bucket/b.eml", 0, 1 << 40)), ((9, 0), (9, 0)))
    for attempt in (
        lambda: place.rows(),
        lambda: place.rows("/*.eml"),
        lambda: lake.read(share, mode="dropmalformed", storage_options=place.options).read_all(),
        lambda: Run(place, "mbox", False, None).run(),
        lambda: Run(place, "eml", True, None).run(),
    ):
        with pytest.raises(PermissionError):
            attempt()
    server.shutdown()


class Failing(MemoryFileSystem):  # type: ignore[misc]
    """A store of which every file breaks after some octets, with one error."""

    error: Exception
    cachable = False

    def cat_file(self, path: str, start: int | None = None, end: int | None = None, **options: Any) -> bytes:
        raise self.error

    def _open(self, path: str, mode: str = "rb", **options: Any) -> Any:
        file = super()._open(path, mode, **options)
        if mode != "rb":
            return file
        read, left = file.read, [2]

        def breaks(length: int = -1) -> bytes:
            left[0] -= 1
            if left[0] < 0:
                raise self.error
            octets: bytes = read(min(length, 5000) if length >= 0 else length)
            return octets

        file.read = breaks
        return file


MBOX = b"".join(b"From a@example.org Thu Nov 19 10:00:00 2026\nSubject: %d\n\n%s\n\n" % (number, b"x" * 500) for number in range(4000))


@pytest.mark.parametrize("error", [PermissionError("denied"), TimeoutError("late"), OSError(5, "I/O"), RuntimeError("no credentials")], ids=repr)
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gz"])
def test_an_error_in_the_middle_of_a_file_is_raised(error: Exception, pack: Callable[[bytes], bytes]) -> None:
    store = Failing()
    store.error = error
    # Long enough to be read piece by piece, also packed.
    store.pipe_file("/failing/mail.mbox", pack(MBOX) + bytes(2 << 20) * (pack is bytes))
    store.pipe_file("/failing/small.eml", b"Subject: x\r\n\r\n")
    for name in ("mail.mbox", "small.eml"):
        share = lake.Share(((f"/failing/{name}", 0, 1 << 40),))
        for mode in ("permissive", "dropmalformed"):
            if name == "small.eml":
                [share] = lake.plan("/failing/small.eml", filesystem=store)
            with pytest.raises(type(error), match=str(error.args[-1])):
                lake.read(share, mode=mode, filesystem=store).read_all()
    store.rm("/failing", recursive=True)


def test_a_file_that_vanishes_is_a_row() -> None:
    store = MemoryFileSystem()
    store.pipe_file("/vanishing/a.eml", b"Subject: a\r\n\r\n")
    store.pipe_file("/vanishing/b.eml", b"Subject: b\r\n\r\n")
    [share] = lake.plan("/vanishing", filesystem=store)
    store.rm("/vanishing/a.eml")
    store.pipe_file("/vanishing/b.eml", b"Subject: bigger\r\n\r\n")
    one, other = lake.read(share, columns=["subject", "error"], filesystem=store).read_all().to_pylist()
    assert "FileNotFoundError" in one["error"] and other == {"subject": "bigger", "error": None}
    [other] = lake.read(share, columns=["subject"], filesystem=store, select=lake.Select(ignore_missing=True)).read_all().to_pylist()
    assert other == {"subject": "bigger"}
    store.rm("/vanishing", recursive=True)


class Slow(MemoryFileSystem):  # type: ignore[misc]
    """A store whose answers take a while."""

    cachable = False
    at_once, most_at_once = 0, 0

    def cat_file(self, path: str, start: int | None = None, end: int | None = None, **options: Any) -> bytes:
        type(self).at_once += 1
        type(self).most_at_once = max(self.most_at_once, self.at_once)
        time.sleep(0.05)
        type(self).at_once -= 1
        octets: bytes = super().cat_file(path, start, end, **options)
        return octets


def test_small_files_are_fetched_side_by_side() -> None:
    store = Slow()
    store.pipe({f"/slow/{number:04}.eml": b"Subject: %04d\r\n\r\n" % number for number in range(300)})
    begun = time.monotonic()
    rows = lake.read("/slow", columns=["subject"], filesystem=store).read_all().to_pylist()
    passed = time.monotonic() - begun
    assert [row["subject"] for row in rows] == [f"{number:04}" for number in range(300)], "in their order"
    assert 10 < store.most_at_once <= _stores.SIDE_BY_SIDE
    assert passed < 300 * 0.05 / 10
    store.rm("/slow", recursive=True)


def test_shares_of_a_large_file_ask_for_little_more_than_their_ranges(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    s3fs = pytest.importorskip("s3fs")
    options = s3(server)
    box = b"".join(b"From a@example.org Thu Nov 19 10:00:00 2026\nSubject: %06d\n\n%s\n" % (number, b"x" * 70 + b"\n") for number in range(350_000))
    store = fsspec.filesystem("s3", **options)
    store.mkdir("large")
    store.pipe_file("large/mail.mbox", box)
    asked = list[int]()
    fetch = s3fs.core.S3File._fetch_range

    def counted(self: Any, start: int, end: int) -> Any:
        asked.append(end - start)
        return fetch(self, start, end)

    monkeypatch.setattr(s3fs.core.S3File, "_fetch_range", counted)
    shares = lake.plan("s3://large/mail.mbox", split_octets=16 << 20, storage_options=options)
    found = [row for share in shares for row in lake.read(share, columns=["subject"], storage_options=options).read_all()["subject"].to_pylist()]
    assert found == [f"{number:06}" for number in range(350_000)] and len(shares) == 3
    assert sum(asked) < 1.5 * len(box) and len(asked) < 30, (sum(asked) / len(box), len(asked))


@pytest.mark.parametrize("seed", range(20))
def test_what_is_read_ahead_is_what_is_there(seed: int) -> None:
    chance = random.Random(seed)
    octets = chance.randbytes(3 << 20)
    ahead = _stores._Ahead(lambda start, end: octets[start:end], len(octets))
    at = 0
    for _ in range(100):
        at = chance.choice((at, at, at, chance.randrange(len(octets) + 10)))
        end = at + chance.choice((0, 1, 4096, 256 << 10, chance.randrange(1 << 20)))
        assert ahead.fetch(at, end) == octets[at:end]
        at = end
    assert ahead.fetch(None, None) == octets


def test_options_of_stores_have_their_types() -> None:
    spark = pytest.importorskip("sevenbit.spark")
    options = {"storage.anon": "false", "storage.client_kwargs": json.dumps({"endpoint_url": "http://x"}), "storage.key": "AKIA", "path": "s3://x"}
    assert spark._storage(options) == {"anon": False, "client_kwargs": {"endpoint_url": "http://x"}, "key": "AKIA"}


def test_a_log_of_arrivals_has_every_file_in_one_batch(place: Place) -> None:
    from sevenbit import _arrivals

    def log() -> _arrivals.Log:
        directory = place.directory()
        return _arrivals.Log(directory.store, directory.root)

    def files(names: str) -> list[_arrivals.File]:
        return [(name, 1, ord(name)) for name in names]

    assert log().add([], 0, None) == 0
    one = log()
    assert one.add(files("cab"), 0, 2) == 1 and one.files(0, 1) == files("ab")
    assert one.add(files("abc"), 1, None) == 2 and one.add(files("abc"), 2, None) == 2
    assert log().files(0, 2) == files("abc") and log().files(1, 2) == files("c")
    # Written down, and killed before Spark knew of the batch: it is still the next one.
    assert log().add(files("abcd"), 1, None) == 3 and log().files(1, 3) == files("cd")
    # Killed while it was written down: it has not begun.
    place.put("000000003.json", log().store.cat_file(f"{log().root}/000000003.json")[:-3])
    assert log().last() == 2 and log().add(files("abcde"), 2, None) == 3 and log().files(2, 3) == files("de")
    assert log().add([("/m/new/1", 1, 1)], 3, None) == 4 == log().add([("/m/cur/1:2,S", 1, 1)], 4, None), "it has only moved"
    with pytest.raises(FileNotFoundError, match="batch 5"):
        log().files(3, 6)
    assert log().add(files("f"), 9, None) == 10, "a log that was lost does not begin again below the checkpoint"
