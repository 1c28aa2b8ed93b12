"""Files in stores other than the disk, through fsspec: found, opened, and small ones fetched side by side.

An error of a store (network, credentials, permission, I/O) is raised, so that whoever runs the work can try again: it says
nothing about mail. fsspec itself leaves out what it cannot list, so directories are walked here.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import IO, Any, cast

SMALL_OCTETS = 1 << 20
"""Files up to this length are fetched whole."""

SIDE_BY_SIDE = 48
"""How many small files are fetched at the same time, at most: with their octets, a bound of the memory."""

_FIRST_OCTETS = 256 << 10
"""How much of a larger file is asked for at first, and wherever reading goes on elsewhere."""

_AHEAD_OCTETS = 8 << 20
"""How much is asked for at a time, at most, while a file is read in order."""

_S3 = ("s3", "s3a")


@dataclass(frozen=True)
class Stores:
    """The stores that paths are in: those that their schemes name, or one that was given."""

    options: Mapping[str, Any] | None = None
    """What fsspec passes to the store."""
    filesystem: Any = None
    """A file system of fsspec, in which all paths are."""

    def has(self, path: str) -> bool:
        """Whether a path is in a store, and not on the disk."""
        return self.filesystem is not None or "://" in path

    def split(self, path: str) -> tuple[Any, str]:
        """The store of a path, and the path in it."""
        if self.filesystem is not None:
            return self.filesystem, self.filesystem._strip_protocol(path)
        import fsspec

        options = dict(self.options or {})
        if path.partition("://")[0] in _S3:
            # botocore has 10 connections by itself.
            settings = {"max_pool_connections": SIDE_BY_SIDE, **options.get("config_kwargs", {})}
            options["config_kwargs"] = settings
        store, inner = fsspec.core.url_to_fs(path, **options)
        return store, inner

    def named(self, store: Any, inner: str) -> str:
        """How a path in a store is written. In a file system that was given it is as it is: not each can read its own URLs."""
        return inner if self.filesystem is not None else cast(str, store.unstrip_protocol(inner))

    def open(self, path: str) -> IO[bytes]:
        store, inner = self.split(path)
        opened: Any = store.open(inner, "rb")  # not fsspec.open, to which `[1]` is a pattern
        is_said = {"default_block_size", "default_cache_type"} & set(self.options or {})
        if not is_said and hasattr(opened, "_fetch_range") and getattr(opened, "cache", None) is not None and opened.size is not None:
            from fsspec.caching import BaseCache

            opened.cache = BaseCache(_AHEAD_OCTETS, opened._fetch_range, opened.size)
            opened.cache._fetch = _Ahead(opened._fetch_range, opened.size).fetch
        return cast(IO[bytes], opened)

    def changed(self, path: str) -> int | None:
        store, inner = self.split(path)
        return changed(store.info(inner))


class _Ahead:
    """What a file of fsspec reads ahead: little at first, four times as much with each request that goes on where the last one ended.
    (A file of S3 asks for 50 MiB by itself, wherever a range begins, and for as much after its end.)"""

    def __init__(self, fetch: Callable[[int, int], bytes], size: int) -> None:
        self._request = fetch
        self._size = size
        self._start = 0
        self._octets = b""
        self._ahead = 0

    def fetch(self, start: int | None, end: int | None) -> bytes:
        """The octets of a range."""
        start = start or 0
        end = self._size if end is None else min(end, self._size)
        if start >= end:
            return b""
        known = self._start + len(self._octets)
        if not (self._start <= start and end <= known):
            is_next = self._start <= start <= known and self._ahead > 0
            self._ahead = min(4 * self._ahead, _AHEAD_OCTETS) if is_next else _FIRST_OCTETS
            kept = self._octets[start - self._start :] if is_next else b""
            first = start + len(kept)
            self._octets = kept + self._request(first, min(max(end, first + self._ahead), self._size))
            self._start = start
        return self._octets[start - self._start : end - self._start]


def given(filesystem: Any) -> Any:
    """A file system as one of fsspec: one of `pyarrow.fs` is wrapped."""
    if filesystem is None or hasattr(filesystem, "cat_file"):
        return filesystem
    import pyarrow.fs

    if not isinstance(filesystem, pyarrow.fs.FileSystem):
        expected = "a file system of fsspec or pyarrow.fs"
        raise TypeError(f"argument 'filesystem': expected {expected}, not {type(filesystem).__name__}")
    from fsspec.implementations.arrow import ArrowFSWrapper

    return ArrowFSWrapper(filesystem)


def info_of(store: Any, path: str) -> Mapping[str, Any] | None:
    """What a store says of a file or directory; nothing if there is none. (`exists` of fsspec also says no if it could not
    ask.)"""
    try:
        info: Mapping[str, Any] = store.info(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return info


def matches(store: Any, pattern: str) -> dict[str, Mapping[str, Any]]:
    """The files and directories that a pattern means. (`glob` of fsspec leaves out what it cannot list.)"""
    from fsspec.utils import glob_translate

    fixed = fixed_part(pattern)
    is_match = re.compile(glob_translate(pattern)).fullmatch
    depth = None if "**" in pattern else pattern.count("/", len(fixed) + 1) + 1
    return {path: info for path, info in _walk(store, fixed, depth) if is_match(path)}


def fixed_part(pattern: str) -> str:
    """The directory that a pattern begins with, before its first part that is one.

    >>> fixed_part("bucket/2026/*/a?.mbox"), fixed_part("*.mbox")
    ('bucket/2026', '')
    """
    return re.split(r"[*?\[]", pattern, maxsplit=1)[0].rpartition("/")[0]


def files(store: Any, root: str, info: Mapping[str, Any], is_recursive: bool) -> dict[str, Mapping[str, Any]]:
    """The files at or below a path, with what the store says of each."""
    if info["type"] != "directory":
        return {root: info}
    if is_recursive and _lists_by_prefix(store):
        found: dict[str, Mapping[str, Any]] = store.find(root, detail=True)
        return found
    below = _walk(store, root, None if is_recursive else 1)
    return {path: info for path, info in below if info["type"] != "directory"}


def _lists_by_prefix(store: Any) -> bool:
    """Whether a store lists all that is below a path by itself, and raises what goes wrong then."""
    from fsspec import AbstractFileSystem
    from fsspec.asyn import AsyncFileSystem

    if isinstance(store, AsyncFileSystem):
        return type(store)._find is not AsyncFileSystem._find
    return type(store).find is not AbstractFileSystem.find


def _walk(store: Any, root: str, depth: int | None) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Everything below a directory, down to a depth."""
    waiting = [(root, 1)]
    while waiting:
        directory, level = waiting.pop()
        try:
            listed = store.ls(directory, detail=True)
        except (FileNotFoundError, NotADirectoryError):
            continue  # removed meanwhile
        for info in listed:
            path = info["name"].rstrip("/")
            if path == directory.rstrip("/"):
                continue
            yield path, info
            if info["type"] == "directory" and (depth is None or level < depth):
                waiting.append((path, level + 1))


def changed(info: Mapping[str, Any]) -> int | None:
    """When a file of a store was last changed, in microseconds since 1970, by whatever name the store has for that."""
    for name in ("mtime", "LastModified", "last_modified", "updated", "created"):
        match info.get(name):
            case datetime() as time:
                return int(time.timestamp() * 1_000_000)
            case int() | float() as seconds:
                return int(seconds * 1_000_000)
            case str() as text:
                with suppress(ValueError):
                    return int(datetime.fromisoformat(text).timestamp() * 1_000_000)
    return None


@dataclass(frozen=True)
class Wanted:
    """A file to be read."""

    path: str
    start: int
    end: int
    size: int | None
    """Its length when it was found, if that is known."""
    mtime: int | None
    is_small: bool
    """Whether it is a small file of a store, to be read whole."""


def fetched(wanted: Iterable[Wanted], stores: Stores) -> Iterator[tuple[Wanted, Future[bytes | None] | None]]:
    """The files in their order, the small ones with what they contain: it is fetched ahead, side by side. None if a file is
    no longer as it was when it was found."""
    pool: ThreadPoolExecutor | None = None
    waiting: deque[tuple[Wanted, Future[bytes | None] | None]] = deque()
    try:
        for each in wanted:
            if each.is_small and pool is None:
                pool = ThreadPoolExecutor(SIDE_BY_SIDE, "sevenbit-fetch")
            waiting.append((each, pool.submit(_content, each, stores) if each.is_small and pool else None))
            if len(waiting) > SIDE_BY_SIDE:
                yield waiting.popleft()
        yield from waiting
    finally:
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)


def _content(wanted: Wanted, stores: Stores) -> bytes | None:
    store, inner = stores.split(wanted.path)
    if not wanted.size:
        return b""
    from fsspec.implementations.arrow import ArrowFSWrapper

    # It reads a stream otherwise, and then fails to say where it is.
    options = {"seekable": True} if isinstance(store, ArrowFSWrapper) else {}
    # One request, while to read it whole would take two; and one octet more, which shows that it has grown.
    octets: bytes = store.cat_file(inner, end=wanted.size + 1, **options)
    return octets if len(octets) == wanted.size else None
