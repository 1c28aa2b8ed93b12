"""Values pass between processes, and arguments that are none are refused in Python's words."""

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sevenbit
from sevenbit import mailbox_name, utf7

DIRTY = "From: Jörg <j@example.org>\r\nSubject: café\r\nDate: Thu, 19 Nov 2026 10:00:00 +0100\r\n\r\n".encode()


def told() -> list[Any]:
    """A value of each kind that a view gives."""
    message = sevenbit.parse(
        b"Received: from a.example (b [192.0.2.1]) by c.example with ESMTPS id 1 for <d@example.org>;\r\n"
        b" Thu, 19 Nov 2026 10:00:00 +0100\r\nAuthentication-Results: c.example; dkim=pass header.d=a.example\r\n"
        b"List-Id: A list <l.example.org>\r\nTo: Us: a@example.org;\r\n"
        b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\n\r\nno\r\n--b\r\n"
        b"Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; c.example\r\n\r\n"
        b"Final-Recipient: rfc822; a@example.org\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--b--\r\n"
    )
    report = message.report
    assert report is not None and report.recipients
    found = [one for field in message.authentication_results for one in (field, *field.results)]
    return [*message.hops, *found, message.mailing_list, *message.addresses("to"), report, *report.recipients]


def test_normalizers_are_equal_by_their_options() -> None:
    assert sevenbit.Normalizer() == sevenbit.Normalizer(limits=sevenbit.Limits()) != sevenbit.Normalizer(markup="keep")
    assert len({sevenbit.Normalizer(), sevenbit.Normalizer(profile="archive")}) == 1


def test_values_are_printed_as_they_are_made() -> None:
    [hop] = told()[:1]
    assert repr(hop).startswith("Hop(sender='a.example', ") and hop.date.isoformat() == "2026-11-19T10:00:00+01:00"


def test_values_can_be_pickled_and_copied() -> None:
    done = sevenbit.normalize(DIRTY)
    message = sevenbit.parse(DIRTY)
    values = [
        sevenbit.Limits(depth=3),
        done,
        done.issues[0],
        *message.mailboxes("from"),
        message.date,
        sevenbit.Charset("koi8-r"),
        sevenbit.detect(b"na\xefve"),
        *sevenbit.readings("schÃ¶n".encode(), "utf-8"),
        sevenbit.Normalizer(profile="transport"),
        sevenbit.Normalizer(read_as="koi8-r"),
        *sevenbit.passages("> Tea?\nYes.\n"),
        *told(),
    ]
    for value in values:
        for again in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
            assert again == value and repr(again) == repr(value) and hash(again) == hash(value)
    again = pickle.loads(pickle.dumps(done))
    assert (again.octets, again.changed, again.issues) == (done.octets, done.changed, done.issues)
    assert [str(issue) for issue in again.issues] == [str(issue) for issue in done.issues]


def test_a_normalizer_is_the_same_in_another_process() -> None:
    transport = sevenbit.Normalizer(profile="transport", limits=sevenbit.Limits(depth=2))
    assert repr(pickle.loads(pickle.dumps(transport))) == repr(transport)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as workers:
        [done] = workers.map(transport.normalize, [DIRTY])
    assert done == transport.normalize(DIRTY)


def test_a_mailbox_is_a_pattern() -> None:
    match sevenbit.Mailbox("Zoë", "zoe@example.org"):
        case sevenbit.Mailbox(name, address):
            assert (name, address) == ("Zoë", "zoe@example.org")
        case _:
            pytest.fail("no match")


def test_raw_headers_of_email_are_octets() -> None:
    assert sevenbit.decode_header("caf\udce9") == sevenbit.decode_header(b"caf\xe9") == "café"
    assert sevenbit.decode_header("\ud800") == "?"


@pytest.mark.parametrize("length", [1, 69, 70, 77, 200, 899])
def test_a_long_word_is_read_as_it_was_written(length: int) -> None:
    for text in ("a" * length, "é" * length, "word " * length + "x"):
        assert sevenbit.decode_header(sevenbit.encode_header(text)) == text


@pytest.mark.parametrize(
    "call",
    [
        lambda value: sevenbit.normalize(value),
        lambda value: sevenbit.parse(value),
        lambda value: sevenbit.decode_header(value),
        lambda value: sevenbit.encode_header(value),
        lambda value: sevenbit.detect(value),
        lambda value: sevenbit.Charset(value),
        lambda value: sevenbit.readings(value),
        lambda value: sevenbit.readings(b"", value),
        lambda value: sevenbit.normalize(b"", read_as=value),
        lambda value: sevenbit.Normalizer(profile=value),
        lambda value: sevenbit.Normalizer(limits=value),
        lambda value: sevenbit.Limits(depth=value),
        lambda value: mailbox_name.decode(value),
        lambda value: utf7.encode(value),
        lambda value: list(sevenbit.normalize_many([value])),
    ],
)
def test_type_errors_are_in_the_words_of_python(call: Any) -> None:
    for value in (object(), 1.5, [1]):
        with pytest.raises(TypeError) as raised:
            call(value)
        text = " ".join([str(raised.value), *getattr(raised.value, "__notes__", [])])
        assert "'" in text and not any(word in text for word in ("extract", "PyO3", "variant", "enum")), text


LINES: list[tuple[bytes | tuple[bytes, bytes], str, tuple[str, ...], str | None]] = [
    (b'(\\HasNoChildren) "/" "INBOX"', "INBOX", ("\\HasNoChildren",), "/"),
    (b'* LIST (\\Noselect) "." Entw&APw-rfe', "Entwürfe", ("\\Noselect",), "."),
    (b'* LSUB () NIL "a \\"b\\\\ c"', 'a "b\\ c', (), None),
    (b'() "\\\\" A\\B', "A\\B", (), "\\"),
    ((b'(\\HasChildren) "/" {7}', b"a {b} c"), "a {b} c", ("\\HasChildren",), "/"),
    (b'() "/" {5}\r\nINBOX', "INBOX", (), "/"),
    (b'() "/" With spaces\r\n', "With spaces", (), "/"),
    ('() "/" "Entwürfe"'.encode(), "Entwürfe", (), "/"),
    (b'(\\Subscribed) "/" "foo" ("CHILDINFO" ("SUBSCRIBED"))', "foo", ("\\Subscribed",), "/"),
    (b'() "/" INBOX ("CHILDINFO" ("SUBSCRIBED"))', "INBOX", (), "/"),
    (b'() "/" INBOX (CHILDINFO ("SUBSCRIBED"))', "INBOX", (), "/"),
    (b'() "/" Foo ("bar" baz)', 'Foo ("bar" baz)', (), "/"),
    (b'() "/" to do (old)', "to do (old)", (), "/"),
    (b'() "/" ""', "", (), "/"),
]


@pytest.mark.parametrize(("line", "name", "flags", "delimiter"), LINES, ids=[str(line[0]) for line in LINES])
def test_lines_of_list(line: Any, name: str, flags: tuple[str, ...], delimiter: str | None) -> None:
    found = mailbox_name.parse_list_line(line)
    assert (found.name, found.flags, found.delimiter) == (name, flags, delimiter)


@given(st.binary(max_size=60) | st.binary(max_size=40).map(lambda octets: b'() "/" ' + octets))
def test_any_line_is_read_or_refused(line: bytes) -> None:
    try:
        found = mailbox_name.parse_list_line(line)
    except ValueError as error:
        assert "'line'" in str(error)
    else:
        assert isinstance(found.name, str)
