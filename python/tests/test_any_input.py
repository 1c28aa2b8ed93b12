"""Whatever comes, an answer or an error that is documented: random and mutated inputs through each public function.

SEVENBIT_INPUTS=100000 tries as many; by default it is a sample.
"""

import contextlib
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from conftest import own_mail

import sevenbit
import sevenbit.email
from sevenbit import lake, mailbox_name, utf7

INPUTS = int(os.environ.get("SEVENBIT_INPUTS", "1000"))
TRANSPORT = sevenbit.Normalizer(profile="transport", text_encoding="utf-7", unlabelled="guess", undecodable="replace")
CHARSETS = [charset for charset in sevenbit.Charset.all() if charset.is_decodable]


def inputs() -> list[bytes]:
    """Own mail with octets changed, removed, repeated; and octets alone."""
    chance = random.Random(42)
    seeds = [mail for path in own_mail() if len(mail := path.read_bytes()) < 4000]
    found = []
    for _ in range(INPUTS):
        octets = bytearray(chance.choice(seeds)) if chance.random() < 0.8 else bytearray(chance.randbytes(chance.randrange(60)))
        for _ in range(chance.randrange(8)):
            start = chance.randrange(len(octets) + 1)
            end = min(len(octets), start + chance.randrange(30))
            octets[start:end] = chance.choice([b"", chance.randbytes(3), octets[start:end] * 2, b"\r\n", b"=?", b"--b", b"+AGE-"])
        found.append(bytes(octets))
    return found


def view(octets: bytes) -> None:
    message = sevenbit.parse(octets)
    message.subject, message.headers, message.date, message.message_id, message.in_reply_to, message.references
    message.addresses("to"), message.hops, message.report, message.mailing_list, message.authentication_results, message.thread_key
    sevenbit.passages(message.text), sevenbit.base_subject(message.subject or ""), message.resolved_html(lambda _: "cid:x")
    for file in message.attachments:
        assert sevenbit.safe_file_name(file.name or "") and file.octets is not None
    message.mailboxes("from"), message.plain_body, message.html_body, message.attachments, message.issues
    for part in message.parts:
        part.plain_text, part.message, part.text, part.octets, part.filename, part.charset, part.content_id, part.issues, part.headers


def header(octets: bytes) -> None:
    text = sevenbit.decode_header(octets[:300])
    assert sevenbit.encode_header(text).isascii()
    sevenbit.decode_header(octets[:300].decode("utf-8", "surrogateescape"))


def names(octets: bytes) -> None:
    name = mailbox_name.decode(octets[:80])
    assert mailbox_name.decode(mailbox_name.encode(name)) == name
    try:
        mailbox_name.parse_list_line(b"() NIL " + octets[:80])
        mailbox_name.parse_list_line(octets[:80])
    except ValueError:
        pass


def charsets(octets: bytes) -> None:
    guess = sevenbit.detect(octets)
    assert sevenbit.detect_all(octets)[0].charset == guess.charset
    text = guess.charset.decode(octets)
    assert utf7.decode(utf7.encode(text)) == text
    CHARSETS[len(octets) % len(CHARSETS)].decode(octets)
    with contextlib.suppress(UnicodeEncodeError):  # a few charsets do not even have a question mark
        CHARSETS[len(octets) % len(CHARSETS)].encode(text[:200], "replace")


def safe(octets: bytes) -> None:
    assert next(iter(TRANSPORT.normalize_many([octets]))) == TRANSPORT.normalize(octets)
    assert sevenbit.normalize(octets).octets.isascii() and TRANSPORT.normalize(octets).octets.isascii()


def by_email(octets: bytes) -> None:
    assert sevenbit.email.as_bytes(sevenbit.email.message_from_bytes(octets)).isascii()


def archive(octets: bytes, folder: Path) -> None:
    (folder / "file").write_bytes(octets)
    for batch in lake.read(folder, columns=lake.SCHEMA.names):
        batch.validate(full=True)


def table(octets: bytes) -> None:
    lake.normalize(pa.array([octets]), columns=lake.SCHEMA.names).validate(full=True)


def test_any_file_has_rows(tmp_path: Path) -> None:
    for octets in inputs():
        archive(octets, tmp_path)


@pytest.mark.parametrize("work", [view, header, names, charsets, safe, by_email, table])
def test_any_input_has_an_answer(work: Callable[[bytes], Any]) -> None:
    for octets in inputs():
        try:
            work(octets)
        except Exception as error:
            error.add_note(f"for {octets!r}")
            raise
