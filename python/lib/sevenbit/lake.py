"""Archives of mail as tables of Arrow: mbox files, Maildirs, trees of messages, tar files, optionally packed with gz or zst.

Needs pyarrow; stores other than the disk need fsspec.

>>> from sevenbit import lake
>>> import pyarrow as pa
>>> table = lake.normalize(pa.array([b"Subject: caf\\xe9\\r\\n\\r\\n"], pa.binary()), columns=["subject", "changed"])
>>> table.to_pylist()
[{'subject': 'café', 'changed': True}]

`read` returns the messages of a path as record batches; `plan` cuts the work into shares that any workers may do in any
order, and each share is read with `read` as well. A file that cannot be read is a row with `error`, not an exception.

| column | is |
|---|---|
| `path`, `offset` | the file, and where the message begins in it, or in its unpacked form |
| `message_id`, `date`, `from`, `to`, `cc`, `subject` | of the header, as clean Unicode; the date in UTC |
| `text` | of the first leaf of plain text that is not an attachment, else the source of HTML |
| `charsets` | the charset labels of the leaves as given, each once |
| `codes` | what was odd, or was done about it, each once |
| `changed`, `octets` | whether the normal form differs from the message, and that form |
| `error` | why the row is incomplete; null if all is well |

A column is computed only if it is requested: without `octets`, `changed` and `codes` nothing is normalised.
"""

import glob
import os
import stat
import tarfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import IO, Any

try:
    import pyarrow as pa
    import pyarrow.compute as pc
except ModuleNotFoundError as error:
    error.add_note("sevenbit.lake needs the extra: pip install 'sevenbit[arrow]'")
    raise

from sevenbit._sevenbit import Normalizer, _columns_of, _Rows

__all__ = ["SCHEMA", "Share", "normalize", "plan", "read"]

_TEXTS = pa.list_(pa.field("element", pa.string()))
_PEOPLE = pa.list_(pa.field("element", pa.struct([("name", pa.string()), ("address", pa.string())])))

SCHEMA = pa.schema(
    [
        ("path", pa.string()),
        ("offset", pa.int64()),
        ("message_id", pa.string()),
        ("date", pa.timestamp("us", tz="UTC")),
        ("from", _PEOPLE),
        ("to", _PEOPLE),
        ("cc", _PEOPLE),
        ("subject", pa.string()),
        ("text", pa.string()),
        ("charsets", _TEXTS),
        ("codes", _TEXTS),
        ("changed", pa.bool_()),
        ("octets", pa.binary()),
        ("error", pa.string()),
    ]
)
"""All columns, with their types."""

SPLIT_OCTETS = 64 << 20
"""How large a share is at most by default: larger mbox files are split. At multiples of 16 MiB a split costs nothing
extra."""

_MIN_OCTETS = 4 << 20  # less is done faster than Spark hands it out

MOST_OCTETS = 256 << 20
"""Longer messages have an `error`, and only the columns of their header."""

_END = 2**63 - 1
_PACKED = {".gz": "gzip", ".tgz": "gzip", ".zst": "zstd", ".tzst": "zstd"}
_MAGIC = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
_TAR = (".tar", ".tgz", ".tzst")


@dataclass(frozen=True)
class Share:
    """Work for one worker: files, and of each the range of octets in which its messages begin."""

    files: tuple[tuple[str, int, int], ...]


def plan(
    paths: str | Iterable[str],
    *,
    split_octets: int = SPLIT_OCTETS,
    dialect: str = "auto",
    storage_options: Mapping[str, Any] | None = None,
) -> list[Share]:
    """Cuts the work on some paths into shares: together they have every message exactly once, however they are cut.

    A path is a file, a directory or a pattern of either, on disk or with the scheme of a store (`s3://...`). Large mbox
    files are split; small files are combined until they have `split_octets`, or a 64th of all if that is less, but 4 MiB
    at least.
    """
    files = [found for path in ([paths] if isinstance(paths, str) else paths) for found in _find(path, storage_options)]
    most = min(split_octets, max(_MIN_OCTETS, sum(size for _, size in files) // 64))
    shares: list[Share] = []
    small: list[tuple[str, int, int]] = []
    held = 0
    for path, size in files:
        if size >= split_octets and _is_splittable(path, dialect):
            for start in range(0, size, split_octets):
                end = start + split_octets
                shares.append(Share(((path, start, end if end < size else _END),)))
            continue
        small.append((path, 0, _END))
        held += size
        if held >= most:
            shares.append(Share(tuple(small)))
            small, held = [], 0
    return [*shares, Share(tuple(small))] if small else shares


def read(
    source: str | Iterable[str] | Share,
    *,
    columns: Sequence[str] | None = None,
    normalizer: Normalizer | None = None,
    dialect: str = "auto",
    since: datetime | None = None,
    until: datetime | None = None,
    most_octets: int = MOST_OCTETS,
    storage_options: Mapping[str, Any] | None = None,
) -> Iterator[pa.RecordBatch]:
    """The messages of a path, of several, or of a share of a plan, as batches of a few megabytes.

    `columns`: those that are wanted, by default all of `SCHEMA`. `normalizer`: by default the archive profile. `dialect`:
    that of mbox files, by default detected message by message. With `since` or `until`, only messages of such a date, the
    end excluded. Of messages longer than `most_octets` only the header is read.

    A ValueError for an unknown column or dialect.
    """
    if isinstance(source, Share):
        files: Iterable[tuple[str, int, int]] = source.files
    else:
        paths = [source] if isinstance(source, str) else source
        files = ((path, 0, _END) for each in paths for path, _ in _find(each, storage_options))
    names = SCHEMA.names if columns is None else list(columns)
    rows = _Rows(
        _items(files, most_octets, storage_options),
        names,
        normalizer or Normalizer(),
        dialect=dialect,
        most_octets=most_octets,
        dates=_span(since, until),
    )
    return _batches(rows, names)


def normalize(
    messages: pa.Array,
    *,
    columns: Sequence[str] = ("octets", "changed", "codes", "error"),
    normalizer: Normalizer | None = None,
) -> pa.RecordBatch:
    """The columns for messages in another table: an array of `binary` or `string`, of any layout.

    A missing message gives an empty row. At most 2 GiB of messages in one call. A ValueError for an unknown column.
    """
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
        yield pa.RecordBatch.from_arrays(arrays, schema=schema)


def _array(kind: pa.DataType, column: tuple[int, list[bytes | None], list[Any]]) -> pa.Array:
    """The array of a type in these buffers."""
    length, buffers, children = column
    if pa.types.is_list(kind):
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
        passed = time.astimezone(UTC) - epoch
        return (passed.days * 86_400 + passed.seconds) * 1_000_000 + passed.microseconds

    return micros(since) if since else -(2**63), micros(until) if until else 2**63 - 1


# ---- what is found


def _find(path: str, storage_options: Mapping[str, Any] | None) -> list[tuple[str, int]]:
    """The files at a path, with their sizes, in the order of their names."""
    if "://" in path:
        import fsspec

        store, inner = fsspec.core.url_to_fs(path, **(storage_options or {}))
        roots = store.glob(inner) if glob.has_magic(inner) else [inner]
        details = {name: info for root in roots for name, info in store.find(root, detail=True).items()}
        found = [(store.unstrip_protocol(name), int(info["size"] or 0)) for name, info in details.items()]
    else:
        roots = glob.glob(path, recursive=True) if glob.has_magic(path) and not os.path.lexists(path) else [path]
        found = [each for root in roots for each in _walk(root)]
    mailboxes = {parent for name, _ in found for parent in _maildirs(name)}
    return sorted((name, size) for name, size in found if _is_mail(name, mailboxes) or name in roots)


def _walk(root: str) -> Iterator[tuple[str, int]]:
    """The files below a directory, or that file; if it is neither, itself, so that reading it says why. Of hidden
    directories only the folders of a Maildir++ are looked into."""
    try:
        status = os.stat(root)
    except OSError:
        yield root, 0
        return
    if not stat.S_ISDIR(status.st_mode):
        yield root, status.st_size
        return
    below = [root]
    while below:
        with os.scandir(below.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if not entry.name.startswith(".") or os.path.isdir(os.path.join(entry.path, "cur")):
                        below.append(entry.path)
                elif entry.is_file():
                    yield entry.path, entry.stat().st_size


def _maildirs(name: str) -> Iterator[str]:
    """The Maildir that a file's path implies: `cur` and `new` have messages."""
    parent = PurePosixPath(name).parent
    if parent.name in ("cur", "new"):
        yield str(parent.parent)


def _is_mail(name: str, maildirs: set[str]) -> bool:
    """Whether a file may contain mail: hidden ones do not, nor files of a Maildir outside `cur` and `new`."""
    path = PurePosixPath(name)
    in_maildir = str(path.parent) in maildirs or path.parent.name == "tmp" and str(path.parent.parent) in maildirs
    return not path.name.startswith(".") and not in_maildir


def _is_splittable(path: str, dialect: str) -> bool:
    """Whether ranges of a file may have messages of their own. A file that turns out not to be an mbox has all in its first."""
    suffix = PurePosixPath(path).suffix.lower()
    return dialect not in ("mboxcl", "mboxcl2") and suffix not in _PACKED and suffix not in (".tar", ".eml")


# ---- what is read


def _items(
    files: Iterable[tuple[str, int, int]], most: int, storage_options: Mapping[str, Any] | None
) -> Iterator[tuple[str, str, Any, int, int]]:
    """Each file in the form that the Rust part accepts. An error is a row."""
    for path, start, end in files:
        try:
            yield from _item(path, start, end, most, storage_options)
        except Exception as error:
            yield path, "failed", f"{type(error).__name__}: {error}", 0, 0


def _item(
    path: str, start: int, end: int, most: int, storage_options: Mapping[str, Any] | None
) -> Iterator[tuple[str, str, Any, int, int]]:
    local = "://" not in path
    if local and path.endswith(".eml"):
        yield path, "file", path, start, end
        return
    with closing(_open(path, storage_options)) as file:
        first = file.read(512)
        packing = next((packing for magic, packing in _MAGIC.items() if first.startswith(magic)), None)
        is_tar = first[257:262] == b"ustar"
        if packing is None and not is_tar:
            if local:
                yield path, "file", path, start, end
            else:
                file.seek(0)
                yield path, "opened", file, start, end
        elif start == 0:
            file.seek(0)
            stream = file if packing is None else pa.CompressedInputStream(pa.PythonFile(file, "r"), packing)
            if is_tar or _is_tar(path):
                yield from _members(path, stream, most)
            else:
                yield path, "stream", stream, 0, end


def _open(path: str, storage_options: Mapping[str, Any] | None) -> IO[bytes]:
    if "://" not in path:
        return open(path, "rb")
    import fsspec

    opened: IO[bytes] = fsspec.open(path, "rb", **(storage_options or {})).open()
    return opened


def _is_tar(path: str) -> bool:
    path = path.lower()
    return path.endswith(_TAR) or path.endswith((".tar.gz", ".tar.zst"))


def _members(path: str, stream: Any, most: int) -> Iterator[tuple[str, str, Any, int, int]]:
    """The regular files of a tar file, hidden ones excepted: each is a message."""
    with tarfile.open(fileobj=stream, mode="r|") as members:
        for member in members:
            if member.isfile() and not PurePosixPath(member.name).name.startswith("."):
                file = members.extractfile(member)
                if file is not None:
                    yield path, "message", file.read(most + 1), member.offset_data, 0
