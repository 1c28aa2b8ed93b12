"""Messages in their normal form, and the issues found."""

import copy
import gc
import sys
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from conftest import PROJECT, own_mail
from hypothesis import given
from hypothesis import strategies as st

import sevenbit
from sevenbit import _sevenbit

Profile = Literal["archive", "transport"]

CLEAN = b"Subject: hi\r\n\r\nhello\r\n"
DIRTY = b"Subject: caf\xe9\r\n\r\nd\xe9j\xe0 vu\r\n"


@pytest.mark.parametrize("profile", ["archive", "transport"])
def test_the_project_s_own_messages_become_what_is_expected(profile: Profile) -> None:
    expected = PROJECT / "corpus" / "expected" / profile
    normalizer = sevenbit.Normalizer(profile=profile)
    for path in own_mail():
        done = normalizer.normalize(path.read_bytes())
        assert done.octets == (expected / path.name).read_bytes(), path.name
        report = (expected / path.with_suffix(".report").name).read_text()
        assert [report_line(issue) for issue in done.issues] == report.splitlines(), path.name


def report_line(issue: sevenbit.Issue) -> str:
    (start, end), charset = issue.span, f" {issue.charset}" if issue.charset else ""
    return f"{issue.part} {start}..{end} {issue.code} {issue.rule}{charset}"


def test_what_is_clean_is_the_same_object() -> None:
    done = sevenbit.normalize(CLEAN)
    assert done.octets is CLEAN and not done.changed and done.issues == ()
    assert bytes(done) is CLEAN
    assert next(sevenbit.normalize_many([CLEAN])).octets is CLEAN
    assert sevenbit.normalize(DIRTY, signed="refuse").octets == sevenbit.normalize(DIRTY).octets


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, lambda octets: memoryview(octets * 2)[: len(octets)]])
def test_any_buffer_is_a_message(kind) -> None:  # type: ignore[no-untyped-def]
    for octets in (CLEAN, DIRTY, b""):
        done = sevenbit.normalize(kind(octets))
        assert done.octets == sevenbit.normalize(octets).octets
        assert type(done.octets) is bytes


def test_a_view_with_steps_is_read_as_python_reads_it() -> None:
    view = memoryview(bytes(2 * octet for octet in b"Subject: hi"))[::2]
    assert sevenbit.normalize(view).octets == sevenbit.normalize(bytes(view)).octets


def test_what_was_written_to_later_is_not_seen() -> None:
    message = bytearray(CLEAN)
    done = sevenbit.normalize(message)
    message[:7] = b"XXXXXXX"
    assert done.octets == CLEAN


def test_issues_say_what_and_where() -> None:
    done = sevenbit.normalize(DIRTY)
    issue = done.issues[0]
    assert (issue.code, issue.severity, issue.rule, issue.part) == ("raw-header-text", "repair", "H3", "0")
    assert DIRTY[slice(*issue.span)].strip() == b"caf\xe9"
    assert "raw-header-text" in str(issue) and "raw-header-text" in repr(issue)
    assert done.issues is done.issues, "made once"
    assert done.issues == sevenbit.normalize(DIRTY).issues
    assert len({*done.issues, *sevenbit.normalize(DIRTY).issues}) == len(done.issues)
    russian = sevenbit.normalize("Subject: Привет, как дела?\r\n\r\n".encode("koi8-r")).issues
    guessed = {issue.code: issue.charset for issue in russian}
    assert guessed == {"raw-header-text": None, "charset-guessed": sevenbit.Charset("koi8-r").name}
    assert [copy.copy(issue) for issue in russian] == list(russian)


def test_options_do_what_they_say() -> None:
    cyrillic = b"Subject: =?koi8-r?Q?=F0?=\r\n\r\n"
    assert sevenbit.normalize(cyrillic, profile="transport").octets == cyrillic
    assert b"utf-8" in sevenbit.normalize(cyrillic).octets
    broken = b"Content-Type: text/plain; charset=shift_jis\r\n\r\n\x83\xff\r\n"
    assert sevenbit.normalize(broken).octets != sevenbit.normalize(broken, undecodable="replace").octets
    html = b'Content-Type: text/html; charset=koi8-r\r\n\r\n<meta charset="koi8-r">\xf0\r\n'
    assert sevenbit.normalize(html).octets != sevenbit.normalize(html, markup="keep").octets
    umlauts = b"From: a@example.de\r\nSubject: Sch\xf6ne Gr\xfc\xdfe\r\n\r\n"
    guessed = sevenbit.normalize(umlauts, profile="transport").octets
    kept = sevenbit.normalize(umlauts, profile="transport", unlabelled="keep").octets
    assert guessed != kept == guessed.replace(b"windows-1252", b"unknown-8bit")
    russian = "Content-Type: text/plain; charset=utf-8\r\n\r\nпривет\r\n".encode()
    assert b"charset=utf-7" in sevenbit.normalize(russian, text_encoding="utf-7").octets
    mojibake = "Content-Type: text/plain; charset=utf-8\r\n\r\nschÃ¶ne GrÃ¼ÃŸe\r\n".encode()
    noted = sevenbit.normalize(mojibake)
    assert "label-doubtful" in [issue.code for issue in noted.issues]
    mended = sevenbit.normalize(mojibake, doubtful="repair")
    assert sevenbit.parse(mended.octets).text == "schöne Grüße\n"
    assert sevenbit.normalize(mojibake, doubtful="keep").octets == noted.octets
    nested = b"Content-Type: message/rfc822\r\n\r\n" * 9 + CLEAN
    codes = [issue.code for issue in sevenbit.normalize(nested, limits=sevenbit.Limits(depth=3)).issues]
    assert "part-opaque" in codes and sevenbit.normalize(nested).octets.count(b"rfc822") == 9


def test_a_signature_can_be_kept() -> None:
    signed = (
        b'Content-Type: multipart/signed; boundary=b; protocol="application/pgp-signature"\r\n\r\n--b\r\n'
        b"Content-Type: text/plain; charset=utf-8\r\n\r\n\xc3\xa9\r\n--b\r\n"
        b"Content-Type: application/pgp-signature\r\n\r\n-----BEGIN PGP SIGNATURE-----\r\n--b--\r\n"
    )
    assert sevenbit.normalize(signed, signed="refuse").refused
    assert sevenbit.normalize(signed, signed="refuse").octets is signed
    assert not sevenbit.normalize(signed).refused


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(TypeError, match="'message'.*not str: a path is a pathlib.Path"):
        sevenbit.normalize("text")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="'message'"):
        sevenbit.normalize(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="'message'"):
        sevenbit.Normalizer().normalize([1])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="'profile'.*'archive' or 'transport'"):
        sevenbit.normalize(CLEAN, profile="archives")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="'profile'"):
        sevenbit.normalize(CLEAN, profile=1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="'limits'"):
        sevenbit.normalize(CLEAN, limits=3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="unexpected keyword argument 'profil'"):
        sevenbit.normalize_many([CLEAN], profil="archive")  # type: ignore[call-arg]
    for argument, _ in _sevenbit._OPTIONS:
        with pytest.raises(ValueError, match=f"'{argument}'"):
            options: dict[str, Any] = {argument: "?"}
            sevenbit.Normalizer(**options)
    with pytest.raises(TypeError):
        sevenbit.normalize_many(3)  # type: ignore[arg-type]


def test_many_are_the_same_as_one_by_one(mail: list[bytes]) -> None:
    one_by_one = [sevenbit.normalize(message) for message in mail]
    many = list(sevenbit.normalize_many(iter(mail)))
    assert [done.octets for done in many] == [done.octets for done in one_by_one]
    assert [done.issues for done in many] == [done.issues for done in one_by_one]


def test_what_comes_before_an_error_is_given() -> None:
    def messages() -> Iterator[bytes]:
        yield CLEAN
        yield DIRTY
        raise OSError("gone")

    many = sevenbit.normalize_many(messages())
    assert next(many).octets is CLEAN
    assert next(many).changed
    with pytest.raises(OSError, match="gone"):
        next(many)
    assert list(many) == []
    wrong = sevenbit.normalize_many([CLEAN, "text"])  # type: ignore[list-item]
    assert next(wrong).octets is CLEAN
    with pytest.raises(TypeError, match="'messages'"):
        next(wrong)


def test_many_are_taken_as_they_are_asked_for() -> None:
    taken = 0

    def endless() -> Iterator[bytes]:
        nonlocal taken
        while True:
            taken += 1
            yield DIRTY + b"x" * 10_000

    many = sevenbit.normalize_many(endless())
    next(many)
    assert taken < 1000


def test_threads_share_a_normalizer(mail: list[bytes]) -> None:
    normalizer = sevenbit.Normalizer()
    expected = [normalizer.normalize(message).octets for message in mail]
    results: list[list[bytes]] = [[] for _ in range(4)]

    def work(found: list[bytes]) -> None:
        found.extend(done.octets for done in normalizer.normalize_many(mail))
        found.extend(normalizer.normalize(message).octets for message in mail)

    threads = [threading.Thread(target=work, args=(found,)) for found in results]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(found == expected * 2 for found in results)


def test_large_messages_let_other_threads_run() -> None:
    message = b"Content-Type: text/plain; charset=latin1\r\n\r\n" + b"\xe9 caf\xe9\r\n" * 3_000_000
    ticks = 0
    stop = threading.Event()

    def count() -> None:
        nonlocal ticks
        while not stop.wait(0.001):
            ticks += 1

    thread = threading.Thread(target=count)
    thread.start()
    while ticks == 0:
        pass
    before = ticks
    sevenbit.normalize(message)
    during = ticks - before
    stop.set()
    thread.join()
    assert during >= 2, "the lock was held all the time"


def test_nothing_is_leaked() -> None:
    message = DIRTY * 1000
    sevenbit.normalize(message)
    gc.collect()
    before = sys.getrefcount(message)
    for _ in range(100):
        done = sevenbit.normalize(message)
        done.issues
        sevenbit.parse(message).parts[0].text
    del done
    gc.collect()
    assert sys.getrefcount(message) == before


PIECES = [b"Subject: ", b"\xe9", b"\r\n", b"\n", b"--b", b"=?utf-8?Q?=C3?=", b"From x", b": ", b"\0"]
PIECES.append(b"Content-Type: multipart/mixed; boundary=b\r\n")

octets = st.binary(max_size=400) | st.lists(
    st.sampled_from(PIECES),
    max_size=40,
).map(b"".join)


@given(octets)
def test_any_octets_become_safe_and_stay_so(message: bytes) -> None:
    for normalizer in (sevenbit.Normalizer(), sevenbit.Normalizer(profile="transport")):
        done = normalizer.normalize(message)
        assert done.octets.isascii()
        assert done.changed == (done.octets != message)
        again = normalizer.normalize(done.octets)
        assert again.octets is done.octets
        for issue in done.issues:
            start, end = issue.span
            assert 0 <= start <= end <= len(message)


def test_real_mail(real_mail: list[bytes]) -> None:
    changed = 0
    for message, done in zip(real_mail, sevenbit.normalize_many(real_mail), strict=True):
        assert done.octets.isascii()
        assert done.changed or done.octets is message
        changed += done.changed
    assert len(real_mail) == 6044 and changed > 1000


BOX = b"From a@example.org Thu Nov 19 10:00:00 2026\nSubject: one\n\nOne.\n\nFrom b@example.org Thu Nov 19 10:00:00 2026\nSubject: two\n\nTwo.\n"


def test_an_mbox_that_is_taken_for_one_message_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "mail.mbox"
    path.write_bytes(BOX)
    for kind in (BOX, bytearray(BOX), path, BOX.replace(b"\n", b"\r\n"), BOX + bytes(70 << 20)):
        with pytest.warns(sevenbit.MailboxWarning, match="an mbox of several messages") as found:
            sevenbit.normalize(kind)
        assert [each.filename for each in found] == [__file__]
    for take in (sevenbit.parse, sevenbit.Normalizer().normalize, lambda octets: list(sevenbit.normalize_many([CLEAN, octets]))):
        with pytest.warns(sevenbit.MailboxWarning) as found:
            take(BOX)
        assert [each.filename for each in found] == [__file__]


def test_a_mailbox_warning_may_be_an_error() -> None:
    with warnings.catch_warnings(action="error"):
        for take in (sevenbit.parse, sevenbit.normalize):
            with pytest.raises(sevenbit.MailboxWarning):
                take(BOX)
        found = sevenbit.normalize_many([CLEAN, DIRTY, BOX, CLEAN])
        assert [next(found).octets, next(found).changed] == [CLEAN, True]
        with pytest.raises(sevenbit.MailboxWarning):
            next(found)
        assert list(found) == []


@pytest.mark.parametrize(
    "octets",
    [
        BOX[: BOX.index(b"\n\nFrom ")],  # saved with its From line
        b"From here on\n\nFrom b@example.org Thu Nov 19 10:00:00 2026\nSubject: two\n\n",
        b"Subject: it quotes an mbox\n\n" + BOX,
        b"From ",
    ],
)
def test_a_message_is_no_mailbox(octets: bytes) -> None:
    with warnings.catch_warnings(action="error"):
        sevenbit.parse(octets)
        sevenbit.normalize(octets)
        list(sevenbit.normalize_many([octets]))
