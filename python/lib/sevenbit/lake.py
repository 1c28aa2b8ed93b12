"""Archives of mail as tables of Arrow: mbox files, Maildirs, trees of messages, tar files, optionally packed with gz,
zst, bz2 or xz; messages and stores of Outlook (`.msg`, `.pst`, `.ost`).

Needs pyarrow; stores other than the disk need fsspec.

>>> from sevenbit import lake
>>> import pyarrow as pa
>>> table = lake.normalize(pa.array([b"Subject: caf\\xe9\\r\\n\\r\\n"], pa.binary()), columns=["subject", "changed"])
>>> table.to_pylist()
[{'subject': 'café', 'changed': True}]

`read` returns the messages of a path as record batches; `plan` cuts the work into shares that any workers may do in any
order, and each share is read with `read` as well. A path that is not there is a FileNotFoundError. What is wrong with
mail (a damaged file, a place or a link in a tar file, a link to nothing; on the disk also a file or directory that may not be
read) is a row with `error`, and does not end the work. What is wrong with a store is raised: network, credentials, permission,
I/O errors. Nothing is known about the mail then, and trying again may help.

Of what `sevenbit.spark` has written only that counts which its manifests name; a part that is named itself is read.

| column | is | costs |
|---|---|---|
| `path`, `offset` | the file, and where the message begins in it, or in its unpacked form; in a store of Outlook the number of its node | nothing |
| `size`, `mtime`, `from_line` | the octets of the message as it came; when its file was last changed; its `From ` line in an mbox | nothing |
| `folder` | the path of its folder in a store of Outlook | nothing |
| `message_id`, `date`, `from`, `to`, `cc`, `bcc`, `reply_to`, `subject`, `in_reply_to`, `references`, `thread`, `list_id` | of the header, as clean Unicode; the date in UTC; ids without angle brackets, but the thread as it is compared | parsing, once for all of them |
| `auto_submitted`, `precedence` and the other words of docs/view.md | one word of a header field, in lower case | the same |
| `headers` | every field: a map of its name in lower case to its texts in order | parsing, and decoding of every field |
| `text` | what a person reads: the plain text, else the HTML as text | decoding of these parts |
| `html` | the HTML with the plain parts beside it, if there is any | the same |
| `attachments` | name, safe name, media type, octets, content id and SHA-256 of each file, also of those in a `winmail.dat` | decoding and digest of each |
| `attachment_octets` | the content of each, in the same order | decoding, and memory |
| `charsets` | the charset labels of the leaves as given, each once | parsing |
| `codes` | what was odd, or was done about it, each once | normalising |
| `changed`, `octets` | whether the normal form differs from the message, and that form | normalising |
| `kind` | `message`, or what a file is that is no mail, or none that is read: `a PDF document`. The command says the same | nothing |
| `corrupt` | the octets as they came, if they are no message | memory |
| `error` | why the row is incomplete; null if all is well | nothing |

A column is computed only if it is requested. Without `columns` all of `COLUMNS` are.
"""

import difflib
import errno
import glob
import io
import logging
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack, cast

if TYPE_CHECKING:
    import polars
    import pyarrow.dataset

try:
    import pyarrow as pa
    import pyarrow.compute as pc
except ModuleNotFoundError as _error:
    _error.add_note("sevenbit.lake needs the extra: pip install 'sevenbit[arrow]'")
    raise

from sevenbit import _index, _parts, _stores
from sevenbit._sevenbit import _WORDS, Normalizer, _columns_of, _cuts_of, _messages_in, _Rows

__all__ = ["COLUMNS", "SCHEMA", "Reading", "Select", "Share", "dataset", "index", "normalize", "plan", "read", "scan"]

_log = logging.getLogger("sevenbit")

_Path = str | os.PathLike[str]

_TEXTS = pa.list_(pa.field("element", pa.string()))
_PEOPLE = pa.list_(pa.field("element", pa.struct([("name", pa.string()), ("address", pa.string())])))

_FILES = pa.list_(
    pa.field(
        "element",
        pa.struct(
            [
                ("name", pa.string()),
                ("safe_name", pa.string()),
                ("type", pa.string()),
                ("size", pa.int64()),
                ("content_id", pa.string()),
                ("sha256", pa.string()),
            ]
        ),
    )
)

SCHEMA = pa.schema(
    [
        ("path", pa.string()),
        ("offset", pa.int64()),
        ("message_id", pa.string()),
        ("date", pa.timestamp("us", tz="UTC")),
        ("from", _PEOPLE),
        ("to", _PEOPLE),
        ("cc", _PEOPLE),
        ("bcc", _PEOPLE),
        ("reply_to", _PEOPLE),
        ("subject", pa.string()),
        ("in_reply_to", _TEXTS),
        ("references", _TEXTS),
        ("thread", pa.string()),
        ("list_id", pa.string()),
        *((word, pa.string()) for word in _WORDS),
        ("headers", pa.map_(pa.string(), _TEXTS)),
        ("text", pa.string()),
        ("html", pa.string()),
        ("attachments", _FILES),
        ("attachment_octets", pa.list_(pa.field("element", pa.binary()))),
        ("charsets", _TEXTS),
        ("codes", _TEXTS),
        ("changed", pa.bool_()),
        ("octets", pa.binary()),
        ("size", pa.int64()),
        ("mtime", pa.timestamp("us", tz="UTC")),
        ("from_line", pa.string()),
        ("folder", pa.string()),
        ("kind", pa.string()),
        ("corrupt", pa.binary()),
        ("error", pa.string()),
    ]
)
"""All columns, with their types."""

COLUMNS = (
    *("path", "offset", "message_id", "date", "from", "to", "cc", "subject", "text", "charsets", "codes", "changed"),
    *("octets", "kind", "error"),
)
"""The columns that are computed if none are named."""

Mode = Literal["permissive", "dropmalformed", "failfast", "PERMISSIVE", "DROPMALFORMED", "FAILFAST"]

SPLIT_OCTETS = 64 << 20
"""How large a share is at most by default: larger mbox files are split. At multiples of 16 MiB a split costs nothing
extra."""

_LARGE_SHARES = 8  # a share that is so much larger than others is waited for

_MIN_OCTETS = 4 << 20  # less is done faster than Spark hands it out

MOST_OCTETS = 256 << 20
"""Longer messages have an `error`, and only the columns of their header."""

_END = 2**63 - 1
_FOLDERS = (".pst", ".ost")
_OUTLOOK = (".msg", ".oft", *_FOLDERS)
_SPLITTABLE = ("auto", "mboxo", "mboxrd")
_IN_PIECES = (".gz", ".zst")
_PACKED = (".gz", ".tgz", ".zst", ".tzst", ".bz2", ".tbz", ".tbz2", ".xz", ".txz")


@dataclass(frozen=True)
class Share:
    """Work for one worker: files, and of each the range of octets in which its messages begin; of a store of Outlook a range of
    its messages, counted from 0.

    >>> Share((("mail.mbox", 0, 67108864),)).files[0][2]
    67108864
    """

    files: tuple[tuple[str, int, int], ...]
    known: tuple[tuple[int, int | None], ...] = ()
    """What is known of each file, if anything: its length, and when it was changed, in microseconds since 1970. With it small
    files of a store are fetched side by side."""
    piece: tuple[int, int] | None = None
    """Where a piece of a packed file begins, packed and unpacked, from which on its range is read; the range is of the unpacked
    form. In a tar file that is not packed it is the beginning of the range. Only of a share that is a part of such a file."""
    next_piece: tuple[int, int] | None = None
    """The piece of the next share of the file, if only an index says where that is: reading has to come to it."""


@dataclass(frozen=True)
class Select:
    """Which files of a directory are read, and what becomes of those that cannot be. Paths that are named are always read.

    >>> Select(name="*.eml", recursive=False).ignore_corrupt
    False
    """

    name: str | None = None
    """A pattern for the last part of the path: `*.eml`, `{a,b}*`, `[^a]*`."""
    recursive: bool = True
    """Whether directories in directories are looked into."""
    modified_after: datetime | None = None
    """Only files last changed at this time or later."""
    modified_before: datetime | None = None
    """Only files last changed before this time."""
    ignore_corrupt: bool = False
    """Whether places that cannot be read are left out, not rows with `error`."""
    ignore_missing: bool = False
    """Whether files that are not there are left out, not a FileNotFoundError, or rows with `error` if they vanish later."""

    def _wants(self, found: "_Found") -> bool:
        if self.name is not None and not any(fnmatchcase(PurePosixPath(found.path).name, each) for each in _globs(self.name)):
            return False
        if self.modified_after is None and self.modified_before is None:
            return True
        if found.mtime is None:
            return True  # nothing is left out because a store does not say when it was changed
        since, until = _span(self.modified_after, self.modified_before) or (0, 0)
        return since <= found.mtime < until


def _globs(pattern: str) -> list[str]:
    """The patterns of Python's `fnmatch` for one of Hadoop's, which knows `{a,b}` and `[^a]` as well.

    >>> _globs("[^a]{b,c}*")
    ['[!a]b*', '[!a]c*']
    """
    found = re.search(r"\{([^{}]*)\}", pattern)
    if found is None:
        return [pattern.replace("[^", "[!")]
    start, end = found.span()
    return [each for word in found[1].split(",") for each in _globs(pattern[:start] + word + pattern[end:])]


_ALL = Select()


def plan(
    paths: _Path | Iterable[_Path],
    *,
    split_octets: int = SPLIT_OCTETS,
    dialect: str = "auto",
    select: Select = _ALL,
    storage_options: Mapping[str, Any] | None = None,
    filesystem: Any = None,
) -> list[Share]:
    """Cuts the work on some paths into shares: together they have every message exactly once, however they are cut.

    A path is a file, a directory or a pattern of either, on disk or with the scheme of a store (`s3://...`). Large mbox
    files are split; small files are combined until they have `split_octets`, or a 64th of all if that is less, but 4 MiB
    at least. A packed mailbox is split if it is on the disk and its pieces say how long they are (bgzf; Zstandard frames with
    the length of their content), a store of Outlook if it is on the disk. A tar file, and a gz or zst file of several members or
    frames, is split if it has an `index`. Other packed files are not; the logger `sevenbit` warns of a large one. With `filesystem`, of fsspec or of `pyarrow.fs`,
    all paths are in that; the shares are read with the same one. A FileNotFoundError if there is nothing at a path.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.eml").write_bytes(b"Subject: caf\\xe9\\r\\n\\r\\n")
    >>> [share] = plan(folder)
    >>> [batch.num_rows for batch in read(share)]
    [1]
    """
    _need_number("split_octets", split_octets, 1)
    _need_dialect(dialect)
    stores = _stores.Stores(storage_options, _stores.given(filesystem))
    return _shares(_find_all(paths, select, stores), split_octets, dialect, stores)


def index(
    paths: _Path | Iterable[_Path],
    *,
    least_octets: int = SPLIT_OCTETS,
    select: Select = _ALL,
    storage_options: Mapping[str, Any] | None = None,
    filesystem: Any = None,
) -> list[str]:
    """Makes indexes of large tar, gz and zst files, so that `plan` can split them. Returns the files that have one now.

    Each file of `least_octets` or more whose name ends with `.tar`, `.gz`, `.tgz`, `.zst` or `.tzst` is read once, and its index is
    written beside it, as `.NAME.sevenbit-index`. One that has an index already is not read again, unless it has changed. The rows of a
    file are the same with and without an index. The logger `sevenbit` says which files cannot be split: packed files that are a
    single member or frame, or damaged, and those with neither a mailbox nor a tar file in them.

    `filesystem` and `storage_options` are those of `read`. An OSError if an index cannot be written.

    >>> import pathlib, tarfile, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.eml").write_bytes(b"Subject: x\\r\\n\\r\\n" + b"x" * (2 << 20))
    >>> with tarfile.open(folder / "mail.tar", "w") as members:
    ...     for name in "abc":
    ...         members.add(folder / "a.eml", f"{name}.eml")
    >>> [pathlib.Path(path).name for path in index(folder / "mail.tar", least_octets=1 << 20)]
    ['mail.tar']
    >>> len(plan(folder / "mail.tar", split_octets=1 << 20))
    3
    """
    _need_number("least_octets", least_octets, 1)
    stores = _stores.Stores(storage_options, _stores.given(filesystem))
    large = [found.path for found in _find_all(paths, select, stores) if found.size >= least_octets and _index.may_have_one(found.path)]
    return [path for path in large if _index.known(path, stores) or _index.make(path, stores)]


def _shares(files: Sequence["_Found"], split_octets: int, dialect: str, stores: _stores.Stores) -> list[Share]:
    """The shares of some files: large ones are split, small ones are combined."""
    most = min(split_octets, max(_MIN_OCTETS, sum(found.size for found in files) // 64))
    shares: list[Share] = []
    small: list[_Found] = []
    held = 0
    for found in files:
        path, size = found.path, found.size
        if size >= split_octets and _is_splittable(path, dialect):
            for start in range(0, size, split_octets):
                end = start + split_octets
                shares.append(Share(((path, start, end if end < size else _END),)))
            continue
        if size >= split_octets and (cut := _cut(path, split_octets, dialect, stores)):
            shares += cut
            continue
        if size >= _LARGE_SHARES * split_octets:
            hint = ": sevenbit.lake.index may find it" if _index.may_have_one(path) else ""
            _log.warning("%s: all of its %d octets are one share, for where its messages begin is not known before%s", path, size, hint)
        small.append(found)
        held += size
        if held >= most:
            shares.append(_share(small))
            small, held = [], 0
    return [*shares, _share(small)] if small else shares


def _cut(path: str, split_octets: int, dialect: str, stores: _stores.Stores) -> list[Share]:
    """The shares of a store, a tar file or a packed file that can be cut; none of any other file."""
    if PurePosixPath(path).suffix.lower() in _FOLDERS:
        return [] if stores.has(path) else _cut_folders(path, split_octets)
    index = _index.known(path, stores) if _index.may_have_one(path) else None
    if index is not None and (index.members or dialect in _SPLITTABLE):
        cuts = index.cuts(split_octets)
    else:
        cuts = _cuts_without_index(path, split_octets, dialect, stores)
    if not cuts:
        return []
    starts, pieces = [0, *(start for start, _ in cuts)], [(0, 0), *(piece for _, piece in cuts)]
    ends = [*starts[1:], _END]
    nexts: list[tuple[int, int] | None] = [None] * len(pieces) if index is None else [*pieces[1:], None]
    return [
        Share(((path, start, end),), piece=piece, next_piece=next_piece)
        for start, end, piece, next_piece in zip(starts, ends, pieces, nexts, strict=True)
    ]


def _cut_folders(path: str, split_octets: int) -> list[Share]:
    """The shares of a store of Outlook, each of as many messages."""
    try:
        messages = _messages_in(path)
    except OSError:
        return []  # reading it says why
    if messages < 2:
        return []
    shares = min(-(-os.path.getsize(path) // split_octets), messages)
    starts = [messages * number // shares for number in range(shares)]
    return [Share(((path, start, end),)) for start, end in zip(starts, [*starts[1:], _END], strict=True)]


def _cuts_without_index(path: str, split_octets: int, dialect: str, stores: _stores.Stores) -> list[tuple[int, tuple[int, int]]]:
    """The places where a packed mailbox can be cut that says so itself. In a store it would have to be read for that."""
    is_packed = PurePosixPath(path).suffix.lower() in _IN_PIECES
    if not is_packed or dialect not in _SPLITTABLE or stores.has(path):
        return []
    try:
        return [(cut, (packed, unpacked)) for cut, packed, unpacked in _cuts_of(path, split_octets)]
    except OSError:
        return []  # reading it says why


def _share(files: Iterable["_Found"]) -> Share:
    """Whole files as a share."""
    files = list(files)
    return Share(tuple((each.path, 0, _END) for each in files), tuple((each.size, each.mtime) for each in files))


def read(
    source: _Path | Iterable[_Path] | Share,
    *,
    columns: Sequence[str] | None = None,
    normalizer: Normalizer | None = None,
    dialect: str = "auto",
    since: datetime | None = None,
    until: datetime | None = None,
    most_octets: int = MOST_OCTETS,
    mode: Mode = "permissive",
    select: Select = _ALL,
    storage_options: Mapping[str, Any] | None = None,
    filesystem: Any = None,
) -> pa.RecordBatchReader:
    """The messages of a path, of several, or of a share of a plan, as a reader of batches of a few megabytes. It has the schema
    of its columns also if there is no mail.

    `columns`: those that are wanted, by default `COLUMNS`. `normalizer`: by default the archive profile. `dialect`: that of
    mbox files, by default detected message by message. With `since` or `until`, only messages of such a date, the end
    excluded. Of messages longer than `most_octets` only the header is read. `mode`: "permissive" makes a row of everything;
    "dropmalformed" leaves out what has an `error` or whose `kind` is not `message`; "failfast" raises a ValueError for it.

    `storage_options` go to fsspec for paths with the scheme of a store; with `filesystem`, of fsspec or of `pyarrow.fs`, all
    paths are in that.

    A ValueError for an unknown column, mode or dialect; a FileNotFoundError if there is nothing at a path; any error of a store.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.eml").write_bytes(b"Subject: caf\\xe9\\r\\n\\r\\n")
    >>> [row for batch in read(folder, columns=["subject", "kind", "error"]) for row in batch.to_pylist()]
    [{'subject': 'café', 'kind': 'message', 'error': None}]
    """
    stores = _stores.Stores(storage_options, _stores.given(filesystem))
    share = source if isinstance(source, Share) else _share(_find_all(source, select, stores))
    names = _names(COLUMNS if columns is None else columns)
    _need_number("most_octets", most_octets, 0)
    rows = _Rows(
        _items(share, "mtime" in names, select, stores),
        names,
        normalizer or Normalizer(),
        dialect=dialect,
        most_octets=most_octets,
        dates=_span(since, until),
        mode=mode,
        ignore_errors=select.ignore_corrupt,
    )
    return pa.RecordBatchReader.from_batches(_schema(names), _batches(rows, names))


class Reading(TypedDict, total=False):
    """The options of `dataset` and `scan`, which are those of `read`.

    >>> Reading(mode="dropmalformed")
    {'mode': 'dropmalformed'}
    """

    normalizer: Normalizer | None
    dialect: str
    since: datetime | None
    until: datetime | None
    most_octets: int
    mode: Mode
    select: Select
    storage_options: Mapping[str, Any] | None
    filesystem: Any


def dataset(
    source: _Path | Iterable[_Path] | Share, *, columns: Sequence[str] | None = None, **options: Unpack[Reading]
) -> "pyarrow.dataset.Dataset":
    """The messages of `read` as a dataset of pyarrow. Only the columns that a query names are computed, and those that its filter
    looks at; no more is read than the query takes, a batch at a time.

    DuckDB queries it by the name of the variable. `columns` are those that can be asked for, by default all of `SCHEMA`.
    Each query reads the mail again, as it is then. `get_fragments` has a dataset for each share of a `plan`.

    Its own scanner reads it, with `to_table`, `to_batches`, `head`, `count_rows`, `take` and `filter`; engines that take a dataset
    apart without Python (`join` and `sort_by` of pyarrow) fail: make a table first.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.eml").write_bytes(b"Subject: caf\\xe9\\r\\n\\r\\n")
    >>> mail = dataset(folder)
    >>> mail.to_table(columns=["subject"], filter=pc.field("kind") == "message").to_pylist()
    [{'subject': 'café'}]
    """
    from sevenbit import _dataset

    source, names = _checked(source, columns, options)
    return _dataset.Mail(source, names, dict(options))


def scan(
    source: _Path | Iterable[_Path] | Share, *, columns: Sequence[str] | None = None, **options: Unpack[Reading]
) -> "polars.LazyFrame":
    """The messages of `read` as a lazy frame of Polars. Only the columns that a query names are computed, and those that its filter
    looks at; reading stops when it has its rows.

    Needs polars. `columns` are those that can be asked for, by default all of `SCHEMA`. Each query reads the mail again, as it is
    then. `pl.len()` normalises nothing.

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.eml").write_bytes(b"Subject: caf\\xe9\\r\\n\\r\\n")
    >>> scan(folder).select("subject").collect().to_dicts()
    [{'subject': 'café'}]
    """
    from sevenbit import _polars

    source, names = _checked(source, columns, options)
    return _polars.scan(source, names, options)


def _checked(source: Any, columns: Sequence[str] | None, options: Reading) -> tuple[Any, list[str]]:
    """A source and columns for queries to come: what is wrong with them is said before the first."""
    names = _names(SCHEMA.names if columns is None else columns)
    unknown = [name for name in options if name not in Reading.__annotations__]
    if unknown:
        raise TypeError(f"unexpected keyword argument {unknown[0]!r}{_nearest(unknown[0], Reading.__annotations__)}")
    _need_dialect(options.get("dialect", "auto"))
    if isinstance(source, Share):
        return source, names
    paths = _paths(source)
    stores = _stores.Stores(options.get("storage_options"), _stores.given(options.get("filesystem")))
    for path in paths if not options.get("select", _ALL).ignore_missing else ():
        if not _exists(path, stores):
            raise _missing(path)
    return paths, names


def _plan_of(paths: list[str], options: Mapping[str, Any]) -> list[Share]:
    """The plan of some paths, with the options of `read`."""
    return plan(paths, **{name: options[name] for name in ("dialect", "select", "storage_options", "filesystem") if name in options})


def _need_columns(names: Iterable[str], known: Sequence[str]) -> None:
    for name in names:
        if name not in known:
            raise ValueError(f"argument 'columns': {name!r} is none of the dataset{_nearest(name, known)}")


def _names(columns: Iterable[str]) -> list[str]:
    """The names of columns, all of which there are."""
    if isinstance(columns, str):
        raise TypeError(f"argument 'columns': expected a list of names, not the text {columns!r}")
    names = list(columns)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"argument 'columns': expected a list of names, not of {type(name).__name__}")
        if name not in SCHEMA.names:
            raise ValueError(f"argument 'columns': no column is called {name!r}{_nearest(name, SCHEMA.names)}")
    return names


_OF_FILES = ("path", "offset", "mtime", "from_line", "folder")


def _names_of_messages(columns: Iterable[str]) -> list[str]:
    """The names of columns that a message by itself has."""
    names = _names(columns)
    for name in _OF_FILES:
        if name in names:
            raise ValueError(f"argument 'columns': {name!r} is of files; the table of the messages keeps its own columns")
    return names


_DIALECTS = ("auto", "mboxo", "mboxrd", "mboxcl", "mboxcl2")


def _need_number(name: str, number: int, least: int) -> None:
    if not isinstance(number, int):
        raise TypeError(f"argument {name!r}: expected int, not {type(number).__name__}")
    if number < least:
        raise ValueError(f"argument {name!r}: expected a number from {least}, not {number}")


def _need_dialect(dialect: str) -> None:
    if dialect not in _DIALECTS:
        raise ValueError(f"argument 'dialect': no dialect is called {dialect!r}{_nearest(dialect, _DIALECTS)}")


def _nearest(name: str, names: Iterable[str]) -> str:
    """What a misspelt name seems to be."""
    lower = {each.lower(): each for each in names}
    near = difflib.get_close_matches(name.lower(), lower, 1, 0.5)
    return f"; is it {lower[near[0]]!r}?" if near else ""


def normalize(
    messages: pa.Array | pa.ChunkedArray | Sequence[bytes | None],
    *,
    columns: Sequence[str] = ("octets", "changed", "codes", "error"),
    normalizer: Normalizer | None = None,
) -> pa.RecordBatch:
    """The columns for messages in another table: an array or a column of `binary` or `string`, of any layout, or a list.

    A missing message gives an empty row. A ValueError for an unknown column, one of files (`path`, `offset`, `mtime`,
    `from_line`, `folder`), or a column that would have 2 GiB or more.

    >>> normalize([b"Subject: caf\\xe9\\r\\n\\r\\n", None], columns=["octets"]).to_pylist()
    [{'octets': b'Subject: =?utf-8?B?Y2Fmw6k=?=\\r\\n\\r\\n'}, {'octets': None}]
    """
    columns = _names_of_messages(columns)
    if isinstance(messages, pa.ChunkedArray):
        messages = messages.combine_chunks()
    elif not isinstance(messages, pa.Array):
        messages = pa.array(messages, pa.large_binary())
    present = messages.is_valid()
    flat = pc.fill_null(messages.cast(pa.large_binary()), b"")
    _, ends, octets = flat.buffers()
    at = flat.offset * 8
    found = _columns_of(
        memoryview(octets or b"").cast("B"),
        memoryview(ends or bytes(8)).cast("B")[at : at + (len(flat) + 1) * 8],
        list(columns),
        normalizer or Normalizer(),
    )
    arrays = [_array(SCHEMA.field(name).type, buffers) for name, buffers in zip(columns, found, strict=True)]
    if messages.null_count:
        arrays = [array.take(pc.if_else(present, pa.array(range(len(array))), None)) for array in arrays]
    return pa.RecordBatch.from_arrays(arrays, schema=_schema(columns))


def _schema(columns: Sequence[str]) -> pa.Schema:
    return pa.schema([SCHEMA.field(name) for name in columns])


def _batches(rows: "_Rows", names: Sequence[str]) -> Iterator[pa.RecordBatch]:
    schema = _schema(names)
    for count, columns in rows:
        arrays = [_array(field.type, buffers) for field, buffers in zip(schema, columns, strict=True)]
        assert all(len(array) == count for array in arrays)
        yield _batch(arrays, schema, count)


def _batch(arrays: list[pa.Array], schema: pa.Schema, rows: int) -> pa.RecordBatch:
    """A batch of some columns. Without columns there are still rows to count."""
    if arrays:
        return pa.RecordBatch.from_arrays(arrays, schema=schema)
    return pa.RecordBatch.from_struct_array(pa.array([{}] * rows, pa.struct([])))


def _array(kind: pa.DataType, column: tuple[int, list[bytes | None], list[Any]]) -> pa.Array:
    """The array of a type in these buffers."""
    length, buffers, children = column
    if pa.types.is_map(kind):
        kinds = [pa.struct([kind.key_field, kind.item_field])]
    elif pa.types.is_list(kind):
        kinds = [kind.value_type]
    else:
        kinds = [kind.field(index).type for index in range(kind.num_fields)]
    return pa.Array.from_buffers(
        kind,
        length,
        [None if buffer is None else pa.py_buffer(buffer) for buffer in buffers],
        children=[_array(child_kind, child) for child_kind, child in zip(kinds, children, strict=True)],
    )


def _span(since: datetime | None, until: datetime | None) -> tuple[int, int] | None:
    """Microseconds since 1970. A time without a zone is in this machine's zone, as everywhere in Python."""
    if since is None and until is None:
        return None
    epoch = datetime(1970, 1, 1, tzinfo=UTC)

    def micros(time: datetime) -> int:
        if not isinstance(time, datetime):
            raise TypeError(f"argument 'since' or 'until': expected a datetime, not {type(time).__name__}: {time!r}")
        try:
            passed = time.astimezone(UTC) - epoch
        except (OverflowError, ValueError):  # at an end of the calendar
            passed = time.replace(tzinfo=UTC) - epoch
        return (passed.days * 86_400 + passed.seconds) * 1_000_000 + passed.microseconds

    return micros(since) if since else -(2**63), micros(until) if until else 2**63 - 1


# ---- what is found


@dataclass(frozen=True)
class _Found:
    """A file, or what cannot be looked into: reading that says why."""

    path: str
    size: int
    mtime: int | None
    """In microseconds since 1970."""
    is_sure: bool = False
    """Whether it counts whatever its name is."""


def _paths(paths: _Path | Iterable[_Path]) -> list[str]:
    if not isinstance(paths, (str, bytes, os.PathLike, Iterable)):
        raise TypeError(f"argument 'paths': expected a path, or several, not {type(paths).__name__}")
    return [_local(os.fsdecode(path)) for path in ([paths] if isinstance(paths, (str, bytes, os.PathLike)) else paths)]


def _local(path: str) -> str:
    """A path of the disk in Python's form, which may be written as a URL."""
    return path.removeprefix("file://") if path.startswith("file:///") else path.removeprefix("file:")


def _find_all(paths: _Path | Iterable[_Path], select: Select, stores: _stores.Stores) -> list[_Found]:
    """The files at all of these paths, each once."""
    if not isinstance(select, Select):
        raise TypeError(f"argument 'select': expected Select, not {type(select).__name__}")
    found = (each for path in _paths(paths) for each in _find(path, select, stores))
    directories, once = dict[str, str](), dict[tuple[str, str], _Found]()
    for each in found:
        directory, name = os.path.split(each.path)
        if not stores.has(each.path) and directory not in directories:
            directories[directory] = os.path.realpath(directory)
        kept = once.setdefault((directories.get(directory, directory), name), each)
        if len(each.path) < len(kept.path):  # not by way of a link
            once[directories[directory], name] = each
    return list(once.values())


def _missing(path: str) -> FileNotFoundError:
    return FileNotFoundError(f"[PATH_NOT_FOUND] Path does not exist: {path}")


def _exists(path: str, stores: _stores.Stores) -> bool:
    """Whether there is something at a path or pattern."""
    if stores.has(path):
        store, inner = stores.split(path)
        store.invalidate_cache()
        if _stores.info_of(store, inner) is not None:
            return True
        return glob.has_magic(inner) and bool(_matching(inner, _stores.matches(store, inner)))
    return _is_there(path) or glob.has_magic(path) and bool(_matching(path, glob.iglob(path, recursive=True)))


def _is_there(path: str, follow_links: bool = False) -> bool:
    """Whether there is anything, or may be where looking is forbidden: then reading says so."""
    try:
        os.stat(path, follow_symlinks=follow_links)
    except OSError as error:
        return not isinstance(error, (FileNotFoundError, NotADirectoryError))
    return True


def _find(path: str, select: Select, stores: _stores.Stores) -> list[_Found]:
    """The files at a path, with their sizes, in the order of their names."""
    if stores.has(path):
        roots, found, is_pattern, base = _in_store(path, select, stores)
        committed = _committed_in_store(path, stores)
    else:
        is_pattern = glob.has_magic(path) and not _is_there(path)
        roots = _matching(path, glob.iglob(path, recursive=True)) if is_pattern else [path] * _is_there(path)
        found = [each for root in roots for each in _walk(root, select)]
        base = _stores.fixed_part(path) if is_pattern else path
        committed = _committed_on_disk()
    if not roots:
        if select.ignore_missing:
            return []
        raise _missing(path)
    mailboxes = {parent for each in found for parent in _maildirs(each.path)}
    named = set(roots)
    kept = (
        each
        for each in found
        if each.is_sure
        or each.path in named and not is_pattern
        or (each.path in named or _is_mail(each.path, mailboxes)) and select._wants(each) and committed.counts(each.path, base)
    )
    return sorted(kept, key=lambda each: each.path)


def _committed_on_disk() -> _parts.Committed:
    return _parts.Committed(lambda directory: os.listdir(directory or "."), lambda path: Path(path).read_bytes())


def _committed_in_store(path: str, stores: _stores.Stores) -> _parts.Committed:
    store, _ = stores.split(path)

    def names(directory: str) -> list[str]:
        return _parts.Directory(*stores.split(directory)).names()

    return _parts.Committed(names, lambda path: store.cat_file(stores.split(path)[1]))


def _matching(pattern: str, names: Iterable[str]) -> list[str]:
    """The paths that a pattern means: as in directories, nothing hidden of which the pattern does not say so itself."""
    said = [part for part in PurePosixPath(pattern).parts if part.startswith((".", "_"))]

    def is_hidden(part: str) -> bool:
        return part.startswith((".", "_")) and not any(fnmatchcase(part, each) for each in said)

    return [name for name in names if not any(map(is_hidden, PurePosixPath(name).parts))]


def _in_store(path: str, select: Select, stores: _stores.Stores) -> tuple[list[str], list[_Found], bool, str]:
    """What a path or pattern of a store names, the files there, whether it is a pattern, and the directory that it begins with."""
    store, inner = stores.split(path)
    store.invalidate_cache()
    named = _stores.info_of(store, inner)
    is_pattern = named is None and glob.has_magic(inner)
    if named is not None:
        infos = {inner: named}
    else:
        infos = _stores.matches(store, inner) if is_pattern else {}
        infos = {name: infos[name] for name in _matching(inner, infos)}

    details = dict[str, Mapping[str, Any]]()
    for name, info in infos.items():
        details |= _stores.files(store, name, info, select.recursive)
    folders = {str(PurePosixPath(name).parent.parent) for name in details if PurePosixPath(name).parent.name in ("cur", "new")}
    roots = {str(PurePosixPath(name)) for name in infos}
    found = [
        _Found(stores.named(store, name), int(info["size"] or 0), _stores.changed(info))
        for name, info in details.items()
        if not _is_in_hidden(name, roots, folders)
    ]
    base = stores.named(store, _stores.fixed_part(inner) if is_pattern else inner)
    return [stores.named(store, name) for name in infos], found, is_pattern, base


def _is_in_hidden(name: str, roots: set[str], folders: set[str]) -> bool:
    """Whether a file is in a directory below `roots` that is not looked into: one that is hidden, and no folder of a Maildir."""
    if name in roots:
        return False
    for directory in PurePosixPath(name).parents:
        if str(directory) in roots:
            return False
        if directory.name.startswith((".", "_")) and str(directory) not in folders:
            return True
    return False


def _walk(root: str, select: Select) -> Iterator[_Found]:
    """The files below a directory, or that file; what cannot be looked at or into is itself, so that reading it says why. Of
    hidden directories only the folders of a Maildir++ are looked into. Links are followed, but to no directory twice."""
    below, links = ([root], list[str]()) if os.path.isdir(root) else ([], [])
    if not below:
        yield _looked_at(root)
    seen = set[tuple[int, int]]()
    while below or links:
        directory = below.pop() if below else links.pop(0)
        try:
            with os.scandir(directory) as scanned:
                entries = list(scanned)
        except OSError as error:
            if not _is_of_place(error):
                raise
            yield _Found(directory, 0, None, is_sure=True)
            continue
        status = os.stat(directory)
        if (status.st_dev, status.st_ino) in seen:
            continue
        seen.add((status.st_dev, status.st_ino))
        for entry in entries:
            if _is_directory(entry):
                # A copy may have lost the one that is empty.
                holds = [os.path.isdir(os.path.join(entry.path, name)) for name in ("cur", "new")]
                is_folder = entry.name in ("cur", "new") or any(holds)
                if (select.recursive or is_folder) and (is_folder or not entry.name.startswith((".", "_"))):
                    (links if entry.is_symlink() else below).append(entry.path)
            elif _is_to_read(entry):
                yield _looked_at(entry.path)


def _is_directory(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself
        return False


def _is_to_read(entry: os.DirEntry[str]) -> bool:
    """Whether it is a file, or a link that leads nowhere or to itself: reading that says so."""
    try:
        return entry.is_file() or entry.is_symlink() and not os.path.exists(entry.path)
    except OSError:
        return True


def _looked_at(path: str) -> _Found:
    try:
        status = os.stat(path)
    except OSError:
        return _Found(path, 0, None)
    return _Found(path, status.st_size, status.st_mtime_ns // 1000)


def _maildirs(name: str) -> Iterator[str]:
    """The Maildir that a file's path implies: `cur` and `new` have messages, and on a disk there are both."""
    parent = PurePosixPath(name).parent
    if parent.name in ("cur", "new"):
        other = str(parent.with_name("new" if parent.name == "cur" else "cur"))
        if "://" in name or os.path.isdir(other):
            yield str(parent.parent)


def _is_mail(name: str, maildirs: set[str]) -> bool:
    """Whether a file may contain mail: as in Spark, names that begin with `.` or `_` do not, nor files of a Maildir outside
    `cur` and `new`."""
    path = PurePosixPath(name)
    in_maildir = str(path.parent) in maildirs or path.parent.name == "tmp" and str(path.parent.parent) in maildirs
    return not path.name.startswith((".", "_")) and not in_maildir


def _is_splittable(path: str, dialect: str) -> bool:
    """Whether ranges of a file may have messages of their own. A file that turns out not to be an mbox has all in its first."""
    suffix = PurePosixPath(path).suffix.lower()
    return dialect in _SPLITTABLE and suffix not in _PACKED and suffix not in (".tar", ".eml", *_OUTLOOK)


# ---- what is read

_Cut = tuple[tuple[int, int], tuple[int, int] | None]
_Item = tuple[str, str, object, int, int, int | None, _Cut | None]


def _items(share: Share, with_time: bool, select: Select, stores: _stores.Stores) -> Iterator[_Item]:
    """Each file in the form that the Rust part accepts. What is wrong with a file is a row; an error of its store is raised."""
    cut = None if share.piece is None else (share.piece, share.next_piece)
    for wanted, content in _stores.fetched(_wanted(share, stores), stores):
        path, start, end = wanted.path, wanted.start, wanted.end
        is_remote = stores.has(path)
        if select.ignore_missing and not is_remote and not _is_there(path, follow_links=True):
            continue
        shown = _shown(path)
        try:
            if not is_remote:
                if not (stat.S_ISREG(mode := os.stat(path).st_mode) or stat.S_ISDIR(mode)):
                    yield shown, "failed", "not a file: reading it may wait for ever", 0, 0, None, None
                    continue
                time = os.stat(path).st_mtime_ns // 1000 if with_time else None
                yield shown, "file", path, start, end, time, cut
                continue
            time = wanted.mtime if wanted.size is not None or not with_time else stores.changed(path)
            octets = content.result() if content is not None else None
            with closing(io.BytesIO(octets) if octets is not None else stores.open(path)) as file:
                yield shown, "opened", file, start, end, time, cut
        except FileNotFoundError as error:
            if not select.ignore_missing:
                yield shown, "failed", _described(error), 0, 0, None, None
        except OSError as error:
            if is_remote or not _is_of_place(error):
                error.add_note(f"while reading {shown}")
                raise
            yield shown, "failed", _described(error), 0, 0, None, None


def _wanted(share: Share, stores: _stores.Stores) -> Iterator[_stores.Wanted]:
    for number, (path, start, end) in enumerate(share.files):
        size, mtime = share.known[number] if number < len(share.known) else (None, None)
        is_small = size is not None and size <= _stores.SMALL_OCTETS and (start, end) == (0, _END) and stores.has(path)
        yield _stores.Wanted(path, start, end, size, mtime, is_small)


_OF_PLACE = (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EACCES, errno.EPERM, errno.ELOOP, errno.ENAMETOOLONG)


def _is_of_place(error: OSError) -> bool:
    """Whether an error belongs to one place on the disk, so that trying again does not change it; others are of the disk."""
    return error.errno in _OF_PLACE


def _shown(path: str) -> str:
    """A path as text: a name on disk may be any octets."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _described(error: Exception) -> str:
    return _shown(f"{type(error).__name__}: {error}")
