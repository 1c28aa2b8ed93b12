"""The recipes of docs/lake.md for other engines, if these are installed: pip install duckdb polars 'dask[dataframe]' 'ray[data]' deltalake
'pyiceberg[sql-sqlite]'."""

import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from conftest import PROJECT, own_mail

import sevenbit
from sevenbit import lake


def recipe(name: str) -> str:
    """The code that the page has for an engine."""
    page = (PROJECT / "docs" / "lake.md").read_text()
    return page.split(f"**{name}**")[1].split("```python\n")[1].split("```")[0]


def test_duckdb(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    pytest.importorskip("numpy")  # which functions of DuckDB need, and nothing else
    for path in own_mail():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    names: dict[str, Any] = {}
    code = recipe("DuckDB").replace("mail/*.eml", f"{tmp_path}/*.eml").replace("duckdb.sql(", "found = duckdb.sql(")
    exec(code, names)
    found = {Path(name).name: octets for name, octets in names["found"].fetchall()}
    assert found == {path.name: sevenbit.normalize(path.read_bytes()).octets for path in own_mail()}


def test_polars() -> None:
    pl = pytest.importorskip("polars")
    mail = [path.read_bytes() for path in own_mail()]
    names: dict[str, Any] = {"table": pl.DataFrame({"content": mail})}
    exec(recipe("Polars").replace("table.with_columns", "found = table.with_columns"), names)
    assert names["found"]["content"].to_list() == [sevenbit.normalize(message).octets for message in mail]


@pytest.mark.parametrize("engine", ["DuckDB", "Polars"])
def test_queries_of_files(tmp_path: Path, engine: str) -> None:
    pytest.importorskip(engine.lower())
    for path in own_mail():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    code = recipe(f"{engine}, files").replace('"mail"', repr(str(tmp_path))).replace("100000", "1000").replace("100_000", "1000")
    code = code.replace("duckdb.sql(", "found = duckdb.sql(").replace("mail.filter(", "found = mail.filter(")
    names = dict[str, Any]()
    exec(code, names)
    found = names["found"].fetchall() if engine == "DuckDB" else names["found"].rows()
    rows = lake.read(tmp_path, columns=["subject", "size"]).read_all().to_pylist()
    expected = [row["subject"] for row in rows if row["size"] > 1000]
    assert sorted(str(subject) for subject, _ in found) == sorted(map(str, expected)) and len(expected) > 5


def test_the_readme_counts(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    for path in own_mail():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    code = (PROJECT / "python" / "README.md").read_text().split("**Counting**")[1].split("```python\n")[1].split("```")[0]
    code = code.replace('"mail"', repr(str(tmp_path))).replace("duckdb.sql(", "found = duckdb.sql(").replace(".show()", "")
    names = dict[str, Any]()
    duckdb.sql("set timezone = 'UTC'")
    exec(code, names)
    expected = Counter[tuple[str, int | None]]()
    for row in lake.read(tmp_path, columns=["charsets", "date"]).read_all().to_pylist():
        expected.update((label.lower(), row["date"] and row["date"].year) for label in row["charsets"])
    assert {(charset, year): count for charset, year, count in names["found"].fetchall()} == expected


def octets_of(tmp_path: Path) -> dict[str, bytes]:
    """Own mail in a directory, and the normal forms that there must be."""
    tmp_path.mkdir(exist_ok=True)
    for path in own_mail():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return {path.name: sevenbit.normalize(path.read_bytes()).octets for path in own_mail()}


def test_dask(tmp_path: Path) -> None:
    pytest.importorskip("dask.dataframe")
    expected, names = octets_of(tmp_path), dict[str, Any]()
    exec(recipe("Dask").replace('"mail"', repr(str(tmp_path))), names)
    table = names["table"].compute(scheduler="threads")
    assert {Path(row.path).name: row.octets for row in table.itertuples()} == expected


def test_ray(tmp_path: Path) -> None:
    ray = pytest.importorskip("ray")
    expected, names = octets_of(tmp_path), dict[str, Any]()
    ray.init(num_cpus=2, include_dashboard=False, configure_logging=False)
    try:
        exec(recipe("Ray Data").replace('"mail"', repr(str(tmp_path))), names)
        assert {Path(row["path"]).name: row["octets"] for row in names["table"].take_all()} == expected
    finally:
        ray.shutdown()


def test_processes(tmp_path: Path) -> None:
    expected = octets_of(tmp_path)
    script = tmp_path.parent / "script.py"
    code = recipe("Processes").replace('"mail"', repr(str(tmp_path)))
    script.write_text(code + "    print(messages)\n")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert int(done.stdout) == len(expected)


def test_a_large_array_goes_in_pieces() -> None:
    array = pa.array([b"Subject: x\r\n\r\n"] * 10_000, pa.binary())
    assert lake.normalize(array, columns=["changed"]).column("changed").to_pylist() == [False] * 10_000


def rows_of(table: pa.Table) -> list[dict[str, Any]]:
    return sorted(table.to_pylist(), key=lambda row: (row["path"], row["offset"]))


def test_delta(tmp_path: Path) -> None:
    deltalake = pytest.importorskip("deltalake")
    octets_of(tmp_path / "mail")
    mail = lake.read(tmp_path / "mail").read_all()
    code = recipe("Delta").replace("/tables/mail", f"{tmp_path}/table").replace('"mail"', repr(str(tmp_path / "mail")))
    for times in (1, 2):
        exec(code, {})
        found = pa.table(deltalake.DeltaTable(tmp_path / "table").to_pyarrow_table())
        assert rows_of(found) == [row for row in rows_of(mail) for _ in range(times)]


def test_iceberg(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyiceberg")
    catalog = pytest.importorskip("pyiceberg.catalog")
    pytest.importorskip("sqlalchemy")
    octets_of(tmp_path / "mail")
    mail = lake.read(tmp_path / "mail", columns=lake.SCHEMA.names).read_all()
    opened = catalog.load_catalog("catalog", type="sql", uri=f"sqlite:///{tmp_path}/catalog.db", warehouse=tmp_path.as_uri())
    opened.create_namespace("lake")
    monkeypatch.setattr(catalog, "load_catalog", lambda name: opened)
    code = recipe("Iceberg").replace('plan("mail")', f"plan({str(tmp_path / 'mail')!r})")
    for times in (1, 2):
        exec(code, {})
        found = opened.load_table("lake.mail").scan().to_arrow()
        assert rows_of(found) == [row for row in rows_of(mail) for _ in range(times)]
