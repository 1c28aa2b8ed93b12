"""Indexes of large tar, gz and zst files: where each can be cut, found by reading it once, and kept beside it.

    .NAME.sevenbit-index        the index of the file NAME

    {"version": 1, "size": 10240, "mtime": 1764460800000000, "etag": null,       the file when it was read
     "length": 10240, "pieces": [[packed, unpacked], ...], "members": [octet, ...]}

A name that begins with `.` is no mail, here as in Spark. Nothing that an index says is trusted: the reader of each share
sees whether the next one begins where the index says, and raises an OSError if not (`of_tar_range` in src/lake/source.rs).
"""

from __future__ import annotations

import json
import logging
import os
from bisect import bisect_left
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Any

from sevenbit._sevenbit import _cuts_in, _index_of
from sevenbit._stores import Stores, changed

_log = logging.getLogger("sevenbit")

_VERSION = 1
_SUFFIXES = (".tar", ".gz", ".tgz", ".zst", ".tzst")

GRAIN = 1 << 20
"""The least distance between places of an index."""

_MOST_PLACES = 1 << 16
"""The most places of an index, of a file that is not packed: those of a large one are further apart."""

_MOST_OCTETS = 32 << 20
"""The greatest length of an index."""

_NEAR = 32 << 20
"""The most that a share of a packed tar file may unpack before its range."""

Piece = tuple[int, int]
"""The place where a member of a gz file or a frame of a zst file begins, packed and unpacked."""


@dataclass(frozen=True)
class Version:
    """A file as it was at some time."""

    size: int
    mtime: int | None
    etag: str | None

    @classmethod
    def now(cls, path: str, stores: Stores) -> Version:
        if not stores.has(path):
            status = os.stat(path)
            return cls(status.st_size, status.st_mtime_ns // 1000, None)
        store, inner = stores.split(path)
        info = store.info(inner)
        etag = info.get("ETag") or info.get("etag")
        return cls(info["size"], changed(info), str(etag) if etag else None)


@dataclass(frozen=True)
class Index:
    """The places where a file can be cut."""

    length: int
    """That of its unpacked form."""
    pieces: list[Piece]
    """Members of a gz file, or frames of a zst file; none of a file that is not packed."""
    members: list[int]
    """The places where members of a tar file begin, in its unpacked form; none of a mailbox."""

    def cuts(self, step: int) -> list[tuple[int, Piece]]:
        """The octets that ranges of about `step` octets after the first begin at, each with the piece that is read for it."""
        if not self.members:
            return [(cut, (packed, unpacked)) for cut, packed, unpacked in _cuts_in(self.pieces, self.length, step)]
        unpacked = [start for _, start in self.pieces]
        found, last = list[tuple[int, Piece]](), 0
        for octet in self.members:
            if octet - last < step:
                continue
            piece = self.pieces[bisect_left(unpacked, octet) - 1] if self.pieces else (octet, octet)
            if octet - piece[1] <= _NEAR:
                found.append((octet, piece))
                last = octet
        return found


def may_have_one(path: str) -> bool:
    """Whether a file of this name is one that an index helps to cut."""
    return PurePosixPath(path).suffix.lower() in _SUFFIXES


def place(path: str) -> str:
    """The path of the index of a file.

    >>> place("s3://bucket/mail.tar"), place("mail.tar")
    ('s3://bucket/.mail.tar.sevenbit-index', '.mail.tar.sevenbit-index')
    """
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}.{name}.sevenbit-index"


def known(path: str, stores: Stores) -> Index | None:
    """The index of a file as it is now; none if there is none, or it is of no use, which the logger says."""
    octets = _content(place(path), stores)
    if octets is None:
        return None
    try:
        version, index = _parsed(octets)
    except (ValueError, RecursionError) as error:
        _log.warning("%s: its index cannot be used: %s", path, error)
        return None
    if version != Version.now(path, stores):
        _log.warning("%s: its index is of another version of it, and is not used: sevenbit.lake.index makes it anew", path)
        return None
    return index


def make(path: str, stores: Stores) -> Index | None:
    """Reads a file, and writes its index; none if it cannot be cut, which the logger says."""
    version = Version.now(path, stores)
    grain = max(GRAIN, version.size // _MOST_PLACES)
    try:
        if stores.has(path):
            with closing(stores.open(path)) as file:
                pieces, members, length = _index_of(file, path, grain)
        else:
            pieces, members, length = _index_of(path, path, grain)
    except ValueError as error:
        _log.warning("%s: remains one share: %s", path, error)
        return None
    if version != Version.now(path, stores):
        _log.warning("%s: has changed while it was read, and has no index", path)
        return None
    index = Index(length, pieces, members)
    octets = json.dumps({"version": _VERSION, **asdict(version), **asdict(index)}, separators=(",", ":")).encode()
    _write(place(path), octets, stores)
    return index


def _content(path: str, stores: Stores) -> bytes | None:
    """An index as it is written, or more than is allowed; none if there is none."""
    if not stores.has(path):
        try:
            with open(path, "rb") as file:
                return file.read(_MOST_OCTETS + 1)
        except OSError:
            return None
    try:
        with closing(stores.open(path)) as file:
            return file.read(_MOST_OCTETS + 1)
    except (FileNotFoundError, PermissionError):  # a store may refuse to say whether there is one
        return None


def _write(path: str, octets: bytes, stores: Stores) -> None:
    if stores.has(path):
        store, inner = stores.split(path)
        store.pipe_file(inner, octets)
        return
    # Nobody sees half of one.
    part = f"{path}.{os.getpid()}"
    try:
        with open(part, "wb") as file:
            file.write(octets)
        os.replace(part, path)
    except OSError:
        if os.path.exists(part):
            os.remove(part)
        raise


def _parsed(octets: bytes) -> tuple[Version, Index]:
    """An index that is written as one; a ValueError says what is wrong."""
    if len(octets) > _MOST_OCTETS:
        raise ValueError("it is too long")
    said = json.loads(octets)
    if not isinstance(said, dict) or said.get("version") != _VERSION:
        raise ValueError(f"it is not of version {_VERSION}")
    size, length = _number(said.get("size")), _number(said.get("length"))
    mtime, etag = said.get("mtime"), said.get("etag")
    pieces = [_pair(each) for each in _list(said.get("pieces"))]
    members = [_number(each) for each in _list(said.get("members"))]
    packed, unpacked = [each for each, _ in pieces], [each for _, each in pieces]
    if pieces and pieces[0] != (0, 0) or not all(map(_is_ascending, (packed, unpacked, [0, *members]))):
        raise ValueError("its places are not in order")
    if max(packed[-1:], default=-1) >= size or max(unpacked[-1:] + members[-1:], default=-1) >= length:
        raise ValueError("it has places outside the file")
    version = Version(size, None if mtime is None else _number(mtime), None if etag is None else str(etag))
    return version, Index(length, pieces, members)


def _number(value: Any) -> int:
    if type(value) is not int or not -(2**62) < value < 2**62:
        raise ValueError("it has something else than a number")
    return value


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError("it has something else than a list")
    return value


def _pair(value: Any) -> Piece:
    packed, unpacked = map(_number, _list(value))
    return packed, unpacked


def _is_ascending(places: list[int]) -> bool:
    return all(before < after for before, after in pairwise(places))
