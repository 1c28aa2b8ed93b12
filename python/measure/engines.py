"""How fast the recipes of docs/lake.md are on this machine, beside the command. One run, for its ratios; the quickest of three.

    target/python/test/bin/python python/measure/engines.py [MEGABYTES]

An archive of that many megabytes (1,024 by default) is made from the SpamAssassin corpus if that is beside the project: as an
mbox for the command, processes, Dask and Ray, and as a column in Parquet for DuckDB and Polars. Needs
`pip install duckdb polars 'dask[dataframe]' 'ray[data]'`, and the command built for release. Every way has to give as many messages.
"""

import logging
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import dask.dataframe as dd
import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import ray
from archive import COMMAND, real_mail, write_mbox
from sevenbit import lake


def make(folder: Path, megabytes: int) -> int:
    """`mail.mbox` and `mail.parquet`; returns how many messages each has."""
    mail = real_mail()
    copies = write_mbox(folder / "mail.mbox", mail, megabytes)
    table = pa.table({"content": pa.array(mail, pa.binary())})
    with pq.ParquetWriter(folder / "mail.parquet", table.schema) as parquet:
        for _ in range(copies):
            parquet.write_table(table)
    return copies * len(mail)


def timed(work: Callable[[], int], messages: int) -> float:
    """How long the quickest of three rounds took."""
    best = float("inf")
    for _ in range(3):
        began = time.perf_counter()
        found = work()
        best = min(best, time.perf_counter() - began)
        assert found == messages, (found, messages)
    return best


def rows_of(share: lake.Share) -> int:
    return sum(batch.num_rows for batch in lake.read(share, columns=["octets"]))


def table_of(share: lake.Share) -> pd.DataFrame:
    batches = lake.read(share, columns=["octets"])
    return pd.concat([batch.to_pandas(types_mapper=pd.ArrowDtype) for batch in batches])


def blocks_of(batch: dict[str, Any]) -> pa.Table:
    return pa.Table.from_batches([each for share in batch["item"] for each in lake.read(share, columns=["octets"])])


def of_column(messages: pa.ChunkedArray) -> pa.ChunkedArray:
    return pa.chunked_array([lake.normalize(chunk, columns=["octets"]).column(0) for chunk in messages.chunks], pa.binary())


def of_series(messages: pl.Series) -> pl.Series:
    return pl.Series(lake.normalize(messages.to_arrow(), columns=["octets"]).column(0))


def main(megabytes: int = 1024) -> None:
    with tempfile.TemporaryDirectory(prefix="sevenbit-") as name:
        folder = Path(name)
        messages = make(folder, megabytes)
        box, parquet = folder / "mail.mbox", folder / "mail.parquet"

        def by_command() -> int:
            done = subprocess.run([COMMAND, "normalize", "-q", "--jobs", "2", "-o", folder / "out.mbox", box], check=False)
            assert done.returncode == 0, done.returncode
            (folder / "out.mbox").unlink()
            return messages

        def by_processes() -> int:
            with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as workers:
                return sum(workers.map(rows_of, lake.plan(box)))

        def by_dask() -> int:
            table = dd.from_map(table_of, lake.plan(box))
            return int(table.map_partitions(len).compute(scheduler="threads", num_workers=2).sum())

        def by_ray() -> int:
            return int(ray.data.from_items(lake.plan(box)).map_batches(blocks_of, batch_size=1).count())

        def by_duckdb() -> int:
            session = duckdb.connect(config={"threads": 2})
            session.create_function("normalized", of_column, ["BLOB"], "BLOB", type="arrow")
            [[found]] = session.sql(f"select count(octet_length(normalized(content))) from '{parquet}'").fetchall()
            return int(found)

        def by_polars() -> int:
            column = pl.col("content").map_batches(of_series, return_dtype=pl.Binary, is_elementwise=True)
            return int(pl.scan_parquet(parquet).select(column.is_not_null().sum()).collect(engine="streaming").item())

        ways = {"the command, two jobs": by_command, "processes, two": by_processes, "Dask, two threads": by_dask}
        ways |= {"Ray, two workers": by_ray, "DuckDB, two threads": by_duckdb, "Polars": by_polars}
        os.environ["RAY_AUTH_MODE"] = "disabled"
        logging.getLogger("ray").setLevel(logging.ERROR)
        ray.init(num_cpus=2, include_dashboard=False, configure_logging=False, log_to_driver=False)
        ray.data.DataContext.get_current().enable_progress_bars = False
        seconds = {way: timed(work, messages) for way, work in ways.items()}
        ray.shutdown()
        size = box.stat().st_size

    print(f"{messages:,} messages, {size / 1e6:,.0f} MB\n\n| | seconds | of the command |\n|---|---:|---:|")
    alone = seconds["the command, two jobs"]
    for way, took in seconds.items():
        print(f"| {way} | {took:.2f} | {alone / took:.2f} |")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
