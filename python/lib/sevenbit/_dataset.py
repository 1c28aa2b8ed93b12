"""Archives of mail as datasets of pyarrow, of which only the columns are computed that a query asks for.

Imported by `sevenbit.lake.dataset` alone, since `pyarrow.dataset` is large.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.dataset
import pyarrow.fs

from sevenbit import lake

Expression = Any
"""One of pyarrow."""


class Mail(pyarrow.dataset.FileSystemDataset):  # type: ignore[misc]
    """The messages of a source, as `sevenbit.lake.read` has them.

    Python asks for `schema` and `scanner`, as DuckDB does. pyarrow's own engine would look into the files that it is told of
    at the beginning: there are none, so that it fails and does not find a table without rows.
    """

    def __init__(self, source: Any, columns: Sequence[str], options: dict[str, Any], condition: Expression = None) -> None:
        files = pyarrow.dataset.IpcFileFormat()
        nowhere = files.make_fragment("sevenbit.lake.dataset is read by its scanner", pyarrow.fs.LocalFileSystem())
        super().__init__([nowhere], lake._schema(columns), files)
        self._source = source
        self._columns = list(columns)
        self._options = options
        self._condition = condition

    def __reduce__(self) -> tuple[Callable[..., Mail], tuple[Any, ...]]:
        return Mail, (self._source, self._columns, self._options, self._condition)

    @property
    def schema(self) -> pa.Schema:
        """The columns that can be asked for."""
        return lake._schema(self._columns)

    def scanner(self, columns: Sequence[str] | None = None, filter: Expression = None, **_: Any) -> Scan:
        """The rows for which a filter is true, with some of the columns. All other options of pyarrow are hints, and ignored."""
        names = self._columns if columns is None else lake._names(columns)
        lake._need_columns(names, self._columns)
        return Scan(self, names, _both(self._condition, filter))

    def filter(self, expression: Expression) -> Mail:
        """The same rows but those for which the expression is not true."""
        return Mail(self._source, self._columns, self._options, _both(self._condition, expression))

    def get_fragments(self, filter: Expression = None) -> Iterator[Mail]:
        """A dataset for each share of `sevenbit.lake.plan`."""
        condition = _both(self._condition, filter)
        source = [self._source] if isinstance(self._source, lake.Share) else lake._plan_of(self._source, self._options)
        for share in source:
            yield Mail(share, self._columns, self._options, condition)

    def replace_schema(self, schema: pa.Schema) -> Mail:
        raise NotImplementedError("the columns of mail have the types of sevenbit.lake.SCHEMA")


class Scan:
    """A query of a dataset, with the methods of `pyarrow.dataset.Scanner`. Each call reads the mail again, and no more of it than
    is taken."""

    def __init__(self, mail: Mail, columns: list[str], condition: Expression) -> None:
        self._mail = mail
        self._columns = columns
        self._condition = condition

    @property
    def dataset_schema(self) -> pa.Schema:
        return self._mail.schema

    @property
    def projected_schema(self) -> pa.Schema:
        return lake._schema(self._columns)

    def to_batches(self) -> Iterator[pa.RecordBatch]:
        needed = self._columns if self._condition is None else _needed(self._columns, self._condition, self._mail.schema)
        for batch in lake.read(self._mail._source, columns=needed, **self._mail._options):
            if self._condition is None:
                yield batch
                continue
            for found in pa.Table.from_batches([batch]).filter(self._condition).to_batches():
                yield lake._batch([found.column(name) for name in self._columns], self.projected_schema, found.num_rows)

    def to_reader(self) -> pa.RecordBatchReader:
        return pa.RecordBatchReader.from_batches(self.projected_schema, self.to_batches())

    def to_table(self) -> pa.Table:
        return pa.Table.from_batches(self.to_batches(), self.projected_schema)

    def head(self, num_rows: int, **_: Any) -> pa.Table:
        found, missing = list[pa.RecordBatch](), num_rows
        for batch in self.to_batches() if num_rows > 0 else ():
            found.append(batch.slice(0, missing))
            missing -= found[-1].num_rows
            if missing == 0:
                break
        return pa.Table.from_batches(found, self.projected_schema)

    def take(self, indices: Any, **_: Any) -> pa.Table:
        return self.to_table().take(indices)

    def count_rows(self, **_: Any) -> int:
        return sum(batch.num_rows for batch in Scan(self._mail, [], self._condition).to_batches())


def _both(one: Expression, other: Expression) -> Expression:
    if one is None or other is None:
        return other if one is None else one
    return one & other


def _needed(columns: Sequence[str], condition: Expression, schema: pa.Schema) -> list[str]:
    """Some columns, and those that a condition looks at: without one of these it has no meaning."""
    if "FieldPath(" in str(condition):  # by their places among all
        return list(schema.names)
    empty = schema.empty_table()
    return [name for name in schema.names if name in columns or not _has_meaning(condition, empty.drop_columns(name))]


def _has_meaning(condition: Expression, table: pa.Table) -> bool:
    try:
        table.filter(condition)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowKeyError):
        return False
    return True
