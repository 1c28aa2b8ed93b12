"""Parts of written mail, and the manifests that decide which of them count.

A job writes each part under its final name, beside those that are there:

    part-00007-JOB-ATTEMPT.mbox     one part for each attempt of each task
    _mail-JOB-RUN.json              the manifest: the parts that count, and what they replace

Until the manifest is there nothing of the job counts; from then on all of it does. Nothing is renamed, so that this holds
on object stores as well, where a rename is a copy. A manifest that is cut short is no JSON and counts as absent.

JOB is a digest of the job's name, or random for a job without one. A job that is run again under its name replaces what its
earlier runs have committed, so that a retry doubles nothing. A manifest that is named by another one as replaced is void,
and so are its parts; they are removed afterwards, and by any later commit if that was interrupted.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain
from typing import Any

from sevenbit._sevenbit import _quote_mbox

_PART = re.compile(r"part-\d{5,}-(?P<job>[0-9a-f]{32})-[0-9a-f]{32}(\.mbox)?")
_MANIFEST = re.compile(r"_mail-(?P<job>[0-9a-f]{32})-[0-9a-f]{32}\.json")
_SUCCESS = "_SUCCESS"

_log = logging.getLogger("sevenbit")


@dataclass(frozen=True)
class Job:
    """One run of a job that writes mail into a directory."""

    digest: str
    run: str = field(default_factory=lambda: uuid.uuid4().hex)

    @classmethod
    def called(cls, name: str | None) -> Job:
        return cls(uuid.uuid4().hex if name is None else hashlib.sha256(name.encode()).hexdigest()[:32])

    @property
    def manifest(self) -> str:
        return f"_mail-{self.digest}-{self.run}.json"

    def part(self, number: int, suffix: str) -> str:
        """A new name for the part with this number: each attempt has its own."""
        return f"part-{number:05}-{self.digest}-{uuid.uuid4().hex}{suffix}"


@dataclass(frozen=True)
class Manifests:
    """What the manifests of a directory say together."""

    parts: frozenset[str]
    """The parts that count."""
    replaced: frozenset[str]
    """Names of manifests, parts and older mail that count no longer."""
    void: dict[str, frozenset[str]]
    """The replaced manifests that are still there, with their parts."""

    @classmethod
    def of(cls, names: Iterable[str], content: Callable[[str], bytes]) -> Manifests:
        """The manifests among the names of a directory; `content` reads one of them."""
        found = {name: _parsed(content, name) for name in names if _MANIFEST.fullmatch(name)}
        whole = {name: manifest for name, manifest in found.items() if manifest is not None}
        replaced = frozenset(each for manifest in whole.values() for each in manifest["replaces"])
        parts = {name: frozenset(manifest["parts"]) for name, manifest in whole.items()}

        return cls(
            parts=frozenset(part for name in parts if name not in replaced for part in parts[name]),
            replaced=replaced,
            void={name: parts[name] for name in parts if name in replaced},
        )

    def count(self, name: str) -> bool:
        """Whether something in the directory counts as mail, as far as manifests decide that."""
        if _PART.fullmatch(name):
            return name in self.parts
        return name not in self.replaced


class Committed:
    """Which mail counts below directories that jobs may have written into."""

    def __init__(self, names: Callable[[str], Iterable[str]], content: Callable[[str], bytes]) -> None:
        """`names` lists a directory, `content` reads a file."""
        self._names = names
        self._content = content
        self._known: dict[str, Manifests] = {}

    def counts(self, path: str, base: str) -> bool:
        """Whether a file counts; what is above or at `base` was asked for, and is not looked at."""
        directory = base
        for name in path[len(base) :].strip("/").split("/"):
            if name.startswith("part-") and not self._manifests(directory).count(name):
                return False
            directory = f"{directory.rstrip('/')}/{name}" if directory else name
        return True

    def _manifests(self, directory: str) -> Manifests:
        if directory not in self._known:
            names = self._names(directory)
            self._known[directory] = Manifests.of(names, lambda name: self._content(f"{directory}/{name}" if directory else name))
        return self._known[directory]


def _parsed(content: Callable[[str], bytes], name: str) -> dict[str, list[str]] | None:
    """A manifest; nothing if it is gone, or not whole: whoever wrote it was interrupted, or is writing it now."""
    try:
        manifest = json.loads(content(name))
    except (FileNotFoundError, ValueError):
        return None
    return manifest if isinstance(manifest, dict) and {"parts", "replaces"} <= manifest.keys() else None


class Directory:
    """The directory that a job writes into: a place in a store of fsspec."""

    def __init__(self, store: Any, root: str) -> None:
        self.store = store
        self.root = root.rstrip("/")

    def path(self, name: str) -> str:
        return f"{self.root}/{name}"

    def make(self) -> None:
        """Makes the directory, where stores have directories: asked for one, a store of buckets would make a bucket."""
        if not _has_buckets(self.store):
            self.store.makedirs(self.root, exist_ok=True)

    def names(self) -> list[str]:
        """The names in the directory, as they are now."""
        self.store.invalidate_cache()
        try:
            paths = self.store.ls(self.root, detail=False)
        except FileNotFoundError:
            return []
        return [path.rstrip("/").rsplit("/", 1)[-1] for path in paths]

    def content(self, name: str) -> bytes:
        octets: bytes = self.store.cat_file(self.path(name))
        return octets

    def remove(self, name: str) -> None:
        try:
            self.store.rm(self.path(name), recursive=True)
        except FileNotFoundError:
            pass

    def commit(self, job: Job, parts: Iterable[str], overwrite: bool) -> None:
        """Makes the parts of a job count, and what they replace count no longer, at once. An error of this method means that
        nothing has changed: what is to be done afterwards may fail, and is then done by a later commit."""
        names = self.names()
        known = Manifests.of(names, self.content)
        replaces = {name for name in names if _replaces(job, name, overwrite)} | known.replaced.intersection(names)
        manifest = {"version": 1, "parts": sorted(parts), "replaces": sorted(replaces)}

        self.make()
        self._put(job.manifest, json.dumps(manifest, indent=1).encode())

        try:
            self._clean(job)
            self.store.pipe_file(self.path(_SUCCESS), b"")
        except Exception:
            _log.warning("mail in %s is committed, but not everything it replaces could be removed", self.root, exc_info=True)

    def abort(self, job: Job) -> None:
        """Removes what a job has written: its manifest first, if it came that far."""
        self.remove(job.manifest)
        names = self.names()
        manifests = Manifests.of(names, self.content)
        for name in names:
            part = _PART.fullmatch(name)
            if part is not None and part["job"] == job.digest and not manifests.count(name):
                self.remove(name)

    def _put(self, name: str, octets: bytes) -> None:
        """Writes a file, which has failed only if the file is not there afterwards: an answer may be lost on its way."""
        try:
            self.store.pipe_file(self.path(name), octets)
        except Exception:
            if not self._has(name, octets):
                raise

    def _has(self, name: str, octets: bytes) -> bool:
        try:
            return self.content(name) == octets
        except Exception:
            return False

    def _clean(self, job: Job) -> None:
        """Removes what counts no longer, and what earlier runs of the job left: parts before the manifests that void them."""
        names = self.names()
        manifests = Manifests.of(names, self.content)
        for name in names:
            part, manifest = _PART.fullmatch(name), _MANIFEST.fullmatch(name)
            if manifest is not None or manifests.count(name):
                continue
            # A part of another job without a manifest may be one that is being written.
            is_void = any(name in parts for parts in manifests.void.values())
            if part is None or part["job"] == job.digest or is_void:
                self.remove(name)
        for name in manifests.void:
            self.remove(name)


def _replaces(job: Job, name: str, overwrite: bool) -> bool:
    """Whether a job that is committed replaces what has this name. All mail that jobs have written is called `part-...`, also
    that of older versions."""
    if name == job.manifest:
        return False
    manifest = _MANIFEST.fullmatch(name)
    if manifest is not None:
        return overwrite or manifest["job"] == job.digest
    return overwrite and name.startswith("part-") and not _PART.fullmatch(name)


def _has_buckets(store: Any) -> bool:
    protocols = {store.protocol} if isinstance(store.protocol, str) else set(store.protocol)
    return not protocols.isdisjoint({"s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "adl", "oss", "memory"})


Dated = tuple[bytes, datetime | None]
"""A message, and when it was written."""


def write_mbox(store: Any, path: str, mail: Iterator[Dated]) -> bool:
    """Writes messages as an mbox file; whether there were any."""
    first = next(mail, None)
    if first is None:
        return False
    with store.open(path, "wb") as file:
        for octets, date in chain([first], mail):
            file.write(_postmark(date) + _quote_mbox(octets.replace(b"\r\n", b"\n")))
            file.write(b"\n" if octets.endswith(b"\n") else b"\n\n")
    return True


# How much is written side by side: small files wait for the store, not for the network.
_GROUP_FILES = 256
_GROUP_OCTETS = 16 << 20


def write_eml(store: Any, path: str, mail: Iterator[Dated]) -> bool:
    """Writes messages as files of a folder; whether there were any."""
    group, held, number = dict[str, bytes](), 0, 0
    for octets, _ in mail:
        if number == 0:
            Directory(store, path).make()
        number += 1
        group[f"{path}/{number:09}.eml"] = octets
        held += len(octets)
        if len(group) == _GROUP_FILES or held >= _GROUP_OCTETS:
            store.pipe(group)
            group, held = {}, 0

    if group:
        store.pipe(group)
    return number > 0


def _postmark(date: datetime | None) -> bytes:
    """The `From ` line: the sender is unknown, the time is that of the message, in UTC."""
    when = time.asctime(date.utctimetuple() if date else time.gmtime(0))
    return f"From MAILER-DAEMON {when}\n".encode()
