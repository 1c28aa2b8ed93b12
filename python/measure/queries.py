"""What a query of one column costs in DuckDB and Polars, with and without `lake.dataset` and `lake.scan`. One run, for its ratios;
the quickest of three.

    target/python/test/bin/python python/measure/queries.py [MEGABYTES]

An mbox of that many megabytes (200 by default) is made from the SpamAssassin corpus if that is beside the project. Every way has to
find as many subjects.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import polars as pl
from archive import real_mail, write_mbox

from sevenbit import lake

NAMES = lake.SCHEMA.names


def timed(work: Callable[[], object]) -> tuple[float, object]:
    """The time of the quickest of three rounds, and what it found."""
    best, found = float("inf"), None
    for _ in range(3):
        began = time.perf_counter()
        found = work()
        best = min(best, time.perf_counter() - began)
    return best, found


def main(megabytes: int = 200) -> None:
    with tempfile.TemporaryDirectory(prefix="sevenbit-") as folder:
        box = Path(folder) / "mail.mbox"
        mail = real_mail()
        messages = write_mbox(box, mail, megabytes) * len(mail)
        size = box.stat().st_size / 1e6

        def duckdb_of_reader() -> object:
            reader = lake.read(box, columns=NAMES)
            assert reader.schema == lake.SCHEMA
            return duckdb.sql("select count(subject) from reader").fetchall()[0][0]

        def duckdb_of_dataset(columns: str) -> object:
            dataset = lake.dataset(box)
            assert dataset.schema == lake.SCHEMA
            return duckdb.sql(f"select count(columns({columns})) from dataset").to_arrow_table()["subject"][0].as_py()

        def polars_of_table() -> object:
            frame = pl.DataFrame(lake.read(box, columns=NAMES).read_all())
            return frame.select(pl.col("subject").count()).item()

        def polars_of_scan(columns: list[str]) -> object:
            return lake.scan(box).select(pl.col(columns).count()).collect(engine="streaming")["subject"].item()

        ways: dict[str, Callable[[], object]] = {
            "DuckDB, the subject out of a reader of all columns": duckdb_of_reader,
            "DuckDB, all columns of a dataset": lambda: duckdb_of_dataset("*"),
            "DuckDB, the subject of a dataset": lambda: duckdb_of_dataset("'^subject$'"),
            "DuckDB, one row of a dataset": lambda: len(duckdb_of_one(box)),
            "Polars, the subject out of a table of all columns": polars_of_table,
            "Polars, all columns of a scan": lambda: polars_of_scan(NAMES),
            "Polars, the subject of a scan": lambda: polars_of_scan(["subject"]),
            "Polars, one row of a scan": lambda: lake.scan(box).select("subject").head(1).collect().height,
        }
        print(f"{messages:,} messages, {size:,.0f} MB\n\n| | seconds |\n|---|---:|")
        subjects = set()
        for way, work in ways.items():
            took, found = timed(work)
            if "one row" not in way:
                subjects.add(found)
            print(f"| {way} | {took:.3f} |", flush=True)
        assert len(subjects) == 1, subjects


def duckdb_of_one(box: Path) -> list[object]:
    dataset = lake.dataset(box)
    assert dataset.schema == lake.SCHEMA
    return duckdb.sql("select subject from dataset limit 1").fetchall()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
