"""Messages for webmail backends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sevenbit

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
    assert [part.filename for part in message.attachments] == ["café.pdf"]
    assert message.attachments[0].parameter("name") == "café.pdf" and message.attachments[0].content_id is None


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
        part.text, part.octets, part.filename, part.charset, part.issues, part.headers


def test_the_view_of_real_mail_is_that_of_its_normal_form(real_mail: list[bytes]) -> None:
    for message in real_mail[::25]:
        before, after = sevenbit.parse(message), sevenbit.parse(sevenbit.normalize(message).octets)
        assert before.subject == after.subject
        assert before.mailboxes("from") == after.mailboxes("from")
