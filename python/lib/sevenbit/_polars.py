"""Archives of mail as a source of Polars, of which only the columns are computed that a query asks for.

Imported by `sevenbit.lake.scan` alone: polars is needed for nothing else.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Iterator, Mapping
from typing import Any, cast

import polars as pl
from polars.io.plugins import register_io_source

from sevenbit import lake


_ROWS = " rows"
"""A column that is read first and never shown. To count, Polars asks for the first of the columns whose type is the smallest, and
nulls are; without it that would be `changed`, for which messages are normalised."""


def scan(source: Any, names: list[str], options: Mapping[str, Any]) -> pl.LazyFrame:
    """The lazy frame of a source, with these columns."""

    def frames(
        with_columns: list[str] | None, predicate: pl.Expr | None, n_rows: int | None, batch_size: int | None
    ) -> Iterator[pl.DataFrame]:
        wanted = names if with_columns is None else with_columns
        looked_at = set() if predicate is None else set(predicate.meta.root_names())
        needed = [name for name in names if name in looked_at.union(wanted)] or ["offset"]
        left = lake._END if n_rows is None else n_rows

        reading = object()
        _readings.add(reading)
        try:
            for batch in lake.read(source, columns=needed, **options) if left > 0 else ():
                # Polars asks for a number of rows as they come, before its filter.
                batch = batch.slice(0, left)
                left -= batch.num_rows
                frame = cast(pl.DataFrame, pl.from_arrow(batch)).with_columns(pl.lit(None).alias(_ROWS))
                if predicate is not None:
                    frame = frame.filter(predicate)
                yield from frame.select(wanted).iter_slices(batch_size or batch.num_rows)
                if left == 0 or _is_ending.is_set():
                    return
        finally:
            _readings.discard(reading)

    schema = cast(pl.DataFrame, pl.from_arrow(lake._schema(names).empty_table())).schema
    return register_io_source(frames, schema={_ROWS: pl.Null(), **schema}, is_pure=True).select(names)


# Polars goes on reading in a thread of its own when a query has its rows. If Python ended meanwhile, the process would be aborted:
# "FATAL: exception not rethrown", with Polars 2.1 and Python 3.11.

_readings: set[object] = set()
_is_ending = threading.Event()
_PATIENCE = 2.0  # seconds: a reading may be one that nobody goes on with


@atexit.register
def _wait() -> None:
    _is_ending.set()
    began = time.monotonic()
    had_some = bool(_readings)
    while _readings and time.monotonic() < began + _PATIENCE:
        time.sleep(0.001)
    if had_some:
        time.sleep(0.01)  # what Polars does after the last of them
