"""Whatever comes, an answer or an error that is documented: random and mutated inputs through each public function.

SEVENBIT_INPUTS=100000 tries as many; by default it is a sample.
"""

import base64
import contextlib
import mailbox
import os
import pickle
import random
from collections.abc import Callable
from datetime import datetime
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


def values() -> list[Any]:
    """One value of each kind and then some, as messages of our own give them."""
    messages = [sevenbit.parse(path.read_bytes()) for path in own_mail()]
    found: list[Any] = [sevenbit.detect(b"\xe6\xef"), sevenbit.Charset("koi8-r")]
    for message in messages:
        found += [*message.addresses("to"), *message.mailboxes("from"), *message.hops, *message.authentication_results]
        found += [message.mailing_list, message.report, *(message.report.recipients if message.report else ())]
        found += sevenbit.passages(message.text)
    return list({value: None for value in found if value is not None})


VALUES = values()


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


def constructors(octets: bytes) -> None:
    """Values with any argument: one that is equal and can be pickled, or an error in Python's words."""
    text, number = octets[:40].decode("latin-1"), int.from_bytes(octets[:3])
    others = [text, octets, number, -number, number / 7, None, True, [text], (text, number), datetime(2026, 11, 26), [], float("nan")]
    chance = random.Random(octets)
    value = chance.choice(VALUES)
    arguments = list(value.__getnewargs__())
    arguments[chance.randrange(len(arguments))] = chance.choice(others)
    with contextlib.suppress(TypeError, ValueError, OverflowError):
        made = type(value)(*arguments)
        assert pickle.loads(pickle.dumps(made)) == made and repr(made)
    makers: list[Callable[..., Any]] = [sevenbit.Limits, sevenbit.Normalizer]
    for make in makers:
        names = [name for name in dir(make) if not name.startswith("_")]
        with contextlib.suppress(TypeError, ValueError, OverflowError):
            made = make(**{chance.choice(names): chance.choice(others)})
            assert pickle.loads(pickle.dumps(made)) == made and repr(made)


def winmail(octets: bytes) -> None:
    stream = b"x\x9f>\x22" + octets
    mail = b"Content-Type: application/ms-tnef\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64.encodebytes(stream)
    for message in (octets, mail):
        unpacked = sevenbit.unpack_tnef(message)
        assert unpacked is None or sevenbit.normalize(unpacked).octets.isascii()


def safe(octets: bytes) -> None:
    assert next(iter(TRANSPORT.normalize_many([octets]))) == TRANSPORT.normalize(octets)
    assert sevenbit.normalize(octets).octets.isascii() and TRANSPORT.normalize(octets).octets.isascii()


def by_email(octets: bytes) -> None:
    assert sevenbit.email.as_bytes(sevenbit.email.message_from_bytes(octets)).isascii()


def archive(octets: bytes, folder: Path) -> None:
    (folder / "file").write_bytes(octets)
    for batch in lake.read(folder, columns=lake.SCHEMA.names):
        batch.validate(full=True)


OF_MESSAGES = [name for name in lake.SCHEMA.names if name not in lake._OF_FILES]


def table(octets: bytes) -> None:
    lake.normalize(pa.array([octets]), columns=OF_MESSAGES).validate(full=True)


def pieces(octets: bytes) -> None:
    """In two pieces what there is in one; an error of Python's own if the charset is not the text's."""
    charset, half = CHARSETS[sum(octets) % len(CHARSETS)], len(octets) // 2
    decoder = sevenbit.Decoder(charset, "replace")
    assert decoder.decode(octets[:half]) + decoder.decode(octets[half:], final=True) == charset.decode(octets)
    with contextlib.suppress(UnicodeDecodeError, UnicodeEncodeError):
        text = charset.decode(octets, "strict")
        encoder = sevenbit.Encoder(charset)
        assert charset.decode(encoder.encode(text[:half]) + encoder.encode(text[half:], final=True)) == text
    utf7.decode(octets)


def test_any_mailbox_is_copied(tmp_path: Path) -> None:
    source, copies = mailbox.Maildir(tmp_path / "source"), mailbox.mbox(tmp_path / "copies")
    for octets in inputs()[: INPUTS // 10]:
        source.add(octets)
    sevenbit.email.copy(source, copies)
    assert len(copies) == len(list(sevenbit.email.normalized(source))) == INPUTS // 10


def test_any_file_has_rows(tmp_path: Path) -> None:
    for octets in inputs():
        archive(octets, tmp_path)


@pytest.mark.parametrize("work", [view, header, names, charsets, constructors, winmail, safe, by_email, table, pieces])
def test_any_input_has_an_answer(work: Callable[[bytes], Any]) -> None:
    for octets in inputs():
        try:
            work(octets)
        except Exception as error:
            error.add_note(f"for {octets!r}")
            raise
