"""Archives as datasets of pyarrow, for DuckDB, and as lazy frames of Polars: what is computed, and which rows there are."""

import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset
import pytest
from conftest import own_mail
from hypothesis import given
from hypothesis import strategies as st

from sevenbit import lake
from sevenbit._sevenbit import _Rows

NAMES = lake.SCHEMA.names


class Asked:
    """What has been asked of the reader: columns, and batches."""

    def __init__(self) -> None:
        self.columns: list[list[str]] = []
        self.batches = 0


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    kept = Asked()

    def rows(items: Any, columns: list[str], *arguments: Any, **options: Any) -> Iterator[Any]:
        kept.columns.append(columns)
        for batch in _Rows(items, columns, *arguments, **options):
            kept.batches += 1
            yield batch

    monkeypatch.setattr(lake, "_Rows", rows)
    return kept


def mbox(messages: int) -> str:
    """Short messages: the subjects say which each is."""
    head = "From a@example.org Thu Nov 19 10:00:00 2026\nFrom: a{0}@example.org\nSubject: s{1}\nDate: Thu, 19 Nov 2026 10:00:{2:02} +0000\n\n"
    return "".join(head.format(number % 7, number, number % 60) for number in range(messages))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Own mail, an mbox, and what is no mail."""
    folder = tmp_path_factory.mktemp("mail")
    for path in own_mail():
        (folder / path.name).write_bytes(path.read_bytes())
    (folder / "notes.pdf").write_bytes(b"%PDF-1.7")
    (folder / "some.mbox").write_text(mbox(2500))
    return folder


@pytest.fixture(scope="module")
def long_mbox(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """20,000 messages, which are 20 batches."""
    path = tmp_path_factory.mktemp("long") / "long.mbox"
    path.write_text(mbox(20_000))
    return path


@pytest.fixture(scope="module")
def table(folder: Path) -> pa.Table:
    return lake.read(folder, columns=NAMES).read_all()


# Filters of pyarrow, DuckDB and Polars with the same meaning, the columns they look at, and the rows they want.
FILTERS: list[tuple[Any, str, str, set[str]]] = [
    (pc.field("size") > 500, "size > 500", "pl.col('size') > 500", {"size"}),
    (pc.field("kind") != "message", "kind <> 'message'", "pl.col('kind') != 'message'", {"kind"}),
    (pc.field("changed"), "changed", "pl.col('changed')", {"changed"}),
    (pc.field("subject").is_null(), "subject is null", "pl.col('subject').is_null()", {"subject"}),
    (
        (pc.field("subject") == "s17") | (pc.field("offset") < 100),
        "(subject = 's17' or \"offset\" < 100)",
        "(pl.col('subject') == 's17') | (pl.col('offset') < 100)",
        {"subject", "offset"},
    ),
    (pc.field("subject").isin(["s1", "s2499"]), "subject in ('s1', 's2499')", "pl.col('subject').is_in(['s1', 's2499'])", {"subject"}),
    (
        pc.field("date") >= pa.scalar(1_795_082_459_000_000, pa.timestamp("us", "UTC")),
        "date >= timestamptz '2026-11-19 10:00:59+00'",
        "pl.col('date') >= __import__('datetime').datetime(2026, 11, 19, 10, 0, 59, tzinfo=__import__('datetime').UTC)",
        {"date"},
    ),
    (pc.field("size") < 0, "size < 0", "pl.col('size') < 0", {"size"}),
]
SUBSETS = [["subject"], ["octets", "path"], ["from", "headers", "attachments"], ["size", "changed", "kind", "error"], NAMES]


@pytest.mark.parametrize("columns", [[], *SUBSETS, *([name] for name in NAMES)])
def test_a_dataset_has_the_rows_of_read(folder: Path, table: pa.Table, asked: Asked, columns: list[str]) -> None:
    found = lake.dataset(folder).to_table(columns=columns)
    assert asked.columns == [columns] and found.num_rows == table.num_rows
    assert found.schema == pa.schema([lake.SCHEMA.field(name) for name in columns])
    assert not columns or found.equals(table.select(columns))


@pytest.mark.parametrize("condition, looked_at", [(each[0], each[3]) for each in FILTERS])
@pytest.mark.parametrize("columns", SUBSETS)
def test_a_dataset_is_filtered(folder: Path, table: pa.Table, asked: Asked, columns: list[str], condition: Any, looked_at: set[str]) -> None:
    expected = table.filter(condition).select(columns)
    mail = lake.dataset(folder)
    assert mail.to_table(columns=columns, filter=condition).equals(expected)
    assert mail.filter(condition).to_table(columns=columns).equals(expected)
    assert mail.count_rows(filter=condition) == expected.num_rows
    assert set(asked.columns[0]) == set(columns) | looked_at and set(asked.columns[2]) == looked_at
    twice = mail.filter(condition).count_rows(filter=pc.field("offset") > 9)
    assert twice == table.filter(condition & (pc.field("offset") > 9)).num_rows


def test_a_dataset_reads_no_more_than_is_taken(long_mbox: Path, asked: Asked) -> None:
    mail = lake.dataset(long_mbox)
    assert mail.head(3, columns=["subject"]).to_pylist() == [{"subject": f"s{number}"} for number in range(3)]
    assert mail.head(0).num_rows == 0 and asked.batches == 1
    assert next(iter(mail.to_batches(columns=["subject"]))).num_rows == 1000
    assert mail.take([0, 19_999], columns=["subject"]).to_pylist() == [{"subject": "s0"}, {"subject": "s19999"}]
    assert asked.batches == 22


def test_fields_by_number_and_within_others(folder: Path, table: pa.Table) -> None:
    mail = lake.dataset(folder)
    by_number = pc.field(NAMES.index("size")) > 500
    assert mail.to_table(columns=["subject"], filter=by_number).equals(table.filter(pc.field("size") > 500).select(["subject"]))
    first = pc.equal(pc.list_element(pc.field("cc"), 0), "x")
    with pytest.raises(pa.ArrowException):
        mail.to_table(filter=first)
    with pytest.raises(pa.ArrowException):
        mail.to_table(filter=pc.field("nothing") == 1)


def test_a_dataset_goes_to_other_processes_in_parts(long_mbox: Path, folder: Path, table: pa.Table) -> None:
    mail = pickle.loads(pickle.dumps(lake.dataset(folder, columns=["path", "subject"], mode="dropmalformed")))
    assert mail.schema.names == ["path", "subject"]
    parts = list(lake.dataset(long_mbox).get_fragments(pc.field("size") > 0))
    assert [part.count_rows() for part in parts] == [20_000]
    [again] = parts[0].get_fragments()
    assert again.count_rows() == 20_000
    expected = table.filter((pc.field("kind") == "message") & pc.field("error").is_null())
    assert mail.count_rows() == expected.num_rows


def test_what_is_wrong_is_said_at_once(folder: Path) -> None:
    pytest.importorskip("polars")
    for make in (lake.dataset, lake.scan):
        with pytest.raises(FileNotFoundError, match="PATH_NOT_FOUND"):
            make(folder / "typo")
        with pytest.raises(ValueError, match="is it 'subject'"):
            make(folder, columns=["sujbect"])
        with pytest.raises(TypeError, match="is it 'normalizer'"):
            make(folder, normaliser=None)  # type: ignore[call-arg]
        with pytest.raises(ValueError, match="is it 'mboxrd'"):
            make(folder, dialect="mboxrb")
        assert make(folder / "typo", select=lake.Select(ignore_missing=True)) is not None
    with pytest.raises(ValueError, match="none of the dataset"):
        lake.dataset(folder, columns=["path"]).to_table(columns=["subject"])
    # What takes it apart without Python finds no empty table.
    with pytest.raises(FileNotFoundError, match="read by its scanner"):
        pyarrow.dataset.Scanner.from_dataset(lake.dataset(folder)).to_table()
    with pytest.raises(FileNotFoundError):
        lake.dataset(folder).sort_by("size")
    with pytest.raises(NotImplementedError):
        lake.dataset(folder).replace_schema(lake.SCHEMA)


def test_nothing_is_imported_before_it_is_needed() -> None:
    code = "import sys; from sevenbit import lake; print([name for name in ('polars', 'duckdb', 'pyarrow.dataset') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
    names = "'sevenbit.email', 'sevenbit.codecs', 'sevenbit.lake', 'pyarrow', 'email'"
    code = f"import sevenbit, sys; print([name for name in ({names}) if name in sys.modules])"
    code += "; print(sevenbit.email.__name__, sevenbit.codecs.__name__, sevenbit.lake.__name__)"
    code += "; print(hasattr(sevenbit, 'mail'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\nsevenbit.email sevenbit.codecs sevenbit.lake\nFalse\n"


# ---- DuckDB


def test_duckdb_computes_what_a_query_names(folder: Path, table: pa.Table, asked: Asked) -> None:
    duckdb = pytest.importorskip("duckdb")
    mail = lake.dataset(folder)
    duckdb.sql("set timezone = 'UTC'")
    assert duckdb.sql("select count(*) from mail").fetchall() == [(table.num_rows,)]
    assert duckdb.sql("select subject from mail").fetchall() == [(row["subject"],) for row in table.select(["subject"]).to_pylist()]
    # The first column, which costs nothing, stands for rows that are counted.
    assert asked.columns == [["path"], ["subject"]]
    for condition, sql, _, looked_at in FILTERS:
        asked.columns.clear()
        found = duckdb.sql(f'select path, octets from mail where {sql} order by path, "offset"').fetchall()
        rows = table.filter(condition).sort_by([("path", "ascending"), ("offset", "ascending")]).select(["path", "octets"]).to_pylist()
        assert found == [(row["path"], row["octets"]) for row in rows], sql
        assert [set(each) for each in asked.columns] == [{"path", "offset", "octets"} | looked_at]
    assert mail.count_rows() == table.num_rows


@pytest.mark.parametrize("columns", SUBSETS)
def test_duckdb_has_the_rows_of_read(folder: Path, table: pa.Table, columns: list[str]) -> None:
    duckdb = pytest.importorskip("duckdb")
    mail = lake.dataset(folder)
    named = ", ".join(f'"{name}"' for name in columns)
    found = duckdb.sql(f"select {named} from mail").to_arrow_table()
    assert found.to_pylist() == duckdb.from_arrow(table.select(columns)).to_arrow_table().to_pylist()
    assert mail.count_rows() == found.num_rows


def test_duckdb_reads_little_for_few_rows(long_mbox: Path, asked: Asked) -> None:
    duckdb = pytest.importorskip("duckdb")
    mail = lake.dataset(long_mbox)
    assert duckdb.sql("select subject from mail limit 1").fetchall() == [("s0",)]
    assert asked.columns == [["subject"]] and asked.batches < 10
    assert mail.schema == lake.SCHEMA


# ---- Polars


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_polars_computes_what_a_query_names(folder: Path, table: pa.Table, asked: Asked, engine: Any) -> None:
    pl = pytest.importorskip("polars")
    mail = lake.scan(folder)
    for columns in SUBSETS:
        assert mail.select(columns).collect(engine=engine).equals(pl.from_arrow(table.select(columns)))
        assert asked.columns.pop() == [name for name in NAMES if name in columns]
        for condition, _, code, looked_at in FILTERS:
            found = mail.filter(eval(code, {"pl": pl})).select(columns).collect(engine=engine)
            assert found.equals(pl.from_arrow(table.filter(condition).select(columns))), code
            assert set(asked.columns.pop()) == {*columns, *looked_at}
    assert mail.collect_schema().names() == NAMES


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_polars_counts_without_normalising(folder: Path, table: pa.Table, asked: Asked, engine: Any) -> None:
    pl = pytest.importorskip("polars")
    mail = lake.scan(folder)
    assert mail.select(pl.len()).collect(engine=engine).item() == table.num_rows
    assert asked.columns.pop() == ["offset"]
    assert pl.SQLContext(mail=mail).execute("select count(*) from mail").collect(engine=engine).item() == table.num_rows
    assert asked.columns.pop() == ["offset"]
    long = table.filter(pc.field("size") > 500).num_rows
    assert mail.filter(pl.col("size") > 500).select(pl.len()).collect(engine=engine).item() == long > 0
    assert asked.columns.pop() == ["size"]
    # The column by which it counts is not seen.
    assert mail.head(3).collect(engine=engine).columns == NAMES
    assert lake.scan(folder, columns=["changed", "path"]).collect(engine=engine).columns == ["changed", "path"]


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_polars_stops_when_it_has_its_rows(long_mbox: Path, asked: Asked, engine: Any) -> None:
    pl = pytest.importorskip("polars")
    mail = lake.scan(long_mbox)
    assert mail.select("subject").head(1001).collect(engine=engine)["subject"].to_list() == [f"s{number}" for number in range(1001)]
    assert asked.batches == 2 and asked.columns == [["subject"]]
    assert mail.head(0).collect(engine=engine).height == 0
    ends_with_7 = pl.col("subject").str.ends_with("7")
    first = mail.head(25).filter(ends_with_7).select("subject").collect(engine=engine)
    assert first["subject"].to_list() == ["s7", "s17"]
    later = mail.filter(ends_with_7).select("subject").head(3).collect(engine=engine)
    assert later["subject"].to_list() == ["s7", "s17", "s27"]


@given(st.sets(st.sampled_from(NAMES)), st.integers(0, 2100), st.none() | st.sampled_from([1, 999, 1000, 5000]))
def test_a_source_of_polars_does_what_it_is_asked(columns: set[str], rows: int, size: int | None) -> None:
    pl = pytest.importorskip("polars")
    from sevenbit import _polars

    sources: list[Any] = []

    def register(frames: Any, schema: Any, **_: Any) -> Any:
        sources.append(frames)
        return pl.LazyFrame(schema=schema)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(_polars, "register_io_source", register)
        _polars.scan([str(path) for path in own_mail()[:30]], NAMES, {})
    whole = pl.from_arrow(lake.read(own_mail()[:30], columns=NAMES).read_all())
    wanted = sorted(columns) or ["path"]
    found = list(sources[0](wanted, None, rows, size))
    assert pl.concat([whole.select(wanted).clear(), *found]).equals(whole.select(wanted).head(rows))
    assert size is None or all(frame.height <= size for frame in found)


def test_a_process_ends_well_while_polars_reads_on(folder: Path) -> None:
    pytest.importorskip("polars")
    code = (
        "import polars as pl; from sevenbit import lake\n"
        f"print(lake.scan({str(folder)!r}).filter(pl.col('size') > 100).select('octets').head(2).collect().height)"
    )
    for _ in range(5):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (0, "2\n"), done.stderr
