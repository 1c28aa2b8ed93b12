"""Files that keep arriving, in batches: what a stream reads.

Each batch is written into a log of its own before anything of it is read:

    000000001.json      {"files": [[path, length, time of change], ...]}

so that after a kill the same batch has the same files, and every file is in one batch. A log that is cut short is no JSON, and
counts as absent: its batch has not begun.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

_NAME = re.compile(r"(\d{9,})\.json")

File = tuple[str, int, int | None]
"""A path, its length, and when it was changed, in microseconds since 1970."""


class Log:
    """The batches of a stream, in a directory of a store of fsspec."""

    def __init__(self, store: Any, root: str) -> None:
        self.store = store
        self.root = root.rstrip("/")
        self._batches: dict[int, list[File]] = {}
        self._seen: set[str] = set()

    def last(self) -> int:
        """The number of the last batch; 0 if there is none."""
        self._look()
        return max(self._batches, default=0)

    def add(self, files: Iterable[File], after: int, most: int | None) -> int:
        """Begins a batch with those files that are in none yet, and a number above `after`; `most` of them, if that is given.
        Returns the number of the last batch, which is an old one if nothing is new."""
        last = max(self.last(), after)
        new = [file for file in files if _key(file[0]) not in self._seen]
        # The oldest first, so that none waits for ever.
        new = sorted(new, key=lambda file: (file[2] or 0, file[0]))[:most]
        if not new:
            return last
        self.store.makedirs(self.root, exist_ok=True)
        self.store.pipe_file(f"{self.root}/{last + 1:09}.json", json.dumps({"files": new}, indent=0).encode())
        self._keep(last + 1, new)
        return last + 1

    def files(self, after: int, end: int) -> list[File]:
        """The files of the batches above one and up to another."""
        self._look()
        numbers = range(after + 1, end + 1)
        missing = [number for number in numbers if number not in self._batches]
        if missing:
            raise FileNotFoundError(f"option 'log': {self.root} lacks batch {missing[0]}: it belongs to the checkpoint")
        return [file for number in numbers for file in self._batches[number]]

    def _look(self) -> None:
        """Reads the batches that are not known yet."""
        self.store.invalidate_cache()
        try:
            paths = self.store.ls(self.root, detail=False)
        except FileNotFoundError:
            return
        for path in paths:
            name = _NAME.fullmatch(path.rpartition("/")[2])
            if name is None or int(name[1]) in self._batches:
                continue
            try:
                files = json.loads(self.store.cat_file(path))["files"]
            except (ValueError, KeyError):
                continue
            self._keep(int(name[1]), [(path, size, mtime) for path, size, mtime in files])

    def _keep(self, number: int, files: list[File]) -> None:
        self._batches[number] = files
        self._seen.update(_key(path) for path, _, _ in files)


def _key(path: str) -> str:
    """What says that a file was there before: its path, but for messages of a Maildir, which move from `new` to `cur` and
    change their flags.

    >>> _key("/mail/new/1.a") == _key("/mail/cur/1.a:2,S"), _key("/mail/a:b")
    (True, '/mail/a:b')
    """
    folder, _, name = path.rpartition("/")
    maildir, _, kind = folder.rpartition("/")
    return f"{maildir}/cur/{name.partition(':')[0]}" if kind in ("cur", "new") else path
