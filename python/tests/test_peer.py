"""The view beside Python's own `email`, on real mail: where both have an answer, it is nearly always the same one. What differs
has been looked at, and stands in docs/view.md."""

import email
import email.header
import email.policy
import email.utils
import re
from collections import Counter
from collections.abc import Callable, Iterator
from email.message import Message
from typing import Any

import pytest
from conftest import SHARED

import sevenbit

Answers = Iterator[tuple[str, bool]]
LEAST = {"subject": 0.98, "date": 0.98, "mailboxes": 0.98, "references": 0.98, "hops": 0.98, "files": 0.93}


def squeezed(text: str) -> str:
    return " ".join(text.split())


def subject(octets: bytes, theirs: "Message[str, str]", ours: sevenbit.Message) -> Answers:
    # What `email` cannot decode is surrogates.
    if (text := email.message_from_bytes(octets, policy=email.policy.default)["subject"]) is not None:
        if not re.search("[\udc80-\udcff\ufffd]", str(text)):
            yield "subject", squeezed(str(text)) == squeezed(ours.subject or "")


def date(octets: bytes, theirs: "Message[str, str]", ours: sevenbit.Message) -> Answers:
    if text := theirs["date"]:
        read = email.utils.parsedate_to_datetime(str(text))
        yield "date", ours.date is not None and (read == ours.date if read.tzinfo else read == ours.date.replace(tzinfo=None))


def mailboxes(octets: bytes, theirs: "Message[str, str]", ours: sevenbit.Message) -> Answers:
    for name in ("from", "to", "cc"):
        found = [address for _, address in email.utils.getaddresses(list(map(str, theirs.get_all(name, []))))]
        if found := [address for address in found if "@" in address]:
            yield "mailboxes", found == [mailbox.address for mailbox in ours.mailboxes(name)]


def references(octets: bytes, theirs: "Message[str, str]", ours: sevenbit.Message) -> Answers:
    if found := re.findall(r"<([^<>\s]+@[^<>\s]+)>", str(theirs["references"])):
        yield "references", found == [name for name in ours.references if "@" in name]


def hops(octets: bytes, theirs: "Message[str, str]", ours: sevenbit.Message) -> Answers:
    yield "hops", len(theirs.get_all("received", [])) == len(ours.hops)


def files(octets: bytes, theirs: "Message[str, str]", ours: sevenbit.Message) -> Answers:
    def key(name: str, content: bytes) -> tuple[str, bytes]:
        return squeezed(name), content.replace(b"\r\n", b"\n").strip()

    named = [(file.name, file.octets) for file in ours.attachments] + [(part.filename, part.octets) for part in ours.leaves]
    found = {key(name, content) for name, content in named if name}
    for part in theirs.walk():
        name: Any = part.get_filename()
        content: Any = part.get_payload(decode=True)
        if name and not part.is_multipart() and isinstance(content, bytes):
            name = str(email.header.make_header(email.header.decode_header(name)))
            yield "files", key(name, content) in found


QUESTIONS: list[Callable[..., Answers]] = [subject, date, mailboxes, references, hops, files]


def test_answers_are_those_of_email() -> None:
    paths = [path for path in sorted((SHARED / "dev").rglob("*")) if path.is_file()]
    if not paths:
        pytest.skip("no real mail beside the project")
    asked, same = Counter[str](), Counter[str]()
    for path in paths:
        octets = path.read_bytes()
        ours, theirs = sevenbit.parse(octets), email.message_from_bytes(octets)
        for question in QUESTIONS:
            try:
                answers = list(question(octets, theirs, ours))
            except Exception:
                continue  # `email` has no answer
            for name, is_same in answers:
                asked[name] += 1
                same[name] += is_same
    shares = {name: round(same[name] / asked[name], 4) for name in asked}
    assert shares.keys() == LEAST.keys()
    assert all(shares[name] >= least for name, least in LEAST.items()), shares
    print(shares, dict(asked))
