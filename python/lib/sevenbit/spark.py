"""Archives of mail on a cluster: a data source for Spark 4, and the normal form of a column.

>>> import sevenbit.spark
>>> spark.dataSource.register(sevenbit.spark.MailSource)  # doctest: +SKIP
>>> mail = spark.read.format("mail").option("columns", "path,offset,subject,octets").load("/archive")  # doctest: +SKIP
>>> mail.write.format("mail").mode("append").save("/normalized")  # doctest: +SKIP

Needs pyspark 4.1 or newer with pandas below 3, and `sevenbit` installed where the workers run. The columns are those of
`sevenbit.lake`; the options of reading are:

| option | is |
|---|---|
| `columns` | those that are computed, separated by commas; Spark does not tell a source which ones a query needs. By default those of `COLUMNS`, without `octets`, `changed` and `codes`, for which messages have to be normalised. `.schema(...)` does the same, but then Spark asks the source nothing before the job runs: a mistyped path is an error only after `overwrite` has emptied its target |
| `profile`, `signed`, `unlabelled` and so on | those of `sevenbit.normalize` that are a word |
| `dialect` | that of mbox files: `auto`, `mboxo`, `mboxrd`, `mboxcl`, `mboxcl2` |
| `mode` | what becomes of what has an `error`, or is no message (`kind`): `PERMISSIVE` makes rows of it, `DROPMALFORMED` leaves it out, `FAILFAST` fails |
| `columnNameOfCorruptRecord` | what the column `corrupt` is called, which this adds: the octets of what is no message |
| `ignoreCorruptFiles`, `ignoreMissingFiles` | `true`: what cannot be read, or is not there, is left out |
| `pathGlobFilter`, `recursiveFileLookup`, `modifiedAfter`, `modifiedBefore` | which files of a directory are read: by name, also in directories in it (`true`, unlike elsewhere in Spark), by time (`2026-11-25T10:00:00`, in UTC unless it has a zone) |
| `splitOctets` | how large a partition is at most, if an mbox file is larger, or another one that `sevenbit.lake.plan` can split: 67108864 |
| `mostOctets` | how long a message may be: 268435456 |
| `pushdown` | `true`: filters on `path` and `date` are applied before anything is normalised. Needs the setting `spark.sql.python.filterPushdown.enabled` |
| `storage.*` | passed to fsspec, by their types: a value that is JSON is taken as that (`storage.anon` = `false`, `storage.client_kwargs` = `{"endpoint_url": "http://..."}`), any other as a text. A password of digits alone needs quotes: `"123456"` |

and those of writing:

| option | is |
|---|---|
| `layout` | `mbox`: a file for each task; `eml`: a folder of messages for each |
| `job` | the name of the job, with which it can be run again: a run replaces what earlier runs under that name have committed. Without it each run is a job of its own |
| `storage.*` | passed to fsspec |

The mail that is written counts from the moment that the job's manifest (`_mail-*.json`) is there, which reading respects. An option of another name, a column that there is not, or a path
with nothing at it (`PATH_NOT_FOUND`) is an error before anything is read or replaced. A broken file is a row with `error`; a
task that is killed is repeated, with the same rows.

`spark.readStream.format("mail")` reads files of every kind as they arrive, each exactly once; they have to appear whole. It has two
options more:

| option | is |
|---|---|
| `log` | a directory beside the checkpoint, in which the stream writes down which files each of its batches has. It is needed, and belongs to one stream |
| `maxFilesPerTrigger` | how many files a batch has at most |
"""

import contextlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast

try:
    import pyarrow as pa
    from pyspark.sql import DataFrame
except ModuleNotFoundError as _error:
    _error.add_note("sevenbit.spark needs the extra: pip install 'sevenbit[spark]'")
    raise

from pyspark.sql.datasource import (
    DataSource,
    DataSourceArrowWriter,
    DataSourceReader,
    DataSourceStreamReader,
    EqualTo,
    Filter,
    GreaterThan,
    GreaterThanOrEqual,
    In,
    InputPartition,
    LessThan,
    LessThanOrEqual,
    StringStartsWith,
    WriterCommitMessage,
)
from pyspark.sql.types import BinaryType, StructType

from sevenbit import _arrivals, _parts, _stores, lake
from sevenbit._sevenbit import _OPTIONS, Normalizer

__all__ = ["COLUMNS", "MailSource", "normalize"]

COLUMNS = tuple(name for name in lake.COLUMNS if name not in ("codes", "changed", "octets"))
"""The columns that are computed if none are named: none for which a message has to be normalised. Spark does not say which ones a
query needs, and `count()` needs none."""

_SCALARS = {
    pa.string(): "string",
    pa.binary(): "binary",
    pa.bool_(): "boolean",
    pa.int64(): "bigint",
    pa.timestamp("us", tz="UTC"): "timestamp",
}


def _spark_type(of_arrow: pa.DataType) -> str:
    """The name that Spark has for a type of Arrow.

    >>> _spark_type(pa.list_(pa.struct([("name", pa.string()), ("size", pa.int64())])))
    'array<struct<name:string,size:bigint>>'
    """
    if pa.types.is_map(of_arrow):
        return f"map<{_spark_type(of_arrow.key_type)},{_spark_type(of_arrow.item_type)}>"
    if pa.types.is_list(of_arrow):
        return f"array<{_spark_type(of_arrow.value_type)}>"
    if pa.types.is_struct(of_arrow):
        return f"struct<{','.join(f'{field.name}:{_spark_type(field.type)}' for field in of_arrow)}>"
    return _SCALARS[of_arrow]


_TYPES = {field.name: _spark_type(field.type) for field in lake.SCHEMA}

_NORMALIZING = tuple(name for name, _ in _OPTIONS)
_FLAGS = ("ignoreCorruptFiles", "ignoreMissingFiles", "recursiveFileLookup", "pushdown")
_READING = (
    *_NORMALIZING,
    *_FLAGS,
    *("path", "paths", "columns", "dialect", "mode", "columnNameOfCorruptRecord", "pathGlobFilter"),
    *("modifiedAfter", "modifiedBefore", "splitOctets", "mostOctets"),
)
_STREAMING = (*_READING, "log", "maxFilesPerTrigger")
_WRITING = ("path", "layout", "job")


def _ddl(names: Iterable[str], corrupt: str = "corrupt") -> str:
    for name in names:
        if name not in _TYPES:
            raise ValueError(f"option 'columns': no column is called {name!r}{lake._nearest(name, _TYPES)}")
    return ", ".join(f"`{corrupt if name == 'corrupt' else name}` {_TYPES[name]}" for name in names)


class MailSource(DataSource):
    """Reads and writes archives of mail: `spark.dataSource.register(MailSource)`, then the format `mail`."""

    @classmethod
    def name(cls) -> str:
        return "mail"

    def schema(self) -> str:
        _check(self.options, _STREAMING)
        return _ddl(_columns(self.options), _corrupt(self.options))

    def reader(self, schema: StructType) -> DataSourceReader:
        _check(self.options)
        _fits(schema, _corrupt(self.options))
        chosen = {_corrupt(self.options) if name == "corrupt" else name for name in _columns(self.options)}
        if _option(self.options, "columns") and chosen != set(schema.names):
            raise ValueError("option 'columns': the schema says which columns are computed")
        pushes = _flag(self.options, "pushdown", False)
        return (_PushingReader if pushes else _Reader)(self.options, schema.names)

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:
        _check(self.options, _STREAMING)
        _fits(schema, _corrupt(self.options))
        return _StreamReader(self.options, schema.names)

    def writer(self, schema: StructType, overwrite: bool) -> DataSourceArrowWriter:
        _known(self.options, _WRITING)
        if "octets" not in schema.names:
            raise ValueError("what is written as mail has a column 'octets': name it in the option 'columns' of reading")
        if not isinstance(schema["octets"].dataType, BinaryType):
            raise ValueError(f"column 'octets': binary is needed, not {schema['octets'].dataType.simpleString()}")
        return _Writer(self.options, overwrite)


def _columns(options: Mapping[str, str]) -> list[str]:
    chosen = _option(options, "columns")
    names = [name.strip() for name in chosen.split(",")] if chosen else list(COLUMNS)
    wants_corrupt = _option(options, "columnNameOfCorruptRecord") is not None and "corrupt" not in names
    return [*names, *["corrupt"] * wants_corrupt]


def _corrupt(options: Mapping[str, str]) -> str:
    return _option(options, "columnNameOfCorruptRecord") or "corrupt"


def _known(options: Mapping[str, str], names: Sequence[str]) -> None:
    """A misspelt option would be one without effect."""
    lower = {name.lower() for name in names}
    for name in options:
        if name.lower() not in lower and not name.lower().startswith("storage."):
            raise ValueError(f"option {name!r} is unknown{lake._nearest(name, names)}")


def _check(options: Mapping[str, str], names: Sequence[str] = ()) -> None:
    """Everything that can be wrong before a file is read."""
    _known(options, names or _READING)
    _normalizer(options)
    _Arguments.of(options)
    ignores = _flag(options, "ignoreMissingFiles", False)
    for path in _named_paths(options):
        if not ignores and not lake._exists(path, _stores.Stores(_storage(options))):
            raise lake._missing(path)


def _fits(schema: StructType, corrupt: str) -> None:
    """Whether a schema is one of ours: its columns, in any order."""
    for field in schema.fields:
        name = "corrupt" if field.name == corrupt else field.name
        _ddl([name])
        given = field.dataType.simpleString()
        if given != _TYPES[name]:
            raise ValueError(f"the schema: column {field.name!r} is {_TYPES[name]}, not {given}")


def _option(options: Mapping[str, str], name: str) -> str | None:
    """An option by its name, ignoring case."""
    return next((value for key, value in options.items() if key.lower() == name.lower()), None)


def _flag(options: Mapping[str, str], name: str, default: bool) -> bool:
    value = _option(options, name)
    if value is None:
        return default
    if value.lower() not in ("true", "false"):
        raise ValueError(f"option {name!r}: expected 'true' or 'false', not {value!r}")
    return value.lower() == "true"


def _number(options: Mapping[str, str], name: str, default: int) -> int:
    value = _option(options, name)
    if value is None:
        return default
    if not value.isdecimal() or int(value) == 0:
        raise ValueError(f"option {name!r}: expected a number from 1, not {value!r}")
    return int(value)


def _time(options: Mapping[str, str], name: str) -> datetime | None:
    value = _option(options, name)
    if value is None:
        return None
    try:
        time = datetime.fromisoformat(value)
    except ValueError:
        raise ValueError(f"option {name!r}: expected a time like '2026-11-25T10:00:00', not {value!r}") from None
    return time if time.tzinfo is not None else time.replace(tzinfo=UTC)


def _word(options: Mapping[str, str], name: str, words: Sequence[str]) -> Any:
    value = (_option(options, name) or words[0]).lower()
    if value not in words:
        raise ValueError(f"option {name!r}: expected {' or '.join(map(repr, words))}, not {value!r}{lake._nearest(value, words)}")
    return value


@dataclass(frozen=True)
class _Arguments:
    """The options of `lake.plan` and `lake.read`."""

    dialect: str
    mode: lake.Mode
    split_octets: int
    most_octets: int
    select: lake.Select

    @classmethod
    def of(cls, options: Mapping[str, str]) -> "_Arguments":
        return cls(
            dialect=_word(options, "dialect", ("auto", "mboxo", "mboxrd", "mboxcl", "mboxcl2")),
            mode=_word(options, "mode", ("permissive", "dropmalformed", "failfast")),
            split_octets=_number(options, "splitOctets", lake.SPLIT_OCTETS),
            most_octets=_number(options, "mostOctets", lake.MOST_OCTETS),
            select=lake.Select(
                name=_option(options, "pathGlobFilter"),
                recursive=_flag(options, "recursiveFileLookup", True),
                modified_after=_time(options, "modifiedAfter"),
                modified_before=_time(options, "modifiedBefore"),
                ignore_corrupt=_flag(options, "ignoreCorruptFiles", False),
                ignore_missing=_flag(options, "ignoreMissingFiles", False),
            ),
        )


def _named_paths(options: Mapping[str, str]) -> list[str]:
    several = _option(options, "paths")
    path = _option(options, "path")
    if path is None and several is None:
        raise ValueError("option 'path': where the mail is")
    paths: list[str] = json.loads(several) if several else [path or ""]
    return [lake._local(each) for each in paths]


def _normalizer(options: Mapping[str, str]) -> Normalizer:
    given: dict[str, Any] = {name: value for name in _NORMALIZING if (value := _option(options, name)) is not None}
    return Normalizer(**given)


def _storage(options: Mapping[str, str]) -> dict[str, Any]:
    """The options that are fsspec's."""
    given = {key[len("storage.") :]: value for key, value in options.items() if key.lower().startswith("storage.")}
    return {name: _typed(value) for name, value in given.items()}


def _typed(value: str) -> Any:
    """A value that is JSON as that: `false`, `22`, `{"endpoint_url": "..."}`, `"22"`. Any other is a text.

    >>> _typed("false"), _typed("22"), _typed('"22"'), _typed("secret"), _typed("NaN")
    (False, 22, '22', 'secret', 'NaN')
    """
    try:
        return json.loads(value, parse_constant=_no_json)
    except ValueError:
        return value


def _no_json(word: str) -> Any:
    """Python's own additions to JSON are none."""
    raise ValueError(word)


# ---- reading

try:
    from pyspark.sql.streaming.datasource import SupportsTriggerAvailableNow as _AvailableNow
except ImportError:  # before Spark 4.2

    class _AvailableNow:  # type: ignore[no-redef]
        pass


@dataclass
class _Partition(InputPartition):
    share: lake.Share


class _Reader(DataSourceReader):
    def __init__(self, options: Mapping[str, str], columns: list[str]) -> None:
        self.options = dict(options)
        self.columns = columns
        self.since: datetime | None = None
        self.until: datetime | None = None

    def partitions(self) -> list[InputPartition]:
        arguments = _Arguments.of(self.options)
        shares = lake.plan(
            _named_paths(self.options),
            split_octets=arguments.split_octets,
            dialect=arguments.dialect,
            select=arguments.select,
            storage_options=_storage(self.options),
        )
        return [_Partition(share) for share in self._of_wanted(shares)]

    def _of_wanted(self, shares: list[lake.Share]) -> Iterator[lake.Share]:
        return iter(shares)

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        # A plan of nothing is one partition of nothing.
        if not isinstance(partition, _Partition):
            return iter(())
        arguments = _Arguments.of(self.options)
        corrupt = _corrupt(self.options)
        batches = lake.read(
            partition.share,
            columns=["corrupt" if name == corrupt else name for name in self.columns],
            normalizer=_normalizer(self.options),
            dialect=arguments.dialect,
            since=self.since,
            until=self.until,
            most_octets=arguments.most_octets,
            mode=arguments.mode,
            select=arguments.select,
            storage_options=_storage(self.options),
        )
        return (batch.rename_columns(self.columns) for batch in batches)


class _StreamReader(DataSourceStreamReader, _AvailableNow):
    """Reads files as they arrive: an offset is the number of a batch in the log (`sevenbit._arrivals`)."""

    def __init__(self, options: Mapping[str, str], columns: list[str]) -> None:
        log = _option(options, "log")
        if log is None:
            raise ValueError("option 'log': a directory beside the checkpoint, in which the stream writes down what it has read")
        self.reader = _Reader(options, columns)
        self.log = _arrivals.Log(*_stores.Stores(_storage(options)).split(lake._local(log)))
        self.most = _number(options, "maxFilesPerTrigger", 0) or None
        self.available: list[_arrivals.File] | None = None

    def initialOffset(self) -> dict[str, Any]:
        return {"batch": 0}

    # Spark 4.1 passes nothing; it knows neither limits nor what is available now.
    def latestOffset(self, start: dict[str, Any] | None = None, limit: Any = None) -> dict[str, Any]:
        most = self.most if limit is None else getattr(limit, "max_files", None)
        arrived = self._arrived() if self.available is None else self.available
        return {"batch": self.log.add(arrived, start["batch"] if start else 0, most)}

    def getDefaultReadLimit(self) -> Any:
        from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadMaxFiles

        return ReadAllAvailable() if self.most is None else ReadMaxFiles(self.most)

    def prepareForTriggerAvailableNow(self) -> None:
        self.available = self._arrived()

    def _arrived(self) -> list[_arrivals.File]:
        """The files that there are now, whether or not a batch has them."""
        options = self.reader.options
        select, stores = _Arguments.of(options).select, _stores.Stores(_storage(options))
        return [(each.path, each.size, each.mtime) for each in lake._find_all(_named_paths(options), select, stores)]

    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> Sequence[InputPartition]:
        arguments = _Arguments.of(self.reader.options)
        files = [lake._Found(*file) for file in self.log.files(start["batch"], end["batch"])]
        stores = _stores.Stores(_storage(self.reader.options))
        return [_Partition(share) for share in lake._shares(files, arguments.split_octets, arguments.dialect, stores)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        return self.reader.read(partition)


class _PushingReader(_Reader):
    """Leaves out what filters on `path` and `date` do not want. Spark looks at the rest all the same: here two days
    more are let through at both ends, so that no time zone matters."""

    def pushFilters(self, filters: list[Filter]) -> Iterable[Filter]:
        self.wanted: list[tuple[str, Any]] = []
        for each in filters:
            match each:
                case EqualTo(("path",), value):
                    self.wanted.append(("in", [value]))
                case In(("path",), values):
                    self.wanted.append(("in", list(values)))
                case StringStartsWith(("path",), value):
                    self.wanted.append(("starts", value))
                case GreaterThan(("date",), value) | GreaterThanOrEqual(("date",), value):
                    self.since = max(filter(None, [self.since, _moved(value, -_MARGIN)]))
                case LessThan(("date",), value) | LessThanOrEqual(("date",), value):
                    self.until = min(filter(None, [self.until, _moved(value, _MARGIN)]))
            yield each

    def _of_wanted(self, shares: list[lake.Share]) -> Iterator[lake.Share]:
        for share in shares:
            kept = [number for number, file in enumerate(share.files) if self._wants(file[0])]
            if kept:
                files = tuple(share.files[number] for number in kept)
                known = tuple(share.known[number] for number in kept if number < len(share.known))
                yield replace(share, files=files, known=known)

    def _wants(self, path: str) -> bool:
        shown = lake._shown(path)

        def holds(how: str, value: Any) -> bool:
            return shown in value if how == "in" else shown.startswith(value)

        return all(holds(how, value) for how, value in self.wanted)


_MARGIN = timedelta(days=2)


def _moved(time: datetime, span: timedelta) -> datetime:
    """A later or an earlier time, unless the calendar ends before."""
    try:
        return time + span
    except OverflowError:
        return time


# ---- a column


def normalize(
    table: DataFrame,
    column: str = "content",
    *,
    columns: Sequence[str] = ("octets", "changed", "codes", "error"),
    keep: Sequence[str] | None = None,
    **options: str,
) -> DataFrame:
    """The messages in a column of a table (`binaryFile`, Parquet, Delta...) in their normal form.

    The result has the columns `keep`, by default all but the messages, and then `columns` of `sevenbit.lake`.
    `options` are those of `sevenbit.normalize`. Raises a ValueError for unknown options or columns.
    """
    _known(options, _NORMALIZING)
    _normalizer(options)
    wanted = lake._names_of_messages(columns)
    kept = [name for name in table.columns if name != column] if keep is None else list(keep)
    kept = [name for name in kept if name not in wanted]
    fields = [table.schema[name] for name in kept]
    schema = StructType([*fields, *cast(StructType, StructType.fromDDL(_ddl(wanted))).fields])

    def work(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        normalizer = _normalizer(options)
        for batch in batches:
            for piece in _pieces(batch, column):
                done = lake.normalize(piece.column(column), columns=wanted, normalizer=normalizer)
                yield pa.RecordBatch.from_arrays([*map(piece.column, kept), *done.columns], [*kept, *wanted])

    return table.select(*kept, column).mapInArrow(work, schema)


_PIECE_OCTETS = 64 << 20


def _pieces(batch: pa.RecordBatch, column: str) -> Iterator[pa.RecordBatch]:
    """A batch in pieces, so that the output of each stays far below the 2 GiB that a column can hold."""
    if batch.column(column).nbytes <= _PIECE_OCTETS or batch.num_rows < 2:
        yield batch
        return
    half = batch.num_rows // 2
    yield from _pieces(batch.slice(0, half), column)
    yield from _pieces(batch.slice(half), column)


# ---- writing


@dataclass
class _Written(WriterCommitMessage):
    """The part that a task has written; none if it had no messages."""

    part: str | None


class _Writer(DataSourceArrowWriter):
    """Writes `octets` to `path`, a part a task: an mbox file (option `layout`: `mbox`), or a folder of messages (`eml`).

    Parts are written under their final names, and count from the moment that the manifest of the job is there (`sevenbit._parts`).
    """

    def __init__(self, options: Mapping[str, str], overwrite: bool) -> None:
        self.options = dict(options)
        self.overwrite = overwrite
        path = _option(options, "path")
        if path is None:
            raise ValueError("option 'path': where the mail goes")
        self.path = lake._local(path)
        self.layout = _option(options, "layout") or "mbox"
        if self.layout not in ("mbox", "eml"):
            raise ValueError(f"option 'layout': expected 'mbox' or 'eml', not {self.layout!r}")
        self.job = _parts.Job.called(_option(options, "job"))

    def _directory(self) -> _parts.Directory:
        return _parts.Directory(*_stores.Stores(_storage(self.options)).split(self.path))

    def write(self, iterator: Iterator[pa.RecordBatch]) -> WriterCommitMessage:
        from pyspark import TaskContext

        context = TaskContext.get()
        number = context.partitionId() if context is not None else 0
        directory = self._directory()
        directory.make()

        part = self.job.part(number, ".mbox" if self.layout == "mbox" else "")
        write = _parts.write_mbox if self.layout == "mbox" else _parts.write_eml
        try:
            has_messages = write(directory.store, directory.path(part), _mail(iterator))
        except BaseException:
            # It does not count, but takes room.
            with contextlib.suppress(Exception):
                directory.remove(part)
            raise
        return _Written(part if has_messages else None)

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        written = [message.part for message in messages if isinstance(message, _Written)]
        self._directory().commit(self.job, [part for part in written if part is not None], self.overwrite)

    def abort(self, messages: list[WriterCommitMessage | None]) -> None:
        self._directory().abort(self.job)


def _mail(batches: Iterator[pa.RecordBatch]) -> Iterator[_parts.Dated]:
    """The messages of rows that have one, with their dates if there is such a column."""
    for batch in batches:
        dates = batch.column("date").to_pylist() if "date" in batch.schema.names else [None] * batch.num_rows
        for octets, date in zip(batch.column("octets"), dates, strict=True):
            if octets.is_valid:
                yield octets.as_py(), date
