"""Archives as tables of Arrow."""

import gzip
import io
import mailbox
import tarfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from conftest import PROJECT, SHARED
from hypothesis import given
from hypothesis import strategies as st

import sevenbit
from sevenbit import lake

MAILBOXES = PROJECT / "corpus" / "mailboxes"
MBOXES = sorted(MAILBOXES.glob("*.mbox"))


def rows(source: str | lake.Share, **options: Any) -> list[dict[str, Any]]:
    return [row for batch in lake.read(source, **options) for row in batch.to_pylist()]


def test_a_row_says_what_the_message_says() -> None:
    message = (
        b"From: J\xc3\xb6rg <j@example.org>\r\nTo: a@example.org, =?utf-8?Q?Zo=C3=AB?= <z@example.org>\r\n"
        b"Subject: =?koi8-r?Q?=F0=D2=C9?=\r\nDate: Fri, 13 Feb 2009 18:31:30 -0500\r\nMessage-ID: <m@example.org>\r\n"
        b"Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>x\r\n"
        b"--b\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\nd\xe9j\xe0\r\n--b--\r\n"
    )
    [row] = lake.normalize(pa.array([message], pa.binary()), columns=lake.SCHEMA.names).to_pylist()
    assert row["from"] == [{"name": "Jörg", "address": "j@example.org"}]
    assert row["to"] == [{"name": "", "address": "a@example.org"}, {"name": "Zoë", "address": "z@example.org"}]
    assert (row["cc"], row["subject"], row["message_id"], row["text"]) == ([], "При", "m@example.org", "déjà")
    assert row["date"] == datetime(2009, 2, 13, 23, 31, 30, tzinfo=UTC)
    done = sevenbit.normalize(message)
    assert row["octets"] == done.octets and row["changed"] and row["error"] is None
    assert row["charsets"] == ["iso-8859-1"]
    assert row["codes"] == list(dict.fromkeys(issue.code for issue in done.issues))


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary(), pa.binary_view()])
def test_a_column_of_any_layout_is_normalised(mail: list[bytes], kind: pa.DataType) -> None:
    messages: list[bytes | None] = [*mail, None, b""]
    expected = [None if message is None else sevenbit.normalize(message).octets for message in messages]
    array = pa.array(messages, pa.binary()).cast(kind)
    assert lake.normalize(array).column("octets").to_pylist() == expected
    assert lake.normalize(array.slice(7, 30)).column("octets").to_pylist() == expected[7:37]
    assert lake.normalize(array.slice(len(mail))).column("changed").to_pylist()[0] is None
    empty = lake.normalize(array.slice(0, 0), columns=lake.SCHEMA.names)
    assert empty.num_rows == 0 and empty.schema == lake.SCHEMA
    assert lake.normalize(pa.array([None, None])).num_rows == 2


def test_text_is_a_message_too() -> None:
    assert lake.normalize(pa.array(["Subject: é\r\n\r\n"]), columns=["subject"]).to_pylist() == [{"subject": "é"}]


def test_columns_that_are_not_there_are_named() -> None:
    with pytest.raises(ValueError, match="nothing"):
        lake.normalize(pa.array([b""]), columns=["nothing"])
    with pytest.raises(ValueError, match="'dialect'"):
        lake.read("x", dialect="?")
    assert rows(str(MBOXES[0]), columns=["offset"])[0].keys() == {"offset"}


def test_files_of_every_kind_have_the_same_messages(tmp_path: Path, mail: list[bytes]) -> None:
    mail = [message for message in mail if not message.startswith(b"From ")]
    expected = sorted(sevenbit.normalize(message).octets for message in mail)
    tree = tmp_path / "tree" / "deeper"
    tree.mkdir(parents=True)
    for number, message in enumerate(mail):
        (tree / f"{number}.eml").write_bytes(message)
    (tree / ".hidden").write_bytes(b"Subject: no\r\n\r\n")
    (tree / ".git").mkdir()
    (tree / ".git" / "HEAD").write_bytes(b"Subject: no\r\n\r\n")
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as members:
        members.add(tree.parent, "tree", filter=lambda member: member if "/." not in member.name else None)
    (tmp_path / "mail.tar").write_bytes(packed.getvalue())
    (tmp_path / "mail.tar.gz").write_bytes(gzip.compress(packed.getvalue()))
    (tmp_path / "mail.tzst").write_bytes(pa.compress(packed.getvalue(), "zstd", asbytes=True))
    folder = mailbox.Maildir(tmp_path / "Maildir")
    for message in mail[1:]:
        folder.add(message)
    folder.add_folder("Entw&APw-rfe").add(mail[0])
    (tmp_path / "Maildir" / "dovecot-uidlist").write_text("3 V1\n")
    (tmp_path / "Maildir" / "tmp" / "half").write_text("Subject: half\n")
    (tmp_path / "one.eml.gz").write_bytes(gzip.compress(mail[0]))
    for name in ("tree", "mail.tar", "mail.tar.gz", "mail.tzst", "Maildir", "tree/**/*.eml"):
        found = rows(str(tmp_path / name), columns=["octets", "error", "path"])
        assert [row["error"] for row in found] == [None] * len(mail), name
        assert sorted(row["octets"] for row in found) == expected, name
    assert rows(str(tmp_path / "one.eml.gz"), columns=["octets"]) == [{"octets": sevenbit.normalize(mail[0]).octets}]


@pytest.mark.parametrize("path", MBOXES, ids=lambda path: path.name)
def test_an_mbox_cut_anywhere_has_the_same_messages(path: Path, tmp_path: Path) -> None:
    whole = rows(str(path))
    for split in (97, 1000, 4096):
        shares = lake.plan(str(path), split_octets=split)
        cut = [row for share in shares for row in rows(share)]
        assert cut == whole, split
    packed = tmp_path / f"{path.name}.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    if path.name != "empty.mbox":
        assert [row["octets"] for row in rows(str(packed))] == [row["octets"] for row in whole]


def test_stores_are_read_as_the_disk_is() -> None:
    import fsspec

    store = fsspec.filesystem("memory")
    for path in MBOXES:
        store.pipe_file(f"/mail/{path.name}", path.read_bytes())
    found = rows("memory://mail/*.mbox", columns=["octets", "error"])
    assert found == rows(str(MAILBOXES / "*.mbox"), columns=["octets", "error"])
    shares = lake.plan("memory://mail", split_octets=500)
    assert len(shares) > len(MBOXES)
    cut = [row for share in shares for row in rows(share, columns=["octets", "error"])]
    assert sorted(map(str, cut)) == sorted(map(str, found))


def test_what_cannot_be_read_is_a_row(tmp_path: Path) -> None:
    (tmp_path / "a.eml").write_bytes(b"Subject: a\r\n\r\n")
    (tmp_path / "b.gz").write_bytes(gzip.compress(b"Subject: b\r\n\r\n" * 9999)[:-20])
    (tmp_path / "c.tar").write_bytes(bytes(257) + b"ustar" + bytes(2000))
    (tmp_path / "d.eml").symlink_to(tmp_path / "nowhere")
    found = {Path(str(row["path"])).name: row for row in rows(str(tmp_path)) + rows(str(tmp_path / "d.eml"))}
    assert found["a.eml"]["error"] is None and found["a.eml"]["subject"] == "a"
    for name in ("b.gz", "c.tar", "d.eml"):
        assert found[name]["error"], name
        assert found[name]["octets"] is None and found[name]["subject"] is None


def test_a_message_that_is_too_long_is_told_by_its_header(tmp_path: Path) -> None:
    path = tmp_path / "x.mbox"
    path.write_bytes(
        b"From a@example.org Thu Nov 19 10:00:00 2026\nSubject: long\n\n" + b"x\n" * 50_000 + b"\n"
        b"From a@example.org Thu Nov 19 10:00:00 2026\nSubject: short\n\nx\n"
    )
    long, short = rows(str(path), most_octets=10_000)
    assert (long["subject"], long["octets"], long["error"]) == ("long", None, "longer than 10000 octets")
    assert (short["subject"], short["error"]) == ("short", None)


def test_only_some_dates() -> None:
    path = str(MAILBOXES / "mboxrd.mbox")
    dates = sorted(row["date"] for row in rows(path) if row["date"] is not None)
    middle = dates[len(dates) // 2]
    assert isinstance(middle, datetime)
    since = [row["date"] for row in rows(path, since=middle)]
    until = [row["date"] for row in rows(path, until=middle)]
    assert sorted(until + since) == dates and all(date >= middle for date in since)


def test_shares_have_every_file_once(tmp_path: Path) -> None:
    for number in range(500):
        (tmp_path / f"{number}.eml").write_bytes(b"Subject: x\r\n\r\n" + b"x" * 20_000)
    # By default, less than 4 MiB is not worth a task.
    assert len(lake.plan(str(tmp_path))) == 3
    shares = lake.plan(str(tmp_path), split_octets=1 << 20)
    assert len(shares) > 5
    paths = [path for share in shares for path, _, _ in share.files]
    assert sorted(paths) == sorted(map(str, tmp_path.iterdir()))
    assert lake.plan(str(tmp_path / "*.none")) == []


@given(st.lists(st.none() | st.binary(max_size=80), max_size=20))
def test_any_octets_are_a_row(messages: list[bytes | None]) -> None:
    table = lake.normalize(pa.array(messages, pa.binary()), columns=lake.SCHEMA.names)
    table.validate(full=True)
    for message, row in zip(messages, table.to_pylist(), strict=True):
        assert row["octets"] == (None if message is None else sevenbit.normalize(message).octets)


def test_real_mail_in_an_mbox() -> None:
    path = SHARED / "bulk" / "spamassassin-easy-ham-1.mbox"
    if not path.exists():
        pytest.skip("no real mail beside the project")
    whole = rows(str(path), columns=["offset", "octets", "error"])
    assert len(whole) > 2000
    for split in (65_536, 1 << 20):
        shares = lake.plan(str(path), split_octets=split)
        assert [row for share in shares for row in rows(share, columns=["offset", "octets", "error"])] == whole
