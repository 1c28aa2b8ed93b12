"""The recipes of docs/lake.md for other engines, if these are installed: pip install duckdb polars."""

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


def test_a_large_array_goes_in_pieces() -> None:
    array = pa.array([b"Subject: x\r\n\r\n"] * 10_000, pa.binary())
    assert lake.normalize(array, columns=["changed"]).column("changed").to_pylist() == [False] * 10_000
