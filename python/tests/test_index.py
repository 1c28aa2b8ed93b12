"""Tar, gz and zst files that are cut by an index: the rows are those of the whole file, or there is an error."""

import base64
import gzip
import hashlib
import io
import json
import os
import random
import tarfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.fs
import pytest
from conftest import PROJECT, own_mail

from sevenbit import _index, lake
from sevenbit._sevenbit import _index_of
from sevenbit._stores import Stores

COLUMNS = lake.SCHEMA.names
MAIL = [path.read_bytes() for path in own_mail()]
MAILBOXES = [path.read_bytes() for path in sorted((PROJECT / "corpus" / "mailboxes").glob("*.mbox"))]


@pytest.fixture(autouse=True)
def small_grain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small files have as many places as large ones."""
    monkeypatch.setattr(_index, "GRAIN", 1)


def rows(shares: list[lake.Share], **options: Any) -> list[dict[str, Any]]:
    options = {"columns": COLUMNS, **options}
    return [row for share in shares for batch in lake.read(share, **options) for row in batch.to_pylist()]


def whole(path: Path, **options: Any) -> list[dict[str, Any]]:
    return rows([lake.Share(((str(path), 0, lake._END),))], **options)


def is_the_same_however_it_is_cut(path: Path) -> int:
    """Compares the rows with and without an index; returns the largest number of shares."""
    expected = whole(path)
    if lake.index(path, least_octets=1) != [str(path)]:
        return 1
    most = 1
    for split in (1, 700, 5000, 60_000, 500_000):
        shares = lake.plan(path, split_octets=split)
        assert rows(shares) == expected, split
        most = max(most, len(shares))
    return most


def member(name: str, octets: bytes = b"", **more: Any) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.size = len(octets)
    info.mtime = 1_700_000_000
    for key, value in more.items():
        setattr(info, key, value)
    return info, octets


def tar_of(members: list[tuple[tarfile.TarInfo, bytes]], kind: int = tarfile.GNU_FORMAT, **more: Any) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=kind, **more) as file:
        for info, octets in members:
            file.addfile(info, io.BytesIO(octets))
    return out.getvalue()


def sparse_member() -> bytes:
    """A member as GNU tar writes a sparse file: a hole of 4096 octets, and a message in a block after it."""
    content = b"Subject: sparse\r\n\r\n".ljust(512, b"x")
    header = bytearray(tarfile.TarInfo("sparse.eml").tobuf(tarfile.GNU_FORMAT))
    header[156:157] = b"S"
    header[124:136] = b"%011o\0" % len(content)
    header[386:410] = b"%011o\0%011o\0" % (4096, len(content))
    header[483:495] = b"%011o\0" % (4096 + len(content))
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header) + content


def odd_members() -> list[tuple[tarfile.TarInfo, bytes]]:
    inner = tar_of([member(f"inner{number}.eml", octets) for number, octets in enumerate(MAIL[:3])])
    return [
        member("first.eml", MAIL[0]),
        member("long/" * 40 + "name.eml", MAIL[1]),
        member("folder", type=tarfile.DIRTYPE),
        member("hard.eml", type=tarfile.LNKTYPE, linkname="first.eml"),
        member("symbolic.eml", type=tarfile.SYMTYPE, linkname="l/" * 80),
        member("box.mbox", MAILBOXES[0] + MAILBOXES[1]),
        member("inner.tar", inner),
        member(".hidden", MAIL[2]),
        member("empty.eml"),
        member("unknown", MAIL[3], type=b"Z"),
        member("as mail.eml", inner),  # a header of a tar file in what looks like mail to its name
        member("packed.eml.gz", gzip.compress(MAIL[4])),
        member("notes.pdf", b"%PDF-1.7" + bytes(3000)),
        *(member(f"{number}.eml", octets) for number, octets in enumerate(MAIL)),
        member("last\udcff.eml", MAIL[5]),
    ]


@pytest.mark.parametrize("kind", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_a_tar_file_of_every_kind_of_member(tmp_path: Path, kind: int) -> None:
    path = tmp_path / "mail.tar"
    members = odd_members()
    if kind == tarfile.PAX_FORMAT:
        # Each belongs to the member after it, but for the global ones.
        for number, (info, _) in enumerate(members):
            info.pax_headers = {"comment": "x" * number * 30, "GNU.sparse.major": "1"} if number % 5 == 3 else {"comment": "ü"}
    path.write_bytes(tar_of(members, kind, pax_headers={"comment": "of all"} if kind == tarfile.PAX_FORMAT else None))
    assert is_the_same_however_it_is_cut(path) > len(MAIL)


def test_a_tar_file_with_sparse_members_and_another_after_it(tmp_path: Path) -> None:
    path = tmp_path / "mail.tar"
    first = tar_of([member("a.eml", MAIL[0])])[: 512 + len(MAIL[0]) + -len(MAIL[0]) % 512]
    path.write_bytes(first + sparse_member() + first + sparse_member() + tar_of(odd_members()) + tar_of(odd_members()))
    assert any(row["subject"] is None and row["size"] == 4608 for row in whole(path))
    assert is_the_same_however_it_is_cut(path) > 2 * len(MAIL)


def damaged(octets: bytes, chance: random.Random) -> bytes:
    out = bytearray(octets)
    match chance.randrange(5):
        case 0:
            del out[chance.randrange(len(out)) :]
        case 1:  # a header, or a block of content
            out[chance.randrange(len(out) // 512) * 512 + chance.choice((0, 124, 140, 148, 156, 345))] ^= 1 << chance.randrange(8)
        case 2:
            at = chance.randrange(len(out))
            out[at : at + chance.choice((1, 512, 5000))] = b""
        case 3:
            at = chance.randrange(len(out))
            out[at:at] = bytes(chance.choice((1, 512, 1024, 5000)))
        case _:
            at = chance.randrange(len(out) // 512) * 512
            out[at : at + 512] = chance.randbytes(512)
    return bytes(out)


def test_a_damaged_tar_file(tmp_path: Path) -> None:
    chance = random.Random(7)
    path = tmp_path / "mail.tar"
    octets = tar_of(odd_members()[:40], tarfile.PAX_FORMAT)
    for number in range(int(os.environ.get("SEVENBIT_INPUTS", "0")) // 100 or 30):
        path.write_bytes(damaged(damaged(octets, chance) if number % 2 else octets, chance))
        is_the_same_however_it_is_cut(path)


def long_mbox() -> bytes:
    """An mbox of 40 MB, whose messages are of many lengths."""
    texts = (base64.encodebytes(hashlib.shake_128(str(number).encode()).digest(number * 97 % 30_000)).decode() for number in range(2500))
    head = "From a@example.org Thu Nov 19 10:00:00 2026\nSubject: {}\n\n{}\n"
    return "".join(head.format(*each) for each in enumerate(texts)).encode()


LONG = long_mbox()


def in_members(octets: bytes, size: int = 1_000_003) -> bytes:
    return b"".join(gzip.compress(octets[start : start + size], 1, mtime=0) for start in range(0, len(octets), size))


def in_frames(octets: bytes, size: int = 1_000_003) -> bytes:
    """Zstandard frames, every other one without its length."""
    out = b""
    for number, start in enumerate(range(0, len(octets), size)):
        part = octets[start : start + size]
        if number % 2:
            out += pa.compress(part, codec="zstd", asbytes=True)
            continue
        sink = pa.BufferOutputStream()
        with pa.CompressedOutputStream(sink, "zstd") as stream:
            stream.write(part)
        out += sink.getvalue().to_pybytes()
    return out


SKIPPED = b"\x50\x2a\x4d\x18\x03\x00\x00\x00abc"
"""A frame that is to be skipped."""


def test_a_mailbox_in_zst_frames_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "mail.mbox.zst"
    path.write_bytes(SKIPPED + in_frames(LONG[:15_000_000]) + SKIPPED * 2 + in_frames(b"") + in_frames(LONG[15_000_000:]) + SKIPPED)
    expected = whole(path)
    assert len(expected) == 2500 and len(lake.plan(path, split_octets=5 << 20)) == 1
    assert lake.index(path, least_octets=1) == [str(path)]
    for split in (5 << 20, 16 << 20, 20 << 20):
        shares = lake.plan(path, split_octets=split)
        assert len(shares) > 1 and rows(shares) == expected


def test_a_tar_file_in_zst_frames_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "mail.tar.zst"
    octets = tar_of(odd_members())
    path.write_bytes(SKIPPED + in_frames(octets, 512) + in_frames(octets, 5000) + SKIPPED + in_frames(octets, 70_001))
    assert is_the_same_however_it_is_cut(path) > 2 * len(MAIL)
    # As in a store, where frames that state their length are not looked for.
    files = pyarrow.fs.LocalFileSystem()
    assert lake.index(str(path), least_octets=1, filesystem=files) == [str(path)]
    shares = lake.plan(str(path), split_octets=5000, filesystem=files)
    assert len(shares) > 5 and rows(shares, filesystem=files) == rows(lake.plan(str(path), filesystem=files), filesystem=files)


def test_a_mailbox_in_gz_members_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "mail.mbox.gz"
    inner = gzip.compress(LONG[:100_000])
    stored = gzip.compress(inner, 0)
    assert inner[:1000] in stored  # what looks like a member within a block
    odd = b"From a@example.org Thu Nov 19 10:00:00 2026\nSubject: odd\n\n"
    # A member of nothing, one that looks like two, and octets 00.
    parts = [in_members(LONG[:15_000_000]), gzip.compress(b""), stored, gzip.compress(b"\n\n" + odd), bytes(10), in_members(LONG[15_000_000:])]
    path.write_bytes(b"".join(parts) + bytes(1000))
    expected = whole(path)
    assert len(expected) > 2500 and len(lake.plan(path, split_octets=5 << 20)) == 1
    assert lake.index(path, least_octets=1) == [str(path)]
    for split in (5 << 20, 16 << 20, 20 << 20):
        shares = lake.plan(path, split_octets=split)
        assert len(shares) > 1 and rows(shares) == expected
    for dialect, most in (("mboxrd", 9), ("mboxcl", 1)):
        shares = lake.plan(path, split_octets=5 << 20, dialect=dialect)
        assert len(shares) <= most and rows(shares, dialect=dialect) == whole(path, dialect=dialect)


def test_a_tar_file_in_gz_members_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "mail.tgz"
    octets = tar_of(odd_members())
    # Members that begin where one of the tar file does, too.
    path.write_bytes(in_members(octets, 512) + in_members(octets, 5000) + in_members(octets, 70_001))
    assert is_the_same_however_it_is_cut(path) > 2 * len(MAIL)


@pytest.mark.parametrize("damage", ["cut", "checksum or length", "junk after it"])
@pytest.mark.parametrize("pack", [in_members, in_frames])
def test_a_damaged_packed_file_has_no_index(
    tmp_path: Path, pack: Callable[[bytes, int], bytes], damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    octets = bytearray(pack(LONG[:3_000_000], 100_000))
    match damage:
        case "cut":
            del octets[-100:]
        case "checksum or length" if pack is in_frames:
            octets += frame(7, b"x")
        case "checksum or length":
            octets[-8] ^= 1
        case _:
            octets += b"junk"
    path = tmp_path / ("mail.mbox.gz" if pack is in_members else "mail.mbox.zst")
    path.write_bytes(octets)
    assert lake.index(path, least_octets=1) == [] and "remains one share" in caplog.text
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "name, octets",
    [
        ("one.mbox.gz", gzip.compress(LONG[:1_000_000])),
        ("twice.mbox.gz", gzip.compress(in_members(LONG[:1_000_000], 1000))),
        ("one.mbox.zst", in_frames(LONG[:1_000_000])),
        ("one.eml.zst", in_frames(MAIL[0] * 9, 100)),
        ("one.eml.gz", in_members(MAIL[0] * 9, 100)),
        ("one.tar.gz", gzip.compress(tar_of(odd_members()))),
        ("one.tar", tar_of([member("a.eml", MAIL[0])])),
        ("none.tar", MAIL[0]),
        ("empty.tar", b""),
        ("bomb.mbox.gz", gzip.compress(b"From a@example.org Thu Nov 19 10:00:00 2026\n\n") + gzip.compress(bytes(10_000))),
    ],
)
def test_what_cannot_be_cut_has_no_index(tmp_path: Path, name: str, octets: bytes, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / name
    path.write_bytes(octets)
    found = lake.index(path, least_octets=1)
    assert len(lake.plan(path, split_octets=1)) == 1
    assert rows(lake.plan(path, split_octets=1)) == whole(path)
    assert bool(found) == (name == "bomb.mbox.gz") and bool(found) != ("remains one share" in caplog.text or not octets)


def test_an_index_is_made_once_and_is_no_mail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mail.tar"
    path.write_bytes(tar_of(odd_members()))
    (tmp_path / "a.eml").write_bytes(MAIL[0])
    before = sorted({row["path"] for row in whole(tmp_path / "a.eml")} | {str(path)})
    assert lake.index(tmp_path) == []  # not large
    assert lake.index(tmp_path, least_octets=1) == [str(path)]
    kept = (tmp_path / ".mail.tar.sevenbit-index").read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(_index, "_index_of", None)
        assert lake.index(str(tmp_path / "*.tar"), least_octets=1) == [str(path)]
    assert sorted({row["path"] for row in rows(lake.plan(tmp_path))}) == before
    # It is made anew for a file that has changed.
    path.write_bytes(tar_of(odd_members()[1:]))
    assert lake.index(tmp_path, least_octets=1) == [str(path)]
    assert (tmp_path / ".mail.tar.sevenbit-index").read_bytes() != kept


def test_the_index_of_another_version_is_not_used(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "mail.tar"
    path.write_bytes(tar_of(odd_members()))
    lake.index(path, least_octets=1)
    shares = lake.plan(path, split_octets=5000)
    assert len(shares) > 3
    path.write_bytes(tar_of(odd_members()[1:]))
    assert len(lake.plan(path, split_octets=5000)) == 1 and "of another version" in caplog.text
    # The plan is older than the file.
    with pytest.raises(OSError, match="plan again"):
        rows(shares)
    for octets in (MAIL[0], LONG[:30_000]):
        path.write_bytes(octets)
        assert rows(shares) == whole(path)


def fields(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_bytes())
    return found


FALSE: list[Callable[[dict[str, Any]], object]] = [
    lambda index: index.update(members=[512 * number for number in range(1, 60)]),
    lambda index: index.update(members=[each + 1 for each in index["members"]]),
    lambda index: index.update(members=[each + 512 for each in index["members"]]),
    lambda index: index.update(members=index["members"][::-1]),
    lambda index: index.update(members=[*index["members"], index["length"] + 512]),
    lambda index: index.update(members=[*index["members"], 2**80]),
    lambda index: index.update(members=[-512, *index["members"]]),
    lambda index: index.update(members=["512"]),
    lambda index: index.update(members={"512": 1}),
    lambda index: index.update(members=[True, *index["members"]]),
    lambda index: index.update(members=[1.5, *index["members"]]),
    lambda index: index.update(members=[], length=2**61),
    lambda index: index.update(members=[], pieces=[[0, 0], [512, 40 << 20]], length=2**61),
    lambda index: index.update(pieces=[[0, 0], [512, 600], [1024, 30_000]]),
    lambda index: index.update(pieces=[[0, 0, 0]]),
    lambda index: index.update(pieces=[[5, 5], [0, 0]]),
    lambda index: index.update(pieces=[[0, 0], [2**62, 5]]),
    lambda index: index.update(length=0),
    lambda index: index.update(length=2**70),
    lambda index: index.update(version=2),
    lambda index: index.clear(),
]


@pytest.mark.parametrize("number", range(len(FALSE)))
@pytest.mark.parametrize("name", ["mail.tar", "mail.tgz", "mail.mbox.gz", "mail.tzst", "mail.mbox.zst"])
def test_an_index_that_is_false_gives_the_same_rows_or_an_error(tmp_path: Path, name: str, number: int) -> None:
    path = tmp_path / name
    octets = LONG[:3_000_000] if "mbox" in name else tar_of(odd_members())
    pack = in_frames if "zst" in name else in_members
    path.write_bytes(octets if name == "mail.tar" else pack(octets, 10_000))
    expected = whole(path)
    assert lake.index(path, least_octets=1) == [str(path)]
    index = tmp_path / f".{name}.sevenbit-index"
    said = fields(index)
    FALSE[number](said)
    index.write_text(json.dumps(said))
    for split in (5000, 60_000):
        try:
            assert rows(lake.plan(path, split_octets=split)) == expected
        except OSError as error:
            assert "plan again" in str(error)


@pytest.mark.parametrize("content", ["tar", "mbox"])
def test_places_of_a_tar_file_in_what_is_packed_are_an_error(tmp_path: Path, content: str) -> None:
    """What is stored in a gz file at such a place looks like what should be there."""
    mail = tar_of([member(f"{number}.eml", octets) for number, octets in enumerate(MAIL[:20])])
    mail = mail if content == "tar" else LONG[:200_000]
    path = tmp_path / "mail.tar"
    path.write_bytes(gzip.compress(mail + gzip.compress(mail, 0) * 3, 0))
    expected = whole(path)
    size, mtime = path.stat().st_size, path.stat().st_mtime_ns // 1000
    false = 0
    for start in range(512, size, 512 * 7):
        said = {"version": 1, "size": size, "mtime": mtime, "etag": None, "length": size, "pieces": [], "members": [start]}
        (tmp_path / ".mail.tar.sevenbit-index").write_text(json.dumps(said))
        try:
            assert rows(lake.plan(path, split_octets=1)) == expected
        except OSError as error:
            false += "plan again" in str(error)
    assert false > 20


@pytest.mark.parametrize("octets", [b"", b"{", b"[" * 100_000, b"null", b"\xff", b"9" * 5000, b'{"version": 1}', b" " * (33 << 20)])
def test_an_index_that_is_none_is_not_used(tmp_path: Path, octets: bytes, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "mail.tar"
    path.write_bytes(tar_of(odd_members()))
    (tmp_path / ".mail.tar.sevenbit-index").write_bytes(octets)
    assert len(lake.plan(path, split_octets=1)) == 1 and "cannot be used" in caplog.text


def false_pieces(said: dict[str, Any], how: str, stored: int) -> None:
    pieces: list[list[int]] = said["pieces"]
    middle = len(pieces) // 2
    match how:
        case "packed":
            pieces[middle][0] += 1
        case "unpacked":
            pieces[middle][1] += 1
        case "within a block":
            pieces[middle][0] = stored
        case "all later":
            pieces[1:] = [[packed, unpacked + 50_000] for packed, unpacked in pieces[1:]]


@pytest.mark.parametrize("how", ["packed", "unpacked", "within a block", "all later"])
def test_false_places_of_gz_members_are_an_error(tmp_path: Path, how: str) -> None:
    path = tmp_path / "mail.mbox.gz"
    inner = gzip.compress(LONG[-3_000_000:])
    parts = [in_members(LONG[:20_000_000]), gzip.compress(inner, 0), in_members(LONG[20_000_000:])]
    path.write_bytes(b"".join(parts))
    lake.index(path, least_octets=1)
    index = tmp_path / ".mail.mbox.gz.sevenbit-index"
    said = fields(index)
    # As few pieces as there are cuts, so that each is used.
    said["pieces"] = [said["pieces"][0], *(each for each in said["pieces"] if 15_000_000 < each[1] < 15_700_000 or each[1] > 32_000_000)][:3]
    index.write_text(json.dumps(said))
    expected = whole(path, columns=["offset", "subject"])
    assert rows(lake.plan(path, split_octets=8 << 20), columns=["offset", "subject"]) == expected
    false_pieces(said, how, len(parts[0]) + parts[1].index(inner[:1000]))
    index.write_text(json.dumps(said))
    shares = lake.plan(path, split_octets=8 << 20)
    assert len(shares) > 1
    with pytest.raises(OSError, match="plan again"):
        rows(shares, columns=["offset", "subject"], mode="dropmalformed", select=lake.Select(ignore_corrupt=True))


def frame(length: int, octets: bytes) -> bytes:
    """A Zstandard frame of one raw block that says that it is of any length."""
    return b"\x28\xb5\x2f\xfd\xe0" + length.to_bytes(8, "little") + (len(octets) << 3 | 1).to_bytes(3, "little") + octets


def test_a_piece_that_claims_to_be_of_any_length_is_planned_soon(tmp_path: Path) -> None:
    mail = b"From a@example.org Thu Nov 19 10:00:00 2026\nSubject: x\n\n" + b"x\n" * 5000
    path = tmp_path / "mail.mbox.zst"
    for claimed in (1 << 60, (1 << 64) - 2 * len(mail) - 1):
        path.write_bytes(frame(len(mail), mail) + frame(claimed, b"x") + frame(len(mail), mail))
        assert len(lake.plan(path, split_octets=1 << 20)) < 100


def test_an_index_in_a_file_system_of_pyarrow(tmp_path: Path) -> None:
    path, files = tmp_path / "mail.tar", pyarrow.fs.LocalFileSystem()
    path.write_bytes(tar_of(odd_members()))
    assert lake.index(str(path), least_octets=1, filesystem=files) == [str(path)]
    shares = lake.plan(str(path), split_octets=5000, filesystem=files)
    assert len(shares) > 5 and rows(shares, filesystem=files) == rows(lake.plan(str(path), filesystem=files), filesystem=files)


def test_a_write_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mail.tar"
    path.write_bytes(tar_of(odd_members()))

    def fail(*_: object) -> None:
        raise OSError("no space")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="no space"):
        lake.index(path, least_octets=1)
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_changes_while_it_is_read_has_no_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mail.tar"
    path.write_bytes(tar_of(odd_members()))

    def changing(*arguments: Any) -> Any:
        found = _index_of(*arguments)
        os.utime(path, (1, 1))
        return found

    monkeypatch.setattr(_index, "_index_of", changing)
    assert lake.index(path, least_octets=1) == [] and list(tmp_path.iterdir()) == [path]


def test_a_large_index_is_thinned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mail.tar"
    path.write_bytes(tar_of(odd_members()))
    monkeypatch.setattr(_index, "_MOST_PLACES", 10)
    lake.index(path, least_octets=1)
    found = _index.known(str(path), Stores())
    assert found is not None and 5 <= len(found.members) <= 10
    assert rows(lake.plan(path, split_octets=1)) == whole(path)
