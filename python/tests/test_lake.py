"""Archives as tables of Arrow."""

import base64
import gzip
import hashlib
import io
import json
import mailbox
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import zlib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pyarrow as pa
import pytest
from conftest import PROJECT, SHARED
from hypothesis import given
from hypothesis import strategies as st

import sevenbit
from sevenbit import _stores, lake

MAILBOXES = PROJECT / "corpus" / "mailboxes"
MBOXES = sorted(MAILBOXES.glob("*.mbox"))
OF_MESSAGES = [name for name in lake.SCHEMA.names if name not in lake._OF_FILES]


def rows(source: str | Path | list[Path] | lake.Share, **options: Any) -> list[dict[str, Any]]:
    return [row for batch in lake.read(source, **options) for row in batch.to_pylist()]


def test_a_row_says_what_the_message_says() -> None:
    message = (
        b"From: J\xc3\xb6rg <j@example.org>\r\nTo: a@example.org, =?utf-8?Q?Zo=C3=AB?= <z@example.org>\r\n"
        b"Subject: =?koi8-r?Q?=F0=D2=C9?=\r\nDate: Fri, 13 Feb 2009 18:31:30 -0500\r\nMessage-ID: <m@example.org>\r\n"
        b"Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>x\r\n"
        b"--b\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\nd\xe9j\xe0\r\n--b--\r\n"
    )
    [row] = lake.normalize(pa.array([message], pa.binary()), columns=OF_MESSAGES).to_pylist()
    assert row["from"] == [{"name": "Jörg", "address": "j@example.org"}]
    assert row["to"] == [{"name": "", "address": "a@example.org"}, {"name": "Zoë", "address": "z@example.org"}]
    assert (row["cc"], row["subject"], row["message_id"], row["text"]) == ([], "При", "m@example.org", "déjà")
    assert row["date"] == datetime(2009, 2, 13, 23, 31, 30, tzinfo=UTC)
    done = sevenbit.normalize(message)
    assert row["octets"] == done.octets and row["changed"] and row["error"] is None
    assert row["charsets"] == ["iso-8859-1"]
    assert row["codes"] == list(dict.fromkeys(issue.code for issue in done.issues))
    assert (row["html"], row["kind"], row["size"], row["corrupt"]) == ("<p>x", "message", len(message), None)
    assert dict(row["headers"])["subject"] == ["При"] and len(row["headers"]) == 6


def test_what_a_thread_a_list_and_a_file_need() -> None:
    pdf = b"%PDF-1.4 not really"
    message = (
        b"Bcc: b@example.org\r\nReply-To: List <l@example.org>\r\nList-Id: Our list <l.example.org>\r\n"
        b"In-Reply-To: <2@example.org>\r\nReferences: <1@example.org> <2@example.org>\r\nX-A: 1\r\nx-a: 2\r\n"
        b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\ntext\r\n--b\r\n"
        b"Content-Type: application/pdf; name=a.pdf\r\nContent-Id: <c@example.org>\r\n"
        b"Content-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\n"
        + base64.b64encode(pdf)
        + b"\r\n--b--\r\n"
    )
    columns = ("bcc", "reply_to", "thread", "list_id", "in_reply_to", "references", "headers", "attachments", "attachment_octets")
    [row] = lake.normalize(pa.array([message], pa.binary()), columns=columns).to_pylist()
    assert row["bcc"] == [{"name": "", "address": "b@example.org"}]
    assert row["reply_to"] == [{"name": "List", "address": "l@example.org"}]
    assert (row["list_id"], row["in_reply_to"]) == ("l.example.org", ["2@example.org"])
    assert row["references"] == ["1@example.org", "2@example.org"]
    assert row["thread"] == "<1@example.org>"
    assert dict(row["headers"])["x-a"] == ["1", "2"]
    digest = hashlib.sha256(pdf).hexdigest()
    attachment = {"name": "a.pdf", "safe_name": "a.pdf", "type": "application/pdf", "size": len(pdf), "content_id": "c@example.org", "sha256": digest}
    assert (row["attachments"], row["attachment_octets"]) == ([attachment], [pdf])


def test_text_is_what_a_person_reads() -> None:
    folder = Path(__file__).parents[2] / "corpus" / "view"
    messages = [(folder / name).read_bytes() for name in ("html-only.eml", "html-with-footer-of-a-list.eml", "winmail.eml")]
    table = lake.normalize(pa.array(messages, pa.binary()), columns=["text", "html", "attachments", "attachment_octets"])
    only, footer, packed = table.to_pylist()
    assert "* Lachs" in only["text"] and "<p>" in only["html"] and only["attachments"] == []
    assert "pets@lists.example" in footer["html"] and "<b>" not in footer["text"]
    assert [file["safe_name"] for file in packed["attachments"]] == ["Grüße.txt", "pixel.png"]
    assert packed["attachment_octets"][0] == b"hello\r\n"


def test_a_row_says_where_its_message_was(tmp_path: Path) -> None:
    path = tmp_path / "x.mbox"
    path.write_bytes(b"From a@example.org Thu Nov 19 10:00:00 2026\nSubject: x\n\ny\n")
    os.utime(path, (1_000_000_000, 1_000_000_000))
    [row] = rows(path, columns=["from_line", "size", "mtime"])
    time = datetime.fromtimestamp(1_000_000_000, UTC)
    assert row == {"from_line": "From a@example.org Thu Nov 19 10:00:00 2026", "size": 14, "mtime": time}


def test_what_is_no_message_is_told_apart(tmp_path: Path) -> None:
    text = "a text without a header of mail"
    junk = {
        "message": b"Subject: x\r\n\r\n",
        text: b"some notes\nof mine\n",
        "an empty file": b"",
        "a ZIP archive": b"PK\x03\x04\x14\x00",
        "data": b"\x00\x01\x02\x03\xff\xfe",
    }
    for octets in (b'{"subject": "x"}\n', b"id,time\n1,12:30\n", b"{\n  \"a\": 1\n}\n", b"2026-11-26 10:00:00 up\n"):
        [row] = lake.normalize([octets], columns=["kind"]).to_pylist()
        assert row["kind"] == text
    for kind, octets in junk.items():
        (tmp_path / kind).write_bytes(octets)
    found = {Path(row["path"]).name: row for row in rows(tmp_path, columns=["path", "kind", "corrupt", "error"])}
    for kind, octets in junk.items():
        assert found[kind]["kind"] == kind
        assert found[kind]["corrupt"] == (None if kind == "message" else octets)
    assert [Path(row["path"]).name for row in rows(tmp_path, columns=["path"], mode="dropmalformed")] == ["message"]
    assert [kind for kind, row in found.items() if row["error"]] == ["a ZIP archive"]  # in which there may be mail
    with pytest.raises(ValueError, match="octet 0: is a ZIP archive, which is not read"):
        rows(tmp_path, mode="failfast")


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary(), pa.binary_view()])
def test_a_column_of_any_layout_is_normalised(mail: list[bytes], kind: pa.DataType) -> None:
    messages: list[bytes | None] = [*mail, None, b""]
    expected = [None if message is None else sevenbit.normalize(message).octets for message in messages]
    array = pa.array(messages, pa.binary()).cast(kind)
    assert lake.normalize(array).column("octets").to_pylist() == expected
    assert lake.normalize(array.slice(7, 30)).column("octets").to_pylist() == expected[7:37]
    assert lake.normalize(array.slice(len(mail))).column("changed").to_pylist()[0] is None
    empty = lake.normalize(array.slice(0, 0), columns=OF_MESSAGES)
    assert empty.num_rows == 0 and empty.schema.names == OF_MESSAGES
    assert lake.normalize(pa.array([None, None])).num_rows == 2


def test_text_is_a_message_too() -> None:
    assert lake.normalize(pa.array(["Subject: é\r\n\r\n"]), columns=["subject"]).to_pylist() == [{"subject": "é"}]


def test_columns_that_are_not_there_are_named() -> None:
    with pytest.raises(ValueError, match="nothing"):
        lake.normalize(pa.array([b""]), columns=["nothing"])
    with pytest.raises(ValueError, match="is of files"):
        lake.normalize(pa.array([b""]), columns=["subject", "path"])
    with pytest.raises(ValueError, match="'dialect'"):
        lake.read(str(MBOXES[0]), dialect="?")
    with pytest.raises(ValueError, match="is it 'subject'"):
        lake.read(str(MBOXES[0]), columns=["Subjekt"])
    with pytest.raises(ValueError, match="'mode'"):
        lake.read(str(MBOXES[0]), mode="?")  # type: ignore[arg-type]
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


def tar_of(messages: list[bytes]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as members:
        for number, message in enumerate(messages):
            member = tarfile.TarInfo(f"{number}.eml")
            member.size, member.mtime = len(message), 1_000_000_000
            members.addfile(member, io.BytesIO(message))
    return packed.getvalue()


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gz"])
def test_a_damaged_tar_file_loses_nothing_without_a_word(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    messages = [f"Subject: {number}\r\n\r\n{'x' * 700}".encode() for number in range(300)]
    whole = tar_of(messages)
    path = tmp_path / ("mail.tar" if pack is bytes else "mail.tar.gz")
    path.write_bytes(pack(whole))
    sound = rows(path, columns=["subject", "offset", "mtime", "error"])
    assert [row["subject"] for row in sound] == [str(number) for number in range(300)]
    assert {row["mtime"] for row in sound} == {datetime.fromtimestamp(1_000_000_000, UTC)}
    # One bit of the header of the member 100.
    header = sound[100]["offset"] - 512
    damaged = bytearray(whole)
    damaged[header + 140] ^= 1
    path.write_bytes(pack(bytes(damaged)))
    found = rows(path, columns=["subject", "offset", "error"])
    assert [row["subject"] for row in found if row["error"] is None] == [str(n) for n in range(300) if n != 100]
    [bad] = [row for row in found if row["error"] is not None]
    assert "no header" in bad["error"] and header - 512 < bad["offset"] <= header
    # Cut within a member, and between two.
    for cut in (header + 600, header):
        path.write_bytes(pack(whole[:cut]))
        found = rows(path, columns=["subject", "error"])
        assert len(found) == 101 and [row["subject"] for row in found if row["error"] is None] == [str(n) for n in range(100)]
        assert found[-1]["error"] is not None
        assert len(rows(path, columns=["subject"], select=lake.Select(ignore_corrupt=True))) == 100
        assert len(rows(path, columns=["subject"], mode="dropmalformed")) == 100
        with pytest.raises(ValueError, match="mail.tar"):
            rows(path, columns=["subject"], mode="failfast")


def test_a_link_in_a_tar_file_is_a_row(tmp_path: Path) -> None:
    """A link has no octets of its own: where they are, or would be, is said."""
    with tarfile.open(tmp_path / "mail.tar", "w") as members:
        message = b"Subject: x\r\n\r\n"
        for name, kind in [("a.eml", tarfile.REGTYPE), ("b.eml", tarfile.LNKTYPE), ("c.eml", tarfile.SYMTYPE), ("_d", tarfile.LNKTYPE), ("_temporary/0/e.eml", tarfile.REGTYPE)]:
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, "" if kind == tarfile.REGTYPE else "a.eml"
            member.size = len(message) if kind == tarfile.REGTYPE else 0
            members.addfile(member, io.BytesIO(message))
    found = rows(tmp_path / "mail.tar", columns=["subject", "error"])
    assert [row["subject"] for row in found] == ["x", None, None]
    errors = ["b.eml is a link to a.eml, where its octets are", "c.eml is a link to a.eml, where its octets are"]
    assert [row["error"] for row in found[1:]] == errors


def test_a_file_is_read_once_by_whatever_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "again").symlink_to(tmp_path / "mail")
    for name in ("a.eml", "_b.eml", ".c.eml"):
        (tmp_path / "mail" / name).write_bytes(b"Subject: x\r\n\r\n")
    monkeypatch.chdir(tmp_path)
    sources: list[Any] = ["mail", "mail/**/*.eml", "mail/*", ["mail", "./mail", tmp_path / "mail" / "again" / "a.eml"], f"file://{tmp_path}/mail/*.eml"]
    for source in sources:
        [row] = rows(source, columns=["path"])
        assert row["path"].endswith("mail/a.eml"), source
    assert len(rows("mail/_*", columns=["path"])) == 1

    (tmp_path / "mail" / "_temporary").mkdir()
    (tmp_path / "mail" / "_temporary" / "d.eml").write_bytes(b"Subject: half\r\n\r\n")
    assert len(rows("mail/**/*.eml", columns=["path"])) == 1
    # A pattern names no file by itself.
    (tmp_path / "mail" / "e.txt").write_bytes(b"Subject: x\r\n\r\n")
    assert len(rows("mail/*", columns=["path"])) == 2
    assert len(rows("mail/*", columns=["path"], select=lake.Select(name="*.eml"))) == 1
    assert rows("mail/*", columns=["path"], select=lake.Select(modified_before=datetime(1980, 1, 1))) == []


def test_nothing_is_hidden_by_what_is_beside_it(tmp_path: Path) -> None:
    """Directories whose names begin like one another, a directory called `new`, a Maildir in one that begins with a dot."""
    names = ["2024/a.eml", "2024_old/b.eml", "2024.bak/c.eml", "d/new/e.eml", "d/f.eml", ".maildir/cur/g", ".maildir/.Sent/cur/h", ".maildir/.New/new/i"]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"Subject: x\r\n\r\n")
    (tmp_path / ".maildir" / "new").mkdir()
    for source in (f"{tmp_path}", f"local://{tmp_path}"):
        assert len(rows(source, columns=["path"])) == len(names) - ("://" in source), source  # no empty directory in a store
        assert len(rows(source + "/2024*", columns=["path"])) == 3, source
    with tarfile.open(tmp_path / "all.tar", "w") as members:
        for name in names:
            members.add(tmp_path / name, name)
    assert len(rows(tmp_path / "all.tar", columns=["path"])) == len(names)
    assert len(rows(tmp_path, columns=["path"], select=lake.Select(name="{a,[^cgh]}.eml"))) == 4
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden" / "_x").write_bytes(b"")
    with pytest.raises(FileNotFoundError):
        lake.read(f"{tmp_path}/hidden/*")
    assert not lake._exists(f"{tmp_path}/hidden/*", _stores.Stores())


def test_members_that_are_no_plain_files(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar", "w") as members:
        for name, kind in [("a", tarfile.CONTTYPE), ("b", b"Z"), ("c", tarfile.DIRTYPE), ("d", tarfile.REGTYPE)]:
            member = tarfile.TarInfo(name)
            member.type, member.size = kind, 14 * (kind != tarfile.DIRTYPE)
            if name == "d":
                member.pax_headers = {"GNU.sparse.major": "1"}
            members.addfile(member, io.BytesIO(b"Subject: x\r\n\r\n"))
    found = rows(tmp_path / "a.tar", columns=["subject", "error"])
    assert [row["subject"] for row in found] == ["x", None, None]
    assert "not known" in found[1]["error"] and "sparse" in found[2]["error"]
    # A time past the calendar of Python is none: that of the tar file counts.
    with tarfile.open(tmp_path / "a.tar", "w", format=tarfile.GNU_FORMAT) as members:
        member = tarfile.TarInfo("a")
        member.size, member.mtime = 14, 400_000_000_000
        members.addfile(member, io.BytesIO(b"Subject: x\r\n\r\n"))
    [row] = rows(tmp_path / "a.tar", columns=["subject", "mtime"])
    assert row["subject"] == "x" and row["mtime"].timestamp() == pytest.approx((tmp_path / "a.tar").stat().st_mtime)


def test_ends_of_the_calendar_and_no_columns(tmp_path: Path) -> None:
    (tmp_path / "a.eml").write_bytes(b"Date: Thu, 26 Nov 2026 09:00:00 +0000\r\n\r\n")
    for since, until in [(datetime.min, datetime.max), (datetime.min, None), (None, datetime.max)]:
        assert len(rows(tmp_path, columns=["date"], since=since, until=until)) == 1
    assert [batch.num_rows for batch in lake.read(tmp_path, columns=[])] == [1]
    for late in (b"31 Dec 9999 23:59:59 -1200", b"1 Jan 0001 00:00:00 +1200"):
        (tmp_path / "a.eml").write_bytes(b"Date: %s\r\n\r\n" % late)
        assert rows(tmp_path, columns=["date", "error"])[0]["error"] is None


def test_a_mailbox_in_a_tar_file_is_cut(tmp_path: Path) -> None:
    path = MAILBOXES / "mboxrd.mbox"
    (tmp_path / "mail.tar").write_bytes(tar_of([b"Subject: x\r\n\r\n", path.read_bytes()]))
    found = rows(tmp_path / "mail.tar", columns=["octets", "from_line", "error"])
    assert found[0]["from_line"] is None and found[1:] == rows(path, columns=["octets", "from_line", "error"])


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "a.tar").write_bytes(b"")
    (tmp_path / "a.tgz").write_bytes(gzip.compress(b""))
    [row] = rows(tmp_path / "fifo", columns=["error"])
    assert "not a file" in row["error"]
    for source in (tmp_path, f"file://{tmp_path}", f"file:{tmp_path}"):
        assert [row["kind"] for row in rows(source, columns=["kind"])] == ["an empty file", "an empty file"]


def test_a_path_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    for path in (tmp_path / "typo", "memory://typo", tmp_path / "*.eml"):
        with pytest.raises(FileNotFoundError, match="PATH_NOT_FOUND"):
            lake.read(path)
        assert list(lake.read(path, select=lake.Select(ignore_missing=True))) == []


def test_paths_of_any_kind(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).write_bytes(b"Subject: %s\r\n\r\n" % name.encode())
    assert rows(tmp_path, columns=["subject"]) == [{"subject": "a"}, {"subject": "b"}]
    assert rows([tmp_path / "b", tmp_path / "a"], columns=["subject"]) == [{"subject": "b"}, {"subject": "a"}]
    assert len(lake.plan([tmp_path, str(tmp_path)])) == 1


def test_what_cannot_be_looked_into_is_a_row() -> None:
    code = (
        "import json, os, sys; from sevenbit import lake\n"
        "os.getuid() or os.setuid(65534)\n"  # the superuser may look into everything
        "batches = lake.read(sys.argv[1], columns=['path', 'subject', 'error'])\n"
        "print(json.dumps([row for batch in batches for row in batch.to_pylist()]))"
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "a.eml").write_bytes(b"Subject: a\r\n\r\n")
        (folder / "link.eml").symlink_to(folder / "nowhere")
        (folder / "closed").mkdir(0)
        done = subprocess.run([sys.executable, "-c", code, name], capture_output=True, text=True, check=True)
        found = {Path(row["path"]).name: row for row in json.loads(done.stdout)}
        assert found["a.eml"]["subject"] == "a" and found["a.eml"]["error"] is None
        assert "Permission denied" in found["closed"]["error"]
        assert "No such file" in found["link.eml"]["error"]
        (folder / "closed").rmdir()
        assert len(rows(folder, select=lake.Select(ignore_missing=True))) == 1


def test_names_of_any_octets_and_links_to_themselves_end_nothing(tmp_path: Path) -> None:
    (Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.eml"))).write_bytes(b"Subject: x\r\n\r\n")
    (tmp_path / "loop.eml").symlink_to("loop.eml")
    rows = [row for batch in lake.read([tmp_path, tmp_path], columns=["path", "subject", "error"]) for row in batch.to_pylist()]
    assert [(row["path"].rpartition("/")[2], row["subject"]) for row in rows] == [("caf\\xe9.eml", "x"), ("loop.eml", None)]
    assert rows[0]["error"] is None and "symbolic links" in rows[1]["error"]


def test_what_a_caller_gets_wrong_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.mbox").write_bytes(b"From a Thu Nov 19 10:00:00 2026\nSubject: x\n\n" * 9)
    for number in (0, -1):
        with pytest.raises(ValueError, match="split_octets"):
            lake.plan(tmp_path, split_octets=number)
    with pytest.raises(ValueError, match="is it 'mboxcl2'"):
        lake.plan(tmp_path, dialect="mboxlc2")
    with pytest.raises(ValueError, match="most_octets"):
        lake.read(tmp_path, most_octets=-1)
    with pytest.raises(TypeError, match="list of names"):
        lake.read(tmp_path, columns="subject")
    for wrong in ({"columns": [3]}, {"most_octets": "9"}, {"select": "*.eml"}, {"mode": 3}):
        with pytest.raises(TypeError):
            lake.read(tmp_path, **cast(Any, wrong))
    with pytest.raises(TypeError, match="a path"):
        lake.plan(cast(Any, 3))
    with pytest.raises(TypeError, match="datetime"):
        lake.read(tmp_path, since=cast(Any, "2020-01-01"))
    with pytest.raises(ValueError, match="is it 'subject'"):
        lake.normalize(pa.array([b"x"]), columns=["sujbect"])


def test_columns_of_tables_and_lists_are_normalised() -> None:
    mail = b"Subject: x\r\n\r\n"
    for messages in pa.chunked_array([[mail], [None]], pa.binary()), [mail, None]:
        assert lake.normalize(messages, columns=["subject"]).to_pylist() == [{"subject": "x"}, {"subject": None}]


@pytest.mark.parametrize("pack", [gzip.compress, lambda octets: pa.compress(octets, "zstd", asbytes=True)], ids=["gz", "zst"])
def test_what_comes_before_the_damage_of_a_packed_mailbox_is_read(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    body = base64.encodebytes(hashlib.shake_128(b"x").digest(3000)).decode()
    whole = "".join(f"From a@example.org Thu Nov 19 10:00:00 2026\nSubject: {number}\n\n{body}\n" for number in range(500)).encode()
    packed = bytearray(pack(whole[: len(whole) // 2]) + pack(whole[len(whole) // 2 :]))
    path = tmp_path / "mail.mbox.packed"
    path.write_bytes(packed)
    assert [row["subject"] for row in rows(path, columns=["subject"])] == [str(number) for number in range(500)]
    path.write_bytes(packed[:-100])
    found = rows(path, columns=["subject", "error"])
    assert found[-1]["error"] and len(found) > 250
    assert [row["subject"] for row in found[:-1]] == [str(number) for number in range(len(found) - 1)]
    # Octets that are not packed come after all of the mail: only of the last message it cannot be told whether it ends there.
    path.write_bytes(packed + b"junk that is none")
    found = rows(path, columns=["subject", "error"])
    assert found.pop()["error"] and [row["subject"] for row in found] == [str(number) for number in range(499)]


def test_links_are_followed_once(tmp_path: Path) -> None:
    (tmp_path / "mail" / "deep").mkdir(parents=True)
    (tmp_path / "other").mkdir()
    for name in ("mail/a.eml", "mail/deep/b.eml", "other/c.eml"):
        (tmp_path / name).write_bytes(b"Subject: x\r\n\r\n")
    (tmp_path / "mail" / "deep" / "up").symlink_to(tmp_path / "mail")
    (tmp_path / "mail" / "to").symlink_to(tmp_path / "other")
    (tmp_path / "mail" / "again").symlink_to(tmp_path / "other")
    names = [Path(row["path"]).name for row in rows(tmp_path / "mail", columns=["path"])]
    assert sorted(names) == ["a.eml", "b.eml", "c.eml"]


def test_which_files_are_read(tmp_path: Path) -> None:
    for name in ("a.eml", "b.txt", "_SUCCESS", ".c.eml", "deep/d.eml", "_temporary/e.eml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"Subject: x\r\n\r\n")
    os.utime(tmp_path / "b.txt", (1_000_000_000, 1_000_000_000))
    middle = datetime(2010, 1, 1, tzinfo=UTC)

    def names(path: Path = tmp_path, **select: Any) -> list[str]:
        return [Path(row["path"]).name for row in rows(path, columns=["path"], select=lake.Select(**select))]

    assert names() == ["a.eml", "b.txt", "d.eml"]
    assert names(recursive=False) == ["a.eml", "b.txt"]
    assert names(name="*.eml") == ["a.eml", "d.eml"]
    assert names(modified_after=middle) == ["a.eml", "d.eml"] and names(modified_before=middle) == ["b.txt"]
    # What is named is read.
    assert names(tmp_path / "_SUCCESS", name="*.eml") == ["_SUCCESS"]


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
    with pytest.raises(FileNotFoundError, match="PATH_NOT_FOUND"):
        lake.plan(str(tmp_path / "*.none"))


def test_a_plan_says_what_cannot_be_cut(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for name in ("a.mbox", "a.mbox.gz", "a.tar"):
        (tmp_path / name).write_bytes(bytes(10_000))
    lake.plan(tmp_path, split_octets=2000)
    assert not caplog.messages
    assert len(lake.plan(tmp_path, split_octets=1000)) > 10
    assert sorted(re.findall(r"a[.a-z]+(?=: all of its 10000)", caplog.text)) == ["a.mbox.gz", "a.tar"]


def in_blocks(octets: bytes) -> bytes:
    """bgzf: gzip in blocks that say how long they are."""
    blocks = []
    for start in range(0, len(octets) + 1, 60_000):
        content = octets[start : start + 60_000]
        deflate = zlib.compressobj(1, wbits=-15)
        packed = deflate.compress(content) + deflate.flush()
        head = b"\x1f\x8b\x08\x04" + bytes(5) + b"\xff\x06\x00BC\x02\x00" + (len(packed) + 25).to_bytes(2, "little")
        blocks.append(head + packed + zlib.crc32(content).to_bytes(4, "little") + len(content).to_bytes(4, "little"))
    return b"".join(blocks)


def in_frames(octets: bytes) -> bytes:
    """Zstandard frames that say how long their content is."""
    size = 3 << 20
    return b"".join(pa.compress(octets[start : start + size], "zstd", asbytes=True) for start in range(0, len(octets), size))


@pytest.mark.parametrize(("suffix", "pack"), [("gz", in_blocks), ("zst", in_frames)])
@pytest.mark.parametrize("dialect", ["auto", "mboxrd"])
def test_a_packed_mailbox_in_pieces_is_cut(tmp_path: Path, suffix: str, pack: Callable[[bytes], bytes], dialect: str) -> None:
    texts = [base64.encodebytes(hashlib.shake_128(str(number).encode()).digest(number * 97 % 30_000)).decode() for number in range(2500)]
    head = "From a@example.org Thu Nov 19 10:00:00 2026\nSubject: {}\n\n{}\n"
    octets = "".join(head.format(*each) for each in enumerate(texts)).encode()
    assert len(octets) > 40 << 20
    path = tmp_path / f"a.mbox.{suffix}"
    path.write_bytes(pack(octets))
    wanted = ["offset", "subject", "size", "kind", "error"]
    whole = rows(path, columns=wanted)
    assert len(whole) == len(texts) and all(row["error"] is None for row in whole)
    for split in (5 << 20, 16 << 20, 20 << 20):
        shares = lake.plan(path, split_octets=split, dialect=dialect)
        assert len(shares) > 1 and len(shares) <= len(octets) // split + 1
        assert [row for share in shares for row in rows(share, columns=wanted, dialect=dialect)] == whole
    assert len(lake.plan(path, split_octets=5 << 20, dialect="mboxcl")) == 1, "where a message begins is not known before"

    for name, other in ((f"b.tar.{suffix}", b"x" * 50_000_000), (f"b.mbox.{suffix}", pack(octets)[:-1])):
        (tmp_path / name).write_bytes(pack(other) if "tar" in name else other)
        assert len(lake.plan(tmp_path / name, split_octets=5 << 20)) == 1


@given(st.lists(st.none() | st.binary(max_size=80), max_size=20))
def test_any_octets_are_a_row(messages: list[bytes | None]) -> None:
    table = lake.normalize(pa.array(messages, pa.binary()), columns=OF_MESSAGES)
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


@pytest.mark.parametrize("split_octets", [1, 4000, 6000, 1 << 30])
def test_a_store_of_outlook_is_cut_by_its_messages(split_octets: int) -> None:
    """Each share has some of the messages, also of a damaged one, and all have the rows of the whole."""
    path = Path(PROJECT) / "tests/files/store.pst"
    columns = ["path", "folder", "offset", "subject", "error"]
    whole = lake.read(path, columns=columns).read_all().to_pylist()
    shares = lake.plan(path, split_octets=split_octets)
    assert len(shares) == {1: 4, 4000: 3, 6000: 2, 1 << 30: 1}[split_octets]
    assert [row for share in shares for row in lake.read(share, columns=columns).read_all().to_pylist()] == whole
    assert len(whole) == 4 and sum(row["error"] is not None for row in whole) == 1
