"""Messages for webmail backends."""

import array
import email.message
import io
import mailbox
import mmap
import threading
import time
import weakref
from pathlib import Path
from typing import Any

import pytest
from conftest import PROJECT
from hypothesis import given
from hypothesis import strategies as st

import sevenbit
from sevenbit import _sevenbit

MAIL = """From: =?utf-8?Q?Zo=C3=AB?= <zoe@example.org>
To: Ada <ada@example.org>, bob@example.org
Subject: =?koi8-r?Q?=F0=D2=C9=D7=C5=D4?=
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

d=E9j=E0 vu
--b
Content-Type: application/pdf; name*=utf-8''caf%C3%A9.pdf
Content-Disposition: attachment
Content-Transfer-Encoding: base64

JVBERg==
--b--
""".replace("\n", "\r\n").encode()


def test_headers_are_text() -> None:
    message = sevenbit.parse(MAIL)
    assert message.subject == message.header("SUBJECT") == "Привет"
    assert message.header("nothing") is None
    assert message.headers[0] == ("From", "Zoë <zoe@example.org>")
    assert [name for name, _ in message.headers] == ["From", "To", "Subject", "MIME-Version", "Content-Type"]
    assert message.octets == MAIL


@pytest.mark.parametrize(
    ("mail", "fields"),
    [
        (b"A: one\r\n two\r\nA:\r\n\r\nx", [("A", b" one\r\n two"), ("A", b"")]),
        (b"Subject:\tcaf\xe9\0 \r\n\r\n", [("Subject", b"\tcaf\xe9\0 ")]),
        (b"a: x\nno field\nb: y\n\nx", [("a", b" x"), ("b", b" y")]),
        (b"", []),
    ],
)
def test_fields_are_octets_as_well(mail: bytes, fields: list[tuple[str, bytes]]) -> None:
    root = sevenbit.parse(mail).parts[0]
    assert root.raw_headers == fields
    assert [name for name, _ in root.headers] == [name for name, _ in fields]
    assert sevenbit.parse(MAIL).parts[1].raw_headers[0] == ("Content-Type", b" text/plain; charset=iso-8859-1")


def test_mailboxes_have_a_name_and_an_address() -> None:
    message = sevenbit.parse(MAIL)
    [zoe] = message.mailboxes("from")
    assert (zoe.name, zoe.address) == ("Zoë", "zoe@example.org")
    assert repr(zoe) == "Mailbox(name='Zoë', address='zoe@example.org')"
    assert zoe == sevenbit.parse(MAIL).mailboxes("from")[0] and len({zoe, zoe}) == 1
    match zoe:
        case sevenbit.Mailbox(name, address):
            assert (name, address) == ("Zoë", "zoe@example.org")
    assert [mailbox.address for mailbox in message.mailboxes("To")] == ["ada@example.org", "bob@example.org"]
    assert message.mailboxes("cc") == []


def test_parts_have_content() -> None:
    message = sevenbit.parse(MAIL)
    whole, text, file = message.parts
    assert (whole.media_type, whole.is_leaf, whole.depth, whole.text) == ("multipart/mixed", False, 0, None)
    assert (text.path, text.media_type, text.transfer_encoding) == ("1", "text/plain", "quoted-printable")
    assert text.charset_label == "iso-8859-1" and text.charset == sevenbit.Charset("latin1")
    assert text.text == "déjà vu" and text.octets == b"d\xe9j\xe0 vu"
    assert (file.disposition, file.filename, file.octets, file.text) == ("attachment", "café.pdf", b"%PDF", None)
    assert file.header("content-disposition") == "attachment" and file.charset is None
    assert [part.path for part in message.leaves] == ["1", "2"]
    start, end = text.span
    assert MAIL[start:end].startswith(b"Content-Type: text/plain")
    assert file.headers[1] == ("Content-Disposition", "attachment") and file.mailboxes("from") == []


def test_what_is_shown_and_what_is_attached() -> None:
    message = sevenbit.parse(MAIL)
    assert [part.path for part in message.plain_body] == [part.path for part in message.html_body] == ["1"]
    assert [file.name for file in message.attachments] == ["café.pdf"]
    assert message.attachment_parts[0].parameter("name") == "café.pdf" and message.attachments[0].content_id is None
    assert message.attachments[0].part.path == message.attachment_parts[0].path


def test_threads_and_dates() -> None:
    message = sevenbit.parse(
        b"Message-ID: <a@x>\r\nIn-Reply-To: <b@x>\r\nReferences: <c@x>\r\n <b@x>\r\n"
        b"Date: Fri, 21 Nov 97 09:55:06 -0600\r\n\r\n"
    )
    assert (message.message_id, message.in_reply_to, message.references) == ("a@x", ["b@x"], ["c@x", "b@x"])
    assert message.date is not None and message.date.isoformat() == "1997-11-21T09:55:06-06:00"
    assert sevenbit.parse(b"Date: today\r\n\r\n").date is None


def test_parts_outlive_the_message() -> None:
    part = sevenbit.parse(bytearray(MAIL)).parts[1]
    assert part.text == "déjà vu"


def test_what_is_odd_is_said() -> None:
    message = sevenbit.parse(b"Subject: caf\xe9\r\nContent-Transfer-Encoding: base64\r\n\r\n*\r\n")
    assert "raw-header-text" in [issue.code for issue in message.issues]
    assert message.parts[0].issues != []
    assert "sevenbit.Part" in repr(message.parts[0]) and "1 parts" in repr(message)


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(TypeError, match="'message'"):
        sevenbit.parse("text")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="'name'"):
        sevenbit.parse(MAIL).header(b"subject")  # type: ignore[arg-type]


def test_header_text() -> None:
    assert sevenbit.decode_header(b"=?iso-8859-1?Q?caf=E9?=") == "café"
    assert sevenbit.decode_header("=?iso-8859-1?Q?caf=E9?= é") == "café é"
    assert sevenbit.decode_header(memoryview(b"caf\xc3\xa9")) == "café"
    with pytest.raises(TypeError, match="value"):
        sevenbit.decode_header(3)  # type: ignore[arg-type]
    with pytest.raises(UnicodeEncodeError):
        sevenbit.encode_header("\ud800")


def test_mailbox_names() -> None:
    name = "Entwürfe/日本語 & mehr"
    assert sevenbit.mailbox_name.decode(sevenbit.mailbox_name.encode(name)) == name
    assert sevenbit.mailbox_name.decode("Entw&APw-rfe") == "Entwürfe"
    assert sevenbit.mailbox_name.decode(b"&AGE") == "a"
    with pytest.raises(ValueError, match="name"):
        sevenbit.mailbox_name.decode(b"&AGE", "strict")
    with pytest.raises(ValueError, match="'errors'"):
        sevenbit.mailbox_name.decode(b"", "ignore")  # type: ignore[arg-type]


def test_utf7() -> None:
    text = "Grüße & ☺ 😀"
    for direct in ("mail-safe", "optional-direct"):
        assert sevenbit.utf7.decode(sevenbit.utf7.encode(text, direct=direct), "strict") == text
    with pytest.raises(ValueError, match="'direct'"):
        sevenbit.utf7.encode("", direct="?")  # type: ignore[arg-type]
    with pytest.raises(UnicodeDecodeError):
        sevenbit.utf7.decode(b"+!", "strict")


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])).map(lambda text: " ".join(text.split())))
def test_header_text_comes_back(text: str) -> None:
    assert sevenbit.decode_header(sevenbit.encode_header(text)) == text


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_names_come_back(name: str) -> None:
    assert sevenbit.mailbox_name.decode(sevenbit.mailbox_name.encode(name), "strict") == name


@given(st.binary(max_size=300))
def test_any_octets_are_a_message(octets: bytes) -> None:
    message = sevenbit.parse(octets)
    message.subject, message.headers, message.mailboxes("from"), message.issues, message.date, message.references
    message.plain_body, message.html_body, message.attachments
    for part in message.parts:
        part.text, part.octets, part.filename, part.charset, part.issues, part.headers, part.raw_headers


def test_the_view_of_real_mail_is_that_of_its_normal_form(real_mail: list[bytes]) -> None:
    for message in real_mail[::25]:
        before, after = sevenbit.parse(message), sevenbit.parse(sevenbit.normalize(message).octets)
        assert before.subject == after.subject
        assert before.mailboxes("from") == after.mailboxes("from")


def of_corpus(name: str) -> sevenbit.Message:
    return sevenbit.parse((Path(__file__).parents[2] / "corpus" / "view" / name).read_bytes())


def test_the_body_is_text_also_if_it_is_html() -> None:
    message = of_corpus("html-only.eml")
    assert "* Lachs" in message.text and "<" not in message.text.splitlines()[2]
    assert message.html is not None and message.html.startswith("<html>")
    both = of_corpus("html-with-footer-of-a-list.eml")
    assert both.html is not None and "list footer" not in both.text and "pets@lists.example" in both.html
    assert sevenbit.parse(b"Subject: x\r\n\r\nhi").html is None


def test_references_to_parts_are_resolved() -> None:
    message = of_corpus("html-with-pictures.eml")
    asked: list[str] = []

    def resolve(content_id: str) -> str | None:
        asked.append(content_id)
        return "/cat" if content_id == "cat@example.org" else None

    html = message.resolved_html(resolve)
    assert html is not None and '"/cat"' in html and "cid:gone" in html and asked == ["cat@example.org", "gone"]
    with pytest.raises(ZeroDivisionError):
        message.resolved_html(lambda _: str(1 / 0))
    with pytest.raises(TypeError):
        message.resolved_html(lambda _: 1)  # type: ignore[arg-type, return-value]


def test_files_have_safe_names_and_types() -> None:
    files = of_corpus("attachments-with-bad-names.eml").attachments
    assert [file.safe_name for file in files][:3] == ["passwd", "invoicefdp.exe", "_CON.txt"]
    assert (files[0].name, files[0].type_by_octets, files[0].size) == ("../../etc/passwd", "image/gif", 6)
    inner = files[6].part.message
    assert files[6].octets.startswith(b"Subject: Re: lunch") and inner is not None and inner.message_id == "2@example.org"
    packed = of_corpus("winmail.eml").attachments
    assert [(file.safe_name, file.origin) for file in packed] == [("Grüße.txt", "tnef"), ("pixel.png", "tnef")]
    assert packed[0].octets == b"hello\r\n" and packed[0].part.media_type == "application/ms-tnef"
    uuencoded = of_corpus("uuencoded-in-text.eml")
    assert uuencoded.attachments[0].octets == b"Cat" and "begin 644 cat" not in uuencoded.text


def test_groups_dates_threads_and_lists() -> None:
    message = of_corpus("groups-and-a-guessed-date.eml")
    hidden, group = message.addresses("to")[0], message.addresses("cc")[0]
    assert isinstance(hidden, sevenbit.Group) and (hidden.name, hidden.members) == ("undisclosed-recipients", [])
    assert isinstance(group, sevenbit.Group) and group.members[1] == sevenbit.Mailbox("Zoe", "zoe@example.org")
    assert message.date is not None and message.date.isoformat() == "2025-03-03T10:11:12+02:00" and message.date_is_guess
    leap = sevenbit.parse(b"Date: Sat, 31 Dec 2016 23:59:60 +0000\r\n\r\n")
    assert leap.date is not None and leap.date.isoformat() == "2017-01-01T00:00:00+00:00" and not leap.date_is_guess
    listed = of_corpus("list-hops-and-authentication.eml")
    assert listed.thread_key == "<1@example.org>" and listed.ancestors == ["1@example.org", "2@example.org"]
    assert listed.mailing_list is not None and listed.mailing_list.one_click == "https://lists.example/leave?u=7"
    assert [(hop.by, hop.delay) for hop in listed.hops] == [("lists.example", None), ("mx.example.net", 7)]
    assert listed.hops[1].date is not None and listed.hops[1].date.second == 12
    [found] = listed.authentication_results
    dkim, spf = found.results
    assert found.server == "mx.example.net"
    assert (dkim.method, dkim.result, dkim.properties["header.d"]) == ("dkim", "pass", "lists.example")
    assert (spf.result, listed.precedence, listed.auto_submitted) == ("softfail", "list", None)


def test_every_word_is_an_attribute_and_a_column() -> None:
    pa, lake = pytest.importorskip("pyarrow"), pytest.importorskip("sevenbit.lake")
    messages = [path.read_bytes() for path in sorted((PROJECT / "corpus" / "view").glob("*.eml"))]
    rows = lake.normalize(pa.array(messages, pa.binary()), columns=_sevenbit._WORDS).to_pylist()
    for message, row in zip(messages, rows, strict=True):
        view = sevenbit.parse(message)
        assert {word: getattr(view, word) for word in _sevenbit._WORDS} == row
    assert all(any(row[word] is not None for row in rows) for word in _sevenbit._WORDS)


def test_reports_are_data() -> None:
    report = of_corpus("bounce-of-postfix.eml").report
    assert report is not None and (report.kind, report.original_id) == ("delivery", "4@example.org")
    assert [(one.address, one.action, one.status) for one in report.recipients] == [("bob@example.net", "failed", "5.1.1")]
    assert (report.reporter, report.is_automatic, report.errors, report.fields) == ("mx.example.org", None, [], [])
    read = of_corpus("receipt-for-a-bounce.eml").report
    assert read is not None and (read.disposition, read.is_automatic, read.reporter) == ("displayed", False, "mail.example.org; Mail 1.0")
    assert (read.recipients[0].address, read.recipients[0].original_address) == ("bob@example.org", "team@example.org")
    status = b"Reporting-MTA: dns; a.example\r\nOriginal-Envelope-Id: 7\r\nArrival-Date: Mon, 3 Mar 2025 10:00:00 +0100\r\n\r\n"
    late = sevenbit.parse(b"Content-Type: message/delivery-status\r\n\r\n" + status + b"Final-Recipient: x@y\r\n").report
    assert late is not None and late.envelope_id == "7" and late.arrival is not None and late.arrival.hour == 10
    spam = sevenbit.parse(
        b"Content-Type: message/feedback-report\r\n\r\nFeedback-Type: abuse\r\nUser-Agent: Reporter/1\r\nSource-IP: 192.0.2.1\r\n"
        b"Original-Mail-From: <a@example.com>\r\nOriginal-Rcpt-To: <b@example.org>\r\n"
    ).report
    assert spam is not None and (spam.sender, spam.source_ip, spam.reporter) == ("a@example.com", "192.0.2.1", "Reporter/1")
    assert [(one.address, one.action) for one in spam.recipients] == [("b@example.org", "abuse")]
    assert spam.fields[0] == ("Feedback-Type", "abuse") and len(spam.fields) == 5
    assert of_corpus("flowed.eml").report is None
    assert of_corpus("invitation.eml").parts[-1].calendar_method == "REQUEST"


def test_text_without_nul_for_databases() -> None:
    mail = b"Subject: x\r\n\r\na\0b"
    assert sevenbit.parse(mail).text == "a\0b"
    message = sevenbit.parse(mail, nul="replace")
    assert message.text == "a\ufffdb" and "control-replaced" in [issue.code for issue in message.parts[0].issues]
    with pytest.raises(ValueError, match="nul is"):
        sevenbit.parse(mail, nul="drop")  # type: ignore[arg-type]


def test_guesses_say_how_sure_they_are() -> None:
    guess = sevenbit.parse(b"Content-Type: text/plain\r\n\r\nd\xe9j\xe0 vu\r\n").parts[0].charset_guess
    assert guess is not None and guess.name == "windows-1252" and 0 < guess.sureness <= 1


def test_a_winmail_dat_is_read_by_itself() -> None:
    tnef = (PROJECT / "corpus" / "vectors" / "tnef" / "winmail.dat").read_bytes()
    files = sevenbit.parse(b"Content-Type: application/ms-tnef\r\n\r\n" + tnef).attachments
    assert [(file.name, file.origin) for file in files] == [("Grüße.txt", "tnef"), ("pixel.png", "tnef")]


def test_a_winmail_dat_is_written_as_its_parts() -> None:
    packed = (PROJECT / "corpus" / "view" / "winmail.eml").read_bytes()
    unpacked = sevenbit.unpack_tnef(packed)
    assert unpacked is not None
    files = sevenbit.parse(sevenbit.normalize(unpacked).octets).attachments
    assert [(file.name, file.origin) for file in files[1:]] == [("Grüße.txt", "part"), ("pixel.png", "part")]
    assert sevenbit.unpack_tnef(unpacked) is None


def test_messages_come_as_any_buffer_path_or_file(tmp_path: Path) -> None:
    octets = b"Subject: caf\xc3\xa9\r\n\r\nx\r\n"
    path = tmp_path / "a.eml"
    path.write_bytes(octets)
    given: list[Any] = [octets, bytearray(octets), memoryview(octets)[::1], array.array("B", octets), array.array("b", octets), path]
    pyarrow = pytest.importorskip("pyarrow")
    given += [pyarrow.py_buffer(octets), mmap.mmap(-1, len(octets)), io.BytesIO(octets)]
    given[-2][:] = octets
    for each in given:
        assert sevenbit.parse(each).subject == "café", each
    with open(path, "rb") as file:
        assert sevenbit.normalize(file).octets == sevenbit.normalize(octets).octets
    [done] = sevenbit.normalize_many([path])
    assert done.octets == sevenbit.normalize(octets).octets
    with open(path) as text, pytest.raises(TypeError, match="'rb'"):
        sevenbit.parse(text)  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        sevenbit.parse(tmp_path / "typo")
    with pytest.raises(TypeError, match="expected a path, a binary file, bytes,.*not str: a path is a pathlib.Path, and a text has to be encoded"):
        sevenbit.parse("Subject: x")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not EmailMessage: sevenbit.email.as_bytes gives its octets"):
        sevenbit.parse(email.message.EmailMessage())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="argument 'messages': .*not mboxMessage: .* get_bytes of a mailbox"):
        list(sevenbit.normalize_many([mailbox.mboxMessage()]))  # type: ignore[list-item]


def test_parts_of_equal_messages_are_equal() -> None:
    octets = b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b\n\none\n--b--\n"
    message, again, other = sevenbit.parse(octets), sevenbit.parse(octets), sevenbit.parse(octets + b"\n")
    assert message.parts[1] == message.leaves[0] == again.parts[1] != message.parts[2]
    assert message.parts[1] != other.parts[1]
    assert len({*message.parts, *message.leaves, *again.parts}) == 3
    held = weakref.ref(message)
    assert held() is message
    del message
    assert held() is None


def test_mailboxes_as_a_header_shows_them() -> None:
    for name, address, shown in (
        ("Zoë", "z@example.org", "Zoë <z@example.org>"),
        ("", "z@example.org", "z@example.org"),
        ("Doe, J.", "j@example.org", '"Doe, J." <j@example.org>'),
        ('a "b" \\', "c@d", '"a \\"b\\" \\\\" <c@d>'),
        ("nobody", "", "nobody"),
    ):
        mailbox = sevenbit.Mailbox(name, address)
        assert str(mailbox) == shown
        assert sevenbit.parse(f"To: {mailbox}\r\n\r\n".encode()).mailboxes("to") == [mailbox] or not address


def test_limits_are_numbers_from_0() -> None:
    for wrong in (-1, 1 << 200, -(1 << 200)):
        for name in ("depth", "parts", "header_octets"):
            with pytest.raises(ValueError, match=f"{name}|expected a number from 0"):
                sevenbit.Limits(**{name: wrong})
    with pytest.raises(TypeError):
        sevenbit.Limits(depth="1")  # type: ignore[arg-type]


def test_an_iterator_that_threads_share_says_so() -> None:
    many = sevenbit.normalize_many([b"Subject: x\r\n\r\n" + b"x" * 300_000] * 300)
    errors: list[str] = []

    def take() -> None:
        try:
            for _ in many:
                pass
        except RuntimeError as error:
            errors.append(str(error))

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors and all("another thread is taking from this iterator" in error for error in errors)


def test_other_threads_run_while_html_is_resolved() -> None:
    html = b"<p>" + b"<img src='cid:a@b'>caf&eacute; " * 400_000
    message = sevenbit.parse(b"Content-Type: text/html\r\n\r\n" + html)
    ticks, ended = 0, False

    def work() -> None:
        nonlocal ended
        resolved = message.resolved_html(lambda content_id: None)
        assert resolved
        ended = True

    thread = threading.Thread(target=work)
    begun = time.monotonic()
    thread.start()
    while not ended and time.monotonic() < begun + 60:
        ticks += 1
        time.sleep(0.001)
    thread.join()
    passed = time.monotonic() - begun
    assert ticks > passed / 0.1, "it is not stopped for a tenth of a second each time"
    with pytest.raises(ZeroDivisionError):
        message.resolved_html(lambda content_id: str(1 // 0))


RUSSIAN = "Привет, как дела?"


def test_readings_of_a_part_are_those_of_its_octets() -> None:
    for label in ("iso-8859-1", "koi8-r", "unknown-8bit"):
        mail = f"Content-Type: text/plain; charset={label}\r\n\r\n".encode() + RUSSIAN.encode("cp1251") + b"\r\n"
        [part] = sevenbit.parse(mail).leaves
        found = part.readings()
        assert [reading.sureness for reading in found] == sorted((reading.sureness for reading in found), reverse=True)
        assert len({reading.text for reading in found}) == len(found)
        assert RUSSIAN + "\n" in [reading.text for reading in found[:2]], label
        assert {reading.by for reading in found} <= {"label", "guess", "repair"}
        assert all(bool(reading.undone) == (reading.by == "repair") for reading in found)


def test_what_is_no_text_has_no_readings() -> None:
    [part] = sevenbit.parse(b"Content-Type: image/png\r\n\r\n\xff\xfe").leaves
    assert part.readings() == []


def test_readings_take_a_charset_or_its_label() -> None:
    octets = RUSSIAN.encode("koi8-r")
    by_label = sevenbit.readings(octets, "KOI8-R")
    assert by_label == sevenbit.readings(octets, sevenbit.Charset("koi8-r")) == sevenbit.readings(bytearray(octets), "'koi8-r'")
    assert (by_label[0].text, by_label[0].by, by_label[0].charset) == (RUSSIAN, "label", sevenbit.Charset("koi8-r"))
    assert sevenbit.readings(octets, "x-nobody-knows") == sevenbit.readings(octets)
    assert sevenbit.readings(octets)[0].by == "guess"


def test_the_reading_that_was_chosen_is_written() -> None:
    mail = b"Content-Type: text/plain; charset=iso-8859-1\r\n\r\n" + RUSSIAN.encode("koi8-r") + b"\r\n"
    for chosen in ("koi8-r", sevenbit.Charset("koi8-r")):
        for done in (sevenbit.normalize(mail, read_as=chosen), *sevenbit.normalize_many([mail], read_as=chosen)):
            assert sevenbit.parse(done.octets).text == RUSSIAN + "\n"
    assert sevenbit.Normalizer(read_as="koi8-r") == sevenbit.Normalizer(read_as="KOI8-R") != sevenbit.Normalizer()
    for unknown in ("x-nobody-knows", ""):
        with pytest.raises(ValueError, match="read_as"):
            sevenbit.normalize(mail, read_as=unknown)
    with pytest.raises(ValueError, match="'by'"):
        sevenbit.Reading("x", sevenbit.Charset("utf-8"), "nobody", 0.5)  # type: ignore[arg-type]
