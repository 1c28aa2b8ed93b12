"""The classes of `email` and `mailbox`, in and out."""

import base64
import contextlib
import email
import email.header
import email.message
import email.policy
import io
import itertools
import mailbox
import os
from email.message import EmailMessage
from pathlib import Path
from typing import Any, cast

import pytest
from conftest import SHARED

import sevenbit
import sevenbit.email

DIRTY = b"From: J\xf6rg <j@example.org>\r\nSubject: caf\xe9\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\nd\xe9j\xe0 vu\r\n"


def test_messages_of_email_are_text() -> None:
    message = sevenbit.email.message_from_bytes(DIRTY)
    assert isinstance(message, EmailMessage)
    assert (message["subject"], message["from"].addresses[0].display_name) == ("café", "Jörg")
    assert message.get_content().strip() == "déjà vu"


def test_messages_of_email_come_back_safe() -> None:
    message = EmailMessage()
    message["Subject"] = "déjà vu"
    message["From"] = "Jörg <j@example.org>"
    message.set_content("日本語\n")
    octets = sevenbit.email.as_bytes(message)
    assert octets.isascii() and b"\r\n" in octets
    back = sevenbit.email.message_from_bytes(octets)
    assert (back["subject"], back.get_content().strip()) == ("déjà vu", "日本語")
    old = email.message_from_bytes(DIRTY)
    assert sevenbit.email.as_bytes(old).isascii()


@pytest.mark.parametrize("kind", [mailbox.mbox, mailbox.Maildir])
def test_mailboxes_are_copied(tmp_path: Path, mail: list[bytes], kind: type[mailbox.mbox] | type[mailbox.Maildir]) -> None:
    source = mailbox.Maildir(tmp_path / "source")
    for message in mail[:40]:
        source.add(message)
    destination = kind(tmp_path / "destination")
    assert sevenbit.email.copy(source, destination) == 40
    destination.flush()
    keys = list(destination.keys())
    assert len(keys) == 40
    stored = sorted(destination.get_bytes(key).rstrip() for key in keys)
    wanted = [sevenbit.normalize(source.get_bytes(key)).octets.replace(b"\r\n", b"\n") for key in source.keys()]
    assert stored == sorted(octets.rstrip() for octets in wanted)
    assert all(octets.isascii() for octets in stored)


def test_from_lines_are_kept(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"From joerg@example.org Thu Nov 19 10:00:00 2026\n" + DIRTY.replace(b"\r\n", b"\n") + b"\n")
    destination = mailbox.mbox(tmp_path / "b")
    sevenbit.email.copy(mailbox.mbox(tmp_path / "a"), destination)
    destination.flush()
    assert (tmp_path / "b").read_bytes().startswith(b"From joerg@example.org Thu Nov 19 10:00:00 2026\nFrom: =?utf-8?")


def test_what_was_read_is_not_folded_again() -> None:
    subject = "日本語の件名がとても長いときでも、読めるままでなければならない"
    raw = b"Subject: \x1b$B" + subject.encode("iso-2022-jp")[3:] + b"\r\nX-Long: " + b"x" * 300 + b"\r\n\r\n"
    for policy in (email.policy.SMTP, email.policy.compat32, email.policy.SMTPUTF8):
        message: "email.message.Message[str, str]" = email.message_from_bytes(raw, policy=policy)
        octets = sevenbit.email.as_bytes(message)
        assert octets == sevenbit.normalize(raw).octets and sevenbit.parse(octets).subject == subject


def test_a_field_that_was_set_is_one_field() -> None:
    message: Any = email.message_from_bytes(b"To: a@example.org\r\n\r\nx\r\n")
    message["Subject"] = email.header.Header("déjà vu " * 20, "iso-8859-1")
    message["X-Bad"] = "one\nBcc: b@example.org"
    read = sevenbit.parse(sevenbit.email.as_bytes(message))
    assert read.subject == ("déjà vu " * 20).strip() and read.header("bcc") is None


def test_all_of_the_real_mail_goes_through_and_reads_the_same() -> None:
    if not (SHARED / "dev").exists():
        pytest.skip("no real mail beside the project")
    files = [path for path in sorted((SHARED / "dev").rglob("*")) if path.is_file()]
    step = 1 if os.environ.get("SEVENBIT_MAIL") == "all" else 20
    for path in files[::step]:
        octets = path.read_bytes()
        expected, read = sevenbit.normalize(octets).octets, sevenbit.email.message_from_bytes(octets)
        assert seen(sevenbit.email.as_bytes(read)) == seen(expected), path.name
        # What `email` misreads by itself is written all the same.
        for policy in email.policy.SMTP, email.policy.compat32:
            # The newer policies fail on one of them while they read it.
            with contextlib.suppress(UnicodeDecodeError):
                message: Any = email.message_from_bytes(octets, policy=cast(Any, policy))
                break
        assert sevenbit.email.as_bytes(message).isascii()


def seen(octets: bytes) -> tuple[object, ...]:
    """What a reader sees of a message: its fields, its text, its files."""
    message = sevenbit.parse(octets)
    files = [(file.name, file.media_type, b"".join(file.octets.split())) for file in message.attachments]
    return message.subject, message.headers, (message.text or "").rstrip(), (message.html or "").rstrip(), files


def test_flags_are_kept(tmp_path: Path) -> None:
    source, destination = mailbox.Maildir(tmp_path / "a"), mailbox.Maildir(tmp_path / "b")
    message = mailbox.MaildirMessage(email.message_from_bytes(DIRTY))
    message.set_subdir("cur")
    message.set_flags("RS")
    source.add(message)
    source.add(b"Subject: new\n\n")
    sevenbit.email.copy(source, destination)
    copied = {message.get_subdir(): message.get_flags() for message in destination}
    assert copied == {"cur": "RS", "new": ""}


@pytest.mark.parametrize(
    "field",
    [
        b"Content-Type: text/plain; name*=UTF-16''%00a%00b%00",
        b"Content-Disposition: attachment; filename*=iso-2022-jp''%1B%24BJs9p%21",
        b"From: . <user@example.org>",
        b"To: unlisted-recipients:; (no To-header on input)",
    ],
)
def test_a_field_that_python_fails_on_is_a_field(field: bytes) -> None:
    name = field.partition(b":")[0].decode()
    message = sevenbit.email.message_from_bytes(field + b"\r\nMIME-Version: 1.0\r\n\r\nx\r\n")
    assert str(message[name]) and message.items()
    assert message.get_content_type() == "text/plain" and message.get_filename() != ""
    assert sevenbit.email.as_bytes(message).isascii()


def test_what_python_fails_on_it_reads_after_that(real_mail: list[bytes]) -> None:
    for message in real_mail[::20]:
        sevenbit.email.message_from_bytes(message).as_bytes()


def test_lines_end_as_they_did_and_any_charset_is_read() -> None:
    for end in ("\n", "\r\n"):
        for encoding in ("", "Content-Transfer-Encoding: base64\n"):
            text = base64.encodebytes("déjà\r\nvu\r\n".encode()).decode() if encoding else "déjà\nvu\n"
            mail = f"MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n{encoding}\n{text}".replace("\n", end).encode()
            mail = mail.replace(b"\r\r\n", b"\r\n")
            message = sevenbit.email.message_from_bytes(mail)
            assert message.get_content() == "déjà\nvu\n".replace("\n", end)
            files = (sevenbit.email.message_from_binary_file(io.BytesIO(mail)), sevenbit.email.message_from_file(io.StringIO(mail.decode(), newline="")))
            for same in (sevenbit.email.message_from_string(mail.decode()), *files):
                assert same.get_content() == message.get_content()
    for label, octets, text in (
        ("x-unheard-of", b"plain", "plain"),
        ("x-unheard-of", "Это русский текст.".encode("koi8-r"), "Это русский текст."),
        ("iso-2022-cn", b"\x1b$)A\x0e=;;;\x0f", "交换"),
        ("quoted-printable", b"caf\xc3\xa9", "café"),
    ):
        for profile in ("archive", "transport"):
            normalizer = sevenbit.Normalizer(profile=profile)
            message = sevenbit.email.message_from_bytes(b"Content-Type: text/plain; charset=%s\n\n%s\n" % (label.encode(), octets), normalizer=normalizer)
            assert message.get_content() == text + "\n"


def test_a_draft_stays_one_and_fields_of_a_maildir_are_not_believed(tmp_path: Path) -> None:
    source = mailbox.Maildir(tmp_path / "from")
    draft = mailbox.MaildirMessage(b"Subject: draft\n\nx\n")
    draft.set_subdir("cur")
    draft.set_flags("DS")
    source.add(draft)
    source.add(b"Status: RO\nX-Status: DF\nSubject: new\n\nx\n")
    for kind in (mailbox.mbox, mailbox.MMDF):
        box: Any = kind(tmp_path / kind.__name__)
        assert sevenbit.email.copy(source, box) == 2
        box.flush()
        assert {str(message["subject"]): message.get_flags() for message in box} == {"draft": "ROT", "new": ""}
        back = mailbox.Maildir(tmp_path / f"from {kind.__name__}")
        sevenbit.email.copy(box, back)
        found = {str(message["subject"]): (message.get_subdir(), message.get_flags()) for message in back}
        assert found == {"draft": ("cur", "DS"), "new": ("new", "")}


def test_flags_and_dates_are_kept_between_formats(tmp_path: Path) -> None:
    when = 1_000_000_000
    for source_kind, destination_kind in itertools.product(("mbox", "Maildir", "MH", "MMDF"), repeat=2):
        kinds: Any = {"mbox": mailbox.mbox, "Maildir": mailbox.Maildir, "MH": mailbox.MH, "MMDF": mailbox.MMDF}
        folder = tmp_path / f"{source_kind}-{destination_kind}"
        folder.mkdir()
        source = kinds[source_kind](folder / "from", create=True)
        flagged = mailbox.MaildirMessage(b"Subject: caf\xe9\n\n>From me\nFrom you\n")
        flagged.set_subdir("cur")
        flagged.set_flags("FRS")
        flagged.set_date(when)
        plain = mailbox.MaildirMessage(b"Subject: plain\n\nx\n")
        for message in (flagged, plain):
            source.add(source_message(source_kind, message))
        destination = kinds[destination_kind](folder / "to", create=True)
        assert sevenbit.email.copy(source, destination) == 2
        destination.flush()

        by_subject = {str(message["subject"]): message for message in destination}
        assert len(by_subject) == 2
        for subject, message in by_subject.items():
            read = mailbox.MaildirMessage(message)
            assert set(read.get_flags()) == (set() if subject == "plain" else set("FRS")), (source_kind, destination_kind)
            if "MH" not in (source_kind, destination_kind) and subject != "plain":
                assert read.get_date() == when, (source_kind, destination_kind)
            if destination_kind in ("Maildir", "MH"):
                assert message["status"] is None and message["x-status"] is None
        keys = [key for key in destination.keys() if destination.get_message(key)["subject"] != "plain"]
        body = destination.get_bytes(keys[0]).replace(b"\r\n", b"\n").partition(b"\n\n")[2].rstrip()
        assert body in (b">From me\nFrom you", b">From me\n>From you"), body


def source_message(kind: str, message: mailbox.MaildirMessage) -> mailbox.Message:
    kinds: Any = {"mbox": mailbox.mboxMessage, "Maildir": mailbox.MaildirMessage, "MH": mailbox.MHMessage, "MMDF": mailbox.MMDFMessage}
    converted: mailbox.Message = kinds[kind](message)
    return converted
