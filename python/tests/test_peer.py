"""The view beside peers, on real mail: Python's own `email`, a few lines that follow an RFC, and packages that answer one question
each. Where both have an answer, it is nearly always the same one. What differs has been looked at, and stands in docs/view.md.

`SEVENBIT_SHOW=hops pytest -s tests/test_peer.py` shows what differs in one question."""

import binascii
import email
import email.header
import email.policy
import email.utils
import operator
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from email.message import EmailMessage, Message
from functools import cached_property
from typing import Any, NamedTuple

import authres
import inscriptis
import mailparser.exceptions
import mailparser.utils
import pathvalidate
import pytest
from conftest import PROJECT, SHARED

import sevenbit

Answers = Iterator[tuple[Any, Any]]


class Mail:
    """A message as `email` reads it."""

    def __init__(self, octets: bytes) -> None:
        self.octets = octets
        self.raw: Message[str, str] = email.message_from_bytes(octets)

    @cached_property
    def new(self) -> EmailMessage:
        """The message with the newer policy, which decodes fields and text."""
        return email.message_from_bytes(self.octets, policy=email.policy.default)

    def values(self, name: str) -> list[str]:
        return [str(value) for value in self.raw.get_all(name, [])]

    def of_type(self, media_type: str) -> Iterator[tuple[int, Any]]:
        """The parts of a type, with the place of each among them."""
        return enumerate(part for part in parts(self.raw) if part.get_content_type() == media_type)

    def text_of(self, part: Any) -> str:
        """The text of a part; empty if `email` does not know the charset."""
        try:
            return str(self.new_parts[id(part)].get_content())
        except LookupError:
            return ""

    @cached_property
    def new_parts(self) -> dict[int, Any]:
        return {id(raw): new for raw, new in zip(parts(self.raw), parts(self.new), strict=True)}


def parts(part: Any, depth: int = 0) -> Iterator[Any]:
    """A part and those in it; not the blocks of a report, which `email` calls parts, nor what is nested without end."""
    yield part
    if part.is_multipart() and part.get_content_type() != "message/delivery-status" and depth < 50:
        for inner in part.get_payload():
            yield from parts(inner, depth + 1)


def is_decoded(text: str) -> bool:
    """What `email` cannot decode is surrogates or U+FFFD; C1 controls are what it makes of windows-1252 called ISO-8859-1."""
    return not re.search("[\udc80-\udcff\ufffd\x80-\x9f]", text)


def part_of(ours: sevenbit.Message, at: int, media_type: str) -> sevenbit.Part | None:
    found = [part for part in ours.parts if part.media_type == media_type]
    return found[at] if at < len(found) else None


def squeezed(text: str | None) -> str:
    return " ".join((text or "").split())


# Header fields


def fields(mail: Mail) -> Answers:
    yield None, [(name, squeezed(str(value)).encode(errors="surrogateescape")) for name, value in mail.raw.raw_items()]


def our_fields(ours: sevenbit.Message, _: None) -> list[tuple[str, bytes]]:
    return [(name, b" ".join(value.split())) for name, value in ours.parts[0].raw_headers]


def subject(mail: Mail) -> Answers:
    if (text := mail.new["subject"]) is not None and is_decoded(str(text)):
        yield None, squeezed(str(text))


def date(mail: Mail) -> Answers:
    if text := mail.raw["date"]:
        yield None, email.utils.parsedate_to_datetime(str(text))


def same_date(theirs: Any, ours: Any) -> bool:
    return ours is not None and bool(theirs == (ours if theirs.tzinfo else ours.replace(tzinfo=None)))


def mailboxes(mail: Mail) -> Answers:
    for name in ("from", "to", "cc"):
        found = [address for _, address in email.utils.getaddresses(mail.values(name))]
        if found := [address for address in found if "@" in address]:
            yield name, found


def our_mailboxes(ours: sevenbit.Message, name: str) -> list[str]:
    return [mailbox.address for mailbox in ours.mailboxes(name) if "@" in mailbox.address]


def references(mail: Mail) -> Answers:
    for name in ("references", "in_reply_to"):
        if found := re.findall(r"<([^<>\s]+@[^<>\s]+)>", " ".join(mail.values(name.replace("_", "-")))):
            yield name, found


def lists(mail: Mail) -> Answers:
    for name in ("post", "unsubscribe", "subscribe", "help", "owner", "archive"):
        values = " ".join(mail.values(f"list-{name}"))
        if found := re.findall(r"<\s*([a-z]+:[^<>]*)>", values, re.IGNORECASE):
            yield name, ["".join(address.split()) for address in found]


def automatic(mail: Mail) -> Answers:
    for name in ("auto_submitted", "precedence"):
        if found := re.match(r"\s*([\w-]+)", str(mail.raw[name.replace("_", "-")] or "")):
            yield name, found[1].lower()


# The way


def hops(mail: Mail) -> Answers:
    yield None, len(mail.values("received"))


CLAUSES = {"from": "sender", "by": "by", "with": "protocol", "id": "id", "for": "recipient"}


def clauses(mail: Mail) -> Answers:
    for at, value in enumerate(reversed(mail.values("received"))):
        try:
            found = mailparser.utils.parse_received(squeezed(value))
        except mailparser.exceptions.MailParserReceivedParsingError:
            continue
        without_comments = {name: squeezed(re.sub(r"\(.*", "", found.get(name, ""))).strip("<>") for name in CLAUSES}
        yield at, {name: text for name, text in without_comments.items() if text}


def our_clauses(ours: sevenbit.Message, at: int) -> dict[str, str]:
    if at >= len(ours.hops):
        return {}
    hop = ours.hops[at]
    return {name: text for name, property in CLAUSES.items() if (text := (getattr(hop, property) or "").strip("<>"))}


def hop_dates(mail: Mail) -> Answers:
    for at, value in enumerate(reversed(mail.values("received"))):
        if (date := email.utils.parsedate_tz(value.rpartition(";")[2])) and ";" in value:
            yield at, email.utils.mktime_tz(date)


def our_hop_date(ours: sevenbit.Message, at: int) -> float | None:
    date = ours.hops[at].date if at < len(ours.hops) else None
    return date.timestamp() if date else None


def authentication(mail: Mail) -> Answers:
    found: list[Any] = []
    for value in mail.values("authentication-results"):
        field = authres.all_features().parse_value(squeezed(value))
        for result in field.results:
            properties = {f"{property.type}.{property.name}": property.value for property in result.properties}
            found.append((field.authserv_id, result.method, result.result, result.reason, properties))
    if found:
        yield None, found


def our_authentication(ours: sevenbit.Message, _: None) -> list[Any]:
    def read(server: str, result: sevenbit.AuthenticationResult) -> Any:
        # What some write besides (`action=none`) has no type, and no place in the RFC.
        properties = {name: value for name, value in result.properties.items() if "." in name}
        return (server, result.method, result.result, result.properties.get("reason"), properties)

    return [read(found.server, result) for found in ours.authentication_results for result in found.results]


# Text


def plain(mail: Mail) -> Answers:
    if (part := mail.new.get_body(("plain",))) is not None and is_decoded(text := part.get_content()) and letters(text):
        yield None, text


def letters(text: str) -> str:
    """Text without what `format=flowed` changes."""
    return re.sub(r"[\s>]", "", text)


def same_start(theirs: str, ours: str) -> bool:
    """`email` has the first part only."""
    return letters(ours).startswith(letters(theirs))


def html(mail: Mail) -> Answers:
    seen = {""}
    for at, part in mail.of_type("text/html"):
        if (text := mail.text_of(part)) in seen or not is_decoded(text):
            continue
        seen.add(text)  # equal parts count once: one message holds thousands
        yield at, inscriptis.get_text(text)


def our_html(ours: sevenbit.Message, at: int) -> str:
    part = part_of(ours, at, "text/html")
    return (part and part.plain_text) or ""


def share_words(theirs: str, ours: str) -> bool:
    """Whether 98 % of the words are the same, addresses of links and descriptions of pictures aside."""
    aside = r"<[a-zA-Z]+:[^>]*>|\[[^]]*\]"
    one, other = (Counter(re.findall(r"\w+", re.sub(aside, "", text))) for text in (theirs, ours))
    return (one & other).total() >= 0.98 * max(one.total(), other.total())


def flowed(mail: Mail) -> Answers:
    for at, part in mail.of_type("text/plain"):
        if str(part.get_param("format", "")).lower() == "flowed" and is_decoded(text := mail.text_of(part)):
            yield at, unflowed(text, str(part.get_param("delsp", "")).lower() == "yes")


def unflowed(text: str, deletes: bool) -> list[tuple[int, str]]:
    """How deep each paragraph is quoted, and its text (RFC 3676, 4)."""
    paragraphs: list[tuple[int, str]] = []
    is_open = False
    for line in re.split("\r?\n", text.strip("\r\n")):
        rest = line.lstrip(">")
        depth = len(line) - len(rest)
        rest = rest.removeprefix(" ")
        is_signature = rest == "-- "
        joins = is_open and not is_signature and paragraphs[-1][0] == depth
        is_open = rest.endswith(" ") and not is_signature
        start = paragraphs.pop()[1] if joins else ""
        paragraphs.append((depth, start + (rest[:-1] if is_open and deletes else rest)))
    return [(depth, text.rstrip()) for depth, text in paragraphs]


def our_flowed(ours: sevenbit.Message, at: int) -> list[tuple[int, str]]:
    lines = (((part := part_of(ours, at, "text/plain")) and part.plain_text) or "").strip("\n").split("\n")
    quoted = [(len(line) - len(line.lstrip(">")), line.lstrip(">")) for line in lines]
    return [(depth, (text.removeprefix(" ") if depth else text).rstrip()) for depth, text in quoted]


# Parts and files


def files(mail: Mail) -> Answers:
    for part in mail.raw.walk():
        name: Any = part.get_filename()
        content: Any = part.get_payload(decode=True)
        if name and not part.is_multipart() and isinstance(content, bytes):
            yield file_key(str(email.header.make_header(email.header.decode_header(name))), content), True


def file_key(name: str | None, content: bytes) -> tuple[str, bytes]:
    return squeezed(name), content.replace(b"\r\n", b"\n").strip()


def has_file(ours: sevenbit.Message, key: tuple[str, bytes]) -> bool:
    named = [(file.name, file.octets) for file in ours.attachments] + [(part.filename, part.octets) for part in ours.leaves]
    return key in {file_key(name, content) for name, content in named if name}


def uuencoded(mail: Mail) -> Answers:
    for _, part in mail.of_type("text/plain"):
        lines = iter(part.get_payload(decode=True).splitlines())
        for line in lines:
            if begin := re.fullmatch(rb"begin [0-7]{3,4} (.+)", line):
                octets = b""
                for line in lines:
                    if line.strip() == b"end":
                        yield (begin[1].decode().strip(), octets), True
                        break
                    octets += a2b_uu(line)


def a2b_uu(line: bytes) -> bytes:
    try:
        return binascii.a2b_uu(line)
    except binascii.Error:  # more characters than the octets that the line announces need, as several programs write
        return binascii.a2b_uu(line[: 1 + ((line[0] - 32 & 63) * 4 + 2) // 3])


def has_uuencoded(ours: sevenbit.Message, key: tuple[str, bytes]) -> bool:
    return key in {(file.name, file.octets) for file in ours.attachments if file.origin == "text"}


def nested(mail: Mail) -> Answers:
    for at, part in mail.of_type("message/rfc822"):
        inner = part.get_payload()[0]
        types = [part.get_content_type() for part in parts(inner)]
        yield at, ([name for name, _ in inner.raw_items()], types)


def our_nested(ours: sevenbit.Message, at: int) -> Any:
    part = part_of(ours, at, "message/rfc822")
    inner = part and part.message
    return inner and ([name for name, _ in inner.headers], [part.media_type for part in inner.parts])


def calendars(mail: Mail) -> Answers:
    for at, part in mail.of_type("text/calendar"):
        if method := part.get_param("method"):
            yield at, str(method).upper()


def our_calendar(ours: sevenbit.Message, at: int) -> str | None:
    part = part_of(ours, at, "text/calendar")
    return part and part.calendar_method


def safe_names(mail: Mail) -> Answers:
    yield None, True
    # Subjects are names of files as well, for who saves messages.
    for name in [part.get_filename() for part in mail.raw.walk()] + mail.values("subject"):
        if name:
            yield str(name), True


def are_safe(ours: sevenbit.Message, name: str | None) -> bool:
    names = [file.safe_name for file in ours.attachments] if name is None else [sevenbit.safe_file_name(name)]
    is_one_file_each = len({name.lower() for name in names}) == len(names)
    return is_one_file_each and all(pathvalidate.is_valid_filename(name, platform="universal") for name in names)


# Reports


def own_parts(message: Any) -> Iterator[Any]:
    """The parts of a message without those of messages in it: one that holds a report is none."""
    yield message
    if message.is_multipart() and message.get_content_type() != "message/rfc822":
        for part in message.get_payload():
            yield from own_parts(part)


def deliveries(mail: Mail) -> Answers:
    for part in own_parts(mail.raw):
        if part.get_content_type() != "message/delivery-status":
            continue
        recipients = [(block["final-recipient"] or block["original-recipient"], block) for block in part.get_payload()]
        yield None, [(value(to), word(block["action"]), word(block["status"])) for to, block in recipients if to]
        break


def our_deliveries(ours: sevenbit.Message, _: None) -> Any:
    report = ours.report
    return report and [(to.address, to.action, to.status or "") for to in report.recipients]


def dispositions(mail: Mail) -> Answers:
    for _, part in mail.of_type("message/disposition-notification"):
        block = block_of(part)
        what = "".join(value(block["disposition"]).split()).lower()
        yield None, ("disposition", what, None, squeezed(block["original-message-id"]).strip("<>") or None)


def complaints(mail: Mail) -> Answers:
    for _, part in mail.of_type("message/feedback-report"):
        block = block_of(part)
        yield None, ("feedback", squeezed(block["feedback-type"]).lower(), squeezed(block["source-ip"]) or None, None)


def our_report(ours: sevenbit.Message, _: None) -> Any:
    if (report := ours.report) is None:
        return None
    is_feedback = report.kind == "feedback"  # whose message is known by its own id, which is no field of it
    return (report.kind, report.disposition or report.feedback_type, report.source_ip, None if is_feedback else report.original_id)


def block_of(part: Any) -> Any:
    """The fields of a report; `email` reads what is called `message/*` as a message."""
    content = part.get_payload(decode=True)
    return email.message_from_bytes(part.get_payload()[0].as_bytes() if content is None else content)


def value(text: str | None) -> str:
    """What is behind the type: `rfc822; <ada@example.org>`."""
    return squeezed(str(text).rpartition(";")[2]).strip("<>")


def word(text: str | None) -> str:
    """The first word: `5.0.0 (permanent failure)`."""
    return squeezed(text).partition(" ")[0].lower()


class Question(NamedTuple):
    peer: Callable[[Mail], Answers]
    """What is asked about, and the answer, as often as there is one. Where the peer fails it has no (more) answers."""
    ours: Callable[[sevenbit.Message, Any], Any]
    answers: int
    """How many answers the peer has at least."""
    share: float
    """The share of them that has to be ours as well."""
    same: Callable[[Any, Any], bool] = operator.eq


QUESTIONS = {
    "fields": Question(fields, our_fields, 3800, 0.99),
    "subject": Question(subject, lambda ours, _: squeezed(ours.subject), 3100, 0.99),
    "date": Question(date, lambda ours, _: ours.date, 3000, 0.99, same_date),
    "mailboxes": Question(mailboxes, our_mailboxes, 7100, 0.99),
    "references": Question(references, lambda ours, name: [id for id in getattr(ours, name) if "@" in id], 1100, 0.99),
    "lists": Question(lists, lambda ours, name: getattr(ours.mailing_list, name, None), 2400, 0.995),
    "automatic": Question(automatic, getattr, 1250, 0.995),
    "hops": Question(hops, lambda ours, _: len(ours.hops), 3800, 0.995),
    "clauses": Question(clauses, our_clauses, 9400, 0.99),
    "hop-dates": Question(hop_dates, our_hop_date, 9300, 0.99),
    "authentication": Question(authentication, our_authentication, 470, 0.99),
    "plain": Question(plain, lambda ours, _: ours.text, 2700, 0.985, same_start),
    "html": Question(html, our_html, 630, 0.93, share_words),
    "flowed": Question(flowed, our_flowed, 180, 0.97),
    "files": Question(files, has_file, 950, 0.95),
    "uuencoded": Question(uuencoded, has_uuencoded, 6, 1),
    "nested": Question(nested, our_nested, 620, 0.95),
    "calendars": Question(calendars, our_calendar, 2, 1),
    "safe-names": Question(safe_names, are_safe, 8000, 1),
    "deliveries": Question(deliveries, our_deliveries, 575, 0.965),
    "dispositions": Question(dispositions, our_report, 2, 1),
    "complaints": Question(complaints, our_report, 17, 1),
}


def answers(peer: Callable[[Mail], Answers], mail: Mail) -> list[tuple[Any, Any]]:
    found = []
    try:
        for answer in peer(mail):
            found.append(answer)
    except Exception:
        pass
    return found


@pytest.fixture(scope="module")
def counts() -> dict[str, tuple[int, int]]:
    """How many answers the peer of each question has, and how many are ours as well."""
    paths = [path for path in sorted((SHARED / "dev").rglob("*")) if path.is_file()]
    if not paths:
        pytest.skip("no real mail beside the project")
    asked, same = Counter[str](), Counter[str]()
    for path in paths:
        mail = Mail(path.read_bytes())
        ours = sevenbit.parse(mail.octets)
        for name, question in QUESTIONS.items():
            for key, theirs in answers(question.peer, mail):
                answer = question.ours(ours, key)
                is_same = question.same(theirs, answer)
                asked[name] += 1
                same[name] += is_same
                if not is_same and name == os.environ.get("SEVENBIT_SHOW"):
                    print(f"{path.name} {key!r:.200}\n  {theirs!r:.2000}\n  {answer!r:.2000}")
    return {name: (asked[name], same[name]) for name in QUESTIONS}


@pytest.mark.parametrize("name", QUESTIONS)
def test_answers_are_those_of_a_peer(counts: dict[str, tuple[int, int]], name: str) -> None:
    asked, same = counts[name]
    print(f"\n{name}: {same} of {asked}, {same / max(asked, 1):.2%}")
    assert asked >= QUESTIONS[name].answers
    assert same >= QUESTIONS[name].share * asked


def test_files_of_outlook_are_those_of_tnefparse() -> None:
    """On mail that was written for this project, since the real mail has no TNEF; where that package (LGPL) is installed."""
    tnefparse = pytest.importorskip("tnefparse")
    packed = (PROJECT / "corpus" / "vectors" / "tnef" / "winmail.dat").read_bytes()
    alone = EmailMessage()
    alone.add_attachment(packed, "application", "ms-tnef", filename="winmail.dat")
    mails = [alone.as_bytes()] + [path.read_bytes() for path in sorted((PROJECT / "corpus").rglob("*.eml"))]
    found = 0
    for octets in mails:
        theirs: list[Any] = []
        for part in email.message_from_bytes(octets).walk():
            if part.get_content_type() == "application/ms-tnef":
                read = tnefparse.TNEF(part.get_payload(decode=True))
                theirs += [(file.long_filename().strip("\0"), file.data) for file in read.attachments]
        ours = [(file.name, file.octets) for file in sevenbit.parse(octets).attachments if file.origin == "tnef"]
        assert ours == theirs
        found += len(theirs)
    assert found >= 6
